/* Predictions from their pragmas (paper A, section 4.1), and what is wrong with those that can't be
 * followed.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Of several starts with one name each has a region of its own, unless they share a label (inlined
 * copies of both stay apart; a label after an if whose two sides hold a start does not).  Only
 * --predict user or auto reads the pragmas at all.
 *
 * Requires: edges.
 * Ensures:  fn.predictions; each start begins a block of its own, so dominators, loops and
 *           divergence have to be found again where there are any. */
#include <stdlib.h>
#include <string.h>
#include "compiler/predict.h"

enum { WARP = 32 };
struct find { struct fn *f; const struct cc_options *opt; struct hd_err *err; };

/* The second word of a pragma of this kind, and what follows it; NULL: another pragma. */
static const char *words(struct fn *f, const struct ins *i, const char *kind, const char **rest)
{
    size_t n = strlen(kind);
    if (i->op != P_PRAGMA || strncmp(i->text, kind, n) || (i->text[n] && i->text[n] != ' '))
        return NULL;
    const char *name = i->text + n + strspn(i->text + n, " ");
    size_t len = strcspn(name, " ");
    *rest = name + len + strspn(name + len, " ");
    return arena_printf(f->m->arena, "%.*s", (int)len, name);
}

static void *list_add(struct fn *f, struct blk **list, int *n, struct blk *b)
{
    list = arena_grow(f->m->arena, list, (size_t)*n * sizeof *list,
                      ((size_t)*n + 1) * sizeof *list);
    list[(*n)++] = b;
    return list;
}

/* Starts begin blocks, and a label after a start does. */
static void split_at_pragmas(struct fn *f)
{
    const char *rest;
    bool changed = false;
    for (int k = 0; k < f->nblocks; k++) {
        struct blk *b = f->blocks[k];
        bool after = false;
        b->id = k;
        for (struct ins *i = b->first; i; i = i->next) {
            bool start = words(f, i, "simt.predict", &rest) != NULL;
            if (i != b->first && (start || (after && words(f, i, "simt.label", &rest)))) {
                cfg_split(f, b, i);
                changed = true;
                break;
            }
            after |= start;
        }
    }
    if (changed) cfg_refresh(f);
}

/* ---- directives ------------------------------------------------------------------------------ */

static void new_prediction(struct find *x, struct blk *b, const struct ins *i, const char *name,
                           const char *rest)
{
    struct fn *f = x->f;
    char *end = NULL;
    long n = strtol(rest, &end, 10);
    if (!*name) {
        cc_error(x->err, f->m, i->loc, "simt.predict names no label");
        return;
    }
    if (end == rest || *end || n < 0 || n > WARP) {
        cc_error(x->err, f->m, i->loc,
                 "simt.predict %s: `%s` is no number of lanes from 0 to 32 (0: all)", name, rest);
        return;
    }
    size_t size = sizeof(struct prediction);
    f->predictions = arena_grow(f->m->arena, f->predictions, (size_t)f->npredictions * size,
                                ((size_t)f->npredictions + 1) * size);
    struct prediction *p = &f->predictions[f->npredictions++];
    *p = (struct prediction){ .name = name, .loc = i->loc, .asked = (int)n, .vb = -1, .exit = -1,
                              .count = -1, .all = -1 };
    p->threshold = x->opt->soft ? x->opt->soft : (int)n;
    if (p->threshold == WARP) p->threshold = 0;
    p->starts = list_add(f, p->starts, &p->nstarts, b);
}

static bool has_label(struct fn *f, const struct blk *b, const char *name)
{
    const char *rest, *here;
    for (const struct ins *i = b->first; i; i = i->next)
        if ((here = words(f, i, "simt.label", &rest)) && !strcmp(here, name)) return true;
    return false;
}

static const struct fn *fn_with_label(struct module *m, const char *name)
{
    for (int k = 0; k < m->nfns; k++)
        for (int b = 0; b < m->fns[k]->nblocks; b++)
            if (has_label(m->fns[k], m->fns[k]->blocks[b], name)) return m->fns[k];
    return NULL;
}

