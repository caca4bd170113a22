/* Counters from commit records: what the model counts, for a device that is RTL alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * `reconvergences` needs what the released lanes waited for, so the state of each lane before the
 * record is kept; the rest is in the record. */
#include "harness/device/counters.h"
#include "cmodel/isa/isa.h"
#include <string.h>

static unsigned count(uint32_t m) { return (unsigned)__builtin_popcount(m); }

/* Did lanes leave a barrier register or a WARPSYNC, or join in a pop? */
static bool joins(const struct tally *t, const struct hd_commit *c, unsigned op)
{
    const uint8_t *before = t->wait[c->slot % LAUNCH_WARPS];
    if (t->stack_mode)
        return c->popped && c->active && c->active != c->next_active &&
               !(c->active & ~c->next_active);
    if (c->gaveway)
        return true;
    for (uint32_t m = c->released; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m), w = before[l];
        if (c->active >> l & 1 ? op == OP_BSYNC || op == OP_WARPSYNC
                               : w == HD_WAIT_WARPSYNC || (w & 0x30) == HD_WAIT_BARRIER)
            return true;
    }
    return false;
}

static void control(struct tally *t, const struct hd_commit *c, unsigned op)
{
    struct hd_counters *n = t->count;
    switch (op) {
    case OP_BRA: case OP_CALL:
        n->branches++;
        n->divergent_branches += c->exec && c->exec != c->active;
        break;
    case OP_BRX: case OP_RET: case OP_CALLR: case OP_CALR:
        n->branches++;
        n->divergent_branches += c->next_active != c->active;
        break;
    case OP_CAL:
        n->branches++;
        break;
    }
}

void tally_add(struct tally *t, const struct hd_commit *c)
{
    struct hd_counters *n = t->count;
    struct hd_word w;
    struct hd_insn in;
    memcpy(w.w, c->insn, sizeof w.w);
    unsigned op = !c->unwind && hd_decode(&w, t->stack_mode, &in) ? in.op : OP_COUNT;
    n->warp_insns++;
    n->thread_insns += count(c->exec);
    n->active_lanes += count(c->active);
    if (!c->fault) {
        control(t, c, op);
        n->reconvergences += joins(t, c, op);
        n->gave_way += c->gaveway;
        n->loads += c->mem == 1;
        n->stores += c->mem == 2;
        n->atomics += c->mem == 3;
        n->pushes += c->pushed;
        n->pops += c->popped;
        n->spills += c->spilled != 0;
        n->fills += c->filled != 0;
        if (c->depth > n->deepest)
            n->deepest = c->depth;
    }
    memcpy(t->wait[c->slot % LAUNCH_WARPS], c->wait, sizeof c->wait);
}
