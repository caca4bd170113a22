#!/bin/bash
# Kernels of tests/kernels in the page's program, under node: `heddle check' prints what it prints natively.  CUDA C as the PTX that
# clang makes of it.
# SPDX-License-Identifier: Apache-2.0
# use: kernels.sh BUILD HEDDLE.js LANES COUNT SEED           COUNT 0: all of them
build=$1 js=$2 lanes=$3 count=$4 seed=$5
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0 checks=0
echo "page kernels: seed $seed, LANES=$lanes"
files=$(for f in tests/kernels/*.ptx tests/kernels/*.s tests/kernels/*.cu page/examples/*; do
    echo "$(echo "$seed $f" | cksum | cut -d' ' -f1) $f"; done | sort -n | cut -d' ' -f2)
[ "$count" = 0 ] || files=$(echo "$files" | head -n "$count")
for f in $files; do
    k=$f
    case $f in *.cu)
        k=$tmp/$(basename "$f" .cu).ptx
        "$build/heddle" cc "$f" -o "$k.body" > "$tmp/said" 2>&1 || { echo "page kernels: $f: no PTX: $(head -n 1 "$tmp/said")"; continue; }
        { grep '^// [A-Z]*:' "$f"; cat "$k.body"; } > "$k" ;;
    esac
    "$build/heddle" check "$k" --lanes "$lanes" > "$tmp/said" 2>&1
    { echo "status $?"; sed 's|[^ ]*/||g' "$tmp/said"; } | sort > "$tmp/native"
    timeout 600 node "$(dirname "$0")/../../page/run.js" "$js" check "$k" --lanes "$lanes" > "$tmp/said" 2>&1
    { echo "status $?"; sed 's|[^ ]*/||g' "$tmp/said"; } | sort > "$tmp/page"
    if cmp -s "$tmp/native" "$tmp/page" && grep -q passed "$tmp/native"; then
        passed=$((passed + 1))
        checks=$((checks + $(grep -o '[0-9]* passed' "$tmp/native" | tail -n 1 | tr -dc 0-9)))
    else
        failed=$((failed + 1))
        echo "FAIL page kernels: $f"
        diff "$tmp/native" "$tmp/page" | head -n 8
    fi
done
[ $passed -gt 0 ] || { echo 'page kernels: none was run'; failed=$((failed + 1)); }
echo "page kernels: $checks checks of heddle check are the native ones; seed $seed"
echo "page kernels: $passed passed, $failed failed"
[ $failed = 0 ]
