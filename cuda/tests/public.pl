#!/usr/bin/perl
# Public CUDA programs, which lie beside the tree: builds each with heddle nvcc, runs it with a
# small input, believes what it says of itself, and prints the table and the reasons of those that
# do not pass.
# SPDX-License-Identifier: Apache-2.0
# use: public.pl HEDDLE DIR OUT [ONLY [SECONDS [HOW]]]
#
# DIR has a folder for each program with a Makefile that takes CC=, as HeCBench's src/NAME-cuda do.  If
# it has none, each .cu file below it that has a main is a program, which runs where it stands, with
# no arguments.
# OUT gets a copy of each by links, and a file with what came of it; a program that has one is not
# run again.  ONLY: a pattern of names.  SECONDS are of the processor.  HOW: `model', or `lockstep',
# which runs those that passed on the model in at most a million warp instructions, and wants the
# verdict `equal' of them as well.  A program's arguments are those of its `make run', whose last
# number, almost always a count of repetitions, becomes 1; where that takes too long, they are tried
# again with every number above 64 divided by 16.  cuda/tests/public.txt has others.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);

$SIG{__DIE__} = sub { print STDERR @_; exit 2 };
my ($heddle, $dir, $out, $only, $seconds, $how) = @ARGV;
die "use: public.pl HEDDLE DIR OUT [ONLY [SECONDS [HOW]]]\n" if !defined $out;
$how ||= 'model';
$how eq 'model' || $how eq 'lockstep' or die "public.pl: `$how' is neither model nor lockstep\n";
$only = '.' if !defined $only || $only eq '';
$seconds ||= 60;
$heddle = abs_path($heddle) // die "public.pl: no heddle\n";
my $here = dirname(abs_path($0));
-d "$dir/src" and $dir = "$dir/src";
$dir = abs_path($dir) // die "public.pl: $ARGV[1] is no folder\n";
my $result = $how eq 'model' ? 'result' : $how;
system('mkdir', '-p', "$out/src", "$out/$result") == 0 or die "public.pl: $out cannot be made\n";
$out = abs_path($out);

