#!/usr/bin/perl
# Opens a unit's netlist, registers and memories become ports, and sets it beside its mutant.
# SPDX-License-Identifier: Apache-2.0
#
# use: netlist_pair.pl UNIT SAME.vh DIR
# Reads DIR/unit.il, the unit's flat netlist, and DIR/list, its mutants; writes DIR/open.il,
# open.list and pair.v.
#
# The open unit is combinational.  Of a register x: S_x is its value, N_x its next one.  Of a memory
# x: A_x and R_x are addresses and data of all its read ports, WA_x, WD_x and WE_x those of its
# write ports.  A register's cell becomes two, one before its data input and one after its output,
# so that mutants of either port have a place.
#
# Module pair holds the unit twice, o_ without and m_ with the mutant that `mutsel' selects, with
# the same inputs, and says `bad' where an output differs.  If it never can, two units in the same
# state stay in the same state: they are equal, by induction over time.  A memory may be read at
# another address, if what comes from there, which is arbitrary, makes no difference.
#
# SAME.vh says what need not be the same.  There it declares, where it wants to:
#   ok        the states and inputs that there are; without it, all
#   anew      the first cycle of a reset: any state, and only what registers become counts
#   kept      that registers stay in ok's states; asked for where no mutant is selected
#   care_X    bits of output X that are observed
#   dead_X    bits of input X that are never observed: they are arbitrary in the mutant's copy
# That care and dead fit together, mutant 0 shows, which is none: it too must never be bad.
use strict;
use warnings;

die "use: netlist_pair.pl UNIT SAME.vh DIR\n" if @ARGV != 3;
my ($unit, $same_file, $dir) = @ARGV;

# What is known of the netlist: a wire's width; ports {name, dir, width}, named as in Verilog;
# memories {bits, address, lines, reads, writes}: of a word, of an address as written, of one as the
# memory's size needs it (there are no other address lines); numbers of ports.
my (%width, @ports, %memory);
my $registers = 0;

