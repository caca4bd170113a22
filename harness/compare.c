/* Compares two commit records field by field.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Most records are equal byte for byte, so one memcmp settles them; only when it fails (a difference,
 * or padding) does the table decide.  Equal bytes imply equal fields, never the other way round. */
#include "compare.h"
#include <string.h>

#define ROW(member, n, kind, sentence) \
    { #member, offsetof(struct hd_commit, member), \
      sizeof(((struct hd_commit *)0)->member) / (n), n, kind, PART, sentence }
#define ONE(m, k, s)  ROW(m, 1, FIELD_##k, s)
#define LANE(m, k, s) ROW(m, HD_LANES, FIELD_##k, s)

const struct commit_field commit_fields[] = {
#define PART PART_SCHEDULE
    ONE(seq, DEC, "Position of the commit in commit order, from 0; commit order is memory order."),
    ONE(cycle, DEC, "Cycle of retirement, from the grid's first; the harness counts for itself."),
    ONE(block, DEC, "Linear number of the block that the warp belongs to."),
    ONE(warp, DEC, "Number of the warp in its block."),
    ONE(slot, DEC, "Hardware warp slot that holds the warp."),
#undef PART
#define PART PART_INSTRUCTION
    ONE(pc, PC, "Byte offset of the instruction in `.text`."),
    ROW(insn, 4, FIELD_HEX, "The 128-bit instruction word as it was fetched."),
    ONE(exec, MASK, "Lanes that executed it: active, and the guard holds."),
    ONE(active, MASK, "Lanes of the running group before the instruction."),
#undef PART
#define PART PART_LANES
    ONE(live, MASK, "Lanes that have not exited, after it."),
    ONE(next_active, MASK, "The running group after it; zero when no lane of the warp can run."),
    LANE(npc, PC, "PC at which each live lane continues, after it."),
    LANE(wait, HEX, "Why each lane does not run, after it: ready, yielded, or what it waits for."),
#undef PART
#define PART PART_REGISTERS
    ONE(nd, DEC, "How many destination registers were written."),
    ONE(rd, DEC, "The first of them."),
#undef PART
#define PART PART_PREDICATES
    ONE(npd, HEX, "Which predicates were written: bit 0 Pd, bit 1 Pq."),
    ONE(pd, DEC, "Number of the first destination predicate."),
    ONE(pq, DEC, "Number of the second destination predicate."),
    ROW(pval, 2, FIELD_MASK, "The predicates' values, a bit a lane."),
#undef PART
#define PART PART_REGISTERS
    LANE(val[0], HEX, "Value of the first destination register in every lane."),
    LANE(val[1], HEX, "Value of the second."),
    LANE(val[2], HEX, "Value of the third."),
    LANE(val[3], HEX, "Value of the fourth."),
#undef PART
#define PART PART_MEMORY
    ONE(mem, DEC, "Memory access: 0 none, 1 load, 2 store, 3 atomic."),
    ONE(space, DEC, "Memory space after generic addresses are resolved, of the lowest lane."),
    ONE(size, DEC, "Bytes that each lane accesses."),
    LANE(addr, HEX, "Byte address of each lane in its space."),
    LANE(wdata[0], HEX, "First word that each lane writes to memory; what an atomic leaves there."),
    LANE(wdata[1], HEX, "Second word written."),
    LANE(wdata[2], HEX, "Third word written."),
    LANE(wdata[3], HEX, "Fourth word written."),
    ONE(shared_m, MASK, "Generic access: lanes whose address is in shared memory."),
    ONE(local_m, MASK, "Generic access: lanes whose address is in local memory."),
#undef PART
#define PART PART_CONVERGENCE
    ONE(conv, DEC, "1 when a barrier register was touched."),
    ONE(bx, DEC, "Number of that barrier register."),
    ONE(bbefore, MASK, "Its participants before the instruction."),
    ONE(bafter, MASK, "Its participants after it."),
    ONE(released, MASK, "Lanes that the instruction released from BSYNC, WARPSYNC or YIELD."),
    ONE(gaveway, DEC, "1 when a barrier gave way because nothing could run (rule 8)."),
#undef PART
#define PART PART_STACK
    ONE(unwind, DEC, "Stack mode: 1 when this is a pop without an instruction."),
    ONE(pushed, DEC, "Stack mode: tokens pushed."),
    ONE(popped, DEC, "Stack mode: tokens popped."),
    ONE(spilled, DEC, "Stack mode: tokens moved to memory."),
    ONE(filled, DEC, "Stack mode: tokens moved back from memory."),
    ONE(push.mask, MASK, "Lanes of the pushed token."),
    ONE(push.pc_kind, HEX, "PC and kind of the pushed token."),
    ONE(pop.mask, MASK, "Lanes of the popped token."),
    ONE(pop.pc_kind, HEX, "PC and kind of the popped token."),
    ROW(moved, 8, FIELD_HEX, "The tokens spilled or filled, as mask and PC words."),
    ONE(moved_addr, HEX, "Address of the chunk they went to or came from."),
    ONE(depth, DEC, "Stack mode: tokens on the stack after the instruction."),
#undef PART
#define PART PART_CLOCKS
    ONE(is_clock, DEC, "1 when the destination holds a clock value."),
#undef PART
#define PART PART_FAULTS
    ONE(fault, DEC, "What went wrong, of enum hd_fault; 0 nothing."),
    ONE(fault_m, MASK, "Lanes that faulted."),
    ONE(fault_addr, HEX, "Of the lowest of them: its full address, for memory faults; the physical address, for bus errors."),
#undef PART
};
const char *const commit_part_names[COMMIT_PARTS] = {
    [PART_SCHEDULE] = "schedule", [PART_INSTRUCTION] = "instruction", [PART_LANES] = "lanes", [PART_REGISTERS] = "registers",
    [PART_PREDICATES] = "predicates", [PART_MEMORY] = "memory", [PART_CONVERGENCE] = "convergence", [PART_STACK] = "stack",
    [PART_CLOCKS] = "clocks", [PART_FAULTS] = "faults",
};
const unsigned commit_nfields = sizeof commit_fields / sizeof commit_fields[0];

