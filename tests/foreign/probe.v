// Binds shuttle.v to the contract of docs/stream.md: all that a core of one's own needs beside it.
// SPDX-License-Identifier: Apache-2.0
//
// Looks at the core just before each clock edge, and says what that edge does; nothing in the core
// knows of it.  Where things are taken: instructions where they issue, lanes from the token stack
// and the lane registers one cycle later, results where they are written.
`default_nettype none
module probe;
  localparam int LANES = 4, WARPS = 4;
  integer hs_f;
  `include "heddle_stream.vh"
`ifdef HS_DPI
  import "DPI-C" function void hs_dpi_open(input string path);
  import "DPI-C" function void hs_dpi_close();
`endif

  // What the instruction of the cycle before was, and what its warp was like.
  logic        was_go;
  logic [1:0]  was_w;
  logic [5:0]  was_op;
  logic [3:0]  was_act, was_tok_m, was_tok_in, was_split;
  logic        was_tok_2;
  logic [4:0]  was_token;
  logic [9:0]  was_after, was_tok_pc;
  logic [31:0] was_n, was_spawn;
  logic [1:0]  was_bar;
  logic [31:0] was_need;
  logic [3:0]  run_before [0:WARPS-1];
  logic [9:0]  pc_before [0:WARPS-1];
  logic        bar_before [0:WARPS-1];
  logic [31:0] generation [0:3];
  logic        done;
  logic [63:0] t;
  logic [63:0] gone, spawned;
  logic [3:0]  lane;
  logic [3:0]  half;
  int          w;

  function automatic logic [64*LANES-1:0] wide(input logic [32*LANES-1:0] v);
    for (int l = 0; l < LANES; l++) wide[64*l +: 64] = {32'd0, v[32*l +: 32]};
  endfunction
  wire [32*LANES-1:0] a = {bench.core.a[3], bench.core.a[2], bench.core.a[1], bench.core.a[0]};
  wire [32*LANES-1:0] b = {bench.core.b[3], bench.core.b[2], bench.core.b[1], bench.core.b[0]};
  wire [32*LANES-1:0] r = {bench.core.r[3], bench.core.r[2], bench.core.r[1], bench.core.r[0]};
  wire [32*LANES-1:0] at = {bench.core.a[3] + bench.core.imm, bench.core.a[2] + bench.core.imm,
                            bench.core.a[1] + bench.core.imm, bench.core.a[0] + bench.core.imm};
  wire [32*LANES-1:0] ld_at = {bench.core.ld_a[3], bench.core.ld_a[2], bench.core.ld_a[1],
      bench.core.ld_a[0]};
  wire [32*LANES-1:0] product = {bench.core.mul_r[3], bench.core.mul_r[2], bench.core.mul_r[1],
      bench.core.mul_r[0]};
  wire [31:0] loaded = bench.core.data[8'(bench.core.ld_a[bench.core.PLANT == 9
      ? bench.core.pick ^ 2'd1 : bench.core.pick] >> 2)];
  wire [3:0]  cleared = 4'd1 << (bench.core.PLANT == 7 ? bench.core.pick ^ 2'd1 : bench.core.pick);

  string path;
  initial begin
    done = 1'b0;
    was_go = 1'b0;
    if (!$value$plusargs("stream=%s", path)) path = "shuttle.txt";
`ifdef HS_DPI
    hs_dpi_open(path);
`else
    hs_f = $fopen(path, "w");
`endif
    `HS_PUT("heddle-stream 1");
    `HS_PUT("core shuttle");
    `HS_PUT("lanes 4");
    `HS_PUT("warps 4");
    `HS_PUT("step 4");
    `HS_PUT("pc 10");
    `HS_PUT("registers 32");
    `HS_PUT("memory ordered");
    `HS_PUT("choice schedule");
    `HS_PUT("reports start lane registers");
    `HS_PUT("reports spawn control");
    `HS_PUT("reports issue issue stage");
    `HS_PUT("reports read operands");
    `HS_PUT("reports write register file");
    `HS_PUT("reports mem memory");
    `HS_PUT("reports retire completion");
    `HS_PUT("reports next PC registers");
    `HS_PUT("reports end lane registers");
    `HS_PUT("reports open token stack");
    `HS_PUT("reports park token stack");
    `HS_PUT("reports wake token stack");
    `HS_PUT("reports close token stack");
    `HS_PUT("reports arrive operands of BAR");
    `HS_PUT("reports release barrier registers");
    `HS_PUT("reports finish bench");
    `HS_PUT("begin");
    hs_start(0, 0, 0, 1);
    for (int k = 0; k < 4; k++) generation[k] = 0;
  end

  // What the instruction before did to lanes and barriers.
  task consequences;
    w = {30'd0, was_w};
    if (was_op < 6'd3 || was_op > 6'd4) hs_retire(t, w, {32'd0, was_n}, {60'd0, was_act}, 1'b1);
    case (was_op)
      6'd8, 6'd9: if (bench.core.pc_q[was_w] != was_after) hs_next(t, w, {54'd0,
          bench.core.pc_q[was_w]}, {60'd0, was_act});
      6'd10: begin
        hs_open(t, w, {59'd0, was_token});
        if (bench.core.tok_m[was_token] != 0)
          hs_park(t, w, {54'd0, bench.core.tok_pc[was_token]}, {60'd0,
              bench.core.tok_m[was_token]}, {59'd0, was_token});
        else if (bench.core.pc_q[was_w] != was_after) hs_next(t, w, {54'd0,
            bench.core.pc_q[was_w]}, {60'd0, was_act});
      end
      6'd11: if (was_tok_2) begin
        if (was_tok_in != 0) hs_wake(t, w, {54'd0, was_after}, {60'd0, was_tok_in}, {59'd0,
            was_token});
        hs_close(t, w, {59'd0, was_token});
      end else begin
        hs_park(t, w, {54'd0, was_after}, {60'd0, was_act}, {59'd0, was_token});
        hs_wake(t, w, {54'd0, was_tok_pc}, {60'd0, was_tok_m}, {59'd0, was_token});
      end
      6'd12: begin
        lane = bench.core.run_q[was_w];
        if ((was_act & ~lane) != 0) hs_stop(t, w, {60'd0, was_act & ~lane});
        if ((lane & ~was_act) != 0) hs_start(t, w, {54'd0, was_after}, {60'd0, lane & ~was_act});
      end
      6'd13: begin
        spawned = 64'd0;
        for (int k = 1; k < WARPS; k++)
          if (bench.core.run_q[k] != run_before[k]
              || bench.core.pc_q[k] != pc_before[k]) spawned[k] = 1'b1;
        if (spawned != 0) hs_spawn(t, w, spawned);
        for (int k = 1; k < WARPS; k++)
          if (spawned[k]) hs_start(t, k, {54'd0, bench.core.pc_q[k]}, {60'd0, bench.core.run_q[k]});
      end
      6'd14: begin
        hs_arrive(t, w, {60'd0, was_act}, {62'd0, was_bar}, was_need, {32'd0, generation[was_bar]});
        gone = 64'd0;
        for (int k = 0; k < WARPS; k++)
          if (bar_before[k] && !bench.core.bar_q[k]) gone[k] = 1'b1;
        if (!bench.core.bar_q[was_w]) begin
          gone[was_w] = 1'b1;
          hs_release(t, {62'd0, was_bar}, was_need, {32'd0, generation[was_bar]}, gone);
          generation[was_bar] = generation[was_bar] + 1;
        end
      end
      default: ;
    endcase
  endtask

  task results;
    if (bench.core.mul_v) begin
      half = bench.core.mul_m & (bench.core.mul_at == 3 ? 4'd3 : bench.core.mul_at == 4 ? 4'd12
          : 4'd0);
      if (half != 0)
        hs_write(t, {30'd0, bench.core.mul_w}, {32'd0, bench.core.mul_n}, {60'd0, half}, {28'd0,
            bench.core.mul_rd},
                 wide(bench.core.PLANT == 12 ? product + {LANES{32'd1}} : product));
      if (half != 0 || bench.core.mul_at == 4)
        hs_retire(t, {30'd0, bench.core.mul_w}, {32'd0, bench.core.mul_n}, {60'd0, half},
            bench.core.mul_at == 4);
    end
    if (bench.core.answers) begin
      lane = 4'd1 << bench.core.pick;
      hs_mem(t, {30'd0, bench.core.ld_w}, {32'd0, bench.core.ld_n}, {60'd0, lane}, 1, 1, 4, 4,
          wide(ld_at), wide({LANES{loaded}}));
      hs_write(t, {30'd0, bench.core.ld_w}, {32'd0, bench.core.ld_n}, {60'd0, lane}, {28'd0,
          bench.core.ld_rd}, wide({LANES{loaded}}));
      hs_retire(t, {30'd0, bench.core.ld_w}, {32'd0, bench.core.ld_n}, {60'd0, cleared},
          (bench.core.ld_left & ~lane) == 0);
    end
  endtask

  task instruction;
    w = {30'd0, bench.core.w};
    hs_issue(t, w, {32'd0, bench.core.n_q[bench.core.w]}, {54'd0, bench.core.pc_q[bench.core.w]},
        {60'd0, bench.core.act}, {60'd0, bench.core.act});
    if (bench.core.op < 8 && bench.core.op != 6 && bench.core.op != 7)
      hs_read(t, w, {32'd0, bench.core.n_q[bench.core.w]}, {60'd0, bench.core.act}, {28'd0,
          bench.core.ra}, wide(a));
    if (bench.core.reads_b)
      hs_read(t, w, {32'd0, bench.core.n_q[bench.core.w]}, {60'd0, bench.core.act}, {28'd0,
          bench.core.rb}, wide(b));
    if (bench.core.op == 5)
      hs_mem(t, w, {32'd0, bench.core.n_q[bench.core.w]}, {60'd0, bench.core.act}, 2, 1, 4, 4,
          wide(at), wide(b));
    if (bench.core.writes && bench.core.op != 3 && bench.core.op != 4)
      hs_write(t, w, {32'd0, bench.core.n_q[bench.core.w]}, {60'd0, bench.core.act}, {28'd0,
          bench.core.rd}, wide(r));
  endtask

  always @(posedge bench.clk) if (!bench.rst && !done) begin
    t = {32'd0, bench.core.cycle};
    if (was_go) consequences;
    results;
    if (bench.core.go) instruction;
    was_go = bench.core.go;
    was_w = bench.core.w;
    was_op = bench.core.op;
    was_act = bench.core.act;
    was_token = bench.core.op == 11 ? bench.core.tos : bench.core.above;
    was_tok_m = bench.core.tok_m[was_token];
    was_tok_in = bench.core.tok_in[was_token];
    was_tok_pc = bench.core.tok_pc[was_token];
    was_tok_2 = bench.core.tok_2[was_token];
    was_after = bench.core.after;
    was_n = bench.core.n_q[bench.core.w];
    was_bar = bench.core.ins[1:0];
    was_need = bench.core.first_b;
    for (int k = 0; k < WARPS; k++) begin
      run_before[k] = bench.core.run_q[k];
      pc_before[k] = bench.core.pc_q[k];
      bar_before[k] = bench.core.bar_q[k];
    end
    if (!bench.core.busy && !was_go || bench.core.cycle == 32'd4000) begin
      hs_finish(t, bench.core.busy);
      done = 1'b1;
`ifdef HS_DPI
      hs_dpi_close();
`else
      $fclose(hs_f);
`endif
      $finish;
    end
  end
endmodule
