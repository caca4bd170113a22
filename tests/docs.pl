#!/usr/bin/perl
# Pages: every link, path and make target in them exists; every page can be reached from
# docs/README.md and is short; pages and comments keep to plain words.
# SPDX-License-Identifier: Apache-2.0
#
# A page is every Markdown file but the templates of tests/paper_*.  Links include their anchors.  A
# page has at most $LINES lines of text: tables, pictures, what is quoted from a terminal and blank
# lines do not count, nor do pages that are generated from a table.  All pages together have at most
# $WORDS words; those that programs write do not count.
use strict;
use warnings;
use File::Basename;

my ($LINES, $WORDS) = (100, 45000);
my ($links, $paths, $targets, $wrong) = (0, 0, 0, 0);
sub wrong { $wrong++; print "FAIL @_\n" }
sub text { open my $f, '<', $_[0] or die "$_[0]: $!\n"; local $/; return scalar <$f> }

my @files = split /\n/, `git ls-files -co --exclude-standard`;
my (%file, %folder, %base);
for my $f (grep { -e } @files) {
    $file{$f} = 1;
    $base{ basename $f } = 1;
    for (my $d = dirname $f; $d ne '.'; $d = dirname $d) { $folder{$d} = 1; $base{ basename $d } = 1 }
}
# Whoever leaves out cuda/ has pages that name it all the same.
my $whole = $folder{cuda};
sub missing { wrong(@_) if $whole }
my @pages = grep { /\.md$/ && !m{^tests/paper_[abc]/page\.md$} } sort keys %file;

