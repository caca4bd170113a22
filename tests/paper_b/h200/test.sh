#!/bin/sh
# The recipe with our model in the GPU's place: kernels run, memory is compared, every row is there
# and is read; what may fail on a GPU fails here, too, and the recipe ends with what it has.
# SPDX-License-Identifier: Apache-2.0
# use: test.sh FOLDER, packed, with the stand-in
recipe=$(dirname "$0")/run.sh
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
export SIZE=rtl LAUNCHES=1 LIMIT=400
fail() { echo "test: $*"; exit 1; }

WORK=$tmp/all "$recipe" "$1" > "$tmp/h200.csv" || { cat "$tmp/h200.csv"; fail "the recipe ends with $?"; }
# the original once, four orders redirected, and moved where elements can; what is best applied by;
# three pipelines or two; two of nvcc's PTX
moved=$(cat "$1"/*.moved | grep -c :)
nvcc=$(ls "$1"/*.nvcc.ptx 2> /dev/null | grep -c .)
rows=$((35 + 4 * moved + 7 + 14 + moved + 2 * nvcc))
got=$(grep -c '^[a-z]*,[a-z-]*,[a-z-]*,[0-9.]*[1-9][0-9.]*,[0-9]*,[0-9]*,[0-9]*,1,[0-9.e+-]*$' "$tmp/h200.csv")
[ "$moved" -ge 4 ] && [ "$got" -eq $rows ] || { cat "$tmp/h200.csv"; fail "$got rows of $rows"; }
[ "$(grep -c '^[a-z]*,auto-[a-z]*,best,' "$tmp/h200.csv")" -eq 7 ] || fail "what auto chooses is missing"
grep -q '^# insn = ' "$tmp/h200.csv" && grep -q '^# busy.sector = [1-9]' "$tmp/h200.csv" && ! grep -q 'not measured' "$tmp/h200.csv" || fail "no profile, or something is missing"
[ "$(grep -c '^[a-z]*,\(none\|redirect\|layout\),[a-z-]*,[0-9.]*,[1-9][0-9]*,[1-9][0-9]*,[1-9][0-9]*,' "$tmp/h200.csv")" -eq \
    $((35 + 4 * moved)) ] || fail "predictions are missing"
[ "$(grep -c '^counts,[a-z]*,[a-z-]*,[0-9.]*,[0-9]*,[1-9][0-9]*$' "$tmp/h200.csv")" -eq 35 ] || fail "counts are missing"
"$1/paper_b" h200 "$tmp/h200.csv" > "$tmp/claims" || fail "what the recipe writes is not read"
grep -q "^paper-b: h200.memory, the host's in $rows of $rows rows, .*, ok\$" "$tmp/claims" &&
    [ "$(grep -c '^paper-b: h200[.].*, \(ok\|differs\)$' "$tmp/claims")" -eq 23 ] || { cat "$tmp/claims"; fail "other claims"; }

# cut off, it is still read
head -n 30 "$tmp/h200.csv" > "$tmp/part.csv"
"$1/paper_b" h200 "$tmp/part.csv" > "$tmp/claims" && grep -q '^paper-b: h200.speed-sorting, .* of 7 workloads' "$tmp/claims" || fail "a part is not read"
echo 'mc,none,original,1.5' >> "$tmp/h200.csv"
"$1/paper_b" h200 "$tmp/h200.csv" > "$tmp/claims" 2>&1 && fail "half a line is read"
"$1/paper_b" h200 "$tmp/none.csv" > "$tmp/claims" && grep -q '^paper-b: h200, NOT RUN' "$tmp/claims" || fail "a file that is not there"

# a GPU that fails: at once, in the middle, in the pipeline; and time that is over
for bad in cuInit:1 cuDevicePrimaryCtxRetain:1 cuModuleLoadDataEx:2 cuMemsetD8_v2:1; do
    GPU_FAILS=$bad KERNELS=nw WORK=$tmp/w "$recipe" "$1" > "$tmp/bad.csv" 2> "$tmp/err"
    [ $? -eq 2 ] && grep -q '^gpu: .*CUDA_ERROR_LAUNCH_FAILED' "$tmp/err" || fail "$bad: no status 2 and reason"
done
for bad in cuLaunchKernel:4 cuMemcpyDtoH_v2:2 cuEventRecord:3 cuMemAlloc_v2:7; do
    GPU_FAILS=$bad timeout 60 "$1/gpu" time "$1" "$tmp/all" nw sorting best > "$tmp/rows" 2> "$tmp/err"
    [ $? -eq 2 ] && grep -q '^gpu: .*CUDA_ERROR_LAUNCH_FAILED' "$tmp/err" || fail "$bad: no status 2 and reason"
done
for bad in cuMemAllocHost_v2:1 cuStreamCreate:2 cuMemcpyHtoDAsync_v2:9 cuStreamWaitEvent:1 cuLaunchKernel:12; do
    GPU_FAILS=$bad timeout 60 "$1/gpu" pipeline "$1" "$tmp/all" nw > "$tmp/rows" 2> "$tmp/err"
    [ $? -eq 2 ] && grep -q '^gpu: .*CUDA_ERROR_LAUNCH_FAILED' "$tmp/err" || fail "$bad: no status 2 and reason"
done
LIMIT=0 KERNELS=nw WORK=$tmp/w "$recipe" "$1" > "$tmp/bad.csv" 2> /dev/null && fail "no time is enough"
cp -r "$tmp/all" "$tmp/broken"
head -c 100 "$tmp/all/nw.sorting.order" > "$tmp/broken/nw.sorting.order"
printf 'heddle-fit 1\n' > "$tmp/broken/nw.fit"
"$1/gpu" time "$1" "$tmp/broken" nw sorting > /dev/null 2>&1 && fail "an order that is cut off is taken"
"$1/gpu" pipeline "$1" "$tmp/broken" nw > /dev/null 2>&1 && fail "a fit that is cut off is taken"
dd if=/dev/urandom of="$tmp/broken/nw.want.out" bs=1024 count=4 2> /dev/null
"$1/gpu" time "$1" "$tmp/broken" nw > "$tmp/rows" && grep -q '^original none [0-9.]* 0$' "$tmp/rows" || fail "wrong memory is right"
"$1/gpu" time > /dev/null 2>&1 && fail "gpu takes wrong words"

# an assembler for the chip, where there is one, takes the PTX, and leaves all instructions of the
# chains
assembler=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2> /dev/null)
if [ -n "$assembler" ]; then
    mkdir "$tmp/ptx" && "$1/gpu" ptx "$tmp/ptx" || fail "gpu ptx"
    code() { "$assembler" -arch=sm_90 "$1" -o "$tmp/cubin" 2> /dev/null && size -A "$tmp/cubin" | awk '/^\.text/ { print $2 }'; }
    for f in "$tmp"/ptx/*-256.ptx; do
        full=$(code "$f") none=$(code "${f%-256.ptx}-0.ptx")
        [ $((full - none)) -ge $((256 * 16)) ] || fail "$(basename "$f"): the assembler leaves $(((full - none) / 16)) of 256"
    done
    for f in "$1"/*.ptx; do [ -n "$(code "$f")" ] || fail "$f is not assembled"; done
fi
echo "paper-b: the recipe for a GPU writes $rows rows${assembler:+; assembled for sm_90}"
