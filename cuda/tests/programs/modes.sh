#!/bin/sh
# One program in every way in which programs run: model, stack mode, machine code, lockstep, the RTL alone; several launches of it
# at a time, several cores; the cache; settings that are wrong.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

program five.cu -O2 -std=c++17 -arch=sm_80 -Xcompiler -Wall,-O2 -lcudart
passes five "$model" "$stack" HEDDLE_STRICT=1
holds 'an image of each mode is cached' [ "$(ls "$HEDDLE_CACHE" | grep -c 'hx$')" = 2 ]
passes five 'HEDDLE_PREDICT=auto HEDDLE_THIRD_LEG=1 HEDDLE_REPORT=1'
said 'launch 3: walks(int*, int)<<<(4,1,1), (64,1,1)>>>: cycles' 'all: launches 5, warp instructions'
passes five 'HEDDLE_JOBS=2 HEDDLE_REPORT=1'
said 'jobs: blocks ran at the same time, on 2 threads'
expect 2 'blocks at the same time are for the model alone' HEDDLE_JOBS=2 HEDDLE=lockstep "$tmp/five"
passes five "$lockstep"
said 'all: lockstep: equal; compared' 'launch 5: lockstep: equal; compared'
passes five "$lockstep HEDDLE_CORES=3"
expect 2 'are of one core' $lockstep HEDDLE_CORES=3 HEDDLE_PROFILE=p.txt "$tmp/five"
expect 2 'several cores are for lockstep alone' HEDDLE_CORES=3 "$tmp/five"
passes five 'HEDDLE=rtl HEDDLE_LANES=4 HEDDLE_MODE=stack HEDDLE_MEM_SEED=3'

# What the cache holds may be damaged, and a program runs without one.
for f in "$HEDDLE_CACHE"/*.hx; do echo damaged > "$f"; done
passes five "$model" HEDDLE_CACHE=off

expect 2 'HEDDLE=fast: one of model|lockstep|rtl|board:LINK is needed' HEDDLE=fast "$tmp/five"
expect 2 'HEDDLE_LANES=3: one of 1|2|4|8|16|32 is needed' HEDDLE_LANES=3 "$tmp/five"
expect 2 'HEDDLE_LIMIT=1e6: a number from 0 to' HEDDLE_LIMIT=1e6 "$tmp/five"
expect 2 'HEDDLE_LANE is no option' HEDDLE_LANE=4 "$tmp/five"
expect 2 'timing profile `nothing` is not known' HEDDLE_TIMING=nothing "$tmp/five"

# What kernels print stands where the launch does; an assertion ends the program.
program prints.cu
printf '%s\n' 'launch 1, thread 0: x 0.000' 'launch 1, thread 1: x 0.667' between 'launch 2, thread 0: x 0.000' \
    'launch 2, thread 1: x 2.000' cudaSuccess cudaErrorAssert > "$tmp/want"
for how in HEDDLE=model "$lockstep" "$stack"; do
    expect 1 'Assertion `threadIdx.x != n` failed.' $how "$tmp/prints"
    said 'block: [0,0,0], thread: [5,0,0]'
    prints 1 "$tmp/want" env $how "$tmp/prints"
done
finish
