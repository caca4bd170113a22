/* Executions inside loops: how often a warp executes a block, estimated from how often its threads
 * do.
 * SPDX-License-Identifier: Apache-2.0
 *
 * (2) takes the most of any thread, as if threads took a branch in the same rounds.  If each took
 * it in rounds of its own, the warp would execute the block in 1 - product of (1 - p_t) of them.
 * Programs lie between; where, a block's own number says, fitted so that all warps of the counting
 * run together execute it as often as they did.  Where lanes of several rounds of the loop around
 * wait for each other (docs/speculative.md), a warp executes it less often than that, down to what
 * (2) says.  A loop in a loop: of rounds with geometric lengths, the longest thread's counts.  A
 * block that begins with a BSYNC is executed once for each group of lanes that comes: once for
 * every way that leads to it and is taken, and once for each round in which lanes leave a loop. */
#include "regroup/regroup.h"
#include "cmodel/image/image.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 1024 };              /* warps that are looked at, about */

struct inside {
    const struct bbv *b;
    struct loops loops;
    bool *meets;                    /* by block: begins with a BSYNC */
    uint32_t *turn;                 /* blocks, parents first */
    double *own;        /* by block: 0: the same rounds, 1: rounds of their own; -1: equation (2) */
    double *scale;                 /* by block: what that still misses of the counting run, times */
};

/* A warp: its threads' counts. */
struct lanes { uint32_t n; const uint32_t *row[WARP]; uint32_t distinct; };

static uint32_t count(const struct inside *in, const struct lanes *w, uint32_t t, uint32_t block)
{
    return w->row[t][in->b->blocks[block].column];
}

/* Of threads that stay in a loop for m[t] rounds in the mean, each time for others: the rounds of
 * the longest. */
static double longest(const double *m, uint32_t n)
{
    double sum = 0, most = 0, step = 1;
    for (uint32_t t = 0; t < n; t++)
        most = m[t] > most ? m[t] : most;
    for (double k = 0.5; k < 40 * (most + 1);
         k += step, step = step < most / 16 ? step * 1.25 : step) {
        double none = 1;
        for (uint32_t t = 0; t < n; t++)
            if (m[t] > 0)
                none *= 1 - exp((k + 0.5) * log(m[t] / (1 + m[t])));
        sum += step * (1 - none);
        if (1 - none < 1e-4)
            break;
    }
    return sum > most ? sum : most;
}

struct rounds { double rounds, part; };

static int by_rounds(const void *a, const void *b)
{
    const struct rounds *x = a, *y = b;
    return x->rounds > y->rounds ? -1 : x->rounds < y->rounds;
}

/* Executions in a loop of `rounds` rounds, if every thread's are its own: threads leave it one by
 * one. minus: a block whose executions are taken away from this one's, -1: none. */
static double apart(const struct inside *in, const struct lanes *w, uint32_t block, int32_t minus,
                    uint32_t parent, double rounds)
{
    struct rounds r[WARP + 1] = { { 0 } };
    double most = 0, sum = 0, mean[WARP];
    for (uint32_t t = 0; t < w->n; t++) {
        double all = count(in, w, t, parent), here = count(in, w, t, block);
        here -= minus >= 0 ? count(in, w, t, (uint32_t)minus) : 0;
        here = here > 0 ? here : 0;
        r[t] = (struct rounds){ all, all > 0 ? here / all : 0 };
        most = all > most ? all : most;
    }
    if (most == 0)
        return 0;
    qsort(r, w->n, sizeof *r, by_rounds);
    r[w->n].rounds = 0;
    bool loop = in->loops.header[block] && minus < 0;
    double none = 1;
    for (uint32_t t = 0; t < w->n; t++) {
        mean[t] = r[t].part;
        none *= r[t].part < 1 ? 1 - r[t].part : 0;
        double stay = r[t].rounds - r[t + 1].rounds;
        if (stay > 0)
            sum += stay * (loop ? longest(mean, t + 1) : 1 - none);
    }
    return sum * rounds / most;
}

