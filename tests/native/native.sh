#!/bin/sh
# The host's code beside the interpreter: the same output and exit status; and its cache: kept,
# damaged, cut off, made by two at a time, without a compiler, with one that fails.
# SPDX-License-Identifier: Apache-2.0
build=${BUILD:-build}
heddle=$(realpath "$build/heddle") || exit 4
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export XDG_CACHE_HOME="$tmp/cache"
cache=$tmp/cache/heddle
passed=0 failed=0

verdict() {
    if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $2"; fi
}

# same ARGS...: what heddle run prints and how it ends, interpreted and natively.
same() {
    "$heddle" run "$@" --no-native > "$tmp/want" 2>&1; want=$?
    "$heddle" run "$@" --native > "$tmp/got" 2>&1; got=$?
    sed -i '/^"command":/s/ --\(no-\)\?native//' "$tmp/want" "$tmp/got"
    cmp -s "$tmp/want" "$tmp/got" && [ $want = $got ]
    verdict $? "heddle run $* --native: exit status $got, not $want, or another output: $(diff "$tmp/want" "$tmp/got" | head -4)"
}

launch="tests/kernels/divergent.cu --grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=128"
same $launch --print data[0:128] --print steps[0:128]
same $launch --json
same $launch --mode stack --print steps[0:128]
same $launch --limit 1234
same $launch --limit 77
same tests/fail/range.cu --grid 1 --block 64 'in:u32[40]=iota' 'out:u32[64]'
same tests/fail/range.cu --grid 1 --block 64 'in:u32[64]=iota' 'out:u32[40]'
same tests/fail/constant_operands.s --kernel wide --grid 1 --block 32 'data:u32[32]' n:u32=3
same tests/fail/deadlock_spin_lanes.s --grid 1 --block 32 'flag:u32[1]'
same tests/fail/endless.cu --grid 1 --block 32 'out:u32[32]' --limit 100000
same tests/kernels/clocks.s --grid 1 --block 32 'out:u32[32]' --clock 0xabcdef12fffff900 --print out
# who reads the clock does not spin
same tests/native/until.cu --grid 1 --block 32 'out:u32[32]' n:u32=1000 --print out
same tests/native/meets.s --grid 1 --block 32 'out:u32[64]' --print out --json
same tests/native/reads.s --grid 1 --block 32 --limit 3000000
same tests/kernels/heap.cu --grid 2 --block 64 rounds:u32=1 'out:u32[4]' --print out    # addresses of data
same tests/kernels/heap.cu --grid 2 --block 64 rounds:u32=1 'out:u32[4]' --mode stack --json
# warps that run to their end without a start of their own: more blocks than slots, a block that is
# not full, one that faults, a limit, blocks on two threads, a guard that ends some lanes of the last
saxpy="tests/bench/saxpy.cu --block 80 x:f32[8000]=rand:1 a:f32=2"
same $saxpy --grid 100 'y:f32[8000]=rand:2' --print y[0:8000] --json
same $saxpy --grid 100 'y:f32[4100]=rand:2' --print y[0:4100]
same $saxpy --grid 100 'y:f32[8000]=rand:2' --print y[0:8000] --limit 3000
same $saxpy --grid 100 'y:f32[8000]=rand:2' --print y[0:8000] --jobs 2
same $saxpy --grid 100 'y:f32[8000]=rand:2' --mode stack --json
same tests/native/warps.cu --grid 40 --block 96 'x:i32[3841]=rand:1' 'y:i32[3840]' n:i32=5 --print y --json
same tests/native/warps.cu --grid 40 --block 96 'x:i32[3841]=rand:1' 'y:i32[3000]' n:i32=5
same tests/kernels/divergent.cu --grid 40 --block 64 data:f32[2560]=rand:1 steps:i32[2560] n:i32=70 --json
rm -rf "$cache"
# Sectors, where all lanes are looked at together and where each is recorded.
gather="tests/bench/gather.cu --grid 80 --block 64 table:u32[16384]=rand:1 out:u32[5120] sectors:u32=2048 --json"
# lines STATUS PATTERN ARGUMENT...: those of what a run prints; nothing where it ends otherwise.
lines()
{
    status=$1 pattern=$2
    shift 2
    "$heddle" run "$@" > "$tmp/lines" 2>&1
    [ $? = $status ] && grep -E -- "$pattern" "$tmp/lines"
}
lines 0 mem_transactions $gather --native > "$tmp/got"
lines 0 mem_transactions $gather --coverage "$tmp/c" > "$tmp/want"
[ -s "$tmp/got" ] && cmp -s "$tmp/want" "$tmp/got"; verdict $? "sectors of a gather: $(cat "$tmp/got" "$tmp/want")"
for k in fields.0 fields.4 fields.16 fields.32 fields.36 fields.44 fields.96 columns.4 columns.36 \
         columns.128 columns.132 columns.144; do
    fields="tests/native/${k%.*}.s --grid 1 --block 32 at:u32[2048]=rand:3 size:u32=${k#*.} --json"
    for how in --native --no-native "--coverage $tmp/c"; do
        lines 1 '"(mem_transactions|stores|report)"' $fields $how --dump "at=$tmp/at" && cksum < "$tmp/at"
    done > "$tmp/got"
    [ $(wc -l < "$tmp/got") = 12 ] && [ $(sort -u "$tmp/got" | wc -l) = 4 ]
    verdict $? "structures, $k bytes, three ways: $(cat "$tmp/got")"
