/* What functions write, for liveness that goes past their calls.
 * SPDX-License-Identifier: Apache-2.0 */
#include "regroup/slice.h"
#include <stdlib.h>
#include <string.h>

unsigned slice_written(const struct hd_insn *i)
{
    const bool any = strpbrk(hd_ops[i->op].operands, "dDQ") && i->rd != HD_RZ;
    return any ? (unsigned)hd_insn_width(i, 0) : 0;
}

uint32_t slice_pred(const struct hd_insn *i)
{
    return strchr(hd_ops[i->op].operands, 'p') && i->pd != HD_PT ? 1u << i->pd : 0;
}

static const struct hd_insn *last(const struct flow *f, uint32_t k)
{
    return &f->insn[f->first[k + 1] - 1];
}

uint32_t slice_callee(const struct flow *f, uint32_t k)
{
    const struct hd_insn *i = last(f, k);
    const uint32_t to = f->succ[k].n ? f->succ[k].to[0] : f->n;
    const bool named = i->op == OP_CALL || i->op == OP_CAL;
    return named && to < f->n && f->first[to] * HD_INSN_BYTES == i->imm ? to : f->n;
}

bool slice_returns(const struct flow *f, uint32_t k)
{
    const struct hd_insn *i = last(f, k);
    return (i->op == OP_RET || i->op == OP_RETT) && !i->pop;
}

static void add(const struct flow *f, uint32_t k, struct live *to)
{
    for (uint32_t i = f->first[k]; i < f->first[k + 1]; i++) {
        const struct hd_insn *in = &f->insn[i];
        for (unsigned n = slice_written(in); n-- > 0; )
            to->reg[(in->rd + n) / 64] |= (uint64_t)1 << (in->rd + n) % 64;
        to->pred |= slice_pred(in);
    }
}

/* From `from` on, what it calls included, up to returns. */
static void walk(const struct flow *f, uint32_t from, struct live *to, uint32_t *todo, bool *seen)
{
    uint32_t n = 0;
    memset(seen, 0, f->n * sizeof *seen);
    seen[todo[n++] = from] = true;
    while (n) {
        const uint32_t k = todo[--n];
        const struct hd_insn *i = last(f, k);
        const bool calls = i->op == OP_CALL || i->op == OP_CAL || i->op == OP_CALLR ||
                           i->op == OP_CALR;
        add(f, k, to);
        for (uint32_t s = 0; s < f->succ[k].n + calls; s++) {
            const uint32_t next = s < f->succ[k].n ? f->succ[k].to[s] : k + 1;
            if (next == f->n || seen[next] || (slice_returns(f, k) && next != k + 1))
                continue;
            seen[todo[n++] = next] = true;
        }
    }
}

struct live *slice_writes(const struct flow *f)
{
    struct live *writes = calloc((size_t)f->n + 1, sizeof *writes);
    uint32_t *todo = calloc((size_t)f->n + 1, sizeof *todo);
    bool *seen = calloc((size_t)f->n + 1, sizeof *seen), *done = calloc((size_t)f->n + 1, 1);
    const bool room = writes && todo && seen && done;
    for (uint32_t k = 0; room && k < f->n; k++) {
        const uint32_t to = slice_callee(f, k);
        if (to < f->n && f->reached[k] && !done[to]) {
            walk(f, to, &writes[to], todo, seen);
            done[to] = true;
        }
    }
    free(todo);
    free(seen);
    free(done);
    if (!room) {
        free(writes);
        return NULL;
    }
    return writes;
}
