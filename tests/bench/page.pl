#!/usr/bin/perl
# Writes what `make bench` has printed into the tables of docs/performance.md, each after a comment
# `<!-- bench -->`.  --check: only says if they are not those of measured.txt.
# SPDX-License-Identifier: Apache-2.0
# use: page.pl [--check] [MEASURED [PAGE]]
#
# A row begins with a name: of a loop of the model (`int`: its limit, the model, the host's code, and what share of the
# limit both are), or of what its last cell shows (`rtl.bare`).
use strict;
use warnings;

my $check = @ARGV && $ARGV[0] eq '--check' && shift;
my ($measured, $page) = (shift // 'tests/bench/measured.txt', shift // 'docs/performance.md');
sub text { open my $f, '<', $_[0] or die "$_[0]: $!\n"; local $/; return scalar <$f> }
my %is = text($measured) =~ /^bench: (\S+) (\S+)/mg;
my ($n, $wrong) = (0, 0);
sub value { $n++; return $is{$_[0]} // do { $wrong++; print "FAIL $measured has no $_[0]\n"; '?' } }
sub row {
    my @cell = split / *\| */, $_[0] =~ s/^\| *| *\|$//gr, -1;
    my ($name) = $cell[0] =~ /^`([\w.]+)`/ or return $_[0];
    if ($name =~ /\./) { $cell[-1] = value($name) }
    else {
        my $limit = "model.limit" . ($name eq 'int' ? '' : "_$name");
        my @of = ($limit, map { ("model.$name$_", "model.$name${_}_ratio") } '', '_native');
        $cell[$_ + 1] = value($of[$_]) for grep { $cell[$_ + 1] ne '' } 0 .. $#of;
    }
    return ('| ' . join(' | ', @cell) . ' |') =~ s/ +(?= \|)//gr =~ s/\|  +\|/| |/gr;
}
my $old = text($page);
my $new = $old =~ s{^(<!-- bench -->\n)((?:\|.*\n)+)}{ $1 . join '', map { row($_) . "\n" } split /\n/, $2 }gemr;
if (!$n) { $wrong++; print "FAIL $page has no numbers of $measured\n" }
if ($new ne $old) {
    if ($check) { $wrong++; print "FAIL $page has other numbers than $measured: make docs-bench\n" }
    else { open my $f, '>', $page or die "$page: $!\n"; print $f $new; close $f or die "$page: $!\n" }
}
print "bench: $n numbers in $page: $wrong wrong\n";
exit($wrong ? 1 : 0);
