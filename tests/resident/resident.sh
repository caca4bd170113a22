#!/bin/sh
# What runs for long keeps nothing of what is done: 300 kernels leave the most resident memory where
# 100 had it.
# SPDX-License-Identifier: Apache-2.0
# use: resident.sh BUILD PEAK some|all
build=$1 peak=$2 all=$3
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export HEDDLE_CACHE="$tmp/cache" XDG_CACHE_HOME="$tmp/cache"
passed=0 failed=0
# KB that a kernel may leave: a later one may be larger than all before it, and the system gives
# memory in pages of 2 MB.
most=60

# kb COUNT COMMAND...: with @ replaced by COUNT.
kb() {
    count=$1
    shift
    for word; do
        shift
        set -- "$@" "$(printf '%s\n' "$word" | sed "s/@/$count/")"
    done
    "$peak" "$tmp/kb" "$@" > "$tmp/out" 2>&1 || return
    cat "$tmp/kb"
}
# grows FEW MANY COMMAND...: KB a kernel into $each; nothing: the command fails.
grows() {
    few=$1 many=$2 each=
    shift 2
    first=$(kb "$few" "$@") && last=$(kb "$many" "$@") && each=$(((last - first) / (many - few)))
}
stays() {
    if grows "$@" && [ "$each" -le $most ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $*: ${first:-?} KB for $1, ${last:-?} KB for $2, ${each:-?} KB each:"
        tail -n 3 "$tmp/out"
    fi
}
fuzz() { stays 100 300 "$build/heddle" fuzz --seed 4242 --count @ --out "$tmp" "$@"; }

# One that leaks 100 KB a kernel is seen.
grows 100 300 perl -e '$x = "x" x (100 * 1024 * @); print length $x'
if [ "${each:-0}" -gt $most ]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAIL 100 KB each are measured as ${each:-nothing}"
fi

if [ "$all" = some ]; then
    fuzz --level machine --on model
    fuzz --level machine --on model --mode stack
    fuzz --level machine --on model --coverage "$tmp/cov" --resume "$tmp/state.@"
    fuzz --level ptx --on model
    fuzz --level ptx --on nothing
else
    fuzz --level machine --on model --native
    fuzz --level machine --lanes 4
    fuzz --level ptx --lanes 4
    fuzz --level machine --lanes 4 --mode stack --stack-depth 4
    fuzz --level machine --lanes 4 --cores 2
    stays 80 241 sh -c "\"$build/heddle\" silicon tests/silicon --model --every \$((241 / @))"
    # A file many times: what it takes for one is known.
    for how in none 4; do
        sed "/^\/\/ LANES:/d; 1s|\$|\n// LANES: $how|" tests/kernels/masks.ptx > "$tmp/masks.ptx"
        stays 100 300 sh -c "i=0; while [ \$i -lt @ ]; do i=\$((i + 1)); echo '$tmp/masks.ptx'; done | xargs -n @ \"$build/heddle\" check"
    done
    # Programs, where these are built.
    if [ -x "$build/heddle-nvcc" ]; then
        "$build/heddle" nvcc tests/resident/launches.cu -o "$tmp/launches" > "$tmp/out" 2>&1 || { cat "$tmp/out"; exit 1; }
        stays 100 300 "$tmp/launches" @
        stays 6 18 env HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/launches" @
    fi
fi
printf 'resident: %d passed, %d failed\n' $passed $failed
[ $failed = 0 ] && [ $passed -gt 1 ]
