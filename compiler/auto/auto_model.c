/* What collecting lanes is expected to cost and to save.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A warp of n lanes is simulated in the loop nest, its trip counts drawn from the measured (or
 * guessed) distributions; of the code only its cycles count.  in(k), out(k): cycles of the common
 * code, and of the code around it, executed by k lanes together; b: those of waiting once.
 *
 *   now             Loop Merge: every outer round costs out(n), and in(k) for each inner round in
 *                   which k lanes are still there, up to the longest lane's.  Iteration Delay:
 *                   out(n), and in(k) when k > 0 lanes take the branch.
 *   with a threshold t   lanes that come to the label wait there, until more than t wait (t = 0:
 *                        until all
 *                   lanes of the region do) or none is left to come; then they execute the common
 *                   code for in(k) + b.  Loop Merge: those that leave the inner loop refill for
 *                   out(k), as often as their next trip count is zero; with a threshold they wait
 *                   after the loop first, for as long as more than t are left in it (Figure 6: only
 *                   who waits for the threshold has left bPdom), and refill together.  Iteration
 *                   Delay: those that do not take the branch go on.
 *
 * Waiting for all lanes keeps the common code full and refills lanes a few at a time; a threshold
 * lets lanes go on sooner, in smaller groups.  Section 5.3 shows this tradeoff and leaves the best
 * threshold to future work: here it is the one whose play takes the least cycles for each outer
 * round of a lane.  Where a group splits, the smaller part runs first, and groups merge as
 * docs/convergence.md says (rule 1, next()), because that decides how many lanes a threshold finds.
 * Draws come from a fixed seed: the same input always gives the same code.
 *
 * Requires: the distribution of trip counts, and cycles of the common code and of the code around
 *           it.
 * Ensures:  expected cycles for each threshold; the same input always gives the same answer. */
#include "compiler/auto/auto.h"

enum { PLAYS = 6, ROUNDS = 40 /* of the outer loop; a longer one is cut */ };

enum at { HEAD, LABEL, TAIL };   /* of the outer round; of the common code; after it */

struct play {
    const struct shape *s;
    uint32_t seed;
    int n, threshold;
    uint32_t left[WARP], stay[WARP];     /* by lane: outer rounds to come; inner rounds to come */
    double cycles, rounds;
    /* the one deferred last stands last */
    struct group { uint32_t lanes; enum at at; } ready[4 * WARP];
    int nready;
    bool fresh;                  /* that one has been deferred since a group was taken */
    uint32_t waiting;            /* at the label */
    /* with a threshold: have left the inner loop, and wait after it */
    uint32_t outside;
};

static uint32_t draw(struct play *p)
{
    p->seed = p->seed * 1664525u + 1013904223u;
    return p->seed >> 8;
}

static uint32_t pick(struct play *p, const struct prof_trip *t, int n)
{
    uint64_t all = 0, at;
    for (int k = 0; k < n; k++) all += t[k].count;
    if (!all) return 1;
    at = ((uint64_t)draw(p) << 24 | draw(p)) % all;
    for (int k = 0; k < n; k++) {
        if (at < t[k].count) return t[k].rounds;
        at -= t[k].count;
    }
    return 1;
}

static bool happens(struct play *p) { return draw(p) < p->s->chance * (1 << 24); }

static void start(struct play *p, const struct shape *s, uint32_t seed, int threshold)
{
    *p = (struct play){ .s = s, .seed = seed, .n = s->lanes, .threshold = threshold };
    for (int l = 0; l < p->n; l++) {
        uint32_t rounds = pick(p, s->rounds, s->nrounds);
        p->left[l] = rounds < ROUNDS ? rounds : ROUNDS;
        p->rounds += p->left[l];
    }
}

static int count_left(const struct play *p)
{
    int k = 0;
    for (int l = 0; l < p->n; l++) k += p->left[l] > 0;
    return k;
}

static int size(uint32_t lanes) { return __builtin_popcount(lanes); }

