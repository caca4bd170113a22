#!/bin/sh
# Places and routes the stack unit with its driver (stack_place.v) on an iCE40 HX8K, says cells and clock, turns the
# bitstream back into Verilog and runs that: it must show the signature of the RTL; the RTL with a bug, another.
# SPDX-License-Identifier: Apache-2.0
# use: place.sh BUILD SEED MHZ      fails below MHZ
set -eu
build=$1 seed=$2 mhz=$3 out=$1/place here=tests/fpga/place
fails() { echo "place: $1"; tail -n 5 "$2"; exit 1; }
for tool in yosys nextpnr-ice40 icepack iceunpack icebox_vlog; do
    command -v $tool > /dev/null || { echo "place: $tool is missing (Debian: nextpnr-ice40 fpga-icestorm)"; exit 1; }
done
mkdir -p "$out"
rtl="rtl/converge/stack.v $(echo rtl/converge/stack_*.v) rtl/converge/bar_walk.v rtl/front/pick.v rtl/front/starve.v"

# ---- the RTL, and with a bug ----
simulate() {                            # name, files of the unit: prints what the driver shows
    verilator --binary --timing -Wno-fatal -Wno-lint -Wno-style --top-module stack_place_tb -DRTL -DSYNTHESIS -Irtl \
        -I"$build/gen" --Mdir "$out/$1" -o tb $here/stack_place_tb.v $here/stack_place.v $2 > "$out/$1.log" 2>&1 \
        || fails "Verilator" "$out/$1.log"
    "$out/$1/tb" +cycles=5000 > "$out/$1.said" || fails "the simulation" "$out/$1.said"
    grep -v '^- ' "$out/$1.said"
}
simulate rtl "$rtl" > "$out/rtl.txt"
sed "s/chip - 7'd3/chip - 7'd4/" rtl/converge/stack_mem.v > "$out/stack_mem.v"
cmp -s rtl/converge/stack_mem.v "$out/stack_mem.v" && { echo "place: the planted bug has no place"; exit 1; }
simulate bug "$(echo "$rtl" | sed "s|rtl/converge/stack_mem.v|$out/stack_mem.v|")" > "$out/bug.txt"
grep '^[0-9]' "$out/rtl.txt" > "$out/want.txt"
grep '^[0-9]' "$out/bug.txt" | cmp -s - "$out/want.txt" && { echo "place: a bug leaves the signature as it is"; exit 1; }

# ---- the circuit ----
yosys -q -l "$out/synth.log" -p "read_verilog -sv -DSYNTHESIS -Irtl -I$build/gen $here/stack_place.v $rtl
    synth_ice40 -abc2 -top stack_place -json $out/stack_place.json" > "$out/synth.said" 2>&1 || fails "Yosys" "$out/synth.log"
nextpnr-ice40 --hx8k --package ct256 --json "$out/stack_place.json" --pcf $here/hx8k.pcf --asc "$out/stack_place.asc" \
    --freq 36 --timing-allow-fail --seed "$seed" > "$out/pnr.log" 2>&1 || fails "nextpnr" "$out/pnr.log"
cells=$(sed -n 's/^Info:[[:space:]]*ICESTORM_LC: *\([0-9]*\)\/ *\([0-9]*\).*/\1 of \2 cells/p' "$out/pnr.log")
clock=$(sed -n 's/.*Max frequency for clock .*: \([0-9.]*\) MHz.*/\1 MHz/p' "$out/pnr.log" | tail -n 1)
echo "place: stack unit and driver, iCE40 HX8K, seed $seed: $cells, $clock"
awk -v clock="${clock% MHz}" -v mhz="$mhz" 'BEGIN { exit !(clock + 0 >= mhz + 0) }' || { echo "place: slower than $mhz MHz"; exit 1; }

# ---- the bitstream as Verilog ----
icepack "$out/stack_place.asc" "$out/stack_place.bin"
iceunpack "$out/stack_place.bin" "$out/again.asc"
icebox_vlog -l -c -s -n stack_place -p $here/hx8k.pcf -d ct256 "$out/again.asc" > "$out/chip.v" 2> "$out/vlog.log" \
    || fails "icebox_vlog" "$out/vlog.log"
iverilog -g2012 -DNO_ICE40_DEFAULT_ASSIGNMENTS -s stack_place_tb -o "$out/chip.vvp" $here/stack_place_tb.v "$out/chip.v" \
    /usr/share/yosys/ice40/cells_sim.v > "$out/chip.log" 2>&1 || fails "Icarus" "$out/chip.log"
vvp "$out/chip.vvp" +cycles=5000 > "$out/chip.said" || fails "vvp" "$out/chip.said"
grep '^[0-9]' "$out/chip.said" > "$out/chip.txt" || true
diff "$out/want.txt" "$out/chip.txt" || { echo "place: the circuit does not do as the RTL"; exit 1; }
sed -n 's/^did:/place: equal for 5000 cycles:/p' "$out/rtl.txt"