/* Every start of p's name: each begins a new region. */
static struct prediction all_starts(struct fn *f, const struct prediction *p)
{
    struct prediction all = *p;
    all.starts = NULL;
    all.nstarts = 0;
    for (int k = 0; k < f->npredictions; k++)
        if (!strcmp(f->predictions[k].name, p->name))
            all.starts = list_add(f, all.starts, &all.nstarts, f->predictions[k].starts[0]);
    return all;
}

/* Lanes come from p's start to block b with no other start on the way. */
static bool leads_there(const struct fn *f, const struct prediction *p, struct prediction *all,
                        struct blk *b)
{
    all->points = &b;
    all->npoints = 1;
    return predict_region(f, all)[p->starts[0]->id];
}

/* The function form: calls that may lead to it. */
static void find_calls(struct find *x, struct prediction *p)
{
    struct fn *f = x->f;
    struct prediction all = all_starts(f, p);
    predict_split_calls(f, p->callee);
    const bool *from = predict_reached(f, p);
    for (int k = 0; k < f->nblocks; k++)
        if (from[k] && predict_call(f->blocks[k], p->callee) &&
            leads_there(f, p, &all, f->blocks[k]))
            p->points = list_add(f, p->points, &p->npoints, f->blocks[k]);
    if (p->asked % WARP)
        cc_error(x->err, f->m, p->loc,
                 "simt.predict %s: a function waits for all lanes: leave the threshold away",
                 p->name);
    else if (!p->npoints)
        cc_error(x->err, f->m, p->loc,
                 "no call of `%s` can be reached from here (__noinline__ keeps those that there "
                 "were)", p->name);
    p->threshold = 0;
}

static void no_label(struct find *x, const struct prediction *p)
{
    struct fn *f = x->f;
    const struct fn *other = fn_with_label(f->m, p->name);
    if (other)
        cc_error(x->err, f->m, p->loc,
                 "label `%s` is in %s, not in %s: one function holds a region and its label; "
                 "SIMT_PREDICT(FUNCTION) lets lanes meet in another",
                 p->name, other->name, f->name);
    else
        cc_error(x->err, f->m, p->loc,
                 "no label `%s` in %s, and no function: SIMT_LABEL(%s) says where lanes meet",
                 p->name, f->name, p->name);
}

/* The labels of its name that p reaches before another start of that name. */
static void find_points(struct find *x, struct prediction *p)
{
    struct fn *f = x->f;
    struct prediction all = all_starts(f, p);
    const bool *from = predict_reached(f, p);
    bool any = false, after = false;
    for (int k = 0; k < f->nblocks; k++) {
        if (!has_label(f, f->blocks[k], p->name)) continue;
        any = true;
        after |= from[k];
        if (from[k] && leads_there(f, p, &all, f->blocks[k]))
            p->points = list_add(f, p->points, &p->npoints, f->blocks[k]);
    }
    if (any && !p->npoints)
        cc_error(x->err, f->m, p->loc,
                 after ? "label `%s` can be reached from here after another simt.predict of it "
                         "only: one of the two is too many"
                       : "label `%s` can't be reached from here",
                 p->name);
    if (any) return;
    p->callee = predict_callee(f, p, x->err);
    if (p->callee && !x->err->status) find_calls(x, p);
    else if (!p->callee) no_label(x, p);
}

/* Starts that share a label are one prediction. */
static void unite(struct find *x)
{
    struct fn *f = x->f;
    int n = 0;
    for (int k = 0; k < f->npredictions; k++) {
        struct prediction *p = &f->predictions[k], *with = NULL;
        for (int o = 0; o < n && !with; o++)
            for (int j = 0; j < p->npoints && !with; j++)
                if (!strcmp(f->predictions[o].name, p->name) &&
                    predict_among(p->points[j], f->predictions[o].points,
                                  f->predictions[o].npoints))
                    with = &f->predictions[o];
        if (!with) {
            f->predictions[n++] = *p;
            continue;
        }
        if (with->threshold != p->threshold)
            cc_error(x->err, f->m, p->loc, "simt.predict %s has another threshold elsewhere",
                     p->name);
        for (int j = 0; j < p->nstarts; j++)
            with->starts = list_add(f, with->starts, &with->nstarts, p->starts[j]);
        for (int j = 0; j < p->npoints; j++)
            if (!predict_among(p->points[j], with->points, with->npoints))
                with->points = list_add(f, with->points, &with->npoints, p->points[j]);
    }
    f->npredictions = n;
}

