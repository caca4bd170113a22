// The load-store unit.  It takes an instruction's lanes beat by beat (32 / LANES beats) into a
// slot, checks all of them, acts, writes results back and reports the end.  Instructions end in the
// order in which they came.
//
//   request -> lsu_address -> rows -> lsu_device -> lsu_data -> lsu_result
//                                  |             -> lsu_atomic -> lsu_device
//                                   -> lsu_shared -> lsu_data, lsu_atomic
//   lsu_device: lsu_walk -> lsu_read; lsu_walk -> lsu_insert -> lsu_write; lsu_atomic -> lsu_write
//
// Four places go round the slots: in (the next request), walk (whose lanes are walked over), result
// (whose results are written next), out (the oldest).  A load of one space, a store to global
// memory alone, and whatever is in shared memory alone, starts when the walk before it has ended,
// and the walk goes on when all its reads or writes are under way, or when lsu_shared has taken it
// over; where a sector may be one that an earlier instruction still writes or reads, it waits
// (lsu_sectors.v).  Every other instruction starts when it is the oldest, and the walk goes on when
// it has done everything.  So each read sees exactly the writes of the instructions before it, in
// the order in which they commit.
//
// An instruction is sure when the request has shown that none of its lanes can fault in memory
// (lsu_known.v).  Of two loads or stores in physical memory that follow each other, the second
// being sure, the walk goes from one to the other without a pause.
//
// A store or atomic that is not sure walks the global lanes twice: first only to check, so that no
// lane acts when one faults; a load reads while it checks, and its data are dropped when a later
// lane faults.
// Lanes in global (or constant), local and shared memory are served one space after the other: the
// order cannot be seen, since the spaces do not overlap.
//
// A bus error is met when lanes act.  It faults those of its sector: a load writes no register
// then; of a store or an atomic all other sectors are written.  Nothing else stops, so that the
// fault names every such lane.  Stores after it may have begun, and are written, as may atomics in
// shared memory; no other fault finds what a later instruction wrote, as none acts where an earlier
// one has a fault.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "probed.vh"
`include "axi.vh"
`include "launch.vh"
`include "lsu.vh"
`include "uop.vh"
module lsu #(
  parameter LANES        = 32,
  parameter WARPS        = 32,
  parameter SHARED_BYTES = 65536,            // a power of two
  parameter SLOTS        = 8,                // instructions in flight, a power of two up to 16
  parameter RANGE_SERIAL = 0                 // 1: ranges are looked at one after the other
) (
  input  wire                  clk,
  input  wire                  rst_n,
  input  wire                  clear_i,     // a grid starts, no answer is due: all as after a reset
  input  launch_t              launch_i,     // stable while the grid runs, as are
  input  wire  [16*`ADDR_BITS-1:0] range_base_i, range_limit_i,  // its ranges, r in bits AB r +: AB
  input  wire  [15:0]          range_write_i,
  output wire  [3:0]           range_look_o, // the range to look at, with RANGE_SERIAL
  input  range_t               range_look_i,
  // request.  A whole instruction, all beats of both passes, is taken without back pressure where
  // a slot is free.  The core looks when it issues, and has no more instructions between issue and
  // their last beats than slots are free.  Of a warp one is in flight, or several loads.
  output wire  [4:0]           req_free_o,   // none after a fault
  output wire  [3:0]           req_slot_o,   // into which the request goes
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
  // several cores: the walk's is an atomic in global memory, which starts when it may
  output wire                  lock_o,
  input  wire                  lock_i,
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
  output wire  [3:0]           done_slot_o,  // in which it was
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
  localparam AB    = `ADDR_BITS, SEC = AB - 5;        // bits of an address, of a sector's number
  localparam WB    = WARPS > 1 ? $clog2(WARPS) : 1;
  localparam PB    = $clog2(SLOTS) + 1;      // a place: one bit more than a slot's number
  localparam SB    = SLOTS > 1 ? PB - 1 : 1;

  localparam [2:0] S_REQUEST = 3'd0, S_NEXT = 3'd1, S_DEVICE = 3'd2, S_SHARED = 3'd3,
                   S_RESULT = 3'd4, S_DONE = 3'd5, S_HALT = 3'd6;
  localparam [2:0] P_CHECK = 3'd0, P_GLOBAL = 3'd1, P_LOCAL = 3'd2, P_SHARED = 3'd3, P_END = 3'd4;
  logic [PB-1:0] in_q, walk_q, result_q, out_q;
  logic          taking_q;                   // within the beats of a request
  logic          active_q;                   // the walk's instruction is at work,
  logic [2:0]    phase_q;                    // in this phase
  logic          halt_q;                     // after a fault, until clear_i
  localparam [SB-1:0] SLOT = SB'(SLOTS - 1);
  wire [SB-1:0]  in_at = in_q[SB-1:0] & SLOT, walk_at = walk_q[SB-1:0] & SLOT,
                 result_at = result_q[SB-1:0] & SLOT, out_at = out_q[SB-1:0] & SLOT;

  // ---- the instructions ------------------------------------------------------------------------
  logic [`LSU_INSN_BITS-1:0] insn_q [0:SLOTS-1];     // no structs: Yosys would lose bits of them
  logic [31:0]     mask_q     [0:SLOTS-1];   // lanes that execute; those of each kind of memory
  logic [31:0]     device_m_q [0:SLOTS-1];
  logic [31:0]     local_m_q  [0:SLOTS-1];
  logic [31:0]     shared_m_q [0:SLOTS-1];
  logic [SLOTS-1:0] sure_q;

  wire [127:0] req_word = req_uop_i.word;
  dec_t        req_dec;
  assign req_dec = req_uop_i.dec;
  wire [2:0]   req_size = req_word[`INSN_SZ];    // of loads and stores
  wire [2:0]   req_lg   = req_dec.atom ? (req_word[`INSN_AW] == AW_64 ? 3'd3 : 3'd2)
                        : req_size == SZ_128 ? 3'd4 : req_size == SZ_64 ? 3'd3
                        : req_size == SZ_U16 || req_size == SZ_S16 ? 3'd1
                        : req_size == SZ_U8 || req_size == SZ_S8 ? 3'd0 : 3'd2;
  wire         take = req_valid_i && !halt_q;
  assign req_free_o = halt_q ? 5'd0 : 5'(SLOTS) - 5'(PB'(in_q - out_q));
  assign req_slot_o = 4'(in_at);

  // The walk's.
  lsu_insn_t   walk;
  assign       walk = insn_q[walk_at];
  wire         load = walk.load, store = walk.store, atom = walk.atom;
  wire [31:0]  device_m = device_m_q[walk_at], local_m = local_m_q[walk_at],
               shared_m = shared_m_q[walk_at];
  wire         sure = sure_q[walk_at];
  wire         in_device = active_q && phase_q != P_SHARED;
  wire         in_shared = active_q && phase_q == P_SHARED;
  // What is in shared memory: the walk's, or one that it has left there.
  logic        shared_q;
  logic [SB-1:0] shared_at_q;
  lsu_insn_t   shared;
  assign       shared = insn_q[shared_at_q];
  wire         stores_shared = shared_q && shared.store, atoms_shared = shared_q && shared.atom;
  // That of the slot after the walk's.
  wire [PB-1:0] after_q = walk_q + 1'b1;
  wire [SB-1:0] after_at = after_q[SB-1:0] & SLOT;
  lsu_insn_t   after;
  assign       after = insn_q[after_at];
  wire [31:0]  after_device_m = device_m_q[after_at], after_local_m = local_m_q[after_at],
               after_shared_m = shared_m_q[after_at];
  // That whose results are next, and the oldest.
  lsu_insn_t   next, oldest;
  assign       next   = insn_q[result_at];
  assign       oldest = insn_q[out_at];
  wire [31:0]  next_mask = mask_q[result_at];

  // ---- addresses of the beat that comes in ------------------------------------------------------
  wire [AB*LANES-1:0] in_addr;
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

  // No lane of the beat can fault in memory: bounds of constant, local and shared memory have been
  // checked here.
  wire in_known;
  lsu_known #(.LANES(LANES), .ENTRIES(SLOTS > 1 ? 4 : 1)) u_known (
    .clk(clk), .clear_i(!rst_n || clear_i), .found_i(found), .write_i(found_write),
    .base_i(found_base), .limit_i(found_limit), .en_i(take && !req_pass_i),
    .store_i(!req_dec.load), .mask_i(in_device_m), .addr_i(in_addr), .known_o(in_known));
  wire in_sure = in_fault == FAULT_NONE && req_token_m_i == '0
                 && (in_known || req_dec.space == SPACE_CONST);

  // ---- rows: addresses; data going out or coming in ---------------------------------------------
  // What comes for a load, and an atomic, has one port to addresses and results: words of shared
  // memory first, then an atomic there, then sectors.  Stores have another one to the data of the
  // request, those in shared memory first, and atomics a third.
  wire [AB*LANES-1:0]  addr, walk_addr;    // addresses of beat, and of the beat that is walked over
  wire [32*LANES-1:0]  low, walk_low;      // their low words
  wire [128*LANES-1:0] store_data, atomic_data, result;         // of beat; of the result's beat
  logic [4:0]          beat;
  wire [4:0]           device_beat, shared_beat, g_beat, s_beat, r_beat, at_beat;
  wire [SB-1:0]        s_slot, g_slot;
  logic [SB-1:0]       r_slot_q;             // whose words of shared memory come
  logic                r_load_q;
  wire                 atomic_idle, g_held, g_put;
  wire                 r_load = r_valid && r_load_q;
  wire                 puts = g_put && !stores_shared;
  wire                 hold = r_load || (atoms_shared && !atomic_idle);   // sectors wait
  logic [SB-1:0]       beat_at, store_at;
  logic [4:0]          store_beat;
  lsu_insn_t           arrived;              // that of beat_at
  assign               arrived = insn_q[beat_at];
  wire                 out_acts = shared_q ? !shared.load : in_device && !load;
  always_comb begin
    {beat_at, beat} = {s_slot, s_beat};
    if (r_load)                 {beat_at, beat} = {r_slot_q, r_beat};
    else if (atoms_shared && !atomic_idle) {beat_at, beat} = {shared_at_q, at_beat};
    else if (in_device && atom) {beat_at, beat} = {walk_at, atomic_idle ? s_beat : at_beat};
    {store_at, store_beat} = {g_slot, g_beat};
    if (stores_shared) {store_at, store_beat} = {shared_at_q, shared_beat};
  end
  genvar low_l;
  generate
    for (low_l = 0; low_l < LANES; low_l = low_l + 1) begin : g_low
      assign low[32*low_l +: 32]      = addr[AB*low_l +: 32];
      assign walk_low[32*low_l +: 32] = walk_addr[AB*low_l +: 32];
    end
  endgenerate
  lsu_rows #(.WIDTH(AB*LANES), .ROWS(SLOTS*BEATS)) u_addr_rows (
    .clk(clk), .we_i(take && !req_pass_i), .to_i(row_of(in_at, req_beat_i)), .d_i(in_addr),
    .row_i(row_of(beat_at, beat)), .q_o(addr),
    .row2_i(shared_looks ? row_of(shared_at_q, shared_beat) : row_of(walk_at, device_beat)),
    .q2_o(walk_addr));

  // ---- what comes next: when an instruction starts and after each phase -------------------------
  wire        device_idle, shared_idle, shared_over, shared_looks, walk_over, walk_end, walk_idle;
  wire        read_idle, write_idle, write_busy;
  wire [3:0]  fault;                         // of the walk's
  wire        local_phase  = phase_q == P_LOCAL;
  // Lanes may act: no fault, or bus errors, which others of them met.
  wire        acts = fault == FAULT_NONE || (fault == FAULT_BUS && !walk.token);
  wire        free = load && 2'(device_m != '0) + 2'(local_m != '0) + 2'(shared_m != '0) <= 2'd1;
  // A store does not act after a fault; its own is known when its check is idle.  Nor does what is
  // in shared memory alone, whose faults are known when it comes.
  wire        posts  = store && local_m == '0 && shared_m == '0 && SLOTS > 1;
  wire        shares = !load && local_m == '0 && device_m == '0 && SLOTS > 1;
  wire        after_fault;                   // an older one than the walk's has a fault, or had it
  wire        guards = atom && device_m != '0;
  assign      lock_o = guards && (active_q || (walk_q != in_q && walk_q == out_q && !halt_q));
  wire        alone_shared = shared_m != '0 && local_m == '0 && device_m == '0;
  wire        shared_ends = shared.atom ? shared_idle && atomic_idle : shared_over;
  wire        start = walk_q != in_q && !active_q && !halt_q && (!guards || lock_i)
                      && !(alone_shared && shared_q && !shared_ends)
                      && (free || ((posts || shares) && !after_fault) || walk_q == out_q);
  wire        walked = free || (posts && phase_q != P_CHECK) ? (sure ? walk_over : walk_end)
                     : posts ? walk_idle : device_idle && atomic_idle;
  wire        choose = start || (in_shared && shared_ends) || (in_device && walked);
  wire [2:0]  from_phase = active_q ? phase_q + 3'd1 : P_CHECK;  // the first that may come
  logic [2:0] next_phase;
  always_comb begin
    next_phase = P_END;
    if (fault == FAULT_MISALIGNED) begin end
    else if (from_phase == P_CHECK && device_m != '0 && !sure)
      next_phase = load ? P_GLOBAL : P_CHECK;
    else if (!acts || ((posts || shares) && after_fault)) begin end
    else if (from_phase <= P_GLOBAL && device_m != '0) next_phase = P_GLOBAL;
    else if (from_phase <= P_LOCAL && local_m != '0) next_phase = P_LOCAL;
    else if (from_phase <= P_SHARED && shared_m != '0) next_phase = P_SHARED;
  end
  // The walk goes from this instruction to the next one at once.
  wire        chain = choose && active_q && next_phase == P_END && after_q != in_q
                      && sure_q[after_at] && first_fault == FAULT_NONE && !f_valid && !halt_q
                      && after_shared_m == '0 && (after_device_m != '0) != (after_local_m != '0)
                      && (after.load || (after.store && after_local_m == '0));
  wire [2:0]  to_phase = !chain ? next_phase : after_local_m != '0 ? P_LOCAL : P_GLOBAL;
  wire start_device = choose && to_phase < P_SHARED;
  wire start_shared = choose && to_phase == P_SHARED;
  wire leaves = start_shared && alone_shared;      // the walk goes on, lsu_shared is at work on it
  assign busy_o = taking_q || active_q || shared_q || start || lock_o || g_held || !read_idle
                  || !write_idle;

  // ---- physical memory --------------------------------------------------------------------------
  wire             s_load, s_atom, r_valid, at_valid, at_ready, f_valid;
  wire             begins, sent, found, found_write;
  wire [AB-1:0]    found_base, found_limit;
  wire [SB-1:0]    f_slot, sent_slot;
  wire [255:0]     s_data, at_data;
  wire [SEC-1:0]   s_sector, at_sector;
  wire [1:0]       s_word, r_word;
  wire [LANES-1:0] s_mask, r_mask, at_mask;
  wire [31:0]      at_strb, f_m;
  wire [AB-1:0]    f_addr;
  wire [3:0]       f_fault;
  wire [4:0]       f_lane;
  // A load that has been walked over, and is of one space.
  wire             s_local = s_slot == walk_at && in_device ? local_phase : local_m_q[s_slot] != '0;
  wire [26:0]      first_sector = local_phase ? walk.local_sector
                                : walk.constant ? launch_i.const_base[31:5] : 27'd0;
  lsu_device #(
    .LANES(LANES), .TAG(SB), .READS(SLOTS > 1 ? 32 : 16), .MANY(32'(SLOTS > 1)),
    .RANGE_SERIAL(RANGE_SERIAL)
  ) u_device (
    .clk(clk), .rst_n(rst_n && !clear_i), .load_i(load), .store_i(store && in_device),
    .atom_i(atom && in_device), .sure_i(sure), .lg_i(walk.lg), .start_i(start_device),
    .mask_i(chain ? after_device_m | after_local_m
            : (choose ? next_phase : phase_q) == P_LOCAL ? local_m : device_m),
    .active_i(in_device), .local_i(local_phase), .tag_i(walk_at), .hold_i(hold),
    .base_i(SEC'(first_sector)),
    .check_i(!walk.constant && (phase_q == P_CHECK || (phase_q == P_GLOBAL && load))),
    .act_i(phase_q != P_CHECK && acts), .idle_o(device_idle), .walk_over_o(walk_over),
    .walk_end_o(walk_end), .walk_idle_o(walk_idle), .g_held_o(g_held), .g_tag_o(g_slot),
    .found_o(found), .found_write_o(found_write), .found_base_o(found_base),
    .found_limit_o(found_limit), .g_put_o(g_put), .puts_i(puts),
    .read_idle_o(read_idle), .write_idle_o(write_idle), .out_i(result_at),
    .write_busy_o(write_busy), .sent_o(sent), .sent_tag_o(sent_slot), .nranges_i(launch_i.nranges),
    .range_base_i(range_base_i), .range_limit_i(range_limit_i), .range_write_i(range_write_i),
    .range_look_o(range_look_o), .range_look_i(range_look_i),
    .walk_row_i(!shared_looks), .walk_beat_o(device_beat), .walk_addr_i(walk_addr),
    .beat_i(beat), .addr_i(low),
    .data_i(store_data), .g_beat_o(g_beat), .begins_o(begins), .s_load_o(s_load),
    .s_atom_o(s_atom), .s_data_o(s_data),
    .s_sector_o(s_sector), .s_beat_o(s_beat), .s_word_o(s_word), .s_mask_o(s_mask),
    .s_tag_o(s_slot), .s_local_i(s_local),
    .at_idle_i(atomic_idle), .at_valid_i(at_valid && !atoms_shared), .at_ready_o(at_ready),
    .at_sector_i(at_sector), .at_data_i(at_data), .at_strb_i(at_strb), .at_mask_i(at_mask),
    .f_valid_o(f_valid), .f_tag_o(f_slot), .f_fault_o(f_fault),
    .f_lane_o(f_lane), .f_m_o(f_m), .f_addr_o(f_addr),
    .axi_read_o(axi_read_o), .axi_read_i(axi_read_i),
    .axi_write_o(axi_write_o), .axi_write_i(axi_write_i));

  // ---- shared memory ----------------------------------------------------------------------------
  wire [32*BANKS-1:0] r_data;
  wire [63:0]         r_pair;
  lsu_shared #(.LANES(LANES), .BANKS(BANKS), .SHARED_BYTES(SHARED_BYTES)) u_shared (
    .clk(clk), .rst_n(rst_n && !clear_i), .start_i(start_shared),
    .mask_i(start_shared ? shared_m : shared_m_q[shared_at_q]),
    .load_i(shared.load), .atom_i(shared.atom), .lg_i(shared.lg), .base_i(shared.shared_base),
    .idle_o(shared_idle), .over_o(shared_over), .looks_o(shared_looks),
    .beat_o(shared_beat), .addr_i(walk_low), .data_i(store_data),
    .r_valid_o(r_valid), .r_beat_o(r_beat), .r_word_o(r_word), .r_mask_o(r_mask),
    .r_data_o(r_data), .r_pair_o(r_pair),
    .a_valid_i(at_valid && atoms_shared), .a_data_i(at_data), .a_strb_i(at_strb));

  // ---- atomics, and the rows that they and loads write ------------------------------------------
  wire         l_valid;
  wire [4:0]   l_lane;
  wire [63:0]  l_old, l_new;
  lsu_atomic #(.LANES(LANES)) u_atomic (
    .clk(clk), .rst_n(rst_n && !clear_i), .op_i(atoms_shared ? shared.aop : walk.aop),
    .wide_i(atoms_shared ? shared.wide : walk.wide), .idle_o(atomic_idle),
    .s_valid_i(atoms_shared ? r_valid && !r_load : atom && in_device && s_atom),
    .s_data_i(atoms_shared ? {4{r_pair}} : s_data), .s_sector_i(s_sector),
    .s_beat_i(atoms_shared ? r_beat : s_beat), .s_mask_i(atoms_shared ? r_mask : s_mask),
    .beat_o(at_beat), .addr_i(low), .data_i(atomic_data),
    .l_valid_o(l_valid), .l_lane_o(l_lane), .l_old_o(l_old), .l_new_o(l_new),
    .w_valid_o(at_valid), .w_ready_i(atoms_shared || at_ready), .w_sector_o(at_sector),
    .w_data_o(at_data), .w_strb_o(at_strb), .w_mask_o(at_mask));
  lsu_data #(.LANES(LANES), .BANKS(BANKS), .SLOTS(SLOTS)) u_data (
    .clk(clk), .row_i(row_of(beat_at, beat)), .beat_i(beat),
    .out_i(out_acts), .store_row_i(row_of(store_at, store_beat)), .store_o(store_data),
    .atomic_i(!atomic_idle), .atomic_row_i(row_of(atoms_shared ? shared_at_q : walk_at, at_beat)),
    .atomic_o(atomic_data),
    .result_i(wb_valid_o), .result_row_i(row_of(result_at, wb_beat_o)), .result_o(result),
    .take_i(take), .take_row_i(row_of(in_at, req_beat_i)), .pass_i(req_pass_i), .b_i(req_b_i),
    .c_i(req_c_i), .sector_we_i(s_load), .banks_we_i(r_load), .shared_i(r_load),
    .local_i(s_local), .signed_i(arrived.sign), .lg_i(arrived.lg),
    .mask_i(r_load ? r_mask : s_mask), .word_i(r_load ? r_word : s_word),
    .addr_i(low), .sector_i(s_data), .banks_i(r_data), .l_valid_i(l_valid), .l_lane_i(l_lane),
    .l_old_i(l_old));

  // ---- faults: of memory, or of the beat that comes in ------------------------------------------
  wire          token = take && req_first_i && req_token_m_i != '0;
  wire          in_bad = in_fault != FAULT_NONE;
  wire [3:0]    first_fault;                 // of the oldest that has one
  wire [31:0]   first_m;
  wire [63:0]   first_addr;
  wire [SB-1:0] first_slot;
  lsu_fault #(.SLOT(SB)) u_fault (
    .clk(clk), .clear_i(!rst_n || clear_i), .out_i(out_at),
    .valid_i(f_valid || token || (take && in_bad)),
    .slot_i(f_valid ? f_slot : in_at),
    .fault_i(f_valid ? f_fault : in_bad ? in_fault : req_token_bus_i ? FAULT_BUS : FAULT_TOKEN),
    .m_i(f_valid ? f_m : in_bad ? 32'(in_fault_m) << (req_beat_i << LB) : req_token_m_i),
    .lane_i(f_valid ? f_lane : in_bad ? (req_beat_i << LB) | lowest(32'(in_fault_m)) : 5'd0),
    .addr_i(f_valid ? 64'(f_addr) : in_bad ? in_fault_addr
            : {32'd0, req_token_bus_i ? req_token_addr_i : 32'd0}),
    .fault_o(first_fault), .slot_o(first_slot), .m_o(first_m), .addr_o(first_addr));
  assign fault = first_slot == walk_at ? first_fault : FAULT_NONE;
  wire [SB:0] ages = {1'b0, SB'(first_slot - out_at)} - {1'b0, SB'(walk_at - out_at)};
  assign after_fault = halt_q || (first_fault != FAULT_NONE && ages[SB]);

  // ---- result beats, end ------------------------------------------------------------------------
  // An instruction is through when the walk has gone on and nothing of it is left.  Its results
  // are written then, and it ends in the next cycle, while those of the next one are written: not
  // before, as a record holds the results of one.  One without results ends at once.
  wire        result_end;
  wire        through = result_q != walk_q && (read_idle || s_slot != result_at) && !write_busy
                        && !(g_held && g_slot == result_at)
                        && !(r_load && r_slot_q == result_at)
                        && !(shared_q && shared_at_q == result_at)
                        && !halt_q;
  wire        faults  = first_fault != FAULT_NONE && first_slot == out_at;
  wire        result_faults = first_fault != FAULT_NONE && first_slot == result_at;
  wire        results = !result_faults && !next.store && next.rd != RZ && next_mask != '0;
  wire        ending  = out_q != result_q;           // one that has written its results
  assign wb_valid_o = through && results && (!ending || done_ready_i);
  assign wb_warp_o  = next.warp;
  lsu_result #(.LANES(LANES)) u_result (
    .clk(clk), .clear_i(!rst_n || clear_i || result_end), .valid_i(wb_valid_o),
    .end_o(result_end), .lg_i(next.lg), .rd_i(next.rd), .mask_i(next_mask), .beat_o(wb_beat_o),
    .data_i(result), .wb_ready_i(wb_ready_i),
    .wb_last_o(wb_last_o), .wb_pass_o(wb_pass_o), .wb_pair_o(wb_pair_o), .wb_half_o(wb_half_o),
    .wb_mask_o(wb_mask_o), .wb_data_o(wb_data_o));
  wire        at_once = through && !results && !ending;
  assign done_valid_o      = !halt_q && (ending || at_once);
  assign done_slot_o       = 4'(out_at);
  assign done_warp_o       = oldest.warp;
  assign done_fault_o      = faults ? first_fault : FAULT_NONE;
  assign done_fault_m_o    = faults ? first_m : '0;
  assign done_fault_addr_o = faults ? first_addr : '0;

  // ---- control ----------------------------------------------------------------------------------
  wire [31:0] here = 32'({LANES{1'b1}}) << (req_beat_i << LB);   // lanes of the beat that comes in
  wire        done = done_valid_o && done_ready_i;
  always_ff @(posedge clk) begin
    if (take && req_first_i)
      insn_q[in_at] <= {
        req_token_m_i != '0, req_dec.load, req_dec.store, req_dec.atom,
        req_size == SZ_S8 || req_size == SZ_S16, req_word[`INSN_AW] == AW_64,
        req_dec.space == SPACE_CONST, req_lg, req_word[`INSN_AOP], req_uop_i.warp,
        req_word[`INSN_RD],
        launch_i.local_base[31:5] + 27'(req_uop_i.warp[WB-1:0] * launch_i.local_size[26:0]),
        25'(req_block_i * launch_i.shared_size[31:7])};
    if (take && !req_pass_i) begin
      sure_q[in_at]     <= in_sure && (sure_q[in_at] || req_first_i);
      mask_q[in_at]     <= place(32'(req_mask_i), mask_q[in_at]);
      device_m_q[in_at] <= place(32'(in_device_m), device_m_q[in_at]);
      local_m_q[in_at]  <= place(32'(in_local_m), local_m_q[in_at]);
      shared_m_q[in_at] <= place(32'(in_shared_m), shared_m_q[in_at]);
    end
    if (take) begin
      taking_q <= !req_last_i;
      if (req_last_i) in_q <= in_q + 1'b1;
    end
    {r_slot_q, r_load_q} <= {shared_at_q, shared.load};
    if (choose) begin
      active_q <= to_phase != P_END && !leaves;
      phase_q  <= to_phase;
      if (next_phase == P_END || leaves) walk_q <= after_q;
    end
    if (start_shared) {shared_q, shared_at_q} <= {1'b1, walk_at};
    else if (shared_ends) shared_q <= 1'b0;
    if (result_end || (at_once && done_ready_i)) result_q <= result_q + 1'b1;
    if (done) begin
      out_q <= out_q + 1'b1;
      if (faults) {halt_q, taking_q} <= 2'b10;
    end
    if (!rst_n || clear_i) begin
      in_q     <= '0;
      walk_q   <= '0;
      out_q    <= '0;
      taking_q <= 1'b0;
      active_q <= 1'b0;
      shared_q <= 1'b0;
      result_q <= '0;
      halt_q   <= 1'b0;
    end
  end

`ifndef PROBED
  assign record_o = '0;                      // nothing reads it (simt_core.v)
`else
  lsu_debug #(.LANES(LANES), .SLOTS(SLOTS)) u_debug (
    .clk(clk), .take_i(take), .slot_i(in_at), .first_i(req_first_i), .pass_i(req_pass_i),
    .beat_i(req_beat_i), .mask_i(req_mask_i), .generic_i(req_dec.space == SPACE_GENERIC),
    .space_i(in_space), .addr_i(in_addr), .begins_slot_i(g_slot),
    .shared_m_i(in_shared_m), .local_m_i(in_local_m),
    .store_i(req_dec.store), .lg_i(req_lg), .b_i(req_b_i), .l_valid_i(l_valid),
    .l_slot_i(atoms_shared ? shared_at_q : walk_at), .l_beat_i(beat), .l_lane_i(l_lane),
    .l_new_i(l_new), .begins_i(begins),
    .sent_i(sent),
    .sent_slot_i(sent_slot), .end_i(out_at), .reads_o(record_o.reads), .writes_o(record_o.writes),
    .space_o(record_o.space), .addr_o(record_o.addr), .wdata_o(record_o.wdata),
`ifdef COMMIT_PORT
    .addr_sums_o(record_o.addr_sums), .wdata_sums_o(record_o.wdata_sums),
`endif
    .shared_m_o(record_o.shared_m), .local_m_o(record_o.local_m));
  // For the harness: of each slot the lanes that have written shared memory and not retired, the
  // bytes of a lane, and where the block's memory starts; what the unit is at.
  lsu_insn_t    acted;
  logic [511:0] acted_m, acted_bytes, acted_base;
  always_comb begin
    {acted, acted_m, acted_bytes, acted_base} = '0;
    for (int k = 0; k < SLOTS; k++) begin
      acted = insn_q[k];
      if (PB'(SB'(SB'(k) - out_at)) < walk_q - out_q && !acted.load
          && !(first_fault != FAULT_NONE && first_slot == SB'(k))) begin
        acted_m[32*k +: 32]     = shared_m_q[k];
        acted_bytes[32*k +: 32] = 32'd1 << acted.lg;
        acted_base[32*k +: 32]  = {acted.shared_base, 7'd0};
      end
    end
  end
  wire [2:0]  step = halt_q ? S_HALT : shared_q ? S_SHARED : in_device ? S_DEVICE
                   : wb_valid_o ? S_RESULT : done_valid_o ? S_DONE : walk_q != in_q ? S_NEXT
                   : S_REQUEST;
  wire        some = in_q != out_q;
  wire        unused_step = &{1'b0, step, some, acted, acted_m, acted_bytes, acted_base};
`endif

  wire unused = &{1'b0, launch_i, addr, req_uop_i, req_word, req_dec, walk, shared, after, next,
                  oldest, arrived,
                  begins, sent, sent_slot};

  // A beat's bits put to their place among those of all lanes; the first beat clears the others.
  function automatic [31:0] place(input [31:0] bits, input [31:0] old);
    place = (req_first_i ? 32'd0 : old & ~here) | (bits << (req_beat_i << LB));
  endfunction
  function automatic [8:0] row_of(input [SB-1:0] slot, input [4:0] b);
    row_of = 9'(slot) << (5 - LB) | 9'(b);
  endfunction
endmodule
`default_nettype wire
