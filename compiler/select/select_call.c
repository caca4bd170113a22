/* Selection of calls: where arguments and results are (docs/abi.md), and calls of the library.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A .param variable becomes a register of its own (a slot) that st.param writes and ld.param reads;
 * structures, and what does not fit R4 to R15, live in the caller's frame. */
#include <stdarg.h>
#include "compiler/select/minsn.h"

/* Walks a parameter list and says where each lies. */
struct abi { int reg; uint32_t mem; };

static bool abi_next(struct abi *a, uint32_t size, uint32_t align, bool array, uint32_t *at)
{
    int words = size > 4 ? 2 : 1, reg = (a->reg + words - 1) & -words;
    if (!array && size <= 8 && reg + words <= REG_ARG + ABI_ARG_REGS) {
        *at = (uint32_t)reg;
        a->reg = reg + words;
        return true;
    }
    align = align < 4 ? 4 : align;
    *at = a->mem = (a->mem + align - 1) & -align;
    a->mem += (size + 3) & ~3u;
    return false;
}

static bool is_array(const struct sym *y)
{
    return y->size > 8 || y->size != (uint64_t)type_size(y->type);
}

static struct argslot *slot_new(struct sel *s, struct sym *sym, struct val v, bool mem,
                                uint32_t off)
{
    if (s->nslots == s->slotcap) {
        int want = s->slotcap ? 2 * s->slotcap : 16;
        s->slots = arena_grow(s->be->a, s->slots, (size_t)s->slotcap * sizeof *s->slots,
                              (size_t)want * sizeof *s->slots);
        s->slotcap = want;
    }
    s->slots[s->nslots] = (struct argslot){ sym, v, mem, off, false };
    return &s->slots[s->nslots++];
}

static struct val fixed(struct sel *s, int reg, int words)
{
    struct val v = sel_tmp(s, words);
    s->mf->regs[v.v].fixed = reg;
    return v;
}

static void in_frame(struct sel *s, uint32_t align)
{
    if (align > s->be->frame_align) s->be->frame_align = align;
}

/* Where the parameters syms[0..n) lie; a slot for each, whose `off` is its register or its
 * offset. */
static void place(struct sel *s, struct abi *a, struct sym **syms, int n)
{
    for (int k = 0; k < n; k++) {
        uint32_t at;
        bool reg = abi_next(a, (uint32_t)syms[k]->size, (uint32_t)syms[k]->align, is_array(syms[k]),
                            &at);
        if (!reg) in_frame(s, (uint32_t)syms[k]->align);
        slot_new(s, syms[k], reg ? sel_tmp(s, syms[k]->size > 4 ? 2 : 1) : VZERO, !reg, at);
    }
}

/* Parameters in registers whose address is taken; each gets eight bytes from `bytes' on. */
static uint32_t addressed(struct sel *s, uint32_t bytes)
{
    for (int b = 0; b < s->f->nblocks; b++)
        for (const struct ins *i = s->f->blocks[b]->first; i; i = i->next) {
            if ((i->op != P_MOV && i->op != P_CVTA) || i->o[1].kind != O_SYM) continue;
            for (int k = 0; k < s->f->nparams; k++) {
                struct argslot *slot = &s->slots[k];
                if (slot->sym != i->o[1].sym || slot->mem || slot->addressed) continue;
                slot->addressed = true;
                slot->off = bytes = (bytes + 7) & ~7u;
                bytes += 8;
            }
        }
    return bytes;
}

void sel_entry(struct sel *s)
{
    struct fn *f = s->f;
    uint32_t off = 0;
    s->local_at = arena_alloc(s->be->a, ((size_t)f->nlocals + 1) * sizeof *s->local_at);
    for (int k = 0; k < f->nlocals; k++) {
        if (f->locals[k]->space != SP_LOCAL) continue;
        uint32_t align = f->locals[k]->align > 1 ? (uint32_t)f->locals[k]->align : 1;
        s->local_at[k] = off = (off + align - 1) & -align;
        off += (uint32_t)f->locals[k]->size;
        in_frame(s, align);
    }
    s->mf->local_bytes = (off + 15) & ~15u;
    if (s->kernel) return;
    struct abi a = { REG_ARG, 0 };
    place(s, &a, f->params, f->nparams);
    for (int k = 0; k < f->nparams; k++)
        if (!s->slots[k].mem)
            sel_move(s, s->slots[k].v, fixed(s, (int)s->slots[k].off, s->slots[k].v.n));
    s->mf->local_bytes = (addressed(s, off) + 15) & ~15u;
    for (int k = 0; k < f->nparams; k++)
        if (s->slots[k].addressed)
            sel_frame_mem(s, true, s->slots[k].v, FR_LOCAL, s->slots[k].off,
                          s->slots[k].v.n == 2 ? SZ_64 : SZ_32);
    a.reg = REG_ARG;             /* results use the registers again, but memory of their own */
    place(s, &a, f->rets, f->nrets);
    if (!s->be->opt->stack_mode) {
        s->link = sel_tmp(s, 1).v;
        sel_move(s, (struct val){ s->link, 0, 1, false, 0 }, fixed(s, REG_LINK, 1));
    }
}

