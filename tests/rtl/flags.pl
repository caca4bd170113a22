#!/usr/bin/perl
# An array that is written by `<=` costs a simulation a flag for each such statement, cleared and tested in every
# cycle; so does a written array in each lane, or each row, of a unit (docs/verilated.md).  Of the code that
# Verilator made: which arrays, with those that differ from them by an index alone, have more than a few?
# SPDX-License-Identifier: Apache-2.0
# use: flags.pl DIR PREFIX
use strict;
use warnings;

use constant MOST => 16;                # the barriers of a block, whose counts an FPGA wants apart
my ($dir, $prefix) = @ARGV;
my (%flag, %of);
# What runs each cycle; files of an earlier, larger core may lie beside it.
open my $list, '<', "$dir/${prefix}_classes.mk" or die "$0: $dir/${prefix}_classes.mk: $!\n";
my ($fast) = do { local $/; <$list> } =~ /^VM_CLASSES_FAST \+= ((?:.*\\\n)*)/m;
for my $path (map { "$dir/$_" } "${prefix}___024root.h", map { "$_.cpp" } ($fast // '') =~ /\b(${prefix}___024root\w*)/g) {
    open my $in, '<', $path or die "$0: $path: $!\n";
    while (<$in>) { $flag{$1} = 1 while /\b__Vdlyvset__(\w+)/g }
}
%flag or die "$0: $dir: no flag of a written array: is this what Verilator writes?\n";
for (keys %flag) {
    s/__v\d+$//;
    s/__BRA__\d+__KET__/[]/g;
    s/__DOT__/./g;
    $of{$_}++;
}
my ($largest) = sort { $of{$b} <=> $of{$a} || $a cmp $b } keys %of;
for (sort grep { $of{$_} > MOST } keys %of) {
    print "lint: $_: $of{$_} flags, each tested in every cycle: make one row of it, written by one `<='\n";
}
exit 1 if $of{$largest} > MOST;
print 'lint: ', scalar keys %flag, " flags of written arrays, at most $of{$largest} of one ($largest)\n";
