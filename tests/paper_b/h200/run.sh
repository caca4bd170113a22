#!/bin/sh
# Paper B's workloads on a GPU: prints tests/paper_b/h200.csv.
# SPDX-License-Identifier: Apache-2.0
# use: run.sh FOLDER     FOLDER: what `make paper-b-gpu` has packed; the machine needs the CUDA driver alone
[ $# -eq 1 ] && [ -x "$1/gpu" ] || { echo "use: run.sh FOLDER, made by make paper-b-gpu" >&2; exit 2; }
here=$1
work=${WORK:-$here/work}
mkdir -p "$work" || exit 2
# The packed programs bring their own libraries.
heddle() { "$here"/lib/ld-linux-x86-64.so.2 --library-path "$here/lib" "$here/heddle" "$@"; }
"$here"/lib/ld-linux-x86-64.so.2 --library-path "$here/lib" "$here/paper_b" write "${SIZE:-gpu}" "$work" >&2 || exit 2
"$here/gpu" latencies > "$work/gpu.ini" || exit 2
value() { sed -n "s/.*\"order\": \"$1\".*\"$2\": \([0-9.]*\).*/\1/p"; }
echo "# workload,mechanism,order,microseconds,weighted,scheduled,ours,right,host microseconds; $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2> /dev/null | head -1)"
sed 's/^/# /' "$work/gpu.ini"
for k in mc sw nw ec mum sl sm; do
    for by in original sorting greedy greedy-max best; do
        heddle regroup "$here/$k.ptx" "@$work/$k.args" --by $by --window 4096 --timing "$work/gpu.ini" --save "$work/$k.order" --json \
            > "$work/$k.json" || exit 2
        predicted=$(value $by weighted < "$work/$k.json"),$(value $by scheduled < "$work/$k.json"),$(value $by in_loops < "$work/$k.json")
        host=$(value $by seconds < "$work/$k.json" | awk '{ print 1e6 * $1 }')
        row() { # MECHANISM PTX ORDER MOVED
            got=$("$here/gpu" time "$here/$2.ptx" $k "$work/$k.args" "$work/$k.want" "$3" "$4") || exit 2
            echo "$k,$1,$by,${got% *},$predicted,${got#* },$host"
        }
        if [ $by = original ]; then
            row none $k - -
        else
            row redirect $k.redirect "$work/$k.order" -
            moved=$(cat "$here/$k.moved")
            [ -z "$moved" ] || row layout $k "$work/$k.order" "$moved"
        fi
    done
done
