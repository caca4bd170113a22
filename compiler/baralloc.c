/* Barrier registers: B0 to B15 for the virtual barriers of a function.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two barriers that are live at one point get different registers.  A barrier is live from its BSSY to
 * its BSYNC, and where lanes leave it by BREAK to its P_BEND (a NOP here): the others are still in it
 * while those go on.  A function's barriers are
 * numbered above those of its callees, because its own may be waited on while they run; functions
 * that call themselves, or are called through a register, save and clear what they use instead
 * (BMOV), so they count for nothing.  A nest too deep for 16 keeps what is over in general registers
 * between BSSY and BSYNC.  None of this can change what a program stores, only who waits for whom. */
#include <string.h>
#include "compiler/minsn.h"

struct bars { struct mfn *mf; int n, words; uint64_t **in, **out, **joined, *meets; int *colour; };

static bool is_def(const struct mins *m) { return m->i.op == OP_BSSY || m->i.op == OP_BMOVB; }
static void set(uint64_t *s, int b) { s[b >> 6] |= (uint64_t)1 << (b & 63); }
static void clear(uint64_t *s, int b) { s[b >> 6] &= ~((uint64_t)1 << (b & 63)); }
static bool has(const uint64_t *s, int b) { return s[b >> 6] >> (b & 63) & 1; }

static bool is_end(const struct mins *m) { return m->i.op == OP_NOP; }

/* Walks a block backwards from `now`: what will still be waited for. */
static void walk_back(const struct mblk *b, uint64_t *now)
{
    for (const struct mins *m = b->last; m; m = m->prev) {
        if (m->vb < 0) continue;
        if (is_def(m)) clear(now, m->vb);
        else set(now, m->vb);
    }
}

/* Walks a block forwards from `now`, the barriers that somebody may have joined. */
static void walk_on(const struct mblk *b, uint64_t *now)
{
    for (const struct mins *m = b->first; m; m = m->next) {
        if (m->vb < 0) continue;
        if (is_def(m)) set(now, m->vb);
        else if (is_end(m) || m->i.op == OP_BSYNC) clear(now, m->vb);
    }
}

static void join_out(struct bars *x, const struct mblk *b, const uint64_t *now, bool *again)
{
    for (int j = 0; j < b->nsucc + b->ntable; j++) {
        uint64_t *to = x->joined[(j < b->nsucc ? b->succ[j] : b->table[j - b->nsucc])->id];
        for (int w = 0; w < x->words; w++) {
            *again |= (now[w] & ~to[w]) != 0;
            to[w] |= now[w];
        }
    }
}

static void flow(struct bars *x)
{
    struct mfn *mf = x->mf;
    size_t bytes = (size_t)x->words * 8;
    uint64_t *now = arena_alloc(mf->be->a, bytes);
    for (bool again = true; again; ) {
        again = false;
        for (int k = mf->nblks - 1; k >= 0; k--) {
            const struct mblk *b = mf->blks[k];
            for (int w = 0; w < x->words; w++) {
                now[w] = 0;
                for (int j = 0; j < b->nsucc; j++) now[w] |= x->in[b->succ[j]->id][w];
                for (int j = 0; j < b->ntable; j++) now[w] |= x->in[b->table[j]->id][w];
            }
            memcpy(x->out[k], now, bytes);
            walk_back(b, now);
            again |= memcmp(now, x->in[k], bytes) != 0;
            memcpy(x->in[k], now, bytes);
        }
    }
    for (bool again = true; again; ) {
        again = false;
        for (int k = 0; k < mf->nblks; k++) {
            memcpy(now, x->joined[k], bytes);
            walk_on(mf->blks[k], now);
            join_out(x, mf->blks[k], now, &again);
        }
    }
}

/* Barriers that are live where another one begins: joined before it, and waited for behind it. */
static void find_meets(struct bars *x)
{
    struct mfn *mf = x->mf;
    size_t bytes = (size_t)x->words * 8;
    uint64_t *now = arena_alloc(mf->be->a, bytes);
    for (int k = 0; k < mf->nblks; k++) {
        const struct mblk *b = mf->blks[k];
        memcpy(now, x->out[k], bytes);
        for (const struct mins *m = b->last; m; m = m->prev) {
            if (m->vb < 0) continue;
            if (is_def(m)) {
                clear(now, m->vb);
                memcpy(x->meets + m->vb * x->words, now, bytes);
            } else set(now, m->vb);
        }
        memcpy(now, x->joined[k], bytes);
        for (const struct mins *m = b->first; m; m = m->next) {
            if (m->vb < 0) continue;
            if (is_def(m)) {
                for (int w = 0; w < x->words; w++) x->meets[m->vb * x->words + w] &= now[w];
                set(now, m->vb);
            } else if (is_end(m) || m->i.op == OP_BSYNC) clear(now, m->vb);
        }
    }
}

