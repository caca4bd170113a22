/* What forbids that threads change places.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Regrouping gives a warp other threads, and at grid scope a block too.  What a thread does may not
 * depend on who its neighbours are: exchange among the lanes of a warp, and its place in the warp;
 * the order in which threads arrive (results of atomics, f32 sums, fences, volatile accesses, loops
 * that wait).  At grid scope nor on its block: barriers, shared memory.  The same look as
 * auto_sync.c's, of a whole kernel and for reasons of its own.
 *
 * Requires: a module that was just parsed, which has no other user: blocks, loops and differences
 * between
 *           lanes are built here.
 * Ensures:  true; or false, and err has the first reason with its line. */
#include "compiler/regroup/redirect.h"
#include "isa_gen.h"

struct check { const struct fn *f; enum order_scope scope; struct hd_err *err; };

static bool refuse(const struct check *c, const struct ins *at, const char *why)
{
    cc_error(c->err, c->f->m, at->loc, "not regrouped: %s", why);
    return false;
}

static const char *warp_place(int sreg)
{
    switch (sreg) {
    case SREG_LANEID: return "%laneid tells where in its warp a thread is";
    case SREG_WARPID: return "%warpid tells in which warp a thread is";
    case SREG_LANEMASK_EQ:
    case SREG_LANEMASK_LT:
    case SREG_LANEMASK_LE:
    case SREG_LANEMASK_GT:
    case SREG_LANEMASK_GE: return "%lanemask tells where in its warp a thread is";
    default: return NULL;
    }
}

static const char *atomic(const struct fn *f, const struct ins *i)
{
    if (type_float(i->type))
        return "the sum of an atomic float depends on the order of the threads";
    if (i->sub == AT_EXCH || i->sub == AT_CAS)
        return "what this atomic leaves depends on the order of the threads";
    return i->op == P_RED || ins_unread(f, i)
               ? NULL
               : "the result of an atomic tells the order in which threads arrive";
}

/* In any scope. */
static const char *forbids(const struct fn *f, const struct ins *i)
{
    switch (i->op) {
    case P_SHFL:
    case P_VOTE:
    case P_MATCH:
    case P_REDUX:
    case P_ACTIVEMASK: return "lanes of a warp exchange values";
    case P_BARWARP: return "a warp barrier names lanes of a warp";
    case P_MOV: return i->o[1].kind == O_SREG ? warp_place(i->o[1].sreg) : NULL;
    case P_ATOM: case P_RED: return atomic(f, i);
    case P_MEMBAR: case P_FENCE: return "a fence orders what other threads see";
    case P_LD:
    case P_ST: return i->vol ? "a volatile access lets threads wait for each other" : NULL;
    case P_NANOSLEEP: return "a thread that sleeps waits for another";
    default: return NULL;
    }
}

static bool shared(const struct ins *i)
{
    if (i->space == SP_SHARED) return true;
    for (int k = 0; k < i->nops; k++)
        if (i->o[k].kind == O_SYM && i->o[k].sym->kind == S_VAR && i->o[k].sym->space == SP_SHARED)
            return true;
    return false;
}

/* Of threads that stay in their block: a barrier for some of its warps counts other threads. */
static const char *forbids_in(enum order_scope scope, const struct ins *i)
{
    if (i->op == P_BARRED) return "threads of the block exchange values at a barrier";
    if (i->op == P_BAR && i->nops > 1) return "a barrier for a part of the block";
    if (scope == ORDER_BLOCK) return NULL;
    if (i->op == P_BAR)
        return "the block barrier needs the threads of the block (--redirect block keeps them)";
    return shared(i) ? "shared memory needs the threads of the block (--redirect block keeps them)"
                     : NULL;
}

static bool instruction(const struct check *c, const struct ins *i)
{
    const char *why = forbids(c->f, i);
    if (!why) why = forbids_in(c->scope, i);
    const struct fn *to = callgraph_callee(i);
    if (!why && to && !to->defined)
        why = arena_printf(c->f->m->arena, "%s is a function that is not known here", to->name);
    return why ? refuse(c, i, why) : true;
}

static bool function(const struct check *c)
{
    for (int b = 0; b < c->f->nblocks; b++)
        for (const struct ins *i = c->f->blocks[b]->first; i; i = i->next)
            if (!instruction(c, i)) return false;
    for (int k = 0; k < c->f->nloops; k++) {
        const struct loop *l = c->f->loops[k];
        if (l->spins) return refuse(c, l->header->first, "the loop may wait for another thread");
    }
    return true;
}

bool redirect_check(struct module *m, const struct fn *kernel, enum order_scope scope,
                    struct hd_err *err)
{
    bool *reached = arena_alloc(m->arena, (size_t)m->nfns + 1);
    for (int k = 0; k < m->nfns; k++)
        if (m->fns[k]->defined) {
            cfg_build(m->fns[k]);
            dom_build(m->fns[k]);
            loop_build(m->fns[k]);
        }
    uniform_run(m);
    callgraph_reach(kernel, NULL, reached);
    reached[kernel->id] = true;
    for (int k = 0; k < m->nfns; k++)
        if (reached[k] && m->fns[k]->defined && !function(&(struct check){ m->fns[k], scope, err }))
            return false;
    return true;
}
