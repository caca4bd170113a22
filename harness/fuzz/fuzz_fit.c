/* Random kernels for a core that has less than the usual one: fewer registers, warps or address
 * bits, no f64, floats, MUFU or constants.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a seed stands for is drawn as for the usual core, then made to fit: where a kernel fits
 * already, it is the same on both. */
#include "harness/fuzz/fuzz_code.h"

/* Live registers are 0 to 15 there; all others follow, those of loops without holes. */
enum { SMALL_REGS = 64 };

bool fuzz_ask(struct fuzz_machine *m, struct fuzz_case *c)
{
    struct hd_core core;
    if (!fuzz_machine_open(m, c))
        return false;
    hd_get_core(m->dev, &core);
    m->lanes = c->lanes = core.lanes;
    m->stack_depth = c->stack_depth = core.stack_depth;
    c->core = (struct fuzz_core){ core.lacks, core.warps, core.regs, core.shared_bytes,
                                  core.addr_bits };
    const char *no = c->stack_mode && !core.stack_depth ? "the core has no stack mode"
                   : !c->stack_mode && !core.barriers ? "the core has no barrier mode"
                   : core.regs < SMALL_REGS ? "random kernels need 64 registers"
                   : core.shared_bytes < FUZZ_FEW_THREADS * FUZZ_SHARED_SLOT
                         ? "random kernels need 4096 bytes of shared memory" : NULL;
    if (no)
        fprintf(stderr, "heddle fuzz: %s\n", no);
    return !no;
}

bool fuzz_usual(const struct fuzz_case *c)
{
    const struct fuzz_core *k = &c->core;
    return !k->lacks && (!k->warps || k->warps == LAUNCH_WARPS) && fuzz_regs(c) == 256 &&
           (!k->shared || k->shared >= FUZZ_MAX_THREADS * FUZZ_SHARED_SLOT);
}

void fuzz_fit_launch(struct fuzz_case *c)
{
    const struct fuzz_core *k = &c->core;
    if (k->warps && fuzz_block_threads(c) > k->warps * HD_LANES)
        c->block = (struct hd_dim3){ HD_LANES, 1, 1 };
    if (k->addr_bits && k->addr_bits < HD_ADDR_BITS)
        c->high_seed = 0;
}

static void fit(uint8_t *reg)
{
    const unsigned r = *reg;
    if (r < R_IN || r == HD_RZ)
        return;
    const unsigned loop = r - R_COUNT, level = loop / PER_LEVEL;
    *reg = (uint8_t)(r < R_COUNT   ? LIVE_REGS + r - R_IN
                     : r < R_SAVED ? LIVE_REGS + R_COUNT - R_IN + level + (level ? 1 : loop % 2)
                                   : SMALL_REGS - (R_DEAD + DEAD_REGS - r));
}

void fuzz_fit_insn(const struct fuzz_case *c, struct hd_insn *i)
{
    if (fuzz_regs(c) == 256)
        return;
    fit(&i->rd);
    fit(&i->ra);
    fit(&i->rc);
    if (!i->bi)
        fit(&i->rb);
}

bool fuzz_fits(const struct fuzz_case *c, const struct hd_word *w)
{
    struct hd_insn i;
    if (!hd_decode(w, c->stack_mode, &i))
        return true;
    const uint32_t needs = 1u << hd_ops[i.op].unit | (i.cb ? HD_CONSTANTS : 0);
    bool fits = !(c->core.lacks & needs);
    const uint8_t reg[] = { i.rd, i.ra, i.bi ? HD_RZ : i.rb, i.rc };
    for (unsigned k = 0; k < sizeof reg && fuzz_regs(c) < 256; k++) {
        const unsigned n = (unsigned)hd_insn_width(&i, k);
        fits &= !n || reg[k] == HD_RZ || reg[k] + n <= fuzz_regs(c);
    }
    return fits;
}
