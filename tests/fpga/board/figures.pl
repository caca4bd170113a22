#!/usr/bin/perl
# What nextpnr says of a board, as a line of tests/fpga/placed.csv; puts such a line there; or the table of docs/board.md.
# SPDX-License-Identifier: Apache-2.0
# use: figures.pl BOARD SET SEED DIR BITSTREAM;  figures.pl --accept FILE;  figures.pl [--check] docs/board.md
use strict;
use warnings;
sub text { open my $f, '<', $_[0] or die "$_[0]: $!\n"; local $/; return scalar <$f> }
if (@ARGV == 5) {
    my ($board, $set, $seed, $dir, $bit) = @ARGV;
    my $log = text("$dir/$seed.log");
    my %used = $log =~ /^Info:\s+(\w+):\s+(\d+)\/\s*\d+\s+\d+%/mg;
    my %clock;                          # the last that is said of each is after routing
    $clock{$1} = $2 while $log =~ /Max frequency for clock\s+'([^']+)': ([\d.]+) MHz/g;
    my ($slowest) = sort { $a <=> $b } values %clock;
    my ($tool) = $log =~ /Version ([\w.+~-]+)/;
    die "$dir/$seed.log: no figures\n" if !defined $used{TRELLIS_COMB} || !defined $slowest;
    print join(',', $board, $set, $seed, @used{qw(TRELLIS_COMB TRELLIS_FF DP16KD MULT18X18D)}, $slowest, -s $bit), "\n";
    exit 0;
}
my $file = 'tests/fpga/placed.csv';
if (@ARGV == 2 && $ARGV[0] eq '--accept') {
    my ($line) = text($ARGV[1]) =~ /^(\w+,\w+,.*\n)/m or die "$ARGV[1] has no figures\n";
    my ($of) = $line =~ /^(\w+,\w+,)/;
    my $all = join '', grep { !/^\Q$of\E/ } map { "$_\n" } split /\n/, text($file);
    open my $f, '>', $file or die "$file: $!\n";
    print $f $all, $line;
    close $f or die "$file: $!\n";
    exit 0;
}
my $check = @ARGV && $ARGV[0] eq '--check' && shift;
my ($page) = @ARGV;
die "use: figures.pl [--check] PAGE\n" if !$page;
my @rows = map { [split /,/] } grep { /^\w+,/ && !/^board,/ } split /\n/, text($file);
my $table = "| board, core | tables | registers | block RAMs | multipliers | clock | seed | bitstream |\n| --- |" . ' --: |' x 7 . "\n";
$table .= sprintf "| %s, `%s` | %d | %d | %d | %d | %.2f MHz | %d | %d bytes |\n", @$_[0, 1, 3 .. 7, 2, 8] for @rows;
my $old = text($page);
(my $new = $old) =~ s/(<!-- placed -->\n).*?(<!-- end -->)/$1$table$2/s or die "$page has no markers\n";
if ($check) {
    print "fpga-board: $page shows ", ($new eq $old ? '' : 'other figures than '), "$file\n";
    exit($new ne $old);
}
open my $f, '>', $page or die "$page: $!\n";
print $f $new;
close $f or die "$page: $!\n";
