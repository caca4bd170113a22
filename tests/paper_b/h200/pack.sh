#!/bin/sh
# What the compiler says of paper B's kernels, for a machine without one: PTX, its redirected form,
# elements that move, bounds.
# SPDX-License-Identifier: Apache-2.0
# use: pack.sh HEDDLE FOLDER     where there is an nvcc (NVCC names it), also its PTX, and that redirected by our pass
nvcc=${NVCC:-$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2> /dev/null)}
for k in mc sw nw ec mum sl sm; do
    cu=tests/paper_b/$k.cu
    "$1" cc $cu --show=ptx -o /dev/null > "$2/$k.ptx" && "$1" cc $cu --redirect grid -o "$2/$k.redirect.ptx" || exit 2
    if [ -n "$nvcc" ]; then
        "$nvcc" -ptx -arch=sm_90 -include stdint.h -Icompiler/include -o "$2/$k.nvcc.ptx" $cu &&
            "$1" cc "$2/$k.nvcc.ptx" --redirect grid -o "$2/$k.nvcc.redirect.ptx" || exit 2
    fi
    "$1" cc $cu --show=access -o /dev/null > "$2/$k.access" || exit 2
    sed -n '/^  layout:/s/.*layout: //p' "$2/$k.access" | grep -o 'parameter [0-9]* ([0-9]*' |
        sed 's/parameter //; s/ (/:/' | paste -sd, > "$2/$k.moved"
    # parameters of PTX count from 0
    sed -n 's/.*: g against [a-z]*_param_\([0-9]*\)$/\1/p' "$2/$k.access" | awk '{ print $1 + 1 }' | sort -un > "$2/$k.bound"
done
