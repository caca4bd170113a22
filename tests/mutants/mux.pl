#!/usr/bin/perl
# Builds every mutant into one tree: each patched expression becomes (selected == k ? mutated : original).
# SPDX-License-Identifier: Apache-2.0
#
# use: mux.pl TREE PATCH...
#
# TREE is a copy of the sources, and is changed in place; patch k of the list (from 1) is active in programs
# and cores that run with HEDDLE_MUTANT=k in their environment, and with none of them they are the originals.
# So a campaign compiles once.  A patch may change several places, each inside an expression.
#
# For each changed place the tokens that differ are widened to the expression around them: outwards until a
# bracket, an assignment, a comma, `?`, `:`, `;` or a keyword.  Expressions of several patches that overlap
# are nested in one another; they share one choice.
use strict;
use warnings;
use File::Basename;
use File::Copy;
use File::Path qw(make_path);
use File::Temp qw(tempdir);

my $token = qr{
    (?://[^\n]*|/\*.*?\*/|\s+)+                               # 1: what is between tokens
  | "(?:\\.|[^"\\])*"
  | \d*'[sS]?[bodhBODH][0-9a-fA-FxXzZ_]+ | '[01]\b | '(?:\\.|[^\\'])'
  | (?:0[xX])?[0-9][0-9a-zA-Z_.]* | [A-Za-z_`\$][A-Za-z0-9_\$]*
  | <<<=?|>>>=?|<<=|>>=|===|!==|\+:|-:|->|\+\+|--|&&|\|\||<<|>>|[-+*/%&|^!=<>]=|.
}xs;
my %open  = ('(' => 1, '[' => 1, '{' => 1);
my %close = (')' => '(', ']' => '[', '}' => '{');
my $stop  = qr/^(?:=|[-+*\/%&|^]=|<<=|>>=|,|\?|:|\+:|-:|;)$/;
my $word  = qr/^(?:if|else|for|while|do|return|case|casez|begin|end|assign|always_comb|switch|posedge|wire|logic|endcase|goto)$/;

sub fail { die "mux: @_\n" }
sub slurp { local (@ARGV, $/) = ($_[0]); my $text = <>; return defined $text ? $text : '' }

# Text as a list of [token, text before it].
sub tokens {
    my ($text) = @_;
    my (@list, $gap);
    $gap = '';
    while ($text =~ /\G($token)/gc) {
        my $t = $1;
        if ($t =~ m{^(?:\s|//|/\*)}) { $gap .= $t; next }
        push @list, [$t, $gap];
        $gap = '';
    }
    push @list, ['', $gap];                 # the end of the file
    return \@list;
}

# A line number for each token: the line on which it starts.
sub lines_of {
    my ($list) = @_;
    my ($n, @at) = (1);
    for my $t (@$list) {
        $n += $t->[1] =~ tr/\n//;
        push @at, $n;
        $n += $t->[0] =~ tr/\n//;
    }
    return \@at;
}

sub balanced {
    my @stack;
    for my $t (@_) {
        push @stack, $t if $open{$t};
        return 0 if $close{$t} && (pop(@stack) // '') ne $close{$t};
    }
    return !@stack;
}

# The tokens [from, to) widened to a whole expression.
sub widen {
    my ($list, $from, $to, $verilog) = @_;
    my ($first, $assign, $depth) = ($from, undef, 0);
    while ($first > 0) {                    # to the left
        my $t = $list->[$first - 1][0];
        if ($close{$t}) {                   # over a whole bracket
            my ($k, $d) = ($first - 1, 0);
            for (;; $k--) {
                $d++ if $close{$list->[$k][0]};
                $d-- if $open{$list->[$k][0]};
                last if !$d;
            }
            if ($list->[$k - 1][0] =~ /^(?:if|while|for|switch|case)$/ || $list->[$k - 1][0] eq '@') { $t = ';' }
            else { $first = $k; next }
        }
        last if $open{$t};
        if ($t =~ $stop || $t =~ $word) {
            $first = $assign if defined $assign && $t ne '=' && $t ne '?' && $t ne ',';
            last;
        }
        $assign = $first if $verilog && $t eq '<=';
        $first--;
    }
    my ($last) = ($to);
    while ($last < $#$list) {               # to the right
        my $t = $list->[$last][0];
        if ($open{$t}) {
            my $d = 0;
            for (;; $last++) {
                $d++ if $open{$list->[$last][0]};
                $d-- if $close{$list->[$last][0]};
                last if !$d;
            }
            $last++;
            next;
        }
        last if $close{$t} || $t =~ $stop || $t =~ $word;
        $last++;
    }
    return ($first, $last);
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

# The tokens [from, to) as text, with some changes made (those in [from, to), in order).
sub text_of {
    my ($list, $from, $to, @change) = @_;
    my ($s, $k) = ('', $from);
    for my $c (sort { $a->[0] <=> $b->[0] } @change) {
        $s .= $list->[$k][1] . $list->[$k][0], $k++ while $k < $c->[0];
        $s .= ' ' . join ' ', map { $_->[0] } @{ $c->[2] };
        $k = $c->[1];
        $s .= ' ';
    }
    $s .= $list->[$k][1] . $list->[$k][0], $k++ while $k < $to;
    return $s;
}

# One file with all its mutants.
sub mux_file {
    my ($path, $name, @mutant) = @_;        # mutants: [k, path of the patched file]
    my $list = tokens(slurp($path));
    my $verilog = $path =~ /\.vh?$/;
    my (@group);                            # {from, to, changes: {k: [change]}}
    for my $m (@mutant) {
        my ($k, $patched) = @$m;
        for my $c (changes($list, tokens(slurp($patched)), $path, $patched)) {
            my ($from, $to) = widen($list, $c->[0], $c->[1], $verilog);
            my $g = { from => $from, to => $to, of => { $k => [$c] } };
            for my $o (grep { $_->{from} < $to && $from < $_->{to} } @group) {
                $g->{from} = $o->{from} if $o->{from} < $g->{from};
                $g->{to}   = $o->{to} if $o->{to} > $g->{to};
                push @{ $g->{of}{$_} }, @{ $o->{of}{$_} } for keys %{ $o->{of} };
                @group = grep { $_ != $o } @group;
            }
            push @group, $g;
        }
    }
    my $selected = $verilog ? 'simt_core.mutant' : 'heddle_mutant';
    my @whole;
    for my $g (@group) {
        my $s = '';
        for my $k (sort { $a <=> $b } keys %{ $g->{of} }) {
            $s .= "$selected == $k ? (" . text_of($list, $g->{from}, $g->{to}, @{ $g->{of}{$k} }) . ') : ';
        }
        $s = "($s(" . text_of($list, $g->{from}, $g->{to}) . '))';
        push @whole, [$g->{from}, $g->{to}, [[$s]]];
    }
    open my $out, '>', $path or fail "$path: $!";
    print $out $verilog ? '' : selector_c($name), text_of($list, 0, scalar @$list, @whole);
    close $out;
}

sub selector_c {
    return <<"C";
#ifndef HEDDLE_MUTANT
#define HEDDLE_MUTANT
#include <stdlib.h>
static int heddle_mutant;
__attribute__((constructor)) static void heddle_mutant_set(void)
{
    const char *k = getenv("HEDDLE_MUTANT");
    heddle_mutant = k ? atoi(k) : 0;
}
#endif
#line 1 "$_[0]"
C
}

# The core's choice is a variable of its top module, which every unit can see.
sub selector_core {
    my ($path) = @_;
    my $text = slurp($path);
    my $c = '$c32("(getenv(\"HEDDLE_MUTANT\") ? atoi(getenv(\"HEDDLE_MUTANT\")) : 0)")';
    $text =~ s/\nendmodule/\n  int mutant;\n  initial mutant = $c;\nendmodule/ or fail "$path has no end";
    open my $out, '>', $path or fail "$path: $!";
    print $out $text;
    close $out;
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
mux_file("$tree/$_", $_, @{ $mutant{$_} }) for sort keys %mutant;
selector_core("$tree/rtl/simt_core.v");
open my $list, '>', "$tree/mutants.list" or fail "$tree: $!";
print $list map { basename($_, '.patch') . "\n" } @patch;      # mutant k is line k
close $list;
printf "mux: %d mutants in %d files\n", $k, scalar keys %mutant;
