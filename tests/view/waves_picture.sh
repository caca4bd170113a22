#!/bin/sh
# A picture of what GTKWave shows: of a command of heddle that writes a waveform.
# SPDX-License-Identifier: Apache-2.0
# use: waves_picture.sh draw|check HEDDLE OUT.png SUFFIX COMMAND [OPTION...]
#      SUFFIX: the view's end, .gtkw or -release.gtkw
#
# The picture keeps the sum of what it was made of: the view, and all changes of our rows.  It is
# old when that sum is another one.
what=$1 heddle=$2 out=$3 suffix=$4 command=$5; shift 5
tmp=$(mktemp -d) || exit 4
viewer='' screen=''
trap 'kill $viewer $screen 2> /dev/null; rm -rf "$tmp"' EXIT
"$heddle" "$command" tests/kernels/divergent.cu --lanes 4 --grid 1 --block 32 'data:f32[32]=rand:1' 'steps:i32[32]' n:i32=8 \
    "$@" -o "$tmp/heddle.fst" > "$tmp/log" 2>&1
[ -s "$tmp/heddle$suffix" ] || { cat "$tmp/log"; exit 1; }
fst2vcd "$tmp/heddle.fst" > "$tmp/vcd" 2> /dev/null || exit 1
"$(dirname "$0")/waves_changes.pl" < "$tmp/vcd" > "$tmp/all" || exit 1
grep '^[0-9]* heddle\.' "$tmp/all" > "$tmp/changes" || { echo "$out: no row changes"; exit 1; }
grep -v '^\[dumpfile\]' "$tmp/heddle$suffix" > "$tmp/view" || exit 1
sum=$(cat "$tmp/view" "$tmp/changes" | sha256sum) || exit 1
sum=${sum%% *}
if [ "$what" = check ]; then
    grep -aq "made of $sum" "$out" && exit 0
    echo "$out is not what is drawn now: make docs-pictures"
    exit 1
fi
Xvfb -displayfd 3 -screen 0 1600x1000x24 3> "$tmp/display" 2> /dev/null & screen=$!
for i in $(seq 60); do [ -s "$tmp/display" ] && break; sleep 0.5; done
DISPLAY=:$(cat "$tmp/display"); export DISPLAY
(cd "$tmp" && exec gtkwave heddle.fst "heddle$suffix" > /dev/null 2>&1) & viewer=$!
sleep 5
import -window root -crop 1600x900+0+0 +repage +dither -colors 64 -set comment "made of $sum" "$out"
