#!/bin/sh
# Waveforms as people see them: every view of waves/, opened by GTKWave without a screen, drawn, and
# what is drawn read back; where --around opens them; a difference; the rows of a whole run; and
# what is refused.
# SPDX-License-Identifier: Apache-2.0
# use: waves.sh BUILD PLANTED-HEDDLE
#      FST_CHANGES: a program with an FST reader that is not GTKWave's, such as Surfer's (the crate wellen): prints
#      `TIME NAME bBITS' or `TIME NAME sTEXT' for each change of the file that it is given
build=$1 planted=$2
. "$(dirname "$0")/common.sh"
for c in Xvfb xwininfo gtkwave fst2vcd; do
    command -v $c > /dev/null || { echo "waves: $c is missing: make deps-waves"; exit 1; }
done
Xvfb -displayfd 3 -screen 0 1700x3000x24 3> "$tmp/display" 2> /dev/null & screen=$!
for i in $(seq 60); do [ -s "$tmp/display" ] && break; sleep 0.5; done
DISPLAY=:$(cat "$tmp/display"); export DISPLAY

# drawn NAME VIEW WORD...: NAME.fst with this view, in a window that is high enough for all its
# rows.
drawn() {
    name=$1 view=$2; shift 2
    { echo '[size] 1600 2900'; grep -v '^\[size\]' "$view"; } > "$tmp/tall.gtkw"
    printf 'gtkwave::/File/Print_To_File PS {Letter (8.5" x 11")} Full %s\ngtkwave::/File/Quit\n' "$tmp/drawn.ps" > "$tmp/draw.tcl"
    rm -f "$tmp/drawn.ps"
    timeout 60 gtkwave -S "$tmp/draw.tcl" "$tmp/$name.fst" "$tmp/tall.gtkw" > "$tmp/gtkwave" 2>&1
    fst2vcd "$tmp/$name.fst" > "$tmp/vcd" 2> /dev/null
    if "$here/waves_drawn.pl" "$view" "$tmp/drawn.ps" "$tmp/vcd" "$@"; then ok; else fail "$name, $view"; fi
}
# opens_at NAME CYCLE: its marker, and the marker is in sight.  GTKWave shows the beginning of a
# file instead where less is left of it, after the start of the view, than its window holds; a unit
# of zoom is 200 pixels.  At most 100 cycles are seen.
opens_at() {
    fst2vcd "$tmp/$1.fst" 2> /dev/null | grep '^#' | tail -n 1 > "$tmp/last"
    awk -v at="$2" -v last="$(tr -d '#' < "$tmp/last")" '/^\[timestart\]/ { from = $2 } /^\[signals_width\]/ { wide = 1600 - 70 - $2 }
        /^\*/ { seen = wide / 200 * 2 ^ -substr($1, 2)
            exit !($2 == at && from <= at && at < from + seen && from + seen <= last && seen < 101) }' \
        "$tmp/$1.gtkw" && ok || fail "$1 does not open at cycle $2: $(grep '^[*[]' "$tmp/$1.gtkw" | head -n 6)"
}
wave() { name=$1; shift; expect 0 "view: gtkwave $tmp/$name.fst $tmp/$name.gtkw" "$build/heddle" wave "$@" -o "$tmp/$name.fst"; }

k='tests/kernels/divergent.cu --lanes 4 --grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=100'
alone='tests/kernels/divergent.cu --lanes 4 --grid 1 --block 32 data:f32[32]=rand:1 steps:i32[32] n:i32=8'

# ---- a view for each question ----
wave warp $k --warp 1.1 --around divergence:1
drawn warp "$tmp/warp.gtkw" 'warp=block 1, warp 1' 'event=diverge: A=' diverge 'group of lane 00='
wave barrier $alone --around barrier:B0
drawn barrier "$tmp/barrier.gtkw" 'wait B0' 'block B0' 'members of B0=000000FF' exit 'block B0, lane 0 :26'
opens_at barrier "$(sed -n 's/^\*[^ ]* \([0-9]*\) .*/\1/p' "$tmp/barrier.gtkw")"
# The barrier lives for more than 100 cycles: its release has a view of its own.
drawn barrier "$tmp/barrier-release.gtkw" 'event=release B0: 000000ff' 'release B0 :26'
cp "$tmp/barrier-release.gtkw" "$tmp/release.gtkw"
cp "$tmp/barrier.fst" "$tmp/release.fst"
opens_at release "$(sed -n 's/^\*[^ ]* \([0-9]*\) .*/\1/p' "$tmp/release.gtkw")"
meet='tests/view/causes.cu --lanes 4 --grid 2 --block 64 data:i32[128]=iota n:i32=20'
wave block $meet --warp 1.0 --around bar:0
drawn block "$tmp/block-release.gtkw" released 'w03, event=release: ffffffff'
[ "$(grep -o '{w[0-9]*}' "$tmp/block.gtkw" | tr '\n' ' ')" = '{w02} {w03} ' ] && ok || fail "the block's warps are not w02 and w03"
wave why $meet --view why --around causes.cu:14
drawn why "$tmp/why.gtkw" 'causes.cu:14' scoreboard memory
drawn block "$tmp/block.gtkw" 'block=block 1' 'lanes at bar0=32 of 64 lanes' 'arrived at bar0=w02' 'not at bar0=w03' 'block bar 0: ffffffff' \
    'w02, groups=A ffffffff bar 0'
wave stack tests/kernels/stack_calls.s --lanes 4 --stack-depth 4 --around spill:1 --grid 2 --block 64 sum:u32[128] calls:u32[128]
drawn stack "$tmp/stack.gtkw" SPILLED SYNC spill
wave memory $k --view memory --around divergent.cu:17
drawn memory "$tmp/memory.gtkw" 'LSU 0x' 'icache 0x' 'device memory' 'last one='

# Every other event has a marker, those that come with another one, too.
wave gaveway tests/view/pictures/gaveway.s --lanes 4 --grid 1 --block 32 --around barrier:B0
drawn gaveway "$tmp/gaveway.gtkw" 'event=block B0: ' 'release B0, give'
calls='tests/kernels/stack_calls.s --lanes 4 --stack-depth 4 --grid 1 --block 32 sum:u32[128] calls:u32[128]'
expect 0 'lockstep: equal' "$build/heddle" lockstep $calls --wave "$tmp/whole.fst"
# changes NAME FILE: every change in NAME.fst.
changes() { fst2vcd "$tmp/$1.fst" 2> /dev/null | "$here/waves_changes.pl" > "$2" || fail "$1.fst is not read"; }
changes whole "$tmp/changes"
filled=$(sed -n 's/ heddle.w00.event sfill$//p' "$tmp/changes" | head -n 1)
wave fill $calls --around cycle:"$filled" --view stack
drawn fill "$tmp/fill.gtkw" 'event=fill' fill
wave fault tests/fail/range.cu --lanes 4 --grid 1 --block 64 in:u32[40]=iota out:u32[64]
drawn fault "$tmp/fault.gtkw" 'event=fault: out-of-range access' fault

# ---- where RTL and model part: the model has a bug ----
expect 1 'difference at cycle' "$planted" lockstep $alone -o "$tmp/parts.fst"
cycle=$(sed -n 's/^lockstep: difference at cycle \([0-9]*\),.*/\1/p' "$tmp/said")
opens_at parts "$cycle"
drawn parts "$tmp/parts.gtkw" 'difference=w00: next_active: RTL 0x' 'lane 00, RTL=wait B0' '         model=run'
# The lanes that differ, and no others, come before all lanes: those whose records differ in the
# report.
differ=$(sed -n 's/^ *\(wait\|npc\) of lane \([0-9]*\):.*/\2/p' "$tmp/said" | sort -un | head -n 4 | tr '\n' ' ')
first=$(sed -n '/^-lanes that differ/,/^-lanes$/s/.*{lane \([0-9]*\), RTL}.*/\1/p' "$tmp/parts.gtkw" | sed 's/^0//' | head -n 4 | tr '\n' ' ')
[ -n "$differ" ] && [ "$differ" = "$first" ] && ok || fail "lanes $differ differ, but the view has $first first"
expect 1 'difference at cycle' "$planted" lockstep $alone --wave "$tmp/rows.fst"
opens_at rows "$cycle"
drawn rows "$tmp/rows.gtkw" 'difference=w00: next_active: RTL 0x' 'lane 00, RTL=wait B0' '         model=run'

# ---- the rows of a whole run, from the core without tracing; any view shows them ----
expect 0 'lockstep: equal' "$build/heddle" lockstep $alone --wave "$tmp/whole.fst"
opens_at whole 0
drawn whole "$tmp/whole.gtkw" 'warp='
sed "s/^\*.*/$(grep '^\*' "$tmp/barrier.gtkw" | head -1)/; /^.markername/d" "$tmp/barrier.gtkw" > "$tmp/again.gtkw"
drawn whole "$tmp/again.gtkw" 'wait B0' 'members of B0=000000FF' ':20  divergent.cu'
expect 0 'lockstep: equal' "$build/heddle" lockstep $meet --wave "$tmp/whole.fst"
# The row `line' says what ends the row `pc', in every cycle.
changes whole "$tmp/changes"
awk '
    function look() { bad += line != pc; seen += line != "" }
    $1 != time { look(); time = $1 }
    $2 == "heddle.w00.pc" { pc = split($NF, at, ":") == 2 ? "s:" at[2] " " at[1] : "" }
    $2 == "heddle.w00.line" { line = NF == 4 ? $3 " " $4 : "" }
    END { look(); exit bad || seen < 100 }' "$tmp/changes" && ok || fail 'lines are not those of pc'
{ grep '^\*' "$tmp/block.gtkw"; cat waves/why.gtkw; } > "$tmp/again.gtkw"
drawn whole "$tmp/again.gtkw" 'memory' 'pipeline' 'convergence unit' 'why it waits='

# A block barrier at which only the second warp comes, in two parts, and which the first one's EXIT
# completes.
cat > "$tmp/leaves.s" << 'END'
.text
.kernel k
.regs 4
    S2R R0, SR_TID_X
    ISETP.LT.U32.AND P0, R0, 32, PT
    @P0 BRA leave
    ISETP.LT.U32.AND P1, R0, 40, PT
    @P1 BRA few
    BAR.SYNC B3, 0
    EXIT
few:
    BAR.SYNC B3, 0
    EXIT
leave:
    IADD R1, R1, 1
    ISETP.LT.U32.AND P2, R1, 40, PT
    @P2 BRA leave
    EXIT
END
expect 0 'lockstep: equal' "$build/heddle" lockstep "$tmp/leaves.s" --lanes 4 --grid 1 --block 64 --wave "$tmp/leaves.fst"
changes leaves "$tmp/changes"
for row in bar3 bar3_arrived bar3_absent; do sed -n "s/^[0-9]* heddle.b00.\($row\) s/\1:/p" "$tmp/changes"; done > "$tmp/meets"
cmp -s - "$tmp/meets" << END && ok || { fail 'a block barrier that EXIT completes'; cat "$tmp/meets"; }
bar3:
bar3:8 of 64 lanes
bar3:32 of 64 lanes
bar3:
bar3_arrived:
bar3_arrived:w01 000000ff
bar3_arrived:w01
bar3_arrived:
bar3_absent:
bar3_absent:w00, w01 ffffff00
bar3_absent:w00
bar3_absent:
END
came=$(sed -n 's/ heddle.w01.event sblock bar 3: 000000ff$//p' "$tmp/changes")
[ -n "$came" ] && grep -q "^$came heddle.b00.bar3 s8 of 64" "$tmp/changes" && ok || fail "lanes come at ${came:-?}, but are not there"

# ---- the files of waves/ open as they are, for warp slot 0 ----
for v in waves/*.gtkw; do
    { echo '*-4 20 -1'; cat "$v"; } > "$tmp/example.gtkw"
    drawn whole "$tmp/example.gtkw" '1 sec is 1 cycle'
done

# ---- another reader of the format reads the same ----
if [ "${FST_CHANGES:-}" ]; then
    # Our rows: of the core's own wires, readers name elements of arrays in different ways.
    alike() { grep '^[0-9]* heddle\.' | LC_ALL=C sort; }
    for name in whole rows block memory stack; do
        changes "$name" "$tmp/changes" && alike < "$tmp/changes" > "$tmp/ours"
        "$FST_CHANGES" "$tmp/$name.fst" > "$tmp/changes" && alike < "$tmp/changes" > "$tmp/theirs"
        [ "$(wc -l < "$tmp/ours")" -gt 400 ] && cmp -s "$tmp/ours" "$tmp/theirs" && ok ||
            { fail "$name: FST_CHANGES reads something else"; diff "$tmp/ours" "$tmp/theirs" | head -n 5; }
    done
else
    echo 'NOT RUN waves: set FST_CHANGES to a program that reads FST files, other than with GTKWave'\''s library'
fi

# ---- where it opens ----
"$build/heddle" trace $alone --json > "$tmp/said" || fail 'a log'
pc=$(sed -n '/"line":12}/{s/.*"pc":\([0-9]*\),.*/\1/p;q}' "$tmp/said")
"$build/heddle" lockstep $alone --break "$pc" > "$tmp/said"
[ $? = 1 ] || fail '--break'
first_line=$(sed -n 's/^stopped after PC [^,]*, cycle \([0-9]*\):/\1/p' "$tmp/said")
wave at $alone --around "pc:$pc"
opens_at at "$first_line"
wave at $alone --around divergent.cu:12
opens_at at "$first_line"
wave at $alone --around cycle:777
opens_at at 777
# Where the launch ends soon after, or is over after a few cycles.
"$build/heddle" lockstep $alone > "$tmp/said" || fail 'a run'
end=$(sed -n 's/^cycles \([0-9]*\),.*/\1/p' "$tmp/said")
for cycle in $((end - 1)) $((end - 30)) $((end - 110)) 3; do
    wave at $alone --around cycle:$cycle
    opens_at at $cycle
