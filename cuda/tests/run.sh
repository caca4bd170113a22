#!/bin/sh
# Whole programs: built by heddle nvcc, run on the model, in stack mode and in lockstep; and what is said about wrong ones.
# SPDX-License-Identifier: Apache-2.0
build=${BUILD:-build}
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export HEDDLE_CACHE="$tmp/cache"
passed=0 failed=0

# expect STATUS 'MESSAGE' COMMAND...: the message is a fixed string somewhere in what is printed.
expect() {
    want=$1 message=$2
    shift 2
    timeout -s KILL 120 env "$@" > "$tmp/out" 2>&1
    got=$?
    if [ $got -eq "$want" ] && [ -n "$message" ] && grep -qF -- "$message" "$tmp/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $*: exit status $got, expected $want with \`$message\`:"
        sed 's/^/    /' "$tmp/out"
    fi
}
# said 'MESSAGE': by the last one, too.
said() {
    if grep -qF -- "$1" "$tmp/out"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL without \`$1\`:"
        sed 's/^/    /' "$tmp/out"
    fi
}
# prints STATUS FILE COMMAND...: just what the file holds.
prints() {
    want=$1 file=$2
    shift 2
    "$@" > "$tmp/out" 2> /dev/null
    got=$?
    if [ $got -eq "$want" ] && diff "$tmp/out" "$file"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $*: exit status $got, expected $want, or another output than $file"
    fi
}
build() {
    "$build/heddle" nvcc "$@" > "$tmp/out" 2>&1 || { echo "FAIL heddle nvcc $*:"; cat "$tmp/out"; exit 1; }
}

here=cuda/tests
build $here/five.cu -o "$tmp/five" -O2 -std=c++17 -arch=sm_80 -Xcompiler -Wall,-O2 -lcudart
build $here/wrong.cu -o "$tmp/wrong"
# Several files, compiled apart, one of them plain C++; each brings device code, variables and constants.
build -c $here/two_a.cu -o "$tmp/two_a.o"
build -x cu -c $here/two_b.cpp -o "$tmp/two_b.o" -I$here
build "$tmp/two_a.o" "$tmp/two_b.o" $here/two_host.cpp -o "$tmp/two"
build $here/small.cu -o "$tmp/small"
build $here/prints.cu -o "$tmp/prints"
build $here/needs.cu -o "$tmp/needs"
# Instructions of later machines: products of matrices, copies that need not wait, small numbers; wide ones.
for p in tensor wmma async packed later wide; do
    build $here/$p.cu -o "$tmp/$p" -arch=sm_80
    expect 0 PASS "$tmp/$p"
    expect 0 PASS HEDDLE_MODE=stack HEDDLE_F64=routines "$tmp/$p"
done
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/tensor"
# Header functions: what was wrong or missing once (make test-headers judges all of them).
for p in header_values header_functions; do
    build -arch=sm_90 -std=c++17 $here/$p.cu -o "$tmp/$p"
    expect 0 PASS "$tmp/$p"
    expect 0 PASS HEDDLE_MODE=stack "$tmp/$p"
done
build -std=c++17 $here/video.cu -o "$tmp/video"
expect 0 'PASS: 56 forms' "$tmp/video"
expect 0 PASS HEDDLE_MODE=stack "$tmp/video"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/video"
# Forms that there are not: a shift without its mode, two things for c to be, a negated sum.
for form in 'vshl.u32.u32.u32 %r1, %r1, %r1' 'vadd.u32.u32.u32.add %r1.b0, %r1, %r1, %r1' 'vsub.u32.u32.u32 %r1, -%r1, %r1' \
    'vmad.u32.u32.u32 %r1, -%r1, %r1, -%r1' 'vadd.u32.u32.u32 %r1, %r1.b4, %r1' 'vadd.u32.u32 %r1, %r1, %r1'; do
    printf '.version 8.0\n.target sm_80\n.address_size 64\n.entry k() { .reg .b32 %%r1; %s; ret; }\n' "$form" > "$tmp/form.ptx"
    expect 2 'is not supported yet' "$build/heddle" cc "$tmp/form.ptx" -o "$tmp/form.hx"
done
# Lanes that do not execute a shuffle are read as on an H100.
build tests/silicon/shuffle.cu -o "$tmp/shuffle"
for how in HEDDLE=model HEDDLE_NATIVE=1 HEDDLE_MODE=stack 'HEDDLE=lockstep HEDDLE_LANES=4' HEDDLE_THIRD_LEG=1; do
    prints 0 tests/silicon/shuffle.txt env $how "$tmp/shuffle"
done
# What is said of a race, of a loop that does not end, and of kernels that end badly while nobody looks.
for p in race endless_stores strict; do
    build $here/$p.cu -o "$tmp/$p"
    (cd "$tmp" && env HEDDLE_LANES=4 "./$p") > "$tmp/out" 2>&1
    said PASS
done
(cd "$tmp" && env HEDDLE=lockstep HEDDLE_LANES=4 HEDDLE_LIMIT=20000 ./endless_stores child) > "$tmp/out" 2>&1
said 'lanes 00000008 at PC'
expect 1 'a launch did not end well; the status is 1' HEDDLE_STRICT=1 HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/strict" 0
expect 0 PASS HEDDLE_STRICT=1 "$tmp/five"
# One lane adds for its warp, and only that lane's value is set before the shuffle.
build $here/leader.cu -o "$tmp/leader"
expect 0 PASS "$tmp/leader"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/leader"
# The same without masks, by a part of a warp.
build $here/old_votes.cu -o "$tmp/old_votes"
expect 0 PASS "$tmp/old_votes"
expect 0 PASS HEDDLE_MODE=stack "$tmp/old_votes"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/old_votes"
# Collectives at several places; loops that wait.
build -arch=sm_80 $here/two_sites.cu -o "$tmp/two_sites"
expect 0 PASS "$tmp/two_sites"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/two_sites"
expect 1 'a stack runs one side at a time' HEDDLE_MODE=stack "$tmp/two_sites"
build -arch=sm_80 -std=c++17 $here/waits.cu -o "$tmp/waits"
expect 0 PASS HEDDLE_LIMIT=20000000 "$tmp/waits"
# With a stack nine never end, as docs/stack.md says: the lane that waits runs first.  The reason is said.
expect 1 '9 of 25 waits fail' HEDDLE_MODE=stack HEDDLE_LIMIT=2000000 "$tmp/waits"
said 'spins, and its lanes in tokens never get their turn (a stack runs one side at a time, barrier mode runs both)'
said 'lanes 00000020 at PC'
said 'runs, and its lanes in tokens have no turn before that ends (a stack runs one side at a time, barrier mode runs both)'
for wait in guarded_exit exit_of_inner exit_below exit_of_atomic voted naps callee_exits ring recursion; do said "FAIL: $wait: "; done
build -arch=sm_90 $here/written.cu -o "$tmp/written"
expect 0 PASS "$tmp/written"
expect 0 PASS HEDDLE_MODE=stack "$tmp/written"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/written"
for p in goto_past lock_inside; do
    build $here/$p.cu -o "$tmp/$p"
    expect 0 PASS "$tmp/$p"
    expect 0 PASS HEDDLE_MODE=stack "$tmp/$p"
    expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 HEDDLE_MODE=stack "$tmp/$p"
done
# Layers that are none are those that an H100 reads.
build tests/silicon/layers.cu -o "$tmp/layers"
prints 0 tests/silicon/layers.txt "$tmp/layers"
# What C and CUDA say of shifts, fields, conversions, addresses, names, masks, alignments, new and the stack.
for p in rotates fields truncates arms unnamed addresses host_half new alignments deep; do
    build -std=c++17 $here/$p.cu -o "$tmp/$p"
    expect 0 PASS "$tmp/$p"
    expect 0 PASS HEDDLE_MODE=stack "$tmp/$p"
done
for p in arms new; do expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/$p"; done
for how in -DWITH_NEW -DOWN; do
    build -std=c++17 $how $here/new.cu -o "$tmp/new"
    expect 0 PASS "$tmp/new"
done
# Complex numbers need no library.
build -std=c++17 $here/complexes.cu -o "$tmp/complexes"
expect 0 PASS "$tmp/complexes"
expect 0 PASS HEDDLE_MODE=stack HEDDLE_F64=routines "$tmp/complexes"
# Where clang crashes the cause is said, and no more.
clang=clang-$(sed -n 's|^CLANG_VERSION := ||p' Makefile)
printf 'extern __device__ void *q;\n__device__ void *p = &q, *q = &p;\n__global__ void k(void **o) { *o = p; }\n' > "$tmp/circle.cu"
for how in cc 'nvcc -c'; do
    expect 2 "circle.cu: $clang cannot compile it: the initial values of __device__ variables hold each other's" \
        "$build/heddle" $how "$tmp/circle.cu" -o "$tmp/circle.o"
    grep -q 'Stack dump\|PLEASE' "$tmp/out" && { failed=$((failed + 1)); echo "FAIL heddle $how: a stack dump"; }
done
mkdir "$tmp/full" "$tmp/bin"
for cause in 'kill -SEGV $$:signal 11' 'echo "Stack dump:" >&2; exit 139:exit status 139'; do
    printf '#!/bin/sh\n%s\n' "${cause%:*}" > "$tmp/bin/$clang"
    chmod +x "$tmp/bin/$clang"
    expect 2 "circle.cu: $clang crashed on it (${cause##*:})" PATH="$tmp/bin:$PATH" "$build/heddle" cc "$tmp/circle.cu" -o "$tmp/circle.o"
done
# A folder for temporary files that is full, or is not there.
if mount -t tmpfs -o size=16k tmpfs "$tmp/full" 2> /dev/null; then
    expect 2 'No space left on device' TMPDIR="$tmp/full" "$build/heddle" nvcc -c $here/new.cu -o "$tmp/new.o"
    head -c 100000 /dev/zero > "$tmp/full/fill" 2> /dev/null
    expect 2 'No space left on device' TMPDIR="$tmp/full" "$build/heddle" nvcc -c $here/new.cu -o "$tmp/new.o"
    expect 2 'No space left on device' "$build/heddle" nvcc -c $here/new.cu -o "$tmp/full/new.o"
    umount "$tmp/full"
else
    echo "NOT RUN: a full disk: no file system may be mounted here"
fi
expect 2 'nowhere/heddle-' TMPDIR="$tmp/nowhere" "$build/heddle" nvcc -c $here/new.cu -o "$tmp/new.o"
# Graphs of copies, children and clones; what headers of programs ask ours for.
build $here/graphs.cu -o "$tmp/graphs"
expect 0 PASS "$tmp/graphs"
build $here/graph_edges.cu -o "$tmp/graph_edges"
expect 0 PASS DOT="$tmp/g.dot" "$tmp/graph_edges"
grep -q 'label="add(int\*, int)' "$tmp/g.dot" && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAIL: the drawing of a graph"; }
expect 0 PASS DOT="$tmp/g.dot" HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/graph_edges"
build $here/batches.cu -o "$tmp/batches" -lcuda
expect 0 PASS "$tmp/batches"
build $here/conditions.cu -o "$tmp/conditions"
expect 0 PASS "$tmp/conditions"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/conditions"
build $here/graph_memory.cu -o "$tmp/graph_memory"
expect 0 PASS "$tmp/graph_memory"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/graph_memory"
build $here/pools.cu -o "$tmp/pools" -lcuda
expect 0 PASS "$tmp/pools"
build $here/asked.cpp -o "$tmp/asked" -lcuda
expect 0 PASS "$tmp/asked"
build $here/names.cu -o "$tmp/names"
expect 0 PASS "$tmp/names"
expect 0 PASS HEDDLE_MODE=stack HEDDLE_F64=routines "$tmp/names"
build $here/own_warp_size.cu -o "$tmp/own_warp_size"
expect 0 PASS "$tmp/own_warp_size"
for std in 17 20; do
    build -std=c++$std $here/std_names.cu -o "$tmp/std_names"
    expect 0 PASS "$tmp/std_names"
done
expect 0 PASS HEDDLE_MODE=stack "$tmp/std_names"
build $here/links.cpp -o "$tmp/links" -lcuda
expect 0 PASS env -C "$tmp" "$tmp/links"
build $here/rtc.cpp -o "$tmp/rtc" -lcuda -lnvrtc
expect 0 PASS "$tmp/rtc"
build $here/nvml.cpp -o "$tmp/nvml" -lnvidia-ml
expect 0 PASS "$tmp/nvml"
build $here/virtual.cu -o "$tmp/virtual" -lcuda
expect 0 PASS "$tmp/virtual"
said 'cudaIpcGetMemHandle is not supported'
# Tables of functions: of abstract classes, and with a function that is nowhere.
build $here/abstract.cu -o "$tmp/abstract"
expect 0 PASS "$tmp/abstract"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/abstract"
printf '%s\n' '.version 8.0' '.target sm_80' '.address_size 64' '.extern .func nowhere();' '.global .u64 table[1] = {nowhere};' \
    '.entry k() { .reg .b64 %a; ld.global.u64 %a, [table]; st.global.u64 [table], %a; ret; }' > "$tmp/form.ptx"
expect 2 'function nowhere is not defined' "$build/heddle" cc "$tmp/form.ptx" -o "$tmp/form.hx"
# CUDA's other libraries; NVTX is in the header alone.
build -std=c++17 $here/libraries.cu -o "$tmp/libraries" -lcublas_static -lcublasLt_static -lcurand -lculibos -lnvToolsExt
expect 0 PASS "$tmp/libraries"
expect 0 PASS HEDDLE_MODE=stack HEDDLE_F64=routines "$tmp/libraries"
# Systems of equations.
build $here/lu.cu -o "$tmp/lu" -lcublas
expect 0 PASS "$tmp/lu"
expect 0 PASS HEDDLE_MODE=stack "$tmp/lu"
# cuBLAS without handles.
build $here/old_blas.cpp -o "$tmp/old_blas" -lcublas
expect 0 PASS "$tmp/old_blas"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/old_blas"
build $here/sparse.cu -o "$tmp/sparse" -lcusparse
expect 0 PASS "$tmp/sparse"
expect 0 PASS HEDDLE_MODE=stack "$tmp/sparse"
build -std=c++17 $here/transforms.cu -o "$tmp/transforms" -lcufft
expect 0 PASS "$tmp/transforms"
said 'cufftXtSetCallback: callbacks of cuFFT are not supported'
expect 0 PASS HEDDLE_MODE=stack "$tmp/transforms"
# Products that are not fused, and f32's functions.
build $here/apart.cu -o "$tmp/apart"
expect 0 PASS "$tmp/apart"
build $here/single.cu -o "$tmp/single"
expect 0 'single: passed' "$tmp/single"
expect 0 'single: passed' HEDDLE_F64=routines HEDDLE_MODE=stack "$tmp/single"
build $here/large.cu -o "$tmp/large"
expect 0 PASS "$tmp/large"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/large"
# Five gibibytes, of which little is touched; an address above all, and the first after an allocation.
build $here/gigabytes.cu -o "$tmp/gigabytes"
expect 0 PASS "$tmp/gigabytes"
expect 0 PASS HEDDLE_MODE=stack "$tmp/gigabytes"
expect 0 PASS HEDDLE_JOBS=2 "$tmp/gigabytes"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/gigabytes"
expect 0 'out-of-range access at address 0x10010000000' "$tmp/gigabytes" beyond
expect 0 'out-of-range access at address 0x440000000' HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/gigabytes" behind
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/later"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/async"
said 'compute capability 8.0, code for 800'
expect 0 'compute capability 9.0, code for 800' HEDDLE_ARCH=90 "$tmp/async"
expect 2 'HEDDLE_ARCH=60: 70 for sm_70, or more, is needed' HEDDLE_ARCH=60 "$tmp/async"
mkdir "$tmp/v"
build $here/driver.cu -o "$tmp/driver" -lcuda

expect 0 PASS "$tmp/five"
expect 0 PASS HEDDLE_MODE=stack "$tmp/five"
expect 0 PASS HEDDLE_PREDICT=auto HEDDLE_THIRD_LEG=1 HEDDLE_REPORT=1 "$tmp/five"
said 'launch 3: walks(int*, int)<<<(4,1,1), (64,1,1)>>>: cycles'
said 'all: launches 5, warp instructions'
expect 0 PASS HEDDLE_JOBS=2 HEDDLE_REPORT=1 "$tmp/five"
said 'jobs: blocks ran at the same time, on 2 threads'
expect 2 'blocks at the same time are for the model alone' HEDDLE_JOBS=2 HEDDLE=lockstep "$tmp/five"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/five"
said 'all: lockstep: equal; compared'
said 'launch 5: lockstep: equal; compared'
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 HEDDLE_CORES=3 "$tmp/five"
expect 2 'are of one core' HEDDLE=lockstep HEDDLE_LANES=4 HEDDLE_CORES=3 HEDDLE_PROFILE=p.txt "$tmp/five"
expect 2 'several cores are for lockstep alone' HEDDLE_CORES=3 "$tmp/five"
expect 0 PASS HEDDLE=rtl HEDDLE_LANES=4 HEDDLE_MODE=stack HEDDLE_MEM_SEED=3 "$tmp/five"
expect 0 PASS "$tmp/two"
expect 0 PASS HEDDLE_NATIVE=1 "$tmp/two"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/two"
expect 0 PASS "$tmp/small" --size=17
expect 0 PASS HEDDLE_MODE=stack "$tmp/small"
expect 0 PASS HEDDLE_REPORT=1 "$tmp/needs"
said ': v<<<(1,1,1), (1,1,1)>>>: cycles'
printf '%s\n' 'launch 1, thread 0: x 0.000' 'launch 1, thread 1: x 0.667' between 'launch 2, thread 0: x 0.000' \
    'launch 2, thread 1: x 2.000' cudaSuccess cudaErrorAssert > "$tmp/want"
for how in HEDDLE=model 'HEDDLE=lockstep HEDDLE_LANES=4' HEDDLE_MODE=stack; do
    expect 1 'Assertion `threadIdx.x != n` failed.' $how "$tmp/prints"
    said 'block: [0,0,0], thread: [5,0,0]'
    prints 1 "$tmp/want" env $how "$tmp/prints"
done
"$build/heddle" nvcc -ptx $here/driver_kernel.cu -o "$tmp/k.ptx"
expect 0 PASS "$tmp/driver" "$tmp/k.ptx"
# By the names that older and newer headers give the driver's calls.
cc -Wall -Wextra -Werror $here/old_driver.c -o "$tmp/old_driver" -ldl || exit 1
expect 0 PASS "$tmp/old_driver" "$build/cuda/libcuda.so.1" "$tmp/k.ptx"
said 'cuGraphicsMapResources is not supported'
# Graphs by the driver API.
build $here/driver_graph.cu -o "$tmp/driver_graph" -lcuda
expect 0 PASS "$tmp/driver_graph" "$tmp/k.ptx"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/driver_graph" "$tmp/k.ptx"
# Libraries of kernels, and calls by name.
build $here/calls.cu -o "$tmp/calls" -lcuda
expect 0 PASS "$tmp/calls" "$tmp/k.ptx"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/calls" "$tmp/k.ptx"
# The driver's program as a module, beside us and by its source's name.
cp $here/driver_kernel.cu "$tmp/k.cu"
nvcc=$(realpath "$build/heddle")
(cd "$tmp" && for kind in -fatbin --cubin; do "$nvcc" nvcc $kind -arch=sm_80 k.cu; done)
expect 0 PASS "$tmp/driver" "$tmp/k.fatbin"
expect 0 PASS "$tmp/driver" "$tmp/k.cubin"
build $here/driver_memory.cu -o "$tmp/driver_memory" -lcuda
expect 0 PASS "$tmp/driver_memory"
build $here/driver_texture.cu -o "$tmp/driver_texture" -lcuda
"$build/heddle" nvcc -ptx $here/driver_texture_kernel.cu -o "$tmp/t.ptx"
expect 0 PASS "$tmp/driver_texture" "$tmp/t.ptx"
# Which kernels of a folder compile; and launches that nobody describes, with a judge that finds one wrong byte.
mkdir "$tmp/p" "$tmp/bad" && cp "$tmp/k.ptx" "$tmp/p" && sed 's/ret;/frobnicate.b32; ret;/' "$tmp/k.ptx" > "$tmp/bad/k.ptx"
kernels=$(grep -c '\.entry' "$tmp/k.ptx")
expect 0 "kernels: $kernels in 1 files, compile $kernels (100.0%)" $here/kernels.pl "$build/heddle" "$tmp/p" "$tmp/kp"
expect 0 "$kernels  there is no instruction frobnicate" $here/kernels.pl "$build/heddle" "$tmp/bad" "$tmp/kb"
said "kernels: $kernels in 1 files, compile 0 (0.0%)"
# A line of inline assembly may be a brace alone, and a kernel may be declared before.
mkdir "$tmp/braces"
printf '%s\n' '.version 8.0' '.target sm_80' '.address_size 64' '.entry b();' '.entry a()' '{' '{ // begin' '.reg .b32 x;' '}' 'ret;' '}' \
    '.entry b()' '{' 'ret;' '}' > "$tmp/braces/k.ptx"
expect 0 'kernels: 2 in 1 files, compile 2 (100.0%)' $here/kernels.pl "$build/heddle" "$tmp/braces" "$tmp/kc"
# What a kernel does after that brace says what its parameter is.
printf '%s\n' '.entry d();' '.entry c(.param .u64 p)' '{' '.reg .b64 %a; .reg .b32 %x;' '{ // begin' '.reg .b32 x;' '}' \
    'ld.param.u64 %a, [p]; ld.global.u32 %x, [%a]; add.u32 %x, %x, 1; st.global.u32 [%a], %x; ret;' '}' > "$tmp/braces/c.ptx"
expect 0 ' c ' perl $here/judge/plan.pl 1 "$tmp/braces/c.ptx"
said '0:p'
said 'kernels 1, launches 1'
expect 0 'valid ones' $here/judge/run.sh "$build" "$tmp/p" "$tmp/j"
expect 0 '  equal' $here/judge/run.sh "$build" "$tmp/p" "$tmp/j" "$tmp/j/model.txt"
awk '$2 == "ok" && !done { done = 1; $3 = "0000000000000000"; sub(/=[0-9a-f]+/, "=00000001") } { print }' "$tmp/j/model.txt" > "$tmp/j/gpu.txt"
expect 1 '     1  differ' $here/judge/run.sh "$build" "$tmp/p" "$tmp/j" "$tmp/j/gpu.txt"
# The cache: what it holds is used, and a program runs without one.
[ "$(ls "$tmp/cache" | grep -c hx)" -gt 3 ] && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAIL: nothing is cached"; }
for f in "$tmp"/cache/*.hx; do echo damaged > "$f"; done
expect 0 PASS "$tmp/five"
expect 0 PASS HEDDLE_CACHE=off "$tmp/five"

expect 1 'kernel `fill(float*, int, Vector)` faulted: out-of-range access, block (3,0,0), thread (4,0,0), ' "$tmp/wrong" after
said 'wrong.cu:11'
said 'the address is 0 bytes after the end of allocation 1 of the program (400 bytes, made in main), parameter 0'
said 'parameter 0, float*: 0x10000000, allocation 1'
said 'parameter 1, int: 120'
said 'parameter 2, Vector: 0x1'
said 'cudaErrorIllegalAddress, then cudaErrorIllegalAddress'
expect 1 'the address is in no buffer' "$tmp/wrong" null
expect 1 'it is none of the device' "$tmp/wrong" host
for way in inside generic; do
    expect 1 'in shared memory, of which the block has 256 bytes' "$tmp/wrong" $way
    expect 1 'in shared memory, of which the block has 256 bytes' HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/wrong" $way
done
expect 1 'it reads a texture or surface object that is 0; `loose` is bound to nothing' "$tmp/wrong" texture
said 'kernel `fetches(float*)` faulted'
expect 1 'it reads a texture or surface object that is 0' "$tmp/wrong" object
expect 1 'fill(float*, int, Vector)<<<(1,1,1), (2000,1,1), 0>>>: invalid configuration argument' "$tmp/wrong" threads
said 'parameter 0, float*: 0x10000000, allocation 1'
said 'cudaErrorInvalidConfiguration, then cudaSuccess'
expect 1 'cudaErrorInvalidConfiguration, then cudaSuccess' "$tmp/wrong" grid
expect 1 'cudaErrorInvalidValue, then cudaSuccess' "$tmp/wrong" shared
expect 1 'cudaErrorInvalidValue, then cudaSuccess' "$tmp/wrong" copy
expect 1 'cudaErrorInvalidValue, then cudaSuccess' "$tmp/wrong" direction
expect 1 'cudaErrorInvalidValue, then cudaSuccess' "$tmp/wrong" free
expect 1 'cudaErrorInvalidValue, then cudaSuccess' "$tmp/wrong" twice
expect 1 'cudaErrorInvalidDevice, then cudaSuccess' "$tmp/wrong" device
expect 1 'cudaErrorMemoryAllocation, then cudaSuccess' "$tmp/wrong" memory
expect 0 'cudaSuccess, then cudaSuccess' "$tmp/wrong" pinned
expect 1 'cudaErrorStreamCaptureUnsupported, then cudaSuccess' "$tmp/wrong" capture
expect 1 'cudaErrorNotSupported, then cudaSuccess' "$tmp/wrong" array
[ "$(grep -c 'cudaArrayGetPlane is not supported' "$tmp/out")" = 1 ] && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAIL: a missing call is to be named once"; }
expect 1 'cudaErrorLaunchTimeout, then cudaErrorLaunchTimeout' HEDDLE_LIMIT=5000 "$tmp/wrong" spin
said 'kernel `spin(int volatile*)`: '

# A bad end that RTL and model share is no difference, and the last line says what it is up to.
expect 1 'cudaErrorLaunchTimeout, then cudaErrorLaunchTimeout' HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/wrong" deadlock
said 'launch 1: lockstep: equal, deadlock of the program; compared'
said 'all: lockstep: equal up to 1 deadlock; compared'
expect 1 'all: lockstep: equal up to 1 fault; compared' HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/wrong" null

# Profile, timeline and coverage of each launch, or of those that are asked for.
expect 0 PASS HEDDLE_PROFILE="$tmp/v/p.txt" HEDDLE_TIMELINE="$tmp/v/t.html" HEDDLE_COVERAGE="$tmp/v/c" HEDDLE_ONLY=2:3 "$tmp/five"
[ "$(cd "$tmp/v" && echo *)" = 'c p.2.txt p.3.txt t.2.html t.3.html' ] && passed=$((passed + 1)) ||
    { failed=$((failed + 1)); echo "FAIL: other files than those of launches 2 and 3: $(ls "$tmp/v")"; }
expect 0 'launch 3: walks(int*, int)<<<(4,1,1), (64,1,1)>>>' cat "$tmp/v/p.3.txt"
said 'SIMT efficiency 33.8% over 7788 warp instructions'
expect 0 'coverage: 172 of' "$build/heddle" coverage "$tmp/v/c"
expect 0 PASS HEDDLE_PROFILE="$tmp/v/k.json" HEDDLE_ONLY=til "$tmp/five"
[ "$(cd "$tmp/v" && echo k*)" = k.5.json ] && passed=$((passed + 1)) || { failed=$((failed + 1)); ls "$tmp/v"; }
expect 2 'HEDDLE_ONLY=3: of what?' HEDDLE_ONLY=3 "$tmp/five"
for only in '' 0 -1 5:2 2: :3 2:x; do
    expect 2 "HEDDLE_ONLY=$only: N, A:B or how" HEDDLE_PROFILE="$tmp/v/o.txt" HEDDLE_ONLY=$only "$tmp/five"
done
expect 0 'HEDDLE_ONLY=tall: none of the 5 launches was of it' HEDDLE_TIMELINE="$tmp/v/o.html" HEDDLE_ONLY=tall "$tmp/five"
[ "$(cd "$tmp/v" && echo o*)" = 'o*' ] && passed=$((passed + 1)) || { failed=$((failed + 1)); ls "$tmp/v"; }
expect 2 'HEDDLE_PROFILE=p/: the name of a file is needed' HEDDLE_PROFILE=p/ "$tmp/five"
# A file that cannot be written is found before the launch, which here has no end.
expect 2 'nowhere/p.1.txt' HEDDLE_PROFILE="$tmp/nowhere/p.txt" HEDDLE_LIMIT=0 "$tmp/wrong" spin
expect 2 'nowhere/t.1.html' HEDDLE_TIMELINE="$tmp/nowhere/t.html" HEDDLE_LIMIT=0 "$tmp/wrong" spin
expect 2 'nowhere/c: cannot be written' HEDDLE_COVERAGE="$tmp/nowhere/c" HEDDLE_LIMIT=0 "$tmp/wrong" spin

# More buffers than the core has ranges: neighbours share one, and a write between them is found all the same.
expect 0 PASS "$tmp/wrong" many
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/wrong" many
expect 1 'a write outside all buffers: to address 0x' "$tmp/wrong" between
said 'cudaErrorIllegalAddress, then cudaErrorIllegalAddress'

expect 2 'HEDDLE=fast: one of model|lockstep|rtl|board:LINK is needed' HEDDLE=fast "$tmp/five"
expect 2 'HEDDLE_LANES=3: one of 1|2|4|8|16|32 is needed' HEDDLE_LANES=3 "$tmp/five"
expect 2 'HEDDLE_LIMIT=1e6: a number from 0 to' HEDDLE_LIMIT=1e6 "$tmp/five"
expect 2 'HEDDLE_LANE is no option' HEDDLE_LANE=4 "$tmp/five"
expect 2 'timing profile `nothing` is not known' HEDDLE_TIMING=nothing "$tmp/five"

expect 2 'unknown option `--before`' NVCC_PREPEND_FLAGS='-DA=1 --before' "$build/heddle" nvcc --frobnicate x.cu
expect 2 "'/undeclared.h' file not found" NVCC_APPEND_FLAGS=' -include  /undeclared.h' "$build/heddle" nvcc -c $here/small.cu -o "$tmp/none.o"
expect 2 'unknown option `--frobnicate`' "$build/heddle" nvcc --frobnicate x.cu
expect 2 'no input files' "$build/heddle" nvcc
expect 2 '-o needs a value' "$build/heddle" nvcc x.cu -o
expect 2 'nothing.cu: No such file' "$build/heddle" nvcc nothing.cu
printf '#include <thrust/nowhere.h>\n' > "$tmp/nowhere.cu"
expect 2 'nowhere.cu:1:10: fatal error:' "$build/heddle" nvcc -c "$tmp/nowhere.cu" -o "$tmp/nowhere.o"
said 'thrust and CUB are not part of Heddle: `make deps` installs'
expect 2 "undeclared identifier 'undeclared'" "$build/heddle" nvcc -c $here/broken.cu -o "$tmp/broken.o"
[ ! -e "$tmp/broken.o" ] && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAIL: an object of what is broken"; }
expect 0 '`part` cannot run: function' "$build/heddle" nvcc $here/partly.cu -o "$tmp/partly"
expect 1 'kernel `part` does not compile: function' "$tmp/partly"
said 'the other one ran: 42, cudaErrorInvalidDeviceFunction'

# What the machine has an instruction for is that, not a loop.
build $here/fetches.cu -o "$tmp/fetches"
expect 0 PASS "$tmp/fetches"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/fetches"
build -ptx $here/fetches.cu -o "$tmp/fetches.ptx"
loops=$(awk '/\.entry/ { whole = /whole/ } whole && /atom.*\.cas/' "$tmp/fetches.ptx" | wc -l)
[ "$loops" = 0 ] && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAIL: $loops compare-and-swaps in whole words"; }

# Launches from kernels; outside a program they are not made, and that is said.
build $here/children.cu -o "$tmp/children"
for how in HEDDLE=model HEDDLE_MODE=stack HEDDLE_NATIVE=1 HEDDLE_JOBS=2; do expect 0 PASS $how "$tmp/children"; done
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/children"
said 'all: lockstep: equal; compared'
build -rdc=true $here/flood.cu -o "$tmp/flood"
expect 0 'PASS: cudaSuccess, 130 made with 0 wrong words' "$tmp/flood"
build -ptx $here/children.cu -o "$tmp/children.ptx"
expect 0 'the kernel launches others: none was run' "$build/heddle" run "$tmp/children.ptx" --kernel _Z3allPi --grid 1 --block 1 p:u32[1]

# heddle alone, as `make run` leaves it; without the headers.
mkdir "$tmp/alone" && cp "$build/heddle" "$tmp/alone"
expect 2 'unknown command `nvcc`' "$tmp/alone/heddle" nvcc $here/brackets.cu -o "$tmp/brackets"
cp "$build/heddle-nvcc" "$tmp/alone"
expect 2 "alone/include/heddle_program.h is not there: \`make\` builds it" "$tmp/alone/heddle" nvcc $here/brackets.cu -o "$tmp/brackets"

build $here/brackets.cu -o "$tmp/brackets"
expect 0 PASS "$tmp/brackets"
sed 's/int \*p, h/int *p, hh/' $here/brackets.cu > "$tmp/unbuilt.cu"
cp $here/brackets.h "$tmp"
# By way of a link, under a name with a quote, its header found by -isystem.
mkdir "$tmp/it's" "$tmp/system" && cp $here/brackets.cu "$tmp/it's/b.cu" && cp $here/brackets.h "$tmp/system"
ln -s "it's" "$tmp/linked"
for f in "$tmp/it's/b.cu" "$tmp/linked/b.cu"; do
    build -isystem "$tmp/system" "$f" -o "$tmp/brackets"
    expect 0 PASS "$tmp/brackets"
done
sed 's/"brackets.h"/<brackets.h>/' $here/brackets.cu > "$tmp/angle.cu"
build -I "$tmp/system" "$tmp/angle.cu" -o "$tmp/brackets"
expect 0 PASS "$tmp/brackets"
expect 2 "unbuilt.cu:53:27: error: use of undeclared identifier 'h'" "$build/heddle" nvcc -c "$tmp/unbuilt.cu" -o "$tmp/unbuilt.o"
build $here/references.cu -o "$tmp/references"
expect 0 PASS "$tmp/references"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/references"
build $here/textures.cu -o "$tmp/textures"
expect 0 PASS "$tmp/textures"
expect 0 PASS HEDDLE_MODE=stack "$tmp/textures"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/textures" few
said 'all: lockstep: equal; compared'
build $here/mipmaps.cu -o "$tmp/mipmaps" -lcuda
expect 0 PASS "$tmp/mipmaps"
said 'a view of compressed blocks (format 28) is not supported'
expect 0 PASS HEDDLE_MODE=stack "$tmp/mipmaps"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/mipmaps"
build $here/cubes.cu -o "$tmp/cubes" -lcuda
expect 0 PASS "$tmp/cubes"
expect 0 PASS HEDDLE_MODE=stack "$tmp/cubes"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/cubes" few
said 'all: lockstep: equal; compared'
# Operands behind the place that are not there: an offset, two levels, a level of texels by number.
for form in 'tex.2d.v4.f32.f32 {%f1,%f1,%f1,%f1}, [%a, {%f1,%f1}], {%r1,%r1}' \
    'tex.level.2d.v4.f32.f32 {%f1,%f1,%f1,%f1}, [%a, {%f1,%f1}], %f1, %f1' \
    'tex.level.1d.v4.f32.s32 {%f1,%f1,%f1,%f1}, [%a, {%r1}], %f1' 'tex.grad.2d.v4.f32.f32 {%f1,%f1,%f1,%f1}, [%a, {%f1,%f1}], {%f1,%f1}'; do
    printf '.version 8.0\n.target sm_80\n.address_size 64\n.entry k() { .reg .b32 %%r1; .reg .f32 %%f1; .reg .b64 %%a; %s; ret; }\n' "$form" > "$tmp/form.ptx"
    expect 2 'is not supported yet' "$build/heddle" cc "$tmp/form.ptx" -o "$tmp/form.hx"
done

# Device code of three files, linked by the run time; without one of them its functions are missed.
build -dc $here/units_a.cu -o "$tmp/units_a.o"
build -rdc=true -c $here/units_b.cu -o "$tmp/units_b.o"
build -dc $here/units_c.cu -o "$tmp/units_c.o"
build -dlink "$tmp/units_a.o" "$tmp/units_b.o" "$tmp/units_c.o" -o "$tmp/units_link.o"
build "$tmp/units_a.o" "$tmp/units_b.o" "$tmp/units_c.o" "$tmp/units_link.o" -o "$tmp/units"
expect 0 PASS "$tmp/units"
expect 0 PASS HEDDLE_MODE=stack "$tmp/units"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/units"
# Names that are each file's own, though the host names them too: kernels, variables, texture references.
build -dc -DSIDE=1 $here/static_names.cu -o "$tmp/static_a.o"
build -dc -DSIDE=2 $here/static_names.cu -o "$tmp/static_b.o"
build "$tmp/static_a.o" "$tmp/static_b.o" -o "$tmp/static"
expect 0 PASS "$tmp/static"
build "$tmp/static_b.o" "$tmp/static_a.o" -o "$tmp/static"
expect 0 PASS "$tmp/static"
build $here/units_a.cu "$tmp/units_b.o" -o "$tmp/units_apart"
expect 1 'kernel `all(int*)` does not compile: function scaled(int) is not defined, ' "$tmp/units_apart"
said 'units_a.cu:'

# Symbols of libcudart.so.13, as a program that nvcc linked asks for them, and its layout of cudaDeviceProp.
build -c $here/version13.cu -o "$tmp/version13.o"
g++ "$tmp/version13.o" "$build/cuda/libcudart.so.13" "$build/libheddle_cudart.so" -o "$tmp/version13" || exit 1
expect 0 PASS LD_LIBRARY_PATH="$build/cuda" "$tmp/version13"
said 'cudaArrayGetPlane is not supported'
grep -q 'no version information' "$tmp/out" && { failed=$((failed + 1)); echo "FAIL: libcudart.so.13 has no versions"; }
# Programs that nvcc built: host code and PTX as it makes them.
nvcc=${NVCC:-/usr/local/cuda/bin/nvcc}
if [ -x "$nvcc" ]; then
    for f in five prints managed textures; do
        "$nvcc" -cudart shared -arch=sm_80 -w $here/$f.cu -o "$tmp/nv_$f" > "$tmp/out" 2>&1 || { cat "$tmp/out"; exit 1; }
    done
    expect 0 PASS LD_LIBRARY_PATH="$build/cuda" "$tmp/nv_five"
    expect 0 PASS LD_LIBRARY_PATH="$build/cuda" HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/nv_five"
    expect 0 PASS LD_LIBRARY_PATH="$build/cuda" "$tmp/nv_managed"
    expect 0 PASS LD_LIBRARY_PATH="$build/cuda" "$tmp/nv_textures"
    expect 1 'Assertion `threadIdx.x != n` failed.' LD_LIBRARY_PATH="$build/cuda" "$tmp/nv_prints"
    "$nvcc" -cudart shared -rdc=true -arch=sm_75 -w $here/units_a.cu $here/units_b.cu $here/units_c.cu -o "$tmp/nv_units" > "$tmp/out" 2>&1 ||
        { cat "$tmp/out"; exit 1; }
    expect 0 PASS LD_LIBRARY_PATH="$build/cuda" "$tmp/nv_units"
    for f in children conditions graph_memory graph_edges; do
        "$nvcc" -cudart shared -rdc=true -arch=sm_75 -w $here/$f.cu -o "$tmp/nv_$f" > "$tmp/out" 2>&1 || { cat "$tmp/out"; exit 1; }
        expect 0 PASS LD_LIBRARY_PATH="$build/cuda" DOT="$tmp/g.dot" "$tmp/nv_$f"
    done
    "$nvcc" -cudart shared -arch=sm_75 -w $here/calls.cu -o "$tmp/nv_calls" -L "$(dirname "$nvcc")/../lib64/stubs" -lcuda > "$tmp/out" 2>&1 ||
        { cat "$tmp/out"; exit 1; }
    expect 0 PASS LD_LIBRARY_PATH="$build/cuda" "$tmp/nv_calls" "$tmp/k.ptx"
    "$nvcc" -cudart shared -arch=sm_75 -w $here/mipmaps.cu -o "$tmp/nv_mipmaps" -L "$(dirname "$nvcc")/../lib64/stubs" -lcuda > "$tmp/out" 2>&1 ||
        { cat "$tmp/out"; exit 1; }
    expect 0 PASS LD_LIBRARY_PATH="$build/cuda" "$tmp/nv_mipmaps"
else
    echo "NOT RUN: programs that nvcc built ($nvcc is not there)"
fi
build $here/managed.cu -o "$tmp/managed"
expect 0 PASS "$tmp/managed"

expect 2 'has host code, which is not for this command: `heddle nvcc' "$build/heddle" cc $here/five.cu -o "$tmp/five.hx"

# The recipe for public programs: one that passes, one that says that it fails, one that does not build.
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
    $here/public.pl "$build/heddle" "$tmp/public" "$tmp/tried"
said '| good-cuda | passes | 1 | 0.00 | 3.1 |'
said 'no: says that it fails (bad-cuda)'
said 'build: header cudnn.h (none-cuda)'
# In lockstep: what passed on the model, and RTL and model have to be equal.
expect 0 'programs: tried 1, pass by their own check 1, end without saying 0, do not pass 0, do not build 0' \
    $here/public.pl "$build/heddle" "$tmp/public" "$tmp/tried" '' '' lockstep
said '| good-cuda | passes | 1 | 0.00 | 3.1 |'
said '| equal |'
grep -q 'all: lockstep: equal; compared' "$tmp/tried/lockstep/good-cuda.log" && passed=$((passed + 1)) ||
    { failed=$((failed + 1)); echo "FAIL: good-cuda was not run in lockstep"; }
expect 2 'is neither model nor lockstep' $here/public.pl "$build/heddle" "$tmp/public" "$tmp/tried" '' '' slow
mkdir "$tmp/nothing"
expect 2 'no folder in' $here/public.pl "$build/heddle" "$tmp/nothing" "$tmp/none"
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
expect 0 'programs: tried 1, pass by their own check 1, ' $here/public.pl "$build/heddle" "$tmp/files" "$tmp/filed"
said '| more@one.cu | passes | 1 | 0.00 |'

# Tiles of several warps.
build $here/warp_tiles.cu -o "$tmp/warp_tiles"
expect 0 PASS "$tmp/warp_tiles"
expect 0 PASS HEDDLE_MODE=stack "$tmp/warp_tiles"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/warp_tiles" 256
build -std=c++17 $here/nested_groups.cu -o "$tmp/nested_groups"
expect 0 PASS "$tmp/nested_groups"
expect 0 PASS HEDDLE_MODE=stack "$tmp/nested_groups"
expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/nested_groups"
# What the device has room for.
build $here/room.cu -o "$tmp/room"
expect 0 PASS "$tmp/room" 32 65536 255
expect 0 PASS HEDDLE_WARPS=4 "$tmp/room" 4 65536 255
# What build systems ask of nvcc: places, dependencies, files of options, words for the host compiler, device code in archives.
expect 0 'Cuda compilation tools, release 12' "$build/cuda/bin/nvcc" --version
expect 2 '#$ LIBRARIES=-L' "$build/cuda/bin/nvcc" -v nowhere.o
printf -- '-I %s/cmake --define-macro="N=3" -Xcompiler "-DM=\\"4\\" -Wall"\n' "$here" > "$tmp/words.rsp"
build --options-file "$tmp/words.rsp" --dryrun '-DLIST=1\,2' -Xcompiler '-DPAIR=1\,2,-DONE' -c $here/cmake/scale.cu -o "$tmp/scale.o"
said ' -DLIST=1,2 '
said ' -DPAIR=1,2 -DONE '
said ' -DN=3 '
said ' -DM=4 -Wall '
build -M -I$here/cmake $here/cmake/scale.cu -o "$tmp/scale.d"
grep -q 'cmake/parts.h' "$tmp/scale.d" && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAIL: nvcc -M"; }
build -dlink -MD -MF "$tmp/scale.dd" -MT there -dc $here/cmake/scale.cu -o "$tmp/scale.o"
grep -q '^there:.*cmake/scale.cu' "$tmp/scale.dd" && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAIL: nvcc -MD"; }
expect 2 'unknown option `--quick`' "$build/heddle" nvcc --quick $here/small.cu -o "$tmp/no"
# nvcc's -Werror names a kind, the host compiler's does not.
build -Werror all-warnings -Werror -c $here/cmake/offset.cu -o "$tmp/offset.o"
expect 2 'unrecognized command-line option' "$build/heddle" nvcc --forward-unknown-to-host-compiler --quick $here/cmake/main.cpp -o "$tmp/no"
build -dc $here/cmake/offset.cu -o "$tmp/offset.o"
ar rcs "$tmp/libparts.a" "$tmp/scale.o" "$tmp/offset.o"
for parts in "$tmp/libparts.a" "-L$tmp -lparts"; do
    build $here/cmake/main.cpp $parts -lcublas -o "$tmp/archived"
    expect 0 PASS "$tmp/archived"
done
expect 0 'compute_90' "$build/heddle" nvcc --list-gpu-arch
mkdir "$tmp/odir"
build -dc -odir "$tmp/odir" $here/cmake/offset.cu $here/cmake/scale.cu
rm "$tmp/libparts.a"
build -lib "$tmp/odir/offset.o" "$tmp/odir/scale.o" -o "$tmp/libparts.a"
build $here/cmake/main.cpp "$tmp/libparts.a" -lcublas -o "$tmp/archived"
expect 0 PASS "$tmp/archived"
rm "$tmp/libparts.a"
build -lib -rdc=true $here/cmake/offset.cu $here/cmake/scale.cu -o "$tmp/libparts.a"
build -dlink "$tmp/libparts.a" -o "$tmp/link.o"
build -c $here/cmake/main.cpp -o "$tmp/main.o"
g++ "$tmp/main.o" "$tmp/link.o" "$tmp/libparts.a" -o "$tmp/by_hand" "-L$build/cuda/lib64" -lcublas -lcudart_static -lcudadevrt -lcuda
expect 0 PASS "$tmp/by_hand"
if command -v cmake > "$tmp/out"; then
    expect 0 'Build files' "PATH=$(cd $build && pwd)/cuda/bin:$PATH" cmake -S $here/cmake -B "$tmp/cmake"
    expect 0 'Built target app' cmake --build "$tmp/cmake"
    expect 0 PASS "$tmp/cmake/app"
    expect 0 PASS HEDDLE=lockstep HEDDLE_LANES=4 "$tmp/cmake/app"
else
    echo "NOT RUN: a project of CMake, which is not installed"
fi

echo "programs: $passed passed, $failed failed"
[ $failed = 0 ]
