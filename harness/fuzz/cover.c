/* Pairs of values, and plans that hold them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A plan begins with a pair that no plan has held; each other dimension gets the value that makes
 * most new pairs with those chosen before.  Where none does, every second plan takes the plainest
 * one, so that later plans are simple kernels in which little hides the pair. */
#include "harness/fuzz/cover.h"
#include <stdlib.h>
#include <string.h>

enum { TRIES = 400 };

static uint8_t *at(const struct cover *c, unsigned a, unsigned b)
{
    return &c->pair[a < b ? a * c->values + b : b * c->values + a];
}

/* The plan of two values. */
static void of_two(const struct cover *c, unsigned i, unsigned a, unsigned j, unsigned b,
                   unsigned *plan)
{
    memset(plan, 0, c->ndims * sizeof *plan);
    plan[i] = a;
    plan[j] = b;
}

/* f is called for all pairs of values of two dimensions. */
#define PAIRS(c, i, a, j, b) \
    for (unsigned i = 0; i < (c)->ndims; i++) \
        for (unsigned j = i + 1; j < (c)->ndims; j++) \
            for (unsigned a = 0; a < (c)->dim[i].n; a++) \
                for (unsigned b = 0; b < (c)->dim[j].n; b++)

void cover_open(struct cover *c)
{
    unsigned plan[COVER_DIMS];
    c->values = 0;
    for (unsigned i = 0; i < c->ndims; i++) {
        c->first[i] = c->values;
        c->values += c->dim[i].n;
    }
    c->legal = c->illegal = c->planned = c->met = 0;
    c->pair = calloc(c->values, c->values);
    if (!c->pair)
        abort();
    PAIRS(c, i, a, j, b) {
        of_two(c, i, a, j, b, plan);
        const bool bad = c->why(c, plan) != NULL;
        c->illegal += bad;
        c->legal += !bad;
        *at(c, c->first[i] + a, c->first[j] + b) = bad ? COVER_ILLEGAL : 0;
    }
}

void cover_again(struct cover *c)
{
    for (unsigned k = 0; k < c->values * c->values; k++)
        c->pair[k] &= (uint8_t)~COVER_PLANNED;
    c->planned = 0;
}

void cover_close(struct cover *c)
{
    free(c->pair);
    c->pair = NULL;
}

/* New pairs of value v of dimension i with those chosen; -1: it is illegal with one of them. */
static int gain(const struct cover *c, const unsigned *plan, uint32_t chosen, unsigned i,
                unsigned v)
{
    int n = 0;
    for (unsigned j = 0; j < c->ndims; j++) {
        const uint8_t p = chosen >> j & 1 ? *at(c, c->first[i] + v, c->first[j] + plan[j])
                                          : COVER_PLANNED;
        if (p & COVER_ILLEGAL)
            return -1;
        n += !(p & COVER_PLANNED);
    }
    return n;
}

/* The best value of dimension i; false: none is legal. */
static bool choose(const struct cover *c, struct rng *r, bool plain, uint32_t chosen, unsigned i,
                   unsigned *plan)
{
    int most = -1;
    const unsigned from = rng_below(r, c->dim[i].n);
    for (unsigned k = 0; k < c->dim[i].n; k++) {
        const unsigned v = plain ? k : (from + k) % c->dim[i].n;
        const int n = gain(c, plan, chosen, i, v);
        if (n > most) {
            most = n;
            plan[i] = v;
        }
    }
    return most >= 0;
}

/* Chooses all dimensions but the chosen ones, in any order. */
static bool fill(const struct cover *c, struct rng *r, bool plain, uint32_t chosen, unsigned *plan)
{
    unsigned order[COVER_DIMS], n = 0;
    for (unsigned i = 0; i < c->ndims; i++)
        if (!(chosen >> i & 1))
            order[n++] = i;
    while (n) {
        const unsigned k = rng_below(r, n), i = order[k];
        order[k] = order[--n];
        if (!choose(c, r, plain, chosen, i, plan))
            return false;
        chosen |= 1u << i;
    }
    return !c->why(c, plan);
}

static void mark(struct cover *c, const unsigned *plan, uint8_t what, unsigned *count)
{
    for (unsigned i = 0; i < c->ndims; i++)
        for (unsigned j = i + 1; j < c->ndims; j++) {
            uint8_t *p = at(c, c->first[i] + plan[i], c->first[j] + plan[j]);
            *count += !(*p & (what | COVER_ILLEGAL));
            *p |= what;
        }
}

/* The pair in a plan of its own: filled, or if that never can be, with the plainest values. */
static bool plan_of(struct cover *c, struct rng *r, unsigned i, unsigned a, unsigned j, unsigned b,
                    unsigned *plan)
{
    for (int k = 0; k < TRIES; k++) {
        of_two(c, i, a, j, b, plan);
        if (fill(c, r, k & 1, 1u << i | 1u << j, plan))
            return true;
    }
    of_two(c, i, a, j, b, plan);
    return !c->why(c, plan);
}

bool cover_plan(struct cover *c, struct rng *r, unsigned *plan)
{
    unsigned left = c->legal - c->planned;
    if (!left)
        return false;
    left = rng_below(r, left);
    PAIRS(c, i, a, j, b) {
        const uint8_t p = *at(c, c->first[i] + a, c->first[j] + b);
        if (p & (COVER_ILLEGAL | COVER_PLANNED) || left--)
            continue;
        if (!plan_of(c, r, i, a, j, b, plan))
            abort();                                 /* why() has found it legal */
        mark(c, plan, COVER_PLANNED, &c->planned);
        return true;
    }
    abort();
}

void cover_met(struct cover *c, const unsigned *plan)
{
    mark(c, plan, COVER_MET, &c->met);
}

bool cover_missing(const struct cover *c, FILE *out)
{
    unsigned n = 0;
    PAIRS(c, i, a, j, b) {
        if (*at(c, c->first[i] + a, c->first[j] + b) & (COVER_ILLEGAL | COVER_MET))
            continue;
        fprintf(out, "not met: %s: %s %s, %s %s\n", c->name, c->dim[i].name, c->dim[i].value[a],
                c->dim[j].name, c->dim[j].value[b]);
        n++;
    }
    return n == 0;
}

void cover_reasons(const struct cover *c, FILE *out)
{
    unsigned plan[COVER_DIMS];
    PAIRS(c, i, a, j, b) {
        of_two(c, i, a, j, b, plan);
        if (*at(c, c->first[i] + a, c->first[j] + b) & COVER_ILLEGAL)
            fprintf(out, "illegal: %s: %s %s, %s %s: %s\n", c->name, c->dim[i].name,
                    c->dim[i].value[a], c->dim[j].name, c->dim[j].value[b], c->why(c, plan));
    }
}

void cover_table(const struct cover *c, FILE *out)
{
    for (unsigned i = 0; i < c->ndims; i++)
        for (unsigned j = i + 1; j < c->ndims; j++) {
            unsigned met = 0, of = 0;
            for (unsigned a = 0; a < c->dim[i].n; a++)
                for (unsigned b = 0; b < c->dim[j].n; b++) {
                    const uint8_t p = *at(c, c->first[i] + a, c->first[j] + b);
                    of += !(p & COVER_ILLEGAL);
                    met += (p & (COVER_ILLEGAL | COVER_MET)) == COVER_MET;
                }
            fprintf(out, "%s: %s x %s: %u / %u\n", c->name, c->dim[i].name, c->dim[j].name, met,
                    of);
        }
}
