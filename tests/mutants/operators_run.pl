#!/usr/bin/perl
# Runs the mutants that operators.pl planted against the quick checks, until one notices; reports by
# file.
# SPDX-License-Identifier: Apache-2.0
#
# A verdict is: caught (a check fails), survived (none does), slow (two checks do not end, which
# says nothing: a core that hangs is noticed by the check itself), or invalid (does not compile; or,
# of survivors, `make lint` refuses it).
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;
use List::Util qw(shuffle sum0);
use lib $FindBin::Bin;
use Mux;

my $usage = <<'END';
usage: operators_run.pl TREE [options]  TREE: what operators.pl made, built; seconds are those of the processor
  --jobs N          processes at once; 1
  --sample N        only N mutants, chosen by --seed; 0: all
  --seed S          1
  --only REGEX      only mutants whose file:line matches
  --budget S        seconds of checks for a mutant; what has not been noticed then survived; 0: all checks
  --limit S         seconds: a check that takes longer says nothing; 120
  --least PERCENT   of caught and survived ones must be caught; 0
  --lint GEN        survivors of rtl/ meet the linter; GEN: the generated sources
  --results FILE    where verdicts are kept; those that are there already are not sought again
END
my %o = (jobs => 1, sample => 0, seed => 1, budget => 0, limit => 120, least => 0);
GetOptions(\%o, 'jobs=i', 'sample=i', 'seed=i', 'only=s', 'budget=i', 'limit=i', 'least=f', 'lint=s', 'results=s', 'help')
    or die $usage;
print($usage), exit 0 if $o{help};
my $tree = shift or die $usage;

my @mutant = map { my %m; @m{qw(k state place op old new)} = split /\t/; ($m{file}) = split /:/, $m{place}; \%m }
             split /\n/, slurp("$tree/operators.list");
my @check = map { /^(\S+)\s+(.*?)\s{2,}(.*)$/ or die "operator_checks: $_\n"; { name => $1, areas => $2, command => $3 } }
            grep { !/^#/ } split /\n/, slurp("$FindBin::Bin/operator_checks");

# What a check says with mutant k: passes, fails, or slow.  On a busy machine it may take ten times
# as long.
sub outcome {
    my ($check, $k, $limit) = @_;
    my $wall = 10 * $limit;
    my $status = system("cd '$tree' && ulimit -t $limit && HEDDLE_MUTANT=$k BUILD=build timeout -k 5 $wall"
                        . " sh -c '$check->{command}' > /dev/null 2>&1") >> 8;
    return !$status ? 'passes' : $status == 124 || $status == 137 || $status == 152 ? 'slow' : 'fails';
}

sub used { my @t = times; return int($t[2] + $t[3]) }

sub lints {
    my ($m) = @_;
    my $dir = tempdir(CLEANUP => 1);
    my $patch = abs_path("$tree/operators/$m->{k}.patch");
    return !system("cp -r rtl $dir && cd $dir && rm -rf rtl/fpga && GIT_CEILING_DIRECTORIES=/tmp git apply --whitespace=nowarn '$patch' &&"
                   . " verilator --lint-only -Wall --top-module simt_core -sv -Irtl -I$o{lint} -GLANES=4 rtl/probe.vlt"
                   . " rtl/*.v rtl/*/*.v $o{lint}/decode_gen.v > /dev/null 2>&1");
}

sub verdict {
    my ($m) = @_;
    my ($start, $slow) = (used(), 0);
    my ($area) = $m->{file} =~ /^(\w+)/;
    for my $check (grep { $_->{areas} =~ /\b$area\b/ } @check) {
        my $left = $o{budget} ? $o{budget} - (used() - $start) : $o{limit};
        last if $left <= 0;
        my $said = outcome($check, $m->{k}, $left < $o{limit} ? $left : $o{limit});
        return ('caught', $check->{name}) if $said eq 'fails';
        return ('slow', $check->{name}) if $said eq 'slow' && !$o{budget} && $slow++;
    }
    return ('invalid', 'lint') if $o{lint} && $area eq 'rtl' && !lints($m);
    return ('survived', '-');
}

sub report {
    my ($said, @list) = @_;
    my (%count, %by, %files);
    for my $m (@list) {
        my ($word, $by) = $m->{state} eq 'invalid' ? ('invalid', 'compiler') : @{ $said->{ $m->{k} } // next };
        $_->{$word}++ for \%count, $files{ $m->{file} } //= {};
        $by{$by}++ if $word eq 'caught';
    }
    my @word = qw(caught survived slow invalid);
    printf "%-24s %8s" . ' %8s' x @word . "\n", 'file', 'mutants', @word;
    for my $f (sort keys %files) {
        printf "%-24s %8d" . ' %8s' x @word . "\n", $f, sum0(values %{ $files{$f} }), map { $files{$f}{$_} // '' } @word;
    }
    print "noticed by:", map({ " $_ $by{$_}" } sort { $by{$b} <=> $by{$a} || $a cmp $b } keys %by), "\n";
    for my $m (grep { ($said->{ $_->{k} }[0] // '') =~ /survived|slow/ } @list) {
        print "$said->{ $m->{k} }[0] $m->{k}: $m->{place}: $m->{op}: `$m->{old}` is `$m->{new}`\n";
    }
    my ($caught, $of) = ($count{caught} // 0, ($count{caught} // 0) + ($count{survived} // 0));
    printf "mutants: operators %d/%d caught (%.1f%%), %d slow, %d invalid\n", $caught, $of, $of ? 100 * $caught / $of : 0,
        $count{slow} // 0, $count{invalid} // 0;
    return $of && 100 * $caught >= $o{least} * $of;
}

my @chosen = grep { !$o{only} || $_->{place} =~ /$o{only}/ } @mutant;
if ($o{sample}) {
    srand $o{seed};
    @chosen = (shuffle @chosen)[0 .. ($o{sample} < @chosen ? $o{sample} : @chosen) - 1];
}
die "operators: no mutant is chosen\n" if !@chosen;
my $results = $o{results} // "$tree/operators/results";
unlink $results if !$o{results};
my %said = -e $results ? map { my ($k, @v) = split /\t/; ($k => \@v) } split /\n/, slurp($results) : ();
open my $out, '>>', $results or die "$results: $!\n";
my $running = 0;
for my $m (grep { $_->{state} eq 'planted' && !$said{ $_->{k} } } @chosen) {
    if ($running >= $o{jobs}) { wait; $running-- }
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        syswrite $out, join("\t", $m->{k}, verdict($m), $m->{place}) . "\n";
        exit 0;
    }
    $running++;
}
1 while wait > 0;
%said = map { my ($k, @v) = split /\t/; ($k => \@v) } split /\n/, slurp($results);
my %noticed = map { $_->[1] => 1 } grep { $_->[0] eq 'caught' } values %said;
for my $check (grep { $noticed{ $_->{name} } } @check) {
    my $word = outcome($check, 0, 600);
    die "operators: without any mutant, `$check->{name}' $word: mend that first\n" if $word ne 'passes';
}
printf "operators: %d checks noticed mutants, and pass without one\n", scalar keys %noticed;
exit(report(\%said, @chosen) ? 0 : 1);
