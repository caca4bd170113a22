/* The end of a function's compilation: frame, prologue and epilogue, machine registers in their
 * fields.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The frame, from R1 up: outgoing arguments, local variables, spill slots, saved registers; then,
 * in the caller's frame, the arguments of this function.  Kernels save nothing; their R1 starts at
 * local bytes - frame.  A function that never touches local memory has no frame at all.  Arguments
 * and frames are multiples of the largest alignment of any variable in a frame, so R1 always is.
 *
 * Requires: registers allocated (mvreg.fixed); callees framed before, but for recursion.
 * Ensures:  only machine registers and offsets from R1 are left; mfn.used, top_reg and
 * local_need. */
#include "compiler/select/minsn.h"

static uint32_t aligned(const struct mfn *mf, uint32_t bytes)
{
    return (bytes + mf->be->frame_align - 1) & -mf->be->frame_align;
}

static void resolve(struct mfn *mf, struct mins *m)
{
    uint32_t base[] = { [FR_NONE] = 0, [FR_OUT] = 0, [FR_LOCAL] = mf->out_bytes,
                        [FR_SLOT] = mf->out_bytes + mf->local_bytes, [FR_IN] = mf->frame_bytes };
    if (m->frame == FR_NONE) return;
    if (m->i.op == OP_IADD) m->i.imm += base[m->frame];
    else m->i.off += (int32_t)base[m->frame];
    if (m->i.off > 0x7fffff)
        hd_err_set(mf->be->err, 2, "%s: %s needs too much local memory", mf->be->m->path, mf->name);
    m->frame = FR_NONE;
}

static void fields(struct mfn *mf, struct mins *m)
{
    uint8_t *reg[] = { &m->i.rd, &m->i.ra, &m->i.rb, &m->i.rc };
    uint8_t *pred[] = { &m->i.pg, &m->i.pd, &m->i.pq, &m->i.ps };
    for (int k = 0; k < 4; k++)
        if (m->r[k] >= 0) *reg[k] = (uint8_t)(mf->regs[m->r[k]].fixed + m->sub[k]);
    for (int k = 0; k < PR_COUNT; k++)
        if (m->p[k] >= 0) *pred[k] = (uint8_t)mf->regs[m->p[k]].fixed;
    if (m->i.pg == HD_PT) m->i.pn = 0;
}

static void expand_copy(struct mfn *mf, struct mblk *b, struct mins *m)
{
    int n = mf->regs[m->r[R_D]].n;
    for (int w = 0; w < n; w++) {
        struct mins *c = mins_new(mf, OP_MOV);
        c->r[R_D] = m->r[R_D], c->r[R_B] = m->r[R_A];
        c->sub[R_D] = c->sub[R_B] = (uint8_t)w;
        c->p[PR_G] = m->p[PR_G];
        c->i.pn = m->i.pn;
        c->sfile = m->sfile, c->sline = m->sline;
        fields(mf, c);
        mins_before(b, m, c);
    }
    mins_remove(b, m);
}

/* What the function and its callees write, as callers see it, and the highest register. */
static void note_registers(struct mfn *mf, struct regset *saved)
{
    struct regset own = { { 0 } };
    int top = -1;
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first; m; m = m->next) {
            const uint8_t regs[] = { m->i.rd, m->i.ra, m->i.rb, m->i.rc };
            for (int r = 0; r < 4; r++) {
                int n = hd_insn_width(&m->i, r);
                if (!n || regs[r] == HD_RZ) continue;
                if (r == R_D) regset_add(&own, regs[r], n);
                if (regs[r] + n - 1 > top) top = regs[r] + n - 1;
            }
        }
    bool unknown = mf->indirect || mf->f->recursive;
    for (int k = 0; k < mf->ncallees; k++) {
        for (int w = 0; w < 4; w++) own.w[w] |= mf->callees[k]->used.w[w];
        if (mf->callees[k]->top_reg > top) top = mf->callees[k]->top_reg;
    }
    if (unknown) regset_add(&own, 0, REG_SAVED);
    for (int r = 0; r < HD_RZ; r++)
        if (r >= REG_SAVED && regset_has(&own, r)) regset_add(saved, r, 1);
    mf->used = own;
    if (!mf->f->entry)
        for (int r = REG_SAVED; r < HD_RZ; r++) mf->used.w[r >> 6] &= ~((uint64_t)1 << (r & 63));
    mf->top_reg = top > REG_SP ? top : REG_SP;
}

