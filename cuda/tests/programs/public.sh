#!/bin/sh
# The recipe for public programs: one that passes, one that says that it fails, one that does not build.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

for name in good bad; do
    mkdir -p "$tmp/public/src/$name-cuda"
    printf 'main: main.cu\n\t$(CC) -DWRONG=%s $< -o $@\nrun: main\n\t./main 5 100\n' $([ $name = bad ]; echo $((1 - $?))) \
        > "$tmp/public/src/$name-cuda/Makefile"
    cp $here/public_one.cu "$tmp/public/src/$name-cuda/main.cu"
done
mkdir "$tmp/public/src/none-cuda"
printf 'main:\n\t$(CC) none.cu\n' > "$tmp/public/src/none-cuda/Makefile"
printf '#include "cudnn.h"\n' > "$tmp/public/src/none-cuda/none.cu"
expect 0 'programs: tried 3, pass by their own check 1, end without saying 0, do not pass 1, do not build 1' \
    $here/public.pl "$heddle" "$tmp/public" "$tmp/tried"
said '| good-cuda | passes | 1 | 0.00 | 3.1 |' 'no: says that it fails (bad-cuda)' 'build: header cudnn.h (none-cuda)'
# In lockstep: what passed on the model, and RTL and model have to be equal.
expect 0 'programs: tried 1, pass by their own check 1, end without saying 0, do not pass 0, do not build 0' \
    $here/public.pl "$heddle" "$tmp/public" "$tmp/tried" '' '' lockstep
said '| good-cuda | passes | 1 | 0.00 | 3.1 |' '| equal |'
holds 'good-cuda was not run in lockstep' grep -q 'all: lockstep: equal; compared' "$tmp/tried/lockstep/good-cuda.log"
expect 2 'is neither model nor lockstep' $here/public.pl "$heddle" "$tmp/public" "$tmp/tried" '' '' slow
mkdir "$tmp/nothing"
expect 2 'no folder in' $here/public.pl "$heddle" "$tmp/nothing" "$tmp/none"
# Without makefiles each file with a main is a program.
mkdir -p "$tmp/files/more"
cat > "$tmp/files/more/one.cu" << 'END'
#include <cstdio>
__global__ void k(int *p) { *p = 3; }
int main()
{
    int *p, v = 0;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(p);
    cudaMemcpy(&v, p, 4, cudaMemcpyDefault);
    puts(v == 3 ? "PASS" : "FAIL");
}
END
printf '__global__ void part() {}\n' > "$tmp/files/part.cu"
expect 0 'programs: tried 1, pass by their own check 1, ' $here/public.pl "$heddle" "$tmp/files" "$tmp/filed"
said '| more@one.cu | passes | 1 | 0.00 |'
finish
