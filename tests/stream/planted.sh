#!/bin/bash
# Each rule of the monitor finds the stream that breaks it, and no other rule does; what is damaged,
# cut off or not declared is refused; two streams that differ are seen to differ.
# SPDX-License-Identifier: Apache-2.0
# use: planted.sh BUILD DIR
heddle=$1/heddle tmp=$2
good=tests/stream/good.txt
[ -x "$heddle" ] || { echo "$heddle is not built: make"; exit 2; }
rm -rf "$tmp" && mkdir -p "$tmp" || exit 4
passed=0 failed=0
# want STATUS 'TEXT' COMMAND...
want() {
    local status=$1 text=$2
    shift 2
    "$@" > "$tmp/out" 2>&1
    local got=$?
    if [ $got -eq "$status" ] && grep -qF -- "$text" "$tmp/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $*: exit status $got, expected $status with \`$text\`:"
        sed 's/^/    /' "$tmp/out"
    fi
}
# plant RULE 'WORDS' SED: the edit must change the stream, and RULE must say so.
rules=
plant() {
    sed -e "$3" "$good" > "$tmp/bad.txt"
    cmp -s "$good" "$tmp/bad.txt" && { failed=$((failed + 1)); echo "FAIL: no edit: $3"; }
    want 1 "stream: rule $1 broken" "$heddle" stream check "$tmp/bad.txt"
    grep -qF -- "$2" "$tmp/out" || { failed=$((failed + 1)); echo "FAIL: $1: expected \`$2\`:"; cat "$tmp/out"; }
    rules="$rules $1"
}
want 0 'stream: ok; 11 instructions' "$heddle" stream check $good
want 0 'rules 15 of 15 (empty: none)' "$heddle" stream check --quiet 20 $good
want 0 '    progress 8 checks' "$heddle" stream check --quiet 20 $good
want 0 '    progress empty: no run is as long as a quarter of --quiet' "$heddle" stream check $good

plant running 'lanes 8 run, but do not issue' 's/n=9 pc=108 active=f exec=f/n=9 pc=108 active=7 exec=7/'
plant running 'issue at 120, but do not run' 's/n=10 pc=120 active=3 exec=3/n=10 pc=120 active=7 exec=7/'
plant running 'issues at 140 without a lane' 's/n=12 pc=140 active=f exec=f/n=12 pc=140/'
plant running 'execute at 104, but do not issue' 's/n=1 pc=104 active=3 exec=3/n=1 pc=104 active=3 exec=7/'
plant place 'of which 1 have not ended' 's/start cycle=4 warp=1 pc=100 mask=3/&\nstart cycle=4 warp=1 pc=100 mask=1/'
plant place 'wake at token 5' 's/wake cycle=16 warp=0 pc=10c mask=c/wake cycle=16 warp=0 pc=10c mask=e/'
plant place 'lanes f end, of which' 's/end cycle=31 warp=1 mask=3/end cycle=31 warp=1 mask=f/'
plant place 'park, of which' 's/pc=140 mask=3 token=6 why=2/pc=140 mask=7 token=6 why=2/'
plant place 'go on at 120, of which' 's/next cycle=13 warp=0 pc=120 mask=3/next cycle=13 warp=0 pc=120 mask=7/'
plant flow 'issues at 124, but goes on at 120' 's/n=10 pc=120/n=10 pc=124/'
plant flow 'issues at 120, but goes on at 10c' '/next cycle=13/d'
plant resume 'wakes at 110, but was parked to go on at 10c' 's/wake cycle=16 warp=0 pc=10c/wake cycle=16 warp=0 pc=110/'
plant closed 'token 5 is closed, but lanes c' '/^wake cycle=16/d'
plant order 'issues number 12 after 10' 's/n=11 /n=12 /'
plant retire 'retires lanes 3 twice' 's/retire cycle=6 warp=0 n=7 mask=c/retire cycle=6 warp=0 n=7 mask=f/'
plant retire 'ends without lanes 8' 's/retire cycle=6 warp=0 n=7 mask=c/retire cycle=6 warp=0 n=7 mask=4/'
plant retire 'which did not execute it' 's/retire cycle=9 warp=0 n=8 mask=3/retire cycle=9 warp=0 n=8 mask=7/'
plant retire 'is not under way' 's/retire cycle=18 warp=0 n=11/retire cycle=18 warp=0 n=10/'
plant writes 'writes register 1 after number 14' 's/^retire cycle=29 warp=0 n=14/write cycle=29 warp=0 n=14 mask=1 reg=1 val=1\n&/'
plant writes 'in lanes c, which do not execute it' 's/^retire cycle=9 warp=0/write cycle=9 warp=0 n=8 mask=f reg=9 val=1,1,1,1\n&/'
plant access 'lanes 2 access memory twice' 's/^retire cycle=9 warp=0/mem cycle=9 warp=0 n=8 mask=2 op=1 space=1 size=4 addr=0\n&/'
plant access 'lanes 3 execute it, 1 access memory' 's/mem cycle=9 warp=0 n=8 mask=3 op=2 space=1 size=4 data=4 addr=1000,1004 val=10,11/mem cycle=9 warp=0 n=8 mask=1 op=2 space=1 size=4 data=4 addr=1000 val=10/'
plant access 'but do not execute it' 's/mem cycle=15 warp=0 n=10 mask=3/mem cycle=15 warp=0 n=10 mask=7/;s/addr=1004,1000 val=11,10$/addr=0 val=0/'
plant loads 'loads 12 from address 1004' 's/val=11,10$/val=12,10/;s/reg=2 val=12,10/reg=2 val=11,10/'
plant barrier '1 of 2 have arrived' 's/^retire cycle=22 warp=1/release cycle=22 barrier=3 need=2 generation=0 warps=1\n&/'
plant barrier 'warp 0 has arrived and is left' 's/warps=0,1/warps=1/'
plant barrier 'in generation 1; it is in 0' 's/arrive cycle=24 warp=0 mask=f barrier=3 need=2 count=1 generation=0/arrive cycle=24 warp=0 mask=f barrier=3 need=2 count=1 generation=1/'
plant barrier 'nobody has arrived' 's/release cycle=25 barrier=3/release cycle=25 barrier=2/'
plant held 'but wait at barrier 3' '/^release/d'
plant kept 'reads 22 from register 1; 21 was written there' 's/read cycle=28 warp=1 n=2 mask=3 reg=1 val=20,21/read cycle=28 warp=1 n=2 mask=3 reg=1 val=20,22/'
plant ended 'warp 1 never ends: block 0, warp 1 of it, lanes 3 run' '/^end cycle=31/d'
plant ended '    warp 1 never ends: block 0, warp 1 of it, lanes 3 run' '/^end cycle=3[12]/d'
plant ended 'lanes 4 are parked at token 9 to go on at 14c, lanes 8 are parked at token 9 to go on at 150' \
    's/^end cycle=32.*/park cycle=32 warp=0 pc=14c mask=4 token=9\npark cycle=32 warp=0 pc=150 mask=8 token=9\nend cycle=32 warp=0 mask=3/'
