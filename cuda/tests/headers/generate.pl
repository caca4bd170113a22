#!/usr/bin/perl
# The judged programs from functions.tsv: FOLDER/judge_K.cu, ROWS rows each.
# SPDX-License-Identifier: Apache-2.0
#   generate.pl functions.tsv FOLDER [FILE]     FILE: prototypes to leave out
use strict;
use warnings;
my ($list, $folder, $without) = @ARGV;
my $rows = 120;
my %left_out;
if ($without && open my $f, '<', $without) { chomp, $left_out{$_} = 1 while <$f> }
my (@out, $k);
my %small = ('jn' => { 0 => 'ORDER' }, 'yn' => { 0 => 'ORDER' }, 'jnf' => { 0 => 'ORDER' },
    'ynf' => { 0 => 'ORDER' }, '__fns' => { 1 => 'LANE', 2 => 'OFFSET' });
my %words = ((map { $_ => 2 } qw(float4 double2)), double4 => 4);
my $file = 0;

# NAME called with @given: an operator, a conversion, or a function by $call.
sub call {
    my ($name, $call, @given) = @_;
    return "static_cast<$1>($given[0])" if $name =~ /^\((.*)\)$/;
    return @given == 2 ? "$given[0]$1" : "$1$given[0]" if $name =~ /^operator(\+\+|--)$/;
    return @given == 1 ? "$1$given[0]" : "$given[0] $1 $given[1]" if $name =~ /^operator(.+)$/;
    return "$call(" . join(', ', @given) . ')';
}

# The statements of a row, how many words result, and the call as a type alone.
sub body {
    my ($ret, $name, $call, @args) = @_;
    my ($before, $after, @given, @types) = ('', '');
    my $value = $ret ne 'void' && $ret !~ /&/;
    my $words = $value ? $words{$ret} // 1 : 0;
    for my $k (0 .. $#args) {
        my ($t, $o) = ($args[$k] =~ s/ [*&]$//r, "o$k");
        if ($args[$k] =~ /[*&]$/) {                  # a result, or read and written
            my $out = $args[$k] =~ /\*$/;
            $before .= "$t $o = " . ($out ? '0; ' : "get<$t>(a, i, $k); ");
            $after .= "put(r, i, $words, $o); ", $words++;
            push @given, $out ? "&$o" : $o;
            push @types, $out ? "($t *)0" : "of_type<$t &>()";
        } else {
            push @given, "get<$t>(a, i, $k)";
            push @types, "of_type<$t>()";
        }
    }
    my $expr = call($name, $call, @given);
    return ($before . ($value ? "put<$ret>(r, i, 0, $expr); " : "$expr; ") . $after, $words,
        call($name, $call, @types));
}

sub finish {
    return unless @out;
    my $path = sprintf '%s/judge_%02d.cu', $folder, $file++;
    open my $f, '>', $path or die "$path: $!\n";
    print $f "#include \"judge.cuh\"\n", (map { $_->{code} } @out), "static const struct row rows[] = {\n",
        (map { $_->{row} } @out), "};\nint main(int argc, char **argv)\n",
        "{\n    return argc == 2 ? run(rows, sizeof rows / sizeof *rows, argv[1]) : 2;\n}\n";
    close $f or die "$path: $!\n";
    @out = ();
}

open my $in, '<', $list or die "$list: $!\n";
while (<$in>) {
    chomp;
    next if /^#|^$/;
    my ($proto, $sides, $how) = split /\t/;
    next if $how =~ /^(elsewhere|refused)/ || $left_out{$proto};
    my ($ret, $name, $args) = $proto =~ /^(.*?) ?(operator\S+?|\([\w ]+\)|\w+)\((.*)\)$/ or die "$list:$.: $proto\n";
    my @args = split /, /, $args;
    my ($body, $words, $type) = body($ret, $name, $name, @args);
    my ($k, $n) = (scalar @out, scalar @args);
    my $fill = join ' ', map {
        my $t = $args[$_] =~ s/ [*&]$//r;
        $args[$_] =~ /\*$/ ? () : "fill<$t>(a, $n, $_" . ($small{$name}{$_} ? ", $small{$name}{$_}" : '') . ');'
    } 0 .. $#args;
    $body = "same<$ret, TYPE($type)>(r); $body" if $ret !~ /&/;
    my $host = $sides =~ /H/;
    my $code = "DEVICE_ROW($k, $body)\n" . ($host ? "HOST_ROW($k, $body)\n" : "\n") . "static void f$k(word *a) { $fill }\n";
    my $cc = 'NULL';
    if ($sides =~ /C/) {
        my ($b) = body($ret, $name, "$name<0>", @args);
        $code .= "#ifdef __HEDDLE__\nstatic __global__ void c$k(const word *a, word *r) { const int i = CASE; $b }\n#endif\n";
        $cc = "HEDDLE_ONLY(c$k)";
    }
    push @out, { code => $code, row => "    { \"$proto\", $words, f$k, d$k, " . ($host ? "h$k" : 'NULL') . ", $cc },\n" };
    finish() if @out == $rows;
}
finish();
