#!/usr/bin/perl
# PTX whose results are defined to the last bit: no product and sum may be fused, and approximations that have an exact form
# take it.  SPDX-License-Identifier: Apache-2.0
# use: strict.pl OUT FILE.ptx ...
use strict;
use warnings;
use File::Basename qw(basename);

my $out = shift // die "use: strict.pl OUT FILE.ptx ...\n";
for my $file (@ARGV) {
    open my $in, '<', $file or die "strict.pl: $file: $!\n";
    my $text = do { local $/; <$in> };
    $text =~ s/(?<![.\w])(add|sub|mul|mad)((?:\.ftz)?(?:\.sat)?)\.(f32|f64|f16|f16x2)\b/$1.rn$2.$3/g;
    $text =~ s/(?<![.\w])div\.(?:full|approx)((?:\.ftz)?)\.f32/div.rn$1.f32/g;
    $text =~ s/(?<![.\w])(rcp|sqrt)\.approx((?:\.ftz)?)\.f32/$1.rn$2.f32/g;
    open my $to, '>', "$out/" . basename($file) or die "strict.pl: $out: $!\n";
    print $to $text;
    close $to or die "strict.pl: $out: $!\n";
}
