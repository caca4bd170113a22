/* Which block stands in whose loop, from machine code.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Edges lead between blocks that were executed.  Where an indirect branch or a `.S` goes is not in
 * the code: it may be to every block of its function to which nothing else leads.  A natural loop
 * is what reaches a back edge without passing the header, found by dominators; sets are a bit a
 * block. */
#include "regroup/regroup.h"
#include "cmodel/image/image.h"
#include <stdlib.h>
#include <string.h>

struct graph {
    const struct bbv *b;
    const struct hd_image *img;
    uint32_t n, words;
    uint64_t *to;                   /* by block: a set, its successors */
    uint64_t *dom;                  /* by block: a set, its dominators */
    int32_t *fn;                    /* by block: symbol that holds it */
    int32_t *call;                  /* by block: block that it calls, -1: none */
    bool *indirect;
    uint64_t *body;                 /* a loop: room for one */
};

static bool has(const uint64_t *set, uint32_t k) { return set[k / 64] >> k % 64 & 1; }
static void put(uint64_t *set, uint32_t k) { set[k / 64] |= (uint64_t)1 << k % 64; }
static uint64_t *row(uint64_t *sets, const struct graph *g, uint32_t k)
{
    return sets + (size_t)k * g->words;
}

int32_t block_at(const struct bbv *b, uint32_t pc)
{
    uint32_t lo = 0, hi = b->nblocks;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (b->blocks[mid].pc < pc)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < b->nblocks && b->blocks[lo].pc == pc ? (int32_t)lo : -1;
}

static void edge(struct graph *g, uint32_t from, uint32_t pc)
{
    int32_t k = block_at(g->b, pc);
    if (k >= 0 && g->fn[k] == g->fn[from])
        put(row(g->to, g, from), (uint32_t)k);
}

/* Edges by a block's last instruction. */
static void edges_of(struct graph *g, uint32_t k)
{
    const struct bbv_block *b = &g->b->blocks[k];
    const uint32_t end = b->pc + b->insns * HD_INSN_BYTES;
    struct hd_word w;
    struct hd_insn i;
    memcpy(w.w, g->img->text + end - HD_INSN_BYTES, sizeof w.w);
    if (!hd_decode(&w, g->img->stack_mode, &i))
        return;
    bool guarded = i.pg != HD_PT || i.pn, calls = i.op == OP_CALL || i.op == OP_CAL;
    bool leaves = i.op == OP_EXIT || i.op == OP_RET || i.op == OP_RETT || i.op == OP_BRA ||
                  i.op == OP_BRX;
    g->indirect[k] = i.op == OP_BRX || i.pop;
    if (i.op == OP_BRA)
        edge(g, k, i.imm);
    if (calls)
        g->call[k] = block_at(g->b, i.imm);
    if (!leaves || guarded)
        edge(g, k, end);
}

static void find_edges(struct graph *g)
{
    for (uint32_t k = 0; k < g->n; k++) {
        g->fn[k] = -1;
        g->call[k] = -1;
        for (uint32_t s = 0; s < g->img->nsyms; s++) {
            const struct hd_symbol *y = &g->img->syms[s];
            if (y->section == HD_SEC_TEXT && y->func && g->b->blocks[k].pc - y->value < y->size)
                g->fn[k] = (int32_t)s;
        }
    }
    for (uint32_t k = 0; k < g->n; k++)
        edges_of(g, k);
    for (uint32_t k = 0; k < g->n; k++) {
        /* a function's first block is its entry */
        bool reached = k == 0 || g->fn[k] != g->fn[k - 1];
        for (uint32_t j = 0; j < g->n && !reached; j++)
            reached = has(row(g->to, g, j), k);
        for (uint32_t j = 0; j < g->n && !reached; j++)
            if (g->indirect[j] && g->fn[j] == g->fn[k])
                put(row(g->to, g, j), k);
    }
}

/* Dominators: what is on every way from the function's entry. */
static void find_dominators(struct graph *g)
{
    bool changed = true;
    for (uint32_t k = 0; k < g->n; k++)
        memset(row(g->dom, g, k), k && g->fn[k] == g->fn[k - 1] ? 0xff : 0,
               g->words * sizeof *g->dom);
    for (uint32_t k = 0; k < g->n; k++)
        put(row(g->dom, g, k), k);
    while (changed) {
        changed = false;
        for (uint32_t j = 0; j < g->n; j++)
            for (uint32_t k = 0; k < g->n; k++) {
                if (!has(row(g->to, g, j), k) || !k || g->fn[k] != g->fn[k - 1])
                    continue;
                for (uint32_t w = 0; w < g->words; w++) {
                    uint64_t self = w == k / 64 ? (uint64_t)1 << k % 64 : 0;
                    uint64_t now = row(g->dom, g, k)[w] & (row(g->dom, g, j)[w] | self);
                    changed |= now != row(g->dom, g, k)[w];
                    row(g->dom, g, k)[w] = now;
                }
            }
    }
}

