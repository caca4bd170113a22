#!/bin/sh
# The serial line with one whose clock is slower, the same, faster; then with one mistake each, all of which must be found.
# SPDX-License-Identifier: Apache-2.0
# use: uart.sh DIR
set -eu
dir=$1 here=tests/fpga/board
mkdir -p "$dir"
# $1: the line, $2: by how many percent the other's bits are longer; whether the bench says what is right
bench() {
    iverilog -g2012 -s uart_tb -Puart_tb.PERCENT="$2" -o "$dir/tb" "$1" $here/uart_tb.v || exit 1
    vvp "$dir/tb" > "$dir/said" || exit 1
    grep "$right" "$dir/said"
}
right='300 taken, 300 heard, 0 errors'
for percent in -2 0 2; do bench rtl/fpga/uart.v $percent || { echo "uart: wrong at $percent%"; exit 1; }; done
found=0 planted=0
while read -r kind edit; do
    planted=$((planted + 1))
    sed "$edit" rtl/fpga/uart.v > "$dir/uart.v"
    ! cmp -s rtl/fpga/uart.v "$dir/uart.v" || { echo "uart: \`$kind' has no place"; exit 1; }
    if bench "$dir/uart.v" 2 > /dev/null; then echo "uart: \`$kind' is not found"; else found=$((found + 1)); fi
done <<'END'
middle-early    s/(CLOCKS - 1) \/ 2 - 1)/(CLOCKS - 1) \/ 2 - 2)/
bit-long        s/BIT = C'(CLOCKS - 1)/BIT = C'(CLOCKS)/
bits-reversed   s/{line_q\[1\], in_q\[7:1\]}/{in_q[6:0], line_q[1]}/
room-half       s/A = $clog2(ROOM)/A = $clog2(ROOM) - 1/
stop-short      s/{4'd10, byte_i/{4'd9, byte_i/
END
echo "uart: mistakes $found/$planted found"
[ "$found" = "$planted" ]
