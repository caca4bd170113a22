/* Which buffers accesses may go to: pointers followed from parameters and variables.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A pointer is a pair of registers, and whatever is added to its low word, the upper one
 * (docs/isa.md: it names the space) is copied, or added to words that are no pointer's.  A sum of a
 * pointer and of anything else points into the same buffer, as it must in C.  Products, shifts and
 * floats are no pointers.  What was loaded may point anywhere, unless a sum shows that it is an
 * offset. */
#include "regroup/slice.h"
#include "regroup/regroup.h"
#include <stdlib.h>
#include <string.h>

enum { REGS = 256 };
typedef uint64_t state[REGS];       /* by register */

struct look {
    const struct flow *f;
    const struct hd_kernel *kernel;
    uint64_t *param;                /* by parameter: its root; 0: no pointer */
    const uint32_t *symbol;         /* by instruction: 1, its immediate is a variable's address */
    uint64_t cell;                  /* what stores put into local and shared memory */
};

static uint64_t of(const state s, unsigned reg) { return reg == HD_RZ ? 0 : s[reg]; }

static uint64_t sum(uint64_t a, uint64_t b)
{
    uint64_t all = a | b;
    return all & ~ROOT_ANY ? all & ~ROOT_ANY : all;
}

/* The immediates 1 and 2 are what an upper word says of shared and local memory. */
static uint64_t constant(const struct hd_insn *i)
{
    return !i->bi ? 0 : i->imm == 1 ? ROOT_SHARED : i->imm == 2 ? ROOT_LOCAL : 0;
}

/* What the constant bank has there. */
static uint64_t bank(const struct look *l, uint32_t at)
{
    for (uint32_t p = 0; p < l->kernel->nparams; p++)
        if (at - l->kernel->params[p].off < l->kernel->params[p].size)
            return l->param[p];
    return ROOT_ANY;
}

static uint64_t loaded(const struct look *l, const struct hd_insn *i, unsigned word)
{
    if (i->op == OP_LDL || i->op == OP_LDS)
        return l->cell;
    return i->op == OP_LDC && i->ra == HD_RZ ? bank(l, (uint32_t)i->off + 4 * word) : ROOT_ANY;
}

/* Of the result's word. */
static uint64_t result(const struct look *l, const state s, const struct hd_insn *i, uint32_t at,
                       unsigned word)
{
    const uint64_t a = of(s, i->ra), c = of(s, i->rc);
    const uint64_t b = i->cb ? bank(l, i->imm) : i->bi ? constant(i) : of(s, i->rb);
    const uint64_t sum_b = i->bi && !i->cb ? 0 : b;     /* an immediate only moves an address */
    switch (i->op) {
    case OP_MOV: return l->symbol[at] ? ROOT_GLOBALS : b;
    case OP_SEL: return a | b;
    case OP_IMINS: case OP_IMAXS: case OP_IMINU: case OP_IMAXU: return a | sum_b;
    case OP_IADD:
    case OP_ISUB:
    case OP_IRSUB:
    case OP_IADDX:
    case OP_ISUBX:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        return sum(sum(a, sum_b), l->symbol[at] ? ROOT_GLOBALS : 0);
    case OP_IADD3: case OP_LOP3: case OP_PRMT: return sum(sum(a, sum_b), c);
    case OP_IADDW:
        return sum(of(s, i->ra == HD_RZ ? HD_RZ : i->ra + word),
                   i->cb ? bank(l, i->imm + 4 * word)
                   : i->bi || i->rb == HD_RZ ? 0 : of(s, i->rb + word));
    case OP_IMAD: case OP_IMADHU: case OP_IMADHS: return c;
    case OP_IMADWU: case OP_IMADWS: return i->rc == HD_RZ ? 0 : of(s, i->rc + word);
    case OP_LDG: case OP_LDS: case OP_LDL: case OP_LDC: case OP_LD: case OP_ATOMG: case OP_ATOMS:
    case OP_ATOM:
        return loaded(l, i, word);
    default: return 0;
    }
}

static void step(struct look *l, state s, uint32_t at)
{
    const struct hd_insn *i = &l->f->insn[at];
    const char *operands = hd_ops[i->op].operands;
    uint64_t now[4];
    if (i->op == OP_STL || i->op == OP_STS || i->op == OP_ST)
        for (int n = 0; n < hd_insn_width(i, 2) && i->rb != HD_RZ; n++)
            l->cell |= of(s, i->rb + (unsigned)n);
    int words = strpbrk(operands, "dDQ") && i->rd != HD_RZ ? hd_insn_width(i, 0) : 0;
    for (int n = 0; n < words; n++)
        now[n] = result(l, s, i, at, (unsigned)n);
    for (int n = 0; n < words; n++)
        s[i->rd + n] = now[n] | (flow_guarded(i) ? s[i->rd + n] : 0);
}

