#!/usr/bin/perl
# One state, one name: where model, core and reports speak of a warp's lanes, no other name than
# that of docs/glossary.md is in use for it; and no wire of the core's inside has a name outside
# rtl/: rtl/events.def has them.
#
#     names.pl [FOLDER]       the folder that holds cmodel/, rtl/, harness/; default: this one
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;

my $root = $ARGV[0] // '.';
# What must not be said, and what to say instead.
my %say = (act => 'active', running => 'active', run_m => 'next_active', blk => 'blocked, or arrived[b]', syn => 'wsync',
           wmask => 'sync', warpsync_m => 'wsync', bar_num => 'bar_at');
my ($files, $wrong) = (0, 0);
for my $file (map { glob "$root/$_" } qw(cmodel/machine/*.[ch] harness/lockstep/*.[ch] harness/report/*.[ch] rtl/*.v rtl/*.vh
                                         rtl/front/*.v rtl/converge/*.v rtl/exec/*.v)) {
    local (@ARGV, $/) = $file;
    my $text = <>;
    $files++;
    $text =~ s{(/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*")}{ $1 =~ s/[^\n]//gr }egs;       # for people
    my $n = 0;
    for (split /\n/, $text) {
        $n++;
        for my $name (/\b([a-z]\w*?)(?:_[iqod])?\b/g) {
            next if !$say{$name};
            $wrong++;
            print "FAIL $file:$n: `$name': docs/glossary.md says $say{$name}\n";
        }
    }
}
for my $file (map { glob "$root/$_" } qw(harness/*/*.[ch] harness/*/*.cpp harness/*/*.def stream/*.[ch] page/*.[ch])) {
    local (@ARGV, $/) = $file;
    my $text = <>;
    $files++;
    while ($text =~ /\bu_[a-z]\w*(?:\.|__DOT__)\w+/g) {
        my $n = 1 + (substr($text, 0, $-[0]) =~ tr/\n//);
        $wrong++;
        print "FAIL $file:$n: $&: wires of the core are named in rtl/events.def\n";
    }
}
$wrong++, print "FAIL no files in $root\n" if !$files;
printf "names: %d passed, %d failed\n", $files, $wrong;
exit($wrong ? 1 : 0);
