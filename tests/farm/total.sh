#!/bin/sh
# What the shards of a campaign printed (DIR/*.out), as one line; exit status 1 where a kernel
# failed, a shard gave no count or none of its kernels ran.
# SPDX-License-Identifier: Apache-2.0
# use: total.sh DIR SHARDS
cat "$1"/*.out 2> /dev/null | awk -v shards="$2" '
    /^fuzz: kernels/ { n++; gsub(",", ""); k += $3; e += $5; r += $7; f += $9; empty += $3 == 0 }
    END {
        printf "farm: shards %d of %d, kernels %d, equal %d, races %d, failed %d\n", n, shards, k, e, r, f
        if (empty) printf "farm: %d shards ran no kernel\n", empty
        exit f > 0 || n < shards || !k || empty
    }'
