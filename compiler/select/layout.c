/* Where variables lie: shared memory of each kernel, the constant bank, the global area,
 * parameters.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared variables that a device function names have one address in every kernel, so they come
 * first (the common part); those that only a kernel names follow, kernel by kernel.  Dynamic shared
 * memory begins where a kernel's static part ends, unless a device function needs one answer for
 * all.  The words of bar.red end the common part.
 *
 * Requires: a parsed module.
 * Ensures:  the address of every variable, where layout_find looks; what the constant bank begins
 *           with. */
#include <string.h>
#include "compiler/select/minsn.h"

static uint32_t up(uint32_t v, int align)
{
    uint32_t a = align > 1 ? (uint32_t)align : 1;
    return (v + a - 1) & -a;
}

static void place(struct backend *be, struct sym *y, struct fn *f, uint32_t at)
{
    if (be->nplaces == be->placecap) {
        int want = be->placecap ? 2 * be->placecap : 64;
        be->places = arena_grow(be->a, be->places, (size_t)be->placecap * sizeof *be->places,
                                (size_t)want * sizeof *be->places);
        be->placecap = want;
    }
    be->places[be->nplaces++] = (struct place){ y, at, f };
}

bool layout_find(struct backend *be, const struct sym *y, const struct fn *f, uint32_t *at)
{
    for (int k = 0; k < be->nplaces; k++)
        if (be->places[k].sym == y && (!be->places[k].f || be->places[k].f == f)) {
            *at = be->places[k].at;
            return true;
        }
    return false;
}

uint32_t layout_const(struct backend *be, const void *data, uint32_t bytes, uint32_t align)
{
    uint32_t at = up(be->const_bytes, (int)align);
    if (at + bytes > be->ccap) {
        size_t want = ((size_t)at + bytes) * 2;
        be->cdata = arena_grow(be->a, be->cdata, be->const_bytes, want);
        be->ccap = want;
    }
    if (data) memcpy(be->cdata + at, data, bytes);
    be->const_bytes = at + bytes;
    return HD_CONST_DATA + at;
}

typedef void see_sym(struct backend *, struct fn *, struct sym *);

static void operand(struct backend *be, struct fn *f, const struct opd *o, see_sym *see)
{
    if (o->sym) see(be, f, o->sym);
    for (int k = 0; k < o->nvec; k++) operand(be, f, &o->vec[k], see);
}

static void symbols(struct backend *be, struct fn *f, see_sym *see)
{
    for (int b = 0; b < f->nblocks; b++)
        for (struct ins *i = f->blocks[b]->first; i; i = i->next) {
            for (int k = 0; k < i->nops; k++) operand(be, f, &i->o[k], see);
            for (int k = 0; i->args && k < i->nargs + i->nrets; k++)
                operand(be, f, &i->args[k], see);
        }
}

static bool shared(const struct sym *y) { return y->kind == S_VAR && y->space == SP_SHARED; }
static bool dynamic(const struct sym *y) { return y->external || y->size == 0; }

static void see_common(struct backend *be, struct fn *f, struct sym *y)
{
    uint32_t at;
    if (!shared(y) || f->entry) return;
    if (dynamic(y)) be->dyn_in_fn = true;
    else if (!layout_find(be, y, NULL, &at)) {
        be->shared_common = up(be->shared_common, y->align);
        place(be, y, NULL, be->shared_common);
        be->shared_common += (uint32_t)y->size;
    }
}

/* names a common one itself */
static void see_kernel(struct backend *be, struct fn *f, struct sym *y)
{
    uint32_t at;
    if (shared(y) && !dynamic(y) && layout_find(be, y, NULL, &at)) f->sym->addr = be->shared_common;
}

static void see_own(struct backend *be, struct fn *f, struct sym *y)
{
    uint32_t at;
    if (!shared(y) || dynamic(y) || layout_find(be, y, f, &at)) return;
    uint32_t end = up((uint32_t)f->sym->addr, y->align);
    place(be, y, f, end);
    f->sym->addr = end + y->size;        /* of a kernel's symbol: its static shared bytes */
}

