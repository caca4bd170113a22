#!/bin/sh
# Netlist mutants: Yosys changes single gates of a unit; one netlist holds all, with a selector.
# SPDX-License-Identifier: Apache-2.0
#
# use: netlist.sh DIR UNIT COUNT SEED GEN SOURCES PARAMETERS         (tests/mutants.mk does)
# Writes to DIR: unit.il, the unit's flat netlist; list, one mutant a line; and what puts them into
# the core, where mutant k acts if mutsel == k: UNIT_net.v, UNIT.v, simt_core.v.
set -e
dir=$1 unit=$2 count=$3 seed=$4 gen=$5 sources=$6 params=$7
here=$(dirname "$0")
run() { yosys -q -l "$dir/log" -p "$1" > "$dir/said" 2>&1 || { grep ERROR "$dir/said"; exit 1; }; }

# Structs become vectors, hierarchy is flattened, memories stay memories; enable and reset of a
# register are gates before it, where there can be mutants, too.
run "read_verilog -sv -DSYNTHESIS -Irtl -I$gen $sources
    hierarchy -check -top $unit $params
    proc; flatten; opt -fast; memory -nomap -nordff; opt -fast; dffunmap; opt_clean
    rename -top ${unit}_net
    write_rtlil $dir/unit.il"
# Left alone: memories (a read port that is switched off reads anything), and the decoder, which is
# generated and compared with the C decoder bit by bit (make test-isa).  Nets are split, else
# Verilator sees loops.
run "read_rtlil $dir/unit.il
    select c:* t:\$mem* %d c:*u_decode* %d
    mutate -list $count -seed $seed -ctrl mutsel 16 1 -o $dir/list.new
    select -clear
    script $dir/list.new
    opt_clean; splitnets -driver; opt_clean
    write_verilog -noattr $dir/net.v"
{ echo '/* verilator lint_off UNOPTFLAT */'; cat "$dir/net.v"; } > "$dir/${unit}_net.v"
for m in $unit simt_core; do cat rtl/$m.v rtl/*/$m.v 2> /dev/null | "$here/netlist_wrap.pl" $m > "$dir/$m.v"; done
mv "$dir/list.new" "$dir/list"
