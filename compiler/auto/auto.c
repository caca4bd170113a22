/* --predict auto: which of the candidates to predict, and why.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inserts pragmas alone, as a programmer would write them (section 4.1): the region begins in front
 * of the outer loop, the label in front of the common code.  A candidate must pass the three
 * metrics of section 4.5; without a profile it must promise more, as its trip counts are guesses.
 * Of candidates whose loops lie in each other ("conflicting locations such as in triply nested
 * loops") the one that saves most is taken, as lanes that wait at one label would miss at the
 * other.  A function with directives of its own is left alone: its author has decided.
 *
 * Requires: edges, dominators, loops and divergence of every function; the call graph.
 * Ensures:  pragmas are added and nothing else, so all of that stays true; predict_find reads them
 *           next. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/auto/auto.h"

enum { MAX_CANDS = 64, MAX_ACCESSES = 64 };
/* Cycles now over cycles then that a candidate must promise: with a profile; where trip counts are
 * guessed; where besides the chance of a branch is. */
static const double PROMISE_MEASURED = 1.05, PROMISE_TRIPS = 1.05, PROMISE_CHANCE = 1.4;

struct pass {
    struct module *m; const struct cc_options *opt; struct hd_err *err;
    struct auto_cost cost;
    bool open;
    int applied;
};

/* ---- remarks --------------------------------------------------------------------------------- */

static const char *pattern(const struct cand *c)
{
    return c->kind == LOOP_MERGE ? "loop merge" : "iteration delay";
}

/* Of CUDA the line that .loc names, rather in the function's own file than in one it inlines from;
 * else that of PTX. */
static const char *place_of(const struct cand *c)
{
    const struct module *m = c->f->m;
    const struct blk *b = c->label;
    const struct ins *best = NULL;
    int own = 0;
    for (const struct ins *i = c->f->blocks[0]->first; i && !own; i = i->next)
        own = i->sline ? i->sfile : 0;
    for (const struct ins *i = b->first; i; i = i->next)
        if (i->sline && i->sfile > 0 && i->sfile < m->nfiles && m->files[i->sfile] &&
            (!best || (best->sfile != own && i->sfile == own)))
            best = i;
    if (best) return arena_printf(m->arena, "%s:%d", m->files[best->sfile], best->sline);
    return arena_printf(m->arena, "%s:%d", m->path, b->first ? b->first->loc.line : 0);
}

static void remark(const struct pass *p, const struct cand *c)
{
    FILE *to = p->opt->remarks;
    if (!to) return;
    fprintf(to, "%s: remark: %s %s: %s%s%s\n", place_of(c), pattern(c),
            c->why ? "rejected" : "applied", c->why ? c->why : "", c->why && c->numbers ? "; " : "",
            c->numbers ? c->numbers : "");
}

/* ---- the shape of a candidate ---------------------------------------------------------------- */

/* How often n lanes together execute what one of them executes f times.  Without a profile: when
 * any of them comes there; and a loop of `uneven` rounds, of which nothing is known but the mean,
 * is as long as the longest of n lanes, 2 n / (n + 1) means of an even distribution. */
static double guessed_times(double f, int uneven, int n)
{
    double none = 1, longest = 1;
    for (int k = 0; k < n && f < 1; k++) none *= 1 - f;
    for (int k = 0; k < uneven; k++) longest *= 2.0 * n / (n + 1);
    return f < 1 ? (1 - none) * longest : f * longest;
}

/* With one: once for one lane, w times for as many lanes as were measured; the longest of n draws
 * grows about as log n. */
static double measured_times(double f, double w, double lanes, int n)
{
    return lanes < 1.5 || w < f ? f : f + (w - f) * log(n) / log(lanes);
}

/* Loops around b, within the part of the code that it belongs to, that lanes leave in different
 * rounds. */
static int uneven_around(const struct cand *c, const struct blk *b)
{
    const struct loop *part = c->in[b->id] && c->inner ? c->inner : c->outer;
    int n = 0;
    for (const struct loop *l = b->loop; l && l != part; l = l->parent) n += auto_uneven(l) != NULL;
    return n;
}

/* Cycles of one execution of block b.  Library routines branch on values: what they took was
 * measured. */
static double cycles_of(const struct pass *p, const struct auto_fn_cost *cost,
                        const struct prof_fn *pf, const struct blk *b)
{
    const struct prof_blk *m = pf ? &pf->blocks[b->id] : NULL;
    double library = cost->library[b->id];
    if (m && m->warps) library = (double)m->library / (double)m->warps * p->cost.t->next[OP_IADD];
    return cost->cycles[b->id] + library;
}