static struct mins *emit_call(struct sel *s, struct mfn *callee, struct val target, struct mcall *c)
{
    bool stack = s->be->opt->stack_mode;
    enum hd_op op = callee ? stack ? OP_CAL : OP_CALL : stack ? OP_CALR : OP_CALLR;
    struct val link = stack ? VZERO : fixed(s, REG_LINK, 1);
    struct mins *m = sel_op(s, op, link, target, VZERO, VZERO);
    c->callee = callee;
    m->call = c;
    if (!callee) {
        s->mf->indirect = true;
        return m;
    }
    for (int k = 0; k < s->mf->ncallees; k++)
        if (s->mf->callees[k] == callee) return m;
    int n = s->mf->ncallees;
    if ((n & (n - 1)) == 0)
        s->mf->callees = arena_grow(s->be->a, s->mf->callees, (size_t)n * sizeof *s->mf->callees,
                                    (size_t)(n ? 2 * n : 1) * sizeof *s->mf->callees);
    s->mf->callees[s->mf->ncallees++] = callee;
    return m;
}

struct val sel_lib(struct sel *s, const char *name, int words, int nargs, ...)
{
    struct mfn *callee = backend_lib(s->be, name);
    struct val arg[4], d = sel_tmp(s, words);
    struct mcall *c = arena_alloc(s->be->a, sizeof *c);
    struct abi a = { REG_ARG, 0 };
    va_list ap;
    if (!callee) return d;
    c->uses = arena_alloc(s->be->a, 4 * sizeof *c->uses);
    c->defs = arena_alloc(s->be->a, sizeof *c->defs);
    va_start(ap, nargs);
    for (int k = 0; k < nargs; k++) arg[k] = va_arg(ap, struct val);
    va_end(ap);
    for (int k = 0; k < nargs; k++) {
        uint32_t at;
        abi_next(&a, 4u * arg[k].n, 4, false, &at);
        struct val r = fixed(s, (int)at, arg[k].n);
        sel_move(s, r, arg[k]);
        c->uses[c->nuses++] = r.v;
    }
    emit_call(s, callee, VZERO, c);
    struct val r = fixed(s, REG_ARG, words);
    c->defs[c->ndefs++] = r.v;
    sel_move(s, d, r);
    return d;
}

/* The parameters of a call: those of the callee where it is known, else of the prototype. */
static struct sym *formal(const struct ins *in, int k)
{
    const struct sym *t = in->o[0].kind == O_SYM ? in->o[0].sym : NULL;
    const struct fn *f = t ? t->fn : NULL;
    if (f) {
        if (k < in->nrets) return k < f->nrets ? f->rets[k] : NULL;
        return k - in->nrets < f->nparams ? f->params[k - in->nrets] : NULL;
    }
    return in->proto && in->proto->kind == S_PROTO && k < in->proto->nlist ? in->proto->list[k]
                                                                           : NULL;
}

static bool in_call(const struct ins *in, const struct sym *y)
{
    for (int k = 0; k < in->nrets + in->nargs; k++)
        if (in->args[k].sym == y) return true;
    return false;
}

