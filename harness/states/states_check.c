/* Recorded states against the unit's rules, and against the core's model.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Both run a program from its start: what is equal is counted up to the first record that is not,
 * since all later ones follow from it. */
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

/* ---- the unit ---- */

static bool same_unit(const struct unit *u, const struct unit_state *s)
{
    bool same = unit_next_insn(u) == s->insn && u->active == s->active && u->ready == s->ready &&
                u->yielded == s->yielded && u->waiting == s->waiting && u->alt == s->alt &&
                u->alt_pc == s->alt_pc && u->pointer == s->pointer && u->depth == s->depth &&
                !memcmp(u->blocked, s->blocked, sizeof s->blocked) &&
                !memcmp(u->members, s->members, sizeof s->members);
    for (unsigned i = 0; same && i < s->depth; i++)
        same = u->stack[i] == s->stack[i];
    return same;
}

unsigned states_by_unit(const struct unit_program *p, const struct unit_state *s, unsigned n)
{
    struct unit u;
    uint8_t visits[UNIT_INSNS][UNIT_LANES] = { { 0 } };
    unsigned good = 0, k;
    unit_start(&u, p);
    while (good < n && u.active && (k = unit_next_insn(&u)) < p->n) {
        if (!p->insn[k].dense && !same_unit(&u, &s[good++]))
            return good - 1;
        unit_step(&u, k, guard(&p->insn[k], u.active, visits[k]));
    }
    return good;
}

/* ---- the model ---- */

/* The model's PC of a place: instructions are three words apart, so that nothing stands where
 * another one does. */
static uint32_t model_pc(unsigned k, unsigned word)
{
    return (3 * k + word) * CONV_INSN;
}

static bool same_model(const struct conv *c, unsigned k, const struct unit_state *s)
{
    uint32_t lives = s->active | s->ready | s->yielded | s->waiting;
    bool same = k == s->insn && c->active == s->active && c->rdy == s->ready &&
                c->yld == s->yielded && c->wsync == s->waiting;
    for (unsigned b = 0; b < UNIT_BARRIERS; b++) {
        same = same && c->arrived[b] == s->blocked[b];
        lives |= s->blocked[b];
    }
    return same && c->live == lives;
}

static void model_step(struct conv *c, const struct unit_program *p, unsigned k, uint32_t exec)
{
    const struct unit_insn *i = &p->insn[k];
    uint32_t target[HD_LANES];
    conv_begin(c);
    c->pc = model_pc(k, 1);
    for (unsigned l = 0; l < HD_LANES; l++)
        target[l] = model_pc(i->word[l], 0);
    switch (i->op) {
    case UNIT_BRA:
    case UNIT_CALL:
        conv_branch(c, exec, model_pc(i->arg, 0));
        break;
    case UNIT_BRX:
    case UNIT_RET:
        conv_indirect(c, exec, target);
        break;
    case UNIT_BSSY: conv_bssy(c, exec, i->arg); break;
    case UNIT_BSYNC: conv_bsync(c, i->arg); break;
    case UNIT_BREAK: conv_break(c, exec, i->arg); break;
    case UNIT_YIELD: conv_yield(c); break;
    case UNIT_EXIT:
        conv_exit(c, exec);
        if (!c->active)
            conv_next(c);
        break;
    case UNIT_WARPSYNC: conv_warpsync(c, i->word[0]); break;
    case UNIT_BMOV: conv_bmov(c, i->arg, i->word[0]); break;
    case UNIT_BMOV_CLEAR: conv_bmov(c, i->arg, 0); break;
    case UNIT_NOP:
    case UNIT_BAR: c->pc += CONV_INSN; break;
    }
}

/* An instruction that is executed again leaves its group at its own PC. */
static unsigned model_insn(const struct conv *c)
{
    uint32_t word = c->pc / CONV_INSN;
    return word / 3 + (word % 3 == 2);
}

unsigned states_by_model(const struct unit_program *p, const struct unit_state *s, unsigned n)
{
    struct conv c;
    uint8_t visits[UNIT_INSNS][UNIT_LANES] = { { 0 } };
    unsigned good = 0, k;
    conv_start(&c, ~0u >> (UNIT_LANES - p->lanes), 0);
    while (good < n && c.active && (k = model_insn(&c)) < p->n) {
        bool again = c.pc == model_pc(k, 1);            /* no record before that */
        if (!p->insn[k].dense && !again && !same_model(&c, k, &s[good++]))
            return good - 1;
        model_step(&c, p, k, again ? c.active : guard(&p->insn[k], c.active, visits[k]));
    }
    return good;
}
