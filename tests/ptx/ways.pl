#!/usr/bin/perl
# One program compiled in several ways stores the same: constants as operands and by loads, registers
# enough and too few, branches and guards, comparisons that become a table and that cannot, both modes.
# SPDX-License-Identifier: Apache-2.0
# use: ways.pl HEDDLE FOLDER SEED COUNT
#
# The third leg runs the compiler's own code, and can't see what it has chosen wrongly.  Here each
# choice has another one beside it, for sources of each kind in each position.
use strict;
use warnings;
my ($heddle, $dir, $seed, $count) = @ARGV;
if (@ARGV != 4 || "$seed $count" !~ /^\d+ [1-9]\d*$/) { print STDERR "use: ways.pl HEDDLE FOLDER SEED COUNT\n"; exit 2 }
mkdir $dir;
my @special = qw(0 1 2 7 31 32 0x7fffffff 0x80000000 0xffffffff 0x3f800000 0xbf800000 0x7f800000 0x7fc00001 0x00000001 0x80000001);
my @fcmp    = qw(eq ne lt le gt ge equ neu ltu leu gtu geu num nan);
my @two     = qw(add.s32 sub.s32 min.s32 max.s32 min.u32 max.u32 and.b32 or.b32 xor.b32 mul.lo.s32 mul.hi.u32 mul.hi.s32);
my @three   = qw(mad.lo.s32 fma.rn.f32 prmt.b32 bfe.u32 bfe.s32 shf.l.wrap.b32 shf.r.clamp.b32);
my ($THREADS, $STATEMENTS) = (64, 40);
my $state;

sub below { $state = ($state * 1664525 + 1013904223) & 0xffffffff; return ($state >> 8) % $_[0] }
sub one { return $_[below(scalar @_)] }
sub immediate { return $_[0] =~ /^\d/ }
sub float { return immediate($_[0]) ? sprintf("0f%08X", $_[0] =~ /^0/ ? oct $_[0] : $_[0]) : $_[0] }

# A switch, some of whose cases come twice.  $apart: something stands before each comparison, so that
# the chain becomes no table.
sub chain {
    my ($s, $d, $of, $apart) = @_;
    my $last = 3 + below(4);
    my $text = "and.b32 %i, $of, 7;\nmov.b32 $d, 0;\n";
    for my $k (0 .. $last) {
        my $q = "%q" . (8 * $s + $k);
        $text .= "membar.cta; " if $apart;
        $text .= "setp.eq.s32 $q, %i, " . below(6) . "; \@$q bra S${s}_$k;\n";
    }
    $text .= "add.s32 $d, $d, 100; bra E$s;\n";
    $text .= "S${s}_$_: add.s32 $d, $d, " . ($_ + 1) . "; bra E$s;\n" for 0 .. $last;
    return "${text}E$s: membar.cta;\n";
}

