/* Barrier registers: B0 to B15 for the virtual barriers of a function.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two barriers that meet (barflow.c) get different registers.  Whether others are still in one
 * that lanes have left, after its end, is for verify_code.c to say; if so, the function's barriers
 * that lanes leave keep their registers to its end.  A function's barriers are in no register in
 * which a lane may be where it is called: those of barcalls.c if they are free, else the lowest
 * ones.  Functions that call themselves, or are called through a register, begin at B0 and save
 * and clear what they and their callees use (BMOV).  A nest too deep for 16 keeps what is over in
 * general registers between BSSY and BSYNC, and goes without those that lanes leave in between.
 * None of this can change what a program stores, only which lanes wait for which.
 *
 * Requires: selected code with edges and virtual barriers.  But for recursion, callers went through
 *           baralloc_run before, callees through baralloc_count and baralloc_save, and all
 *           through baralloc_drop and barcalls.c.
 * Ensures:  every barrier instruction names a register that verify_code.c accepts; no P_BEND is
 *           left; mfn.bar_taken and bar_top. */
#include "compiler/backend/bars.h"
#include "compiler/predict.h"

enum { FIXED = 64 };  /* colours from here on: registers that other functions know too (fn.fixed) */

int baralloc_reg(const struct mfn *mf, int n)
{
    const int top = HD_BARRIERS - mf->be->m->nfixed;
    for (int b = 0; b < top; b++)
        if (!(mf->bar_taken >> b & 1) && !n--) return b;
    return top - 1;
}

static int count_own(const struct mfn *mf)
{
    int n = 0;
    for (int b = 0; b < HD_BARRIERS - mf->be->m->nfixed; b++) n += !(mf->bar_taken >> b & 1);
    return n;
}

/* Registers of those that share none, for reasons that no flow of one lane shows
 * (predict_soft.c). */
static uint32_t taken_apart(const struct bars *x, int vb, int limit)
{
    const unsigned char *own = x->mf->f->vb_own;
    uint32_t taken = 0;
    for (int o = 0; own && o < x->n; o++)
        if ((own[o] >= x->own || own[vb] >= x->own) && x->colour[o] >= 0 && x->colour[o] < limit)
            taken |= 1u << x->colour[o];
    return taken;
}

static int free_colour(const struct bars *x, int vb, int limit)
{
    uint32_t taken = taken_apart(x, vb, limit);
    for (int j = x->meets.first[vb]; j < x->meets.first[vb + 1]; j++) {
        int c = x->colour[x->meets.item[j]];
        if (c >= 0 && c < limit) taken |= 1u << c;
    }
    int c = 0;
    while (c < limit && taken >> c & 1) c++;
    return c;                                        /* limit: none left */
}

/* Colours in the order in which barriers first appear; where they may not do, those that share with
 * no other first. */
static int colour(struct bars *x, int limit, bool apart_first)
{
    const unsigned char *own = x->mf->f->vb_own;
    int used = 0;
    for (int pass = apart_first && own ? 0 : 1; pass < 2; pass++)
        for (int k = 0; k < x->mf->nblks; k++)
            for (const struct mins *m = x->mf->blks[k]->first; m; m = m->next) {
                if (m->vb < 0 || x->colour[m->vb] >= 0 || (!pass && own[m->vb] < x->own)) continue;
                int c = x->colour[m->vb] = free_colour(x, m->vb, limit);
                if (c >= used) used = c < limit ? c + 1 : limit;
            }
    return used;
}

static struct mins *bmov(struct mfn *mf, struct mblk *b, struct mins *at, bool read, int bar,
                         int reg)
{
    struct mins *m = mins_new(mf, read ? OP_BMOVR : OP_BMOVB);
    m->i.bx = (uint8_t)bar;
    if (read) m->r[R_D] = reg;
    else m->r[R_B] = reg;                            /* -1: RZ */
    mins_before(b, at, m);
    return m;
}

/* Barrier vb shares register `bar` with others: its participants wait in a general register.  Zero
 * first: who is in the register for another barrier is not in this one. */
static void keep_in_register(struct mfn *mf, int vb, int bar)
{
    int reg = mreg_new(mf, 1);
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first; m; m = m->next) {
            if (m->vb != vb) continue;
            if (m->i.op == OP_BSSY) {
                bmov(mf, mf->blks[k], m, false, bar, -1);
                bmov(mf, mf->blks[k], m->next, true, bar, reg);
            }
            if (m->i.op == OP_BSYNC) bmov(mf, mf->blks[k], m, false, bar, reg);
        }
}

static void drop(struct mfn *mf, int vb)
{
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first, *next; m; m = next) {
            next = m->next;
            if (m->vb == vb) mins_remove(mf->blks[k], m);
        }
}

static bool overflows(const struct bars *x)
{
    for (int k = 0; k < x->n; k++)
        if (x->colour[k] == x->limit) return true;
    return false;
}

