/* Konata's log of a pipeline: each instruction of a warp with its stages, which are the causes of a
 * profile.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The log wants every event in the order of cycles, so all are kept and sorted at the end.  A block
 * barrier's wait belongs to an instruction that has retired, so one is done when the warp's next
 * has retired, too. */
#include "harness/view/export.h"
#include "cmodel/machine/launch.h"
#include <stdlib.h>
#include <string.h>

typedef unsigned long long u64;
enum {
    OUT = 64,
    STAGES = 12
}; /* instructions of a warp on their way; stages of one: others are left out */

struct stage {
    uint64_t from, to;
    enum profile_cycle why;
};
struct insn {
    bool known; /* it has retired */
    uint64_t retired;
    uint32_t block, warp, slot, pc, active, exec;
    unsigned nstages;
    struct stage stage[STAGES];
};
struct event {
    uint64_t cycle;
    uint32_t id;
    uint8_t order, stage;
};
enum { BEGINS, STAGE, ENDS };    /* event.order */
enum { EXECUTES = CYCLE_COUNT }; /* event.stage: between issue and retirement */

struct done {
    uint32_t block, warp, slot, pc, active, exec;
};
struct konata {
    struct profile *p;
    struct insn on[LAUNCH_WARPS][OUT];
    uint64_t next[LAUNCH_WARPS]; /* number of the instruction that retires next */
    struct done *done;
    size_t ndone, done_room;
    struct event *event;
    size_t nevents, event_room;
    bool no_memory;
};

static const char *const names[CYCLE_COUNT + 1] = {
    [CYCLE_ISSUE] = "Is",   [CYCLE_PORT] = "Po", [CYCLE_UNIT] = "Un",     [CYCLE_SCOREBOARD] = "Sb",
    [CYCLE_MEMORY] = "Me",  [CYCLE_FILL] = "Fi", [CYCLE_CONVERGE] = "Cv", [CYCLE_FETCH] = "Fe",
    [CYCLE_BARRIER] = "Ba", [EXECUTES] = "Ex",
};

static void on_stage(void *user, unsigned slot, uint64_t index, enum profile_cycle why,
                     uint64_t from, uint64_t to)
{
    struct konata *x = user;
    struct insn *i = &x->on[slot][index % OUT];
    if (i->nstages < STAGES)
        i->stage[i->nstages++] = (struct stage){ from, to, why };
}

struct konata *konata_open(struct profile *p)
{
    struct konata *x = calloc(1, sizeof *x);
    if (x) {
        x->p = p;
        profile_on_stage(p, on_stage, x);
    }
    return x;
}

static void put(struct konata *x, uint64_t cycle, uint8_t order, uint8_t stage)
{
    if (x->nevents == x->event_room) {
        size_t room = x->event_room ? x->event_room * 2 : 4096;
        struct event *more = realloc(x->event, room * sizeof *more);
        if (!more) {
            x->no_memory = true;
            return;
        }
        x->event = more;
        x->event_room = room;
    }
    x->event[x->nevents++] = (struct event){ cycle, (uint32_t)x->ndone, order, stage };
}

static void finish(struct konata *x, struct insn *i)
{
    if (!i->known || !i->nstages) {
        *i = (struct insn){ 0 };
        return;
    }
    if (x->ndone == x->done_room) {
        size_t room = x->done_room ? x->done_room * 2 : 1024;
        struct done *more = realloc(x->done, room * sizeof *more);
        if (!more) {
            x->no_memory = true;
            return;
        }
        x->done = more;
        x->done_room = room;
    }
    uint64_t at = i->stage[0].from, end = i->retired + 1;
    put(x, at, BEGINS, 0);
    for (unsigned k = 0; k < i->nstages; k++) {
        const struct stage *s = &i->stage[k];
        if (s->from > at)
            put(x, at, STAGE, EXECUTES);
        put(x, s->from, STAGE, (uint8_t)s->why);
        at = s->to;
    }
    if (at < end)
        put(x, at, STAGE, EXECUTES);
    put(x, at > end ? at : end, ENDS, 0);
    x->done[x->ndone++] = (struct done){ i->block, i->warp, i->slot, i->pc, i->active, i->exec };
    *i = (struct insn){ 0 };
}

bool konata_add(struct konata *x, const struct view_commit *c)
{
    unsigned slot = c->slot % LAUNCH_WARPS;
    if (!c->unwind) {
        uint64_t n = x->next[slot]++;
        struct insn *i = &x->on[slot][n % OUT];
        i->known = true;
        i->retired = c->cycle;
        i->block = c->block;
        i->warp = c->warp;
        i->slot = c->slot;
        i->pc = c->pc;
        i->active = (uint32_t)c->active;
        i->exec = (uint32_t)c->exec;
        if (n)
            finish(x, &x->on[slot][(n - 1) % OUT]);
        if (!c->live)
            finish(x, i);
    }
    if (!c->live)
        x->next[slot] = 0;
    return !x->no_memory;
}

static int by_cycle(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    return x->cycle != y->cycle ? (x->cycle < y->cycle ? -1 : 1)
           : x->id != y->id     ? (x->id < y->id ? -1 : 1)
                                : x->order - y->order;
}

static void begins(const struct konata *x, uint32_t id, uint32_t nr, FILE *out)
{
    const struct done *d = &x->done[id];
    const struct timeline_insn *at = profile_insn(x->p, d->pc);
    char line[64];
    fprintf(out,
            "I\t%u\t%u\t%u\nL\t%u\t0\t%u.%u %05x: %s\nL\t%u\t1\t%s, block %u, warp %u, slot %u, "
            "lanes %08x, guard holds %08x\n",
            nr, id, d->slot, nr, d->block, d->warp, d->pc, at ? at->text : "?", nr,
            profile_line_name(at ? at->file : "", at ? at->line : 0, line, sizeof line), d->block,
            d->warp, d->slot, d->active, d->exec);
}

bool konata_close(struct konata *x, FILE *out)
{
    uint32_t *nr = calloc(x->ndone + 1, sizeof *nr), n = 0, ended = 0;
    uint64_t now = 0;
    for (unsigned s = 0; s < LAUNCH_WARPS; s++) /* a run that was broken off */
        for (unsigned i = 0; i < OUT; i++)
            finish(x, &x->on[s][i]);
    bool ok = nr && !x->no_memory;
    if (ok && x->nevents)
        qsort(x->event, x->nevents, sizeof *x->event, by_cycle);
    if (ok)
        fputs("Kanata\t0004\nC=\t0\n", out);
    for (size_t k = 0; ok && k < x->nevents; k++) {
        const struct event *e = &x->event[k];
        if (e->cycle > now)
            fprintf(out, "C\t%llu\n", (u64)(e->cycle - now));
        now = e->cycle;
        if (e->order == BEGINS) {
            nr[e->id] = n++;
            begins(x, e->id, nr[e->id], out);
        } else if (e->order == STAGE)
            fprintf(out, "S\t%u\t0\t%s\n", nr[e->id], names[e->stage]);
        else
            fprintf(out, "R\t%u\t%u\t0\n", nr[e->id], ended++);
    }
    profile_on_stage(x->p, NULL, NULL);
    free(nr);
    free(x->done);
    free(x->event);
    free(x);
    return ok;
}
