#!/usr/bin/perl
# Form of every source file: .editorconfig in the words of a check.  No tab but in makefiles, no space
# at a line's end, a newline at the file's, the licence in its first comment, and in C, C++ and
# Verilog at most 100 columns, but for planted bugs, which are commands.
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));

my ($COLUMNS, $WIDE) = (100, 140);
my %still_wide = -e 'tests/format.wide' ? map { $_ => 1 } split /\n/, do { local (@ARGV, $/) = 'tests/format.wide'; <> } : ();
my ($files, $wrong) = (0, 0);
sub wrong { $wrong++; print "FAIL @_\n" }

my @sources = grep { m{\.(c|h|def|cpp|v|vh|vlt|mk|pl|pm|sh|awk)$|(^|/)Makefile$} && !m{^tests/silicon/} }
    split /\n/, `git ls-files`;
for my $file (@sources) {
    open my $f, '<', $file or die "$file: $!\n";
    my @lines = <$f>;
    $files++;
    for my $n (1 .. @lines) {
        my $l = $lines[$n - 1];
        wrong("$file:$n: a tab") if $l =~ /\t/ && $file !~ /\.mk$|Makefile$/;
        wrong("$file:$n: a space at its end") if $l =~ /[ \t]$/;
        next if $file !~ /\.(c|h|cpp|v|vh)$/ || $l =~ m{^// (BUG|RTL): };
        wrong("$file:$n: " . (length($l) - 1) . " columns")
            if length($l) - 1 > ($still_wide{$file} ? $WIDE : $COLUMNS);
    }
    wrong("$file: no newline at its end") unless @lines && $lines[-1] =~ /\n$/;
    wrong("$file: no SPDX-License-Identifier") unless grep { /SPDX-License-Identifier/ } @lines[0 .. (@lines < 40 ? $#lines : 39)];
}
wrong('no files: is this a checkout?') unless $files;
printf "format: %d passed, %d failed\n", $files, $wrong;
exit($wrong ? 1 : 0);