done
# The last of some stores in a row is out of range.
for words in 1056 1100 1130; do
    same tests/native/columns.s --grid 1 --block 32 "at:u32[$words]" size:u32=132 --print "at[0:$words]"
done
rm -rf "$cache"

# expect 'MESSAGE' or '' for none: of a run of $launch, which must print what the interpreter does.
"$heddle" run $launch --print data[0:128] --no-native > "$tmp/want" 2>&1
expect() {
    message=$1
    shift
    "$@" "$heddle" run $launch --print data[0:128] --native > "$tmp/got" 2> "$tmp/said"
    ok=$?
    cmp -s "$tmp/want" "$tmp/got" || ok=1
    if [ "$message" ]; then grep -qF -- "$message" "$tmp/said" || ok=1; else [ -s "$tmp/said" ] && ok=1; fi
    verdict $ok "$message: $(cat "$tmp/said")"
}
entries() { ls "$cache" | wc -l; }

expect ''
[ "$(entries)" = 1 ]; verdict $? "one entry, nothing else: $(ls "$cache")"
so=$(ls "$cache"/native-*.so)
made=$(stat -c %i "$so")
expect ''
[ "$(stat -c %i "$so")" = "$made" ]; verdict $? 'an entry that is there is used'
for size in 0 10 4000 8192; do
    truncate -s $size "$so"
    expect ''
    [ "$(stat -c %s "$so")" -gt 8192 ]; verdict $? "an entry cut off after $size bytes is made again"
done
printf 'xxxx' | dd of="$so" bs=1 seek=5000 conv=notrunc 2> /dev/null
made=$(stat -c %i "$so")
expect ''
[ "$(stat -c %i "$so")" != "$made" ]; verdict $? 'a damaged entry is made again'
for who in g o; do
    chmod $who+w "$so" && made=$(stat -c %i "$so")
    expect ''
    [ "$(stat -c %i "$so")" != "$made" ]; verdict $? "an entry that $who may write is made again"
done

rm "$so" && mkfifo "$so"
expect '' timeout 60
[ -f "$so" ]; verdict $? 'a FIFO in the place of an entry is replaced'

rm -rf "$cache"
for i in 1 2 3; do
    "$heddle" run $launch --print data[0:128] --native > "$tmp/got.$i" 2>&1 &
