#!/bin/sh
# Programs on a core that is smaller than the usual one: what does not fit is refused, by model and lockstep alike.
# SPDX-License-Identifier: Apache-2.0
# use: small_core.sh HEDDLE CORE        (WARPS=4 NREGS=64 SHARED_BYTES=4096, LANES=4; its full path)
heddle=$1 core=$2
. tests/fail/begin.sh || exit 4
try() {             # what, what it says, command
    what=$1 says=$2
    shift 2
    "$@" > "$tmp/out" 2>&1 && grep -q "$says" "$tmp/out" && ok || bad "$what: without \`$says\`"
}
cat > "$tmp/app.cu" <<'END'
#include <cstdio>
__global__ void k(int *a) { a[threadIdx.x] = threadIdx.x; }
int main()
{
    int *a, last = 0;
    cudaMalloc(&a, 640);
    k<<<1, 64>>>(a);
    cudaMemcpy(&last, a + 63, 4, cudaMemcpyDeviceToHost);
    k<<<1, 160>>>(a);
    printf("%d %d\n", last, (int)cudaGetLastError());
}
END
"$heddle" nvcc "$tmp/app.cu" -o "$tmp/app" || exit 1
for kind in model lockstep; do
    try "program, $kind" '^63 9$' env HEDDLE_CACHE=off HEDDLE=$kind HEDDLE_CORE="$core" "$tmp/app"
done
# What the device says of itself is what that core has.
"$heddle" nvcc cuda/tests/room.cu -o "$tmp/room" || exit 1
for kind in model lockstep; do
    try "room, $kind" '^PASS$' env HEDDLE_CACHE=off HEDDLE=$kind HEDDLE_CORE="$core" "$tmp/room" 4 4096 63
done
echo "programs on a small core: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed = 4 ]
