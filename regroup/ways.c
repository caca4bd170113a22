/* Ways between blocks by machine code, and how often a thread takes each.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A block's count is the sum of the ways that leave it, and of those that come to it (a kernel is
 * entered once by each thread).  Where one of these is not known yet, it is what is left: so ways
 * are found one after the other.  Where all equations have several that are not, as of a loop that
 * is jumped over where it has no rounds, a way straight on takes all that it can: the loop is
 * entered.  Calls count as ways to what follows them.  What no call by name accounts for of a
 * function's entries came through registers: these are ways from a block of their own, nblocks, as
 * it is not known from which call each one came.  A lane that pops a token (`.S`) goes on
 * where its last SSY says; a branch through a register may go to every block of its function to
 * which nothing else leads. */
#include "regroup/ways.h"
#include "cmodel/image/image.h"
#include <stdlib.h>
#include <string.h>

/* Targets of the SSYs whose tokens a lane has, as a list of nodes; node 0 is the empty one. */
struct token {
    uint32_t below, target;
};

struct finder {
    const struct bbv *b;
    const struct hd_image *img;
    struct ways *w;
    uint32_t room, ntokens, rtokens;
    struct token *token;
    uint32_t *fn;   /* by block: where its function begins */
    uint32_t *held; /* by block: tokens on entry */
    uint32_t *todo, ntodo;
    bool *seen, *indirect;
    bool registers; /* something calls through one */
    bool lost; /* no memory */
};

static void reach(struct finder *f, int32_t k, uint32_t held)
{
    if (f->seen[k])
        return;
    f->seen[k] = true;
    f->held[k] = held;
    f->todo[f->ntodo++] = (uint32_t)k;
}

static void add(struct finder *f, uint32_t from, int32_t to)
{
    struct ways *w = f->w;
    for (uint32_t e = 0; e < w->n; e++)
        if (w->way[e].from == (int32_t)from && w->way[e].to == to)
            return;
    if (w->n == f->room) {
        struct way *more = realloc(w->way, (f->room = 2 * f->room + 64) * sizeof *more);
        f->lost |= !more;
        if (!more)
            return;
        w->way = more;
    }
    w->way[w->n++] = (struct way){ (int32_t)from, to };
}

/* To the block at pc, where some thread was. */
static void lead(struct finder *f, uint32_t from, uint32_t pc, uint32_t held)
{
    int32_t to = block_at(f->b, pc);
    if (to < 0 || f->fn[to] != f->fn[from])
        return;
    add(f, from, to);
    reach(f, to, held);
}

static uint32_t hold(struct finder *f, uint32_t below, uint32_t target)
{
    if (f->ntokens == f->rtokens) {
        struct token *more = realloc(f->token, (f->rtokens = 2 * f->rtokens + 64) * sizeof *more);
        f->lost |= !more;
        if (!more)
            return 0;
        f->token = more;
    }
    f->token[f->ntokens] = (struct token){ below, target };
    return f->ntokens++;
}

static void look(struct finder *f, uint32_t k)
{
    const uint32_t pc = f->b->blocks[k].pc, end = pc + f->b->blocks[k].insns * HD_INSN_BYTES;
    uint32_t held = f->held[k];
    struct hd_insn i = { 0 };
    for (uint32_t at = pc; at < end; at += HD_INSN_BYTES) {
        struct hd_word word;
        memcpy(word.w, f->img->text + at, sizeof word.w);
        if (!hd_decode(&word, f->img->stack_mode, &i))
            return; /* it was never executed */
        if (i.op == OP_SSY)
            held = hold(f, held, i.imm);
    }
    bool leaves = i.op == OP_EXIT || i.op == OP_RET || i.op == OP_RETT,
         guarded = i.pg != HD_PT || i.pn;
    f->registers |= i.op == OP_CALLR || i.op == OP_CALR;
    f->indirect[k] = i.op == OP_BRX;
    if (leaves)
        add(f, k, WAY_OUT);
    if (i.op == OP_BRA)
        lead(f, k, i.imm, held);
    if (i.pop)
        lead(f, k, f->token[held].target, f->token[held].below);
    else if (!(leaves || i.op == OP_BRA || i.op == OP_BRX) || guarded)
        lead(f, k, end, held);
    if (i.op == OP_CALL || i.op == OP_CAL) {
        int32_t to = f->w->calls[k] = block_at(f->b, i.imm);
        if (to >= 0)
            f->w->called[to] = true;
    }
}

