#!/bin/sh
# Numbers of docs/performance.md that nobody has measured must be noticed.
# SPDX-License-Identifier: Apache-2.0
. tests/fail/begin.sh || exit 4
# refuse 'TEXT' WHAT MEASURED PAGE
refuse() {
    if ! tests/bench/page.pl --check "$3" "$4" > "$tmp/out" 2>&1 && grep -qF -- "$1" "$tmp/out"; then ok; else bad "bench: $2"; fi
}
page=docs/performance.md measured=tests/bench/measured.txt
sed 's/^\(| `rtl.ipc8` .*\)[0-9] |$/\1x |/' $page > "$tmp/page.md"
refuse 'has other numbers' 'another number in the page' $measured "$tmp/page.md"
sed 's/^\(bench: model.int_native\) .*/\1 1.0 Mwarp\/s/' $measured > "$tmp/measured.txt"
refuse 'has other numbers' 'another number that was measured' "$tmp/measured.txt" $page
grep -v 'rtl.saxpy' $measured > "$tmp/measured.txt"
refuse 'has no rtl.saxpy' 'a number that was not measured' "$tmp/measured.txt" $page
grep -v 'bench -->' $page > "$tmp/page.md"
refuse 'has no numbers' 'a page without tables' $measured "$tmp/page.md"
sed 's/ [0-9][0-9.]*$/ 1/;s/ [0-9][0-9.]* / 1 /' $measured > "$tmp/measured.txt"
cp $page "$tmp/page.md" && tests/bench/page.pl "$tmp/measured.txt" "$tmp/page.md" > "$tmp/out" && tests/bench/page.pl --check "$tmp/measured.txt" "$tmp/page.md" > "$tmp/out" &&
    grep -q '^| `rtl.bare` .* | 1 |$' "$tmp/page.md" && ok || bad 'bench: what was measured is not written'
printf 'bench: %d planted mistakes judged right, %d not\n' $passed $failed
[ $failed = 0 ]
