#!/bin/sh
# Resets and initial values taken out of a copy of the core, one at a time.  With two states no
# check notices, because what they set begins as zero anyway; here the list of known registers must,
# or else a small grid.
# SPDX-License-Identifier: Apache-2.0
# usage: planted.sh BUILD LIST     (LIST: lines `NAME FILE SED`; SED takes it out of FILE)
build=$1 list=$2
from=$build/rtl/icarus
launch="tests/icarus/one.cu --grid 2 --block 32 --warps 1 in:u32[64]=iota out:u32[64]"
failed=0 n=0

# What noticed NAME's change, in a line; nothing if it went unnoticed.
noticed() {
    said=$(tests/icarus/known.sh "$build" "$dir/rtl/core_l4.vvp") ||
        { printf '%s\n' "$said" | sed -n '1s/.*: /unknown after the reset: /p'; return; }
    said=$("$dir/heddle" lockstep $launch --lanes 4 --four-state --limit 2500 2>&1)
    case $? in
    1) printf '%s\n' "$said" | sed -n '1s/^lockstep: //p' ;;
    3) echo "after 2500 cycles no more than $(printf '%s\n' "$said" | grep -o '[0-9]* commits')" ;;
    esac
}

while read -r name file edit; do
    case $name in ''|\#*) continue ;; esac
    n=$((n + 1))
    dir=$build/planted/icarus/$name
    rm -rf "$dir" && mkdir -p "$dir/rtl" && cp "$build/heddle" "$from"/*.v "$from"/*.vh "$dir" &&
        cp "$build/rtl/libcore_l4_icarus.so" "$build/rtl/icarus.vpi" "$dir/rtl" &&
        sed "$edit" "$from/$file" > "$dir/$file" || exit 1
    if cmp -s "$from/$file" "$dir/$file"; then
        failed=$((failed + 1))
        echo "FAIL planted: $name: \`$edit\` finds nothing in $file"
        continue
    fi
    make -s BUILD="$build" ICARUS_RTL="$dir" ICARUS_PROGRAM="$dir/rtl/core_l4.vvp" icarus-program ||
        exit 1
    by=$(noticed)
    if [ -n "$by" ]; then
        echo "planted: $name: $by"
    else
        failed=$((failed + 1))
        echo "FAIL planted: $name: not noticed"
    fi
done < "$list"
echo "planted: $((n - failed)) of $n missing resets were noticed"
[ $failed -eq 0 ] && [ $n -gt 0 ]
