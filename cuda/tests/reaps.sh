#!/bin/sh
# A program that waits for any child of its own, and counts signals of them, sees none of ours.
# SPDX-License-Identifier: Apache-2.0
build=${BUILD:-build}
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
made() { [ "$(ls "$cache"/native-*.so | wc -l)" = 1 ]; }
reaps() {
    rm -rf "$cache"
    "$tmp/reaps" > "$tmp/got" && echo 'children: 1 waited for, 1 signal, status 7' | cmp -s - "$tmp/got" && made
    verdict $? "reaps, $*: $(cat "$tmp/got"), left $(ls "$cache")"
}
"$build/heddle" nvcc cuda/tests/reaps.cu -o "$tmp/reaps" || exit 4
reaps 'compiled beside the launch'
HEDDLE_NATIVE=1 reaps 'compiled before the launch'
rm -rf "$cache"
HEDDLE_NATIVE=1 env --block-signal "$tmp/reaps" ignores > /dev/null; made
verdict $? 'a program that ignores its children has its translation, too'

echo "reaps: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed = 3 ]
