/* A random program as a tree, from which its PTX and its meaning both come.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The meaning is computed here, on the host, thread by thread: what the compiler makes of the
 * text must leave the same memory.  That is what catches a miscompiled kernel, on which RTL,
 * model and third leg all agree. */
#ifndef FUZZ_PROG_H
#define FUZZ_PROG_H
#include "harness/fuzz/fuzz.h"

enum { PROG_VARS = 8, PROG_NODES = 300, PROG_FUNCTIONS = 2, PROG_WAYS = 4, PROG_LOCAL = 32,
       PROG_OWN = 32, PROG_PREDICTIONS = 3,
       PROG_AT_FUNCTION = 100 /* a prediction that names function n - this */ };

enum node_kind {
    NODE_OP,             /* d = op(a, b, c), perhaps under a condition */
    NODE_LOAD,           /* d = in[a] of some width */
    NODE_OWN_STORE, NODE_OWN_LOAD, NODE_OWN_ATOM,        /* the thread's own slot */
    NODE_LOCAL_STORE, NODE_LOCAL_LOAD,                   /* .local, index in a register */
    NODE_RED,            /* an atomic on sum, one cell an operation */
    NODE_IF, NODE_LOOP, NODE_SWITCH, NODE_CALL, NODE_BREAK, NODE_CONTINUE,
    NODE_EXIT,
    NODE_SHARED, NODE_SHFL, NODE_BALLOT    /* all threads of the block, or warp, at the top only */
};
/* Operands are variables; from PROG_VARS up, the node's own immediate. */
struct node {
    enum node_kind kind;
    int op, d, a, b, c;
    uint32_t imm;
    bool guarded;                /* NODE_OP, NODE_IF, NODE_BREAK ...: if compare(ga, gb) */
    int compare, ga, gb;
    uint32_t gimm;
    int body[PROG_WAYS];         /* first statements, -1: empty */
    int next;                    /* the next statement, -1: none */
    int predict, threshold;      /* before it stands a simt.predict of that number, 0: none */
    int label;                   /* or a simt.label */
    enum { KEEP, DROPPED, FIRST_ONLY, SECOND_ONLY } fold;        /* what the shrinker made of it */
};
struct prog {
    struct node node[PROG_NODES];
    int nodes, main, function[PROG_FUNCTIONS];
    bool collective;             /* threads meet, so none may end early */
    bool trimmed;                /* the text is without what no statement needs */
    bool predicts;               /* some node has a directive of speculative reconvergence */
};
/* What the launch must leave in the two buffers. */
struct fuzz_expect { uint8_t out[FUZZ_MAX_THREADS * FUZZ_SLOT], sum[FUZZ_SUM]; };

struct prog_op { const char *text; uint32_t (*value)(uint32_t a, uint32_t b, uint32_t c); };
extern const struct prog_op prog_ops[];
extern const int prog_nops;
extern const char *const prog_compares[];                /* "lt.u32" ... */
enum { PROG_COMPARES = 10 };
bool prog_holds(int compare, uint32_t a, uint32_t b);

/* fuzz_prog.c */
/* No operation of the units that lack. */
void prog_make(struct prog *p, uint64_t seed, uint32_t lacks);
/* fuzz_ptx.c: the text, to be freed. */
char *prog_text(const struct prog *p, const struct fuzz_case *c);
/* fuzz_eval.c: `in` as fuzz_data fills it. */
void prog_eval(const struct prog *p, const struct fuzz_case *c, const uint32_t *in,
               struct fuzz_expect *e);
#endif
