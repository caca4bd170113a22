/* One warp of a play.
 * SPDX-License-Identifier: Apache-2.0 */
#include "regroup/play.h"
#include "cmodel/machine/barriers.h"
#include <stdlib.h>
#include <string.h>

enum { CALLS = 64, TOKENS = 4096, NEVER = 10000000, LEAVES = -1 };

/* The threads of a warp with one row of counts, or one thread of it. */
struct path {
    uint32_t row, thread, lanes;
    uint32_t *times, *used; /* by way */
    int32_t *last;          /* by block: the way by which it is left for the last time; -1: none */
    uint32_t *visits;       /* by block, and of calls through registers */
    uint32_t call[CALLS], ncalls; /* where it returns to */
    bool pending;                 /* it has chosen where to go, and others go first */
    uint32_t target;
    bool leaves;
};
struct token {
    uint32_t mask, pc;
};
struct game {
    const struct play *p;
    uint32_t npaths;
    struct path path[WARP];
    uint32_t *room; /* what the paths point to */
    int64_t *rest;  /* two numbers a block */
    struct conv c;
    struct token token[TOKENS];
    uint32_t ntokens, chip; /* of these, on chip */
    uint32_t kept[256];     /* participants that BMOV keeps, by register */
    struct played *out;
    bool lost; /* tokens, calls: too many, or none */
};

/* ---- stops
 * ---------------------------------------------------------------------------- */

static bool add_stops(struct play *p, const struct hd_image *img, uint32_t k)
{
    const struct bbv_block *b = &p->b->blocks[k];
    for (uint32_t n = 0; n < b->insns; n++) {
        struct stop s = { .pc = b->pc + n * HD_INSN_BYTES, .block = k, .last = n + 1 == b->insns };
        struct hd_word w;
        memcpy(w.w, img->text + s.pc, sizeof w.w);
        if (!hd_decode(&w, img->stack_mode, &s.i) || (hd_ops[s.i.op].unit != UNIT_CTL && !s.last))
            continue;
        if (!(p->nstops & (p->nstops - 1))) {
            struct stop *more = realloc(p->stop, (p->nstops ? 2 * p->nstops : 1) * sizeof *more);
            if (!more)
                return false;
            p->stop = more;
        }
        p->stop[p->nstops++] = s;
    }
    return true;
}

bool play_stops(struct play *p, const struct hd_image *img)
{
    const uint32_t insns = img->text_size / HD_INSN_BYTES;
    p->next = malloc(((size_t)insns + 1) * sizeof *p->next);
    for (uint32_t k = 0; k < p->b->nblocks; k++)
        if (!add_stops(p, img, k))
            return false;
    for (uint32_t n = insns, s = p->nstops; p->next && n-- > 0;) {
        while (s && p->stop[s - 1].pc / HD_INSN_BYTES >= n)
            s--;
        p->next[n] = s;
    }
    return p->next;
}

/* ---- paths
 * ---------------------------------------------------------------------------- */

struct game *game_new(const struct play *p)
{
    struct game *g = calloc(1, sizeof *g);
    const size_t ways = p->ways.n + 1, blocks = (size_t)p->b->nblocks + 1,
                 path = 2 * ways + 2 * blocks;
    if (!g)
        return NULL;
    g->p = p;
    g->room = malloc(WARP * path * sizeof *g->room);
    g->rest = malloc(2 * blocks * sizeof *g->rest);
    if (!g->room || !g->rest) {
        game_free(g);
        return NULL;
    }
    for (unsigned k = 0; k < WARP; k++) {
        uint32_t *at = g->room + k * path;
        g->path[k].times = at;
        g->path[k].used = at + ways;
        g->path[k].visits = at + 2 * ways;
        g->path[k].last = (int32_t *)(at + 2 * ways + blocks);
    }
    return g;
}

void game_free(struct game *g)
{
    if (!g)
        return;
    free(g->room);
    free(g->rest);
    free(g);
}

/* The tree: from every block a way that leads out. */
static void find_last(const struct ways *w, uint32_t nblocks, struct path *a)
{
    bool changed = true;
    memset(a->last, 0xff, ((size_t)nblocks + 1) * sizeof *a->last);
    while (changed) {
        changed = false;
        for (uint32_t e = w->n; e-- > 0;) {
            const struct way *way = &w->way[e];
            if (!a->times[e] || a->last[way->from] >= 0 || (way->to >= 0 && a->last[way->to] < 0))
                continue;
            a->last[way->from] = (int32_t)e;
            changed = true;
        }
    }
}

