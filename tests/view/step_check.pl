#!/usr/bin/perl
# What the prompt of `heddle lockstep --step' shows against what is known otherwise.
# SPDX-License-Identifier: Apache-2.0
# use: step_check.pl groups LOG.jsonl N < WHERE       the groups of `where' after N commits of a log of one warp
#      step_check.pl wave ROWS.vcd N < PRINTS         each `print lanes' and `print barriers' after a commit, with slot 0's rows of a
#                                                     waveform after its cycle; at least N of them
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
} elsif ($what eq 'wave') {
    my (%row, %at, %value, $time, $slot);            # $at{cycle}: the rows of the slot from then on
    while (<$f>) {
        $slot = $1 eq 'w00' && !keys %row ? 1 : 0 if /^\$scope module (\w+)/;
        $row{$1} = $2 if $slot && /^\$var \S+ \d+ (\S+) (\w+)/;         # its code, its name
        last if /^\$enddefinitions/;
    }
    while (<$f>) {
        if (/^#(\d+)/) { $at{$time} = { %value } if defined $time; $time = $1; next }
        next unless /^s(\S*) (\S+)$/ || /^b([01x]+) (\S+)$/;
        my ($v, $c, $bits) = ($1, $2, substr($_, 0, 1) eq "b");
        $v =~ s/\\(\d{3})/chr oct $1/ge;
        $value{ $row{$c} } = $bits ? oct "0b$v" : $v if defined $row{$c};
    }
    my @times = sort { $a <=> $b } keys %at;
    my ($cycle, $rows);
    while (<STDIN>) {
        if (/^ +\d+ +(\d+)  b\d+\.w\d+ /) {
            $cycle = $1 + 1;
            my ($t) = grep { $_ <= $cycle } reverse @times;
            $rows = $at{$t};
        }
        while ($rows && /(?:^ |  )\s*(\d+) ([A-Za-z.]) (run|ready|exit|yield|token|wait mask|wait B\d+|bar \d+)/g) {
            my $l = sprintf 'lane%02d', $1;
            my $state = $3 eq 'ready' ? '' : $3;
            $seen++;
            wrong("cycle $cycle, $l: `$state', in the waveform `$rows->{$l}'") if ($rows->{$l} // '?') ne $state;
            wrong("cycle $cycle, $l: group $2, in the waveform $rows->{\"${l}_group\"}") if $2 ne '.' && $rows->{"${l}_group"} ne $2;
        }
        if ($rows && /^  (B\d+) +participants ([0-9a-f]+), arrived ([0-9a-f]+),/) {
            $seen++;
            wrong("cycle $cycle: $_") if hex $2 != $rows->{$1} || hex $3 != $rows->{"$1_arrived"};
        }
    }
    wrong("only $seen values were compared") if $seen < $n;
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