uint64_t commit_get(const struct hd_commit *c, const struct commit_field *f, unsigned i)
{
    const char *p = (const char *)c + f->offset + (size_t)i * f->width;
    switch (f->width) {
    case 1: return *(const uint8_t *)p;
    case 2: return *(const uint16_t *)p;
    case 4: return *(const uint32_t *)p;
    default: return *(const uint64_t *)p;
    }
}

void commit_set(struct hd_commit *c, const struct commit_field *f, unsigned i, uint64_t v)
{
    memcpy((char *)c + f->offset + (size_t)i * f->width, &v, f->width);
}

unsigned commit_part_fields(enum commit_part part)
{
    unsigned n = 0;
    for (const struct commit_field *f = commit_fields; f < commit_fields + commit_nfields; f++)
        n += f->part == part;
    return n;
}

unsigned commit_parts(const struct hd_commit *c)
{
    unsigned m = 0;
    for (const struct commit_field *f = commit_fields; f < commit_fields + commit_nfields; f++)
        if (f->count == 1 && commit_get(c, f, 0))
            m |= 1u << f->part;
    return m;
}

unsigned commit_differences(const struct hd_commit *rtl, const struct hd_commit *model,
                            struct difference *diff, unsigned max)
{
    unsigned n = 0;
    for (const struct commit_field *f = commit_fields; f < commit_fields + commit_nfields; f++) {
        const char *a = (const char *)rtl + f->offset, *b = (const char *)model + f->offset;
        if (!memcmp(a, b, (size_t)f->width * f->count))
            continue;
        for (unsigned i = 0; i < f->count; i++) {
            uint64_t r = commit_get(rtl, f, i), m = commit_get(model, f, i);
            if (r != m && n++ < max)
                diff[n - 1] = (struct difference){ f, i, r, m };
        }
    }
    return n;
}

bool commit_equal(const struct hd_commit *rtl, const struct hd_commit *model, struct difference *diff)
{
    return !memcmp(rtl, model, sizeof *rtl) || commit_differences(rtl, model, diff, 1) == 0;
}
