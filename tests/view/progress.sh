#!/bin/sh
# What long work says while it runs: at a terminal one line with how far, how fast, how long and how
# to stop; elsewhere nothing.
# SPDX-License-Identifier: Apache-2.0
# use: progress.sh BUILD
build=$1
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
passed=0 failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAIL progress: $*"; tr '\r' '\n' < "$tmp/said" | tail -n 5 | cat -v | sed 's/^/    /'; }

# at NAME 'LINE' SECONDS command...: at a terminal, until Ctrl-C is typed there, LINE is shown and
# then removed; in a log it is not.  What ignores Ctrl-C, as in the background of a shell, is ended
# after a minute.
at() {
    name=$1 line=$2 seconds=$3; shift 3
    (sleep "$seconds"; printf '\003'; sleep 2) | timeout $((seconds + 60)) script -qfec "stty cols 200; exec $*" /dev/null > "$tmp/said" 2>&1
    grep -aqE "$line" "$tmp/said" && ok || bad "$name: no \`$line'"
    # The last thing that is said of the line is that it goes.
    tr '\r' '\n' < "$tmp/said" | awk '/Ctrl-C stops/ { gone = 0; next } /^\033\[K/ { gone = 1 } END { exit !gone }' \
        && ok || bad "$name: the line stays"
    timeout -s INT "$seconds" sh -c "exec $*" > "$tmp/said" 2>&1
    grep -aq 'Ctrl-C stops\|.\[K' "$tmp/said" && bad "$name: in a log, too" || ok
}
left='[0-9]+ s, [0-9.]+( million)? [a-z ]+/s, [0-9.]+ (s|min|h) left'
k='tests/kernels/divergent.cu --block 128 data:f32[1024]=rand:1 steps:i32[1024] n:i32=1000'
# While no block has ended, as on a slow machine, nobody knows how long it takes.
at lockstep "^.*lockstep: [0-9]+ of 4000 blocks, [0-9]+ s, [0-9]+ cycles/s(, [0-9.]+ (s|min|h) left)?; Ctrl-C stops" 6 \
    "$build/heddle lockstep $k --grid 4000 --lanes 4 --no-snapshots"
# Interpreted: the host's code comes within the seconds to threads whose number is beyond an int's.
at run "run: [0-9]+ of 16000000 blocks, [0-9]+ s, [0-9.]+( million)? warp instructions/s, .* left; Ctrl-C" 4 \
    "$build/heddle run $k --grid 16000000 --no-native"
at fuzz "fuzz: [0-9]+ of 100000 kernels, $left, failed 0; Ctrl-C stops" 4 \
    "$build/heddle fuzz --count 100000 --lanes 4 --level machine"
# A program, where these are built.
if [ -x "$build/heddle-nvcc" ]; then
    "$build/heddle" nvcc cuda/tests/endless.cu -o "$tmp/endless" || exit 4
    at program 'launch 1, counts\(int volatile\*\): 1 of 2 blocks, [0-9]+ s, [0-9.]+ million warp instructions/s, .*; Ctrl-C stops' 4 \
        "env HEDDLE_NATIVE=0 $tmp/endless"
fi
# The time that it was given ends sooner.
at fuzz-time "fuzz: [0-9]+ of 100000000 kernels, [0-9]+ s, [0-9.]+ kernels/s, [0-9] s left" 4 \
    "$build/heddle fuzz --count 100000000 --time 9 --on model --level machine"
at check "check: [0-9]+ of [0-9]+ files, [0-9]+ s, .*Ctrl-C|check, file [0-9]+ of [0-9]+: [0-9]+ of [0-9]+ blocks" 5 \
    "$build/heddle check tests/kernels/*.cu"
at regroup "regroup, order 1 of 2, original: [0-9]+ of 4000 blocks, " 8 \
    "$build/heddle regroup $k --grid 4000 --by sorting --apply redirect --lockstep --lanes 4"
at silicon 'silicon, kernels: [0-9]+ of 241 jobs, [0-9]+ s, [0-9.]+ (s|min|h) left; Ctrl-C stops' 5 "$build/heddle silicon"
at farm "farm: [0-9]+ of 1000 kernels, [0-9]+ s, [0-9.]+ kernels/s, .* left; Ctrl-C stops" 4 \
    "$build/heddle progress farm 1000 kernels 'echo \$((\$(date +%s) - $(date +%s)))'"
printf 'progress: %d passed, %d failed\n' $passed $failed
[ $failed = 0 ]
