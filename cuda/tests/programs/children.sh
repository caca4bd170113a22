#!/bin/sh
# Launches from kernels; outside a program they are not made, and that is said.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

program children.cu
passes children "$model" "$stack" HEDDLE_NATIVE=1 HEDDLE_JOBS=2 "$lockstep"
said 'all: lockstep: equal; compared'
program flood.cu -rdc=true
expect 0 'PASS: cudaSuccess, 130 made with 0 wrong words' "$tmp/flood"
build -ptx $here/children.cu -o "$tmp/children.ptx"
expect 0 'the kernel launches others: none was run' "$heddle" run "$tmp/children.ptx" --kernel _Z3allPi --grid 1 --block 1 p:u32[1]
finish
