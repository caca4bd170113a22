#!/usr/bin/perl
# Writes random programs for record.c: `programs.pl SEED COUNT KIND`.  README.md has the format.
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;

my ($seed, $count, $kind, $dense) = @ARGV;
my $op = '';
my ($state, @code, %label, $labels, $budget, $barrier);

# Numbers of our own, so that a seed gives the same programs everywhere.
sub below {
    my $n = shift;
    $state = ($state * 1103515245 + 12345) & 0x7fffffff;
    return ($state >> 8) % $n;
}

sub lanes {     # of a side of a branch: all sizes, with runs of lanes and single ones
    my $m = 0;
    my $how = below(4);
    my $from = below(32);
    my $n = 1 + below($how == 1 ? 4 : 31);
    return $how == 3 ? (0xffff, 0xffff0000, 0x55555555, 0x0f0f0f0f, 0x33333333)[below(5)] : do {
        for my $i (0 .. 31) {
            $m |= 1 << $i if $how == 2 ? below(32) < $n : ($i - $from) % 32 < $n;
        }
        $m;
    };
}

sub put { push @code, [@_]; $budget--; return $#code; }
sub here { $label{$_[0]} = @code; }
sub words { return join ' ', map { sprintf '%08x', $_ } @_; }

sub trips {     # masks of the lanes that go round again
    my $m = lanes() | lanes();
    my @m = ($m);
    push @m, $m &= lanes() while below(3) && @m < 4 && $m;
    return @m;
}

sub branch {
    my ($depth, $sync) = @_;
    my ($else, $join) = ('L' . $labels++, 'L' . $labels++);
    my $b = $sync ? $barrier++ % 8 : 0;
    put("BSSY $b") if $sync;
    put('@BRA', $else, words(lanes(), lanes(), lanes()));
    block($depth - 1);
    if (below(4)) {
        put('BRA', $join);
        here($else);
        block($depth - 1);
    } else {
        here($else);
    }
    here($join);
    put("BSYNC $b") if $sync;
}

sub turn {
    my ($depth, $sync) = @_;
    my ($head, $out) = ('L' . $labels++, 'L' . $labels++);
    my $b = $sync ? $barrier++ % 8 : 0;
    put("BSSY $b") if $sync;
    here($head);
    put('YIELD') if below(2);
    block($depth - 1);
    if ($sync && !below(3)) {
        my $w = words(lanes(), lanes(), lanes());
        put("\@BREAK $b", '', $w);
        put('@BRA', $out, $w);
    }
    put('@BRA', $head, words(trips()));
    put("BSYNC $b") if $sync;
    here($out);
}

sub call {      # two places that call one function
    my ($depth) = @_;
    my ($f, $over) = ('L' . $labels++, 'L' . $labels++);
    my @back;
    my ($else, $join) = ('L' . $labels++, 'L' . $labels++);
    my $first = lanes();
    put('@BRA', $else, words($first));
    push @back, put('CALL', $f) + 1;
    put('BRA', $over);
    here($else);
    push @back, put('CALL', $f) + 1;
    put('BRA', $over);
    here($f);
    put('YIELD');
    block($depth - 1);
    put('RET', '', join ' ', map { $first >> $_ & 1 ? $back[1] : $back[0] } 0 .. 31);
    here($over);
}

sub block {
    my $depth = shift;
    for (0 .. below(3)) {
        my $r = below(10);
        my $sync = $kind eq 'plain' ? 0 : $kind eq 'sync' ? 1 : below(3);
        if ($depth && $budget > 8 && $r < 5) { branch($depth, $sync) }
        elsif ($depth && $budget > 8 && $r < 7) { turn($depth, $sync) }
        elsif ($budget > 2 && $r < 9) { put('YIELD') }
        elsif ($budget > 2 && !below(6)) { put('@EXIT', '', words(lanes() & lanes())) }
    }
}

# A table: up to four targets, then they meet.
sub table {
    my ($depth, $sync) = @_;
    my $b = $barrier++ % 8;
    my ($ways, $join) = (2 + below(3), 'L' . $labels++);
    put("BSSY $b") if $sync;
    my $at = put('BRX');
    my (@to, @words);
    for my $i (1 .. $ways) {
        push @to, scalar @code;
        block($depth - 1);
        put('NOP') if $to[-1] == @code;
        put('BRA', $join) if $i < $ways;
    }
    here($join);
    put("BSYNC $b") if $sync;
    push @words, $to[below($ways)] for 0 .. 31;
    $code[$at] = ['BRX', '', join ' ', @words];
}

# All lanes of `set` meet at each WARPSYNC, at one place or at two; BAR where all lanes come.
sub meet {
    my ($set, $depth) = @_;
    for (0 .. 1 + below(2)) {
        my $r = below(10);
        my $b = $barrier % 8;
        if ($depth && $budget > 10 && $r < 6) {
            my $m = lanes();
            my ($to, $stay) = ($set & $m, $set & ~$m & 0xffffffff);
            next if !$to || !$stay;
            my ($else, $join) = ('L' . $labels++, 'L' . $labels++);
            my ($sync, $two) = (below(2), $kind eq 'meet' ? below(3) : 1);
            $barrier++ if $sync;
            put("BSSY $b") if $sync;
            put('@BRA', $else, words($m));
            put('YIELD') if !below(3);
            put($op = $set == 0xffffffff && below(2) ? 'BAR' : 'WARPSYNC', '', $op eq 'BAR' ? () : words($set)) if !$two;
            meet($stay, $depth - 1);
            put('BRA', $join);
            here($else);
            put($op, '', $op eq 'BAR' ? () : words($set)) if !$two;
            meet($to, $depth - 1);
            here($join);
            put("BSYNC $b") if $sync;
        } elsif ($budget > 2) {
            my $what = below(5);
            if ($what < 2) { put('YIELD') }
            elsif ($what < 3 && $set == 0xffffffff && $kind eq 'meet') { put('BAR') }
            else { put('WARPSYNC', '', words($set)) }
        }
    }
}

# Any instruction anywhere; only branches back are limited, by the masks of their visits.
sub chaos {
    my $n = 14 + below(16);
    for my $i (0 .. $n - 1) {
        my $r = below(16);
        if ($r < 5) { put('@BRA', $i + 1 + below($n - $i), words(lanes(), lanes())) }
        elsif ($r < 6) { put('@BRA', below($i + 1), words(lanes(), lanes() & lanes())) }
        elsif ($r < 8) { put('BSSY ' . below(3)) }
        elsif ($r < 10) { put('BSYNC ' . below(3)) }
        elsif ($r < 11) { put('@BREAK ' . below(3), '', words(lanes(), lanes())) }
        elsif ($r < 12) { put('@EXIT', '', words(lanes() & lanes() & lanes())) }
        elsif ($r < 15) { put('YIELD') }
        elsif ($kind eq 'chaos') { put('NOP') }
        elsif (below(2)) { put('BMOV ' . below(3), '', words(lanes() | lanes())) }
        else { put('BMOV.CLEAR ' . below(3)) }
    }
}

$state = $seed;
for my $i (0 .. $count - 1) {
    @code = ();
    %label = ();
    ($labels, $budget, $barrier) = (0, 34, 0);
    if ($kind eq 'chaos' || $kind eq 'move') { chaos() }
    elsif ($kind eq 'table') { block(1) if below(2); branch(2, below(2)) if below(3); table(2, below(3)); table(1, below(3)) if @code < 22; block(1) }
    elsif ($kind eq 'meet' || $kind eq 'wsync') { meet(0xffffffff, 3) while @code < 6 }
    elsif ($kind eq 'call') { branch(2, below(2)) if below(2); call(2); block(1) }
    else { block(3) while @code < 8 }
    next if @code > 44;
    put('EXIT');
    print "program ", ($dense ? "dense_" : ""), "$kind$seed.$i", ($kind ne 'meet' && $kind ne 'wsync' && $seed > 99 && !below(4) ? ' ' . (2 + below(31)) : ''), "\n";
    for my $c (@code) {
        my ($op, $to, $words) = @$c;
        $to = $label{$to} // $to if defined $to;
        $op = "^$op" if $dense && $op !~ /^@|RET|BRX|WARPSYNC|BMOV/ && below(3);
        print $op, (defined $to && $to ne '' ? " $to" : ''), (defined $words ? " : $words" : ''), "\n";
    }
    print "end\n";
}
