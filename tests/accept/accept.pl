#!/usr/bin/env perl
# Measures again what a change of the RTL moves (steps.txt), and shows what was recorded beside what is measured now.
# What goes beyond a step's limit is not written, unless a note says why; else all of it is.
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;
use File::Path qw(make_path);
my ($build, $steps, $note, @only) = @ARGV;
die "usage: tests/accept/accept.pl BUILD STEPS NOTE [STEP...]\n" unless defined $note;
my $shown = 12;                                     # rows of a file
make_path($build);

my (%known, @steps);
open my $t, "<", $steps or die "$steps: $!\n";
while (<$t>) {
    next if /^#|^\s*$/;
    my ($name, $limit, @targets) = split;
    $known{$name} = 1;
    push @steps, { name => $name, limit => $limit, targets => \@targets } if !@only || grep { $_ eq $name } @only;
}
for (@only) { $known{$_} or print(STDERR "accept: no step is called $_: " . join(" ", sort keys %known) . "\n"), exit 2 }

# The files as they are: of what git has, changes that are not committed included.
sub git { my $said = qx{git @_}; die "accept: git @_\n" if $?; chomp $said; return $said }
my $before = git("stash create") || git("rev-parse HEAD");
my (%seen, %by);
sub changed { return grep { !$seen{$_}++ } split /\n/, git("diff --name-only $before") }
sub restore { my @f = map { @{$_->{files} || []} } @steps; git("restore --source=$before --worktree -- @f") if @f }

for my $s (@steps) {
    my $log = "$build/$s->{name}.log";
    unlink $log;
    for my $target (@{$s->{targets}}) {
        my ($may, $make) = $target =~ /^(-?)(.*)/;
        print "accept: $s->{name}: make $make ...\n";
        my $begun = time;
        local $ENV{NOTE} = $note || "within the limits of make accept";
        my $status = system("\${MAKE:-make} --no-print-directory $make >> $log 2>&1");
        if ($status & 127 || ($status && !$may)) {
            $s->{files} = [changed()];
            restore();
            print "FAIL accept: make $make, after " . (time - $begun) . " s; nothing is written; the end of $log:\n" . qx{tail -n 5 $log};
            exit($status & 127 ? 130 : 1);
        }
    }
    $s->{files} = [changed()];
}

# "12 rows, 3.5 ns" as its words and its numbers.
sub parts { my @p = split /(?<![\w.])(-?\d+(?:\.\d+)?)/, $_[0]; return [@p[grep { !($_ & 1) } 0 .. $#p]], [@p[grep { $_ & 1 } 0 .. $#p]] }
sub percent { my ($old, $new) = @_; return $old == $new ? 0 : $old == 0 ? 1e9 : abs($new - $old) / abs($old) * 100 }

# Rows of the file that differ, each old with its new one, its largest change, or none if words differ, too.
sub rows {
    my ($file) = @_;
    my (@rows, @old, @new);
    my $flush = sub {
        while (@old || @new) {
            my ($o, $n) = (shift @old, shift @new);
            my $most;
            if (defined $o && defined $n) {
                my ($ow, $on) = parts($o);
                my ($nw, $nn) = parts($n);
                if ("@$ow" eq "@$nw" && @$on == @$nn) {
                    $most = 0;
                    for (0 .. $#$on) { my $p = percent($on->[$_], $nn->[$_]); $most = $p if $p > $most }
                }
            }
            push @rows, { old => $o, new => $n, most => $most };
        }
    };
    for (split /\n/, git("diff -U0 --no-color $before -- $file")) {
        if    (/^(---|\+\+\+) / && !@old && !@new) { next }
        elsif (/^-(.*)/)  { push @old, $1 }
        elsif (/^\+(.*)/) { push @new, $1 }
        else              { $flush->() }
    }
    $flush->();
    return @rows;
}

my ($moved, $beyond) = (0, 0);
for my $s (@steps) {
    my ($most, $words, $n) = (0, 0, 0);
    for my $file (@{$s->{files}}) {
        my @rows = rows($file);
        my $left = @rows - $shown;
        $n += @rows || 1;                           # a picture has no rows
        for my $r (sort { ($b->{most} // 1e10) <=> ($a->{most} // 1e10) } @rows) {
            defined $r->{most} ? $r->{most} > $most && ($most = $r->{most}) : $words++;
        }
        print "$file\n";
        for my $r (@rows[0 .. ($left > 0 ? $shown : @rows) - 1]) {
            print "  - $r->{old}\n" if defined $r->{old};
            print "  + $r->{new}\n" if defined $r->{new};
        }
        print "  and $left rows more: git diff $file\n" if $left > 0;
    }
    $moved += $n;
    my $too = $most > $s->{limit} || $words;
    $beyond += $too ? 1 : 0;
    printf "accept: %s: %s\n", $s->{name}, !$n ? "nothing has moved" : sprintf "%d rows have moved, by %s at most, %d in words; the limit is %g%%%s",
        $n, $most >= 1e9 ? "any amount" : sprintf("%.2f%%", $most), $words, $s->{limit}, $too ? ": beyond it" : "";
}
if ($beyond && $note !~ /\S/) {
    restore();
    print "accept: nothing is written: $beyond of " . @steps . " steps are beyond their limit; if that is meant: make accept NOTE=\"why\"\n";
    exit 1;
}
print $moved ? "accept: written; commit it with the RTL" . ($note =~ /\S/ ? ": $note" : "") . "\n" : "accept: nothing has moved\n";
