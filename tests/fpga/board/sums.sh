#!/bin/sh
# A digest's sums, as the beats of a board without whole records bring them, against a slow form of them.
# SPDX-License-Identifier: Apache-2.0
# use: sums.sh VERILATOR CXX GEN DIR LANES...
set -eu
verilator=$1 cxx=$2 gen=$3 dir=$4
shift 4
for lanes in "$@"; do
    mkdir -p "$dir/$lanes"
    $verilator --cc --exe --main --timing -Wno-lint -Wno-style -sv --top-module sums_tb --Mdir "$dir/$lanes" -O3 -GLANES="$lanes" \
        -DCOMMIT_PORT -DCOMMIT_THIN -Irtl/fpga -Irtl -I"$gen" tests/fpga/board/sums_tb.v rtl/probe.v rtl/mem/lsu_debug.v
    make --no-print-directory -C "$dir/$lanes" -f Vsums_tb.mk CXX="$cxx" OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0 > "$dir/$lanes/log" 2>&1 ||
        { tail -n 5 "$dir/$lanes/log"; exit 1; }
    "$dir/$lanes/Vsums_tb" > "$dir/$lanes/said"
    grep ', [1-9][0-9]* compared, 0 errors$' "$dir/$lanes/said" || { cat "$dir/$lanes/said"; exit 1; }
done
