#!/bin/sh
# Two of CONTRIBUTING.md's questions, answered by patch: an instruction and a field of the commit
# record are added, to a copy of the tree, in the files that the page names and in no other.  A
# LANES=4 core and `heddle` are built from it; a kernel of the instruction runs in lockstep; the
# field is compared, and a mistake planted in the model's is found.
# SPDX-License-Identifier: Apache-2.0
# use: test.sh TREE      the folder for the copy; what was built there is used again
tree=${1:?use: test.sh TREE}
here=$PWD
say() { echo "change: FAIL $*"; exit 1; }

# names QUESTION PATCH: the patch changes three files at most, and each stands in the answer's
# column `open'
names() {
    row=$(grep "^| How do I add $1? |" CONTRIBUTING.md | cut -d'|' -f3)
    [ -n "$row" ] || say "CONTRIBUTING.md has no question \`How do I add $1?'"
    files=$(sed -n 's,^+++ b/,,p' "$2")
    [ "$(echo "$files" | wc -l)" -le 3 ] || say "$2 changes more than three files"
    for file in $files; do
        case $row in *"\`$file\`"*) ;; *) say "$2 changes $file, which CONTRIBUTING.md does not name for $1";; esac
    done
}
names 'an instruction' tests/change/instruction.patch
names 'a field of the commit record' tests/change/field.patch

# A copy whose files keep their times, so that a second run builds what has changed.
mkdir -p "$tree/new" && rm -rf "$tree/new" && mkdir "$tree/new" || exit 4
git ls-files -co --exclude-standard | grep -v '^tests/\(silicon\|mutants\|fuzz/found\|corpus\)/' | \
    while read -r file; do [ -e "$file" ] && echo "$file"; done | xargs cp -p --parents -t "$tree/new" || exit 4
for p in instruction field; do
    (cd "$tree/new" && patch -s -p1 -F2 --no-backup-if-mismatch < "$here/tests/change/$p.patch") || say "$p.patch does not apply"
done
update() {      # of $tree/src: what differs from $tree/new, so that make sees those files alone
    mkdir -p "$tree/src"
    (cd "$tree/new" && find . -type f) | while read -r file; do
        cmp -s "$tree/new/$file" "$tree/src/$file" || { mkdir -p "$(dirname "$tree/src/$file")" && cp "$tree/new/$file" "$tree/src/$file"; }
    done
    (cd "$tree/src" && find . -path ./build -prune -o -type f -print) | while read -r file; do
        [ -e "$tree/new/$file" ] || rm -f "$tree/src/$file"
    done
}
update
build() {       # fast to compile, slow to run: the kernels are small
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -j2 -C "$tree/src" BUILD=build OPT=-O0 RTL_OPT=-O0 "$@" > "$tree/log" 2>&1 || {
        tail -20 "$tree/log"
        say "the changed tree does not build"
    }
}
build build/heddle build/rtl/libcore_l4.so build/gen/isa.md build/gen/commit.md
grep -q '^| 01d | `IAVG' "$tree/src/build/gen/isa.md" || say "docs/isa.md does not get the instruction"
grep -q '`nexec`' "$tree/src/build/gen/commit.md" || say "docs/commit.md does not get the field"

lockstep() {
    (cd "$tree/src" && build/heddle lockstep tests/change/mean.s --lanes 4 --no-snapshots --grid 1 --block 32 \
        'out:u32[64]' "$@") > "$tree/out" 2>&1
}
lockstep --print 'out[0:8]'
status=$?
# x = lane - 2, so the sums of lanes 0 and 1 have 33 bits; the guard stops lane 1
want='out[0:8] = 4294967294 2147483649 0 2147483650 0 2 1 3'
[ $status = 0 ] && grep -qF 'lockstep: equal' "$tree/out" && grep -qF "$want" "$tree/out" || {
    cat "$tree/out"
    say "the kernel ends with $status, and not equal with $want"
}
# The new field is one of those that the verdict counts.
commits=$(sed -n 's/.* fields in \([0-9]*\) commits.*/\1/p' "$tree/out")
compared=$(sed -n 's/.* instruction \([0-9]*\) .*/\1/p' "$tree/out")
rows=$(grep -c 'FIELD(.*, INSTRUCTION,' cmodel/isa/commit.def)
[ "$compared" = $((commits * (rows + 1))) ] || say "$compared fields of the instruction were compared in $commits commits"

sed -i 's/__builtin_popcount(rec->exec)/__builtin_popcount(rec->exec \& ~1u)/' "$tree/new/cmodel/machine/record.c"
update
build build/heddle
lockstep
status=$?
[ $status = 1 ] && grep -q 'nexec' "$tree/out" || {
    cat "$tree/out"
    say "a wrong field in the model gives $status, and no word of it"
}
echo "change: an instruction and a field in 3 files each, $commits commits equal, a wrong field found; 4 passed, 0 failed"
