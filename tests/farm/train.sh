#!/bin/sh
# Runs what a campaign runs on a core that counts, for the compiler's profile feedback.
# SPDX-License-Identifier: Apache-2.0
# use: train.sh HEDDLE LANES OUT
for mode in barrier stack; do
    for kind in 'machine 60' 'ptx 20'; do
        "$1" fuzz --lanes "$2" --mode $mode --stack-depth 4 --level ${kind% *} --count ${kind#* } \
            --seed 5 --out "$3" > "$3/train.txt" || { cat "$3/train.txt"; exit 1; }
    done
done
