#!/usr/bin/perl
# Carries planted bugs over an edit of the sources: each patch is merged three ways, from the text
# that it was made for to the text of now.
# SPDX-License-Identifier: Apache-2.0
#
# use: rebase.pl COMMIT [PATCH...]     COMMIT: where all patches applied; without PATCH all of tests/mutants
# A patch that applies stays as it is.  Files that git calls renamed are followed.  A patch that
# cannot be carried, and one whose bug the edit has removed, is named and left: edit it by hand,
# keeping its bug.  Status 1 then.
use strict;
use warnings;
use File::Temp 'tempdir';

my $base = shift // die "use: rebase.pl COMMIT [PATCH...]\n";
my @patch = @ARGV ? @ARGV : sort glob 'tests/mutants/*.patch tests/mutants/*/*.patch tests/fuzz/*.patch';
my $dir = tempdir(CLEANUP => 1);

sub slurp { open my $in, '<', $_[0] or die "$_[0]: $!\n"; local $/; my $text = <$in>; return $text }
sub spill { open my $out, '>', $_[0] or die "$_[0]: $!\n"; print $out $_[1]; close $out or die "$_[0]: $!\n" }
sub quiet { return system("( $_[0] ) > $dir/said 2> $dir/errors") == 0 }

my %renamed;                     # old path => path of now
for (split /\n/, `git diff --find-renames=40% --diff-filter=R --name-status $base --`) {
    my (undef, $from, $to) = split /\t/;
    $renamed{$from} = $to;
}
die "git diff $base failed\n" if $?;

# The patch's new text, or why there is none.
sub carried {
    my ($patch) = @_;
    my $text = slurp($patch);
    my ($head) = $text =~ /\A(.*?)^--- /ms;
    my @file = $text =~ m{^--- a/(\S+)}mg;
    my $out = $head // '';
    my %seen;
    for my $f (grep { !$seen{$_}++ } @file) {
        my $now = -e $f ? $f : $renamed{$f} // return (undef, "$f is gone");
        my ($old) = grep { quiet("git cat-file -e $base:$_") } ($f, grep { $renamed{$_} eq $f } keys %renamed)
            or return (undef, "$f is not in $base");
        quiet("rm -rf $dir/tree && mkdir -p $dir/tree/\$(dirname $f) && git show $base:$old > $dir/tree/$f");
        spill("$dir/base", slurp("$dir/tree/$f"));
        quiet("cd $dir/tree && git init -q . 2>/dev/null; git -C $dir/tree apply --whitespace=nowarn --include=$f "
              . quotemeta(slurp_path($patch))) or return (undef, "it does not apply to $old of $base");
        quiet("git merge-file -p $now $dir/base $dir/tree/$f") or return (undef, "$now has other lines there");
        spill("$dir/merged", slurp("$dir/said"));
        my $diff = `diff -u --label a/$now --label b/$now $now $dir/merged`;
        return (undef, "$now: nothing is left of it") if $diff eq '';
        $out .= $diff;
    }
    return ($out);
}
sub slurp_path { my $p = shift; return $p =~ m{^/} ? $p : `pwd` =~ s{\n}{}r . "/$p" }

my ($kept, $moved, $bad) = (0, 0, 0);
for my $p (@patch) {
    if (quiet("git apply --check --whitespace=nowarn $p")) { $kept++; next }
    my ($text, $why) = carried($p);
    if (defined $text) { spill($p, $text); $moved++ } else { print "$p: $why\n"; $bad++ }
}
print "mutants: $kept patches stay, $moved carried, $bad left to be edited\n";
exit($bad > 0);
