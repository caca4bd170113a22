#!/bin/bash
# What an NVIDIA GPU answers to every row of functions.tsv: OUT/raw.gz, for pack (judge.c).
# SPDX-License-Identifier: Apache-2.0
#   record.sh OUT        needs nvcc and a GPU; takes a minute
# Rows that nvcc does not know are named in OUT/left_out, and not recorded.
set -e
here=$(cd "$(dirname "$0")" && pwd) out=$1 work=$(mktemp -d)
NVCC="nvcc -arch=sm_90 -std=c++17 --expt-relaxed-constexpr -w -I$here"
mkdir -p "$out" && : > "$out/left_out"
for try in 1 2 3 4; do
    rm -f "$work"/judge_*
    perl "$here/generate.pl" "$here/functions.tsv" "$work" "$out/left_out"
    for f in "$work"/judge_*.cu; do $NVCC "$f" -o "${f%.cu}" > "${f%.cu}.log" 2>&1 & done
    wait
    # A line of a program is of the row that began last; prototypes are in the table.
    for f in "$work"/judge_*.cu; do
        perl -e 'my ($cu, $log) = @ARGV; open my $f, "<", $cu; my @l = <$f>; my ($k, @of) = (0); for (@l) { $k = $1 if /^DEVICE_ROW\((\d+)/; push @of, $k }
            my @p = map { /^    \{ "(.*?)", \d/ ? $1 : () } @l;
            open $f, "<", $log; my %r; while (<$f>) { $r{$of[$1 - 1]} = 1 if /\.cu\((\d+)\): error/ } print "$p[$_]\n" for sort { $a <=> $b } keys %r' "$f" "${f%.cu}.log"
    done > "$work/new"
    [ -s "$work/new" ] || break
    cat "$work/new" >> "$out/left_out"
done
cat "$work"/*.log > "$out/log" || true
for f in "$work"/judge_*.cu; do "${f%.cu}" "${f%.cu}.raw" || echo "$f: not run" >&2; done
cat "$work"/judge_*.raw | gzip -9 > "$out/raw.gz"
nvcc --version > "$out/version"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader >> "$out/version"
rm -rf "$work"