/* Groups of lanes that come to a block, by the ways that lead to it. */
static double groups(const struct inside *in, const struct lanes *w, uint32_t block,
                     const double *executed)
{
    const struct edges *into = &in->loops.edges[block];
    double sum = 0;
    for (uint32_t k = 0; k < into->n; k++) {
        const struct edge *e = &into->e[k];
        uint32_t from = (uint32_t)e->from;
        if (e->leaves)
            sum += w->distinct;
        else if (e->other < 0)
            sum += executed[from];
        else
            sum += apart(in, w, from, e->other, from, executed[from]);
    }
    return sum;
}

/* Executions by (2); those if the warp's rounds of the loop around are no more than it has; and in
 * rounds of their own. */
struct ends { double most, low, high; };

/* Executions of a block by a warp: between the ends, as its own number says. */
static struct ends estimate(const struct inside *in, const struct lanes *w, uint32_t block,
                            double *executed)
{
    const int32_t parent = in->loops.parent[block];
    double most = 0, sum = 0, of_parent = 0;
    for (uint32_t t = 0; t < w->n; t++) {
        double here = count(in, w, t, block),
               all = parent >= 0 ? count(in, w, t, (uint32_t)parent) : 0;
        most = here > most ? here : most;
        of_parent = all > of_parent ? all : of_parent;
        sum += here;
    }
    double rounds = parent >= 0 ? executed[parent] : 0;
    const double own = in->own[block], low = of_parent > 0 ? most * rounds / of_parent : most;
    double high = in->meets[block] ? groups(in, w, block, executed)
                : of_parent > 0 ? apart(in, w, block, -1, (uint32_t)parent, rounds) : low;
    high = high > sum ? sum : high;
    high = high > low ? high : low;
    executed[block] = (low + own * (own < 0 ? fmax(low - most, 0) : high - low)) * in->scale[block];
    return (struct ends){ most, low, high };
}

static struct lanes lanes_of(const struct bbv *b, const uint32_t *order, uint32_t n)
{
    struct lanes w = { .n = n };
    for (uint32_t t = 0; t < n; t++) {
        uint32_t k = 0;
        w.row[t] = bbv_row(b, order[t]);
        while (w.row[k] != w.row[t])
            k++;
        w.distinct += k == t;
    }
    return w;
}

/* Is everything done that the block is estimated by? */
static bool ready(const struct inside *in, const bool *done, uint32_t k)
{
    bool is = in->loops.parent[k] < 0 || done[in->loops.parent[k]];
    for (uint32_t i = 0; in->meets[k] && i < in->loops.edges[k].n; i++)
        is &= done[in->loops.edges[k].e[i].from];
    return is;
}

/* Parents before what stands in their loops.  Functions that call each other may be in each
 * other's: of such a circle one block is estimated by itself. */
static bool take_turns(struct inside *in)
{
    const uint32_t all = in->b->nblocks;
    bool *done = calloc(all, sizeof *done);
    for (uint32_t n = 0, before; done && n < all; ) {
        uint32_t stuck = all;
        before = n;
        for (uint32_t k = 0; k < all; k++) {
            if (!done[k] && ready(in, done, k)) {
                done[k] = true;
                in->turn[n++] = k;
            } else if (!done[k]) {
                stuck = k;
            }
        }
        if (n == before) {
            in->loops.parent[stuck] = -1;
            in->loops.edges[stuck].n = 0;
        }
    }
    bool ok = done;
    free(done);
    return ok;
}

/* A block's number, and what it still misses, by warps that are `part` of those that executed it.
 * Of counts without executions (fit.c) nothing is known.  executed: n rows of blocks, in which
 * those before it are known. */
