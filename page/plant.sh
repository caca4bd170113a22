#!/bin/sh
# plant.sh FROM TO: rtl/converge/conv_exec.v with a mistake that a page can switch on (planted.c), for the
# example that shows how lockstep finds one: a barrier is complete as soon as lane 31 waits at it.
# SPDX-License-Identifier: Apache-2.0
set -eu
sed -e '0,/^  always_comb begin$/s||  import "DPI-C" function int page_planted();\n  reg planted;\n  initial planted = page_planted() != 0;\n&|' \
    -e "s/^          else if (rest != 32'd0 && (other/          else if (!(planted \& taken[31]) \&\& rest != 32'd0 \&\& (other/" "$1" > "$2.new"
[ "$(grep -c planted "$2.new")" = 4 ] || { echo "page: $1 has changed: mend $0" >&2; exit 1; }
mv "$2.new" "$2"