plant ended 'the core is idle' '/^end cycle=32/d'
plant ended 'number 13 at 144 never retires' '/^retire cycle=30/d'
plant ended 'the last run has no end' '/^finish/d'
plant progress 'has not issued for' 's/cycle=31/cycle=200031/'
for rule in $(sed -n 's/^RULE(\([a-z]*\),.*/\1/p' stream/rules.def); do
    case " $rules " in *" $rule "*) passed=$((passed + 1)) ;; *) failed=$((failed + 1)); echo "FAIL: nothing is planted for rule $rule" ;; esac
done

# ---- who takes two kinds from one place checks nothing by them
sed 's/reports retire retirement/reports retire fetch/' $good > "$tmp/one.txt"
want 0 'rules 14 of 15 (empty: retire)' "$heddle" stream check --quiet 20 "$tmp/one.txt"
want 0 "    retire   empty: \`issue' and \`retire' are both taken from \`fetch'" "$heddle" stream check "$tmp/one.txt"
sed '/^memory ordered/d' $good > "$tmp/unordered.txt"
want 0 '    loads    empty: memory is not reported in order' "$heddle" stream check "$tmp/unordered.txt"
sed '/^reports read/d;/^read/d' $good > "$tmp/less.txt"
want 0 'rules 14 of 15 (empty: kept)' "$heddle" stream check --quiet 20 "$tmp/less.txt"
want 0 "    kept     empty: \`read' is not reported" "$heddle" stream check "$tmp/less.txt"

# ---- a core that says less breaks no rule by that
# only KIND|KIND..: of the good stream these kinds.
only() { perl -ne 'BEGIN { $k = shift } print if !(/^reports (\w+)/ || /^(\w+) (?:cycle|name)=/) || $1 =~ /^(?:$k)$/' "$1" $good; }
kinds=$(sed -n 's/^reports \([a-z]*\) .*/\1/p' $good)
for kind in $kinds; do
    only "(?!$kind\$).*" > "$tmp/less.txt"
    want 0 'stream: ok' "$heddle" stream check "$tmp/less.txt"
    for other in $kinds; do
        only "start|$kind|$other|finish" > "$tmp/less.txt"
        "$heddle" stream check "$tmp/less.txt" > "$tmp/out" 2>&1 || echo "$kind $other: $(head -1 "$tmp/out")"
    done
done > "$tmp/alarms"
want 0 none sh -c "cat '$tmp/alarms'; test -s '$tmp/alarms' || echo none"

