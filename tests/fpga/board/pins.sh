#!/bin/sh
# The README's kernel on a board as its pins have it: through a serial line, its memory an SDRAM.
# SPDX-License-Identifier: Apache-2.0
# use: pins.sh HEDDLE
set -eu
heddle=$1
launch="tests/kernels/divergent.cu --constants loads --grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=100"
fail() { echo "pins: $1"; exit 1; }
said=$($heddle lockstep $launch --lanes 4 --board sim:pins 2>&1) || fail "$said"
echo "$said" | grep -q '^lockstep: equal; ' || fail "$said"
echo "$said" | tail -n 2
