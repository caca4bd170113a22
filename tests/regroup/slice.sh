#!/bin/sh
# Orders and predictions by a slice are those by a run: in every line of `heddle regroup` but the
# times.
# SPDX-License-Identifier: Apache-2.0
# use: slice.sh HEDDLE KERNEL LAUNCH...
heddle=$1
shift
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
for by in run slice; do
    "$heddle" regroup "$@" --by sorting --counts $by > "$tmp/$by" || exit 1
    grep -v '^counts: ' "$tmp/$by" | sed 's/[0-9.]* ms$//' > "$tmp/$by.same"
done
grep -q '^sorting: predicted speed-up' "$tmp/run" && diff "$tmp/run.same" "$tmp/slice.same" || exit 1
echo "slice: $*: $(sed -n 's/^counts: by a slice: //p' "$tmp/slice")"
grep -q '^counts: by a slice: ' "$tmp/slice"
