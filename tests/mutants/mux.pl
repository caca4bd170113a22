#!/usr/bin/perl
# Builds every planted bug into one tree: each edited expression becomes (selected == k ? mutated :
# original).
# SPDX-License-Identifier: Apache-2.0
#
# use: mux.pl TREE TABLE...
#
# TREE is a copy of the sources, and is changed in place; bug k in the order of names (from 1) is
# active in programs and cores that run with HEDDLE_MUTANT=k in their environment, and with none of
# them they are the originals.  So a campaign compiles once.  A bug may edit several places, each
# inside an expression.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bugs;
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

# A place [from, to, tokens] in `old', widened so that brackets match on both sides.
sub closed {
    my ($bug, $file, $old, $from, $to, $tokens) = @_;
    my @new = (@$old[0 .. $from - 1], @$tokens, @$old[$to .. $#$old]);
    my ($a, $b, $c, $e) = close_brackets($old, \@new, $from, $to, $from, $from + @$tokens)
        or fail "$bug->{at}: $bug->{name}: brackets do not match in $file";
    return [$a, $b, [@new[$c .. $e - 1]]];
}

my ($tree, @table) = @ARGV;
fail 'use: mux.pl TREE TABLE...' if !@table;
my @bug = bugs_read(@table);
my %mutant;                             # file => [[k, change...]...]
for my $k (1 .. @bug) {
    my $bug = $bug[$k - 1];
    my %file = map { $_->{file} => 1 } @{ $bug->{edits} };
    for my $f (keys %file) {
        my $list = tokens(slurp("$tree/$f"));
        push @{ $mutant{$f} }, [$k, map { closed($bug, $f, $list, @$_) } bug_places($bug, $f, $list)];
    }
}
spill("$tree/$_", (mux_file(slurp("$tree/$_"), $_, @{ $mutant{$_} }))[0]) for sort keys %mutant;
selector_core("$tree/rtl/simt_core.v");
spill("$tree/mutants.list", map { "$_->{name}\n" } @bug);     # mutant k is line k
printf "mux: %d mutants in %d files\n", scalar @bug, scalar keys %mutant;
