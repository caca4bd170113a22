#!/bin/sh
# tests/format.pl finds what it is for: each fault of form, alone in a tree of one file.
# SPDX-License-Identifier: Apache-2.0
here=$PWD
. tests/fail/begin.sh || exit 4
cd "$tmp" && git init -q . || exit 4

# refuse FILE 'MESSAGE' 'TEXT': a file of that text, as printf takes it
refuse() {
    git rm -qrf --ignore-unmatch . && mkdir -p "$(dirname "$1")" && printf "$3" > "$1" && git add . || exit 4
    "$here/tests/format.pl" > out 2>&1
    status=$?
    if [ $status = 1 ] && grep -qF -- "FAIL $1:$2" out; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL of $1 format.pl does not say \`$2'"
    fi
    rm -f out
}
head='/* SPDX-License-Identifier: Apache-2.0 */\n'
wide=$(printf '%0101d' 0)
refuse a.c '2: a tab' "$head\tint a;\n"
refuse a.c '2: a space at its end' "${head}int a; \n"
refuse a.c ' no newline at its end' "${head}int a;"
refuse a.c ' no SPDX-License-Identifier' 'int a;\n'
for file in a.c tests/unit/a.h harness/a.cpp rtl/a.v formal/a.vh; do
    refuse $file '2: 101 columns' "$head$wide\n"
done
git rm -qrf . && if "$here/tests/format.pl" > /dev/null; then
    failed=$((failed + 1))
    echo 'FAIL of no files format.pl says nothing'
else
    passed=$((passed + 1))
fi
printf 'format: %d planted mistakes found, %d not\n' $passed $failed
[ $failed = 0 ] && [ $passed != 0 ]
