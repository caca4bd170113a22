#!/bin/sh
# What ends heddle nvcc: a clang that crashes, of which the cause is said and no more; a folder that is full or not there.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

clang=clang-$(sed -n 's|^CLANG_VERSION := ||p' Makefile)
printf 'extern __device__ void *q;\n__device__ void *p = &q, *q = &p;\n__global__ void k(void **o) { *o = p; }\n' > "$tmp/circle.cu"
for how in cc 'nvcc -c'; do
    expect 2 "circle.cu: $clang cannot compile it: the initial values of __device__ variables hold each other's" \
        "$heddle" $how "$tmp/circle.cu" -o "$tmp/circle.o"
    silent 'Stack dump'
    silent PLEASE
done
mkdir "$tmp/full" "$tmp/bin"
for cause in 'kill -SEGV $$:signal 11' 'echo "Stack dump:" >&2; exit 139:exit status 139'; do
    printf '#!/bin/sh\n%s\n' "${cause%:*}" > "$tmp/bin/$clang"
    chmod +x "$tmp/bin/$clang"
    expect 2 "circle.cu: $clang crashed on it (${cause##*:})" PATH="$tmp/bin:$PATH" "$heddle" cc "$tmp/circle.cu" -o "$tmp/circle.o"
done
# A folder for temporary files that is full, or is not there.
if mount -t tmpfs -o size=16k tmpfs "$tmp/full" 2> /dev/null; then
    expect 2 'No space left on device' TMPDIR="$tmp/full" "$heddle" nvcc -c $here/new.cu -o "$tmp/new.o"
    head -c 100000 /dev/zero > "$tmp/full/fill" 2> /dev/null
    expect 2 'No space left on device' TMPDIR="$tmp/full" "$heddle" nvcc -c $here/new.cu -o "$tmp/new.o"
    expect 2 'No space left on device' "$heddle" nvcc -c $here/new.cu -o "$tmp/full/new.o"
    umount "$tmp/full"
else
    echo "NOT RUN: a full disk: no file system may be mounted here"
fi
expect 2 'nowhere/heddle-' TMPDIR="$tmp/nowhere" "$heddle" nvcc -c $here/new.cu -o "$tmp/new.o"
finish
