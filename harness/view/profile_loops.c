/* Loops of a profile, and what the sides of a branch have in common, by the edges that lanes took.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A loop's header is where an edge leads back to: to an instruction on the way there, which need
 * not be above (the compiler also puts the place where sides join above them).  Its body is what
 * reaches such an edge without passing the header.  Edges into functions and out of them do not
 * count, so a call stands for what it calls. */
#include "harness/view/profile.h"
#include "harness/view/profile_ways.h"
#include <stdlib.h>
#include <string.h>

struct graph {
    const struct profile *p;
    struct profile_sums *s;
    size_t n;   /* instructions that ran */
    int *where; /* by timeline_index: index in s->insn; -1 */
    int *stack;
    uint8_t *state;   /* by instruction: of the walk that finds loops */
    uint8_t *body;    /* by loop and instruction: it stands in it */
    uint8_t *side[2]; /* by instruction: reached from a branch's side */
};

static int at(const struct graph *g, uint32_t pc)
{
    size_t i = timeline_index(g->p->program, pc);
    return i < g->p->nheads ? g->where[i] : -1;
}

/* Where lanes went from instruction k. */
static int successors(const struct graph *g, int k, int *to, int most)
{
    const uint32_t pc = g->s->insn[k].pc;
    int n = 0;
    const struct profile_heads *h = &g->p->head[timeline_index(g->p->program, pc)];
    for (int e = h->edge; e >= 0 && n < most; e = g->p->edge[e].next)
        if (at(g, g->p->edge[e].to) >= 0)
            to[n++] = at(g, g->p->edge[e].to);
    return n;
}

enum { SUCCESSORS = 64 };

/* Whatever reaches `from` without passing the header; by rounds, for the graph keeps no
 * predecessors. */
static void fill_body(const struct graph *g, uint8_t *body, int header, int from)
{
    body[header] = body[from] = 1;
    for (bool more = true; more;) {
        more = false;
        for (int k = (int)g->n - 1; k >= 0; k--) {
            int to[SUCCESSORS], n = body[k] ? 0 : successors(g, k, to, SUCCESSORS);
            for (int i = 0; i < n; i++)
                if (body[to[i]] && to[i] != header) {
                    body[k] = 1;
                    more = true;
                    break;
                }
        }
    }
}

static size_t body_size(const struct graph *g, size_t l)
{
    size_t n = 0;
    for (size_t k = 0; k < g->n; k++)
        n += g->body[l * g->n + k];
    return n;
}

static int loop_at(struct graph *g, uint32_t header)
{
    struct profile_sums *s = g->s;
    for (size_t l = 0; l < s->nloops; l++)
        if (s->loop[l].pc == header)
            return (int)l;
    struct profile_loop *more = realloc(s->loop, (s->nloops + 1) * sizeof *more);
    uint8_t *body = more ? realloc(g->body, (s->nloops + 1) * g->n) : NULL;
    if (more)
        s->loop = more;
    if (!body)
        return -1;
    g->body = body;
    memset(body + s->nloops * g->n, 0, g->n);
    more[s->nloops] =
        (struct profile_loop){ .pc = header, .parent = -1, .at = profile_insn(g->p, header) };
    return (int)s->nloops++;
}

/* The line of a loop is the first of its header's and of the instructions that lead back: of a
 * `for` the compiler may put the condition last. */
static void name_loop(struct profile_loop *x, const struct timeline_insn *back)
{
    if (!x->at || !x->at->line ||
        (back && back->line && back->line < x->at->line && !strcmp(back->file, x->at->file)))
        x->at = back ? back : x->at;
}

static bool add_back_edge(struct graph *g, int from, int header)
{
    const struct profile *p = g->p;
    int l = loop_at(g, g->s->insn[header].pc);
    if (l < 0)
        return false;
    struct profile_loop *x = &g->s->loop[l];
    fill_body(g, g->body + (size_t)l * g->n, header, from);
    name_loop(x, g->s->insn[from].at);
    const struct profile_heads *h = &p->head[timeline_index(p->program, g->s->insn[from].pc)];
    for (int e = h->edge; e >= 0; e = p->edge[e].next)
        if (p->edge[e].to == x->pc) {
            x->entries -= p->edge[e].lanes; /* in sum_loops, rounds are added */
            x->warp_entries -= p->edge[e].warps;
        }
    return true;
}

