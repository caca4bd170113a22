/* Proves that warps loop forever and change nothing: each executes its loop twice.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model's repeat.c says so first, from what it kept while the grid ran.  Here the state before
 * is copied, memory included; a warp must come back to it, twice on the same way, without another
 * value in any word that it writes, without reading the clock, and without letting a lane of
 * another warp go.  Then what it does next depends on nothing but itself, and is what it did. */
#include "cmodel/base/sparse.h"
#include "harness/lockstep/deadlock.h"
#include "harness/device/device.h"
#include <stdlib.h>
#include <string.h>

enum { PREDS = 7, REGS = 255 };

/* What a warp was when its first turn began, and memory. */
struct circle {
    hd_device *d;
    uint8_t *shared, **area;             /* copies of the model's */
    struct warp_view before[LAUNCH_WARPS];
    /* of the warp that loops, its view apart; and room for what it has become */
    uint32_t state[PREDS + REGS * HD_LANES];
    uint8_t *unseen, *now;
};

/* False: no memory. */
static bool take_state(struct circle *c, unsigned slot)
{
    const struct model *m = c->d->model;
    uint32_t *to = c->state;
    for (unsigned p = 0; p < PREDS; p++)
        *to++ = model_predicate(m, slot, p);
    for (unsigned r = 0; r < REGS; r++)
        for (unsigned l = 0; l < HD_LANES; l++)
            *to++ = model_register(m, slot, r, l);
    size_t bytes = model_unseen(m, slot, NULL);
    c->unseen = malloc(2 * bytes);
    c->now = c->unseen ? c->unseen + bytes : NULL;
    return c->unseen && model_unseen(m, slot, c->unseen) == bytes;
}

/* Padding is the same, because model_view clears it.  Warps that look the same have as many
 * tokens. */
static bool is_back(const struct circle *c, unsigned slot, const struct warp_view *v)
{
    const struct model *m = c->d->model;
    const uint32_t *was = c->state;
    bool same = !memcmp(v, &c->before[slot], sizeof *v);
    for (unsigned p = 0; p < PREDS; p++)
        same = same && *was++ == model_predicate(m, slot, p);
    for (unsigned r = 0; same && r < REGS; r++)
        for (unsigned l = 0; same && l < HD_LANES; l++)
            same = *was++ == model_register(m, slot, r, l);
    return same && !memcmp(c->unseen, c->now, model_unseen(m, slot, c->now));
}

/* The bytes [addr, addr + n) of memory are as they were. */
static bool same_bytes(const struct circle *c, uint64_t addr, unsigned n)
{
    uint64_t base;
    size_t bytes;
    for (size_t i = 0; device_area(c->d, i, &base, &bytes); i++)
        if (addr >= base && addr + n <= base + bytes)
            return !memcmp(model_memory(c->d->model) + addr, c->area[i] + (addr - base), n);
    return false;                                    /* no store may write there */
}

/* What a store or an atomic left.  Local memory belongs to one lane: it is compared at the end. */
static bool wrote_nothing_new(const struct circle *c, const struct hd_commit *r)
{
    const struct launch *k = &c->d->launch;
    uint32_t base = r->slot / k->warps_block * k->shared_size;
    bool generic = r->shared_m || r->local_m;
    for (uint32_t m = r->mem >= 2 ? r->exec : 0; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        unsigned space = !generic ? r->space : r->shared_m >> l & 1 ? SPACE_SHARED
                       : r->local_m >> l & 1 ? SPACE_LOCAL : SPACE_GLOBAL;
        uint64_t at = r->addr[l];
        if (space == SPACE_SHARED
            ? memcmp(model_shared(c->d->model) + base + at, c->shared + base + at, r->size) != 0
            : space != SPACE_LOCAL && !same_bytes(c, at, r->size))
            return false;
    }
    return true;
}

static uint64_t hash(uint64_t h, const void *p, size_t n)
{
    for (const uint8_t *b = p; n--; b++)
        h = (h ^ *b) * 0x100000001b3;
    return h;
}

/* One turn of a warp, `steps` long or, if 0, until its state is back; its way as a number.  NULL:
 * it went well. */
