#!/usr/bin/perl
# Random kernels that go straight to their end, or nearly (cmodel/native/straight.c): indices that step
# from lane to lane, comparisons of two of them, rows that they address.  The host's code stores and
# counts what the interpreter does.
# SPDX-License-Identifier: Apache-2.0
# use: affine.pl HEDDLE FOLDER SEED COUNT
use strict;
use warnings;
my ($heddle, $dir, $seed, $count) = @ARGV;
if (@ARGV != 4 || "$seed $count" !~ /^\d+ [1-9]\d*$/) { print STDERR "use: affine.pl HEDDLE FOLDER SEED COUNT\n"; exit 2 }
mkdir $dir;
my @far = (0x7fffffff - 100, 0x7fffffff, -0x80000000, -0x7fffff00);
my $state = $seed;

sub below { $state = ($state * 1664525 + 1013904223) & 0xffffffff; return ($state >> 8) % $_[0] }
sub one { return $_[below(scalar @_)] }
sub number { return below(8) ? below(660) - 330 : one(@far) }         # mostly about as large as an index

sub kernel {
    my ($k) = @_;
    my ($n, $text) = (2, "");
    my $value = sub { "%v" . below($n) };
    for (1 .. 2 + below(4)) {
        my ($a, $b, $c) = (one("%v0", $value->()), $value->(), number());
        $text .= one("add.s32 %v$n, $a, $b", "add.s32 %v$n, $a, $c", "sub.s32 %v$n, $a, $b", "sub.s32 %v$n, $c, $a",
                     "mul.lo.s32 %v$n, $a, " . below(6), "shl.b32 %v$n, $a, " . below(5), "mad.lo.s32 %v$n, $a, " . below(4) . ", $b") . ";\n";
        $n++;
    }
    for my $p (0 .. below(2)) {
        $text .= sprintf "setp.%s%s.%s %%p$p, %s, %s%s;\n", one(qw(lt le gt ge)), $p ? one("", ".and", ".or") : "", one(qw(s32 u32)),
            $value->(), one($value->(), $value->(), number()), "";
        $text =~ s/(\.(and|or)\..*);\n$/$1, %p0;\n/;
        $text .= sprintf "@%s%%p$p bra END;\n", one("", "!");
    }
    $text =~ s/%%/%/g;
    my $offset = 4 * below(40);
    return ".visible .entry k$k(.param .u64 x, .param .u64 y, .param .u32 n)\n{\n.reg .pred %p<2>; .reg .b32 %v<16>; .reg .b32 %t<4>; .reg .b64 %a<4>;\n"
        . "ld.param.u32 %v1, [n]; mov.u32 %t0, %ctaid.x; mov.u32 %t1, %ntid.x; mov.u32 %t2, %tid.x; mad.lo.s32 %v0, %t0, %t1, %t2;\n"
        . "ld.param.u64 %a0, [x]; ld.param.u64 %a1, [y]; mul.wide.u32 %a2, %v0, 4; add.s64 %a0, %a0, %a2; add.s64 %a1, %a1, %a2;\n"
        . "${text}ld.global.b32 %t3, [%a0]; add.s32 %t3, %t3, " . $value->() . "; st.global.b32 [%a1+$offset], %t3;\nEND: ret;\n}\n";
}
open my $out, '>', "$dir/affine.ptx" or die "$dir: $!\n";
print $out ".version 7.0\n.target sm_75\n.address_size 64\n", map { kernel($_) } 1 .. $count;
close $out or die "$dir: $!\n";
$ENV{XDG_CACHE_HOME} = "$dir/cache";
system("rm", "-rf", "$dir/cache");
my ($passed, $failed) = (0, 0);
system($heddle, "cc", "$dir/affine.ptx", "-o", "$dir/affine.hx") == 0 or exit 4;
for my $k (1 .. $count) {
    my $n = number();
    for my $how (qw(no-native native)) {
        my $status = system("'$heddle' run '$dir/affine.hx' --kernel k$k --grid 5 --block 64 'x:i32[320]=rand:1' 'y:i32[400]' n:i32=$n "
                          . "--print y --json --$how 2>&1 | sed '/^\"command\":/d' > '$dir/$how'");
        exit 130 if ($status & 127) == 2;
    }
    if (system("cmp", "-s", "$dir/no-native", "$dir/native") == 0 && -s "$dir/native") { $passed++; next }
    $failed++;
    print "FAIL: seed $seed, $dir/affine.ptx, k$k, n $n: ", `diff '$dir/no-native' '$dir/native' | cut -c 1-200 | head -n 3`;
}
print "affine: $passed passed, $failed failed\n";
exit($failed != 0);
