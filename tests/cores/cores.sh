#!/bin/sh
# Several cores in lockstep, by the command: kernels that meet in memory, a fault, a deadlock, wrong
# use; random kernels.
# use: cores.sh HEDDLE OUT [COUNT]      COUNT: random kernels of each kind
# SPDX-License-Identifier: Apache-2.0
heddle=$1 out=$2 count=${3:-12} passed=0 failed=0
mkdir -p "$out"
expect()                                # STATUS TEXT WORD...: the command ends so, and prints TEXT
{
    want=$1 text=$2; shift 2
    "$@" > "$out/said.txt" 2>&1
    got=$?
    if [ $got = "$want" ] && grep -qF "$text" "$out/said.txt"; then
        passed=$((passed + 1))
    else
        echo "FAIL: status $got, not $want with \`$text': $*"
        tail -n 5 "$out/said.txt"
        failed=$((failed + 1))
    fi
}
meet="--kernel meet --grid 24 --block 96 hist:s32[40]=zero lock:s32[1]=zero sum:s32[1]=zero words:s32[64]=iota n:s32=3 --print sum[0:1]"
# shellcheck disable=SC2086
for cores in 1 2 3 8; do
    for mode in barrier stack; do
        expect 0 "sum[0:1] = 300" "$heddle" lockstep tests/cores/meet.cu --lanes 4 --cores $cores --mode $mode $meet
        expect 0 "lockstep: equal" "$heddle" lockstep tests/cores/meet.cu --lanes 4 --cores $cores --mode $mode --mem-seed $cores $meet
    done
done
expect 3 "deadlock" "$heddle" lockstep tests/cores/meet.cu --lanes 4 --cores 3 --kernel stuck --grid 9 --block 96 'out:s32[1]=zero'
expect 1 "(block 7, thread 0" "$heddle" lockstep tests/cores/meet.cu --lanes 4 --cores 4 --kernel beyond --grid 16 --block 32 'out:s32[8]=zero'
expect 2 "cores" "$heddle" lockstep tests/cores/meet.cu --cores 9 --kernel stuck --grid 1 --block 32 'out:s32[1]=zero'
expect 2 "show one core" "$heddle" lockstep tests/cores/meet.cu --cores 2 --wave "$out/w.fst" --kernel stuck --grid 1 --block 32 'out:s32[1]=zero'
expect 2 "one core" "$heddle" lockstep tests/cores/meet.cu --lanes 4 --cores 2 --bus-error 'out[0:1]' --kernel beyond --grid 2 --block 32 'out:s32[8]=zero'
# The core that has block 1 goes on when core 0 has ended: the limit, and Ctrl-C, still end it.
spins="--lanes 4 --cores 2 --kernel spins --grid 2 --block 32 out:s32[1]=zero"
# shellcheck disable=SC2086
expect 3 "limit" "$heddle" lockstep tests/cores/meet.cu $spins --limit 20000
# shellcheck disable=SC2086
expect 130 "lockstep: equal" timeout --preserve-status -s INT 3 "$heddle" lockstep tests/cores/meet.cu $spins
for cores in 2 5; do
    for mode in barrier stack; do
        expect 0 "failed 0" "$heddle" fuzz --lanes 4 --cores $cores --mode $mode --count "$count" --seed "$cores" --out "$out"
    done
done
echo "cores: $passed passed, $failed failed"
[ $failed = 0 ]
