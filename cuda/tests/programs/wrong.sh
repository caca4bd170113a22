#!/bin/sh
# Programs that do something wrong: faults, launches that cannot be, wrong calls, races, and what is said of them.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

program wrong.cu
expect 1 'kernel `fill(float*, int, Vector)` faulted: out-of-range access, block (3,0,0), thread (4,0,0), ' "$tmp/wrong" after
said 'wrong.cu:11' \
    'the address is 0 bytes after the end of allocation 1 of the program (400 bytes, made in main), parameter 0' \
    'parameter 0, float*: 0x10000000, allocation 1' 'parameter 1, int: 120' 'parameter 2, Vector: 0x1' \
    'cudaErrorIllegalAddress, then cudaErrorIllegalAddress'
expect 1 'the address is in no buffer' "$tmp/wrong" null
expect 1 'it is none of the device' "$tmp/wrong" host
for way in inside generic; do
    for how in HEDDLE=model "$lockstep"; do
        expect 1 'in shared memory, of which the block has 256 bytes' $how "$tmp/wrong" $way
    done
done
expect 1 'it reads a texture or surface object that is 0; `loose` is bound to nothing' "$tmp/wrong" texture
said 'kernel `fetches(float*)` faulted'
expect 1 'it reads a texture or surface object that is 0' "$tmp/wrong" object

expect 1 'fill(float*, int, Vector)<<<(1,1,1), (2000,1,1), 0>>>: invalid configuration argument' "$tmp/wrong" threads
said 'parameter 0, float*: 0x10000000, allocation 1' 'cudaErrorInvalidConfiguration, then cudaSuccess'
expect 1 'cudaErrorInvalidConfiguration, then cudaSuccess' "$tmp/wrong" grid
for way in shared copy direction free twice; do expect 1 'cudaErrorInvalidValue, then cudaSuccess' "$tmp/wrong" $way; done
expect 1 'cudaErrorInvalidDevice, then cudaSuccess' "$tmp/wrong" device
expect 1 'cudaErrorMemoryAllocation, then cudaSuccess' "$tmp/wrong" memory
expect 0 'cudaSuccess, then cudaSuccess' "$tmp/wrong" pinned
expect 1 'cudaErrorStreamCaptureUnsupported, then cudaSuccess' "$tmp/wrong" capture
expect 1 'cudaErrorNotSupported, then cudaSuccess' "$tmp/wrong" array
holds 'a missing call is to be named once' [ "$(grep -c 'cudaArrayGetPlane is not supported' "$tmp/out")" = 1 ]

expect 1 'cudaErrorLaunchTimeout, then cudaErrorLaunchTimeout' HEDDLE_LIMIT=5000 "$tmp/wrong" spin
said 'kernel `spin(int volatile*)`: '
# A bad end that RTL and model share is no difference, and the last line says what it is up to.
expect 1 'cudaErrorLaunchTimeout, then cudaErrorLaunchTimeout' $lockstep "$tmp/wrong" deadlock
said 'launch 1: lockstep: equal, deadlock of the program; compared' 'all: lockstep: equal up to 1 deadlock; compared'
expect 1 'all: lockstep: equal up to 1 fault; compared' $lockstep "$tmp/wrong" null

# More buffers than the core has ranges: neighbours share one, and a write between them is found all the same.
for how in HEDDLE=model "$lockstep"; do expect 0 PASS $how "$tmp/wrong" many; done
expect 1 'a write outside all buffers: to address 0x' "$tmp/wrong" between
said 'cudaErrorIllegalAddress, then cudaErrorIllegalAddress'

# One kernel calls what is nowhere; the other one runs all the same.
expect 0 '`part` cannot run: function' "$heddle" nvcc $here/partly.cu -o "$tmp/partly"
expect 1 'kernel `part` does not compile: function' "$tmp/partly"
said 'the other one ran: 42, cudaErrorInvalidDeviceFunction'

# A race, and kernels that end badly while nobody looks.
for p in race strict; do
    program $p.cu
    (cd "$tmp" && env HEDDLE_LANES=4 "./$p") > "$tmp/out" 2>&1
    said PASS
done
expect 1 'a launch did not end well; the status is 1' HEDDLE_STRICT=1 $lockstep "$tmp/strict" 0
finish
