#!/bin/sh
# A core that is smaller than the usual one: what does not fit is refused by a sentence that names the limit, by model
# and lockstep alike; what fits is equal; a check counts what does not fit apart.
# SPDX-License-Identifier: Apache-2.0
# use: small_core.sh HEDDLE CORE        (WARPS=4 NREGS=64 SHARED_BYTES=4096, LANES=4; its full path)
heddle=$1 core=$2
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
wrong=0 tried=0
try() {             # what, exit status, what it says, command
    what=$1 want=$2 says=$3
    shift 3
    "$@" > "$tmp/said" 2>&1
    code=$?
    tried=$((tried + 1))
    [ $code = "$want" ] && grep -q "$says" "$tmp/said" && return
    echo "FAIL $what: exit status $code, wanted $want and: $says"
    cat "$tmp/said"
    wrong=1
}
cat > "$tmp/k.cu" <<'END'
extern "C" __global__ void k(int *a) { __shared__ volatile int s[64]; int i = threadIdx.x; s[i % 64] = i; a[i] = s[i % 64]; }
END
printf '.text\n.kernel many\n.regs 65\n    MOV R64, 1\n    EXIT\n' > "$tmp/many.s"
for c in run lockstep; do
    try "$c: fits" 0 . "$heddle" $c "$tmp/k.cu" --core "$core" --grid 3 --block 64 'a:i32[64]'
    try "$c: warps" 2 'block 129,1,1: must be 1 to 128 threads, 32 for each of the core.s 4 warps' \
        "$heddle" $c "$tmp/k.cu" --core "$core" --grid 1 --block 129 'a:i32[129]'
    try "$c: shared" 2 'a block needs 4224 bytes of shared memory, the core has 4096' \
        "$heddle" $c "$tmp/k.cu" --core "$core" --grid 1 --block 32 --shared 3841 'a:i32[64]'
    try "$c: registers" 2 'many needs 65 registers a thread, the core has 64' \
        "$heddle" $c "$tmp/many.s" --core "$core" --grid 1 --block 32
    try "$c: --warps" 2 '5 warps: the core has 4' \
        "$heddle" $c "$tmp/k.cu" --core "$core" --warps 5 --grid 1 --block 32 'a:i32[64]'
    try "$c: --lanes" 2 '32 lanes: the core has 4' \
        "$heddle" $c "$tmp/k.cu" --core "$core" --lanes 32 --grid 1 --block 32 'a:i32[64]'
    try "$c: no file" 2 'none.so: there is no such core' \
        "$heddle" $c "$tmp/k.cu" --core none.so --grid 1 --block 32 'a:i32[64]'
    try "$c: no core" 2 'invalid ELF header' \
        "$heddle" $c "$tmp/k.cu" --core "$tmp/k.cu" --grid 1 --block 32 'a:i32[64]'
done
# Beside heddle it would be taken for the usual core: that says no.
mkdir -p "$tmp/rtl" && cp "$heddle" "$tmp/heddle" && cp "$core" "$tmp/rtl/libcore_l4.so"
try 'not named' 2 'CFG_WARPS (0x0a4) reads 0x00000004, it should be 0x00000020 (a core of another size is named by --core)' \
    "$tmp/heddle" lockstep "$tmp/k.cu" --no-snapshots --lanes 4 --grid 1 --block 32 'a:i32[64]'
# A check: one launch that fits and one that does not; one that does not, alone.
for n in 2 5; do
    printf '// RUN: --grid 1 --block %d a:i32[160]\n// EXPECT: a[0:2] = 0 1\n' $((32 * n))
done > "$tmp/runs"
cat "$tmp/runs" "$tmp/k.cu" > "$tmp/both.cu"
sed 1,2d "$tmp/both.cu" > "$tmp/none.cu"
try 'check: a part' 0 '^check: 6 passed, 0 failed, 3 do not fit$' \
    "$heddle" check --core "$core" --mem-seed 77 "$tmp/both.cu"
try 'check: which' 0 'both.cu:3: model: does not fit: block 160,1,1: must be' \
    "$heddle" check --core "$core" --mem-seed 77 "$tmp/both.cu"
try 'check: nothing' 1 '^check: 0 passed, 0 failed, 3 do not fit$' \
    "$heddle" check --core "$core" --mem-seed 77 "$tmp/none.cu"
[ $wrong = 0 ] && echo "small core: $tried answers as they must be"
exit $wrong
