#!/usr/bin/perl
# What pages and schemas list of a table: the fields of docs/schema/commit.json and the letters of
# docs/lockstep.schema.json, which are those of cmodel/isa/commit.def; the causes of docs/profile.md and
# docs/schema/profile.json, of harness/view/profile.h.
# SPDX-License-Identifier: Apache-2.0
# use: lists.pl [--check] [FOLDER]      --check: only says what differs; FOLDER: the root, default this one
use strict;
use warnings;

my $check = @ARGV && $ARGV[0] eq '--check' && shift;
my $root = shift // '.';
my $wrong = 0;
sub text { open my $f, '<', "$root/$_[0]" or die "$_[0]: $!\n"; local $/; return scalar <$f> }
sub becomes {
    my ($file, $old, $new) = @_;
    return if $old eq $new;
    if ($check) { $wrong++; print "FAIL $file is stale: make docs\n"; return }
    open my $f, '>', "$root/$file" or die "$file: $!\n";
    print $f $new;
    close $f or die "$file: $!\n";
}

my $h = text('harness/view/profile.h');
my @lost = $h =~ /\bPROF_LOST\(\w+, "(\w+)", "([^"]+)"\)/g;
my @cycle = map { $_, '' } $h =~ /\bPROF_CYCLE\(\w+, "(\w+)",/g;
my $def = text('cmodel/isa/commit.def');
my (@letter, $letters);
for ($def =~ /^WAIT\((.*)\)$/mg) {
    my ($letter, $where) = /^\w+, +\w+, '(.)', '.', +"[^"]*", +"([^"]*)"/ or die "commit.def: WAIT($_)?\n";
    push @letter, "$letter $where";
    $letters .= $letter;
}
my @member = $def =~ /^MEMBER\(([\w ]+), (\w+), .*\)$/mg;
my %type_of = map { $member[$_] => $member[$_ - 1] } grep { $_ % 2 } 0 .. $#member;
my @field = $def =~ /^FIELD\(([^,]+), (\w+), .*,\n +"(.*)"\)$/mg;
die "lists.pl: no rows\n" unless @lost && @cycle && @letter && @field;

sub keys_of { return @_[grep { $_ % 2 == 0 } 0 .. $#_] }
my $page = text('docs/profile.md');
my $table = "| cause | what the lane does |\n| --- | --- |\n";
for (my @l = @lost; my ($key, $words) = splice @l, 0, 2;) { $table .= "| `$key` | $words |\n" }
(my $new = $page) =~ s/(<!-- causes -->\n)(?:\|.*\n)*/$1$table/ or die "docs/profile.md: no <!-- causes -->\n";
becomes('docs/profile.md', $page, $new);

my $schema = text('docs/schema/profile.json');
$new = $schema;
for ([lost_by => keys_of(@lost)], [cycles_by => keys_of(@cycle)]) {
    my ($name, @keys) = @$_;
    my $list = join ",\n", map { qq(    "$_": { "type": "integer", "minimum": 1 }) } @keys;
    $new =~ s/("$name": \{\n.*\n *"properties": \{\n)(?:    "\w+": \{.*\},?\n)*/$1$list\n/
        or die "docs/schema/profile.json: no $name\n";
}
becomes('docs/schema/profile.json', $schema, $new);

$schema = text('docs/lockstep.schema.json');
$new = $schema;
$new =~ s/(a character for each lane, lane 0 first: )[^"]*/$1 . join(', ', @letter) . '.'/e
    && $new =~ s/("states": \{ "type": "string", "pattern": "\^\[)[^"]*(\]\{32\}\$")/$1$letters $2/
    or die "docs/lockstep.schema.json: no letters\n";
becomes('docs/lockstep.schema.json', $schema, $new);

my %bits = ('uint8_t' => 8, 'uint16_t' => 16, 'uint32_t' => 32, 'uint64_t' => 64, 'struct hd_token' => 32);
my $fields = '';
for (my @f = @field; my ($path, $n, $what) = splice @f, 0, 3;) {
    my ($member) = $path =~ /^(\w+)/;
    my $bits = $bits{ $type_of{$member} // '' } // die "commit.def: FIELD($path): how wide is $member?\n";
    my @range = ('"type": "integer"', '"minimum": 0', $bits < 64 ? '"maximum": ' . (2**$bits - 1) : ());
    my @rows = ($n eq '1' ? (@range, qq("description": "$what"))
        : (qq("description": "$what"), '"type": "array"', '"items": { ' . join(', ', @range) . ' }',
           map { qq("${_}Items": ) . ($n eq 'HD_LANES' ? 32 : $n) } qw(min max)));
    $fields .= qq(  "$path": {\n) . join(",\n", map { "   $_" } @rows) . "\n  },\n";
}
$schema = text('docs/schema/commit.json');
($new = $schema) =~ s/( "properties": \{\n)(?:  "[^"]+": \{\n(?:   .*\n)+  \},\n)*/$1$fields/ or die "docs/schema/commit.json: no fields\n";
becomes('docs/schema/commit.json', $schema, $new);
printf "lists: %d fields, %d letters, %d causes of lanes, %d of cycles: %d wrong\n", @field / 3, scalar @letter, @lost / 2, @cycle / 2, $wrong;
exit($wrong ? 1 : 0);
