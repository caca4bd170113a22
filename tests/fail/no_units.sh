#!/bin/sh
# A core without float units, MUFU or constant cache refuses an image that needs one, as division of integers
# does floats, and runs what does not.
# SPDX-License-Identifier: Apache-2.0
# use: no_units.sh HEDDLE HEDDLE HEDDLE      (beside a core without floats, one without MUFU, one without constants)
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
begin='extern "C" __global__ void k(float *a, int *b) { int i = threadIdx.x;'
echo "$begin b[i] = b[i] * 5 + __popc(b[i]); }" > "$tmp/integer.cu"
echo "$begin b[i] += (int)(long)a; }" > "$tmp/constant.cu"
echo "$begin b[i] /= i + 1; }" > "$tmp/division.cu"
echo "$begin a[i] = a[i] * 2.0f + 1.0f; }" > "$tmp/float.cu"
echo "$begin a[i] = __sinf(a[i]); }" > "$tmp/sine.cu"
wrong=0
# Without snapshots: these would take the traced core of the folder it is run in.
try() {             # heddle, kernel, exit status, what it says, options
    "$1" lockstep "$tmp/$2.cu" $5 --no-snapshots --lanes 4 --grid 1 --block 32 'a:f32[32]=rand:3' \
        'b:i32[32]=rand:4' > "$tmp/said" 2>&1
    code=$?
    [ $code = "$3" ] && grep -q "$4" "$tmp/said" && return
    echo "FAIL $2: exit status $code, wanted $3 and: $4"
    cat "$tmp/said"
    wrong=1
}
try "$1" integer 0 '^lockstep: equal'
try "$1" float   2 'the core has no float unit (FLOAT_LANES=0), which this image needs'
try "$1" division 2 'the core has no float unit (FLOAT_LANES=0), which this image needs'
try "$2" division 2 'the core has no MUFU for approximated functions (SFU=0), which this image needs'
try "$2" float   0 '^lockstep: equal'
try "$2" sine    2 'the core has no MUFU for approximated functions (SFU=0), which this image needs'
try "$3" constant 2 'the core has no constant cache (CONST_BYTES=0), and this image has constants as operands: compile with --constants loads'
try "$3" constant 0 '^lockstep: equal' '--constants loads'
[ $wrong = 0 ] && echo "no float unit, no MUFU, no constant cache: images that need one are refused, others are equal"
exit $wrong
