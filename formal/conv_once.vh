// Where every lane of the two warps is: the invariant that `lanes_once` proves and that other harnesses
// build upon.  `ONCE` is `assert` there and `assume` in them, which have the same promises (conv_env.vh)
// and leave less of the unit arbitrary.
// SPDX-License-Identifier: Apache-2.0
  // Lanes on their way within the steps of the warp that is looked at.
  wire [31:0] broke = q.broke ? act : 32'd0;
  reg  [31:0] steps;
  always @*
    case (q.step)
      S_REL:   steps = broke;
      S_OUT:   steps = q.out | broke;
      S_DEFER: steps = q.todo | q.fin_m | broke;
      S_FIN:   steps = q.fin_m | broke;
      S_FAULT: steps = act;
      default: steps = 32'd0;
    endcase
  // While a block barrier is released the instruction's own warp may run already (own), or goes on later (rest).
  wire [31:0] kept = q.walk ? q.own | rest : q.step == S_BARCHK || q.step == S_BARHOLD ? rest : 32'd0;
  wire idle = q.step == S_EXEC;
  wire [31:0] run0 = idle ? act0 : !own ? kept | (q.cur[0] ? 32'd0 : steps) : q.cur[0] || q.step == S_BARWALK ? act0 : steps;
  wire [31:0] run1 = idle ? act1 : own ? kept | (q.cur[0] ? steps : 32'd0) : !q.cur[0] || q.step == S_BARWALK ? act1 : steps;

  wire [31:0] all0 = run0 | m0.rdy | m0.blk | m0.yld | m0.syn | m0.bar;
  wire [31:0] all1 = run1 | m1.rdy | m1.blk | m1.yld | m1.syn | m1.bar;
  wire [31:0] twice0 = (run0 & (m0.rdy | m0.blk | m0.yld | m0.syn | m0.bar)) | (m0.rdy & (m0.blk | m0.yld | m0.syn | m0.bar))
                     | (m0.blk & (m0.yld | m0.syn | m0.bar)) | (m0.yld & (m0.syn | m0.bar)) | (m0.syn & m0.bar);
  wire [31:0] twice1 = (run1 & (m1.rdy | m1.blk | m1.yld | m1.syn | m1.bar)) | (m1.rdy & (m1.blk | m1.yld | m1.syn | m1.bar))
                     | (m1.blk & (m1.yld | m1.syn | m1.bar)) | (m1.yld & (m1.syn | m1.bar)) | (m1.syn & m1.bar);
  wire [31:0] here_act = q.cur[0] ? act1 : act0, own_act = own ? act1 : act0;
  always @* if (rst_n) begin
    `ONCE (all0 == m0.live && twice0 == 32'd0);
    `ONCE (all1 == m1.live && twice1 == 32'd0);
    // ALT and STK are groups of ready lanes, the open yield set is of yielded ones.
    `ONCE ((m0.alt & ~m0.rdy) == 32'd0 && (m0.stk & ~m0.rdy) == 32'd0 && (m0.alt & m0.stk) == 32'd0 && (m0.ys & ~m0.yld) == 32'd0);
    `ONCE ((m1.alt & ~m1.rdy) == 32'd0 && (m1.stk & ~m1.rdy) == 32'd0 && (m1.alt & m1.stk) == 32'd0 && (m1.ys & ~m1.yld) == 32'd0);
    // Where an instruction is, for the induction.
    `ONCE (!(idle && q.walk));
    if (!idle) begin
      `ONCE (some && op.warp < 5'd2 && act != 32'd0 && (exec & ~act) == 32'd0);
      `ONCE (q.cur < 5'd2 && (q.walk ? both || q.cur == op.warp : q.cur == op.warp));
      `ONCE (q.step != S_BARWALK || q.walk);
      `ONCE (q.step != S_FAULT || own_act == act);
      `ONCE (q.step != S_BARHOLD || q.index == 5'd0);
      `ONCE (q.step != S_BAREND || (q.walk && q.cur == op.warp));
      `ONCE (!(q.walk && (q.broke || q.step == S_BARCHK || q.step == S_BARHOLD || q.step == S_FAULT)));
      `ONCE (q.walk ? q.index < (both ? 5'd2 : 5'd1) && q.cur == (both ? q.index : op.warp) || q.step == S_BAREND : q.own == 32'd0);
      `ONCE (q.own == 32'd0 || (rest == 32'd0 && own_act == q.own));
      if (q.walk && q.step != S_BARWALK && q.step != S_BAREND)
        `ONCE (q.cur == op.warp ? q.own == 32'd0 && rest == 32'd0 : here_act == 32'd0);
      if (q.broke) `ONCE (opc == OP_BREAK && (q.step == S_REL || q.step == S_OUT || q.step == S_DEFER || q.step == S_FIN));
      if (q.broke)
        `ONCE ((act & (q.step == S_OUT ? q.out : q.step == S_DEFER ? q.todo | q.fin_m : q.step == S_FIN ? q.fin_m : 32'd0)) == 32'd0);
      if (q.step == S_DEFER) `ONCE ((q.todo & q.fin_m) == 32'd0);
      if (q.step == S_YRUN)  `ONCE ((q.out & ~(q.cur[0] ? m1.yld : m0.yld)) == 32'd0);
      if (q.step == S_SCANW) `ONCE ((q.todo & ~(q.cur[0] ? m1.syn : m0.syn)) == 32'd0);
      if (q.step == S_SCANB || q.step == S_SCANW || q.step == S_YHEAD || q.step == S_YRUN || q.step == S_GIVE)
        `ONCE ((q.cur[0] ? m1.ys | m1.rdy : m0.ys | m0.rdy) == 32'd0);
      if (q.step == S_FAULT || q.broke) `ONCE ((act & ~(own ? m1.live : m0.live)) == 32'd0);
      if (!q.walk && (q.step == S_BARCHK || q.step == S_BARHOLD)) `ONCE (opc == OP_EXIT || opc == OP_BAR);
    end
  end
