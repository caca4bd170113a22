#!/bin/sh
# Shuffles, votes and groups: by a part of a warp, without masks, at several places, from lanes that do not take part.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

# Lanes that do not execute a shuffle are read as on an H100.
build tests/silicon/shuffle.cu -o "$tmp/shuffle"
for how in HEDDLE=model HEDDLE_NATIVE=1 "$stack" "$lockstep" HEDDLE_THIRD_LEG=1; do
    prints 0 tests/silicon/shuffle.txt env $how "$tmp/shuffle"
done
# One lane adds for its warp, and only that lane's value is set before the shuffle.
program leader.cu
passes leader "$model" "$lockstep"
# The same without masks, by a part of a warp.
program old_votes.cu
passes old_votes "$model" "$stack" "$lockstep"
program arms.cu -std=c++17
passes arms "$model" "$stack" "$lockstep"
program two_sites.cu -arch=sm_80
passes two_sites "$model" "$lockstep"
expect 1 'a stack runs one side at a time' $stack "$tmp/two_sites"
# Tiles of several warps, groups of groups.
program warp_tiles.cu
passes warp_tiles "$model" "$stack"
expect 0 PASS $lockstep "$tmp/warp_tiles" 256
program nested_groups.cu -std=c++17
passes nested_groups "$model" "$stack" "$lockstep"
finish
