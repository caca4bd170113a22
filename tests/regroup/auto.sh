#!/bin/sh
# --apply auto for a machine: off where an order scatters loads and the profile says that this costs
# more than it gains.
# SPDX-License-Identifier: Apache-2.0
# use: auto.sh HEDDLE
launch="tests/regroup/scatter.cu --grid 64 --block 128 in:u32[188416]=rand:3 out:u32[8192] n:u32=8192 --by sorting --machine 4,8,4 --advise"
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
printf 'insn = 4 10  # made up\n' > "$tmp/even.ini"
printf 'insn = 4 10  # made up\nbusy.sector = 200 200  # the same\n' > "$tmp/dear.ini"
"$1" bbv ${launch%% --by*} -o "$tmp/bbv" > /dev/null || exit 1
regroup() { "$heddle" regroup $launch --timing "$tmp/$1.ini" --apply "$2" $3; }
heddle=$1
regroup even redirect "--bbv $tmp/bbv" > "$tmp/even" && regroup dear redirect "--bbv $tmp/bbv" > "$tmp/dear" &&
    regroup dear auto "--bbv $tmp/bbv" > "$tmp/auto" && regroup dear auto "" > "$tmp/counted" || exit 1
gain() { sed -n 's/^sorting: predicted.* \([0-9.]*\) units$/\1/p' "$1"; }
sectors() { sed -n "s/^$2: \([0-9.]*\) sectors .*/\1/p" "$1"; }
[ -z "$(sectors "$tmp/even" sorting)" ] || { echo "auto: warps run without need"; exit 1; }
# 4 sectors for 32 lanes, and about 11 where two of three neighbours are elsewhere
awk -v a="$(sectors "$tmp/dear" original)" -v b="$(sectors "$tmp/dear" sorting)" -v x="$(gain "$tmp/even")" -v y="$(gain "$tmp/dear")" '
    BEGIN { exit !(a > 0.09 && a < 0.1 && b > 2 * a && x >= 1 && y < 0.7 * x) }' ||
    { cat "$tmp/even" "$tmp/dear"; echo "auto: scattered loads are not seen"; exit 1; }
for how in auto counted; do                          # by sampled warps; by the addresses of a run that counts
    grep -q '^auto: none: the predicted gain is marginal' "$tmp/$how" || { cat "$tmp/$how"; echo "auto: applied in vain"; exit 1; }
done
grep -q '^memory: ' "$tmp/auto" && { echo "auto: --advise runs orders"; exit 1; }
echo "regroup: --apply auto sees scattered loads: $(sectors "$tmp/dear" original) and $(sectors "$tmp/dear" sorting) sectors an access"
