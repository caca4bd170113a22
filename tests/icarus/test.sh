#!/bin/sh
# A small grid in four states, in both modes: every commit is the model's, and cycles, counts and
# results are those of the Verilated core; unknown bits, and what keeps the simulator from running,
# are reported.
# SPDX-License-Identifier: Apache-2.0
# usage: BUILD=build tests/icarus/test.sh
heddle=$BUILD/heddle
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT INT TERM
passed=0 failed=0
mix="tests/icarus/mix.cu --grid 2 --block 64 --warps 2
     in:u32[128]=iota out:u32[128] real:f32[128] sum:u32[1] --stack-depth 4
     --print out[0:128] --print real[0:128] --print sum[0:1]"
unwritten="tests/icarus/unwritten.cu --grid 1 --block 32 out:u32[32]"

check() {                       # NAME CONDITION...
    name=$1; shift
    "$@" && passed=$((passed + 1)) && return
    failed=$((failed + 1))
    echo "FAIL icarus: $name"
    cat "$tmp/said"
}
run() {                         # STATUS COMMAND...: its output goes to said
    want=$1; shift
    "$@" > "$tmp/said" 2>&1
    [ $? = "$want" ]
}
same() {                        # MODE
    run 0 "$heddle" lockstep $mix --lanes 4 --mode "$1" && mv "$tmp/said" "$tmp/two" &&
    run 0 "$heddle" lockstep $mix --lanes 4 --mode "$1" --four-state &&
    cmp "$tmp/two" "$tmp/said" &&
    grep -q '^lockstep: equal; compared [1-9]' "$tmp/said" &&
    { [ "$1" = barrier ] || grep -q '^stack: .* [1-9][0-9]* spills, [1-9]' "$tmp/said"; }
}
says() {                        # STATUS TEXT COMMAND...
    status=$1 text=$2; shift 2
    run "$status" "$@" && grep -qF "$text" "$tmp/said"
}

check "barrier mode as with two states" same barrier
check "stack mode as with two states" same stack
four="lockstep $unwritten --lanes 4 --four-state"
check "what was never written is unknown" says 1 \
    "unknown bits: u_probe_unit.c_val[31:0] is 32'bxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" "$heddle" $four
check "not with random bits" says 2 "nothing begins with random bits" "$heddle" $four --x-seed 1
check "no waveform" says 2 "writes no waveforms" \
    "$heddle" wave $unwritten --lanes 4 --four-state -o "$tmp/w.fst"
check "LANES that is not built" says 2 "libcore_l8_icarus.so" "$heddle" $four --lanes 8
"$heddle" cc tests/icarus/unwritten.cu -o "$tmp/u.hx"
check "no simulator" says 2 "could not be started" env PATH=/nonexistent "$heddle" \
    lockstep "$tmp/u.hx" --grid 1 --block 32 'out:u32[32]' --lanes 4 --four-state
echo "icarus: $passed passed, $failed failed"
[ $failed = 0 ]
