#!/usr/bin/perl
# The compiler's passes are as its headers say: each begins with a comment that names what it
# requires and what it ensures, and all.h (minsn.h for the back end) lists them in the order in
# which cc.c (backend.c) runs them.
#
#     passes.pl [FOLDER]      the folder that holds compiler/; default: this one
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;
use File::Find;

my $root = $ARGV[0] // '.';
# Toolboxes: they hold what several passes use, or a part of one (the parser's, selection's, the
# printer's).
my %toolbox = map { $_ => 1 } qw(util clang lex decl scope args parse_ins parse_mods parse_operand parse_table parse_texture expand expand_mma expand_matrix expand_async expand_small expand_more expand_block constant units check check_half mfn livelist show predict_show cc);
my ($checked, $wrong, %path) = (0, 0);
sub wrong { $wrong++; print "FAIL @_\n" }
sub text { local (@ARGV, $/) = shift; scalar <> }

find({ no_chdir => 1, wanted => sub { $path{$1} = $_ if m{/(\w+\.[ch])$} } }, "$root/compiler") if -d "$root/compiler";

for my $file (grep { /\.c$/ } sort keys %path) {
    next if $toolbox{ $file =~ s/\.c$//r } || $file =~ /^select_/;
    my ($head) = text($path{$file}) =~ m{^(/\*.*?\*/)}s;
    $checked++;
    for my $word ('Requires:', 'Ensures:') {
        wrong("$path{$file}: its first comment has no line `$word'") if ($head // '') !~ /^ \* \Q$word\E/m;
    }
}

# The functions that a driver calls from `start' on, through its own static functions, in the order
# of the text.
sub calls {
    my ($driver, $start) = @_;
    my (%body, @order);
    my $source = text($path{$driver});
    $source =~ s{/\*.*?\*/|//[^\n]*}{}gs;
    $body{$1} = $2 while $source =~ /^\w[^;{}=]*?\b(\w+)\([^;{}]*\)\n\{\n(.*?)^\}/gsm;
    my $walk;
    my %open;
    $walk = sub {
        my $name = shift;
        return push @order, $name if !defined $body{$name};
        return if $open{$name}++;
        $walk->($1) while $body{$name} =~ /\b(\w+)\(/g;
    };
    $walk->($start);
    return @order;
}

# Where a header lists each function's file: /* file.c */ before its declarations.
sub listed {
    my ($header) = @_;
    my (%at, $file, $n);
    for (split /\n/, text($path{$header})) {
        ($file, $n) = ($1, ($n // 0) + 1) if m{^/\* (?:---- )?(\w+\.c)};
        next if !$file;
        $at{$1} //= [$n, $file] while /\b(\w+)\(/g;
    }
    return \%at;
}

sub check_order {
    my ($driver, $start, $header) = @_;
    return wrong("no $driver or no $header in $root/compiler") if !$path{$driver} || !$path{$header};
    my ($at, $last, $seen, $before, %done) = (listed($header), 0, 0);
    for my $name (calls($driver, $start)) {
        my ($n, $file) = @{ $at->{$name} // next };
        next if $file eq $driver || $toolbox{ $file =~ s/\.c$//r } || $done{$file}++;
        wrong("$header lists $file before $before, which $driver runs first") if $n < $last;
        ($last, $before) = ($n, $file) if $n > $last;
        $seen++;
    }
    wrong("$driver calls no pass of $header") if !$seen;
    $checked += $seen;
}
check_order('cc.c', 'hd_compile', 'all.h');
check_order('backend.c', 'backend_run', 'minsn.h');
printf "passes: %d passed, %d failed\n", $checked, $wrong;
exit($wrong ? 1 : 0);
