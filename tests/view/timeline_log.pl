#!/usr/bin/perl
# What a commit log says, counted apart from the timeline's own code: for timeline_check.js.
# SPDX-License-Identifier: Apache-2.0
# use: timeline_log.pl < LOG.jsonl     (heddle trace --json)
use strict;
use warnings;
use JSON::PP;

my (%warp, %line, $n, $all);
my %zero = map { $_ => 0 } qw(block warp cycle pc active exec live);
while (<STDIN>) {
    my %c = (%zero, %{ decode_json($_) });
    my $w = $warp{"$c{block}.$c{warp}"} //= [0, 0, 0, 0];
    my $lanes = sprintf('%b', $c{active}) =~ tr/1//;
    $w->[0]++;
    $w->[1] += $lanes;
    $n++;
    my $at = $line{ ($c{file} // '') =~ s{.*/}{}r . ':' . ($c{line} // 0) } //= [0, 0];
    $at->[0]++;
    $at->[1] += $lanes;
    $all += $lanes;
    my %to = map { ($c{npc}[$_] // 0) => 1 } grep { $c{active} & $c{live} & 1 << $_ } 0 .. 31;
    $w->[2]++ if keys %to > 1 && !$c{fault};
    $w->[3] = ($w->[3] * 31 + $_) % 2**32 for @c{qw(cycle pc active exec)};
    for my $l (grep { $c{live} & ~$c{active} & 1 << $_ } 0 .. 31) {
        my $wait = $c{wait}[$l] || 1;
        $w->[3] = ($w->[3] + (1 << $l) * (($wait * 7 + ($c{npc}[$l] // 0)) % 1009)) % 2**32;
    }
}
die "timeline_log: no commit\n" if !$n;
print encode_json({ n => $n, efficiency => 100 * $all / 32 / $n, warps => \%warp, lines => \%line,
                    map { my ($k, $v) = split /=/, $_, 2; $k => $v } @ARGV }), "\n";
