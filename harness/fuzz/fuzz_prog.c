/* Random programs for the compiler: statements with loops, switches, calls and early ends.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/fuzz_prog.h"
#include <stdlib.h>
#include <string.h>

struct maker {
    struct rng r;
    struct prog *p;
    uint32_t lacks;
    int depth, loops, function, budget;
};

/* Library routines: hundreds of instructions, so seldom, and never in loops. */
static bool is_long(int op)
{
    const char *text = prog_ops[op].text;
    return strstr(text, "div") || strstr(text, "rem") || strstr(text, "sqrt") || strstr(text,
            "rcp");
}

/* Whether a core without these units has it: quotients of integers are estimated by floats, too. */
static bool has(int op, uint32_t lacks)
{
    const bool estimates = is_long(op), floats = estimates || strstr(prog_ops[op].text, "f32");
    return !(floats && lacks & 1u << UNIT_FPU) && !(estimates && lacks & 1u << UNIT_SFU);
}

static int node_new(struct maker *m, enum node_kind kind)
{
    struct node *n = &m->p->node[m->p->nodes];
    *n = (struct node){ .kind = kind, .body = { -1, -1, -1, -1 }, .next = -1 };
    do
        n->op = (int)rng_below(&m->r, (uint32_t)prog_nops);
    while (!has(n->op, m->lacks) ||
           (is_long(n->op) && (m->loops || m->function >= 0 || rng_below(&m->r, 3))));
    n->d = (int)rng_below(&m->r, PROG_VARS);
    n->a = (int)rng_below(&m->r, PROG_VARS);
    n->b = (int)rng_below(&m->r, PROG_VARS + 2);
    n->c = (int)rng_below(&m->r, PROG_VARS + 1);
    n->imm = rng_one_in(&m->r, 2) ? rng_below(&m->r, 40) : (uint32_t)rng_next(&m->r);
    n->compare = (int)rng_below(&m->r, PROG_COMPARES);
    n->ga = (int)rng_below(&m->r, PROG_VARS);
    n->gb = (int)rng_below(&m->r, PROG_VARS + 4);
    n->gimm = rng_one_in(&m->r, 2) ? rng_below(&m->r, 16) : (uint32_t)rng_next(&m->r);
    m->budget--;
    return m->p->nodes++;
}

static int statements(struct maker *m, int n);

static int inside(struct maker *m, int n)
{
    m->depth++;
    int first = statements(m, n);
    m->depth--;
    return first;
}

/* Which kinds may stand here, and how often. */
static uint32_t weight(const struct maker *m, enum node_kind k)
{
    bool top = !m->depth && m->function < 0, deep = m->depth >= 4 || m->budget < 6;
    switch (k) {
    case NODE_OP: return 40;
    case NODE_IF: return deep ? 0 : 25;
    case NODE_LOOP: return deep || m->loops >= 2 ? 0 : 14;
    case NODE_SWITCH: return deep ? 0 : 7;
    case NODE_CALL: return m->function == PROG_FUNCTIONS - 1 || deep ? 0 : 8;
    case NODE_BREAK: case NODE_CONTINUE: return m->loops ? 6 : 0;
    case NODE_EXIT: return (m->p->collective && m->function < 0) || !m->depth ? 0 : 3;
    case NODE_SHARED: case NODE_SHFL: case NODE_BALLOT: return m->p->collective && top ? 8 : 0;
    default: return m->function >= 0 ? 0 : 6;
    }
}

static int statement(struct maker *m)
{
    uint32_t total = 0, at;
    int k = 0;
    for (int j = NODE_OP; j <= NODE_BALLOT; j++)
        total += weight(m, (enum node_kind)j);
    for (at = rng_below(&m->r, total); at >= weight(m, (enum node_kind)k); k++)
        at -= weight(m, (enum node_kind)k);
    int i = node_new(m, (enum node_kind)k), ways;
    struct node *n = &m->p->node[i];
    switch (k) {
    case NODE_OP:
        n->guarded = rng_one_in(&m->r, 6);
        break;
    case NODE_IF:
        n->body[0] = inside(m, 1 + (int)rng_below(&m->r, 3));
        if (rng_below(&m->r, 3))
            n->body[1] = inside(m, 1 + (int)rng_below(&m->r, 3));
        break;
    case NODE_LOOP:
        n->imm = rng_one_in(&m->r, 3) ? 7 : 3;       /* trips: a & imm */
        m->loops++;
        n->body[0] = inside(m, 1 + (int)rng_below(&m->r, 4));
        m->loops--;
        break;
    case NODE_SWITCH:
        ways = 2 + 2 * (int)rng_below(&m->r, 2);
        n->imm = (uint32_t)ways - 1;
        for (int w = 0; w < ways; w++)
            n->body[w] = inside(m, 1 + (int)rng_below(&m->r, 2));
        break;
    case NODE_CALL:
        n->op = m->function + 1 + (int)rng_below(&m->r,
                                                 (uint32_t)(PROG_FUNCTIONS - m->function - 1));
        break;
    default:
        break;
    }
    return i;
}

