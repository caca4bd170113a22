#!/bin/sh
# Synthesises, places and routes a board and writes its bitstream: BUILD/fpga-board/BOARD-SET-SEED.bit, and the figures of
# it beside, as a line of tests/fpga/placed.csv.
# SPDX-License-Identifier: Apache-2.0
# use: place.sh BUILD BOARD SET SEED      SET: of tests/fpga/boards.txt; SEED none: only synthesises
set -eu
build=$1 board=$2 set=$3 seed=$4 here=tests/fpga/board
out=$build/fpga-board/$board-$set
case $board in
ulx3s) chip="--85k --package CABGA381 --speed 6" ;;
colorlight) echo "fpga-board: there is no top level of a Colorlight: the masks of its SDRAM are tied down, and sdram.v writes bytes"; exit 1 ;;
*) echo "fpga-board: BOARD= is ulx3s or sim"; exit 2 ;;
esac
params=$(sed -n "s/^$set  *//p" tests/fpga/boards.txt | sed 's/\([A-Z0-9_]*\)=\([0-9]*\)/.\1(\2)/g; s/ /,/g')
[ -n "$params" ] || { echo "fpga-board: tests/fpga/boards.txt has no set $set"; exit 2; }
mkdir -p "$out"
tool() { tests/fpga/tools.sh "$build" "$@"; }
tests/fpga/tools.sh "$build" > "$out/tools"
own=rtl/fpga/board.v
[ "$set" != memory ] || own=rtl/fpga/boards/memory_board.v
sources="$own $(ls rtl/fpga/*.v rtl/*.v rtl/*/*.v | sort -u | grep -v '^rtl/simt_cores.v\|^rtl/cores/\|^rtl/fpga/board.v') $build/gen/decode_gen.v"

# ---- synthesis, once for all seeds: board.v stays a module, for netlist.sh ----
key=$(cat $sources rtl/*.vh rtl/fpga/*.vh "$build"/gen/*.vh "rtl/fpga/boards/$board.v" "$out/tools" "$0" | cksum; echo "$params")
if [ "$(cat "$out/key" 2> /dev/null)" != "$key" ]; then
    cat > "$out/synth.ys" <<END
read_verilog -defer -sv -DSYNTHESIS -DCOMMIT_PORT -DCOMMIT_THIN -DFPGA_ECP5 -DADDR_BITS=32 -DBOARD_PARAMS=$params -Irtl/fpga -Irtl -I$build/gen $(echo $sources) rtl/fpga/boards/$board.v
hierarchy -top $board
setattr -mod -set keep_hierarchy 1 *board*
setattr -mod -unset keep_hierarchy *scoreboard*
synth_ecp5 -top $board -run :check
tee -q -o $out/stat stat
write_rtlil $out/board.il
blackbox =A:whitebox
setattr -mod -unset keep_hierarchy *
flatten
opt_clean
write_json $out/board.json
END
    tool yosys -q -l "$out/synth.log" "$out/synth.ys" > "$out/synth.said" 2>&1 || { tail -n 3 "$out/synth.said"; exit 1; }
    echo "$key" > "$out/key"
fi

[ "$seed" != none ] || exit 0

# ---- placement ----
bit=$build/fpga-board/$board-$set-$seed.bit
tool nextpnr-ecp5 $chip --json "$out/board.json" --lpf "rtl/fpga/boards/$board.lpf" --textcfg "$out/$seed.config" --write "$out/$seed.json" \
    --report "$out/$seed.report" --seed "$seed" --timing-allow-fail > "$out/$seed.log" 2>&1 ||
    { grep ERROR "$out/$seed.log"; echo "fpga-board: $board, $set, seed $seed: not routed ($out/$seed.log)"; exit 1; }
tool ecppack --compress "$out/$seed.config" "$bit"
perl $here/figures.pl "$board" "$set" "$seed" "$out" "$bit" > "$out/$seed.csv"
cat "$out/$seed.csv"
