#!/bin/sh
# The picture of docs/timeline.md.
# SPDX-License-Identifier: Apache-2.0
# use: timeline_picture.sh draw|check BUILD OUT.png
#
# The picture keeps the sum of the page that it was made of: it is old when that is another one.
what=$1 build=$2 out=$3
page=$build/timeline.html
"$build/heddle" timeline tests/kernels/divergent.cu --grid 2 --block 64 'data:f32[128]=rand:1' 'steps:i32[128]' n:i32=100 \
    --lockstep --lanes 4 -o "$page" > "$build/timeline.log" 2>&1 || { cat "$build/timeline.log"; exit 1; }
sed "s/ -o [^\"]*//; s,$PWD/,,g" "$page" > "$page.sum" || exit 1
sum=$(sha256sum < "$page.sum") || exit 1
sum=${sum%% *}
if [ "$what" = check ]; then
    grep -aq "made of $sum" "$out" && exit 0
    echo "$out is not what is drawn now: make docs-pictures"
    exit 1
fi
chromium --headless --no-sandbox --disable-gpu --window-size=1400,720 --virtual-time-budget=5000 \
    --screenshot="$build/timeline.png" "file://$(realpath "$page")" 2> "$build/timeline.log"
convert "$build/timeline.png" +dither -colors 128 -set comment "made of $sum" "$out"
