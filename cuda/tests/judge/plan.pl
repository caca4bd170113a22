#!/usr/bin/perl
# Makes launches for the kernels of PTX files, which nobody describes: what a parameter is follows from what its kernel does
# with it.  SPDX-License-Identifier: Apache-2.0
# use: judge_plan.pl [TRIALS] FILE.ptx ... > PLAN
#
# A parameter that becomes an address, perhaps after a sum, is a buffer, whose elements have the type of the first access; a
# word loaded from one that becomes an address makes it a buffer of addresses.  All else is a number.  A trial that is none
# for its kernel faults, and is left out by whoever runs it.  judge.c says what a line holds.
use strict;
use warnings;
use Cwd qw(abs_path);
use Digest::MD5 qw(md5_hex);
use File::Basename qw(dirname);
require(abs_path(dirname(__FILE__)) . '/../body.pl');

my $trials = @ARGV && $ARGV[0] =~ /^\d+$/ ? shift : 6;
my $bytes = 1 << 18;
my %size = (u8 => 1, s8 => 1, b8 => 1, u16 => 2, s16 => 2, b16 => 2, f16 => 2, bf16 => 2, u32 => 4, s32 => 4, b32 => 4, f32 => 4,
            f16x2 => 4, bf16x2 => 4, u64 => 8, s64 => 8, b64 => 8, f64 => 8);

# Parameters of a kernel: name => [offset, bytes]; and how many bytes they are together.
sub parameters {
    my ($head) = @_;
    my (%at, $end);
    $end = 0;
    while ($head =~ /\.param\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+(?:\.ptr\s+(?:\.\w+\s+)?(?:\.align\s+\d+\s+)?)?([\w\$]+)(?:\[(\d+)\])?/g) {
        my ($align, $type, $name, $n) = ($1, $2, $3, $4);
        my $each = $size{$type} // return;
        $align //= $each;
        $end = int(($end + $align - 1) / $align) * $align;
        $at{$name} = $end;
        $end += $each * ($n // 1);
    }
    return (\%at, $end);
}

# An element's kind for judge.c: f or b (bf16) or i, and its bits.
sub kind {
    my ($type, $reg, $body) = @_;
    my $bits = 8 * $size{$type};
    return "b16" if $type =~ /^bf16/;
    return "f16" if $type =~ /^f16/;
    return "f$bits" if $type =~ /^f/;
    my $r = quotemeta $reg;
    return "f$bits" if $type =~ /^b(32|64)$/ && $body =~ /\.f$1\b[^;\n]*$r\b/;
    return "f32" if $type eq 'b64' && $body =~ /mov\.b64\s+\{[^}]*\},\s*$r\b/;
    return "b16" if $type =~ /^[bu](?:16|32)$/ && $body =~ /\.bf16(?:x2)?\b[^;\n]*$r\b/;
    return "f16" if $type =~ /^[bu](?:16|32)$/ && $body =~ /\.f16(?:x2)?\b[^;\n]*$r\b/;
    return "i$bits";
}

