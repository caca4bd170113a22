#!/bin/bash
# What streams cost: time and memory to check 10 million commits, and what writing one adds to
# lockstep, in seconds of processor time.
# SPDX-License-Identifier: Apache-2.0
# use: bench.sh BUILD FOLDER
build=$1 dir=$2
heddle=$build/heddle
rm -rf "$dir" && mkdir -p "$dir" || exit 4
seconds() { # COMMAND...: of this processor
    TIMEFORMAT='%U %S'
    { time "$@" > "$dir/out" 2>&1; } 2> "$dir/time" || { cat "$dir/out" >&2; exit 1; }
    awk '{ print $1 + $2 }' "$dir/time"
}
"$heddle" run tests/view/tutorial/p_loop_merge.cu --grid 1 --block 32 'in:u32[256]=@tests/silicon/input.u32' 'out:f32[32]' n:u32=4500 \
    --stream "$dir/long.hst" > "$dir/out" || { cat "$dir/out"; exit 1; }
"$heddle" stream check "$dir/long.hst" > "$dir/out" &
check=$!
while grep -s VmHWM /proc/$check/status > "$dir/now"; do cp "$dir/now" "$dir/most"; sleep 0.1; done
wait $check || { cat "$dir/out"; exit 1; }
spent=$(seconds "$heddle" stream check "$dir/long.hst")
commits=$(sed -n 's/^stream: ok; \([0-9]*\) instructions.*/\1/p' "$dir/out")
events=$(tail -c 8 "$dir/long.hst" | od -An -tu8)
[ -n "$commits" ] || { cat "$dir/out"; exit 1; }
bytes=$(stat -c %s "$dir/long.hst") memory=$(awk '{ print $2 }' "$dir/most")
awk -v c="$commits" -v e="$events" -v s="$spent" -v m="$memory" -v b="$bytes" 'BEGIN {
    printf "check: %d commits, %d events in %.1f s, %.1f million events a second; %.0f MiB of memory; %.0f bytes a commit\n", c, e, s, e / s / 1e6, m / 1024, b / c
    exit !(e / s >= 2e6 && m < 65536) }' || exit 1
launch='tests/kernels/divergent.cu --grid 24 --block 128 data:f32[3072]=rand:1 steps:i32[3072] n:i32=3000'
for k in 1 2 3 4 5; do
    seconds "$heddle" lockstep $launch --no-snapshots >> "$dir/plain"
    seconds "$heddle" lockstep $launch --no-snapshots --stream "$dir/core.hst" >> "$dir/with"
done
"$heddle" stream check "$dir/core.hst" > "$dir/out" || { cat "$dir/out"; exit 1; }
each=$(($(stat -c %s "$dir/core.hst") / $(sed -n 's/^stream: ok; \([0-9]*\) instructions.*/\1/p' "$dir/out")))
paste <(sort -n "$dir/plain") <(sort -n "$dir/with") | sed -n 3p |
    awk -v b="$each" '{ cost = 100 * ($2 / $1 - 1)
        printf "lockstep: %.2f s, with a stream %.2f s, %.0f%% more; %d bytes a commit\n", $1, $2, cost, b; exit cost > 20 }'
