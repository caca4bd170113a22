// The load-store unit: one warp instruction at a time, in order.  It takes the lanes beat by beat
// (32 / LANES beats), checks all of them, acts, writes results back and reports the end.
//
//   request -> lsu_address -> rows -> lsu_walk -> lsu_read  -> lsu_extract -> rows -> result beats
//                                  |          |             -> lsu_atomic  -> lsu_write
//                                  |           -> lsu_insert ---------------> lsu_write
//                                   -> lsu_shared -> lsu_extract, lsu_atomic
//
// A store or atomic walks the global lanes twice: first only to check, so that no lane acts when one
// faults; a load reads while it checks, and its data are dropped when a later lane faults.  Lanes
// in global (or constant), local and shared memory are served one space after the other: the order
// cannot be seen, since the spaces do not overlap.
//
// A bus error is met when lanes act.  It faults those of its sector: a load writes no register then; of a
// store or an atomic all other sectors are written.  Nothing else stops, so that the fault names every such lane.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module lsu #(
  parameter LANES        = 32,
  parameter WARPS        = 32,
  parameter SHARED_BYTES = 65536             // a power of two
) (
  input  wire                  clk,
  input  wire                  rst_n,
  input  wire                  clear_i,      // a grid starts: nothing is outstanding; ends the halt after a fault
  // launch registers
  input  wire  [31:0]          cfg_const_base_i,
  input  wire  [31:0]          cfg_const_size_i,
  input  wire  [31:0]          cfg_local_base_i,
  input  wire  [31:0]          cfg_local_size_i,
  input  wire  [31:0]          cfg_shared_size_i,
  input  wire  [4:0]           cfg_nranges_i,
  input  wire  [511:0]         cfg_range_base_i,
  input  wire  [511:0]         cfg_range_limit_i,
  input  wire  [15:0]          cfg_range_write_i,
  // request
  output wire                  req_ready_o,
  output wire                  busy_o,       // an instruction is at work, however the grid ended
  input  wire                  req_valid_i,
  input  wire                  req_first_i,
  input  wire                  req_last_i,
  input  wire                  req_pass_i,
  input  wire  [4:0]           req_beat_i,
  input  wire  [4:0]           req_warp_i,
  input  wire  [4:0]           req_block_i,
  input  wire                  req_load_i,
  input  wire                  req_store_i,
  input  wire                  req_atom_i,
  input  wire  [2:0]           req_space_i,
  input  wire  [2:0]           req_sz_i,
  input  wire  [3:0]           req_aop_i,
  input  wire                  req_aw_i,
  input  wire  [23:0]          req_off_i,
  input  wire  [7:0]           req_rd_i,
  input  wire  [LANES-1:0]     req_mask_i,
  input  wire  [31:0]          req_token_m_i,// not zero: FAULT_TOKEN of these lanes, unless worse comes;
  input  wire                  req_token_bus_i,        // or FAULT_BUS
  input  wire  [31:0]          req_token_addr_i,
  input  wire  [64*LANES-1:0]  req_a_i,
  input  wire  [64*LANES-1:0]  req_b_i,
  input  wire  [64*LANES-1:0]  req_c_i,
  // result beats
  output wire                  wb_valid_o,
  input  wire                  wb_ready_i,
  output wire                  wb_last_o,
  output wire                  wb_pass_o,
  output wire  [4:0]           wb_warp_o,
  output wire  [4:0]           wb_beat_o,
  output wire  [6:0]           wb_pair_o,
  output wire  [1:0]           wb_half_o,
  output wire  [LANES-1:0]     wb_mask_o,
  output logic [64*LANES-1:0]  wb_data_o,
  // end
  output wire                  done_valid_o,
  input  wire                  done_ready_i,
  output wire  [4:0]           done_warp_o,
  output wire  [3:0]           done_fault_o,
  output wire  [31:0]          done_fault_m_o,
  output wire  [63:0]          done_fault_addr_o,
  // for the probe
  output wire  [2:0]           dbg_space_o,
  output wire  [1023:0]        dbg_addr_o,
  output wire  [4095:0]        dbg_wdata_o,
  output wire  [31:0]          dbg_shared_m_o,
  output wire  [31:0]          dbg_local_m_o,
  // AXI4 master
  output wire                  m_arvalid_o,
  input  wire                  m_arready_i,
  output wire  [3:0]           m_arid_o,
  output wire  [31:0]          m_araddr_o,
  output wire  [7:0]           m_arlen_o,
  input  wire                  m_rvalid_i,
  output wire                  m_rready_o,
  input  wire  [3:0]           m_rid_i,
  input  wire  [255:0]         m_rdata_i,
  input  wire  [1:0]           m_rresp_i,
  input  wire                  m_rlast_i,
  output wire                  m_awvalid_o,
  input  wire                  m_awready_i,
  output wire  [3:0]           m_awid_o,
  output wire  [31:0]          m_awaddr_o,
  output wire  [7:0]           m_awlen_o,
  output wire                  m_wvalid_o,
  input  wire                  m_wready_i,
  output wire  [255:0]         m_wdata_o,
  output wire  [31:0]          m_wstrb_o,
  output wire                  m_wlast_o,
  input  wire                  m_bvalid_i,
  output wire                  m_bready_o,
  input  wire  [3:0]           m_bid_i,
  input  wire  [1:0]           m_bresp_i
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  localparam BEATS = 32 / LANES;
  localparam BANKS = LANES < 2 ? 2 : LANES;
  localparam LB    = $clog2(LANES);
  localparam WB    = WARPS > 1 ? $clog2(WARPS) : 1;

  localparam [2:0] S_REQUEST = 3'd0, S_NEXT = 3'd1, S_DEVICE = 3'd2, S_SHARED = 3'd3, S_RESULT = 3'd4,
                   S_DONE = 3'd5, S_HALT = 3'd6;
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
  logic [3:0]  fault_q;
  logic        known_q;                      // it faults whatever memory says
  logic [31:0] fault_m_q;
  logic [4:0]  fault_lane_q;
  logic [63:0] fault_addr_q;

  wire [2:0] req_lg = req_atom_i ? (req_aw_i == AW_64 ? 3'd3 : 3'd2)
                    : req_sz_i == SZ_128 ? 3'd4 : req_sz_i == SZ_64 ? 3'd3
                    : req_sz_i == SZ_U16 || req_sz_i == SZ_S16 ? 3'd1
                    : req_sz_i == SZ_U8 || req_sz_i == SZ_S8 ? 3'd0 : 3'd2;
  wire       take = req_valid_i && state_q == S_REQUEST;
  assign req_ready_o = state_q == S_REQUEST && !taking_q;
  assign busy_o      = taking_q || !(state_q == S_REQUEST || state_q == S_DONE || state_q == S_HALT);

  // ---- addresses of the beat that comes in ---------------------------------------------------------
  wire [32*LANES-1:0] in_addr;
  wire [LANES-1:0]    in_device_m, in_shared_m, in_local_m, in_fault_m;
  wire [3:0]          in_fault;
  wire [63:0]         in_fault_addr;
  wire [2:0]          in_space;
  lsu_address #(.LANES(LANES)) u_address (
    .en_i(take && !req_pass_i), .mask_i(req_mask_i), .a_i(req_a_i), .off_i(req_off_i),
    .space_i(req_space_i), .atom_i(req_atom_i), .size_i(5'd1 << req_lg),
    .const_size_i(cfg_const_size_i), .local_size_i(cfg_local_size_i), .shared_size_i(cfg_shared_size_i),
    .addr_o(in_addr), .device_m_o(in_device_m), .shared_m_o(in_shared_m), .local_m_o(in_local_m),
    .space_o(in_space), .fault_o(in_fault), .fault_m_o(in_fault_m), .fault_addr_o(in_fault_addr));

  // ---- rows: addresses, and data going out or coming in ----------------------------------------------
  wire [32*LANES-1:0]   addr, walk_addr;     // addresses of beat, and of walk_beat
  wire [128*LANES-1:0]  data;                // of beat
  logic [128*LANES-1:0] data_d;
  logic [4:0]           beat;
  wire [4:0]            device_beat, shared_beat, g_beat, s_beat, r_beat, at_beat;
  logic [4:0]           wb_beat_q;
  logic                 wb_pass_q;
  wire                  g_valid, g_ready, s_valid, s_ready, r_valid, l_valid;
  wire                  device_data = s_valid && s_ready && load_q;
  wire                  shared_data = r_valid && load_q;
  lsu_rows #(.WIDTH(32*LANES), .ROWS(BEATS)) u_addr_rows (
    .clk(clk), .we_i(take && !req_pass_i), .row_i(beat), .d_i(in_addr), .q_o(addr),
    .row2_i(state_q == S_SHARED ? shared_beat : device_beat), .q2_o(walk_addr));
  /* verilator lint_off PINCONNECTEMPTY */
  lsu_rows #(.WIDTH(128*LANES), .ROWS(BEATS)) u_data_rows (
    .clk(clk), .we_i(take || device_data || shared_data || l_valid), .row_i(beat), .d_i(data_d),
    .q_o(data), .row2_i(beat), .q2_o());
  /* verilator lint_on PINCONNECTEMPTY */

  always_comb
    case (state_q)
      S_REQUEST: beat = req_beat_i;
      S_DEVICE:  beat = load_q ? s_beat : store_q ? g_beat : atomic_idle ? s_beat : at_beat;
      S_SHARED:  beat = load_q ? r_beat : store_q ? shared_beat : at_beat;
      default:   beat = wb_beat_q;
    endcase

  // ---- what comes next: after the request and after each phase -----------------------------------------
  wire        walk_idle, read_idle, write_idle, atomic_idle, shared_idle;
  wire        local_phase  = phase_q == P_LOCAL;
  wire        shared_phase = phase_q == P_SHARED;
  // Lanes may act: no fault, or bus errors, which others of them met.
  wire        acts = fault_q == FAULT_NONE || (fault_q == FAULT_BUS && !known_q);
  wire        choose = state_q == S_NEXT || (state_q == S_SHARED && shared_idle && atomic_idle)
                     || (state_q == S_DEVICE && walk_idle && read_idle && atomic_idle && write_idle);
  wire [2:0]  from_phase = state_q == S_NEXT ? P_CHECK : phase_q + 3'd1;    // the first that may come
  logic [2:0] next_state, next_phase;
  always_comb begin
    next_state = S_DONE;
    next_phase = P_END;
    if (fault_q == FAULT_MISALIGNED) begin end
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
    end else if (fault_q == FAULT_NONE && !store_q && rd_q != RZ && mask_q != '0) next_state = S_RESULT;
  end
  wire start_device = choose && next_state == S_DEVICE;
  wire start_shared = choose && next_state == S_SHARED;

  // ---- physical memory ---------------------------------------------------------------------------
  wire [26:0]      g_sector, s_sector, at_sector;
  wire [1:0]       g_word, s_word, r_word;
  wire [LANES-1:0] g_mask, s_mask, r_mask, at_mask;
  wire [255:0]     s_data, at_data, insert_data;
  wire [31:0]      at_strb, insert_strb;
  wire             s_error, bf_valid;        // bus errors: the sector read, a write
  wire [31:0]      bf_lanes, bf_addr;
  wire             f_valid, f_readonly;
  wire [4:0]       f_lane;
  wire [31:0]      f_addr;
  wire             read_ready, write_ready, at_valid;
  lsu_walk #(.LANES(LANES)) u_walk (
    .clk(clk), .rst_n(rst_n), .start_i(start_device),
    .mask_i((choose ? next_phase : phase_q) == P_LOCAL ? local_m_q : device_m_q), .local_i(local_phase),
    .base_i(local_phase ? local_sector_q : const_q ? cfg_const_base_i[31:5] : 27'd0), .lg_i(lg_q),
    .check_i(!const_q && (phase_q == P_CHECK || (phase_q == P_GLOBAL && load_q))), .write_i(!load_q),
    .act_i(phase_q != P_CHECK && acts), .idle_o(walk_idle),
    .beat_o(device_beat), .addr_i(walk_addr),
    .g_valid_o(g_valid), .g_ready_i(g_ready), .g_sector_o(g_sector), .g_beat_o(g_beat),
    .g_word_o(g_word), .g_mask_o(g_mask),
    .f_valid_o(f_valid), .f_readonly_o(f_readonly), .f_lane_o(f_lane), .f_addr_o(f_addr),
    .nranges_i(cfg_nranges_i), .range_base_i(cfg_range_base_i), .range_limit_i(cfg_range_limit_i),
    .range_write_i(cfg_range_write_i));
  assign g_ready = store_q ? write_ready : read_ready;

  lsu_read #(.LANES(LANES)) u_read (
    .clk(clk), .rst_n(rst_n), .start_i(start_device), .atom_i(atom_q),
    .written_i(write_idle && atomic_idle), .idle_o(read_idle),
    .g_valid_i(g_valid && !store_q), .g_ready_o(read_ready), .g_sector_i(g_sector),
    .g_beat_i(g_beat), .g_word_i(g_word), .g_mask_i(g_mask),
    .s_valid_o(s_valid), .s_ready_i(s_ready), .s_data_o(s_data), .s_sector_o(s_sector),
    .s_beat_o(s_beat), .s_word_o(s_word), .s_mask_o(s_mask),
    .m_arvalid_o(m_arvalid_o), .m_arready_i(m_arready_i), .m_araddr_o(m_araddr_o),
    .m_rvalid_i(m_rvalid_i), .m_rready_o(m_rready_o), .m_rdata_i(m_rdata_i), .m_rerror_i(m_rresp_i[1]),
    .s_error_o(s_error));
  assign s_ready = load_q || (atomic_idle && !bf_valid);       // one bus error at a time

  // The group that is read or written in this cycle: its lanes, and where in the sector the lowest starts.
  logic [LANES-1:0] group_mask;
  logic [2:0]       group_lane;              // of the lowest, in its row of local memory
  logic [4:0]       group_at;
  always_comb begin
    group_mask = store_q ? g_mask : load_q || atomic_idle ? s_mask : at_mask;
    group_lane = 3'((beat << LB) | lowest(32'(group_mask)));
    group_at   = 5'd0;
    if (state_q == S_DEVICE)
      for (int l = LANES - 1; l >= 0; l--)
        if (group_mask[l])
          group_at = local_phase ? {group_lane, addr[32*l +: 2]} : addr[32*l +: 5];
  end
  wire [31:0] group_lanes = 32'(group_mask) << (beat << LB);
  // A bus error: of this read, or of an earlier write.
  wire        bus_valid = bf_valid || (s_valid && s_ready && s_error);
  wire [31:0] bus_lanes = bf_valid ? bf_lanes : group_lanes;
  wire [31:0] bus_addr = bf_valid ? bf_addr : {s_sector, group_at};

  lsu_insert #(.LANES(LANES)) u_insert (
    .en_i(g_valid && store_q), .mask_i(g_mask), .beat_i(g_beat), .local_i(local_phase),
    .word_i(g_word), .lg_i(lg_q), .addr_i(addr), .data_i(data),
    .data_o(insert_data), .strb_o(insert_strb));

  lsu_write u_write (
    .clk(clk), .rst_n(rst_n), .flush_i(atom_q || walk_idle), .idle_o(write_idle),
    .w_valid_i(store_q ? g_valid : at_valid && state_q == S_DEVICE), .w_ready_o(write_ready),
    .w_sector_i(store_q ? g_sector : at_sector), .w_data_i(store_q ? insert_data : at_data),
    .w_strb_i(store_q ? insert_strb : at_strb), .w_lanes_i(group_lanes), .w_at_i(group_at),
    .f_valid_o(bf_valid), .f_lanes_o(bf_lanes), .f_addr_o(bf_addr),
    .m_awvalid_o(m_awvalid_o), .m_awready_i(m_awready_i), .m_awaddr_o(m_awaddr_o),
    .m_wvalid_o(m_wvalid_o), .m_wready_i(m_wready_i), .m_wdata_o(m_wdata_o), .m_wstrb_o(m_wstrb_o),
    .m_bvalid_i(m_bvalid_i), .m_berror_i(m_bresp_i[1]), .m_bready_o(m_bready_o));
  assign {m_arid_o, m_arlen_o, m_awid_o, m_awlen_o} = '0;
  assign m_wlast_o = 1'b1;

  // ---- shared memory -------------------------------------------------------------------------------
  wire [32*BANKS-1:0] r_data;
  wire [63:0]         r_pair;
  lsu_shared #(.LANES(LANES), .BANKS(BANKS), .SHARED_BYTES(SHARED_BYTES)) u_shared (
    .clk(clk), .rst_n(rst_n), .start_i(start_shared), .mask_i(shared_m_q),
    .load_i(load_q), .atom_i(atom_q), .lg_i(lg_q), .base_i(shared_base_q), .idle_o(shared_idle),
    .beat_o(shared_beat), .addr_i(walk_addr), .data_i(data),
    .r_valid_o(r_valid), .r_beat_o(r_beat), .r_word_o(r_word), .r_mask_o(r_mask),
    .r_data_o(r_data), .r_pair_o(r_pair),
    .a_valid_i(at_valid && shared_phase), .a_data_i(at_data), .a_strb_i(at_strb));

  // ---- atomics, loads -------------------------------------------------------------------------------
  wire [4:0]  l_lane;
  wire [63:0] l_old, l_new;
  lsu_atomic #(.LANES(LANES)) u_atomic (
    .clk(clk), .rst_n(rst_n), .op_i(aop_q), .wide_i(wide_q), .idle_o(atomic_idle),
    .s_valid_i(atom_q && (shared_phase ? r_valid : s_valid && !s_error && !bf_valid)),
    .s_data_i(shared_phase ? {4{r_pair}} : s_data), .s_sector_i(s_sector),
    .s_beat_i(shared_phase ? r_beat : s_beat), .s_mask_i(shared_phase ? r_mask : s_mask),
    .beat_o(at_beat), .addr_i(addr), .data_i(data),
    .l_valid_o(l_valid), .l_lane_o(l_lane), .l_old_o(l_old), .l_new_o(l_new),
    .w_valid_o(at_valid), .w_ready_i(shared_phase || write_ready), .w_sector_o(at_sector),
    .w_data_o(at_data), .w_strb_o(at_strb), .w_mask_o(at_mask));

  wire [128*LANES-1:0] extracted;
  lsu_extract #(.LANES(LANES), .BANKS(BANKS)) u_extract (
    .en_i(device_data || shared_data), .shared_i(shared_phase), .local_i(local_phase),
    .mask_i(shared_phase ? r_mask : s_mask), .beat_i(beat), .word_i(shared_phase ? r_word : s_word),
    .lg_i(lg_q), .signed_i(signed_q), .addr_i(addr), .sector_i(s_data), .banks_i(r_data),
    .data_i(data), .data_o(extracted));

  always_comb begin
    data_d = extracted;
    if (take)
      for (int l = 0; l < LANES; l++) begin
        {data_d[32*LANES + 32*l +: 32], data_d[32*l +: 32]} =
          req_pass_i ? {data[32*LANES + 32*l +: 32], data[32*l +: 32]} : req_b_i[64*l +: 64];
        {data_d[96*LANES + 32*l +: 32], data_d[64*LANES + 32*l +: 32]} =
          req_pass_i ? req_b_i[64*l +: 64] : req_c_i[64*l +: 64];
      end
    else if (l_valid) begin
      data_d = data;
      for (int l = 0; l < LANES; l++)
        if (l_lane == 5'(l)) begin
          data_d[32*l +: 32] = l_old[31:0];
          data_d[32*LANES + 32*l +: 32] = l_old[63:32];
        end
    end
  end

  // ---- faults: the lowest number wins, of all lanes that have it -------------------------------------
  wire [4:0] in_lane = (req_beat_i << LB) | lowest(32'(in_fault_m));
  wire       new_valid = take ? in_fault != FAULT_NONE : f_valid || bus_valid;
  wire [3:0] new_fault = take ? in_fault : !f_valid ? FAULT_BUS : f_readonly ? FAULT_READONLY : FAULT_RANGE;
  wire [4:0] new_lane = take ? in_lane : f_valid ? f_lane : lowest(bus_lanes);
  wire [31:0] new_m = take ? 32'(in_fault_m) << (req_beat_i << LB) : f_valid ? 32'd1 << f_lane : bus_lanes;
  wire       fresh = take && req_first_i;    // what the instruction before left is forgotten
  wire       worse = fresh || fault_q == FAULT_NONE || new_fault < fault_q;
  always_ff @(posedge clk)
    if (new_valid && (worse || new_fault == fault_q)) begin
      fault_q   <= new_fault;
      fault_m_q <= worse ? new_m : fault_m_q | new_m;
      if (worse || new_lane < fault_lane_q) begin
        fault_lane_q <= new_lane;
        fault_addr_q <= take ? in_fault_addr : {32'd0, f_valid ? f_addr : bus_addr};
      end
    end else if (fresh) begin
      fault_q      <= req_token_m_i == '0 ? FAULT_NONE : req_token_bus_i ? FAULT_BUS : FAULT_TOKEN;
      fault_m_q    <= req_token_m_i;
      fault_addr_q <= {32'd0, req_token_m_i != '0 && req_token_bus_i ? req_token_addr_i : 32'd0};
    end

  // ---- control -----------------------------------------------------------------------------------
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
            load_q         <= req_load_i;
            store_q        <= req_store_i;
            atom_q         <= req_atom_i;
            signed_q       <= req_sz_i == SZ_S8 || req_sz_i == SZ_S16;
            wide_q         <= req_aw_i == AW_64;
            const_q        <= req_space_i == SPACE_CONST;
            lg_q           <= req_lg;
            aop_q          <= req_aop_i;
            warp_q         <= req_warp_i;
            rd_q           <= req_rd_i;
            local_sector_q <= cfg_local_base_i[31:5] + 27'(req_warp_i[WB-1:0] * cfg_local_size_i[26:0]);
            shared_base_q  <= 25'(req_block_i * cfg_shared_size_i[31:7]);
          end
          if (!req_pass_i) begin
            mask_q     <= place(32'(req_mask_i), mask_q);
            device_m_q <= place(32'(in_device_m), device_m_q);
            local_m_q  <= place(32'(in_local_m), local_m_q);
            shared_m_q <= place(32'(in_shared_m), shared_m_q);
          end
          wb_pass_q <= 1'b0;
          wb_beat_q <= '0;
          if (req_last_i) state_q <= S_NEXT;
        end
        S_NEXT, S_DEVICE, S_SHARED: if (choose) begin
          state_q <= next_state;
          phase_q <= next_phase;
        end
        S_RESULT: if (wb_ready_i) begin
          wb_beat_q <= wb_last_o ? 5'd0 : wb_beat_q + 5'd1;
          if (wb_last_o) wb_pass_q <= 1'b1;
          if (wb_last_o && (lg_q != 3'd4 || wb_pass_q)) state_q <= S_DONE;
        end
        S_DONE: if (done_ready_i) state_q <= fault_q != FAULT_NONE ? S_HALT : S_REQUEST;
        default: ;                           // S_HALT: until clear_i
      endcase

  // ---- result beats, end ---------------------------------------------------------------------------
  assign wb_valid_o = state_q == S_RESULT;
  assign wb_last_o  = wb_beat_q == 5'(BEATS - 1);
  assign wb_pass_o  = wb_pass_q;
  assign wb_warp_o  = warp_q;
  assign wb_beat_o  = wb_beat_q;
  assign wb_pair_o  = rd_q[7:1] | 7'(wb_pass_q);
  assign wb_half_o  = lg_q >= 3'd3 ? 2'b11 : rd_q[0] ? 2'b10 : 2'b01;
  assign wb_mask_o  = LANES'(mask_q >> (wb_beat_q << LB));
  always_comb begin
    wb_data_o = '0;
    if (wb_valid_o)
      for (int l = 0; l < LANES; l++) begin
        wb_data_o[64*l +: 32] = wb_pass_q ? data[64*LANES + 32*l +: 32] : data[32*l +: 32];
        wb_data_o[64*l+32 +: 32] = wb_pass_q ? data[96*LANES + 32*l +: 32]
                                 : lg_q >= 3'd3 ? data[32*LANES + 32*l +: 32] : data[32*l +: 32];
      end
  end
  assign done_valid_o      = state_q == S_DONE;
  assign done_warp_o       = warp_q;
  assign done_fault_o      = fault_q;
  assign done_fault_m_o    = fault_m_q;
  assign done_fault_addr_o = fault_addr_q;

  lsu_debug #(.LANES(LANES)) u_debug (
    .clk(clk), .take_i(take), .first_i(req_first_i), .pass_i(req_pass_i), .beat_i(beat), .mask_i(req_mask_i),
    .generic_i(req_space_i == SPACE_GENERIC), .space_i(in_space), .addr_i(in_addr),
    .shared_m_i(in_shared_m), .local_m_i(in_local_m), .store_i(req_store_i), .lg_i(req_lg), .b_i(req_b_i),
    .l_valid_i(l_valid), .l_lane_i(l_lane), .l_new_i(l_new),
    .space_o(dbg_space_o), .addr_o(dbg_addr_o), .wdata_o(dbg_wdata_o),
    .shared_m_o(dbg_shared_m_o), .local_m_o(dbg_local_m_o));

  wire unused = &{1'b0, m_rid_i, m_rresp_i[0], m_rlast_i, m_bid_i, m_bresp_i[0], cfg_const_base_i[4:0],
                  cfg_local_base_i[4:0], cfg_local_size_i[31:27], cfg_shared_size_i[6:0]};

  // A beat's bits put to their place among those of all lanes; the first beat clears the others.
  function automatic [31:0] place(input [31:0] bits, input [31:0] old);
    place = (req_first_i ? 32'd0 : old & ~here) | (bits << (req_beat_i << LB));
  endfunction

  function automatic [4:0] lowest(input [31:0] m);
    reg [31:0] one;
    begin
      one = m & (~m + 32'd1);
      lowest = {|(one & 32'hffff0000), |(one & 32'hff00ff00), |(one & 32'hf0f0f0f0),
                |(one & 32'hcccccccc), |(one & 32'haaaaaaaa)};
    end
  endfunction
endmodule
`default_nettype wire
