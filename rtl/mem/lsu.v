// The load-store unit: one warp instruction at a time, in order.  It takes the lanes beat by beat
// (32 / LANES beats), checks all of them, acts, writes results back and reports the end.
//
//   request -> lsu_address -> rows -> lsu_device -> lsu_data -> lsu_result
//                                  |             -> lsu_atomic -> lsu_device
//                                   -> lsu_shared -> lsu_data, lsu_atomic
//   lsu_device: lsu_walk -> lsu_read; lsu_walk -> lsu_insert -> lsu_write; lsu_atomic -> lsu_write
//
// A store or atomic walks the global lanes twice: first only to check, so that no lane acts when
// one faults; a load reads while it checks, and its data are dropped when a later lane faults.
// Lanes in global (or constant), local and shared memory are served one space after the other: the
// order cannot be seen, since the spaces do not overlap.
//
// A bus error is met when lanes act.  It faults those of its sector: a load writes no register
// then; of a store or an atomic all other sectors are written.  Nothing else stops, so that the
// fault names every such lane.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "axi.vh"
`include "launch.vh"
`include "lsu.vh"
`include "uop.vh"
module lsu #(
  parameter LANES        = 32,
  parameter WARPS        = 32,
  parameter SHARED_BYTES = 65536             // a power of two
) (
  input  wire                  clk,
  input  wire                  rst_n,
  input  wire                  clear_i,     // a grid starts: nothing is outstanding, no fault halts
  input  launch_t              launch_i,     // stable while the grid runs, as are
  input  wire  [511:0]         range_base_i, range_limit_i,    // its ranges, r in bits 32 r +: 32
  input  wire  [15:0]          range_write_i,
  // request.  A whole instruction, all beats of both passes, is taken without back pressure once
  // ready; ready stays high until the first beat comes.  The core looks at it when it issues, and
  // has at most one instruction between issue and its last beat.
  output wire                  req_ready_o,
  output wire                  busy_o,       // an instruction is at work, however the grid ended
  input  wire                  req_valid_i,  // a beat: 0 to N-1 of pass 0, then of pass 1
  input  wire                  req_first_i,  // the first of pass 0
  input  wire                  req_last_i,   // the last of the last pass
  input  wire                  req_pass_i,   // 1: req_b_i is the second pair of a 128-bit store
  input  wire  [4:0]           req_beat_i,   // lane l of it is lane beat*LANES + l of the warp
  input  uop_t                 req_uop_i,    // it writes no register: Rd is RZ
  input  wire  [4:0]           req_block_i,  // block slot
  input  wire  [LANES-1:0]     req_mask_i,   // lanes that execute; zero in all beats: it just ends
  input  wire  [31:0]          req_token_m_i,// not zero: FAULT_TOKEN of these lanes, unless worse
  input  wire                  req_token_bus_i,        // comes; or FAULT_BUS
  input  wire  [31:0]          req_token_addr_i,
  input  wire  [64*LANES-1:0]  req_a_i,      // address: 64 bits, or 32 bits zero-extended
  input  wire  [64*LANES-1:0]  req_b_i, req_c_i,       // pairs; 32-bit operands in the low word
  // result beats: of each pair of registers none, or all N in order, also those with an empty mask
  output wire                  wb_valid_o,
  input  wire                  wb_ready_i,
  output wire                  wb_last_o,    // of this pair
  output wire                  wb_pass_o,    // 1: the second pair of 128 bits
  output wire  [4:0]           wb_warp_o, wb_beat_o,
  output wire  [6:0]           wb_pair_o,    // register number / 2
  output wire  [1:0]           wb_half_o,    // write {R2k+1, R2k}
  output wire  [LANES-1:0]     wb_mask_o,
  output wire  [64*LANES-1:0]  wb_data_o,    // a single odd register is in the upper half
  // end, after the last result beat; a fault writes nothing, and drops the requests after it
  output wire                  done_valid_o,
  input  wire                  done_ready_i,
  output wire  [4:0]           done_warp_o,
  output wire  [3:0]           done_fault_o,
  output wire  [31:0]          done_fault_m_o,
  output wire  [63:0]          done_fault_addr_o,
  output lsu_record_t          record_o,     // for the probe, valid with done_valid_o
  output axi_read_t            axi_read_o,
  input  axi_read_answer_t     axi_read_i,
  output axi_write_t           axi_write_o,
  input  axi_write_answer_t    axi_write_i
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  `include "lsu_fn.vh"
  localparam BEATS = 32 / LANES;
  localparam BANKS = LANES < 2 ? 2 : LANES;
  localparam LB    = $clog2(LANES);
  localparam WB    = WARPS > 1 ? $clog2(WARPS) : 1;

  localparam [2:0] S_REQUEST = 3'd0, S_NEXT = 3'd1, S_DEVICE = 3'd2, S_SHARED = 3'd3,
                   S_RESULT = 3'd4, S_DONE = 3'd5, S_HALT = 3'd6;
  localparam [2:0] P_CHECK = 3'd0, P_GLOBAL = 3'd1, P_LOCAL = 3'd2, P_SHARED = 3'd3, P_END = 3'd4;
  logic [2:0] state_q;
  logic [2:0] phase_q;                       // the phase that runs in S_DEVICE and S_SHARED
  logic       taking_q;                      // within the beats of a request

  // ---- the instruction -------------------------------------------------------------------------
  logic        load_q, store_q, atom_q, signed_q, wide_q, const_q;
  logic [2:0]  lg_q;                         // bytes a lane: 1 << lg
  logic [3:0]  aop_q;
  logic [4:0]  warp_q;
  logic [7:0]  rd_q;
  logic [26:0] local_sector_q;               // where the warp's local memory starts
  logic [24:0] shared_base_q;                // where the block's shared memory starts, in 128 bytes
  logic [31:0] mask_q, device_m_q, local_m_q, shared_m_q;
  logic        known_q;                      // it faults whatever memory says
  wire  [3:0]  fault = done_fault_o;

  wire [127:0] req_word = req_uop_i.word;
  dec_t        req_dec;
  assign req_dec = req_uop_i.dec;
  wire [2:0]   req_size = req_word[`INSN_SZ];    // of loads and stores
  wire [2:0]   req_lg   = req_dec.atom ? (req_word[`INSN_AW] == AW_64 ? 3'd3 : 3'd2)
                        : req_size == SZ_128 ? 3'd4 : req_size == SZ_64 ? 3'd3
                        : req_size == SZ_U16 || req_size == SZ_S16 ? 3'd1
                        : req_size == SZ_U8 || req_size == SZ_S8 ? 3'd0 : 3'd2;
  wire         take = req_valid_i && state_q == S_REQUEST;
  assign req_ready_o = state_q == S_REQUEST && !taking_q;
  assign busy_o      = taking_q
                    || !(state_q == S_REQUEST || state_q == S_DONE || state_q == S_HALT);

  // ---- addresses of the beat that comes in ------------------------------------------------------
  wire [32*LANES-1:0] in_addr;
  wire [LANES-1:0]    in_device_m, in_shared_m, in_local_m, in_fault_m;
  wire [3:0]          in_fault;
  wire [63:0]         in_fault_addr;
  wire [2:0]          in_space;
  lsu_address #(.LANES(LANES)) u_address (
    .en_i(take && !req_pass_i), .mask_i(req_mask_i), .a_i(req_a_i), .off_i(req_word[`INSN_OFF]),
    .space_i(req_dec.space), .atom_i(req_dec.atom), .size_i(5'd1 << req_lg),
    .const_size_i(launch_i.const_size), .local_size_i(launch_i.local_size),
    .shared_size_i(launch_i.shared_size),
    .addr_o(in_addr), .device_m_o(in_device_m), .shared_m_o(in_shared_m), .local_m_o(in_local_m),
    .space_o(in_space), .fault_o(in_fault), .fault_m_o(in_fault_m), .fault_addr_o(in_fault_addr));

  // ---- rows: addresses; data going out or coming in ---------------------------------------------
  wire [32*LANES-1:0]  addr, walk_addr;    // addresses of beat, and of the beat that is walked over
  wire [128*LANES-1:0] data;                 // of beat
  logic [4:0]          beat;
  wire [4:0]           device_beat, shared_beat, g_beat, s_beat, r_beat, at_beat;
  wire                 atomic_idle;
  lsu_rows #(.WIDTH(32*LANES), .ROWS(BEATS)) u_addr_rows (
    .clk(clk), .we_i(take && !req_pass_i), .row_i(beat), .d_i(in_addr), .q_o(addr),
    .row2_i(state_q == S_SHARED ? shared_beat : device_beat), .q2_o(walk_addr));
  always_comb
    case (state_q)
      S_REQUEST: beat = req_beat_i;
      S_DEVICE:  beat = load_q ? s_beat : store_q ? g_beat : atomic_idle ? s_beat : at_beat;
      S_SHARED:  beat = load_q ? r_beat : store_q ? shared_beat : at_beat;
      default:   beat = wb_beat_o;
    endcase

  // ---- what comes next: after the request and after each phase ----------------------------------
  wire        device_idle, shared_idle;
  wire        local_phase  = phase_q == P_LOCAL;
  wire        shared_phase = phase_q == P_SHARED;
  // Lanes may act: no fault, or bus errors, which others of them met.
  wire        acts = fault == FAULT_NONE || (fault == FAULT_BUS && !known_q);
  wire        choose = state_q == S_NEXT || (state_q == S_SHARED && shared_idle && atomic_idle)
                     || (state_q == S_DEVICE && device_idle && atomic_idle);
  wire [2:0]  from_phase = state_q == S_NEXT ? P_CHECK : phase_q + 3'd1;  // the first that may come
  logic [2:0] next_state, next_phase;
  always_comb begin
    next_state = S_DONE;
    next_phase = P_END;
    if (fault == FAULT_MISALIGNED) begin end
    else if (from_phase == P_CHECK && device_m_q != '0) begin
      next_state = S_DEVICE;
      next_phase = load_q ? P_GLOBAL : P_CHECK;
    end else if (!acts) begin end
    else if (from_phase <= P_GLOBAL && device_m_q != '0) begin
      next_state = S_DEVICE;
      next_phase = P_GLOBAL;
    end else if (from_phase <= P_LOCAL && local_m_q != '0) begin
      next_state = S_DEVICE;
      next_phase = P_LOCAL;
    end else if (from_phase <= P_SHARED && shared_m_q != '0) begin
      next_state = S_SHARED;
      next_phase = P_SHARED;
    end else if (fault == FAULT_NONE && !store_q && rd_q != RZ && mask_q != '0)
      next_state = S_RESULT;
  end
  wire start_device = choose && next_state == S_DEVICE;
  wire start_shared = choose && next_state == S_SHARED;

  // ---- physical memory --------------------------------------------------------------------------
  wire             s_load, s_atom, r_valid, at_valid, at_ready, f_valid;
  wire [255:0]     s_data, at_data;
  wire [26:0]      s_sector, at_sector;
  wire [1:0]       s_word, r_word;
  wire [LANES-1:0] s_mask, r_mask, at_mask;
  wire [31:0]      at_strb, f_m, f_addr;
  wire [3:0]       f_fault;
  wire [4:0]       f_lane;
  lsu_device #(.LANES(LANES)) u_device (
    .clk(clk), .rst_n(rst_n), .load_i(load_q), .store_i(store_q), .atom_i(atom_q), .lg_i(lg_q),
    .start_i(start_device),
    .mask_i((choose ? next_phase : phase_q) == P_LOCAL ? local_m_q : device_m_q),
    .active_i(state_q == S_DEVICE), .local_i(local_phase),
    .base_i(local_phase ? local_sector_q : const_q ? launch_i.const_base[31:5] : 27'd0),
    .check_i(!const_q && (phase_q == P_CHECK || (phase_q == P_GLOBAL && load_q))),
    .act_i(phase_q != P_CHECK && acts), .idle_o(device_idle), .nranges_i(launch_i.nranges),
    .range_base_i(range_base_i), .range_limit_i(range_limit_i), .range_write_i(range_write_i),
    .walk_beat_o(device_beat), .walk_addr_i(walk_addr), .beat_i(beat), .addr_i(addr),
    .data_i(data), .g_beat_o(g_beat), .s_load_o(s_load), .s_atom_o(s_atom), .s_data_o(s_data),
    .s_sector_o(s_sector), .s_beat_o(s_beat), .s_word_o(s_word), .s_mask_o(s_mask),
    .at_idle_i(atomic_idle), .at_valid_i(at_valid), .at_ready_o(at_ready),
    .at_sector_i(at_sector), .at_data_i(at_data), .at_strb_i(at_strb), .at_mask_i(at_mask),
    .f_valid_o(f_valid), .f_fault_o(f_fault), .f_lane_o(f_lane), .f_m_o(f_m), .f_addr_o(f_addr),
    .axi_read_o(axi_read_o), .axi_read_i(axi_read_i), .axi_write_o(axi_write_o),
    .axi_write_i(axi_write_i));

  // ---- shared memory ----------------------------------------------------------------------------
  wire [32*BANKS-1:0] r_data;
  wire [63:0]         r_pair;
  lsu_shared #(.LANES(LANES), .BANKS(BANKS), .SHARED_BYTES(SHARED_BYTES)) u_shared (
    .clk(clk), .rst_n(rst_n), .start_i(start_shared), .mask_i(shared_m_q),
    .load_i(load_q), .atom_i(atom_q), .lg_i(lg_q), .base_i(shared_base_q), .idle_o(shared_idle),
    .beat_o(shared_beat), .addr_i(walk_addr), .data_i(data),
    .r_valid_o(r_valid), .r_beat_o(r_beat), .r_word_o(r_word), .r_mask_o(r_mask),
    .r_data_o(r_data), .r_pair_o(r_pair),
    .a_valid_i(at_valid && shared_phase), .a_data_i(at_data), .a_strb_i(at_strb));

  // ---- atomics, and the rows that they and loads write ------------------------------------------
  wire         l_valid;
  wire [4:0]   l_lane;
  wire [63:0]  l_old, l_new;
  lsu_atomic #(.LANES(LANES)) u_atomic (
    .clk(clk), .rst_n(rst_n), .op_i(aop_q), .wide_i(wide_q), .idle_o(atomic_idle),
    .s_valid_i(atom_q && (shared_phase ? r_valid : s_atom)),
    .s_data_i(shared_phase ? {4{r_pair}} : s_data), .s_sector_i(s_sector),
    .s_beat_i(shared_phase ? r_beat : s_beat), .s_mask_i(shared_phase ? r_mask : s_mask),
    .beat_o(at_beat), .addr_i(addr), .data_i(data),
    .l_valid_o(l_valid), .l_lane_o(l_lane), .l_old_o(l_old), .l_new_o(l_new),
    .w_valid_o(at_valid), .w_ready_i(shared_phase || at_ready), .w_sector_o(at_sector),
    .w_data_o(at_data), .w_strb_o(at_strb), .w_mask_o(at_mask));
  lsu_data #(.LANES(LANES), .BANKS(BANKS)) u_data (
    .clk(clk), .beat_i(beat), .data_o(data), .take_i(take), .pass_i(req_pass_i), .b_i(req_b_i),
    .c_i(req_c_i), .sector_we_i(s_load), .banks_we_i(r_valid && load_q), .shared_i(shared_phase),
    .local_i(local_phase), .signed_i(signed_q), .lg_i(lg_q),
    .mask_i(shared_phase ? r_mask : s_mask), .word_i(shared_phase ? r_word : s_word),
    .addr_i(addr), .sector_i(s_data), .banks_i(r_data), .l_valid_i(l_valid), .l_lane_i(l_lane),
    .l_old_i(l_old));

  // ---- faults: of the beat that comes in, or of memory ------------------------------------------
  lsu_fault u_fault (
    .clk(clk), .first_i(take && req_first_i), .token_m_i(req_token_m_i),
    .token_bus_i(req_token_bus_i), .token_addr_i(req_token_addr_i),
    .valid_i(take ? in_fault != FAULT_NONE : f_valid), .fault_i(take ? in_fault : f_fault),
    .m_i(take ? 32'(in_fault_m) << (req_beat_i << LB) : f_m),
    .lane_i(take ? (req_beat_i << LB) | lowest(32'(in_fault_m)) : f_lane),
    .addr_i(take ? in_fault_addr : {32'd0, f_addr}), .fault_o(done_fault_o), .m_o(done_fault_m_o),
    .addr_o(done_fault_addr_o));

  // ---- control ----------------------------------------------------------------------------------
  wire        result_end;
  wire [31:0] here = 32'({LANES{1'b1}}) << (req_beat_i << LB);   // lanes of the beat that comes in
  always_ff @(posedge clk)
    if (!rst_n || clear_i) begin
      state_q  <= S_REQUEST;
      taking_q <= 1'b0;
      load_q   <= 1'b0;
      store_q  <= 1'b0;
      atom_q   <= 1'b0;
    end else
      case (state_q)
        S_REQUEST: if (take) begin
          taking_q <= !req_last_i;
          if (req_first_i) begin
            known_q        <= req_token_m_i != '0;
            load_q         <= req_dec.load;
            store_q        <= req_dec.store;
            atom_q         <= req_dec.atom;
            signed_q       <= req_size == SZ_S8 || req_size == SZ_S16;
            wide_q         <= req_word[`INSN_AW] == AW_64;
            const_q        <= req_dec.space == SPACE_CONST;
            lg_q           <= req_lg;
            aop_q          <= req_word[`INSN_AOP];
            warp_q         <= req_uop_i.warp;
            rd_q           <= req_word[`INSN_RD];
            local_sector_q <= launch_i.local_base[31:5]
                            + 27'(req_uop_i.warp[WB-1:0] * launch_i.local_size[26:0]);
            shared_base_q  <= 25'(req_block_i * launch_i.shared_size[31:7]);
          end
          if (!req_pass_i) begin
            mask_q     <= place(32'(req_mask_i), mask_q);
            device_m_q <= place(32'(in_device_m), device_m_q);
            local_m_q  <= place(32'(in_local_m), local_m_q);
            shared_m_q <= place(32'(in_shared_m), shared_m_q);
          end
          if (req_last_i) state_q <= S_NEXT;
        end
        S_NEXT, S_DEVICE, S_SHARED: if (choose) begin
          state_q <= next_state;
          phase_q <= next_phase;
        end
        S_RESULT: if (result_end) state_q <= S_DONE;
        S_DONE: if (done_ready_i) state_q <= fault != FAULT_NONE ? S_HALT : S_REQUEST;
        default: ;                           // S_HALT: until clear_i
      endcase

  // ---- result beats, end ------------------------------------------------------------------------
  assign wb_valid_o = state_q == S_RESULT;
  assign wb_warp_o  = warp_q;
  lsu_result #(.LANES(LANES)) u_result (
    .clk(clk), .clear_i(take), .valid_i(wb_valid_o), .end_o(result_end), .lg_i(lg_q), .rd_i(rd_q),
    .mask_i(mask_q), .beat_o(wb_beat_o), .data_i(data), .wb_ready_i(wb_ready_i),
    .wb_last_o(wb_last_o), .wb_pass_o(wb_pass_o), .wb_pair_o(wb_pair_o), .wb_half_o(wb_half_o),
    .wb_mask_o(wb_mask_o), .wb_data_o(wb_data_o));
  assign done_valid_o = state_q == S_DONE;
  assign done_warp_o  = warp_q;

`ifdef SYNTHESIS
  assign record_o = '0;                      // nothing reads it (simt_core.v)
`else
  lsu_debug #(.LANES(LANES)) u_debug (
    .clk(clk), .take_i(take), .first_i(req_first_i), .pass_i(req_pass_i), .beat_i(beat),
    .mask_i(req_mask_i), .generic_i(req_dec.space == SPACE_GENERIC), .space_i(in_space),
    .addr_i(in_addr), .shared_m_i(in_shared_m), .local_m_i(in_local_m), .store_i(req_dec.store),
    .lg_i(req_lg), .b_i(req_b_i), .l_valid_i(l_valid), .l_lane_i(l_lane), .l_new_i(l_new),
    .space_o(record_o.space), .addr_o(record_o.addr), .wdata_o(record_o.wdata),
    .shared_m_o(record_o.shared_m), .local_m_o(record_o.local_m));
`endif

  wire unused = &{1'b0, launch_i, req_uop_i, req_word, req_dec};

  // A beat's bits put to their place among those of all lanes; the first beat clears the others.
  function automatic [31:0] place(input [31:0] bits, input [31:0] old);
    place = (req_first_i ? 32'd0 : old & ~here) | (bits << (req_beat_i << LB));
  endfunction
endmodule
`default_nettype wire
