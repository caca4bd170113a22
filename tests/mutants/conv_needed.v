// Which fields of the step some later step still reads: for the proofs of mutants (same_conv.vh).
// SPDX-License-Identifier: Apache-2.0
`include "uop.vh"
`include "conv.vh"
module conv_needed (input work_t q, output work_t k);
  `include "conv_fn.vh"
  wire busy = q.step != S_EXEC;
  always_comb begin
    k = {$bits(q){1'b0}};
    k.step = 4'd15;
    {k.broke, k.cur, k.own, k.released, k.gaveway} = {71{busy}};
    k.own_pc = {32{busy && q.own != 32'd0}};
    k.scan   = {16{q.step == S_SCANB}};
    k.todo   = {32{q.step == S_NEXT}};
    {k.fin_m, k.fin_pc} = {64{q.step == S_GIVE}};
    k.out    = {32{q.step == S_REL}};
  end
endmodule