/* The same number of registers or fewer, taken in NVIDIA's order; false: it takes more. */
static bool colour_again(struct bars *x, int used)
{
    size_t bytes = ((size_t)x->n + 1) * sizeof(int);
    int *by_place = arena_alloc(x->a, bytes), *order = arena_alloc(x->a, bytes), n = 0;
    const int most = used > x->mf->bar_need ? used : x->mf->bar_need;
    for (int k = 0; k < x->mf->nblks; k++)
        for (const struct mins *m = x->mf->blks[k]->first; m; m = m->next) {
            if (m->vb < 0 || x->colour[m->vb] < 0) continue;
            by_place[n++] = m->vb;
            x->colour[m->vb] = -1;
        }
    colour_order(x->a, &x->meets, by_place, n, x->n, most, order);
    for (int k = 0; k < n; k++)
        if ((x->colour[order[k]] = free_colour(x, order[k], used)) == used) return false;
    return true;
}

static void forget(struct bars *x)
{
    for (int k = 0; k < x->n; k++) x->colour[k] = -1;
}

/* Those of barcalls.c, if lanes are in none of them where the function is called. */
static bool take_wish(struct bars *x)
{
    struct mfn *mf = x->mf;
    mf->bar_top = 0;
    for (int v = 0; v < x->n; v++) {
        const int reg = mf->bar_wish ? mf->bar_wish[v] : -1;
        if (reg < 0) continue;
        if (mf->bar_taken >> reg & 1) return false;
        for (x->colour[v] = 0; baralloc_reg(mf, x->colour[v]) < reg;) x->colour[v]++;
        for (int j = x->meets.first[v]; j < x->meets.first[v + 1]; j++)
            if (mf->bar_wish[x->meets.item[j]] == reg) return false;
        if (reg >= mf->bar_top) mf->bar_top = reg + 1;
    }
    return mf->bar_wish != NULL;
}

static void name_registers(struct bars *x)
{
    struct mfn *mf = x->mf;
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first; m; m = m->next)
            if (m->vb >= 0 && !bars_is_end(m)) {
                int c = x->colour[m->vb];
                m->i.bx = (uint8_t)(c >= FIXED ? c - FIXED
                                               : baralloc_reg(mf, c == x->limit ? c - 1 : c));
            }
}

/* A register for each barrier; those that none is left for share the last. */
static void choose(struct bars *x)
{
    struct mfn *mf = x->mf;
    bars_flow(x);
    bars_find_meets(x);
    x->limit = count_own(mf);
    if (!x->limit) x->limit = 1;
    forget(x);
    if (take_wish(x)) {
        name_registers(x);
        return;
    }
    if (mf->ncallees && x->limit > 3) x->limit = x->limit * 3 / 4;      /* callees need some, too */
    for (int pass = 0; pass < 3; pass++) {
        x->own = pass < 2 ? 1 : 2;
        forget(x);
        for (int k = 0; k < mf->f->nfixed; k++)
            x->colour[mf->f->fixed[k].vb] = FIXED + mf->f->fixed[k].reg;
        const int used = colour(x, x->limit, pass);
        mf->bar_top = used ? baralloc_reg(mf, used - 1) + 1 : 0;
        if (overflows(x)) continue;
        if (!mf->f->vb_own && !mf->f->nfixed && !colour_again(x, used)) {
            forget(x);
            colour(x, x->limit, pass);
        }
        break;
    }
    name_registers(x);
}

static bool drop_too(const struct bars *x, bool *drops, int vb)
{
    if (vb < 0 || drops[vb] || x->colour[vb] >= FIXED) return false;
    return drops[vb] = true;
}

/* The three of a soft barrier go together; so does what lanes leave before they wait for a
 * prediction: without that wait they would leave for nothing. */
static bool spread_drops(const struct bars *x, bool *drops)
{
    bool any = false;
    for (int k = 0; k < x->mf->f->npredictions; k++) {
        const struct prediction *p = &x->mf->f->predictions[k];
        if (!drops[p->vb] && (p->count < 0 || !(drops[p->count] || drops[p->all]))) continue;
        any |= drop_too(x, drops, p->vb);
        any |= drop_too(x, drops, p->count);
        any |= drop_too(x, drops, p->all);
        for (int c = 0; c < p->nconflicts; c++)
            any |= !p->conflicts[c].deleted && drop_too(x, drops, p->conflicts[c].vb);
    }
    return any;
}

/* Where registers run out, the last one is shared, and each barrier in it is copied out.  A
 * prediction is not: lanes join it at several places, or come to its wait without having joined, so
 * the copy would not be its own. */
static void share_last(struct bars *x)
{
    struct mfn *mf = x->mf;
    const bool out = overflows(x), soft = mf->f->vb_own,
               none = !count_own(mf);
    bool *drops = arena_alloc(x->a, (size_t)x->n + 1);
    for (int k = 0; k < x->n; k++) {
        if (x->colour[k] >= FIXED) continue;
        bool shares = out && x->colour[k] >= x->limit - !soft;    /* with predictions, the one
                                                                   * before keeps its own */
        drops[k] = none || (shares && (x->left[k] || soft || predict_of(mf->f, k)));
        if (shares && !drops[k]) keep_in_register(mf, k, mf->bar_top - 1);
    }
    while (spread_drops(x, drops)) continue;
    for (int k = 0; k < x->n; k++)
        if (drops[k]) drop(mf, k);
}

