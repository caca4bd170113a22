#!/bin/sh
# `heddle lockstep --json' and `heddle run --json': as docs/lockstep.schema.json has it, for every
# kind of end, and with all that the text says.  The JSON of other commands: as docs/schema/ has it.
# SPDX-License-Identifier: Apache-2.0
# use: json.sh BUILD
build=$1
. "$(dirname "$0")/common.sh"
fail() { failed=$((failed + 1)); echo "FAIL json: $*"; head -c 2000 "$tmp/say"; echo; }
schema=docs/lockstep.schema.json
good() { "$here/schema.pl" "$schema$2" --more < "$1" > "$tmp/say" && ok || fail "$3: not as the schema says"; }
same() { "$here/json_says.pl" "$1" < "$2" > "$tmp/say" && ok || fail "$3: says less than the text"; }

# end STATUS 'WORDS' command...: how a launch ends, as text and as JSON.
end() {
    want=$1 words=$2; shift 2
    "$build/heddle" "$@" > "$tmp/text" 2>&1
    [ $? = "$want" ] && ok || fail "$*: not exit status $want"
    "$build/heddle" "$@" --json > "$tmp/json" 2> "$tmp/say"
    [ $? = "$want" ] && [ ! -s "$tmp/say" ] && ok || fail "$* --json: not exit status $want, or it says more"
    cp "$tmp/json" "$tmp/say"
    grep -qF -- "$words" "$tmp/json" && ok || fail "$*: no $words"
    good "$tmp/json" "" "$*"
    same "$tmp/json" "$tmp/text" "$*"
}
k='tests/kernels/divergent.cu --grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=100'
for how in run 'lockstep --lanes 4'; do
    set -- $how
    end 0 '"simt_efficiency": 0.' "$@" $k --third-leg --print 'data[0:4]' --print 'steps[0:9]'
    end 1 '"what":"out-of-range access"' "$@" tests/fail/range.cu --grid 1 --block 64 'in:u32[40]=iota' 'out:u32[64]'
    end 1 '"what":"wrong or missing token"' "$@" tests/fail/stack_tokens.s --kernel pop_call --grid 1 --block 32 --stack-depth 4 'out:u32[2]'
    end 3 '"why":"spin forever, from PC' "$@" tests/fail/deadlock_abba.cu --grid 1 --block 64 'lock:u32[2]' 'held:u32[2]'
    end 3 '"verdict": "the limit was reached"' "$@" $k --limit 600
    end 3 'wait at block barrier' "$@" tests/fail/deadlock_count.s --grid 1 --block 64 'out:u32[1]'
done
end 1 '"stopped_after": {"commit":' lockstep $k --lanes 4 --break 0x40
printf '\000\000\300\177\000\000\200\177' > "$tmp/nan"
head -c 120 /dev/zero >> "$tmp/nan"
end 0 '"data[0:3]": ["nan", "inf", 4]' run tests/kernels/divergent.cu --grid 1 --block 32 "data:f32[32]=@$tmp/nan" 'steps:i32[32]' n:i32=32 \
    --print 'data[0:3]'
end 1 '"push":{"kind":"SYNC"' lockstep $k --lanes 4 --mode stack --break 0x140
# A difference, made by a test: every kind of field.
for n in 0 1 2 3 4 5; do
    "$build/test_lockstep" --report "$n" "$tmp/text" "$tmp/json" || fail "no report $n"
    good "$tmp/json" '#/$defs/report' "difference $n"
    same "$tmp/json" "$tmp/text" "difference $n"
done
# The other commands.
fits() { "$here/schema.pl" "docs/schema/$1.json" --more $2 < "$tmp/json" > "$tmp/say" && ok || fail "$1: not as the schema says"; }
for how in trace 'trace --lockstep --lanes 4'; do "$build/heddle" $how $k --json > "$tmp/json"; fits commit --lines; done
for how in profile 'profile --lockstep --lanes 4'; do "$build/heddle" $how $k --json > "$tmp/json"; fits profile; done
"$build/heddle" bbv $k --json > "$tmp/json"; fits bbv
"$build/heddle" regroup $k --apply redirect --json > "$tmp/json"; fits regroup
# What these checks refuse.
refuses() { "$here/schema.pl" "$schema" < "$1" > /dev/null && fail "the schema takes $2" || ok; }
"$build/heddle" run $k --json > "$tmp/json"
printf '{"type":"object","properties":{"a":{}}}' > "$tmp/lax"
echo '{"a":1}' | "$here/schema.pl" "$tmp/lax" > "$tmp/say"; [ $? = 2 ] && ok || fail 'a schema that says nothing of a value'
printf '{"type":"object","properties":{"a":{"type":"object"}}}' > "$tmp/lax"
echo '{"a":{"b":1}}' | "$here/schema.pl" "$tmp/lax" > "$tmp/say"; [ $? = 1 ] && ok || fail 'a schema that says nothing of an object'
printf '{"type":"object","additionalProperties":true}' > "$tmp/lax"
echo '{}' | "$here/schema.pl" "$tmp/lax" --more > "$tmp/say" && fail 'a schema that takes unknown names' || ok
sed 's/"cycles"/"circles"/' "$tmp/json" > "$tmp/bad" && refuses "$tmp/bad" 'a name that is not there'
sed 's/"verdict": "[a-z]*"/"verdict": "perhaps"/' "$tmp/json" > "$tmp/bad" && refuses "$tmp/bad" 'another verdict'
sed 's/"branches": \([0-9]*\)/"branches": "\1"/' "$tmp/json" > "$tmp/bad" && refuses "$tmp/bad" 'a string for a number'
head -c 100 "$tmp/json" > "$tmp/bad" && refuses "$tmp/bad" 'half an object'
: > "$tmp/bad" && refuses "$tmp/bad" 'nothing'
echo 'cycles 12345678' | "$here/json_says.pl" "$tmp/json" > /dev/null && fail 'a number that is not there is found' || ok
: | "$here/json_says.pl" "$tmp/json" > /dev/null && fail 'no text is enough' || ok
printf 'json: %d passed, %d failed\n' $passed $failed
[ $failed = 0 ]
