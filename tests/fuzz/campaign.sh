#!/bin/sh
# Campaigns that are sharded, stopped, killed and resumed run each kernel once; wrong use ends
# before the first kernel.
# SPDX-License-Identifier: Apache-2.0
heddle=${BUILD:-build}/heddle
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
passed=0 failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAIL $*"; }

# refuse 'MESSAGE' OPTIONS...: exit status 2, that message, and no kernel has run.
refuse() {
    want=$1
    shift
    "$heddle" fuzz --count 3 "$@" > "$tmp/out" 2>&1
    got=$?
    if [ $got -eq 2 ] && grep -qF -- "$want" "$tmp/out" && ! grep -q '^fuzz: kernels' "$tmp/out"; then ok; else
        bad "heddle fuzz $*: exit status $got, expected 2 with \`$want\`:"; cat "$tmp/out"
    fi
}
echo nothing > "$tmp/text"
refuse 'is not I/N with I from 0 to N - 1' --shard 2/2
refuse 'is not I/N with I from 0 to N - 1' --shard 1
refuse 'is not a number from 1' --count 0
refuse 'it takes no file' somefile
refuse 'cannot be written' --resume "$tmp/nowhere/state"
refuse 'is not of this campaign' --resume "$tmp"
refuse 'is not of this campaign' --resume "$tmp/text"
refuse 'cannot be made' --out "$tmp/nowhere/out"
refuse 'cannot be' --out "$tmp/text"
refuse 'cannot be written' --coverage "$tmp/nowhere/cov"
refuse 'is no coverage file' --coverage "$tmp/text"
refuse 'cannot be read' --replay "$tmp/nowhere.s"
refuse 'is no saved kernel, or cut off' --replay "$tmp/text"
"$heddle" fuzz --count 2 --resume "$tmp/state" > "$tmp/out" || bad "a campaign of two"
refuse 'is not of this campaign' --resume "$tmp/state" --seed 2
refuse 'is not of this campaign' --resume "$tmp/state" --mode stack
refuse 'is not of this campaign' --resume "$tmp/state" --level ptx
refuse 'is not of this campaign' --resume "$tmp/state" --shard 0/2

# Who brings the process down is named, with a command that runs it alone.
"$heddle" fuzz --seed 5 --count 100000 --time 20 > "$tmp/out" 2>&1 &
child=
while kill -0 $! 2> /dev/null && [ -z "$child" ]; do sleep 0.1; child=$(cat /proc/$!/task/$!/children 2> /dev/null); done
sleep 1
[ -z "$child" ] || kill -SEGV $child
wait $!
got=$?
if [ $got -eq 4 ] && grep -q 'kernel [0-9]* ends the process: Segmentation fault' "$tmp/out"; then ok; else
    bad "SIGSEGV: exit status $got, expected 4 with a kernel:"; cat "$tmp/out"
fi
set -- $(sed -n 's/^  heddle fuzz //p' "$tmp/out")
"$heddle" fuzz "$@" > "$tmp/out" 2>&1 && grep -q '^fuzz: kernels \([1-8]\), equal \1,' "$tmp/out" && ok || { bad "heddle fuzz $*:"; cat "$tmp/out"; }

# Three shards; each is killed now and then, or stopped, until it is through.
n=120 sum=0
for i in 0 1 2; do
    campaign="--seed 3 --count $n --level machine --shard $i/3 --resume $tmp/s$i --coverage $tmp/cov$i --out $tmp/out$i"
    for signal in KILL INT TERM; do
        "$heddle" fuzz $campaign > "$tmp/part" 2>&1 &
        # Once it has a child, that is the campaign, which ends with its last line.
        while kill -0 $! 2> /dev/null && [ -z "$(cat /proc/$!/task/$!/children 2> /dev/null)" ]; do sleep 0.05; done
        sleep 0.2
        kill -$signal $! 2> /dev/null
        wait $! 2> /dev/null
        got=$?
        case $signal in
        KILL) continue ;;
        INT) want=130 ;;
        TERM) want=143 ;;
        esac
        # 0: it was through already
        if [ $got -eq $want ] || [ $got -eq 0 ]; then ok; else bad "SIG$signal: exit status $got"; cat "$tmp/part"; fi
        grep -q '^fuzz: kernels' "$tmp/part" && ok || bad "SIG$signal: no last line"
    done
    "$heddle" fuzz $campaign > "$tmp/part" 2>&1 || { bad "shard $i"; cat "$tmp/part"; }
    part=$(sed -n 's/^fuzz: kernels \([0-9]*\), equal .*/\1/p' "$tmp/part")
    sum=$((sum + ${part:-0}))
    "$heddle" fuzz $campaign > "$tmp/again" 2>&1     # there is nothing left to do
    grep -q "^fuzz: kernels $part," "$tmp/again" && ok || bad "shard $i: once more"
done
[ $sum -eq $n ] && ok || bad "three shards ran $sum kernels, not $n"

# A kernel is its number, whatever the memory held that it was made in: the same cases are met
# equally often.
for fill in 0 85; do
    MALLOC_PERTURB_=$fill "$heddle" fuzz --count 12 --seed 3 --level ptx --coverage "$tmp/met$fill" > "$tmp/out" || bad "memory filled with $fill"
done
cmp -s "$tmp/met0" "$tmp/met85" && ok || bad "kernels depend on what the memory held"

# No room: the state of before is left as it was.
cp "$tmp/s0" "$tmp/full"
said=$( (ulimit -f 0; "$heddle" fuzz --seed 3 --count $((n + 30)) --level machine --shard 0/3 --resume "$tmp/full") 2>&1)
got=$?
if [ $got -eq 2 ] && cmp -s "$tmp/s0" "$tmp/full"; then ok; else bad "no room for the state: exit status $got: $said"; fi
case $said in *'File too large'*) ok ;; *) bad "no room for the state: $said" ;; esac

echo "campaign: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
