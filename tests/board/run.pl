#!/usr/bin/perl
# The core on a simulated board, through the bytes of its link: kernels and random ones are equal, planted bugs are
# found and located as without a link.
# SPDX-License-Identifier: Apache-2.0
# use: run.pl HEDDLE [--sample]      HEDDLE: beside rtl/libboard_l4.so, which holds the bugs of tree/mutants.list
#
# --sample: some of each, within a minute.  A bug is planted by HEDDLE_MUTANT; tests/board/bugs.txt says by which
# launch it shows, and what lockstep of the simulated core says then.
use strict;
use warnings;
use File::Basename qw(dirname);

my ($heddle, $sample) = @ARGV;
die "use: run.pl HEDDLE [--sample]\n" if !$heddle || !-x $heddle;
my $here = dirname(__FILE__);
my $dir = dirname($heddle);
my $bad = 0;
sub wrong { print "board: $_[0]\n"; $bad++ }
sub said { my $text = `$_[0] 2>&1`; return ($text, $? >> 8) }

# ---- what a commit costs: the README's kernel ----
my ($first) = said("$heddle lockstep tests/kernels/divergent.cu --grid 2 --block 64 data:f32[128]=rand:1 steps:i32[128] n:i32=100 --board sim:");
my ($bytes, $stalled) = $first =~ /^board: sim:, ([\d.]+) bytes a commit, \d+ commits, digest every 256, stalled (\d+) cycles, replays 0$/m;
wrong("divergent.cu: $first") if !defined $bytes || $first !~ /^lockstep: equal;/m;

# ---- kernels ----
my @kernel = sort glob('tests/kernels/*.cu tests/kernels/*.ptx tests/kernels/*.s');
@kernel = map { "tests/kernels/$_" } qw(exits.cu votes.cu yield_sets.s stack_calls.s) if $sample;
push @kernel, map { "tests/fail/$_" } qw(deadlock.s misaligned.cu stack_tokens.s);    # that end otherwise
my $equal = 0;
for my $k (@kernel) {
    my ($text, $status) = said("$heddle check $k --lanes 4 --mem-seed 77 --board sim:stall=7 --board-digest 3");
    # what needs bus errors has no board
    if (!$status || $text =~ /answers without errors/) { $equal++ } else { wrong("$k: $text") }
}

# ---- random kernels ----
my ($random, $ran) = (0, 0);
for my $mode (qw(barrier stack)) {
    my $n = !$sample ? 500 : $mode eq 'stack' ? 6 : 12;
    my ($text, $status) = said("$heddle fuzz --mode $mode --board sim:stall=5 --seed 3 --count $n --stack-depth 4 --out $dir/fuzz");
    my ($kernels, $same) = $text =~ /^fuzz: kernels (\d+), equal (\d+)/m or wrong("fuzz: $text");
    wrong("fuzz --mode $mode: $text") if $status;
    $ran += $kernels // 0;
    $random += $kernels // 0 if !$status;
}

# ---- planted bugs ----
my (%number, $k);
open my $names, '<', "$dir/tree/mutants.list" or die "$dir/tree/mutants.list: $!\n";
while (<$names>) { chomp; $number{$_} = ++$k }
# What one grid leaves to the next, on the same board.
for my $bug (undef, 'wire-rule-kept') {
    my $on = $bug ? "HEDDLE_MUTANT=" . ($number{$bug} // 0) : '';
    my ($text, $status) = said("$on $heddle fuzz --mode barrier --board sim:same --seed 3 --count 4 --out $dir/fuzz");
    wrong(($bug // 'no bug') . ", sim:same: $text") if $bug ? !$status || $text !~ /it expects other warps/ : $status;
}
open my $table, '<', "$here/bugs.txt" or die "$here/bugs.txt: $!\n";
my ($bugs, $found, $located) = (0, 0, 0);
while (<$table>) {
    next if /^#|^\s*$/;
    chomp;
    my ($name, $launch, $where, $when) = split /\s*\|\s*/;
    my $n = $number{$name} or wrong("no bug is called $name"), next;
    $bugs++;
    my ($text, $status) = said("HEDDLE_MUTANT=$n $heddle lockstep $launch --lanes 4 --board sim:");
    my $wire = $when && $when eq 'wire';
    my $digest = $when && $when eq 'digest';
    $found++ if $status == ($wire ? 2 : 1);
    my $there = index($text, $where) >= 0 && ($wire || $digest || $text =~ /^board: .*replays 1$/m);
    # The same by the schedule, on a board that takes another time; what hangs on time does not come back.
    if ($there && !$wire && !$digest && (!$sample || $bugs % 3 == 2)) {
        my $said = $when ? 'but the difference did not come back in 3 replays' : $where;
        ($text) = said("HEDDLE_MUTANT=$n $heddle lockstep $launch --lanes 4 --board sim:stall=7");
        $there = index($text, $said) >= 0;
    }
    if ($there) { $located++ } else { wrong("$name: $launch: not `$where':\n$text") }
}

# ---- what a board says, as a stream ----
# The model's stream is the same; of a bug, the repetition is a second run, with the board's own last record.
my $exits = 'tests/kernels/exits.cu --grid 2 --block 96 out:u32[192] n:u32=64';
my ($same) = said("($heddle lockstep $exits --lanes 4 --board sim: --stream $dir/board.hst && $heddle run $exits --stream $dir/model.hst && "
    . "$heddle stream diff $dir/model.hst $dir/board.hst && $heddle stream check $dir/board.hst)");
wrong("a board's stream: $same") if $same !~ /^stream: equal;.*^stream: ok;/ms;
my $wrong_record = "HEDDLE_MUTANT=" . ($number{'probe-active'} // 0);
my ($broken) = said("($wrong_record $heddle lockstep $exits --lanes 4 --board sim: --stream $dir/board.hst; $heddle stream check $dir/board.hst; "
    . "$heddle stream print $dir/board.hst | grep '^run ')");
wrong("probe-active as a stream: $broken") if $broken !~ /^stream: rule running broken/m || 2 != (() = $broken =~ /^run /mg);

unlink 'heddle.board';                  # of a difference that did not come back
printf "board: kernels %d/%d equal, random %d/%d equal, bugs %d/%d found, %d/%d located, bytes a commit %s, stalled %s\n",
    $equal, scalar @kernel, $random, $ran, $found, $bugs, $located, $bugs, $bytes // '?', $stalled // '?';
exit($bad || !@kernel || !$bugs || !$ran ? 1 : 0);
