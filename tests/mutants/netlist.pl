#!/usr/bin/perl
# Mutants of single gates: random programs in lockstep until one notices, a proof where none does.
# SPDX-License-Identifier: Apache-2.0
#
# The build folder of a unit holds core_smoke; rtl/libcore_l16.so with all mutants, of which
# HEDDLE_GATE in the environment selects one; list, one mutant a line; and pair.aag, the unit beside
# its mutant, for cofactor.  A verdict is
#   commit     a commit differs from the model's, or the core hangs: caught
#   equal      no program can tell: proved, by the assumptions of tests/mutants/same_UNIT.vh
#   cycles     every commit is the model's, but programs take another number of cycles, which
#              `make core-smoke' compares with those meant: caught
#   survived   none of these
# The assumptions are put to the test by the runs: no mutant at all must be equal, and one that a
# program notices, of which every fifth is asked, must not.
use strict;
use warnings;
use Getopt::Long;

my $usage = <<'END';
usage: netlist.pl UNIT DIR [options]      UNIT: conv, stack, issue; DIR: its build folder
  --jobs N          processes at once; 1
  --only K,K...     only these mutants
  --first N         only the first N
  --again VERDICT   those that have it already are run again
  --report          no run: what DIR/results holds
END
my %o = (jobs => 1, only => '', first => 0, again => '');
GetOptions(\%o, 'jobs=i', 'only=s', 'first=i', 'again=s', 'report', 'help') or die $usage;
print($usage), exit 0 if $o{help};
my ($unit, $dir) = @ARGV;
# kind, programs, commits of each, first seed, tokens on chip; what catches most comes first.
my %stages = (
    conv  => ['conv 20 1500 1 4', 'lone 60 3000 1 4', 'wide 40 1500 1 4', 'fault 60 500 1 4',
              'yield 20 12000 1 4', 'lone 800 3000 1000 4', 'wide 300 1500 1000 4',
              'conv 100 1500 100 4'],
    stack => ['stack 20 1500 1 4', 'stack-wide 100 1500 1 4', 'stack-conv 100 1000 1 4',
              'stack-fault 100 600 1 4', 'stack-chaos 100 600 1 8', 'stack-wide 1000 1500 1000 4',
              'stack-conv 100 1000 100 16', 'stack-wide 300 1500 5000 16',
              'stack-wide 600 1500 20000 8', 'stack-wide 800 1500 30000 4'],
    issue => ['int 10 1000 1 4', 'regs 40 700 1 4', 'all 20 1000 1 4', 'mem 30 1000 50 4',
              'stack 20 1000 1 8', 'regs 500 700 1000 4', 'wide 60 1000 1 4', 'int 40 1000 100 4'],
);
die $usage if !$dir || !$stages{$unit};
my @stages = @{ $stages{$unit} };
my $cheap = 2;                           # stages that take less time than a proof
my $seconds = 200;                       # of the processor: a stage that takes more says nothing

sub slurp { local (@ARGV, $/) = ($_[0]); return scalar <> }

# What a stage says; undef: a difference, or a core that hangs, which core_smoke notices itself.
sub run_stage {
    my ($k, $stage) = @_;
    my ($kind, $count, $commits, $seed, $depth) = split ' ', $stage;
    my $said = `ulimit -t $seconds; HEDDLE_GATE=$k $dir/core_smoke --lanes 16 --warps 4 --first \\
                --kind $kind --count $count --commits $commits --seed $seed --depth $depth 2>&1`;
    return $? == 1 << 8 ? undef : $? == 0 ? $said : 'no end';
}

# True: proved.
sub is_equal {
    my ($k) = @_;
    return 1 if `$dir/cofactor $dir/pair.aag $dir/cone $k` =~ /equal/;
    my $said = `ulimit -t 300; yosys-abc -c "read_aiger $dir/cone.$k.aig; iprove" 2>&1`;
    unlink "$dir/cone.$k.aig", "$dir/cone.$k.in";
    return $said =~ /\bUNSATISFIABLE/;
}

