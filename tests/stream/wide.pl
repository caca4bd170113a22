#!/usr/bin/perl
# A stream of 40 warps of 64 lanes, far up in memory, as a core that is not ours might write it: in
# each warp the first 24 + (its number) lanes take one side of a branch, and the others the other.
# SPDX-License-Identifier: Apache-2.0
# use: wide.pl [stuck]     stuck: lane 63 of warp 39 is left at a token
use strict;
use warnings;
no warnings 'portable';

my ($WARPS, $STEP, $PC) = (40, 4, 0x80000000);
my $stuck = @ARGV && $ARGV[0] eq 'stuck';
print "heddle-stream 1\ncore wide\nlanes 64\nwarps $WARPS\nstep $STEP\npc 32\n";
print "reports $_ $_ unit\n" for qw(start issue next end open park wake close finish);
print "begin\n";

my $cycle = 0;
my @n = (0) x $WARPS;
sub say_of { my ($kind, $w, @more) = @_; print "$kind cycle=$cycle warp=$w @more\n" }
sub mask { my ($from, $to) = @_; my $m = 0; $m |= 1 << $_ for $from .. $to - 1; return $m }
sub at { sprintf 'pc=%x', $PC + $STEP * $_[0] }
sub lanes { sprintf 'mask=%x', $_[0] }
sub issue { my ($w, $k, $active, $exec) = @_; say_of('issue', $w, "n=$n[$w]", at($k), sprintf 'active=%x exec=%x', $active, $exec // $active); $n[$w]++ }

my $all = mask(0, 64);
say_of('start', $_, at(0), lanes($all), 'block=' . int($_ / 8), 'index=' . $_ % 8) for 0 .. $WARPS - 1;
# What each warp does in its eight instructions; they take turns.
my @do = (
    sub { my ($w) = @_; issue($w, 0, $all) },
    sub { my ($w, $a, $b) = @_; issue($w, 1, $all); say_of('open', $w, 'token=1'); say_of('park', $w, at(4), lanes($b), 'token=1') },
    sub { my ($w, $a) = @_; issue($w, 2, $a, $a & 0x5555555555555555) },
    sub { my ($w, $a, $b) = @_; issue($w, 3, $a); say_of('open', $w, 'token=2'); say_of('park', $w, at(6), lanes($a), 'token=2');
          say_of('wake', $w, at(4), lanes($b), 'token=1'); say_of('close', $w, 'token=1') },
    sub { my ($w, $a, $b) = @_; issue($w, 4, $b) },
    sub { my ($w, $a, $b) = @_; issue($w, 5, $b); say_of('wake', $w, at(6), lanes($a), 'token=2'); say_of('close', $w, 'token=2') },
    sub { my ($w) = @_; issue($w, 6, $all) },
    sub { my ($w) = @_; my $stays = $stuck && $w == 39 ? 1 << 63 : 0; issue($w, 7, $all);
          if ($stays) { say_of('open', $w, 'token=3'); say_of('park', $w, at(8), lanes($stays), 'token=3') }
          say_of('end', $w, lanes($all & ~$stays)) },
);
for my $do (@do) {
    for my $w (0 .. $WARPS - 1) { $cycle++; $do->($w, mask(0, 24 + $w), mask(24 + $w, 64)) }
}
print "finish cycle=$cycle busy=0\nend-of-stream\n";
