#!/usr/bin/perl
# One is no plural: messages with a number of lanes, warps or blocks have the word from cmodel/base/counted.h, or from
# `counted' of a script, or choose it themselves.
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;

my $WORDS = qr/(?:more |live |other )?(?:lanes|warps|blocks)\b(?! (?:%|of %))/;
my ($files, $wrong) = (0, 0);
for my $file (grep { m{\.(?:c|h|cpp|def|js)$} && !m{^(?:cuda/)?tests/} } split /\n/, `git ls-files -co --exclude-standard`) {
    open my $in, '<', $file or next;
    my @lines = <$in>;
    $files++;
    for my $n (1 .. @lines) {
        local $_ = $lines[$n - 1];
        next if /== 1 \?/;
        $wrong++, print "FAIL $file:$n: `$1' of one, too\n"
            if /((?<![,\/])(?:%[-0-9.]*(?:ll|l|z)?[udi]|PRI[udi]\w+ ?"|\$\{[^`]*\}) $WORDS)/;
    }
}
die "counted: no files here\n" if !$files;
printf "counted: %d passed, %d failed\n", $files, $wrong;
exit($wrong ? 1 : 0);
