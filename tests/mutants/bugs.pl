#!/usr/bin/perl
# Planted bugs, one by one: looked at, checked, planted.  Bugs.pm says what a table is.
# SPDX-License-Identifier: Apache-2.0
#
# use: bugs.pl check TABLE...              every edit applies: its text is there once
#      bugs.pl show NAME TABLE...          its lines
#      bugs.pl plant NAME TREE TABLE...    changes the files of TREE
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bugs;
use Mux;

my $usage = "use: bugs.pl check TABLE... | show NAME TABLE... | plant NAME TREE TABLE...\n";
my $verb = shift // die $usage;

sub check {
    my ($good, $bad) = (0, 0);
    for my $b (bugs_read(@_)) {
        my %file = map { $_->{file} => 1 } @{ $b->{edits} };
        my $ok = eval { bug_planted($b, $_, slurp($_)) for sort keys %file; 1 };
        print $@ if !$ok;
        $ok ? $good++ : $bad++;
    }
    print "mutants: there is no bug\n" if !$good && !$bad;
    print "mutants: $good planted bugs apply", $bad ? ", $bad do not" : '', "\n" if $good || $bad;
    return $good && !$bad;
}

sub named {
    my ($name, @table) = @_;
    my ($bug) = grep { $_->{name} eq $name } bugs_read(@table);
    return $bug // die "bugs.pl: there is no bug $name in @table\n";
}

if ($verb eq 'check') {
    exit(check(@ARGV) ? 0 : 1);
} elsif ($verb eq 'show' && @ARGV >= 2) {
    my $b = named(@ARGV);
    print $b->{head};
    for my $e (@{ $b->{edits} }) {
        print "in $e->{file}\n", (map { "- $_\n" } split /\n/, $e->{old}), map { "+ $_\n" } split /\n/, $e->{new};
    }
} elsif ($verb eq 'plant' && @ARGV >= 3) {
    my ($name, $tree, @table) = @ARGV;
    my $b = named($name, @table);
    my %file = map { $_->{file} => 1 } @{ $b->{edits} };
    my %text = map { $_ => bug_planted($b, $_, slurp("$tree/$_")) } keys %file;
    spill("$tree/$_", $text{$_}) for keys %text;
} else {
    die $usage;
}