enum { NEW, OPEN, DONE }; /* OPEN: on the way from the root to where the walk is */

/* A walk in depth from a root: an edge to an open instruction leads back. */
static bool walk(struct graph *g, int root)
{
    int n = 0;
    g->stack[n++] = root;
    while (n) {
        int k = g->stack[n - 1], to[SUCCESSORS], m = successors(g, k, to, SUCCESSORS), i = 0;
        bool first = g->state[k] == NEW;
        g->state[k] = OPEN;
        for (; first && i < m; i++)
            if (g->state[to[i]] == OPEN && !add_back_edge(g, k, to[i]))
                return false;
        for (i = 0; i < m && g->state[to[i]] != NEW; i++) {}
        if (i < m)
            g->stack[n++] = to[i];
        else {
            g->state[k] = DONE;
            n--;
        }
    }
    return true;
}

/* Functions begin where no edge leads to; else (a loop back to the first instruction) in order. */
static bool find_loops(struct graph *g)
{
    uint8_t *inner = g->side[0];
    memset(inner, 0, g->n);
    for (size_t e = 0; e < g->p->nedges; e++)
        if (at(g, g->p->edge[e].to) >= 0)
            inner[at(g, g->p->edge[e].to)] = 1;
    for (int all = 0; all < 2; all++)
        for (size_t k = 0; k < g->n; k++)
            if (g->state[k] == NEW && (all || !inner[k]) && !walk(g, (int)k))
                return false;
    return true;
}

static void sum_loops(struct graph *g)
{
    struct profile_sums *s = g->s;
    for (size_t l = 0; l < s->nloops; l++) {
        const uint8_t *body = g->body + l * g->n;
        struct profile_loop *x = &s->loop[l];
        for (size_t i = 0; i < g->p->nplaces; i++) {
            int k = at(g, g->p->place[i].site);
            if (k >= 0 && body[k])
                profile_sum(&x->k, &g->p->place[i].k);
        }
        for (size_t k = g->n; k-- > 0;)
            if (body[k])
                x->first = s->insn[k].pc;
        for (size_t k = 0; k < g->n; k++)
            if (body[k])
                x->end = s->insn[k].pc;
        int h = at(g, x->pc);
        x->rounds = s->insn[h].k.lanes;
        x->warp_rounds = s->insn[h].k.insns;
        x->entries += x->rounds;
        x->warp_entries += x->warp_rounds;
        size_t least = 0;
        for (size_t o = 0; o < s->nloops; o++) {
            size_t size = body_size(g, o);
            if (o != l && g->body[o * g->n + (size_t)h] && size > body_size(g, l) &&
                (!least || size < least)) {
                least = size;
                x->parent = (int)o;
            }
        }
    }
}

bool profile_in_loop(const struct profile_bodies *b, size_t loop, uint32_t pc)
{
    const size_t i = timeline_index(b->p->program, pc);
    const int k = pc == PROF_GONE || i >= b->p->nheads ? -1 : b->where[i];
    return k >= 0 && b->body[loop * b->n + (size_t)k];
}

/* Slots of lanes that left a loop go to the exit that they took. */
static bool charge_exits(const struct graph *g)
{
    size_t *size = calloc(g->s->nloops + 1, sizeof *size);
    const struct profile_bodies b = { g->p, g->where, g->body, size, g->n, g->s->nloops };
    for (size_t l = 0; size && l < g->s->nloops; l++)
        size[l] = body_size(g, l);
    if (size)
        profile_ways_charge(g->p->ways, g->p, g->s, &b);
    free(size);
    return size != NULL;
}

/* ---- branches ------------------------------------------------------------------------------- */

