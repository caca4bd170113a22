/* The rows of a warp slot: where it runs, its lanes, barrier registers and stack, and why it issues
 * nothing.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/wave/rows.h"
#include "cmodel/isa/isa.h"
#include "cmodel/isa/waits.h"
#include <stdio.h>
#include <string.h>

static struct row numbered(const struct fst_out *f, const char *form, unsigned i)
{
    char name[32];
    snprintf(name, sizeof name, form, i);
    return row_new_text(f, name);
}

static void barrier_rows(const struct fst_out *f, struct warp_rows *r)
{
    for (unsigned b = 0; b < HD_BARRIERS; b++) {
        char name[32];
        snprintf(name, sizeof name, "B%u", b);
        r->barrier[b] = row_new_bits(f, name, HD_LANES);
        snprintf(name, sizeof name, "B%u_arrived", b);
        r->arrived[b] = row_new_bits(f, name, HD_LANES);
    }
}

void warp_rows_new(const struct fst_out *f, struct warp_rows *r, unsigned slot, bool stack_mode,
                   bool model)
{
    char name[32];
    *r = (struct warp_rows){ 0 };
    snprintf(name, sizeof name, "w%02u", slot);
    f->scope(f->ctx, name);
    if (!model) {
        r->where = row_new_text(f, "warp");
        r->event = row_new_text(f, "event");
        r->why = row_new_text(f, "why");
    }
    r->pc = row_new_text(f, "pc");
    r->line = row_new_text(f, "line");
    r->retired = row_new_text(f, "retired");
    r->groups = row_new_text(f, "groups");
    r->active = row_new_bits(f, "active", HD_LANES);
    r->exec = row_new_bits(f, "exec", HD_LANES);
    r->live = row_new_bits(f, "live", HD_LANES);
    for (unsigned l = 0; l < HD_LANES; l++) {
        r->lane[l] = numbered(f, "lane%02u", l);
        r->group[l] = numbered(f, "lane%02u_group", l);
    }
    if (stack_mode) {
        r->depth = row_new_bits(f, "depth", 16);
        r->spilled = row_new_bits(f, "spilled", 16);
        for (unsigned i = 0; i < TOKENS; i++)
            r->token[i] = numbered(f, "token%02u", i);
    } else
        barrier_rows(f, r);
    f->scope(f->ctx, NULL);
}

/* ---- writing ---- */

/* Each group: its letter, its lanes, what they do, and on which line. */
static void write_groups(const struct fst_out *f, struct row *r, const struct lanes *w,
                         const struct places *p)
{
    char text[640] = "", state[LANES_STATE];
    uint32_t done = 0;
    size_t at = 0;
    for (unsigned l = 0; l < HD_LANES && at < sizeof text; l++) {
        uint32_t group = 0;
        if (!((w->live & ~done) >> l & 1))
            continue;
        for (unsigned k = l; k < HD_LANES; k++)
            group |= (uint32_t)(w->group[k] == w->group[l]) << k;
        done |= group;
        lanes_state(w, l, state);
        unsigned line = wait_in_token(w->wait[l]) ? 0 : place_line(p, w->npc[l]);
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%c %08x %s", at ? ", " : "",
                               w->group[l], group, state[0] ? state : "ready");
        if (line && at < sizeof text)
            at += (size_t)snprintf(text + at, sizeof text - at, " :%u", line);
    }
    row_text(f, r, row_hash(text), text);
}

static void write_lanes(const struct fst_out *f, struct warp_rows *r, const struct lanes *w)
{
    for (unsigned l = 0; l < HD_LANES; l++) {
        char text[LANES_STATE];
        uint64_t key = !w->started ? UINT64_MAX : w->live >> l & 1 ? w->wait[l] : HD_WAIT_EXITED;
        if (row_stale(&r->lane[l], key)) {
            lanes_state(w, l, text);
            row_text(f, &r->lane[l], key, w->started ? text : "");
        }
        text[0] = w->group[l];
        text[1] = 0;
        row_text(f, &r->group[l], (uint8_t)text[0], text);
    }
}

static void write_stack(const struct fst_out *f, struct warp_rows *r, const struct lanes *w)
{
    static const char *const kind[4] = { "?", "SYNC", "DIV", "CALL" };
    row_bits(f, &r->depth, 16, w->depth);
    row_bits(f, &r->spilled, 16, w->spilled);
    for (unsigned i = 0; i < TOKENS; i++) {
        char text[64] = "";
        if (i < w->depth) {
            const struct hd_token *t = &w->token[w->depth - 1 - i];
            snprintf(text, sizeof text, "%s%s 0x%04x %08x",
                     w->depth - 1 - i < w->spilled ? "SPILLED " : "", kind[t->pc_kind & 3],
                     t->pc_kind & ~3u, t->mask);
        }
        row_text(f, &r->token[i], row_hash(text), text);
    }
}

