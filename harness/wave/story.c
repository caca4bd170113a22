/* Follows a launch and writes the rows.  SPDX-License-Identifier: Apache-2.0 */
#include "harness/wave/rows.h"
#include "cmodel/isa/isa.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct warp_story { struct lanes lanes; struct warp_rows rows; };

struct story {
    /* the model's lanes: only once they have parted */
    struct warp_story rtl[LAUNCH_WARPS], model[LAUNCH_WARPS];
    uint32_t changed, model_changed;     /* since the last cycle written: warp slots */
    uint32_t spoke;                      /* whose row `event' is not empty */
    unsigned events[LAUNCH_WARPS];       /* of the commits in this cycle */
    struct block_rows blocks[LAUNCH_WARPS];
    struct unit_rows units;
    struct row differs;
    char difference[240];
    bool parted;
    struct places places;
    const struct model *golden;
    unsigned slots, warps_block;
    uint32_t threads, entry, code_base;
    bool stack_mode, rows_only, fresh;       /* fresh: the window has just been opened */
};

struct story *story_new(void) { return calloc(1, sizeof(struct story)); }

static void forget(struct story *s)
{
    for (unsigned i = 0; i < LAUNCH_WARPS; i++) {
        lanes_free(&s->rtl[i].lanes);
        lanes_free(&s->model[i].lanes);
    }
    places_free(&s->places);
}

void story_free(struct story *s)
{
    if (s)
        forget(s);
    free(s);
}

/* ---- what a cycle shows ---- */

/* The window is open: every row has a value from its first cycle on. */
static void begin(void *user, struct rtl *r)
{
    struct story *s = user;
    struct rtl_inside in;
    bool inside = r->calls->inside(r->core, &in);
    const struct fst_out *f = &r->wave_out;
    s->rows_only = r->wave_rows;
    f->scope(f->ctx, "heddle");
    for (unsigned i = 0; i < s->slots; i++)
        warp_rows_new(f, &s->rtl[i].rows, i, s->stack_mode, false);
    for (unsigned i = 0; i * s->warps_block < s->slots; i++)
        block_rows_new(f, &s->blocks[i], i);
    unit_rows_new(f, &s->units, inside);
    if (s->golden) {
        f->scope(f->ctx, "model");
        for (unsigned i = 0; i < s->slots; i++)
            warp_rows_new(f, &s->model[i].rows, i, s->stack_mode, true);
        f->scope(f->ctx, NULL);
        s->differs = row_new_text(f, "difference");
    }
    f->scope(f->ctx, NULL);
    s->changed = s->model_changed = s->spoke = UINT32_MAX;
    s->fresh = true;
}

/* Of the block slots in which a warp has changed. */
static void write_blocks(struct story *s, const struct fst_out *f)
{
    const struct lanes *warp[LAUNCH_WARPS];
    for (unsigned i = 0, first = 0; first < s->slots; i++, first += s->warps_block) {
        unsigned n = s->slots - first < s->warps_block ? s->slots - first : s->warps_block;
        bool changed = false;
        for (unsigned w = 0; w < n; w++) {
            warp[w] = &s->rtl[first + w].lanes;
            changed |= s->changed >> (first + w) & 1;
        }
        if (changed)
            block_rows_write(f, &s->blocks[i], warp, first, n, s->parted ? NULL : s->golden);
    }
}

static void write_warps(struct story *s, const struct fst_out *f)
{
    if (s->changed)
        write_blocks(s, f);
    for (uint32_t m = s->changed | s->spoke; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctz(m);
        if (i >= s->slots)
            break;
        unsigned events = s->events[i];
        s->events[i] = 0;
        if (!(s->changed >> i & 1) && !events)
            continue;                              /* an event stays until the warp's next commit */
        warp_rows_write(f, &s->rtl[i].rows, &s->rtl[i].lanes, &s->places);
        warp_rows_events(f, &s->rtl[i].rows, &s->rtl[i].lanes, events);
        s->spoke = events ? s->spoke | 1u << i : s->spoke & ~(1u << i);
    }
    s->changed = 0;
    /* The model's rows double the file: where it is quick, it has them from a difference on. */
    for (uint32_t m = s->golden && (!s->rows_only || s->parted) ? s->model_changed : 0; m;
         m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctz(m);
        if (i >= s->slots)
            break;
        warp_rows_write(f, &s->model[i].rows, s->parted ? &s->model[i].lanes : &s->rtl[i].lanes,
                        &s->places);
        s->model_changed &= ~(1u << i);
    }
}

/* Why warps wait: the core with tracing knows; else of the warps that have changed, what commits
 * and reads of code tell. */
