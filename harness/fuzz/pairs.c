/* All plans of a seed, as kernels; which pairs were met.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/pairs.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the dimensions ---- */

static const struct { const char *name; enum pair_table table; } dims[DIMS] = {
#define DIM(table, id, what) [DIM_##id] = { what, PAIR_##table },
#include "harness/fuzz/pairs.def"
};

static const struct { int number; const char *text; } values[] = {
#define DIM(table, id, what) { -1, NULL },
#define VALUE(id, text) { id, text },
#include "harness/fuzz/pairs.def"
};

enum pair_table pair_table_of(unsigned dim)
{
    return dims[dim].table;
}

struct cover_dim pair_dim(unsigned dim)
{
    struct cover_dim d = { .name = dims[dim].name };
    size_t k = 0;
    for (unsigned before = 0; before <= dim; k++)
        before += values[k].number < 0;
    for (; k < sizeof values / sizeof *values && values[k].number >= 0; k++)
        d.value[d.n++] = values[k].text;
    return d;
}

/* ---- values ---- */

/* Edges of integers and floats as often as any bits. */
uint32_t pair_value(struct rng *r)
{
    static const uint32_t edge[] = {
        0, 1, 2, 31, 32, 33, 255, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
        0x80000001, 0x00800000, 0x007fffff, 0x00000003, 0x3f800000, 0x3f7fffff, 0x3f000000,
        0x40200000, 0x4b000001, 0x4effffff, 0x4f000000, 0x4f800000, 0x5f000000, 0x7f7fffff,
        0x7f800000, 0x7fc00000, 0x7f800001, 0x477fe000, 0x477ff000, 0x38800000, 0x33000000,
        0x3ff00000, 0x3fe00000, 0x41dfffff, 0x43e00000, 0x7ff00000, 0x7ff80001, 0x000fffff };
    const uint32_t v = (uint32_t)rng_next(r), sign = rng_below(r, 2) << 31;
    switch (rng_below(r, 6)) {
    case 0: case 1: return edge[rng_below(r, sizeof edge / sizeof *edge)] ^ sign;
    case 2: return rng_below(r, 64);
    case 3: return (v & 0x807fffff) | (110 + rng_below(r, 40)) << 23;
    case 4: return 0x3f000000 + (v & 0x81ffffff);
    default: return v;
    }
}

uint32_t pair_word(const struct fuzz_case *c, unsigned word)
{
    struct rng r = { c->data_seed ^ 0x776f7264u ^ (uint64_t)word << 32 };
    if (word >= PAIR_FLOATS && word < PAIR_FLOATS + 8)
        return 0x3f800000 + (word << 16);
    if (word >= PAIR_DOUBLES && word < PAIR_DOUBLES + 4)
        return word & 1 ? 0x3ff00000 + word : 0;
    return pair_value(&r);
}

/* ---- plans ---- */

struct kernel { unsigned first, n; };                /* of its plans */

struct pairs {
    enum pair_table table;
    bool stack_mode;
    uint64_t seed, round, base;          /* base: the round's first kernel */
    struct pair_row row[OP_COUNT];
    struct cover cover[OP_COUNT];
    unsigned covers;
    struct { const char *name, *why; } left[OP_COUNT];       /* rows without a cover */
    unsigned nleft;
    struct pair_plan *plan;
    unsigned plans, room;
    struct kernel *kernel;
    unsigned kernels, now;
};

static struct pair_plan *new_plan(struct pairs *p)
{
    if (p->plans == p->room) {
        p->room = p->room ? 2 * p->room : 1024;
        p->plan = realloc(p->plan, p->room * sizeof *p->plan);
        if (!p->plan)
            abort();
    }
    return &p->plan[p->plans++];
}

/* Plans of all covers, mixed. */
static void make_plans(struct pairs *p)
{
    struct rng r = { p->seed ^ p->round << 40 };
    unsigned open[OP_COUNT], n = 0;
    p->plans = 0;
    for (unsigned k = 0; k < p->covers; k++) {
        cover_again(&p->cover[k]);
        open[n++] = k;
    }
    while (n) {
        const unsigned k = rng_below(&r, n);
        struct pair_plan *plan = new_plan(p);
        plan->cover = &p->cover[open[k]];
        if (!cover_plan(&p->cover[open[k]], &r, plan->value)) {
            p->plans--;
            open[k] = open[--n];
        }
    }
}

