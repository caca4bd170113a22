#!/usr/bin/perl
# Random kernels like tests/silicon/kernels/r*.cu: kernels.pl SEED COUNT FOLDER
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;

my ($seed, $count, $folder) = @ARGV;
my ($id, $loops, $calls, $text, $budget);

sub rnd { my ($n) = @_; return int(rand($n)) }
sub bits { return sprintf '(((x>>%d)&7u)<%du)', 4 + rnd(24), 1 + rnd(7) }

sub condition
{
    my $kind = rnd(4);
    return bits() if $kind < 2;
    return '(' . bits() . '&&' . bits() . ')' if $kind == 2;
    return '((' . bits() . '&&' . bits() . ')||' . bits() . ')';
}

sub put { my ($depth, $line) = @_; $text .= '  ' x $depth . "$line\n" }

sub trace
{
    my ($depth) = @_;
    $id++;
    $budget--;
    put($depth, "TRACE($id); STEP(${id}u)");
}

sub call
{
    my ($depth, $more) = @_;
    my $f = rnd(2);
    put($depth, $more ? "x=f$f(x+1u,&tr,n); acc^=x>>8;" : "x=f$f(x,&tr,n); acc+=x>>8;");
}

sub loop_head
{
    my ($n) = @_;
    my $shift = 4 + rnd(22);
    return sprintf '{ u32 t%d=x; for(u32 i%d=0;i%d<((t%d>>%d)&%du)+%du;i%d++){', $n, $n, $n, $n, $shift,
        (3, 3, 7)[rnd(3)], rnd(2), $n if rnd(2);
    return sprintf '{ u32 t%d=x; for(u32 i%d=0;i%d<%du&&%s;i%d++){', $n, $n, $n, 2 + rnd(5), condition(), $n;
}

sub block;

sub statement
{
    my ($depth, $in_loop) = @_;
    my $kind = $budget <= 0 || $depth > 5 ? 0 : rnd(20);
    if ($kind < 5) {
        trace($depth);
    } elsif ($kind < 9) {
        put($depth, 'if(' . condition() . '){');
        block($depth + 1, $in_loop);
        if (rnd(2)) { put($depth, '}else{'); block($depth + 1, $in_loop) }
        put($depth, '}');
    } elsif ($kind < 13) {
        put($depth, loop_head(++$loops));
        block($depth + 1, 1);
        put($depth, '} }');
    } elsif ($kind < 15 && $in_loop) {
        put($depth, 'if(' . condition() . '){');
        trace($depth + 1);
        put($depth + 1, rnd(3) ? 'break;' : 'continue;');
        put($depth, '}');
    } elsif ($kind < 16) {
        put($depth, 'switch((x>>' . (4 + rnd(20)) . ')&3u){');
        for my $c (0 .. 2) {
            put($depth, "case $c: {");
            block($depth + 1, 0);
            put($depth + 1, '} break;');
        }
        put($depth, 'default: {');
        trace($depth + 1);
        put($depth + 1, '}');
        put($depth, '}');
    } elsif ($kind < 18 && $calls) {
        call($depth, 0);
    } elsif ($kind < 19 && $calls) {
        put($depth, 'if(' . condition() . '){');
        trace($depth + 1);
        call($depth + 1, 0);
        put($depth, '}else{');
        trace($depth + 1);
        call($depth + 1, 1);
        put($depth, '}');
    } else {
        trace($depth);
    }
}

sub block
{
    my ($depth, $in_loop) = @_;
    trace($depth);
    statement($depth, $in_loop) for 1 .. rnd(3);
}

for my $k (1 .. $count) {
    srand($seed * 1000 + $k);
    ($id, $loops, $text, $budget) = (4, 0, '', 14 + rnd(20));
    $calls = rnd(4) > 0;
    put(1, 'PROLOG');
    trace(1);
    statement(1, 0) for 1 .. 3 + rnd(3);
    trace(1);
    my $functions = '';
    for my $f (0, 1) {
        $functions .= sprintf "__noinline_dev u32 f%d(u32 x, Tr* tp, u32 n){ Tr tr=*tp; u32 acc=0;\n"
            . "  TRACE(%d); STEP(%du)\n  if(((x>>%d)&3u)<2u){ TRACE(%d); STEP(%du) }\n  tp->k=tr.k; return x^acc; }\n",
            $f, 2 * $f + 1, 2 * $f + 1, 14 + rnd(12), 2 * $f + 2, 2 * $f + 2;
    }
    open my $out, '>', sprintf('%s/n%03d.cu', $folder, $k) or die "$folder: $!";
    print $out "#include \"trace.h\"\n", $functions, "extern \"C\" __global__ void k(KARGS){\n", $text, "  EPILOG\n}\n";
}
