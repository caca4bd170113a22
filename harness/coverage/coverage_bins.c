/* The coverage groups as data: axes, and which bins cannot happen.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/coverage/coverage_bins.h"
#include <string.h>

#define COV_NAME(id, name) name,
#define AXIS(id, title, list) \
    static const char *const id##_names[] = { list(COV_NAME) }; \
    static const struct coverage_axis id = { title, sizeof id##_names / sizeof id##_names[0], \
                                             id##_names, NULL }

static const char *row_name(unsigned i) { return hd_ops[i].mnemonic; }
static const char *aop_name(unsigned i) { return hd_mods[MOD_AOP].value[i]; }
static const struct coverage_axis row = { "row", OP_COUNT, NULL, row_name };
static const struct coverage_axis aop = { "operation", AOP_CAS + 1, NULL, aop_name };
AXIS(guard, "guard", GUARD_LIST);
AXIS(mask, "active lanes", MASK_LIST);
AXIS(outcome, "taken by", OUTCOME_LIST);
AXIS(depth, "depth", DEPTH_LIST);
AXIS(others, "the warp's other lanes", OTHERS_LIST);
AXIS(jump, "row", JUMP_LIST);
AXIS(split, "lanes that go where the lowest goes", SPLIT_LIST);
AXIS(event, "event", EVENT_LIST);
AXIS(bop, "row", BOP_LIST);
AXIS(barrier, "register", BARRIER_LIST);
AXIS(trigger, "by", TRIGGER_LIST);
AXIS(from, "from", FROM_LIST);
AXIS(lanes, "lanes", LANES_LIST);
AXIS(size, "bytes", SIZE_LIST);
AXIS(pattern, "pattern", PATTERN_LIST);
AXIS(kind, "access", KIND_LIST);
AXIS(sectors, "32-byte sectors", SECTORS_LIST);
AXIS(banks, "words in the busiest bank", BANKS_LIST);
AXIS(share, "lanes that share a word", SHARE_LIST);
AXIS(generic, "space", GENERIC_LIST);
AXIS(atom, "row", ATOM_LIST);
AXIS(fault, "fault", FAULT_LIST);
AXIS(source, "by", SOURCE_LIST);
AXIS(token, "token", TOKEN_LIST);
AXIS(push, "stack", PUSH_LIST);
AXIS(pop, "stack", POP_LIST);
AXIS(how, "how", HOW_LIST);
AXIS(tokens, "tokens", TOKENS_LIST);
AXIS(stack, "event", STACK_LIST);

/* ---- what cannot happen ---- */

static bool insn_possible(const unsigned at[COV_AXES])
{
    unsigned flags = hd_ops[at[0]].flags;
    if (at[0] == OP_TRAP && at[1] != GUARD_FALSE)    /* it faults, and group `fault` has it */
        return false;
    return at[1] == GUARD_ALWAYS ||
           (!(flags & F_NOGUARD) && !(at[1] == GUARD_MIXED && at[2] == MASK_ONE));
}

static bool indirect_possible(const unsigned at[COV_AXES])
{
    return at[2] != MASK_ONE || at[1] == SPLIT_ALL;
}

/* With all 32 lanes active there is no other lane to wait for. */
static bool barrier_possible(const unsigned at[COV_AXES])
{
    return at[1] != MASK_ALL || (at[0] != EV_BSYNC_WAITS && at[0] != EV_BREAK_COMPLETES &&
                                 at[0] != EV_YIELD_OTHERS && at[0] != EV_WARPSYNC_WAITS);
}

/* What next() of docs/convergence.md may lead to after each instruction.  A barrier gives way by
 * rule 8 where nothing is ready or has yielded: not after BSYNC, which waits only while something
 * is, and not after YIELD. */
static bool release_possible(const unsigned at[COV_AXES])
{
    switch (at[1]) {
    case FROM_GAVE_WAY:                 /* those at a WARPSYNC or a block barrier stay there */
        return at[0] == BY_EXIT ||
               ((at[0] == BY_WARPSYNC || at[0] == BY_BAR) && at[2] != LANES_EVERY);
    case FROM_WARPSYNC: case FROM_YIELD: return at[0] != BY_BREAK;
    case FROM_BLOCK: return at[0] == BY_BAR || at[0] == BY_EXIT;
    default: return !(at[0] == BY_BREAK && at[2] == LANES_EVERY);        /* those that left go on */
    }
}