# One more register; of $n.
sub statement {
    my ($s, $n, $apart) = @_;
    my ($d, $c, $p, $kind) = ("%r$n", "%r" . below($n), "%p" . below(4), below(10) % 9);
    my ($a, $b) = ("%r" . below($n), one("%r" . below($n), "%c" . below(4), one(@special)));
    ($a, $b) = ($b, $a) if !immediate($b) && below(2);
    if ($kind < 2) {
        my $j = below(2);               # they are equal in some lanes
        ($a, $b) = one([$a, $b], ["%c$j", "%r$j"], ["%r$j", "%c$j"])->@*;
        my $with = one("", ".and", ".or", ".xor");
        my $compare = $kind ? one(qw(eq ne lt le gt ge)) . "$with." . one(qw(s32 u32)) : one(@fcmp) . "$with.f32";
        $b = float($b) if !$kind;
        return "setp.$compare $p, $a, $b" . ($with ? ", %p" . below(4) : "") . ";\nselp.b32 $d, 1, 0, $p;\n";
    }
    my $r = immediate($b) ? $c : $b;
    return one(@two) . " $d, $a, $b;\n" if $kind == 2;
    return "lop3.b32 $d, " . join(", ", one([$a, $b, $c], [$c, $a, $b], [$a, $c, $b])->@*, below(256)) . ";\n" if $kind == 3;
    return one(qw(add sub mul min max)) . ".f32 $d, $a, $r;\n" if $kind == 4;
    return one(@three) . " $d, " . join(", ", one([$a, $r, $c], [$c, $a, $r])->@*) . ";\n" if $kind == 5;
    return "mov.b32 $d, $a;\n\@" . one("", "!") . "$p " . one(qw(add.s32 xor.b32 sub.s32)) . " " . one($d, $c) . ", $a, $b;\n" if $kind == 6;
    return "selp.b32 $d, $a, $b, $p;\n" if $kind == 7;
    return chain($s, $d, $c, $apart);
}
sub program {
    my ($k, $apart) = @_;
    $state = $seed * 7919 + $k;
    my $text = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out"
        . join("", map { ", .param .u32 c$_" } 0 .. 3) . ")\n{\n.reg .pred %p<4>; .reg .pred %q<400>; .reg .b32 %r<64>; "
        . ".reg .b32 %c<4>; .reg .b32 %i; .reg .b64 %a<4>;\nmov.u32 %i, %tid.x;\n"
        . "ld.param.u64 %a0, [in]; mul.wide.u32 %a2, %i, 16; add.s64 %a0, %a0, %a2;\n";
    $text .= "ld.global.b32 %r$_, [%a0+" . 4 * $_ . "]; ld.param.u32 %c$_, [c$_];\nsetp.lt.s32 %p$_, %r$_, 0;\n" for 0 .. 3;
    $text .= "@%p2 mov.b32 %r$_, %c$_;\n" for 0, 1;
    $text .= statement($_, 4 + $_, $apart) for 0 .. $STATEMENTS - 1;
    my $n = 4 + $STATEMENTS;
    $text .= "ld.param.u64 %a1, [out]; mov.u32 %i, %tid.x; mul.wide.u32 %a2, %i, " . 4 * $n . "; add.s64 %a1, %a1, %a2;\n";
    $text .= "st.global.b32 [%a1+" . 4 * $_ . "], %r$_;\n" for 0 .. $n - 1;
    return "${text}ret;\n}\n";
}

# What it stores; or how it ended.
sub run {
    my ($k, $ptx, @how) = @_;
    $state = $seed * 104729 + $k;
    my @param = map { "'c$_:u32=" . one(@special) . "'" } 0 .. 3;
    unlink "$dir/out";
    my $status = system(sprintf "'%s' run '%s/%s' --grid 1 --block %d %s 'in:u32[%d]=rand:%d' 'out:u32[%d]' %s --dump 'out=%s/out' > '%s/said' 2>&1",
                        $heddle, $dir, $ptx, $THREADS, "@how", 4 * $THREADS, $seed + $k, $THREADS * (4 + $STATEMENTS), "@param", $dir, $dir);
    exit 130 if ($status & 127) == 2;
    local (@ARGV, $/) = ($status ? "$dir/said" : "$dir/out");
    return ($status ? sprintf("status %d: ", $status >> 8) : "") . (<> // "");
}
my ($passed, $failed) = (0, 0);
for my $k (1 .. $count) {
    for my $apart (0, 1) {
        open my $out, '>', "$dir/" . ($apart ? "apart.ptx" : "ways.ptx") or die "$dir: $!\n";
        print $out program($k, $apart);
        close $out or die "$dir: $!\n";
    }
    my $want = run($k, "ways.ptx");
    my $bad = $want =~ /^status/ ? $want : "";
    for my $way (["apart.ptx"], ["ways.ptx", "--constants loads"], ["ways.ptx", "--maxregs 16"], ["ways.ptx", "--no-ifconv"],
                 ["ways.ptx", "--mode stack"], ["apart.ptx", "--maxregs 18 --constants loads"]) {
        my $got = $bad ? "" : run($k, @$way);
        next if $bad || $got eq $want;
        my ($at) = grep { substr($got, 4 * $_, 4) ne substr($want, 4 * $_, 4) } 0 .. length($want) / 4 - 1;
        $bad = $got =~ /^status/ ? "@$way: $got"
             : sprintf("@$way: %%r%d of thread %d differs", $at % (4 + $STATEMENTS), $at / (4 + $STATEMENTS));
    }
    $bad ? $failed++ : $passed++;
    next if !$bad;
    rename "$dir/$_.ptx", "$dir/$_$k.ptx" for qw(ways apart);
    print "FAIL: seed $seed, program $k, $dir/ways$k.ptx, ", $bad =~ s/\n.*//sr, "\n";
}
print "ways: $passed passed, $failed failed\n";
exit($failed != 0);
