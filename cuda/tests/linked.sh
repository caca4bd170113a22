#!/bin/bash
# What a program's launch is reported with, where it differs, faults or waits for ever: a link into the page, by which the
# launch alone does the same, or the reason why there is none.
# SPDX-License-Identifier: Apache-2.0
# use: linked.sh BUILD PLANTED           PLANTED: the folder of a run time whose model has a bug
build=$1 planted=$2
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
export HEDDLE_CACHE="$tmp/cache"
passed=0 failed=0
ok() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)) && echo "FAIL $*" && sed 's/^/    /' "$tmp/said"; }
"$build/heddle" nvcc cuda/tests/linked.cu -o "$tmp/linked" || exit 1

run() {                         # MESSAGE ENVIRONMENT... WAY
    message=$1
    shift
    env "${@:1:$#-1}" "$tmp/linked" "${@: -1}" > "$tmp/said" 2>&1
    grep -qF -- "$message" "$tmp/said" && ok || fail "$*: without \`$message\`"
}
# The launch in the link, alone.
again() {                       # STATUS MESSAGE HEDDLE
    rm -rf "$tmp/got" && mkdir "$tmp/got" && node tests/page/unpack.js "$tmp/got" < "$tmp/said" > "$tmp/unpacked" && ok || { fail "no link: $(cat "$tmp/unpacked")"; return; }
    cp "$tmp/got/source" "$tmp/got.ptx"
    eval "'$3' lockstep '$tmp/got.ptx' $(cat "$tmp/got/launch") --mode $(cat "$tmp/got/mode") --no-snapshots" > "$tmp/said" 2>&1
    [ $? = "$1" ] && grep -qF -- "$2" "$tmp/said" && ok || fail "the link's launch: without \`$2\`: $(cat "$tmp/got/launch")"
}

run cudaSuccess HEDDLE=lockstep equal
grep -q 'page:' "$tmp/said" && fail 'a link of what is equal' || ok
run 'page: ' HEDDLE=lockstep HEDDLE_LANES=4 fault
fault='out-of-range access'
again 1 "$fault" "$build/heddle"
[ "$(grep -c '\.entry' "$tmp/got.ptx")" = 1 ] && grep -q '\.local' "$tmp/got.ptx" && ! grep -q '\.loc\b' "$tmp/got.ptx" && ok || fail 'the kernel alone, without places'
run 'page: ' HEDDLE_MODE=stack fault
again 1 "$fault" "$build/heddle"
run 'page: ' HEDDLE=lockstep HEDDLE_LANES=4 stuck
again 3 'deadlock of the program' "$build/heddle"
run DIFFERENT LD_PRELOAD="$(realpath "$planted")/libheddle_cudart.so" HEDDLE=lockstep HEDDLE_LANES=4 equal
again 1 DIFFERENT "$planted/heddle"

for way in deadlock large; do run 'page: no link: the kernel has more than 65536 bytes of buffers and variables' $way; done
run 'page: no link: parameter 0 points into a buffer, not to its begin' inside
run 'page: no link: parameters 0 and 1 are the same buffer' same
run 'page: no link: parameter 0 holds an address' held
run 'page: no link: the buffer of parameter 0 holds an address' chain
run 'page: no link: `table` has another value than at the program'"'"'s begin' changed
run 'page: no link: `base` has another value than at the program'"'"'s begin' constant
echo "links of programs: $passed passed, $failed failed"
[ $failed = 0 ]
