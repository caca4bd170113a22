#!/usr/bin/perl
# Every placement of a prediction's barriers stores the same: each kernel of patterns.cu, in
# lockstep and thread by thread.
# SPDX-License-Identifier: Apache-2.0
#
# Then the commands that docs/speculative.md shows (lines `$ heddle ...`) must print what the page
# says.
use strict;
use warnings;
$| = 1;

my ($heddle, $source, $page, $tmp) = @ARGV;
die "usage: placements.pl HEDDLE SOURCE PAGE TMP\n" unless $tmp;
my @placements = ('--predict off', map { my $how = $_; map { "--predict user --deconflict $how$_" } '', map { " --soft $_" } 1, 6, 24, 32 }
                  'static', 'dynamic');
my ($bad, $runs, @kernels) = (0, 0);

sub slurp
{
    my ($path) = @_;
    open my $in, '<:raw', $path or die "$path: $!\n";
    local $/;
    return scalar <$in>;
}

for (split /\n/, slurp($source)) { push @kernels, $1 if /^KERNEL (\w+)/ }
for my $kernel (@kernels) {
    my $want;
    for my $p (@placements) {
        my $command = "$heddle lockstep $source --kernel $kernel $p --no-snapshots --third-leg --grid 2 --block 48 "
                    . "out:u32[96]=zero n:u32=40 --dump out=$tmp/out.bin > $tmp/out.txt 2>&1";
        unlink "$tmp/out.bin";
        my $failed = system $command;
        exit 130 if ($? & 127) == 2 || $? >> 8 == 130;    # Ctrl-C, which perl ignores meanwhile
        my $got = $failed ? '' : slurp("$tmp/out.bin");
        $want //= $got;
        die "predict: $kernel stores nothing\n" if !$failed && $got !~ /[^\0]/;
        $runs++;
        my $late = $p =~ /user/ && slurp("$tmp/out.txt") =~ /gave way/;
        next if !$failed && $got eq $want && !$late;
        $bad++;
        print "predict: $kernel $p: ", $failed ? "failed: $command\n" . `tail -4 $tmp/out.txt`
                                     : $late ? "barriers gave way\n" : "stores other results\n";
    }
}
print "predict: ", scalar @kernels, " kernels, ", scalar @placements, " placements: $bad of $runs runs differ, or lanes got stuck\n";

my ($command, @expected, $shown);
sub compare
{
    return unless $command;
    pop @expected while @expected && $expected[-1] =~ /^\s*$/;
    (my $run = $command) =~ s/^heddle/$heddle/;
    my $got = `$run 2>&1`;
    $got =~ s/\s*$/\n/;
    my $want = join('', map { "$_\n" } @expected);
    $shown++;
    return if $got eq $want;
    $bad++;
    print "predict: $page says otherwise than `$command`, which prints\n$got";
}
for (split(/\n/, slurp($page)), '') {
    if (/^    \$ (heddle .*)/) { compare(); ($command, @expected) = $1 }
    elsif ($command && /^    (.*)/) { push @expected, $1 }
    elsif ($command && /^$/) { compare(); undef $command }
}
$shown //= 0;
print "predict: $shown commands of $page\n";
exit($bad || !$shown || !@kernels ? 1 : 0);
