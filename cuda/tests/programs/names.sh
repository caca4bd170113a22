#!/bin/sh
# What programs ask CUDA's headers for: names, cuda::std's types, macros by which they know the headers; what public programs needed.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

program needs.cu
passes needs HEDDLE_REPORT=1
said ': v<<<(1,1,1), (1,1,1)>>>: cycles'
program asked.cpp -lcuda
passes asked "$model"
program names.cu
passes names "$model" "$routines"
program own_warp_size.cu
passes own_warp_size "$model"
for std in 17 20; do
    program std_names.cu -std=c++$std
    passes std_names "$model"
done
passes std_names "$stack"
finish
