#!/bin/sh
# Products of matrices: by mma.sync, ldmatrix and their like, and as CUDA's mma.h has them.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

for p in tensor wmma; do
    program $p.cu -arch=sm_80
    passes $p "$model" "$routines"
done
passes tensor "$lockstep"
finish
