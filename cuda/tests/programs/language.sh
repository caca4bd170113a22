#!/bin/sh
# CUDA's C++ as programs write it: initial values, unnamed namespaces, alignments, new, recursion, abstract classes.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

for p in unnamed addresses new alignments deep; do
    program $p.cu -std=c++17
    passes $p "$model" "$stack"
done
expect 0 PASS $lockstep "$tmp/new" few
for how in -DWITH_NEW -DOWN; do
    program new.cu -std=c++17 $how
    passes new "$model"
done
# Tables of functions: of abstract classes, and with a function that is nowhere.
program abstract.cu
passes abstract "$model" "$lockstep"
printf '%s\n' '.version 8.0' '.target sm_80' '.address_size 64' '.extern .func nowhere();' '.global .u64 table[1] = {nowhere};' \
    '.entry k() { .reg .b64 %a; ld.global.u64 %a, [table]; st.global.u64 [table], %a; ret; }' > "$tmp/form.ptx"
expect 2 'function nowhere is not defined' "$heddle" cc "$tmp/form.ptx" -o "$tmp/form.hx"
finish
