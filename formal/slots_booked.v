// Who has waited for long gets its cycles, whatever issue books (N = 2, LAST = 8): the LSU the end of its result
// after LAST + N cycles, the stack unit a cycle in which the pipeline retires nothing after LAST + N + 1.
// No unit books what another one has.
// UNIT: slots LANES=16
// RTL: slots.v
// PROVE: bmc 24
// COVER: 40
// BUG: slots.v: s/lsu_late_i && lsu_q == [^&]*&&/lsu_late_i \&\&/ -- a booking of the LSU before the last one has ended
// BUG: slots.v: s/ && !for_lsu && / \&\& / -- both book the same cycle
// BUG: slots.v: s/lsu_d = end_d;/lsu_d = {S{1'b0}};/ -- the LSU's end is not its own
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module slots_booked (
  input wire       clk, book, retires, lsu_late, lsu_result, conv_late,
  input wire [1:0] class
);
  localparam N = 2, LAST = 8;
  reg        rst_n = 1'b0;
  wire       free_alu, free_fpu, free_warp, write, keep, none;
  wire [6:0] first = class == 2'd0 ? 7'd4 : class == 2'd1 ? 7'd6 : 7'd5;
  slots u (
    .clk(clk), .rst_n(rst_n), .clear_i(1'b0), .book_i(book), .retires_i(retires), .first_i(first),
    .free_alu_o(free_alu), .free_fpu_o(free_fpu), .free_warp_o(free_warp), .lsu_late_i(lsu_late),
    .lsu_result_i(lsu_result), .conv_late_i(conv_late), .write_o(write), .keep_o(keep), .none_o(none));
  (* hierconn *) wire [10:0] \u.write_q , \u.retire_q , \u.lsu_q , \u.end_q , \u.conv_q ;
  wire [10:0] pipe = \u.write_q & ~( \u.lsu_q | \u.conv_q );

  reg  [4:0] lsu_waits, conv_waits;          // since when late, and nothing came
  wire       lsu_has  = \u.end_q [0], conv_has = \u.conv_q [0];
  always @(posedge clk) begin
    rst_n <= 1'b1;
    lsu_waits  <= rst_n && lsu_late && !lsu_has ? lsu_waits + 5'd1 : 5'd0;
    conv_waits <= rst_n && conv_late && !conv_has ? conv_waits + 5'd1 : 5'd0;
  end
  integer i;
  reg [3:0] lsu_at, conv_at;                 // where its end is booked
  always @* begin
    lsu_at  = 4'd15;
    conv_at = 4'd15;
    for (i = 10; i >= 0; i = i - 1) begin
      if ( \u.end_q [i]) lsu_at = i;
      if ( \u.conv_q [i]) conv_at = i;
    end
  end
  always @* begin
    if (book) assume (class == 2'd0 ? free_alu : class == 2'd1 ? free_fpu : free_warp);
    if (rst_n) begin
      // Disjoint; the pipeline never as far as LAST; one booking of each.
      assert (( \u.lsu_q & \u.conv_q ) == 11'd0 && (( \u.lsu_q | \u.conv_q ) & ~ \u.write_q ) == 11'd0);
      assert (pipe[10:7] == 4'd0 && ( \u.retire_q & ~pipe) == 11'd0 && ( \u.end_q & ~ \u.lsu_q ) == 11'd0);
      assert (( \u.end_q & ( \u.end_q - 11'd1)) == 11'd0 && ( \u.conv_q & ( \u.conv_q - 11'd1)) == 11'd0);
      assert ( \u.lsu_q == 11'd0 || lsu_at != 4'd15);
      assert (lsu_at == 4'd15 || \u.lsu_q >> lsu_at == 11'd1);
      assert ( \u.conv_q [10:8] == 3'd0 && \u.lsu_q [10] == 1'b0);
      assert (!write || pipe[0]);
      assert (( \u.retire_q & ( \u.end_q | \u.conv_q )) == 11'd0 && keep == \u.end_q [1]);
      // The bounds.
      assert (lsu_waits <= 5'd10);
      assert (conv_waits <= 5'd11);
      if (lsu_waits != 5'd0) assert (lsu_at != 4'd15 && {1'b0, lsu_waits} + {2'd0, lsu_at} <= 6'd10);
      if (conv_waits != 5'd0 && conv_at != 4'd15) assert ({1'b0, conv_waits} + {2'd0, conv_at} <= 6'd11);
      if (conv_waits != 5'd0 && conv_at == 4'd15)     // the LSU has booked before it
        assert (lsu_at >= 4'd7 && lsu_at != 4'd15 && {1'b0, lsu_at} + conv_waits <= 5'd10);
    end
    cover (rst_n && lsu_waits == 5'd10 && lsu_has);
    cover (rst_n && conv_waits == 5'd11 && conv_has);
    cover (rst_n && conv_waits >= 5'd8 && conv_has && pipe[2:1] == 2'b11);
  end
endmodule
`default_nettype wire
