#!/bin/sh
# tests/counted.pl finds what it is for, and takes what is right.
# SPDX-License-Identifier: Apache-2.0
here=$PWD
. tests/fail/begin.sh || exit 4
cd "$tmp" && git init -q . || exit 4

# says STATUS FILE 'LINE'
says() {
    rm -rf harness page && mkdir -p "$(dirname "$2")" && printf '%s\n' "$3" > "$2"
    "$here/tests/counted.pl" > /dev/null 2>&1
    if [ $? = "$1" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL of $2 counted.pl does not exit with $1: $3"; fi
}
says 1 harness/a.c 'printf("%u lanes live", n);'
says 1 harness/a.c 'printf("and %llu more warps", n);'
says 1 harness/a.cpp 'printf("%" PRIu64 " blocks have not started", n);'
says 1 page/a.js 'p.append(`${count(live)} lanes live`);'
says 0 harness/a.c 'printf("%u %s", COUNTED(n, "lane"));'
says 0 harness/a.c 'printf("%u lanes %08x", n, lanes);'
says 0 harness/a.c 'printf(n == 1 ? "%u lane" : "%u lanes", n);'
says 0 page/a.js 'p.append(counted(n, "lane"));'
rm -rf harness page && "$here/tests/counted.pl" > /dev/null 2>&1 && { failed=$((failed + 1)); echo 'FAIL of no files counted.pl says nothing'; }
printf 'counted: %d passed, %d failed\n' $passed $failed
[ $failed = 0 ] && [ $passed != 0 ]
