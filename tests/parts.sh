#!/bin/bash
# Runs parts of the tests and sums up what tests/part.sh noted of them.
# SPDX-License-Identifier: Apache-2.0
# use: parts.sh DIR MINUTES COMMAND...   parts that have not begun by then are not run; 0: no limit
#      parts.sh DIR/PART                 the line of one part
report() {
    awk 'FNR == 1 { n = split(FILENAME, f, "/"); part = f[n] }
        { wall[part] += $1; cpu[part] += $2 + $3; late[part] = $1 == "late" }
        END {
            for (p in wall)
                if (late[p]) printf "%-22s not run: no time left\n", p
                else printf "%-22s %7.1f s, %7.1f s of processor time\n", p, wall[p], cpu[p]
        }' "$@"
}
if [ $# -eq 1 ]; then [ ! -e "$1" ] || report "$1"; exit; fi
dir=$1 minutes=$2
shift 2
case $minutes in *[!0-9]* | '') echo "parts.sh: MINUTES=$minutes is not a number" >&2; exit 2 ;; esac
rm -rf "$dir" && mkdir -p "$dir" || exit 2
start=$(date +%s)
echo $((minutes ? start + minutes * 60 : 0)) > "$dir/.end"
TIMEFORMAT='%U %S'
{ time "$@" 9>&1 2>&8; } 8>&2 2> "$dir/.times"
status=$?
echo "parts, the longest first:"
[ -z "$(ls "$dir")" ] || report "$dir"/* | sort -k 4,4nr
awk -v seconds=$(($(date +%s) - start)) -v parts="$(ls "$dir" | wc -l)" \
    -v late="$(cat "$dir"/* 2> /dev/null | grep -c late)" '
    { printf "parts %d, %d of them not run, %d s, %d s of processor time with what was built\n",
          parts, late, seconds, $1 + $2 }' "$dir/.times"
rm -rf "$dir/.end" "$dir/.times"
exit $status