static void fit_block(struct inside *in, uint32_t block, const struct lanes *w, uint64_t n,
                      double part, double *executed)
{
    const struct bbv *b = in->b;
    const double was = (double)b->blocks[block].executions * part;
    struct ends all = { 0, 0, 0 };
    double now = 0;
    for (int pass = 0; pass < 3; pass++) {    /* the ends; what is still missed; every warp's own */
        for (uint64_t i = 0; i < n; i++) {
            struct ends e = estimate(in, &w[i], block, executed + i * b->nblocks);
            all.most += pass ? 0 : e.most;
            all.low += pass ? 0 : e.low;
            all.high += pass ? 0 : e.high;
            now += pass == 1 ? executed[i * b->nblocks + block] : 0;
        }
        const double over = was < all.low ? all.low - all.most : all.high - all.low;
        const double at = over > 1e-9 * all.high ? (was - all.low) / over : 0;
        if (was > 0)
            in->own[block] = at < -1 ? -1 : at > 2 ? 2 : at;
        if (was > 0 && pass == 1 && now > 0)
            in->scale[block] = was / now;
    }
}

/* One block after the other: what its warps have executed lies between the ends.  Of a large grid
 * every so many blocks are looked at, and executions are taken for that part of them. */
static bool fit(struct inside *in)
{
    const struct bbv *b = in->b;
    const uint32_t warps = metric_warps_block(b);
    const uint64_t blocks = b->threads / b->threads_block, most = SAMPLE / warps + 1;
    const uint64_t step = (blocks + most - 1) / most, looked = (blocks + step - 1) / step;
    struct lanes *w = malloc((size_t)looked * warps * sizeof *w), *to = w;
    double *executed = calloc((size_t)looked * warps * b->nblocks, sizeof *executed);
    for (uint64_t k = 0; w && k < blocks; k += step)
        for (uint32_t t = 0; t < b->threads_block; t += WARP) {
            uint32_t order[WARP], n = b->threads_block - t < WARP ? b->threads_block - t : WARP;
            for (uint32_t i = 0; i < n; i++)
                order[i] = (uint32_t)(k * b->threads_block) + t + i;
            *to++ = lanes_of(b, order, n);
        }
    for (uint32_t k = 0; w && executed && k < b->nblocks; k++)
        fit_block(in, in->turn[k], w, looked * warps, (double)looked / (double)blocks, executed);
    bool ok = w && executed;
    free(executed);
    free(w);
    return ok;
}

struct inside *inside_fit(const struct bbv *b, const struct hd_image *img)
{
    struct inside *in = calloc(1, sizeof *in);
    if (!in)
        return NULL;
    in->b = b;
    in->meets = calloc(b->nblocks, sizeof *in->meets);
    in->turn = malloc(b->nblocks * sizeof *in->turn);
    in->own = calloc(b->nblocks, sizeof *in->own);
    in->scale = malloc(b->nblocks * sizeof *in->scale);
    bool ok = in->meets && in->turn && in->own && in->scale && loops_find(&in->loops, b, img);
    for (uint32_t k = 0; ok && k < b->nblocks; k++) {
        in->scale[k] = 1;
        struct hd_word w;
        struct hd_insn i;
        memcpy(w.w, img->text + b->blocks[k].pc, sizeof w.w);
        in->meets[k] = hd_decode(&w, img->stack_mode, &i) && i.op == OP_BSYNC;
    }
    if (ok && take_turns(in) && fit(in))
        return in;
    inside_free(in);
    return NULL;
}

void inside_free(struct inside *in)
{
    if (!in)
        return;
    loops_free(&in->loops);
    free(in->meets);
    free(in->turn);
    free(in->own);
    free(in->scale);
    free(in);
}

void inside_warp(const struct inside *in, const uint32_t *order, uint32_t threads, double *executed)
{
    struct lanes w = lanes_of(in->b, order, threads);
    for (uint32_t k = 0; k < in->b->nblocks; k++)
        estimate(in, &w, in->turn[k], executed);
}
