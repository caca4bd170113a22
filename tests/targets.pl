#!/usr/bin/env perl
# Of the makefiles: each phony target is in `make help`; no archive stays without a new source; a copy
# of the tree can be built.
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;

my ($passed, $failed) = (0, 0);
sub check { my ($ok, $what) = @_; $ok ? $passed++ : do { $failed++; print "FAIL $what\n" } }

# All targets would be intermediate: a source that is older than its archive would never be compiled.
check(!grep({ /^\.SECONDARY:\s*$/ } `cat Makefile`), 'Makefile: .SECONDARY without a list');
my %help = map { /^  make (\S+)/ ? ($1 => 1) : () } `make -s help`;
for my $file (split /\n/, `git ls-files Makefile '*.mk'`) {
    open my $in, '<', $file or die "$file: $!\n";
    my $text = join '', <$in>;
    $text =~ s/\\\n/ /g;
    for my $target (map { split ' ' } $text =~ /^\.PHONY:(.*)$/mg) {
        check($help{$target}, "$file: $target is phony and not in make help") if $target =~ /^[a-z][a-z-]*$/;
    }
}
# What the copies of the tree with mutants are made of.
my $tree = `grep '^TREE := ' tests/mutants.mk`;
for my $folder (map { m{^([^/]+)/} } split /\n/, `git ls-files '*.mk'`) {
    check(scalar($tree =~ /\b$folder\b/), "tests/mutants.mk: TREE lacks $folder, which the Makefile includes");
}
print "targets: $passed passed, $failed failed\n";
exit($failed || !$passed);
