#!/usr/bin/perl
# Folders use each other in one direction: what a folder includes and calls must stand in the line
# `Uses:' of its README.md, nothing more, and these lines have no circle.
# SPDX-License-Identifier: Apache-2.0
# use: arrows.pl BUILD      after `make`: calls are read from the objects
use strict;
use warnings;
use File::Basename qw(dirname);

my $build = shift // die "use: arrows.pl BUILD\n";
my @source = sort grep { !m{^(?:compiler/(?:softlib|include)|cuda/(?:include|tests))/} } split /\n/,
    `git ls-files -co --exclude-standard 'cmodel/*.[ch]' 'compiler/*.[ch]' 'regroup/*.[ch]' 'harness/*.[ch]' 'harness/*.cpp' 'stream/*.[ch]' 'cuda/*.[ch]'`;
@source = grep { -e } @source;
die "arrows: no sources here\n" if !@source;
my (%uses, %edge, $bad);
sub wrong { print "arrows: $_[0]\n"; $bad = 1 }
sub slurp { open my $in, '<', $_[0] or die "$_[0]: $!\n"; local $/; return scalar <$in> }

my %folder = map { dirname($_) => 1 } @source;
for my $d (sort keys %folder) {
    my ($line) = -e "$d/README.md" ? slurp("$d/README.md") =~ /^Uses: (.*?)\.$/ms : ();
    if (!defined $line) { wrong("$d/README.md has no line `Uses: FOLDER, FOLDER.'"); next }
    $uses{$d} = { map { $_ => 1 } grep { $_ ne 'nothing' } split /,\s*/, $line };
    $folder{$_} or wrong("$d/README.md: `Uses:' names $_, which holds no source") for sort keys %{ $uses{$d} };
}

# Whoever calls what heddle.h declares uses heddle.h, wherever it is implemented.
my %public = map { $_ => 1 } slurp('cmodel/heddle.h') =~ /\b(hd_\w+)\(/g;
my (%where, %own, %calls, %of);
for my $f (@source) {
    for my $to (slurp($f) =~ /^[ \t]*#[ \t]*include "([^"]+)"/mg) {
        my $d = dirname($to);
        if ($folder{$d}) { $edge{ dirname($f) }{$d} //= "$f includes $to" }
        elsif (-e dirname($f) . "/$to") { wrong("$f: include $to by its path from the root") }
    }
    (my $o = "$build/$f") =~ s/\.c$/.o/ or next;
    next if !-e $o;                                      # generators are no part of a library
    $of{$o} = $f;
}
die "arrows: no objects in $build: make first\n" if !%of;
for (split /\n/, `nm -A @{[ sort keys %of ]}`) {
    my ($o, $line) = /^(.*?):(.*)/ or next;
    $where{$1} = $of{$o}, $own{ dirname($of{$o}) }{$1} = 1 if $line =~ / [TDBRC] (\w+)$/;
    push @{ $calls{ $of{$o} } }, $1 if $line =~ /^ *U (\w+)$/;
}
for my $f (sort keys %calls) {
    for my $name (@{ $calls{$f} }) {
        my $to = $where{$name} // next;
        if ($public{$name} && $to =~ m{^harness/} && $f !~ m{^harness/}) {
            $edge{ dirname($f) }{cmodel} //= "$f calls $name of cmodel/heddle.h";
            next;
        }
        next if $own{ dirname($f) }{$name};              # another library may have a version of it
        $edge{ dirname($f) }{ dirname($to) } //= "$f calls $name of $to";
    }
}
for my $d (sort keys %uses) {
    my %is = %{ $edge{$d} // {} };
    delete $is{$d};
    $uses{$d}{$_} or wrong("$is{$_}, and $d/README.md does not say that $d uses $_") for sort keys %is;
    $is{$_} or wrong("$d/README.md: $d no longer uses $_") for sort keys %{ $uses{$d} };
}

# Commands know a device by cmodel/heddle.h alone.
for my $d (grep { exists $uses{"harness/$_"} } qw(cmd cli fuzz silicon)) {
    for my $inside (qw(cmodel/machine cmodel/scalar harness/core harness/device harness/lockstep harness/report)) {
        my $why = $edge{"harness/$d"}{$inside} // next;
        wrong("$why: what a command needs of $inside, heddle.h gives it");
    }
}

# The folders of the root, in the same way; what the compiler's library and headers include, too, which is no object.
my %root;
for my $d (keys %uses) {
    my ($from) = split m{/}, $d;
    for my $to (keys %{ $uses{$d} }) { my ($r) = split m{/}, $to; $root{$from}{$r} = "$d uses $to" if $r ne $from }
}
for my $f (split /\n/, `git ls-files -co --exclude-standard compiler/softlib compiler/include`) {
    next if !-e $f;
    for my $to (slurp($f) =~ /^[ \t]*#[ \t]*include "([^"]+)"/mg) {
        wrong("$f includes $to, which is not of the compiler") if !-e "compiler/$to" && !-e dirname($f) . "/$to" || $to =~ m{\.\./};
    }
}
my %top = map { (split m{/})[0] => 1 } keys %uses;
while (%top) {
    my @last = grep { my $d = $_; !grep { $root{$_}{$d} } keys %top } sort keys %top;
    if (!@last) { wrong('a circle among the folders ' . join ', ', sort keys %top); last }
    delete @top{@last};
}

# Whoever leaves cuda/ out has all the rest.
for my $d (grep { !m{^cuda/} } sort keys %uses) {
    wrong("$d uses $_: nothing outside cuda/ may") for grep { m{^cuda(?:/|$)} } sort keys %{ $uses{$d} };
}

# A folder that none of those left uses goes first; where there is none there is a circle.
my %left = map { $_ => 1 } keys %uses;
while (%left) {
    my @top = grep { my $d = $_; !grep { $uses{$_}{$d} } keys %left } sort keys %left;
    if (!@top) { wrong('a circle among ' . join ', ', sort keys %left); last }
    delete @left{@top};
}
printf "arrows: %d folders, %d files, %d objects%s\n", scalar keys %uses, scalar @source, scalar keys %of, $bad ? '' : ', one way, no circle of the root\'s';
exit($bad ? 1 : 0);
