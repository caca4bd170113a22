#!/usr/bin/perl
# Checks JSON by a schema: the keywords of JSON Schema that the schemas of docs/ use, and no others.
# SPDX-License-Identifier: Apache-2.0
# use: schema.pl SCHEMA[#/$defs/NAME] [--lines] [--more] < JSON
# --lines: each line is a value of its own.  --more: each of its objects with an unknown name is
# refused, too.  A name of an object that the schema does not have is wrong, also where the schema
# does not say so.  Exit status 1: it is not as the schema says; 2: the schema is not known here.
use strict;
use warnings;
use JSON::PP;
use B;

my ($path, $part) = split /#/, shift, 2;
my $lines = grep { $_ eq '--lines' } @ARGV;
my $more = grep { $_ eq '--more' } @ARGV;
open my $f, '<', $path or do { print "schema.pl: $path: $!\n"; exit 2 };
my $root = JSON::PP->new->decode(do { local $/; <$f> });
my @wrong;

sub at_ref {
    my $s = $root;
    for (split m{/}, substr $_[0], 2) { $s = $s->{$_} // do { print "schema.pl: no $_[0] in $path\n"; exit 2 } }
    return $s;
}
sub is_number { my $k = B::svref_2object(\$_[0])->FLAGS; return $k & (B::SVf_IOK | B::SVf_NOK) && !($k & B::SVf_POK) }
sub type_of {
    my $v = $_[0];
    return !defined $v ? 'null' : ref $v eq 'HASH' ? 'object' : ref $v eq 'ARRAY' ? 'array' : JSON::PP::is_bool($v) ? 'boolean'
         : is_number($v) ? $v == int $v ? 'integer' : 'number' : 'string';
}
my %known = map { $_ => 1 } qw($schema $id $defs definitions $ref title description type required properties
                               patternProperties additionalProperties items enum const pattern minimum maximum minItems maxItems);
sub object {
    my ($s, $v, $where) = @_;
    for (@{ $s->{required} || [] }) { push @wrong, "$where: no `$_'" if !exists $v->{$_} }
    KEY: for my $k (sort keys %$v) {
        my $rule = $s->{properties}{$k};
        for my $p (keys %{ $s->{patternProperties} || {} }) { $rule //= $s->{patternProperties}{$p} if $k =~ /$p/ }
        $rule //= $s->{additionalProperties} // 0;
        if (!ref $rule || JSON::PP::is_bool($rule)) { push @wrong, "$where: `$k' is not in the schema" if !$rule; next KEY }
        check($rule, $v->{$k}, "$where/$k");
    }
}
sub check {
    my ($s, $v, $where) = @_;
    for (keys %$s) { if (!$known{$_}) { print "schema.pl: the keyword $_ is not known\n"; exit 2 } }
    return check(at_ref($s->{'$ref'}), $v, $where) if $s->{'$ref'};
    my $type = type_of($v);
    if (!grep { exists $s->{$_} } qw(type enum const)) { print "schema.pl: nothing is said of $where\n"; exit 2 }
    push @wrong, "$where: not `$s->{const}'" if exists $s->{const} && $s->{const} ne $v;
    if (my $want = $s->{type}) {
        my @any = ref $want ? @$want : ($want);
        if (!grep { $_ eq $type || ($_ eq 'number' && $type eq 'integer') } @any) { push @wrong, "$where: $type, not @any"; return }
    }
    push @wrong, "$where: `$v' is none of @{ $s->{enum} }" if $s->{enum} && !grep { $_ eq $v } @{ $s->{enum} };
    push @wrong, "$where: `$v' does not match $s->{pattern}" if $s->{pattern} && $v !~ /$s->{pattern}/;
    push @wrong, "$where: $v is below $s->{minimum}" if defined $s->{minimum} && $v < $s->{minimum};
    push @wrong, "$where: $v is above $s->{maximum}" if defined $s->{maximum} && $v > $s->{maximum};
    object($s, $v, $where) if $type eq 'object';
    if ($type eq 'array') {
        push @wrong, "$where: " . @$v . ' elements' if @$v < ($s->{minItems} // 0) || @$v > ($s->{maxItems} // @$v);
        if (!$s->{items}) { print "schema.pl: nothing is said of the elements of $where\n"; exit 2 }
        my $i = 0;
        check($s->{items}, $_, "$where/" . $i++) for @$v;
    }
}
# One object of each kind, by the names that lead to it, with a name that no schema has: refused?
my %tried;
sub refuses_more {
    my ($v, $where, $whole, $rule) = @_;
    if (ref $v eq 'ARRAY') { refuses_more($_, "$where/*", $whole, $rule) for @$v }
    return if ref $v ne 'HASH';
    if (!$tried{$where}++) {
        my @before = @wrong;
        $v->{'no such name'} = 0;
        check($rule, $whole, '');
        delete $v->{'no such name'};
        @wrong = @wrong > @before ? @before : (@before, "$where: an unknown name is taken");
    }
    refuses_more($v->{$_}, "$where/$_", $whole, $rule) for sort keys %$v;
}

my $text = do { local $/; <STDIN> } // '';
my @values = $lines ? split /\n/, $text : ($text);
my $rule = $part ? at_ref("#$part") : $root;
my $n = 0;
for my $t (@values) {
    $n++;
    my $v = eval { JSON::PP->new->allow_nonref->decode($t) };
    if ($@) { push @wrong, "value $n: no JSON: $@"; next }
    check($rule, $v, $lines ? "line $n" : '');
    refuses_more($v, '', $v, $rule) if $more && !@wrong;
}
push @wrong, 'nothing was given' if !$n || $text eq '';
print "$_\n" for @wrong > 20 ? (@wrong[0 .. 19], 'and ' . (@wrong - 20) . ' more') : @wrong;
exit(@wrong ? 1 : 0);
