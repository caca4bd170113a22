#!/bin/sh
# Records new states where an NVIDIA GPU of sm_90 and ptxas are: states.sh SEED COUNT FOLDER
# SPDX-License-Identifier: Apache-2.0
set -e
here=$(dirname "$0") seed=${1:?seed} count=${2:?programs of a kind} to=${3:?folder}
mkdir -p "$to"
cc -std=gnu11 -O2 -o "$to/record" "$here/record.c" -ldl
perl "$here/skeleton.pl" > "$to/skeleton.ptx"
ptxas -arch=sm_90 "$to/skeleton.ptx" -o "$to/skeleton.cubin"
for kind in plain sync mixed chaos call move table wsync; do
    for dense in 0 1; do
        perl "$here/programs.pl" "$seed" "$count" $kind $dense
    done > "$to/programs.txt"
    "$to/record" "$to/skeleton.cubin" "$to/programs.txt" "$to/$kind.txt"
    gzip -9 -n -f "$to/$kind.txt"
done
