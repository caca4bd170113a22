#!/usr/bin/perl
# functions.tsv against the compiler: every function that the headers declare has a row; each row that
# is judged elsewhere compiles; each refused one is refused by its name and reason, where it is called.
# SPDX-License-Identifier: Apache-2.0
#   listed.pl HEDDLE functions.tsv FOLDER        FOLDER: for what lies between
use strict;
use warnings;
my ($heddle, $list, $folder) = @ARGV;
my (%listed, @calls, @refused, @uncalled, $failed);
sub fail { $failed++; print "FAIL: @_\n" }
open my $in, '<', $list or die "$list: $!\n";
while (<$in>) {
    chomp;
    next if /^#|^$/;
    my ($what, undef, $how) = split /\t/;
    my ($name) = $what =~ /(operator\S+?|\w+|\(\w[\w ]*\))(?:<\w+>)?\(/ or die "$list:$.: $_\n";
    if ($how =~ /^refused( where called)?: (.*)/) { push @{ $1 ? \@uncalled : \@refused }, [$name, $what, $2] }
    elsif ($how =~ /^elsewhere/) { push @calls, $what; $listed{$name} = '' }
    else { $listed{$name} //= {}; $listed{$name}{$what} = 1 if ref $listed{$name} }
}
close $in;

sub program {
    my ($file, @statements) = @_;
    open my $f, '>', "$folder/$file" or die "$folder/$file: $!\n";
    print $f "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_fp8.h>\n",
        "__global__ void k(char *cp, signed char *scp, unsigned char *ucp, unsigned short *sp, short *ssp, int *ip,\n",
        "    unsigned *up, long *lp, unsigned long *ulp, long long *llp, unsigned long long *ullp, float *fp, double *dp,\n",
        "    float2 *f2, float4 *f4, int2 *i2, int4 *i4, double2 *d2, __half *hp, __half2 *h2, __nv_bfloat16 *bp,\n",
        "    __nv_bfloat162 *b2, void *vp, bool *bo, cudaTextureObject_t t, cudaSurfaceObject_t s, unsigned m)\n{\n",
        (map { "    $_;\n" } @statements), "}\nint main() {}\n";
    close $f or die;
    return 9;                                        # the line of the first statement
}
sub compile {
    my ($file, @options) = @_;
    open my $p, '-|', "$heddle nvcc -arch=sm_90 -std=c++17 -w @options $folder/$file -ptx -o $folder/$file.ptx 2>&1" or die;
    my @said = <$p>;
    return (close $p, @said);
}

program('there.cu', @calls);
my ($ok, @said) = compile('there.cu');
fail("functions that are judged elsewhere: ", grep { /error/ } @said) unless $ok;

# Those that may be named, and not called, are found by the code's generator, which errors before it keep away.
for my $set ([\@refused, q('%s(?:<[^']*>)?' is unavailable)], [\@uncalled, q(call to '%s\([^']*\)' declared with 'error' attribute)]) {
    my ($rows, $said_of) = @$set;
    my $line = program('refused.cu', map { $_->[1] } @$rows);
    ($ok, @said) = compile('refused.cu', '-Xclang -ferror-limit -Xclang 0');
    for my $r (@$rows) {
        my ($name, $call, $why) = @$r;
        my $error = sprintf $said_of, quotemeta $name;
        grep { /refused\.cu:$line:\d+: error: $error: Heddle refuses it: \Q$why\E$/ } @said
            or fail("$call is not refused with `$why'");
        $line++;
    }
}
push @refused, @uncalled;

# What is declared, by the front end's own tree: at the top, for the device, with its types.
program('declared.cu');
my ($k, $top, @declared, $f) = (0, '');
(undef, my @tree) = compile('declared.cu', '-Xclang -ast-dump');
if (open my $d, '<', "$folder/declared.cu.ptx") { push @tree, <$d> }
for (@tree) {
    next unless /^([ |`-]*)(\w+)\b/;
    my ($depth, $node) = (length $1, $2);
    $top = $node if $depth == 2;
    undef $f if $depth == 2 || $node eq 'FunctionDecl';
    if ($node eq 'FunctionDecl' && ($depth == 2 || ($depth == 4 && $top =~ /^(FunctionTemplate|LinkageSpec)Decl$/))) {
        $f = { name => $1, type => $2 } if / (?:implicit |used |referenced |constexpr |invalid )*(operator\S+|\w+) '([^']+)'/;
    } elsif ($f && $node eq 'CUDADeviceAttr') {
        push @declared, $f;
        undef $f;
    }
}
# A type as functions.tsv writes it.
sub plain {
    my ($t) = @_;
    $t =~ s/\bconst (?!.*[*&])//;
    $t =~ s/\b(struct|enum) //g;
    $t =~ s/\bunsigned int\b/unsigned/g, $t =~ s/\bhd_u64\b/unsigned long long/g;
    return $t =~ s/ (\*|&) *const$/ $1/r;
}
my %refused = map { $_->[0] => 1 } @refused;
# How many are declared, and which of them have no row.
sub missing {
    my ($seen, %told) = (0);
    for my $d (@declared) {
        my $n = $d->{name};
        # The library's, the machine's and our own names, which these call, and what the front end adds to CUDA's.
        next if $n =~ /^(__nv_(?!cvt|bswap)|__nvvm|hd_|__hd_|heddle|__heddle|cuda|__cuda|make_|__bool2mask|__signbitd|__isfinited)/
            || $n =~ /^__(i|u|ll|ull|f|d|ill)Atomic|_of_[su]16$|^powif?$|^__pm\d|^(__assertfail|vprintf)$/ || $refused{$n};
        $seen++;
        my ($ret, $args) = $d->{type} =~ /^(.*?)\s*\((.*?)\)(?: .*)?$/ or die $d->{type};
        if (!exists $listed{$n}) { $told{$n} = 1 }
        elsif (ref $listed{$n} && $d->{type} !~ /__clang_cuda_enable_if|__T|numeric_limits/) {
            my $row = plain($ret) . " $n(" . join(', ', map { plain($_) } split /, /, $args) . ')';
            $told{$row} = 1 unless $listed{$n}{$row} || $row eq 'float pow(float, int)';     # behind ours
        }
    }
    return ($seen, sort keys %told);
}
my ($seen, @missing) = missing();
fail("$_ is declared and has no row in functions.tsv") for @missing;
# The check sees a row that is not there.
delete $listed{__dp4a}, delete $listed{sinf}{'float sinf(float)'};
my (undef, @planted) = missing();
fail("two rows were taken out, and are not missed: @planted") unless "@planted" =~ /__dp4a.*float sinf\(float\)/ && @planted == @missing + 2;
fail("no functions are declared") if $seen < 1000;
printf "listed: %d declared functions have their rows, %d calls compile, %d are refused by name\n", $seen, scalar @calls, scalar @refused
    unless $failed;
exit($failed ? 1 : 0);
