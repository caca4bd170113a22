#!/usr/bin/perl
# Lines of sources that pages name, as FILE:LINE, are still those that the pages mean.
#
#     lines.pl [--write]      in the folder of the project
#
# tests/lines.txt keeps what each of these lines holds.  Where a source has changed it is compared:
# a line that has moved is said with its new number, for the page; --write keeps what there is now.
# A name that no file here has is one that a page makes (k.cu).
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;
use File::Basename;

my $KEPT = 'tests/lines.txt';
my ($named, $wrong) = (0, 0);
sub wrong { $wrong++; print "FAIL @_\n" }
sub lines_of { open my $f, q(<), $_[0] or return; chomp(my @l = <$f>); s/^\s+|\s+$//g for @l; return @l }
my %lines;
sub line { my ($path, $n) = @_; return ($lines{$path} //= [lines_of($path)])->[$n ? $n - 1 : 1e9] // '' }

my %by;         # of a file's name: its paths; those that pages show come first
my @files = grep { -f } split /\n/, `git ls-files -co --exclude-standard`;
my $rank = sub { $_[0] =~ m{^tests/view/} ? 0 : $_[0] =~ m{^tests/kernels/} ? 1 : 2 };
push @{ $by{ basename $_ } }, $_ for sort { $rank->($a) <=> $rank->($b) || $a cmp $b } @files;
my (%is_file, %text, %pages);
$is_file{$_} = 1 for @files;

for my $page (grep { /\.md$/ } @files) {
    for my $line (lines_of($page)) {
        while ($line =~ m{([\w./-]*\w\.(?:cu|cpp|c|h|v|vh|s|ptx|def|pl|sh)):(\d+)}g) {
            my @paths = $is_file{$1} ? $1 : @{ $by{ basename $1 } // next };
            my ($path) = ((grep { line($_, $2) ne '' } @paths), $paths[0]);
            $pages{"$path:$2"}{$page} = 1;
        }
    }
}
for my $at (sort keys %pages) {
    my ($path, $n) = $at =~ /^(.*):(\d+)$/;
    $named++;
    $text{$at} = line($path, $n);
    wrong(join(' ', sort keys %{ $pages{$at} }) . ": $at is empty or not there") if $text{$at} eq '';
}
if (@ARGV && $ARGV[0] eq '--write') {
    open my $f, '>', $KEPT or die "$KEPT: $!\n";
    print $f "$_\t$text{$_}\n" for sort keys %text;
    close $f or die "$KEPT: $!\n";
} else {
    my %kept = map { /^(.*?)\t(.*)$/ ? ($1 => $2) : () } lines_of($KEPT);
    for my $at (sort keys %text) {
        my ($path, $where) = ($at =~ s/:\d+$//r, join ' ', sort keys %{ $pages{$at} });
        if (!defined $kept{$at}) { wrong("$where: $at is not in $KEPT: make docs-lines") }
        elsif ($kept{$at} ne $text{$at}) {
            my ($n, @now) = (0);
            for (lines_of($path)) { $n++; push @now, $n if $_ eq $kept{$at} }
            wrong("$where: $at was `$kept{$at}', " . (@now ? "now in line @now" : 'which is no longer there') .
                  ': mend the page, then make docs-lines');
        }
    }
    for (grep { !m{^cuda/} || -e 'cuda' } sort keys %kept) { wrong("$KEPT: no page names $_: make docs-lines") unless defined $text{$_} }
}
wrong('no page names a line') unless $named;
print "lines: pages name $named lines of sources: $wrong wrong\n";
exit($wrong ? 1 : 0);