/* Colours in the order in which barriers first appear, so an outer one has the lower number. */
static int colour(struct bars *x, int limit)
{
    int used = 0;
    for (int k = 0; k < x->mf->nblks; k++)
        for (const struct mins *m = x->mf->blks[k]->first; m; m = m->next) {
            uint32_t taken = 0;
            if (m->vb < 0 || x->colour[m->vb] >= 0) continue;
            for (int o = 0; o < x->n; o++)
                if (o != m->vb && x->colour[o] >= 0 && x->colour[o] < limit &&
                    (has(x->meets + m->vb * x->words, o) || has(x->meets + o * x->words, m->vb)))
                    taken |= 1u << x->colour[o];
            int c = 0;
            while (c < limit && taken >> c & 1) c++;
            x->colour[m->vb] = c;                    /* limit: none left */
            if (c < limit && c + 1 > used) used = c + 1;
            if (c == limit) used = limit;
        }
    return used;
}

static struct mins *bmov(struct mfn *mf, struct mblk *b, struct mins *at, bool read, int bar, int reg)
{
    struct mins *m = mins_new(mf, read ? OP_BMOVR : OP_BMOVB);
    m->i.bx = (uint8_t)bar;
    if (read) m->r[R_D] = reg;
    else m->r[R_B] = reg;                            /* -1: RZ */
    mins_before(b, at, m);
    return m;
}

/* Barrier vb shares register `bar` with others: its participants wait in a general register. */
static void keep_in_register(struct mfn *mf, int vb, int bar)
{
    int reg = mreg_new(mf, 1);
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first; m; m = m->next) {
            if (m->vb != vb) continue;
            if (m->i.op == OP_BSSY) bmov(mf, mf->blks[k], m->next, true, bar, reg);
            if (m->i.op == OP_BSYNC) bmov(mf, mf->blks[k], m, false, bar, reg);
        }
}

static void save_all(struct mfn *mf)
{
    for (int b = mf->bar_top - 1; b >= 0; b--) {
        int reg = mreg_new(mf, 1);
        bmov(mf, mf->blks[0], mf->blks[0]->first, false, b, -1);
        bmov(mf, mf->blks[0], mf->blks[0]->first, true, b, reg);
        for (int k = 0; k < mf->nblks; k++)
            for (struct mins *m = mf->blks[k]->first; m; m = m->next)
                if (m->i.op == OP_RET) bmov(mf, mf->blks[k], m, false, b, reg);
    }
}

void baralloc_run(struct mfn *mf)
{
    struct arena *a = mf->be->a;
    struct bars x = { .mf = mf, .n = mf->nvb, .words = mf->nvb / 64 + 1 };
    if (mf->be->opt->stack_mode) return;
    for (int k = 0; k < mf->ncallees; k++) {
        const struct mfn *c = mf->callees[k];
        if (c->ordered && !c->busy && !c->saves_bars && c->bar_top > mf->bar_base) mf->bar_base = c->bar_top;
    }
    x.joined = arena_alloc(a, ((size_t)mf->nblks + 1) * sizeof *x.joined);
    x.in = arena_alloc(a, ((size_t)mf->nblks + 1) * sizeof *x.in);
    x.out = arena_alloc(a, ((size_t)mf->nblks + 1) * sizeof *x.out);
    for (int k = 0; k < mf->nblks; k++) {
        x.in[k] = arena_alloc(a, (size_t)x.words * 8);
        x.out[k] = arena_alloc(a, (size_t)x.words * 8);
        x.joined[k] = arena_alloc(a, (size_t)x.words * 8);
    }
    x.meets = arena_alloc(a, (size_t)(x.n + 1) * (size_t)x.words * 8);
    x.colour = arena_alloc(a, (size_t)(x.n + 1) * sizeof *x.colour);
    for (int k = 0; k < x.n; k++) x.colour[k] = -1;
    flow(&x);
    find_meets(&x);
    int used = colour(&x, HD_BARRIERS);
    if (mf->bar_base + used > HD_BARRIERS) mf->bar_base = HD_BARRIERS - used;
    mf->bar_top = mf->bar_base + used;
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first, *next; m; m = next) {
            next = m->next;
            if (m->vb >= 0 && is_end(m)) {
                mins_remove(mf->blks[k], m);
            } else if (m->vb >= 0) {
                int c = x.colour[m->vb];
                m->i.bx = (uint8_t)(mf->bar_base + (c == HD_BARRIERS ? c - 1 : c));
            }
        }
    for (int k = 0; k < x.n; k++)
        if (x.colour[k] == HD_BARRIERS) keep_in_register(mf, k, mf->bar_base + HD_BARRIERS - 1);
    if (mf->saves_bars) save_all(mf);
}