struct sums { double in, out; int in_insns, out_insns, losing; };

/* Adds block b; `of` is the block with which a round of its part begins, as often as its part is
 * entered `per` times for each round of that. */
static void add_block(const struct pass *p, const struct cand *c, const struct auto_fn_cost *cost,
                      const struct blk *b, const struct freq *q, const struct prof_fn *pf,
                      const struct blk *of, double per, struct shape *s, struct sums *sum)
{
    struct access a[MAX_ACCESSES];
    bool in = c->in[b->id];
    int n = auto_accesses(c, b, a, MAX_ACCESSES), uneven = uneven_around(c, b);
    double sector = p->cost.t->event[TIMING_sector], f = q->lane[b->id] / q->lane[of->id] / per;
    double cycles = cycles_of(p, cost, pf, b), *now = in ? s->in : s->out,
           *apart = in ? s->in_apart : s->out_apart;
    for (int k = 1; k <= WARP; k++) {
        double w = q->warp ? measured_times(f, q->warp[b->id] / q->warp[of->id] / per,
                                            q->group[of->id], k)
                           : guessed_times(f, uneven, k);
        double before = cycles, after = before;
        for (int j = 0; j < n; j++)
            before += sector * (a[j].now[k] - 1), after += sector * (a[j].apart[k] - 1);
        now[k] += w * before;
        apart[k] += w * after;
    }
    for (int j = 0; j < n; j++) sum->losing += a[j].loses;
    *(in ? &sum->in : &sum->out) += f * cycles;
    *(in ? &sum->in_insns : &sum->out_insns) += cost->insns[b->id];
}

/* Of the code around it, the share that lanes execute after the common code in the same round. */
static double tail_of(const struct pass *p, const struct cand *c, const struct auto_fn_cost *cost,
                      const struct prof_fn *pf,
                      const double *lane)
{
    double tail = 0, all = 0;
    bool *seen = arena_alloc(c->f->m->arena, (size_t)c->f->nblocks + 1);
    seen[c->label->id] = true;
    for (int k = 0; k < c->outer->nblocks; k++) {
        const struct blk *b = c->outer->blocks[k];
        for (int s = 0; s < b->nsucc; s++)
            if (seen[b->id] && b->succ[s] != c->outer->header) seen[b->succ[s]->id] = true;
        if (c->in[b->id]) continue;
        all += lane[b->id] * cycles_of(p, cost, pf, b);
        if (seen[b->id]) tail += lane[b->id] * cycles_of(p, cost, pf, b);
    }
    return all > 0 ? tail / all : 0;
}

/* Trip counts without a profile: anything up to twice the mean, or up to the bound that is
 * known. */
static void guess_trips(const struct cand *c, const struct freq *q, struct prof_trip *t)
{
    double bound = 0, top = 1;
    if (c->inner) auto_trips(c->f, c->inner, &bound);
    if (c->inner) top = bound > 0 ? bound : 2 * q->stay - 1;
    for (int k = 0; k < 5; k++)
        t[k] = (struct prof_trip){ (uint32_t)(1.5 + (top - 1) * k / 4), 1 };
}

static const struct prof_loop *loop_profile(const struct prof_fn *pf, const struct blk *h)
{
    for (int k = 0; pf && k < pf->nloops; k++)
        if (pf->loops[k].header == h->id) return &pf->loops[k];
    return NULL;
}

/* Cycles of today's placement, as measured, for each outer round of a lane. */
static double cycles_now(const struct pass *p, const struct cand *c,
                         const struct auto_fn_cost *cost,
                         const struct prof_fn *pf)
{
    struct access a[MAX_ACCESSES];
    double sum = 0, rounds = (double)pf->blocks[c->outer->header->id].lanes;
    for (int k = 0; k < c->outer->nblocks; k++) {
        const struct blk *b = c->outer->blocks[k];
        const struct prof_blk *m = &pf->blocks[b->id];
        int lanes = m->warps ? (int)((double)m->lanes / (double)m->warps + 0.5) : 0;
        double one = cycles_of(p, cost, pf, b);
        for (int n = auto_accesses(c, b, a, MAX_ACCESSES), j = 0; j < n; j++)
            one += p->cost.t->event[TIMING_sector] * (a[j].now[lanes < 1 ? 1 : lanes] - 1);
        sum += (double)m->warps * one;
    }
    return rounds > 0 ? sum / rounds : 0;
}

