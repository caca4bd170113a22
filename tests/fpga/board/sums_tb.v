// A digest's sums of what each lane has, as beats bring them (rtl/fpga/sums.vh), against the words
// one after the other: with one bit set anywhere, and with random ones.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`timescale 1ns/1ns
`include "converge.vh"
`include "launch.vh"
`include "lsu.vh"
`include "address.vh"
module sums_tb;
  parameter LANES = 4, TRIES = 300;
  localparam BEATS = 32 / LANES;
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  logic          clk = 1'b0, wb_valid, lw_valid, lw_pass, pipe_ends, unit_ends, from_lsu, lq_valid;
  logic [4:0]    beat;
  logic [1:0]    half;
  logic [31:0]   exec;                       // lanes that execute
  logic [63:0]   data [0:31], quad [0:31];   // a lane's words 0 and 1, 2 and 3
  logic [63:0]   at [0:31];                  // addresses
  logic          high;                       // beats have words 2 and 3
  logic [64*LANES-1:0] beat_data, beat_at;
  logic [`ADDR_BITS*LANES-1:0] beat_addr;
  logic [LANES-1:0] mask;
  uop_t          uop;
  control_commit_t cv;
  view_t         view;
  place_t        place;
  stack_record_t stack;
  lsu_record_t   record;
  logic          take, store, acts;
  logic [2:0]    lg;
  logic [4:0]    act;                        // the lane that an atomic is at
  always_comb
    for (int i = 0; i < LANES; i = i + 1) begin
      beat_data[64*i +: 64] = high ? quad[5'(LANES * beat + i)] : data[5'(LANES * beat + i)];
      beat_addr[`ADDR_BITS*i +: `ADDR_BITS] = at[5'(LANES * beat + i)];
      mask[i] = exec[5'(LANES * beat + i)];
    end
  probe #(.SLOTS(1), .LANES(LANES), .PIPE(1)) u_pipe (
    .clk(clk), .valid_i(pipe_ends), .from_conv_i(1'b0), .from_lsu_i(1'b0), .warp_i(5'd0),
    .fault_i(FAULT_NONE), .fault_m_i(32'd0), .fault_addr_i(64'd0), .cycle_i(64'd0),
    .count_i(64'd0),
    .place_i(place), .wb_valid_i(wb_valid), .wb_uop_i(uop), .wb_beat_i(beat), .wb_exec_i(exec),
    .wb_data_i(beat_data), .wb_pd_i({LANES{1'b0}}), .cv_i(cv), .stack_i(1'b0),
    .stack_record_i(stack),
    .view_i(view), .active_i(32'd0), .lq_valid_i(1'b0), .lq_slot_i(4'd0), .ls_slot_i(4'd0),
    .lq_uop_i(uop), .lq_exec_i(32'd0), .lw_valid_i(1'b0), .lw_pass_i(1'b0), .lw_beat_i(5'd0),
    .lw_data_i(beat_data), .lw_mask_i({LANES{1'b0}}), .ls_record_i(record), .lw_half_i(2'd0),
    .at_i(9'd0), .word_o(), .parity_o(), .weighed_o(), .c_valid()
  );
  probe #(.SLOTS(1), .LANES(LANES), .PIPE(0)) u_unit (
    .clk(clk), .valid_i(unit_ends), .from_conv_i(!from_lsu), .from_lsu_i(from_lsu), .warp_i(5'd0),
    .fault_i(FAULT_NONE), .fault_m_i(32'd0), .fault_addr_i(64'd0), .cycle_i(64'd0),
    .count_i(64'd0),
    .place_i(place), .wb_valid_i(1'b0), .wb_uop_i(uop), .wb_beat_i(5'd0), .wb_exec_i(32'd0),
    .wb_data_i(beat_data), .wb_pd_i({LANES{1'b0}}), .cv_i(cv), .stack_i(1'b0),
    .stack_record_i(stack),
    .view_i(view), .active_i(32'd0), .lq_valid_i(lq_valid), .lq_slot_i(4'd0), .ls_slot_i(4'd0),
    .lq_uop_i(uop), .lq_exec_i(exec), .lw_valid_i(lw_valid), .lw_pass_i(high), .lw_beat_i(beat),
    .lw_data_i(beat_data), .lw_mask_i(mask), .ls_record_i(record), .lw_half_i(half),
    .at_i(9'd0), .word_o(), .parity_o(), .weighed_o(), .c_valid()
  );
  lsu_debug #(.LANES(LANES), .SLOTS(1)) u_lsu (
    .clk(clk), .take_i(take), .slot_i(1'd0), .first_i(beat == 5'd0 && !high), .pass_i(high),
    .beat_i(beat), .mask_i(mask), .generic_i(1'b0), .space_i(3'd0), .addr_i(beat_addr),
    .shared_m_i({LANES{1'b0}}), .local_m_i({LANES{1'b0}}), .store_i(store), .lg_i(lg),
    .b_i(beat_data), .l_valid_i(acts), .l_slot_i(1'd0), .l_beat_i(5'(act / LANES)),
    .l_lane_i(5'(act % LANES)), .l_new_i(data[act]), .begins_i(1'b0), .begins_slot_i(1'd0),
    .sent_i(1'b0), .sent_slot_i(1'd0), .end_i(1'd0), .reads_o(record.reads),
    .writes_o(record.writes), .space_o(record.space), .addr_o(record.addr), .wdata_o(record.wdata),
    .addr_sums_o(record.addr_sums), .wdata_sums_o(record.wdata_sums),
    .shared_m_o(record.shared_m), .local_m_o(record.local_m)
  );

  // ---- what the sums must be ----
  integer        errors = 0, compared = 0;
  logic [63:0]   sums;
  task word(input [31:0] w);
    sums = {sums[62:32], 1'b0, sums[31:0]} ^ {w, w}
         ^ (sums[63] ? 64'h00400007_00000000 : 64'd0);
  endtask
  task same(input [63:0] got);
    compared = compared + 1;
    if (got !== sums) begin
      errors = errors + 1;
      if (errors < 5)
        $display("sums: %h, not %h; size %0d, rd %0d, lanes %h", got, sums, uop.dec.rd_size,
            uop.word[`INSN_RD], exec);
    end
  endtask
  // A value of four words: those that the instruction has not are zero.
  task value(input odd, input integer words);
    sums = 64'd0;
    for (int k = 0; k < 4; k = k + 1)
      for (int l = 0; l < 32; l = l + 1)
        word(!exec[l] || k >= words ? 32'd0 : k == 0 && odd ? data[l][63:32]
             : k == 0 ? data[l][31:0] : k == 1 ? data[l][63:32]
             : k == 2 ? quad[l][31:0] : quad[l][63:32]);
  endtask
  task beats(input integer passes, input last);
    for (int p = 0; p < passes; p = p + 1)
      for (int k = 0; k < BEATS; k = k + 1) begin
        high = p != 0;
        beat = 5'(k);
        pipe_ends = last && p == passes - 1 && k == BEATS - 1;
        #1;
        if (k != BEATS - 1 || p != passes - 1)
          clock;
      end
  endtask
  task clock;
    #1 clk = 1'b1;
    #1 clk = 1'b0;
  endtask

  // One bit of one lane, or random ones.
  task fill(input integer n);
    for (int l = 0; l < 32; l = l + 1) begin
      data[l] = n < 128 ? 64'd0 : {$random, $random};
      quad[l] = n < 128 ? 64'd0 : {$random, $random};
      at[l]   = n < 128 ? 64'd0 : 64'(`ADDR_BITS'({$random, $random}));
    end
    exec = n < 128 ? 32'hffffffff : $random & ($random | {32{n[0]}});
    if (n % 11 == 10)
      exec = 32'd0;
    if (n < 64)
      {data[n % 32][n / 32 * 32 + ($random & 31)], at[n % 32][$random & 31]} = 2'b11;
    else if (n < 128)
      quad[n % 32][n / 96 * 32 + ($random & 31)] = 1'b1;
  endtask

  integer size, off, from;
  initial begin
    {wb_valid, lw_valid, lw_pass, pipe_ends, unit_ends, from_lsu, lq_valid, take, store, acts} = 0;
    {beat, half, high, lg, act} = 0;
    {uop, cv, view, place, stack} = 0;
    for (int n = 0; n < 128 + TRIES; n = n + 1) begin
      fill(n);
      size = n < 64 ? 1 : n < 128 ? 2 : $random & 1;
      uop = 0;
      uop.word[`INSN_RD] = n < 64 && n[0] ? 8'd5 : 8'd4;
      {uop.dec.writes_rd, uop.dec.rd_size} = {1'b1, n < 64 ? 2'(n / 32) : 2'(size)};
      // The pipeline: no four words.  An LDC has one address for all lanes.
      if (n % 3 == 0) uop.word[`INSN_OP] = OP_LDC;
      off = $random;
      uop.word[`INSN_OFF] = off[23:0];
      wb_valid = 1'b1;
      beats(1, 1'b1);
      value(uop.dec.rd_size == 0 && uop.word[`INSN_RD] % 2, uop.dec.rd_size == 0 ? 1 : 2);
      same(u_pipe.val_sums);
      sums = 64'd0;
      if (n % 3 == 0)
        for (int l = 0; l < 32; l = l + 1) begin
          word(exec[l] ? {8'd0, off[23:0]} : 32'd0);
          word(32'd0);
        end
      same(u_pipe.addr_sums);
      clock;
      {wb_valid, pipe_ends} = 2'd0;
      // The convergence unit: the same in all lanes.
      uop.word[`INSN_OP] = n[1] ? OP_CALL : OP_BMOVR;
      {uop.pc, uop.dec.rd_size, cv.uop, cv.exec, cv.bbefore} = {off, 2'd0, uop, exec, ~off};
      cv.uop.pc = off;
      cv.uop.dec.rd_size = 2'd0;
      {unit_ends, from_lsu} = 2'b10;
      #1 sums = 64'd0;
      for (int k = 0; k < 128; k = k + 1)
        word(k >= 32 || !exec[k] ? 32'd0 : n[1] ? off + 32'd16 : ~off);
      same(u_unit.val_sums);
      clock;
      unit_ends = 1'b0;
      // The LSU: a load of 1, 2 or 4 words.
      uop.word[`INSN_OP] = OP_S2R;
      size = n < 128 ? (n < 32 ? 0 : n < 64 ? 1 : 2) : $random & 3;
      if (size == 3) size = 0;
      uop.dec.rd_size = size[1:0];
      lq_valid = 1'b1;
      clock;
      lq_valid = 1'b0;
      half = size != 0 ? 2'b11 : uop.word[`INSN_RD] % 2 ? 2'b10 : 2'b01;
      if (exec != 0) begin                   // or what the last one had stays
        lw_valid = 1'b1;
        beats(size == 2 ? 2 : 1, 1'b0);
        clock;
        lw_valid = 1'b0;
      end
      {unit_ends, from_lsu} = 2'b11;
      #1 value(size == 0 && uop.word[`INSN_RD] % 2, size == 0 ? 1 : size == 1 ? 2 : 4);
      same(u_unit.val_sums);
      clock;
      {unit_ends, from_lsu} = 2'd0;
      // A store of these, an atomic: addresses, words written.
      store = n % 4 != 3 || n < 128;
      lg    = size == 0 ? (n < 64 ? 3'd2 : 3'(n % 3)) : size == 1 ? 3'd3 : 3'd4;
      take  = 1'b1;
      beats(size == 2 ? 2 : 1, 1'b0);
      clock;
      take  = 1'b0;
      from  = $random & 31;
      for (int k = 0; k < 32; k = k + 1) begin
        act  = 5'(from + 7 * k);
        acts = !store && exec[act];
        #1 clock;
      end
      acts = 1'b0;
      sums = 64'd0;
      for (int l = 0; l < 32; l = l + 1) begin
        word(at[l][31:0]);
        word(at[l][63:32]);
      end
      #1 same(record.addr_sums);
      if (store)
        for (int l = 0; l < 32; l = l + 1) begin
          if (lg == 3'd0) data[l] = data[l] & 64'hff;
          if (lg == 3'd1) data[l] = data[l] & 64'hffff;
        end
      value(1'b0, !store ? 2 : lg < 3 ? 1 : lg == 3 ? 2 : 4);
      same(record.wdata_sums);
    end
    $display("sums: lanes %0d, %0d compared, %0d errors", LANES, compared, errors);
    $finish;
  end
endmodule
`default_nettype wire
