// The stack unit with a driver that fits beside it into an iCE40 HX8K: random control instructions
// of two warps, carriers, block barriers, and a memory that answers when it likes.  What the unit
// says is folded into a signature, which the placed circuit must show as the RTL does (place.sh).
//
// An instruction is of a warp that runs, its lanes are some of those, and a carrier is looked at
// before it pops, as the core does it.  After a fault, and when nothing has run for 64 cycles, a
// grid starts again.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "axi.vh"
`include "launch.vh"
module stack_place (
  input  wire         clk, rst_n,
  output logic [31:0] signature_o,
  output logic        some_o                 // the signature holds what a grid did
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"

  // ---- random bits: eight steps of a register in a cycle ----
  logic [63:0] random_q, random;
  always_comb begin
    random = random_q;
    for (int i = 0; i < 8; i = i + 1)
      random = {random[62:0], random[63] ^ random[62] ^ random[60] ^ random[59]};
  end
  always_ff @(posedge clk)
    random_q <= rst_n ? random : 64'h1d872b41c5e937f1;

  // ---- the groups that run ----
  step_t           step;
  wire [4:0]       warp;
  logic [31:0]     active_q [0:1];
  logic [29:0]     pc_q [0:1];
  logic [1:0]      runs_q;                   // a group of the warp runs
  always_ff @(posedge clk)
    if (step.run) begin
      active_q[warp[0]] <= step.next_active;
      pc_q[warp[0]]     <= step.next_pc[31:2];
    end

  // ---- a grid: a clear, two starts, instructions ----
  localparam [2:0] G_CLEAR = 3'd0, G_START0 = 3'd1, G_START1 = 3'd2, G_NEXT = 3'd3, G_LOOK = 3'd4,
                   G_FILL = 3'd5, G_POP = 3'd6, G_STEP = 3'd7;
  logic [2:0]      grid_q;
  logic            w_q;                      // the warp whose instruction it is
  logic [3:0]      kind_q;
  logic [31:0]     mask_q;
  logic            token_q;                  // a carrier whose pop faults
  logic [5:0]      quiet_q;                  // cycles in which nothing has run
  wire             start_ready, commit_valid;
  control_commit_t commit;
  wire [1:0]       filling, bad;
  wire             clear = grid_q == G_CLEAR;
  wire             faults = commit_valid && commit.fault != FAULT_NONE;
  wire             which = runs_q[random_q[0]] ? random_q[0] : !random_q[0];
  start_t          start;
  control_t        head;
  carrier_t        carrier;
  look_t           look;
  slots_t          slots;
  block_t          block;
  launch_t         launch;
  wire [31:0]      active = active_q[w_q];
  always_ff @(posedge clk) begin
    if (step.run)
      runs_q[warp[0]] <= step.next_active != 32'd0;
    quiet_q <= step.run || commit_valid ? 6'd0 : quiet_q + 6'd1;
    case (grid_q)
      G_CLEAR:  grid_q <= G_START0;
      G_START0: if (start_ready) grid_q <= G_START1;
      G_START1: if (start_ready) grid_q <= G_NEXT;
      G_NEXT: if (runs_q != 2'b00) begin
        w_q     <= which;
        kind_q  <= random_q[8:5];
        mask_q  <= random_q[40:9] | (random_q[63] ? random_q[62:31] : 32'd0);
        token_q <= 1'b0;
        grid_q  <= random_q[4:2] == 3'd0 ? G_LOOK : G_STEP;
      end
      G_LOOK: grid_q <= G_FILL;
      G_FILL: if (!filling[w_q]) begin
        token_q <= bad[w_q];
        grid_q  <= bad[w_q] ? G_STEP : G_POP;
      end
      G_POP: grid_q <= G_NEXT;
      default: if (step.done) grid_q <= G_NEXT;
    endcase
    if (!rst_n || faults || quiet_q == 6'd63) begin
      grid_q  <= G_CLEAR;
      quiet_q <= 6'd0;
      runs_q  <= 2'b00;
    end
  end

  // ---- what the unit gets ----
  wire [8:0] opcode = kind_q <= 4'd2 ? OP_SSY : kind_q == 4'd3 ? OP_CAL : kind_q == 4'd4 ? OP_BRX
                    : kind_q == 4'd5 ? OP_CALR : kind_q == 4'd6 && mask_q[5:4] == 2'd0 ? OP_RETT
                    : kind_q == 4'd7 ? OP_BAR : kind_q == 4'd8 ? OP_WARPSYNC
                    : kind_q <= 4'd11 ? OP_EXIT : OP_BRA;
  wire       guarded = opcode == OP_BRA || opcode == OP_BRX || opcode == OP_CALR
                    || opcode == OP_EXIT;
  wire [31:0] some = active & mask_q;
  always_comb begin
    head = {`CONTROL_BITS{1'b0}};
    head.uop.warp   = {4'd0, w_q};
    head.uop.pc     = {pc_q[w_q], 2'b00};
    head.uop.active = active;
    head.uop.word[`INSN_OP]  = opcode;
    head.uop.word[`INSN_IMM] = {mask_q[15:0], mask_q[31:16]};
    head.uop.word[`INSN_BX]  = {3'd0, mask_q[7]};
    head.uop.dec.fault = token_q ? FAULT_TOKEN : FAULT_NONE;
    head.exec        = guarded ? some : active;
    head.operand     = mask_q;
    head.same        = some != 32'd0 ? some : active;
    head.target      = {mask_q[7:0], mask_q[31:8]};
    start = {grid_q == G_START0 || grid_q == G_START1, 4'd0, grid_q == G_START1,
             random_q[63:33], 1'b1, random_q[29:0], 2'b00};
    look    = {grid_q == G_LOOK, 4'd0, w_q};
    carrier = 0;
    carrier.pop       = grid_q == G_POP;
    carrier.pop_warp  = {4'd0, w_q};
    slots = random_q[3:1];
    block = {5'd0, 6'd2, 14'd0, random_q[21:20] & {2{random_q[22]}}};
    launch = 0;
    launch.mode_stack  = 1'b1;
    launch.stack_depth = 32'd4;
    launch.spill_size  = 32'd256;
  end

  // ---- memory: 16 rows ----
  axi_read_t         read;
  axi_read_answer_t  answer;
  axi_write_t        write;
  axi_write_answer_t written;
  logic [255:0]      row_q [0:15];
  logic [255:0]      row;
  logic              reading_q;
  logic [3:0]        writes_q;               // that have no answer yet
  wire               takes = write.awvalid && write.wvalid && random_q[32] && writes_q != 4'd15;
  wire               gives = reading_q && random_q[33];
  wire               says  = writes_q != 4'd0 && random_q[34];
  assign answer  = {!reading_q, gives, 1'b1, gives && random_q[40:35] == 6'd0, 4'd0, row};
  assign written = {takes, takes, says, says && random_q[46:41] == 6'd0};
  always_ff @(posedge clk) begin
    if (takes)
      row_q[write.awaddr[8:5]] <= write.wdata;
    if (read.arvalid && !reading_q)
      row <= row_q[read.araddr[8:5]];
    reading_q <= rst_n && (reading_q ? !gives : read.arvalid);
    writes_q  <= rst_n ? writes_q + {3'd0, takes} - {3'd0, says} : 4'd0;
  end

  stack_record_t record;
  hold_t         hold;
  view_t         view, pipe_view;
  wire           bad_bus, busy, lsu_pop;
  wire [31:0]    bad_addr;
  stack #(.WARPS(2), .DEPTH(4), .PROBE(0)) u_stack (
    .clk(clk), .rst_n(rst_n), .clear_i(clear), .some_i(grid_q == G_STEP), .head_i(head),
    .start_i(start), .start_ready_o(start_ready), .warp_o(warp), .block_i(block), .step_o(step),
    .slots_i(slots), .hold_o(hold), .commit_valid_o(commit_valid), .commit_o(commit),
    .probe_warp_i(5'd0), .pipe_warp_i(5'd0), .view_o(view), .pipe_view_o(pipe_view),
    .halt_i(clear), .launch_i(launch), .look_i(look), .carrier_i(carrier),
    .lsu_pop_o(lsu_pop),
    .filling_o(filling), .bad_o(bad), .bad_bus_o(bad_bus), .bad_addr_o(bad_addr),
    .record_o(record), .mem_busy_o(busy),
    .axi_read_o(read), .axi_read_i(answer), .axi_write_o(write), .axi_write_i(written)
  );

  // ---- the signature: what counts when it counts ----
  logic [31:0] said, said_q;                 // a cycle in between: the unit's paths are long
  always_comb begin
    said = {17'd0, filling, bad, bad_bus, busy, hold, step.done, step.ended, step.arrive,
            step.leave, step.release_bar, commit_valid, warp[0]};
    if (step.run)        said = said ^ step.next_active ^ {step.next_pc[30:0], step.next_pc[31]};
    if (commit_valid)
      said = said ^ {commit.exec[28:0], commit.exec[31:29]} ^ {commit.fault, commit.uop.pc[27:0]}
             ^ {commit.released[26:0], commit.released[31:27]}
             ^ {commit.fault_m[20:0], commit.fault_m[31:21]};
    if (record.pushed || record.popped)
      said = said ^ record.token[63:32] ^ record.token[31:0]
             ^ {record.spilled, record.filled, 30'd0};
    if (write.awvalid)   said = said ^ write.awaddr ^ write.wdata[255:224] ^ write.wdata[31:0];
    if (read.arvalid)    said = said ^ {read.araddr[15:0], read.araddr[31:16]};
  end
  wire back = signature_o[31] ^ signature_o[21] ^ signature_o[1] ^ signature_o[0];
  always_ff @(posedge clk) begin
    said_q      <= said;
    signature_o <= !rst_n ? 32'd0 : {signature_o[30:0], back} ^ said_q;
    some_o      <= rst_n && (some_o || commit_valid);
  end
  wire unused = &{1'b0, view, pipe_view, lsu_pop, commit, record, read, write, step, bad_addr};
endmodule
`default_nettype wire
