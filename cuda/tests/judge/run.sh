#!/bin/sh
# Kernels of public PTX files under launches that nobody describes, on the model and on a GPU: see cuda/docs/public.md.
# SPDX-License-Identifier: Apache-2.0
# use: run.sh BUILD DIR OUT [GPU]      GPU: results that the judge wrote where a GPU is
build=$1 dir=$2 out=$3 gpu=$4
here=$(dirname "$0")
fail() { echo "judge: $*" >&2; exit 2; }
test -d "$dir" || fail "$dir is no folder"
mkdir -p "$out/ptx" || fail "$out cannot be made"
run_model() {   # PLAN RESULTS
    rm -f "$2"
    LD_LIBRARY_PATH="$build/cuda" HEDDLE_LIMIT=${LIMIT:-400000} HEDDLE_CACHE="$out/cache" "$out/judge" "$1" "$2" 20 2> "$2.log"
}
find "$dir" -name '*.ptx' -exec perl "$here/strict.pl" "$out/ptx" {} + || fail "no PTX of $dir could be read"
perl "$here/plan.pl" "${TRIALS:-3}" "$out"/ptx/*.ptx > "$out/all.txt" || fail "no plan could be made"
${CC:-cc} -O2 -Icuda/include -Icompiler/include "$here/judge.c" -o "$out/judge" -L"$build/cuda" -lcuda || fail "judge.c did not compile"
test -s "$out/model.txt" || run_model "$out/all.txt" "$out/model.txt" || fail "see $out/model.txt.log"
# Launches that end and change something are those that a GPU runs too.
awk '$2 == "ok" && $NF != "changed=0" { print $1, $2, $3, "" }' "$out/model.txt" > "$out/expected.txt"
awk 'NR == FNR { valid[$1] = 1; next } $1 in valid' "$out/expected.txt" "$out/all.txt" > "$out/plan.txt"
echo "judge: launches $(wc -l < "$out/all.txt"), valid ones $(wc -l < "$out/plan.txt"), of kernels $(cut -d. -f1 "$out/plan.txt" | sort -u | wc -l)"
if test -z "$gpu"; then
    echo "judge: where a GPU is, in this folder with $out: $out/judge $out/plan.txt gpu.txt 5 0 1 $out/expected.txt; then GPU=gpu.txt"
    exit 0
fi
awk 'NR == FNR { sum[$1] = $3; next } $1 in sum && $2 == "ok" && $3 != sum[$1] { print $1 }' "$out/expected.txt" "$gpu" > "$out/differ.ids"
awk 'NR == FNR { d[$1] = 1; next } $1 in d' "$out/differ.ids" "$out/plan.txt" > "$out/differ.txt"
: > "$out/third.txt.log"
test ! -s "$out/differ.txt" || JUDGE_ALONE=1 HEDDLE_THIRD_LEG=1 HEDDLE_REPORT=1 run_model "$out/differ.txt" "$out/third.txt"
perl "$here/compare.pl" "$out/plan.txt" "$out/model.txt" "$gpu" "$out/third.txt.log"