static const char *turn(struct circle *c, unsigned slot, uint64_t most, uint64_t *steps,
                        uint64_t *way)
{
    const struct warp_view *start = &c->before[slot];
    struct warp_view v;
    struct hd_commit r;
    *way = 0xcbf29ce484222325;
    for (uint64_t n = 1; n <= most; n++) {
        if (model_step(c->d->model, slot, &r, NULL) != STEP_OK)
            return "does not go on";
        if (r.is_clock)
            return "reads the clock";
        if (!wrote_nothing_new(c, &r))
            return "changes memory";
        r.seq = r.cycle = 0;
        *way = hash(*way, &r, sizeof r);
        model_view(c->d->model, slot, &v);
        if ((*steps && n < *steps) || v.pc != start->pc || v.active != start->active)
            continue;
        if (is_back(c, slot, &v)) {
            *steps = n;
            return NULL;
        }
    }
    return "does not come back to its state";
}

static bool goes_round(struct circle *c, unsigned slot, char *why, size_t n)
{
    uint64_t steps = 0, way[2], most = model_counters(c->d->model)->warp_insns + 1;
    const char *wrong = take_state(c, slot) ? turn(c, slot, most, &steps, &way[0])
                                            : "needs too much memory to be watched";
    if (!wrong)
        wrong = turn(c, slot, steps, &steps, &way[1]);
    if (!wrong && way[0] != way[1])
        wrong = "takes another path the second time";
    free(c->unseen);
    if (wrong)
        snprintf(why, n, "warp slot %u should loop forever from PC 0x%x, but it %s", slot,
                 c->before[slot].pc, wrong);
    return !wrong;
}

/* Nothing is left of all the turns: no other warp moved, no byte changed. */
static bool untouched(const struct circle *c, unsigned slots, char *why, size_t n)
{
    struct warp_view v;
    uint64_t addr;
    size_t bytes;
    for (unsigned s = 0; s < slots; s++) {
        model_view(c->d->model, s, &v);
        if (memcmp(&v, &c->before[s], sizeof v)) {
            snprintf(why, n, "warps should loop forever by themselves, but warp slot %u changed",
                     s);
            return false;
        }
    }
    bool same = !memcmp(c->shared, model_shared(c->d->model), c->d->limits.shared_bytes);
    for (size_t i = 0; same && device_area(c->d, i, &addr, &bytes); i++)
        same = sparse_differs(c->area[i], model_memory(c->d->model) + addr, bytes) == bytes;
    if (!same)
        snprintf(why, n, "warps should loop forever and change nothing, but memory changed");
    return same;
}

static size_t areas(const hd_device *d)
{
    uint64_t addr;
    size_t bytes, n = 0;
    while (device_area(d, n, &addr, &bytes))
        n++;
    return n;
}

static bool copy(struct circle *c)
{
    uint64_t addr;
    size_t bytes;
    c->shared = malloc(c->d->limits.shared_bytes);
    c->area = calloc(areas(c->d) + 1, sizeof *c->area);
    bool ok = c->shared && c->area;
    for (size_t i = 0; ok && device_area(c->d, i, &addr, &bytes); i++) {
        c->area[i] = calloc(bytes + 1, 1);
        if ((ok = c->area[i] != NULL))
            sparse_copy(c->area[i], model_memory(c->d->model) + addr, bytes);
    }
    if (ok)
        memcpy(c->shared, model_shared(c->d->model), c->d->limits.shared_bytes);
    return ok;
}

static void drop(struct circle *c)
{
    for (size_t i = 0, n = areas(c->d); c->area && i < n; i++)
        free(c->area[i]);
    free(c->area);
    free(c->shared);
}

bool deadlock_circles(hd_device *d, char *why, size_t n)
{
    struct circle c = { .d = d };
    unsigned slots = d->launch.block_slots * d->launch.warps_block, ran = 0;
    bool ok = copy(&c);
    if (!ok)
        snprintf(why, n, "no memory to prove the deadlock");
    for (unsigned s = 0; s < slots; s++)
        model_view(d->model, s, &c.before[s]);
    for (unsigned s = 0; ok && s < slots; s++)
        if (c.before[s].used && c.before[s].runs) {
            ran++;
            ok = goes_round(&c, s, why, n);
        }
    if (ok && !ran) {
        snprintf(why, n, "warps were to go round for ever, but none runs");
        ok = false;
    }
    ok = ok && untouched(&c, slots, why, n);
    drop(&c);
    return ok;
}
