#!/bin/sh
# Which kernels of a folder compile; and launches that nobody describes, with a judge that finds one wrong byte.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

mkdir "$tmp/p" "$tmp/bad" && build -ptx $here/driver_kernel.cu -o "$tmp/p/k.ptx"
sed 's/ret;/frobnicate.b32; ret;/' "$tmp/p/k.ptx" > "$tmp/bad/k.ptx"
kernels=$(grep -c '\.entry' "$tmp/p/k.ptx")
expect 0 "kernels: $kernels in 1 files, compile $kernels (100.0%)" $here/kernels.pl "$heddle" "$tmp/p" "$tmp/kp"
expect 0 "$kernels  there is no instruction frobnicate" $here/kernels.pl "$heddle" "$tmp/bad" "$tmp/kb"
said "kernels: $kernels in 1 files, compile 0 (0.0%)"
# A line of inline assembly may be a brace alone, and a kernel may be declared before.
mkdir "$tmp/braces"
printf '%s\n' '.version 8.0' '.target sm_80' '.address_size 64' '.entry b();' '.entry a()' '{' '{ // begin' '.reg .b32 x;' '}' 'ret;' '}' \
    '.entry b()' '{' 'ret;' '}' > "$tmp/braces/k.ptx"
expect 0 'kernels: 2 in 1 files, compile 2 (100.0%)' $here/kernels.pl "$heddle" "$tmp/braces" "$tmp/kc"
# What a kernel does after that brace says what its parameter is.
printf '%s\n' '.entry d();' '.entry c(.param .u64 p)' '{' '.reg .b64 %a; .reg .b32 %x;' '{ // begin' '.reg .b32 x;' '}' \
    'ld.param.u64 %a, [p]; ld.global.u32 %x, [%a]; add.u32 %x, %x, 1; st.global.u32 [%a], %x; ret;' '}' > "$tmp/braces/c.ptx"
expect 0 ' c ' perl $here/judge/plan.pl 1 "$tmp/braces/c.ptx"
said '0:p' 'kernels 1, launches 1'

expect 0 'valid ones' $here/judge/run.sh "$build" "$tmp/p" "$tmp/j"
expect 0 '  equal' $here/judge/run.sh "$build" "$tmp/p" "$tmp/j" "$tmp/j/model.txt"
awk '$2 == "ok" && !done { done = 1; $3 = "0000000000000000"; sub(/=[0-9a-f]+/, "=00000001") } { print }' "$tmp/j/model.txt" > "$tmp/j/gpu.txt"
expect 1 '     1  differ' $here/judge/run.sh "$build" "$tmp/p" "$tmp/j" "$tmp/j/gpu.txt"
finish
