/* Finds warps that repeat their states without changing anything.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Brent's way: the state of a warp is kept after 256 steps without a change, after 512, 1024 and so
 * on, and compared after each step.  It is met again once it was kept after the way into the circle
 * and the time to the next keeping is as long as the circle.  Subtle: a state is everything that
 * decides about later ones and nothing else; the convergence unit also holds times and what lanes
 * no longer use, which `tidy` makes equal where they mean the same. */
#include "cmodel/fast/inside.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST = 256, KEPT_WORDS = 4 * HD_LANES };

struct watched {
    u64 epoch;                              /* the one in which all below began */
    u64 steps, next;                        /* since then; when the state is kept again */
    bool kept, repeats;
    u32 pc, active, depth;                  /* of the kept state, for a quick look */
    u32 first, last;                        /* PCs since */
    size_t size;
    uint8_t *state;
};

struct repeat {
    size_t room;                            /* bytes of the largest state */
    uint8_t *now;
    u64 writes;                             /* steps that changed memory */
    u32 nwords;                             /* words that the step may have written, as they were */
    struct { u64 offset; u32 word; } word[KEPT_WORDS];
    struct watched warp[LAUNCH_WARPS];
};

static struct repeat *repeat_new(const struct model *m)
{
    struct repeat *r = calloc(1, sizeof *r);
    size_t tokens = STACK_MAX + m->launch.spill_size / sizeof(struct hd_token);
    size_t room = sizeof(struct conv) + (PREDS + 2) * sizeof(u32) +
                  m->code.rows_used * sizeof m->warp->r[0] + tokens * sizeof(struct hd_token);
    if (!r)
        return NULL;
    r->room = room;
    r->now = malloc(room * (1 + (size_t)LAUNCH_WARPS));
    if (!r->now) {
        free(r);
        return NULL;
    }
    for (u32 s = 0; s < LAUNCH_WARPS; s++)
        r->warp[s].state = r->now + room * (1 + (size_t)s);
    return r;
}

void repeat_free(struct repeat *r)
{
    if (r)
        free(r->now);
    free(r);
}

void repeat_watch(struct fast *f)
{
    if (!f->repeat)
        f->repeat = repeat_new(f->m);
    fast_watching(f, f->repeat != NULL);
    if (f->watching)
        f->repeat->writes++;            /* what happened unwatched is not known */
}

void fast_watch(struct model *m)
{
    repeat_watch(fast_of(m));
}

static inline void keep(struct repeat *r, const uint8_t *mem, u64 offset)
{
    if (r->nwords == KEPT_WORDS)
        return;
    offset &= ~(u64)3;
    r->word[r->nwords].offset = offset;
    memcpy(&r->word[r->nwords++].word, mem + offset, 4);
}

void repeat_keep(struct fast *f, const struct access *x, u32 exec)
{
    for (u32 left = exec; left; left &= left - 1) {
        const unsigned l = (unsigned)__builtin_ctz(left);
        keep(f->repeat, f->m->mem, x->off[l]);
        for (u32 k = 1; k < x->size / 4; k++)
            keep(f->repeat, f->m->mem, x->off[l] + k * access_stride(x, l));
    }
}

/* Changes when anything changes that one warp can see of another. */
static u64 epoch(const struct fast *f)
{
    return f->m->changes + f->repeat->writes;
}

static bool memory_changed(const struct fast *f)
{
    const struct repeat *r = f->repeat;
    for (u32 i = 0; i < r->nwords; i++)
        if (memcmp(f->m->mem + r->word[i].offset, &r->word[i].word, 4))
            return true;
    return false;
}

