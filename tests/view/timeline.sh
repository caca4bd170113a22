#!/bin/sh
# The timeline as people see it: drawn by Chromium, and looked at; in a terminal; from a log; and
# what is refused.
# SPDX-License-Identifier: Apache-2.0
# use: timeline.sh BUILD
build=$1
. "$(dirname "$0")/common.sh"
# The page with the check after its script, as Chromium leaves it.
look() {                        # PAGE WANT
    perl -0pe 's{</script>\n</body>}{"</script>\n<script>const WANT = " . $ENV{WANT} . ";\n" . `cat $ENV{CHECK}` . "</script>\n</body>"}e' \
        < "$1" > "$tmp/look.html"
    timeout 120 chromium --headless --no-sandbox --disable-gpu --window-size=1500,900 --virtual-time-budget=60000 \
        --user-data-dir="$tmp/profile" --dump-dom "file://$tmp/look.html" > "$tmp/dom" 2> /dev/null
    said=$(grep -o 'PASSED [0-9]* checks\|FAILED .*' "$tmp/dom")
    case $said in PASSED*) ok; echo "timeline: $3: $said" ;; *) fail "$3: ${said:-Chromium says nothing}" ;; esac
}
export CHECK=$here/timeline_check.js
command -v chromium > /dev/null || { echo "timeline: chromium is missing: make deps-view"; exit 1; }

k='tests/kernels/divergent.cu --grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=100'
for mode in barrier stack; do
    expect 0 'commits of 4 warps' "$build/heddle" timeline $k --mode $mode -o "$tmp/k.html"
    "$build/heddle" trace $k --mode $mode --json -o "$tmp/k.jsonl" || fail "no log"
    WANT=$("$here/timeline_log.pl" 'search=line 23' 'found=divergent.cu:23' 'source=while (x != 1)' 'insn=LOP.AND' < "$tmp/k.jsonl")
    export WANT
    look "$tmp/k.html" "$WANT" "divergent.cu, $mode mode"
    expect 0 'commits of 4 warps' "$build/heddle" timeline "$tmp/k.jsonl" -o "$tmp/log.html"
    look "$tmp/log.html" "$WANT" "the same from a log"
done
printf '__global__ void few(int *o) { if (threadIdx.x %% 3) o[threadIdx.x] = blockIdx.x; }\n' > "$tmp/few.cu"
expect 0 'commits of 1201 warps' "$build/heddle" timeline "$tmp/few.cu" --grid 1201 --block 32 'o:i32[32]' -o "$tmp/k.html"
"$build/heddle" trace "$tmp/few.cu" --grid 1201 --block 32 'o:i32[32]' --json -o "$tmp/k.jsonl" || fail 'no log'
WANT=$("$here/timeline_log.pl" < "$tmp/k.jsonl")
look "$tmp/k.html" "$WANT" '1201 warps'
WANT='{"pause": 1}'
export WANT
expect 0 'commits of 4 warps' "$build/heddle" timeline "$here/switch.cu" --grid 2 --block 64 'program:u32[256]=rand:7' 'out:i32[64]' \
    n:i32=40 -o "$tmp/k.html"
look "$tmp/k.html" "$WANT" 'warps that take turns'
printf '__global__ void stuck(int *o) { if (threadIdx.x == 7) __syncthreads(); __syncwarp(); o[0] = 1; __syncthreads(); }\n' > "$tmp/stuck.cu"
expect 3 '  after the |: ' "$build/heddle" timeline "$tmp/stuck.cu" --grid 1 --block 32 'o:i32[1]' --text
[ "$(grep -c '^ *[0-9]* [^|]*|#$' "$tmp/said")" = 31 ] && grep -q '^   7 [^|]*|=$' "$tmp/said" && ok ||
    { fail 'where lanes are left'; cat "$tmp/said"; }
"$build/heddle" timeline "$tmp/stuck.cu" --grid 1 --block 32 'o:i32[1]' --text > "$tmp/text" 2> /dev/null
[ $? -eq 3 ] && [ "$(awk 'length > 80' "$tmp/text" | wc -l)" = 0 ] && ok ||
    fail 'lines of --text are too long'