void warp_rows_write(const struct fst_out *f, struct warp_rows *r, const struct lanes *w,
                     struct places *p)
{
    uint64_t where = w->used ? (uint64_t)w->block << 16 | w->warp : UINT64_MAX;
    uint32_t pc = lanes_pc(w);
    char text[48] = "";
    if (row_stale(&r->where, where) && w->used)
        snprintf(text, sizeof text, "block %u, warp %u", w->block, w->warp);
    row_text(f, &r->where, where, text);
    if (row_stale(&r->pc, pc)) {
        char line[200];
        row_text(f, &r->pc, pc, place_text(p, pc));
        place_source(p, pc, line, sizeof line);
        row_text(f, &r->line, row_hash(line), line);
    }
    if (row_stale(&r->retired, w->pc))
        row_text(f, &r->retired, w->pc, place_text(p, w->pc));
    row_bits(f, &r->active, HD_LANES, w->active);
    row_bits(f, &r->exec, HD_LANES, w->exec);
    row_bits(f, &r->live, HD_LANES, w->live);
    write_groups(f, &r->groups, w, p);
    write_lanes(f, r, w);
    if (r->depth.var)
        write_stack(f, r, w);
    uint32_t arrived[HD_BARRIERS] = { 0 };
    for (uint32_t m = w->live; m; m &= m - 1) {
        unsigned wait = w->wait[__builtin_ctz(m)];
        if ((wait & 0x30) == HD_WAIT_BARRIER)
            arrived[wait & 15] |= m & -m;
    }
    for (unsigned b = 0; b < HD_BARRIERS; b++) {
        row_bits(f, &r->barrier[b], HD_LANES, w->barrier[b]);
        row_bits(f, &r->arrived[b], HD_LANES, arrived[b]);
    }
}

void warp_rows_events(const struct fst_out *f, struct warp_rows *r, const struct lanes *w,
                      unsigned events)
{
    char text[400] = "";
    if (events)
        lanes_event_text(w, events, text, sizeof text);
    row_text(f, &r->event, row_hash(text), text);
}

/* ---- why it waits ---- */

static const char *no_lane(const struct lanes *w)
{
    for (uint32_t m = w->live; m; m &= m - 1)
        if ((w->wait[__builtin_ctz(m)] & 0x30) == HD_WAIT_BLOCK)
            return "block barrier";
    return "no lane";
}

static void write_why(const struct fst_out *f, struct warp_rows *r, const char *why)
{
    row_text(f, &r->why, (uintptr_t)why, why);   /* a literal: its address is as good as its text */
}

void warp_rows_waits(const struct fst_out *f, struct warp_rows *r, const struct lanes *w,
                     const struct places *p, bool fetched)
{
    unsigned unit = place_unit(p, lanes_pc(w));
    write_why(f, r,
              !w->used           ? ""
              : !w->active       ? no_lane(w)
              : fetched          ? "fetch: line"
              : unit == UNIT_LSU ? "memory"
              : unit == UNIT_CTL ? "convergence unit"
                                 : "pipeline");
}

/* The next instruction is in the buffer, or it is not; in the order in which the core looks. */
static const char *reason(const struct lanes *w, unsigned slot, const struct rtl_inside *in)
{
    const struct hd_issue *i = &in->issue;
    uint32_t me = 1u << slot;
    if (!w->used)
        return "";
    if (i->issues && i->slot == slot)
        return "running";
    if (i->memory & me)
        return "memory";
    if (!(i->buffered & me)) {
        if (i->fetching & me)
            return in->missed & me ? "fetch: line" : "fetch";
        return w->active ? "convergence unit" : no_lane(w);
    }
    if (i->filling & me)
        return "stack fill";
    if (in->held)
        return "held: all drain";
    if (i->ready_lsu & me)
        return i->port_free && !i->lsu_free ? "memory: LSU taken" : "port taken";
    if (i->ready_conv & me)
        return i->port_free && !i->conv_free ? "convergence unit: queue" : "port taken";
    return i->ready_other & me ? "port taken" : "scoreboard";
}

void warp_rows_why(const struct fst_out *f, struct warp_rows *r, const struct lanes *w,
                   unsigned slot, const struct rtl_inside *in)
{
    write_why(f, r, reason(w, slot, in));
}
