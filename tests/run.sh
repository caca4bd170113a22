#!/bin/sh
# Runs test programs one after the other and counts.  Usage: run.sh LOGDIR PROGRAM...
# A cmocka program counts as many tests as it ran; any other program as one, by its exit status.
# SPDX-License-Identifier: Apache-2.0
log=$1; shift
mkdir -p "$log"
passed=0 failed=0 programs=0
for t in "$@"; do
    programs=$((programs + 1))
    name=$(basename "$t")
    start=$(date +%s)
    timeout -k 5 "${TEST_LIMIT:-1800}" "$t" > "$log/$name.log" 2>&1 < /dev/null
    status=$?
    p=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test(s)\..*/\1/p' "$log/$name.log" | awk '{ n += $1 } END { print n + 0 }')
    f=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test(s), listed below:.*/\1/p' "$log/$name.log" | awk '{ n += $1 } END { print n + 0 }')
    if [ "$p" = 0 ] && [ "$f" = 0 ]; then            # not cmocka, or it died before its summary
        if [ $status = 0 ]; then p=1; else f=1; fi
    elif [ $status != 0 ] && [ "$f" = 0 ]; then f=1   # a crash after the last test is a failure
    fi
    passed=$((passed + p)) failed=$((failed + f))
    if [ "$f" != 0 ]; then
        echo "FAIL $name (exit status $status); the end of $log/$name.log:"
        tail -n 25 "$log/$name.log" | sed 's/^/    /'
    else
        echo "ok   $name: $p, $(($(date +%s) - start)) s"
    fi
done
[ "$programs" = 0 ] && failed=1 && echo "no test program was given"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
