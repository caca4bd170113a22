#!/bin/bash
# Two builds of heddle run the same random kernels: they must count the same, cycle by cycle, and
# meet the same cases.  Prints how many kernels each runs a minute of processor time.
# SPDX-License-Identifier: Apache-2.0
# use: same.sh HEDDLE OTHER-HEDDLE LANES...
one=$1 other=$2
shift 2
[ $# -gt 0 ] || { echo "usage: same.sh HEDDLE OTHER-HEDDLE LANES..." >&2; exit 2; }
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0 TIMEFORMAT='%U %S'

# run NAME HEDDLE OPTIONS...: $tmp/NAME.out without the rate, $tmp/NAME.cov; processor time in
# milliseconds.
run() {
    local name=$1 heddle=$2 took
    shift 2
    took=$( { time "$heddle" fuzz "$@" --seed 11 --out "$tmp" --coverage "$tmp/$name.cov" \
        > "$tmp/$name.txt" 2>&1; } 2>&1 )
    sed 's/^[0-9.]* kernels\/s, //' "$tmp/$name.txt" > "$tmp/$name.out"
    echo "$took" | awk '{ printf "%d\n", ($1 + $2) * 1000 + 1 }'
}
for lanes; do for mode in barrier stack; do for kind in 'machine 120' 'ptx 25'; do
    set -- --lanes "$lanes" --mode $mode --stack-depth 4 --level ${kind% *} --count ${kind#* }
    rm -f "$tmp"/*.cov
    a=$(run one "$one" "$@") b=$(run other "$other" "$@")
    if grep -q '^fuzz: kernels [1-9]' "$tmp/one.out" && cmp "$tmp/one.out" "$tmp/other.out" \
        && cmp "$tmp/one.cov" "$tmp/other.cov"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1)) && cat "$tmp/one.txt" "$tmp/other.txt"
    fi
    echo "LANES $lanes, $mode mode, ${kind% *}: $((${kind#* } * 60000 / a)) and" \
        "$((${kind#* } * 60000 / b)) kernels a minute"
done; done; done
echo "same: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
