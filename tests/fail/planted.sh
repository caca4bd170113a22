#!/bin/sh
# A checker that lost a field must refuse to say "equal": `heddle` is linked with a comparison from
# which a planted patch has taken a row of the table, or marked one as not compared.
# SPDX-License-Identifier: Apache-2.0
# Use: planted.sh DIR, which holds heddle.N and what patch N took out in field.N.
launch="tests/kernels/divergent.cu --grid 1 --block 32 data:f32[32]=rand:1 steps:i32[32] n:i32=32"
failed=0 n=0
for heddle in "$1"/heddle.*; do
    want="checker self-test failed: field $(cat "$1/field.${heddle##*.}")"
    said=$("$heddle" lockstep $launch 2>&1)
    got=$?
    n=$((n + 1))
    if [ $got -ne 4 ] || ! printf '%s' "$said" | grep -qF "$want"; then
        failed=$((failed + 1))
        printf 'FAIL %s: exit status %s, expected 4 with `%s`:\n%s\n' "$heddle" $got "$want" "$said"
    fi
done
echo "planted: $((n - failed)) of $n patches of the comparison were caught"
[ $failed -eq 0 ] && [ $n -gt 0 ]
