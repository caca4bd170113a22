/* Paper C's emulator: Algorithms 1 and 2 on its Listings 3 and 4, with the spills of section IV.
 * SPDX-License-Identifier: Apache-2.0 */
#include "emulator.h"
#include <assert.h>
#include <stdbool.h>
#include <string.h>

/* The listings without what neither the stack nor the loops see: addresses are line numbers, i and
 * j the loop counters, m and n their bounds, p the predicate register. */
enum what {
    SSY, BRA_P, NOP, NOP_S, ZERO_I, ZERO_J, INC_I, INC_J, FADD, M_BELOW_1, N_BELOW_1, I_BELOW_M,
    J_BELOW_N, S2R
};
struct line { enum what what; unsigned label; };

static const struct line listing3[] = {
    [1] = { M_BELOW_1, 0 }, [2] = { ZERO_I, 0 }, [3] = { SSY, 12 }, [4] = { BRA_P, 11 },
    [5] = { NOP, 0 }, [6] = { NOP, 0 }, [7] = { INC_I, 0 }, [8] = { FADD, 0 },
    [9] = { I_BELOW_M, 0 }, [10] = { BRA_P, 7 }, [11] = { NOP_S, 0 }, [12] = { S2R, 0 },
};
static const struct line listing4[] = {
    [1] = { M_BELOW_1, 0 }, [2] = { NOP, 0 }, [3] = { SSY, 20 }, [4] = { BRA_P, 19 },
    [5] = { ZERO_I, 0 }, [6] = { N_BELOW_1, 0 }, [7] = { ZERO_J, 0 }, [8] = { SSY, 15 },
    [9] = { BRA_P, 14 }, [10] = { INC_J, 0 }, [11] = { FADD, 0 }, [12] = { J_BELOW_N, 0 },
    [13] = { BRA_P, 10 }, [14] = { NOP_S, 0 }, [15] = { INC_I, 0 }, [16] = { FADD, 0 },
    [17] = { I_BELOW_M, 0 }, [18] = { BRA_P, 6 }, [19] = { NOP_S, 0 }, [20] = { S2R, 0 },
};

struct token { uint32_t mask; unsigned pc; };
struct machine {
    unsigned pc;
    uint32_t active, p;
    int i[32], j[32], bound[32];
    struct token stack[64];
    unsigned depth, on_chip, chip;
    struct emulation *out;
};

static void push(struct machine *m, uint32_t mask, unsigned pc)
{
    assert(m->depth < 64);
    if (m->on_chip == m->chip) {
        m->on_chip -= EMU_CHUNK;
        m->out->spills++;
    }
    m->stack[m->depth++] = (struct token){ mask, pc };
    m->on_chip++;
    m->out->pushes++;
    if (m->depth > m->out->deepest)
        m->out->deepest = m->depth;
}

static struct token pop(struct machine *m)
{
    assert(m->depth > 0);
    if (!m->on_chip) {
        m->on_chip += EMU_CHUNK;
        m->out->fills++;
    }
    m->on_chip--;
    m->out->pops++;
    return m->stack[--m->depth];
}

/* Algorithm 1. */
static void branch(struct machine *m, unsigned label)
{
    uint32_t taken = m->active & m->p;
    if (!taken) {
        m->pc++;
        return;
    }
    if (taken != m->active)
        push(m, m->active & ~m->p, m->pc + 1);
    m->active = taken;
    m->pc = label;
}

static void set(struct machine *m, int *counter, int add)
{
    for (unsigned l = 0; l < 32; l++)
        if (m->active >> l & 1)
            counter[l] = add ? counter[l] + add : 0;
}

static void compare(struct machine *m, const int *a, const int *b, int b_is)
{
    for (unsigned l = 0; l < 32; l++)
        if (m->active >> l & 1)
            m->p = (m->p & ~(1u << l)) | (uint32_t)(a[l] < (b ? b[l] : b_is)) << l;
}

/* Algorithm 2, from the first line on to the S2R after the loop. */
static void execute(struct machine *m, const struct line *at)
{
    switch (at->what) {
    case SSY: push(m, m->active, at->label); break;
    case BRA_P: branch(m, at->label); return;
    case NOP_S: {
        struct token t = pop(m);
        m->active = t.mask;
        m->pc = t.pc;
        return;
    }
    case ZERO_I: set(m, m->i, 0); break;
    case ZERO_J: set(m, m->j, 0); break;
    case INC_I: set(m, m->i, 1); break;
    case INC_J: set(m, m->j, 1); break;
    case M_BELOW_1: case N_BELOW_1: compare(m, m->bound, NULL, 1); break;
    case I_BELOW_M: compare(m, m->i, m->bound, 0); break;
    case J_BELOW_N: compare(m, m->j, m->bound, 0); break;
    default: break;
    }
    m->pc++;
}

void emulate(int twice, unsigned n, unsigned chip, struct emulation *out)
{
    const struct line *listing = twice ? listing4 : listing3;
    struct machine m = { .pc = 1, .active = ~0u, .chip = chip, .out = out };
    memset(out, 0, sizeof *out);
    for (int l = 0; l < 32; l++)                     /* table I */
        m.bound[l] = l < 32 - (int)n ? 32 : 32 - (l - (31 - (int)n));
    while (listing[m.pc].what != S2R) {
        execute(&m, &listing[m.pc]);
        assert(out->insns < EMU_HISTORY);
        out->depth[out->insns++] = (uint8_t)m.depth;
    }
    assert(!m.depth && m.active == ~0u);
}
