/* Chrome's trace events, which Perfetto reads: a process a warp, in it a track of instructions, one
 * for each lane, and a counter of lanes that run.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A slice lasts from its commit to the warp's next.  So each is written when the next commit has
 * come; a lane's goes on as long as the lane does the same. */
#include "harness/view/export.h"
#include "cmodel/isa/waits.h"
#include <stdlib.h>
#include <string.h>

typedef unsigned long long u64;
enum { TRACK_LANES = 1, TRACK_INSNS = 100 };  /* tid: of lane 0, of the instructions */

struct lane {
    char doing[72];
    uint64_t since;
}; /* empty: it has exited, or has not begun */
struct track {
    bool open, first;
    uint32_t block, warp;
    unsigned pid;
    struct view_commit last;
    struct lane lane[VIEW_LANES];
};
struct perfetto {
    const struct timeline_page *program;
    FILE *out;
    unsigned pids;
    bool any;
    struct track slot[VIEW_SLOTS];
};

struct perfetto *perfetto_open(const struct timeline_page *program, FILE *out)
{
    struct perfetto *x = calloc(1, sizeof *x);
    if (x) {
        x->program = program;
        x->out = out;
        fputs("{\"displayTimeUnit\": \"ns\", \"otherData\": {\"source\": \"heddle\", "
              "\"time\": \"a microsecond is a cycle\"}, \"traceEvents\": [",
              out);
    }
    return x;
}

static FILE *event(struct perfetto *x)
{
    fputs(x->any ? ",\n" : "\n", x->out);
    x->any = true;
    return x->out;
}

static void name_track(struct perfetto *x, const char *what, unsigned pid, unsigned tid,
                       unsigned order)
{
    fprintf(event(x),
            "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": %u, \"tid\": %u, \"args\": "
            "{\"name\": \"%s\"}}",
            pid, tid, what);
    fprintf(event(x),
            "{\"ph\": \"M\", \"name\": \"thread_sort_index\", \"pid\": %u, \"tid\": %u, \"args\": "
            "{\"sort_index\": %u}}",
            pid, tid, order);
}

static void begin(struct perfetto *x, struct track *t, const struct view_commit *c)
{
    char name[32];
    *t = (struct track){
        .open = true, .first = true, .block = c->block, .warp = c->warp, .pid = ++x->pids
    };
    fprintf(event(x),
            "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %u, \"args\": {\"name\": \"block "
            "%u, warp %u\"}}",
            t->pid, c->block, c->warp);
    name_track(x, "instructions", t->pid, TRACK_INSNS, 0);
    for (unsigned l = 0; l < timeline_lanes(x->program); l++) {
        snprintf(name, sizeof name, "lane %02u", l);
        name_track(x, name, t->pid, TRACK_LANES + l, l + 1);
    }
}

/* What the lane does while this instruction runs; empty: nothing any more. */
static void doing(const struct perfetto *x, const struct view_commit *c, unsigned l, char *buf,
                  size_t n)
{
    const struct timeline_insn *at = timeline_insn_at(x->program, c->pc);
    unsigned w = c->wait[l];
    if (c->active >> l & 1) {
        if (at && at->line)
            profile_line_name(at->file, at->line, buf, n);
        else
            snprintf(buf, n, "pc %05x", c->pc);
    } else if (!(c->live >> l & 1))
        buf[0] = 0;
    else if (wait_form(w)->code == HD_WAIT_BLOCK)       /* which of them */
        snprintf(buf, n, "wait block barrier %u", w & 15);
    else
        wait_text(wait_form(w == HD_WAIT_NONE ? HD_WAIT_READY : w)->words, w, buf, n);
}

static void end_lane(struct perfetto *x, const struct track *t, unsigned l, uint64_t at)
{
    const struct lane *s = &t->lane[l];
    if (!s->doing[0])
        return;
    fprintf(event(x), "{\"ph\": \"X\", \"name\": ");
    profile_json_string(s->doing, x->out);
    fprintf(x->out, ", \"cat\": \"lane\", \"pid\": %u, \"tid\": %u, \"ts\": %llu, \"dur\": %llu}",
            t->pid, TRACK_LANES + l, (u64)s->since, (u64)(at - s->since));
}

