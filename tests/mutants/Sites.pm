# Where a source file can be changed by a small mistake, and how: mutation operators on its tokens.
# SPDX-License-Identifier: Apache-2.0
#
# sites(text, is Verilog) gives all of them as {op, from, to, new}: the operator's name, and tokens
# [from, to) that give way to others.  Only expressions change (Mux.pm), so `drop` assigns a
# variable to itself, and an arm of a case is dropped by giving it the label of the arm before, or
# by hiding its value from the switch.  What has to be constant (widths, generate, declarations,
# labels) is left alone as far as tokens tell; the compiler finds the rest, and such mutants do not
# count.
package Sites;
use strict;
use warnings;
use Exporter 'import';
use Mux;
our @EXPORT = qw(sites);

my %swap = ('&&' => '||', '||' => '&&', '==' => '!=', '!=' => '==', '<' => '<=', '<=' => '<', '>' => '>=', '>=' => '>',
            '+' => '-', '-' => '+', '&' => '|', '|' => '&');
my %kind = ('&&' => 'and-or', '||' => 'and-or', '==' => 'equal', '!=' => 'equal', '+' => 'plus-minus', '-' => 'plus-minus',
            '&' => 'bit-and-or', '|' => 'bit-and-or', '<' => 'less', '<=' => 'less', '>' => 'less', '>=' => 'less');
my $name    = qr/^[A-Za-z_]\w*$/;
my $keyword = qr/^(?:if|else|for|while|do|return|case|switch|begin|end|endcase|goto|sizeof|assign|wire|logic|input|output|
                    static|const|unsigned|struct|enum|bool|int|default|always_comb|posedge|break|continue)$/x;
my %open  = ('(' => ')', '[' => ']', '{' => '}');
my %close = map { $_ => 1 } values %open;

# For each token: the bracket that closes or opens it, if it is one; the brackets around it.
sub brackets {
    my ($t) = @_;
    my (@stack, @mate, @around);
    for my $i (0 .. $#$t) {
        if ($close{ $t->[$i] } && @stack) {
            my $o = pop @stack;
            @mate[$o, $i] = ($i, $o);
        }
        $around[$i] = [@stack];
        push @stack, $i if $open{ $t->[$i] };
    }
    return (\@mate, \@around);
}

sub mark { my ($off, $from, $to) = @_; $off->[$_] = 1 for $from .. $to }

