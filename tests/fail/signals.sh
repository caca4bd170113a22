#!/bin/sh
# Ctrl-C and similar signals: every command ends within a second with 128 + the signal, and leaves
# neither files nor children.
# SPDX-License-Identifier: Apache-2.0
heddle=$(realpath "${BUILD:-build}")/heddle
. tests/fail/begin.sh || exit 4
export TMPDIR="$tmp/work"
mkdir "$TMPDIR" "$tmp/d" "$tmp/bin"
now() { date +%s%N | cut -c1-13; }                       # milliseconds

# All descendants of a process.
family() {
    for c in $(cat /proc/$1/task/*/children 2> /dev/null); do
        echo $c
        family $c
    done
}
gone() { for c in $*; do [ -d /proc/$c ] && ! grep -q '^State:.Z' /proc/$c/status 2> /dev/null && return 1; done; return 0; }

# stop SIGNAL STATUS SECONDS ARGS...: started, left alone for SECONDS, stopped.
stop() {
    signal=$1 want=$2 after=$3
    shift 3
    "$heddle" "$@" > "$tmp/out" 2>&1 &
    pid=$!
    sleep $after
    children=$(family $pid)
    begun=$(now)
    kill -$signal $pid 2> /dev/null || { wait $pid; bad "heddle $* has ended before it could be stopped:"; return; }
    took=0
    while ! gone $pid && [ $took -lt 8000 ]; do
        sleep 0.01
        took=$(($(now) - begun))
    done
    kill -KILL $pid 2> /dev/null
    wait $pid 2> /dev/null
    got=$?
    if [ $got -eq $want ] && [ $took -le 4000 ]; then ok; else
        bad "heddle $*: SIG$signal: exit status $got after $took ms, expected $want within four seconds:"
    fi
    for i in 1 2 3 4 5 6 7 8 9 10; do gone $children && break; sleep 0.2; done
    gone $children && ok || { bad "heddle $*: SIG$signal leaves a child"; kill -KILL $children 2> /dev/null; }
    left=$(find "$tmp" -name '.heddle-*' -o -path "$TMPDIR/*" -o -path "$tmp/d/*" ! -name 'state*')
    [ -z "$left" ] && ok || { bad "heddle $*: SIG$signal leaves $left"; rm -rf "$TMPDIR"/* "$tmp/d"/* "$tmp/d"/.heddle-*; }
}
says() { grep -q "$1" "$tmp/out" && ok || bad "no line of what has been done so far, \`$1\`:"; }

# A kernel that takes its time and has no end to be recognised.
cat > "$tmp/long.cu" << 'CU'
// RUN: --grid 1 --block 32 out:u32[32] n:u32=4000000000
// EXPECT: out[0:1] = 1
extern "C" __global__ void k(unsigned *out, unsigned n)
{
    unsigned x = threadIdx.x;
    for (unsigned i = 0; i < n; i++)
        x = x * 1664525u + 1013904223u;
    out[threadIdx.x] = x;
}
CU
"$heddle" cc "$tmp/long.cu" -o "$tmp/long.hx" || exit 1
long="$tmp/long.hx --grid 1 --block 32 out:u32[32] n:u32=4000000000"
rtl="--lanes 4"
mkfifo "$tmp/fifo.ptx" "$tmp/fifo.s" "$tmp/fifo.hx" "$tmp/fifo"

stop INT 130 0.4 run $long
says '^run: stopped'
stop TERM 143 0.4 run $long --dump "out=$tmp/d/f"
stop HUP 129 0.4 run $long --json --dump "out=$tmp/d/f"
stop INT 130 0.6 lockstep $long $rtl
says '^lockstep: equal so far, stopped'
stop TERM 143 1.5 lockstep $long $rtl -o "$tmp/d/f.fst" --coverage "$tmp/d/state.cov"      # with snapshots
says '^lockstep: equal so far, stopped'
stop INT 130 0.4 run $long --third-leg
stop INT 130 0.4 run $long --timing maxwell
stop INT 130 0.4 trace $long -o "$tmp/d/f"
stop TERM 143 0.4 trace $long --json -o "$tmp/d/f"
stop INT 130 2 profile "$tmp/long.cu" ${long#* } --save "$tmp/d/f"
says '^SIMT efficiency'
stop INT 130 0.6 wave $long $rtl -o "$tmp/d/f.fst"
stop INT 130 0.6 wave $long $rtl -o "$tmp/d/f.fst" --around cycle:500000 --window 1000000    # while it records
stop HUP 129 0.4 check "$tmp/long.cu"
stop INT 130 0.4 check "$tmp/long.cu"
stop INT 130 0.6 silicon
stop TERM 143 0.6 silicon --model
stop INT 130 0.6 bench
stop INT 130 0.6 fuzz $rtl --count 1000000 --resume "$tmp/d/state" --coverage "$tmp/d/state.cov" --out "$tmp/d"
says '^fuzz: kernels'
stop TERM 143 0.6 fuzz $rtl --count 1000000 --resume "$tmp/d/state" --coverage "$tmp/d/state.cov" --out "$tmp/d"
says '^fuzz: kernels'
# Waiting for their input they stop as well.
for c in "cc $tmp/fifo.ptx -o $tmp/d/f" "as $tmp/fifo.s -o $tmp/d/f" "dis $tmp/fifo.hx -o $tmp/d/f" \
         "coverage $tmp/fifo -o $tmp/d/f" "fuzz --replay $tmp/fifo" "run $tmp/fifo.hx --grid 1 --block 1" "run @$tmp/fifo" \
         "cc --profile $tmp/fifo $tmp/long.cu -o $tmp/d/f" "run $long --timing $tmp/fifo" "trace $long -o $tmp/fifo"; do
    stop INT 130 0.1 $c
done
# So does the compiler at work, and clang.
awk 'BEGIN { print ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b32 %r<4>;"
    for (i = 0; i < 900000; i++) print "add.u32 %r1, %r1, %r2;"; print "ret;\n}" }' > "$tmp/huge.ptx"
stop INT 130 0.3 cc "$tmp/huge.ptx" -o "$tmp/d/f"
clang=$tmp/bin/clang-$(sed -n 's/^CLANG_VERSION := //p' Makefile)
printf '#!/bin/sh\nexec sleep 100\n' > "$clang"
chmod +x "$clang"
PATH="$tmp/bin:$PATH"
stop INT 130 0.3 cc "$tmp/long.cu" -o "$tmp/d/f"
stop TERM 143 0.3 run "$tmp/long.cu" ${long#* }
PATH="${PATH#*:}"

# At any moment: the file is the old one or the whole new one.
"$heddle" cc tests/kernels/divergent.cu -o "$tmp/whole" && echo old > "$tmp/old" || exit 1
rm -f "$tmp/d"/*
for ms in 005 010 015 020 025 030 035 040 045 050 060 070 080 090 100 120 140 160; do
    cp "$tmp/old" "$tmp/d/f"
    "$heddle" cc tests/kernels/divergent.cu -o "$tmp/d/f" > "$tmp/out" 2>&1 &
    pid=$!
    sleep 0.$ms
    kill -TERM $pid 2> /dev/null
    wait $pid 2> /dev/null
    for i in 1 2 3 4 5 6 7 8 9 10; do                    # clang ends with its parent, on a busy machine a moment later
        left=$(find "$tmp/d" "$TMPDIR" -mindepth 1 ! -name f)
        [ "$left" ] || break
        sleep 0.2
    done
    { cmp -s "$tmp/d/f" "$tmp/old" || cmp -s "$tmp/d/f" "$tmp/whole"; } && [ -z "$left" ] && ok || bad "cc stopped after $ms ms leaves $left:"
done

# A crash leaves none either, and nohup is heeded.
"$heddle" trace $long -o "$tmp/d/g" > "$tmp/out" 2>&1 &
pid=$!
sleep 0.3
kill -SEGV $pid
wait $pid 2> /dev/null
[ $? -eq 139 ] && [ -z "$(find "$tmp/d" -name '.heddle-*')" ] && ok || bad "a crash leaves a file:"
nohup "$heddle" run $long > "$tmp/out" 2>&1 &
pid=$!
sleep 0.3
kill -HUP $pid
sleep 0.2
kill -0 $pid 2> /dev/null && ok || bad "nohup is not heeded"
kill -INT $pid
wait $pid 2> /dev/null

echo "signals: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
