#!/usr/bin/perl
# Builds every mutant into one tree: each patched expression becomes (selected == k ? mutated :
# original).
# SPDX-License-Identifier: Apache-2.0
#
# use: mux.pl TREE PATCH...
#
# TREE is a copy of the sources, and is changed in place; patch k of the list (from 1) is active in
# programs and cores that run with HEDDLE_MUTANT=k in their environment, and with none of them they
# are the originals.  So a campaign compiles once.  A patch may change several places, each inside
# an expression.
use strict;
use warnings;
use File::Basename;
use File::Copy;
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use lib $FindBin::Bin;
use Mux;

sub fail { die "mux: @_\n" }
my %open  = ('(' => 1, '[' => 1, '{' => 1);
my %close = (')' => '(', ']' => '[', '}' => '{');

sub balanced {
    my @stack;
    for my $t (@_) {
        push @stack, $t if $open{$t};
        return 0 if $close{$t} && (pop(@stack) // '') ne $close{$t};
    }
    return !@stack;
}

# The fewest common tokens on both sides that make the brackets of both versions match.
sub close_brackets {
    my ($old, $new, $a, $b, $c, $e) = @_;
    for my $left (0 .. 60) {
        for my $right (0 .. 60) {
            next if $a < $left || $b + $right > $#$old;
            return ($a - $left, $b + $right, $c - $left, $e + $right)
                if balanced(map { $_->[0] } @$old[$a - $left .. $b + $right - 1])
                && balanced(map { $_->[0] } @$new[$c - $left .. $e + $right - 1]);
        }
    }
    return;
}

# Where two versions differ, as [from, to, replacement tokens] in the old one.
sub changes {
    my ($old, $new, $old_path, $new_path) = @_;
    my (@list);
    my ($old_line, $new_line) = (lines_of($old), lines_of($new));
    open my $d, '-|', 'diff', '-U0', $old_path, $new_path or fail "diff: $!";
    while (<$d>) {
        next unless /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
        my @o = grep { $old_line->[$_] >= $1 && $old_line->[$_] < $1 + ($2 // 1) } 0 .. $#$old;
        my @n = grep { $new_line->[$_] >= $3 && $new_line->[$_] < $3 + ($4 // 1) } 0 .. $#$new;
        fail "$old_path:$1: whole lines come or go; change an expression" if !@o || !@n;
        my ($a, $b, $c, $e) = ($o[0], $o[-1] + 1, $n[0], $n[-1] + 1);
        $a++, $c++ while $a < $b && $c < $e && $old->[$a][0] eq $new->[$c][0];
        $b--, $e-- while $b > $a && $e > $c && $old->[$b - 1][0] eq $new->[$e - 1][0];
        my $line = $1;
        ($a, $b, $c, $e) = close_brackets($old, $new, $a, $b, $c, $e) or fail "$old_path:$line: brackets do not match";
        push @list, [$a, $b, [@$new[$c .. $e - 1]]];
    }
    close $d;
    return @list;
}

my ($tree, @patch) = @ARGV;
fail 'use: mux.pl TREE PATCH...' if !@patch;
my (%mutant, $k);
my $tmp = tempdir(CLEANUP => 1);
$ENV{GIT_CEILING_DIRECTORIES} = dirname($tmp);      # git apply looks at no repository
for my $patch (@patch) {
    $k++;
    my @file = slurp($patch) =~ /^\+\+\+ b\/(\S+)/mg or fail "$patch changes no file";
    for my $f (@file) {
        make_path(dirname("$tmp/$k/$f"));
        copy("$tree/$f", "$tmp/$k/$f") or fail "$patch: $f: $!";
        push @{ $mutant{$f} }, [$k, "$tmp/$k/$f"];
    }
    my $from = File::Spec->rel2abs($patch);
    system("cd $tmp/$k && git apply --whitespace=nowarn '$from'") == 0 or fail "$patch does not apply";
}
for my $f (sort keys %mutant) {
    my ($text, @with) = slurp("$tree/$f");
    for my $m (@{ $mutant{$f} }) {
        my ($k, $patched) = @$m;
        my @change = changes(tokens($text), tokens(slurp($patched)), "$tree/$f", $patched);
        push @with, [$k, @change];
    }
    spill("$tree/$f", (mux_file($text, $f, @with))[0]);
}
selector_core("$tree/rtl/simt_core.v");
spill("$tree/mutants.list", map { basename($_, ".patch") . "\n" } @patch);     # mutant k is line k
printf "mux: %d mutants in %d files\n", $k, scalar keys %mutant;
