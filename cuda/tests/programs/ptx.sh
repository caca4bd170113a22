#!/bin/sh
# Instructions of later machines, scalar video instructions, forms of PTX that programs write by hand; forms that there are not.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

# Copies that need not wait, small numbers, barriers in memory.
for p in async packed later; do
    program $p.cu -arch=sm_80
    passes $p "$model" "$routines"
done
for p in later async; do passes $p "$lockstep"; done
said 'compute capability 8.0, code for 800'
expect 0 'compute capability 9.0, code for 800' HEDDLE_ARCH=90 "$tmp/async"
expect 2 'HEDDLE_ARCH=60: 70 for sm_70, or more, is needed' HEDDLE_ARCH=60 "$tmp/async"
program written.cu -arch=sm_90
passes written "$model" "$stack" "$lockstep"
program video.cu -std=c++17
expect 0 'PASS: 56 forms' "$tmp/video"
passes video "$stack" "$lockstep"
# A shift without its mode, two things for c to be, a negated sum.
refused 'vshl.u32.u32.u32 %r1, %r1, %r1' 'vadd.u32.u32.u32.add %r1.b0, %r1, %r1, %r1' 'vsub.u32.u32.u32 %r1, -%r1, %r1' \
    'vmad.u32.u32.u32 %r1, -%r1, %r1, -%r1' 'vadd.u32.u32.u32 %r1, %r1.b4, %r1' 'vadd.u32.u32 %r1, %r1, %r1'
finish
