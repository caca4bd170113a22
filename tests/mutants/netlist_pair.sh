#!/bin/sh
# A unit beside its mutants, for proofs that one is equal: DIR/pair.aag (netlist_pair.pl).
# SPDX-License-Identifier: Apache-2.0
#
# use: netlist_pair.sh DIR UNIT GEN         after netlist.sh (see tests/mutants.mk)
set -e
dir=$1 unit=$2 gen=$3
here=$(dirname "$0")
needed=$here/${unit}_needed.v
run() { yosys -q -l "$dir/log" -p "$1" > "$dir/said" 2>&1 || { grep ERROR "$dir/said"; exit 1; }; }

"$here/netlist_pair.pl" $unit "$here/same_$unit.vh" "$dir"
run "read_rtlil $dir/open.il; script $dir/open.list
    read_verilog -sv -Irtl -I$gen $dir/pair.v $(test ! -f "$needed" || echo "$needed")
    hierarchy -top pair; proc; flatten; setundef -undriven -zero; setundef -zero; opt_clean
    techmap; setundef -zero; opt_expr; aigmap; opt_clean
    write_aiger -ascii -symbols $dir/pair.aag"
