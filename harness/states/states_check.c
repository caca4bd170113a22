/* Recorded states against the model's rules.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model runs a program from its start: what is equal is counted up to the first record that is
 * not, since all later ones follow from it. */
#include "harness/states/states.h"
#include "cmodel/machine/barriers.h"
#include <string.h>

/* The lanes of `active` whose guard holds; each lane's visits are counted. */
static uint32_t guard(const struct unit_insn *i, uint32_t active, uint8_t visits[UNIT_LANES])
{
    uint32_t exec = 0;
    if (!i->guard)
        return active;
    for (unsigned l = 0; l < UNIT_LANES; l++)
        if (active >> l & 1) {
            unsigned v = visits[l];
            if (v < i->words)
                exec |= (i->word[v] >> l & 1) << l;
            visits[l] = (uint8_t)(v < UNIT_WORDS ? v + 1 : v);
        }
    return exec;
}

/* Where instructions stand in the model.  The record of an instruction is made by code of its own:
 * lanes that come to it are at `start`, those that execute it again at `insn`, those that have at
 * insn + CONV_INSN, and nobody else's places are the same.  A dense instruction has no record: it
 * is its own start, and the next one's comes after it. */
struct places { uint32_t start[UNIT_INSNS + 1], insn[UNIT_INSNS]; };

static void place(const struct unit_program *p, struct places *at)
{
    uint32_t pc = 0;
    for (unsigned k = 0; k < p->n; k++) {
        bool dense = p->insn[k].dense;
        at->start[k] = pc;
        at->insn[k] = pc + !dense * CONV_INSN;
        pc = at->insn[k] + (dense ? 1 : 2) * CONV_INSN;
    }
    at->start[p->n] = pc;
}

/* The instruction that lanes at pc come to next. */
static unsigned insn_at(const struct unit_program *p, const struct places *at, uint32_t pc)
{
    unsigned k = 0;
    while (k < p->n && at->insn[k] < pc)
        k++;
    return k;
}

static bool same_stack(const struct conv *c, const struct unit_state *s)
{
    unsigned n = c->nstk + (c->alt != 0);
    bool same = n == s->depth;
    for (unsigned i = 0; same && i < n && i < sizeof s->stack; i++)
        same = s->stack[i] == (i < c->nstk ? c->stk[i] : __builtin_ctz(c->alt));
    return same && (!c->alt || c->alt == s->alt);
}

static bool same(const struct conv *c, unsigned k, const struct unit_state *s)
{
    uint32_t lives = s->active | s->ready | s->yielded | s->waiting;
    for (unsigned b = 0; b < UNIT_BARRIERS; b++)
        lives |= s->blocked[b];
    return k == s->insn && c->active == s->active && c->rdy == s->ready && c->yld == s->yielded &&
           c->wsync == s->waiting && c->live == lives && c->ptr == s->pointer &&
           !memcmp(c->arrived, s->blocked, sizeof s->blocked) &&
           !memcmp(c->b, s->members, sizeof s->members) && same_stack(c, s);
}

static void step(struct conv *c, const struct unit_program *p, const struct places *at,
                 unsigned k, uint32_t exec)
{
    const struct unit_insn *i = &p->insn[k];
    uint32_t target[HD_LANES];
    conv_begin(c);
    c->pc = at->insn[k];
    for (unsigned l = 0; l < HD_LANES && (i->op == UNIT_BRX || i->op == UNIT_RET); l++)
        target[l] = at->start[i->word[l]];
    switch (i->op) {
    case UNIT_BRA:
    case UNIT_CALL: conv_branch(c, exec, at->start[i->arg]); break;
    case UNIT_BRX:
    case UNIT_RET: conv_indirect(c, exec, target); break;
    case UNIT_BSSY: conv_bssy(c, exec, i->arg); break;
    case UNIT_BSYNC: conv_bsync(c, i->arg); break;
    case UNIT_BREAK: conv_break(c, exec, i->arg); break;
    case UNIT_YIELD: conv_yield(c); break;
    case UNIT_EXIT:
        conv_exit(c, exec);
        if (!c->active)
            conv_exited(c);
        break;
    case UNIT_WARPSYNC: conv_warpsync(c, i->word[0]); break;
    case UNIT_BMOV: conv_bmov(c, i->arg, i->word[0]); break;
    case UNIT_BMOV_CLEAR: conv_bmov(c, i->arg, 0); break;
    case UNIT_NOP:
    case UNIT_BAR: c->pc += CONV_INSN; break;
    }
}

unsigned states_equal(const struct unit_program *p, const struct unit_state *s, unsigned n)
{
    struct conv c;
    struct places at;
    uint8_t visits[UNIT_INSNS][UNIT_LANES] = { { 0 } };
    unsigned good = 0, k;
    place(p, &at);
    conv_start(&c, ~0u >> (UNIT_LANES - p->lanes), 0);
    while (good < n && c.active && (k = insn_at(p, &at, c.pc)) < p->n) {
        /* no record before that */
        bool again = c.again || (!p->insn[k].dense && c.pc == at.insn[k]);
        if (!p->insn[k].dense && !again && !same(&c, k, &s[good++]))
            return good - 1;
        step(&c, p, &at, k, again ? c.active : guard(&p->insn[k], c.active, visits[k]));
    }
    return good;
}
