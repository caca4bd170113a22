#!/bin/sh
# Runs a tool of an ECP5's bitstream: the one that is installed, if nextpnr-ecp5 and the rest are; else that of a tree of
# a newer Debian below BUILD/, which this makes by debootstrap, once, from the mirror of the machine's own apt.
# SPDX-License-Identifier: Apache-2.0
# use: tools.sh BUILD TOOL ARGUMENT...        in the folder of the checkout, which the tree sees at its own path
#      tools.sh BUILD                         says which tools these are
set -eu
build=$1
shift
tree=$build/debian
missing() { echo "tools: $1" >&2; exit 3; }
has() { for t in yosys nextpnr-ecp5 ecppack; do command -v $t > /dev/null || return 1; done; }

# In the tree: with a view of /proc, where Yosys looks for its files, and of the checkout, which end with the command.
inside() {
    here=$(pwd -P)
    mkdir -p "$tree$here"
    user=$([ "$(id -u)" = 0 ] || echo -r)
    unshare $user -m sh -c 'tree=$1 here=$2; shift 2
        mount --rbind /proc "$tree/proc" && mount --bind "$here" "$tree$here" || exit 3
        exec chroot "$tree" sh -c "cd \"\$1\" && shift && exec \"\$@\"" sh "$here" "$@"' sh "$tree" "$here" "$@"
}

make_tree() {
    command -v debootstrap > /dev/null || missing "neither yosys, nextpnr-ecp5 and ecppack nor debootstrap (Debian: debootstrap) is installed"
    [ "$(id -u)" = 0 ] || missing "debootstrap wants root; or install yosys, nextpnr-ecp5 and fpga-trellis, of Debian 13 or newer"
    mirror=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb  *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\) .*/\2/p' /etc/apt/sources.list \
        /etc/apt/sources.list.d/* 2> /dev/null | grep '/debian/*$' | head -n 1)
    [ -n "$mirror" ] || missing "apt's configuration names no mirror of Debian"
    echo "tools: a tree of Debian's unstable is made in $tree" >&2
    rm -rf "$tree.new"
    debootstrap --variant=minbase --include=yosys,nextpnr-ecp5,fpga-trellis unstable "$tree.new" "$mirror" \
        > "$build/debian.log" 2>&1 || { tail -n 3 "$build/debian.log" >&2; missing "debootstrap fails: $build/debian.log"; }
    mv "$tree.new" "$tree"
}

mkdir -p "$build"
if ! has && [ ! -x "$tree/usr/bin/nextpnr-ecp5" ]; then make_tree; fi
if has; then run() { "$@"; }; else run() { inside "$@"; }; fi
if [ $# = 0 ]; then
    run yosys -V
    run nextpnr-ecp5 --version 2>&1
    version=$(run ecppack --version 2>&1) || [ -n "$version" ]
    printf '%s\n' "$version" | head -n 1
else run "$@"
fi