/* Rounds of the inner loop until the next of these lanes leaves it; *in: those that are in it. */
static uint32_t next_exit(const struct play *p, uint32_t lanes, uint32_t *in)
{
    uint32_t least = UINT32_MAX;
    *in = 0;
    for (int l = 0; l < p->n; l++) {
        if (!(lanes >> l & 1) || !p->stay[l]) continue;
        *in |= 1u << l;
        if (p->stay[l] < least) least = p->stay[l];
    }
    return least;
}

/* m rounds of the inner loop; which lanes have left it? */
static uint32_t inner_rounds(struct play *p, uint32_t lanes, uint32_t m)
{
    uint32_t out = 0;
    for (int l = 0; l < p->n; l++)
        if (lanes >> l & 1 && !(p->stay[l] -= m)) out |= 1u << l;
    return out;
}

/* ---- as now ---------------------------------------------------------------------------------- */

static void merge_now(struct play *p)
{
    for (int n; (n = count_left(p)) > 0;) {
        p->cycles += p->s->out[n];
        for (int l = 0; l < p->n; l++) {
            if (!p->left[l]) continue;
            p->left[l]--;
            p->stay[l] = happens(p) ? pick(p, p->s->trips, p->s->ntrips) : 0;
        }
        uint32_t in;
        for (uint32_t m = next_exit(p, ~0u, &in); in; m = next_exit(p, ~0u, &in)) {
            p->cycles += m * p->s->in[size(in)];
            inner_rounds(p, in, m);
        }
    }
}

static void delay_now(struct play *p)
{
    for (int n; (n = count_left(p)) > 0;) {
        int k = 0;
        for (int l = 0; l < p->n; l++) {
            if (!p->left[l]) continue;
            p->left[l]--;
            k += happens(p);
        }
        p->cycles += p->s->out[n] + (k ? p->s->in[k] : 0);
    }
}

/* ---- with a threshold ------------------------------------------------------------------------ */

static void defer(struct play *p, uint32_t lanes, enum at at)
{
    if (!lanes) return;
    p->ready[p->nready++] = (struct group){ lanes, at };
    p->fresh = true;
}

/* A group has split: the smaller part runs first. */
static void part(struct play *p, uint32_t a, enum at at_a, uint32_t b, enum at at_b)
{
    if (size(a) > size(b)) defer(p, a, at_a), defer(p, b, at_b);
    else defer(p, b, at_b), defer(p, a, at_a);
}

/* The group that runs next: the one deferred last as it is, an older one with all that stand where
 * it stands. */
static struct group take(struct play *p)
{
    struct group g = p->ready[--p->nready];
    int keep = 0;
    for (int k = 0; k < p->nready; k++)
        if (!p->fresh && p->ready[k].at == g.at) g.lanes |= p->ready[k].lanes;
        else p->ready[keep++] = p->ready[k];
    p->nready = keep;
    p->fresh = false;
    return g;
}

/* The next outer round of a group: *common, which come to the common code in it; those that have
 * none left are gone. */
static uint32_t outer_round(struct play *p, uint32_t lanes, uint32_t *common)
{
    uint32_t live = 0;
    *common = 0;
    for (int l = 0; l < p->n; l++) {
        if (!(lanes >> l & 1) || !p->left[l]) continue;
        live |= 1u << l;
        p->left[l]--;
        if (!happens(p)) continue;
        *common |= 1u << l;
        if (p->s->kind == LOOP_MERGE) p->stay[l] = pick(p, p->s->trips, p->s->ntrips);
    }
    return live;
}

/* These lanes have waited and go on. */
static void common_code(struct play *p, uint32_t lanes)
{
    const struct shape *s = p->s;
    double once = s->in_apart[size(lanes)] + s->barrier[p->threshold > 0];
    uint32_t in, m = s->kind == LOOP_MERGE ? next_exit(p, lanes, &in) : 1, out;
    p->cycles += m * once;
    if (s->kind == ITERATION_DELAY) {
        defer(p, lanes, TAIL);
        return;
    }
    out = inner_rounds(p, lanes, m);
    if (!p->threshold) {
        part(p, out, HEAD, lanes & ~out, LABEL);
        return;
    }
    p->outside |= out;
    if (size(lanes & ~out) > p->threshold) {
        defer(p, lanes & ~out, LABEL);
        return;
    }
    part(p, p->outside, HEAD, lanes & ~out, LABEL);
    p->outside = 0;
}

