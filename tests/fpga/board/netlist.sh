#!/bin/sh
# The netlist of board.v, as place.sh has synthesised it, as Verilog: OUT/board_net.v, without delays.
# SPDX-License-Identifier: Apache-2.0
# use: netlist.sh BUILD OUT      OUT: BUILD/fpga-board/BOARD-SET
set -eu
build=$1 out=$2
module=$(awk '/^module / { print $2 }' "$out/board.il" | grep -E '(^|\\)board$|\\board\\' || :)
[ "$(printf '%s\n' "$module" | grep -c .)" = 1 ] || { echo "netlist: $out/board.il has not one board: $module"; exit 1; }
cat > "$out/netlist.ys" <<END
read_rtlil $out/board.il
rename $module board_net
techmap -map tests/fpga/board/netlist_map.v
read_verilog -lib +/ecp5/cells_bb.v
read_verilog -overwrite -DNO_INCLUDES +/ecp5/cells_sim.v
hierarchy -top board_net
proc
setattr -mod -unset keep_hierarchy *
flatten -wb -noscopeinfo
opt_expr
splitnets
opt_clean
tee -q -o $out/netlist.stat stat
write_verilog -noattr -simple-lhs $out/board_net.v
END
tests/fpga/tools.sh "$build" yosys -q -l "$out/netlist.log" "$out/netlist.ys" > "$out/netlist.said" 2>&1 || { tail -n 3 "$out/netlist.said"; exit 1; }
