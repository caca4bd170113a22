// In stack mode nothing steps in the cycle of a fault, nor after it: while halt_i is up no step has
// an effect, and no record follows, whatever the parts of the unit would do. The user's contract:
// the queue's head is held back meanwhile (converge.v: `some`).
// UNIT: stack WARPS=2 DEPTH=4
// RTL: stack.v stack_exec.v stack_step.v stack_mem.v stack_carrier.v bar_walk.v pick.v starve.v
// FREE: stack_exec stack_step stack_mem stack_carrier bar_walk pick starve
// PROVE: induction 1
// COVER: 6
// BUG: stack.v: s/go = busy && !stall && !halt_i/go = busy \&\& !stall/ -- what is under way steps on
// BUG: stack.v: s/<= finished && rst_n/<= e.finish \&\& rst_n/ -- a step that was held back retires
// BUG: stack.v: s/<= e.pop && go;/<= e.pop;/ -- the record of a pop that was held back
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "axi.vh"
`include "launch.vh"
module stack_halted (
  input wire         clk, clear, some, halt,
  input control_t    head,
  input start_t      begun,
  input block_t      block,
  input slots_t      slots,
  input wire [4:0]   probe_warp, pipe_warp,
  input launch_t     launch,
  input look_t       look,
  input carrier_t    carrier,
  input axi_read_answer_t  read,
  input axi_write_answer_t written
);
  reg            rst_n = 1'b0, held = 1'b0;
  step_t         step;
  stack_record_t record;
  wire           commit;
  stack u (
    .clk(clk), .rst_n(rst_n), .clear_i(clear), .some_i(some), .head_i(head), .start_i(begun),
    .block_i(block), .step_o(step), .slots_i(slots), .commit_valid_o(commit),
    .probe_warp_i(probe_warp), .pipe_warp_i(pipe_warp), .halt_i(halt), .launch_i(launch),
    .look_i(look), .carrier_i(carrier), .record_o(record), .axi_read_i(read),
    .axi_write_i(written));

  always @(posedge clk) begin
    rst_n <= 1'b1;
    held  <= rst_n && halt;
  end
  always @* begin
    if (halt) assume (!some);
    if (rst_n && halt) begin
      assert (!step.done && !step.ended && !step.run);
      assert (!step.arrive && !step.leave && !step.release_bar);
    end
    if (held) begin
      assert (!commit && !record.unwind);
      assert (!record.pushed && !record.popped && !record.spilled && !record.filled);
    end
    cover (rst_n && halt && begun.valid && carrier.pop);
    cover (rst_n && held && !halt && step.done);
    cover (rst_n && !held && commit && record.popped);
  end
endmodule
`default_nettype wire
