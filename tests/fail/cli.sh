#!/bin/sh
# Wrong use and broken input: each case with the exit status and the message it must give.
# SPDX-License-Identifier: Apache-2.0
heddle=${BUILD:-build}/heddle
. tests/fail/begin.sh || exit 4

# expect STATUS 'MESSAGE' ARGS...: the message is a fixed string somewhere in what is printed.
expect() {
    want=$1 message=$2
    shift 2
    timeout -s KILL 60 "$heddle" "$@" > "$tmp/out" 2>&1
    got=$?
    # a failure says why, and that is looked at
    if [ $got -eq "$want" ] && { [ "$want$message" = 0 ] || { [ -n "$message" ] && grep -qF -- "$message" "$tmp/out"; }; }; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL heddle $*: exit status $got, expected $want with \`$message\`:"
        sed 's/^/    /' "$tmp/out"
    fi
}

k=tests/kernels/divergent.cu
launch="--grid 1 --block 32 data:f32[32]=rand:1 steps:i32[32] n:i32=32"

mkdir "$tmp/inc"
printf '#define WIDTH 5\n' > "$tmp/inc/width.h"
printf '#include "width.h"\nextern "C" __global__ void k(int *out) { out[0] = WIDTH * SCALE; }\n' > "$tmp/inc.cu"
expect 0 'out[0:1] = 35' run "$tmp/inc.cu" -I "$tmp/inc" -DSCALE=7 --grid 1 --block 1 'out:i32[1]' --print 'out[0:1]'
# A message names a line of the source, not that of a header with the source's name.
{ yes '' | head -40; echo '__device__ inline void wrong() { asm volatile("wgmma.fence.sync.aligned;"); }'; } > "$tmp/inc/wrong.h"
printf '#include "wrong.h"\nextern "C" __global__ void k(int *out)\n{\n    out[0] = 1;\n    wrong();\n}\n' > "$tmp/wrong.cu"
expect 2 'wrong.cu:4: wgmma.fence.sync.aligned is not supported yet' cc "$tmp/wrong.cu" -I "$tmp/inc" -o "$tmp/wrong.hx"
# The kernel that is named compiles without the others; what of those does not is a note.
printf '__device__ void odd() { asm volatile("wgmma.fence.sync.aligned;"); }\nextern "C" __global__ void bad(int *o) { o[0] = 1; odd(); }\n' > "$tmp/two.cu"
printf 'extern "C" __global__ void good(int *out) { out[0] = 42; }\n__global__ void pick(int *o) { o[1] = 1; }\n' >> "$tmp/two.cu"
printf '__global__ void pick(float *o) { asm volatile("wgmma.fence.sync.aligned;"); }\n' >> "$tmp/two.cu"
one="--grid 1 --block 1 out:i32[2]"
expect 2 'two.cu:1: wgmma.fence.sync.aligned is not supported yet' cc "$tmp/two.cu" -o "$tmp/two.hx"
expect 0 'note: `bad` is left out: ' cc "$tmp/two.cu" --kernel good -o "$tmp/two.hx"
expect 0 'out[0:1] = 42' run "$tmp/two.hx" --kernel good $one --print 'out[0:1]'
expect 0 'out[0:1] = 42' run "$tmp/two.cu" --kernel good $one --print 'out[0:1]'
expect 0 'note: `pick(float*)` is left out: ' cc "$tmp/two.cu" --kernel 'pick(int*)' -o "$tmp/two.hx"
expect 2 'two.cu: `bad` does not compile: ' run "$tmp/two.cu" --kernel bad $one
expect 2 'two.cu: `pick(float*)` does not compile: ' cc "$tmp/two.cu" --kernel pick -o "$tmp/two.hx"
expect 2 'no kernel none' run "$tmp/two.cu" --kernel none $one
expect 2 'no kernel none' cc "$tmp/two.cu" --kernel none -o "$tmp/two.hx"
expect 2 '--kernel: which kernel?' cc "$tmp/two.cu" --kernel '' -o "$tmp/two.hx"
echo 'struct S { char c[32765]; }; extern "C" __global__ void k(S s, char *o) { *o = s.c[o - (char *)0]; }' > "$tmp/many.cu"
expect 2 'kernel k: 32776 bytes of parameters, 32764 are possible' cc "$tmp/many.cu" -o "$tmp/many.hx"
"$heddle" cc "$tmp/two.cu" -o "$tmp/two.ptx"
expect 2 'two.ptx: `bad` does not compile: ' cc "$tmp/two.ptx" --kernel bad -o "$tmp/two.hx"
expect 0 'out[0:1] = 42' run "$tmp/two.ptx" --kernel good $one --print 'out[0:1]'
# Forms of f16 and bf16 that PTX does not have, and those that are not there.
refuses() { printf '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b16 %%h;\n.reg .b32 %%r;\n.reg .b64 %%a;\n.reg .f32 %%f;\n%s;\nret;\n}\n' "$2" > "$tmp/half.ptx"
    expect 2 "half.ptx:10:1: $1" cc "$tmp/half.ptx" -o "$tmp/half.hx"; }
printf '.version 8.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n.reg .f32 %%f;\nmma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%%f}, {%%f}\nret;\n}\n' > "$tmp/end.ptx"
expect 2 "end.ptx:8:1: expected ';' before ret" cc "$tmp/end.ptx" -o "$tmp/end.hx"
refuses 'add of f16 and bf16 rounds to nearest' 'add.rz.f16 %h, %h, %h'
refuses 'mul of bf16 has neither .ftz nor .sat' 'mul.sat.bf16x2 %r, %r, %r'
refuses 'fma has .relu for f16 and bf16, without .sat' 'fma.rn.relu.f32 %f, %f, %f, %f'
refuses 'cvt makes this type from .f32 only' 'cvt.rn.bf16x2.f16 %r, %h, %h'
refuses 'cvt has too few operands' 'cvt.rn.f16x2.f32 %r, %f'
refuses 'cvt to tf32 has .rna' 'cvt.rn.tf32.f32 %r, %f'
refuses 'min has .xorsign.abs, together' 'min.abs.f16 %h, %h, %h'
refuses 'atom of f16 and bf16 is .add.noftz' 'atom.add.f16 %h, [%a], %h'
refuses 'atom of 16 bits is .cas' 'atom.exch.b16 %h, [%a], %h'
refuses 'cvt.rn.satfinite.e4m3x2.bf16x2 is not supported yet' 'cvt.rn.satfinite.e4m3x2.bf16x2 %h, %r'
# Products, copies and small numbers: forms that are not there, and operands that do not fit.
refuses 'mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 is not supported yet' 'mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r,%r,%r,%r,%r,%r,%r,%r}, {%r,%r}, {%r,%r}, {%r,%r,%r,%r,%r,%r,%r,%r}'
refuses 'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 is not supported yet' 'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r,%r,%r,%r}, {%r,%r}, {%r,%r}, {%r,%r,%r,%r}'
refuses 'mma.sync.aligned.m16n8k8.row.col.f32.f16.bf16.f32 is not supported yet' 'mma.sync.aligned.m16n8k8.row.col.f32.f16.bf16.f32 {%r,%r,%r,%r}, {%r,%r}, {%r}, {%r,%r,%r,%r}'
refuses 'mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 is not supported yet' 'mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%r,%r,%r,%r}, {%r,%r,%r,%r}, {%r,%r,%r,%r}, {%r,%r,%r,%r}, %r, 0'
refuses '%h is .b16, the instruction wants .b32' 'mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%r,%r,%r,%h}, {%r,%r}, {%r}, {%r,%r,%r,%r}'
refuses 'cp.async.bulk.commit_group is not supported yet' 'cp.async.bulk.commit_group'
refuses 'cp.async.cg.shared.global is not supported yet' 'cp.async.cg.shared.global [%r], [%a], 8'
refuses 'mbarrier.expect_tx.relaxed.cta.shared::cta.b64 is not supported yet' 'mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r], 16'
refuses 'vadd.u32.u32 is not supported yet' 'vadd.u32.u32 %r, %r, %r'
refuses 'vmin4.u32.u32.u32 is not supported yet' 'vmin4.u32.u32.u32 %r, %r.b91, %r, %r'
refuses 'expected an address in brackets' 'ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r}, %r'
refuses 'expected an address in brackets' 'ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r}, [%rr'
refuses 'mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 is not supported yet' 'mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r,%r}, {%r}, {%r}, {%r,%rr'
refuses 'mma.sync.aligned.m8n8k16.col.row.s32.s8.s8.s32 is not supported yet' 'mma.sync.aligned.m8n8k16.col.row.s32.s8.s8.s32 {%r,%r}, {%r}, {%r}, {%r,%r}'
refuses "expected ',' between operands" 'cp.async.ca.shared.global [%r], [%a], 1 6'
refuses "\$a: in this instruction no name begins with \`\$'" 'vadd4.u32.u32.u32 %r, %r, $a, %r'
refuses 'a cache policy is a register of 64 bits' 'ld.global.L2::cache_hint.b32 %r, [%a], %r'
# Redirection: PTX as a result, orders that are none.
red="tests/kernels/redirect.cu --kernel linear"
launch5="--grid 5 --block 48 out:u32[260] n:u32=230"
expect 0 '' cc $red --redirect grid -o "$tmp/red.ptx"
head -c 960 /dev/zero > "$tmp/zeros.order"
expect 0 'run: ended' run "$tmp/red.ptx" --kernel linear $launch5 "d:u32[240]=iota"
expect 0 'order[0:2] = 239 238' run $red $launch5 --redirect grid --order reverse --print 'order[0:2]'
expect 2 'the order is no permutation: 0 occurs twice' run $red $launch5 --redirect grid --order "$tmp/zeros.order"
head -c 956 /dev/zero > "$tmp/short.order"
expect 2 "holds fewer than the launch's 240 numbers" run $red $launch5 --redirect grid --order "$tmp/short.order"
head -c 964 /dev/zero > "$tmp/long.order"
expect 2 "holds more than the launch's 240 numbers" run $red $launch5 --redirect grid --order "$tmp/long.order"
expect 2 'nowhere.order: cannot be read' run $red $launch5 --redirect grid --order "$tmp/nowhere.order"
expect 2 '--order: not identity, reverse or rand:SEED, and shuffled: cannot be read' run $red $launch5 --redirect grid --order shuffled
expect 2 'it goes with --redirect' run $red $launch5 --order reverse
expect 2 '--redirect: `warp` is not one of its values' run $red $launch5 --redirect warp
expect 2 '--redirect: `` is not one of its values' run $red $launch5 --redirect ''
expect 0 '' cc $red --redirect grid -o "$tmp/red.hx"
expect 2 'it needs CUDA C or PTX' run "$tmp/red.hx" $launch5 --kernel linear --redirect grid
# What comes inlined out of headers that are not the user's is at the line that calls it.
cat > "$tmp/lines.cu" <<'K'
extern "C" __global__ void k(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __shfl_xor_sync(0xffffffffu, __popc(i) + __clz(i), 1) + atomicAdd(out + 64, 1);
}
K
"$heddle" profile "$tmp/lines.cu" --grid 1 --block 32 'out:i32[65]' > "$tmp/lines" 2>&1
if grep -q 'lines.cu:4 ' "$tmp/lines" && ! grep -q 'no line\|\.h:' "$tmp/lines"; then passed=$((passed + 1))
else failed=$((failed + 1)); echo "FAIL a line of a header, or none:"; cat "$tmp/lines"; fi
# Accesses and their dependence on the global id.
expect 0 'line 12: ld.global.u32 sw_param_3 + 4*g' cc tests/paper_b/sw.cu --show=access
expect 0 'layout: parameter 3 (4 bytes a thread)' cc tests/paper_b/sw.cu --show=access
expect 0 'no layout: the global id is used beyond addresses' cc tests/paper_b/sl.cu --show=access
# The same source gives the same image.
for n in 1 2; do expect 0 '' cc "$k" -o "$tmp/same$n.hx"; done
if cmp -s "$tmp/same1.hx" "$tmp/same2.hx"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL heddle cc $k: two images"; fi
expect 2 "'width.h' file not found" run "$tmp/inc.cu" --define SCALE=7 --grid 1 --block 1 'out:i32[1]'
profile="--kernel k --grid 1 --block 32 po:u32[128]=zero pn:u32=8"
spec=tests/silicon/specrec/merge_48_8.ptx
sed '/simt/d' $spec > "$tmp/merge.ptx"
sed '/fma/{n;d}' "$tmp/merge.ptx" > "$tmp/other.ptx"
expect 0 'SIMT efficiency' profile "$tmp/merge.ptx" $profile --save "$tmp/merge.json"
expect 0 'remark: loop merge ' cc --profile "$tmp/merge.json" --remarks "$tmp/merge.ptx" -o "$tmp/merge.hx"
expect 2 'merge.json: is stale' cc --profile "$tmp/merge.json" "$tmp/other.ptx" -o "$tmp/other.hx"
echo '{}' > "$tmp/none.json"
head -c 500 "$tmp/merge.json" > "$tmp/half.json"
expect 2 'half.json: is not a whole profile' cc --profile "$tmp/half.json" "$tmp/merge.ptx" -o "$tmp/merge.hx"
expect 2 'is no profile of this version' cc --profile "$tmp/none.json" "$tmp/merge.ptx" -o "$tmp/merge.hx"
sed 's/"warps":[^,]*,/"warps": -1,/' "$tmp/merge.json" > "$tmp/minus.json"
expect 2 'a count is missing or is none' cc --profile "$tmp/minus.json" "$tmp/merge.ptx" -o "$tmp/merge.hx"
expect 2 'nowhere.json: cannot be read' cc --profile "$tmp/nowhere.json" "$tmp/merge.ptx" -o "$tmp/merge.hx"
expect 2 'leave --predict off' profile "$tmp/merge.ptx" $profile --predict auto --save "$tmp/merge.json"
expect 2 '--profile is what --predict auto decides by' cc --predict user --profile "$tmp/merge.json" "$tmp/merge.ptx"
expect 2 '--profile is what --predict auto decides by' cc --profile "$tmp/merge.json" --predict off "$tmp/merge.ptx"
expect 2 'it goes with --mode barrier' cc --mode stack --predict user "$tmp/merge.ptx"
expect 2 'it goes with --mode barrier' cc --profile "$tmp/merge.json" --mode stack "$tmp/merge.ptx"
expect 2 '--soft changes predictions' cc --soft 4 "$tmp/merge.ptx"
expect 2 '`33` is not a number from 0 to 32' cc --predict user --soft 33 "$tmp/merge.ptx"
expect 2 '--remarks explain what --predict auto does' cc --predict user --remarks "$tmp/merge.ptx"
expect 2 '--show: `conflict` is no analysis' cc --show=predict,conflict,joined "$tmp/merge.ptx"
expect 0 'no predictions' cc --show=predict,conflicts,joined "$tmp/merge.ptx"
expect 2 'is no source' profile "$tmp/merge.hx" $profile --save "$tmp/merge.json"
expect 2 'unknown command' frobnicate
expect 0 'usage: heddle COMMAND' --help
expect 0 'threads 32, distinct vectors' bbv $k $launch
expect 0 '"lanes": 32.0000' bbv $k $launch --json
expect 1 'the kernel faulted; nothing was counted' bbv tests/fail/trap.cu --grid 1 --block 32 out:u32[32]
expect 3 'the limit was reached; nothing was counted' bbv $k $launch --limit 100
# Orders of threads.
expect 0 'best: predicted speed-up' regroup $k $launch
expect 0 '"order": "greedy-max"' regroup $k $launch --by all --json
many="--grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=128"
expect 0 '' bbv $k $many -o "$tmp/k.bbv"
expect 0 'sorting: predicted' regroup $k $many --bbv "$tmp/k.bbv" --by sorting --save "$tmp/k.order"
expect 0 'k.order: predicted' regroup $k $many --bbv "$tmp/k.bbv" --by "$tmp/k.order"
expect 2 'counts of another source, or of other options' regroup $k $many --bbv "$tmp/k.bbv" --no-ifconv
expect 2 'counts of another launch: --grid 2,1,1 --block 64,1,1' regroup $k $launch --bbv "$tmp/k.bbv"
head -c 700 "$tmp/k.bbv" > "$tmp/cut.bbv"
expect 2 'cut.bbv: the file is cut off' regroup $k $many --bbv "$tmp/cut.bbv"
# its first block with 2^24 instructions
{ head -c 68 "$tmp/k.bbv"; printf '\000\000\000\001'; tail -c +73 "$tmp/k.bbv"; } > "$tmp/far.bbv"
expect 2 'is not in the code' regroup $k $many --bbv "$tmp/far.bbv"
expect 2 'is no file of block counts' regroup $k $many --bbv "$tmp/k.order"
expect 2 'wrong length: an order of 32 threads is 128 bytes' regroup $k $launch --by "$tmp/k.order"
{ head -c 508 "$tmp/k.order"; head -c 4 "$tmp/k.order"; } > "$tmp/twice.order"
expect 2 'twice.order is no order of 128 threads:' regroup $k $many --by "$tmp/twice.order"
expect 2 'occurs twice' regroup $k $many --by "$tmp/twice.order"
expect 2 'by fastest: not one of original, sorting, greedy, greedy-max, best and all, and cannot be read as a file: No such file' regroup $k $many --by fastest
expect 2 'threads can change places within blocks' regroup $k --grid 2 --block 48 data:f32[96] steps:i32[96] n:i32=96 --by sorting
expect 0 'sorting: predicted' regroup $k --grid 2 --block 48 data:f32[96] steps:i32[96] n:i32=96 --by sorting --scope block
expect 2 'is not one of its values' regroup $k $many --scope warp
expect 2 '`N`' regroup $k $many --window N
expect 2 'is not a number from 1 to 64' run $k $launch --jobs 0
expect 2 'of which blocks at the same time' run $k $launch --independent
expect 0 'jobs: blocks ran at the same time, on 2 threads' run $k --grid 2 --block 48 data:f32[96] steps:i32[96] n:i32=96 --jobs 2
expect 2 'jobs does not belong to this command' lockstep $k $launch --jobs 2
expect 2 'mine.ini: cannot be read' regroup $k $many --timing ./mine.ini
loop="tests/regroup/loop.cu --grid 16 --block 128 in:u32[2048]=rand:3 out:u32[2048]"
expect 0 'fit: 1 input, 8 blocks' bbv $loop --fit "$tmp/loop.fit"
expect 0 'mean square error' bbv $loop --model "$tmp/loop.fit"
expect 0 'best: predicted speed-up' regroup $loop --model "$tmp/loop.fit"
expect 2 'a fit of another source' regroup $loop --model "$tmp/loop.fit" --no-ifconv --mode stack
expect 2 'elements a thread from in' regroup tests/regroup/loop.cu --grid 16 --block 128 in:u32[2049]=rand:3 out:u32[2048] --model "$tmp/loop.fit"
expect 2 'there are too few' bbv $loop --fit "$tmp/loop.fit" --samples 2
expect 2 'this is no fit' regroup $loop --model "$tmp/k.bbv"
expect 2 'not from both' regroup $loop --model "$tmp/loop.fit" --bbv "$tmp/k.bbv"
# Counts by a slice: what there is none of.
sl="tests/regroup/slice.cu --grid 4 --block 64"
io="in:u32[256]=rand:1 out:u32[256]"
expect 0 'counts: by a slice: ' bbv $sl --kernel own $io --counts slice -o "$tmp/slice.bbv"
expect 0 '' bbv $sl --kernel own $io -o "$tmp/run.bbv"
expect 0 'best: predicted speed-up' regroup $sl --kernel own $io --counts slice
expect 2 'slice.cu:14: no slice: what is loaded here decides branches, and may be written by the kernel: slice.cu:15' bbv $sl --kernel written data:u32[600]=rand:1 --counts slice
expect 2 'slice.cu:7: no slice: what is loaded here decides branches' bbv $sl --kernel own in:u64=65536 out:u32[256] --counts slice
expect 2 'slice.cu:20: no slice: the order in which atomics arrive decides branches' bbv $sl --kernel first_come c:u32[1] out:u32[256] --counts slice
expect 2 'slice.cu:27: no slice: other lanes of the warp decide branches' regroup $sl --kernel neighbours $io --counts slice
expect 2 'slice.cu:34: no slice: the clock decides branches' bbv $sl --kernel late out:u32[256] --counts slice
expect 2 "slice.cu:42: no cheap slice: 99% of the kernel's warp instructions decide branches, more than 50%; most of them are here" bbv $sl --kernel all_decides $io --counts slice
expect 0 'counts: by a run: slice.cu:34: no slice: the clock' bbv $sl --kernel late out:u32[256] --counts auto
expect 0 'counts: by a slice: ' regroup $sl --kernel own $io --counts auto
expect 2 'says how threads are counted' regroup $sl --kernel own $io --counts slice --bbv "$tmp/slice.bbv"
expect 2 'is not one of its values' bbv $sl --kernel own $io --counts half
expect 3 'the limit was reached' bbv $sl --kernel own $io --counts slice --limit 100
expect 1 'the kernel faulted' bbv $sl --kernel own in:u32[200]=rand:1 out:u32[256] --counts slice
expect 0 'memory: equal in all orders' regroup $k $many --by all --apply redirect --mhz 1000
expect 0 'memory: equal in all orders' regroup $k $many --by sorting --scope block --apply redirect --mode stack
expect 0 'memory: equal in all orders' regroup $k $launch --by sorting --apply redirect --lockstep
expect 1 'sorting leaves other memory: last[0]' regroup tests/regroup/race.cu --grid 2 --block 64 out:u32[128] last:u32[1] --by sorting --apply redirect
expect 2 'it needs CUDA C or PTX' regroup "$tmp/same1.hx" $many --apply redirect
expect 2 'votes.cu' regroup tests/kernels/votes.cu --kernel votes --grid 2 --block 32 out:u32[192] --apply redirect
expect 2 'here orders are found' regroup $k $many --redirect grid
# Elements that move with their threads.
perl -e 'print pack("V*", reverse 0 .. 255)' > "$tmp/back.order"
lay="tests/regroup/layout.cu --grid 4 --block 64"
io="in:u32[256]=rand:1 out:u32[256]"
expect 0 '' bbv $lay --kernel even $io -o "$tmp/even.bbv"
expect 0 'memory: equal in all orders' regroup $lay --kernel inside in:u32[1024]=rand:1 where:u32[256]=fill:3 out:u32[256] n:u32=200 --by all --apply layout
expect 2 "layout.cu:17: no layout: this is beyond the thread's own element: thread 0 at byte 16 of in, elements of 16 bytes" regroup $lay --kernel inside in:u32[2048]=rand:1 where:u32[256]=fill:4 out:u32[256] n:u32=200 --apply layout
expect 0 'auto: redirect: layout.cu:17: no layout' regroup $lay --kernel inside in:u32[2048]=rand:1 where:u32[256]=fill:4 out:u32[256] n:u32=200 --apply auto
expect 0 'auto: layout: elements can move with their threads, as a run has shown' regroup $lay --kernel table in:u32[256]=rand:1 letters:u32[16]=rand:2 out:u32[256] --apply auto --lockstep --lanes 4
expect 2 "layout.cu:21: no layout: this is beyond the thread's own element: thread 0 at byte 12 of in" regroup $lay --kernel stolen $io --apply layout
expect 2 'no layout: a function asks who the thread is' regroup $lay --kernel asks $io --apply layout
expect 2 "layout.cu:41: no layout: this is beyond the thread's own element" regroup $lay --kernel next in:u32[257]=rand:1 out:u32[256] --apply layout
expect 0 'auto: redirect: tests/regroup/layout.cu:45: no layout' regroup $lay --kernel number out:u32[256] --apply auto
expect 0 'auto: none: the predicted gain is marginal: 1.000 times' regroup $lay --kernel even $io --apply auto
expect 0 'auto: none: the predicted gain is marginal: 0.' regroup tests/regroup/layout.cu --kernel scatters --grid 8 --block 128 in:u32[1024]=rand:1 out:u32[1024] --by sorting --apply auto --lockstep
expect 0 'auto: redirect: ' regroup tests/regroup/layout.cu --kernel scatters --grid 8 --block 128 in:u32[1024]=rand:1 out:u32[1024] --by sorting --apply auto
expect 0 'auto: none: tests/regroup/layout.cu:51: not regrouped: lanes of a warp exchange values' regroup $lay --kernel votes $io --apply auto
expect 2 'not regrouped: lanes of a warp exchange values' regroup $lay --kernel votes $io --apply layout
expect 0 'memory: equal in all orders' regroup $lay --kernel rows in:u32[700]=rand:1 out:u32[700] n:u32=700 --by all --apply layout
expect 0 'memory: equal in all orders' regroup $lay --kernel rows in:u32[700]=rand:1 out:u32[700] n:u32=700 --by sorting --scope block --apply layout --mode stack
expect 0 '"apply": "layout"' regroup $lay --kernel rows in:u32[700]=rand:1 out:u32[700] n:u32=700 --apply auto --json
expect 2 'across the bound of 100' regroup $lay --kernel rows in:u32[700]=rand:1 out:u32[700] n:u32=100 --by "$tmp/back.order" --apply layout
expect 2 'the launch has more dimensions' regroup tests/regroup/layout.cu --grid 2,2 --block 64 --kernel even $io --apply layout
expect 2 'parameter 1 is an address, and no buffer of the launch' regroup $lay --kernel even in:u64=65536 out:u32[256] --apply layout --bbv "$tmp/even.bbv"
expect 2 'no layout: no access depends' regroup $lay --kernel alike $io --apply layout
expect 1 'nothing was counted' regroup tests/fail/trap.cu --grid 1 --block 32 out:u32[32]
for c in cc as dis run lockstep trace wave profile bbv regroup silicon bench check coverage fuzz; do
    expect 0 "usage: heddle $c" $c --help
done
expect 2 "the compiler's proofs judge: --level ptx" fuzz --on nothing
expect 2 'counts what kernels meet as they run' fuzz --on nothing --level ptx --coverage "$tmp/none.cov"
# What was compared is equal; what was not is counted apart.
expect 0 'kernels 20, equal 0, races 0, failed 0, compiled 20, seed' fuzz --on nothing --level ptx --count 20 --out "$tmp"
expect 0 'kernels 40, equal 34, races 0, failed 0, only run 6, seed' fuzz --on model --count 40 --out "$tmp"
expect 0 'kernels 40, equal 34, races 0, failed 0, only run 6, seed' fuzz --on model --count 40 --out "$tmp" --resume "$tmp/campaign"
expect 0 'kernels 40, equal 34, races 0, failed 0, only run 6, seed' fuzz --on model --count 40 --out "$tmp" --resume "$tmp/campaign"
# The compiler refuses a program that it must take: a finding, not a file that cannot be read.
found=tests/fuzz/found/fuzz-770000-1529-small.ptx
expect 0 'small.ptx: compiled' fuzz --on nothing --replay $found
sed 's/^\(\/\/ fuzz: predict\) .*/\1 0/; s/ld\.param/ld.parma/' $found > "$tmp/refused.ptx"
expect 1 'refused.ptx: the compiler refuses a legal program: refused: ' fuzz --on nothing --replay "$tmp/refused.ptx"
expect 1 'refused.ptx: the compiler refuses a legal program: refused: ' fuzz --replay "$tmp/refused.ptx"
sed 's/ld\.param/ld.parma/' $found > "$tmp/directives.ptx"
expect 2 'directives.ptx: directives refused: ' fuzz --on nothing --replay "$tmp/directives.ptx"
expect 2 'no input file' run
expect 2 'unrecognized option' run --frobnicate $k $launch
expect 2 '--grid and --block are missing' run $k data:f32[32] steps:i32[32] n:i32=32
expect 2 'numbers from 1' run $k --grid 0 --block 32
expect 2 'does not belong to this command' dis $k --grid 1
expect 2 'takes 3 parameters, 2 are given: u64, u64, u32' run $k --grid 1 --block 32 data:f32[32] n:i32=32
expect 2 'takes 3 parameters, 4 are given' run $k $launch more:i32=1
# Kernels by their names in the source, and by as much of these as tells them apart.
printf '%s\n' 'template <class T> __global__ void scale(T *p, T a) { p[threadIdx.x] *= a; }' \
    'template __global__ void scale<float>(float *, float);' 'template __global__ void scale<int>(int *, int);' \
    '__global__ void scaled(int *p) { p[0] = 1; }' > "$tmp/names.cu"
one="$tmp/names.cu --grid 1 --block 1 p:i32[1]=fill:3"
expect 0 'p[0:1] = 6' run $one a:i32=2 --print p --kernel 'scale<int>'
expect 0 'run: ended' run $one --kernel 'scaled('
expect 0 'run: ended' run $one --kernel _Z6sc
expect 2 '`scale<` is how several kernels begin: scale<float>(float*, float), scale<int>(int*, int)' run $one --kernel 'scale<'
expect 2 'no kernel dale; the image has scale<' run $one --kernel dale
printf '%s\n' 'extern "C" __global__ void i() {}' 'extern "C" __global__ void f(int *p) { p[0] = 1; }' > "$tmp/short.cu"
expect 2 'the image has 2 kernels, name one: i, f' run "$tmp/short.cu" --grid 1 --block 1
expect 2 'scale<int>(int*, int) takes 2 parameters, 1 are given: u64, u32; the launch has p' run $one --kernel 'scale<int>(int*, int)'
expect 2 'a: a float of 4 bytes, but parameter 2 of scale<int>(int*, int) is int, .u32 of 4 bytes' run $one a:f32=1 --kernel 'scale<int>'
# What a fault has to do with the launch: names, types, and whose buffer it met.
printf '%s\n' '__global__ void fill(void (*f)(int, int), float (*p)[2], int n) { p[threadIdx.x + n][0] = n; }' > "$tmp/fill.cu"
past="run $tmp/fill.cu --grid 1 --block 64 f:u64=0 p:f32[128] n:i32=4"
expect 1 'the address is 0 bytes after the end of p' $past
expect 1 'kernel `fill(void (*)(int, int), float (*) [2], int)`' $past
expect 1 'parameter 1, void (*)(int, int) f: 0' $past
expect 1 'parameter 2, float (*) [2] p: f32[128] at 0x10000000' $past
expect 1 'parameter 3, int n: 4' $past
expect 2 'n: a float of 4 bytes, but parameter 3' run $k --grid 1 --block 32 data:f32[32] steps:i32[32] n:f32=32
expect 2 'n: an integer of 8 bytes' run $k --grid 1 --block 32 data:f32[32] steps:i32[32] n:i64=32
expect 2 'is given twice' run $k --grid 1 --block 32 data:f32[32] data:f32[32] n:i32=1
expect 2 'is not a type' run $k --grid 1 --block 32 data:float[32] steps:i32[32] n:i32=32
expect 2 'there is no such parameter' run $k $launch --print nothing
expect 2 'it has 32 elements' run $k $launch --print data[0:33]
expect 2 'is not NAME, NAME[from:to] or ADDR:BYTES' run $k $launch --bus-error 'data[3:1]'
expect 2 'is not NAME, NAME[from:to] or ADDR:BYTES' run $k $launch --bus-error data=reads
expect 2 'is not NAME, NAME[from:to] or ADDR:BYTES' run $k $launch --bus-error 0x100:0
expect 2 'there is no such buffer or area' run $k $launch --bus-error nothing
expect 2 'which bytes of it' run $k $launch --bus-error .text
expect 2 'it has 32 elements' run $k $launch --bus-error 'data[0:33]'
expect 1 'bus error at address 0x10000000' run $k $launch --bus-error data=read,decerr
expect 2 'cannot be written' run $k $launch --dump data=/nonexistent/file
expect 2 'is not 1, 2, 4, 8, 16 or 32' lockstep $k $launch --lanes 5
expect 2 '`usb:1'"'"' is no link' lockstep $k $launch --board usb:1
expect 2 'is not a number from 2 to 65535' lockstep $k $launch --board sim: --board-digest 1
expect 2 'without --core, --cores, waveforms' lockstep $k $launch --board sim: --four-state
expect 2 '--four-state is for the core' run $k $launch --four-state
expect 2 '--x-seed is for the core' run $k $launch --x-seed 3
expect 2 'make ICARUS_LANES=8 build/rtl/libcore_l8_icarus.so' lockstep $k $launch --lanes 8 --four-state
expect 2 'must be 1 to 1024 threads' run $k --grid 1 --block 2048 data:f32[32] steps:i32[32] n:i32=32
expect 2 'nobody' run $k $launch --kernel nobody
expect 2 'is not a number from 4 to 64' run $k $launch --stack-depth 3
expect 2 'is not a number from 4 to 64' run $k $launch --stack-depth 65
stack="tests/kernels/stack_loops.s --grid 1 --block 32 --stack-depth 4 out:u32[32]"
for c in run lockstep profile; do
    expect 0 'stack: 62 pushes, 62 pops, 7 spills, 7 fills, deepest 32' $c $stack
done
expect 0 '"spills": 7' run $stack --json
expect 0 '"spills": 7' profile $stack --json
expect 0 'pop DIV 0x90 00004000, depth 15, fill' trace $stack
# The RTL alone: no model beside it, and none that explains how it ends.
expect 2 '--rtl is the core without the model' trace $stack --rtl --lockstep
expect 2 'in place of the log, which -o and --json are for' trace $stack --stream "$tmp/s.hst" -o "$tmp/s.log"
expect 3 'heddle trace: deadlock' trace tests/fail/deadlock.s --rtl --lanes 4 --grid 1 --block 2 'out:u32[2]' --stream "$tmp/s.hst"
expect 1 'rule ended broken' stream check "$tmp/s.hst"
expect 3 'the limit of 10 was reached' run $k $launch --limit 10
expect 3 'equal up to the limit' lockstep $k $launch --limit 200
expect 0 'lockstep: equal; compared ' lockstep $k $launch
expect 0 'lockstep: equal; compared ' lockstep $k $launch --no-snapshots
expect 1 'equal so far, stopped' lockstep $k $launch --break 0x40

# coverage: a file, its table, what is no coverage file
expect 0 'lockstep: equal; compared ' lockstep $k $launch --coverage "$tmp/a.cov"
expect 0 'run: ended' run $k $launch --coverage "$tmp/b.cov"
cmp -s "$tmp/a.cov" "$tmp/b.cov" || { echo "FAIL: lockstep and model do not cover the same"; failed=$((failed + 1)); }
expect 0 'coverage: ' coverage "$tmp/a.cov" "$tmp/b.cov" --holes -o "$tmp/sum.cov"
expect 0 'hole: insn LDS always all' coverage "$tmp/sum.cov" --holes
expect 0 '<h2>insn: ' coverage "$tmp/sum.cov" --html
expect 2 'is no coverage file' coverage $k
expect 2 'missing.cov: cannot be read' coverage "$tmp/missing.cov"
expect 2 'cannot be written' lockstep $k $launch --coverage /nonexistent/c.cov
printf 'heddle coverage 1\ninsn BSYNC mixed all 1\n' > "$tmp/odd.cov"
expect 1 'met, but called impossible: insn BSYNC mixed all' coverage "$tmp/odd.cov"

expect 0 'run: ended' run $k $launch --mode stack
# what needs independent thread scheduling, on the stack: docs/stack.md, Deadlock
for s in $(grep -v -e p_chain -e p_syncwarp tests/silicon/needs_its.txt); do
    expect 0 'outputs 1/1 equal' silicon --mode stack --model --kernel "$s"
done
expect 1 'outputs 0/1 equal' silicon --mode stack --model --kernel p_chain
expect 1 'wait at WARPSYNC for lanes aaaaaaaa' silicon --mode stack --model --kernel p_syncwarp_two_sites

# broken images
"$heddle" cc $k -o "$tmp/k.hx" || failed=$((failed + 1))
expect 0 'run: ended' run "$tmp/k.hx" $launch
head -c 300 "$tmp/k.hx" > "$tmp/short.hx"
expect 2 'short.hx' run "$tmp/short.hx" $launch
: > "$tmp/empty.hx"
expect 2 'empty.hx' run "$tmp/empty.hx" $launch
head -c 4000 /dev/zero > "$tmp/zero.hx"
expect 2 'zero.hx' run "$tmp/zero.hx" $launch
expect 2 'missing.hx' run "$tmp/missing.hx" $launch

# broken sources
"$heddle" cc $k -S -o "$tmp/k.s" || failed=$((failed + 1))
expect 0 '' as "$tmp/k.s" -o "$tmp/again.hx"
cmp -s "$tmp/k.hx" "$tmp/again.hx" || { echo "FAIL: as(cc -S) is not cc"; failed=$((failed + 1)); }
printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) {\n  .reg .b32 %%r<4>;\n  frob.u32 %%r1, %%r2;\n  ret;\n}\n' > "$tmp/op.ptx"
expect 2 'op.ptx:6:' cc "$tmp/op.ptx" -o "$tmp/x.hx"
printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) {\n  bra nowhere;\n  ret;\n}\n' > "$tmp/label.ptx"
expect 2 'label.ptx:5:' cc "$tmp/label.ptx" -o "$tmp/x.hx"
printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) {\n  .reg .b32 %%r<4>;\n  add.u32 %%r1, %%r2' > "$tmp/cut.ptx"
expect 2 'cut.ptx:6:' cc "$tmp/cut.ptx" -o "$tmp/x.hx"
printf '.text\n.kernel k\n    FROB R1, R2\n' > "$tmp/bad.s"
expect 2 'bad.s:3:' as "$tmp/bad.s" -o "$tmp/x.hx"
echo '__global__ void k( {' > "$tmp/syntax.cu"
expect 2 'syntax.cu' cc "$tmp/syntax.cu" -o "$tmp/x.hx"
printf '__global__ void k(double *p)\n{\n    asm volatile("frob.u32 %%%%r1, 3;");\n}\n' > "$tmp/asm.cu"
expect 2 'asm.cu:3: there is no instruction frob; in its PTX:' cc "$tmp/asm.cu" -o "$tmp/x.hx"
/usr/bin/env -i PATH=/nonexistent "$heddle" cc $k -o "$tmp/x.hx" > "$tmp/out" 2>&1
got=$?
if [ $got -eq 2 ] && grep -q clang "$tmp/out"; then passed=$((passed + 1)); else
    failed=$((failed + 1)); echo "FAIL missing clang: exit status $got"; cat "$tmp/out"
fi

# inputs that are no files: each is refused at once, by name
mkdir "$tmp/folder"
for s in hx s ptx cu; do
    ln -sf /dev/zero "$tmp/zero.$s"
    mkdir "$tmp/folder.$s"
    for c in "cc $tmp/zero.$s -o $tmp/x.hx" "dis $tmp/folder.$s" "run $tmp/zero.$s --grid 1 --block 1" \
             "run $tmp/folder.$s --grid 1 --block 1" "check $tmp/zero.$s"; do
        name=${c#* }
        expect 2 "${name%% *}" $c
    done
done
for f in /dev/zero "$tmp/folder"; do
    for c in "coverage $f" "run @$f" "check $f" "fuzz --replay $f" "cc --profile $f $k -o $tmp/x.hx" "run $k $launch --timing $f"; do
        expect 2 "$f" $c
    done
done
expect 2 'is not FILE:LINE, pc:N, cycle:N' wave $k $launch --around pc:4294967296
expect 0 '(4 runs)' check --lanes 4 tests/kernels/bsync_beside_block.s
expect 2 'bench: `now`: it takes no file' bench now
expect 0 'heddle ' --version
expect 0 'core ' --version
expect 0 'usage: heddle COMMAND' -h
expect 0 'usage: heddle run ' run -h
expect 2 '--print: `data[`' run $k $launch --print 'data['
expect 2 ': cannot be written: No such file' cc $k -o ''
# one line of many megabytes
awk 'BEGIN { for (i = 0; i < 2000000; i++) printf "frob((([[[{{{ " }' > "$tmp/line.ptx"
cp "$tmp/line.ptx" "$tmp/line.s"
expect 2 'line.ptx:1:1' cc "$tmp/line.ptx" -o "$tmp/x.hx"
expect 2 'line.s:1:1' as "$tmp/line.s" -o "$tmp/x.hx"

# A core with tracing does for the one without; with neither the message says what to build.
mkdir -p "$tmp/first/rtl"
cp "$heddle" "$tmp/first/" && cp "${BUILD:-build}/rtl/libcore_l4_trace.so" "$tmp/first/rtl/" || exit 4
for want in 'lockstep: equal' 'make build/rtl/libcore_l8.so'; do
    "$tmp/first/heddle" lockstep $k $launch --lanes "$(case $want in lock*) echo 4 ;; *) echo 8 ;; esac)" > "$tmp/out" 2>&1
    if grep -qF -- "$want" "$tmp/out"; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAIL one core alone: expected \`$want\`"; cat "$tmp/out"
    fi
done

# `heddle check` of a core that is not there: neither passed nor failed, and what builds it.
"$tmp/first/heddle" check tests/kernels/bsync_beside_block.s > "$tmp/out" 2>&1
got=$?
if [ $got -eq 2 ] && grep -q '^part .* without a core' "$tmp/out" && grep -q '^check: .* 0 failed, .* not run' "$tmp/out" &&
    grep -q 'not run: the core for --lanes 32 is not built: make build/rtl/libcore_l32.so' "$tmp/out"; then passed=$((passed + 1)); else
    failed=$((failed + 1)); echo "FAIL a check without a core: $got"; cat "$tmp/out"
fi
"$tmp/first/heddle" bench > "$tmp/out" 2>&1
got=$?
if [ $got -eq 2 ] && ! grep -q '^bench:' "$tmp/out"; then passed=$((passed + 1)); else
    failed=$((failed + 1)); echo "FAIL figures without a core: $got"; cat "$tmp/out"
fi

# bench names its core, and says when that is the one with tracing.
cp "${BUILD:-build}/rtl/libcore_l32_trace.so" "$tmp/first/rtl/" || exit 4
: > "$tmp/out"                                        # or what was said before is read
"$tmp/first/heddle" bench > "$tmp/out" 2>&1 &
while ! grep -q . "$tmp/out" && kill -0 $! 2> /dev/null; do sleep 0.1; done
kill $! 2> /dev/null; wait $! 2> /dev/null
if grep -q "^core: $tmp/first/rtl/libcore_l32_trace.so, the one with tracing, which is slower" "$tmp/out"; then
    passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL bench does not name its core"; cat "$tmp/out"
fi
rm "$tmp/first/rtl/libcore_l32_trace.so"

# Of two libraries of one core, made of other sources, the older is not used: a line says so.
sources=$(strings "${BUILD:-build}/rtl/libcore_l4.so" | grep -oE '^sources [0-9]+')
one="$k $launch --lanes 4"
# old LIBRARY BYTE: an hour old, made of other sources if BYTE says so
old() {
    cp "${BUILD:-build}/rtl/libcore_l4.so" "${BUILD:-build}/rtl/libcore_l4_trace.so" "$tmp/first/rtl/" || exit 4
    perl -pi -e "s/$sources/${2}${sources#s}/" "$tmp/first/rtl/$1"
    touch -d '1 hour ago' "$tmp/first/rtl/$1"
}
# used STATUS 'LINE' ARGS...: what the first core says, and nothing of dates if LINE is empty
used() {
    want=$1 message=$2
    shift 2
    "$tmp/first/heddle" "$@" > "$tmp/out" 2>&1
    got=$?
    if [ $got -eq "$want" ] && { [ -z "$message" ] && ! grep -q 'out of date' "$tmp/out" ||
        { [ -n "$message" ] && grep -qF -- "$message" "$tmp/out"; }; }; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAIL one core out of date: $*: $got, expected $want and \`$message'"; cat "$tmp/out"
    fi
}
old libcore_l4.so x
used 0 'libcore_l4.so is out of date and not used: the newer libcore_l4_trace.so' lockstep $one --no-snapshots
used 0 '' lockstep $one
old libcore_l4_trace.so x
used 0 'libcore_l4_trace.so is out of date and not used: the newer libcore_l4.so' lockstep $one
used 0 '' lockstep $one --no-snapshots
used 2 'is out of date: make build/rtl/libcore_l4_trace.so' wave $one -o "$tmp/w.fst"
old libcore_l4.so x
head -c 10 "${BUILD:-build}/rtl/libcore_l4_trace.so" > "$tmp/first/rtl/libcore_l4_trace.so"
used 0 '' lockstep $one --no-snapshots
for library in libcore_l4.so libcore_l4_trace.so; do
    old $library s
    used 0 '' lockstep $one
    used 0 '' lockstep $one --no-snapshots
done

# an output that takes nothing
if [ -w /dev/full ]; then
    "$heddle" run $k $launch > /dev/full 2> "$tmp/out"
    got=$?
    if [ $got -eq 2 ] && grep -qF 'cannot be written' "$tmp/out"; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAIL full output: exit status $got"; cat "$tmp/out"
    fi
fi

echo "cli: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
