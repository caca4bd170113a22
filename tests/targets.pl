#!/usr/bin/env perl
# Of the makefiles: each phony target is in `make help-all`, at most 40 of them in `make help`, each
# with what it is for; no archive stays without a new source; a copy of the tree can be built; no
# list is empty where it is read.
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;

my ($passed, $failed) = (0, 0);
sub check { my ($ok, $what) = @_; $ok ? $passed++ : do { $failed++; print "FAIL $what\n" } }

# All targets would be intermediate: a source that is older than its archive would never be
# compiled.
check(!grep({ /^\.SECONDARY:\s*$/ } `cat Makefile`), 'Makefile: .SECONDARY without a list');
my %help = map { /^  make (\S+)/ ? ($1 => 1) : () } `make -s help-all`;
my @shown = grep { /^  make / } `make -s help`;
check(@shown > 10 && @shown <= 40, 'make help shows ' . @shown . ' targets');
for (@shown) { check(scalar(/^  make (\S+)\s+\S/ && $help{$1}), "make help: nothing is known of: $_") }
for my $file (split /\n/, `git ls-files Makefile '*.mk'`) {
    open my $in, '<', $file or die "$file: $!\n";
    my $text = join '', <$in>;
    $text =~ s/\\\n/ /g;
    for my $target (map { split ' ' } $text =~ /^\.PHONY:(.*)$/mg) {
        check($help{$target}, "$file: $target is phony and not in make help-all") if $target =~ /^[a-z][a-z-]*$/;
    }
}
# What the copies of the tree with mutants are made of.
my $tree = `grep '^TREE := ' tests/mutants.mk`;
for my $folder (map { m{^([^/]+)/} } split /\n/, `git ls-files '*.mk'`) {
    check(scalar($tree =~ /\b$folder\b/), "tests/mutants.mk: TREE lacks $folder, which the Makefile includes");
}
# Prerequisites are expanded when they are read: a list that a later file sets would be empty there.
my %given = map { $_ => 1 } qw(2 ALL BOARD COUNT CORE DAY EXTRA_CFLAGS EXTRA_LDFLAGS ICARUS_PROGRAM SAN SEED SET UNITS);
my @read = `env -u MAKEFLAGS -u EXTRA_CFLAGS make -n --warn-undefined-variables help 2>&1` or die "make help prints nothing\n";
for (grep { /undefined variable '([^']*)'/ && !$given{$1} } @read) { chomp; check(0, $_) }
check(scalar(grep { /undefined variable 'EXTRA_CFLAGS'/ } @read), 'make warns of undefined variables');
print "targets: $passed passed, $failed failed\n";
exit($failed || !$passed);
