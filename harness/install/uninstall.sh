#!/bin/sh
# Removes what install.sh has put into a prefix, and nothing else.
# SPDX-License-Identifier: Apache-2.0
# use: uninstall.sh PREFIX
to=$1
[ -e "$to/lib/heddle/rtl" ] || { echo "no heddle is installed in $to"; exit 2; }
rm -rf "$to/lib/heddle" "$to/include/heddle" "$to/share/heddle" "$to/share/doc/heddle"
rm -f "$to/bin/heddle" "$to/bin/heddle-nvcc" "$to/bin/heddle-silicon-record" "$to"/lib/libheddle.* "$to/lib/pkgconfig/heddle.pc" "$to"/share/man/man1/heddle.1 "$to"/share/man/man1/heddle-*.1 \
    "$to/share/bash-completion/completions/heddle" "$to/share/zsh/site-functions/_heddle"
echo "removed: heddle from $to"
