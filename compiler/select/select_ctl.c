/* Selection of control flow, and of the pseudo-instructions of convergence placement.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "compiler/select/minsn.h"
#include "compiler/predict.h"

static struct mins *control(struct sel *s, enum hd_op op)
{
    struct mins *m = sel_op(s, op, VZERO, VZERO, VZERO, VZERO);
    if (!(hd_ops[op].flags & F_NOGUARD)) sel_guard(s, m);
    m->vb = s->in->vb;
    return m;
}

/* Instructions that take no guard: a branch goes around them. */
static struct mins *around(struct sel *s)
{
    if (s->in->guard < 0) return NULL;
    struct mins *m = control(s, OP_BRA);
    m->i.pn = !m->i.pn;
    m->vb = -1;
    s->b = mblk_new(s->mf);
    return m;
}

static void after(struct sel *s, struct mins *skip)
{
    if (skip) skip->target = s->b = mblk_new(s->mf);
}

static void branch_table(struct sel *s)
{
    struct ins *in = s->in;
    uint32_t zero = 0, at = layout_const(s->be, &zero, 4, 4);
    for (int k = 1; k < in->ntargets; k++) layout_const(s->be, &zero, 4, 4);
    struct val t = sel_do(s, OP_SHL, sel_src(s, &in->o[0], 1), v_imm(2), VZERO);
    struct val pc = sel_do(s, OP_LDC, t, VZERO, VZERO);
    s->last->i.sz = SZ_32;
    s->last->i.off = (int32_t)at;
    struct mins *m = sel_op(s, OP_BRX, VZERO, pc, VZERO, VZERO);
    sel_guard(s, m);
    m->table_at = at;
    m->ntable = in->ntargets;
    m->table = arena_alloc(s->be->a, (size_t)in->ntargets * sizeof *m->table);
    for (int k = 0; k < in->ntargets; k++) m->table[k] = s->map[in->targets[k]->id];
}

static bool barrier_number(struct sel *s, const struct opd *o)
{
    if (o->kind == O_IMM && o->imm <= 15) return true;
    sel_error(s, "a block barrier is named by a constant from 0 to 15");
    return false;
}

static void wait_for_block(struct sel *s, const struct opd *number, struct val threads)
{
    sel_op(s, OP_BAR, VZERO, VZERO, threads, VZERO)->i.bx = number ? (uint8_t)number->imm : 0;
}

static void block_barrier(struct sel *s)
{
    struct ins *in = s->in;
    struct mins *skip = around(s);
    struct val n = in->nops > 1 ? sel_src(s, &in->o[1], 1) : VZERO;
    if (in->nops && !barrier_number(s, &in->o[0])) return;
    wait_for_block(s, in->nops ? &in->o[0] : NULL, n);
    after(s, skip);
}

static struct mins *reduction_word(struct sel *s, enum hd_op op, struct val d, struct val b)
{
    struct mins *m = sel_op(s, op, d, VZERO, b, VZERO);
    m->i.off = (int32_t)(s->be->reduce_at + 4 * (uint32_t)s->in->o[1].imm);
    return m;
}

/* bar.red: threads count themselves in a word of shared memory, between barriers: it is zero before
 * the first one counts, whole before one reads it, and read by all before it is cleared again. */
static void block_reduction(struct sel *s)
{
    struct ins *in = s->in;
    struct val n = in->nops > 3 ? sel_src(s, &in->o[2], 1) : VZERO, one = sel_tmp(s, 1),
               sum = sel_tmp(s, 1);
    struct pval p = sel_pred(s, &in->o[in->nops - 1]);
    if (!barrier_number(s, &in->o[1])) return;
    if (in->sub == BR_AND) p.neg = !p.neg;           /* none for which it does not hold */
    reduction_word(s, OP_STS, VZERO, VZERO)->i.sz = SZ_32;
    wait_for_block(s, &in->o[1], n);
    sel_sel(s, one, sel_reg(s, v_imm(1)), VZERO, p);
    reduction_word(s, OP_ATOMS, VZERO, one)->i.aop = AOP_ADD;
    wait_for_block(s, &in->o[1], n);
    reduction_word(s, OP_LDS, sum, VZERO)->i.sz = SZ_32;
    wait_for_block(s, &in->o[1], n);
    if (in->sub == BR_POPC) {
        sel_put(s, &in->o[0], sum);
        return;
    }
    struct mins *m = sel_setp(s, OP_ISETP, in->o[0].reg, sum, VZERO, P_TRUE);
    m->i.icmp = in->sub == BR_AND ? ICMP_EQ : ICMP_NE;
}