static int statements(struct maker *m, int n)
{
    int first = -1, last = -1;
    while (n-- && m->budget > 0) {
        int i = statement(m);
        if (last < 0)
            first = i;
        else
            m->p->node[last].next = i;
        last = i;
    }
    return first;
}

/* ---- directives of speculative reconvergence ---- */

/* The statements below n, labels' candidates; calls are those of functions. */
static int below(const struct prog *p, int n, int *list, int count)
{
    for (int w = 0; w < PROG_WAYS; w++)
        for (int i = p->node[n].body[w]; i >= 0; i = p->node[i].next) {
            list[count++] = i;
            count = below(p, i, list, count);
        }
    return count;
}

/* The region starts before a statement that branches, mostly a loop; lanes meet before one or
 * two statements in it, or in a function that one of them calls. */
static void predict(struct maker *m, int number)
{
    static const int threshold[] = { 0, 0, 1, 4, 16, 31 };
    struct prog *p = m->p;
    int start[PROG_NODES], inner[PROG_NODES], nstarts = 0;
    for (int k = 0; k < p->nodes; k++) {
        enum node_kind kind = p->node[k].kind;
        int times = p->node[k].predict  ? 0
                    : kind == NODE_LOOP ? 3
                                        : kind == NODE_IF || kind == NODE_SWITCH;
        while (times-- && nstarts < PROG_NODES) start[nstarts++] = k;
    }
    if (!nstarts)
        return;
    struct node *n = &p->node[start[rng_below(&m->r, (uint32_t)nstarts)]];
    int count = below(p, (int)(n - p->node), inner, 0);
    if (!count)
        return;
    struct node *at = &p->node[inner[rng_below(&m->r, (uint32_t)count)]];
    if (at->label)
        return;
    n->threshold = threshold[rng_below(&m->r, sizeof threshold / sizeof threshold[0])];
    n->predict = at->kind == NODE_CALL && rng_one_in(&m->r, 2) ? PROG_AT_FUNCTION + at->op : number;
    p->predicts = true;
    if (n->predict != number)
        return;
    at->label = number;
    at = &p->node[inner[rng_below(&m->r, (uint32_t)count)]];
    if (!at->label && rng_one_in(&m->r, 4))
        at->label = number;
}

void prog_make(struct prog *p, uint64_t seed, uint32_t lacks)
{
    struct maker m = { .r = { seed * 2 + 1 }, .p = p, .lacks = lacks, .function = -1 };
    p->nodes = 0;
    p->collective = rng_one_in(&m.r, 2);
    m.budget = rng_one_in(&m.r, 10) ? 40 : 5 + (int)rng_below(&m.r, 12);
    p->main = statements(&m, 2 + (int)rng_below(&m.r, 5));
    for (m.function = 0; m.function < PROG_FUNCTIONS; m.function++) {
        m.budget = 3 + (int)rng_below(&m.r, 4);
        m.depth = m.loops = 0;
        p->function[m.function] = statements(&m, 1 + (int)rng_below(&m.r, 3));
    }
    p->predicts = false;
    for (int k = 1 + (int)rng_below(&m.r, PROG_PREDICTIONS); k; k--)
        predict(&m, k);
}

void fuzz_prog(struct fuzz_case *c)
{
    struct rng r = { c->seed * 2 };
    c->prog = calloc(1, sizeof *c->prog);
    if (!c->prog)
        abort();
    prog_make(c->prog, c->seed, c->core.lacks);
    c->no_ifconv = rng_one_in(&r, 3);
    c->maxregs = rng_one_in(&r, 3) ? 16 + (int)rng_below(&r, 16) : 0;
    if (!c->maxregs && fuzz_regs(c) < 256)
        c->maxregs = (int)fuzz_regs(c);
}
