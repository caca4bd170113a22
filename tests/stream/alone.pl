#!/usr/bin/perl
# What the monitor finds of bugs planted in the RTL, with no model: each in the RTL alone, by its
# warp events, and the first rule that they break.
# SPDX-License-Identifier: Apache-2.0
# use: alone.pl TREE [EVERY]     TREE: what mux.pl made, built, with its libcore_l4.so;
#      EVERY: only every EVERY-th bug, from one on that the day chooses, and those that it must find
#
# Of the curated bugs those are tried that change lanes, groups, barriers, retirement or the record
# itself.  A bug that no rule finds changes a choice, or a value, in a way that is legal to whoever
# does not know the program: lockstep finds those (make mutants).
use strict;
use warnings;
use File::Basename;
use FindBin;
use lib "$FindBin::Bin/../mutants";
use Bugs;

my ($tree, $every) = (@ARGV, 1);
defined $tree or die "use: alone.pl TREE [EVERY]\n";
my $UNITS = qr{^rtl/(?:converge/(?!.*serial)|exec/(?:retire|same_target)|front/(?:dispatcher|fetch|issue|slots|turn|pick|targets)|simt_core|probe)};
my @BARRIER = qw(exits.cu call_then_block.cu exit_completes.s shared_once.cu masks.ptx odd_blocks.cu bsync_beside_block.s
                 yield_then_block.cu loop_left.cu half_at_barrier.cu);
my @STACK = map { "$_ --mode stack --stack-depth 4" } qw(exits.cu masks.ptx odd_blocks.cu loop_left.cu);
push @STACK, 'stack_calls.s';

sub slurp { local (@ARGV, $/) = ($_[0]); return scalar <> }
my ($heddle, $out) = ('build/heddle', 'build/alone');
chdir $tree or die "$tree: $!\n";
-x $heddle && -e 'build/rtl/libcore_l4.so' or die "$tree has no heddle, or no core of LANES=4\n";
mkdir $out;

# The launches, by the kernels' own lines.
my @launch;
for my $k (@BARRIER, @STACK) {
    my ($file, @how) = split ' ', $k;
    my ($words) = slurp("tests/kernels/$file") =~ m{^(?://|\#) RUN: (.*)$}m or die "$file has no RUN line\n";
    push @launch, { name => $k, words => "tests/kernels/$file $words @how" };
}

# The first rule that a launch breaks with bug k; '-': none; a word for a stream that has no end.  What a launch may take
# is time of the processor: beside other work it takes as much.
sub rule {
    my ($k, $l) = @_;
    my $status = system "ulimit -t 20; HEDDLE_MUTANT=$k timeout -k 2 600 $heddle trace $l->{words} --lanes 4 --rtl --limit 400000 --stream $out/s.hst > $out/log 2>&1";
    return 'hangs' if $status >> 8 == 124 || $status >> 8 > 128;
    my $said = qx($heddle stream check $out/s.hst 2>&1);
    return $1 if $said =~ /^stream: rule (\w+) broken/m;
    return 'refused' if $? >> 8 == 2;
    return '-';
}

my ($n, $wrong) = (0, 0);
for my $l (@launch) {                        # without a bug
    my $r = rule(0, $l);
    next if $r eq '-';
    print "FAIL without a bug $l->{name} breaks $r\n";
    $wrong++;
}
my ($number, %number) = (0);
$number{$_} = ++$number for split /\n/, slurp('mutants.list');
my @bug = grep { $_->{edits}[0]{file} =~ $UNITS && $number{ $_->{name} } } bugs_read(glob 'tests/mutants/curated/*.bugs');
my $first = int(time / 86400) % $every;
my %MUST = map { $_ => 1 } qw(probe-active rtl-bar-live stack-pop-pc);
my ($found, $tried) = (0, 0);
for my $b (@bug) {
    next if $n++ % $every != $first && !$MUST{ $b->{name} };
    my $by = '-';
    for my $l (@launch) {
        $by = rule($number{ $b->{name} }, $l);
        last if $by ne '-';
    }
    my ($what) = $b->{head} =~ /^(.*)$/m;
    printf "| `%s` | %s | %s |\n", $b->{name}, $what, $by eq '-' ? '' : "`$by`";
    $tried++;
    $found++ if $by ne '-';
    if ($by eq '-' && $MUST{ $b->{name} }) { print "FAIL $b->{name} breaks no rule\n"; $wrong++ }
}
printf "alone: %d bugs tried, %d found by the monitor alone, %d not\n", $tried, $found, $tried - $found;
printf "alone: %d passed, %d failed\n", $tried + @launch - $wrong, $wrong;
exit($wrong || !$found ? 1 : 0);