static void warp_barrier(struct sel *s)
{
    struct mins *skip = around(s);
    struct val mask = s->in->nops ? sel_src(s, &s->in->o[0], 1) : v_imm(0xffffffff);
    sel_op(s, OP_WARPSYNC, VZERO, VZERO, mask, VZERO);
    after(s, skip);
}

static void go_back(struct sel *s)
{
    if (s->kernel) {
        control(s, OP_EXIT);
        return;
    }
    struct mins *skip = around(s);       /* the epilogue that frame.c adds takes no guard */
    struct mcall *c = arena_alloc(s->be->a, sizeof *c);
    c->uses = arena_alloc(s->be->a, 4 * sizeof *c->uses);
    for (int k = 0; k < s->f->nrets; k++)        /* results in their registers: docs/abi.md */
        for (int j = 0; j < s->nslots; j++)
            if (s->slots[j].sym == s->f->rets[k] && !s->slots[j].mem && c->nuses < 4) {
                struct val d = sel_tmp(s, s->slots[j].v.n);
                s->mf->regs[d.v].fixed = (int)s->slots[j].off;
                sel_move(s, d, s->slots[j].v);
                c->uses[c->nuses++] = d.v;
            }
    struct val link = VZERO;
    if (!s->be->opt->stack_mode) {   /* R2 again: the register it waited in may be restored first */
        link = sel_tmp(s, 1);
        s->mf->regs[link.v].fixed = REG_LINK;
        sel_move(s, link, (struct val){ s->link, 0, 1, false, 0 });
    }
    struct mins *m = control(s, s->be->opt->stack_mode ? OP_RETT : OP_RET);
    m->p[PR_G] = -1, m->i.pn = 0;
    m->r[R_A] = link.v;
    m->call = c;
    after(s, skip);
}

static bool convergence(struct sel *s)
{
    struct mins *skip;
    switch (s->in->op) {
    case P_BSSY:
        if (s->in->sub != REJOIN_IN_CALLEE) control(s, OP_BSSY);
        return true;
    case P_BSYNC:
        if (s->in->sub == IN_CALLEE) return true;
        skip = around(s);
        control(s, OP_BSYNC);
        after(s, skip);
        return true;
    case P_BREAK: control(s, OP_BREAK); return true;
    case P_BEND: control(s, OP_NOP); return true;             /* for baralloc.c, which removes it */
    case P_YIELD: control(s, OP_YIELD); return true;
    case P_WARPSYNC: warp_barrier(s); return true;
    case P_SSY: control(s, OP_SSY)->target = s->map[s->in->targets[0]->id]; return true;
    case P_POP: {
        struct mins *m = sel_op(s, OP_NOP, VZERO, VZERO, VZERO, VZERO);
        m->i.pop = 1;
        m->target = s->map[s->in->targets[0]->id];
        return true;
    }
    case P_BMOV_SAVE: {
        struct mins *m = sel_op(s, OP_BMOVR, sel_dst(s, &s->in->o[0]), VZERO, VZERO, VZERO);
        m->vb = s->in->vb;
        return true;
    }
    case P_BMOV_LOAD: {
        struct val v = s->in->nops ? sel_src(s, &s->in->o[s->in->nops - 1], 1) : VZERO;
        struct mins *m = sel_op(s, OP_BMOVB, VZERO, VZERO, v, VZERO);
        m->vb = s->in->vb;
        sel_guard(s, m);
        return true;
    }
    default: return false;
    }
}

bool select_ctl(struct sel *s)
{
    struct ins *in = s->in;
    if (convergence(s)) return true;
    switch (in->op) {
    case P_NOP: case P_PRAGMA: case P_NANOSLEEP: return true;
    case P_BRA: control(s, OP_BRA)->target = s->map[in->targets[0]->id]; return true;
    case P_BRX: branch_table(s); return true;
    case P_RET: go_back(s); return true;
    case P_EXIT: control(s, OP_EXIT); return true;
    case P_TRAP: case P_BRKPT: control(s, OP_TRAP); return true;
    case P_BAR: block_barrier(s); return true;
    case P_BARRED: block_reduction(s); return true;
    case P_BARWARP: warp_barrier(s); return true;
    default: return false;
    }
}