# To the next `;` outside brackets.
sub statement_end {
    my ($t, $mate, $i) = @_;
    while ($i < $#$t && $t->[$i] ne ';') { $i = $open{ $t->[$i] } && $mate->[$i] ? $mate->[$i] + 1 : $i + 1 }
    return $i;
}

# Verilog's tokens that must stay: headers, declarations' ranges, parameters, generate,
# replications, casts, labels.
sub fixed_verilog {
    my ($t, $mate, $line) = @_;
    my ($off, $i) = ([], 0);
    for ($i = 0; $i < $#$t; $i++) {
        my ($w, $next) = ($t->[$i], $t->[$i + 1]);
        if ($w eq 'module') { mark($off, $i, statement_end($t, $mate, $i)) }
        elsif ($w =~ /^(?:localparam|parameter|genvar|import|typedef|function|initial|endmodule)$/) {
            mark($off, $i, statement_end($t, $mate, $i));
        }
        elsif ($w =~ /^`(?:include|if|el|end|def)/) { for (my $k = $i; $line->[$k] == $line->[$i]; $k++) { $off->[$k] = 1 } }
        elsif ($w =~ /^(?:wire|logic|input|output|reg|signed|automatic)$/ && $next eq '[') { mark($off, $i, $mate->[$i + 1]) }
        elsif ($w =~ /^(?:wire|logic)$/ && $t->[$i + 1] =~ /^unused/) { mark($off, $i, statement_end($t, $mate, $i)) }
        elsif ($w eq '#' && $next eq '(') { mark($off, $i, $mate->[$i + 1]) }
        elsif ($w eq '+:') { for (my $k = $i; $t->[$k] ne ']'; $k++) { $off->[$k] = 1 } }
        elsif ($w eq '@' || ($w eq 'for' && $next eq '(')) { mark($off, $i, $mate->[$i + 1]) if $mate->[$i + 1] }
        elsif ($w eq 'if' && $next eq '(' && $t->[$mate->[$i + 1] + 1] eq 'begin' && $t->[$mate->[$i + 1] + 2] eq ':') {
            mark($off, $i, $mate->[$i + 1]);
        }
        elsif ($w eq '{') {
            my $k = $i + 1;
            $k++ while $k < $#$t && $t->[$k] !~ /^[{},;]$/;
            mark($off, $i, $k) if $t->[$k] eq '{';
        }
        elsif ($w eq '$clog2' || $w eq '$bits') { mark($off, $i, $mate->[$i + 1]) }
        elsif ($next eq "'") { mark($off, $w eq ')' ? $mate->[$i] : $i, $i + 1) }
        elsif ($w eq '.' && $next =~ /_o$/ && $t->[$i + 2] eq '(') { mark($off, $i, $mate->[$i + 2]) }
        elsif ($w eq '[' && $mate->[$i]) {     # a part select with constant bounds, or a memory's size
            mark($off, $i, $mate->[$i]) if grep { $t->[$_] eq ':' } $i .. $mate->[$i];
        }
        elsif ($next eq ':' && ($t->[$i - 1] =~ /^(?:;|end|,|\)|endcase)$/)) { $off->[$i] = 1 }
    }
    return $off;
}

# C's: the preprocessor's lines, all outside of functions, static data, labels.
sub fixed_c {
    my ($t, $mate, $around, $line, $text) = @_;
    my ($off, $i, %cpp, $n, $goes_on) = ([], 0);
    for (split /\n/, $text) {
        $n++;
        $cpp{$n} = 1 if $goes_on || /^\s*#/;
        $goes_on = $cpp{$n} && /\\$/;
    }
    for ($i = 0; $i < $#$t; ) {
        if ($t->[$i] eq '{' && $i && $t->[$i - 1] eq ')') { $i = $mate->[$i] + 1; next }   # a function's body
        my $to = $open{ $t->[$i] } && $mate->[$i] ? $mate->[$i] : $i;
        mark($off, $i, $to);
        $i = $to + 1;
    }
    for $i (0 .. $#$t) {
        $off->[$i] = 1 if $cpp{ $line->[$i] };
        mark($off, $i, statement_end($t, $mate, $i)) if $t->[$around->[$i][0] // 0] eq '{' && $t->[$i] =~ /^(?:static|enum|_Static_assert)$/;
        if ($t->[$i] eq 'case') { for (my $k = $i; $t->[$k] ne ':'; $k++) { $off->[$k] = 1 } }
    }
    return $off;
}

# Assignments as statements: [first of the left side, the operator, the `;`].
sub assignments {
    my ($t, $mate, $around, $off, $verilog) = @_;
    my ($start, @list, $i) = (0);
    for ($i = 0; $i < $#$t; $i++) {
        my $w = $t->[$i];
        if ($w =~ /^(?:;|begin|end|else|always_comb|endcase|\{|\}|:|do)$/ && !($verilog && $w =~ /^[{}]$/)) { $start = $i + 1; next }
        if ($open{$w} && $mate->[$i]) {
            $i = $mate->[$i];
            $start = $i + 1 if $w eq '(' && $t->[$mate->[$i] - 1] =~ /^(?:if|for|while|case|switch|@)$/;
            next;
        }
        next if $off->[$i] || $i == $start || !($w =~ /^[-+|&^]?=$/ || ($verilog && $w eq '<='));
        my $end = statement_end($t, $mate, $i);
        my @left = @$t[$start .. $i - 1];
        push @list, [$start, $i, $end]
            if !grep { $_ =~ $keyword || /^(?:\+\+|--|,)$/ } @left[0 .. ($left[0] eq '{' ? 0 : $#left)]
            and $left[0] eq '{' || join(' ', @left) =~ /^(?:\* )?[A-Za-z_]\w*(?: (?:->|\.) \w+| \[.*\])*$/;
        $i = $end - 1;
    }
    return @list;
}

sub off_by_one {
    my ($w) = @_;
    return "'" . (1 - $1) if $w =~ /^'([01])$/;
    if ($w =~ /^(\d+)'([bdh])([0-9a-fA-F_]+)$/) {
        my ($bits, $base, $digits) = ($1, $2, $3);
        return if $bits > 32;
        $digits =~ tr/_//d;
        my $v = $base eq 'd' ? $digits : $base eq 'h' ? hex $digits : oct "0b$digits";
        my $new = $v == 2**$bits - 1 ? $v - 1 : $v + 1;
        return "$bits'" . sprintf($base eq 'd' ? 'd%u' : $base eq 'h' ? 'h%x' : 'b%b', $new);
    }
    return $1 + 1 . $2 if $w =~ /^(\d+)([uUlL]*)$/ && $1 < 1e9;
    return sprintf '0x%x%s', hex($1) + 1, $2 if $w =~ /^0[xX]([0-9a-fA-F]{1,8})([uUlL]*)$/;
    return;
}

# Verilog: names of one width, as the text of their range: those that may stand for another
# (registers and inputs).
sub names_by_width {
    my ($t, $mate) = @_;
    my (%width, %group);
    for my $i (0 .. $#$t - 1) {
        next unless $t->[$i] =~ /^(?:wire|logic)$/;
        my $k = $i + 1;
        my $range = '';
        if ($t->[$k] eq '[') { $range = join '', @$t[$k .. $mate->[$k]]; $k = $mate->[$k] + 1 }
        for (; $k < $#$t && $t->[$k] =~ $name; $k += 2) {
            last if $t->[$k] =~ $keyword;
            my $next = $t->[$k + 1];
            $width{ $t->[$k] } = $range if $next =~ /^[,;)=]$/;
            last if $next ne ',';
        }
    }
    push @{ $group{ $width{$_} } }, $_ for grep { /_[iq]$/ && !/^(?:clk|rst_n)/ } sort keys %width;
    return (\%width, \%group);
}

# C: parameters of one type, of the function around a token.
sub parameters {
    my ($t, $mate, $around, $i) = @_;
    my ($body) = @{ $around->[$i] };
    return if !defined $body || $t->[$body - 1] ne ')';
    my %type;
    for (split /,/, join ' ', @$t[$mate->[$body - 1] + 1 .. $body - 2]) { $type{$2} = $1 if /^\s*(.*\W)(\w+)\s*$/ }
    my $mine = $type{ $t->[$i] } // return;
    return grep { $_ ne $t->[$i] && $type{$_} eq $mine } sort keys %type;
}

# Assignments that leave their variable as it is: [from, to, tokens].  Verilog's blocking ones only
# where the variable has a value by then: else it would keep that of the last time.
sub drops {
    my ($t, $verilog, @assign) = @_;
    my ($from, %set, @list) = (0);
    for (@assign) {
        my ($start, $op, $end) = @$_;
        for (; $from < $start; $from++) { %set = () if $t->[$from] =~ /^always/ }
        my @target = @$t[$start .. $op - 1];
        my @names = $verilog && $t->[$op] eq '=' ? grep { $_ =~ $name } $target[0] eq '{' ? @target : $target[0] : ();
        next if grep { !$set{$_}++ } @names;
        next if $t->[$op + 1] eq "'" || "@target" eq "@$t[$op + 1 .. $end - 1]" || ($verilog && $target[0] eq '*');
        push @list, [$op + 1, $end, $t->[$op] eq '&=' ? ('-', '1') : $t->[$op] =~ /^[-+|^]=$/ ? '0' : @target];
    }
    return @list;
}

# Verilog: the tokens of statements after a condition on a reset or a start.
sub resets {
    my ($t, $mate) = @_;
    my @reset;
    for my $i (grep { $t->[$_] eq 'if' && $mate->[$_ + 1] } 0 .. $#$t - 1) {
        my $end = $mate->[$i + 1];
        next unless grep { /^(?:rst_n|clear_i|start_i)$/ } @$t[$i .. $end];
        my ($k, $depth) = ($end + 1, 0);
        do { $depth += $t->[$k] eq 'begin' ? 1 : $t->[$k] eq 'end' ? -1 : 0; $reset[$k++] = 1 }
            while $k < $#$t && ($depth || $t->[$k - 1] !~ /^(?:end|;)$/);
    }
    return @reset;
}

# Arms of a case: in Verilog the label, in C the value of the switch: [from, to, tokens].
sub arms {
    my ($t, $mate, $around, $verilog) = @_;
    my ($label, @list);
    for my $i (0 .. $#$t - 2) {
        my ($w, $next, $prev) = ($t->[$i], $t->[$i + 1], $i ? $t->[$i - 1] : '');
        $label = undef if $w =~ /^(?:case|endcase)$/;
        if ($verilog && $w =~ /^[A-Z]\w*$/ && $next eq ':' && $prev =~ /^(?:;|end|\)|endcase)$/) {
            push @list, [$i, $i + 1, $label] if $label;
            $label = $w;
        }
        next if $verilog || $w ne 'case' || $t->[$i + 2] ne ':';
        my ($body) = reverse @{ $around->[$i] };
        my ($from, $to) = ($mate->[$body - 1], $body - 1);
        next if $t->[$body] ne '{' || !defined $from || $t->[$from - 1] ne 'switch';
        my @value = ('(', @$t[$from + 1 .. $to - 1], ')');
        push @list, [$from + 1, $to, @value, '==', $next, '?', '-', '1', ':', @value];
    }
    return @list;
}

sub sites {
    my ($text, $verilog) = @_;
    my $list = tokens($text);
    my ($line, $t) = (lines_of($list), [map { $_->[0] } @$list]);
    my ($mate, $around) = brackets($t);
    my $off = $verilog ? fixed_verilog($t, $mate, $line) : fixed_c($t, $mate, $around, $line, $text);
    my @assign = assignments($t, $mate, $around, $off, $verilog);
    my (%assigned, @left, @site);
    my $add = sub { my ($op, $from, $to, @new) = @_; push @site, { op => $op, from => $from, to => $to, new => \@new } };
    for (@assign) {
        $assigned{ $_->[1] } = 1;
        mark(\@left, $_->[0], $_->[1] - 1);
    }
    for my $i (grep { $t->[$_] eq 'assign' } 0 .. $#$t) {
        for (my $k = $i; $t->[$k] ne '='; $k++) { $left[$k] = 1 }
    }
    $add->('drop', @$_) for drops($t, $verilog, @assign);
    $add->('arm', @$_) for arms($t, $mate, $around, $verilog);
    my @reset = $verilog ? resets($t, $mate) : ();
    my ($width, $group) = $verilog ? names_by_width($t, $mate) : ({}, {});
    for my $i (grep { !$off->[$_] && !$left[$_] } 0 .. $#$t - 1) {
        my ($w, $next, $prev) = ($t->[$i], $t->[$i + 1], $i ? $t->[$i - 1] : '');
        my $operand = ($prev =~ $name && $prev !~ $keyword) || $prev =~ /^[\d)\]}']/;
        if ($verilog && $next eq '[' && ($width->{$w} // '') ne ''
            && join('', @$t[$i + 1 .. $mate->[$i + 1]]) =~ /^\[(\d+)(?::(\d+))?\]$/) {
            my ($hi, $lo) = ($1, $2);
            my $by = ($lo // $hi) > 0 ? -1 : 1;
            $add->('slice', $i, $mate->[$i + 1] + 1, $w, '[', $hi + $by, defined $lo ? (':', $lo + $by) : (), ']');
        }
        if ($w =~ /^(?:if|while)$/ && $next eq '(') {
            $add->('negate', $i + 2, $mate->[$i + 1], '!', '(', @$t[$i + 2 .. $mate->[$i + 1] - 1], ')');
        } elsif ($swap{$w} && $operand && !$assigned{$i} && !($verilog && $w eq '<=' && !@{ $around->[$i] })) {
            $add->($kind{$w}, $i, $i + 1, $swap{$w});
        } elsif ($w =~ /^['\d]/) {
            my $new = off_by_one($w);
            $add->($reset[$i] ? 'reset' : 'constant', $i, $i + 1, $new) if defined $new;
        } elsif ($w =~ $name && $prev !~ /^(?:\.|->|`)$/ && $next !~ /^(?:\(|\.|->|=)$/) {
            my @other = $verilog ? grep { $_ ne $w } @{ $group->{ $width->{$w} // 'none' } // [] }
                      : parameters($t, $mate, $around, $i);
            $add->('signal', $i, $i + 1, $other[rand @other]) if @other && !($prev eq '(' && $next eq ')' && $t->[$i - 2] !~ /_i$/);
        }
    }
    $_->{line} = $line->[$_->{from}] for @site;
    return ($list, @site);
}

1;