/* Slots of a call's operands, in the order results, arguments; offsets as the callee sees them. */
static void place_call(struct sel *s, struct ins *in)
{
    struct abi a = { REG_ARG, 0 };
    int n = in->nrets + in->nargs;
    for (int pass = 0; pass < 2; pass++) {           /* arguments come first in memory */
        for (int k = pass ? 0 : in->nrets; k < (pass ? in->nrets : n); k++) {
            struct sym *y = in->args[k].sym, *like = y ? y : formal(in, k);
            uint32_t at, size = like ? (uint32_t)like->size : 4;
            bool reg = abi_next(&a, size, like ? (uint32_t)like->align : 4, like && is_array(like),
                                &at);
            if (!reg && like) in_frame(s, (uint32_t)like->align);
            slot_new(s, y ? y : (struct sym *)&in->args[k],
                     reg ? sel_tmp(s, size > 4 ? 2 : 1) : VZERO, !reg, at);
        }
        a.reg = REG_ARG;
    }
    if (a.mem > s->mf->out_bytes) s->mf->out_bytes = (a.mem + 15) & ~15u;
}

/* The slots of the call that `sym` belongs to are made when its first st.param is met. */
static void want_slots(struct sel *s)
{
    struct ins *in = s->in;
    const struct opd *o = in->op == P_CALL ? NULL : &in->o[in->op == P_LD ? 1 : 0];
    const struct sym *y = o ? o->sym : NULL;
    if (o && (!y || y->kind != S_PARAM || !y->call_param)) return;
    for (int k = s->nslots - 1; k >= 0; k--)
        if (y && s->slots[k].sym == y) return;
    for (struct ins *c = in; c; c = c->next)
        if (c->op == P_CALL && (c == in || in_call(c, y))) {
            place_call(s, c);
            return;
        }
    for (int k = 0; k < s->f->nblocks; k++)      /* the call had a guard: it is in the next block */
        for (struct ins *c = s->f->blocks[k]->first; c; c = c->next)
            if (c->op == P_CALL && in_call(c, y)) {
                place_call(s, c);
                return;
            }
}

static struct argslot *operand_slot(struct sel *s, struct ins *in, int k)
{
    const struct sym *y = in->args[k].sym ? in->args[k].sym : (struct sym *)&in->args[k];
    for (int j = s->nslots - 1; j >= 0; j--)
        if (s->slots[j].sym == y) return &s->slots[j];
    return NULL;
}

static void call(struct sel *s)
{
    struct ins *in = s->in;
    int n = in->nrets + in->nargs;
    struct mcall *c = arena_alloc(s->be->a, sizeof *c);
    struct mfn *callee = NULL;
    struct val target = VZERO;
    if (in->o[0].kind == O_SYM) {
        struct fn *f = in->o[0].sym->fn;
        if (!f || !f->defined) {
            struct mfn *lib = in->o[0].sym->name ? backend_lib(s->be, in->o[0].sym->name) : NULL;
            if (!lib) return;
            callee = lib;
        } else {
            callee = backend_fn(s->be, f);
        }
    } else {
        target = sel_src(s, &in->o[0], 1);
    }
    if (!n || !operand_slot(s, in, n - 1)) place_call(s, in);
    c->uses = arena_alloc(s->be->a, (size_t)(n + 1) * sizeof *c->uses);
    c->defs = arena_alloc(s->be->a, (size_t)(n + 1) * sizeof *c->defs);
    for (int k = in->nrets; k < n; k++) {
        struct argslot *a = operand_slot(s, in, k);
        struct val v = a->v;
        if (!in->args[k].sym) v = sel_src(s, &in->args[k], a->mem ? 1 : a->v.n);
        if (a->mem) {
            if (!in->args[k].sym || !is_array(in->args[k].sym)) {
                if (!in->args[k].sym) sel_frame_mem(s, true, v, FR_OUT, a->off, SZ_32);
            }
            continue;
        }
        struct val r = fixed(s, (int)a->off, a->v.n);
        sel_move(s, r, v);
        c->uses[c->nuses++] = r.v;
    }
    struct mins *m = emit_call(s, callee, target, c);
    sel_guard(s, m);
    for (int k = 0; k < in->nrets; k++) {
        struct argslot *a = operand_slot(s, in, k);
        if (a->mem) continue;
        struct val r = fixed(s, (int)a->off, a->v.n);
        c->defs[c->ndefs++] = r.v;
        if (in->args[k].sym) sel_move(s, a->v, r);
        else sel_put(s, &in->args[k], r);
    }
}

bool select_call(struct sel *s)
{
    if (s->in->op != P_CALL) return false;
    call(s);
    return true;
}

bool select_param_slots(struct sel *s)
{
    if ((s->in->op == P_LD || s->in->op == P_ST) && s->in->space == SP_PARAM) want_slots(s);
    return false;
}
