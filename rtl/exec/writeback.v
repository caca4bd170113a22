// WB: of the results of all pipelines at most one beat is written a cycle, since issue has reserved
// the slots (slots.v); where none has, a result of the LSU.  Says a cycle before what will be
// written and what will retire.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
module writeback #(
  parameter LANES = 32
) (
  input  wire          clk, rst_n,
  input  wire          clear_i,
  // results: integer in time, late; between lanes; float, and the float that comes in the next
  // cycle
  input  wire          e2_valid_i, l2_valid_i, x_valid_i, f3_valid_i, f4_valid_i,
  input  beat_t        e2_i, l2_i, x_i, f3_i, f4_i,
  input  wire [64*LANES-1:0] e2_d_i, l2_d_i, x_d_i, f4_d_i,
  input  wire [LANES-1:0]    e2_pd_i, l2_pd_i, x_pd_i, f4_pd_i,
  // the LSU's
  input  wire          slot_write_i,         // the port is reserved
  input  wire          lw_valid_i,
  output wire          lw_ready_o,
  input  wire [4:0]    lw_warp_i, lw_beat_i,
  input  wire [6:0]    lw_pair_i,
  input  wire [1:0]    lw_half_i,
  input  wire [LANES-1:0]    lw_mask_i,
  input  wire [64*LANES-1:0] lw_data_i,
  // the next cycle: its first beat is written; its last one, and it is a carrier of `.S`
  output wire          done_o, pop_o,
  output uop_t         done_uop_o,
  output wire [4:0]    pop_warp_o,
  // WB
  output wire          valid_o,
  output beat_t        beat_o,
  output logic [64*LANES-1:0] d_o,
  output wire [LANES-1:0]    pd_o,
  // the write port
  output logic         wr_en_o,
  output wire          wr_pd_en_o,
  output logic [4:0]   wr_warp_o, wr_beat_o,
  output logic [6:0]   wr_pair_o,
  output logic [1:0]   wr_half_o,
  output logic [LANES-1:0]    wr_mask_o,
  output logic [64*LANES-1:0] wr_data_o
);
  `include "isa_gen.vh"
  // ---- the cycle before ----
  wire e2_first = e2_valid_i && e2_i.beat == 5'd0;
  wire l2_first = l2_valid_i && l2_i.beat == 5'd0;
  wire x_first  = x_valid_i && x_i.beat == 5'd0;
  wire f3_first = f3_valid_i && f3_i.beat == 5'd0;
  assign done_o     = e2_first || l2_first || x_first || f3_first;
  assign done_uop_o = e2_first ? e2_i.uop : l2_first ? l2_i.uop : x_first ? x_i.uop : f3_i.uop;
  wire e2_pop = e2_valid_i && e2_i.last && e2_i.uop.word[`INSN_POP]
             && e2_i.uop.dec.unit != UNIT_CTL;
  wire l2_pop = l2_valid_i && l2_i.last && l2_i.uop.word[`INSN_POP]
             && l2_i.uop.dec.unit != UNIT_CTL;
  wire x_pop  = x_valid_i && x_i.last && x_i.uop.word[`INSN_POP];
  wire f3_pop = f3_valid_i && f3_i.last && f3_i.uop.word[`INSN_POP];
  assign pop_o      = e2_pop || l2_pop || x_pop || f3_pop;
  assign pop_warp_o = e2_pop ? e2_i.uop.warp : l2_pop ? l2_i.uop.warp
                    : x_pop ? x_i.uop.warp : f3_i.uop.warp;

  // ---- WB: the float pipeline ends here, the others' results are taken over ----
  logic        valid_q;
  beat_t       beat_q;
  logic [64*LANES-1:0] d_q;
  logic [LANES-1:0]    pd_q;
  always @(posedge clk) begin
    valid_q <= (e2_valid_i || l2_valid_i || x_valid_i) && rst_n && !clear_i;
    if (l2_valid_i)
      {beat_q, d_q, pd_q} <= {l2_i, l2_d_i, l2_pd_i};
    else if (e2_valid_i)
      {beat_q, d_q, pd_q} <= {e2_i, e2_d_i, e2_pd_i};
    else if (x_valid_i)
      {beat_q, d_q, pd_q} <= {x_i, x_d_i, x_pd_i};
  end
  assign valid_o = valid_q || f4_valid_i;
  assign beat_o  = valid_q ? beat_q : f4_i;
  assign pd_o    = valid_q ? pd_q : f4_pd_i;
  wire [7:0]  rd   = beat_o.uop.word[`INSN_RD];
  wire        wide = beat_o.uop.dec.rd_size[0];
  wire [31:0] exec = beat_o.exec;
  wire [4:0]  lane = 5'(beat_o.beat * LANES[5:0]);
  always_comb begin
    d_o = !valid_q && f4_valid_i ? f4_d_i : d_q;
    // A single result goes to the half that its register is.
    if (!wide && rd[0])
      for (int i = 0; i < LANES; i = i + 1)
        d_o[64*i+32 +: 32] = d_o[64*i +: 32];
  end

  // ---- the write port ----
  assign lw_ready_o = !slot_write_i;
  assign wr_pd_en_o = valid_o && beat_o.uop.dec.writes_pd;
  always_comb
    if (valid_o) begin
      wr_en_o   = beat_o.uop.dec.writes_rd && rd != RZ;
      wr_warp_o = beat_o.uop.warp;
      wr_beat_o = beat_o.beat;
      wr_pair_o = rd[7:1];
      wr_half_o = wide ? 2'b11 : {rd[0], !rd[0]};
      wr_mask_o = exec[lane +: LANES];
      wr_data_o = d_o;
    end else begin
      wr_en_o   = lw_valid_i && lw_ready_o;
      wr_warp_o = lw_warp_i;
      wr_beat_o = lw_beat_i;
      wr_pair_o = lw_pair_i;
      wr_half_o = lw_half_i;
      wr_mask_o = lw_mask_i;
      wr_data_o = lw_data_i;
    end
  wire unused = &{1'b0, f3_i};
endmodule
`default_nettype wire
