#!/usr/bin/perl
# docs/environment.md names every variable of the environment that a source reads, and no other.
# SPDX-License-Identifier: Apache-2.0
#
# Read are: what C asks getenv for, itself or by a function that takes the name, and the rows of a
# table of names that begin with HEDDLE; $ENV{NAME} in perl; ${NAME:-...} in a script that does not
# set it itself; in makefiles a name with `?=', and one that no makefile sets.
use strict;
use warnings;

my $PAGE = 'docs/environment.md';
my $MAKE = qr/^(?:MAKE\w*|CURDIR|MFLAGS|AR)$/;     # make's own
sub text { open my $f, '<', $_[0] or die "$_[0]: $!\n"; local $/; return scalar <$f> }

my (%read, %set, %used);
sub c {
    my ($file, $t) = @_;
    my @asks = ('getenv', $t =~ /\b(\w+)\([^()]*\bconst char \*(?=(\w+)\b)[^()]*\)\s*\{[^{}]*?\bgetenv\(\g2\)/g);
    for my $f (@asks[0, grep { $_ % 2 } 1 .. $#asks]) {
        $read{$_} //= $file for $t =~ /\b\Q$f\E\([^()"]*"([A-Z]\w*)"/g;
    }
    $read{$_} //= $file for $t =~ /\{ "(HEDDLE(?:_\w+)?)",/g;
}
sub perl {
    my ($file, $t) = @_;
    $read{$_} //= $file for $t =~ /\$ENV\{'?(\w+)'?\}(?!\s*=[^=~])/g;
    $read{$_} //= $file for $t =~ /\bgetenv\(\\?"([A-Z]\w*)\\?"/g;      # in code that it writes
}
sub shell {
    my ($file, $t) = @_;
    for my $name ($t =~ /\$\{([A-Z]\w*):?[-+?]/g) {
        $read{$name} //= $file unless $t =~ /(?:^|[\s;(])\Q$name\E=(?!"?\$\{\Q$name\E)/;
    }
}
sub make {
    my ($file, $t) = @_;
    $t =~ s/^#.*$//mg;
    $read{$_} //= $file for $t =~ /(?:^|[:\s])([A-Z][A-Z_0-9]*)\s*\?=/mg;
    $set{$_} = 1 for $t =~ /^(?:[^#=\n]*:[ ]*)?(?:export |override |define )?([A-Z]\w*)\s*(?:[:+]?=|$)/mg;
    $set{$_} = 1 for map { split ' ' } $t =~ /\$\(foreach (\w+)/g;
    $used{$_} //= $file for $t =~ /(?<!\$)\$\(([A-Z][A-Z_0-9]*)[):]/g;
}
my @kinds = ([qr/\.(?:c|h|cpp|cu|cuh)$/, \&c], [qr/\.p[lm]$/, \&perl], [qr/\.sh$/, \&shell],
             [qr/\.mk$|(?:^|\/)Makefile$/, \&make]);
for my $file (grep { -e } split /\n/, `git ls-files -co --exclude-standard`) {
    next if $file =~ m{^tests/(?:fail/)?environment\.};
    for (@kinds) { $_->[1]->($file, text($file)) if $file =~ $_->[0] }
}
for (keys %used) { $read{$_} //= $used{$_} unless $set{$_} || /$MAKE/ }

my ($wrong, %row) = (0);
my $less = -e 'Makefile' && text('Makefile') =~ m{\bcuda/} && !-e 'cuda';      # whole CUDA programs are left out
for (text($PAGE) =~ /^\| (`.*?) \|/mg) { $row{$_}++ for /`(\w+)`/g }
for (sort keys %read) { $wrong++, print "FAIL $read{$_} reads $_, which $PAGE does not name\n" unless $row{$_} }
for (sort keys %row) {
    $wrong++, print "FAIL $PAGE: no source reads $_\n" unless $read{$_} || $less;
    $wrong++, print "FAIL $PAGE: $_ has $row{$_} rows\n" if $row{$_} > 1;
}
$wrong++, print "FAIL no source reads a variable: is this a checkout?\n" unless %read;
printf "environment: %d variables, %d wrong\n", scalar keys %read, $wrong;
exit($wrong ? 1 : 0);