done
wait
cmp -s "$tmp/want" "$tmp/got.1" && cmp -s "$tmp/want" "$tmp/got.2" && cmp -s "$tmp/want" "$tmp/got.3"
verdict $? 'three processes make one entry at the same time'
[ "$(entries)" = 1 ]; verdict $? "three processes leave one entry: $(ls "$cache")"

# The kernel is compiled before, as that takes a compiler, too.
"$heddle" cc tests/kernels/divergent.cu -o "$tmp/k.hx" || exit 4
launch="$tmp/k.hx --grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=128"
rm -rf "$cache" && mkdir "$tmp/bin"
expect 'interpreted: there is no C compiler (cc)' env PATH="$tmp/bin"
printf '#!/bin/sh\nexit 1\n' > "$tmp/bin/cc" && chmod +x "$tmp/bin/cc"
expect 'interpreted: the C compiler (cc) refuses the translation' env PATH="$tmp/bin:$PATH"
printf '#!/bin/sh\nkill -9 $$\n' > "$tmp/bin/cc"
expect 'interpreted: the C compiler (cc) refuses the translation' env PATH="$tmp/bin:$PATH"
[ "$(entries)" = 0 ]; verdict $? "a compiler that fails leaves nothing: $(ls "$cache")"
cat > "$tmp/bin/cc" <<EOF
#!/bin/sh
$(command -v cc) "\$@" || exit
while [ "\$1" != -o ]; do shift; done
chmod 777 "\$2"
EOF
expect '' env PATH="$tmp/bin:$PATH"                                             # as some linkers leave it
rm -rf "$cache"
expect 'interpreted: there is no folder' env -u XDG_CACHE_HOME -u HOME
expect 'interpreted: there is no folder' env -u XDG_CACHE_HOME HOME="$tmp/nobody"
[ ! -e "$tmp/nobody" ]; verdict $? 'a home that is not there is not made'
expect 'cannot be written: File too large' sh -c 'ulimit -f 20 && exec "$@"' sh
expect 'cannot be made' env XDG_CACHE_HOME=/proc/none
expect ''

# Without being asked: what is kept is used, what runs for long is made meanwhile, the rest interpreted.
used() { LD_DEBUG=files "$heddle" run "$@" 2> "$tmp/loaded" > "$tmp/got"; grep -q 'calling init: .*/native-' "$tmp/loaded"; }
long="tests/native/long.cu --grid 8 --block 128 out:i32[1024] n:i32=3000000 --print out[0:9]"
rm -rf "$cache"
! used $launch && [ ! -e "$cache" -o "$(entries)" = 0 ]; verdict $? 'what is short is interpreted'
"$heddle" run $long --no-native > "$tmp/want"
[ ! -e "$cache" -o "$(entries)" = 0 ]; verdict $? '--no-native makes nothing'
used $long && cmp -s "$tmp/want" "$tmp/got" && [ "$(entries)" = 1 ]
verdict $? "what is long runs as the host's code after a while"
used $long --limit 1000; verdict $? 'what is kept is used at once'
! used $long --limit 1000 --no-native; verdict $? 'but not with --no-native'
export HEDDLE_NATIVE=0
! used $long --limit 1000; verdict $? 'nor with HEDDLE_NATIVE=0'
used $long --limit 1000 --native; verdict $? 'an option says more than the environment'
HEDDLE_NATIVE=1 used $launch; verdict $? 'HEDDLE_NATIVE=1 is --native'
! HEDDLE_NATIVE=2 used $launch; verdict $? 'HEDDLE_NATIVE=2 is refused'
unset HEDDLE_NATIVE

rm -rf "$cache"
printf '#!/bin/sh\necho $$ > %s/pid\nexec sleep 100\n' "$tmp" > "$tmp/bin/cc"
PATH="$tmp/bin:$PATH" timeout 60 "$heddle" run $long > "$tmp/got" && cmp -s "$tmp/want" "$tmp/got" &&
    timeout 60 sh -c 'while kill -0 $0 2> /dev/null || [ "$(ls "$1")" ]; do sleep 0.01; done' "$(cat "$tmp/pid")" "$cache"
