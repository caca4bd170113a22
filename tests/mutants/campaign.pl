#!/usr/bin/perl
# Runs the curated mutants against their checks, and prints which check caught which.
# SPDX-License-Identifier: Apache-2.0
#
# A mutant is a planted bug of a folder's tables (Bugs.pm).  Its first lines say what it breaks and,
# in lines `check: NAME [ARG]`, which checks of the file `checks` must notice.  Equality both ways:
# with no mutant every check passes, with it at least the named ones fail.  Instead of a check a bug
# may have a line `alone: TARGET`: what sees it has a core of its own, `make TARGET` with the bug
# planted; `equal: WHY`: it changes nothing; `open: WHY`: no check sees it.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename;
use Getopt::Long;
use List::Util qw(shuffle);
use FindBin;
use lib $FindBin::Bin;
use Bugs;

my $usage = <<'END';
usage: campaign.pl TREE [options]       TREE: what mux.pl made, built
  --jobs N          processes at once; 1
  --sample N        only N mutants, chosen by --seed; 0: all
  --seed S          1
  --folder DIR      where the tables lie; curated, beside this file
  --only REGEX      only mutants with such a name
  --checks REGEX    only such checks: a part of a campaign, to be merged
  --shard I/N       every N-th mutant, from the I-th (from 0)
  --limit N         seconds: a check that takes longer says nothing; 300
  --matrix          every check that could see a mutant, not only those that it names
  --results FILE    where the results are added: lines `MUTANT CHECK caught|missed|passed|slow SECONDS`
  --merge FILE...   no run: print the matrix of these results
END
my %o = (jobs => 1, sample => 0, seed => 1, shard => '0/1', limit => 300, results => '');
my @merge;
GetOptions(\%o, 'jobs=i', 'sample=i', 'seed=i', 'only=s', 'checks=s', 'folder=s', 'shard=s', 'limit=i', 'matrix', 'results=s',
           'help', 'merge=s{1,}' => \@merge)
    or die $usage;
print($usage), exit 0 if $o{help};
my $here = dirname(abs_path($0));

sub slurp { local (@ARGV, $/) = ($_[0]); return scalar <> }

