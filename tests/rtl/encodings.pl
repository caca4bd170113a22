#!/usr/bin/perl
# The core, a board's top level and the proofs know no encoding by heart: what a field, a unit, a
# fault, a register or a part of a schedule is called is generated (insn_gen.vh, isa_gen.vh,
# codes_gen.vh, csr_gen.vh, told_gen.vh).  Found are: a slice of an instruction word or of an opcode
# by numbers, a second definition of a generated name or of one like it, and a number compared or
# assigned where there is such a name.
# SPDX-License-Identifier: Apache-2.0
# use: encodings.pl GEN FILE...     (GEN: the folder of the generated files)
use strict;
use warnings;

my ($gen, @files) = @ARGV;
die "usage: encodings.pl GEN FILE...\n" unless @files;

# Generated names, and what stands before the first underline of each: FAULT, OP, SZ.
my (%name, %family);
for my $file (map { "$gen/${_}_gen.vh" } qw(insn isa codes csr told)) {
    open my $f, '<', $file or die "$file: $!\n";
    while (<$f>) {
        next unless /^(?:localparam .*?|`define )\b([A-Z][A-Z0-9_]*)(?: =| \d)/;
        $name{$1} = 1;
        $family{$1} = 1 if $1 =~ /^([A-Z]+)_/;
    }
}
keys %name > 100 or die "encodings: $gen holds no names\n";

my $NUMBER = qr/\d+'[sS]?[bdhBDH][0-9a-fA-F_]+/;
my $CODED  = qr/\b(?:\w+\.)*\w*(?:unit|fault|space|wait|aop|opc|op_i|op[12])(?:_[iqod])?\b/;    # what holds a code
my $REG    = qr/\b(?:\w+[._])?r[abcd]\d?(?:_[iq])?\b/;
my $TOLD   = qr/\b(?:byte_i|head)\[7:5\]/;                                                        # what a byte tells of a schedule
my $PRED   = qr/\b(?:\w+[._])?p[dgqst](?:_[iq])?\b/;

# What is wrong with a file's text: "line: why".
sub found
{
    my ($text) = @_;
    my @found;
    $text =~ s{//[^\n]*|/\*.*?\*/}{ $& =~ s/[^\n]//gr }gse;
    my %word = map { $_ => 1 } grep { !/^(input|output|inout|wire|reg|logic)$/ } map { /\w+/g } $text =~ /\[127:0\]\s+(\w+(?:\s*,\s*\w+)*)/g;
    my $at = sub { 1 + (substr($text, 0, $_[0]) =~ tr/\n//) };
    while ($text =~ /(?<![\w`])((?:\w+\.)*(\w+))\s*\[\s*(?!0\s*:)\d+\s*(?:\]|:|\+:|-:)/g) {
        my ($whole, $last, $where) = ($1, $2, $-[0]);
        push @found, $at->($where) . ": `$whole` is cut by numbers"
            if $whole =~ /\.word$/ || $word{$last} || $last =~ /^op(?:c|code|_i|\d)$/;
    }
    while ($text =~ /\b(?:localparam|parameter)\b([^;]*);|`define\s+(\w+)/g) {
        my $where = $-[0];
        for my $n (defined $2 ? $2 : $1 =~ /\b([A-Z]\w*)\s*=(?!=)/g) {
            push @found, $at->($where) . ": $n is defined by hand" if $name{$n} || ($n =~ /^([A-Z]+)_/ && $family{$1});
        }
    }
    while ($text =~ /(?:$CODED\s*(?:==|!=)\s*$NUMBER|$REG\s*(?:==|!=)\s*8'(?:hff|d255)|$PRED\s*(?:==|!=)\s*3'd7|$TOLD\s*(?:==|!=)\s*$NUMBER)/g) {
        push @found, $at->($-[0]) . ": `$&`: a number where a name is generated";
    }
    while ($text =~ /$CODED(?:\[[^\]]*\])?\s*<?=(?!=)([^;]*);/g) {
        my ($where, $from) = ($-[0], "= $1;");
        push @found, $at->($where) . ": code $1 by its number" if $from =~ /[=?:]\s*((?!1')$NUMBER)\s*[:;]/;
    }
    return @found;
}

# Each of these must be found, once.
my @planted = (
    "  wire [8:0] opc = op.word[8:0];",                  "  wire [127:0] w1 = uop.word;\n  wire s = w1[13];",
    "  pn.rd = push_uop.word[16 +: 8];",                 "  wire low = op2[2:0] == low_code;",
    "  localparam [2:0] UNIT_WARP = 3'd6;",              "  localparam [3:0] N = 4'd2,\n    FAULT_TRAP = 4'd3;",
    "`define TOKEN_CALL 2'd3",                           "  localparam [2:0] SZ_WORD = 3'd4;",
    "  if (op.dec.fault == 3'd4) x = 1'b1;",             "  if (e1_q.dec.unit != 3'd5) x = 1'b1;",
    "  wire used = reads_a && h.ra != 8'hff;",           "  if (wr_en_i && wr_pd_i != 3'd7) x = 1'b1;",
    "  wire is_nop = op_i == 9'h000;",                   "  c_wait[8*l +: 8] = !live[l] ? 8'h30 : running ? WAIT_NONE : w;",
    "  fault_o <= bad ? FAULT_PC : 4'd0;",                "  wire commits = byte_i[7:5] == 3'd0;",
);
my @missed = grep { found($_) != 1 } @planted;
print "FAIL planted, and not found once: $_\n" for @missed;

my $wrong = 0;
for my $file (@files) {
    open my $f, '<', $file or die "$file: $!\n";
    local $/;
    my @found = found(scalar <$f>);
    print "FAIL $file:$_\n" for @found;
    $wrong += @found;
}
printf "encodings: %d files, %d by hand; %d of %d planted found\n", scalar @files, $wrong, @planted - @missed, scalar @planted;
exit($wrong || @missed ? 1 : 0);
