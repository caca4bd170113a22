#!/usr/bin/perl
# The words of a launch, worked out here from its arguments, against what threads find.
# SPDX-License-Identifier: Apache-2.0
#
# use: words.pl HEDDLE [model]
#
# cmodel/machine/launch.c computes these words once for model and core, so lockstep cannot see a
# mistake in them.  Here is stated once more: how threads are numbered (x fastest) and cut into
# warps of 32, where parameters lie (each aligned to its size), where spaces end, and how many
# blocks are resident. `model` leaves out lockstep.
use strict;
use warnings;
no warnings qw(portable);
use File::Temp qw(tempdir);
use FindBin;

my ($heddle, $only) = @ARGV;
die "use: words.pl HEDDLE [model]\n" if !@ARGV || ($only // 'model') ne 'model';
my $dir = tempdir(CLEANUP => 1);
my $source = "$FindBin::Bin/words.s";
my ($runs, $records, $failed) = (0, 0, 0);
use constant { WARPS => 32, SHARED => 65536, INSTRUCTIONS => 1 + 44 + 16 + 3 + 3 + 3 + 2 + 5 + 11 + 17 };
my $model = [run => ''];
my $core  = [lockstep => '--lanes 4'];
my $slow  = [lockstep => '--lanes 4 --mem-seed 5'];
my $wide  = [lockstep => '--lanes 32'];

# The same kernels for the reconvergence stack.
my $stack = "$dir/words_stack.s";
spill($stack, ".mode stack\n" . slurp($source));

sub fail { $failed++; print "FAIL @_\n" }

sub slurp { open my $f, '<:raw', $_[0] or return ''; local $/; return scalar <$f> }
sub spill { open my $f, '>:raw', $_[0] or die "$_[0]: $!\n"; print $f $_[1]; close $f }

# The devices of these that are to be used.
sub on { return grep { !$only || $_->[0] eq 'run' } @_ }

sub launch {                    # device, words: exit status and what it said
    my ($device, $words) = @_;
    my $file = $device->[2] // $source;
    my $said = `$heddle $device->[0] $file $device->[1] $words 2>&1`;
    $runs++;
    return ($? >> 8, $said);
}

# Parameters after the two pointers, with their C types.
my %value = (a => 0xa7, b => 0xb6c5, c => 0xc1d2e3f4, d => 0x0123456789abcdef, e => -1.5, f => 3.25,
             g => 0x7e81);
my $arguments = join ' ', map { "$_->[0]:$_->[1]=$value{$_->[0]}" }
    [qw(a u8)], [qw(b u16)], [qw(c u32)], [qw(d u64)], [qw(e f32)], [qw(f f64)], [qw(g u16)];

# One thread's 32 words.
sub record {
    my ($grid, $block, $ctaid, $t) = @_;
    my ($x, $y, $z) = @$block;
    my ($lane, $warp) = ($t % 32, int $t / 32);
    my $below = 2 ** $lane - 1;
    return pack('V23', $t % $x, int($t / $x) % $y, int($t / ($x * $y)), @$block, @$ctaid, @$grid,
                $lane, $warp, int(($x * $y * $z + 31) / 32), 0, 1, 0,
                2 ** $lane, $below, $below + 2 ** $lane,
                2 ** 32 - 1 - $below - 2 ** $lane, 2 ** 32 - 1 - $below)
         . pack('VQ<VVd<f<V', @value{qw(a d b c f e g)});
}

sub words {                     # kernel, grid, block, devices
    my ($kernel, $grid, $block, @on) = @_;
    my $threads = $block->[0] * $block->[1] * $block->[2];
    my @want;
    for my $z (0 .. $grid->[2] - 1) {
        for my $y (0 .. $grid->[1] - 1) {
            for my $x (0 .. $grid->[0] - 1) {
                next if $kernel eq 'last' && grep { ($x, $y, $z)[$_] != $grid->[$_] - 1 } 0 .. 2;
                push @want, map { record($grid, $block, [$x, $y, $z], $_) } 0 .. $threads - 1;
            }
        }
    }
    @want = sort @want;
    for my $device (on(@on)) {
        my ($status, $said) = launch($device,
            sprintf '--kernel %s --grid %s --block %s tickets:u32[1] out:u32[%d] %s '
            . '--dump out=%s --dump tickets=%s', $kernel, join(',', @$grid), join(',', @$block),
            32 * (@want + 8), $arguments, "$dir/out", "$dir/tickets");
        my $what = "$kernel, grid @$grid, block @$block, $device->[0] $device->[1]";
        if ($status) {
            fail("$what: exit status $status\n$said");
            next;
        }
        my ($got, $count) = (slurp("$dir/out"), unpack 'V', slurp("$dir/tickets"));
        my @got = sort(unpack "(a128)$count", $got);
        $records += @got;
        fail("$what: $count threads stored, not ", scalar @want) if $count != @want;
        my ($k) = grep { ($got[$_] // '') ne $want[$_] } 0 .. $#want;
        my @have = unpack 'V32', $got[$k // 0] // '';
        fail("$what:\n  have @have\n  want @{[unpack 'V32', $want[$k]]}") if defined $k;
    }
}

# The last byte of a space, and the first one after it.
sub edge {                      # kernel, words of the launch, bytes, name of the fault, last offset
    my ($kernel, $words, $bytes, $fault, $last) = @_;
    $last //= $bytes - 1;
    my $launch = "--kernel $kernel --grid 1 --block 1";
    for my $device (on($model, $core)) {
        my ($status, $said) = launch($device, sprintf "$launch $words", $last);
        fail("$kernel: offset $last, $device->[0]: exit status $status\n$said") if $status;
        ($status, $said) = launch($device, sprintf "$launch $words", $bytes);
        fail("$kernel: offset $bytes, $device->[0]: exit status $status, no `$fault`\n$said")
            if $status != 1 || $said !~ /$fault/;
    }
}

# As many blocks as fit wait for each other, one more never comes.
sub resident {                  # threads of a block, dynamic shared bytes
    my ($threads, $dynamic) = @_;
    my $warps = int(($threads + 31) / 32);
    my $shared = 128 * int((100 + $dynamic + 127) / 128);
    my $slots = int(WARPS / $warps);
    $slots = int(SHARED / $shared) if $slots > int(SHARED / $shared);
    for my $device (on($model, $core)) {
        for my $blocks ($slots, $slots + 1) {
            my ($status, $said) = launch($device, "--kernel meet --grid $blocks --block $threads "
                . "--shared $dynamic come:u32[1] blocks:u32=$blocks");
            fail("$blocks blocks of $threads threads, $dynamic bytes, $device->[0]: "
                . "exit status $status\n$said") if $status != ($blocks > $slots ? 3 : 0);
        }
    }
}

# What lies at an address is known by its name alone.
for my $device (on($model, $core, [@$model, $stack])) {
    my ($status, $said) = launch($device,
        "--kernel relocated --grid 1 --block 1 out:u32[4] --dump out=$dir/out");
    my @got = unpack 'V4', slurp("$dir/out");
    fail("relocated, $device->[0]: exit status $status, @got, not 33 44 22 77\n$said")
        if $status || "@got" ne '33 44 22 77';
    unlink "$dir/out";
}
words('words', [3, 5, 7], [2, 3, 5], $model, $core, $slow, [@$model, $stack], [@$core, $stack]);
words('words', [2, 3, 1], [7, 11, 13], $model, $core);
words('words', [2, 1, 1], [1024, 1, 1], $model, $core);
words('words', [1, 2, 1], [1, 1024, 1], $model, $core);
words('words', [1, 1, 2], [1, 1, 1024], $model, $core);
words('words', [300, 1, 1], [2, 1, 1], $model, $core);
words('words', [1, 300, 1], [1, 2, 1], $model, $core);
words('words', [1, 1, 300], [1, 1, 2], $model, $core);
words('last', [65537, 1, 1], [3, 2, 1], $model, $wide);
words('last', [2, 65537, 1], [3, 2, 1], $model);          # y and z in lockstep: tall_grids.s
words('last', [1, 2, 65537], [3, 2, 1], $model);
edge('shared', 'off:u32=%u', 128, 'range');
edge('shared', '--shared 28 off:u32=%u', 128, 'range');
edge('shared', '--shared 29 off:u32=%u', 256, 'range');
edge('shared', '--shared 65436 off:u32=%u', 65536, 'range');
edge('local', 'off:u32=%u', 48, 'range');
edge('const', 'off:u32=%u', 32768 + 48, 'range');
edge('global', 'off:u32=%u buf:u8[37]', 64, 'range', 36);
edge('code', 'pc:u32=%u', 16 * INSTRUCTIONS, 'PC', 16 * INSTRUCTIONS - 16);
resident($_->[0], $_->[1]) for [32, 0], [96, 0], [1000, 0], [32, 20000], [64, 8092], [32, 8093];
print "launch words: $runs launches, $records threads' records, $failed wrong\n";
exit($failed || !$records ? 1 : 0);
