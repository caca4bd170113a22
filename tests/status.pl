#!/usr/bin/env perl
# No check loses its status: of a pipe only the last command's counts, and of commands one after
# another only the last one's.  Reads the recipes of the makefiles and the scripts.
# SPDX-License-Identifier: Apache-2.0
#
#   status.pl            those that git knows; or
#   status.pl FILE...
#
# In a pipe whatever writes into it must be a plain tool (below), whose failure shows in what it
# writes, unless `set -o pipefail` is on.  In a recipe, a command that is not the last one ends with
# `|| exit 1' or the like, or `set -e' is on.  A line with the word `status:' in its comment, or
# below such a comment, says itself why it needs no status.
use strict;
use warnings;

# Who only reads, writes and sorts text.
my %plain = map { $_ => 1 } qw(: [ awk basename cat cd chmod cksum column comm cp cut date dd dirname echo env export
    find grep git gunzip gzip head join ldd ln local ls mkdir mktemp mv nproc od paste printf ps read readonly return
    rev rm script sed seq set shift sleep sort strings tail tee test touch tr trap true uniq unset wait wc xargs yes
    zcat kill exit break continue exec eval stty tput umask type command false diff cmp size nm readelf ldconfig nvidia-smi sinfo dpkg fst2vcd xwininfo);
my %keyword = map { $_ => 1 } qw(if then elif else fi do done while until for case esac in ! { } time);
my ($found, $pipes, $recipes, %said) = (0, 0, 0);
my ($file, @comment, $strict, $recipe, %defined, $piped);

sub finding {
    my ($line, $what) = @_;
    return if $said{"$file:$line:$what"}++;
    for my $l ($line, $line - 1) { return if $l > 0 && ($comment[$l] // '') =~ /\bstatus:/ }
    print "$file:$line: $what\n";
    $found++;
}

# ---- a shell's text as tokens: [line, type, text, [pieces within it that are commands]] ----
sub tokens {
    my ($text, $line) = @_;
    my (@token, @here);
    my ($word, $at, @inner) = (undef, $line);
    my $end = sub { push @token, [ $at, 'word', $word, [@inner] ] if defined $word; $word = undef; @inner = () };
    my $begin = sub { $at = $line unless defined $word; $word //= '' };
    # `$(' has been read: the text up to its `)'.
    my $nested; $nested = sub {
        my $from = pos $text;
        my $depth = 1;
        while ($depth && $text =~ /\G(?:([^\\'"()#\$`]+)|(\\.)|('[^']*')|("(?:[^"\\\$`]|\\.|\$(?!\())*")|(")|(\$\()|(\()|(\))|((?<=\s)#[^\n]*)|(.))/gcs) {
            if (defined $5) {                # a string with `$(' in it
                while ($text =~ /\G(?:[^"\\\$`]+|\\.|(\$\()|(")|.)/gcs) { if (defined $1) { $nested->() } elsif (defined $2) { last } }
            } elsif (defined $6) { $nested->() }
            elsif (defined $7) { $depth++ }
            elsif (defined $8) { $depth-- }
        }
        return substr $text, $from, pos($text) - $from - 1;
    };
    my $substitution = sub {
        my $l = $line;
        my $inside = $nested->();
        $line += ($inside =~ tr/\n//);
        push @inner, [ $inside, $l ] unless $inside =~ /^\(/;
        $word .= '$()';
    };
    pos($text) = 0;
    while (pos($text) < length $text) {
        if ($text =~ /\G\\\n/gc) { $line++ }
        elsif ($text =~ /\G[ \t]+/gc) { $end->() }
        elsif (!defined $word && $text =~ /\G#([^\n]*)/gc) { $comment[$line] = $1 }
        elsif ($text =~ /\G\n/gc) {
            $end->();
            push @token, [ $line, 'op', "\n", [] ];
            $line++;
            for my $mark (splice @here) {
                $text =~ /\G(.*?)^\t*\Q$mark\E$/gcms and $line += ($1 =~ tr/\n//);
            }
        }
        elsif ($text =~ /\G\$\(/gc) { $begin->(); $substitution->() }
        elsif ($text =~ /\G`((?:[^`\\]|\\.)*)`/gcs) { $begin->(); push @inner, [ $1, $line ]; $word .= '``'; $line += ($1 =~ tr/\n//) }
        elsif ($text =~ /\G(\$\{[^}]*\})/gc) { $begin->(); $word .= $1 }
        elsif ($text =~ /\G('[^']*')/gc) { $begin->(); $word .= $1; $line += ($1 =~ tr/\n//) }
        elsif ($text =~ /\G"/gc) {
            $begin->();
            $word .= '"';
            while ($text =~ /\G(?:([^"\\\$`]+)|(\\.)|(\$\()|(")|(.))/gcs) {
                if (defined $3) { $substitution->() }
                else { my $piece = $1 // $2 // $4 // $5; $word .= $piece; $line += ($piece =~ tr/\n//); last if defined $4 }
            }
        }
        elsif ($text =~ /\G(\\.)/gcs) { $begin->(); $word .= $1 }
        elsif ($text =~ /\G<<-?[ ]*(['"\\]?)(\w+)\1?/gc) { $end->(); push @here, $2 }
        elsif ($text =~ /\G\d*(?:>&|<&)\d*-?|\G\d*>>?\|?|\G&>|\G<<<|\G\d*<(?!\()/gc) { $end->(); push @token, [ $line, 'op', '>', [] ] if substr($text, pos($text) - 1, 1) =~ /[<>|]/ }
        elsif ($text =~ /\G(&&|\|\||\|&|;;|[|;&()])/gc) { $end->(); push @token, [ $line, 'op', $1, [] ] }
        elsif ($text =~ /\G([^\s;|&()<>'"\\`\$#]+|.)/gcs) { $begin->(); $word .= $1 }
    }
    $end->();
    return @token;
}

# ---- commands: who judges in them ----
my (@t, $i);
sub peek { return $i < @t ? $t[$i] : [ $i ? $t[-1][0] : 0, 'end', '', [] ] }
sub op { my ($want) = @_; my $n = peek(); return $n->[1] eq 'op' && $n->[2] eq $want }
sub word { my ($want) = @_; my $n = peek(); return $n->[1] eq 'word' && $n->[2] eq $want }
sub newlines { $i++ while op("\n") || op(';') }

sub within {                            # of substitutions in a word
    my ($token) = @_;
    for my $piece (@{ $token->[3] }) {
        my ($text, $line) = @$piece;
        my @save = (\@t, $i);
        my @old = @t;
        my $was = $recipe;
        ($recipe, @t) = (0, tokens($text, $line));
        $i = 0;
        commands(1);
        ($recipe, @t) = ($was, @old);
        $i = $save[1];
    }
}
# Up to a word or operator that ends it.  Returns who judges: { name, kept: something looks at its status }.
sub commands {
    my ($top) = @_;
    my @judges;
    newlines();
    while ($i < @t) {
        my $n = peek();
        last if $n->[1] eq 'op' && ($n->[2] eq ')' || $n->[2] eq ';;');
        last if $n->[1] eq 'word' && $n->[2] =~ /^(then|elif|else|fi|do|done|esac|\})$/;
        my $from = $i;
        my ($line, @who) = (peek()->[0]);
        while (1) {
            push @who, pipeline();
            last unless op('&&') || op('||');
            $_->{kept} = op('||') for @who;
            $i++;
            newlines();
        }
        push @judges, @who;
        my $apart = op(';') || op("\n");
        my $behind = op('&');
        $i++ if $behind;
        newlines();
        my $more = $i < @t && !(peek()->[1] eq 'op' && peek()->[2] =~ /^(\)|;;)$/)
                           && !(peek()->[1] eq 'word' && peek()->[2] =~ /^(then|elif|else|fi|do|esac|\})$/);
        # In a recipe: the next command runs, whatever this one said.
        my $asked = ($t[$i] // [0, '', ''])->[2] =~ /\$\{?\?/ || ($t[$i + 1] // [0, '', ''])->[2] =~ /\$\{?\?/;
        my ($lost) = grep { !$_->{kept} } @who;
        finding($line, "the status of `$lost->{name}' is lost: end it with `|| exit 1', or begin with `set -e'")
            if $recipe && !$strict && $apart && $more && $lost && !$behind && !$asked;
        $i++ if $i == $from;                # what cannot be read
    }
    return @judges;
}
sub pipeline {
    my @judges;
    $i++ while word('!') || word('time');
    while (1) {
        my $line = peek()->[0];
        my @who = command();
        if (op('|') || op('|&')) {
            $pipes++;
            finding($line, "`$who[0]{name}' writes into a pipe, which loses its status") if @who && !$piped;
            $i++;
            newlines();
            next;
        }
        return @who;
    }
}
sub command {
    my $n = peek();
    my @judges;
    if ($n->[1] eq 'op' && $n->[2] eq '(') {
        $i++;
        @judges = commands();
        $i++ if op(')');
    } elsif (word('{')) {
        $i++;
        @judges = commands();
        $i++ if word('}');
    } elsif (word('if') || word('while') || word('until')) {
        my $was = $recipe;
        while (word('if') || word('while') || word('until') || word('elif') || word('then') || word('do') || word('else')) {
            $recipe = 0 if word('if') || word('while') || word('until') || word('elif');
            my $condition = !$recipe;
            $i++;
            my @who = commands();
            push @judges, @who unless $condition;
            $recipe = $was;
        }
        $i++ if word('fi') || word('done');
    } elsif (word('for')) {
        $i++ until $i >= @t || op(';') || op("\n") || word('do') || !defined(within(peek()) // 1);
        newlines();
        $i++ if word('do');
        @judges = commands();
        # Of a loop only the last round's status is left.
        $i++ if word('done');
    } elsif (word('case')) {
        $i++ until $i >= @t || word('in') || !defined(within(peek()) // 1);
        $i++;
        while (newlines(), $i < @t && !word('esac')) {
            $i++ until $i >= @t || op(')');
            $i++;
            push @judges, commands();
            $i++ if op(';;');
        }
        $i++ if word('esac');
    } elsif ($n->[1] eq 'word' && ($t[$i + 1] // [0, '', ''])->[2] eq '(' && ($t[$i + 2] // [0, '', ''])->[2] eq ')') {
        $i += 3;
        newlines();
        $defined{ $n->[2] } = [ command() ];
        return ();
    } else {
        return simple();
    }
    # redirections of all of it
    while (op('>')) { $i++; within(peek()); $i++ }
    return @judges;
}
sub simple {
    my ($name, @rest);
    while ($i < @t) {
        my $n = peek();
        if ($n->[1] eq 'op') {
            last unless $n->[2] eq '>';
            $i++;
            within(peek());
            $i++;
            next;
        }
        within($n);
        if (!defined $name && $n->[2] =~ /^\w+=/) { $i++; next }
        if (!defined $name) { $name = $n->[2] } else { push @rest, $n->[2] }
        $i++;
    }
    return () unless defined $name;
    # who runs another one
    while ($name =~ /^(env|exec|timeout|nice|ulimit|command|xargs|stdbuf|taskset)$/ && @rest) {
        my $next = shift @rest;
        next if $next =~ /^-|^\w+=|^[0-9.]+$|^KILL$|^\{\}$/;
        $name = $next;
        last if $name !~ /^(env|exec|timeout|nice|command|xargs|stdbuf|taskset)$/;
    }
    $name =~ s{^/usr/bin/|^/bin/}{};
    return map { { %$_ } } @{ $defined{$name} } if $defined{$name};
    return $plain{$name} || $keyword{$name} ? () : ({ name => $name, kept => 0 });
}

sub shell {
    my ($text, $line, $made) = @_;
    $recipe = $made;
    $strict = $text =~ /\bset -[a-z]*e\b|\bset -[a-z]*e[a-z]* /;
    $piped = $text =~ /pipefail/ unless $made && $piped;
    %defined = () unless $made;
    @t = tokens($text, $line);
    $i = 0;
    while ($i < @t) { commands(1); $i++ }       # past a parenthesis that nothing opened
}
# Variables and calls of make are words; of a choice the last one is taken.
sub made {
    my ($text) = @_;
    $text =~ s{(?<!\$)\$\(((?:[^()]|(\((?:[^()]|(?2))*\)))*)\)}{
        my ($inside, $n) = ($1, $1 =~ tr/\n//);
        my ($last) = $inside =~ /^if .*,((?:[^,()]|\([^()]*\))*)$/s;
        defined $last ? "\\\n" x ($n - ($last =~ tr/\n//)) . made($last)
                      : "{make:" . ($inside =~ s/[^\w:.-]/_/gr) . "}" . "\\\n" x $n
    }gex;
    return $text;
}
# A command of a recipe is a line, with those that its backslashes join.
sub makefile {
    my ($text) = @_;
    my @line = split /\n/, $text, -1;
    $piped = $text =~ /^\.SHELLFLAGS.*pipefail/m;
    for (my $k = 0; $k < @line; $k++) {
        my $from = $k;
        if ($line[$k] =~ /^#(.*)/) { $comment[$k + 1] = $1; next }
        my $whole = $line[$k];
        $whole .= "\n" . $line[++$k] while $whole =~ /\\\z/ && $k < $#line;
        next unless $whole =~ s/^\t//s || $whole =~ s/^[\w ]+=\s*(?=\$\(Q\))//s;
        $whole =~ s/^(?:\$\(Q\)|[\@+-])+\s*//;
        $whole = made($whole);
        $whole =~ s/\$([@<*^+?])/{$1}/g;
        $whole =~ s/\$\$/\$/g;
        $recipes++;
        shell($whole, $from + 1, 1);
    }
}

my @files = @ARGV ? @ARGV : split /\n/, `git ls-files Makefile '*.mk' '*.sh' .ci`;
for (@files) {
    $file = $_;
    next unless -f $file;
    open(my $in, '<', $file) or die "$file: $!\n";
    my $text = do { local $/; <$in> };
    @comment = ();
    $piped = 0;
    if ($file =~ m{(^|/)Makefile$|\.mk$}) { makefile($text) } else { shell($text, 1, 0) }
}
printf "status: %d files, %d recipes, %d pipes: %d lose a status\n", scalar @files, $recipes, $pipes, $found;
exit($found || !$pipes);
