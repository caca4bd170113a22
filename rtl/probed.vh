// Whether there are commit records: in simulation, and on a board (rtl/fpga).
// SPDX-License-Identifier: Apache-2.0
`ifndef PROBED
`ifdef COMMIT_PORT
`define PROBED
`elsif SYNTHESIS
`else
`define PROBED
`endif
`endif
