#!/usr/bin/perl
# `heddle silicon record': finds the blocks of a PTX module and puts a trace point into each.
# SPDX-License-Identifier: Apache-2.0
#
# A trace point adds to its lane's log the number of the block and %clock64: lanes whose numbers and
# clocks are equal ran the block together, and the groups of a warp follow each other by clock.  A
# lane's log: its count of events, a word that stays zero, 8 bytes unused, then 16 bytes an event:
# number, unused, clock.  What is logged changes nothing that the kernel computes.  The arithmetic
# keeps ptxas from merging blocks or making guards of them, as in tests/silicon/kernels/trace.h.
use strict;
use warnings;
use File::Basename;

my $LANE = 16;                  # bytes of an event, and of what stands before a lane's events
my $POINTER = 'hd_record_at';   # where the log is, for functions
my $PARAM = 'hd_record_log';    # the kernel's last parameter

sub constant { return (($_[0] * 2654435761 + $_[1] * 40503) | 1) & 0xffffffff }

sub trace_point {
    my ($id, $events) = @_;
    my $mix = '';
    for my $q (0 .. 5) {
        my ($a, $b, $s) = (constant($id, 2 * $q), constant($id, 2 * $q + 1), 5 + $q);
        $mix .= "\tmad.lo.u32 %hdr_h, %hdr_h, $a, $b;\n\tshr.u32 %hdr_k, %hdr_h, $s;\n" .
                "\txor.b32 %hdr_h, %hdr_h, %hdr_k;\n";
    }
    my $last = $events - 1;
    return <<"PTX";
    ld.volatile.global.u32 %hdr_n, [%hdr_at];
    ld.volatile.global.u32 %hdr_z, [%hdr_at+4];
    mov.u64 %hdr_c, %clock64;
    mov.u32 %hdr_h, %hdr_n;
$mix    and.b32 %hdr_h, %hdr_h, %hdr_z;
    add.u32 %hdr_h, %hdr_h, $id;
    min.u32 %hdr_k, %hdr_n, $last;
    mul.wide.u32 %hdr_a, %hdr_k, $LANE;
    add.u64 %hdr_a, %hdr_a, %hdr_at;
    st.volatile.global.u32 [%hdr_a+16], %hdr_h;
    st.volatile.global.u64 [%hdr_a+24], %hdr_c;
    add.u32 %hdr_n, %hdr_n, 1;
    st.volatile.global.u32 [%hdr_at], %hdr_n;
PTX
}

# A function's beginning: registers, and the address of the lane's log.
sub prologue {
    my ($entry, $events) = @_;
    my $lane = $LANE * ($events + 1);
    my $at = $entry ? "\tld.param.u64 %hdr_at, [$PARAM];\n\tst.global.u64 [$POINTER], %hdr_at;\n"
                    : "\tld.global.u64 %hdr_at, [$POINTER];\n";
    my $load = '';
    my $i = 0;
    for my $r ('ctaid.z', 'nctaid.y', 'ctaid.y', 'nctaid.x', 'ctaid.x',
               'tid.z', 'ntid.y', 'tid.y', 'ntid.x', 'tid.x', 'ntid.z') {
        $load .= "\tmov.u32 %hdr_t$i, %$r;\n";
        $i++;
    }
    return <<"PTX";
    .reg .b32 %hdr_n, %hdr_z, %hdr_h, %hdr_k, %hdr_t<11>;
    .reg .b64 %hdr_at, %hdr_a, %hdr_c;
$at$load    mad.lo.u32 %hdr_t0, %hdr_t0, %hdr_t1, %hdr_t2;
    mad.lo.u32 %hdr_t0, %hdr_t0, %hdr_t3, %hdr_t4;
    mad.lo.u32 %hdr_t5, %hdr_t5, %hdr_t6, %hdr_t7;
    mad.lo.u32 %hdr_t5, %hdr_t5, %hdr_t8, %hdr_t9;
    mul.lo.u32 %hdr_t8, %hdr_t8, %hdr_t6;
    mul.lo.u32 %hdr_t8, %hdr_t8, %hdr_t10;
    add.u32 %hdr_t8, %hdr_t8, 31;
    and.b32 %hdr_t8, %hdr_t8, 0xffffffe0;
    mad.lo.u32 %hdr_t0, %hdr_t0, %hdr_t8, %hdr_t5;
    mul.wide.u32 %hdr_a, %hdr_t0, $lane;
    add.u64 %hdr_at, %hdr_at, %hdr_a;
PTX
}

