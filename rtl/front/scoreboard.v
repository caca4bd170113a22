// Which warps' next instructions may issue: registers and predicates that are still to be written,
// and the rule that a warp's instructions retire in the order of their issue.  While a memory
// instruction of a warp is out, its next one waits for it, unless both are loads and the next one
// neither reads nor writes what a load that is out is to write.
// A destination is pending from issue until the cycle before its first beat is written: a reader
// that issues in the cycle of the write reads just after it, beat by beat.  TRACK=0: no destination
// is remembered: a warp waits for what it has issued before, which costs nothing where a warp
// instruction takes more cycles to issue than a result does.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
module scoreboard #(
  parameter WARPS = 32, NREGS = 256, BEATS = 1, TRACK = 1
) (
  input  wire              clk, rst_n,
  input  wire              clear_i,
  // the next instruction of each warp
  input  wire [WARPS-1:0]  head_valid_i,
  input  wire [WARPS*`NEED_BITS-1:0] head_i,
  // units that can take an instruction now, by unit number
  input  wire [7:0]        unit_ok_i,
  output logic [WARPS-1:0] ready_o,
  output logic [WARPS-1:0] quiet_o,         // what a warp has issued has retired in the next cycle
  // whose next instruction has all that it needs but perhaps its unit: LSU, convergence unit, a serial one,
  // any other
  output logic [WARPS-1:0] want_lsu_o, want_ctl_o, want_serial_o, want_pipe_o,
  // issue: `commit`: cycles until it retires; LSU and CTL count as if they took this long at least
  input  wire              issue_i,
  input  wire [4:0]        issue_warp_i,
  input  need_t            issue_need_i,
  input  wire [6:0]        issue_commit_i,
  // its class, for all: cycles until an instruction of each unit would retire
  input  wire [8*7-1:0]    unit_commit_i,
  // an instruction of this warp in a serial unit, issued before, retires so many cycles from now
  input  wire              take_i,
  input  wire [4:0]        take_warp_i,
  input  wire [6:0]        take_commit_i,
  // the result is written in the next cycle
  input  wire              done_i,
  input  wire [4:0]        done_warp_i,
  input  wire [7:0]        done_rd_i,
  input  wire              done_writes_rd_i, done_pair_i, done_writes_pd_i,
  input  wire [2:0]        done_pd_i,
  input  wire              follow_i,         // loads may follow loads
  // the memory instruction of a warp has retired
  input  wire              mem_done_i,
  input  wire [4:0]        mem_done_warp_i
);
  `include "isa_gen.vh"
  localparam RB = $clog2(NREGS);
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  localparam H  = `NEED_BITS;
  logic [NREGS-1:0] reg_q  [0:WARPS-1];      // to be written
  logic [7:0]       pred_q [0:WARPS-1];
  logic [6:0]       left_q [0:WARPS-1];      // cycles until the last instruction issued retires
  logic [4:0]       mem_q  [0:WARPS-1];      // memory instructions that are out,
  logic [WARPS-1:0] load_q;                  // all of them loads: others may follow

  // Is a register, pair or quad from r up pending?  What costs a simulator least is asked first: most warps have no
  // instruction, or wait for one that is out.
  need_t      h;
  logic [NREGS-1:0] row;
  logic [1:0] a2, b2, b4, c2, d2, d4;
  logic       wait_r, wait_p;
  always_comb begin
    {ready_o, want_lsu_o, want_ctl_o, want_serial_o, want_pipe_o} = {5*WARPS{1'b0}};
    h = {H{1'b0}};
    row = {NREGS{1'b0}};
    {a2, b2, b4, c2, d2, d4, wait_r, wait_p} = 14'd0;
    for (int w = 0; w < WARPS; w = w + 1)
      quiet_o[w] = left_q[w] <= 7'd2;
    for (int w = 0; w < WARPS; w = w + 1)
      if (head_valid_i[w]) begin
        h = head_i[w*H +: H];
        if (left_q[w] < unit_commit_i[h.dec.unit*7 +: 7]
            && (mem_q[w] == 5'd0 || (load_q[w] && h.dec.load && !h.pop))) begin
          row = reg_q[w];
          a2 = row[{h.ra[RB-1:1], 1'b0} +: 2];
          b2 = row[{h.rb[RB-1:1], 1'b0} +: 2];
          b4 = row[{h.rb[RB-1:2], 2'b10} +: 2];
          c2 = row[{h.rc[RB-1:1], 1'b0} +: 2];
          d2 = row[{h.rd[RB-1:1], 1'b0} +: 2];
          d4 = row[{h.rd[RB-1:2], 2'b10} +: 2];
          wait_r = (h.dec.reads_a && h.ra != RZ && ((a2[0] && (h.dec.a_pair || !h.ra[0]))
                                     || (a2[1] && (h.dec.a_pair || h.ra[0]))))
                || (h.dec.reads_b && h.rb != RZ && ((b2[0] && (h.dec.b_pair || h.dec.b_quad || !h.rb[0]))
                                     || (b2[1] && (h.dec.b_pair || h.dec.b_quad || h.rb[0]))
                                     || (b4 != 2'd0 && h.dec.b_quad)))
                || (h.dec.reads_c && h.rc != RZ && ((c2[0] && (h.dec.c_pair || !h.rc[0]))
                                     || (c2[1] && (h.dec.c_pair || h.rc[0]))))
                || (h.dec.writes_rd && h.rd != RZ && (d2 != 2'd0 || (h.dec.rd_size[1] && d4 != 2'd0)));
          wait_p = pred_q[w][h.pg] || (h.dec.reads_ps && pred_q[w][h.ps])
                || (h.dec.reads_pt && pred_q[w][h.pq]) || (h.dec.writes_pd && pred_q[w][h.pd]);
          if (TRACK == 0) begin                // is the first beat still to be written?
            wait_r = left_q[w] > 7'(BEATS);
            wait_p = 1'b0;
          end
          if (!wait_r && !wait_p) begin
            ready_o[w]     = unit_ok_i[h.dec.unit];
            want_lsu_o[w]  = h.dec.unit == UNIT_LSU;
            want_ctl_o[w]  = h.dec.unit == UNIT_CTL;
            want_serial_o[w] = h.dec.unit == UNIT_SERIAL;
            want_pipe_o[w] = h.dec.unit != UNIT_LSU && h.dec.unit != UNIT_CTL
                          && h.dec.unit != UNIT_SERIAL;
          end
        end
      end
  end

  wire [WB-1:0] iw = issue_warp_i[WB-1:0], dw = done_warp_i[WB-1:0], mw = mem_done_warp_i[WB-1:0];
  wire [RB-1:0] ir = issue_need_i.rd[RB-1:0], dr = done_rd_i[RB-1:0];
  wire          lsu     = issue_i && issue_need_i.dec.unit == UNIT_LSU;
  wire          set_reg = issue_i && issue_need_i.dec.writes_rd && issue_need_i.rd != RZ;
  always @(posedge clk) begin
    for (int i = 0; i < WARPS; i = i + 1)
      left_q[i] <= left_q[i] - {6'd0, left_q[i] != 7'd0};
    if (done_i && done_writes_rd_i && done_rd_i != RZ) begin
      reg_q[dw][dr] <= 1'b0;
      if (done_pair_i)
        reg_q[dw][{dr[RB-1:1], 1'b1}] <= 1'b0;
    end
    if (done_i && done_writes_pd_i)
      pred_q[dw][done_pd_i] <= 1'b0;
    if (set_reg) begin
      reg_q[iw][ir] <= 1'b1;
      if (issue_need_i.dec.rd_size != 2'd0)
        reg_q[iw][{ir[RB-1:1], 1'b1}] <= 1'b1;
      if (issue_need_i.dec.rd_size[1])
        reg_q[iw][{ir[RB-1:2], 2'b10} +: 2] <= 2'b11;
    end
    if (issue_i) begin
      left_q[iw] <= issue_commit_i;
      if (issue_need_i.dec.writes_pd && issue_need_i.pd != PT)
        pred_q[iw][issue_need_i.pd] <= 1'b1;
    end
    if (take_i)
      left_q[take_warp_i[WB-1:0]] <= take_commit_i;
    if (lsu && !(mem_done_i && mw == iw))
      mem_q[iw] <= mem_q[iw] + 5'd1;
    if (mem_done_i && !(lsu && mw == iw)) begin
      mem_q[mw] <= mem_q[mw] - 5'd1;
      if (mem_q[mw] == 5'd1)                   // its last one: all that the warp has issued has retired
        reg_q[mw] <= {NREGS{1'b0}};
    end
    if (lsu)
      load_q[iw] <= TRACK != 0 && follow_i && issue_need_i.dec.load && !issue_need_i.pop;
    if (!rst_n || clear_i) begin
      load_q <= {WARPS{1'b0}};
      for (int i = 0; i < WARPS; i = i + 1) begin
        mem_q[i]  <= 5'd0;
        reg_q[i]  <= {NREGS{1'b0}};
        pred_q[i] <= 8'd0;
        left_q[i] <= 7'd0;
      end
    end
  end
  wire unused = &{1'b0, issue_warp_i, take_warp_i, done_warp_i, mem_done_warp_i, issue_need_i, h,
                  done_rd_i, BEATS[0]};
endmodule
`default_nettype wire
