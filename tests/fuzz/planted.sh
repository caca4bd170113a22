#!/bin/sh
# A bug planted in the model's barriers must be found by random kernels and shrunk to at most 15
# instructions, in two minutes together, and reported at the instruction where it happens; the
# shrunk file must replay it.
# SPDX-License-Identifier: Apache-2.0
# usage: planted.sh BUILD CC LIBRARIES BUG ROW...      (CC: the compile command; BUG: of planted.bugs;
#        ROW: mnemonics that may be named)
build=$1; cc=$2; libraries=$3; name=$4; shift 4
dir=$build/planted/$name
rm -rf "$dir" && mkdir -p "$dir" || exit 1
mkdir -p "$dir/cmodel/machine" && cp cmodel/machine/barriers.c "$dir/cmodel/machine" || exit 1
tests/mutants/bugs.pl plant "$name" "$dir" tests/fuzz/planted.bugs || exit 1
# The patched object comes before the library, which then need not bring its own.
$cc -o "$dir/heddle" "$dir/cmodel/machine/barriers.c" "$build/harness/main.o" $libraries || exit 1
start=$(date +%s)
timeout 120 "$dir/heddle" fuzz --seed 1 --count 100000 --first --level machine --out "$dir/out" > "$dir/log"
seconds=$(($(date +%s) - start))
small=$(ls "$dir"/out/*-small.s 2>/dev/null | head -1)
[ -n "$small" ] || { echo "planted: $name: not found and shrunk within two minutes"; tail -1 "$dir/log"; exit 1; }
"$dir/heddle" fuzz --replay "$small" > "$dir/replay" && { echo "planted: $name: $small does not replay"; exit 1; }
# What is as small as it gets is not shrunk again and again: long before its time is over, it ends.
cp "$small" "$dir/again.s"
timeout 60 "$dir/heddle" fuzz --replay "$dir/again.s" --shrink 1000 > "$dir/again"
[ $? -eq 1 ] || { echo "planted: $name: the shrinker does not come to an end"; exit 1; }
n=$(grep -c '// [0-9a-f][0-9a-f][0-9a-f][0-9a-f]$' "$small")
row=$(tail -1 "$dir/replay" | sed 's/.* differs at \([^,]*\),.*/\1/')
kernels=$(sed -n 's/^fuzz: kernels \([0-9]*\),.*/\1/p' "$dir/log")
echo "planted: $name: found after $kernels kernels, in $seconds s shrunk to $n instructions, at $row"
[ "$n" -le 15 ] || exit 1
for want in "$@"; do [ "$row" = "$want" ] && exit 0; done
echo "planted: $name: expected at one of: $*"
exit 1
