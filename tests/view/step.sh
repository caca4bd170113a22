#!/bin/sh
# `heddle lockstep --step': what it shows is what the commit log says; where it stops; at a
# terminal; and what it refuses.
# SPDX-License-Identifier: Apache-2.0
# use: step.sh BUILD
build=$1
. "$(dirname "$0")/common.sh"
fail() { failed=$((failed + 1)); echo "FAIL step: $*"; head -c 3000 "$tmp/said"; echo; }
# ask STATUS 'COMMANDS' launch...
ask() {
    want=$1; shift
    printf '%b\n' "$1" > "$tmp/ask"; shift
    "$build/heddle" lockstep "$@" --lanes 4 --step < "$tmp/ask" > "$tmp/said" 2>&1
    got=$?
    [ $got = "$want" ] && ok || fail "$*: exit status $got, not $want"
}
says() { grep -qE -- "$1" "$tmp/said" && ok || fail "no \`$1'"; }
check() { "$here/step_check.pl" "$@" < "$tmp/said" > "$tmp/why" && ok || { fail "$*"; cat "$tmp/why"; }; }

k='tests/kernels/divergent.cu --grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=100'
one='tests/kernels/divergent.cu --grid 1 --block 32 data:f32[32]=rand:1 steps:i32[32] n:i32=32'
for mode in barrier stack; do
    "$build/heddle" trace $one --mode $mode --json > "$tmp/log"
    for n in 1 23 40 77 111 200 333 400 555 900; do
        ask 1 "step $n\nwhere" $one --mode $mode
        check groups "$tmp/log" $n
    done
done
"$build/heddle" trace $one --json > "$tmp/log"
prints=$(for i in 0 1 2 3 4 5 6 7 8 9; do printf 'print R%d\\n' $i; done; for i in 0 1 2 3 4 5 6; do printf 'p P%d\\n' $i; done)
for n in 1 7 23 40 111 400 900; do
    ask 1 "step $n\n$prints" $one
    check registers "$tmp/log" $n
done
# Lanes and barriers are those of a waveform after the same commit.
"$build/heddle" lockstep $one --lanes 4 --wave "$tmp/rows.fst" > "$tmp/said" 2>&1 && fst2vcd "$tmp/rows.fst" > "$tmp/rows.vcd" ||
    fail 'no waveform'
for n in 1 24 40 111 333 800 1040; do
    ask 1 "step $n\nprint lanes\nprint barriers" $one
    check wave "$tmp/rows.vcd" 32
done
# Where it stops.
ask 0 'next\nnext\nprint barriers\ncontinue\ncontinue' $one
says '^ +[0-9]+ +[0-9]+ +b0.w0 .* diverg|^  diverge: A=[0-9a-f]{8} B=[0-9a-f]{8}$'
says '^  B0  participants ffffffff, arrived [0-9a-f]{8}, missing [0-9a-f]{8}$'
says '^lockstep: equal; compared [0-9]+ fields in 10[0-9]+ commits'
ask 1 'until 600\nwhere' $one
says '^ +[0-9]+ +6[0-9][0-9]  b0.w0'
ask 1 'warp 1.1\nstep\nstep 2\nwhere' $k
[ "$(grep -c '^ .*  b1.w1  ' "$tmp/said")" = 2 ] && ok || fail 'warp 1.1 does not step alone'
says '^block 1 warp 1 \(slot 3\)$'
ask 1 'break divergent.cu:23\nb 1\nb 7\nbreak\ndelete 1\nbreak\nbreak pc 0x1a4\nb x' $k
says '^1: divergent.cu:23, [0-9]+ instructions$'
says '^no instruction is of 1; the next line with any is 10$'
says "^no instruction is at .x': FILE:LINE, LINE or pc N$"
says "^no instruction is at .pc 0x1a4'"
ask 1 'break 23\ncontinue' $k
says '^breakpoint 1, 23$'
says 'divergent.cu:23$'
# Tokens, the top first; what a deadlock leaves.
ask 1 'break 23\nc\nprint stack\nwhere\np lanes' $k --mode stack
says '^   [0-9] (SYNC|DIV )  ?[0-9a-f]{8} PC 0x'
ask 3 'continue\nwhere\nstep' tests/fail/deadlock_count.s --grid 1 --block 64 'out:u32[1]'
says 'block 0 warp 1 \(slot 1\)$'
says '^  A ffffffff bar 2 '
says '^the launch has ended: deadlock$'
[ "$(grep -c '^the launch has ended' "$tmp/said")" = 2 ] && ok || fail 'a step after the end is no answer'
# Small letters do.
ask 1 'step 40\nprint r3\nprint b0\nprint p0' $k
grep -q 'there is no' "$tmp/said" && fail 'small letters' || ok
# What is not understood is said, and nothing runs.
ask 1 'jump\nstep x\nstep 0\nuntil\nwarp\nprint R200\nprint\nprint/x R1\ndelete 3\nhelp\nquit' $k
says "^.jump' is no command: help lists them$"
says "^.x' is no number$"
says "^.0' is no number$"
says '^until which cycle\?$'
says "^there is no .R200': R0 to R[0-9]+,"
says "^there is no breakpoint .3'$"
says '^lockstep: equal so far, stopped; compared 0 fields in 0 commits'
ask 1 '' $k
ask 2 'step' $k --json
ask 2 'step' $k --break 0x40
# At a terminal commands are not echoed twice, an empty line repeats, and Ctrl-C ends it.
printf 'step\r\rprint R0\r\004' | script -qfec "$build/heddle lockstep $k --lanes 4 --step" /dev/null > "$tmp/said" 2>&1
[ "$(grep -ac ' b0\.w' "$tmp/said")" = 2 ] && ok || fail 'an empty line does not repeat'
# `exec': Ctrl-C reaches every program of the terminal, and some shells end at it before heddle's
# status is read.
(printf 'step\r'; sleep 1; printf '\003'; sleep 2) |
    timeout 20 script -qfec "exec $build/heddle lockstep $k --lanes 4 --step" /dev/null > "$tmp/said" 2>&1
got=$?
[ $got = 130 ] && ok || fail "Ctrl-C at the prompt: exit status $got, not 130"
printf 'step: %d passed, %d failed\n' $passed $failed
[ $failed = 0 ]
