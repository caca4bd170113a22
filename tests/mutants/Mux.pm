# Puts many changed versions of a source file into one: each changed expression becomes (selected ==
# k ? changed : original).
# SPDX-License-Identifier: Apache-2.0
#
# A change is [from, to, tokens]: the tokens [from, to) of the file give way to others.  It is
# widened to the expression around it: outwards until a bracket, an assignment, a comma, `?`, `:`,
# `;` or a keyword.  Expressions of several mutants that overlap are nested in one another; they
# share one choice.  Line numbers stay what they were: only the original keeps its line breaks.
package Mux;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = qw(slurp spill tokens lines_of text_of mux_file selector_core);

my $token = qr{
    (?://[^\n]*|/\*.*?\*/|\s+)+                               # 1: what is between tokens
  | "(?:\\.|[^"\\])*"
  | '(?:\\.|[^\\'])' | \d*'[sS]?[bodhBODH][0-9a-fA-FxXzZ_]+ | '[01]\b
  | (?:0[xX])?[0-9][0-9a-zA-Z_.]* | [A-Za-z_`\$][A-Za-z0-9_\$]*
  | <<<=?|>>>=?|<<=|>>=|===|!==|\+:|-:|->|\+\+|--|&&|\|\||<<|>>|[-+*/%&|^!=<>]=|.
}xs;
my %open  = ('(' => 1, '[' => 1, '{' => 1);
my %close = (')' => '(', ']' => '[', '}' => '{');
my $stop  = qr/^(?:=|[-+*\/%&|^]=|<<=|>>=|,|\?|:|\+:|-:|;)$/;
my %word = (
    c       => qr{^(?:if|else|for|while|do|return|case|switch|goto)$},
    verilog => qr{^(?:if|else|for|case|casez|begin|end|assign|always_comb|posedge|wire|logic|endcase)$},
);

sub slurp { local (@ARGV, $/) = ($_[0]); my $text = <>; return defined $text ? $text : '' }

sub spill {
    my ($path, @text) = @_;
    open my $out, '>', $path or die "$path: $!\n";
    print $out @text;
    close $out or die "$path: $!\n";
}

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

# The tokens [from, to) widened to a whole expression.
sub widen {
    my ($list, $from, $to, $verilog) = @_;
    my $word = $word{$verilog ? 'verilog' : 'c'};
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

sub one_line {
    my ($s) = @_;
    $s =~ s{("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/|(?:\s|\\\n)+}{defined $1 ? $1 : ' '}gse;
    return $s;
}

# The file `text` with all its mutants, each [k, change...]; `name` is what the compiler calls it.
# Also the choices that were made of them: [first line, last line, k...].
sub mux_file {
    my ($text, $name, @mutant) = @_;
    my $list = tokens($text);
    my $line = lines_of($list);
    my $verilog = $name =~ /\.vh?$/;
    my (@group);                            # {from, to, changes: {k: [change]}}
    for my $m (@mutant) {
        my ($k, @change) = @$m;
        for my $c (@change) {
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
    my $selected = !$verilog ? 'heddle_mutant' : $name =~ m{^rtl/fpga/} ? 'board.u_core.mutant' : 'simt_core.mutant';
    my @whole;
    for my $g (@group) {
        my $s = '';
        for my $k (sort { $a <=> $b } keys %{ $g->{of} }) {
            $s .= "$selected == $k ? (" . one_line(text_of($list, $g->{from}, $g->{to}, @{ $g->{of}{$k} })) . ') : ';
        }
        $s = "($s(" . text_of($list, $g->{from}, $g->{to}) . '))';
        push @whole, [$g->{from}, $g->{to}, [[$s]]];
    }
    return (($verilog ? '' : selector_c($name)) . text_of($list, 0, scalar @$list, @whole),
            map { [$line->[$_->{from}], $line->[$_->{to} - 1], keys %{ $_->{of} }] } @group);
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
    $text =~ s/\nendmodule/\n  int mutant;\n  initial mutant = $c;\nendmodule/ or die "$path has no end\n";
    spill($path, $text);
}

1;
