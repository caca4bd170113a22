#!/bin/sh
# What harness/core/eval.pl lets out of an evaluation changes nothing: a small module with inputs of every width,
# evaluated in parts and whole.  An input that its list lacks is noticed.  Code of another Verilator, and modules
# that are not of one clock, are evaluated whole, and said to be.
# SPDX-License-Identifier: Apache-2.0
# use: eval.sh DIR VERILATOR-INCLUDE COMPILER...
set -e
dir=$1 inc=$2
shift 2
rm -rf "$dir" && mkdir -p "$dir"
die() { echo "FAIL $*"; exit 1; }

model() {       # (folder, sed script): the module, changed, as objects
    mkdir -p "$dir/$1"
    sed "$2" tests/rtl/eval.v > "$dir/$1/eval.v"
    verilator --cc --top-module eval --prefix Veval -O3 --Mdir "$dir/$1" "$dir/$1/eval.v"
}
objects() {     # (folder, compiler...)
    at=$dir/$1
    shift
    cat "$at"/Veval*.cpp > "$at/all.cc"
    "$@" -std=c++17 -I"$at" -I"$inc" -I"$inc/vltstd" -c -o "$at/all.o" "$at/all.cc"
    for f in verilated verilated_threads; do
        [ -f "$dir/$f.o" ] || "$@" -std=c++17 -I"$inc" -I"$inc/vltstd" -c -o "$dir/$f.o" "$inc/$f.cpp"
    done
}
list() { harness/core/eval.pl "$dir/$1" Veval > "$dir/$1/eval.h" 2> "$dir/$1/said"; }    # (folder)
try() {         # (folder, compiler...): what the test says of that eval.h
    at=$dir/$1
    shift
    "$@" -std=c++17 -Wall -Werror -I. -I"$at" -I"$inc" -I"$inc/vltstd" -o "$at/try" tests/rtl/eval.cpp "$at/all.o" \
        "$dir/verilated.o" "$dir/verilated_threads.o" -pthread -latomic
    "$at/try"
}
whole() {       # (folder, what is not as it is known)
    list "$1"
    grep -q "evaluated whole, which is slower: $2 is not as" "$dir/$1/said" || die "$1: it does not say: $2: $(cat "$dir/$1/said")"
    grep -q 'EVAL_BY_PARTS 0' "$dir/$1/eval.h" || die "$1: is evaluated in parts"
}

model plain ''
objects plain "$@"
list plain
[ ! -s "$dir/plain/said" ] || die "$(cat "$dir/plain/said")"
try plain "$@" > "$dir/said" && grep 'in parts, the same' "$dir/said" || die "the plain module"

# An input left out of the list: a narrow one, and a wide one.
cp "$dir/plain/eval.h" "$dir/eval.h"
for input in rst_n e_i; do
    sed "s/ I($input)//" "$dir/eval.h" > "$dir/plain/eval.h"
    ! cmp -s "$dir/eval.h" "$dir/plain/eval.h" || die "$input is not in the list"
    try plain "$@" > "$dir/plain/said" && die "without $input in the list nothing is noticed"
    grep -q '^differs from eval() after' "$dir/plain/said" || die "$(cat "$dir/plain/said")"
done
echo "an input that was left out of the list was noticed"

# Another Verilator's name for the clock before.
mkdir -p "$dir/other"
for f in "$dir"/plain/Veval*; do sed 's/__Vtrigrprev__TOP__clk/__Vtrigprevexpr___TOP__clk__0/g' "$f" > "$dir/other/$(basename "$f")"; done
objects other "$@"
whole other Veval___024root___eval_triggers__act
try other "$@" > "$dir/said" && grep 'whole, the same' "$dir/said" || die "code of another Verilator"

model falling 's/posedge clk/negedge clk/'
whole falling Veval___024root___eval_triggers__act
model gated 's/assign sum_o = /&{31'"'"'d0, clk} + /'
whole gated 'what looks at clk'
sed 's/VL_IN8(&a_i/VL_IN8((\&a_i)[2]/' "$dir/plain/Veval.h" > "$dir/gated/Veval.h"
! list gated || die "a port that cannot be read is passed over"
grep -q 'a port that cannot be read' "$dir/gated/said" || die "$(cat "$dir/gated/said")"
echo "another Verilator, another clock, logic of the clock: evaluated whole, and said to be"