done

# A deadlock: at the last thing that happened, thousands of cycles before it is found.
wave dead tests/fail/deadlock.s --lanes 4 --grid 1 --block 2 out:u32[2] --view why
last=$("$build/heddle" lockstep tests/fail/deadlock.s --lanes 4 --grid 1 --block 2 out:u32[2] --wave "$tmp/deadlock.fst" 2> /dev/null > /dev/null
    fst2vcd "$tmp/deadlock.fst" | awk '/ retired \$end/ { id[$4] = 1 } /^#/ { t = substr($1, 2) } $NF in id && /^s/ { last = t } END { print last }')
opens_at dead "$last"
drawn dead "$tmp/dead.gtkw" 'why it waits=' 'block barrier'

# Lanes that wait at a block barrier when all is over: who is there, and how many are asked for.
wave dead tests/fail/deadlock_count.s --lanes 4 --grid 1 --block 64 'out:u32[1]'
drawn dead "$tmp/dead.gtkw" 'lanes at bar2=64 of 96 lanes' 'arrived at bar2=w00, w01' 'not at bar2='
# A warp that waits for lanes at the block's barrier is not released by those that come there, and keeps its event.
printf '%s\n' '__global__ void stuck(int *o) {' ' if (threadIdx.x == 39) __syncthreads();' ' __syncwarp();' ' o[0] = 1;' \
    ' __syncthreads(); }' > "$tmp/stuck.cu"
