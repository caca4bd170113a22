#!/bin/sh
# A unit of the core as its netlist: what Yosys makes of it for an ECP5, for a core that runs in lockstep.
# SPDX-License-Identifier: Apache-2.0
#
# use: gates.sh CORE.il UNIT DIR FIRST small|kept
# CORE.il is the elaborated core: the unit has the parameters that the core gives it.  Writes to DIR: UNIT_net.v,
# the flat netlist, its tables as expressions; and UNIT.v, the unit's ports around it.
# Block RAMs and multipliers have no model that can be simulated.  Tables take the place of multipliers.  Memories are
# small RAMs (16 x 4), or stay as they are.
set -e
core=$1 unit=$2 dir=$3 first=$4 memories=$5
# Yosys names a variant by its parameters, or by their hash before the unit's name.
module=$(awk '/^module / { print $2 }' "$core" | grep -E "(^|\\\\)$unit(\\\\|\$|$)" || :)
[ "$(printf '%s\n' "$module" | grep -c .)" = 1 ] || { printf 'gates: the core has not one variant of %s: %s\n' "$unit" "$module"; exit 1; }
synth="synth_ecp5 -nobram -nodsp -nowidelut -top ${unit}_net"
if [ "$memories" = small ]; then synth="$synth -run begin:map_cells"
else synth="$synth -run begin:map_ram; opt_mem; opt_clean; $synth -run map_gates:map_cells"; fi
# Nets are split, else Verilator sees loops.
yosys -q -l "$dir/$unit.log" -p "read_rtlil $core
    rename $module ${unit}_net
    $synth
    splitnets; clean
    tee -q -o $dir/$unit.stat stat
    select ${unit}_net
    write_verilog -noattr -selected $dir/$unit.new" > "$dir/$unit.said" 2>&1 || { grep ERROR "$dir/$unit.said"; exit 1; }
perl -0pe "s/(\nmodule $unit .*?\n\);\n).*?\nendmodule/\$1  ${unit}_net u_net (.*);\nendmodule/s or die 'no module $unit'" \
    rtl/*/"$unit.v" > "$dir/$unit.v"
# Four planted bugs, far apart: table k is inverted where HEDDLE_GATE is k, from FIRST on.
tables=$(grep -c '^  assign .* >> {' "$dir/$unit.new")
awk -v first="$first" -v step="$((tables / 5))" '/^  assign .* >> [{]/ && ++n % step == 0 && n / step <= 4 {
        sub(/= /, "= ("); sub(/;$/, ") ^ (simt_core.gate == " first + n / step - 1 ");")
    }
    { print }' "$dir/$unit.new" > "$dir/${unit}_net.v"
grep -c 'simt_core.gate ==' "$dir/${unit}_net.v" | grep -qx 4