sub slurp { local (@ARGV, $/) = @_; return scalar <> }
sub create { open my $f, '>', $_[0] or die "netlist_pair: $_[0]: $!\n"; return $f }
sub plain { return $_[0] =~ s/^[\\\$]//r =~ s/[^A-Za-z0-9_]/_/gr }
sub add_port { my %p; @p{qw(name dir width)} = @_; push @ports, \%p; return "\\$p{name}" }

# ---- RTLIL ----

# A signal as its parts, most significant first: [wire, high, low].
sub parts {
    my ($signal) = @_;
    my @found;
    $signal =~ s/^\{ (.*) \}$/$1/;
    while ($signal =~ /\G(\S+)(?: \[(\d+)(?::(\d+))?\])?\s*/gc) {
        my ($wire, $high, $low) = ($1, $2, $3 // $2);
        push @found, defined $high ? [$wire, $high, $low] : [$wire, $width{$wire} - 1, 0];
    }
    return @found;
}

# A cell that hands `from' on to `to'.
sub buffer {
    my ($name, $width, $from, $to) = @_;
    return ("  cell \$pos $name\n",
            map({ "    parameter \\$_\n" } 'A_SIGNED 0', "A_WIDTH $width", "Y_WIDTH $width"),
            "    connect \\A $from\n", "    connect \\Y $to\n", "  end\n");
}

# A register of several wires' bits, between its next value and its value.
sub open_register {
    my ($name, $parameter, $port) = @_;
    my ($k, $w) = ($registers++, $parameter->{WIDTH});
    my @parts = parts($port->{Q});
    my @text = ("  wire width $w \\next_$k\n", "  wire width $w \\now_$k\n",
                buffer("${name}_d", $w, $port->{D}, "\\next_$k"),
                buffer("${name}_q", $w, "\\now_$k", $port->{Q}),
                "  connect \\now_$k {" . join('', map {
                    my ($wire, $high, $low) = @$_;
                    " \\S_" . plain($wire) . " [$high:$low]" } @parts) . " }\n");
    my $at = $w;
    for (@parts) {
        my ($wire, $high, $low) = @$_;
        my ($x, $top) = (plain($wire), $at - 1);
        $at -= $high - $low + 1;
        push @text, "  connect \\N_$x [$high:$low] \\next_$k [$top:$at]\n";
        next if grep { $_->{name} eq "S_$x" } @ports;
        add_port("S_$x", 'input', $width{$wire});
        add_port("N_$x", 'output', $width{$wire});
    }
    return @text;
}

sub open_memory {
    my ($name, $parameter, $port) = @_;
    my $x = plain($name);
    my ($bits, $reads, $writes, $address) = @$parameter{qw(WIDTH RD_PORTS WR_PORTS ABITS)};
    my $lines = 0;
    $lines++ while 1 << $lines < $parameter->{SIZE};
    $memory{$x} = { bits => $bits, reads => $reads, writes => $writes, address => $address,
                    lines => $lines };
    my $out = sub {
        my ($letters, $signal, $w) = @_;
        return "  connect " . add_port("${letters}_$x", 'output', $w) . " $port->{$signal}\n";
    };
    return ($reads ? ($out->('A', 'RD_ADDR', $reads * $address), "  connect $port->{RD_DATA} "
                      . add_port("R_$x", 'input', $reads * $bits) . "\n") : (),
            $out->('WA', 'WR_ADDR', $writes * $address), $out->('WD', 'WR_DATA', $writes * $bits),
            $out->('WE', 'WR_EN', $writes * $bits));
}

# The open unit, from the lines of the closed one.
sub open_unit {
    my @lines = @_;
    my (@text, @opened);                     # RTLIL wants a wire's declaration before its use
    for (@lines) {
        next unless my ($options, $name) = /^  wire (.*?)(\S+)$/;
        $width{$name} = $options =~ /width (\d+)/ ? $1 : 1;
        add_port(plain($name), $1, $width{$name})
            if $options =~ /(input|output) \d+/ && $name ne '\clk';
    }
    my @old = @ports;
    while (defined(my $line = shift @lines)) {
        if (my ($type, $name) = $line =~ /^  cell (\$dff|\$mem_v2) (\S+)/) {
            my (%parameter, %port);
            while (($line = shift @lines) !~ /^  end/) {
                $parameter{$1} = $2 if $line =~ /^    parameter(?: signed)? \\(\S+) (.*)$/;
                $port{$1} = $2      if $line =~ /^    connect \\(\S+) (.*)$/;
            }
            push @opened, $type eq '$dff' ? open_register($name, \%parameter, \%port)
                                          : open_memory($name, \%parameter, \%port);
            next;
        }
        die "netlist_pair: $unit: a cell with another state: $line"
            if $line =~ /^  cell \$\w*(ff|latch|mem)/;
        push @text, map({ "  wire width $_->{width} $_->{dir} 9999 \\$_->{name}\n" }
                        @ports[@old .. $#ports]), @opened if $line =~ /^end/;
        push @text, $line =~ s/^module \\\S+/module \\${unit}_open/r;
    }
    my $n = 1000;                            # ports are numbered
    s/ 9999 / ' ' . $n++ . ' ' /e for @text;
    return @text;
}

# The mutants of the open unit.
sub open_list {
    my ($list) = @_;
    $list =~ s/-module \S+/-module ${unit}_open/g;
    $list =~ s/(-cell \S+) -port D /$1_d -port A /g;
    $list =~ s/(-cell \S+) -port Q /$1_q -port Y /g;
    return $list;
}

# ---- the pair ----

# What of an output's difference counts.
sub difference {
    my ($name, $same) = @_;
    my $is = "(o_$name ^ m_$name)" . ($same =~ /\bcare_$name\b/ ? " & care_$name" : '');
    if (my ($kind, $x) = $name =~ /^(WA|WD)_(.*)/) {
        my ($bits, $address, $lines) = @{ $memory{$x} }{qw(bits address lines)};
        return "$is & o_WE_$x" if $kind eq 'WD';
        my $used = join ', ', map {
            sprintf '{%d{o_WE_%s[%d +: %d] != 0}} & %d\'d%d', $address, $x, $_ * $bits, $bits, $address,
                (1 << $lines) - 1
        } reverse 0 .. $memory{$x}{writes} - 1;
        return "$is & {$used}";
    }
    return $is;
}

# Which bits of an input are arbitrary in the mutant's copy; undef: none.
sub arbitrary {
    my ($name, $same) = @_;
    return "dead_$name" if $same =~ /\bdead_$name\b/;
    my ($x) = $name =~ /^R_(.*)/ or return undef;
    my $m = $memory{$x} or return undef;
    my @reads = map { my $at = sprintf '_A_%s[%d +: %d]', $x, $_ * $m->{address}, $m->{lines};
                      "{$m->{bits}\{o$at != m$at}}" } reverse 0 .. $m->{reads} - 1;
    return '{' . join(', ', @reads) . '}';
}

sub pair {
    my ($same) = @_;
    my @in   = grep { $_->{dir} eq 'input' && $_->{name} ne 'mutsel' } @ports;
    my @out  = grep { $_->{dir} eq 'output' } @ports;
    my %free = map { $_->[1] ? @$_ : () } map { [$_->{name}, arbitrary($_->{name}, $same)] } @in;
    my @seen = grep { $_->{name} !~ /^A_(.*)/ || !$memory{$1} } @out;
    my @free = grep { $free{$_->{name}} } @in;
    my $bits = sub { '[' . ($_[0]{width} - 1) . ":0] $_[1]$_[0]{name}" };
    my @text = map { "`include \"$_.vh\"\n" } qw(converge conv axi);
    push @text, "module pair(input [15:0] mutsel", map({ ', input ' . $bits->($_, '') } @in),
        map({ ', input ' . $bits->($_, 'free_') } @free), ", output bad);\n";
    push @text, map { 'wire ' . $bits->($_, 'o_') . ', m_' . "$_->{name};\n" } @out;
    for my $port (@free) {
        my $x = $port->{name};
        push @text, 'wire ' . $bits->($port, 'any_') . " = $free{$x};\n",
            'wire ' . $bits->($port, 'other_') . " = (free_$x & any_$x) | ($x & ~any_$x);\n";
    }
    for my $copy ('o', 'm') {
        my $select = $copy eq 'm' ? 'mutsel' : "16'd0";
        push @text, "${unit}_open u_$copy (.clk(1'b0), .mutsel($select)",
            map({ my $from = $copy eq 'm' && $free{$_->{name}} ? 'other_' : '';
                  ", .$_->{name}($from$_->{name})" } @in),
            map({ ", .$_->{name}(${copy}_$_->{name})" } @out), ");\n";
    }
    push @text, $same, $same =~ /\bkept\b/ ? '' : "wire kept = 1'b1;\n",
        map({ "wire diff_$_->{name} = (" . difference($_->{name}, $same) . ") != 0;\n" } @seen),
        "wire lost = mutsel == 16'd0 && !kept;\n",
        $same =~ /\banew\b/ ? ('assign bad = (anew && (lost', map({ " || diff_$_->{name}" }
            grep { $_->{name} =~ /^N_/ } @seen), ')) || ') : 'assign bad = ',
        $same =~ /\bok\b/ ? 'ok && (lost' : '(lost', map({ " || diff_$_->{name}" } @seen),
        ");\nendmodule\n";
    return @text;
}

my @lines = grep { !/^\s*attribute / } split /(?<=\n)/, slurp("$dir/unit.il");
print { create("$dir/open.il") } open_unit(@lines);
print { create("$dir/open.list") } open_list(slurp("$dir/list"));
print { create("$dir/pair.v") } pair(slurp($same_file));
