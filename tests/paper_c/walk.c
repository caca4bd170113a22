/* The reconvergence stack while a loop runs: Figure 3 as text, Figures 4 and 5 as columns.
 * SPDX-License-Identifier: Apache-2.0 */
#include "paper_c.h"
#include <stdlib.h>
#include <string.h>

/* ---- Figure 3: n = 2 ---- */

struct walk { FILE *out; struct hd_token stack[64]; unsigned depth, step; };

static const char *kind(const struct hd_token *t)
{
    static const char *const name[] = { "?", "SYNC", "DIV", "CALL" };
    return name[t->pc_kind & 3];
}

static bool step(void *user, const struct hd_commit *c)
{
    struct walk *w = user;
    if (c->popped && w->depth)
        w->depth--;
    if (c->pushed && w->depth < 64)
        w->stack[w->depth++] = c->push;
    if (!c->pushed && !c->popped)
        return true;
    fprintf(w->out, "%u. pc 0x%04x  active 0x%08x\n", ++w->step,
            c->next_active ? c->npc[__builtin_ctz(c->next_active)] : 0, c->next_active);
    for (unsigned i = 0; i < w->depth; i++)
        fprintf(w->out, "     %-4s 0x%04x  0x%08x\n", kind(&w->stack[i]),
                w->stack[i].pc_kind & ~15u, w->stack[i].mask);
    return true;
}

static char *walk_text(const struct paper *p, bool rtl)
{
    char *text = NULL;
    size_t size = 0;
    struct walk w = { .out = open_memstream(&text, &size) };
    struct loop_run r = { .kernel = LOOP_SINGLE,
                          .image = p->stack[LOOP_SINGLE],
                          .n = 2,
                          .warps = 1,
                          .cfg = { .kind = rtl ? HD_RTL : HD_MODEL },
                          .on_commit = step,
                          .user = &w };
    if (!w.out)
        return NULL;
    bool ok = loop_measure(&r);
    fclose(w.out);
    if (!ok) {
        free(text);
        text = NULL;
    }
    return text;
}

static bool figure3(const struct paper *p)
{
    char *model = walk_text(p, false), *rtl = p->rtl ? walk_text(p, true) : NULL;
    FILE *f = paper_file(p, "fig3.txt");
    bool ok = model && f && (!p->rtl || rtl);
    if (ok) {
        bool same = !rtl || !strcmp(model, rtl);
        for (int k = 0; k < 2; k++)
            fprintf(
                k ? f : stdout,
                "Figure 3: the stack in the single loop, n = 2, after every push and pop (%s)\n"
                "%s%s%s",
                !p->rtl ? "model"
                : same  ? "model and core alike"
                        : "model; the core's, which differs, below",
                model, same ? "" : "core:\n", same ? "" : rtl);
    }
    if (f)
        fclose(f);
    free(model);
    free(rtl);
    return ok;
}

/* ---- Figures 4 and 5 ---- */

struct depths { unsigned n; uint8_t depth[EMU_HISTORY]; };

static bool note(void *user, const struct hd_commit *c)
{
    struct depths *h = user;
    if (h->n < EMU_HISTORY)
        h->depth[h->n++] = (uint8_t)c->depth;
    return true;
}

/* Does any history change at a row, counted from 0? */
static bool changes(const struct depths *h, unsigned shown, unsigned row)
{
    for (unsigned i = 0; i < shown; i++)
        if (row + 1 >= h[i].n ? row < h[i].n : !row || h[i].depth[row] != h[i].depth[row - 1])
            return true;
    return false;
}

static void write_depths(FILE *f, const struct depths *h, const unsigned *shown, unsigned n)
{
    fprintf(f, "instructions");
    for (unsigned i = 0; i < n; i++)
        fprintf(f, " \"n = %u\"", shown[i]);
    fprintf(f, "\n");
    for (unsigned row = 0; row < EMU_HISTORY; row++) {
        if (!changes(h, n, row))
            continue;
        fprintf(f, "%u", row + 1);
        for (unsigned i = 0; i < n; i++)
            fprintf(f, row < h[i].n ? " %u" : " ?", row < h[i].n ? h[i].depth[row] : 0);
        fprintf(f, "\n");
    }
}

static bool depths(const struct paper *p, enum loop_kernel k, const char *name)
{
    static const unsigned shown[] = { 2, 7, 15, 31 };
    enum { SHOWN = sizeof shown / sizeof *shown };
    struct depths *h = calloc(SHOWN, sizeof *h);
    FILE *f = paper_file(p, name);
    bool ok = h && f;
    for (unsigned i = 0; ok && i < SHOWN; i++) {
        struct loop_run r = { .kernel = k,
                              .image = p->stack[k],
                              .n = shown[i],
                              .warps = 1,
                              .cfg = { .kind = p->rtl ? HD_LOCKSTEP : HD_MODEL },
                              .on_commit = note,
                              .user = &h[i] };
        ok = loop_measure(&r);
    }
    if (ok)
        write_depths(f, h, shown, SHOWN);
    if (f)
        fclose(f);
    free(h);
    return ok;
}

bool paper_walk(struct paper *p)
{
    return figure3(p) && depths(p, LOOP_SINGLE, "fig4.dat") && depths(p, LOOP_DOUBLE, "fig5.dat");
}
