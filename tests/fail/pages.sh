#!/bin/sh
# The check of pages must notice a page that says something else than its commands print.
# SPDX-License-Identifier: Apache-2.0
# use: pages.sh BUILD
build=$1
. tests/fail/begin.sh || exit 4
# try STATUS WHAT PAGE: PAGE as printf has it
try() {
    printf "$3" > "$tmp/page.md"
    tests/view/pages.pl "$build" "$tmp/page.md" > "$tmp/said" 2>&1
    if [ $? = "$1" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL pages: $2"; cat "$tmp/said"; fi
}
try 0 'a page that is right' 'Text.\n\n    $ echo one; echo two\n    one\n    two\n\nMore.\n'
try 0 'lines left out' '    $ seq 9\n    1\n    ...\n    9\n'
try 1 'another word' '    $ echo one\n    two\n'
try 1 'a line is missing' '    $ seq 3\n    1\n    2\n'
try 1 'a line too many' '    $ seq 2\n    1\n    2\n    3\n'
try 1 'another last line' '    $ seq 9\n    1\n    ...\n    8\n'
try 1 'a word on standard error' '    $ echo one; echo oops >&2\n    one\n'
try 1 'a command that prints nothing' '    $ true\n    one\n'
try 1 'a page without a command' 'Only text.\n'
printf '    $ echo one\n    two\n' > "$tmp/page.md"
tests/view/pages.pl --write "$build" "$tmp/page.md" > /dev/null && grep -q '^    one$' "$tmp/page.md" && passed=$((passed + 1)) ||
    { failed=$((failed + 1)); echo 'FAIL pages: --write does not write'; }
printf 'pages: %d passed, %d failed\n' $passed $failed
[ $failed = 0 ]
