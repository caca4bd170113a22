// Scoreboard and issue, two warps, two beats an instruction, for every sequence of instructions: no
// register or predicate is read or written again before it has been written (RAW, WAW), nor written before
// those who are to read what it held have done so (WAR); a warp with a memory instruction out issues nothing, or loads
// after loads, which do not use what one that is out is to write; no two instructions write in one cycle, nor retire in
// one, nor in one that LSU or convergence unit have booked; what a warp issues later retires later; what is pushed is
// issued once, in order and as it was; and the queues of LSU and convergence unit are not overrun, and the f64 unit has
// one instruction at a time, whose warp waits.  How long a warp may wait: turn_fair.v, slots_booked.v.
// The pipeline is its contract here: an instruction writes its first beat as many cycles after its
// issue as the slot that it reserved says, and `done` comes in the cycle before.  An f64 instruction does so once it has
// been taken, six cycles after its issue at the earliest; a memory instruction retires N + 1 after its issue at the
// earliest, since its beats come first.  Rows are arbitrary.
// ENGINE: abc
// UNIT: issue WARPS=2 NREGS=8 LANES=16
// RTL: issue.v slots.v turn.v bound.v scoreboard.v pick.v gen/decode_gen.v
// FREE: decode_gen turn bound
// SEEN: rd_q wr_q word_q u_scoreboard.reg_q u_scoreboard.pred_q u_scoreboard.left_q u_scoreboard.mem_q
// PROVE: induction 1
// COVER: 12
// BUG: scoreboard.v: s/\(d2 != 2.d0/(1'b0/ -- a register is written again too early
// BUG: scoreboard.v: s/\(b4 != 2.d0 && h.dec.b_quad\)/1'b0/ -- the upper pair of four is not waited for
// BUG: scoreboard.v: s/TRACK != 0 && follow_i && issue_need_i.dec.load && !issue_need_i.pop/1'b1/ -- loads do not wait for stores
// BUG: scoreboard.v: s/&& h.dec.load && !h.pop/\&\& !h.pop/ -- other instructions do not wait for loads
// BUG: scoreboard.v: s/mem_q\[mw\] == 5.d1/1'b1/ -- what loads are to write is forgotten with the first of them
// BUG: scoreboard.v: s/issue_need_i.dec.rd_size\[1\]/1'b0/ -- the upper pair of four is not waited for
// BUG: scoreboard.v: s/left_q\[w\] < unit_commit_i/left_q[w] <= 7'd3 + unit_commit_i/ -- a short one overtakes a long one
// BUG: issue.v: s/ && quiet\[who\]// -- control that needs no operands overtakes what its warp has issued
// BUG: issue.v: s/\{3.d0, lsu_q\} < lsu_free_i/lsu_free_i != 5'd0/ -- more are on their way than the LSU takes
// BUG: issue.v: s/ && conv_q == 3.d0 && quiet/ \&\& quiet/ -- it goes before control of other warps
// BUG: issue.v: s/late     = !free_alu/late     = 1'b0/ -- a slot is taken twice
// BUG: issue.v: s/conv_q < 3.\(CONV_QUEUE\)/conv_q < 3'd5/ @ 13 -- five control instructions in a queue of four
// BUG: issue.v: s/some_q\[who\] <= rd_q\[who\] \+ .*;/some_q[who] <= 1'b1;/ -- an instruction is issued that was never pushed
// BUG: issue.v: s/busy_q == 7.d0 && !hold_i/busy_q == 7'd0/ -- a hold is ignored
// BUG: issue.v: s/serial_done_i && free_alu && /serial_done_i \&\& / -- an f64 result takes a slot twice
// BUG: issue.v: s/ & ~in_serial// @ 15 -- a warp goes on while its f64 instruction is in the unit
// BUG: scoreboard.v: s/ <= take_commit_i/ <= 7'd0/ -- the next one overtakes an f64 instruction
// BUG: slots.v: s/ && !write_q\[LAST\]// -- the convergence unit books a cycle of the LSU's result
// BUG: slots.v: s/FPU \+ N : WARP/FPU : WARP/ -- the LSU books where a float does
// BUG: issue.v: s/issue_twice \? 7.\(2 \* N - 1\) : / / -- the second pass of a store is not waited for
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
module issue_hazards (
  input wire        clk, push, push_warp, hold, lsu_last, way, conv_done, mem_done, mem_done_warp, mark,
  input wire [4:0]  lsu_free,
  input wire        lsu_late, lsu_result, conv_late, serial_done,
  input wire [127:0] push_word,
  input wire [31:0] push_pc,
  input wire        push_again, push_bad, push_bus, push_constant, push_const_bus,
  input wire [1:0]  filling, bad
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  localparam N = 2, DEPTH = 4;
  (* anyconst *) wire       k;               // the warp,
  (* anyconst *) wire [6:0] wb;              // and the bit of an instruction that are followed
  reg          rst_n = 1'b0;
  wire         pop, rr_valid, rr_pass, slot_write, early;
  slots_t      retiring;
  fetched_t    fetched;
  always @* begin                            // by name: a field that is not here is arbitrary
    fetched.valid = push;
    fetched.warp = {4'd0, push_warp};
    fetched.pc = push_pc;
    fetched.again = push_again;
    fetched.bad_pc = push_bad;
    fetched.bus = push_bus;
    fetched.constant = push_constant;
    fetched.const_bus = push_const_bus;
    fetched.word = push_word;
  end
  wire         mem_busy = retiring.mem_busy, slot_keep = retiring.keep, slot_none = retiring.none;
  wire [4:0]   pop_warp, rr_beat;
  uop_t        rr_uop;
  wire [`UOP_BITS-1:0] rr_bits;
  assign rr_uop = rr_bits;

  // ---- the pipeline: place p is done in p cycles ----
  localparam PIPE = 5;
  reg  [PIPE-1:0] there;
  reg  [17*PIPE-1:0] pipe;                   // warp, writes_rd, pair, writes_pd, pd, rd
  wire [16:0]  out = pipe[16:0];
  reg          out_serial;                   // an instruction in the f64 unit,
  reg  [16:0]  serial_in;                    // what it is,
  reg  [2:0]   serial_age;                   // cycles since its issue, six at most
  wire         take;
  uop_t        done_uop;
  wire [16:0]  in;
  always @* begin
    done_uop = {`UOP_BITS{1'b0}};
    done_uop.warp = {4'd0, out[14]};
    done_uop.dec.writes_rd = out[13];
    done_uop.dec.rd_size = {1'b0, out[12]};
    done_uop.dec.writes_pd = out[11];
    done_uop.word[`INSN_PD] = out[10:8];
    done_uop.word[`INSN_RD] = out[7:0];
  end
  issue u (
    .clk(clk), .rst_n(rst_n), .clear_i(1'b0), .mode_stack_i(1'b0), .push_i(fetched),
    .pop_o(pop), .pop_warp_o(pop_warp),
    .run_i(1'b0), .run_warp_i(5'd0), .next_active_i(32'd0), .hold_i(hold), .lsu_free_i(lsu_free), .lsu_last_i(lsu_last),
    .conv_done_i(conv_done), .follow_i(1'b1), .mem_done_i(mem_done), .mem_done_warp_i({4'd0, mem_done_warp}),
    .done_i(there[0]), .done_uop_i(done_uop), .rr_valid_o(rr_valid), .rr_uop_o(rr_bits), .rr_beat_o(rr_beat), .rr_pass_o(rr_pass),
    .early_o(early), .slot_write_o(slot_write), .slots_o(retiring), .serial_done_i(serial_done), .serial_take_o(take),
    .lsu_late_i(lsu_late), .lsu_result_i(lsu_result), .conv_late_i(conv_late),
    .filling_i(filling), .bad_i(bad));

  // ---- inside ----
  (* hierconn *) wire [`NEED_BITS-1:0]   \u.issue_need ;
  (* hierconn *) wire [2*`NEED_BITS-1:0] \u.heads ;
  (* hierconn *) wire [6:0]  \u.issue_first , \u.busy_q , \u.u_scoreboard.left_q[0] , \u.u_scoreboard.left_q[1] ;
  (* hierconn *) wire [10:0] \u.u_slots.write_q , \u.u_slots.lsu_q , \u.u_slots.conv_q ;
  (* hierconn *) wire [7:0]  \u.u_scoreboard.reg_q[0] , \u.u_scoreboard.reg_q[1] , \u.u_scoreboard.pred_q[0] , \u.u_scoreboard.pred_q[1] ;
  (* hierconn *) wire [1:0]  \u.rd_q[0] , \u.rd_q[1] , \u.wr_q[0] , \u.wr_q[1] , \u.some_q , \u.u_scoreboard.load_q ;
  (* hierconn *) wire [4:0]  \u.u_scoreboard.mem_q[0] , \u.u_scoreboard.mem_q[1] ;
  (* hierconn *) wire        \u.early , \u.serial_q , \u.serial_warp_q ;
  (* hierconn *) wire [2:0]  \u.conv_q ;
  (* hierconn *) wire [4:0]  \u.mem_q ;
  (* hierconn *) wire [1:0]  \u.lsu_q ;
  (* hierconn *) wire [127:0] \u.word_q[0] , \u.word_q[1] , \u.word_q[2] , \u.word_q[3] ,
                              \u.word_q[4] , \u.word_q[5] , \u.word_q[6] , \u.word_q[7] ;
  need_t is, h0, h1, hk;
  assign is = \u.issue_need ;
  assign {h1, h0} = \u.heads ;
  assign hk = k ? h1 : h0;
  wire [7:0] regs  = k ? \u.u_scoreboard.reg_q[1] : \u.u_scoreboard.reg_q[0] ;
  wire [7:0] preds = k ? \u.u_scoreboard.pred_q[1] : \u.u_scoreboard.pred_q[0] ;
  wire [6:0] left  = k ? \u.u_scoreboard.left_q[1] : \u.u_scoreboard.left_q[0] ;
  wire [1:0] rd    = k ? \u.rd_q[1] : \u.rd_q[0] , wr = k ? \u.wr_q[1] : \u.wr_q[0] ;
  wire       is_lsu = is.dec.unit == UNIT_LSU, is_ctl = is.dec.unit == UNIT_CTL,
             is_f64 = is.dec.unit == UNIT_F64, by_k = pop && pop_warp[0] == k;
  wire [6:0] first = \u.issue_first ;
  wire [10:0] guests = \u.u_slots.lsu_q | \u.u_slots.conv_q , slots = \u.u_slots.write_q & ~guests;

  // ---- the references ----
  // What a row reads and writes, as sets of registers and of predicates.
  function automatic [7:0] set(input [7:0] r, input used, pair, quad);
    set = !used || r == RZ ? 8'd0 : quad ? 8'h0f << {r[2], 2'd0} : pair ? 8'h03 << {r[2:1], 1'b0} : 8'h01 << r[2:0];
  endfunction
  function automatic [7:0] one(input [2:0] p, input used);
    one = used && p != PT ? 8'd1 << p : 8'd0;
  endfunction
  wire [7:0] writes = set(is.rd, is.dec.writes_rd, is.dec.rd_size[0], is.dec.rd_size[1]), sets = one(is.pd, is.dec.writes_pd);
  wire [7:0] uses   = set(is.ra, is.dec.reads_a, is.dec.a_pair, 1'b0) | set(is.rb, is.dec.reads_b, is.dec.b_pair, is.dec.b_quad)
                    | set(is.rc, is.dec.reads_c, is.dec.c_pair, 1'b0) | writes;
  wire [7:0] tests  = one(is.pg, 1'b1) | one(is.ps, is.dec.reads_ps) | one(is.pq, is.dec.reads_pt) | sets;
  assign in = {2'd0, pop_warp[0], is.dec.writes_rd, is.dec.rd_size[0], is.dec.writes_pd, is.pd, is.rd};
  // Registers and predicates of k on their way in the pipeline, and for how long.
  reg  [7:0] regs_due, preds_due;
  reg        twice;                          // one of them is written by two
  reg  [6:0] due;
  integer i;
  always @* begin
    regs_due = 8'd0;
    preds_due = 8'd0;
    due = 7'd0;
    twice = 1'b0;
    for (i = 0; i < PIPE; i = i + 1)
      if (there[i] && pipe[17*i + 14] == k) begin
        twice = twice || (regs_due & set(pipe[17*i +: 8], pipe[17*i + 13], pipe[17*i + 12], 1'b0)) != 8'd0
             || (preds_due & one(pipe[17*i + 8 +: 3], pipe[17*i + 11])) != 8'd0;
        regs_due  = regs_due | set(pipe[17*i +: 8], pipe[17*i + 13], pipe[17*i + 12], 1'b0);
        preds_due = preds_due | one(pipe[17*i + 8 +: 3], pipe[17*i + 11]);
        due = i + 1;
      end
    if (out_serial && serial_in[14] == k) begin
      twice = twice || (regs_due & set(serial_in[7:0], serial_in[13], serial_in[12], 1'b0)) != 8'd0
           || (preds_due & one(serial_in[10:8], serial_in[11])) != 8'd0;
      regs_due  = regs_due | set(serial_in[7:0], serial_in[13], serial_in[12], 1'b0);
      preds_due = preds_due | one(serial_in[10:8], serial_in[11]);
    end
  end
  reg        a_here, a_k;                    // an arbitrary instruction of the pipeline: on its way, of warp k,
  reg  [6:0] a_in;                           // its first beat is written in so many cycles
  reg  [4:0] mem0, mem1;                     // memory instructions of each warp that are out;
  reg  [1:0] way0, way1;                     // of them, those whose last beat the LSU waits for
  reg        l_here;                         // an arbitrary load of k that is out,
  reg  [7:0] l_regs;                         // what it is to write,
  reg  [4:0] l_ahead;                        // and how many of k retire before it
  reg  [1:0] mem_age;                        // cycles since k issued a memory instruction
  reg        k_loads;                        // all that k has out are loads
  wire [4:0] mem = k ? mem1 : mem0;
  wire [4:0] ways = {3'd0, way0} + {3'd0, way1};
  wire       lsu_k = by_k && is_lsu, end_k = mem_done && mem_done_warp == k;
  reg  [2:0] out_conv, held;                 // control instructions out; instructions in k's buffer
  reg        m_here, m_bit, m_now;           // an arbitrary pushed instruction: in k's buffer, the bit of it, issued
  reg  [2:0] m_ahead;                        // that many are before it
  wire [2:0] held_left = held - {2'd0, by_k};
  wire       push_k = push && push_warp == k;
  always @(posedge clk) begin
    rst_n <= 1'b1;
    there <= there >> 1;
    pipe  <= pipe >> 17;
    if (pop && !is_lsu && !is_f64 && !\u.early )
      for (i = 0; i < PIPE; i = i + 1)
        if (first - 7'd2 == i) begin
          there[i] <= 1'b1;
          pipe[17*i +: 17] <= in;
        end
    if (take) begin
      there[2] <= 1'b1;                      // as an ALU instruction that issues now
      pipe[17*2 +: 17] <= serial_in;
      out_serial <= 1'b0;
    end
    if (pop && is_f64) begin
      out_serial <= 1'b1;
      serial_in  <= in;
      serial_age <= 3'd0;
    end else if (serial_age != 3'd6)
      serial_age <= serial_age + 3'd1;
    if (a_here) a_in <= a_in - 7'd1;
    if (a_here && a_in == 7'd0) a_here <= 1'b0;
    if (pop && !is_lsu && !is_ctl && !is_f64 && mark) begin
      a_here <= 1'b1;
      a_k    <= by_k;
      a_in   <= first - 7'd1;
    end
    if (take && mark) begin
      a_here <= 1'b1;
      a_k    <= serial_in[14] == k;
      a_in   <= 7'd3;
    end
    mem0 <= mem0 + {4'd0, pop && is_lsu && !pop_warp[0]} - {4'd0, mem_done && !mem_done_warp};
    mem1 <= mem1 + {4'd0, pop && is_lsu && pop_warp[0]} - {4'd0, mem_done && mem_done_warp};
    way0 <= way0 + {1'b0, pop && is_lsu && !pop_warp[0]} - {1'b0, lsu_last && !way};
    way1 <= way1 + {1'b0, pop && is_lsu && pop_warp[0]} - {1'b0, lsu_last && way};
    if (lsu_k) k_loads <= is.dec.load && !is.pop && (mem == 5'd0 || k_loads);
    if (lsu_k) mem_age <= 2'd0;
    else if (mem_age != 2'd3) mem_age <= mem_age + 2'd1;
    if (end_k) begin
      l_ahead <= l_ahead - 5'd1;
      if (l_ahead == 5'd0) l_here <= 1'b0;
    end
    if (lsu_k && is.dec.load && !is.pop && mark) begin // after others nothing issues
      l_here  <= 1'b1;
      l_regs  <= writes;
      l_ahead <= mem - {4'd0, end_k};
    end
    out_conv <= out_conv + {2'd0, pop && is_ctl} - {2'd0, conv_done};
    held     <= held_left + {2'd0, push_k};
    m_now    <= m_here && by_k && m_ahead == 3'd0;
    if (by_k) begin
      m_ahead <= m_ahead - 3'd1;
      if (m_ahead == 3'd0) m_here <= 1'b0;
    end
    if (push_k && mark && !m_here && !m_now) begin
      m_here  <= 1'b1;
      m_bit   <= push_word[wb];
      m_ahead <= held_left;
    end
    if (!rst_n) begin
      there   <= 5'd0;
      a_here  <= 1'b0;
      {mem0, mem1, way0, way1} <= 14'd0;
      l_here  <= 1'b0;
      out_serial <= 1'b0;
      out_conv <= 3'd0;
      held    <= 3'd0;
      m_here  <= 1'b0;
      m_now   <= 1'b0;
    end
  end

  // ---- what is promised: fetch, decoder, units ----
  wire good0, good1, good;
  issue_row row0 (.h(h0), .good(good0)), row1 (.h(h1), .good(good1)), row (.h(is), .good(good));
  always @* begin
    assume (good0 && good1 && good);
    if (push) assume (rst_n);
    if (push_k) assume (held < DEPTH);
    if (mem_done) assume (rst_n && (mem_done_warp ? mem1 > {3'd0, way1} : mem0 > {3'd0, way0}));
    if (end_k && mem == 5'd1) assume (mem_age >= N);
    if (lsu_last) assume ((way ? way1 : way0) != 2'd0);
    assume ({1'b0, lsu_free} + mem0 + mem1 <= 6'd16 + ways); // the slots of the LSU
    if (serial_done) assume (rst_n && out_serial && serial_age == 3'd6);
    if (conv_done) assume (out_conv != 3'd0);
  end

  // Beats of reading that come after this cycle's.
  wire [6:0] to_read = !rr_valid ? 7'd0 : 7'(N - 1) - {2'd0, rr_beat} + (rr_uop.dec.b_quad && !rr_pass ? 7'(N) : 7'd0);
  wire [1:0] m_at   = rd + m_ahead[1:0];
  wire [127:0] m_w0 = m_at[1] ? (m_at[0] ? \u.word_q[3] : \u.word_q[2] ) : m_at[0] ? \u.word_q[1] : \u.word_q[0] ;
  wire [127:0] m_w1 = m_at[1] ? (m_at[0] ? \u.word_q[7] : \u.word_q[6] ) : m_at[0] ? \u.word_q[5] : \u.word_q[4] ;
  wire [127:0] m_word = k ? m_w1 : m_w0;
  always @* if (rst_n) begin
    if (by_k) begin
      assert ((uses & regs_due) == 8'd0 && (tests & preds_due) == 8'd0);
      assert (held != 3'd0 && !(out_serial && serial_in[14] == k));
      assert (mem == 5'd0 || (k_loads && is_lsu && is.dec.load && !is.pop));
      if (l_here) assert ((uses & l_regs) == 8'd0);
      // The earliest that it retires, against the instruction on its way; a fault waits until there is none.
      if (a_here && a_k && is.dec.fault == FAULT_NONE)
        assert ((is_f64 ? 7'd10 : is_lsu ? 7'd3 : is_ctl ? 7'd4 : first) > a_in);
      if ( \u.early && a_here && a_k) assert (a_in + N <= 7'd2); // it retires two cycles on

    end
    if (pop) begin
      assert (to_read == 7'd0);              // and it writes two cycles on at the earliest
      assert (!hold && !(is_lsu && ways >= lsu_free));
      assert (!is_f64 || !out_serial);
      assert (! \u.early || (is_ctl && \u.conv_q == 3'd0 && !is.dec.writes_rd && is.dec.fault == FAULT_NONE));
      if (!is_lsu && !is_f64 && ! \u.early ) begin
        assert (first >= 7'd2 && first - 7'd2 < PIPE);
        if (a_here) assert (first >= a_in + N || a_in >= first + N);
      end
    end
    if (take) begin
      assert (out_serial && !pop && !hold);
      if (a_here)
        assert (7'd4 >= a_in + N || (a_k != (serial_in[14] == k) && a_in >= 7'd4 + N));
    end
    assert (out_conv <= 3'd4);
    if (m_now) assert ((rr_valid || early) && rr_uop.warp == {4'd0, k} && rr_uop.word[wb] == m_bit);
    // What the unit keeps.
    assert ((regs_due & ~regs) == 8'd0 && preds == preds_due && !preds[7] && !twice);
    if (mem == 5'd0) assert (regs == regs_due);
    else assert (!(out_serial && serial_in[14] == k) && (k ? \u.u_scoreboard.load_q [1] : \u.u_scoreboard.load_q [0]) == k_loads);
    if (l_here) assert ((l_regs & ~regs) == 8'd0 && (l_regs & regs_due) == 8'd0 && l_ahead < mem
                        && (k ? \u.u_scoreboard.load_q [1] : \u.u_scoreboard.load_q [0]));
    for (i = 0; i < PIPE; i = i + 1)
      if (there[i] && pipe[17*i + 14] == k) begin
        assert (left >= i + 1);              // control may be late
        if (mem != 5'd0) assert (i + mem_age < N);
      end
    assert ( \u.u_scoreboard.mem_q[0] == mem0 && \u.u_scoreboard.mem_q[1] == mem1);
    assert ( \u.lsu_q == ways && \u.conv_q == out_conv && mem0 >= {3'd0, way0} && mem1 >= {3'd0, way1});
    assert ( \u.serial_q == out_serial && (!out_serial || \u.serial_warp_q == serial_in[14]) && serial_age <= 3'd6);
    if (out_serial) begin                       // nothing else of its warp, after the first cycles
      assert (serial_in[7:0] == RZ || (serial_in[7:0] < 8'd8 && (!serial_in[12] || !serial_in[0])));
      for (i = 0; i < PIPE; i = i + 1)
        if (there[i] && pipe[17*i + 14] == serial_in[14]) assert (i + serial_age < PIPE);
      if (a_here && a_k == (serial_in[14] == k)) assert (a_in + serial_age <= 7'd6);
    end
    assert ( \u.mem_q == mem0 + mem1 && mem0 <= 5'd16 && mem1 <= 5'd16 && {1'b0, mem0} + mem1 <= 6'd16 && ways <= 5'd3);
    assert ( \u.busy_q == to_read && (!rr_valid || rr_beat < N));
    assert ( \u.busy_q <= 2 * N - 1 && (left <= 7'd7 || (out_serial && serial_in[14] == k)));
    for (i = 0; i < PIPE; i = i + 1)
      if (there[i]) begin
        assert (slots[i + 1] && slots[i + 2]);
        assert (!pipe[17*i + 12] || !pipe[17*i] || pipe[17*i +: 8] == RZ);
      end
    assert (slots[10:7] == 4'd0 && (!slots[6] || \u.busy_q != 7'd0) && (guests & ~ \u.u_slots.write_q ) == 11'd0);
    assert (( \u.u_slots.lsu_q & \u.u_slots.conv_q ) == 11'd0);
    if (a_here) begin
      assert (a_in <= 7'd6 && slots[a_in[3:0]] && slots[a_in[3:0] + 4'd1]);
      if (a_k) assert (left >= a_in + N);
    end
    assert (held <= DEPTH && \u.some_q [k] == (held != 3'd0) && wr == rd + held[1:0]);
    if (m_here) assert (m_ahead < held && m_word[wb] == m_bit);
    assert (!(m_here && m_now));
  end
  (* keep *) wire [4:0] covered = {5{rst_n}} & {
    take && a_here && by_k == 1'b0 && \u.u_slots.write_q != 11'd0,
    m_now && held == 3'd3,
    by_k && guests != 11'd0 && \u.u_slots.lsu_q != 11'd0,
    by_k && a_here && a_k && first == a_in + N,            // right after it
    pop && is_ctl && out_conv == 3'd3};
endmodule
// What the decoder promises of a row.
module issue_row (input need_t h, output wire good);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  assign good = (h.ra < 8'd8 || h.ra == RZ) && (h.rb < 8'd8 || h.rb == RZ) && (h.rc < 8'd8 || h.rc == RZ)
             && (h.rd < 8'd8 || h.rd == RZ) && (!h.dec.b_quad || (h.dec.unit == UNIT_LSU && h.rb[1:0] == 2'd0))
             && (!h.dec.rd_size[1] || (h.dec.unit == UNIT_LSU && h.rd[1:0] == 2'd0))
             && (!h.dec.rd_size[0] || !h.rd[0] || h.rd == RZ)
             && (h.dec.unit != UNIT_LSU || !h.dec.writes_pd) && (h.dec.unit == UNIT_CTL || h.dec.fault == FAULT_NONE)
             && (!h.plain || (h.dec.unit == UNIT_CTL && h.dec.fault == FAULT_NONE && !h.dec.writes_rd && !h.dec.writes_pd))
             && (!h.dec.load || h.dec.unit == UNIT_LSU) && h.dec.unit <= UNIT_WARP;
endmodule
`default_nettype wire
