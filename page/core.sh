#!/bin/sh
# core.sh LIBRARY "COMPILER FLAGS" FILE...: the Verilated core and its shim, for WebAssembly.
# SPDX-License-Identifier: Apache-2.0
set -eu
library=$1 compiler=$2
shift 2
at=$(dirname "$library")/objects
mkdir -p "$at"
sum=$(cat "$(dirname "$library")/sources" harness/core/rtl_shim.cpp | cksum | tr -dc 0-9)
for f in "$@"; do
    name=$(basename "$f" .cpp) opt=-O2
    case $name in *Slow* | *__Syms) opt=-Os ;; esac
    [ "$at/$name.o" -nt "$f" ] && [ "$at/$name.o" -nt "$0" ] && [ "$name" != rtl_shim ] && continue
    eval "$compiler" $opt "-DRTL_SOURCES='\"sources $sum\"'" -c -o "$at/$name.o" "$f"
done
rm -f "$library"
emar rcs "$library" "$at"/*.o
