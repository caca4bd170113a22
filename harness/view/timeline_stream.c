/* Reads a stream of warp events (docs/stream.md), of any core, as the commits that the views take.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A stream says how lanes move, a record where they are.  So an instruction's record is made when
 * its warp's next one issues, or when lanes of it wake after another warp has issued: those are
 * that warp's doing, and come too late for the record. */
#include "harness/view/source_lines.h"
#include "harness/view/timeline.h"
#include "cmodel/image/asm.h"
#include "stream/stream.h"
#include <stdlib.h>
#include <string.h>

struct slot {
    uint32_t block, index, pc[VIEW_LANES];
    uint64_t live, run;
    uint8_t wait[VIEW_LANES];
    bool pending;                        /* a record is open */
    uint32_t depth;                      /* tokens that are open */
    uint64_t issued;                     /* as a number among all issues */
    struct view_commit c;
};
struct source {
    const char *path;
    const struct hs_header *h;
    struct hs_event e;
    bool lined;                          /* an instruction has a source line */
    bool ours;                           /* our own instruction set, whose words can be read */
    uint32_t step;
    uint64_t issues, runs;
    struct slot slot[VIEW_SLOTS];
    struct timeline_page *p;
    size_t room;
    timeline_take *take;
    void *user;
    struct hd_err *err;
};

/* The instruction, if it is new. */
static bool learn(struct source *s, uint32_t pc, const uint32_t word[4])
{
    struct timeline_insn *x = timeline_learn(s->p, &s->room, pc);
    if (!x || x->text)
        return x;
    char text[160] = "";
    struct hd_word w;
    memcpy(w.w, word, sizeof w.w);
    if (s->ours)
        hd_dis_insn(text, sizeof text, &w, NULL, NULL);
    else
        for (unsigned k = 0; k < s->h->word_bytes; k++)
            snprintf(text + 2 * k, 3, "%02x", s->e.word[s->h->word_bytes - 1 - k]);
    const char *file = "";
    if (s->p->lines && source_line_at(s->p->lines, pc, &file, &x->line))
        s->lined = true;
    x->text = strdup(text);
    x->file = strdup(file);
    x->function = strdup("");
    return x->text && x->file && x->function;
}

/* The open record, as the warp is now. */
static bool end_record(struct source *s, struct slot *t)
{
    if (!t->pending)
        return true;
    t->pending = false;
    struct view_commit *c = &t->c;
    c->live = t->live;
    c->next_active = c->fault ? 0 : t->run;
    for (unsigned l = 0; l < s->h->lanes; l++) {
        c->npc[l] = t->live >> l & 1 ? t->pc[l] : 0;
        c->wait[l] = !(t->live >> l & 1) ? HD_WAIT_EXITED
                   : t->run >> l & 1     ? HD_WAIT_NONE
                                         : t->wait[l];
    }
    return s->take(s->user, c) || (hd_err_set(s->err, 4, "out of memory"), false);
}

static bool issue(struct source *s, struct slot *t)
{
    const struct hs_event *e = &s->e;
    if (!end_record(s, t))
        return false;
    t->issued = ++s->issues;
    t->pending = true;
    t->c = (struct view_commit){ .cycle = e->cycle,
                                 .block = t->block,
                                 .warp = t->index,
                                 .slot = e->warp,
                                 .pc = (uint32_t)e->pc,
                                 .lanes = s->h->lanes,
                                 .foreign = !s->ours,
                                 .next = s->step ? (uint32_t)e->pc + s->step : 0,
                                 .active = e->active,
                                 .exec = e->exec };
    if (s->ours)
        memcpy(t->c.insn, e->word, sizeof t->c.insn);
    for (unsigned l = 0; l < s->h->lanes; l++)
        if (t->run >> l & 1)
            t->pc[l] = (uint32_t)(e->pc + s->step);
    return learn(s, t->c.pc, t->c.insn) || (hd_err_set(s->err, 4, "out of memory"), false);
}

static void put_lanes(struct slot *t, const struct hs_event *e, bool live, bool run, uint8_t wait)
{
    const uint64_t m = e->mask;
    t->live = live ? t->live | m : t->live & ~m;
    t->run = run ? t->run | m : t->run & ~m;
    for (unsigned l = 0; live && l < VIEW_LANES; l++)
        if (m >> l & 1) {
            t->pc[l] = (uint32_t)e->pc;
            t->wait[l] = wait;
        }
}

/* A view knows a warp by its block and its number there. */
static bool alone(struct source *s, const struct slot *t)
{
    for (unsigned k = 0; k < s->h->warps; k++) {
        const struct slot *o = &s->slot[k];
        if (o != t && o->live && o->block == t->block && o->index == t->index) {
            hd_err_set(s->err, 2,
                       "%s: warps %u and %u are both warp %u of block %u: a view needs `block' and "
                       "`index' of `start' to tell warps apart",
                       s->path, k, (unsigned)(t - s->slot), t->index, t->block);
            return false;
        }
    }
    return true;
}

