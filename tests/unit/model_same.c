/* The whole state of two models: clocks, counters, blocks, warps with their convergence units,
 * stacks, registers and predicates, and memory. SPDX-License-Identifier: Apache-2.0 */
#include "model_same.h"
#include <stdio.h>
#include <string.h>

static char text[160];

#define SAME(what, field) \
    do { \
        if (memcmp(&a->field, &b->field, sizeof a->field)) { \
            snprintf(text, sizeof text, "%s", what); \
            return text; \
        } \
    } while (0)

static const char *same_times(const struct model *a, const struct model *b)
{
    SAME("the number of instructions", seq);
    SAME("the number of changes", changes);
    SAME("the next block", next_block);
    SAME("blocks that have ended", blocks_ended);
    SAME("a fault", fault);
    SAME("the fault's lanes", fault_at.lanes);
    SAME("the fault's address", fault_at.addr);
    SAME("a counter", count);
    return NULL;
}

static const char *same_block(const struct block *a, const struct block *b)
{
    SAME("whether a block is there", used);
    if (!a->used)
        return NULL;
    SAME("a block's number", linear);
    SAME("its first warp", first_warp);
    SAME("its warps that live", warps_live);
    SAME("its lanes that live", lanes_live);
    SAME("its barriers", waited);
    SAME("what its barriers need", need);
    return NULL;
}

/* What the last instruction did is for records: conv_begin clears it before the next one that may
 * do such a thing. */
static const char *same_conv(const struct conv *left, const struct conv *right)
{
    struct conv x = *left, y = *right;
    const struct conv *a = &x, *b = &y;
    conv_begin(&x);
    conv_begin(&y);
    SAME("the running lanes", active);
    SAME("the PC", pc);
    SAME("the lanes that live", live);
    SAME("participants of barriers", b);
    if (memcmp(&x, &y, sizeof x)) {
        snprintf(text, sizeof text, "the convergence unit");
        return text;
    }
    return NULL;
}

static const char *same_stack(const struct model *ma, const struct warp *wa, const struct model *mb,
                              const struct warp *wb)
{
    const struct stack *a = &wa->stack, *b = &wb->stack;
    SAME("tokens on chip", n);
    SAME("tokens in memory", spilled);
    SAME("lost tokens", lost);
    for (u32 i = 0; i < stack_depth(a); i++) {
        const struct hd_token x = stack_token(ma, wa, i), y = stack_token(mb, wb, i);
        if (memcmp(&x, &y, sizeof x)) {
            snprintf(text, sizeof text, "token %u", i);
            return text;
        }
    }
    return NULL;
}

static const char *same_warp(const struct model *ma, const struct model *mb, u32 slot)
{
    const struct warp *a = &ma->warp[slot], *b = &mb->warp[slot];
    const char *what = NULL;
    if (!a->block || !b->block)
        return !a->block == !b->block ? NULL : "whether a warp lives";
    SAME("a warp's number", number);
    for (u32 r = 0; r < ma->code.rows_used; r++)
        if (memcmp(a->r[r], b->r[r], sizeof a->r[r])) {
            snprintf(text, sizeof text, "R%u of warp slot %u", r, slot);
            return text;
        }
    for (u32 p = 0; p < PRED_TRUE; p++)
        if (a->p[p] != b->p[p]) {
            snprintf(text, sizeof text, "P%u of warp slot %u", p, slot);
            return text;
        }
    for (u32 s = 0; s < SREG_COUNT && !what; s++) /* the clocks are filled in when they are read */
        if (s != SREG_CLOCKLO && s != SREG_CLOCKHI && memcmp(a->sr[s], b->sr[s], sizeof a->sr[s]))
            what = "a special register";
    what = what ? what : same_conv(&a->conv, &b->conv);
    return what ? what : same_stack(ma, a, mb, b);
}

static const char *same_bytes(const struct model *a, const struct model *b, u64 at, u64 bytes,
                              const char *what)
{
    if (!memcmp(a->mem + at, b->mem + at, bytes))
        return NULL;
    u64 k = 0;
    while (a->mem[at + k] == b->mem[at + k])
        k++;
    snprintf(text, sizeof text, "%s at 0x%llx", what, (unsigned long long)(at + k));
    return text;
}

static const char *same_memory(const struct model *a, const struct model *b)
{
    const struct launch *k = &a->launch;
    const char *what = same_bytes(a, b, MODEL_SHARED, a->limits.shared_bytes, "shared memory");
    for (u32 r = 0; r < k->nranges && !what; r++)
        if (k->range[r].writable)
            what = same_bytes(a, b, k->range[r].base, k->range[r].limit - k->range[r].base,
                              "global memory");
    return what ? what
                : same_bytes(a, b, k->local_base,
                             (u64)k->local_size * HD_LANES * k->block_slots * k->warps_block,
                             "local memory");
}

const char *model_same(const struct model *a, const struct model *b)
{
    const char *what = same_times(a, b);
    for (u32 s = 0; s < a->launch.block_slots && !what; s++)
        what = same_block(&a->block[s], &b->block[s]);
    for (u32 s = 0; s < a->launch.block_slots * a->launch.warps_block && !what; s++)
        what = same_warp(a, b, s);
    return what ? what : same_memory(a, b);
}
