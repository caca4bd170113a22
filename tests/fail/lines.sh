#!/bin/sh
# The check of lines that pages name must notice a line that has moved, changed or gone, and a page that names another.
# SPDX-License-Identifier: Apache-2.0
script=$PWD/tests/lines.pl
. tests/fail/begin.sh || exit 4
# try STATUS 'TEXT' WHAT: after the edit that stands before it
try() {
    (cd "$tmp" && "$script") > "$tmp/said" 2>&1
    if [ $? = "$1" ] && grep -qF -- "$2" "$tmp/said"; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAIL lines: $3"; cat "$tmp/said"
    fi
}
mkdir "$tmp/tests" && git -C "$tmp" init -q || exit 4
printf 'one();\ntwo();\n' > "$tmp/a.c"
printf 'See `a.c:2`, and k.cu:9 that a command makes.\n' > "$tmp/page.md"
try 1 'page.md: a.c:2 is not in tests/lines.txt' 'nothing is kept'
(cd "$tmp" && "$script" --write > said)
try 0 'name 1 lines' 'a page that is right'
printf 'zero();\none();\ntwo();\n' > "$tmp/a.c"
try 1 'now in line 3: mend the page' 'a line that has moved'
printf 'one();\nthree();\n' > "$tmp/a.c"
try 1 'which is no longer there' 'a line that has changed'
printf 'one();\n' > "$tmp/a.c"
try 1 'a.c:2 is empty or not there' 'a line that has gone'
printf 'one();\ntwo();\n' > "$tmp/a.c"
printf 'See `a.c:1`.\n' > "$tmp/page.md"
try 1 'no page names a.c:2' 'a page that names another'
printf 'See nothing.\n' > "$tmp/page.md"
try 1 'no page names a line' 'no page at all'
printf 'lines: %d planted mistakes found, %d not\n' $passed $failed
[ $failed = 0 ]
