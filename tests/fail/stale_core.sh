#!/bin/sh
# A core that is older than rtl/: whatever would use it refuses, and says what builds it again.
# SPDX-License-Identifier: Apache-2.0
# use: stale_core.sh BUILD       heddle, programs, the core of LANES=4 with and without tracing
build=$1
. tests/fail/begin.sh || exit 4
tree=$tmp/tree
heddle=$tree/build/heddle

# What a core is made of, and what was built of it, where sources.c looks for it.
mkdir -p "$tree/build/rtl" "$tree/harness" "$tree/cmodel" "$tmp/far/rtl"
cp -rp rtl "$tree/" && cp -rp harness/core "$tree/harness/" && cp -rp cmodel/isa "$tree/cmodel/" &&
    cp -rp "$build/gen" "$build/heddle" "$tree/build/" &&
    cp -p "$build"/rtl/libcore_l4*.so "$build/rtl/libshare.so" "$tree/build/rtl/" &&
    cp -p "$build/heddle" "$tmp/far/" && cp -p "$build/rtl/libcore_l4.so" "$tmp/far/rtl/" || exit 4

# says STATUS 'TEXT' COMMAND...: in the tree; TEXT of nothing: not a word of dates
says() {
    want=$1 text=$2
    shift 2
    (cd "$tree" && "$@") > "$tmp/out" 2>&1
    got=$?
    if [ $got -eq "$want" ] && { [ -z "$text" ] && ! grep -q 'out of date' "$tmp/out" ||
        { [ -n "$text" ] && grep -qF -- "$text" "$tmp/out"; }; }; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $*: exit status $got, expected $want and \`$text\`:"
        sed 's/^/    /' "$tmp/out"
    fi
}
cat > "$tree/x.cu" << 'K'
// LANES: 4
// RUN: --grid 1 --block 32 o:u32[32] a:u32[64]=iota
// EXPECT: o[0:2] = 32 32
extern "C" __global__ void k(unsigned *o, const unsigned *a)
{
    o[threadIdx.x] = a[threadIdx.x] ^ a[threadIdx.x + 32];
}
K
cat > "$tree/p.cu" << 'K'
#include <cstdio>
__global__ void k(int *o) { *o = 7; }
int main()
{
    int *d, h = 0;
    if (cudaMalloc(&d, 4) != cudaSuccess) return 5;
    k<<<1, 1>>>(d);
    if (cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost) != cudaSuccess) return 6;
    return h != 7;
}
K
x="x.cu --lanes 4 --grid 1 --block 32 o:u32[32] a:u32[64]=iota"
# A program, too, where these are built.
program="$heddle lockstep $x --no-snapshots"
if [ -x "$build/heddle-nvcc" ]; then
    cp -p "$build/heddle-nvcc" "$build"/*.so "$tree/build/" && ln -s "$(realpath "$build/include")" "$tree/build/include" || exit 4
    says 0 '' "$heddle" nvcc p.cu -o p
    program="env HEDDLE=lockstep HEDDLE_LANES=4 LD_LIBRARY_PATH=$tree/build ./p"
fi
says 0 '' "$heddle" lockstep $x
says 0 '' "$heddle" lockstep $x --no-snapshots
says 0 '' "$heddle" lockstep $x --no-snapshots --cores 2
says 0 '' $program
# Its time is no matter.
touch "$tree"/rtl/*/*.v
says 0 '' "$heddle" lockstep $x --no-snapshots
touch -d '1 year ago' "$tree/rtl/exec/alu.v"
says 0 '' "$heddle" lockstep $x --no-snapshots

old='rtl/exec/alu.v has changed since it was built): make '
cp -p "$tree/rtl/exec/alu.v" "$tmp/alu.v"
sed "s/OP_XOR ? 8'h3c/OP_XOR ? 8'h3e/" "$tmp/alu.v" > "$tree/rtl/exec/alu.v"
cmp -s "$tmp/alu.v" "$tree/rtl/exec/alu.v" && { echo "FAIL no bug could be planted in rtl/exec/alu.v"; exit 1; }
touch -r "$tmp/alu.v" "$tree/rtl/exec/alu.v"
core=$build/rtl/libcore_l4
says 2 "$old" "$heddle" lockstep $x
says 2 "$old" "$heddle" lockstep $x --no-snapshots
says 2 "$core.so" "$heddle" lockstep $x --no-snapshots
says 2 "$old" "$heddle" lockstep $x --core build/rtl/libcore_l4.so
says 2 "$old" "$heddle" lockstep $x --step
says 2 "$old" "$heddle" wave $x -o w.fst
says 2 "$old" "$heddle" trace $x --core build/rtl/libcore_l4.so
says 2 "$old" "$heddle" profile $x --core build/rtl/libcore_l4.so
says 2 "$old" "$heddle" fuzz --lanes 4 --count 2 --out fuzz
says 2 "$old" "$heddle" check --lanes 4 x.cu
says 2 'check: 3 passed, 0 failed, 5 not run' "$heddle" check --lanes 4 x.cu
says 2 "$old" $program
says 2 "cd $tree && make" sh -c "cd / && $heddle lockstep $tree/$x"
says 0 '' "$heddle" run $x
# One that lies in no tree has nothing to be older than.
says 0 '' "$tmp/far/heddle" lockstep $x

# Of two, the one that is as the tree.
cp -p "$tmp/alu.v" "$tree/rtl/exec/alu.v"
crc=$(cksum < "$tmp/alu.v" | tr ' ' '_' | sed 's/_.*//')
perl -pi -e "s/;$crc( \\d+ rtl\\/exec\\/alu.v;)/';' . ('1' x length '$crc') . \$1/e" "$tree/build/rtl/libcore_l4.so"
says 0 'libcore_l4.so is out of date and not used' "$heddle" lockstep $x --no-snapshots
says 0 '' "$heddle" lockstep $x
rm "$tree/build/rtl/libcore_l4_trace.so"
says 2 "$old" "$heddle" lockstep $x
cp -p "$build/rtl/libcore_l4.so" "$tree/build/rtl/"

# Every kind of source.
for file in rtl/probe.vlt rtl/simt_core.v harness/core/rtl_shim.h build/gen/decode_gen.v; do
    cp -p "$tree/$file" "$tmp/kept"
    echo '// new' >> "$tree/$file"
    says 2 "${file##*/} has changed since it was built" "$heddle" lockstep $x
    cp -p "$tmp/kept" "$tree/$file"
done
mv "$tree/rtl/exec/alu.v" "$tmp/alu.v"
says 2 'rtl/exec/alu.v has gone since it was built' "$heddle" lockstep $x
mv "$tmp/alu.v" "$tree/rtl/exec/alu.v"
echo '// new' >> "$tree/rtl/cores/share.v"
says 2 'share.v has changed since it was built' "$heddle" lockstep $x --cores 2

echo "stale core: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
