/* Where a function reads who a thread is, and whether only as ctaid.x * ntid.x + tid.x.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The form of nearly every kernel: a mov of each special register into a register of its own, and a
 * mad, or a mul and an add, that use them.  A register counts only while it is written once,
 * without a guard.
 *
 * Requires: a function as it was parsed, without blocks.
 * Ensures:  what it reads (redirect_reads.h); changes nothing. */
#include "compiler/regroup/redirect_reads.h"
#include "isa_gen.h"

struct search {
    const struct fn *f;
    const struct ins **def;      /* by register: its only definition */
    int *defs, *uses, *met;      /* by register; met: uses in global ids */
    struct reads out;
};

unsigned reads_of(int sreg)
{
    switch (sreg) {
    case SREG_TID_X: return READS_TID_X;
    case SREG_TID_Y: return READS_TID_Y;
    case SREG_TID_Z: return READS_TID_Z;
    case SREG_CTAID_X: return READS_CTA_X;
    case SREG_CTAID_Y: return READS_CTA_Y;
    case SREG_CTAID_Z: return READS_CTA_Z;
    default: return 0;
    }
}

static void count(struct search *s)
{
    int r[MAX_INS_REGS];
    for (const struct ins *i = s->f->first; i; i = i->next) {
        for (int n = ins_dests(i, r), k = 0; k < n; k++) {
            s->defs[r[k]]++;
            s->def[r[k]] = i;
        }
        for (int n = ins_sources(i, r), k = 0; k < n; k++) s->uses[r[k]]++;
    }
}

static const struct ins *only_def(const struct search *s, const struct opd *o)
{
    if (o->kind != O_REG || s->defs[o->reg] != 1 || s->def[o->reg]->guard >= 0) return NULL;
    return s->def[o->reg];
}

static bool is_sreg(const struct search *s, const struct opd *o, int sreg)
{
    const struct ins *d = only_def(s, o);
    return d && d->op == P_MOV && d->o[1].kind == O_SREG && d->o[1].sreg == sreg &&
           type_size(d->type) == 4;
}

static bool word(const struct ins *i)
{
    return (i->type == T_U32 || i->type == T_S32) && !i->cc && !i->sat;
}

/* ctaid.x * ntid.x, either way round; *cta: the operand that holds ctaid.x. */
static bool is_product(const struct search *s, const struct ins *i, const struct opd **cta)
{
    if (!word(i) || i->sub != MUL_LO) return false;
    for (int k = 1; k <= 2; k++)
        if (is_sreg(s, &i->o[k], SREG_CTAID_X) && is_sreg(s, &i->o[3 - k], SREG_NTID_X)) {
            *cta = &i->o[k];
            return true;
        }
    return false;
}

static void found(struct search *s, const struct ins *i, const struct ins *mul,
                  const struct opd *cta, const struct opd *tid)
{
    struct reads *o = &s->out;
    s->met[cta->reg]++;
    s->met[tid->reg]++;
    if (!(o->nids & (o->nids - 1)))
        o->ids = arena_grow(s->f->m->arena, o->ids, (size_t)o->nids * sizeof *o->ids,
                            (size_t)(o->nids ? 2 * o->nids : 1) * sizeof *o->ids);
    o->ids[o->nids++] = (struct linear){ i, mul };
}

static void look(struct search *s, const struct ins *i)
{
    const struct opd *cta;
    if (i->op == P_MAD && is_product(s, i, &cta) && is_sreg(s, &i->o[3], SREG_TID_X))
        found(s, i, NULL, cta, &i->o[3]);
    if (i->op != P_ADD || !word(i)) return;
    for (int k = 1; k <= 2; k++) {
        const struct ins *mul = only_def(s, &i->o[k]);
        if (mul && mul->op == P_MUL && s->uses[i->o[k].reg] == 1 && is_product(s, mul, &cta) &&
            is_sreg(s, &i->o[3 - k], SREG_TID_X))
            found(s, i, mul, cta, &i->o[3 - k]);
    }
}

struct reads reads_find(const struct fn *f)
{
    struct arena *a = f->m->arena;
    size_t n = (size_t)f->nregs + 1;
    struct search s = { .f = f,
                        .def = arena_alloc(a, n * sizeof *s.def),
                        .defs = arena_alloc(a, n * sizeof(int)),
                        .uses = arena_alloc(a, n * sizeof(int)),
                        .met = arena_alloc(a, n * sizeof(int)),
                        .out.gone = arena_alloc(a, n) };
    count(&s);
    for (const struct ins *i = f->first; i; i = i->next) look(&s, i);
    for (const struct ins *i = f->first; i; i = i->next)
        if (i->op == P_MOV && i->o[1].kind == O_SREG) {
            unsigned what = reads_of(i->o[1].sreg);
            int r = i->o[0].reg;
            s.out.all |= what;
            if (what && s.met[r] && s.met[r] == s.uses[r]) s.out.gone[r] = true;
            else s.out.beyond |= what;
        }
    return s.out;
}
