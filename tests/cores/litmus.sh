#!/bin/sh
# Litmus tests on 2 to 8 cores: what the order of memory forbids is never read, and every other outcome is counted.
# An access acts at the memory port before the next one of its warp begins, so only interleavings may be seen.
# SPDX-License-Identifier: Apache-2.0
# use: litmus.sh HEDDLE SEEDS     that many seeds of the memory's latencies for each
heddle=$1 seeds=$2 rounds=24
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
failed=0 passed=0
"$heddle" cc tests/cores/litmus.cu -o "$tmp/k.hx" || exit 1
# verdict HOW and what counts has: of the lines of $tmp/all, each what was read in one launch.
verdict() {
    awk -v n=$rounds -v how="$1" -v cores="$2" -v name="$3" -v group="$5" -v forbidden="$6" -v least="$7" '
        function got(block, i, k) { return $(2 * (block * n + i) + k + 1) }
        { for (b = 0; b < cores; b += group) for (i = 0; i < n; i++) {
              o = got(b + 1, i, 0) got(b + 1, i, 1)
              if (name == "sb") o = got(b, i, 0) got(b + 1, i, 0)
              if (name == "iriw") o = got(b + 2, i, 0) got(b + 2, i, 1) got(b + 3, i, 0) got(b + 3, i, 1)
              seen[o]++ } }
        END {
            for (o in seen) { kinds++; line = line " " o ":" seen[o] }
            printf "litmus: %s, %s, %d cores:%s\n", name, how == 0 ? "plain" : how == 1 ? "fences" : "atomics", cores, line
            if (forbidden in seen) { printf "FAIL litmus: %s is forbidden\n", forbidden; exit 1 }
            if (kinds < least) { printf "FAIL litmus: %d outcomes, at least %d are possible\n", kinds, least; exit 1 }
        }' "$tmp/all"
}
# counts CORES TEST NUMBER GROUP FORBIDDEN AT-LEAST: GROUP blocks make one; an outcome is what its readers read, in
# their order
counts() {
    for how in 0 1 2; do
        : > "$tmp/all"
        for seed in $(seq "$seeds"); do
            "$heddle" lockstep "$tmp/k.hx" --lanes 4 --cores "$1" --grid "$1" --block 1 --mem-seed "$seed" "mem:i32[8192]" \
                "r:i32[$((2 * rounds * $1))]" "all:i32[$rounds]" rounds:i32=$rounds test:i32="$3" how:i32=$how seed:i32="$seed" group:i32="$4" \
                --print "r[0:$((2 * rounds * $1))]" > "$tmp/out" 2>&1 || { failed=$((failed + 1)); tail -n 3 "$tmp/out"; return; }
            sed -n 's/^r\[[^=]*= //p' "$tmp/out" >> "$tmp/all"
        done
        verdict $how "$@" && passed=$((passed + 1)) || failed=$((failed + 1))
    done
}
# What is forbidden, once among others, and too few outcomes are seen.
zeros() { awk -v n="$1" 'BEGIN { while (n--) printf "0 " }'; }
{ zeros $((2 * rounds)); printf '1 1 1 0 '; zeros $((2 * rounds - 4)); echo; } > "$tmp/all"
verdict 0 2 message 1 2 10 2 > "$tmp/out" && failed=$((failed + 1)) && echo 'FAIL litmus: what is forbidden is not seen'
verdict 0 2 message 1 2 01 4 > "$tmp/out" && failed=$((failed + 1)) && echo 'FAIL litmus: outcomes that are missing are not seen'
verdict 0 2 message 1 2 01 3 > "$tmp/out" || { failed=$((failed + 1)); cat "$tmp/out"; }
for cores in 2 4 8; do
    counts $cores sb 0 2 00 2
    counts $cores message 1 2 10 2
    counts $cores coherence 2 2 10 2
    [ $cores = 2 ] || counts $cores iriw 3 4 1010 2
done
printf 'litmus: %d passed, %d failed\n' $passed $failed
[ $failed = 0 ] && [ $passed -gt 0 ]
