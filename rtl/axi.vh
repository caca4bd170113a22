// AXI4 between the core's units: 256 data bits, what a unit asks and what it is answered.  Reads
// and writes are apart, since the instruction cache only reads.
// SPDX-License-Identifier: Apache-2.0
`ifndef AXI_VH
`define AXI_VH
`include "address.vh"
typedef struct packed {
  logic         arvalid;
  logic [3:0]   arid;
  logic [7:0]   arlen;
  logic [`ADDR_BITS-1:0] araddr;
  logic         rready;
} axi_read_t;
typedef struct packed {
  logic         arready;
  logic         rvalid, rlast, rerror;       // rerror: RRESP says SLVERR or DECERR
  logic [3:0]   rid;
  logic [255:0] rdata;
} axi_read_answer_t;
// Single beats.
typedef struct packed {
  logic         awvalid, wvalid;
  logic [`ADDR_BITS-1:0] awaddr;
  logic [31:0]  wstrb;
  logic [255:0] wdata;
} axi_write_t;
typedef struct packed {
  logic         awready, wready;
  logic         bvalid, berror;
} axi_write_answer_t;
`endif