# The body of a function, after its `{`.  Points are added to the list, each with its line.
sub trace_body {
    my ($body, $entry, $events, $points, $line, $file) = @_;
    my (%target, $out, $begun, $want);
    $target{$1} = 1 while $body =~ /\bbra(?:\.uni)?\s+([\w\$%]+)\s*;/g;
    while ($body =~ /\.branchtargets\s+([^;]*);/g) { $target{$_} = 1 for split /[\s,]+/, $1 }
    my ($depth, $call, $at, $unknown, @open) = (1, 0, '?', 0);
    $out = '';
    my $begin = sub {
        return if $begun++;
        $out .= "\n" . prologue($entry, $events);
        $want = 1;
    };
    # The point stands where its block begins; the line is that of the block's first instruction.
    my $emit = sub {
        return if !$want;
        push @$points, $at;
        push @open, $#$points if $unknown;
        $out .= "\n" . trace_point(scalar @$points, $events);
        $want = 0;
    };
    while ($depth > 0 && (pos($body) // 0) < length $body) {
        if ($body =~ /\G\s+/gc) { $out .= $& =~ /\n/ ? "\n" : ' '; $$line += ($& =~ tr/\n//) }
        elsif ($body =~ /\G\.loc\s+(\d+)\s+(\d+)[^\n]*/gc) {
            $out .= $&;
            $unknown = !$2;                 # line 0: none; the next one of the block does
            next if $unknown;
            $at = ($file->{$1} // '?') . ":$2";
            $points->[$_] = $at for splice @open;
        } elsif ($body =~ /\G[\w\$%]+\s*:\s*\.(?:branchtargets|callprototype|calltargets)[^;]*;/gc) {
            $out .= $&;
        } elsif ($body =~ /\G([\w\$%]+)\s*:/gc) {
            if ($target{$1}) {
                @open = ();
                $begin->();
                $emit->();
                $out .= "$&\n\t.pragma \"nounroll\";";
                $want = 1;
            } else { $out .= $& }
        } elsif ($body =~ /\G\{/gc) {
            if ($depth == 1) { $begin->(); $emit->() }
            $depth++;
            $out .= '{';
        } elsif ($body =~ /\G\}/gc) {
            $out .= '}';
            $depth--;
            $want = 1 if $call && $depth == 1;
            $call = 0 if $depth == 1;
        } elsif ($body =~ /\G[^;]*;/gc) {
            my $s = $&;
            $at = "$file->{0}:$$line" if !%{$file->{lines}};
            if ($s !~ /^\./) { $begin->(); $emit->() }
            $$line += ($s =~ tr/\n//);
            $out .= $s;
            $want = 1 if $s =~ /^@!?[\w\$%]+\s+(?:bra|ret|exit|trap)\b/;
            if ($s =~ /^(?:@!?[\w\$%]+\s+)?call\b/) { $depth == 1 ? ($want = 1) : ($call = 1) }
        } else { die "PTX ends within a function\n" }
    }
    return ($out, substr $body, pos $body);
}

# Returns the module with trace points, the line of each, and the names of its kernels.
sub trace_points {
    my ($ptx, $name, $events) = @_;
    my %file = (0 => $name, lines => {});
    $ptx =~ s{("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*(.*?)\*/}{defined $1 ? $1 : defined $2 ? "\n" x ($2 =~ tr/\n//) : ''}gse;
    while ($ptx =~ /^\s*\.file\s+(\d+)\s+"([^"]*)"(?:\s+"([^"]*)")?/gm) {
        my $number = $1;
        $file{$number} = basename($3 // $2);
        $file{lines}{$number} = 1;
    }
    my ($out, $rest, $line, @points, @kernels) = ('', $ptx, 1);
    die "$name: no .address_size\n" if $rest !~ /\.address_size\s+64/;
    while ($rest =~ /\G.*?(?=\.(?:entry|func)\b)/gcs) {
        $out .= $&;
        $line += ($& =~ tr/\n//);
        my $entry = $rest =~ /\G\.entry\s+([\w\$%]+)\s*/gc;
        if ($entry) {
            push @kernels, $1;
            my $params = $rest =~ /\G\(\s*([^()]*?)\s*\)/gc ? $1 : '';
            $out .= ".entry $kernels[-1](\n\t" . ($params ne '' ? "$params,\n\t" : '') . ".param .u64 $PARAM\n)";
            $line += ($params =~ tr/\n//) + ($params ne '' ? 2 : 0);
        }
        $rest =~ /\G[^{;]*[{;]/gc or die "$name: a function has no end\n";
        $out .= $&;
        $line += ($& =~ tr/\n//);
        next if $& =~ /;$/;
        my $tail = substr $rest, pos $rest;
        my $body;
        ($body, $rest) = trace_body($tail, $entry, $events, \@points, \$line, \%file);
        $out .= $body;
        pos($rest) = 0;
    }
    $out .= substr $rest, pos($rest) // 0;
    $out =~ s/(\.address_size\s+64)/$1\n.visible .global .align 8 .u64 $POINTER;/;
    return ($out, \@points, \@kernels);
}