/* Of an access: by the upper word of its address, by the lower where that says nothing. */
static uint64_t target(const state s, const struct hd_insn *i)
{
    if (i->op == OP_LDS || i->op == OP_STS || i->op == OP_ATOMS)
        return ROOT_SHARED;
    if (i->op == OP_LDL || i->op == OP_STL)
        return ROOT_LOCAL;
    const bool generic = i->op == OP_LD || i->op == OP_ST || i->op == OP_ATOM;
    const uint64_t any = ROOT_ANY | (generic ? ROOT_SHARED | ROOT_LOCAL : 0);
    if (!generic && i->op != OP_LDG && i->op != OP_STG && i->op != OP_ATOMG)
        return 0;
    uint64_t lo = of(s, i->ra), hi = i->ra == HD_RZ ? 0 : of(s, i->ra + 1u), root = hi ? hi : lo;
    if (!generic)
        root &= ~(ROOT_SHARED | ROOT_LOCAL);
    return !root || root & ROOT_ANY ? any : root;
}

static bool join(state to, const state from)
{
    bool more = false;
    for (int r = 0; r < REGS; r++) {
        more |= (from[r] & ~to[r]) != 0;
        to[r] |= from[r];
    }
    return more;
}

/* Until nothing comes to anything. */
static void settle(struct look *l, state *in)
{
    const struct flow *f = l->f;
    for (bool more = true; more; ) {
        uint64_t cell = l->cell;
        more = false;
        for (uint32_t k = 0; k < f->n; k++) {
            state s;
            if (!f->reached[k])
                continue;
            memcpy(s, in[k], sizeof s);
            for (uint32_t i = f->first[k]; i < f->first[k + 1]; i++)
                step(l, s, i);
            for (uint32_t e = 0; e < f->succ[k].n; e++)
                more |= join(in[f->succ[k].to[e]], s);
        }
        more |= l->cell != cell;
    }
}

/* By parameter: a root of its own for each buffer; one that overlaps another has that one's. */
static void name_roots(struct look *l, const struct slice_launch *at)
{
    for (uint32_t p = 0; p < l->kernel->nparams && p < at->n; p++) {
        const struct slice_arg *a = &at->arg[p];
        if (!a->bytes)
            l->param[p] = l->kernel->params[p].size > 8 ? ROOT_ANY : 0;
        else
            l->param[p] = p < 60 ? (uint64_t)1 << p : ROOT_ANY;
        for (uint32_t q = 0; q < p && a->bytes; q++)
            if (at->arg[q].bytes && a->addr < at->arg[q].addr + at->arg[q].bytes &&
                at->arg[q].addr < a->addr + a->bytes)
                l->param[p] = l->param[q];
    }
}

uint64_t *slice_roots(const struct flow *f, const struct hd_kernel *kernel,
                      const struct slice_launch *launch)
{
    state *in = calloc((size_t)f->n + 1, sizeof *in);
    uint32_t *symbol = calloc((size_t)f->insns + 1, sizeof *symbol);
    struct look l = { .f = f,
                      .kernel = kernel,
                      .param = calloc((size_t)kernel->nparams + 1, sizeof *l.param),
                      .symbol = symbol };
    uint64_t *out = calloc((size_t)f->insns + 1, sizeof *out);
    bool ok = in && symbol && l.param && out;
    for (uint32_t r = 0; ok && r < f->img->nrelocs; r++)
        if (f->img->relocs[r].section == HD_SEC_TEXT)
            symbol[f->img->relocs[r].off / HD_INSN_BYTES] = 1;
    if (ok) {
        name_roots(&l, launch);
        settle(&l, in);
    }
    for (uint32_t k = 0; ok && k < f->n; k++)
        for (uint32_t i = f->first[k]; i < f->first[k + 1] && f->reached[k]; i++) {
            out[i] = target(in[k], &f->insn[i]);
            step(&l, in[k], i);
        }
    free(in);
    free(symbol);
    free(l.param);
    if (ok)
        return out;
    free(out);
    return NULL;
}