/* What is before the dynamic arrays: of the kernel; of all kernels, where a function names one. */
static void see_before(struct backend *be, struct fn *f, struct sym *y)
{
    (void)be;
    if (shared(y) && dynamic(y)) f->sym->addr = up((uint32_t)f->sym->addr, y->align);
}

static void see_base(struct backend *be, struct fn *f, struct sym *y)
{
    (void)f;
    if (shared(y) && dynamic(y)) be->dyn_base = up(be->dyn_base, y->align);
}

static void see_dynamic(struct backend *be, struct fn *f, struct sym *y)
{
    uint32_t at;
    if (!shared(y) || !dynamic(y) || layout_find(be, y, f, &at)) return;
    place(be, y, be->dyn_in_fn ? NULL : f, be->dyn_in_fn ? be->dyn_base : (uint32_t)f->sym->addr);
}

static bool calls(const struct fn *f)
{
    for (int b = 0; b < f->nblocks; b++)
        for (const struct ins *i = f->blocks[b]->first; i; i = i->next)
            if (i->op == P_CALL) return true;
    return false;
}

static bool reduces(const struct fn *f)
{
    for (int b = 0; b < f->nblocks; b++)
        for (const struct ins *i = f->blocks[b]->first; i; i = i->next)
            if (i->op == P_BARRED) return true;
    return false;
}

static void parameters(struct fn *f)
{
    uint32_t off = 0;
    for (int k = 0; k < f->nparams; k++) {
        off = up(off, f->params[k]->align > type_size(f->params[k]->type)
                          ? f->params[k]->align
                          : type_size(f->params[k]->type));
        f->params[k]->addr = off;
        off += (uint32_t)f->params[k]->size;
    }
}

void layout_variables(struct backend *be, const struct module *m)
{
    for (int k = 0; k < m->nsyms; k++) {
        struct sym *y = m->syms[k];
        if (y->kind != S_VAR) continue;
        if (y->space == SP_CONST) {
            place(be, y, NULL,
                  layout_const(be, y->init, (uint32_t)y->size,
                               y->align > 4 ? (uint32_t)y->align : 4));
        } else if (y->space == SP_GLOBAL) {
            be->global_bytes = up(be->global_bytes, y->align > 4 ? y->align : 4);
            if ((uint32_t)y->align > be->galign) be->galign = (uint32_t)y->align;
            place(be, y, NULL, be->global_bytes);
            be->global_bytes += y->size ? (uint32_t)y->size : 4;
        }
    }
}

void layout_run(struct backend *be)
{
    struct module *m = be->m;
    be->galign = be->frame_align = 16;
    layout_variables(be, m);
    for (int k = 0; k < m->nfns; k++) symbols(be, m->fns[k], see_common);
    bool any = false;
    for (int k = 0; k < m->nfns; k++) any |= reduces(m->fns[k]);
    be->reduce_at = up(be->shared_common, 4);
    if (any) be->shared_common = be->reduce_at + 16 * 4;
    for (int k = 0; k < m->nfns; k++) {
        struct fn *f = m->fns[k];
        if (!f->entry) continue;
        parameters(f);
        f->sym->addr = calls(f) || reduces(f) ? be->shared_common : 0;
        symbols(be, f, see_kernel);
        symbols(be, f, see_own);
        f->sym->addr = up((uint32_t)f->sym->addr, 16);
        symbols(be, f, see_before);
        if (f->sym->addr > be->dyn_base) be->dyn_base = (uint32_t)f->sym->addr;
    }
    for (int k = 0; k < m->nfns; k++) symbols(be, m->fns[k], see_base);
    for (int k = 0; k < m->nfns; k++) {
        struct fn *f = m->fns[k];
        if (f->entry && be->dyn_in_fn) f->sym->addr = be->dyn_base;
        symbols(be, f, see_dynamic);
    }
}
