#!/bin/sh
# A whole CUDA program on a simulated board: several launches, on a new board each or on the same one.
# SPDX-License-Identifier: Apache-2.0
# use: program.sh HEDDLE LIBRARY      HEDDLE: beside rtl/libboard_l4.so; LIBRARY: what programs run with
set -e
heddle=$1
dir=$(dirname "$heddle")/program
fail() { echo "program.sh: $1"; exit 1; }
rm -rf "$dir" && mkdir -p "$dir/rtl"
cp "$2" "$dir/" && ln -s ../../rtl/libboard_l4.so "$dir/rtl/"
cat > "$dir/p.cu" << 'K'
#include <cstdio>
__global__ void sums(unsigned *out, const unsigned *in)
{
    __shared__ unsigned s[96];
    unsigned t = threadIdx.x, n = 0;
    for (unsigned i = 0; i <= t % 7; i++) n += in[(t + i) % 96];
    s[t] = n;
    __syncthreads();
    out[blockIdx.x * 96 + t] = s[95 - t];
}
int main()
{
    unsigned in[96], out[288], *din, *dout, bad = 0;
    for (unsigned i = 0; i < 96; i++) in[i] = i * i;
    if (cudaMalloc(&din, sizeof in) || cudaMalloc(&dout, sizeof out)) return 5;
    for (unsigned launch = 0; launch < 3; launch++) {
        if (cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice)) return 6;
        sums<<<3, 96>>>(dout, din);
        if (cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost)) return 7;
        for (unsigned k = 0; k < 288; k++) {
            unsigned n = 0, t = 95 - k % 96;
            for (unsigned i = 0; i <= t % 7; i++) n += in[(t + i) % 96];
            bad += out[k] != n;
        }
        in[launch]++;
    }
    puts(bad ? "wrong" : "PASS");
    return bad != 0;
}
K
"$(dirname "$2")/heddle" nvcc "$dir/p.cu" -o "$dir/p"
# $1: status, $2: what must be said, then the environment
on() {
    status=$1 text=$2
    shift 2
    got=0
    env HEDDLE_CACHE=off LD_LIBRARY_PATH="$dir" "$@" "$dir/p" > "$dir/out" 2>&1 || got=$?
    [ $got -eq "$status" ] || fail "$*: status $got: $(cat "$dir/out")"
    grep -q "$text" "$dir/out" || fail "$*: not \`$text': $(cat "$dir/out")"
}
for link in sim: sim:same; do
    on 0 PASS HEDDLE=board:$link HEDDLE_BOARD_DIGEST=16
    for n in 1 2 3; do
        grep -q "launch $n: board: $link, 0\..* bytes a commit, .* digest every 16," "$dir/out" || fail "$(cat "$dir/out")"
    done
    grep -q 'all: lockstep: equal; compared .* overrode 0' "$dir/out" || fail "$(cat "$dir/out")"
done
on 2 'is no link' HEDDLE=board:usb:1
on 2 'from 2 to 65535' HEDDLE=board:sim: HEDDLE_BOARD_DIGEST=1
echo "programs: three launches on a board"
