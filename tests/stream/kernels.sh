#!/bin/bash
# The streams of our own kernels pass the monitor, on the model or in lockstep, and the core's stream
# is the model's.
# SPDX-License-Identifier: Apache-2.0
# use: kernels.sh BUILD FOLDER EVERY FILE...    every EVERY-th file in lockstep as well, with the
#      model's stream beside, but of kernels with atomics, clocks or barriers of a few threads: their
#      values, or the order of their groups, depend on the order of warps and on the core's cycles
build=$1 dir=$2 every=$3
shift 3
heddle=$build/heddle
rm -rf "$dir" && mkdir -p "$dir" || exit 4
passed=0 failed=0 k=0
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAIL $1:"; sed 's/^/    /' "$dir/out"; }
# A launch may end by a fault (1), a deadlock or a limit (3): its stream must be right up to then.
launch() {
    "$heddle" "$@" > "$dir/out" 2>&1
    [ $? -ne 2 ] || { grep -q 'needs a core\|core has\|does not fit' "$dir/out" && return 1; bad "heddle $*"; return 1; }
}
check() {
    "$heddle" stream check "$1" > "$dir/out" 2>&1
    case $?-$(tail -c 3000 "$dir/how") in
    0-*) good ;;
    1-*deadlock* | 1-*limit*) if grep -q 'rule ended broken' "$dir/out"; then good; else bad "$2"; fi ;;
    *) bad "$2" ;;
    esac
}
for f; do
    k=$((k + 1))
    while IFS= read -r line; do
        eval "words=($line)" || exit 4
        launch run "$f" "${words[@]}" --stream "$dir/model.hst" || continue
        cp "$dir/out" "$dir/how"
        check "$dir/model.hst" "run $f $line"
        [ $((k % every)) -eq 0 ] || continue
        launch lockstep "$f" "${words[@]}" --stream "$dir/core.hst" || continue
        cp "$dir/out" "$dir/how"
        check "$dir/core.hst" "lockstep $f $line"
        grep -qi 'atom\|red\.\|clock\|barrier.sync [0-9]*,' "$f" && continue
        if "$heddle" stream diff "$dir/model.hst" "$dir/core.hst" > "$dir/out" 2>&1; then good; else bad "diff $f $line"; fi
    done < <(sed -n 's/^.*\(\/\/\|#\) RUN: //p' "$f")
done
rm -f "$dir"/*.hst
echo "stream kernels: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
