#!/usr/bin/perl
# Which kernels of a folder of PTX files compile: each with heddle cc, and the reasons of those that do not, by number of kernels.
# SPDX-License-Identifier: Apache-2.0
# use: kernels.pl HEDDLE DIR OUT [ONLY [SECONDS [JOBS]]]
#
# A kernel is compiled with the functions and variables of its file, but without the file's other kernels, as programs
# do: what is wrong with one of these is not wrong with it.  Kernels that stand in several files with the same text count once.  ONLY: a pattern of files.  SECONDS are of the
# processor, for each kernel.  OUT/kernels.tsv gets a line for each kernel: file, kernel, `compiles' or why not, the seconds
# that it took.
use strict;
use warnings;
use Cwd qw(abs_path);
use Digest::MD5 qw(md5_hex);
use File::Basename qw(basename dirname);
use Time::HiRes qw(time);
require(abs_path(dirname(__FILE__)) . '/body.pl');

my ($heddle, $dir, $out, $only, $seconds, $jobs) = @ARGV;
sub stop { print STDERR "kernels.pl: $_[0]\n"; exit 2 }
defined $out or stop('use: kernels.pl HEDDLE DIR OUT [ONLY [SECONDS [JOBS]]]');
$only = '.' if !defined $only || $only eq '';
$seconds ||= 20;
$jobs ||= 2;
-x $heddle or stop("$heddle cannot be run");
-d $dir or stop("$dir is no folder");
system('mkdir', '-p', $out) == 0 or stop("$out cannot be made");
my @files = grep { /$only/ } sort split /\n/, `find '$dir' -name '*.ptx'`;
@files or stop("no PTX file in $dir is called like /$only/");

sub slurp { open my $in, '<', $_[0] or stop("$_[0]: $!"); local $/; return scalar(<$in>) // '' }

# The kernels of a file, by name, with their text: from `.entry' to the brace that ends the body.
sub kernels {
    my ($text) = @_;
    my @found;
    my $copy = $text;
    while ($text =~ /^[^\n\/]*\.entry\s+([\w\$]+)/mg) {
        my ($name, $from) = ($1, $-[0]);
        my $to = body_end(\$copy, $from) or next;
        my $body = substr($text, $from, $to - $from);
        $body =~ s/^\s*\.loc\b.*$//mg;
        push @found, [$name, $body, $from, $to];
    }
    return @found;
}

# Why one does not compile, without what is its own: place, names, numbers.
sub reason {
    my ($text, $status) = @_;
    return "longer than $seconds s" if $status == 137 || $status == 152;
    return 'CRASH, status ' . $status if $status > 4;
    my ($line) = $text =~ /^(.*?(?:error|refused|:\d+).*)$/m;
    ($line) = $text =~ /^(.+)$/m if !defined $line;
    $line //= "status $status";
    $line =~ s/^\S*?:(?:\d+:)*\s*//;
    $line =~ s/^error: //;
    $line =~ s/\b_Z\w+/NAME/g;
    $line =~ s/%\w+/REG/g;
    $line =~ s/\b0x[0-9a-f]+\b|\b\d{2,}\b/N/gi;
    return $line;
}

# The text with one of the kernels alone.
sub alone {
    my ($text, $which, @all) = @_;
    for my $k (reverse 0 .. $#all) {
        substr($text, $all[$k][2], $all[$k][3] - $all[$k][2], '') if $k != $which;
    }
    return $text;
}

sub compile_file {
    my ($file, $to) = @_;
    open my $f, '>', $to or stop("$to: $!");
    my $whole = slurp($file) =~ s/^[^\n\/]*\.entry\b[^;{]*;//mgr;      # declarations
    my @all = kernels($whole);
    for my $n (0 .. $#all) {
        my ($name, $body) = @{ $all[$n] };
        open my $one, '>', "$to.ptx" or stop("$to.ptx: $!");
        print $one alone($whole, $n, @all);
        close $one or stop("$to.ptx: $!");
        my $from = time;
        my $text = `ulimit -c 0; ulimit -t $seconds; '$heddle' cc '$to.ptx' -o '$to.hx' 2>&1`;
        my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
        my $what = $status ? reason($text, $status) : 'compiles';
        printf $f "%s\t%s\t%s\t%.2f\t%s\n", basename($file), $name, $what, time - $from, md5_hex($body);
    }
    close $f or stop("$to: $!");
    unlink "$to.hx", "$to.ptx";
    rename $to, "$to.tsv" or stop("$to: $!");
}

# Each file by a process of its own, JOBS at a time; of an earlier run only what was ended is kept.
my $running = 0;
for my $n (0 .. $#files) {
    my $to = "$out/" . md5_hex($files[$n] . slurp($files[$n]));
    $files[$n] = [$files[$n], $to];
    next if -e "$to.tsv";
    if ($running >= $jobs) { wait; $running-- }
    defined(my $pid = fork) or stop("fork: $!");
    if (!$pid) { compile_file($files[$n][0], $to); exit 0 }
    $running++;
}
while (wait >= 0) { $? == 0 or stop('a file could not be gone through') }

my (%seen, %why, @lines, $compile);
for my $f (@files) {
    for my $line (split /\n/, slurp("$f->[1].tsv")) {
        my ($file, $name, $what, $took, $sum) = split /\t/, $line;
        next if $seen{$sum}++;
        push @lines, "$file\t$name\t$what\t$took\n";
        $compile++ if $what eq 'compiles';
        push @{ $why{$what} }, "$file $name" if $what ne 'compiles';
    }
}
@lines or stop("no kernel in these files");
open my $table, '>', "$out/kernels.tsv" or stop("$out/kernels.tsv: $!");
print $table @lines;
close $table or stop("$out/kernels.tsv: $!");
for my $w (sort { @{ $why{$b} } <=> @{ $why{$a} } || $a cmp $b } keys %why) {
    printf "%5d  %s (%s)\n", scalar @{ $why{$w} }, $w, $why{$w}[0];
}
printf "kernels: %d in %d files, compile %d (%.1f%%)\n", scalar @lines, scalar @files, $compile // 0, 100 * ($compile // 0) / @lines;
