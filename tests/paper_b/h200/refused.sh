#!/bin/sh
# Measurements of a GPU that are none: status 2 and a reason, with and without a folder.  Any that
# is not known: status 1.
# SPDX-License-Identifier: Apache-2.0
# use: refused.sh PAPER_B
csv=tests/paper_b/h200.csv paper_b=$1
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
ends() {                                             # STATUS WHAT FOLDER..
    want=$1 what=$2; shift 2
    "$paper_b" h200 "$tmp/csv" "$@" > "$tmp/out" 2> "$tmp/err"
    [ $? -eq "$want" ] && { [ "$want" -eq 0 ] || [ -s "$tmp/err" ]; } || { cat "$tmp/err"; echo "h200: $what: not status $want and a reason"; exit 1; }
}
refused() { ends 2 "$1" && ends 2 "$1" "$tmp"; }
change() { sed "s/^mc,none,original,.*/mc,none,original,$1/" $csv > "$tmp/csv"; cmp -s $csv "$tmp/csv" && { echo "h200: $1: no change"; exit 1; }; }

for row in nan,1,1,1,1,1 inf,1,1,1,1,1 0,1,1,1,1,1 -1,1,1,1,1,1 1,-1,1,1,1,1 1,1,nan,1,1,1 1,1,1,inf,1,1 1,1,1,1,1,-1 1,1,1,1,1,nan \
    1,1,1,1,1 1,1,1,1,1,1,1 1,1,1,1,1,1x ''; do
    change "$row"; refused "$row"
done
: > "$tmp/csv"; refused "an empty file"
sed '/^#/!d' $csv > "$tmp/csv"; refused "a profile alone"
head -c 1200 $csv > "$tmp/csv"; refused "half a line"
rm "$tmp/csv"; ends 0 "no file"; ends 2 "no file" "$tmp"
cp $csv "$tmp/csv"; ends 0 "all" "$tmp"; ends 2 "no folder" "$tmp/none"
sed 's/^\(mc,none.*\),1,\([0-9]*\)$/\1,0,\2/' $csv > "$tmp/csv"; ends 1 "wrong memory" "$tmp"
change 798.4,0,0,0,1,1; ends 0 "no prediction"; ! grep -q 'inf\|nan' "$tmp/out" || { echo "h200: no prediction: is used"; exit 1; }

# what our model's counts say: half a line of it, and values that are none
cp $csv "$tmp/all"
for row in nw,original,50,100 nw,original,50,100,1,1 nw,original,101,1,1 nw,original,-1,1,1 nw,original,nan,1,1 nw,original,1,inf,1 nw,original,1,1,0; do
    { cat "$tmp/all"; echo "counts,$row"; } > "$tmp/csv"; refused "counts,$row"
done
# the claims by them, on rows of our own: greedy saves a tenth of nw's warps and adds branches to sl; mc's bound
# is far below greedy-max, and best is no better
grep -v '^counts,' $csv > "$tmp/csv"
"$paper_b" h200 "$tmp/csv" > "$tmp/claims" || { echo "h200: no claims"; exit 1; }
grep -q 'divergent\|best-cheaper' "$tmp/claims" && { echo "h200: claims on counts that are not there"; exit 1; }
{ grep -v '^counts,' $csv
  for by in sorting greedy-max best; do echo "counts,nw,$by,90.5,5,1"; echo "counts,sl,$by,90,120,1"; done
  printf 'counts,%s\n' nw,original,100,5,1 nw,greedy,90,5,1 sl,original,90,100,1 sl,greedy,90,101,1 mc,original,1,1,2000000; } > "$tmp/csv"
"$paper_b" h200 "$tmp/csv" "$tmp" > "$tmp/out" 2> "$tmp/err"
for claim in 'nw-divergent-warps, 10.0% saved at most, .*, differs' 'sl-divergent-branches, -1.0% saved at most, .*, ok' \
    'best-cheaper, 5% cheaper in [0-9] of 3 cases where .* of 3 workloads with one, .*, differs' 'best-dearer, in 1 of 7 cases .*, differs'; do
    grep -q "^paper-b: h200.$claim\$" "$tmp/out" || { grep h200 "$tmp/out"; echo "h200: $claim: is not said"; exit 1; }
done
grep -q '^| mc |.* 50% |$' "$tmp/h200.md" || { grep mc "$tmp/h200.md"; echo "h200: mc: the share of what is possible is not 50%"; exit 1; }
