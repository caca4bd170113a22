#!/bin/sh
# Every kernel at hand with --predict off and with --predict auto: the same memory, and no more than
# 2% more cycles.
# SPDX-License-Identifier: Apache-2.0
#
#   [EVERY=N] tests/auto/check.sh run|lockstep [profile]     cycles of the model (--timing core), or of the RTL
#
# A kernel whose image does not change runs as before, so only the others are launched.  Directives
# by hand are taken out first.  With `profile` the paper's workloads and the kernels of specrec
# decide by what they measured before.
set -u
BUILD=${BUILD:-build}
heddle=$BUILD/heddle
how=${1:-run} measure=${2:-}
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
same=0 changed=0 wrong=0 clocks=
timing=; [ "$how" = run ] && timing='--timing core'

# stripped SOURCE: as PTX without directives, in $tmp/k.ptx
stripped() {
    case $1 in
    *.cu) "$heddle" cc "$1" --show=ptx > "$tmp/all.ptx" || return 1 ;;
    *) cp "$1" "$tmp/all.ptx" ;;
    esac
    grep -v '\.pragma.*simt\.' "$tmp/all.ptx" > "$tmp/k.ptx"
}

# launch DIR OPTIONS..: runs $tmp/k.ptx, its buffers into DIR; prints the cycles
launch() {
    dir=$1
    shift
    mkdir -p "$dir"
    rm -f "$dir"/*
    dumps=
    for b in $buffers; do dumps="$dumps --dump $b=$dir/$b"; done
    # shellcheck disable=SC2086
    "$heddle" $how "$tmp/k.ptx" "$@" $timing $dumps $args > "$tmp/out" 2>&1 || { sed 's/^/    /' "$tmp/out" >&2; return 1; }
    awk '/^cycles/ { sub(",", "", $2); print $2; exit }' "$tmp/out"
}

# seen FILE: its contents, less the clock that each lane of specrec stores first of four words
seen() {
    if [ "$clocks" ]; then od -An -v -tx4 -w16 "$1" | cut -c10-; else cksum < "$1"; fi
}

# compare NAME SOURCE: $args is the launch, $buffers the parameters to compare
compare() {
    name=$1
    auto='--predict auto'
    stripped "$2" || { echo "auto: $name: does not compile"; wrong=$((wrong + 1)); return; }
    if [ "$measure" ]; then
        # shellcheck disable=SC2086
        "$heddle" profile "$tmp/k.ptx" $args --save "$tmp/k.json" > "$tmp/out" 2>&1 || { cat "$tmp/out"; wrong=$((wrong + 1)); return; }
        auto="--profile $tmp/k.json"
    fi
    # shellcheck disable=SC2086
    if ! "$heddle" cc "$tmp/k.ptx" -o "$tmp/off.hx" || ! "$heddle" cc $auto --remarks "$tmp/k.ptx" -o "$tmp/auto.hx" 2> "$tmp/said"; then
        echo "auto: $name: does not compile"
        wrong=$((wrong + 1))
        return
    fi
    if cmp -s "$tmp/off.hx" "$tmp/auto.hx"; then
        same=$((same + 1))
        return
    fi
    changed=$((changed + 1))
    # shellcheck disable=SC2086
    off=$(launch "$tmp/off" --predict off) && on=$(launch "$tmp/on" $auto) || { wrong=$((wrong + 1)); return; }
    verdict=$(awk -v a="$off" -v b="$on" 'BEGIN { printf "%.3f %s", a / b, (b > 1.02 * a ? "SLOWER" : "ok") }')
    [ "$buffers" ] || verdict="$verdict NOTHING COMPARED"
    for b in $buffers; do [ "$(seen "$tmp/off/$b")" = "$(seen "$tmp/on/$b")" ] || verdict="$verdict MEMORY DIFFERS ($b)"; done
    echo "auto: $name: $off cycles off, $on auto, speed-up $verdict; $(grep -o 'remark: .* applied' "$tmp/said" | sort | uniq -c | sed 's/ *\([0-9]*\) remark: /\1 /' | tr '\n' ' ')"
    case $verdict in *ok) ;; *) wrong=$((wrong + 1)) ;; esac
}

buffers_of() { printf '%s\n' "$@" | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\):[^[]*\[.*/\1/p' | tr '\n' ' '; }

for k in tests/silicon/specrec/*.ptx; do
    args='--grid 1 --block 32 po:u32[128]=zero pn:u32=256'
    buffers=po clocks=1
    compare "$(basename "$k" .ptx)" "$k"
done
clocks=
mkdir -p "$tmp/in"
"$BUILD/paper_a" write rtl "$tmp/in" || exit 4
for k in tests/paper_a/*.cu; do
    name=$(basename "$k" .cu)
    args="@$tmp/in/$name.args"
    # shellcheck disable=SC2046
    buffers=$(buffers_of $(cat "$tmp/in/$name.args"))
    compare "$name" "$k"
done
[ "$measure" ] && set -- || set -- tests/kernels/*.cu tests/kernels/*.ptx
for k; do
    run=$(sed -n 's/^\/\/ RUN: //p' "$k" | head -1)
    case $run in *--mode*stack*) continue ;; esac
    args=$run
    # shellcheck disable=SC2046,SC2086
    buffers=$(buffers_of $run)
    compare "$(basename "$k")" "$k"
done
# Of the recorded kernels every EVERYth.
# shellcheck disable=SC2046
[ "$measure" ] && set -- || set -- $(ls tests/silicon/kernels/*.ptx | awk -v n="${EVERY:-1}" 'NR % n == 0')
for k; do
    args='--grid 1 --block 32' buffers=
    compare "$(basename "$k")" "$k"
done
echo "auto: $same kernels as before, $changed changed, $wrong wrong"
[ $changed -gt 0 ] || { echo "auto: no kernel was changed, so none was compared"; exit 1; }
[ $wrong -eq 0 ]
