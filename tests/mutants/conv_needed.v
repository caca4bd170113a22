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
    {k.broke, k.give, k.cur, k.own, k.released, k.gaveway} = {72{busy}};
    k.own_pc = {32{busy && q.own != 32'd0}};
    k.b      = {4{q.step == S_REL}};
    k.scan   = {16{q.step == S_SCANB}};
    k.todo   = {32{q.step == S_SCANW || q.step == S_DEFER}};
    k.fin_m  = {32{q.step == S_DEFER || q.step == S_FIN}};
    k.fin_pc = {32{1'b1}};           // a group of no lanes runs there, too
    k.out    = {32{q.step == S_YRUN || q.step == S_OUT}};
  end
endmodule
