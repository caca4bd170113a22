#!/bin/sh
# Paper B's workloads on a GPU: prints tests/paper_b/h200.csv, each row as soon as it is measured.
# SPDX-License-Identifier: Apache-2.0
# use: run.sh FOLDER     FOLDER: what `make paper-b-gpu` has packed; the machine needs the CUDA driver alone
#
# LIMIT: seconds after which it ends with what it has, 450.  WORK: a folder for 4 GB, FOLDER/work.
# KERNELS: those to measure, all.  Inputs, counts and orders are made by all processors while the
# GPU measures what is ready.  Status: 0 all is measured; 1 something is not, which a comment says;
# 2 nothing can be.
[ $# -eq 1 ] && [ -f "$1/gpu" ] || { echo "use: run.sh FOLDER, made by make paper-b-gpu" >&2; exit 2; }
[ -x "$1/gpu" ] || chmod +x "$1/gpu" "$1/lib/ld-linux-x86-64.so.2" || exit 2
here=$(cd "$1" && pwd) && recipe=$(cd "$(dirname "$0")" && pwd) || exit 2
work=${WORK:-$here/work} size=${SIZE:-gpu} kernels=${KERNELS:-mc sw nw ec mum sl sm}
end=$(($(date +%s) + ${LIMIT:-450}))
mkdir -p "$work" && rm -f "$work"/*.ready "$work"/*.failed "$work"/*.order "$work/gpu.ini" || exit 2
left() { echo $((end - $(date +%s) > 1 ? end - $(date +%s) : 1)); }
# The packed programs bring their own libraries.
packed() { program=$1; shift; timeout "$(left)" "$here"/lib/ld-linux-x86-64.so.2 --library-path "$here/lib" "$here/$program" "$@"; }
gpu() { timeout "$(left)" "$here/gpu" "$@"; }

# --window by which a search takes at most 20 s: VECTORS COLUMNS NANOSECONDS a pair and column;
# nothing: none is needed
window() {
    awk -v v="$1" -v c="$2" -v ns="$3" 'BEGIN { w = int(20e9 / (v * c * ns)); if (w < v) print "--window " (w < 32 ? 32 : w) }'
}

# One workload up to the GPU: input and wanted output, counts and a fit, then the profile, and
# orders with their predictions.
prepare() {
    k=$1
    packed paper_b write "$size" "$work" "$k" || return 1
    packed heddle bbv "$here/$k.ptx" "@$work/$k.args" -o "$work/$k.bbv" --fit "$work/$k.fit" > "$work/$k.counts" || return 1
    while [ ! -e "$work/gpu.ini" ]; do sleep 0.2; [ "$(left)" -gt 1 ] || return 1; done
    set -- $(sed -n '1s/.*distinct vectors \([0-9]*\), columns \([0-9]*\)$/\1 \2/p' "$work/$k.counts")
    machine=$(gpu machine "$here" "$k" "$(sed -n '1s/.*--block //p' "$work/$k.args")") || return 1
    echo "$machine" > "$work/$k.machine"
    for by in sorting greedy greedy-max best; do
        case $by in greedy) windows=$(window "$1" "$2" 22.5) ;; greedy-max) windows=$(window "$1" "$2" 1.5) ;; *) windows= ;; esac
        packed heddle regroup "$here/$k.ptx" "@$work/$k.args" --bbv "$work/$k.bbv" --by $by $windows --timing "$work/gpu.ini" \
            --machine "$machine" --apply auto --advise --save "$work/$k.$by.order" --json > "$work/$k.$by.json" &
    done
    wait
    for by in sorting greedy greedy-max best; do [ -s "$work/$k.$by.order" ] || return 1; done
}
pids=
trap 'kill $pids 2> /dev/null' EXIT
trap 'exit 1' INT TERM
for k in $kernels; do
    { prepare "$k" && touch "$work/$k.ready" || touch "$work/$k.failed"; } > "$work/$k.log" 2>&1 &
    pids="$pids $!"
done

# The profile comes first: orders wait for it.
name=$(gpu name) && gpu latencies > "$work/gpu.ini.new" && mv "$work/gpu.ini.new" "$work/gpu.ini" || exit 2
echo "# workload,mechanism,order,microseconds,weighted,scheduled,ours,right,host microseconds"
echo "# $name, driver $(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2> /dev/null | head -1)"
sed 's/^/# /' "$work/gpu.ini"

# Of ORDER's line in FILE: a value; 0: there is none.
value() { sed -n "s/.*\"order\": \"$2\".*\"$3\": \([0-9.]*\).*/\1/p" "$1" | grep . || echo 0; }
predicted() { echo "$(value "$1" "$2" weighted),$(value "$1" "$2" scheduled),$(value "$1" "$2" units)"; }
missing=0
not_measured() { echo "# $1: not measured: $2"; missing=1; }
measure() {
    gpu time "$here" "$work" "$1" sorting greedy greedy-max best > "$work/$1.times" 2> "$work/$1.error" ||
        echo "gpu time: exit status $?" >> "$work/$1.error"
    while read -r order mechanism us right; do
        json=$work/$1.$order.json
        [ "$order" != original ] || json=$work/$1.sorting.json
        host=$(value "$json" "$order" seconds | awk '{ printf "%.0f", 1e6 * $1 }')
        echo "$1,$mechanism,$order,$us,$(predicted "$json" "$order"),$right,$host"
    done < "$work/$1.times" > "$work/$1.rows"
    cat "$work/$1.rows"
    "$recipe/counts.sh" "$work" "$1"
    # what `--apply auto` chooses for best, with the time that it has
    apply=$(sed -n '1s/.*"apply": "\([a-z]*\)".*/\1/p' "$work/$1.best.json") order=best
    [ "$apply" != none ] || order=original
    sed -n "s/^$1,$apply,$order,/$1,auto-$apply,best,/p" "$work/$1.rows"
    [ ! -s "$work/$1.error" ] || not_measured "$1" "$(head -1 "$work/$1.error")"
}
waiting=$kernels done=
while [ -n "$waiting" ] && [ "$(left)" -gt 1 ]; do
    later=
    for k in $waiting; do
        if [ -e "$work/$k.ready" ]; then
            measure "$k"
            done="$done $k"
        elif [ -e "$work/$k.failed" ]; then
            not_measured "$k" "$(tail -1 "$work/$k.log")"
        else
            later="$later $k"
        fi
    done
    waiting=$later
    [ -z "$waiting" ] || sleep 0.3
done
for k in $waiting; do not_measured "$k" "time is over"; done

# The host's time counts here, so nothing else runs.
for k in $done; do
    gpu pipeline "$here" "$work" "$k" > "$work/$k.times" 2> "$work/$k.error" || echo "exit status $?" >> "$work/$k.error"
    while read -r order mechanism us right host; do
        echo "$k,$mechanism,$order,$us,0,0,0,$right,$host"
    done < "$work/$k.times"
    [ ! -s "$work/$k.error" ] || not_measured "$k" "pipeline: $(head -1 "$work/$k.error")"
    [ "$(left)" -gt 1 ] || { not_measured "$k" "pipeline: time is over"; break; }
done
echo "# $((${LIMIT:-450} - $(left))) seconds"
exit $missing
