// Where an indirect branch goes: the target of the lowest active lane, and the
// lanes that have the same one.  The sources come beat by beat, the lowest lanes first, so a
// comparator for each lane of a beat does, and no other target is kept.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module same_target #(
  parameter LANES = 32
) (
  input  wire          clk,
  input  wire          en_i,                 // a beat of an indirect branch is in E1
  input  wire          first_i,              // of its beats
  input  wire [4:0]    beat_i,
  input  wire [31:0]   active_i,
  input  wire [31:0]   behind_i,             // where lanes go whose guard does not hold
  input  wire [LANES-1:0]    exec_i,
  input  wire [64*LANES-1:0] a_i,            // the low words are taken
  output logic [31:0]  target_o,             // complete with the last beat
  output logic [31:0]  same_o
);
  localparam LB = $clog2(LANES);
  logic [31:0] target_q, same_q;
  logic        found, found_q;               // an active lane has come
  wire  [LANES-1:0] active = LANES'(active_i >> (beat_i << LB));
  logic [LANES-1:0] same;
  logic [31:0] own;
  always_comb begin
    {found, target_o, same_o, same, own} = '0;
    if (en_i) begin
      found    = !first_i && found_q;
      target_o = target_q;
      for (int l = 0; l < LANES; l = l + 1)
        if (!found && active[l]) begin
          target_o = exec_i[l] ? a_i[64*l +: 32] : behind_i;
          found    = 1'b1;
        end
      for (int l = 0; l < LANES; l = l + 1) begin
        own     = exec_i[l] ? a_i[64*l +: 32] : behind_i;
        same[l] = active[l] && own == target_o;
      end
      same_o = (first_i ? 32'd0 : same_q) | (32'(same) << (beat_i << LB));
    end
  end
  always_ff @(posedge clk)
    if (en_i) begin
      found_q  <= found;
      target_q <= target_o;
      same_q   <= same_o;
    end
  wire unused = &{1'b0, a_i};
endmodule
`default_nettype wire