/* A soft barrier has one wait.  Lanes that wait at two places are released together, but run one
 * after the other: until the later ones have left bCount, a lane that comes counts them, though
 * they wait no more, and does not leave bPdom. */
static void one_wait(struct fn *f)
{
    for (int k = 0; k < f->npredictions; k++)
        if (f->predictions[k].npoints > 1) f->predictions[k].threshold = 0;
}

/* ---- what a region may not hold -------------------------------------------------------------- */

static const struct ins *block_barrier(const struct fn *f, const bool *in)
{
    for (int k = 0; k < f->nblocks; k++)
        for (const struct ins *i = f->blocks[k]->first; i && (!in || in[k]); i = i->next)
            if (i->op == P_BAR || i->op == P_BARRED) return i;
    return NULL;
}

/* Lanes that wait for the block would wait for lanes that wait at the label (section 4.5): none in
 * the region, nor in what it calls. */
static void forbid_barriers(struct find *x, const struct prediction *p)
{
    const struct module *m = x->f->m;
    const bool *in = predict_region(x->f, p);
    bool *seen = arena_alloc(m->arena, (size_t)m->nfns);
    const struct ins *i = block_barrier(x->f, in);
    callgraph_reach(x->f, in, seen);
    for (int k = 0; k < m->nfns && !i; k++)
        if (seen[k]) i = block_barrier(m->fns[k], NULL);
    if (i)
        cc_error(x->err, m, i->loc,
                 "a barrier of the block stands in the region of `%s`: lanes that wait at the "
                 "label would never come", p->name);
}

/* A word that is none of ours would be a prediction that does nothing. */
static void check_words(struct find *x, const struct ins *i)
{
    static const char ours[] = "simt.";
    const char *rest, *name;
    if (i->op != P_PRAGMA || strncmp(i->text, ours, strlen(ours)) ||
        words(x->f, i, "simt.predict", &rest)) return;
    if (!(name = words(x->f, i, "simt.label", &rest)))
        cc_error(x->err, x->f->m, i->loc,
                 "no directive `%s`: there are simt.predict and simt.label", i->text);
    else if (!*name)
        cc_error(x->err, x->f->m, i->loc, "simt.label has no name");
}

bool predict_find(struct fn *f, const struct cc_options *opt, struct hd_err *err)
{
    fn_requires(f, KNOWN_EDGES);
    struct find x = { f, opt, err };
    const char *name, *rest;
    bool any = false;
    for (int k = 0; k < f->nblocks; k++)
        for (const struct ins *i = f->blocks[k]->first; i && !err->status; i = i->next) {
            check_words(&x, i);
            any |= words(f, i, "simt.predict", &rest) != NULL;
        }
    if (!any || err->status) return !err->status;
    split_at_pragmas(f);
    f->known &= ~(unsigned)KNOWN_DIVERGENCE;
    for (int k = 0; k < f->nblocks && !err->status; k++)
        if (f->blocks[k]->first && (name = words(f, f->blocks[k]->first, "simt.predict", &rest)))
            new_prediction(&x, f->blocks[k], f->blocks[k]->first, name, rest);
    for (int k = 0; k < f->npredictions && !err->status; k++) find_points(&x, &f->predictions[k]);
    if (!err->status) unite(&x);
    one_wait(f);
    for (int k = 0; k < f->npredictions && !err->status; k++)
        forbid_barriers(&x, &f->predictions[k]);
    return !err->status;
}
