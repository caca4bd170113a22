#!/usr/bin/perl
# A unit's Verilog with its body replaced by the netlist; simt_core gets the mutants' selector.
# SPDX-License-Identifier: Apache-2.0
# use: netlist_wrap.pl UNIT < rtl/FOLDER/UNIT.v > DIR/UNIT.v       (simt_core: only the selector is added)
use strict;
use warnings;
my $unit = shift // die "use: netlist_wrap.pl UNIT < rtl/FOLDER/UNIT.v\n";
local $/;
my $text = <STDIN>;
if ($unit eq 'simt_core') {
    my $c = '$c32("(getenv(\"HEDDLE_GATE\") ? atoi(getenv(\"HEDDLE_GATE\")) : 0)")';
    $text =~ s/\nendmodule/\n  int gate;\n  initial gate = $c;\nendmodule/
        or die "simt_core has no end\n";
} else {
    my $body = "  ${unit}_net u_net (.mutsel(simt_core.gate[15:0]), .*);";
    $text =~ s/(\nmodule $unit .*?\n\);\n).*?\nendmodule/$1$body\nendmodule/s
        or die "no module $unit\n";
}
print $text;