# The page without what is quoted from a terminal; and its lines of prose.
sub prose { (my $t = $_[0]) =~ s/^```.*?^```$//msg; $t =~ s/^( {4,}(?![-*] ).*)$//mg; return $t }
# Words written by hand: not what is generated as a page, as a table below a marker, as one of the
# three papers' claims (their templates count instead), or from the first command that a test compares on
# (tests/view/pages.pl, tests/predict/placements.pl).
my $COMMANDS = qr{^(?:README|docs/(?:profile|speculative|step|tutorial|walks|walk-rtl))\.md$};
my $PRINTED = qr/^(?:<!-- )?Generated from |`[a-z -]+` (?:prints|writes) (?:this page|it\b)/m;
sub words_of {
    my ($page, $t) = @_;
    return 0 if $t =~ $PRINTED || $page =~ m{^docs/paper-[abc]\.md$};
    $t =~ s/^<!-- .* -->\n+(?:\|.*\n)+//mg;
    substr($t, $-[0]) =~ s/^ {4,}(?!\$ ).*$//mg if $page =~ $COMMANDS && $t =~ /^ {4}\$ /m;
    return scalar(() = $t =~ /\S+/g);
}
sub lines_of { return scalar grep { /\S/ && !/^\||^!\[|^<!--/ } split /\n/, $_[0] }

# path/to/page#anchor, relative to the folder of the page: the file, from the root.
sub resolve {
    my ($page, $to) = @_;
    my @at = grep { $_ ne '.' } split m{/}, dirname $page;
    for (split m{/}, $to) { $_ eq '..' ? pop @at : $_ eq '.' ? () : push @at, $_ }
    return join '/', @at;
}
# The anchors of a page's headings, as GitHub makes them.
sub anchors {
    my %a;
    for (text($_[0]) =~ /^#+ (.*)$/mg) { (my $h = lc) =~ s/[^\w\- ]//g; $h =~ tr/ /-/; $a{$h} = 1 }
    return \%a;
}

my %to;
for my $page (@pages) {
    my $t = prose(text($page));
    while ($t =~ /\]\(([^)#: ]*)(?:#([^)]*))?\)/g) {
        $links++;
        my ($to, $anchor) = ($1 eq '' ? $page : resolve($page, $1), $2);
        if (!$file{$to} && !$folder{$to}) { missing("$page: no $1"); next }
        wrong("$page: $to has no heading #$anchor") if defined $anchor && !anchors($to)->{$anchor};
        $to{$page}{$to} = 1;
    }
    next if text($page) =~ /^(<!-- )?Generated from /m;
    my $n = lines_of($t);
    wrong("$page: $n lines of text, at most $LINES: split it") if $n > $LINES;
}

# Paths in `code`: one that begins with a folder of the root, or a file's name alone.
for my $page (@pages) {
    my $t = prose(text($page));
    for my $code ($t =~ /`([^`\n]+)`/g) {
        for my $path ($code =~ m{(?<![\w./*$-])([\w./*-]+)(?=$|[\s:,;)])}g) {
            next if $path =~ m{^build/|^\.\./|^/|\.\.\.|^-|_gen\.|NAME|UNIT|FILE};
            my ($top) = $path =~ m{^([^/]+)/};
            if (defined $top && $folder{$top}) {
                $paths++;
                missing("$page: no $path") unless glob_of($path);
            } elsif ($path =~ /^[a-z]\w*(?:\*\w*)?\.(?:c|h|v|vh|def|pl|pm|sh|mk|py|cpp|ini)$/) {
                $paths++;
                missing("$page: no file $path") unless $path =~ /^(?:k|mine|f)\./ || base_of($path);
            }
        }
    }
}
sub pattern { return join '[^/]*', map { quotemeta } split /\*/, $_[0], -1 }
sub glob_of { my $p = pattern($_[0] =~ s{/$}{}r); return grep { /^$p$/ } keys %file, keys %folder }
sub base_of { my $p = pattern($_[0]); return grep { /^$p$/ } keys %base }

# What commands print goes stale where no test compares it.
for my $page (grep { $_ !~ $COMMANDS } @pages) {
    my $t = text($page);
    wrong("$page: no test runs its command: $1") if $t =~ /^    (\$ .*)$/m;
    wrong("$page: no test compares `$1'") if $t =~ /(compared \d+ fields)/;
}

# Targets of make, by the rules and names that the makefiles have.
my %target;
for my $mk (grep { /\.mk$|^Makefile$/ } keys %file) {
    for (text($mk) =~ /^([a-z][\w .-]*?):(?!=)/mg) { $target{$_} = 1 for split ' ' }
}
for my $page (@pages) {
    for my $words (text($page) =~ /`make ([^`]*)`/g, text($page) =~ /^    make (.*?)(?:  |#|$)/mg) {
        for (grep { /^[a-z][a-z-]*$/ } split ' ', $words =~ s/"[^"]*"//gr) {
            $targets++;
            missing("$page: make has no target $_") unless $target{$_};
        }
    }
}

# From the index to every page, and to every file of docs/.
my @next = ('docs/README.md');
my %seen = map { $_ => 1 } @next;
while (defined(my $page = shift @next)) {
    for (sort keys %{ $to{$page} // {} }) { push @next, $_ unless $seen{$_}++ }
}
for (sort keys %{ { map { $_ => 1 } @pages, grep { m{^docs/} } keys %file } }) {
    wrong("docs/README.md: no way from it to $_") unless $seen{$_} || m{^docs/.*\.(?:svg|dat)$} && pictured($_);
}
sub pictured { my $b = basename $_[0]; return grep { text($_) =~ /\Q$b\E/ } grep { m{^docs/} } @pages }

# Words that newcomers stumbled over, in pages and in the comments of sources; of persons, in pages.
my $IDIOM = qr/\b(?:(?:is|are|was|were) told|whoever|anew|behind (?:it|them|the|an?|each|its|th(?:is|at|ese|ose)))\b/i;
my $PERSON = qr/\b(?:some|no|every|any)body\b/i;
sub comments {
    my ($file, $t) = (@_, text($_[0]));
    my $blank = sub { $_[0] =~ s/[^\n]//gr };
    if ($file =~ /\.(?:pl|pm|sh|mk|awk)$|Makefile$/) { $t =~ s/^(.*?)(?=\s#\s|^#|$)/$blank->($1)/gme }
    else { $t =~ s{(/\*.*?\*/|//[^\n]*)|("(?:\\.|[^"\\\n])*"|[^/"\n]+|.)}{$1 // ($2 eq "\n" ? "\n" : '')}gse }
    return $t;
}
for my $file (sort keys %file) {
    my $t = $file =~ /\.md$/ ? prose(text($file))
          : $file =~ m{^(?:compiler|cmodel|harness|rtl|formal|regroup|tests|waves)/.*\.(?:c|h|v|vh|vlt|def|cpp|cu|cuh|s|ptx|pl|pm|sh|mk|awk)$|^Makefile$} ? comments($file) : next;
    next if $file =~ m{^tests/(?:silicon|corpus|fuzz/found)/|^tests/docs\.pl$};
    my $words = $file =~ /\.md$/ ? qr/$IDIOM|$PERSON/ : $IDIOM;
    my $n = 0;
    for my $line (split /\n/, $t) { $n++; wrong("$file:$n: say it without `$1'") if $line =~ /($words)/ }
}

my $readme = text('README.md');
for my $dir (grep { !m{[/.]} } sort keys %folder) {
    wrong("README.md: does not name $dir/") unless $readme =~ m{`\Q$dir\E/`};
}
my $words = 0;
$words += words_of($_, text($_)) for @pages, grep { m{^tests/paper_[abc]/page\.md$} } keys %file;
wrong("$words words in all pages, at most $WORDS: say it in fewer, or once") if $words > $WORDS;
wrong('no pages, links, paths or targets') unless @pages > 1 && $links && $paths && $targets;
printf "docs: %d pages, %d words by hand, %d links, %d paths, %d targets: %d wrong\n",
    scalar @pages, $words, $links, $paths, $targets, $wrong;
exit($wrong ? 1 : 0);
