// Faults that the LSU reports: enum hd_fault of cmodel/isa/commit.h.  The lowest number wins.
// SPDX-License-Identifier: Apache-2.0
// verilator lint_off UNUSEDPARAM
localparam [3:0] FAULT_NONE = 4'd0, FAULT_MISALIGNED = 4'd4, FAULT_RANGE = 4'd5, FAULT_READONLY = 4'd6,
                 FAULT_SPACE = 4'd7, FAULT_TOKEN = 4'd9, FAULT_BUS = 4'd10;
// verilator lint_on UNUSEDPARAM
