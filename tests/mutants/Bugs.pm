# Planted bugs as edits: a text that occurs once in a file, and what stands there instead.
# SPDX-License-Identifier: Apache-2.0
#
# A table (FILE.bugs, one for each source) holds bugs, with an empty line between them:
#
#     bug NAME
#     What it breaks, in a sentence; more lines if need be.
#     check: NAME [ARG]       and other lines `word: ...`, which are for who runs it
#     in rtl/front/scoreboard.v
#     - wait_r = (
#     + wait_r = (1'b0 &&
#
# `-` and `+` lines are one edit; several edits, and several files, may follow.  Texts are compared
# token by token: white space and comments do not count, so neighbouring lines may change at will.
package Bugs;
use strict;
use warnings;
use Exporter 'import';
use Mux;
our @EXPORT = qw(bugs_read bug_places bug_planted);

# The bugs of some tables, by name: { name, head, edits: [{ file, old, new, at }] }.
sub bugs_read {
    my (@bug, %seen);
    for my $table (@_) {
        my ($bug, $file, $edit);
        my $n = 0;
        for my $line (split /\n/, slurp($table)) {
            my $at = "$table:" . ++$n;
            if ($line =~ /^bug (\S+)$/) {
                die "$at: $1 stands twice\n" if $seen{$1}++;
                ($bug, $file, $edit) = ({ name => $1, head => '', edits => [], at => $at });
                push @bug, $bug;
            } elsif (!$bug) {
                die "$at: expected `bug NAME'\n" if $line =~ /\S/ && $line !~ /^#/;
            } elsif ($line =~ /^in (\S+)$/) {
                ($file, $edit) = ($1);
            } elsif ($line =~ /^([-+])(?: (.*))?$/) {
                die "$at: an edit without a line `in FILE'\n" if !$file;
                $edit = undef if $1 eq '-' && $edit && $edit->{new} ne '';
                if (!$edit) {
                    die "$at: an edit begins with what is there (-)\n" if $1 eq '+';
                    push @{ $bug->{edits} }, $edit = { file => $file, old => '', new => '', at => $at };
                }
                $edit->{ $1 eq '-' ? 'old' : 'new' } .= ($2 // '') . "\n";
            } elsif ($line =~ /\S/) {
                die "$at: neither `in FILE' nor an edit\n" if $file;
                $bug->{head} .= "$line\n";
            }
        }
    }
    for my $b (@bug) {
        die "$b->{at}: $b->{name} changes nothing\n" if !@{ $b->{edits} };
    }
    return sort { $a->{name} cmp $b->{name} } @bug;
}

sub words { my $list = tokens($_[0]); return map { $_->[0] } @$list[0 .. $#$list - 1] }

# Where the edits of a bug in `file` are in its tokens, as [from, to, tokens]: without what both
# texts have in common.  Dies if a text is not there exactly once, or is not changed.
sub bug_places {
    my ($bug, $file, $list) = @_;
    my @place;
    for my $e (grep { $_->{file} eq $file } @{ $bug->{edits} }) {
        my (@old, @new) = ();
        @old = words($e->{old});
        @new = words($e->{new});
        die "$e->{at}: $bug->{name}: nothing is changed\n" if !@old || "@old" eq "@new";
        my @at = grep {
            my $k = $_;
            !grep { $list->[$k + $_][0] ne $old[$_] } 0 .. $#old;
        } grep { $list->[$_][0] eq $old[0] } 0 .. @$list - 1 - @old;
        die sprintf "%s: %s: its text is in %s %d times, not once\n", $e->{at}, $bug->{name}, $file, scalar @at if @at != 1;
        my ($from, $to) = ($at[0], $at[0] + @old);
        while ($from < $to && @new && $list->[$from][0] eq $new[0]) { $from++; shift @new }
        while ($from < $to && @new && $list->[$to - 1][0] eq $new[-1]) { $to--; pop @new }
        push @place, [$from, $to, [map { [$_, ' '] } @new]];
    }
    my $end = 0;
    for my $p (sort { $a->[0] <=> $b->[0] } @place) {
        die "$bug->{at}: $bug->{name}: two of its edits overlap in $file\n" if $p->[0] < $end;
        $end = $p->[1];
    }
    return @place;
}

# A file's text with a bug in it.
sub bug_planted {
    my ($bug, $file, $text) = @_;
    my $list = tokens($text);
    return text_of($list, 0, scalar @$list, bug_places($bug, $file, $list));
}

1;