# Of each word of parameters that the kernel reads: its type, and of a pointer the kind of its elements.
sub learn {
    my ($at, $body) = @_;
    my (%word, %from, %address, %kind, %deref);
    my @lines = map { s/^\s*(?:@!?\S+\s+)?//r } split /[;\n]/, $body;
    for my $round (1, 2) {
        for (@lines) {
            my ($op, $rest) = /^([a-z]\S*)\s+(.*)$/ or next;
            my @regs = $rest =~ /(%\w+)/g;
            if ($op =~ /^ld\.param\S*\.(\w+)$/ && $rest =~ /\[([\w\$]+)(?:\+(\d+))?\]/ && defined $at->{$1}) {
                my $off = $at->{$1} + ($2 // 0);
                my ($type) = $op =~ /\.(\w+)$/;
                for my $k (0 .. $#regs) {
                    $word{$off + $k * $size{$type}} = $type;
                    $from{$regs[$k]} = $off + $k * $size{$type};
                }
            } elsif ($op =~ /^(?:ld|ldu|st|atom|red)\b/ && $op !~ /\.(?:shared|local|param|const)\b/ && $rest =~ /\[(%\w+)/) {
                my $reg = $1;
                my $p = $from{$reg} // next;
                my ($type) = $op =~ /\.([a-z]+\d+(?:x2)?)$/;
                my @data = grep { $_ ne $reg } @regs;
                $address{$p} = 1;
                $kind{$p} //= kind($type, $data[0] // '', $body) if $type && $size{$type};
                if ($op =~ /^ld/ && ($type // '') =~ /64$/) { $from{$_} = "*$p" for @data }
            } elsif ($op =~ /^cvta/ && @regs > 1) {
                $address{ $from{$regs[1]} } = 1 if defined $from{$regs[1]};
                $from{$regs[0]} = $from{$regs[1]};
            } elsif ($op =~ /^(?:add|sub|mov|selp|mad|and|max|min)\.\w*64/ && @regs > 1) {
                my @known = grep { defined $from{$_} } @regs[1 .. $#regs];
                my ($best) = grep { $address{ $from{$_} } } @known;
                $best //= $known[0];
                $from{$regs[0]} = $from{$best} if defined $best && $op !~ /^and/;
            }
        }
    }
    for my $p (grep { /^\*/ } keys %address) { $deref{ substr($p, 1) } = 1 }
    return map { $_ => $deref{$_} ? 'pP' : $address{$_} ? 'p' . ($kind{$_} // 'i32') : $word{$_} } grep { !/\*/ } keys %word;
}

# Numbers that the same seed gives everywhere.
sub pick {
    my ($seed, $n) = @_;
    return hex(substr(md5_hex($seed), 0, 7)) % $n;
}

sub number {
    my ($type, $trial, $seed) = @_;
    return sprintf '%s=%.3f', $type, 0.25 + pick($seed, 1000) / 500 if $type =~ /^f(?:32|64)$/;
    my $bits = 8 * $size{$type};
    return "u$bits=" . ($bits == 16 ? 0x3c00 : 0x3c003c00) if $type =~ /f16/;
    return "u$bits=" . pick($seed, 2) if $bits == 8;
    my @how = (64, 4 << pick($seed, 6), 1 + pick($seed, 40), 16, 1 + pick($seed, 4), 100 + pick($seed, 900));
    return "u$bits=" . $how[$trial % @how];
}

sub shape {
    my ($head, $body, $trial) = @_;
    my @block = $body =~ /%tid\.z/ ? ([8, 8, 4], [4, 4, 4], [32, 4, 2]) : $body =~ /%tid\.y/ ? ([16, 16, 1], [32, 8, 1], [8, 8, 1])
        : ([64, 1, 1], [256, 1, 1], [32, 1, 1], [128, 1, 1]);
    @block = ((grep { $_->[0] * $_->[1] * $_->[2] <= $1 * ($2 // 1) * ($3 // 1) } @block, [32, 1, 1]), [$1, $2 // 1, $3 // 1])
        if $head =~ /\.maxntid\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?/;
    @block = [$1, $2 // 1, $3 // 1] if $head =~ /\.reqntid\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?/;
    my @grid = $body =~ /%ctaid\.z/ ? (2, 2, 2) : $body =~ /%ctaid\.y/ ? (2, 2, 1) : (2 + $trial % 3, 1, 1);
    return join(',', @grid) . ' ' . join(',', @{ $block[$trial % @block] });
}

my (%seen, $launches, $kernels);
for my $file (@ARGV) {
    open my $in, '<', $file or die "judge_plan.pl: $file: $!\n";
    my $text = do { local $/; <$in> };
    my $copy = $text;
    while ($text =~ /^[^\n\/]*\.entry\s+([\w\$]+)\s*(\([^)]*\))?([^{;]*)\{/mg) {
        my ($name, $list, $more, $from) = ($1, $2 // '', $3, $+[0]);
        my $to = body_end(\$copy, $from - 1) or next;
        my $body = substr($text, $from, $to - 1 - $from);
        $body =~ s/^\s*\.loc\b.*$//mg;
        next if $seen{ md5_hex($name . $body) }++;
        my ($at, $end) = parameters($list);
        next if !defined $end;
        my %word = learn($at, $body);
        $kernels++;
        my $shared = $text =~ /\.extern\s+\.shared/ ? 16384 : 0;
        for my $t (0 .. $trials - 1) {
            my $seed = pick("$name $t", 1 << 28);
            my @items = map {
                my $w = $word{$_};
                $_ . ':' . ($w =~ /^p/ ? "${w}[$bytes]" : number($w, $t, "$name $_ $t"));
            } sort { $a <=> $b } keys %word;
            print join(' ', md5_hex($file . $name) =~ s/(.{12}).*/$1.$t/r, $file, $name, shape($more, $body, $t), $shared, $seed, $end,
                       @items), "\n";
            $launches++;
        }
    }
}
printf STDERR "judge_plan: kernels %d, launches %d\n", $kernels // 0, $launches // 0;
