#!/bin/bash
# A core that is not ours speaks the contract: its stream passes every rule, under Icarus as text and
# under Verilator by DPI alike, and each of twelve planted bugs is found as this table says.
# SPDX-License-Identifier: Apache-2.0
# use: run.sh BUILD DIR
build=$1 dir=$2
heddle=$build/heddle
[ -x "$heddle" ] || { echo "$heddle is not built: make"; exit 2; }
rm -rf "$dir" && mkdir -p "$dir" || exit 4
passed=0 failed=0
# The number of the bug; what finds it: a rule of the monitor, or diff alone; words of the message.
table='
1  running  lanes 8 run, but do not issue    the else side loses a lane
2  resume   but was parked to go on at       the first join does not mark its token
3  running  lanes 2 run, but do not issue    the second join restores one lane too few
4  place    start, of which 1 have not ended  warps that run are spawned again
5  barrier  3 of 4 have arrived              a barrier opens one early
6  barrier  warp 2 has arrived and is left   a barrier leaves one warp
7  access   access memory twice              the response of a load marks another lane
8  diff     instruction                      a split runs the wrong side, consistently
9  loads    was stored there last            a load gets the word of another lane
10 kept     was written there                results go into lanes that do not run
11 ended    never ends                       a branch that is never taken
12 diff     instruction                      products are wrong by one
'
icarus() { # PLANT
    iverilog -g2012 -Istream -s bench -Pbench.PLANT="$1" -o "$dir/$1.vvp" tests/foreign/*.v 2> "$dir/log" &&
        vvp -n "$dir/$1.vvp" +stream="$dir/$1.txt" +program="$dir/program" >> "$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
}
want() { # STATUS WORDS WHAT COMMAND...
    local status=$1 words=$2 what=$3
    shift 3
    "$@" > "$dir/out" 2>&1
    local got=$?
    if [ $got -eq "$status" ] && grep -qF -- "$words" "$dir/out"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $what: exit status $got, expected $status with \`$words\`:"
        sed 's/^/    /' "$dir/out"
    fi
}
icarus 0
want 0 'rules 15 of 15 (empty: none)' 'the core itself' "$heddle" stream check --quiet 300 "$dir/0.txt"
while read -r plant finder rest; do
    [ -n "$plant" ] || continue
    words=${rest%%  *} what=${rest##*  }
    icarus "$plant"
    if [ "$finder" = diff ]; then
        want 0 'stream: ok' "$what, which needs a model" "$heddle" stream check "$dir/$plant.txt"
        want 1 "$words" "$what, by diff" "$heddle" stream diff "$dir/0.txt" "$dir/$plant.txt"
    else
        want 1 "rule $finder broken" "$what" "$heddle" stream check "$dir/$plant.txt"
        want 1 "$words" "$what" "$heddle" stream check "$dir/$plant.txt"
    fi
done <<< "$table"
# Its program as an ELF whose debug information names the lines of bench.v: every PC has its own.  Of
# data the assembler makes no row of a line table, unless another line follows.
awk '/^    i\(/ { print FNR }' tests/foreign/bench.v > "$dir/numbers"
{ echo '.file 1 "tests/foreign/bench.v"'; echo .text
  grep -v '^//' "$dir/program" | paste "$dir/numbers" - | awk 'NF == 2 { print ".loc 1 " $1 "\n.loc 1 " $1 "\n.long 0x" $2 }'; } > "$dir/program.s"
as -o "$dir/program.o" "$dir/program.s" && ld -e 0 -Ttext=0 -o "$dir/program.elf" "$dir/program.o" || exit 1
elf=$dir/program.elf
line() { sed -n "$((0x$1 / 4 + 1))p" "$dir/numbers"; }    # of a PC
"$heddle" stream print --elf "$elf" "$dir/0.txt" > "$dir/lined.txt" 2>&1
lined=$?
if grep -q 'built without libdw' "$dir/lined.txt"; then
    echo "NOT RUN: heddle was built without libdw (make deps), so source lines are not looked at"
else
    [ $lined = 0 ] || { cat "$dir/lined.txt"; exit 1; }
    awk '/^# / { at = $2 } /^issue/ { match($0, /pc=[0-9a-f]*/); print substr($0, RSTART + 3, RLENGTH - 3), at }' "$dir/lined.txt" > "$dir/said"
    while read -r pc at; do echo "$pc tests/foreign/bench.v:$(line "$pc")"; done < "$dir/said" > "$dir/should"
    want 0 '194 same' 'a source line for each PC' sh -c "cmp '$dir/said' '$dir/should' && echo \$(wc -l < '$dir/said') same"
    want 0 'the same stream' 'what is printed is a stream' sh -c "'$heddle' stream print '$dir/lined.txt' > '$dir/again.txt' && '$heddle' stream print '$dir/0.txt' | cmp - '$dir/again.txt' && echo the same stream"
    sort -u "$dir/said" | while read -r pc at; do addr2line -e "$elf" "0x$pc"; done | sed 's/.*bench/bench/' > "$dir/theirs"
    want 0 same 'lines as another reader has them' sh -c "sort -u '$dir/said' | sed 's/.*bench/bench/' | cmp - '$dir/theirs' && echo same"
    want 1 "wakes at 68 (tests/foreign/bench.v:$(line 68)), but was parked" 'the line of a broken rule' "$heddle" stream check --elf "$elf" "$dir/2.txt"
    want 1 "cycle 81: tests/foreign/bench.v:$(line 48): " 'the line of an event without a PC' "$heddle" stream check --elf "$elf" "$dir/9.txt"
    want 1 "at 1c (tests/foreign/bench.v:$(line 1c)) in cycle" 'the line of a difference' "$heddle" stream diff --elf "$elf" "$dir/0.txt" "$dir/12.txt"
    cp "$dir/0.txt" "$dir/0.hst"
    want 0 "A  bench.v:$(line 0)" 'lines of a timeline' "$heddle" timeline --elf "$elf" --text "$dir/0.hst"
    want 0 "bench.v:$(line 58), 000058 " 'lines of a profile' "$heddle" profile --elf "$elf" "$dir/0.hst"
    want 0 'export: ' 'an export' "$heddle" export --elf "$elf" --format speedscope -o "$dir/0.speed" "$dir/0.hst"
    want 0 "bench.v:$(line 60)" 'lines of an export' cat "$dir/0.speed"
    want 0 'export: ' 'an export' "$heddle" export --elf "$elf" --format perfetto -o "$dir/0.json" "$dir/0.hst"
    want 0 "bench.v:$(line 60)" 'lines of an export' cat "$dir/0.json"
    want 2 'program.o: it is not linked' 'a program that is not linked' "$heddle" stream print --elf "$dir/program.o" "$dir/0.txt"
    want 2 'program.s: no ELF file' 'no ELF' "$heddle" timeline --elf "$dir/program.s" --text "$dir/0.hst"
    strip -o "$dir/stripped.elf" "$elf"
    want 2 'stripped.elf: no DWARF' 'an ELF without lines' "$heddle" profile --elf "$dir/stripped.elf" "$dir/0.hst"
    ld -e 0 -Ttext=0x10000 -o "$dir/elsewhere.elf" "$dir/program.o"
    want 2 'none of its PCs, as 0, has a source line' 'a program of elsewhere' "$heddle" timeline --elf "$dir/elsewhere.elf" --text "$dir/0.hst"
    want 0 'no PC that was looked up has a source line' 'a program of elsewhere' "$heddle" stream print --elf "$dir/elsewhere.elf" "$dir/0.txt"
    want 2 '--elf names the program of a stream' 'an ELF for a launch' "$heddle" timeline --elf "$elf" tests/kernels/exits.cu --text
