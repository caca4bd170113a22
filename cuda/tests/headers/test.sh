#!/bin/sh
# Judges the header functions: every function of functions.tsv on the model and on the host, against what
# an H200 answered; that the list is whole; and that the judge sees planted mistakes.
# SPDX-License-Identifier: Apache-2.0
#   test.sh BUILD        BUILD/headers/judge and heddle are there
build=$1 here=cuda/tests/headers work=$1/headers
export HEDDLE_CACHE="$work/cache"
fail() { echo "FAIL: $*"; exit 1; }
gunzip -c $here/h200.txt.gz > "$work/h200.txt" || exit 4

# programs LIST FOLDER OPTIONS: generated, compiled, run; their answers in FOLDER/judge_*.raw.
programs() {
    list=$1 folder=$2
    shift 2
    rm -rf "$folder" && mkdir -p "$folder" && $here/generate.pl "$list" "$folder" || exit 4
    for f in "$folder"/judge_*.cu; do echo "${f%.cu}"; done | xargs -P "$(nproc)" -I{} sh -c \
        "'$build/heddle' nvcc -arch=sm_90 -std=c++17 -w -I$here $* {}.cu -o {} && {} {}.raw || echo 'FAIL: {} was not judged'"
}
programs $here/functions.tsv "$work/programs"
"$work/judge" $here/functions.tsv "$work/h200.txt" "$work"/programs/judge_*.raw || exit 1
mkdir -p "$work/listed"
$here/listed.pl "$build/heddle" $here/functions.tsv "$work/listed" || exit 1

# Another rounding, a function that loses bits, and an overload with another type.
grep -E '^(float __fadd_rn|float expm1f|float rcbrt)\(' $here/functions.tsv > "$work/planted.tsv"
grep -E '^(float __fadd_rn|float expm1f|float rcbrt)\(' "$work/h200.txt" > "$work/planted.txt"
programs "$work/planted.tsv" "$work/planted" -DPLANTED
"$work/judge" "$work/planted.tsv" "$work/planted.txt" "$work"/planted/judge_*.raw > "$work/planted.out"
[ $? -eq 1 ] || fail "planted mistakes were not found"
for said in 'float __fadd_rn(float, float), device: case' 'float expm1f(float), device: case' 'float rcbrt(float), device: another type'; do
    grep -qF "FAIL: $said" "$work/planted.out" || fail "without \`$said': $(cat "$work/planted.out")"
done
sed '/^float expm1f/d' "$work/planted.txt" > "$work/short.txt"
"$work/judge" "$work/planted.tsv" "$work/short.txt" "$work"/planted/judge_*.raw > "$work/short.out"
[ $? -eq 1 ] && grep -q 'FAIL: float expm1f(float), device: .*missing' "$work/short.out" || fail "a row that was not recorded is not missed"
echo "headers: planted mistakes found"