static void place_branch(struct graph *g, struct profile_branch *b)
{
    int k = at(g, b->site ? b->site->pc : b->pc), to[SUCCESSORS];
    size_t inner = 0, outer = 0;
    if (k < 0)
        return;
    int own = at(g, b->pc), n = own >= 0 ? successors(g, own, to, SUCCESSORS) : 0;
    for (size_t l = 0; l < g->s->nloops; l++) {
        const uint8_t *body = g->body + l * g->n;
        size_t size = body_size(g, l);
        bool out = false;
        if (!body[k])
            continue;
        if (!inner || size < inner) {
            inner = size;
            b->loop = (int)l;
        }
        for (int i = 0; i < n && own == k; i++)
            out |= !body[to[i]];
        if (out && size > outer) {
            outer = size;
            b->leaves = (int)l;
        }
    }
}

static void reach(const struct graph *g, uint8_t *seen, int from, int without)
{
    int n = 0;
    memset(seen, 0, g->n);
    g->stack[n++] = from;
    seen[from] = 1;
    while (n) {
        int k = g->stack[--n], to[SUCCESSORS], m = successors(g, k, to, SUCCESSORS);
        for (int i = 0; i < m; i++)
            if (!seen[to[i]] && to[i] != without && to[i] > k) { /* forward: this round's */
                seen[to[i]] = 1;
                g->stack[n++] = to[i];
            }
    }
}

static void mnemonic(const struct timeline_insn *x, char *buf, size_t n)
{
    const char *t = x ? x->text : "";
    while (*t == '@' || (*t == ' ' && *t))
        t += *t == '@' ? strcspn(t, " ") : 1;
    snprintf(buf, n, "%.*s", (int)strcspn(t, " "), t);
}

/* Instructions that both sides have, each as often as the side that runs it less; only where they
 * have met again below. */
static double alike(struct graph *g, const struct profile_branch *b)
{
    int own = at(g, b->pc), to[SUCCESSORS], n = own >= 0 ? successors(g, own, to, SUCCESSORS) : 0;
    double sum = 0;
    if (n != 2 || !b->divergent || b->leaves >= 0)
        return 0;
    reach(g, g->side[0], to[0], own);
    reach(g, g->side[1], to[1], own);
    uint8_t *taken = calloc(g->n, 1);
    for (size_t i = 0; taken && i < g->n; i++) {
        char x[48], y[48];
        const struct profile_insn *a = &g->s->insn[i];
        if (!g->side[0][i] || g->side[1][i] || a->k.branches)
            continue;
        mnemonic(a->at, x, sizeof x);
        for (size_t j = 0; j < g->n; j++) {
            const struct profile_insn *c = &g->s->insn[j];
            if (!g->side[1][j] || g->side[0][j] || taken[j] || c->k.branches)
                continue;
            mnemonic(c->at, y, sizeof y);
            if (strcmp(x, y) || !strcmp(x, "BSYNC") || !strcmp(x, "EXIT"))
                continue;
            double both = (double)(a->k.insns < c->k.insns ? a->k.insns : c->k.insns);
            sum += both < (double)b->divergent ? both : (double)b->divergent;
            taken[j] = 1;
            break;
        }
    }
    free(taken);
    return sum;
}

bool profile_loops(const struct profile *p, struct profile_sums *s)
{
    struct graph g = { .p = p, .s = s, .n = s->ninsns };
    g.where = malloc((p->nheads + 1) * sizeof *g.where);
    g.stack = malloc((g.n + 1) * sizeof *g.stack);
    g.side[0] = calloc(2, g.n + 1);
    g.state = calloc(1, g.n + 1);
    bool ok = g.where && g.stack && g.side[0] && g.state;
    for (size_t i = 0; ok && i < p->nheads; i++)
        g.where[i] = -1;
    for (size_t i = 0; ok && i < g.n; i++)
        g.where[timeline_index(p->program, s->insn[i].pc)] = (int)i;
    g.side[1] = ok ? g.side[0] + g.n : NULL;
    ok = ok && find_loops(&g);
    if (ok)
        sum_loops(&g);
    ok = ok && charge_exits(&g);
    if (ok) {
        for (size_t i = 0; i < s->nbranches; i++) {
            place_branch(&g, &s->branch[i]);
            s->branch[i].alike = alike(&g, &s->branch[i]);
        }
    }
    free(g.where);
    free(g.stack);
    free(g.side[0]);
    free(g.state);
    free(g.body);
    return ok;
}
