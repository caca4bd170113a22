#!/bin/sh
# A picture of what GTKWave shows: of a command of heddle that writes a waveform.
# SPDX-License-Identifier: Apache-2.0
# use: waves_picture.sh HEDDLE OUT.png COMMAND [OPTION...]
heddle=$1 out=$2 command=$3; shift 3
tmp=$(mktemp -d) || exit 4
trap 'kill $viewer $screen 2> /dev/null; rm -rf "$tmp"' EXIT
"$heddle" "$command" tests/kernels/divergent.cu --lanes 4 --grid 1 --block 32 'data:f32[32]=rand:1' 'steps:i32[32]' n:i32=8 \
    "$@" -o "$tmp/w.fst" > "$tmp/log" 2>&1
[ -s "$tmp/w.gtkw" ] || { cat "$tmp/log"; exit 1; }
Xvfb -displayfd 3 -screen 0 1600x1000x24 3> "$tmp/display" 2> /dev/null & screen=$!
for i in $(seq 60); do [ -s "$tmp/display" ] && break; sleep 0.5; done
DISPLAY=:$(cat "$tmp/display"); export DISPLAY
gtkwave "$tmp/w.fst" "$tmp/w.gtkw" > /dev/null 2>&1 & viewer=$!
sleep 5
import -window root -crop 1600x900+0+0 -colors 32 "$out"
