/* What there is to say about a launch's end, as data: report.c writes it as text, report_json.c as
 * JSON.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/report.h"
#include "cmodel/image/asm.h"
#include "cmodel/isa/waits.h"
#include <string.h>

static const struct hd_commit *at(const hd_device *d, uint64_t i)
{
    return &d->history->rec[i % HISTORY];
}

static uint64_t oldest(const hd_device *d)
{
    return d->history->n > HISTORY ? d->history->n - HISTORY : 0;
}

void report_source(const hd_device *d, uint32_t pc, char *buf, size_t n)
{
    const char *file = "";
    unsigned line = 0;
    hd_image_line(d->image, pc, &file, &line);
    const char *slash = strrchr(file, '/');
    snprintf(buf, n, line ? "%s:%u" : "", slash ? slash + 1 : file, line);
}

void report_text(const struct hd_commit *c, char *buf, size_t n)
{
    struct hd_word w;
    memcpy(w.w, c->insn, sizeof w.w);
    if (c->unwind)
        snprintf(buf, n, "(unwinding)");
    else
        hd_dis_insn(buf, n, &w, NULL, NULL);
}

const struct hd_commit *report_newest(const hd_device *d)
{
    return d->history && d->history->n ? at(d, d->history->n - 1) : NULL;
}

unsigned report_last(const hd_device *d, const struct hd_commit *bad,
                     const struct hd_commit *out[REPORT_LAST])
{
    const struct hd_commit *found[REPORT_LAST];
    unsigned n = 0;
    for (uint64_t i = d->history->n; i-- > oldest(d) && n < REPORT_LAST;)
        if (at(d, i)->slot == bad->slot && at(d, i)->seq <= bad->seq)
            found[n++] = at(d, i);
    for (unsigned k = 0; k < n; k++)
        out[k] = found[n - 1 - k];
    return n;
}

char report_lane(const struct hd_commit *c, unsigned l)
{
    return wait_form(c->next_active >> l & 1 ? HD_WAIT_NONE : c->wait[l])->letter;
}

/* The newest commit before i, of the same warp, that wrote register reg (predicates: 256 +
 * number) in a lane. */
static int64_t writer(const hd_device *d, uint64_t i, unsigned reg, unsigned lane)
{
    const struct hd_commit *c = at(d, i);
    while (i-- > oldest(d)) {
        const struct hd_commit *w = at(d, i);
        if (w->slot != c->slot || w->block != c->block || !(w->exec >> lane & 1))
            continue;
        if (reg < 256 ? w->nd && reg >= w->rd && reg < (unsigned)w->rd + w->nd
                      : w->npd && w->pd == reg - 256)
            return (int64_t)i;
    }
    return -1;
}

/* Registers and predicates that an instruction reads. */
static unsigned sources(const hd_device *d, const struct hd_commit *c, unsigned reg[16])
{
    struct hd_word w;
    struct hd_insn in;
    unsigned n = 0;
    memcpy(w.w, c->insn, sizeof w.w);
    if (!hd_decode(&w, d->image->stack_mode, &in))
        return 0;
    const uint8_t r[4] = { 0, in.ra, in.rb, in.rc };
    for (int k = 1; k < 4; k++)
        for (int j = 0; r[k] != HD_RZ && !(k == 2 && in.bi) && j < hd_insn_width(&in, k) && n < 12;
             j++)
            reg[n++] = r[k] + (unsigned)j;
    if (in.pg != HD_PT)
        reg[n++] = 256u + in.pg;
    if (strchr(hd_ops[in.op].operands, 's') && in.ps != HD_PT)
        reg[n++] = 256u + in.ps;
    if (strchr(hd_ops[in.op].operands, 't') && in.pq != HD_PT)
        reg[n++] = 256u + in.pq;
    return n;
}

unsigned report_chain_lane(const struct verdict *v)
{
    return v->diff.field->count == HD_LANES ? v->diff.lane
           : v->rtl.exec                    ? (unsigned)__builtin_ctz(v->rtl.exec)
                                            : 0;
}

/* What register reg held in a lane after a commit. */
static uint32_t written(const struct hd_commit *c, unsigned reg, unsigned lane)
{
    return reg < 256 ? c->val[reg - c->rd][lane] : c->pval >> lane & 1;
}

bool report_chain(const hd_device *d, const struct hd_commit *bad, unsigned lane,
                  struct report_origin out[REPORT_CHAIN], unsigned *found)
{
    uint64_t queue[REPORT_CHAIN];
    unsigned n = 1, none[16];
    uint64_t i = d->history->n;
    while (i-- > oldest(d) && at(d, i)->seq != bad->seq)
        ;
    *found = 0;
    if (i == UINT64_MAX || !sources(d, at(d, i), none))
        return false;                                /* it reads none, or is not known */
    queue[0] = i;
    for (unsigned q = 0; q < n; q++) {
        unsigned reg[16], nr = sources(d, at(d, queue[q]), reg);
        for (unsigned k = 0; k < nr; k++) {
            int64_t w = writer(d, queue[q], reg[k], lane);
            bool seen = w < 0;
            for (unsigned j = 0; j < n && !seen; j++)
                seen = queue[j] == (uint64_t)w;
            if (seen || n == REPORT_CHAIN)
                continue;
            queue[n++] = (uint64_t)w;
            const struct hd_commit *c = at(d, (uint64_t)w);
            out[(*found)++] = (struct report_origin){ reg[k], written(c, reg[k], lane), c };
        }
    }
    return true;
}

const struct hd_commit *report_last_store(const hd_device *d, uint32_t *lanes)
{
    const struct verdict *v = &d->verdict;
    for (uint64_t i = d->history->n; i-- > oldest(d);) {
        const struct hd_commit *c = at(d, i);
        *lanes = 0;
        for (unsigned l = 0; c->mem >= 2 && c->space == SPACE_GLOBAL && l < HD_LANES; l++)
            if ((c->exec >> l & 1) && v->addr - c->addr[l] < c->size)
                *lanes |= 1u << l;
        if (*lanes)
            return c;
    }
    return NULL;
}
