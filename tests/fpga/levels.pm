# Mapped netlists, as Yosys' write_blif writes them: cells counted, and the longest path through them.
# SPDX-License-Identifier: Apache-2.0
package levels;
use strict;
use warnings;

# What a path through a cell counts: [inputs, outputs, levels].  Cells that are not here, registers and RAMs with
# a clock, begin and end paths.
my %through = (
    LUT4      => [[qr/^[ABCD]$/, qr/^Z$/, 1]],
    PFUMX     => [[qr/^([AB]LUT|C0)$/, qr/^Z$/, 0]],           # beside its tables in the slice, as the next
    L6MUX21   => [[qr/^(D[01]|SD)$/, qr/^Z$/, 0]],
    CCU2C     => [[qr/^[ABCD][01]$/, qr/^(S[01]|COUT)$/, 1], [qr/^CIN$/, qr/^(S[01]|COUT)$/, 0]],
    TRELLIS_DPR16X4 => [[qr/^RAD/, qr/^DO/, 1]],
    MULT18X18D => [[qr/^[AB]\d/, qr/^P\d/, 3]],
    SB_LUT4   => [[qr/^I\d$/, qr/^O$/, 1]],
    SB_CARRY  => [[qr/^(I[01]|CI)$/, qr/^CO$/, 0]],          # its sum passes a table
    SB_MAC16  => [[qr/^[ABCD]\[/, qr/^O\[/, 3]],
);
my %counts = (                          # what a cell adds to which column
    LUT4 => [lut => 1], CCU2C => [lut => 2], TRELLIS_DPR16X4 => [lut => 6], SB_LUT4 => [lut => 1],
    TRELLIS_FF => [ff => 1], DP16KD => [ram => 1], SB_RAM40_4K => [ram => 1], SB_SPRAM256KA => [ram => 1],
    MULT18X18D => [dsp => 1], SB_MAC16 => [dsp => 1],
);

# cells: how many of each type; driver: of a net, [cell, port]; cell: [type, name, [port, net]...]
sub netlist {
    my ($file) = @_;
    my (%cells, %driver, @cell);
    open my $f, "<", $file or die "$file: $!\n";
    while (<$f>) {
        if (/^\.(?:subckt|gate) (\S+) (.*)$/) {
            my ($type, @ports) = ($1, map { [split /=/, $_, 2] } split " ", $2);
            $cells{$type}++;
            push @cell, [$type, @ports];
            for (@ports) { $driver{$_->[1]} = [$#cell, $_->[0]] if is_output($type, $_->[0]) }
        } elsif (/^\.names (\S+) (\S+)$/) {       # a wire by two names
            push @cell, ["=", ["I", $1], ["O", $2]];
            $driver{$2} = [$#cell, "O"];
        }
    }
    return { cells => \%cells, driver => \%driver, cell => \@cell };
}
sub is_output {
    my ($type, $port) = @_;
    for (@{$through{$type} // []}) { return 1 if $port =~ $_->[1] }
    return 0;
}
sub sizes {
    my ($cells) = @_;
    my %sum = map { $_ => 0 } qw(lut ff ram dsp);
    for my $t (keys %$cells) {
        my ($column, $n) = @{$counts{$t} // ($t =~ /^SB_DFF/ ? [ff => 1] : next)};
        $sum{$column} += $n * $cells->{$t};
    }
    return \%sum;
}

# The levels of the longest path, and what it goes through as text.  A path ends at an input of a cell that
# begins paths, or where it leaves the netlist.
sub longest {
    my ($net) = @_;
    my ($cell, $driver) = @$net{qw(cell driver)};
    my (%level, %from, %open);
    # Depth first, with a stack of its own: paths are longer than Perl likes to recurse.
    my $visit = sub {
        my @todo = ($_[0]);
        while (@todo) {
            my $n = $todo[-1];
            if (defined $level{$n}) { pop @todo; next }
            my $d = $driver->{$n};
            if (!$d) { $level{$n} = 0; pop @todo; next }
            my ($type, @ports) = @{$cell->[$d->[0]]};
            my ($best, $by, @wait) = (0);
            for my $arc ($type eq "=" ? [qr/^I$/, qr/^O$/, 0] : @{$through{$type}}) {
                next unless $d->[1] =~ $arc->[1];
                for (grep { $_->[0] =~ $arc->[0] } @ports) {
                    my $l = $level{$_->[1]};
                    if (!defined $l) { push @wait, $_->[1] }
                    elsif ($l + $arc->[2] >= $best) { ($best, $by) = ($l + $arc->[2], $_->[1]) }
                }
            }
            if (@wait) {
                if ($open{$n}++) { die "levels: a combinational loop through $n\n" if $open{$n} > 100 }
                push @todo, @wait;
                next;
            }
            ($level{$n}, $from{$n}) = ($best, $by);
            pop @todo;
        }
    };
    my ($deepest, $end) = (0, undef);
    for my $n (keys %$driver) {
        $visit->($n);
        if ($level{$n} > $deepest || ($level{$n} == $deepest && defined $end && $n lt $end)) {
            ($deepest, $end) = ($level{$n}, $n);
        }
    }
    my @said;
    for (my $n = $end; defined $n; $n = $from{$n}) { push @said, sprintf "    %3d %.100s\n", $level{$n}, $n }
    return ($deepest, join "", reverse @said);
}
1;
