#!/bin/sh
# A core of LANES=4 with a planted bug, and heddle beside it.
# SPDX-License-Identifier: Apache-2.0
# use: plant.sh BUILD BUG OUT TREE...  OUT/heddle is BUILD/heddle with that core; TREE: what a
# copy of the tree is made of
set -e
build=$1 bug=$2 out=$3
shift 3
mkdir -p "$out/rtl"
rm -rf "$out/tree"
mkdir "$out/tree"
cp -rp "$@" "$out/tree"
tests/mutants/bugs.pl plant "$bug" "$out/tree" tests/mutants/curated/*.bugs
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$out/tree" BUILD=build build/rtl/libcore_l4.so build/rtl/libcore_l4_trace.so
cp -p "$out/tree"/build/rtl/*.so "$out/rtl"
cp -p "$build/heddle" "$out"
