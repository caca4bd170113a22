#!/bin/sh
# After a reset every register that tests/icarus/known.txt lists must be known: none has lost its
# reset, also where an `if` would take an unknown value for 0 and nothing would show.
# SPDX-License-Identifier: Apache-2.0
# usage: known.sh BUILD PROGRAM [--accept]    (PROGRAM: the core, compiled by Icarus)
list=tests/icarus/known.txt
now=$(mktemp) || exit 1
trap 'rm -f "$now" "$now.all"' EXIT INT TERM
# Flip-flops and registered outputs, of replicated units the first; the probe is no hardware.
vvp -n -M "$1/rtl" -m known "$2" > "$now.all" || { echo "FAIL known: vvp $2"; exit 1; }
sed -n 's/^simt_core\.//; /_[qo]$/p' "$now.all" |
    grep -v '\[[1-9][0-9]*\]\.\|^u_probe_\|^u_events\.\|\.g_bank\[' | LC_ALL=C sort > "$now"
[ -s "$now" ] || { echo "FAIL known: $2 lists no register"; exit 1; }
[ "$3" = --accept ] && exec cp "$now" "$list"
[ -s "$list" ] || { echo "FAIL known: $list lists no register"; exit 1; }
lost=$(LC_ALL=C comm -23 "$list" "$now")
more=$(LC_ALL=C comm -13 "$list" "$now" | wc -l)
if [ -n "$lost" ]; then
    printf 'FAIL unknown after the reset (or gone; then: make icarus-accept): %s\n' $lost
    exit 1
fi
echo "icarus: $(wc -l < "$list") registers are known after the reset"
[ "$more" = 0 ] || echo "icarus: so are $more that are not listed: make icarus-accept"