static void start_path(struct game *g, uint32_t row, uint32_t thread, uint32_t lane)
{
    const struct bbv *b = g->p->b;
    const struct ways *w = &g->p->ways;
    struct path *a = g->path;
    while (a < g->path + g->npaths && (a->row != row || g->p->apart))
        a++;
    if (a == g->path + g->npaths) {
        g->npaths++;
        a->row = row;
        a->thread = thread;
        a->lanes = a->ncalls = 0;
        a->pending = false;
        ways_count(w, b, b->counts + (size_t)row * b->ncolumns, g->rest, g->rest + b->nblocks,
                   a->times);
        memset(a->used, 0, w->n * sizeof *a->used);
        memset(a->visits, 0, ((size_t)b->nblocks + 1) * sizeof *a->visits);
        find_last(w, b->nblocks, a);
    }
    a->lanes |= 1u << lane;
}

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* How often a way may still be taken now: its last time is kept for the end. */
static uint32_t may(const struct path *a, uint32_t e, int32_t last)
{
    uint32_t left = a->times[e] - a->used[e];
    return left && (int32_t)e == last ? left - 1 : left;
}

/* Of ways[from, to), at least one of which may be taken.  Evenly: the one that is due first; of
 * those the last one last. */
static uint32_t due(const struct path *a, uint32_t from, uint32_t to, int32_t last)
{
    uint32_t best = to;
    for (uint32_t e = from; e < to; e++) {
        if (!may(a, e, last))
            continue;
        uint64_t mine = best < to ? ((uint64_t)a->used[e] + 1) * a->times[best] : 0;
        uint64_t its = best < to ? ((uint64_t)a->used[best] + 1) * a->times[e] : 1;
        if (mine < its || (mine == its && (int32_t)best == last))
            best = e;
    }
    return best;
}

static uint32_t drawn(const struct path *a, uint32_t from, uint32_t to, int32_t last, uint64_t seed)
{
    uint64_t all = 0, at;
    uint32_t e = from;
    for (uint32_t k = from; k < to; k++)
        all += may(a, k, last);
    at = (uint64_t)((double)(mixed(seed) >> 11) * 0x1p-53 * (double)all);
    while (e + 1 < to && at >= may(a, e, last))
        at -= may(a, e++, last);
    return e;
}

/* The way by which a path leaves a block; false: there is none. */
static bool choose(const struct game *g, struct path *a, uint32_t k, uint32_t *way)
{
    const struct ways *w = &g->p->ways;
    const uint32_t from = w->first[k], to = w->first[k + 1];
    const int32_t last = a->last[k];
    const uint64_t visit = a->visits[k]++, seed = mixed((uint64_t)k << 40 ^ visit);
    const enum how how = g->p->how[k];
    const uint64_t own = mixed(seed + 1 + a->thread);
    bool any = false;
    for (uint32_t e = from; e < to; e++)
        any |= may(a, e, last) > 0;
    if (to - from == 1)
        *way = from;
    else if (!any && last < 0)
        return false;
    else if (!any)
        *way = (uint32_t)last;
    else if (how == EVENLY)
        *way = due(a, from, to, last);
    else
        *way = drawn(a, from, to, last, own % 4 < how - TOGETHER ? own : seed);
    if (to > from)
        a->used[*way]++;
    return to > from;
}

/* ---- tokens: docs/stack.md
 * ------------------------------------------------------------ */

static void push(struct game *g, uint32_t mask, uint32_t pc)
{
    if (g->ntokens == TOKENS) {
        g->lost = true;
        return;
    }
    if (g->chip == g->p->chip) {
        g->chip -= 4;
        g->out->spills++;
    }
    g->token[g->ntokens++] = (struct token){ mask, pc };
    g->chip++;
    g->out->pushes++;
    g->out->deepest = g->ntokens > g->out->deepest ? g->ntokens : g->out->deepest;
}