# The mutants; each has the number that mux.pl gave it.
sub load_mutants {
    my ($tree) = @_;
    my ($k, %number, @list) = (0);
    if ($tree) { $number{$_} = ++$k for split /\n/, slurp("$tree/mutants.list") }
    my @table = glob(($o{folder} // "$here/curated") . '/*.bugs') or die "mutants: there is no table of bugs\n";
    for my $bug (bugs_read(@table)) {
        my ($name, $head) = @$bug{qw(name head)};
        next if $head =~ /^(?:alone|equal|open): /m;           # nothing to run: its line says why
        my @check = $head =~ /^check: (.*)$/mg or die "$bug->{at}: $name names no check\n";
        my ($area) = $bug->{edits}[0]{file} =~ m{^(\w+)/};
        die "$name is not in $tree: make mutants-build\n" if $tree && !$number{$name};
        push @list, { k => $number{$name}, name => $name, checks => \@check, area => $area, what => ($head =~ /^(.*)$/m)[0] };
    }
    return @list;
}

# name => {areas, command}
sub load_checks {
    my %c;
    for (split /\n/, slurp("$here/checks")) {
        next if /^#/;
        my ($name, $areas, $command) = /^(\S+)\s+(.*?)\s{2,}(.*)$/ or die "checks: $_\n";
        $c{$name} = { areas => { map { $_ => 1 } split ' ', $areas }, command => $command };
    }
    return \%c;
}

sub command_of {
    my ($checks, $check) = @_;
    my ($name, $argument) = split ' ', $check;
    my $c = $checks->{$name} or die "$check: there is no such check\n";
    (my $s = $c->{command}) =~ s/\$1/$argument \/\/ die "$check: its argument is missing\n"/e;
    return $s;
}

# What the check says with mutant k: passes, fails, or slow: no end within the limit, which is no
# verdict (a core that hangs is noticed by every check, long before).
sub outcome {
    my ($tree, $command, $k) = @_;
    my $status = system("cd '$tree' && HEDDLE_MUTANT=$k BUILD=build timeout -k 5 $o{limit}"
                        . " sh -c '$command' > /dev/null 2>&1") >> 8;
    exit 130 if ($? & 127) == 2 || $status == 130;    # Ctrl-C, which perl ignores meanwhile
    return !$status ? 'passes' : $status == 124 || $status == 137 ? 'slow' : 'fails';
}

sub wanted { return grep { !$o{checks} || /$o{checks}/ } @_ }

sub run_mutant {
    my ($tree, $checks, $m, $all, $out) = @_;
    my %named = map { $_ => 1 } @{ $m->{checks} };
    my @which = !$o{matrix} ? @{ $m->{checks} } : grep { $checks->{ (split ' ')[0] }{areas}{ $m->{area} } || $named{$_} } @$all;
    for my $check (wanted(@which)) {
        my $start = time;
        my $said = outcome($tree, command_of($checks, $check), $m->{k});
        my $word = $said eq 'fails' ? 'caught' : $said eq 'slow' ? 'slow' : $named{$check} ? 'missed' : 'passed';
        syswrite $out, sprintf "%s\t%s\t%s\t%d\n", $m->{name}, $check, $word, time - $start;
    }
}

# Prints the matrix; the number of mutants caught by every check that they name.
sub report {
    my ($mutants, $result) = @_;
    my (%seen, $caught, $run) = ();
    $caught = $run = 0;
    for my $m (@$mutants) { $seen{$_}++ for keys %{ $result->{ $m->{name} } // {} } }
    my @column = sort keys %seen;
    print "checks:\n", map { sprintf "  %2d %s\n", $_ + 1, $column[$_] } 0 .. $#column;
    printf "%-32s %s   # caught, M missed though named, S no end in time, . not caught, blank: cannot see it\n", 'mutant',
        join '', map { sprintf '%3d', $_ + 1 } 0 .. $#column;
    for my $m (@$mutants) {
        my $r = $result->{ $m->{name} } or next;
        my %sign = (caught => '#', missed => 'M', passed => '.', slow => 'S');
        my $good = !grep { ($r->{$_} // '') ne 'caught' } @{ $m->{checks} };
        $run++;
        $caught += $good;
        printf "%-32s %s %s\n", $m->{name}, join('', map { sprintf '%3s', $sign{ $r->{$_} // '' } // ' ' } @column),
            $good ? '' : "  NOT CAUGHT: $m->{what}";
    }
    return ($caught, $run);
}

sub load_results {
    my %r;
    for my $file (@_) {
        for (split /\n/, slurp($file) // '') {
            my ($name, $check, $word) = split /\t/;
            $r{$name}{$check} = $word;
        }
    }
    return \%r;
}

my $tree = shift;
my @mutants = load_mutants($tree);
if (@merge) {
    my ($caught, $run) = report(\@mutants, load_results(@merge));
    print "mutants: curated $caught/$run caught\n";
    printf "mutants: %d have no result\n", @mutants - $run if $run < @mutants;
    exit($caught == @mutants ? 0 : 1);
}
die $usage if !$tree;
my $checks = load_checks();
my %all = map { $_ => 1 } map { @{ $_->{checks} } } @mutants;
my @chosen = grep { !$o{only} || $_->{name} =~ /$o{only}/ } @mutants;
if ($o{sample}) {
    srand $o{seed};
    @chosen = (shuffle @chosen)[0 .. ($o{sample} < @chosen ? $o{sample} : @chosen) - 1];
}
my ($shard, $shards) = $o{shard} =~ m{^(\d+)/(\d+)$} or die "--shard: two numbers, as 0/4\n";
@chosen = map { $chosen[$_] } grep { $_ % $shards == $shard } 0 .. $#chosen;
die "mutants: no mutant is chosen\n" if !@chosen;
$o{results} ||= "$tree/results";
unlink $o{results};

my %needed = map { $_ => 1 } $o{matrix} ? keys %all : map { @{ $_->{checks} } } @chosen;
die "mutants: no check is chosen\n" if !wanted(keys %needed);
for my $check (sort(wanted(keys %needed))) {
    my $said = outcome($tree, command_of($checks, $check), 0);
    die "mutants: without any mutant, `$check' $said: mend that first\n" if $said ne 'passes';
}
printf "mutants: %d checks pass without a mutant\n", scalar(wanted(keys %needed));
open my $out, '>>', $o{results} or die "$o{results}: $!\n";
my ($running, $done) = (0, 0);
$| = 1;
for my $m (@chosen) {
    if ($running >= $o{jobs}) { wait; $running--; $done++ }
    printf STDERR "\rmutants: %d of %d, %s      ", $done, scalar @chosen, $m->{name} if -t STDERR;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        run_mutant($tree, $checks, $m, [sort keys %all], $out);
        exit 0;
    }
    $running++;
}
1 while wait > 0;
print STDERR "\r", ' ' x 60, "\r" if -t STDERR;
my ($caught, $run) = report(\@chosen, load_results($o{results}));
print "mutants: curated $caught/$run caught\n";
exit($caught == @chosen ? 0 : 1);
