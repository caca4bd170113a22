#!/bin/sh
# accept.pl in a small repository, whose make writes other numbers.
# SPDX-License-Identifier: Apache-2.0
here=$PWD/tests/accept
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAIL accept: $*:"; cat "$tmp/out"; }
cd "$tmp" || exit 4
git init -q . && git config user.email a@b && git config user.name a
echo 'kernel k, cycles 1000' > cycles; echo 'unit u, LUT 50, registers 0' > areas; echo 'pages are kept' > page; echo rtl > rtl
printf 'out\nbuild\n' > .gitignore
cat > Makefile <<'END'
.PHONY: compare take measure page fail
compare: ; @echo "kernel k, cycles $(CYCLES)" > build/new; false
take: ; @cp build/new cycles
measure: ; @echo "unit u, LUT $(LUT), registers $(REGS)" > areas; echo "$$NOTE" > build/note
page: ; @echo "$(PAGE)" > page
fail: ; @echo half > areas; false
END
printf '# a comment\ncycles 1 -compare take\nareas 2 measure\npage 3 page\n' > steps
printf 'areas 2 measure\nwrong 1 fail\n' > failing
git add . && git commit -qm first && mkdir build
export CYCLES LUT REGS PAGE
# accept STATUS WORDS NOTE STEP...
accept() {
    want=$1 words=$2 note=$3; shift 3
    "$here/accept.pl" build "${steps:-steps}" "$note" "$@" > out 2>&1
    got=$?
    [ $got = $want ] && grep -qF -- "$words" out && ok || bad "$words: status $got, not $want"
}
kept() { [ "$(git status --porcelain --untracked-files=no | tr -d '\n')" = "$1" ] && ok || { git status --short > out; bad "changed is not '$1'"; }; }
CYCLES=1000 LUT=50 REGS=0 PAGE='pages are kept'
accept 0 'nothing has moved' ''; kept ''
echo changed > rtl                                   # not committed, and none of accept's business
CYCLES=1009 LUT=51
accept 0 'written' ''; kept ' M areas M cycles M rtl'
grep -qF -- '- kernel k, cycles 1000' out && grep -qF -- '+ kernel k, cycles 1009' out && grep -q '0.90% at most' out && ok || bad 'old beside new'
accept 0 'nothing has moved' ''
git checkout -q cycles areas
CYCLES=1011
accept 1 'NOTE=' ''; kept ' M rtl'
accept 0 'written; commit it with the RTL: a stage more' 'a stage more'; kept ' M areas M cycles M rtl'
[ "$(cat build/note)" = 'a stage more' ] && ok || bad 'the note is not handed on'
git checkout -q cycles areas
CYCLES=1000 LUT=50 REGS=1                            # from nothing
accept 1 'any amount' ''; kept ' M rtl'
REGS=0 PAGE='pages are new'
accept 1 '1 in words' ''; kept ' M rtl'
accept 0 'nothing has moved' '' cycles areas
accept 2 'no step is called cycle:' '' cycle
LUT=51 steps=failing
accept 1 'FAIL accept: make fail' 'a note'; kept ' M rtl'
echo "accept: $passed passed, $failed failed"
[ $failed = 0 ]