static void write_reasons(struct story *s, const struct fst_out *f, struct rtl *r, uint32_t changed)
{
    struct rtl_inside in;
    if (s->units.inside && r->calls->inside(r->core, &in)) {
        unit_rows_write(f, &s->units, &in, &s->places);
        for (unsigned i = 0; i < s->slots; i++)
            warp_rows_why(f, &s->rtl[i].rows, &s->rtl[i].lanes, i, &in);
        return;
    }
    for (uint32_t m = s->units.code_moves ? UINT32_MAX : changed; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctz(m);
        if (i >= s->slots)
            break;
        const struct lanes *w = &s->rtl[i].lanes;
        warp_rows_waits(f, &s->rtl[i].rows, w, &s->places,
                        unit_rows_fetch(&s->units, s->code_base + lanes_pc(w)));
    }
}

static void write_cycle(void *user, struct rtl *r, uint64_t cycle)
{
    struct story *s = user;
    const struct fst_out *f = &r->wave_out;
    const uint32_t changed = s->changed;
    if (s->rows_only)
        f->time(f->ctx, cycle);
    if (s->fresh)
        unit_rows_under_way(f, &s->units, r->mem);
    s->fresh = false;
    write_warps(s, f);
    unit_rows_memory(f, &s->units, &r->p.mem);
    write_reasons(s, f, r, changed);
    row_text(f, &s->differs, s->parted, s->difference);
}

/* ---- what happens ---- */

void story_begin(struct story *s, struct rtl *r, const struct hd_image *img, const struct launch *l,
                 unsigned warps, const struct model *model)
{
    forget(s);
    *s = (struct story){ .golden = model,
                         .warps_block = l->warps_block,
                         .threads = l->threads,
                         .entry = l->entry,
                         .code_base = l->code_base,
                         .stack_mode = l->mode };
    places_begin(&s->places, img);
    uint64_t used = launch_blocks(l) < l->block_slots ? launch_blocks(l) * l->warps_block
                                                      : (uint64_t)l->block_slots * l->warps_block;
    s->slots = used < warps ? (unsigned)used : warps;
    r->beside_begin = begin;
    r->beside_cycle = write_cycle;
    r->beside_user = s;
}

void story_place(struct story *s, unsigned block_slot, uint32_t block)
{
    for (unsigned w = 0; w < s->warps_block; w++) {
        unsigned slot = block_slot * s->warps_block + w, left = s->threads - w * HD_LANES;
        uint32_t live = left >= HD_LANES ? UINT32_MAX : (1u << left) - 1;
        if (slot >= s->slots)
            return;
        lanes_start(&s->rtl[slot].lanes, block, w, live, s->entry);
        if (s->parted)
            lanes_start(&s->model[slot].lanes, block, w, live, s->entry);
        s->changed |= 1u << slot;
        s->model_changed |= 1u << slot;
    }
}

/* A block barrier that c has completed releases lanes of other warps, of which no commit tells. */
static void release_others(struct story *s, const struct hd_commit *c)
{
    struct hd_word word;
    struct hd_insn in;
    memcpy(word.w, c->insn, sizeof word.w);
    if (!hd_decode(&word, s->stack_mode, &in) || (in.op != OP_EXIT && in.op != OP_BAR))
        return;
    for (unsigned i = 0; i < s->slots; i++) {
        struct lanes *w = &s->rtl[i].lanes;
        struct warp_view v;
        bool waits = false;
        if (i == c->slot || !w->used || w->block != c->block)
            continue;
        for (unsigned l = 0; l < HD_LANES; l++)
            waits |= (w->wait[l] & 0x30) == HD_WAIT_BLOCK && (w->live >> l & 1);
        if (!waits)
            continue;
        model_view(s->golden, i, &v);
        if (v.active == w->active && !memcmp(v.wait, w->wait, sizeof w->wait))
            continue;                                /* it has not been released */
        lanes_view(w, v.active, v.npc, v.wait);
        s->changed |= 1u << i;
        s->model_changed |= 1u << i;
    }
}

/* From here on the model has lanes of its own. */
static void part(struct story *s)
{
    for (unsigned i = 0; i < s->slots && !s->parted; i++)
        lanes_copy(&s->model[i].lanes, &s->rtl[i].lanes);
    s->parted = true;
}

void story_commit(struct story *s, const struct hd_commit *rtl, const struct hd_commit *model,
                  bool equal)
{
    if (rtl->slot >= s->slots)
        return;
    if (!equal)
        part(s);
    s->events[rtl->slot] |= lanes_commit(&s->rtl[rtl->slot].lanes, rtl);
    s->changed |= 1u << rtl->slot;
    s->model_changed |= 1u << rtl->slot;
    if (model && s->parted)
        lanes_commit(&s->model[rtl->slot].lanes, model);
    else if (model)
        release_others(s, model);
}

void story_differs(struct story *s, const char *what, int slot)
{
    if (s->difference[0])
        return;
    part(s);
    if (slot >= 0)
        snprintf(s->difference, sizeof s->difference, "w%02d: %s", slot, what);
    else
        snprintf(s->difference, sizeof s->difference, "%s", what);
}
