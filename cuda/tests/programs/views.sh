#!/bin/sh
# Profile, timeline and coverage of each launch, or of those that are asked for.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

program five.cu -O2 -std=c++17 -arch=sm_80
mkdir "$tmp/v"
passes five "HEDDLE_PROFILE=$tmp/v/p.txt HEDDLE_TIMELINE=$tmp/v/t.html HEDDLE_COVERAGE=$tmp/v/c HEDDLE_ONLY=2:3"
holds "files of launches 2 and 3: $(ls "$tmp/v")" [ "$(cd "$tmp/v" && echo *)" = 'c p.2.txt p.3.txt t.2.html t.3.html' ]
expect 0 'launch 3: walks(int*, int)<<<(4,1,1), (64,1,1)>>>' cat "$tmp/v/p.3.txt"
said 'SIMT efficiency 33.8% over 7788 warp instructions'
expect 0 'coverage: 172 of' "$heddle" coverage "$tmp/v/c"
passes five "HEDDLE_PROFILE=$tmp/v/k.json HEDDLE_ONLY=til"
holds "files of the launch of tiles: $(ls "$tmp/v")" [ "$(cd "$tmp/v" && echo k*)" = k.5.json ]
expect 2 'HEDDLE_ONLY=3: of what?' HEDDLE_ONLY=3 "$tmp/five"
for only in '' 0 -1 5:2 2: :3 2:x; do
    expect 2 "HEDDLE_ONLY=$only: N, A:B or how" HEDDLE_PROFILE="$tmp/v/o.txt" HEDDLE_ONLY=$only "$tmp/five"
done
expect 0 'HEDDLE_ONLY=tall: none of the 5 launches was of it' HEDDLE_TIMELINE="$tmp/v/o.html" HEDDLE_ONLY=tall "$tmp/five"
holds "files of no launch: $(ls "$tmp/v")" [ "$(cd "$tmp/v" && echo o*)" = 'o*' ]
expect 2 'HEDDLE_PROFILE=p/: the name of a file is needed' HEDDLE_PROFILE=p/ "$tmp/five"
# A file that cannot be written is found before the launch, which here has no end.
program wrong.cu
expect 2 'nowhere/p.1.txt' HEDDLE_PROFILE="$tmp/nowhere/p.txt" HEDDLE_LIMIT=0 "$tmp/wrong" spin
expect 2 'nowhere/t.1.html' HEDDLE_TIMELINE="$tmp/nowhere/t.html" HEDDLE_LIMIT=0 "$tmp/wrong" spin
expect 2 'nowhere/c: cannot be written' HEDDLE_COVERAGE="$tmp/nowhere/c" HEDDLE_LIMIT=0 "$tmp/wrong" spin
finish
