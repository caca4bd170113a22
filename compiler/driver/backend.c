/* The back end: from functions in PTX terms, with their barriers placed, to an image.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Functions are selected as they are found, from the kernels on.  Barrier registers are numbered
 * from the kernels down, the others allocated from the leaves of the call graph up, so that a
 * caller knows what each callee destroys.
 *
 * Requires: every function of the module is placed (cc_middle).
 * Ensures:  an image that is encoded and linked; or NULL, and err says why. */
#include <string.h>
#include "compiler/select/minsn.h"

/* Depth-first: callees before callers, but for circles. */
static void order(struct backend *be, struct mfn *mf)
{
    if (mf->met) return;
    mf->met = true;
    for (int k = 0; k < mf->ncallees; k++) order(be, mf->callees[k]);
    be->order[be->norder++] = mf;
}

static void prepare(struct backend *be, struct mfn *mf)
{
    fn_requires(mf->f, KNOWN_PLACED);
    mf->saves_bars = !mf->f->entry && (mf->f->recursive || mf->f->address_taken) &&
                     !be->opt->stack_mode;
    peephole_run(mf);
    if (be->opt->stack_mode) return;
    drift_note(mf);
    baralloc_count(mf);
}

static void number_barriers(struct backend *be)
{
    for (int k = 0; k < be->norder; k++) baralloc_drop(be->order[k]);
    for (struct mfn *mf = be->fns; mf; mf = mf->next)
        if (mf->f->entry) barcalls_run(be, mf);
    for (int k = be->norder; k-- > 0;) baralloc_run(be->order[k]);
}

static void allocate(struct backend *be, struct mfn *mf)
{
    if (!be->opt->stack_mode) {
        baralloc_save(mf);
        if (!verify_code(mf, be->err)) return;
        leave_run(mf);
    }
    if (!regalloc_run(mf)) return;
    frame_run(mf);
    carrier_run(mf);
}

static void addressed(struct backend *be)        /* functions whose address is in a table */
{
    for (int k = 0; k < be->m->nsyms; k++) {
        const struct sym *y = be->m->syms[k];
        for (int r = 0; r < y->nrelocs; r++) {
            struct sym *t = y->relocs[r].target;
            if (t->kind == S_FUNC && !backend_addressed(be, t)) return;
        }
    }
}

struct hd_image *backend_run(struct module *m, const struct cc_options *opt, struct hd_err *err)
{
    struct backend be = { .a = m->arena, .m = m, .opt = opt, .err = err };
    int n = 0;
    be.tail = &be.fns;
    layout_run(&be);
    for (int k = 0; k < m->nfns; k++)
        if (m->fns[k]->entry) backend_fn(&be, m->fns[k]);
    addressed(&be);
    for (struct mfn *mf = be.fns; mf && !err->status; mf = mf->next, n++) select_fn(&be, mf);
    if (err->status) return NULL;
    be.order = arena_alloc(be.a, ((size_t)n + 1) * sizeof *be.order);
    for (struct mfn *mf = be.fns; mf; mf = mf->next) order(&be, mf);
    for (int k = 0; k < be.norder; k++) prepare(&be, be.order[k]);
    if (!opt->stack_mode) number_barriers(&be);
    for (int k = 0; k < be.norder && !err->status; k++) {
        allocate(&be, be.order[k]);
        be.order[k]->allocated = true;
    }
    if (err->status) return NULL;
    struct hd_image *img = hd_image_new();
    if (!img) {
        hd_err_set(err, 4, "out of memory");
        return NULL;
    }
    img->stack_mode = opt->stack_mode;
    link_run(&be, img);
    if (!err->status) return img;
    hd_image_free(img);
    return NULL;
}