/* Pops until a lane is active, or the warp has ended. */
static void pop(struct game *g)
{
    struct conv *c = &g->c;
    for (c->active = 0; !c->active && c->live && !g->lost;) {
        g->lost = !g->ntokens;
        if (g->lost)
            break;
        if (!g->chip) {
            g->chip = 4;
            g->out->fills++;
        }
        g->chip--;
        g->out->pops++;
        c->active = g->token[--g->ntokens].mask & c->live;
        c->pc = g->token[g->ntokens].pc;
    }
}

/* ---- instructions
 * --------------------------------------------------------------------- */

static bool calls_register(const struct stop *s)
{
    return s->i.op == OP_CALLR || s->i.op == OP_CALR;
}

/* A path calls one of the functions that it has not called as often as it was counted to; false:
 * there is none. */
static bool choose_function(struct game *g, struct path *a, uint32_t after)
{
    uint32_t way = 0;
    if (!choose(g, a, g->p->b->nblocks, &way) || (!g->p->stack_mode && a->ncalls == CALLS))
        return false;
    a->target = g->p->b->blocks[g->p->ways.way[way].to].pc;
    if (!g->p->stack_mode)
        a->call[a->ncalls++] = after;
    return true;
}

/* Active paths that come to the end of their block choose where to go. */
static void leave(struct game *g, const struct stop *s, uint64_t *executed)
{
    /* A BSYNC counts as often as the warp executes it. */
    bool any = s->i.op == OP_BSYNC && s->pc == g->p->b->blocks[s->block].pc;
    for (struct path *a = g->path; a < g->path + g->npaths; a++) {
        uint32_t way = 0;
        if (!(a->lanes & g->c.active) || a->pending)
            continue;
        any = true;
        if (!choose(g, a, s->block, &way) ||
            (calls_register(s) && !choose_function(g, a, s->pc + HD_INSN_BYTES))) {
            g->lost = true;
            return;
        }
        if (calls_register(s)) {
            a->leaves = false;
            continue;
        }
        int32_t to = g->p->ways.way[way].to;
        a->leaves = to < 0;
        a->target = to < 0 ? 0 : g->p->b->blocks[to].pc;
        if (to >= 0 || s->i.op != OP_RET)
            continue;
        g->lost |= !a->ncalls;
        a->target = a->ncalls ? a->call[--a->ncalls] : 0;
    }
    if (any && executed)
        executed[s->block]++;
}

static uint32_t lanes_that(const struct game *g, bool leave_function, uint32_t target)
{
    uint32_t lanes = 0;
    for (const struct path *a = g->path; a < g->path + g->npaths; a++)
        if (leave_function ? a->leaves : !a->leaves && a->target == target)
            lanes |= a->lanes;
    return lanes & g->c.active;
}

static void branch(struct game *g, const struct stop *s)
{
    struct conv *c = &g->c;
    uint32_t exec = lanes_that(g, false, s->i.imm);
    bool parts = exec && exec != c->active;
    g->out->branches++;
    g->out->divergences += parts;
    if (parts && g->p->stack_mode) {
        push(g, c->active & ~exec, c->pc + HD_INSN_BYTES);
        c->active = exec;
        c->pc = s->i.imm;
    } else {
        conv_branch(c, exec, s->i.imm);
    }
}

/* BRX, RET, calls through registers: lanes that do not go yet keep what they have chosen. */
static void indirect(struct game *g, enum hd_op op)
{
    struct conv *c = &g->c;
    const uint32_t before = c->active, pc = c->pc;
    uint32_t target[WARP], stay = 0;
    for (const struct path *a = g->path; a < g->path + g->npaths; a++)
        for (uint32_t m = a->lanes & before; m; m &= m - 1)
            target[__builtin_ctz(m)] = a->target;
    g->out->branches++;
    if (g->p->stack_mode) {
        uint32_t to = target[__builtin_ctz(before)], go = 0;
        for (uint32_t m = before; m; m &= m - 1)
            go |= (uint32_t)(target[__builtin_ctz(m)] == to) << __builtin_ctz(m);
        stay = before & ~go;
        if (stay)
            push(g, stay, pc);
        c->active = go;
        if (op == OP_CALR && stay) {
            stay = before;                           /* the others execute it again, and go */
        } else {
            if (op == OP_CALR)
                push(g, go, pc + HD_INSN_BYTES);
            c->pc = to;
        }
    } else {
        conv_indirect(c, before, target);
        for (uint32_t m = before; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);
            stay |= (uint32_t)((c->active >> l & 1 ? c->pc : c->at[l]) == pc) << l;
        }
    }
    g->out->divergences += c->active != before;
    for (struct path *a = g->path; a < g->path + g->npaths; a++)
        if (a->lanes & before)
            a->pending = a->lanes & stay;
}

