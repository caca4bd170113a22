// The instruction cache: direct mapped, lines of 64 bytes (four instructions), one miss at a time.
// An address asked in one cycle is answered in the next.  Other lines go on hitting during a miss;
// a warp that misses asks again after filled_o.  Half a line that the bus answered with an error is
// kept as such, until the next grid: a fetch from it gets the error.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "axi.vh"
module icache #(
  parameter BYTES = 16384
) (
  input  wire         clk, rst_n,
  input  wire         clear_i,               // forget everything: a new grid
  output wire         busy_o,                // a line is on its way
  input  wire         req_i,
  input  wire [31:0]  addr_i,                // physical
  output wire         hit_o,
  output wire [127:0] word_o,
  output logic        error_o,               // the word is none: a bus error
  input  wire         miss_i,                // the answer is wanted: fetch its line if it missed
  output logic        filled_o,              // a line has come: ask again
  output axi_read_t   axi_read_o,
  input  axi_read_answer_t axi_read_i
);
  localparam LINES = BYTES / 64;
  localparam IB    = $clog2(LINES);
  logic [255:0]    row_q [0:2*LINES-1];      // half lines
  logic            bad_q [0:2*LINES-1];
  logic [25-IB:0]  tag_q [0:LINES-1];
  logic [LINES-1:0] valid_q;
  logic [31:0]     addr_q;                   // of the answer
  logic [255:0]    out_q;
  logic [25-IB:0]  outtag_q;
  logic            outvalid_q;
  logic            busy_q, drop_q, second_q; // a fill; its data are stale; its second half is next
  logic [25:0]     line_q;                   // being filled
  logic            ask_q;                    // its address is offered
  always_comb begin
    axi_read_o.arvalid = ask_q;
    axi_read_o.arid    = 4'd0;
    axi_read_o.arlen   = 8'd1;
    axi_read_o.araddr  = `ADDR_BITS'({line_q, 6'd0});
    axi_read_o.rready  = 1'b1;
  end

  // Validity as it was when tag and row were read: a fill that ends now belongs to another tag.
  assign hit_o    = outvalid_q && outtag_q == addr_q[31:6+IB];
  assign word_o   = addr_q[4] ? out_q[255:128] : out_q[127:0];
  assign busy_o   = busy_q;

  always @(posedge clk) begin
    if (req_i) begin
      addr_q   <= addr_i;
      out_q    <= row_q[addr_i[5+IB:5]];
      error_o  <= bad_q[addr_i[5+IB:5]];
      outtag_q <= tag_q[addr_i[5+IB:6]];
    end
    if (axi_read_i.rvalid) begin
      row_q[{line_q[IB-1:0], second_q}] <= axi_read_i.rdata;
      bad_q[{line_q[IB-1:0], second_q}] <= axi_read_i.rerror;
    end
    if (axi_read_i.rvalid && axi_read_i.rlast)
      tag_q[line_q[IB-1:0]] <= line_q[25:IB];
  end

  always @(posedge clk) begin
    filled_o <= 1'b0;
    if (axi_read_i.arready)
      ask_q     <= 1'b0;
    if (miss_i && !hit_o && !busy_q) begin
      busy_q    <= 1'b1;
      second_q  <= 1'b0;
      ask_q     <= 1'b1;
      line_q    <= addr_q[31:6];
      valid_q[addr_q[5+IB:6]] <= 1'b0;       // half a new line must not hit under the old tag
    end
    if (axi_read_i.rvalid) begin
      second_q <= 1'b1;
      if (axi_read_i.rlast) begin
        busy_q   <= 1'b0;
        drop_q   <= 1'b0;
        filled_o <= 1'b1;
        valid_q[line_q[IB-1:0]] <= !drop_q;
      end
    end
    outvalid_q <= valid_q[addr_i[5+IB:6]];
    if (clear_i) begin
      valid_q <= {LINES{1'b0}};
      drop_q  <= busy_q && !(axi_read_i.rvalid && axi_read_i.rlast);
    end
    if (!rst_n) begin
      valid_q   <= {LINES{1'b0}};
      busy_q    <= 1'b0;
      drop_q    <= 1'b0;
      second_q  <= 1'b0;
      ask_q     <= 1'b0;
    end
  end
  wire unused = &{1'b0, addr_q[5], addr_q[3:0], addr_i[3:0], axi_read_i};
endmodule
`default_nettype wire
