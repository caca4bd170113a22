#!/bin/bash
# How much sooner `heddle bbv` counts as the host's code: seconds of processor time, the best of three, of each
# launch, whose image and translation were made before.
# SPDX-License-Identifier: Apache-2.0
# usage: counts.sh HEDDLE KERNEL=ARGS...        ARGS: a file of launch words
heddle=$1
shift
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME="$tmp/cache"
TIMEFORMAT='%U %S'

best() {
    for turn in 1 2 3; do { time "$heddle" bbv "$@" > "$tmp/out"; } 2>&1 || return; done > "$tmp/times"
    awk '{ t = $1 + $2; if (NR == 1 || t < least) least = t } END { print least }' "$tmp/times"
}
for k; do
    name=$(basename "${k%%=*}" .cu)
    "$heddle" cc "${k%%=*}" -o "$tmp/k.hx" && "$heddle" bbv "$tmp/k.hx" "@${k#*=}" --native > "$tmp/native" || exit 1
    plain=$(best "$tmp/k.hx" "@${k#*=}" --no-native) && native=$(best "$tmp/k.hx" "@${k#*=}" --native) || exit 1
    cmp "$tmp/out" "$tmp/native" || exit 1
    awk -v k="$name" -v p="$plain" -v n="$native" 'BEGIN { printf "bench: bbv.%s %.2f s, natively %.2f s: %.1f times\n", k, p, n, p / n }'
done