expect 3 'commits of 1 warp' "$build/heddle" timeline "$tmp/stuck.cu" --grid 1 --block 32 'o:i32[1]' -o "$tmp/k.html"
grep -q '1 warps' "$tmp/said" && fail 'one warp is several'
w='"wait for a warp mask",' WANT="{\"left\": [$w$w$w$w$w$w$w\"wait for the block\",$w$w$w\"wait for a warp mask\"]}"
look "$tmp/k.html" "$WANT" 'lanes that wait for each other'
printf '__global__ void r(int *o) { o[0] = threadIdx.x; if (threadIdx.x == 40) o[1] = o[0]; }\n' > "$tmp/race.cu"
expect 0 'commits of 2 warps' "$build/heddle" timeline "$tmp/race.cu" --lockstep --lanes 4 --grid 1 --block 64 'o:i32[4]' -o "$tmp/k.html"
WANT='{"mark": "RACE", "says": "thread (32,0,0) at race.cu:1"}'
look "$tmp/k.html" "$WANT" 'a race'
expect 1 'commits of 2 warps' "$build/heddle" timeline tests/fail/range.cu --grid 1 --block 64 'in:u32[40]=iota' 'out:u32[64]' -o "$tmp/k.html"
WANT='{"mark": "FAULT", "says": "out-of-range access"}'
look "$tmp/k.html" "$WANT" 'a fault'
# A core with more lanes than ours, whose lanes part at another place in each warp.
tests/stream/wide.pl stuck > "$tmp/wide.hst"
expect 0 'commits of 40 warps' "$build/heddle" timeline "$tmp/wide.hst" -o "$tmp/k.html"
WANT='{"wide": 64}'
look "$tmp/k.html" "$WANT" '40 warps of 64 lanes'
# Verdict and drawing from one run: the page is that of `heddle timeline --lockstep', but for its title.
one="$k --lanes 4"
expect 0 'lockstep: equal' "$build/heddle" lockstep $one --timeline "$tmp/one.html"
expect 0 'commits of 4 warps' "$build/heddle" timeline $one --lockstep -o "$tmp/two.html"
for f in one two; do sed 's/{"title": "[^"]*"//' "$tmp/$f.html" > "$tmp/$f"; done
cmp -s "$tmp/one" "$tmp/two" && ok || fail 'lockstep --timeline draws something else'
expect 2 'draws a whole run' "$build/heddle" lockstep $one --timeline "$tmp/one.html" --break 0
expect 2 'cannot be written' "$build/heddle" lockstep $one --timeline /nonexistent/t.html
"$build/heddle" lockstep tests/fail/deadlock.s --lanes 4 --grid 1 --block 2 'out:u32[2]' --json --timeline "$tmp/dead.html" > "$tmp/said" 2> /dev/null
[ $? -eq 3 ] && ! grep -q '^timeline:' "$tmp/said" && grep -q 'lanes 00000001 at PC 0x60 wait at WARPSYNC for lanes 00000002' "$tmp/dead.html" && ok ||
    fail 'a deadlock is not drawn with who waits for whom'
WANT=null
export WANT
"$build/test_timeline" --difference "$tmp/d.html" || fail "no page with a difference"
look "$tmp/d.html" "" "RTL and model part"

expect 0 '  26 ' "$build/heddle" timeline $k --text
expect 0 'block 1, warp 1: ' "$build/heddle" timeline $k --text --warp 1.1
# Code of the library has one letter a routine, and every letter is explained.
expect 0 '__hd_rem_s32, of the library' "$build/heddle" timeline "$here/switch.cu" --grid 1 --block 32 'program:u32[256]=rand:7' \
    'out:i32[32]' n:i32=40 --text
cp "$tmp/said" "$tmp/text"
awk 'length > 80 { exit 1 } END { exit NR < 40 }' "$tmp/text" && ok || fail 'lines of --text are too long'
grep -q ' pc 0' "$tmp/text" && fail 'instructions of the library have letters of their own'
"$build/heddle" trace "$here/switch.cu" --grid 1 --block 32 'program:u32[256]=rand:7' 'out:i32[32]' n:i32=40 --json -o "$tmp/s.jsonl"
"$build/heddle" timeline "$tmp/s.jsonl" --text > "$tmp/again" && cmp -s "$tmp/again" "$tmp/text" && ok || fail 'a log has other letters'
{ echo '__global__ void many(int *o) {'; echo ' int x = 1;'
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do echo ' asm volatile("add.s32 %0, %0, 7;" : "+r"(x));'; done
  echo ' *o = x; }'; } > "$tmp/many.cu"
expect 0 '  Z  any other line' "$build/heddle" timeline "$tmp/many.cu" --grid 1 --block 32 'o:i32[1]' --text
expect 0 'block 0, warp 0: 1050 commits' "$build/heddle" timeline $k --text --lockstep --lanes 4
expect 2 'no commit of block 7, warp 0' "$build/heddle" timeline $k --text --warp 7.0
expect 2 'is not BLOCK.WARP' "$build/heddle" timeline $k --text --warp x
expect 2 'cannot be written' "$build/heddle" timeline $k -o /nonexistent/t.html
echo '{"pc": 16, "active": "x"}' > "$tmp/bad.jsonl"
expect 2 'bad.jsonl:1: this line is no commit' "$build/heddle" timeline "$tmp/bad.jsonl" --text
for c in '"cycle": -5' '"cycle": 1e300' '"active": 4294967296' '"exec": 1.5' '"warp": 32' '"npc": [-1]'; do
    echo "{\"pc\": 16, $c}" > "$tmp/bad.jsonl"
    expect 2 'bad.jsonl:1: this line is no commit' "$build/heddle" timeline "$tmp/bad.jsonl" --text
done
head -c 100 "$tmp/k.jsonl" > "$tmp/cut.jsonl"
expect 2 'cut.jsonl:1: this line is no commit' "$build/heddle" timeline "$tmp/cut.jsonl" --text
: > "$tmp/none.jsonl"
expect 2 'no commit in it' "$build/heddle" timeline "$tmp/none.jsonl" --text
expect 2 'nothing.jsonl' "$build/heddle" timeline "$tmp/nothing.jsonl" --text
printf 'timeline: %d passed, %d failed\n' $passed $failed
[ $failed = 0 ]
