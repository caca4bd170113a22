/* The image around the code: symbols, data with its addresses, kernels and their parameters.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requires: final code of all functions; variables have addresses.
 * Ensures:  a complete image: text, data with its addresses, symbols, kernels; or err says why. */
#include <stdlib.h>
#include <string.h>
#include "compiler/select/minsn.h"

static const char *type_name(const struct sym *p)
{
    static const char *const names[] = { "",    "pred", "b8",  "u8",  "s8",  "b16", "u16",
                                         "s16", "f16",  "b32", "u32", "s32", "f32", "b64",
                                         "u64", "s64",  "f64", "b16", "b32", "b32", "b32" };
    return p->size != (uint64_t)type_size(p->type) ? "b8" : names[p->type];
}

static void symbols(struct backend *be, struct hd_image *img)
{
    for (int k = 0; k < be->nplaces; k++) {
        const struct place *p = &be->places[k];
        if (p->sym->space != SP_GLOBAL && p->sym->space != SP_CONST) continue;
        hd_image_add_sym(img, p->sym->name,
                         p->sym->space == SP_GLOBAL ? HD_SEC_GLOBAL : HD_SEC_CONST, false, p->at,
                         (uint32_t)p->sym->size);
    }
}

static uint32_t index_of(const struct hd_image *img, const char *name)
{
    uint32_t k = 0;
    while (k < img->nsyms && strcmp(img->syms[k].name, name)) k++;
    return k;
}

/* An initialiser that holds addresses: those of code and of shared or constant memory are known
 * here. */
static void data_relocs(struct backend *be, struct hd_image *img, const struct sym *y, uint32_t at,
                        uint8_t *data, enum hd_section sec)
{
    for (int k = 0; k < y->nrelocs; k++) {
        const struct reloc *r = &y->relocs[k];
        uint32_t where = at + (uint32_t)r->off, found;
        uint64_t v;
        if (r->target->kind == S_FUNC) {
            v = r->target->fn ? backend_fn(be, r->target->fn)->pc + (uint64_t)r->add : 0;
        } else if (r->target->space == SP_GLOBAL) {
            hd_image_add_reloc(img, sec, r->size == 4 ? HD_REL_ABS32 : HD_REL_ABS64, where,
                               index_of(img, r->target->name), r->add);
            continue;
        } else if (layout_find(be, r->target, NULL, &found)) {
            v = found + (uint64_t)r->add;
            if (r->generic && r->target->space == SP_SHARED) v |= (uint64_t)1 << 32;
        } else {
            cc_error(be->err, be->m, y->loc, "the address of %s is not the same everywhere",
                     r->target->name);
            return;
        }
        memcpy(data + where, &v, r->size == 4 ? 4 : 8);
    }
}

static void data(struct backend *be, struct hd_image *img)
{
    img->galign = be->galign;
    img->gdata_size = be->global_bytes;
    img->gdata = calloc(1, be->global_bytes + 1);
    img->cdata_size = be->const_bytes;
    img->cdata = calloc(1, be->const_bytes + 1);
    if (!img->gdata || !img->cdata) {
        hd_err_set(be->err, 4, "out of memory");
        return;
    }
    if (be->const_bytes) memcpy(img->cdata, be->cdata, be->const_bytes);
    for (int k = 0; k < be->nplaces; k++) {
        const struct place *p = &be->places[k];
        if (p->sym->space == SP_GLOBAL) {
            if (p->sym->init) memcpy(img->gdata + p->at, p->sym->init, p->sym->size);
            data_relocs(be, img, p->sym, p->at, img->gdata, HD_SEC_GLOBAL);
        } else if (p->sym->space == SP_CONST) {
            data_relocs(be, img, p->sym, p->at - HD_CONST_DATA, img->cdata, HD_SEC_CONST);
        }
    }
}

static void kernel(struct hd_image *img, const struct mfn *mf)
{
    struct hd_kernel *k = hd_image_add_kernel(img, mf->name);
    const struct fn *f = mf->f;
    uint32_t end = 0;
    k->entry = mf->pc;
    k->regs = (uint32_t)mf->top_reg + 1;
    k->barriers = (uint32_t)mf->bar_top;
    for (int c = 0; c < mf->ncallees; c++)
        if ((uint32_t)mf->callees[c]->bar_top > k->barriers)
            k->barriers = (uint32_t)mf->callees[c]->bar_top;
    if (mf->indirect || f->m->nfixed) k->barriers = HD_BARRIERS;
    k->shared = (uint32_t)f->sym->addr;
    k->local = (mf->local_need + 15) & ~15u;
    k->max_threads = f->maxntid > 0 ? (uint32_t)f->maxntid : 0;
    for (int p = 0; p < f->nparams; p++) {
        const struct sym *y = f->params[p];
        hd_kernel_add_param(k, y->name, type_name(y), (uint32_t)y->size, (uint32_t)y->addr);
        if (y->addr + y->size > end) end = (uint32_t)(y->addr + y->size);
    }
    k->params_size = end;
}

void link_run(struct backend *be, struct hd_image *img)
{
    symbols(be, img);
    emit_run(be, img);
    if (be->err->status) return;
    data(be, img);
    for (int k = be->norder - 1; k >= 0; k--) {
        const struct mfn *mf = be->order[k];
        hd_image_add_sym(img, mf->name, HD_SEC_TEXT, true, mf->pc, mf->size);
    }
    for (struct mfn *mf = be->fns; mf; mf = mf->next)        /* in the order of the source */
        if (mf->f->entry) kernel(img, mf);
}
