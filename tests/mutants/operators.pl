#!/usr/bin/perl
# Plants mutants made by operators (Sites.pm) into a copy of the tree, all selected by one switch
# (Mux.pm).
# SPDX-License-Identifier: Apache-2.0
#
# use: operators.pl TREE GEN COUNT SEED FILE...
#
# Of each FILE (path in the repository and in TREE) COUNT places are drawn, of each operator in
# turn.  What does not compile is taken out again.  In TREE afterwards: the sources with all
# mutants; operators.list, a line for each mutant with its number, state (planted or invalid),
# file:line, operator, what was there, what is; operators/K.patch.
use strict;
use warnings;
use File::Path qw(make_path);
use FindBin;
use List::Util qw(shuffle);
use lib $FindBin::Bin;
use Mux;
use Sites;

sub fail { die "operators: @_\n" }
sub short { my $s = join ' ', @_; $s =~ s/ ?(\.|->|\[|\]|:) ?/$1/g; return length $s > 60 ? substr($s, 0, 57) . '...' : $s }

# COUNT of the sites, the operators in turn, in an order that file and seed decide.
sub draw {
    my ($count, @site) = @_;
    my (%of, @drawn);
    push @{ $of{ $_->{op} } }, $_ for shuffle @site;
    my @op = shuffle sort keys %of;
    while (@drawn < $count && %of) {
        for my $op (grep { $of{$_} } @op) {
            push @drawn, pop @{ $of{$op} } if @drawn < $count;
            delete $of{$op} if !@{ $of{$op} };
        }
    }
    return sort { $a->{from} <=> $b->{from} } @drawn;
}

# What the compilers refuse: file => {line => 1}.  Warnings do not count here: choices cause some.
# An index beyond its vector counts: the build refuses it.
sub refused {
    my ($tree, $gen, @file) = @_;
    my (%bad, @out);
    my @verilog = grep { !m{^rtl/fpga/} } map { s{^\Q$tree\E/}{}r } glob "$tree/rtl/*.v $tree/rtl/*/*.v";
    push @out, `cd $tree && verilator --lint-only -Wno-lint -Wno-style -Werror-SELRANGE --top-module simt_core -sv -Irtl -I$gen -GLANES=4 \\
        rtl/probe.vlt @verilog $gen/decode_gen.v 2>&1` if grep { /\.v$/ } @file;
    push @out, `cd $tree && gcc -std=c11 -D_GNU_SOURCE -w -fsyntax-only -I. -I$gen $_ 2>&1` for grep { /\.c$/ } @file;
    /^(?:%Error[^:]*: )?([\w\/]+\.[cv]):(\d+):.*/ && ($bad{$1}{$2} = $&) for grep { /[Ee]rror/ } @out;
    return \%bad;
}

my ($tree, $gen, $count, $seed, @file) = @ARGV;
fail 'use: operators.pl TREE GEN COUNT SEED FILE...' if !@file;
my ($k, @mutant, %text) = (0);
make_path("$tree/operators");
for my $f (@file) {
    $text{$f} = slurp($f);
    srand($seed + unpack '%32C*', $f);
    my ($list, @site) = sites($text{$f}, $f =~ /\.v$/);
    for my $s (draw($count, @site)) {
        my $change = [$s->{from}, $s->{to}, [map { [$_] } @{ $s->{new} }]];
        push @mutant, { k => ++$k, file => $f, state => 'planted', change => $change, line => $s->{line}, op => $s->{op},
                        old => short(map { $_->[0] } @$list[$s->{from} .. $s->{to} - 1]), new => short(@{ $s->{new} }) };
        spill("$tree/operators/new", text_of($list, 0, scalar @$list, $change));
        spill("$tree/operators/$k.patch", `diff -u --label a/$f --label b/$f $f $tree/operators/new`);
    }
}
unlink "$tree/operators/new";
my $core = slurp('rtl/simt_core.v');
for (my $bad = 1; $bad; ) {
    my %choice;
    for my $f (@file) {
        my @of = map { [$_->{k}, $_->{change}] } grep { $_->{file} eq $f && $_->{state} eq 'planted' } @mutant;
        my ($muxed, @made) = @of ? mux_file($text{$f}, $f, @of) : ($text{$f});
        $choice{$f} = \@made;
        spill("$tree/$f", $muxed);
    }
    spill("$tree/rtl/simt_core.v", $core) if !exists $text{'rtl/simt_core.v'};
    selector_core("$tree/rtl/simt_core.v");
    my $refused = refused($tree, $gen, @file);
    $bad = 0;
    for my $f (keys %$refused) {
        for my $line (sort keys %{ $refused->{$f} }) {
            my @of = map { @$_[2 .. $#$_] } grep { $_->[0] <= $line && $line <= $_->[1] } @{ $choice{$f} // [] };
            fail "no mutant is to blame: $refused->{$f}{$line}" if !@of;
            $mutant[$_ - 1]{state} = 'invalid' for @of;
            $bad = 1;
        }
    }
}
spill("$tree/operators.list", map { join("\t", $_->{k}, $_->{state}, "$_->{file}:$_->{line}", @$_{qw(op old new)}) . "\n" } @mutant);
printf "operators: %d mutants in %d files, %d of them invalid\n", scalar @mutant, scalar @file,
    scalar grep { $_->{state} eq 'invalid' } @mutant;
