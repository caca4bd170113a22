#!/usr/bin/env perl
# Takes the numbers of the last `make fpga` for the accepted ones of its units (accepted.csv), and adds the whole
# core's to history.csv with what changed.
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;
use FindBin;
my ($build, $note, @sets) = @ARGV;
die "usage: tests/fpga/accept.pl DIR NOTE SET.FAMILY...\n" unless @sets;
die "fpga-accept: say what changed: NOTE=\"...\", without a comma\n" if $note !~ /\S/ || $note =~ /,/;
my ($file, $history) = map { "$FindBin::Bin/$_.csv" } qw(accepted history);
sub rows { open my $f, "<", $_[0] or die "$_[0]: $!\n"; return <$f> }
my @old = -e $file ? rows($file) : ();
my @new;
for my $s (@sets) {
    my @rows = rows("$build/$s/area.csv");
    my %is = map { /^(\w[\w-]*,\w+,\w+),/ ? ($1 => 1) : () } @rows;
    my ($set, $family) = split /\./, $s;
    my $whole = $is{"$set,$family,whole"};         # then no other unit of the set is there any more
    @old = grep { !(/^((\w[\w-]*,\w+),\w+),/ && ($is{$1} || ($whole && $2 eq "$set,$family"))) } @old;
    push @new, @rows;
}
open my $f, ">", $file or die "$file: $!\n";
print $f sort @old, @new;
close $f or die "$file: $!\n";
open $f, ">>", $history or die "$history: $!\n";
print $f map { /^([\w-]+,\w+),whole,\d+,(.*)$/ ? "$1,$2,$note\n" : () } @new;
close $f or die "$history: $!\n";
