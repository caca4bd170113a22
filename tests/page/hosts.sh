#!/bin/sh
# hosts.sh CC "FLAGS": what a file of page/ stands for has nothing that the file of page/ lacks.
# SPDX-License-Identifier: Apache-2.0
cc=$1 flags=$2
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0
names() { $cc $flags -c "$1" -o "$tmp/o" && nm -g --defined-only "$tmp/o" > "$tmp/nm" && awk '{ print $3 }' "$tmp/nm" | grep -v '^heddle_prefix$' | sort > "$2"; }
for pair in harness/core/library:page/library cmodel/base/reserve:page/reserve cmodel/base/can:page/can harness/commands:page/commands; do
    if names "${pair%:*}.c" "$tmp/host" && names "${pair#*:}.c" "$tmp/page" && [ -s "$tmp/host" ] && [ -z "$(comm -23 "$tmp/host" "$tmp/page")" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL page: ${pair#*:}.c lacks of ${pair%:*}.c:" $(comm -23 "$tmp/host" "$tmp/page")
    fi
done
echo "hosts: $passed passed, $failed failed"
[ $failed = 0 ]
