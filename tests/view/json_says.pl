#!/usr/bin/perl
# Whether the JSON of a launch says all that its text says: each number, mask, place and register of
# the text.
# SPDX-License-Identifier: Apache-2.0
# use: json_says.pl JSON < TEXT        Exit status 1: it does not, or there is nothing to compare.
use strict;
use warnings;
use JSON::PP;

open my $f, '<', $ARGV[0] or die "$ARGV[0]: $!\n";
my (%number, @string, @float);
sub take {
    my $v = $_[0];
    if (ref $v eq 'HASH') { take($_) for values %$v; push @string, keys %$v }
    elsif (ref $v eq 'ARRAY') { take($_) for @$v }
    elsif ($v =~ /^-?\d+$/) { $number{$v} = 1 }
    elsif ($v =~ /^-?\d*\.\d+$/) { push @float, $v }
    elsif ($v =~ /^0x([0-9a-f]+)$/) { $number{ hex $1 } = 1; push @string, $v }
    else { push @string, $v }
}
{ no warnings 'portable'; take(JSON::PP->new->decode(do { local $/; <$f> })) }
my $strings = join "\n", @string;

sub known {
    my $w = $_[0];
    return 1 if index($strings, $w) >= 0 || exists $number{$w};
    no warnings 'portable';
    return 1 if $w =~ /^(?:0x)?([0-9a-f]+)$/ && exists $number{ hex $1 };
    return known($1) && known($2) if $w =~ /^(.+?)[.:](?:w)?(\d+)$/ && $w !~ /^\d+\.\d+$/;    # b0.w1, range.cu:14
    return known($1) if $w =~ /^b(\d+)$/ || $w =~ /^R(\d+)$/;
    if ($w =~ /^(\d+)\.(\d+)%?$/) {
        my $n = length $2;
        $w =~ s/%$//;
        return scalar grep { sprintf("%.${n}f", $_) == $w || sprintf("%.${n}f", 100 * $_) == $w } @float, keys %number;
    }
    return 0;
}

my ($words, $missing) = (0, 0);
while (my $line = <STDIN>) {
    next if $line =~ /^(repeat|waveform|view|replayed|lanes: )|^  (and \d+ more|nothing in the last)/;
    for my $w (grep { /\d/ } split /[\s,;()\[\]=]+/, $line) {
        $w =~ s/('s)?[:.]*$//;
        $w =~ s/^[+-]//;
        $words++;
        next if known($w);
        $missing++;
        print "the JSON does not say $w: $line";
    }
}
print "no word with a number in the text\n" if !$words;
exit($missing || !$words ? 1 : 0);