static void at_head(struct play *p, uint32_t lanes)
{
    const struct shape *s = p->s;
    uint32_t common, live = outer_round(p, lanes, &common);
    if (!live) return;
    p->cycles += s->out_apart[size(live)] * (1 - s->tail);
    part(p, common, LABEL, live & ~common, s->kind == LOOP_MERGE ? HEAD : TAIL);
}

static void collect(struct play *p)
{
    defer(p, p->n == WARP ? ~0u : (1u << p->n) - 1, HEAD);
    while (p->nready || p->waiting) {
        struct group g = { 0, LABEL };
        if (p->nready) g = take(p);
        if (g.at == HEAD) {
            at_head(p, g.lanes);
        } else if (g.at == TAIL) {
            p->cycles += p->s->out_apart[size(g.lanes)] * p->s->tail;
            defer(p, g.lanes, HEAD);
            /* goes on; lanes that wait there go with it later */
            p->fresh = false;
        } else {
            p->waiting |= g.lanes;
            if (p->nready && (!p->threshold || size(p->waiting) <= p->threshold)) continue;
            uint32_t go = p->waiting;
            p->waiting = 0;
            common_code(p, go);
        }
    }
}

/* Cycles for each outer round of a lane; threshold -1: as now. */
static double play(const struct shape *s, int threshold)
{
    double cycles = 0, rounds = 0;
    for (uint32_t k = 0; k < PLAYS; k++) {
        struct play p;
        start(&p, s, 12345 + 77 * k, threshold < 0 ? 0 : threshold);
        if (s->kind == LOOP_MERGE && threshold < 0) merge_now(&p);
        else if (threshold < 0) delay_now(&p);
        else collect(&p);
        cycles += p.cycles;
        rounds += p.rounds;
    }
    return rounds > 0 ? cycles / rounds : 0;
}

/* Trip counts nearer to their mean: as they are with spread 1, all the same with 0. */
static void squeeze(const struct prof_trip *from, int n, double spread, struct prof_trip *to)
{
    double sum = 0, count = 0;
    for (int k = 0; k < n; k++)
        sum += (double)from[k].rounds * (double)from[k].count, count += (double)from[k].count;
    double mean = count > 0 ? sum / count : 1;
    for (int k = 0; k < n; k++) {
        double t = mean + spread * (from[k].rounds - mean);
        to[k] = (struct prof_trip){ t < 1 ? 1 : (uint32_t)(t + 0.5), from[k].count };
    }
}

/* Lanes of a warp are more alike than draws are: the spread of their trip counts is what makes
 * today's placement cost what was measured.  Then `now` is that. */
static void fit_spread(struct shape *s)
{
    enum { STEPS = 7 };
    const struct prof_trip *drawn = s->trips;
    struct prof_trip *trips = s->fitted;
    double low = 0, high = 1;
    s->trips = trips;
    for (int k = 0; k < STEPS; k++) {
        double spread = (low + high) / 2;
        squeeze(drawn, s->ntrips, spread, trips);
        if (play(s, -1) > s->now) high = spread;
        else low = spread;
    }
    squeeze(drawn, s->ntrips, low, trips);
}

struct outcome auto_expect(const struct shape *drawn, const int *thresholds, int n)
{
    struct outcome o = { .now = play(drawn, -1) };
    struct shape fitted = *drawn, *s = &fitted;
    if (s->now > 0 && s->now < o.now) {
        o.now = s->now;
        if (s->fitted) fit_spread(s);
    }
    for (int k = 0; k < n; k++) {
        double t = play(s, thresholds[k]);
        if (k && t >= o.then) continue;
        o.then = t;
        o.threshold = thresholds[k];
    }
    return o;
}
