/* What a block costs, by a timing profile.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Paper B adds up latencies as if each instruction waited for the one before.  A warp by itself
 * waits less: only readers wait for a result, the others for the issue (docs/timing.md).  What
 * happens between blocks is not in a block: results that a later one waits for, branches, memory's
 * sectors. */
#include "regroup/regroup.h"
#include "cmodel/image/image.h"
#include "cmodel/timing/timing.h"
#include <stdlib.h>
#include <string.h>

/* When registers and predicates of a warp are ready. */
struct ready { double reg[256], pred[8], start; };

static double later(double a, double b) { return a > b ? a : b; }

static double can_start(const struct ready *r, const struct hd_insn *i)
{
    const uint8_t reg[4] = { i->rd, i->ra, i->rb, i->rc };
    double at = later(r->start, later(r->pred[i->pg], later(r->pred[i->ps], r->pred[i->pq])));
    for (int k = 0; k < 4; k++)
        for (int n = reg[k] == HD_RZ || (k == 2 && i->bi) ? 0 : hd_insn_width(i, k); n-- > 0; )
            at = later(at, r->reg[reg[k] + n]);
    return at;
}

static void issue(struct ready *r, const struct timing *t, const struct hd_insn *i)
{
    const char *operands = hd_ops[i->op].operands;
    double at = can_start(r, i), result = t ? t->result[i->op] : 1;
    bool writes = strchr(operands, 'd') || strchr(operands, 'D');
    for (int n = writes && i->rd != HD_RZ ? hd_insn_width(i, 0) : 0; n-- > 0; )
        r->reg[i->rd + n] = at + result;
    if (strchr(operands, 'p') && i->pd != HD_PT)
        r->pred[i->pd] = at + result;
    r->start = at + (t ? t->next[i->op] : 1);
}

struct cost cost_code(const struct timing *t, const uint8_t *text, uint32_t insns, bool stack_mode)
{
    struct cost c = { 0 };
    struct ready r = { 0 };
    for (uint32_t k = 0; k < insns; k++) {
        struct hd_word w;
        struct hd_insn i;
        memcpy(w.w, text + (size_t)k * HD_INSN_BYTES, sizeof w.w);
        if (!hd_decode(&w, stack_mode, &i))
            continue;                             /* it was never executed: it would have faulted */
        c.lat += !t ? 1 : t->result[i.op] ? t->result[i.op] : t->next[i.op];
        c.port += t ? t->port : 1;
        c.unit += t ? t->busy[i.op] : 0;
        issue(&r, t, &i);
    }
    c.alone = r.start;
    return c;
}

struct cost *cost_blocks(const struct bbv *b, const struct timing *t, const struct hd_image *img)
{
    struct cost *c = calloc(b->nblocks, sizeof *c);
    for (uint32_t k = 0; c && k < b->nblocks; k++)
        c[k] = cost_code(t, img->text + b->blocks[k].pc, b->blocks[k].insns, img->stack_mode);
    return c;
}

struct cost *cost_columns(const struct bbv *b, const struct cost *blocks)
{
    struct cost *c = calloc(b->ncolumns, sizeof *c);
    for (uint32_t k = 0; c && k < b->nblocks; k++) {
        struct cost *to = &c[b->blocks[k].column];
        to->lat += blocks[k].lat;
        to->alone += blocks[k].alone;
        to->port += blocks[k].port;
        to->unit += blocks[k].unit;
        to->lane += blocks[k].lane;
    }
    return c;
}
