#!/usr/bin/perl
# Each change of a waveform, as `TIME NAME bBITS' or `TIME NAME sTEXT'.
# SPDX-License-Identifier: Apache-2.0
# use: fst2vcd FILE.fst | waves_changes.pl
use strict;
use warnings;
my (@scope, %name, %width, $now);
sub change { my ($id, $value) = @_; print "$now $_ $value\n" for @{ $name{$id} } }
while (<STDIN>) {
    if (/^\$scope \S+ (\S+)/) { push @scope, $1 }
    elsif (/^\$upscope/) { pop @scope }
    elsif (/^\$var \S+ (\d+) (\S+) (\S+)(?: (\[\S+\]))? \$end/) {
        push @{ $name{$2} }, join('.', @scope, $3) . ($4 // '');
        $width{$2} = $1;
    }
    elsif (/^#(\d+)/) { $now = $1 }
    elsif (/^s(\S*) (\S+)$/) { my ($text, $id) = ($1, $2); change($id, 's' . $text =~ s/\\([0-7]{3})/chr oct $1/ger) }
    elsif (/^b([01xz]+) (\S+)$/) {                # leading zeros, and further x, are left out
        my ($bits, $id) = ($1, $2);
        my $fill = $bits =~ /^([xz])/ ? $1 : 0;
        change($id, 'b' . $fill x ($width{$id} - length $bits) . $bits);
    }
    elsif (/^([01xz])(\S+)$/) { change($2, "b$1") }
}
