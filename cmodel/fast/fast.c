/* How this folder rides on a machine: what it hears of it, and its own form of the code.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fast/inside.h"
#include "cmodel/fast/bbv.h"
#include <stdlib.h>
#include <string.h>

static uint8_t handler(const struct op *op)
{
    return op->is != OP_FINE || op->i.pop ? GO_PLAIN : fast_handler(op);
}

/* The machine has decoded other code. */
static bool loads(void *user)
{
    struct fast *f = user;
    const struct code *c = &f->m->code;
    bbv_run_free(f->bbv);
    f->bbv = NULL;
    f->native = NULL;
    free(f->code);
    f->code = calloc((size_t)c->words + 1, sizeof *f->code);
    for (u32 i = 0; f->code && i <= c->words; i++) {
        f->code[i].op = c->op[i];
        f->code[i].go = handler(&c->op[i]);
    }
    return f->code;
}

static void launches(void *user)
{
    struct fast *f = user;
    const struct code *c = &f->m->code;
    bbv_mark(f, false);
    for (u32 i = 0; f->code && i <= c->words; i++)
        if (f->code[i].op.is != c->op[i].is) {
            f->code[i].op.is = c->op[i].is;
            f->code[i].go = handler(&c->op[i]);
        }
    bbv_mark(f, true);
    if (f->bbv)
        bbv_run_start(f->bbv, &f->m->launch);
    repeat_free(f->repeat);
    f->repeat = NULL;
    fast_watching(f, false);
    f->together = 0;
    f->in_turn = (struct meeting){ 0 };
}

static bool accesses(void *user, const struct access *x, u32 exec, const struct op *op)
{
    struct fast *f = user;
    const u32 atom = f->code[op->pc / CONV_INSN].alone ? 1 + 2u * op->i.aop + op->i.aw : 0;
    if (f->meet && !meet_access(f->meet, x, exec, atom, op->pc))
        return false;
    if (f->watching && x->write)
        repeat_keep(f, x, exec);
    return true;
}

static void steps(void *user, const struct warp *w)
{
    repeat_step(user, w);
}

static void leaves(void *user, const struct warp *w)
{
    struct fast *f = user;
    if (f->bbv)
        bbv_counted(f, w->slot, w->block->linear, w->number);
}

static bool loops(void *user, const struct warp *w, u32 loop[2])
{
    return repeat_loop(user, w, &loop[0], &loop[1]);
}

static void ends(void *user)
{
    struct fast *f = user;
    repeat_free(f->repeat);
    jobs_free(f->jobs);
    bbv_run_free(f->bbv);
    free(f->code);
    free(f);
}

void fast_looks(struct fast *f)
{
    f->m->hooks.accesses = f->meet || f->watching ? accesses : NULL;
    f->m->hooks.steps = f->watching ? steps : NULL;
}

void fast_watching(struct fast *f, bool on)
{
    f->watching = on;
    fast_looks(f);
}

/* NULL where m is, or where there is no memory: then m is freed. */
static struct model *ride(struct model *m)
{
    struct fast *f = m ? calloc(1, sizeof *f) : NULL;
    if (!f) {
        model_free(m);
        return NULL;
    }
    f->m = m;
    m->hooks = (struct hooks){ .user = f, .loads = loads, .launches = launches,
                               .leaves = leaves, .loops = loops, .ends = ends };
    if (loads(f))
        return m;
    model_free(m);
    return NULL;
}

struct model *fast_new(const struct launch_limits *limits)
{
    return ride(model_new(limits));
}

struct model *fast_new_beside(struct model *first, unsigned n)
{
    return ride(model_new_beside(first, n));
}

void fast_set_native(struct model *m, const struct native *native)
{
    fast_of(m)->native = native;
}

unsigned fast_jobs(const struct model *m, struct fast_jobs *why)
{
    const struct fast *f = fast_of(m);
    const struct meeting *w = &f->in_turn;
    const bool addr = w->what && w->off && w->off < MODEL_SHARED;
    *why = (struct fast_jobs){ w->what, w->pc_known, addr, w->pc, addr ? w->off : 0 };
    return f->together;
}
