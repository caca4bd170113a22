// The register write port and the pipeline's port to retire through, booked ahead: bit k of write_q says that an
// instruction writes k cycles from now, bit k of retire_q that one retires.  The pipeline books when it issues; the
// LSU writes in cycles that are not booked, and the stack unit steps in those in which no carrier of the pipeline pops.
//
// A pipeline that issues in every cycle leaves none.  So if one of the two has waited for long, it gets a
// booking too, at LAST, farther ahead than any instruction books: that costs one issue slot, as the instruction
// itself would have if it went through the pipeline.  The LSU's booking is for a whole result and its end,
// or for its end alone; nothing else retires in the cycle of that end.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module slots #(
  parameter LANES = 32
) (
  input  wire       clk, rst_n,
  input  wire       clear_i,
  // issue: N writes from first_i cycles on; the last of them retires, if it is the pipeline that retires it
  input  wire       book_i, retires_i,
  input  wire [6:0] first_i,
  output wire       free_alu_o, free_fpu_o, free_warp_o,
  // who has waited for long
  input  wire       lsu_late_i, lsu_result_i, conv_late_i,
  output wire       write_o,                 // the pipeline writes in this cycle
  output wire       keep_o,                  // the next cycle is kept for the LSU to retire in
  output wire       none_o                   // nothing of the pipeline is on the way to retire
);
  localparam N    = 32 / LANES;
  localparam ALU  = 4, FPU = 6, WARP = 4 + N - 1;    // first write of each class, see issue.v
  localparam LAST = FPU > WARP ? FPU + N : WARP + N; // no instruction books that far
  localparam S    = LAST + N + 1;
  logic [S-1:0] write_q, retire_q;           // all bookings; those of the pipeline
  logic [S-1:0] lsu_q, end_q, conv_q;        // bookings of the LSU, and for its end; of the convergence unit
  wire [S-1:0] ones = {{S-N{1'b0}}, {N{1'b1}}};
  assign free_alu_o  = write_q[ALU +: N] == {N{1'b0}};
  assign free_fpu_o  = write_q[FPU +: N] == {N{1'b0}};
  assign free_warp_o = write_q[WARP +: N] == {N{1'b0}};
  assign write_o  = write_q[0] && !lsu_q[0] && !conv_q[0];
  assign keep_o   = end_q[1];
  assign none_o   = retire_q == {S{1'b0}};

  // At most one booking of each on the way.
  wire for_lsu  = lsu_late_i && lsu_q == {S{1'b0}} && write_q[LAST +: N + 1] == {N+1{1'b0}};
  wire for_conv = conv_late_i && !for_lsu && conv_q == {S{1'b0}} && !write_q[LAST];
  logic [S-1:0] pipe_d, last_d, lsu_d, end_d, conv_d;
  always_comb begin
    {pipe_d, last_d, lsu_d, end_d, conv_d} = {5*S{1'b0}};
    if (book_i)
      pipe_d = ones << first_i;
    if (book_i && retires_i)
      last_d = {{S-1{1'b0}}, 1'b1} << first_i + 7'(N - 1);
    if (for_lsu) begin
      end_d[LAST + (lsu_result_i ? N : 0)] = 1'b1;
      lsu_d = end_d;
      if (lsu_result_i)
        lsu_d[LAST +: N] = {N{1'b1}};
    end
    if (for_conv)
      conv_d[LAST] = 1'b1;
  end
  always @(posedge clk) begin
    write_q  <= (write_q | pipe_d | lsu_d | conv_d) >> 1;
    retire_q <= (retire_q | last_d) >> 1;
    lsu_q    <= (lsu_q | lsu_d) >> 1;
    end_q    <= (end_q | end_d) >> 1;
    conv_q   <= (conv_q | conv_d) >> 1;
    if (clear_i || !rst_n)
      {write_q, retire_q, lsu_q, end_q, conv_q} <= {5*S{1'b0}};
  end
endmodule
`default_nettype wire
