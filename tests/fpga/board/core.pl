#!/usr/bin/perl
# Writes BUILD/heddle.core, by which FuseSoC builds the board of a ULX3S: the sources, as place.sh has them.
# SPDX-License-Identifier: Apache-2.0
# use: core.pl BUILD      in the folder of the checkout, which is the one above BUILD
use strict;
use warnings;
my ($build) = @ARGV;
die "use: core.pl BUILD\n" if !$build || !-d "$build/gen";
my @v = grep { !m{^rtl/simt_cores\.v$|^rtl/cores/} } sort glob('rtl/*.v rtl/*/*.v');
my @vh = sort glob('rtl/*.vh rtl/fpga/*.vh');
my @gen = map { s{^\Q$build\E/}{}r } sort glob("$build/gen/*.vh");
my $core = <<'END';
CAPI=2:
# The board of a ULX3S (docs/board.md).  Written by tests/fpga/board/core.pl.
name: heddle:fpga:board:0
filesets:
  rtl:
    file_type: systemVerilogSource
    files:
END
$core .= "      - ../$_: {is_include_file: true}\n" for @vh;
$core .= "      - $_: {is_include_file: true}\n" for @gen;
$core .= "      - ../$_\n" for @v;
$core .= <<'END';
      - gen/decode_gen.v
  ulx3s:
    files:
      - ../rtl/fpga/boards/ulx3s.v: {file_type: systemVerilogSource}
      - ../rtl/fpga/boards/ulx3s.lpf: {file_type: LPF}
parameters:
  SYNTHESIS: {datatype: bool, default: true, paramtype: vlogdefine}
  COMMIT_PORT: {datatype: bool, default: true, paramtype: vlogdefine}
  COMMIT_THIN: {datatype: bool, default: true, paramtype: vlogdefine}
  FPGA_ECP5: {datatype: bool, default: true, paramtype: vlogdefine}
  ADDR_BITS: {datatype: int, default: 32, paramtype: vlogdefine}
targets:
  default: {filesets: [rtl]}
  ulx3s:
    default_tool: trellis
    filesets: [rtl, ulx3s]
    parameters: [SYNTHESIS, COMMIT_PORT, COMMIT_THIN, FPGA_ECP5, ADDR_BITS]
    toplevel: ulx3s
    tools:
      trellis:
        nextpnr_options: [--85k, --package, CABGA381, --speed, "6", --timing-allow-fail]
END
my $file = "$build/heddle.core";
open my $f, '>', $file or die "$file: $!\n";
print $f $core;
close $f or die "$file: $!\n";
