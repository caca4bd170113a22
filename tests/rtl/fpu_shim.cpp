// Wraps the Verilated FPU and MUFU lanes for the C bench.
// SPDX-License-Identifier: Apache-2.0
#include "Vfpu.h"
#include "Vmufu.h"
#include "tests/rtl/fpu_equiv.h"

struct lanes {
    VerilatedContext context;
    Vfpu fpu{&context};
    Vmufu mufu{&context};
    unsigned en = 0, mufu_en = 0;              /* of the cycles before, the last in bit 0 */
};

struct lanes *lanes_new(void) { return new lanes; }
void lanes_free(struct lanes *s) { delete s; }

void lanes_clock(struct lanes *s, const struct lane_in *in, struct lane_out *out)
{
    Vfpu &f = s->fpu;
    Vmufu &m = s->mufu;
    f.en_i = in->en, f.op_i = in->opcode, f.rm_i = in->rm, f.ftz_i = in->ftz, f.sat_i = in->sat;
    f.fcmp_i = in->fcmp, f.fbop_i = in->fbop, f.na_i = in->na, f.aa_i = in->aa, f.nb_i = in->nb;
    f.ab_i = in->ab, f.nc_i = in->nc, f.ps_i = in->ps, f.a_i = in->a, f.b_i = in->b, f.c_i = in->c;
    m.en_i = in->mufu_en, m.op_i = in->fn, m.na_i = in->na, m.aa_i = in->aa,
    m.a_i = (uint32_t)in->a;
    f.en_q_i = s->en & 7, m.en_q_i = s->mufu_en & 7;
    for (int clk = 0; clk < 2; clk++) {
        f.clk = m.clk = clk;
        f.eval(), m.eval();
    }
    s->en = s->en << 1 | in->en, s->mufu_en = s->mufu_en << 1 | in->mufu_en;
    out->d = f.d_o, out->pd = f.pd_o, out->mufu = m.d_o;
}
