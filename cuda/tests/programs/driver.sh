#!/bin/sh
# The driver API: modules from files, calls by their names in older and newer headers, code that is linked while the program runs, memory.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

program driver.cu -lcuda
build -ptx $here/driver_kernel.cu -o "$tmp/k.ptx"
expect 0 PASS "$tmp/driver" "$tmp/k.ptx"
# The driver's program as a module, beside us and by its source's name.
cp $here/driver_kernel.cu "$tmp/k.cu"
nvcc=$(realpath "$heddle")
(cd "$tmp" && for kind in -fatbin --cubin; do "$nvcc" nvcc $kind -arch=sm_80 k.cu; done)
for kind in fatbin cubin; do expect 0 PASS "$tmp/driver" "$tmp/k.$kind"; done
# By the names that older and newer headers give the driver's calls.
cc -Wall -Wextra -Werror $here/old_driver.c -o "$tmp/old_driver" -ldl || exit 1
expect 0 PASS "$tmp/old_driver" "$build/cuda/libcuda.so.1" "$tmp/k.ptx"
said 'cuGraphicsMapResources is not supported'
# Libraries of kernels, and calls by name.
program calls.cu -lcuda
for how in HEDDLE=model "$lockstep"; do expect 0 PASS $how "$tmp/calls" "$tmp/k.ptx"; done
program links.cpp -lcuda
expect 0 PASS -C "$tmp" "$tmp/links"
program driver_memory.cu -lcuda
passes driver_memory "$model"
finish
