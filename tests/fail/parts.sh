#!/bin/sh
# `make test` with parts that pass, fail or come too late, and what it says of them.
# SPDX-License-Identifier: Apache-2.0
. tests/fail/begin.sh || exit 4
ln -s "$PWD/tests" "$tmp/tests"
grep '^PARALLEL = ' Makefile > "$tmp/Makefile" || exit 2
cat >> "$tmp/Makefile" <<'END'
.RECIPEPREFIX := >
BUILD := .
PARTS := quick slow $(BAD)
LONG  := first second third
.PHONY: built quick slow bad first second third core north east south west
built: ; @echo built by $$0
quick: built ; @echo 3 passed, 0 failed
slow:
> @sleep 0.3
> @echo one line; echo another 1>&2
> @sleep 0.3; [ -d parts ]
bad: ; @echo bad is run; exit 3
north east south west: ; @echo $@ is run
core: ; @sleep 1; touch made
first: core ; @sleep 1
second: first ; @echo second is run
third: ; @ls made
.RECIPEPREFIX :=
include tests/parts.mk
LONG_NEEDS := core
END
# run STATUS MAKE-ARGUMENTS...
run() {
    want=$1
    shift
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL timeout 60 make -C "$tmp" "$@" > "$tmp/out" 2>&1
    [ $? -eq "$want" ] || bad "make $*: another status than $want"
}
said() { grep -qE "$1" "$tmp/out" && ok || bad "it does not say: $1"; }
silent() { grep -qE "$1" "$tmp/out" && bad "it says: $1" || ok; }

run 0 test JOBS=2
said '^    slow \.\.\.$'
said '^3 passed, 0 failed$'
said '^slow +(0\.[6-9]|[1-9][0-9]*\.[0-9]) s, +[0-9]+\.[0-9] s of processor time$'
said '^another$'
said '^parts 2, 0 of them not run, [0-9]+ s, '
silent 'built by .*part.sh'
silent '^    first'

run 2 test BAD=bad JOBS=1
said '^bad is run$'
said '^parts 3, 0 of them not run'

# Each day another one of those that take turns comes first; all come (status: its table is looked at).
order() { make -s -C "$tmp" -n -p "DAY=$1" LONG="a b c d e" LONG_FIRST=b 2> /dev/null | sed -n 's/^LONG_ORDER := *//p' | tr -s ' ' > "$tmp/out"; }
for day in 0 1 2 3; do
    order $day
    case $day in 0) want='b a c d e' ;; 1) want='b e a c d' ;; 2) want='b d e a c' ;; 3) want='b c d e a' ;; esac
    said "^$want *\$"
done

# Of the dear ones one in four runs a day; which do not is said.
for day in 0 1 2 3; do
    run 0 test DAY=$day TURNS="north east south west"
    case $day in 0) now=north off='east south west' ;; 1) now=west off='north east south' ;; 2) now=south off='north east west' ;; 3) now=east off='north south west' ;; esac
    for p in $now; do said "^$p is run\$"; done
    for p in $off; do silent "^$p is run\$"; done
    said "^not run today \(ALL=1 runs them\): $off\$"
done
run 0 test ALL=1 TURNS="north east"
for p in north east; do said "^$p is run\$"; done
silent 'not run today'

# None begins before the cores are built, also one that needs none: it would come before those that do.
run 0 test-long MINUTES=5 JOBS=2
said '^second is run$'
said '^made$'
run 0 test-long MINUTES=0
said '^second is run$'
run 2 test-long MINUTES=soon
said 'MINUTES=soon is not a number'
mkdir -p "$tmp/parts" && date +%s > "$tmp/parts/.end"
tests/part.sh "$tmp/parts/late" -c 'echo late is run' > "$tmp/out"
tests/parts.sh "$tmp/parts/late" >> "$tmp/out"
said '^late +not run: no time left$'
silent 'late is run'

# Alone, a part has a shell like any other.
run 0 quick
said '^3 passed, 0 failed$'
silent 'processor time'
echo "parts: $passed passed, $failed failed"
[ $failed -eq 0 ]
