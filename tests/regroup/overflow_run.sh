#!/bin/sh
# A run in which a thread executes a block 2^32 times: `bbv` and `regroup` say so with status 2 and a sentence,
# and write no file.  One round less is counted.
# SPDX-License-Identifier: Apache-2.0
# use: overflow_run.sh HEDDLE
heddle=$1
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
fail() { echo "overflow: $*"; cat "$tmp/err"; exit 1; }
# the loop ends when R1, which is FIRST at first, comes to 0
kernel() {
    printf '.text\n.kernel k\n.regs 8\nMOV R1, %s\ntop:\nIADD R1, R1, -1\n' "$1"
    printf 'ISETP.NE.S32 P0, R1, 0, PT\n@P0 BRA top\nEXIT\n'
}
kernel 0 > "$tmp/over.s"
kernel -1 > "$tmp/just.s"
refused() {
    command=$1
    shift
    "$heddle" $command "$tmp/over.s" --grid 1 --block 1 "$@" > "$tmp/out" 2> "$tmp/err"
    [ $? -eq 2 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l < "$tmp/err")" -eq 1 ] && [ ! -e "$tmp/file" ] &&
        grep -q 'executed the block at PC 0x10 more than 4294967295 times' "$tmp/err" || fail "$command: no status 2 and sentence"
    cat "$tmp/err"
}
refused bbv -o "$tmp/file"
refused regroup --by original --save "$tmp/file"
"$heddle" bbv "$tmp/just.s" --grid 1 --block 1 > "$tmp/out" 2> "$tmp/err" || fail "4294967295 times are refused"
grep -q '^000010 .* 4294967295  k+0x10$' "$tmp/out" || fail "4294967295 times are not counted"
echo "regroup: counts of a run that overflow are refused"
