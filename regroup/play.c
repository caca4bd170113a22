/* A play: the lanes of a warp go through a kernel's blocks as their counts allow.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Counts say how often a thread takes each way (ways.c), not in which order.  Any order is a path
 * through the kernel, as long as a thread leaves each block for the last time by a way of a tree
 * that leads out.  Orders are: evenly, so that a loop in a loop has as many rounds each time; at
 * random, the same for all threads; at random, some or all draws for each thread.  Which one a
 * block's branch follows is found by how often warps of the counting run executed all blocks.
 * Where lanes part and meet is not guessed: barriers are the model's (docs/convergence.md), and
 * tokens follow docs/stack.md. */
#include "regroup/play.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double CLEARLY = 0.99; /* of what is missed: less is no difference */
enum {
    STEPS = 4000000, /* of all warps together: a second or so */
    FIT_STEPS = 60000
};

struct play *play_new(const struct bbv *b, const struct hd_image *img, uint32_t stack_depth)
{
    struct play *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->b = b;
    p->stack_mode = img->stack_mode;
    p->chip = stack_depth ? stack_depth : 16;
    p->how = calloc((size_t)b->nblocks + 1, sizeof *p->how);
    bool ok = p->how && ways_find(&p->ways, b, img) && play_stops(p, img);
    if (ok && p->ways.entry >= 0 && play_fit(p))
        return p;
    play_free(p);
    return NULL;
}

void play_free(struct play *p)
{
    if (!p)
        return;
    ways_free(&p->ways);
    free(p->how);
    free(p->stop);
    free(p->next);
    free(p);
}

/* ---- several warps ----------------------------------------------------------------------- */

/* Warps in a sequence of which every beginning is spread evenly. */
struct spread {
    uint64_t n, step, at;
};

static uint64_t common(uint64_t a, uint64_t b) { return b ? common(b, a % b) : a; }

static struct spread spread(uint64_t n)
{
    struct spread s = { n, (uint64_t)((double)n * 0.6180339887) | 1, 0 };
    while (common(s.step, n) > 1)
        s.step++;
    return s;
}

static uint64_t next_warp(struct spread *s)
{
    uint64_t w = s->at;
    s->at = (s->at + s->step) % s->n;
    return w;
}

/* Plays warps of the order until so many steps have been made; how many warps that were.  to: by
 * warp, or NULL. */
static uint64_t several(const struct play *p, const uint32_t *order, uint64_t steps,
                        struct played *sum, struct played *to, uint64_t *executed)
{
    const struct bbv *b = p->b;
    const uint32_t warps = metric_warps_block(b);
    const uint64_t all = b->threads / b->threads_block * warps;
    struct spread s = spread(all);
    struct game *g = game_new(p);
    uint64_t n = 0;
    for (uint64_t made = 0; g && n < all && made < steps; n++) {
        uint64_t w = next_warp(&s), first = w / warps * b->threads_block;
        uint32_t t = (uint32_t)(w % warps) * WARP, left = b->threads_block - t,
                 lanes = left < WARP ? left : WARP;
        struct played one = { 0 };
        if (!game_play(g, order ? order + first + t : NULL, (uint32_t)(first + t), lanes, executed,
                       &one, &made)) {
            n = 0;
            break;
        }
        sum->branches += one.branches;
        sum->divergences += one.divergences;
        sum->pushes += one.pushes;
        sum->pops += one.pops;
        sum->spills += one.spills;
        sum->fills += one.fills;
        sum->deepest = one.deepest > sum->deepest ? one.deepest : sum->deepest;
        if (to)
            to[w] = one;
    }
    game_free(g);
    return n;
}

/* ---- which order ------------------------------------------------------------------------- */

/* How far executions of all blocks are from those of the counting run.  Infinity: it cannot be
 * played.  executed: room for a number of each block. */
static double missed(struct play *p, uint64_t *executed)
{
    const struct bbv *b = p->b;
    const uint64_t all = b->threads / b->threads_block * metric_warps_block(b);
    struct played unused = { 0 };
    double sum = 0;
    p->apart = false;
    for (uint32_t k = 0; k <= b->nblocks; k++)
        p->apart |= p->how[k] > TOGETHER;
    memset(executed, 0, b->nblocks * sizeof *executed);
    uint64_t n = several(p, NULL, FIT_STEPS, &unused, NULL, executed);
    for (uint32_t k = 0; k < b->nblocks; k++) {
        double was = (double)n / (double)all * (double)b->blocks[k].executions;
        sum += fabs((double)executed[k] - was);
    }
    return n ? sum / (double)n : INFINITY;
}

/* One branch after the other; calls through registers last. */
bool play_fit(struct play *p)
{
    uint64_t *executed = malloc(p->b->nblocks * sizeof *executed);
    double least = executed ? missed(p, executed) : INFINITY;
    for (uint32_t k = 0; executed && k <= p->b->nblocks; k++) {
        uint8_t best = p->how[k];
        for (uint8_t h = 0; h < HOWS && p->ways.first[k + 1] - p->ways.first[k] > 1; h++) {
            p->how[k] = h;
            double now = h == best ? least : missed(p, executed);
            if (now < CLEARLY * least) {
                least = now;
                best = h;
            }
        }
        p->how[k] = best;
    }
    bool ok = executed && isfinite(missed(p, executed));
    free(executed);
    return ok;
}

/* ---- an order
 * ------------------------------------------------------------------------- */

static double cycles(const struct played *w, const struct timing *t)
{
    return w->pushes * t->event[TIMING_push] + w->pops * t->event[TIMING_pop] +
           w->spills * t->event[TIMING_spill] + w->fills * t->event[TIMING_fill];
}

bool play_order(const struct play *p, const uint32_t *order, struct played *sum,
                const struct timing *t, double *tokens)
{
    const uint64_t all = p->b->threads / p->b->threads_block * metric_warps_block(p->b);
    struct played *warp = tokens ? malloc((size_t)all * sizeof *warp) : NULL;
    *sum = (struct played){ 0 };
    for (uint64_t k = 0; warp && k < all; k++)
        warp[k] = (struct played){ .pushes = -1 };
    uint64_t n = tokens && !warp ? 0 : several(p, order, STEPS, sum, warp, NULL);
    const double scale = n ? (double)all / (double)n : 0;
    sum->branches *= scale;
    sum->divergences *= scale;
    sum->pushes *= scale;
    sum->pops *= scale;
    sum->spills *= scale;
    sum->fills *= scale;
    for (uint64_t k = 0; n && warp && k < all; k++)
        tokens[k] = !t                    ? 0
                    : warp[k].pushes >= 0 ? cycles(&warp[k], t)
                                          : cycles(sum, t) / (double)all;
    free(warp);
    return n > 0;
}