sub judge {
    my ($k, $reference) = @_;
    my $verdict = 'survived';
    for my $i (0 .. $#stages) {
        return 'equal' if $i == $cheap && $verdict eq 'survived' && is_equal($k);
        my $said = run_stage($k, $stages[$i]);
        if (!defined $said) {
            $verdict = "commit $stages[$i]";
            last;
        }
        $verdict = "cycles $stages[$i]"
            if $verdict eq 'survived' && $said ne 'no end' && $said ne $reference->[$i];
    }
    my $doubt = $verdict ne 'survived' && $k % 5 == 0 && is_equal($k);
    return $doubt ? "wrong: proved equal, yet $verdict" : $verdict;
}

# ---- the campaign ----

my @line = split /\n/, slurp("$dir/list") // '';
die "netlist: $dir/list holds no mutant\n" if !@line;
my %verdict;
sub read_results {
    return if !-s "$dir/results";
    for (split /\n/, slurp("$dir/results")) {
        my ($k, $v) = /^(\d+) (.*)/;
        $verdict{$k} = $v;
    }
}
sub campaign {
    my @todo = @_;
    my @reference = map { run_stage(0, $_) // 'a difference' } @stages;
    for my $i (0 .. $#stages) {
        my ($programs, $equal) = $reference[$i] =~ /, programs (\d+), equal (\d+),/;
        die "netlist: $unit: without a mutant, `$stages[$i]' compares nothing: $reference[$i]\n"
            if $reference[$i] !~ /^(a difference|no end)$/ && !$equal;
        die "netlist: $unit: without a mutant, `$stages[$i]' has $reference[$i]\n"
            if $reference[$i] =~ /^(a difference|no end)$/;
    }
    is_equal(0) or die "netlist: $unit itself is not proved: see tests/mutants/same_$unit.vh\n";
    open my $out, '>>', "$dir/results" or die "$dir/results: $!\n";
    my $running = 0;
    for my $n (0 .. $#todo) {
        if ($running == $o{jobs}) { wait; $running-- }
        printf STDERR "\rnetlist: %s %d of %d   ", $unit, $n, scalar @todo if -t STDERR;
        my $pid = fork // die "fork: $!\n";
        if (!$pid) {
            syswrite $out, "$todo[$n] " . judge($todo[$n], \@reference) . "\n";
            exit 0;
        }
        $running++;
    }
    1 while wait > 0;
    print STDERR "\r", ' ' x 40, "\r" if -t STDERR;
}
read_results();
my @chosen = $o{only} ? split(/,/, $o{only}) : 1 .. ($o{first} || @line);
my @todo = grep { !$verdict{$_} || ($o{again} && $verdict{$_} =~ /^$o{again}/) } @chosen;
campaign(@todo) if @todo && !$o{report};
read_results();

# ---- the score ----

# A mutant in a few words: what was done to which bit, and the line of Verilog.
sub describe {
    my ($k) = @_;
    my %is = $line[$k - 1] =~ /-(mode|port|portbit|ctrlbit|wire|wirebit) (\S+)/g;
    my @src = $line[$k - 1] =~ /-src (\S+)/g;
    my $what = "$is{mode} of bit $is{portbit} of $is{port}";
    $what .= " by bit $is{ctrlbit}" if defined $is{ctrlbit};
    $what .= ", $is{wire}" . ($is{wirebit} ? "[$is{wirebit}]" : '') if $is{wire};
    return $what . (@src ? ", $src[-1]" : '');
}

my (%count, %by);
for my $k (@chosen) {
    my ($word, $kind) = ($verdict{$k} // 'missing') =~ /^(\w+):? ?(\S*)/;
    $count{$word}++;
    $by{"$word by $kind"}++ if $kind;
    print "$verdict{$k}: $unit $k: ", describe($k), "\n" if $word =~ /survived|time|wrong/;
}
print "  $_: $by{$_}\n" for sort keys %by;
my ($equal, $commit, $cycles, $lost) = map { $count{$_} // 0 } qw(equal commit cycles survived);
my $caught = $commit + $cycles;
my $rest = $caught + $lost;
printf "mutants: netlist %s: %d made, %d proved equal; of the other %d, %d caught (%.1f%%), "
     . "%d of them by the number of cycles alone\n", $unit, scalar @chosen, $equal, $rest, $caught,
    $rest ? 100 * $caught / $rest : 100, $cycles;
exit($count{wrong} || $count{missing} || !$rest || $caught < 0.95 * $rest);