fi
# A model of somebody's own follows the core, and finds what the monitor cannot.
model() { # NAME FLAG...
    gcc -std=c11 -O2 -Wall -Wextra -Werror -I. -shared -fPIC "${@:2}" -o "$dir/$1.so" tests/foreign/model.c || exit 1
}
model right
model wrong -DWRONG_JOIN
export SHUTTLE_PROGRAM=$dir/program
want 0 'right.so followed 194 instructions of 4 warps' 'the model of the core' "$heddle" stream follow "$dir/right.so" "$dir/0.txt"
want 1 'active: lane 0 is in' 'a split that runs the wrong side, by a model' "$heddle" stream follow "$dir/right.so" "$dir/8.txt"
want 1 'val of lane 0: 5 in' 'products that are wrong by one, by a model' "$heddle" stream follow "$dir/right.so" "$dir/12.txt"
want 1 'active: lane 0 is in' 'a wrong model' "$heddle" stream follow "$dir/wrong.so" "$dir/0.txt"
want 1 'its instruction 8 differs' 'what the model excuses, and what comes of it' env SHUTTLE_EXCUSE=5 "$heddle" stream follow "$dir/right.so" "$dir/12.txt"
want 2 'cannot follow this core: it is no shuttle' 'a stream of another core' "$heddle" stream follow "$dir/right.so" tests/stream/good.txt
want 2 'holds no program' 'a model without its program' env SHUTTLE_PROGRAM=/nowhere "$heddle" stream follow "$dir/right.so" "$dir/0.txt"
want 2 'hs_model_start or hs_model_step is not in it' 'a library that is no model' "$heddle" stream follow "$build/rtl/libshare.so" "$dir/0.txt"
want 2 'nosuch.so' 'a model that is not there' "$heddle" stream follow nosuch.so "$dir/0.txt"
want 0 'right.so followed' 'a pipe' sh -c "'$heddle' stream print '$dir/0.txt' | '$heddle' stream follow '$dir/right.so' -"
# Of the planted bugs it finds all but those of barriers: which warp issues is the core's choice.
for plant in 1 2 3 4 7 9 10 11; do
    want 1 'its instruction' "planted bug $plant, by a model" "$heddle" stream follow "$dir/right.so" "$dir/$plant.txt"
done
# The same by DPI: the stream is the same, event by event.
if verilator --binary --timing -Wno-fatal -Wno-lint -Wno-style -DHS_DPI -Istream --top-module bench --Mdir "$dir/dpi" -o bench \
    -CFLAGS "-I$PWD" -LDFLAGS "$(realpath "$build")/libstream.a" tests/foreign/*.v > "$dir/log" 2>&1 &&
    "$dir/dpi/bench" +stream="$dir/dpi.hst" >> "$dir/log" 2>&1; then
    want 0 'rules 15 of 15' 'by DPI' "$heddle" stream check --quiet 300 "$dir/dpi.hst"
    "$heddle" stream print "$dir/0.txt" > "$dir/icarus.txt"
    "$heddle" stream print "$dir/dpi.hst" > "$dir/verilator.txt"
    want 0 same 'Icarus and Verilator say the same' sh -c "cmp '$dir/icarus.txt' '$dir/verilator.txt' && echo same"
else
    failed=$((failed + 1))
    echo "FAIL: not built by Verilator:"
    tail -20 "$dir/log"
fi
echo "foreign core: $passed passed, $failed failed"
[ $failed -eq 0 ]
