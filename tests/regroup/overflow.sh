#!/bin/sh
# Counts by equation (1) that 32 bits do not hold are refused with status 2 and a sentence; smaller
# ones are taken.
# SPDX-License-Identifier: Apache-2.0
# use: overflow.sh HEDDLE
heddle=$1
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
fail() { echo "overflow: $*"; exit 1; }
# a thread makes in[thread] rounds
cat > "$tmp/k.cu" <<'CU'
__global__ void k(const unsigned *in, unsigned *out)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, v = t;
    for (unsigned n = in[t]; n; n--)
        v = v * 1664525 + (v >> 7);
    out[t] = v;
}
CU
"$heddle" cc "$tmp/k.cu" --show=ptx -o /dev/null > "$tmp/k.ptx" || exit 1
perl -e 'print pack "V*", map { $_ * 37 % 101 } 1 .. 256' > "$tmp/in"
"$heddle" bbv "$tmp/k.ptx" --grid 4 --block 64 "in:u32[256]=@$tmp/in" "out:u32[256]" --fit "$tmp/fit" > "$tmp/out" || fail "no fit"
grep -q 'mean square error 0.000000' "$tmp/out" || fail "the fit is not exact"
launch() { echo "$tmp/k.ptx --grid 4 --block 64 in:u32[256]=fill:$1 out:u32[256]"; }
for command in 'regroup --by sorting' 'regroup --by best --json'; do
    "$heddle" $command $(launch 100000) --model "$tmp/fit" > /dev/null 2> "$tmp/err" || { cat "$tmp/err"; fail "$command: 100,000 rounds are refused"; }
    "$heddle" $command $(launch 4100000000) --model "$tmp/fit" > "$tmp/out" 2> "$tmp/err"
    [ $? -eq 2 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l < "$tmp/err")" -eq 1 ] &&
        grep -q 'a thread executes the block at PC 0x[0-9a-f]* 4000000000 times or more' "$tmp/err" || { cat "$tmp/err"; fail "$command: no status 2 and sentence"; }
done
echo "regroup: counts that overflow are refused"
