// Lets one core at a time do an atomic in global memory, alone among all who write: what it reads
// must not change before it has written.  It may begin when every write has its answer, and until
// it ends others offer none; those who waited for that write before the next atomic begins.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module share_lock #(
  parameter CORES = 2
) (
  input  wire             clk, rst_n,
  input  wire [CORES-1:0] want_i,            // an atomic; until it has ended
  output wire [CORES-1:0] lock_o,            // it may be done
  input  wire [CORES-1:0] write_i,           // a write waits
  input  wire [CORES-1:0] wrote_i,           // one has been taken
  input  wire             quiet_i,           // none is on its way, or offered
  output wire [CORES-1:0] may_write_o        // whose writes may be offered
);
  localparam [CORES-1:0] NONE = {CORES{1'b0}};
  logic [CORES-1:0] owner_q;                 // whose atomic it is; none
  logic [CORES-1:0] owed_q;                  // who waited for the last one, and has not written yet
  wire  [CORES-1:0] next;
  wire  closes = owner_q == NONE && want_i != NONE && owed_q == NONE;
  wire  begins = closes && quiet_i;
  wire  ends   = owner_q != NONE && (owner_q & want_i) == NONE;
  share_pick #(.N(CORES)) u_pick (
    .clk(clk), .rst_n(rst_n), .ask_i(want_i), .take_i(begins), .pick_o(next));
  assign lock_o      = owner_q;
  assign may_write_o = owner_q != NONE ? owner_q : closes ? NONE : {CORES{1'b1}};
  always @(posedge clk)
    if (!rst_n) begin
      owner_q <= NONE;
      owed_q  <= NONE;
    end else begin
      if (begins)    owner_q <= next;
      else if (ends) owner_q <= NONE;
      owed_q <= ends ? write_i : owed_q & write_i & ~wrote_i;
    end
endmodule
`default_nettype wire
