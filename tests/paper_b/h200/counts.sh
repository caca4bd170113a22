#!/bin/sh
# What our model's counts say of each order of a workload: rows `counts' of tests/paper_b/h200.csv.
# SPDX-License-Identifier: Apache-2.0
# use: counts.sh WORK KERNEL     WORK: the recipe's folder, with KERNEL.ORDER.json and KERNEL.machine
#
# BOUND is that of all cores' blocks; rows have it as WEIGHTED, for each core.
cores=$(cut -d, -f1 "$1/$2.machine") || exit 2
for by in original sorting greedy greedy-max best; do
    json=$1/$2.$by.json
    [ $by != original ] || json=$1/$2.sorting.json
    bound=$(sed -n '1s/.*"bound": \([0-9]*\).*/\1/p' "$json")
    sed -n "s/.*\"order\": \"$by\".*\"divergent_warps\": \([0-9.]*\).*\"divergences\": \([0-9]*\).*/\1 \2/p" "$json" |
        awk -v bound="$bound" -v cores="$cores" -v name="counts,$2,$by" '{ printf "%s,%s,%s,%.0f\n", name, $1, $2, bound / cores }'
done
