/* Which lanes RTL and model treat otherwise, in words.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/report.h"
#include "cmodel/isa/waits.h"
#include <string.h>

void report_lane_list(uint32_t lanes, char *buf, size_t n)
{
    size_t at = (size_t)snprintf(buf, n, lanes & (lanes - 1) ? "lanes " : "lane ");
    for (unsigned l = 0, first = 1; l < HD_LANES; l++) {
        unsigned end = l;
        if (!(lanes >> l & 1))
            continue;
        while (end + 1 < HD_LANES && lanes >> (end + 1) & 1)
            end++;
        at += (size_t)snprintf(buf + at, at < n ? n - at : 0, "%s%u", first ? "" : ", ", l);
        if (end > l)
            at += (size_t)snprintf(buf + at, at < n ? n - at : 0, "-%u", end);
        first = 0;
        l = end;
    }
}

/* What a lane does after the record. */
static void does(const struct hd_commit *c, unsigned l, char *buf, size_t n)
{
    const unsigned wait = c->next_active >> l & 1 ? HD_WAIT_NONE : c->wait[l];
    char words[64];
    if (!(c->live >> l & 1))
        snprintf(buf, n, "has exited");
    else if (wait == HD_WAIT_NONE)
        snprintf(buf, n, "goes on to 0x%x", c->npc[l]);
    else if (wait == HD_WAIT_READY)
        snprintf(buf, n, "is ready at 0x%x", c->npc[l]);
    else if ((wait & 0x30) == HD_WAIT_BARRIER)
        snprintf(buf, n, "waits at B%u", wait & 15);
    else {
        wait_text(wait_form(wait)->words, wait, words, sizeof words);
        snprintf(buf, n, "is at 0x%x, %s", c->npc[l], words);
    }
}

/* Lanes that go on in other ways: those that executed the instruction first. */
static void goes_on(const struct hd_commit *rtl, const struct hd_commit *model, FILE *out)
{
    uint32_t said = 0;
    for (int waited = 0; waited < 2; waited++)
        for (unsigned l = 0; l < HD_LANES; l++) {
            char is[2][96], other[2][96], lanes[120];
            uint32_t same = 0;
            if (said >> l & 1 || (rtl->active >> l & 1) == (unsigned)waited)
                continue;
            does(rtl, l, is[0], sizeof is[0]);
            does(model, l, is[1], sizeof is[1]);
            if (!strcmp(is[0], is[1]))
                continue;
            for (unsigned k = l; k < HD_LANES; k++) {
                does(rtl, k, other[0], sizeof other[0]);
                does(model, k, other[1], sizeof other[1]);
                same |= (uint32_t)(!strcmp(is[0], other[0]) && !strcmp(is[1], other[1])) << k;
            }
            said |= same;
            report_lane_list(same, lanes, sizeof lanes);
            fprintf(out, "%s: RTL %s, model %s\n", lanes, is[0], is[1]);
        }
}

static uint32_t differing(const struct commit_field *f, const struct hd_commit *rtl,
                          const struct hd_commit *model)
{
    uint32_t lanes = 0;
    for (unsigned l = 0; l < HD_LANES; l++)
        lanes |= (uint32_t)(commit_get(rtl, f, l) != commit_get(model, f, l)) << l;
    return lanes;
}

void report_lanes(const struct hd_commit *rtl, const struct hd_commit *model, FILE *out)
{
    char lanes[120];
    if (!rtl->fault && !model->fault)
        goes_on(rtl, model, out);
    for (const struct commit_field *f = commit_fields; f < commit_fields + commit_nfields; f++) {
        if (f->count == HD_LANES && strcmp(f->name, "npc") && strcmp(f->name, "wait")) {
            const uint32_t m = differing(f, rtl, model);
            report_lane_list(m, lanes, sizeof lanes);
            if (m)
                fprintf(out, "%s of %s differs\n", f->name, lanes);
        } else if (f->kind == FIELD_MASK && f->count == 1 && strcmp(f->name, "next_active")) {
            const uint32_t r = (uint32_t)commit_get(rtl, f, 0),
                           m = (uint32_t)commit_get(model, f, 0);
            report_lane_list(r & ~m, lanes, sizeof lanes);
            if (r & ~m)
                fprintf(out, "%s: %s in the RTL alone\n", f->name, lanes);
            report_lane_list(m & ~r, lanes, sizeof lanes);
            if (m & ~r)
                fprintf(out, "%s: %s in the model alone\n", f->name, lanes);
        }
    }
}
