#!/bin/sh
# The SDRAM's controller with its chip, at two clocks; then with one mistake each, all of which must be found.
# SPDX-License-Identifier: Apache-2.0
# use: sdram.sh DIR
set -eu
dir=$1 here=tests/fpga/board
mkdir -p "$dir"
# $1: the controller, $2: kHz, $3: nanoseconds; prints what the bench says
bench() {
    iverilog -g2012 -s sdram_tb -Psdram_tb.KHZ="$2" -Psdram_tb.PERIOD="$3" -Psdram_tb.ASKED=400 -o "$dir/tb" "$1" $here/sdram_chip.v \
        $here/sdram_tb.v 2> "$dir/log" || { cat "$dir/log"; exit 1; }
    vvp "$dir/tb"
}
right='sectors written, [1-9][0-9]* compared, 0 errors, 0 rules broken'
for clock in "12000 83" "50000 20"; do
    bench rtl/fpga/sdram.v $clock > "$dir/said"
    tail -n 1 "$dir/said" | grep "$right" || { cat "$dir/said"; exit 1; }
done
found=0 planted=0
while read -r kind edit; do
    [ -n "$kind" ] || continue
    planted=$((planted + 1))
    sed "$edit" rtl/fpga/sdram.v > "$dir/sdram.v"
    ! cmp -s rtl/fpga/sdram.v "$dir/sdram.v" || { echo "sdram: \`$kind' has no place"; exit 1; }
    bench "$dir/sdram.v" 50000 20 > "$dir/said"
    if tail -n 1 "$dir/said" | grep -q "$right"; then echo "sdram: \`$kind' is not found"; else found=$((found + 1)); fi
done <<'END'
close-early     s/RP = 4'd2/RP = 4'd0/
refresh-early   s/RFC = 4'd4/RFC = 4'd1/
refresh-never   s/owed_q || due_q == 16'd0/owed_q \&\& due_q == 16'd0/
refresh-seldom  s/KHZ \* 7 \/ 1000/KHZ * 90 \/ 1000/
power-early     s/KHZ \* 210/KHZ * 100/
data-early      s/coming_q\[1\] ||/coming_q[0] ||/
bytes-all       s/? ~strb_q\[1:0\] : 2'd0/? 2'd0 : 2'd0/
row-open        s/word_q == 4'd15;  /word_q == 4'd14;  /
beat-same       s/sector_q + SECTOR_BITS'(1)/sector_q/
wait-ignored    s/!owed_q \&\& !waits/!owed_q/
wrong-right     s/{wrong_q, 1'b0};/2'd0;/
END
echo "sdram: mistakes $found/$planted found"
[ "$found" = "$planted" ]
