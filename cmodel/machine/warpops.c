/* Operations between lanes: vote, shuffle, match; among the executing lanes only.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/machine/machine.h"
#include <string.h>

void warp_vote(struct warp *w, const struct op *op, u32 exec)
{
    u32 row[HD_LANES], yes = exec & (w->p[op->i.ps] ^ op->sn);
    bool holds = op->i.vote == VOTE_ALL ? yes == exec : op->i.vote == VOTE_ANY ? yes != 0 :
                 yes == exec || !yes;
    for (unsigned l = 0; l < HD_LANES; l++)
        row[l] = yes;
    write_row(w->r[op->rd], row, exec);
    write_pred(w, op->pd, holds ? ~0u : 0, exec);
}

/* The PTX definition: c holds the clamp in bits 4:0 and the segment mask in bits 12:8.  A lane in
 * range that does not execute is read as 0, as on an H100 (tests/silicon/probes.txt). */
void warp_shfl(struct warp *w, const struct op *op, u32 exec)
{
    const u32 *a = w->r[op->ra], *rb = operand_b(w, op), *rc = w->r[op->rc];
    u32 row[HD_LANES], in = 0;
    for (u32 l = 0; l < HD_LANES; l++) {
        u32 b = rb[l] & 31, clamp = rc[l] & 31, seg = rc[l] >> 8 & 31;
        u32 low = l & seg, high = low | (clamp & ~seg), j;
        bool ok;
        switch (op->i.shfl) {
        case SHFL_UP:   j = l - b; ok = (s32)j >= (s32)high; break;
        case SHFL_DOWN: j = l + b; ok = j <= high; break;
        case SHFL_BFLY: j = l ^ b; ok = j <= high; break;
        default:        j = low | (b & ~seg); ok = j <= high; break;
        }
        row[l] = !ok ? a[l] : exec >> (j & 31) & 1 ? a[j & 31] : 0;
        in |= (u32)ok << l;
    }
    write_row(w->r[op->rd], row, exec);
    write_pred(w, op->pd, in, exec);
}

static u32 equal_lanes(const u32 *a, u32 v, u32 exec)
{
    u32 same = 0;
    for (unsigned l = 0; l < HD_LANES; l++)
        same |= (u32)(a[l] == v) << l;
    return same & exec;
}

void warp_match_any(struct warp *w, const struct op *op, u32 exec)
{
    u32 row[HD_LANES];
    for (unsigned l = 0; l < HD_LANES; l++)
        row[l] = equal_lanes(w->r[op->ra], w->r[op->ra][l], exec);
    write_row(w->r[op->rd], row, exec);
}

void warp_match_all(struct warp *w, const struct op *op, u32 exec)
{
    u32 row[HD_LANES];
    const u32 *a = w->r[op->ra];
    bool all = exec && equal_lanes(a, a[__builtin_ctz(exec)], exec) == exec;
    for (unsigned l = 0; l < HD_LANES; l++)
        row[l] = all ? exec : 0;
    write_row(w->r[op->rd], row, exec);
    write_pred(w, op->pd, all ? ~0u : 0, exec);
}
