#!/bin/sh
# --memory: within little memory the counts and the order are those without a limit, by files that
# are gone afterwards; no room for them, or no size, is status 2 and a sentence.
# SPDX-License-Identifier: Apache-2.0
# use: memory.sh HEDDLE
heddle=$1
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/files"
export TMPDIR="$tmp/files"
"$heddle" cc tests/regroup/loop.cu --show=ptx -o /dev/null > "$tmp/loop.ptx" || exit 1   # PTX needs no files of its own
launch="$tmp/loop.ptx --grid 256 --block 128 in:u32[32768]=rand:3 out:u32[32768]"
fail() { echo "memory: $*"; exit 1; }
used() { sed -n 's/.*: \([0-9]*\) bytes of counts.* were kept in files$/\1/p' "$tmp/err"; }

"$heddle" bbv $launch -o "$tmp/all" > "$tmp/all.txt" 2> "$tmp/err" || fail "no counts"
[ -z "$(used)" ] || fail "files without a limit"
# four bytes a thread, twice, and the distinct vectors
for limit in 1 1K 200K; do
    "$heddle" bbv $launch -o "$tmp/some" --memory $limit > "$tmp/some.txt" 2> "$tmp/err" || fail "$limit: status $?"
    cmp "$tmp/all" "$tmp/some" && cmp "$tmp/all.txt" "$tmp/some.txt" || fail "$limit: other counts"
    [ "$(used)" -ge $((4 * 32768)) ] || fail "$limit: $(used) bytes in files are too few"
done
"$heddle" bbv $launch --memory 1G > /dev/null 2> "$tmp/err" || fail "1G"
[ -z "$(used)" ] || fail "files within a gigabyte"
for limit in '' '--memory 1K'; do
    "$heddle" regroup $launch --bbv "$tmp/all" --by sorting $limit --save "$tmp/order$limit" > "$tmp/out" 2> "$tmp/err" || fail "regroup $limit"
done
[ "$(used)" -ge $((4 * 32768)) ] && cmp "$tmp/order" "$tmp/order--memory 1K" || fail "another order, or no file"
# counts of the file, the order, its threads, a pool of them: each four bytes a thread
for by in greedy-max best; do
    for limit in '' '--memory 1K'; do
        "$heddle" regroup $launch --bbv "$tmp/all" --by $by --time 0 $limit --save "$tmp/order$limit" > "$tmp/out$limit" 2> "$tmp/err" || fail "$by $limit"
    done
    [ "$(used)" -ge $((16 * 32768)) ] && cmp "$tmp/order" "$tmp/order--memory 1K" || fail "$by: another order, or no file"
done
[ -z "$(ls -A "$tmp/files")" ] || fail "files are left: $(ls -A "$tmp/files")"

refused() {                                          # SENTENCE ARGUMENTS..
    want=$1; shift
    "$heddle" "$@" > "$tmp/out" 2> "$tmp/err"
    [ $? -eq 2 ] && grep -q "$want" "$tmp/err" && [ "$(wc -l < "$tmp/err")" -eq 1 ] || { cat "$tmp/err"; fail "$*: no status 2 and sentence"; }
}
for bad in 0 -1 1T K 1KK 1.5 '' 99999999999999999999 99999999999G; do
    refused 'is no size' bbv $launch --memory "$bad"
done
refused 'does not belong' run $launch --memory 1K
TMPDIR=$tmp/none
refused 'no file of [0-9]* bytes in .*/none' bbv $launch --memory 1K
refused 'no file of [0-9]* bytes in .*/none' regroup $launch --bbv "$tmp/all" --by sorting --memory 1K
# a full disk: no file is longer than the 64 KiB that a shell lets it be
TMPDIR=$tmp/files
(ulimit -f 64; trap '' XFSZ; refused 'no file of [0-9]* bytes in .*/files: File too large' bbv $launch --memory 1K) || exit 1
echo "regroup: --memory holds"
