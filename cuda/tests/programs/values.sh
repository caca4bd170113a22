#!/bin/sh
# What kernels compute is what C and CUDA say: shifts, fields, conversions, small and wide numbers, complex ones, f32's functions.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

for p in rotates fields truncates host_half; do
    program $p.cu -std=c++17
    passes $p "$model" "$stack"
done
# Header functions: what was wrong or missing once (make test-headers judges all of them).
for p in header_values header_functions; do
    program $p.cu -arch=sm_90 -std=c++17
    passes $p "$model" "$stack"
done
program wide.cu -arch=sm_80
passes wide "$model" "$routines"
program small.cu
expect 0 PASS "$tmp/small" --size=17
passes small "$stack"
# Complex numbers need no library.
program complexes.cu -std=c++17
passes complexes "$model" "$routines"
# Products that are not fused, and f32's functions.
program apart.cu
passes apart "$model"
program single.cu
expect 0 'single: passed' "$tmp/single"
expect 0 'single: passed' $routines "$tmp/single"
finish
