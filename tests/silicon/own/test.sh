#!/bin/bash
# `heddle silicon record`: recordings of an H200 against model and RTL, what is altered in one, GPUs
# that are not there or are others, and trace points that change nothing.
# SPDX-License-Identifier: Apache-2.0
# use: test.sh HEDDLE
here=$(dirname "$0") heddle=$1
passed=0 failed=0
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
# want STATUS WORDS ARGUMENT...
want() {
    local status=$1 words=$2
    shift 2
    "$heddle" silicon record "$@" > "$tmp/out" 2>&1
    local got=$?
    if [ $got -eq "$status" ] && grep -qF -- "$words" "$tmp/out"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL silicon record $*: exit status $got, expected $status with \`$words\`:"
        head -20 "$tmp/out" | sed 's/^/    /'
    fi
}
# altered SED FILE: a copy of the recording, which must be another
altered() {
    sed -E "$1" "$here/$2" > "$tmp/altered.txt"
    cmp -s "$here/$2" "$tmp/altered.txt" && { failed=$((failed + 1)); echo "FAIL $1: alters nothing"; }
}

# ---- recordings of an H200 ----
for k in divergent:4 call_in_loop:4 spin_lock:4 cube:8; do
    want 0 "record: warps ${k#*:}/${k#*:} in the GPU's order, model" --from "$here/${k%:*}.txt" --model
done
want 0 "record: warps 4/4 in the GPU's order, model and RTL" --from "$here/call_in_loop.txt" --lanes 4
want 1 'record: warps 0/4' --from "$here/nested.txt" --model
want 1 '    GPU   nested.cu:20 (point 12) 25045440' --from "$here/nested.txt" --model
want 1 '    model nested.cu:6 (point 4) dafbabbf' --from "$here/nested.txt" --model
want 1 '    RTL   nested.cu:6 (point 4) dafbabbf' --from "$here/nested.txt" --lanes 4

# ---- what is altered is found ----
altered 's/^(warp 2 .*) 5:(f)/\1 5:7/' call_in_loop.txt
want 1 'warp 2 (block 1, warp 0): part at event' --from "$tmp/altered.txt" --model
want 1 "record: warps 3/4" --from "$tmp/altered.txt" --model
altered '/^warp 3 /s/ [^ ]*$//' call_in_loop.txt
want 1 '    GPU   ends' --from "$tmp/altered.txt" --model
altered '/^warp 3 /d' call_in_loop.txt
want 2 'not whole: it has 3 of 4 warps' --from "$tmp/altered.txt" --model
altered '/^output out /s/.$/x/' call_in_loop.txt
want 1 "output out: not the GPU's on: model" --from "$tmp/altered.txt" --model
altered '/^output out /d' call_in_loop.txt
want 2 'lacks output out' --from "$tmp/altered.txt" --model
altered 's/^point 3 .*/point 3 x.cu:1/' call_in_loop.txt
want 2 'its trace points are not those of its PTX' --from "$tmp/altered.txt"
altered 's/^(warp [0-9]) .*/\1 differs/' call_in_loop.txt
want 1 "record: warps 0/0" --from "$tmp/altered.txt" --model
altered 's/^events .*/events 20/' call_in_loop.txt
want 1 'has more than 20 events on the model' --from "$tmp/altered.txt" --model
altered '/^ptx$/,$d' call_in_loop.txt
want 2 'has no PTX' --from "$tmp/altered.txt"
: > "$tmp/empty.txt"
want 2 'no recording' --from "$tmp/empty.txt"

# ---- wrong use ----
want 2 'of which kernel' --grid 1 --block 32
want 2 'unknown option' "$here/nested.cu" --grid 1 --block 32 --stream x
want 2 'which kernel? --kernel k' "$here/../kernels/p_if_else.ptx" --grid 1 --block 32 --kernel other in:u32[256] \
    out:u32[256] cnt:u32[512] log:u32[196608] n:u32=256
want 2 'parameter' "$here/nested.cu" --grid 1 --block 32 in:u32[32]

# ---- GPUs that are not there, or are others ----
launch=("$here/spin_lock.cu" --grid 1 --block 32 lock:u32[1] count:u32[1] out:u32[32])
ldconfig -p 2> /dev/null | grep -q libcuda.so.1 || want 2 'needs an NVIDIA driver' "${launch[@]}"
gpu() { cc -DSM="$1" -DDIFFERS="$2" -shared -fPIC -o "$tmp/libcuda.so.1" "$here/driver.c" || exit 4; }
export LD_LIBRARY_PATH=$tmp
gpu 80 1
want 2 'needs a GPU of sm_90, whose order is known: this one, Fake, is of sm_80' "${launch[@]}"
gpu 90 1
want 1 '    GPU   spin_lock.cu:4 (point 1) 00000001' "${launch[@]}" -o "$tmp/own.txt" --model
want 1 'GPU: Fake, sm_90, driver 13.0' --from "$tmp/own.txt" --model
gpu 90 2
want 1 "warps 0/0 in the GPU's order, model, 1 differ between two runs" "${launch[@]}" --model
unset LD_LIBRARY_PATH

# ---- trace points change nothing that a kernel computes ----
for k in "$here"/../kernels/{p_switch8_dense,p_recursion,p_indirect_call,p_syncwarp_two_sites,r0017,r0108}.ptx; do
    name=$(basename "$k" .ptx)
    words=(--grid 8 --block 32 in:u32[256]=@"$here/../input.u32" out:u32[256] cnt:u32[512] log:u32[1572864] n:u32=256)
    want 0 'is ready' "$k" "${words[@]}" --events 4096 --prepare "$tmp/$name"
    "$heddle" run "$k" "${words[@]}" --dump out="$tmp/plain" > /dev/null || failed=$((failed + 1))
    "$heddle" run "$tmp/$name/traced.ptx" "${words[@]}" hd_record_log:u32[4195328] --dump out="$tmp/traced" > /dev/null ||
        failed=$((failed + 1))
    if cmp -s "$tmp/plain" "$tmp/traced" && [ -e "$tmp/$name/param.log" ] && [ "$(grep -c ^point "$tmp/$name/recording.head")" -gt 4 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $name: trace points change what it computes, or are too few"
    fi
done
echo "silicon record: $passed passed, $failed failed"
[ $failed -eq 0 ]
