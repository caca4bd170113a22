#!/usr/bin/env perl
# Writes the tables of docs/area.md, each after its comment: `<!-- units SET.FAMILY -->`, `<!-- sets -->`.  --check: only
# says if they are not those of accepted.csv.
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;
use FindBin;
my $check = @ARGV && $ARGV[0] eq "--check" ? shift @ARGV : "";
die "usage: tests/fpga/page.pl [--check] PAGE\n" unless @ARGV == 1;
my $here = $FindBin::Bin;
sub rows { open my $f, "<", $_[0] or die "$_[0]: $!\n"; return map { chomp; $_ } grep { !/^#/ && /\S/ } <$f> }
my (@units) = map { [split] } rows("$here/units.txt");
my %group = map { @$_ } @units;
my %sets = map { /^(\S+)\s+(.*)$/ } rows("$here/sets.txt");
my (%of, @wholes);
for (rows("$here/accepted.csv")) {
    my ($set, $family, $unit, @n) = split /,/;
    $of{"$set.$family"}{$unit} = \@n;
    push @wholes, [$set, $family, @n] if $unit eq "whole";
}

sub units {
    my ($s) = @_;
    my $r = $of{$s} or die "accepted.csv has no $s\n";
    my $t = "| unit | for | instances | LUT | FF | RAM | DSP | levels |\n|---|---|--:|--:|--:|--:|--:|--:|\n";
    my (%sum, $all);
    for (grep { $r->{$_->[0]} } @units) {
        my ($b, $g) = @$_;
        my @n = @{$r->{$b}};
        $t .= "| `$b` | $g | " . join(" | ", @n) . " |\n";
        $sum{$g}[$_] += $n[$_] for 1 .. 4;
    }
    my @w = @{$r->{whole} // return $t};
    for my $g (sort keys %sum) {
        $t .= sprintf "| **all of** | %s (%.1f%% of LUT) | | %s | |\n", $g, 100 * $sum{$g}[1] / $w[1],
            join " | ", @{$sum{$g}}[1 .. 4];
    }
    return $t . "| **whole core** | | " . join(" | ", @w) . " |\n";
}
sub sets {
    my $t = "| set | family | parameters | LUT | FF | RAM | DSP | levels |\n|---|---|---|--:|--:|--:|--:|--:|\n";
    for (@wholes) {
        my ($set, $family, undef, @n) = @$_;
        $t .= "| $set | $family | `$sets{$set}` | " . join(" | ", @n) . " |\n";
    }
    return $t;
}
open my $f, "<", $ARGV[0] or die "$ARGV[0]: $!\n";
my $page = do { local $/; <$f> };
my $new = $page =~ s{(<!-- (units|sets) ?(\S*) -->\n)(?:\|.*\n)*}
                    {$1 . ($2 eq "units" ? units($3) : sets())}ger;
if ($check) {
    print $new eq $page ? "docs-area: 1 passed, 0 failed\n"
                        : "FAIL $ARGV[0] has other numbers than tests/fpga/accepted.csv: make docs-area\n";
    exit($new ne $page);
}
open $f, ">", $ARGV[0] or die "$ARGV[0]: $!\n";
print $f $new;
close $f or die "$ARGV[0]: $!\n";
