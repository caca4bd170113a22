#!/bin/sh
# Warps that go straight to their end as the host's code (cmodel/native/straight.c), and some that
# nearly do: the same output, counters and exit status as interpreted.
# SPDX-License-Identifier: Apache-2.0
build=${BUILD:-build}
heddle=$(realpath "$build/heddle") || exit 4
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export XDG_CACHE_HOME="$tmp/cache"
passed=0 failed=0

# s KERNEL N ARGS...: of straight.cu, interpreted and natively.
s() {
    kernel=$1 n=$2
    shift 2
    for how in --no-native --native; do
        "$heddle" run "$tmp/k.hx" --kernel $kernel 'x:i32[2600]=rand:1' 'y:i32[2600]=rand:2' n:i32=$n \
            --print y --json "$@" $how > "$tmp/$how" 2>&1
        echo "exit status $?" >> "$tmp/$how"
        sed -i '/^"command":/d' "$tmp/$how"
    done
    if cmp -s "$tmp/--no-native" "$tmp/--native"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: $kernel n=$n $*: $(diff "$tmp/--no-native" "$tmp/--native" | head -4)"
    fi
}

"$heddle" cc tests/native/straight.cu -o "$tmp/k.hx" || exit 4
s guard 2000 --grid 16 --block 160
s guard 1984 --grid 16 --block 160
s guard 0 --grid 16 --block 160
s guard 2700 --grid 18 --block 160
s guard 2000 --grid 30 --block 80
s guard 2000 --grid 8,2,2 --block 160,1,2
for n in 1 8 500; do s overlap $n --grid 16 --block 128; done
s overlap 600 --grid 16 --block 128
for n in 100 2599 2600; do s same $n --grid 2 --block 1024; done
s same 40 --grid 2,3 --block 64,2
s apart 3 --grid 8 --block 128
s between -2147483632 less:i32=2147483637 --grid 16 --block 128
s between 100 less:i32=1000 --grid 16 --block 128
s wide 100 back:i64=-400 --grid 16 --block 128
s wide -80 back:i64=-17179868864 --grid 16 --block 128
s wide -2000 back:i64=-17179861184 --grid 1 --block 1024
s wide_signed -100 back:i64=400 --grid 16 --block 128
s wide_signed 2147483548 back:i64=-8589934192 --grid 16 --block 128
s wide_late 100 back:i64=-400 --grid 16 --block 128
s wide_late 1073741724 back:i64=-4294966896 --grid 16 --block 128
for block in 32,4 64,2 48,4 16,8; do s plane 40 --grid 2,16 --block $block; done
for n in 43 32; do s plane $n --grid 2,16 --block 32,4; done
s plane 40 --grid 2,16 --block 32,4 --mode stack
s plane 40 --grid 2,16 --block 32,4 --limit 700
s guard 2000 --grid 16 --block 160 --jobs 2
for far in -1 0 1 2 31 32 2500; do
    for n in -1 33 96 128; do
        s chain $n far:i32=$far --grid 4 --block 32
        s chain $n far:i32=$far --grid 1 --block 96
    done
done
for kernel in pairs quads; do
    for far in -1 0 1 3 31 32 100; do
        for n in -1 33 96 128; do s $kernel $n far:i32=$far --grid 4 --block 32; done
    done
done
s pairs 1299 far:i32=1 --grid 10 --block 128
s pairs 1299 far:i32=32 --grid 10 --block 128
s quads 649 far:i32=1 --grid 5 --block 128
s quads 649 far:i32=32 --grid 5 --block 128
s second 0 --grid 4 --block 64
for n in 0 4 8 -8; do s within $n --grid 4 --block 64; done
for n in 0 1; do s strides $n --grid 4 --block 64; done

echo "straight: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed = 156 ]
