#!/usr/bin/perl
# Pages: every link leads somewhere, docs/README.md has every page, README.md every folder.
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;
use File::Basename;

my ($links, $wrong) = (0, 0);
sub wrong { $wrong++; print "FAIL @_\n" }
sub text { open my $f, '<', $_[0] or die "$_[0]: $!\n"; local $/; return <$f> }

my @pages = ('README.md', 'CONTRIBUTING.md', glob 'docs/*.md');
for my $page (@pages) {
    my $t = text($page);
    $t =~ s/^( {4}|```).*$//mg;                     # what is quoted from a terminal
    while ($t =~ /\]\(([^)#: ]+)(?:#[^)]*)?\)/g) {
        $links++;
        my $to = dirname($page) . "/$1";
        wrong("$page: no $1") unless -e $to;
    }
}
my $index = text('docs/README.md');
for my $page (glob 'docs/*.md') {
    my $name = basename $page;
    wrong("docs/README.md: does not name $name") unless $name eq 'README.md' || $index =~ /\(\Q$name\E\)/;
}
my $readme = text('README.md');
for my $dir (grep { -d && $_ ne 'build' } glob '*') {
    wrong("README.md: does not name $dir/") unless $readme =~ m{`\Q$dir\E/`};
}
wrong('no pages or no links') unless @pages > 1 && $links;
printf "docs: %d links, %d pages: %d passed, %d failed\n", $links, scalar @pages, $links, $wrong;
exit($wrong ? 1 : 0);
