/* MUMmer: the suffix tree, and the host's matches, found by comparing with every place of the
 * reference.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The reference is random; queries are pieces of it with some letters changed, as sequencing reads
 * are. */
#include "mummer.h"
#include "workload.h"
#include <stdlib.h>

struct tree { struct mum_node *node; int used; const uint8_t *text; int length; };

static int add_node(struct tree *t, int start, int length, int depth, int where)
{
    t->node[t->used] = (struct mum_node){
        .start = start, .length = length, .depth = depth, .link = -1, .where = where
    };
    return t->used++;
}

/* Cuts the edge to `child` after its first `along` letters; returns the new inner node. */
static int split(struct tree *t, int parent, int child, int along)
{
    struct mum_node *c = &t->node[child];
    int inner = add_node(t, c->start, along, c->depth - c->length + along, c->where);
    t->node[parent].child[t->text[c->start]] = inner;
    c->start += along;
    c->length -= along;
    t->node[inner].child[t->text[c->start]] = child;
    t->node[inner].link = 0;                     /* set by link_nodes */
    return inner;
}

/* Suffixes come in order of their start, so `where` of a node is that of the first that passed.  A
 * suffix that ends inside an edge (its text occurs earlier, too) needs no leaf: nothing longer
 * matches because of it. */
static void add_suffix(struct tree *t, int suffix)
{
    int node = 0, at = suffix;
    while (at < t->length) {
        int child = t->node[node].child[t->text[at]], along = 0;
        if (!child) {
            t->node[node].child[t->text[at]] = add_node(t, at, t->length - at, t->length - suffix,
                                                        suffix);
            return;
        }
        const struct mum_node *c = &t->node[child];
        while (along < c->length && at < t->length && t->text[c->start + along] == t->text[at])
            along++, at++;
        if (at == t->length)
            return;
        node = along < c->length ? split(t, node, child, along) : child;
    }
}

/* Inner nodes: the text without its first letter ends at a node, too. */
static void link_nodes(struct tree *t)
{
    for (int n = 1; n < t->used; n++) {
        if (t->node[n].link < 0)
            continue;
        int at = t->node[n].where + 1, end = t->node[n].where + t->node[n].depth, node = 0;
        while (at < end) {
            node = t->node[node].child[t->text[at]];
            at += t->node[node].length;
        }
        t->node[n].link = node;
    }
}

void mum_tree(struct mum_node *node, const uint8_t *text, int length)
{
    struct tree t = { .node = node, .text = text, .length = length };
    add_node(&t, 0, 0, 0, 0);
    for (int i = 0; i < length; i++)
        add_suffix(&t, i);
    t.node[0].link = 0;
    link_nodes(&t);
}

static struct mum_match longest(const uint8_t *reference, int size, const uint8_t *q, int left)
{
    struct mum_match best = { 0, 0 };
    for (int place = 0; place < size; place++) {
        int n = 0;
        while (n < left && place + n < size && reference[place + n] == q[n])
            n++;
        if (n > best.length)
            best = (struct mum_match){ n, place };
    }
    return best.length >= MUM_SHORTEST ? best : (struct mum_match){ 0, 0 };
}

void mummer_make(struct problem *p, enum size size)
{
    int reference = size == SIZE_RTL ? 2000 : 20000, length = size == SIZE_RTL ? 48 : 200;
    p->blocks = size == SIZE_RTL ? 1 : 4;
    p->threads = 128;
    int queries = (int)(p->blocks * p->threads);
    struct mum_node *tree = problem_in(p, "tree", sizeof *tree * 2 * (size_t)reference);
    uint8_t *text = problem_in(p, "reference", (size_t)reference),
            *q = problem_in(p, "queries", (size_t)(queries * length));
    struct mum_match *out = problem_out(p, "out", sizeof *out * (size_t)(queries * length));
    problem_int(p, "length", length);
    pa_u64 seed = 25;
    for (int i = 0; i < reference; i++)
        text[i] = (uint8_t)(pa_lcg(&seed) * MUM_LETTERS);
    mum_tree(tree, text, reference);
    for (int k = 0; k < queries; k++) {
        int from = (int)(pa_lcg(&seed) * (float)(reference - length));
        float noise = 0.1f * pa_lcg(&seed);      /* share of changed letters */
        for (int i = 0; i < length; i++)
            q[k * length + i] = pa_lcg(&seed) < noise ? (uint8_t)(pa_lcg(&seed) * MUM_LETTERS)
                                                      : text[from + i];
    }
    for (int i = 0; i < queries * length; i++)
        out[i] = longest(text, reference, q + i, length - i % length);
}
