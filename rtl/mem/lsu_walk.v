// Walks over the lanes of an instruction and forms groups: the lanes of one beat in one 32-byte
// sector.  Each cycle the lowest lane left leads, and all lanes of its beat and sector go with it.
// One cycle later the group's extent is looked up in the memory ranges.  Where no single range
// holds it, the group goes back and from then on every lane walks alone, so that each is judged by
// its own bytes.
//
// An instruction whose lanes are known to lie within one range (lsu_known.v) is sure: nothing of it
// comes back, so the next walk starts when it forms its last group.  That group keeps what it needs
// of its instruction.
//
// Local memory is interleaved: word i of all 32 lanes of a warp is one row of 128 bytes.  Accesses
// of 8 and 16 bytes walk word by word there.  Requires: shape inputs are stable from start_i to
// idle_o, those of a sure one to over_o.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
`include "launch.vh"
module lsu_walk #(
  parameter LANES = 32,
  parameter KIND  = 1,                     // bits of what a group keeps of its instruction
  parameter RANGE_SERIAL = 0
) (
  input  wire                 clk,
  input  wire                 rst_n,
  input  wire                 start_i,
  input  wire  [31:0]         mask_i,      // lanes to walk
  input  wire                 sure_i,      // act, and look at no range
  input  wire  [KIND-1:0]     kind_i,
  input  wire                 local_i,     // addresses are offsets in local memory
  input  wire  [`ADDR_BITS-6:0] base_i,    // sector of address 0
  input  wire  [2:0]          lg_i,        // bytes a lane: 1 << lg
  input  wire                 check_i,     // look at the ranges
  input  wire                 write_i,     // they must allow writing
  input  wire                 act_i,       // hand the groups on; else only look
  output wire                 idle_o,
  output wire                 end_o,       // it is, or will be in the next cycle
  output wire                 over_o,      // no lane is left to walk in the next cycle
  // the address row of beat_o, where it can be seen
  input  wire                 row_i,
  output wire  [4:0]          beat_o,
  input  wire  [`ADDR_BITS*LANES-1:0] addr_i,
  // groups, in ascending order of their lowest lane
  output wire                 held_o,      // a group is being looked at, or handed on
  output wire                 g_valid_o,
  input  wire                 g_ready_i,
  output wire  [KIND-1:0]     g_kind_o,
  output wire                 g_first_o,   // of its walk
  output wire  [`ADDR_BITS-6:0] g_sector_o,
  output wire  [4:0]          g_beat_o,
  output wire  [1:0]          g_word_o,
  output wire  [LANES-1:0]    g_mask_o,
  output wire  [5*LANES-1:0]  g_at_o,      // where the bytes of its lanes start, modulo 32
  // a lane that may not touch its bytes; the fault is READONLY when the bytes may be read
  output wire                 f_valid_o,
  output wire                 f_readonly_o,
  output wire  [4:0]          f_lane_o,
  output wire  [`ADDR_BITS-1:0] f_addr_o,
  // memory ranges; the one that holds the group, where one does
  output wire                 found_o, found_write_o,
  output wire  [`ADDR_BITS-1:0] found_base_o, found_limit_o,
  input  wire  [4:0]          nranges_i,
  input  wire  [16*`ADDR_BITS-1:0] range_base_i,
  input  wire  [16*`ADDR_BITS-1:0] range_limit_i,
  input  wire  [15:0]         range_write_i,
  output wire [3:0]           range_look_o,    // with RANGE_SERIAL
  input  range_t              range_look_i
);
  `include "lsu_fn.vh"
  localparam LB = $clog2(LANES);
  localparam AB = `ADDR_BITS, SEC = AB - 5;

  logic [31:0]      left_q, left_d;        // lanes not yet in a group
  logic [1:0]       word_q;
  logic             alone_q;
  logic             first_q;               // no group has been formed in this walk
  logic             c_valid_q;             // the group formed last, being checked and handed on
  logic             c_sure_q, c_first_q;
  logic [KIND-1:0]  c_kind_q;
  logic [SEC-1:0]   c_sector_q;
  logic [4:0]       c_from_q, c_to_q;      // its extent within the sector
  logic [4:0]       c_beat_q;
  logic [1:0]       c_word_q;
  logic [LANES-1:0] c_mask_q;
  logic [5*LANES-1:0] c_at_q;

  wire [1:0] last_word = local_i && lg_i[2] ? 2'd3 : local_i && lg_i == 3'd3 ? 2'd1 : 2'd0;
  wire [4:0] size_m1 = local_i && lg_i > 3'd2 ? 5'd3 : (5'd1 << lg_i) - 5'd1;

  // ---- check ---------------------------------------------------------------------------------
  wire        check = check_i && !c_sure_q;
  wire        act   = act_i || c_sure_q;
  wire        judged, in_range, writable;
  wire        back, go;
  generate
    if (RANGE_SERIAL == 0) begin : g_ranges
      ranges u_ranges (
        .count_i(nranges_i), .base_i(range_base_i), .limit_i(range_limit_i),
        .write_i(range_write_i), .en_i(c_valid_q && check),
        .first_i({c_sector_q, c_from_q}), .last_i({c_sector_q, c_to_q}),
        .inside_o(in_range), .write_o(writable), .base_o(found_base_o), .limit_o(found_limit_o));
      assign judged = 1'b1;
      assign range_look_o = 4'd0;
      wire unused_look = &{1'b0, range_look_i};
    end else begin : g_serial
      ranges_serial u_ranges (
        .clk(clk), .rst_n(rst_n), .count_i(nranges_i), .look_o(range_look_o),
        .range_i(range_look_i), .en_i(c_valid_q && check), .wants_i(write_i),
        .first_i({c_sector_q, c_from_q}), .last_i({c_sector_q, c_to_q}), .taken_i(go || back),
        .judged_o(judged), .inside_o(in_range), .write_o(writable), .base_o(found_base_o),
        .limit_o(found_limit_o));
      wire unused_ranges = &{1'b0, range_base_i, range_limit_i, range_write_i};
    end
  endgenerate
  wire ok     = !check || (write_i ? writable : in_range);
  wire single = (c_mask_q & (c_mask_q - 1'b1)) == '0;
  wire lost   = c_valid_q && judged && !ok;
  assign back = lost && !single;
  assign go   = c_valid_q && (ok ? !act || g_ready_i : lost && single);
  assign found_o       = in_range;
  assign found_write_o = writable;

  assign held_o       = c_valid_q;
  assign g_valid_o    = c_valid_q && ok && act;
  assign g_kind_o     = c_kind_q;
  assign g_first_o    = c_first_q;
  assign g_sector_o   = c_sector_q;
  assign g_beat_o     = c_beat_q;
  assign g_word_o     = c_word_q;
  assign g_mask_o     = c_mask_q;
  assign g_at_o       = c_at_q;
  assign f_valid_o    = lost && single;
  assign f_readonly_o = in_range;
  assign f_addr_o     = {c_sector_q, c_from_q};
  assign f_lane_o     = (c_beat_q << LB) | lowest(32'(c_mask_q));
  assign idle_o       = left_q == '0 && !c_valid_q;
  assign end_o        = left_q == '0 && (!c_valid_q || go);

  // ---- form a group --------------------------------------------------------------------------
  wire             take = left_q != '0 && row_i && !back && (!c_valid_q || go);
  wire             last_take = take && left_d == '0 && word_q == last_word;
  assign over_o = !back && (left_q == '0 || last_take);
  wire [4:0]       lead = lowest(left_q);
  wire [4:0]       beat = lead >> LB;
  wire [LANES-1:0] here = LANES'(left_q >> (beat << LB));
  assign beat_o = beat;

  logic [SEC-1:0]   vsector, sector;       // before base_i is added
  logic [4:0]       offset;
  logic [LANES-1:0] group;
  logic [31:0]      starts;                // offsets at which the group's accesses start
  logic [4:0]       first, last, lane;
  always_comb begin
    {vsector, sector, offset, group, starts, first, last, lane} = '0;
    if (take) begin
      for (int l = LANES - 1; l >= 0; l--)
        if (here[l]) begin
          lane = (beat << LB) | 5'(l);
          sector = local_i ? SEC'({addr_i[AB*l+4 +: 23], addr_i[AB*l+2 +: 2] | word_q, lane[4:3]})
                           : addr_i[AB*l+5 +: SEC];
        end
      for (int l = 0; l < LANES; l++)
        if (here[l]) begin
          lane = (beat << LB) | 5'(l);
          vsector = local_i ? SEC'({addr_i[AB*l+4 +: 23], addr_i[AB*l+2 +: 2] | word_q, lane[4:3]})
                            : addr_i[AB*l+5 +: SEC];
          offset = local_i ? {lane[2:0], addr_i[AB*l +: 2]} : addr_i[AB*l +: 5];
          if (vsector == sector && (!alone_q || lane == lead)) begin
            group[l] = 1'b1;
            starts = starts | (32'd1 << offset);
          end
        end
      first = lowest(starts);
      last  = highest(starts) + size_m1;
    end
  end

  always_comb begin
    left_d = left_q & ~(32'(group) << (beat << LB));
    if (back) left_d = left_d | (32'(c_mask_q) << (c_beat_q << LB));
  end

  always_ff @(posedge clk)
    if (!rst_n) begin
      left_q    <= '0;
      c_valid_q <= 1'b0;
    end else if (start_i || !idle_o) begin
      left_q <= left_d;
      if (take && left_d == '0 && !last_take) begin
        left_q <= mask_i;
        word_q <= word_q + 2'd1;
      end
      if (back) alone_q <= 1'b1;
      if (take) begin
        c_sure_q   <= sure_i;
        c_kind_q   <= kind_i;
        c_sector_q <= sector + base_i;
        c_from_q   <= first;
        c_to_q     <= last;
        c_beat_q   <= beat;
        c_word_q   <= word_q;
        c_mask_q   <= group;
        for (int l = 0; l < LANES; l++) c_at_q[5*l +: 5] <= addr_i[AB*l +: 5];
        c_first_q  <= first_q;
        first_q    <= 1'b0;
      end else if (back) first_q <= c_first_q;
      if (take || go || back) c_valid_q <= take;
      if (start_i) begin
        left_q  <= mask_i;
        word_q  <= '0;
        alone_q <= 1'b0;
        first_q <= 1'b1;
      end
    end

  function automatic [4:0] highest(input [31:0] m);
    begin
      highest = 5'd0;
      for (int i = 0; i < 32; i++)
        if (m[i]) highest = 5'(i);
    end
  endfunction
endmodule
`default_nettype wire
