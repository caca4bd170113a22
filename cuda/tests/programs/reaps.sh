#!/bin/sh
# A program that waits for any child of its own, and counts signals of them, sees none of ours.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4
unset HEDDLE_CACHE
export XDG_CACHE_HOME="$tmp/cache"
cache=$tmp/cache/heddle

made() { [ "$(ls "$cache"/native-*.so | wc -l)" = 1 ]; }
reaps() {                       # SETTING...
    rm -rf "$cache"
    env "$@" "$tmp/reaps" > "$tmp/out" && echo 'children: 1 waited for, 1 signal, status 7' | cmp -s - "$tmp/out" && made
}
program reaps.cu
holds 'compiled beside the launch' reaps
holds 'compiled before the launch' reaps HEDDLE_NATIVE=1
rm -rf "$cache"
HEDDLE_NATIVE=1 env --block-signal "$tmp/reaps" ignores > "$tmp/out"
holds 'a program that ignores its children has its translation, too' made
finish
