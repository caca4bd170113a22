#!/usr/bin/perl
# What the prompt of `heddle lockstep --step' shows against what is known otherwise.
# SPDX-License-Identifier: Apache-2.0
# use: step_check.pl groups LOG.jsonl N < WHERE       the groups of `where' after N commits of a log of one warp
#      step_check.pl registers LOG.jsonl N < PRINTS   the values of R0, R1, ... and P0 to P6
use strict;
use warnings;
use JSON::PP;

my ($what, $path, $n) = @ARGV;
open my $f, '<', $path or die "$path: $!\n";
my ($seen, $wrong) = (0, 0);
sub wrong { $wrong++; print "step: @_\n" }

if ($what eq 'groups') {
    my ($c, %want, %tokens);
    while (my $line = <$f>) { last if $n-- <= 0; $c = JSON::PP->new->decode($line) }
    for my $l (grep { $c->{live} >> $_ & 1 } 0 .. 31) {
        my $w = ($c->{wait} || [])->[$l] // 0;
        my $why = $w == 4 ? 'token' : $w >= 0x20 ? 'bar ' . ($w & 15) : $w >= 0x10 ? 'wait B' . ($w & 15)
                : (qw(run ready yield), 'wait mask')[$w];
        $want{ $w == 4 ? 'token' : sprintf '%s %x', $why, ($c->{npc} || [])->[$l] // 0 } |= 1 << $l;
    }
    while (<STDIN>) {
        next unless /^  [A-Za-z] ([0-9a-f]{8}) (.{9}) PC 0x([0-9a-f]+) /;
        my ($m, $why, $pc) = (hex $1, $2, $3);
        $why =~ s/ *$//;
        my $key = $why eq 'token' ? $why : "$why $pc";       # a record does not say where lanes in tokens go on
        $seen++;
        wrong(sprintf '%08x %s: the log has %08x', $m, $key, $want{$key} // 0) if ($m & ($want{$key} // 0)) != $m;
        $want{$key} = ($want{$key} // 0) & ~$m;
    }
    wrong("`where' lacks $_") for grep { $want{$_} } sort keys %want;
} else {
    my (@r, @p);
    while (my $line = <$f>) {
        last if $n-- <= 0;
        my $c = JSON::PP->new->decode($line);
        for my $l (grep { ($c->{exec} // 0) >> $_ & 1 } 0 .. 31) {
            for my $k (0 .. ($c->{nd} // 0) - 1) { $r[($c->{rd} // 0) + $k][$l] = ($c->{"val[$k]"} || [])->[$l] // 0 }
            $p[$c->{pd} // 0][$l] = ($c->{pval} // 0) >> $l & 1 if $c->{npd};
        }
    }
    while (<STDIN>) {
        if (/^R(\d+) +lanes +(\d+) to +\d+ ((?: [0-9a-f]{8}){8})$/) {
            my ($reg, $l) = ($1, $2);
            for (split ' ', $3) {
                my $want = $r[$reg][$l] // 0;
                wrong(sprintf 'R%d of lane %d is %s, not %08x', $reg, $l, $_, $want) if hex != $want;
                $l++;
                $seen++;
            }
        } elsif (/^  P(\d) +([0-9a-f]{8}) /) {
            my ($reg, $m, $want) = ($1, hex $2, 0);
            $want |= ($p[$reg][$_] // 0) << $_ for 0 .. 31;
            wrong(sprintf 'P%d is %08x, not %08x', $reg, $m, $want) if $m != $want;
            $seen++;
        }
    }
}
wrong('nothing was shown') if !$seen;
exit($wrong ? 1 : 0);
