#!/usr/bin/perl
# Results of the same launches from two machines (judge.c): which are equal, and why the others are not, as far as each
# thread alone says it.  SPDX-License-Identifier: Apache-2.0
# use: compare.pl PLAN MODEL OTHER [THIRD]
#
# THIRD: what the launches of the plan said when they ran with HEDDLE_THIRD_LEG=1 and HEDDLE_REPORT=1.  A launch that has no
# one right result differs by construction.  Where the kernel or what it calls has approximations (ex2, sin, ...), f32
# numbers may differ by 1e-4.  What remains is printed, for somebody to explain: exit status 1.
use strict;
use warnings;

my ($plan, $model, $other, $third) = @ARGV;
die "use: compare.pl PLAN MODEL OTHER [THIRD]\n" if !defined $other;

sub lines { open my $in, '<', $_[0] or die "compare.pl: $_[0]: $!\n"; return <$in> }
my %plan = map { (split)[0] => [(split)[1, 2]] } lines($plan);
my %model = map { my @w = split; shift(@w) => \@w } lines($model);
my %race;
if (defined $third) {
    my $of = '';
    for (lines($third)) {
        $of = $1 if /^judge: (\S+)/;
        $race{$of} = $1 if /^third leg: not compared: (.*)/;
    }
}

my %text;
sub approximates {
    my ($file) = @_;
    $text{$file} //= join '', lines($file);
    return $text{$file} =~ /\.approx\b/;
}

sub number { return unpack 'f>', pack 'H8', $_[0] }
# Small integers, which are subnormal as f32, are no approximations of each other.
sub near {
    my ($a, $b) = map { number($_) } @_;
    return 0 if $a != $a || $b != $b || grep { $_ && abs $_ < 1.2e-38 } $a, $b;
    my $most = abs $a > abs $b ? abs $a : abs $b;
    return abs($a - $b) <= 1e-4 * ($most > 1e-3 ? $most : 1e-3);
}
# Whether all words that both wrote down are near, and none is missing.
sub all_near {
    my ($x, $y) = @_;
    my %x = map { split /=/ } @$x[2 .. $#$x];
    my %y = map { split /=/ } @$y[2 .. $#$y];
    return 0 if $x{changed} != $y{changed};
    return !grep { !defined $y{$_} || ($x{$_} ne $y{$_} && !near($x{$_}, $y{$_})) } grep { /^\d/ } keys %x;
}

my %count;
my $unexplained = 0;
for (lines($other)) {
    my ($id, @got) = split;
    my $want = $model{$id} or next;
    my ($file, $kernel) = @{ $plan{$id} // next };
    my $what = $got[0] ne 'ok' || $want->[0] ne 'ok' ? 'not comparable: an error on one side'
        : $got[1] eq $want->[1] ? 'equal'
        : defined $race{$id} ? 'differ, and have no one right result'
        : approximates($file) && all_near($want, \@got) ? 'differ within approximations'
        : 'differ';
    $count{$what}++;
    next if $what ne 'differ';
    $unexplained++;
    my %x = map { split /=/ } @$want[2 .. $#$want];
    my @words = grep { /^\d/ && ($x{ (split /=/)[0] } // '') ne (split /=/)[1] } @got[2 .. $#got];
    printf "%s %s %s: changed %d words and %s; %s\n", $id, $file, $kernel, $x{changed}, $got[-1],
        join ' ', map { my ($at) = split /=/; "$_ for " . ($x{$at} // 'nothing') } @words[0 .. ($#words < 3 ? $#words : 3)];
}
printf "%6d  %s\n", $count{$_}, $_ for sort keys %count;
exit($unexplained ? 1 : 0);
