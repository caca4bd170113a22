#!/bin/sh
# A tree without cuda/ is a complete Heddle: make has rules for all of it, and its lists, pages and sources are right.
# SPDX-License-Identifier: Apache-2.0
# use: without_cuda.sh FOLDER      the folder for the tree
tree=${1:?use: without_cuda.sh FOLDER}
rm -rf "$tree" && mkdir -p "$tree" || exit 4
git ls-files -co --exclude-standard | grep -v '^cuda/' | while read -r file; do [ -e "$file" ] && echo "$file"; done | xargs cp -p --parents -t "$tree" &&
    git -C "$tree" init -q && git -C "$tree" add -A || exit 4
cd "$tree" || exit 4
unset MAKEFLAGS MFLAGS MAKELEVEL BUILD CUDA
failed=0
try() { "$@" > log 2>&1 || { failed=$((failed + 1)); echo "FAIL without cuda/: $*"; grep -v ' 0 wrong$' log | tail -20; }; }
try tests/targets.pl
try tests/docs.pl
try tests/environment.pl
try tests/lines.pl
try tests/format.pl
try make -n build/heddle
make -s help > log && ! grep -q 'test-programs' log || { failed=$((failed + 1)); echo 'FAIL without cuda/: make help shows test-programs'; }
# Another part that needs one of its files is noticed.
echo 'test-format: $(CUDA_HEADERS)' >> tests/build.mk
tests/targets.pl > log 2>&1 && { failed=$((failed + 1)); echo 'FAIL without cuda/: a list of its makefile is read'; }
cd - > /dev/null && rm -rf "$tree"
echo "without cuda/: $((8 - failed)) passed, $failed failed"
[ $failed = 0 ]
