#!/bin/sh
# Checks of the scripts beside it see what is wrong: another status, another text, a program that does not build.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

# counts PASSED FAILED STATUS 'LINES': of a script of these lines, as it says and ends.
counts() {
    printf '. cuda/tests/programs/common.sh || exit 4\n%s\nfinish\n' "$4" > "$tmp/script.sh"
    sh "$tmp/script.sh" > "$tmp/out" 2>&1
    holds "not $1 passed, $2 failed, status $3 of: $4" [ "$? $(tail -n 1 "$tmp/out")" = "$3 programs: script: $1 passed, $2 failed" ]
}
counts 3 0 0 'expect 3 two sh -c "echo one two; exit 3"; said one two'
counts 1 0 0 'expect 0 7 A=7 sh -c "echo \$A"'
counts 0 3 1 'expect 0 one sh -c "echo one; exit 1"; said three; silent one'
counts 0 2 1 'expect 0 one echo two; expect 0 "" echo two'
counts 1 2 1 'echo a > "$tmp/a"; for t in a b; do prints 0 "$tmp/a" echo $t; done; prints 0 "$tmp/a" sh -c "echo a; exit 1"'
counts 1 1 1 'holds yes true; holds no false'
counts 0 2 1 'ln -s "$(command -v true)" "$tmp/runs"; passes runs "" A=1'
counts 0 1 1 'refused "ret"'
counts 0 1 1 'program none.cu; holds "what comes after" true'
counts 0 0 1 ''
finish
