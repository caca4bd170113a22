#!/usr/bin/perl
# Runs the commands of a page and compares what they print with what the page says they print.
# SPDX-License-Identifier: Apache-2.0
# use: pages.pl [--write] BUILD PAGE...      --write: puts what they print into the page instead
#
# A command is a line `    $ COMMAND' (a last \ continues it); the indented lines after it, up to the next command or the end of the
# block, are what it prints, both streams.  A line `    ...' stands for any lines.  Commands run in order, in the root, by a shell
# in which heddle is that of BUILD and $TMP an empty folder of the page.  A report's link into the page, which is of the build folder,
# is left out.  Exit status 1: something differs, or a page has no command.
use strict;
use warnings;
use Cwd 'abs_path';
use File::Temp 'tempdir';

my $write = @ARGV && $ARGV[0] eq '--write' && shift;
my $build = abs_path(shift);
my ($commands, $wrong) = (0, 0);
$ENV{PATH} = "$build:$ENV{PATH}";
delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};       # a make in a page is one of its own

sub output_of {
    my $script = $_[0];
    open my $out, '-|', 'bash', '-c', "exec 2>&1 < /dev/null\n$script" or die "bash: $!\n";
    my @lines = <$out>;
    close $out;
    chomp @lines;
    @lines = grep { !/^ *page: / } @lines;
    s/^.*\r(?:\x1b\[K)?//, s/\s+$// for @lines;
    pop @lines while @lines && $lines[-1] eq '';
    return @lines;
}
# Whether lines are as the page has them, where `...' stands for any.
sub same {
    my ($want, $got) = @_;
    my $re = join "\n", map { /^\s*\.\.\.$/ ? '(?:.*\n)*?.*' : quotemeta } @$want;
    return join("\n", @$got) =~ /\A$re\z/;
}

for my $page (@ARGV) {
    open my $f, '<', $page or die "$page: $!\n";
    chomp(my @in = <$f>);
    close $f;
    local $ENV{TMP} = tempdir(CLEANUP => 1);
    my ($here, $n, @out) = (0, 0);
    while (@in) {
        my $line = shift @in;
        $n++;
        push @out, $line;
        next unless $line =~ /^    \$ (.*)$/;
        my ($command, $at, @want) = ($1, $n);
        while ($command =~ s/\\$//) { push @out, my $more = shift @in; $n++; $command .= $more }
        # A blank line ends the output, unless the block goes on with something that is no command.
        while (@in && ($in[0] =~ /^    (?!\$ )/ || ($in[0] eq '' && @in > 1 && $in[1] =~ /^    (?!\$ )/ && @want))) {
            push @want, shift(@in) =~ s/^    //r;
            $n++;
        }
        s/\s+$// for @want;
        my @got = output_of($command);
        $here++;
        if ($write) { push @out, map { $_ eq '' ? '' : "    $_" } same(\@want, \@got) ? @want : @got; next }
        push @out, map { "    $_" } @want;
        next if same(\@want, \@got);
        $wrong++;
        print "FAIL $page:$at: $command\n--- the page says\n", map({ "$_\n" } @want), "--- it prints\n", map { "$_\n" } @got;
    }
    if ($write) { open my $o, '>', $page or die "$page: $!\n"; print $o map { "$_\n" } @out; close $o or die "$page: $!\n" }
    if (!$here) { $wrong++; print "FAIL $page: no command in it\n" }
    $commands += $here;
}
print "pages: $commands commands, $wrong wrong\n";
exit($wrong || !$commands ? 1 : 0);
