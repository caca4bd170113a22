#!/bin/sh
# Random kernels on every processor of this machine for so many seconds: both levels, both modes,
# LANES 1, 4 and 32, four and sixteen tokens on chip.  Needs nothing but heddle and its cores, so
# that `make dist` can carry it anywhere.
# SPDX-License-Identifier: Apache-2.0
# use: campaign.sh HEDDLE OUT [SECONDS [SEED [JOBS]]]
# Ends with a table and `campaign: kernels N, equal N, races N, failed N, ...`; exit status 1 where
# one failed.
set -u
[ $# -ge 2 ] && [ $# -le 5 ] || { echo "usage: campaign.sh HEDDLE OUT [SECONDS [SEED [JOBS]]]" >&2; exit 2; }
heddle=$1 out=$2 seconds=${3:-300} seed=${4:-1} jobs=${5:-$(nproc)}
case $seconds$seed$jobs in *[!0-9]*) echo "campaign.sh: SECONDS, SEED and JOBS are numbers" >&2; exit 2 ;; esac
"$heddle" fuzz --help > /dev/null || { echo "campaign.sh: $heddle does not run" >&2; exit 2; }
mkdir -p "$out" && rm -f "$out"/*.out || exit 2
# Slices of about twenty seconds, so that all processors end together; at least one of each kind.  A
# kernel that goes through the compiler takes some three times as long, so it gets three slices.
kinds=48
slice=$((seconds < 40 ? (seconds + 1) / 2 : 20))
shards=$((jobs * seconds / slice / kinds))
[ "$shards" -gt 0 ] || shards=1
i=0
while [ $i -lt $shards ]; do
    for mode in barrier stack; do for lanes in 32 4 1; do for depth in 4 16; do
        echo "machine $mode $lanes $depth $i/$shards"
        for k in 0 1 2; do echo "ptx $mode $lanes $depth $((3 * i + k))/$((3 * shards))"; done
    done; done; done
    i=$((i + 1))
done > "$out/tasks"
start=$(date +%s)
end=$((start + seconds))
export heddle out seed slice end
"$heddle" progress campaign "$(wc -l < "$out/tasks")" slices "cat '$out'/*.out 2> /dev/null | grep -c '^exit'" &
watch=$!
# A slice may take longer than its time, for a large kernel or a failure that is shrunk: then others
# do not begin.
xargs -P "$jobs" -L 1 sh -c 'log=$out/$0.$1.$2.$3.${4%/*}.out; left=$((end - $(date +%s)))
    if [ $left -le 0 ]; then echo "no time left" > "$log"; exit 0; fi
    [ $left -lt $slice ] && slice=$left
    "$heddle" fuzz --level $0 --mode $1 --lanes $2 --stack-depth $3 --seed $seed --shard $4 --count 100000000 --time $slice \
        --out "$out" > "$log" 2>&1; echo "exit $?" >> "$log"' < "$out/tasks"
kill $watch 2> /dev/null && wait $watch
cd "$out" || exit 2
awk -v seconds=$(($(date +%s) - start)) -v jobs="$jobs" -v seed="$seed" -v tasks="$(wc -l < tasks)" '
    FNR == 1 { fails = 0; split(FILENAME, f, "."); kind = f[1] " " f[2] " " f[3] " " f[4] }
    /^fuzz: kernels/ { done++; gsub(",", ""); fails = $9; n[kind] += $3; e[kind] += $5; r[kind] += $7; b[kind] += $9; level[f[1]] += $3 }
    /^no time left$/ { done++; late++ }
    /^exit [^01]/ || (/^exit 1/ && !fails) { print FILENAME ": " $0; lost++ }
    END {
        print "level mode lanes tokens: kernels equal races failed"
        for (k in n) {
            if (!n[k]) { print "campaign: " k ": no kernel ran"; lost++ }
            printf "%s: %d %d %d %d\n", k, n[k], e[k], r[k], b[k] | "sort"; N += n[k]; E += e[k]; R += r[k]; B += b[k]
        }
        close("sort")
        printf "campaign: kernels %d, equal %d, races %d, failed %d, through the compiler %d, seed %d, %d seconds, processors %d\n",
            N, E, R, B, level["ptx"], seed, seconds, jobs
        if (late) printf "campaign: %d of %d slices did not begin: the others took longer\n", late, tasks
        if (done < tasks) printf "campaign: %d of %d slices gave no count\n", tasks - done, tasks
        exit B > 0 || lost > 0 || done < tasks || !N
    }' *.out
code=$?
ls fuzz-*-small.* 2> /dev/null | sed 's|^|failed: heddle fuzz --replay |'
exit $code
