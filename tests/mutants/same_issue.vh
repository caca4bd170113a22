// What need not be the same in two copies of the scheduler, LANES=16; see netlist_pair.pl.
// SPDX-License-Identifier: Apache-2.0
  // Two beats of two passes at most; after the last one nothing is left of an instruction.  None
  // takes longer than a float: writes six cycles ahead there are only while its beats are read, and
  // none seven ahead.
  wire ok   = S_busy_q <= 7'd3 && (!S_rr_valid_o || S_rr_beat_o <= 5'd1)
              && S_slot_q[11:7] == 5'd0 && (!S_slot_q[6] || S_busy_q != 7'd0)
                  && S_retire_q[11:7] == 5'd0;
  wire kept = o_N_busy_q <= 7'd3 && (!o_N_rr_valid_o || o_N_rr_beat_o <= 5'd1)
              && o_N_slot_q[11:7] == 5'd0 && (!o_N_slot_q[6] || o_N_busy_q != 7'd0)
              && o_N_retire_q[11:7] == 5'd0;
  wire anew = !rst_n;
  // What is read of an instruction while there is one.
  wire [`UOP_BITS-1:0] care_rr_uop_o = {`UOP_BITS{o_rr_valid_o}},
                       dead_S_rr_uop_o = {`UOP_BITS{!S_rr_valid_o}},
                       care_N_rr_uop_o = {`UOP_BITS{o_N_rr_valid_o}};
  wire [4:0] care_rr_beat_o = {5{o_rr_valid_o}}, dead_S_rr_beat_o = {5{!S_rr_valid_o}},
             care_N_rr_beat_o = {5{o_N_rr_valid_o}};
  wire       care_rr_pass_o = o_rr_valid_o, dead_S_rr_pass_o = !S_rr_valid_o,
             care_N_rr_pass_o = o_N_rr_valid_o;
  wire       care_rr_first_o = o_rr_valid_o, care_rr_last_o = o_rr_valid_o;
  wire       care_push_stop_o = push_i;
  wire [4:0] care_pop_warp_o = {5{o_pop_o}};