# ---- what is no stream, or not this core's
refuse() {
    sed -e "$2" $good > "$tmp/bad.txt"
    want 2 "$1" "$heddle" stream check "$tmp/bad.txt"
}
refuse 'line 1: this is no stream of version 1' '1s/1/2/'
refuse "the header does not say \`lanes'" '/^lanes/d'
refuse 'expected a number from 1 to 64' 's/^lanes 4/lanes 65/'
refuse 'expected a number from 1 to 1024' 's/^warps 2/warps 99999999999999999999/'
refuse "there is no event \`jump'" 's/^reports next/reports jump/'
refuse 'unknown in a header: colour blue' 's/^isa none/colour blue/'
refuse 'lanes is said twice' 's/^lanes 4/&\nlanes 8/'
refuse 'reports next is said twice' 's/^reports next.*/&\nreports next elsewhere/'
refuse 'core is said twice' 's/^core .*/&\ncore another/'
refuse 'line 95: the stream has ended, but the file goes on' 's/^end-of-stream/&\n\nrun name=more/'
want 2 'the stream has ended, but the file goes on' sh -c "cat '$tmp/bad.txt' | $heddle stream print -"
want 2 'the stream has ended, but the file goes on' "$heddle" stream diff $good "$tmp/bad.txt"
refuse 'the header has no end' '/^begin/,$d'
refuse "\`next', which the header does not report" '/^reports next/d'
refuse 'warp 2 of 2' 's/warp=1 n=2/warp=2 n=2/'
refuse 'lanes beyond the 4 that there are' 's/mask=f token/mask=1f token/;s/start cycle=1 warp=0 pc=100 mask=f/start cycle=1 warp=0 pc=100 mask=ff/'
refuse 'PC 100000000 has more than 32 bits' 's/pc=120 active/pc=100000000 active/'
refuse 'there is no access 4' 's/op=1/op=4/'
refuse 'an access of 3 bytes' 's/op=1 space=1 size=4/op=1 space=1 size=3/'
refuse 'a member that it does not have' 's/^next cycle=13/next cycle=13 colour=1/'
refuse "mask: \`zz' is no value of it" 's/^next cycle=13 warp=0 pc=120 mask=3/next cycle=13 warp=0 pc=120 mask=zz/'
refuse "it has no line \`end-of-stream'" '/^end-of-stream/d'
head -c 900 $good > "$tmp/half.txt"
want 2 'line 38: the stream is cut off in this line' "$heddle" stream check "$tmp/half.txt"
: > "$tmp/empty"
want 2 'this is no stream of warp events' "$heddle" stream check "$tmp/empty"
sed '/^begin/,$d' $good > "$tmp/nothing.txt"; printf 'begin\nend-of-stream\n' >> "$tmp/nothing.txt"
want 2 'it holds no event' "$heddle" stream check "$tmp/nothing.txt"
want 2 'no input file' "$heddle" stream
want 2 'stream check F' "$heddle" stream compare $good
want 2 'stream check F' "$heddle" stream diff $good

# ---- print is the same stream; a pipe is read as a file is
"$heddle" stream print $good > "$tmp/again.txt"
want 0 'equal; 2 warps, 11 instructions' "$heddle" stream diff $good "$tmp/again.txt"
"$heddle" stream print "$tmp/again.txt" > "$tmp/twice.txt"
want 0 same sh -c "cmp '$tmp/again.txt' '$tmp/twice.txt' && echo same"
want 0 'stream: ok' sh -c "cat $good | $heddle stream check -"

# ---- diff: what the monitor cannot know
differ() {
    sed -e "$2" $good > "$tmp/other.txt"
    want 1 "$1" "$heddle" stream diff $good "$tmp/other.txt"
}
differ 'block 0, warp 0: its instruction 4 differs' 's/reg=2 val=11,10/reg=2 val=11,12/'
differ 'issue cycle=14 warp=0 n=10 pc=120 active=1' 's/n=10 pc=120 active=3 exec=3/n=10 pc=120 active=1 exec=1/'
differ 'write cycle=15 warp=0 n=10 mask=3 reg=2 val=11,12' 's/reg=2 val=11,10/reg=2 val=11,12/'
differ 'DIFFERENT; 1 of 2 warps' 's/bits=1/bits=3/'
differ 'goes on after' 's/^issue cycle=28.*//;/warp=1 n=2 /d'
sed 's/reports pred.*//;/^pred/d;s/cycle=\([0-9]*\)/cycle=1\1/' $good > "$tmp/other.txt"
want 0 'not compared: pred' "$heddle" stream diff $good "$tmp/other.txt"
want 0 'stream: equal' "$heddle" stream diff $good "$tmp/other.txt"
echo "stream planted: $passed passed, $failed failed"
[ $failed -eq 0 ]
