#!/usr/bin/perl
# Works around a fault of Icarus Verilog 11 in the program that it has compiled (stdin to stdout).
# SPDX-License-Identifier: Apache-2.0
#
# Where a word of an array is read outside processes (`.array/port`), and that stands before the
# `.array` with an automatic function between them, the reader never sees what is written: it stays
# X.  So those lines go after their array.
use strict;
use warnings;

my (%early, %known);
my @lines;
while (<STDIN>) {
    if (/^\w+ \.array\/port (\w+),/ && !$known{$1}) {
        push @{$early{$1}}, $_;
        next;
    }
    push @lines, $_;
    push @lines, \($known{$1} = "$1") if /^(\w+) \.array /;
}
print ref $_ ? @{delete $early{$$_} // []} : $_ for @lines;
die "order.pl: no array for ", join(' ', keys %early), "\n" if %early;
