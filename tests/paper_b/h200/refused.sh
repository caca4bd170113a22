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
