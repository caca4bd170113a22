/* What an order is predicted to cost, by every metric.
 * SPDX-License-Identifier: Apache-2.0 */
#include "regroup/regroup.h"
#include <stdlib.h>

double *cost_field(const struct bbv *b, const struct cost *columns, enum cost_field which)
{
    double *lat = malloc(b->ncolumns * sizeof *lat);
    for (uint32_t c = 0; lat && c < b->ncolumns; c++)
        lat[c] = which == COST_LAT ? columns[c].lat : which == COST_ALONE ? columns[c].alone : columns[c].port;
    return lat;
}

/* A core's warps, by what they take alone and of the port. */
static double shared_port(const struct bbv *b, const double *alone, const double *port, const uint32_t *order,
                          uint32_t slots)
{
    const uint64_t nblocks = b->threads / b->threads_block, warps = nblocks * metric_warps_block(b);
    double *a = metric_warps(b, alone, order), *p = metric_warps(b, port, order), end = -1;
    struct port_warp *w = malloc((size_t)warps * sizeof *w);
    for (uint64_t k = 0; a && p && w && k < warps; k++)
        w[k] = (struct port_warp){ a[k], p[k] };
    if (a && p && w)
        end = port_schedule(w, nblocks, metric_warps_block(b), slots);
    free(a);
    free(p);
    free(w);
    return end;
}

bool predict(const struct bbv *b, const struct cost *columns, const uint32_t *order, uint32_t slots,
             struct prediction *out)
{
    const uint64_t nblocks = b->threads / b->threads_block;
    double *lat = cost_field(b, columns, COST_LAT), *alone = cost_field(b, columns, COST_ALONE);
    double *port = cost_field(b, columns, COST_PORT), *warp = lat ? metric_warps(b, lat, order) : NULL;
    double *block = warp ? metric_blocks(b, warp) : NULL;
    bool ok = alone && port && block;
    if (ok)
        *out = (struct prediction){
            .weighted = metric_weighted(block, nblocks, 1), .scheduled = metric_scheduled(block, nblocks, slots),
            .port = shared_port(b, alone, port, order, slots), .divergent_warps = metric_divergent_warps(b, order) };
    ok = ok && out->scheduled >= 0 && out->port >= 0;
    free(lat);
    free(alone);
    free(port);
    free(warp);
    free(block);
    return ok;
}
