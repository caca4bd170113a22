#!/usr/bin/perl
# How well `--timing core` predicts the core's cycles: over tests/kernels, paper A's workloads and
# random kernels.  docs/timing.md.
# SPDX-License-Identifier: Apache-2.0
#
#   check.pl record BUILD              the core's cycles of all, as lines for tests/timing/rtl.csv
#   check.pl check BUILD RECORDED [N]  the model's against those: a table, the worst first; exit
#                                      status 1 where it says TOO FAR; N: of tests/kernels every Nth
use strict;
use warnings;

my ($what, $build, $recorded, $every) = @ARGV;
die "usage: check.pl record BUILD | check BUILD RECORDED [N]\n"
    unless defined $build && ($what eq 'record' ? @ARGV == 2 : $what eq 'check' && @ARGV >= 3);
my $rtl = $what eq 'record';
my ($limit, $most) = (5, 1);            # per cent: of each launch, of nine in ten
my $longest = 3_000_000;                # cycles: a launch of more is left out, and named
my $long = 100_000;                     # cycles: 64 of them are less than 0.1%
my @left_out;

# Every launch: a name, and the words of its command.
sub launches {
    my @launch;
    my $rank = 0;
    for my $file (sort glob 'tests/kernels/*.cu tests/kernels/*.ptx tests/kernels/*.s') {
        open my $f, '<', $file or die "$file: $!\n";
        my $n = 0;
        while (<$f>) {
            next unless m{^// RUN: (.*)};
            $n++;
            push @launch, ["$file:$n", "$file $1"] unless $rank++ % ($every // 1);
        }
    }
    for my $args (sort glob "$build/timing/*.args") {
        my ($name) = $args =~ m{([^/]+)\.args$};
        push @launch, ["paper_a/$name", "tests/paper_a/$name.cu -D PA_UNMARKED \@$args"];
    }
    return @launch;
}

# Cycles up to the last commit: what `heddle lockstep` prints is when the host noticed the end.
sub last_commit {
    my ($words) = @_;
    my $last;
    open my $f, '-|', "$build/heddle trace --lockstep $words 2> /dev/null"
        or die "heddle trace: $!\n";
    while (<$f>) {
        $last = $1 + 1 if /^ *\d+ +(\d+)  b\d/;
    }
    return close $f ? $last : undef;
}

# The same of a long launch: the host looks every 64 cycles, which is nothing there, and sooner.
sub until_noticed {
    my ($words) = @_;
    my $out = `$build/heddle lockstep $words 2>&1`;
    return $? == 0 && $out =~ /^cycles (\d+)/m ? $1 : undef;
}

# The cycles of a launch; undef: it does not end, as some tests want it.
sub cycles {
    my ($name, $words) = @_;
    my $out = `$build/heddle run --timing core $words 2>&1`;
    my $n = $? == 0 && $out =~ /^cycles (\d+)/m ? $1 : undef;
    if (defined $n && $n > $longest) {
        push @left_out, $name;
        return undef;
    }
    return !defined $n || !$rtl ? $n : $n > $long ? until_noticed($words) : last_commit($words);
}

sub all_cycles {
    my %cycles;
    mkdir "$build/timing";
    system("$build/paper_a write rtl $build/timing") == 0 or die "paper_a write failed\n";
    for (launches()) {
        my ($name, $words) = @$_;
        my $n = cycles($name, $words);
        $cycles{$name} = $n if defined $n;
        print "$name,$n\n" if defined $n && $rtl;
    }
    open my $f, '-|', "$build/random_kernels", $rtl ? 'rtl' : 'model' or die "random_kernels: $!\n";
    while (<$f>) {
        my ($name, $n) = split;
        $cycles{$name} = $n if $n;
        print "$name,$n\n" if $n && $rtl;
    }
    close $f or die "random_kernels failed\n";
    return %cycles;
}

$| = 1;
if ($rtl) {
    my %cycles = all_cycles();
    exit 0;
}
my (%core, @table);
open my $in, '<', $recorded or die "$recorded: $!\n";
while (<$in>) {
    $core{$1} = $2 if /^(\S+),(\d+)$/;
}
die "$recorded: nothing is recorded\n" unless %core;
my %model = all_cycles();
my $bad = 0;
for my $name (keys %core) {
    next if $every && !defined $model{$name};
    if (!defined $model{$name}) {
        print "timing: $name is recorded, but does not run on the model\n";
        $bad++;
        next;
    }
    my $error = 100 * ($model{$name} / $core{$name} - 1);
    push @table, [$name, $core{$name}, $model{$name}, $error];
}
for my $name (sort keys %model) {
    next if defined $core{$name};
    print "timing: $name is not recorded: make timing-record\n";
    $bad++;
}
@table = sort { abs $b->[3] <=> abs $a->[3] || $a->[0] cmp $b->[0] } @table;
printf "%-50s %10s %10s %8s\n", 'launch', 'core', 'predicted', 'error';
my $within = 0;
for (@table) {
    my ($name, $core, $model, $error) = @$_;
    my $off = abs($error) > $limit;
    $within += !$off;
    $bad += $off;
    printf "%-50s %10d %10d %7.2f%%%s\n", $name, $core, $model, $error, $off ? '  TOO FAR' : '';
}
print "timing: left out, as it takes more than $longest cycles: $_\n" for @left_out;
my @errors = sort { $a <=> $b } map { abs $_->[3] } @table;
printf "timing: launches %d, within %d%% %d, median %.2f%%, 90th percentile %.2f%%, worst %.2f%%\n",
    scalar @errors, $limit, $within, $errors[$#errors / 2], $errors[0.9 * $#errors], $errors[-1];
if ($errors[0.9 * $#errors] > $most) {
    print "timing: nine in ten are to be within $most%: TOO FAR\n";
    $bad++;
}
exit($bad ? 1 : 0);
