/* Gathers a profile from commits: lane-slots by cause, by place, and by where lanes parted.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A lost lane-slot is charged to the instruction at which the lane and the lowest lane of the
 * running group last went apart, so a loop that lanes leave in different rounds pays for all who
 * wait for the last one, and an inner branch only until its sides have met again.  Lanes that exit
 * go apart from those that do not.  Where the lane has left the loop since, the exit that it took
 * pays (profile_ways.c). */
#include "harness/view/profile.h"
#include "harness/view/profile_ways.h"
#include <stdlib.h>
#include <string.h>

#define PROF_LOST(name, key, words) { key, words },
const struct profile_name profile_lost_names[LOST_COUNT] = { PROF_LOSSES };
#define PROF_CYCLE(name, key, words) { key, words },
const struct profile_name profile_cycle_names[CYCLE_COUNT] = { PROF_CYCLES };

struct profile_slot {
    int warp; /* index + 1; 0: none yet */
    bool ended;
    uint64_t threads;          /* lanes that have threads */
    uint32_t site[VIEW_LANES]; /* the call by whose line the lane's code without one goes */
    uint64_t n;                /* commits */
    uint64_t stalled;          /* lanes of which `since' holds something */
    struct profile_slot_pair { /* of two lanes: where and when they last parted */
        uint32_t parted;
        int since; /* what the first did since (profile_ways_since); PROF_WAYS_ASK: not known */
        uint64_t when : 48, depth : 16;      /* of the calls in which they were */
    } pair[VIEW_LANES][VIEW_LANES];
    struct profile_way way[VIEW_LANES];
    struct profile_calls calls[VIEW_LANES];
};
enum { PROF_WAYS_ASK = -3 };

void profile_sum(struct profile_count *to, const struct profile_count *k)
{
    to->insns += k->insns;
    to->lanes += k->lanes;
    to->guarded += k->guarded;
    to->branches += k->branches;
    to->divergent += k->divergent;
    for (unsigned i = 0; i < LOST_COUNT; i++)
        to->lost[i] += k->lost[i];
    for (unsigned i = 0; i < CYCLE_COUNT; i++)
        to->cycles[i] += k->cycles[i];
}

uint64_t profile_lost_all(const struct profile_count *k)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < LOST_COUNT; i++)
        n += k->lost[i];
    return n;
}

uint64_t profile_cycles_all(const struct profile_count *k)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < CYCLE_COUNT; i++)
        n += k->cycles[i];
    return n;
}

double profile_efficiency(const struct profile_count *k)
{
    return k->insns ? 100.0 * (double)k->lanes / (double)(k->lanes + profile_lost_all(k)) : 0;
}

/* ---- tables that grow ------------------------------------------------------------------------ */

static void *grow(struct profile *p, void *table, size_t n, size_t *room, size_t bytes)
{
    if (n < *room)
        return table;
    size_t more = *room ? *room * 2 : 64;
    void *big = realloc(table, more * bytes);
    if (!big) {
        p->no_memory = true;
        return NULL;
    }
    *room = more;
    return big;
}

static struct profile_heads *head(struct profile *p, uint32_t pc)
{
    size_t i = timeline_index(p->program, pc);
    if (i < p->nheads)
        return &p->head[i];
    size_t n = i * 2 + 256;
    struct profile_heads *more = realloc(p->head, n * sizeof *more);
    if (!more) {
        p->no_memory = true;
        return NULL;
    }
    for (size_t k = p->nheads; k < n; k++)
        more[k] = (struct profile_heads){ -1, -1, -1 };
    p->head = more;
    p->nheads = n;
    return &more[i];
}

static int place_at(struct profile *p, uint32_t pc, uint32_t site)
{
    struct profile_heads *h = head(p, pc);
    if (!h)
        return -1;
    for (int i = h->place; i >= 0; i = p->place[i].next)
        if (p->place[i].site == site)
            return i;
    struct profile_place *more = grow(p, p->place, p->nplaces, &p->place_room, sizeof *more);
    if (!more)
        return -1;
    p->place = more;
    more[p->nplaces] = (struct profile_place){ .pc = pc, .site = site, .next = h->place };
    return h->place = (int)p->nplaces++;
}

