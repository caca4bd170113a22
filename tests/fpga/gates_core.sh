#!/bin/sh
# A core whose units are netlists: kernels and random programs are equal as it is, and different with a planted bug.
# SPDX-License-Identifier: Apache-2.0
# use: gates_core.sh HEDDLE CORE_SMOKE CORE COUNT BUGS SECONDS KERNEL...
# COUNT programs of each kind; BUGS: the planted ones, by number (gates.sh); SECONDS: for each kernel's runs, else it
# is named as cut off.
set -eu
heddle=$1 smoke=$2 core=$3 count=$4 bugs=$5 seconds=$6
shift 6
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export HEDDLE_GATE=0
programs() {        # seconds, kind, how many
    timeout "$1" "$smoke" --core "$core" --lanes 4 --warps 4 --first --kind "$2" --count "$3" --commits 500 --depth 4
}
equal=0 none=0 cut=''
for kernel in "$@"; do
    status=0
    timeout "$seconds" "$heddle" check --core "$core" --mem-seed 77 "$kernel" > "$tmp" 2>&1 || status=$?
    if [ $status = 124 ]; then cut="$cut $(basename "$kernel")"
    elif [ $status != 0 ] && ! grep -q '^check: 0 passed, 0 failed' "$tmp"; then cat "$tmp"; exit 1
    elif grep -q '^check: 0 passed' "$tmp"; then none=$((none + 1))
    else equal=$((equal + 1)) && grep '^ok' "$tmp"; fi
done
echo "gates: kernels: $equal equal, $none do not fit${cut:+, cut off after $seconds s:$cut}"
[ $equal -gt 0 ]
for kind in int conv mem all fault code stack stack-conv stack-wide stack-fault; do
    programs 3600 $kind "$count"
done
# An inverted table can be one that a program rarely reads; most are noticed.
noticed=0 missed='' gate=0
while [ $gate -lt "$bugs" ]; do
    gate=$((gate + 1)) found=no
    for kind in all mem fault stack-conv; do
        status=0
        HEDDLE_GATE=$gate programs 120 $kind 2 > "$tmp" 2>&1 || status=$?
        [ $status != 1 ] || { found=yes; break; }
    done
    if [ $found = yes ]; then noticed=$((noticed + 1)); else missed="$missed $gate"; fi
    [ ! -t 1 ] || printf '\rgates: %d of %d planted bugs noticed ' $noticed $gate
done
[ ! -t 1 ] || echo
echo "gates: equal as they are; $noticed of $bugs planted bugs noticed${missed:+, not tables$missed}"
[ $noticed -ge $((bugs / 2)) ]