/* The loop of header h in g->body; how many blocks. */
static uint32_t find_body(struct graph *g, uint32_t h)
{
    uint32_t n = 1;
    bool any = false, changed = true;
    memset(g->body, 0, g->words * sizeof *g->body);
    put(g->body, h);
    for (uint32_t j = 0; j < g->n; j++)
        if (has(row(g->to, g, j), h) && has(row(g->dom, g, j), h)) {
            any = true;
            n += !has(g->body, j);
            put(g->body, j);
        }
    while (changed) {
        changed = false;
        for (uint32_t j = 0; j < g->n; j++) {
            bool leads = false;
            for (uint32_t k = 0; k < g->n && !leads; k++)
                leads = k != h && has(g->body, k) && has(row(g->to, g, j), k);
            if (leads && !has(g->body, j)) {
                put(g->body, j);
                n++;
                changed = true;
            }
        }
    }
    return any ? n : 0;
}

/* The one block outside of g->body from which its header is entered; -1: there are several, or
 * none. */
static int32_t enters(const struct graph *g, uint32_t h)
{
    int32_t e = -1;
    for (uint32_t j = 0; j < g->n; j++)
        if (has(row(g->to, g, j), h) && !has(g->body, j))
            e = e == -1 ? (int32_t)j : -2;
    return e < 0 ? -1 : e;
}

static void find_loops(struct graph *g, struct loops *l, uint32_t *size, int32_t *entry)
{
    for (uint32_t k = 0; k < g->n; k++)
        size[k] = UINT32_MAX;
    for (uint32_t h = 0; h < g->n; h++) {
        uint32_t n = find_body(g, h);
        l->header[h] = n > 0;
        entry[h] = n ? enters(g, h) : -1;
        for (uint32_t k = 0; n && k < g->n; k++)
            if (k != h && has(g->body, k) && n < size[k]) { /* the smallest loop is the innermost */
                size[k] = n;
                l->parent[k] = (int32_t)h;
            }
    }
}

/* What leads to a block: jumps, and branches with another side. */
static void find_into(const struct graph *g, const struct loops *l, uint32_t k, struct edges *into)
{
    for (uint32_t j = 0; j < g->n; j++) {
        int32_t other = -1, sides = 0;
        if (!has(row(g->to, g, j), k))
            continue;
        for (uint32_t s = 0; s < g->n; s++)
            if (has(row(g->to, g, j), s) && ++sides && s != k)
                other = (int32_t)s;
        int32_t mine = l->header[j] ? (int32_t)j : l->parent[j];
        bool leaves = mine >= 0 && l->header[mine] && mine != l->parent[k] && mine != (int32_t)k;
        if (into->n == MOST_EDGES || sides > 2 || g->indirect[j]) {
            into->n = 0;
            return;
        }
        into->e[into->n++] = (struct edge){ (int32_t)j, other, leaves };
    }
}

/* Blocks of a function that only one place calls stand in that place's loop. */
static void enter_calls(const struct graph *g, struct loops *l)
{
    for (uint32_t round = 0; round < 8; round++)     /* calls in callees, to some depth */
        for (uint32_t k = 0; k < g->n; k++) {
            int32_t caller = -1;
            if (l->parent[k] >= 0)
                continue;
            for (uint32_t j = 0; j < g->n; j++)
                if (g->call[j] >= 0 && g->fn[g->call[j]] == g->fn[k])
                    caller = caller == -1 ? (int32_t)j : -2;
            if (caller >= 0 && g->fn[caller] != g->fn[k])
                l->parent[k] = l->header[caller] ? caller : l->parent[caller];
        }
}

void loops_free(struct loops *l)
{
    free(l->parent);
    free(l->header);
    free(l->edges);
    *l = (struct loops){ 0 };
}

bool loops_find(struct loops *l, const struct bbv *b, const struct hd_image *img)
{
    struct graph g = { .b = b, .img = img, .n = b->nblocks, .words = b->nblocks / 64 + 1 };
    size_t cells = (size_t)g.n * g.words;
    uint32_t *size = malloc((size_t)g.n * sizeof *size);
    int32_t *entry = malloc((size_t)g.n * sizeof *entry);
    g.to = calloc(cells, sizeof *g.to);
    g.dom = calloc(cells, sizeof *g.dom);
    g.body = calloc(g.words, sizeof *g.body);
    g.fn = malloc((size_t)g.n * sizeof *g.fn);
    g.call = malloc((size_t)g.n * sizeof *g.call);
    g.indirect = calloc(g.n, sizeof *g.indirect);
    *l = (struct loops){ malloc((size_t)g.n * sizeof *l->parent), calloc(g.n, sizeof *l->header),
                         calloc(g.n, sizeof *l->edges) };
    bool ok = size && entry && l->edges && g.to && g.dom && g.body && g.fn && g.call &&
              g.indirect && l->parent && l->header;
    if (ok) {
        memset(l->parent, 0xff, (size_t)g.n * sizeof *l->parent);
        find_edges(&g);
        find_dominators(&g);
        find_loops(&g, l, size, entry);
        for (uint32_t k = 0; k < g.n; k++)
            find_into(&g, l, k, &l->edges[k]);
        enter_calls(&g, l);
        for (uint32_t k = 0; k < g.n; k++)
            if (entry[k] >= 0)
                l->parent[k] = entry[k];
    } else {
        loops_free(l);
    }
    free(size);
    free(entry);
    free(g.to);
    free(g.dom);
    free(g.body);
    free(g.fn);
    free(g.call);
    free(g.indirect);
    return ok;
}