static struct profile_part *part_at(struct profile *p, uint32_t pc)
{
    struct profile_heads *h = head(p, pc == PROF_NEVER ? p->program->base : pc);
    if (!h)
        return NULL;
    for (int i = h->part; i >= 0; i = p->part[i].next)
        if (p->part[i].pc == pc)
            return &p->part[i];
    struct profile_part *more = grow(p, p->part, p->nparts, &p->part_room, sizeof *more);
    if (!more)
        return NULL;
    p->part = more;
    more[p->nparts] = (struct profile_part){ .pc = pc, .next = h->part };
    h->part = (int)p->nparts;
    return &more[p->nparts++];
}

static void add_edge(struct profile *p, uint32_t from, uint32_t to, unsigned lanes)
{
    struct profile_heads *h = head(p, from);
    if (!h)
        return;
    int i = h->edge;
    while (i >= 0 && p->edge[i].to != to)
        i = p->edge[i].next;
    if (i < 0) {
        struct profile_edge *more = grow(p, p->edge, p->nedges, &p->edge_room, sizeof *more);
        if (!more)
            return;
        p->edge = more;
        i = (int)p->nedges++;
        more[i] = (struct profile_edge){ .from = from, .to = to, .next = h->edge };
        h->edge = i;
    }
    p->edge[i].warps++;
    p->edge[i].lanes += lanes;
}

/* ---- the program ----------------------------------------------------------------------------- */

const struct timeline_insn *profile_insn(const struct profile *p, uint32_t pc)
{
    return timeline_insn_at(p->program, pc);
}

bool profile_decode(const struct profile *p, const struct view_commit *c, struct hd_insn *in)
{
    struct hd_word w;
    memcpy(w.w, c->insn, sizeof w.w);
    return !c->foreign && !c->fault && !c->unwind &&
           (hd_decode(&w, p->stack_mode, in) || hd_decode(&w, !p->stack_mode, in));
}

static bool is_call(enum hd_op op)
{
    return op == OP_CALL || op == OP_CALLR || op == OP_CAL || op == OP_CALR;
}
static bool is_return(enum hd_op op) { return op == OP_RET || op == OP_RETT; }
static bool is_split(enum hd_op op)
{
    return op == OP_BRA || op == OP_BRX || is_call(op) || is_return(op);
}

/* ---- a commit -------------------------------------------------------------------------------- */

static struct profile_slot *slot_of(struct profile *p, const struct view_commit *c)
{
    struct profile_slot **at = &p->slots[c->slot % VIEW_SLOTS], *s = *at;
    if (!s && !(s = *at = calloc(1, sizeof *s)))
        return NULL;
    const struct profile_warp *w = s->warp ? &p->warp[s->warp - 1] : NULL;
    if (w && !s->ended && w->block == c->block && w->warp == c->warp)
        return s;
    struct profile_warp *more = grow(p, p->warp, p->nwarps, &p->warp_room, sizeof *more);
    if (!more)
        return NULL;
    p->warp = more;
    more[p->nwarps] = (struct profile_warp){
        .block = c->block, .warp = c->warp, .slot = c->slot, .first = c->cycle
    };
    *s = (struct profile_slot){ .warp = (int)++p->nwarps };
    for (unsigned x = 0; x < VIEW_LANES; x++)
        for (unsigned y = 0; y < VIEW_LANES; y++)
            s->pair[x][y] =
                (struct profile_slot_pair){ .parted = PROF_NEVER, .since = PROF_WAYS_ASK };
    memset(s->site, 0xff, sizeof s->site);
    return s;
}

static enum profile_lost why(const struct view_commit *c, const struct profile_slot *s, unsigned l)
{
    enum { LOST_NONE = LOST_READY };                /* it runs next */
    static const uint8_t lost[0x40] = {
#define WAIT(name, code, letter, mark, brief, where, words, what) [code] = LOST_##name,
#include "cmodel/isa/commit.def"
    };
    unsigned w = c->wait[l];
    if (!(s->threads >> l & 1))
        return LOST_NO_THREAD;
    if (!(c->live >> l & 1))
        return LOST_EXITED;
    if (c->released >> l & 1) /* by this instruction: it has waited until now */
        return c->conv ? LOST_BARRIER : LOST_WARPSYNC;
    return lost[w >> 4 & 3 ? w & 0x30 : w & 15];
}