static void call(struct game *g, const struct stop *s)
{
    const uint32_t after = g->c.pc + HD_INSN_BYTES;
    g->out->branches++;
    for (struct path *a = g->path; a < g->path + g->npaths && !g->p->stack_mode; a++)
        if (a->lanes & g->c.active) {
            g->lost |= a->ncalls == CALLS;
            a->call[a->ncalls == CALLS ? 0 : a->ncalls++] = after;
        }
    if (g->p->stack_mode)
        push(g, g->c.active, after);
    g->c.pc = s->i.imm;
}

static void leave_grid(struct game *g)
{
    struct conv *c = &g->c;
    conv_exit(c, lanes_that(g, true, 0));
    if (c->active)
        return;
    if (g->p->stack_mode)
        pop(g);
    else
        conv_exited(c);
}

/* Lanes that wait execute it again, or are let past it: they have chosen where to go. */
static void bsync(struct game *g, const struct stop *s)
{
    struct conv *c = &g->c;
    const uint32_t before = c->active;
    conv_bsync(c, s->i.bx);
    for (struct path *a = g->path; a < g->path + g->npaths && s->last; a++)
        for (uint32_t m = a->lanes & (before | c->released); m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);
            bool past = (c->active >> l & 1 ? c->pc : c->at[l]) == s->pc + HD_INSN_BYTES;
            a->pending = !past && (a->pending || before >> l & 1);
        }
}

static void execute(struct game *g, const struct stop *s)
{
    struct conv *c = &g->c;
    conv_begin(c);
    switch (s->i.op) {
    case OP_BRA: branch(g, s); break;
    case OP_BRX:
    case OP_CALLR:
    case OP_CALR:
    case OP_RET: indirect(g, s->i.op); break;
    case OP_CALL:
    case OP_CAL: call(g, s); break;
    case OP_EXIT: leave_grid(g); break;
    case OP_RETT: pop(g); break;
    case OP_SSY:
        push(g, c->active, s->i.imm);
        c->pc += HD_INSN_BYTES;
        break;
    case OP_BSSY: conv_bssy(c, c->active, s->i.bx); break;
    case OP_BSYNC: bsync(g, s); break;
    case OP_BREAK: conv_break(c, c->active, s->i.bx); break;
    case OP_BMOVR:
        g->kept[s->i.rd] = c->b[s->i.bx];
        c->pc += HD_INSN_BYTES;
        break;
    case OP_BMOVB: conv_bmov(c, s->i.bx, g->kept[s->i.rb]); break;
    case OP_YIELD: conv_yield(c); break;
    default:
        c->pc += HD_INSN_BYTES;
        break; /* warps of a block wait for each other: that is not seen here */
    }
    if (s->i.pop)
        pop(g);
}

bool game_play(struct game *g, const uint32_t *order, uint32_t first, uint32_t lanes,
               uint64_t *executed, struct played *out, uint64_t *steps)
{
    const struct play *p = g->p;
    const uint64_t from = *steps;
    g->out = out;
    g->npaths = g->ntokens = g->chip = 0;
    g->lost = false;
    for (uint32_t l = 0; l < lanes; l++) {
        uint32_t thread = order ? order[l] : first + l;
        start_path(g, p->b->of[thread], thread, l);
    }
    conv_start(&g->c, lanes == WARP ? ~0u : (1u << lanes) - 1, p->b->blocks[p->ways.entry].pc);
    while (g->c.active && !g->lost && *steps - from < NEVER) {
        uint32_t n = p->next[g->c.pc / HD_INSN_BYTES];
        if (n == p->nstops)
            return false;
        const struct stop *s = &p->stop[n];
        g->c.pc = s->pc;
        if (s->last)
            leave(g, s, executed);
        if (!g->lost)
            execute(g, s);
        ++*steps;
    }
    return !g->lost && !g->c.live;
}

const uint32_t *game_visits(const struct game *g, unsigned lane)
{
    const struct path *a = g->path;
    while (a < g->path + g->npaths && !(a->lanes >> lane & 1))
        a++;
    return a->visits;
}