/* As many plans a kernel as its rows of `out' hold; a kernel of FEATURES is one plan. */
static void make_kernels(struct pairs *p)
{
    p->kernel = realloc(p->kernel, (p->plans + 1) * sizeof *p->kernel);
    if (!p->kernel)
        abort();
    p->kernels = 0;
    for (unsigned k = 0, words = 0; k < p->plans; k++) {
        const unsigned more = p->table == PAIR_OPERANDS ? pair_row_words(&p->plan[k]) : PAIR_ROWS;
        if (!k || words + more > PAIR_ROWS) {
            p->kernel[p->kernels++] = (struct kernel){ .first = k };
            words = 0;
        }
        words += more;
        p->kernel[p->kernels - 1].n++;
    }
}

static void make_round(struct pairs *p, uint64_t round, uint64_t base)
{
    p->round = round;
    p->base = base;
    make_plans(p);
    make_kernels(p);
}

struct pairs *pairs_open(enum pair_table table, bool stack_mode, uint64_t seed)
{
    struct pairs *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    p->table = table;
    p->stack_mode = stack_mode;
    p->seed = seed;
    if (table == PAIR_FEATURES)
        pair_features_cover(&p->cover[p->covers++]);
    for (unsigned op = 0; table == PAIR_OPERANDS && op < OP_COUNT; op++) {
        p->row[op] = (struct pair_row){ (enum hd_op)op, stack_mode };
        if (pair_row_cover(&p->cover[p->covers], &p->row[op], &p->left[p->nleft].why))
            p->covers++;
        else
            p->left[p->nleft++].name = hd_ops[op].mnemonic;
    }
    make_round(p, 0, 0);
    return p;
}

void pairs_close(struct pairs *p)
{
    if (!p)
        return;
    for (unsigned k = 0; k < p->covers; k++)
        cover_close(&p->cover[k]);
    free(p->plan);
    free(p->kernel);
    free(p);
}

unsigned pairs_kernels(const struct pairs *p)
{
    return p->kernels;
}

/* The kernel's number in its round, which has other plans than the last one, and perhaps more. */
static unsigned find(struct pairs *p, uint64_t k)
{
    if (k < p->base)
        make_round(p, 0, 0);
    while (k - p->base >= p->kernels)
        make_round(p, p->round + 1, p->base + p->kernels);
    return (unsigned)(k - p->base);
}

void pairs_make(struct pairs *p, uint64_t k, struct fuzz_case *c)
{
    p->now = find(p, k);
    const struct kernel *at = &p->kernel[p->now];
    c->words = PAIR_WORDS;
    if (p->table == PAIR_FEATURES) {
        pair_features(c, &p->plan[at->first]);
        return;
    }
    c->grid = (struct hd_dim3){ 1, 1, 1 };
    c->block = (struct hd_dim3){ HD_LANES, 1, 1 };
    pair_rows(c, &p->plan[at->first], at->n);
}

void pairs_right(struct pairs *p)
{
    const struct kernel *at = &p->kernel[p->now];
    for (unsigned k = 0; k < at->n; k++)
        cover_met(&p->cover[p->plan[at->first + k].cover - p->cover],
                  p->plan[at->first + k].value);
}

bool pairs_report(const struct pairs *p, FILE *out, const char *path)
{
    unsigned met = 0, legal = 0, illegal = 0;
    bool all = true;
    FILE *table = path ? fopen(path, "w") : NULL;
    for (unsigned k = 0; k < p->covers; k++) {
        const struct cover *c = &p->cover[k];
        met += c->met, legal += c->legal, illegal += c->illegal;
        all &= c->met == c->legal;
        if (table) {
            cover_table(c, table);
            cover_reasons(c, table);
            cover_missing(c, table);
        }
    }
    for (unsigned k = 0; table && k < p->nleft; k++)
        fprintf(table, "left out: %s: %s\n", p->left[k].name, p->left[k].why);
    if (path && (!table || fclose(table))) {
        fprintf(stderr, "heddle fuzz: %s cannot be written\n", path);
        return false;
    }
    fprintf(out, "pairs: met %u of %u, illegal %u, rows left out %u\n", met, legal, illegal,
            p->nleft);
    for (unsigned k = 0; !all && k < p->covers; k++)
        if (!cover_missing(&p->cover[k], out))
            break;                                   /* the others are in the table */
    return all && legal > 0;
}
