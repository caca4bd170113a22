#!/bin/sh
# Runs a campaign, and fails when no program's predictions were placed: then nothing was looked at.
# SPDX-License-Identifier: Apache-2.0
# use: predicted.sh COMMAND...
tmp=$(mktemp) || exit 4
trap 'rm -f "$tmp"' EXIT
"$@" > "$tmp"
status=$?
cat "$tmp"
[ $status -ne 0 ] || grep -q '^with predictions [1-9][0-9]*, placed in [1-9]' "$tmp" || {
    echo "predicted: no program's predictions were placed" >&2
    status=1
}
exit $status
