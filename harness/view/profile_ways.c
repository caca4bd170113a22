/* Where lanes left a loop in which others go on: what pays for their lost slots.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two lanes part at one branch of a loop, and later one of them leaves it at another, where its
 * whole group leaves: nothing parts there, and yet it is there that it goes away from the lane that
 * stays.  So the slots that it loses while the other runs in the loop, or in a function that the
 * loop calls, belong to that exit.
 *
 * Which instructions are a loop is known once all have run.  Until then, slots are counted by where
 * the lanes parted, which ways the lost one took since, and where the other one is. */
#include "harness/view/profile_ways.h"
#include <stdlib.h>
#include <string.h>

/* Kinds of ways that are kept apart; slots of more kinds stay where lanes parted. */
enum { MOST = 1 << 16 };

/* Where lanes parted, and the ways that one took since, the latest first. */
struct ways { uint32_t parted, n; struct profile_step step[PROF_STEPS]; };
struct kept { uint32_t ways, runs; uint64_t lost[LOST_COUNT]; };
struct index { uint32_t *slot; size_t n, room; }; /* hash: index + 1 */
struct profile_ways {
    struct ways *ways; struct index of_ways;
    struct kept *kept; struct index of_kept;
};

struct profile_ways *profile_ways_new(void) { return calloc(1, sizeof(struct profile_ways)); }
void profile_ways_free(struct profile_ways *w)
{
    if (!w)
        return;
    free(w->ways);
    free(w->of_ways.slot);
    free(w->kept);
    free(w->of_kept.slot);
    free(w);
}

bool profile_way_knows(const struct profile_way *w, uint32_t from)
{
    unsigned i = 0;
    while (i < w->n && w->step[i].from != from)
        i++;
    return i < w->n;
}

void profile_way_took(struct profile_way *w, uint32_t from, uint32_t to, uint64_t when)
{
    unsigned i = 0;
    while (i + 1 < PROF_STEPS && i < w->n && w->step[i].from != from)
        i++;
    if (i == w->n)
        w->n++;
    memmove(w->step + 1, w->step, i * sizeof *w->step);
    memmove(w->when + 1, w->when, i * sizeof *w->when);
    w->step[0] = (struct profile_step){ from, to };
    w->when[0] = when;
}

void profile_call(struct profile_calls *c, uint32_t from)
{
    if (c->depth < PROF_CALLS)
        c->from[c->depth] = from;
    c->depth++;
}

void profile_return(struct profile_calls *c) { c->depth -= c->depth > 0; }

uint32_t profile_calls_at(const struct profile_calls *c, unsigned depth, uint32_t pc)
{
    return depth < c->depth && depth < PROF_CALLS ? c->from[depth] : pc;
}

/* ---- what is counted ------------------------------------------------------------------------- */

static uint32_t hash(const void *at, size_t n)
{
    const uint32_t *word = at;
    uint64_t h = 0x9e3779b97f4a7c15;
    for (size_t i = 0; i < n / sizeof *word; i++)
        h = (h ^ word[i]) * 0xff51afd7ed558ccd, h ^= h >> 32;
    return (uint32_t)h;
}

/* Makes room for one more, in the table and in its hash.  False: no memory. */
static bool more(struct index *x, void **table, size_t bytes, size_t key)
{
    if (2 * (x->n + 1) <= x->room)
        return true;
    const size_t room = x->room ? 2 * x->room : 64;
    void *big = realloc(*table, room / 2 * bytes);
    if (big)
        *table = big;
    uint32_t *slot = big ? calloc(room, sizeof *slot) : NULL;
    if (!slot)
        return false;
    for (size_t i = 0; i < x->n; i++) {
        size_t at = hash((char *)big + i * bytes, key) & (room - 1);
        while (slot[at])
            at = (at + 1) & (room - 1);
        slot[at] = (uint32_t)i + 1;
    }
    free(x->slot);
    x->slot = slot;
    x->room = room;
    return true;
}

/* The index of the entry whose first bytes are the key's; a new one where there is none.  -1: no
 * memory. */
static int find(struct index *x, void **table, size_t bytes, const void *entry, size_t key)
{
    if (!more(x, table, bytes, key))
        return -1;
    size_t at = hash(entry, key) & (x->room - 1);
    for (; x->slot[at]; at = (at + 1) & (x->room - 1))
        if (!memcmp((char *)*table + (x->slot[at] - 1) * bytes, entry, key))
            return (int)x->slot[at] - 1;
    memcpy((char *)*table + x->n * bytes, entry, bytes);
    x->slot[at] = (uint32_t)++x->n;
    return (int)x->n - 1;
}

int profile_ways_since(struct profile_ways *w, uint32_t parted, const struct profile_way *lane,
                       uint64_t since)
{
    struct ways k = { .parted = parted };
    while (k.n < lane->n && lane->when[k.n] >= since) {
        k.step[k.n] = lane->step[k.n];
        k.n++;
    }
    if (!k.n || (k.n == 1 && k.step[0].from == parted))
        return PROF_WAYS_NONE;
    if (w->of_ways.n == MOST)
        return PROF_WAYS_NONE;
    void *table = w->ways;
    const int i = find(&w->of_ways, &table, sizeof k, &k, sizeof k);
    w->ways = table;
    return i;
}

bool profile_ways_lost(struct profile_ways *w, int ways, uint32_t runs, enum profile_lost why)
{
    const struct kept k = { .ways = (uint32_t)ways, .runs = runs };
    void *table = w->kept;
    const int i = find(&w->of_kept, &table, sizeof k, &k, 2 * sizeof(uint32_t));
    w->kept = table;
    if (i >= 0)
        w->kept[i].lost[why]++;
    return i >= 0;
}

/* ---- what pays for it ------------------------------------------------------------------------ */

/* The way out of this loop, if the lane's last way from an instruction of it led out, or to a
 * function where it exited; NULL. */
static const struct profile_step *left(const struct profile_bodies *b, size_t loop,
                                       const struct ways *w)
{
    unsigned i = 0;
    while (i < w->n && !profile_in_loop(b, loop, w->step[i].from))
        i++;
    if (i == w->n || w->step[i].to == PROF_UNKNOWN)
        return NULL;
    if (!profile_in_loop(b, loop, w->step[i].to))
        return &w->step[i];
    return w->step[0].to == PROF_GONE ? &w->step[0] : NULL;
}

/* The outermost loop counts in which they parted, the other runs, and which the lane has left. */
static uint32_t payer(const struct profile_bodies *b, const struct ways *w, uint32_t runs)
{
    uint32_t pays = w->parted;
    size_t most = 0;
    for (size_t l = 0; l < b->nloops; l++) {
        const struct profile_step *out = left(b, l, w);
        if (out && b->size[l] > most && profile_in_loop(b, l, w->parted) &&
            profile_in_loop(b, l, runs)) {
            most = b->size[l];
            pays = out->from;
        }
    }
    return pays;
}

void profile_ways_charge(const struct profile_ways *w, const struct profile *p,
                         struct profile_sums *s, const struct profile_bodies *b)
{
    for (size_t i = 0; i < w->of_kept.n; i++) {
        const struct kept *k = &w->kept[i];
        struct profile_branch *x =
            profile_sums_branch(p, s, payer(b, &w->ways[k->ways], k->runs));
        for (unsigned c = 0; c < LOST_COUNT; c++) {
            x->lost[c] += k->lost[c];
            x->lost_all += k->lost[c];
        }
    }
}
