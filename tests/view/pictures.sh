#!/bin/sh
# The drawings of docs/pictures: each of tests/view/pictures/*.s, run and drawn.
# SPDX-License-Identifier: Apache-2.0
# use: pictures.sh BUILD draw             into docs/pictures
#      pictures.sh BUILD check            they are what model and core draw now; nothing else is there, and pages show all of them
#
# A program's lines `// COMMITS: A:B' and `// DEPTH: N' say what of it is drawn, and how many tokens
# are on chip.
build=$1 what=$2 here=$(dirname "$0")
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0
ok() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAIL pictures: $*"; }
value() { sed -n "s|^// $1: ||p" "$2"; }
draw() {                        # PROGRAM FILE OPTIONS...
    program=$1 file=$2; shift 2
    commits=$(value COMMITS "$program") depth=$(value DEPTH "$program")
    "$build/heddle" timeline "$program" --grid 1 --block 32 ${depth:+--stack-depth $depth} ${commits:+--commits $commits} --svg \
        -o "$file" "$@" > "$tmp/said" 2>&1 || { fail "$program: $(cat "$tmp/said")"; return 1; }
}
for p in "$here"/pictures/*.s; do
    n=$(basename "$p" .s)
    if [ "$what" = draw ]; then
        draw "$p" "docs/pictures/$n.svg"
        continue
    fi
    draw "$p" "$tmp/model.svg" && draw "$p" "$tmp/core.svg" --lockstep --lanes 4 || continue
    cmp -s "$tmp/model.svg" "$tmp/core.svg" && ok || fail "$n: the core draws something else"
    cmp -s "$tmp/model.svg" "docs/pictures/$n.svg" && ok || fail "docs/pictures/$n.svg is not what is drawn now: make docs-pictures"
    grep -q "pictures/$n.svg" docs/*.md && ok || fail "no page shows docs/pictures/$n.svg"
done
[ "$what" = draw ] && exit $failed
for f in docs/pictures/*.svg; do
    [ -e "$here/pictures/$(basename "$f" .svg).s" ] && ok || fail "$f is of no program"
done
# What the drawing of BSYNC shows, counted: a rectangle of lanes that wait at B0, in the colour of
# where they go on.
svg=docs/pictures/bsync.svg
grep -q '>B0</text>' $svg && grep -q 'fill="url(#p4-' $svg && grep -q 'prefers-color-scheme: dark' $svg && ok || fail "$svg lacks what it is about"
refuse() { "$build/heddle" timeline "$here/pictures/bra.s" --grid 1 --block 32 "$@" > "$tmp/said" 2>&1
    [ $? = 2 ] && ok || fail "$*: is not refused"; }
refuse --svg --commits 3
refuse --svg --commits 3:3
refuse --svg --commits 0:99
refuse --svg --warp 1.0
refuse --svg --text
refuse --commits 0:2 --text
"$build/heddle" timeline tests/kernels/divergent.cu --grid 1 --block 32 'data:f32[32]=rand:1' 'steps:i32[32]' n:i32=32 --svg > "$tmp/said" 2>&1
[ $? = 2 ] && grep -q 'too many to draw: --commits A:B' "$tmp/said" && ok || fail 'a thousand commits are drawn'
printf 'pictures: %d passed, %d failed\n' $passed $failed
[ $failed = 0 ]