static bool add(struct source *s)
{
    const struct hs_event *e = &s->e;
    struct slot *t = &s->slot[e->warp];
    /* why lanes wait: of our own core that is what `wait' of its record holds */
    const uint8_t why = s->ours && e->why < 256 ? (uint8_t)e->why : HD_WAIT_STACK;
    const bool wakes = e->kind == HS_K_wake || e->kind == HS_K_move || e->kind == HS_START;
    if (wakes && t->issued != s->issues && !end_record(s, t))
        return false;
    switch (e->kind) {
    case HS_RUN:
        if (s->runs++)
            hd_err_set(s->err, 2, "%s: it holds several runs: a view shows one", s->path);
        return !s->err->status;
    case HS_START:
        if (!t->live) {
            if (!end_record(s, t))
                return false;
            t->block = (uint32_t)e->block;
            t->index = (uint32_t)e->index;
            if (!alone(s, t))
                return false;
        }
        put_lanes(t, e, true, true, 0);
        return true;
    case HS_ISSUE: return issue(s, t);
    case HS_K_next: put_lanes(t, e, true, true, 0); return true;
    case HS_K_end: put_lanes(t, e, false, false, 0); return true;
    case HS_K_park: case HS_K_move: put_lanes(t, e, true, false, why); return true;
    case HS_K_open: case HS_K_close:
        t->depth += e->kind == HS_K_open ? 1 : t->depth ? -1u : 0;
        t->c.pushed += e->kind == HS_K_open;
        t->c.popped += e->kind == HS_K_close;
        t->c.depth = t->depth;
        return true;
    case HS_K_wake:
        /* where tokens are opened and closed, lanes come back from them, and nothing is let go */
        t->c.released |= t->pending && !*s->h->place[HS_K_open] ? e->mask : 0;
        put_lanes(t, e, true, true, 0);
        return true;
    case HS_K_fault:
        t->c.fault = (uint8_t)(e->why && e->why < 256 ? e->why : 1);
        return true;
    default: return true;
    }
}

/* What a view cannot do without. */
static bool fits(struct source *s)
{
    static const unsigned needed[] = { HS_START,  HS_ISSUE,  HS_K_next,
                                       HS_K_park, HS_K_wake, HS_K_end };
    const struct hs_header *h = s->h;
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
        if (!*h->place[needed[k]])
            hd_err_set(s->err, 2, "%s: its core does not report `%s', which a view needs", s->path,
                       hs_kind_name(needed[k]));
    return !s->err->status;
}

/* Programs lie anywhere in 32 bits of addresses; tables by PC begin where the first instruction's
 * part of them does. */
enum { PC_MOST = 1 << 23 };              /* as of a log */
static bool holds(struct source *s)
{
    if (!s->issues)
        s->p->base = (uint32_t)s->e.pc & ~(PC_MOST - 1u);
    return s->e.pc <= UINT32_MAX && (uint32_t)s->e.pc - s->p->base < PC_MOST &&
           s->e.pc % timeline_step(s->p) == 0;
}

static void read_all(struct source *s, struct hs_reader *r)
{
    char why[HS_ERROR];
    int got;
    while ((got = hs_read(r, &s->e, why)) > 0) {
        if (s->e.kind == HS_ISSUE && !holds(s))
            hd_err_set(s->err, 2,
                       "%s: event %llu: no instruction can lie at %llx: a view shows %u MiB from "
                       "%x on",
                       s->path, (unsigned long long)hs_events_read(r), (unsigned long long)s->e.pc,
                       PC_MOST >> 20, s->p->base);
        if (s->err->status || !add(s))
            return;
    }
    if (got < 0 || !hs_ends(r, why))
        hd_err_set(s->err, 2, "%s: %s", s->path, why);
    for (unsigned k = 0; k < s->h->warps && !s->err->status; k++)
        end_record(s, &s->slot[k]);
}

bool timeline_stream(FILE *in, const char *path, struct timeline_page *p, timeline_take *take,
                     void *user, struct hd_err *err)
{
    struct source *s = calloc(1, sizeof *s);
    char why[HS_ERROR];
    struct hs_reader *r = s ? hs_open(in, why) : NULL;
    if (!s)
        hd_err_set(err, 4, "out of memory");
    else if (!r)
        hd_err_set(err, 2, "%s: %s", path, why);
    if (r) {
        *s = (struct source){ .path = path, .h = hs_header_of(r), .p = p, .take = take,
                              .user = user, .err = err };
        s->ours = !strcmp(s->h->isa, "heddle") && s->h->word_bytes == HD_INSN_BYTES;
        if (fits(s)) {
            s->step = s->h->step;
            p->step = s->step & (s->step - 1) || !s->step ? 1 : s->step;
            p->lanes = s->h->lanes;
            read_all(s, r);
        }
        if (!err->status && p->lines && p->ninsns && !s->lined)
            hd_err_set(err, 2, "%s: none of its PCs, as %x, has a source line in the ELF: is that "
                       "its program, and linked to where it runs?",
                       path, p->insn[0].pc);
        if (!err->status && !p->ninsns)
            hd_err_set(err, 2, "%s: no instruction in it", path);
    }
    timeline_sort(p);
    hs_close(r);
    free(s);
    return !err->status;
}