/* What lane l did since it and lane y parted. */
static int since(struct profile *p, struct profile_slot *s, unsigned l, unsigned y)
{
    struct profile_slot_pair *x = &s->pair[l][y];
    if (x->since == PROF_WAYS_ASK) {
        x->since = x->parted == PROF_NEVER
                       ? PROF_WAYS_NONE
                       : profile_ways_since(p->ways, x->parted, &s->way[l], x->when);
        s->stalled |= 1ull << l;
    }
    return x->since;
}

/* runs: the instruction, or the call by whose line it goes. */
static void count_lost(struct profile *p, struct profile_slot *s, const struct view_commit *c,
                       uint32_t runs, struct profile_count *k)
{
    unsigned first = c->active ? view_lowest(c->active) : 0;
    const uint64_t lanes = ~0ull >> (VIEW_LANES - timeline_lanes(p->program));
    for (uint64_t m = lanes & ~c->active; m; m &= m - 1) {
        unsigned l = view_lowest(m);
        enum profile_lost w = why(c, s, l);
        const bool is = s->threads >> l & 1;
        const int did = is ? since(p, s, l, first) : PROF_WAYS_NONE;
        k->lost[w]++;
        if (did >= 0) {
            const uint32_t other =
                profile_calls_at(&s->calls[first], s->pair[l][first].depth, runs);
            p->no_memory |= !profile_ways_lost(p->ways, did, other, w);
            continue;
        }
        struct profile_part *at = part_at(p, is ? s->pair[l][first].parted : PROF_NEVER);
        p->no_memory |= did == -1;
        if (at)
            at->lost[w]++;
    }
}

/* An instruction of a foreign core after which a lane does not go on at the next one. */
static bool turns(const struct view_commit *c)
{
    for (uint64_t m = c->foreign ? c->active : 0; m; m &= m - 1)
        if (!(c->live >> view_lowest(m) & 1) || c->npc[view_lowest(m)] != c->next)
            return true;
    return false;
}

/* Which ways the lanes went: only branches and exits lead out of a loop.  Of a foreign core, what
 * has been one to that lane is one. */
static void took(struct profile_slot *s, const struct view_commit *c, const struct hd_insn *in)
{
    const bool call = in && is_call((enum hd_op)in->op),
               branch = in ? is_split((enum hd_op)in->op) || in->op == OP_EXIT : turns(c);
    for (uint64_t m = c->active; m; m &= m - 1) {
        const unsigned l = view_lowest(m);
        struct profile_way *w = &s->way[l];
        if (w->n && w->step[0].to == PROF_UNKNOWN) /* out of a token */
            w->step[0].to = c->pc;
        if (s->stalled >> l & 1)
            for (unsigned y = 0; y < VIEW_LANES; y++)
                s->pair[l][y].since = PROF_WAYS_ASK;
        if (branch || (c->foreign && profile_way_knows(w, c->pc)))
            profile_way_took(w, c->pc,
                             !(c->live >> l & 1) ? PROF_GONE
                             : call              ? c->pc + HD_INSN_BYTES
                             : c->npc[l]         ? c->npc[l]
                                                 : PROF_UNKNOWN,
                             s->n);
    }
    s->stalled &= ~c->active;
}

/* Lanes that ran together and go on apart; those that exit go to a place of their own.  True: there
 * are any. */
static bool part(struct profile *p, struct profile_slot *s, const struct view_commit *c,
                 const struct hd_insn *in)
{
    enum { GONE = PROF_GONE };
    uint64_t left = c->active, set[VIEW_LANES];
    uint32_t to[VIEW_LANES];
    unsigned n = 0;
    while (left) {
        unsigned l = view_lowest(left);
        uint32_t at = c->live >> l & 1 ? c->npc[l] : GONE;
        uint64_t same = 0;
        for (uint64_t m = left; m; m &= m - 1) {
            unsigned k = view_lowest(m);
            same |= (uint64_t)((c->live >> k & 1 ? c->npc[k] : GONE) == at) << k;
        }
        to[n] = at;
        set[n++] = same;
        left &= ~same;
    }
    for (unsigned i = 0; i < n && in && !is_return((enum hd_op)in->op); i++)
        if (is_call((enum hd_op)in->op))
            add_edge(p, c->pc, c->pc + HD_INSN_BYTES, view_count(set[i]));
        else if (!to[i] && !(set[i] & c->next_active))      /* in a token, whose PC nobody knows */
            continue;
        else if (to[i] != GONE && (to[i] != c->pc || in->op == OP_BRA)) /* else it waits here */
            add_edge(p, c->pc, to[i], view_count(set[i]));
    for (unsigned i = 0; i + 1 < n; i++)
        for (uint64_t a = set[i]; a; a &= a - 1)
            for (uint64_t b = c->active & ~set[i]; b; b &= b - 1) {
                unsigned x = view_lowest(a), y = view_lowest(b);
                s->pair[x][y].parted = s->pair[y][x].parted = c->pc;
                s->pair[x][y].when = s->pair[y][x].when = s->n & ((1ull << 48) - 1);
                s->pair[x][y].depth = s->pair[y][x].depth = s->calls[x].depth & 0xffff;
            }
    return n > 1;
}

