#!/bin/sh
# core.sh LIBRARY LANES "COMPILER FLAGS": a Verilated core and its shim, for WebAssembly.  All of their names get LANES in them,
# since several cores are linked into one page.  Several files go through the compiler at a time: the headers alone take a second.
# SPDX-License-Identifier: Apache-2.0
set -eu
library=$1 lanes=$2 compiler=$3
from=$(dirname "$library")
at=$from/objects
rm -rf "$at" && mkdir -p "$at"
sum=$(cat "$from/sources" harness/core/rtl_shim.cpp | cksum | tr -dc 0-9)
{ grep -oh '\bVcore\w*' "$from"/*.h "$from"/*.cpp; printf '%s\n' eval_parts rtl_core rtl_calls rtl_sources; } | LC_ALL=C sort -u |
    sed "s/.*/#define & &_l$lanes/" > "$from/names.h"
# What runs once is small rather than quick: it is most of the code.
ls "$from"/*.cpp | grep -e Slow -e __Syms | split -l 8 - "$at/once."
ls "$from"/*.cpp | grep -v -e Slow -e __Syms | split -l 5 - "$at/often."
echo harness/core/rtl_shim.cpp > "$at/often.shim"
for list in "$at"/*; do
    sed 's|.*/\(Vcore.*\)|\1|; s|.*|#include "&"|' "$list" > "$list.cpp"
    case $list in */once.*) opt=-Os ;; *) opt=-O2 ;; esac
    eval "$compiler" $opt -include "$from/names.h" "-DRTL_LANES=$lanes" "-DRTL_SOURCES='\"sources $sum\"'" -c -o "$list.o" "$list.cpp"
done
rm -f "$library"
emar rcs "$library" "$at"/*.o
