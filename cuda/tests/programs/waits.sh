#!/bin/sh
# Lanes and blocks that wait for others: loops without stores, locks, barriers in divided branches; loops that do not end.
# SPDX-License-Identifier: Apache-2.0
. cuda/tests/programs/common.sh || exit 4

program waits.cu -arch=sm_80 -std=c++17
passes waits HEDDLE_LIMIT=20000000
# With a stack nine never end, as docs/stack.md says: the lane that waits runs first.  The reason is said.
expect 1 '9 of 25 waits fail' $stack HEDDLE_LIMIT=2000000 "$tmp/waits"
said 'spins, and its lanes in tokens never get their turn (a stack runs one side at a time, barrier mode runs both)' \
    'lanes 00000020 at PC' \
    'runs, and its lanes in tokens have no turn before that ends (a stack runs one side at a time, barrier mode runs both)'
for wait in guarded_exit exit_of_inner exit_below exit_of_atomic voted naps callee_exits ring recursion; do said "FAIL: $wait: "; done
for p in goto_past lock_inside; do
    program $p.cu
    passes $p "$model" "$stack" "$lockstep $stack"
done
program endless_stores.cu
(cd "$tmp" && env HEDDLE_LANES=4 ./endless_stores) > "$tmp/out" 2>&1
said PASS
(cd "$tmp" && env $lockstep HEDDLE_LIMIT=20000 ./endless_stores child) > "$tmp/out" 2>&1
said 'lanes 00000008 at PC'
finish
