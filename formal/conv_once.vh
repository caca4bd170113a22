// Where every lane of the two warps is: the invariant that `lanes_once` proves and that other
// harnesses build upon.  `ONCE` is `assert` there and `assume` in them, which have the same
// promises (conv_env.vh) and leave less of the unit arbitrary.
// SPDX-License-Identifier: Apache-2.0
  // Lanes on their way within the steps of the warp that is looked at.
  wire [31:0] steps = q.step == S_FAULT || (q.step == S_REL && q.broke) ? active : 32'd0;
  // While a block barrier is released the instruction's own warp may run already (own), or goes on
  // later (rest).
  wire [31:0] kept = in_walk ? q.own | rest : q.step == S_BLOCK ? rest : 32'd0;
  wire idle = q.step == S_EXEC, visiting = w_walk && q.step == S_BLOCK;
  wire [31:0] run0 = idle ? active0 : !own ? kept | (q.cur[0] ? 32'd0 : steps)
                   : q.cur[0] || visiting ? active0 : steps;
  wire [31:0] run1 = idle ? active1 : own ? kept | (q.cur[0] ? steps : 32'd0)
                   : !q.cur[0] || visiting ? active1 : steps;

  wire [31:0] all0 = run0 | m0.rdy | m0.blocked | m0.yld | m0.wsync | m0.bar;
  wire [31:0] all1 = run1 | m1.rdy | m1.blocked | m1.yld | m1.wsync | m1.bar;
  wire [31:0] twice0 = (run0 & (m0.rdy | m0.blocked | m0.yld | m0.wsync | m0.bar))
                     | (m0.rdy & (m0.blocked | m0.yld | m0.wsync | m0.bar))
                     | (m0.blocked & (m0.yld | m0.wsync | m0.bar)) | (m0.yld & (m0.wsync | m0.bar))
                         | (m0.wsync & m0.bar);
  wire [31:0] twice1 = (run1 & (m1.rdy | m1.blocked | m1.yld | m1.wsync | m1.bar))
                     | (m1.rdy & (m1.blocked | m1.yld | m1.wsync | m1.bar))
                     | (m1.blocked & (m1.yld | m1.wsync | m1.bar)) | (m1.yld & (m1.wsync | m1.bar))
                         | (m1.wsync & m1.bar);
  wire [31:0] here_active = q.cur[0] ? active1 : active0, own_active = own ? active1 : active0;
  lanes_t here;
  assign here = q.cur[0] ? m1 : m0;
  always @* if (rst_n) begin
    `ONCE (all0 == m0.live && twice0 == 32'd0);
    `ONCE (all1 == m1.live && twice1 == 32'd0);
    // ALT and STK are groups of ready lanes.
    `ONCE (((m0.alt | m0.stk) & ~m0.rdy) == 32'd0 && (m0.alt & m0.stk) == 32'd0);
    `ONCE (((m1.alt | m1.stk) & ~m1.rdy) == 32'd0 && (m1.alt & m1.stk) == 32'd0);
    // Where an instruction is, for the induction.
    `ONCE (!(idle && (w_hold || in_walk || w_end)));
    `ONCE (!w_hold || q.step == S_BLOCK);
    if (!idle) begin
      `ONCE (q.step <= S_FAULT && some && op.warp < 5'd2);
      `ONCE (active != 32'd0 && (exec & ~active) == 32'd0);
      `ONCE (q.cur < 5'd2 && (in_walk ? both || q.cur == op.warp : q.cur == op.warp));
      `ONCE (q.step != S_FAULT || own_active == active);
      `ONCE (!w_hold || index == 5'd0);
      `ONCE (!w_end || q.cur == op.warp);
      `ONCE (!(in_walk && (q.broke || q.step == S_FAULT)));
      `ONCE (w_walk ? index < (both ? 5'd2 : 5'd1) && q.cur == (both ? index : op.warp)
             : in_walk || q.own == 32'd0);
      `ONCE (q.own == 32'd0 || (rest == 32'd0 && own_active == q.own));
      if (w_walk && q.step != S_BLOCK)
        `ONCE (q.cur == op.warp ? q.own == 32'd0 && rest == 32'd0 : here_active == 32'd0);
      if (q.broke) `ONCE (opc == OP_BREAK && q.step == S_REL && here.alt == 32'd0);
      if (q.step == S_REL)  `ONCE ((q.out & (~here.rdy | here.alt)) == 32'd0);
      if (q.step == S_NEXT) `ONCE ((q.todo & ~here.wsync) == 32'd0);
      if (q.step == S_GIVE)
        `ONCE ((q.fin_m & ~(here.rdy | here.yld | here.blocked | here.wsync)) == 32'd0
               && here.alt == 32'd0);
      if (q.step == S_FAULT || q.broke) `ONCE ((active & ~(own ? m1.live : m0.live)) == 32'd0);
      if (!in_walk && q.step == S_BLOCK) `ONCE (opc == OP_EXIT || opc == OP_BAR);
    end
  end