/* The commit before lasted until now. */
static void end_insn(struct perfetto *x, struct track *t, uint64_t now)
{
    const struct view_commit *c = &t->last;
    const struct timeline_insn *at = timeline_insn_at(x->program, c->pc);
    char line[64];
    fprintf(event(x), "{\"ph\": \"X\", \"name\": ");
    profile_json_string(at ? at->text : "?", x->out);
    fprintf(x->out,
            ", \"cat\": \"instruction\", \"pid\": %u, \"tid\": %d, \"ts\": %llu, \"dur\": %llu, "
            "\"args\": {\"pc\": %u, \"line\": ",
            t->pid, TRACK_INSNS, (u64)c->cycle, (u64)(now - c->cycle), c->pc);
    profile_json_string(profile_line_name(at ? at->file : "", at ? at->line : 0, line, sizeof line),
                        x->out);
    const int digits = c->lanes > 32 ? 16 : 8;
    fprintf(x->out, ", \"active\": \"%0*llx\", \"exec\": \"%0*llx\"}}", digits,
            (u64)c->active, digits, (u64)c->exec);
}

static bool diverges(const struct view_commit *c)
{
    uint64_t m = c->active & c->live;
    const uint32_t first = m ? c->npc[view_lowest(m)] : 0;
    bool split = false;
    for (; m && !c->fault; m &= m - 1)
        split |= c->npc[view_lowest(m)] != first;
    return split;
}

static void marks(struct perfetto *x, const struct track *t, const struct view_commit *c)
{
    const struct {
        bool happens;
        const char *name;
    } mark[] = {
        { diverges(c), "diverge" }, { c->released, "release" }, { c->gaveway, "give way" },
        { c->spilled, "spill" },    { c->filled, "fill" },      { c->fault, "fault" },
    };
    for (size_t i = 0; i < sizeof mark / sizeof *mark; i++)
        if (mark[i].happens)
            fprintf(event(x),
                    "{\"ph\": \"i\", \"s\": \"t\", \"name\": \"%s\", \"pid\": %u, \"tid\": %d, "
                    "\"ts\": %llu}",
                    mark[i].name, t->pid, TRACK_INSNS, (u64)c->cycle);
}

static void end(struct perfetto *x, struct track *t)
{
    if (!t->open)
        return;
    uint64_t now = t->last.cycle + 1;
    end_insn(x, t, now);
    for (unsigned l = 0; l < VIEW_LANES; l++)
        end_lane(x, t, l, now);
    fprintf(event(x),
            "{\"ph\": \"C\", \"name\": \"lanes that run\", \"pid\": %u, \"ts\": %llu, \"args\": "
            "{\"lanes\": 0}}",
            t->pid, (u64)now);
    t->open = false;
}

void perfetto_add(struct perfetto *x, const struct view_commit *c)
{
    struct track *t = &x->slot[c->slot % VIEW_SLOTS];
    char now[72];
    if (!t->open || t->block != c->block || t->warp != c->warp) {
        end(x, t);
        begin(x, t, c);
    } else
        end_insn(x, t, c->cycle);
    for (unsigned l = 0; l < c->lanes; l++) {
        doing(x, c, l, now, sizeof now);
        if (!strcmp(now, t->lane[l].doing))
            continue;
        end_lane(x, t, l, c->cycle);
        t->lane[l].since = c->cycle;
        memcpy(t->lane[l].doing, now, sizeof now);
    }
    if (t->first || t->last.active != c->active)
        fprintf(event(x),
                "{\"ph\": \"C\", \"name\": \"lanes that run\", \"pid\": %u, \"ts\": %llu, "
                "\"args\": {\"lanes\": %d}}",
                t->pid, (u64)c->cycle, (int)view_count(c->active));
    marks(x, t, c);
    t->last = *c;
    t->first = false;
    if (!c->live)
        end(x, t);
}

void perfetto_close(struct perfetto *x)
{
    for (unsigned s = 0; s < VIEW_SLOTS; s++)
        end(x, &x->slot[s]);
    fputs("\n]}\n", x->out);
    free(x);
}
