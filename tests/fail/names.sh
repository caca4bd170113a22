#!/bin/sh
# tests/names.pl finds a name that the glossary has replaced, in code and not in words, and refuses
# to look at nothing.
# SPDX-License-Identifier: Apache-2.0
. tests/fail/begin.sh || exit 4

# says 'MESSAGE' STATUS FOLDER 'LINE': of a file with this line
says() {
    mkdir -p "$tmp/$3"
    printf '%s\n' "$4" > "$tmp/$3/x.${5:-c}"
    tests/names.pl "$tmp" > "$tmp/out"
    status=$?
    if [ $status = "$2" ] && grep -qF -- "$1" "$tmp/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL \`$4': exit status $status, and not \`$1'"
    fi
}
says 'no files' 1 other 'x'
says 'names: 1 passed, 0 failed' 0 cmodel/machine 'active = 1; /* lanes act */ puts("running");'
says 'x.c:1: `act'"'"': docs/glossary.md says active' 1 cmodel/machine 'c->act = 1;'
says 'names: 1 passed, 0 failed' 0 cmodel/machine 'c->active = 1; c->action = factor;'
says 'x.v:1: `syn'"'"': docs/glossary.md says wsync' 1 rtl/converge 'assign syn_o = 1; // syn' v
says 'x.c:1: u_lsu.step: wires of the core are named in rtl/events.def' 1 harness/core 'see("u_lsu.step");'
printf 'names: %d planted mistakes found, %d not\n' $passed $failed
[ $failed = 0 ] && [ $passed != 0 ]