static void waiting(const struct pass *p, struct shape *s)
{
    const struct timing *t = p->cost.t;
    double pair = t->next[OP_BSYNC] + t->next[OP_BSSY] + t->event[TIMING_wait];
    s->barrier[0] = pair + t->next[OP_BREAK];    /* wait, rejoin, leave the post-dominator's */
    s->barrier[1] = pair + 2.0 * t->next[OP_BREAK] + 3.0 * t->next[OP_BMOVR] +
                    2.0 * t->next[OP_BMOVB] + t->next[OP_POPC] +
                    t->next[OP_ISETP]; /* Figure 6, as predict_soft.c has it */
}

/* ---- the decision ---------------------------------------------------------------------------- */

static void weigh(const struct pass *p, struct cand *c, const struct prof_fn *pf)
{
    static const int hard[] = { 0 }, any[] = { 0, 2, 4, 8, 12, 16, 20, 24, 28 };
    struct arena *arena = p->m->arena;
    const struct auto_fn_cost *cost = auto_cost_of(&p->cost, c->f);
    struct freq q;
    struct sums sum = { 0 };
    struct prof_trip guessed[5], rounds = { 0, 1 };
    auto_freq(&q, c, pf);
    const struct blk *mark = c->inner ? c->inner->header : c->label;
    double of = q.lane[mark->id];
    if (of <= 0) {
        c->why = pf ? "the profile never comes there" : "nothing leads there";
        return;
    }
    struct shape s = { .kind = c->kind,
                       .lanes = q.lanes > WARP - 0.5 ? WARP
                                : q.lanes < 1.5      ? 1
                                                     : (int)(q.lanes + 0.5) };
    s.chance = c->inner ? of / q.stay : of;
    /* entries each outer round: rounds of their own */
    double repeat = s.chance > 1 ? s.chance : 1;
    for (int k = 0; k < c->outer->nblocks; k++) {
        const struct blk *b = c->outer->blocks[k];
        bool in = c->in[b->id];
        add_block(p, c, cost, b, &q, pf, in ? mark : c->outer->header, in ? 1 : repeat, &s, &sum);
    }
    s.chance /= repeat;
    s.tail = c->inner ? 0 : tail_of(p, c, cost, pf, q.lane);
    waiting(p, &s);
    rounds.rounds = (uint32_t)(q.trips_outer * repeat + 0.5);
    guess_trips(c, &q, guessed);
    const struct prof_loop *inner = c->inner ? loop_profile(pf, c->inner->header) : NULL,
                           *outer = loop_profile(pf, c->outer->header);
    s.trips = inner ? inner->trips : guessed;
    s.ntrips = inner ? inner->ntrips : 5;
    s.fitted = inner ? arena_alloc(arena, (size_t)s.ntrips * sizeof *s.fitted) : NULL;
    s.rounds = outer && repeat < 1.01 ? outer->trips : &rounds;
    s.nrounds = outer && repeat < 1.01 ? outer->ntrips : 1;
    s.now = pf ? cycles_now(p, c, cost, pf) / repeat : 0;
    struct outcome o = auto_expect(&s, pf ? any : hard, pf ? (int)(sizeof any / sizeof *any) : 1);
    c->gain = o.now / o.then;
    c->saves = (o.now - o.then) * q.trips_outer * repeat * q.lanes * q.entries;
    c->threshold = o.threshold;
    c->numbers = arena_printf(
        arena,
        "%s%d instructions (%.0f cycles) %s %.2g, %d (%.0f cycles) around them; "
        "%d accesses lose coalescing; "
        "%.0f cycles a round now, %.0f expected (x%.2f) %s%.0d%s",
        pf ? "measured: " : "", sum.in_insns, sum.in, c->inner ? "times" : "with chance",
        c->inner ? q.stay : s.chance, sum.out_insns, sum.out, sum.losing, o.now * s.lanes,
        o.then * s.lanes, c->gain, o.threshold ? "with threshold " : "with all lanes", o.threshold,
        "");
    if (c->gain < (pf ? PROMISE_MEASURED : c->inner ? PROMISE_TRIPS : PROMISE_CHANCE))
        c->why = sum.losing && o.then > o.now ? "it makes memory accesses scatter"
                                              : "it does not pay";
}

/* The last block that every lane passes on its way into the loop, as often as it enters it. */
static struct blk *before(const struct loop *l)
{
    struct blk *b = l->header->idom;
    while (b && b->loop != l->parent) b = b->idom;
    return b;
}

