#!/usr/bin/perl
# Writes the PTX of the skeleton: one block that reads the convergence unit and leaves room for one
# control instruction, and enough code after it for copies of the block (record.c).
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;

my ($reads, $records, $room) = (24, 500, 3700);
my $clocks = join '', map { " mov.u32 %r$_, %clock;\n" } 0 .. $reads - 1;
my $stores = join '', map { " st.volatile.global.u32 [%a+" . (4 + 4 * $_) . "], %r$_;\n" } 0 .. $reads - 1;
my ($mask, $time) = (4 + 4 * $reads, 8 + 4 * $reads);
print <<"PTX", " st.volatile.global.u32 [%log], %x;\n" x $room, " ret;\n}\n";
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 plog, .param .u64 pdir)
{
 .reg .b32 %r<$reads>, %id, %am, %c, %lane, %w, %w2, %x, %i;
 .reg .b64 %log, %dir, %a, %t;
 .reg .pred %p, %q;
 .shared .align 4 .b32 cnt;
 ld.param.u64 %log, [plog]; ld.param.u64 %dir, [pdir];
 mov.u32 %lane, %tid.x; mul.wide.u32 %t, %lane, 4; add.u64 %dir, %dir, %t;
 mov.u32 %x, 0; st.volatile.shared.u32 [cnt], %x;
L:
 pmevent.mask 1;
 mov.u32 %id, %clock;
$clocks ld.volatile.shared.u32 %c, [cnt];
 setp.ge.u32 %q, %c, $records; \@%q exit;
 mul.wide.u32 %t, %c, 128; add.u64 %a, %log, %t;
 st.volatile.global.u32 [%a], %id;
$stores activemask.b32 %am; st.volatile.global.u32 [%a+$mask], %am;
 mov.u32 %i, %clock; st.volatile.global.u32 [%a+$time], %i;
 add.u32 %c, %c, 1; st.volatile.shared.u32 [cnt], %c;
 mul.wide.u32 %t, %id, 128; add.u64 %a, %dir, %t;
 ld.volatile.global.u32 %w, [%a]; shr.u32 %w2, %w, 1; st.volatile.global.u32 [%a], %w2;
 and.b32 %w, %w, 1; setp.ne.u32 %p, %w, 0;
 pmevent.mask 2;
 \@%p pmevent.mask 3;
 pmevent.mask 4;
 \@%p bra L;
PTX