wave stuck "$tmp/stuck.cu" --lanes 4 --grid 1 --block 64 'o:i32[1]'
drawn stuck "$tmp/stuck.gtkw" 'lanes at bar0=33 of 64 lanes' 'not at bar0=w01 ffffff7f' 'w01, event=block wait mask' ' 00000080 bar 0' 'ffffff7f wait mask'
shows() { grep -q "$1" "$tmp/dead.gtkw" && ok || fail "dead: no row $1"; }
wave dead tests/fail/deadlock_count.s --lanes 4 --grid 1 --block 64 'out:u32[1]' --view barrier
shows '{members of B0} heddle.w01.B0'
wave dead tests/fail/deadlock_count.s --lanes 4 --grid 1 --block 64 'out:u32[1]' --view block
shows '{lanes at bar2} heddle.b00.bar2'
# A warp that exits last is not why the one before it waits.
cat > "$tmp/left.s" << 'END'
.text
.kernel k
.regs 4
    S2R R0, SR_TID_X
    ISETP.LT.U32.AND P0, R0, 32, PT
    @P0 BRA wait
    IADD R0, R0, R0
    IADD R0, R0, R0
    IADD R0, R0, R0
    EXIT
wait:
    BAR.SYNC B2, 96
    EXIT
END
wave dead "$tmp/left.s" --lanes 4 --grid 1 --block 64
drawn dead "$tmp/dead.gtkw" 'lanes at bar2=32 of 96 lanes' 'arrived at bar2=w00' 'not at bar2='

