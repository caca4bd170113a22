#!/bin/sh
# What nvcc accepts and clang does not: __shared__ alignas, pragmas out of macros, asm with one %; from sources at any place.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

program brackets.cu
passes brackets "$model"
# By way of a link, under a name with a quote, its header found by -isystem.
mkdir "$tmp/it's" "$tmp/system" && cp $here/brackets.cu "$tmp/it's/b.cu" && cp $here/brackets.h "$tmp/system"
ln -s "it's" "$tmp/linked"
for f in "$tmp/it's/b.cu" "$tmp/linked/b.cu"; do
    build -isystem "$tmp/system" "$f" -o "$tmp/brackets"
    passes brackets "$model"
done
sed 's/"brackets.h"/<brackets.h>/' $here/brackets.cu > "$tmp/angle.cu"
build -I "$tmp/system" "$tmp/angle.cu" -o "$tmp/brackets"
passes brackets "$model"
# The column of a mistake is that of the source.
sed 's/int \*p, h/int *p, hh/' $here/brackets.cu > "$tmp/unbuilt.cu"
cp $here/brackets.h "$tmp"
expect 2 "unbuilt.cu:53:27: error: use of undeclared identifier 'h'" "$heddle" nvcc -c "$tmp/unbuilt.cu" -o "$tmp/unbuilt.o"
finish
