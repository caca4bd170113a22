#!/bin/sh
# --machine: our core by its numbers predicts as our core; more cores end sooner; nonsense is
# refused.
# SPDX-License-Identifier: Apache-2.0
# use: machine.sh HEDDLE
launch="tests/regroup/loop.cu --grid 64 --block 128 in:u32[8192]=rand:3 out:u32[8192] --by sorting --json"
field() {
    said=$("$1" regroup $launch $3) && echo "$said" | sed -n "s/.*\"order\": \"sorting\".*\"$2\": \([0-9.]*\).*/\1/p"
}
for what in weighted scheduled shared_port in_loops; do
    ours=$(field "$1" $what) same=$(field "$1" $what "--machine 1,8,1") many=$(field "$1" $what "--machine 4,8,1")
    [ -n "$ours" ] && [ "$ours" = "$same" ] || { echo "machine: $what is $same by our core's numbers, and $ours by our core"; exit 1; }
    [ "$many" -lt "$ours" ] && [ $((4 * many)) -ge $((ours - 4)) ] || { echo "machine: $what is $many on four cores, and $ours on one"; exit 1; }
done
for bad in 0,1,1 1,2 1,2,3,4 1,2,x 9999,1,1; do
    "$1" regroup $launch --machine $bad > /dev/null 2>&1
    [ $? -eq 2 ] || { echo "machine: --machine $bad is not refused"; exit 1; }
done
echo "regroup: --machine holds"