# ---- what is refused ----
expect 2 'is not FILE:LINE' "$build/heddle" wave $k --around nothing
expect 2 'is not FILE:LINE' "$build/heddle" wave $k --around divergence:0
expect 2 'is not FILE:LINE' "$build/heddle" wave $k --around barrier:B16
expect 2 'is none of warp' "$build/heddle" wave $k --view what
expect 2 'is not BLOCK.WARP' "$build/heddle" wave $k --warp 3
expect 2 'no commit of block 7, warp 0' "$build/heddle" wave $k --warp 7.0 -o "$tmp/no.fst"
expect 2 'no instruction of divergent.cu:1 retired' "$build/heddle" wave $k --around divergent.cu:1 -o "$tmp/no.fst"
expect 2 'there are only 0 spills' "$build/heddle" wave $alone --around spill:1 -o "$tmp/no.fst"
expect 2 'divergences' "$build/heddle" wave $alone --around divergence:1000 -o "$tmp/no.fst"
expect 2 'no lane waited at B7' "$build/heddle" wave $alone --around barrier:B7 -o "$tmp/no.fst"
expect 2 'no lane waited at block barrier 3' "$build/heddle" wave $meet --around bar:3 -o "$tmp/no.fst"
expect 2 'is not FILE:LINE' "$build/heddle" wave $meet --around bar:16 -o "$tmp/no.fst"
expect 2 'cannot be written' "$build/heddle" lockstep $alone --wave /nonexistent/w.fst
expect 2 'has no stack' "$build/heddle" wave $alone --view stack -o "$tmp/no.fst"
expect 2 'has no barrier registers' "$build/heddle" wave $alone --mode stack --view barrier --around cycle:9 -o "$tmp/no.fst"
expect 0 'RTL and model do not differ up to cycle' "$build/heddle" wave $alone --view difference -o "$tmp/same.fst"
# --open: GTKWave takes the place of heddle.  Its window comes, with the file's name as title.
timeout 60 "$build/heddle" wave $alone --open -o "$tmp/open.fst" > "$tmp/said" 2>&1 & opened=$!
for i in $(seq 50); do
    xwininfo -root -tree 2> /dev/null | grep -q "GTKWave.*$tmp/open.fst" && break
    sleep 1
done
xwininfo -root -tree 2> /dev/null | grep -q "GTKWave.*$tmp/open.fst" && ok || { fail '--open shows no window'; cat "$tmp/said"; }
kill $opened 2> /dev/null
expect 2 'there is no display' env -u DISPLAY -u WAYLAND_DISPLAY "$build/heddle" wave $alone --open -o "$tmp/at.fst"
expect 2 'no file that a viewer could open' "$build/heddle" wave $alone --open -o /dev/null
[ -e "$tmp/no.fst" ] && fail "a refused waveform leaves a file"
printf 'waves: %d passed, %d failed\n' $passed $failed
[ $failed = 0 ]