static void judge(struct pass *p, struct cand *c, const struct prof_fn *pf)
{
    const char *why = NULL;
    if (!before(c->outer)) why = "no block stands before the loop";
    if (why || auto_sync(c, &why)) c->why = why;
    else if (pf && pf->blocks[c->branch->id].warps && !pf->blocks[c->branch->id].divergent)
        c->why = "its branch never diverges in the profile";
    else if (!p->open && !(p->open = auto_cost_open(&p->cost, p->m, p->opt)))
        c->why = "it cannot be compiled";        /* the back end says why */
    else weigh(p, c, pf);
}

static bool overlap(const struct cand *a, const struct cand *b)
{
    return loop_has(a->outer, b->outer->header) || loop_has(b->outer, a->outer->header);
}

/* Of candidates in each other's loops the one that saves most. */
static void choose(const struct pass *p, struct cand *c, int n)
{
    for (;;) {
        struct cand *best = NULL;
        for (int k = 0; k < n; k++)
            if (!c[k].why && c[k].threshold >= 0 && (!best || c[k].saves > best->saves))
                best = &c[k];
        if (!best) break;
        for (int k = 0; k < n; k++)
            if (&c[k] != best && !c[k].why && overlap(&c[k], best))
                c[k].why = arena_printf(p->m->arena, "the %s at %s saves more", pattern(best),
                                        place_of(best));
        best->threshold = -1 - best->threshold;      /* taken */
    }
    for (int k = 0; k < n; k++)
        if (c[k].threshold < 0) c[k].threshold = -1 - c[k].threshold;
}

/* ---- insertion ------------------------------------------------------------------------------- */

static struct ins *pragma(struct module *m, const struct ins *at, const char *text)
{
    struct ins *i = ins_new(m, P_PRAGMA);
    i->text = text;
    if (at) i->loc = at->loc, i->sfile = at->sfile, i->sline = at->sline;
    return i;
}

static void apply(struct pass *p, const struct cand *c, struct blk *start)
{
    struct module *m = p->m;
    const char *name = arena_printf(m->arena, "auto.%d", p->applied++);
    ins_before(start, blk_terminator(start),
               pragma(m, start->last,
                      arena_printf(m->arena, "simt.predict %s %d", name, c->threshold)));
    ins_before(c->label, c->label->first,
               pragma(m, c->label->first, arena_printf(m->arena, "simt.label %s", name)));
}

/* ---- the pass -------------------------------------------------------------------------------- */

static bool by_hand(const struct fn *f)
{
    for (int b = 0; b < f->nblocks; b++)
        for (const struct ins *i = f->blocks[b]->first; i; i = i->next)
            if (i->op == P_PRAGMA && !strncmp(i->text, "simt.", 5)) return true;
    return false;
}

/* The function's counts; false: the profile is not of this source. */
static bool find_profile(const struct pass *p, const struct fn *f, const struct prof_fn **out)
{
    const struct cc_profile *all = p->opt->profile;
    *out = NULL;
    if (!all) return true;
    for (int k = 0; k < all->nfns; k++)
        if (!strcmp(all->fns[k].name, f->name)) *out = &all->fns[k];
    if (*out && (*out)->shape == prof_shape(f) && (*out)->nblocks == f->nblocks) return true;
    hd_err_set(p->err, 2, "%s: %s %s as it is in %s; measure it again (heddle profile --save)",
               all->path,
               *out ? "is stale: it does not know" : "does not know", f->name, p->m->path);
    return false;
}

static bool run_fn(struct pass *p, struct fn *f)
{
    fn_requires(f, KNOWN_GRAPH | KNOWN_DIVERGENCE);
    struct cand *c = arena_alloc(p->m->arena, MAX_CANDS * sizeof *c);
    const struct prof_fn *pf;
    int n = by_hand(f) ? 0 : auto_find(f, c, MAX_CANDS);
    if (!n) return true;
    if (!find_profile(p, f, &pf)) return false;
    for (int k = 0; k < n; k++) judge(p, &c[k], pf);
    choose(p, c, n);
    for (int k = 0; k < n; k++) {
        remark(p, &c[k]);
        if (!c[k].why) apply(p, &c[k], before(c[k].outer));
    }
    return true;
}

bool auto_run(struct module *m, const struct cc_options *opt, struct hd_err *err)
{
    struct pass p = { .m = m, .opt = opt, .err = err };
    bool ok = true;
    for (int k = 0; k < m->nfns && ok; k++)
        if (m->fns[k]->defined && m->fns[k]->nloops) ok = run_fn(&p, m->fns[k]);
    free(p.cost.t);
    return ok;
}
