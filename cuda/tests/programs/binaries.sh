#!/bin/sh
# Programs that nvcc built: host code and PTX as it makes them, and the symbols of libcudart.so that they ask for.
# SPDX-License-Identifier: Apache-2.0
# NVCC: where it is
. cuda/tests/programs/common.sh || exit 4

# Symbols of libcudart.so.13, as a program that nvcc linked asks for them, and its layout of cudaDeviceProp.
build -c $here/version13.cu -o "$tmp/version13.o"
g++ "$tmp/version13.o" "$build/cuda/libcudart.so.13" "$build/libheddle_cudart.so" -o "$tmp/version13" || exit 1
expect 0 PASS LD_LIBRARY_PATH="$build/cuda" "$tmp/version13"
said 'cudaArrayGetPlane is not supported'
silent 'no version information'

nvcc=${NVCC:-/usr/local/cuda/bin/nvcc}
if [ ! -x "$nvcc" ]; then
    echo "NOT RUN: programs that nvcc built ($nvcc is not there)"
    finish
fi
# by_nvcc PROGRAM OPTION...: of cuda/tests/PROGRAM.cu, as nv_PROGRAM.
by_nvcc() {
    name=$1
    shift
    "$nvcc" -cudart shared -w "$@" $here/$name.cu -o "$tmp/nv_$name" > "$tmp/out" 2>&1 || { bad "nvcc $name.cu:"; finish; }
}
build -ptx $here/driver_kernel.cu -o "$tmp/k.ptx"
export LD_LIBRARY_PATH="$build/cuda"
for p in five managed textures; do
    by_nvcc $p -arch=sm_80
    passes nv_$p "$model"
done
passes nv_five "$lockstep"
by_nvcc prints -arch=sm_80
expect 1 'Assertion `threadIdx.x != n` failed.' "$tmp/nv_prints"
by_nvcc units_a -rdc=true -arch=sm_75 $here/units_b.cu $here/units_c.cu
passes nv_units_a "$model"
for p in children conditions graph_memory graph_edges; do
    by_nvcc $p -rdc=true -arch=sm_75
    passes nv_$p "DOT=$tmp/g.dot"
done
stubs=$(dirname "$nvcc")/../lib64/stubs
by_nvcc mipmaps -arch=sm_75 -L "$stubs" -lcuda
passes nv_mipmaps "$model"
by_nvcc calls -arch=sm_75 -L "$stubs" -lcuda
expect 0 PASS "$tmp/nv_calls" "$tmp/k.ptx"
finish