/* What nothing else leads to is where branches through registers go. */
static bool look_indirect(struct finder *f)
{
    bool more = false;
    for (uint32_t k = 0; k < f->b->nblocks; k++) {
        bool found = false;
        for (uint32_t j = 0; !f->seen[k] && j < f->b->nblocks; j++)
            if (f->indirect[j] && f->fn[j] == f->fn[k]) {
                add(f, j, (int32_t)k);
                f->held[k] = f->held[j];
                found = true;
            }
        if (found)
            reach(f, (int32_t)k, f->held[k]);
        more |= found;
    }
    return more;
}

/* Every function but the kernel. */
static void call_registers(struct finder *f)
{
    for (uint32_t k = 0; k < f->b->nblocks; k++)
        if (f->b->blocks[k].pc == f->fn[k] && (int32_t)k != f->w->entry) {
            add(f, f->b->nblocks, (int32_t)k);
            f->w->called[k] = true;
        }
}

static void walk(struct finder *f)
{
    for (uint32_t k = 0; k < f->b->nblocks; k++) {
        uint32_t off = 0;
        hd_image_func(f->img, f->b->blocks[k].pc, &off);
        f->fn[k] = f->b->blocks[k].pc - off;
        for (uint32_t i = 0; i < f->img->nkernels; i++)
            if (f->img->kernels[i].entry == f->b->blocks[k].pc)
                f->w->entry = (int32_t)k;
        if (!off)
            reach(f, (int32_t)k, 0);
    }
    do
        while (f->ntodo)
            look(f, f->todo[--f->ntodo]);
    while (look_indirect(f));
    if (f->registers)
        call_registers(f);
}

/* By block. */
static bool sort_ways(struct ways *w, uint32_t nblocks)
{
    struct way *to = malloc((w->n + 1) * sizeof *to);
    if (!to)
        return false;
    for (uint32_t e = 0; e < w->n; e++)
        w->first[w->way[e].from + 1]++;
    for (uint32_t k = 0; k < nblocks; k++)
        w->first[k + 1] += w->first[k];
    for (uint32_t e = w->n; e-- > 0;) /* first[k + 1] goes down to first[k] */
        to[--w->first[w->way[e].from + 1]] = w->way[e];
    for (uint32_t k = 0; k < nblocks; k++)
        w->first[k] = w->first[k + 1];
    w->first[nblocks] = w->n;
    free(w->way);
    w->way = to;
    return true;
}

/* Ways not known yet, by block: going out, coming in. */
struct open {
    uint32_t *out, *in;
    bool *known;
};

static bool next_step(const struct ways *w, const struct open *o, struct way_step *s)
{
    for (uint32_t e = 0; e < w->n; e++) {
        const struct way *a = &w->way[e];
        bool out = o->out[a->from] == 1, in = a->to >= 0 && o->in[a->to] == 1 && !w->called[a->to];
        if (o->known[e] || !(out || in))
            continue;
        *s = (struct way_step){ e, !out, false };
        return true;
    }
    for (int on = 1; on >= 0; on--)
        for (uint32_t e = 0; e < w->n; e++)
            if (!o->known[e] && (!on || w->way[e].to == w->way[e].from + 1)) {
                *s = (struct way_step){ e, false, true };
                return true;
            }
    return false;
}

