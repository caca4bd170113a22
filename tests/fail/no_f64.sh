#!/bin/sh
# A core without an f64 unit refuses an image that needs one, and runs the same kernel by routines.
# SPDX-License-Identifier: Apache-2.0
# use: no_f64.sh HEDDLE KERNEL.cu      (HEDDLE: beside such a core)
heddle=$1 kernel=$2
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
# Without snapshots: these would take the traced core of the folder it is run in.
set -- --no-snapshots --lanes 4 --grid 1 --block 32 'a:f32[32]=rand:3' 'b:f32[32]=rand:4' 'out:u32[768]'
"$heddle" lockstep "$kernel" "$@" > "$tmp/said" 2>&1
code=$?
if [ $code -eq 0 ] || ! grep -q 'the core has no f64 unit, which this image needs: compile with --f64 routines' "$tmp/said"; then
    echo "FAIL: an f64 image on a core without the unit: exit status $code"
    cat "$tmp/said"
    exit 1
fi
"$heddle" lockstep "$kernel" --f64 routines "$@" > "$tmp/said" 2>&1 || { cat "$tmp/said"; exit 1; }
grep '^lockstep: equal' "$tmp/said" && echo "no f64 unit: refused with exit status $code, and equal by routines"
