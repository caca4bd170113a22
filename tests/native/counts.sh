#!/bin/sh
# Block counts by the host's code beside the interpreter's: the same output, and the same file.
# SPDX-License-Identifier: Apache-2.0
# usage: counts.sh [LEAST KERNEL[=ARGS]...]     ARGS: a file of launch words; without, the launches
#                                               of its RUN lines.  LEAST: so many are counted.
[ $# -gt 0 ] || set -- 8 tests/native/blocks.s tests/kernels/exits.cu tests/kernels/divergent.cu tests/kernels/stack_loops.s
heddle=${BUILD:-build}/heddle
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export XDG_CACHE_HOME="$tmp/cache"
passed=0 failed=0 least=$1
shift

# same KERNEL LAUNCH...: what cannot be counted is refused alike, and counts as nothing
same() {
    rm -f "$tmp"/*.bbv
    "$heddle" bbv "$@" --no-native -o "$tmp/want.bbv" > "$tmp/want" 2>&1; want=$?
    "$heddle" bbv "$@" --native -o "$tmp/got.bbv" > "$tmp/got" 2>&1; got=$?
    if [ $want != $got ] || ! cmp -s "$tmp/want" "$tmp/got"; then
        failed=$((failed + 1))
        echo "FAIL: heddle bbv $*: exit status $got, not $want, or another output: $(diff "$tmp/want" "$tmp/got" | head -4)"
    elif [ $want = 0 ]; then
        if cmp -s "$tmp/want.bbv" "$tmp/got.bbv"; then passed=$((passed + 1))
        else failed=$((failed + 1)); echo "FAIL: heddle bbv $*: another file"; fi
    fi
}

for k; do
    case $k in
    *=*) same "${k%%=*}" "@${k#*=}"; continue ;;
    esac
    modes=$(sed -n 's|^// MODE: ||p' "$k")
    sed -n 's|^// RUN: ||p' "$k" > "$tmp/runs"
    while read -r run; do
        for mode in ${modes:-barrier stack}; do
            case $k in *.s) set -- ;; *) set -- --mode $mode ;; esac
            eval "same \"\$k\" \"\$@\" $run"
            case $k in *.s) break ;; esac
        done
    done < "$tmp/runs"
done

echo "native counts: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -ge "$least" ]