static struct mins *adjust_sp(struct mfn *mf, uint32_t by)
{
    struct mins *m = mins_new(mf, OP_IADD);
    m->i.rd = m->i.ra = REG_SP;
    m->i.bi = 1;
    m->i.imm = by;
    return m;
}

/* Saves or restores registers in runs as wide as their alignment allows. */
static void saves(struct mfn *mf, struct mblk *b, struct mins *at, const struct regset *saved,
                  bool store)
{
    uint32_t off = mf->frame_bytes - mf->save_bytes;
    for (int r = REG_SAVED; r < HD_RZ; ) {
        int n = 1;
        if (!regset_has(saved, r)) { r++; continue; }
        while (n < 4 && r % (2 * n) == 0 && off % (8u * (unsigned)n) == 0 && r + 2 * n <= HD_RZ) {
            bool all = true;
            for (int k = n; k < 2 * n; k++) all &= regset_has(saved, r + k);
            if (!all) break;
            n *= 2;
        }
        struct mins *m = mins_new(mf, store ? OP_STL : OP_LDL);
        *(store ? &m->i.rb : &m->i.rd) = (uint8_t)r;
        m->i.ra = REG_SP;
        m->i.off = (int32_t)off;
        m->i.sz = (uint8_t)(n == 4 ? SZ_128 : n == 2 ? SZ_64 : SZ_32);
        mins_before(b, at, m);
        off += 4u * (unsigned)n;
        r += n;
    }
}

static void function_frame(struct mfn *mf, const struct regset *saved)
{
    struct mblk *entry = mf->blks[0];
    if (!mf->frame_bytes) return;
    struct mins *first = entry->first;
    mins_before(entry, first, adjust_sp(mf, -mf->frame_bytes));
    saves(mf, entry, first, saved, true);
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first; m; m = m->next) {
            if (m->i.op != OP_RET && m->i.op != OP_RETT) continue;
            saves(mf, mf->blks[k], m, saved, false);
            mins_before(mf->blks[k], m, adjust_sp(mf, mf->frame_bytes));
        }
}

static void kernel_frame(struct mfn *mf)
{
    if (!mf->local_need) return;
    struct mins *m = mins_new(mf, OP_MOV);
    m->i.rd = REG_SP;
    m->i.bi = 1;
    m->i.imm = mf->local_need - mf->frame_bytes;
    mins_before(mf->blks[0], mf->blks[0]->first, m);
}

void frame_run(struct mfn *mf)
{
    struct regset saved = { { 0 } };
    uint32_t deepest = 0;
    bool recursion = mf->indirect || mf->f->recursive;
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first, *next; m; m = next) {
            next = m->next;
            if (m->i.op == M_COPY) expand_copy(mf, mf->blks[k], m);
            else fields(mf, m);
        }
    note_registers(mf, &saved);
    if (!mf->f->entry)
        for (int r = REG_SAVED; r < HD_RZ; r++) mf->save_bytes += regset_has(&saved, r) ? 4 : 0;
    mf->slot_bytes = (mf->slot_bytes + 15) & ~15u;
    mf->save_bytes = (mf->save_bytes + 15) & ~15u;
    mf->out_bytes = aligned(mf, mf->out_bytes);
    mf->frame_bytes = aligned(mf, mf->out_bytes + mf->local_bytes + mf->slot_bytes +
                                      mf->save_bytes);
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first; m; m = m->next) resolve(mf, m);
    for (int k = 0; k < mf->ncallees; k++) {
        const struct mfn *c = mf->callees[k];
        if (!c->allocated) recursion = true;
        else if (c->local_need > deepest) deepest = c->local_need;
    }
    mf->local_need = mf->frame_bytes + deepest;
    uint32_t stack = mf->be->opt->stack_bytes;
    if (stack < LOCAL_RECURSIVE) stack = LOCAL_RECURSIVE;
    if (recursion && mf->local_need < stack) mf->local_need = stack;
    if (mf->f->entry && mf->f->allocates) mf->local_need += ALLOCA_BYTES;
    mf->local_need = aligned(mf, mf->local_need);
    if (mf->f->entry) kernel_frame(mf);
    else function_frame(mf, &saved);
}
