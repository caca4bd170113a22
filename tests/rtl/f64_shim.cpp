// Wraps a Verilated lane of the f64 unit for the C bench.
// SPDX-License-Identifier: Apache-2.0
#include "Vf64_lane.h"
#include "tests/rtl/f64_equiv.h"

struct f64_lane {
    VerilatedContext context;
    Vf64_lane lane{ &context };
};

struct f64_lane *f64_new(void) { return new f64_lane; }
void f64_free(struct f64_lane *s) { delete s; }

void f64_clock(struct f64_lane *s, const struct f64_in *in, struct f64_out *out)
{
    Vf64_lane &f = s->lane;
    f.en_i = in->en, f.op_i = in->opcode, f.rm_i = in->rm, f.fcmp_i = in->fcmp, f.fbop_i = in->fbop;
    f.na_i = in->na, f.aa_i = in->aa, f.nb_i = in->nb, f.ab_i = in->ab, f.nc_i = in->nc,
    f.ps_i = in->ps;
    f.a_i = in->a, f.b_i = in->b, f.c_i = in->c;
    for (int clk = 0; clk < 2; clk++) {
        f.clk = clk;
        f.eval();
    }
    out->d = f.d_o, out->pd = f.pd_o;
}
