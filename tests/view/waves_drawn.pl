#!/usr/bin/perl
# What GTKWave has drawn: each row of the view by its name, with the value that the waveform has at
# the marker; each named marker; and words that must stand in the picture.  The picture is
# PostScript, where text is text.
# SPDX-License-Identifier: Apache-2.0
# use: waves_drawn.pl VIEW.gtkw PICTURE.ps WAVEFORM.vcd WORD...
use strict;
use warnings;
my ($view, $picture, $vcd, @words) = @ARGV;
my $bad = 0;
sub wrong { print "waves: @_\n"; $bad = 1 }
sub slurp { open my $in, '<', $_[0] or die "$_[0]: $!\n"; local $/; return scalar <$in> }

# ---- the view: rows in their order, marker, named markers ----
my (@row, $flag, $marker, $start, $end, @mark, %named, $wide);
for (split /\n/, slurp($view)) {
    $flag = hex $1 if /^@([0-9a-f]+)$/;
    $start = $1 if /^\[timestart\] (\d+)/;
    ($marker, @mark) = split ' ', $2 if /^\*(\S+) (.*)/;
    $wide = $1 if /^\[signals_width\] (\d+)/;
    $end = ($start // 0) + (1600 - 70 - ($wide // 330)) / 200 * 0.92 * 2 ** -$1 if /^\*(\S+) /;  # in sight: zoom counts in 200 pixels
    if (/^\[markername\] ([A-Z])(.*)/) {
        my $at = $mark[ord($1) - ord 'A'];
        $named{$2} = 1 if $at >= $start && $at <= $end;
    }
    push @row, { name => $1, signal => $2, flag => $flag } if /^\+\{(.*?)\} (\S+)$/;
    push @row, { name => $1 } if defined $flag && $flag == 0x200 && /^-(.*)/;
}
@row && defined $marker or die "waves: $view holds no rows, or no marker\n";

# ---- the waveform: what each row's signal is at the marker ----
my (@scope, %id, %value, $now);
my %wanted = map { $_->{signal} ? ($_->{signal} => 1) : () } @row;
open my $in, '<', $vcd or die "$vcd: $!\n";
while (<$in>) {
    if (/^\$scope \S+ (\S+) /) { push @scope, $1 }
    elsif (/^\$upscope/) { pop @scope }
    elsif (/^\$var \S+ \d+ (\S+) (\S+)(?: (\[\S+\]))? \$end/) {
        my $name = join('.', @scope, $2) . ($3 // '');
        $id{$name} = $1 if $wanted{$name};
    }
    elsif (/^#(\d+)/) { last if $1 > $marker; $now = $1 }
    elsif (/^[bs](\S*) (\S+)$/) { $value{$2} = $1 }
    elsif (/^([01xz])(\S+)$/) { $value{$2} = $1 }
}
defined $now or die "waves: $vcd ends before cycle $marker\n";
sub at_marker {
    my ($r) = @_;
    my ($bits) = $r->{signal} =~ /\[(\d+):0\]/;
    my $v = $value{$id{$r->{signal}}};
    return $bits ? 'x' x ($r->{flag} & 4 ? 1 : ($bits + 4) / 4) : 'UNDEF' if !defined $v || $v eq 'x';
    return $v =~ s/\\([0-7]{3})/chr oct $1/ger if $r->{flag} & 8;            # text
    return oct "0b$v" if $r->{flag} & 4;
    return sprintf '%0*X', ($bits + 4) / 4, oct "0b$v";
}

# ---- the picture ----
my @drawn = map { s/\\([()\\])/$1/gr } slurp($picture) =~ /^\((.*)\) show$/mg;
@drawn or die "waves: $picture holds no text\n";
my %drawn; $drawn{$_}++ for @drawn;
my $checked = 0;
my ($longest) = sort { $b <=> $a } map { length $_->{name} } @row;     # names are a column, of 8 pixels a letter
my %shown;
/^(?:pc: next|warp$|block$|source|event|lane|top|token|read |members|arrived)/ and $shown{$_} = 1 for map { $_->{name} } @row;
for my $r (@row) {
    if (!$r->{signal}) { $drawn{ $r->{name} } or wrong("the heading `$r->{name}' is not drawn"); $checked++; next }
    if (!defined $id{ $r->{signal} }) {
        my @same = grep { $_->{name} eq $r->{name} } @row;
        wrong("$r->{name}: drawn, but the waveform has no $r->{signal}") if @same == 1 && grep { /^\Q$r->{name}\E=/ } @drawn;
        next;
    }
    my $want = "$r->{name}=" . at_marker($r);
    my $value = at_marker($r);
    wrong("$r->{name}: $wide pixels cut `$value' off")
        if $wide && $shown{ $r->{name} } && length $value <= 56 && 8 * ($longest + 1 + length $value) > $wide;
    $drawn{$want} ? $checked++ : wrong("the row `$want' is not drawn: " . join ', ', grep { /^\Q$r->{name}\E=/ } @drawn);
}
my %cycles; $_ >= 0 && $cycles{$_}++ and wrong("two markers in cycle $_") for @mark;
for my $m (keys %named) {
    $drawn{$m} ? $checked++ : wrong("the marker `$m' is not drawn");
}
for my $w (@words) {
    grep({ index($_, $w) >= 0 } @drawn) ? $checked++ : wrong("`$w' is not drawn");
}
print "waves: $view: $checked rows, markers and words are drawn\n" if !$bad;
exit $bad;