static bool make_plan(struct ways *w, uint32_t nblocks)
{
    struct open o = { calloc(nblocks + 1, sizeof *o.out), calloc(nblocks, sizeof *o.in),
                      calloc(w->n + 1, sizeof *o.known) };
    struct way_step s;
    w->plan = malloc((w->n + 1) * sizeof *w->plan);
    bool ok = w->plan && o.out && o.in && o.known;
    for (uint32_t e = 0; ok && e < w->n; e++) {
        o.known[e] = w->way[e].from == (int32_t)nblocks;
        o.out[w->way[e].from] += !o.known[e];
        if (w->way[e].to >= 0 && !o.known[e])
            o.in[w->way[e].to]++;
    }
    while (ok && next_step(w, &o, &s)) {
        w->plan[w->nplan++] = s;
        o.known[s.way] = true;
        o.out[w->way[s.way].from]--;
        if (w->way[s.way].to >= 0)
            o.in[w->way[s.way].to]--;
    }
    free(o.out);
    free(o.in);
    free(o.known);
    return ok;
}

void ways_free(struct ways *w)
{
    free(w->first);
    free(w->way);
    free(w->plan);
    free(w->called);
    free(w->calls);
    *w = (struct ways){ 0 };
}

bool ways_find(struct ways *w, const struct bbv *b, const struct hd_image *img)
{
    const uint32_t n = b->nblocks;
    struct finder f = { .b = b,
                        .img = img,
                        .w = w,
                        .fn = calloc(n, sizeof *f.fn),
                        .held = calloc(n, sizeof *f.held),
                        .todo = calloc(n, sizeof *f.todo),
                        .seen = calloc(n, sizeof *f.seen),
                        .indirect = calloc(n, sizeof *f.indirect) };
    *w = (struct ways){ .entry = -1,
                        .first = calloc(n + 3, sizeof *w->first),
                        .called = calloc(n, sizeof *w->called),
                        .calls = malloc(n * sizeof *w->calls) };
    hold(&f, 0, UINT32_MAX);
    bool ok = f.fn && f.held && f.todo && f.seen && f.indirect && w->first && w->called &&
              w->calls && !f.lost;
    if (ok) {
        memset(w->calls, 0xff, n * sizeof *w->calls);
        walk(&f);
    }
    ok = ok && !f.lost && sort_ways(w, n + 1) && make_plan(w, n);
    free(f.fn);
    free(f.held);
    free(f.todo);
    free(f.seen);
    free(f.indirect);
    free(f.token);
    if (!ok)
        ways_free(w);
    return ok;
}

void ways_count(const struct ways *w, const struct bbv *b, const uint32_t *row, int64_t *out,
                int64_t *in, uint32_t *times)
{
    for (uint32_t k = 0; k < b->nblocks; k++)
        out[k] = in[k] = row[b->blocks[k].column];
    if (w->entry >= 0 && in[w->entry])
        in[w->entry]--;
    for (uint32_t n = 0; n < w->nplan; n++) {
        const struct way_step *s = &w->plan[n];
        const struct way *a = &w->way[s->way];
        int64_t v = s->in ? in[a->to] : out[a->from];
        if (s->guess && a->to >= 0 && !w->called[a->to] && in[a->to] < v)
            v = in[a->to];
        v = v > 0 ? v : 0;
        times[s->way] = v < UINT32_MAX ? (uint32_t)v : UINT32_MAX;
        out[a->from] -= v;
        if (a->to >= 0)
            in[a->to] -= v;
    }
    for (uint32_t k = 0; k < b->nblocks; k++)
        if (w->calls[k] >= 0)
            in[w->calls[k]] -= row[b->blocks[k].column];
    for (uint32_t e = w->first[b->nblocks]; e < w->n; e++) {
        int64_t v = in[w->way[e].to];
        times[e] = v <= 0 ? 0 : v < UINT32_MAX ? (uint32_t)v : UINT32_MAX;
    }
}
