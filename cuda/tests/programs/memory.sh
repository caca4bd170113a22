#!/bin/sh
# Memory: managed, from pools, at addresses that a program reserves, gibibytes of it; atomics; parameters; what the device has room for.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

program managed.cu
passes managed "$model"
program pools.cu -lcuda
passes pools "$model"
program virtual.cu -lcuda
passes virtual "$model"
said 'cudaIpcGetMemHandle is not supported'
program large.cu
passes large "$model" "$lockstep"
# Five gibibytes, of which little is touched; an address above all, and the first after an allocation.
program gigabytes.cu
passes gigabytes "$model" "$stack" HEDDLE_JOBS=2 "$lockstep"
expect 0 'out-of-range access at address 0x10010000000' "$tmp/gigabytes" beyond
expect 0 'out-of-range access at address 0x440000000' $lockstep "$tmp/gigabytes" behind
# What cuda::atomic fetches: what the machine has an instruction for is that, not a loop.
program fetches.cu
passes fetches "$model" "$lockstep"
build -ptx $here/fetches.cu -o "$tmp/fetches.ptx"
loops=$(awk '/\.entry/ { whole = /whole/ } whole && /atom.*\.cas/' "$tmp/fetches.ptx" | wc -l)
holds "$loops compare-and-swaps in whole words" [ "$loops" = 0 ]
program room.cu
expect 0 PASS "$tmp/room" 32 65536 255
expect 0 PASS HEDDLE_WARPS=4 "$tmp/room" 4 65536 255
finish
