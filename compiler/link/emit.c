/* Code in its final order: addresses, branches, encoding, line table.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requires: final code of all functions (frame.c, carrier.c) in be.order; variables have addresses
 *           (layout.c).
 * Ensures:  img.text, its line table, and the pc of every function and block. */
#include <stdlib.h>
#include <string.h>
#include "compiler/select/minsn.h"

/* The block where control is when it enters b: empty ones fall through. */
static const struct mblk *settle(const struct mfn *mf, const struct mblk *b)
{
    while (!b->first && b->id + 1 < mf->nblks) b = mf->blks[b->id + 1];
    return b;
}

/* Drops branches to what follows anyway. */
static void drop_jumps(struct mfn *mf)
{
    for (int k = mf->nblks - 1; k >= 0; k--) {
        struct mblk *b = mf->blks[k];
        struct mins *m = b->last;
        if (!m || m->i.op != OP_BRA || k + 1 == mf->nblks) continue;
        if (settle(mf, m->target) == settle(mf, mf->blks[k + 1])) mins_remove(b, m);
    }
}

/* BSSY names the place after the BSYNC of its barrier, for readers of the listing. */
static void name_joins(struct mfn *mf)
{
    uint32_t *after = arena_alloc(mf->be->a, ((size_t)mf->nvb + 1) * sizeof *after);
    for (int k = mf->nblks - 1; k >= 0; k--) {                  /* of several, the first counts */
        uint32_t pc = mf->blks[k]->pc;
        for (const struct mins *m = mf->blks[k]->first; m; m = m->next) pc += HD_INSN_BYTES;
        for (const struct mins *m = mf->blks[k]->last; m; m = m->prev, pc -= HD_INSN_BYTES)
            if (m->i.op == OP_BSYNC && m->vb >= 0) after[m->vb] = pc;
    }
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first; m; m = m->next)
            if (m->i.op == OP_BSSY) m->i.imm = m->vb >= 0 && after[m->vb] ? after[m->vb] : mf->pc;
}

static uint32_t addresses(struct mfn *mf, uint32_t pc)
{
    mf->pc = pc;
    drop_jumps(mf);
    for (int k = 0; k < mf->nblks; k++) {
        mf->blks[k]->pc = pc;
        for (const struct mins *m = mf->blks[k]->first; m; m = m->next) pc += HD_INSN_BYTES;
    }
    mf->size = pc - mf->pc;
    return pc;
}

/* Index in the image of a variable's symbol. */
static uint32_t symbol_index(const struct hd_image *img, const char *name)
{
    uint32_t k = 0;
    while (k < img->nsyms && strcmp(img->syms[k].name, name)) k++;
    return k;
}

static void resolve(struct backend *be, struct hd_image *img, struct mins *m, uint32_t pc)
{
    if (m->target && !m->i.pop) m->i.imm = m->target->pc;        /* a pop's is in its token */
    if (m->call && m->call->callee) m->i.imm = m->call->callee->pc;
    if (m->sym && m->sym->kind == S_FUNC)
        m->i.imm = backend_fn(be, m->sym->fn)->pc + (uint32_t)m->add;
    else if (m->sym)
        hd_image_add_reloc(img, HD_SEC_TEXT, HD_REL_IMM32, pc, symbol_index(img, m->sym->name),
                           m->add);
    for (int k = 0; k < m->ntable; k++) {
        uint32_t to = m->table[k]->pc;
        memcpy(be->cdata + m->table_at - HD_CONST_DATA + 4 * k, &to, 4);
    }
}

static void lines(struct backend *be, struct hd_image *img, const struct mfn *mf,
                  const struct mins *m, uint32_t pc, int *file, int *line)
{
    const struct module *mod = mf->f->m;
    int f = mod == be->m ? m->sfile : 0, l = f ? m->sline : 0;
    if (f < 0 || f >= mod->nfiles || !mod->files[f]) f = l = 0;
    if (f == *file && l == *line) return;
    hd_image_add_line(img, pc, f ? hd_image_add_file(img, mod->files[f]) : 0, (uint32_t)l);
    *file = f, *line = l;
}

void emit_run(struct backend *be, struct hd_image *img)
{
    uint32_t pc = 0;
    int file = -1, line = -1;
    for (int k = be->norder - 1; k >= 0; k--) pc = addresses(be->order[k], pc);  /* kernels first */
    img->text_size = pc;
    img->text = calloc(1, pc ? pc : 1);
    img->has_strong = true;
    if (!img->text) {
        hd_err_set(be->err, 4, "out of memory");
        return;
    }
    for (int k = be->norder - 1; k >= 0; k--) {
        struct mfn *mf = be->order[k];
        pc = mf->pc;
        name_joins(mf);
        for (int b = 0; b < mf->nblks; b++)
            for (struct mins *m = mf->blks[b]->first; m; m = m->next, pc += HD_INSN_BYTES) {
                resolve(be, img, m, pc);
                lines(be, img, mf, m, pc, &file, &line);
                if (m->strong && hd_ops[m->i.op].unit == UNIT_LSU) hd_image_add_strong(img, pc);
                if (be->opt->map)
                    map_add(be->opt->map, pc, img->text_size / HD_INSN_BYTES, be, mf, m->home);
                struct hd_word w = hd_encode(&m->i);
                memcpy(img->text + pc, &w, sizeof w);
            }
    }
}