static void remove_ends(struct mfn *mf)
{
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first, *next; m; m = next) {
            next = m->next;
            if (m->vb >= 0 && bars_is_end(m)) mins_remove(mf->blks[k], m);
        }
}

/* Where lanes drift, some may wait for their block in a barrier while others wait at its end, or at
 * that of another in the same register, a round before.  Round a wait for the block in a loop no
 * barrier is kept: the block brings lanes together. */
static void drop_apart(struct bars *x)
{
    const bool *apart = drift_find(x->mf, x->a);
    if (!apart) return;
    bool *drops = arena_alloc(x->a, (size_t)x->n + 1);
    struct bars_now joined = bars_now(x);
    bars_flow(x);
    for (int k = 0; k < x->mf->nblks; k++) {
        bars_at_block(&joined, x, k);
        for (const struct mins *m = x->mf->blks[k]->first; m; m = m->next) {
            for (int j = 0; apart[k] && drift_waits_block(m) && j < joined.n; j++)
                drops[joined.list[j]] = true;
            bars_step(&joined, x, m);
        }
    }
    for (int k = 0; k < x->mf->nblks; k++)
        for (struct mins *m = x->mf->blks[k]->first, *next; m; m = next) {
            next = m->next;
            if (m->i.op != OP_BSSY || m->vb < 0 || !drops[m->vb] || !apart[k]) continue;
            if (x->mf->f->vb_own || predict_of(x->mf->f, m->vb)) continue;
            if (!drift_returns(x->mf, x->a, x->mf->blks[k])) continue;
            drop(x->mf, m->vb);
            next = x->mf->blks[k]->first;
        }
}

/* Callees use no register in which a lane may be where they are called. */
static void raise_callees(struct bars *x)
{
    struct bars_now joined = bars_now(x);
    bars_flow(x);
    for (int k = 0; k < x->mf->nblks; k++) {
        bars_at_block(&joined, x, k);
        for (const struct mins *m = x->mf->blks[k]->first; m; m = m->next) {
            if (m->i.op == OP_CALL && !m->call->callee->saves_bars) {
                uint32_t taken = x->mf->bar_taken;
                for (int j = 0; j < joined.n; j++) {
                    const int c = x->colour[joined.list[j]];
                    if (c >= 0 && c < FIXED)
                        taken |= 1u << baralloc_reg(x->mf, c < x->limit ? c : c - 1);
                }
                m->call->callee->bar_taken |= (uint16_t)taken;
            }
            bars_step(&joined, x, m);
        }
    }
}

/* The most barriers that are in use at once, those of callees among them. */
void baralloc_count(struct mfn *mf)
{
    struct bars x = { .mf = mf, .a = arena_new(), .n = mf->nvb };
    bars_find_left(&x);
    struct bars_now joined = bars_now(&x);
    bars_flow(&x);
    for (int k = 0; k < mf->nblks; k++) {
        bars_at_block(&joined, &x, k);
        for (const struct mins *m = mf->blks[k]->first; m; m = m->next) {
            const struct mfn *callee = m->i.op == OP_CALL ? m->call->callee : NULL;
            const int n = joined.n + (callee && !callee->saves_bars ? callee->bar_need : 0);
            if (n > mf->bar_need) mf->bar_need = n;
            bars_step(&joined, &x, m);
        }
    }
    arena_free(x.a);
}

void baralloc_drop(struct mfn *mf)
{
    struct bars x = { .mf = mf, .a = arena_new(), .n = mf->nvb };
    bars_find_left(&x);
    drop_apart(&x);
    arena_free(x.a);
}

void baralloc_run(struct mfn *mf)
{
    struct hd_err rejected = { 0 };
    struct bars x = { .mf = mf, .a = arena_new(), .n = mf->nvb };
    x.colour = arena_alloc(x.a, (size_t)(x.n + 1) * sizeof *x.colour);
    bars_find_left(&x);
    choose(&x);
    raise_callees(&x);
    if (x.any_left && !verify_code(mf, &rejected)) {
        x.endless = true;
        choose(&x);
        raise_callees(&x);
    }
    mf->bars_used = 0;                          /* until the code is whole */
    remove_ends(mf);
    share_last(&x);
    arena_free(x.a);
}

void baralloc_save(struct mfn *mf)
{
    for (int k = 0; k < mf->ncallees; k++)
        if (mf->callees[k]->bar_top > mf->bar_top) mf->bar_top = mf->callees[k]->bar_top;
    for (int b = mf->saves_bars ? mf->bar_top - 1 : -1; b >= 0; b--) {
        int reg = mreg_new(mf, 1);
        bmov(mf, mf->blks[0], mf->blks[0]->first, false, b, -1);
        bmov(mf, mf->blks[0], mf->blks[0]->first, true, b, reg);
        for (int k = 0; k < mf->nblks; k++)
            for (struct mins *m = mf->blks[k]->first; m; m = m->next)
                if (m->i.op == OP_RET) bmov(mf, mf->blks[k], m, false, b, reg);
    }
}
