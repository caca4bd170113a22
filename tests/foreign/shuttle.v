// Shuttle: a small SIMT core that is not Heddle's, to try the contract of docs/stream.md on.
// SPDX-License-Identifier: Apache-2.0
//
// Four warps of four lanes.  SPLIT parks the lanes whose register is zero at a token of the warp's
// stack, JOIN brings them back; TMC sets the lanes that run, SPAWN starts warps, BAR is a barrier
// among warps.  One instruction issues a cycle; products end in two halves, loads lane by lane as
// memory answers, so results come out of order and in parts.  Nothing of rtl/ is used.
//
// A word: op [31:26], rd [25:22], ra [21:18], rb [17:14], imm [13:0], signed.
//   0 ADDI rd = ra + imm      1 ADD rd = ra + rb       2 SLT rd = ra < rb (signed)
//   3 MUL rd = ra * rb        4 LW rd = mem[ra + imm]  5 SW mem[ra + imm] = rb
//   6 LANE rd = lane          7 WARP rd = warp         8 JUMP pc = imm
//   9 BEQZ pc = imm if ra = 0 in the lowest lane that runs (the others must agree)
//  10 SPLIT lanes where ra = 0 park, to go on at imm; the others go on here
//  11 JOIN  the side that ran parks; the other runs, or, if it has, both go on after this
//  12 TMC   lanes ra[3:0] of the lowest lane run, all others are off
//  13 SPAWN warps 1 to ra - 1 start at imm, with lane 0
//  14 BAR   waits at barrier imm[1:0] until rb warps have come
// PLANT chooses a planted bug (tests/foreign/run.sh); 0: none.
`default_nettype none
module shuttle #(parameter int PLANT = 0) (
  input  wire clk, rst,
  output logic busy
);
  localparam int LANES = 4, WARPS = 4, DEPTH = 8;
  logic [31:0] code [0:255];
  logic [31:0] data [0:255];
  logic [31:0] cycle;

  // ---- warps: lanes that run, where they go on, and tokens {lanes, pc, both sides}
  logic [LANES-1:0] run_q  [0:WARPS-1];
  logic [9:0]       pc_q   [0:WARPS-1];
  logic [2:0]       top_q  [0:WARPS-1];
  logic [LANES-1:0] tok_m  [0:WARPS*DEPTH-1];      // lanes that wait, of the other side
  logic [LANES-1:0] tok_in [0:WARPS*DEPTH-1];      // lanes that have come back
  logic [9:0]       tok_pc [0:WARPS*DEPTH-1];
  logic             tok_2  [0:WARPS*DEPTH-1];      // the other side runs, or there is none
  logic             bar_q  [0:WARPS-1];            // it waits at a barrier,
  logic [1:0]       bar_id [0:WARPS-1];            // at this one
  logic [31:0]      n_q    [0:WARPS-1];            // instructions so far

  // ---- registers, a word a lane; which are still to be written
  logic [31:0] regs [0:WARPS*16*LANES-1];
  logic [15:0] wait_q [0:WARPS-1];

  // ---- which warp issues: round robin among those that can
  logic [1:0] turn_q;
  logic       go;
  logic [1:0] w;
  logic [31:0] ins;
  wire [5:0]  op  = ins[31:26];
  wire [3:0]  rd  = ins[25:22], ra = ins[21:18], rb = ins[17:14];
  wire [9:0]  target = ins[9:0];
  wire [31:0] imm = {{18{ins[13]}}, ins[13:0]};
  wire        writes = op <= 6'd4 || op == 6'd6 || op == 6'd7;
  wire        reads_b = op == 6'd1 || op == 6'd2 || op == 6'd3 || op == 6'd5 || op == 6'd14;
  wire        control = op >= 6'd8;

  function automatic logic can(input logic [1:0] k);
    logic [31:0] i;
    i = code[pc_q[k][9:2]];
    can = run_q[k] != 4'd0 && !bar_q[k]
          && !wait_q[k][i[21:18]] && !wait_q[k][i[17:14]] && !wait_q[k][i[25:22]]
          && !(i[31:26] == 6'd3 && mul_v) && !(i[31:26] == 6'd4 && ld_v);
  endfunction
  always_comb begin
    go = 1'b0;
    w = turn_q;
    for (int k = 0; k < WARPS; k++)
      if (!go && can(turn_q + 2'(k))) begin
        go = 1'b1;
        w = turn_q + 2'(k);
      end
    ins = code[pc_q[w][9:2]];
  end

  wire [LANES-1:0] act = run_q[w];
  logic [31:0] a [0:LANES-1], b [0:LANES-1], r [0:LANES-1];
  logic [31:0] first_a, first_b;
  logic [LANES-1:0] zero;
  always_comb begin
    first_a = 32'd0;
    first_b = 32'd0;
    for (int l = LANES - 1; l >= 0; l--) begin
      a[l] = regs[{w, ra, 2'(l)}];
      b[l] = regs[{w, rb, 2'(l)}];
      zero[l] = a[l] == 32'd0;
      if (act[l]) begin
        first_a = a[l];
        first_b = b[l];
      end
      case (op)
        6'd0: r[l] = a[l] + imm;
        6'd1: r[l] = a[l] + b[l];
        6'd2: r[l] = {31'd0, $signed(a[l]) < $signed(b[l])};
        6'd6: r[l] = 32'(l);
        default: r[l] = {30'd0, w};
      endcase
    end
  end

  // ---- a product: two halves, four and five cycles after it issued
  logic mul_v;
  logic [2:0] mul_at;
  logic [1:0] mul_w;
  logic [3:0] mul_rd, mul_m;
  logic [31:0] mul_n, mul_r [0:LANES-1];
  // ---- a load: each lane when its memory answers
  logic ld_v;
  logic [1:0] ld_w;
  logic [3:0] ld_rd, ld_m, ld_left;
  logic [31:0] ld_n, ld_a [0:LANES-1];
  logic [7:0] noise;
  wire [1:0] pick = ld_left[noise[1:0]] ? noise[1:0] : ld_left[0] ? 2'd0 : ld_left[1] ? 2'd1
      : ld_left[2] ? 2'd2 : 2'd3;
  wire       answers = ld_v && noise[2];

  // ---- control: what the stack, the mask and the barriers say
  wire [4:0] tos = {w, top_q[w] - 3'd1}, above = {w, top_q[w]};
  wire [9:0] after = pc_q[w] + 10'd4;
  wire       splits = (act & zero) != 4'd0 && (act & ~zero) != 4'd0;
  logic [2:0] come;
  always_comb begin
    come = 3'd1;
    for (int k = 0; k < WARPS; k++) if (bar_q[k] && bar_id[k] == ins[1:0]) come = come + 3'd1;
  end
  wire [2:0] needed = PLANT == 5 ? first_b[2:0] - 3'd1 : first_b[2:0];

  integer k, l;
  always_ff @(posedge clk) begin
    cycle <= cycle + 32'd1;
    noise <= {noise[6:0], noise[7] ^ noise[5] ^ noise[4] ^ noise[3]};
    if (go) begin
      turn_q <= w + 2'd1;
      n_q[w] <= n_q[w] + 32'd1;
      pc_q[w] <= after;
      case (op)
        6'd3: begin
          mul_v <= 1'b1; mul_at <= 3'd0; mul_w <= w; mul_rd <= rd; mul_m <= act; mul_n <= n_q[w];
          for (l = 0; l < LANES; l++) mul_r[l] <= a[l] * b[l];
          wait_q[w][rd] <= 1'b1;
        end
        6'd4: begin
          ld_v <= 1'b1; ld_w <= w; ld_rd <= rd; ld_m <= act; ld_left <= act; ld_n <= n_q[w];
          for (l = 0; l < LANES; l++) ld_a[l] <= a[l] + imm;
          wait_q[w][rd] <= 1'b1;
        end
        6'd5: for (l = 0; l < LANES; l++) if (act[l]) data[8'((a[l] + imm) >> 2)] <= b[l];
        6'd8: pc_q[w] <= target;
        6'd9: if (first_a == 32'd0) pc_q[w] <= PLANT == 11 ? after : target;
        6'd10: begin
          top_q[w] <= top_q[w] + 3'd1;
          tok_m[above]  <= splits ? (PLANT == 1 ? act & zero & ~4'd8 : PLANT == 8 ? act & ~zero
              : act & zero) : 4'd0;
          tok_in[above] <= 4'd0;
          tok_pc[above] <= target;
          tok_2[above]  <= !splits;
          if (splits) run_q[w] <= PLANT == 8 ? act & zero : act & ~zero;
          else if ((act & zero) != 4'd0) pc_q[w] <= target;
        end
        6'd11: if (tok_2[tos]) begin             // both sides are here
          run_q[w] <= PLANT == 3 ? (act | tok_in[tos]) & ~(tok_in[tos] & 4'd2) : act | tok_in[tos];
          top_q[w] <= top_q[w] - 3'd1;
        end else begin                            // the other side's turn
          run_q[w] <= tok_m[tos];
          tok_in[tos] <= act;
          tok_2[tos] <= PLANT != 2;
          pc_q[w] <= tok_pc[tos];
        end
        6'd12: run_q[w] <= first_a[3:0];
        6'd13: for (k = 1; k < WARPS; k++)
          if (32'(k) < first_a && (PLANT == 4 || run_q[k] == 4'd0)) begin
            run_q[k] <= 4'd1;
            pc_q[k] <= target;
            top_q[k] <= 3'd0;
          end
        6'd14: if (come >= needed) begin
          for (k = 0; k < WARPS; k++)
            if (bar_q[k] && bar_id[k] == ins[1:0] && !(PLANT == 6 && k == 2)) bar_q[k] <= 1'b0;
        end else begin
          bar_q[w] <= 1'b1;
          bar_id[w] <= ins[1:0];
        end
        default: for (l = 0; l < LANES; l++) if (act[l] || PLANT == 10) regs[{w, rd,
            2'(l)}] <= r[l];
      endcase
    end
    if (mul_v) begin
      mul_at <= mul_at + 3'd1;
      for (l = 0; l < LANES; l++)
        if (mul_m[l] && (l < 2 ? mul_at == 3'd3 : mul_at == 3'd4)) regs[{mul_w, mul_rd,
            2'(l)}] <= PLANT == 12 ? mul_r[l] + 32'd1 : mul_r[l];
      if (mul_at == 3'd4) begin
        mul_v <= 1'b0;
        wait_q[mul_w][mul_rd] <= 1'b0;
      end
    end
    if (answers) begin
      regs[{ld_w, ld_rd, pick}] <= data[8'(ld_a[PLANT == 9 ? pick ^ 2'd1 : pick] >> 2)];
      ld_left[PLANT == 7 ? pick ^ 2'd1 : pick] <= 1'b0;
      if ((ld_left & ~(4'd1 << pick)) == 4'd0) begin
        ld_v <= 1'b0;
        wait_q[ld_w][ld_rd] <= 1'b0;
      end
    end
    if (rst) begin
      cycle <= 32'd0;
      noise <= 8'h5a;
      turn_q <= 2'd0;
      mul_v <= 1'b0;
      ld_v <= 1'b0;
      for (k = 0; k < WARPS; k++) begin
        run_q[k] <= k == 0 ? 4'd1 : 4'd0;
        pc_q[k] <= 10'd0;
        top_q[k] <= 3'd0;
        bar_q[k] <= 1'b0;
        n_q[k] <= 32'd0;
        wait_q[k] <= 16'd0;
      end
    end
  end
  initial for (int i = 0; i < WARPS * 16 * LANES; i++) regs[i] = 32'd0;
  always_comb begin
    busy = mul_v || ld_v;
    for (int i = 0; i < WARPS; i++) busy = busy || run_q[i] != 4'd0;
  end
endmodule
