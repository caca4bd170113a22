/* `heddle regroup --machine`: memory that the warps of an order touch, by a run of some of them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Counts do not say where threads read.  So some blocks of the order, evenly spread, run on the
 * model: the redirected kernel with a grid of these, whose D begins with their threads.  It gives
 * the cycles that a unit takes for the sectors of 32 bytes after each access's first, for an
 * instruction of a lane.  Where elements move, their addresses are taken to have moved.  A kernel
 * that reads the size of the grid would not do in a smaller one what it does in its own. */
#include "harness/cmd/cmd_regroup.h"
#include "cmodel/image/image.h"
#include "cmodel/timing/timing.h"
#include <stdlib.h>
#include <string.h>

enum { WARPS = 64, SEEN = 4000000, SECTOR = 32 };   /* warps that run; commits that are looked at */

struct sample {
    struct regroup *r;
    uint32_t blocks, *block;         /* of the order */
    uint32_t *order;                 /* their threads, then all others */
    uint64_t left, lane_insns, lanes, extra[2];      /* executions; accesses; sectors after the
                                                      * first, loaded and stored */
    uint64_t d_first, d_end;         /* where D is: reading it is no access of the kernel */
};

/* The threads of some blocks of the order come first. */
static bool choose(struct sample *s, const uint32_t *order)
{
    const struct bbv *b = s->r->b;
    const uint32_t all = (uint32_t)(b->threads / b->threads_block), part = b->threads_block,
                   most = WARPS / metric_warps_block(b);
    s->blocks = most < 1 ? 1 : most < all ? most : all;
    s->block = malloc(s->blocks * sizeof *s->block);
    s->order = malloc((size_t)b->threads * sizeof *s->order);
    uint32_t *rest = s->order + (size_t)s->blocks * part, next = 0;
    for (uint32_t k = 0; s->block && s->order && k < all; k++) {
        const bool chosen = next < s->blocks && k == (uint64_t)next * all / s->blocks;
        uint32_t *to = chosen ? s->order + (size_t)next * part : rest;
        memcpy(to, order + (size_t)k * part, part * sizeof *to);
        if (chosen)
            s->block[next++] = k;
        else
            rest += part;
    }
    return s->block && s->order;
}

/* Distinct sectors of the lanes. */
static uint32_t sectors_of(const struct sample *s, const struct hd_commit *c, uint32_t lanes)
{
    const struct regroup *r = s->r;
    const uint32_t part = r->b->threads_block, at = c->warp * HD_LANES;
    uint64_t v[HD_LANES] = { 0 };
    uint32_t n = 0;
    for (uint32_t l = 0; l < HD_LANES; l++) {
        uint64_t addr = c->addr[l];
        uint32_t k = 0;
        if (!(lanes >> l & 1))
            continue;
        if (r->apply == APPLY_LAYOUT)
            addr = layout_address(&r->layout, s->order[(size_t)c->block * part + at + l],
                                  s->block[c->block] * part + at + l, addr);
        while (k < n && v[k] != addr / SECTOR)
            k++;
        v[k] = addr / SECTOR;
        n += k == n;
    }
    return n;
}

static bool see(void *user, const struct hd_commit *c)
{
    struct sample *s = user;
    uint32_t lanes = c->mem && c->space != SPACE_SHARED && c->space != SPACE_CONST
                         ? c->exec & ~c->shared_m
                         : 0;
    const unsigned first = lanes ? (unsigned)__builtin_ctz(lanes) : 0;
    s->lane_insns += (unsigned)__builtin_popcount(c->exec);
    if (lanes && (c->addr[first] < s->d_first || c->addr[first] >= s->d_end)) {
        s->lanes += (unsigned)__builtin_popcount(lanes);
        s->extra[c->mem > 1] += sectors_of(s, c, lanes) - 1;
    }
    return s->left && --s->left;
}

/* A grid of the chosen blocks; -1, or the exit status. */
static int run(struct sample *s)
{
    struct cli *c = s->r->cli;
    const struct hd_dim3 grid = c->launch.grid;
    struct hd_err err = { 0 };
    struct session session;
    if (!args_order(&c->launch, &c->redirect, s->order, &err))
        return cli_usage(c, "%s", err.text);
    c->launch.grid = (struct hd_dim3){ s->blocks, 1, 1 };
    int status = session_open(&session, c, HD_MODEL);
    if (status < 0) {
        const struct arg *d = &c->launch.args[c->launch.nargs - 1];
        s->d_first = d->addr;
        s->d_end = d->addr + d->count * d->width;
        s->left = SEEN;
        session_on_commit(&session, see, s);
        enum hd_status st = session_launch(&session);
        if (st != HD_OK && (st != HD_STOPPED || s->left))
            status = session_error(&session, st);
    }
    session_close(&session);
    c->launch.grid = grid;
    return status;
}

bool regroup_can_sample(struct regroup *r)
{
    const struct cli *c = r->cli;
    struct hd_err err = { 0 };
    return c->regroup.machine[0] && !c->regroup.block_scope && r->timing &&
           (r->timing->busy_sector[0] || r->timing->busy_sector[1]) &&
           r->b->threads_block % WARP == 0 && (r->ptx || regroup_source(r, &err)) &&
           !strstr(r->ptx, "%nctaid") && regroup_redirects(r, &err);
}

int regroup_sample(struct regroup *r, struct asked *a)
{
    struct sample s = { .r = r };
    struct cli *c = r->cli;
    int status = choose(&s, a->order) ? -1 : cli_usage(c, "no memory");
    if (status < 0)
        status = regroup_compile(r);
    if (status < 0)
        status = run(&s);
    regroup_uncompile(r);
    if (status < 0) {
        const uint32_t *cost = r->timing->busy_sector;
        const double each = s.lane_insns
                                ? ((double)s.extra[0] * cost[0] + (double)s.extra[1] * cost[1]) /
                                      100 / (double)s.lane_insns
                                : 0;
        a->sectors = s.lanes ? (double)(s.extra[0] + s.extra[1]) / (double)s.lanes : 0;
        for (uint32_t k = 0; k < r->b->nblocks; k++)
            r->blocks[k].lane = each * r->b->blocks[k].insns;
    }
    free(s.block);
    free(s.order);
    return status;
}
