#!/bin/sh
# A field, a letter or a cause that a page or a schema does not have must be noticed, and `make docs` must write it there.
# SPDX-License-Identifier: Apache-2.0
script=$PWD/tests/view/lists.pl
. tests/fail/begin.sh || exit 4
files='docs/profile.md docs/schema/profile.json docs/schema/commit.json docs/lockstep.schema.json harness/view/profile.h cmodel/isa/commit.def'
# try 'TEXT' WHAT FILE EDIT: the edit, of an own copy, makes --check say so; then it is written, and right
try() {
    mkdir -p "$tmp/tree" && cp --parents $files "$tmp/tree" && cp "$tmp/tree/$3" "$tmp/before" && sed -i "$4" "$tmp/tree/$3"
    if ! cmp -s "$tmp/before" "$tmp/tree/$3" && ! "$script" --check "$tmp/tree" > "$tmp/out" 2>&1 && grep -qF -- "$1" "$tmp/out" &&
        "$script" "$tmp/tree" > "$tmp/out" 2>&1 && "$script" --check "$tmp/tree" > "$tmp/out" 2>&1; then ok; else bad "lists: $2"; fi
}
try 'docs/profile.md is stale' 'a cause of lost slots' harness/view/profile.h 's/PROF_LOST(YIELD, .*/&\n    PROF_LOST(UNIT, "unit", "waits for a unit") \\/'
try 'docs/schema/profile.json is stale' 'the same in the schema' harness/view/profile.h 's/PROF_LOST(YIELD, "yield"/PROF_LOST(YIELD, "yields"/'
try 'docs/schema/profile.json is stale' 'a cause of cycles' harness/view/profile.h 's/PROF_CYCLE(PORT, "port"/PROF_CYCLE(PORT, "ports"/'
try 'docs/lockstep.schema.json is stale' 'a letter' cmodel/isa/commit.def "/^WAIT(YIELD/s/'y'/'Y'/"
try 'docs/schema/commit.json is stale' 'a field' cmodel/isa/commit.def 's/^FIELD(active, .*/FIELD(nexec, 1, DEC, INSTRUCTION, 1,\n      "How many.")\n&/;s/^MEMBER(uint32_t, active, )/&\nMEMBER(uint8_t, nexec, )/'
try 'docs/schema/commit.json is stale' 'a wider field' cmodel/isa/commit.def 's/^MEMBER(uint32_t, moved_addr, )/MEMBER(uint64_t, moved_addr, )/'
printf 'lists: %d planted mistakes found, %d not\n' $passed $failed
[ $failed = 0 ]