/* Lanes that wait in a token call or return when they come out of it. */
static void call_or_return(struct profile_slot *s, const struct view_commit *c, enum hd_op op)
{
    for (uint64_t m = c->exec; m; m &= m - 1) {
        const unsigned l = view_lowest(m);
        if (!c->npc[l] || c->npc[l] == c->pc)
            continue;
        if (is_call(op))
            profile_call(&s->calls[l], c->pc);
        else if (is_return(op))
            profile_return(&s->calls[l]);
    }
}

/* What an instruction is, of a core whose words cannot be read, says where its lanes go on. */
static void foreign_transfer(const struct view_commit *c, struct profile_count *k)
{
    const uint64_t lanes = c->fault ? 0 : c->active & c->live;
    const uint32_t first = lanes ? c->npc[view_lowest(lanes)] : 0;
    for (uint64_t m = lanes; m; m &= m - 1) {
        const uint32_t to = c->npc[view_lowest(m)];
        k->branches |= to != (c->next ? c->next : first);
        k->divergent |= to != first;
    }
}

bool profile_add(struct profile *p, const struct view_commit *c)
{
    struct profile_slot *s = slot_of(p, c);
    const struct timeline_insn *at = profile_insn(p, c->pc);
    struct hd_insn in;
    if (!s)
        return false;
    unsigned first = c->active ? view_lowest(c->active) : 0;
    bool lined = at && at->line, decoded = profile_decode(p, c, &in);
    int i = place_at(p, c->pc, lined || s->site[first] == PROF_NEVER ? c->pc : s->site[first]);
    if (i < 0)
        return false;
    struct profile_warp *w = &p->warp[s->warp - 1];
    struct profile_count k = { .insns = 1,
                               .lanes = view_count(c->active),
                               .guarded = view_count(c->active & ~c->exec) };
    s->threads |= c->active | c->live;
    s->n++;
    count_lost(p, s, c, p->place[i].site, &k);
    if (!c->fault)
        took(s, c, decoded ? &in : NULL);
    bool parts = !c->fault && part(p, s, c, decoded ? &in : NULL);
    if (decoded && is_split((enum hd_op)in.op)) {
        k.branches = 1;
        k.divergent = parts;
        call_or_return(s, c, (enum hd_op)in.op);
    }
    if (c->foreign)
        foreign_transfer(c, &k);
    if (decoded && lined && is_call((enum hd_op)in.op))
        for (uint64_t m = c->active; m; m &= m - 1)
            s->site[view_lowest(m)] = c->pc;
    profile_sum(&p->place[i].k, &k);
    profile_sum(&w->k, &k);
    profile_sum(&p->all, &k);
    w->last = c->cycle;
    s->ended = !c->live;
    if (p->cycles)
        profile_cycles_commit(p, c, w, i);
    return !p->no_memory;
}

bool profile_open(struct profile *p, const struct timeline_page *program, bool stack_mode,
                  bool core)
{
    *p = (struct profile){ .program = program, .stack_mode = stack_mode };
    p->slots = calloc(VIEW_SLOTS, sizeof *p->slots);
    p->ways = profile_ways_new();
    return p->slots && p->ways && (!core || profile_cycles_open(p));
}

void profile_close(struct profile *p)
{
    profile_cycles_free(p);
    for (size_t i = 0; p->slots && i < VIEW_SLOTS; i++)
        free(p->slots[i]);
    profile_ways_free(p->ways);
    free(p->slots);
    free(p->head);
    free(p->place);
    free(p->part);
    free(p->edge);
    free(p->warp);
    *p = (struct profile){ 0 };
}