/* The convergence state without what no rule will read. */
static void tidy(const struct conv *c, struct conv *out)
{
    u32 waits = c->rdy | c->blocked | c->yld | c->wsync | c->bar;
    memcpy(out, c, sizeof *out);            /* with its padding, which conv_start clears */
    out->released = 0;
    out->emptied = 0;
    out->gaveway = out->joined = 0;
    out->steps = 0;
    out->alt_pc = c->alt ? c->alt_pc : 0;
    memset(out->stk + c->nstk, 0, sizeof out->stk - c->nstk);
    for (unsigned l = 0; l < HD_LANES; l++) {
        out->at[l] = waits >> l & 1 ? c->at[l] : 0;
        out->sync[l] = c->wsync >> l & 1 ? c->sync[l] : 0;
    }
}

size_t repeat_key(const struct model *m, const struct warp *w, uint8_t *to)
{
    size_t rows = m->code.rows_used * sizeof w->r[0], preds = sizeof w->p[0] * PRED_TRUE;
    struct conv c;
    uint8_t *at = to;
    tidy(&w->conv, &c);
    memcpy(at, &c, sizeof c), at += sizeof c;
    memcpy(at, w->r, rows), at += rows;
    memcpy(at, w->p, preds), at += preds;
    /* which tokens a pop takes from memory, which may answer with an error */
    memcpy(at, &w->stack.spilled, sizeof(u32)), at += sizeof(u32);
    memcpy(at, &w->stack.lost, sizeof(u32)), at += sizeof(u32);
    for (u32 i = 0; i < stack_depth(&w->stack); i++, at += sizeof(struct hd_token)) {
        struct hd_token t = stack_token(m, w, i);
        memcpy(at, &t, sizeof t);
    }
    return (size_t)(at - to);
}

static bool same_state(const struct fast *f, const struct warp *w, const struct watched *x)
{
    const struct conv *c = &w->conv;
    return c->pc == x->pc && c->active == x->active && stack_depth(&w->stack) == x->depth &&
           repeat_key(f->m, w, f->repeat->now) == x->size &&
           !memcmp(f->repeat->now, x->state, x->size);
}

static void keep_state(const struct model *m, const struct warp *w, struct watched *x)
{
    x->kept = true;
    x->next = 2 * x->steps;
    x->pc = x->first = x->last = w->conv.pc;
    x->active = w->conv.active;
    x->depth = stack_depth(&w->stack);
    x->size = repeat_key(m, w, x->state);
}

void repeat_step(struct fast *f, const struct warp *w)
{
    struct watched *x = &f->repeat->warp[w->slot];
    f->repeat->writes += memory_changed(f);
    f->repeat->nwords = 0;
    if (x->epoch != epoch(f)) {
        *x = (struct watched){ .epoch = epoch(f), .next = FIRST, .state = x->state };
        return;
    }
    if (x->repeats || !warp_runs(w))
        return;
    x->steps++;
    x->first = w->conv.pc < x->first ? w->conv.pc : x->first;
    x->last = w->conv.pc > x->last ? w->conv.pc : x->last;
    if (x->kept && same_state(f, w, x))
        x->repeats = true;
    else if (x->steps == x->next)
        keep_state(f->m, w, x);
}

bool repeat_loop(const struct fast *f, const struct warp *w, uint32_t *first, uint32_t *last)
{
    const struct watched *x = f->repeat ? &f->repeat->warp[w->slot] : NULL;
    if (!x || !x->repeats || x->epoch != epoch(f))
        return false;
    *first = x->first;
    *last = x->last;
    return true;
}

bool fast_spins(const struct model *m)
{
    const struct fast *f = fast_of(m);
    u32 first, last;
    bool any = false;
    if (!f->repeat)
        return false;
    for (u32 s = 0; s < m->launch.block_slots; s++)
        if (!m->block[s].used && m->next_block < launch_blocks(&m->launch))
            return false;                   /* a block is about to start */
    for (u32 s = 0; s < m->launch.block_slots * m->launch.warps_block; s++) {
        if (!warp_runs(&m->warp[s]))
            continue;
        if (!repeat_loop(f, &m->warp[s], &first, &last))
            return false;
        any = true;
    }
    return any;
}