my @all = map { m{([^/]+)/Makefile$} ? $1 : () } sort glob "$dir/*/Makefile";
# A program of one file is called by its path, with @ for /.
my %file;
if (!@all) {
    for my $path (split /\0/, `find '$dir' -name '*.cu' -print0`) {
        next if slurp($path) !~ /\bmain\s*\(/;
        (my $n = substr($path, length($dir) + 1)) =~ s{/}{@}g;
        $n =~ s/[^\w.@+-]/_/g;
        $file{$n} = $path;
    }
    @all = sort keys %file;
}
die "public.pl: no folder in $dir has a Makefile, and no .cu file a main\n" if !@all;
my @programs = grep { /-cuda$/ } @all;
@programs = @all if !@programs;
@programs = grep { small_enough($_) } @programs if $how eq 'lockstep';
@programs = grep { /$only/ } @programs or die "public.pl: no program is called like /$only/\n";

my %args;
for (slurp("$here/public.txt")) {
    $args{$1} = $2 while /^([^#\s]\S*)[ \t]*(.*)$/mg;
}
sub slurp { open my $in, '<', $_[0] or return ''; local $/; return scalar(<$in>) // '' }

# Of a program that passed on the model: it is worth a run in lockstep, with the same arguments.
sub small_enough {
    my ($n, $what, $with, $launches, $millions) = split /\t/, slurp("$out/result/$_[0].txt");
    return 0 if ($what // '') ne 'passes' || $millions eq '' || $millions > 1;
    $args{$n} = $with =~ s/^\s+//r;
    return 1;
}

# Others are found by ../NAME.
for my $d (glob "$dir/*") {
    (my $n = $d) =~ s{.*/}{};
    -e "$out/src/$n" or -l "$out/src/$n" or symlink $d, "$out/src/$n";
}

# Why a build failed, in few words.
sub build_reason {
    my ($log) = @_;
    return "header $1" if $log =~ /fatal error: '?([^':\s]+)'?(?: file not found|: No such file)/;
    return "device function $1" if $log =~ /reference to __host__ function '(\w+)'/;
    return "name $1" if $log =~ /use of undeclared identifier '(\w+)'/;
    return "type $1" if $log =~ /unknown type name '(\w+)'/;
    return "link: $1" if $log =~ /undefined reference to `([^'(<]+)/;
    return "error: " . substr($1, 0, 60) if $log =~ /error: (.*)/;
    return 'build';
}

sub too_long { return $_[0] == 137 || $_[0] == 152 }     # killed by the clock, or by the limit of the processor's time

sub run_reason {
    my ($own, $log, $status) = @_;
    return "kernel: $1" if $log =~ /^heddle: kernel .* does not compile: (?:device code:\d+:\d+: )?(.{1,60})/m;
    return "call $1" if $log =~ /^heddle: (\w+) is not supported/m;
    return "fault: $1" if $log =~ /^heddle: kernel .*? faulted: ([^,]+)/m;
    return "longer than $seconds s" if too_long($status);
    return "launch: $1" if $log =~ /^heddle: kernel .*?(?:cannot run|`): (.{1,50})/m;
    return "launch: $1" if $log =~ /^heddle: (?!launch \d).*>>>: (.{1,50})/m;
    return 'its input file' if $log =~ /(?:open|find|read|load)\w* .*file|No such file/i;
    return 'its arguments' if $log =~ /usage/i;
    return "signal " . ($status - 128) if $status > 128;
    return 'says that it fails' if says_bad($own);
    return "exit status $status";
}

# What a program says of itself.  Counts of nothing are no complaints.
sub says_bad {
    my ($own) = @_;
    $own =~ s/\b(?:fail\w*|error\w*|mismatch\w*|wrong|incorrect)\s*[:=]\s*0(?![.\d]*[1-9])//gi;
    $own =~ s/\bnon-matching[^\n]*:\s*0$//gim;
    $own =~ s/\b(?:no|0)\s+(?:fail|error|mismatch|wrong|incorrect)\w*//gi;
    return $own =~ /\bFAIL|mismatch|incorrect|\bwrong|not correct|\bNOT OK|\bINVALID/i;
}
sub says_good { return $_[0] =~ /\bPASS|success|\bcorrect|verified|verifying: true|\bOK\b|\bmatch|\bvalid\b/i }

sub run {
    my ($at, $command) = @_;
    my $env = 'HEDDLE_REPORT=1' . ($how eq 'lockstep' ? ' HEDDLE=lockstep HEDDLE_LANES=4' : '');
    my $most = 10 * $seconds;               # of the clock: others may use the processor
    my $text = `cd '$at' && ulimit -t $seconds && $env timeout -s KILL $most $command < /dev/null 2>&1`;
    return ($? & 127 ? 128 + ($? & 127) : $? >> 8, $text);
}

sub try_one {
    my ($name) = @_;
    my $at = "$out/src/$name";
    my ($run, $log);
    if (defined $file{$name}) {
        my ($where, $exe) = (dirname($file{$name}), "$out/src/$name.exe");
        my $libraries = join ' ', map { "-l$_" } grep { -e dirname($heddle) . "/lib$_.so" } qw(cublas cufft curand);
        $log = `cd '$where' && timeout 200 '$heddle' nvcc -std=c++17 -arch=sm_80 -I. -I.. '$file{$name}' -o '$exe' $libraries 2>&1`;
        return 'build' . "\t" . build_reason($log) if $?;
        return judged($name, $where, "'$exe'", defined $args{$name} ? " $args{$name}" : '');
    }
    if ($how eq 'model') {
        unlink $at;
        system("rm -rf '$at' && cp -rs '$dir/$name' '$at'") == 0 or return "?\tcopy";
    }
    my $make = "make -C '$at' CC='$heddle nvcc' NVCC='$heddle nvcc' ARCH=sm_70 LAUNCHER=";
    $log = `( timeout 200 $make ) 2>&1`;
    return 'build' . "\t" . build_reason($log) if $?;
    ($run) = grep { m{^\s*(?:\S+=\S+ )*\./} } `$make -n run 2>/dev/null`;
    return "build\tno way to run it" if !defined $run;
    chomp $run;
    $run =~ s/^\s+//;
    my ($program, $rest) = $run =~ /^(\S+)(.*)$/;
    $rest =~ s/(?<=\s)\d+(\s*)$/1$1/;
    $rest = " $args{$name}" if defined $args{$name};
    return judged($name, $at, $program, $rest);
}

sub judged {
    my ($name, $at, $program, $rest) = @_;
    my ($status, $text) = run($at, "$program $rest");
    if (too_long($status) && !defined $args{$name}) {
        (my $less = $rest) =~ s{(?<![\w.])(\d{2,})(?![\w.])}{$1 > 64 ? int($1 / 16) : $1}ge;
        ($status, $text) = run($at, "$program $less") if $less ne $rest;
        $rest = $less;
    }
    open my $keep, '>', "$out/$result/$name.log" or die;
    print $keep "$program$rest\n$text\nstatus $status\n";
    close $keep;
    my ($launches, $insns, $efficiency, $spent) =
        $text =~ /^heddle: all: launches (\d+), warp instructions (\d+), SIMT efficiency ([\d.]+)%, ([\d.]+) s/m;
    my $figures = defined $launches ? sprintf("%d\t%.2f\t%s\t%.3g", $launches, $insns / 1e6, $efficiency,
                                              $spent > 0 ? $insns / 1e6 / $spent : 0) : "\t\t\t";
    (my $own = $text) =~ s/^heddle: .*$//mg;
    return "no\t" . run_reason($own, $text, $status) . "\t$figures" if $status || says_bad($own) || $text =~ /^heddle: kernel /m;
    return "no\tlockstep\t$figures" if $how eq 'lockstep' && $text !~ /^heddle: all: lockstep: equal;/m;
    return (says_good($own) ? 'passes' : 'ends') . "\t$rest\t$figures";
}

for my $name (@programs) {
    next if -e "$out/$result/$name.txt";
    my $line = try_one($name);
    open my $f, '>', "$out/$result/$name.txt" or die "public.pl: $out/$result/$name.txt: $!\n";
    print $f "$name\t$line\n";
    close $f;
    print "$name: $line\n";
}

# What came of it in lockstep, where it was run so.
sub locked {
    my (undef, $what, $why) = split /\t/, slurp("$out/lockstep/$_[0].txt") =~ s/\n//r;
    return !defined $what ? '' : $what eq 'passes' ? 'equal' : $why;
}

my (%count, %why, @table);
for my $name (@programs) {
    my ($n, $what, $why, @figures) = split /\t/, slurp("$out/$result/$name.txt") =~ s/\n//r;
    $count{$what}++;
    $what eq 'passes' || $what eq 'ends' ? push @table, [$n, $what, @figures, locked($n)] : $why{"$what: $why"}{$n}++;
}
print "\n| program | itself | launches | million warp instructions | SIMT efficiency, % | million a second | in lockstep |\n";
print "| --- | --- | --- | --- | --- | --- | --- |\n";
print '| ' . join(' | ', @$_) . " |\n" for @table;
print "\n";
for my $w (sort { keys %{ $why{$b} } <=> keys %{ $why{$a} } || $a cmp $b } keys %why) {
    my @n = sort keys %{ $why{$w} };
    printf "%4d  %s (%s%s)\n", scalar @n, $w, join(', ', @n[0 .. ($#n < 3 ? $#n : 3)]), $#n > 3 ? ' ...' : '';
}
printf "programs: tried %d, pass by their own check %d, end without saying %d, do not pass %d, do not build %d\n", scalar @programs,
    map { $count{$_} // 0 } qw(passes ends no build);