static bool memory_possible(const unsigned at[COV_AXES])
{
    const struct hd_op_info *o = &hd_ops[at[0]];
    if (!strpbrk(o->operands, "mn"))
        return false;
    return !strchr(o->operands, 'V') || at[1] == SIZE_4 || at[1] == SIZE_8;
}

static bool sharing_possible(const unsigned at[COV_AXES])
{
    return at[2] != SHARE_ALL || at[1] == BANKS_1;
}

static bool generic_possible(const unsigned at[COV_AXES])
{
    return at[0] != KIND_ATOMIC || at[1] != GEN_LOCAL;
}

static bool fault_possible(const unsigned at[COV_AXES])
{
    switch (at[0]) {
    case FLT_ILLEGAL: case FLT_PC: return at[1] == SRC_OTHER && at[2] == LANES_EVERY;
    case FLT_TRAP: return at[1] == SRC_CONTROL;
    case FLT_SPILL: return at[1] == SRC_CONTROL && at[2] == LANES_EVERY;
    /* any instruction may carry `.S`, or not be fetched */
    case FLT_TOKEN: case FLT_BUS: return true;
    case FLT_READONLY: return at[1] == SRC_STORE || at[1] == SRC_ATOMIC;
    default: return at[1] <= SRC_ATOMIC;
    }
}

const struct coverage_group coverage_groups[COV_GROUPS] = {
    [COV_INSN] = { "insn", "rows of the instruction set", { &row, &guard, &mask }, insn_possible },
    [COV_BRANCH] = { "branch",
                     "BRA: which lanes take it, barriers or tokens around it, the other lanes",
                     { &outcome, &depth, &others },
                     NULL },
    [COV_INDIRECT] = { "indirect",
                       "jumps through registers",
                       { &jump, &split, &mask },
                       indirect_possible },
    [COV_BARRIER] = { "barrier",
                      "barrier instructions and what came of them",
                      { &event, &mask },
                      barrier_possible },
    [COV_REGISTER] = { "register", "barrier registers", { &bop, &barrier }, NULL },
    [COV_RELEASE] = { "release",
                      "why lanes that waited go on",
                      { &trigger, &from, &lanes },
                      release_possible },
    [COV_MEMORY] = { "memory",
                     "accesses by pattern of the lanes' addresses",
                     { &row, &size, &pattern },
                     memory_possible },
    [COV_SECTORS] = { "sectors", "global accesses by transactions", { &kind, &sectors }, NULL },
    [COV_BANKS] = { "banks",
                    "shared accesses by bank conflict",
                    { &kind, &banks, &share },
                    sharing_possible },
    [COV_GENERIC] = { "generic",
                      "generic accesses by space",
                      { &kind, &generic },
                      generic_possible },
    [COV_ATOMIC] = { "atomic", "atomics by operation", { &atom, &aop, &share }, NULL },
    [COV_FAULT] = { "fault", "faults", { &fault, &source, &lanes }, fault_possible },
    [COV_PUSH] = { "push", "stack mode: tokens pushed", { &token, &push }, NULL },
    [COV_POP] = { "pop", "stack mode: tokens popped", { &token, &pop, &how }, NULL },
    [COV_DEPTH] = { "depth", "stack mode: tokens of a warp", { &tokens }, NULL },
    [COV_STACK] = { "stack", "stack mode: events", { &stack }, NULL },
};

const char *coverage_value(const struct coverage_axis *a, unsigned i)
{
    return a->value ? a->value[i] : a->value_of(i);
}

static unsigned axis_size(enum coverage_id g, unsigned k)
{
    return coverage_groups[g].axis[k] ? coverage_groups[g].axis[k]->n : 1;
}

unsigned coverage_bins(enum coverage_id g)
{
    return axis_size(g, 0) * axis_size(g, 1) * axis_size(g, 2);
}

void coverage_at(enum coverage_id g, unsigned i, unsigned at[COV_AXES])
{
    for (unsigned k = COV_AXES; k--; i /= axis_size(g, k))
        at[k] = i % axis_size(g, k);
}

unsigned coverage_index(enum coverage_id g, const unsigned at[COV_AXES])
{
    return (at[0] * axis_size(g, 1) + at[1]) * axis_size(g, 2) + at[2];
}

bool coverage_possible(enum coverage_id g, unsigned i)
{
    unsigned at[COV_AXES];
    coverage_at(g, i, at);
    return !coverage_groups[g].possible || coverage_groups[g].possible(at);
}
