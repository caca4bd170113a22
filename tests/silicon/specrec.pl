#!/usr/bin/perl
# Speculative reconvergence on our core beside an H200: the six kernels of tests/silicon/specrec, each placed three ways.
# SPDX-License-Identifier: Apache-2.0
#
# h200.csv was measured with the barriers written by hand into real machine code; here the compiler places
# them from the pragmas.  Per kernel and placement one warp runs in lockstep; the cycles are the largest clock
# difference that a lane stores.  Holds when (exit status 0)
#   - every placement stores the same results,
#   - the speed-up over base is within a third of the H200's (joins cost our core less: docs/speculative-rules.md),
#   - whichever of two placements the H200 runs more than 5% faster is the faster one here.
use strict;
use warnings;
$| = 1;

my ($heddle, $dir, $tmp, $only) = @ARGV;
die "usage: specrec.pl HEDDLE DIR TMP [PATTERN]\n" unless $tmp;
my %options = (base => '--predict off', dyn => '--predict user --deconflict dynamic', static => '--predict user --deconflict static');
my (%h200, @kernels);
open my $csv, '<', "$dir/h200.csv" or die "$dir/h200.csv: $!\n";
while (<$csv>) {
    next if /^pattern,/;
    my ($pattern, $long, $short, $placement, $cycles) = /^(\w+),(\d+),(\d+),(base|dyn|static),([1-9]\d*),.*\n/
        or die "$dir/h200.csv:$.: is no measurement, or cut off\n";
    my $name = "${pattern}_${long}_$short";
    push @kernels, $name unless $only && $pattern ne $only or $h200{$name};
    $h200{$name}{$placement} = $cycles;
}

die "$dir/h200.csv: has no kernel", $only ? " `$only'" : '', "\n" unless @kernels;
for my $name (@kernels) {
    for (keys %options) { die "$dir/h200.csv: has no $_ of $name\n" unless $h200{$name}{$_} }
}

my $bad = 0;
sub expect
{
    my ($ok, $what) = @_;
    return if $ok;
    print "specrec: $what\n";
    $bad++;
}

# The clock of the slowest lane, and all the other words.
sub run
{
    my ($name, $placement) = @_;
    my $command = "$heddle lockstep $dir/$name.ptx $options{$placement} --no-snapshots --grid 1 --block 32 "
                . "po:u32[128]=zero pn:u32=256 --dump po=$tmp/po.bin > $tmp/out.txt 2>&1";
    unlink "$tmp/po.bin";
    if (system $command) {
        exit 130 if ($? & 127) == 2 || $? >> 8 == 130;    # Ctrl-C, which perl ignores meanwhile
        print "specrec: failed: $command\n";
        system "tail -5 $tmp/out.txt";
        exit 1;
    }
    open my $bin, '<:raw', "$tmp/po.bin" or die "$tmp/po.bin: $!\n";
    local $/;
    my @words = unpack 'V*', <$bin>;
    my @clocks = map { $words[4 * $_] } 0 .. 31;
    my @rest = @words[grep { $_ % 4 } 0 .. 127];
    die "specrec: $name stores nothing\n" if @words != 128 || !grep { $_ } @rest or grep { !$_ } @clocks;
    return ((sort { $b <=> $a } @clocks)[0], "@rest");
}

printf "%-13s %-7s %10s %10s   %8s %8s %7s\n", 'kernel', '', 'RTL', 'H200', 'RTL', 'H200', 'ratio';
for my $name (@kernels) {
    my ($h, %rtl, $result) = $h200{$name};
    for my $p ('base', 'dyn', 'static') {
        my ($cycles, $rest) = run($name, $p);
        $result //= $rest;
        expect($rest eq $result, "$name: $p stores other results than base");
        $rtl{$p} = $cycles;
        my ($mine, $theirs) = ($rtl{base} / $cycles, $h->{base} / $h->{$p});
        printf "%-13s %-7s %10d %10d   %8.3f %8.3f %7.3f\n", $name, $p, $cycles, $h->{$p}, $mine, $theirs, $mine / $theirs;
        expect(abs($mine / $theirs - 1) <= 1 / 3, "$name: the speed-up of $p is not within a third");
    }
    for my $a (keys %rtl) {
        for my $b (keys %rtl) {
            expect($rtl{$a} < $rtl{$b}, "$name: the H200 runs $a faster than $b, the core does not") if $h->{$a} * 1.05 < $h->{$b};
        }
    }
}
print $bad ? "specrec: $bad conditions do not hold\n" : "specrec: ${\ scalar @kernels} kernels: winners as on the H200, speed-ups within a third\n";
exit($bad ? 1 : 0);
