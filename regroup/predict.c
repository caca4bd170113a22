/* What an order is predicted to cost, by every metric.
 * SPDX-License-Identifier: Apache-2.0 */
#include "regroup/regroup.h"
#include <stdlib.h>

double *cost_field(const struct bbv *b, const struct cost *columns, enum cost_field which)
{
    double *lat = malloc(b->ncolumns * sizeof *lat);
    for (uint32_t c = 0; lat && c < b->ncolumns; c++)
        lat[c] = which == COST_LAT ? columns[c].lat : which == COST_ALONE ? columns[c].alone
               : which == COST_PORT ? columns[c].port : columns[c].lane;
    return lat;
}

bool port_warps(const struct bbv *b, const struct cost *columns, const uint32_t *order,
                struct port_warp *w)
{
    double *alone = cost_field(b, columns, COST_ALONE), *port = cost_field(b, columns, COST_PORT);
    double *a = alone ? metric_warps(b, alone, order) : NULL,
           *p = port ? metric_warps(b, port, order) : NULL;
    uint64_t warps = b->threads / b->threads_block * metric_warps_block(b);
    for (uint64_t k = 0; a && p && k < warps; k++)
        w[k] = (struct port_warp){ a[k], p[k], 0 };
    bool ok = a && p;
    free(alone);
    free(port);
    free(a);
    free(p);
    return ok;
}

/* Cycles of a unit that the lanes' own sectors take. */
static double lanes_own(const struct bbv *b, const double *lane, const uint32_t *order, uint32_t n)
{
    double sum = 0;
    for (uint32_t t = 0; t < n; t++)
        for (uint32_t c = 0; c < b->ncolumns; c++)
            sum += lane[c] * b->counts[(size_t)b->of[order[t]] * b->ncolumns + c];
    return sum;
}

/* Every warp by its executions inside loops.  lane: by column. */
static bool warps_inside(const struct bbv *b, const struct cost *blocks, const double *lane,
                         const struct inside *in, const uint32_t *order, struct port_warp *w)
{
    double *executed = malloc(b->nblocks * sizeof *executed);
    for (uint64_t first = 0; executed && first < b->threads; first += b->threads_block)
        for (uint32_t t = 0; t < b->threads_block; t += WARP, w++) {
            uint32_t left = b->threads_block - t;
            uint32_t n = left < WARP ? left : WARP;
            double own = lanes_own(b, lane, order + first + t, n);
            inside_warp(in, order + first + t, n, executed);
            *w = (struct port_warp){ own, 0, own };
            for (uint32_t k = 0; k < b->nblocks; k++) {
                w->alone += blocks[k].alone * executed[k];
                w->port += blocks[k].port * executed[k];
                w->unit += blocks[k].unit * executed[k];
            }
        }
    bool ok = executed != NULL;
    free(executed);
    return ok;
}

/* The schedule with what units and tokens take, and without it. */
static void schedule(const struct basis *k, struct port_warp *w, const double *tokens,
                     uint64_t nblocks, uint32_t warps, struct prediction *out)
{
    for (uint64_t i = 0; i < nblocks * warps; i++)
        w[i].alone += tokens[i];
    out->units = port_schedule(w, nblocks, warps, &k->machine);
    for (uint64_t i = 0; i < nblocks * warps; i++) {
        w[i].alone -= tokens[i];
        w[i].unit = 0;
    }
    out->inside = port_schedule(w, nblocks, warps, &k->machine);
}

bool predict(const struct basis *k, const uint32_t *order, struct prediction *out)
{
    const struct bbv *b = k->b;
    const struct machine *m = &k->machine;
    const uint64_t nblocks = b->threads / b->threads_block;
    const uint32_t warps = metric_warps_block(b);
    struct cost *columns = cost_columns(b, k->blocks);
    struct port_warp *w = malloc((size_t)nblocks * warps * sizeof *w);
    double *tokens = calloc((size_t)nblocks * warps, sizeof *tokens);
    double *lat = columns ? cost_field(b, columns, COST_LAT) : NULL,
           *warp = lat ? metric_warps(b, lat, order) : NULL;
    double *lane = columns ? cost_field(b, columns, COST_LANE) : NULL;
    double *block = warp ? metric_blocks(b, warp) : NULL;
    bool ok = w && block && tokens;
    if (ok)
        *out = (struct prediction){ .weighted = metric_weighted(block, nblocks, m->cores),
                                    .scheduled = metric_scheduled(block, nblocks,
                                                                  m->cores * m->slots),
                                    .divergent_warps = metric_divergent_warps(b, order) };
    ok = ok && port_warps(b, columns, order, w);
    if (ok) {
        out->port = port_schedule(w, nblocks, warps, m);
        out->is_played = k->play && play_order(k->play, order, &out->played, k->timing, tokens);
    }
    ok = ok && lane && warps_inside(b, k->blocks, lane, k->inside, order, w);
    if (ok)
        schedule(k, w, tokens, nblocks, warps, out);
    ok = ok && out->scheduled >= 0 && out->port >= 0 && out->inside >= 0 && out->units >= 0;
    free(lane);
    free(columns);
    free(w);
    free(tokens);
    free(lat);
    free(warp);
    free(block);
    return ok;
}