verdict $? "a compiler that is slow is broken off: left $(ls "$cache")"

# A translation in two parts: made; refused if one is.
parts="tests/silicon/kernels/p_loop_merge.ptx --grid 1 --block 64 in:u32[64]=rand:1 out:u32[64] cnt:u32[64]
       log:u32[393216] n:u32=0 --print out --print log[0:4096]"
"$heddle" cc tests/silicon/kernels/p_loop_merge.ptx -o "$tmp/parts.hx" || exit 4
parts="$tmp/parts.hx ${parts#* }"
rm -rf "$cache"
same $parts --json
lines 0 '^log' $parts --native > "$tmp/got"
lines 0 '^log' $parts --coverage "$tmp/c" > "$tmp/want"
[ -s "$tmp/got" ] && cmp -s "$tmp/got" "$tmp/want"; verdict $? 'an atomic in shared memory, lane by lane'
[ "$(entries)" = 1 ]; verdict $? "two parts are one entry: $(ls "$cache")"
for part in 0 1; do
    rm -rf "$cache"
    printf '#!/bin/sh\ncase "$*" in *PART=%s*) exit 1;; esac\nexec %s "$@"\n' $part "$(command -v cc)" > "$tmp/bin/cc"
    PATH="$tmp/bin:$PATH" "$heddle" run $parts --native 2> "$tmp/err" > "$tmp/got" && grep -qF 'refuses the translation' "$tmp/err" &&
        [ "$(entries)" = 0 ]
    verdict $? "part $part is refused: left $(ls "$cache")"
done

# Ended while both compilers are at work: they end, too, and nothing is left, but of SIGKILL within a second; no file of a
# compiler's own either.
printf '#!/bin/sh\ncase "$*" in *PART=0*) k=0;; *) k=1;; esac\n: > "$TMPDIR/own.$k"\necho $$ > %s/pid.$k\nexec sleep 100\n' \
    "$tmp" > "$tmp/bin/cc"
mkdir "$tmp/own"
for signal in INT TERM KILL; do
    rm -rf "$cache" "$tmp"/pid.*
    TMPDIR="$tmp/own" PATH="$tmp/bin:$PATH" "$heddle" run $parts --native > "$tmp/got" 2>&1 &
    run=$!
    timeout 60 sh -c 'until [ -s $0.0 ] && [ -s $0.1 ]; do sleep 0.01; done' "$tmp/pid"
    kill -$signal $run
    wait $run
    [ $? -gt 128 ] && timeout 60 sh -c 'while kill -0 $0 2> /dev/null || kill -0 $1 2> /dev/null; do sleep 0.01; done' \
        "$(cat "$tmp/pid.0")" "$(cat "$tmp/pid.1")" &&
        timeout 60 sh -c 'while [ "$(ls "$0"; ls "$1")" ]; do sleep 0.01; done' "$cache" "$tmp/own"
    verdict $? "two compilers at work end with SIG$signal: left $(ls "$cache"; ls "$tmp/own")"
done

"$heddle" run $launch --native --timing hopper > /dev/null 2> "$tmp/said"
grep -q 'interpreted: a timing profile' "$tmp/said"; verdict $? 'with a timing profile it is interpreted'
"$heddle" run $launch --native --coverage "$tmp/c" > /dev/null 2> "$tmp/said"
grep -q 'interpreted: every commit' "$tmp/said"; verdict $? 'with coverage it is interpreted'
"$heddle" run $launch --native --bus-error .text[0:32] > /dev/null 2> "$tmp/said"
grep -q 'interpreted: some addresses' "$tmp/said"; verdict $? 'with bus errors it is interpreted'
"$heddle" lockstep $launch --native > /dev/null 2> "$tmp/said"
[ $? = 2 ]; verdict $? 'lockstep has no --native'

echo "native: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 30 ]
