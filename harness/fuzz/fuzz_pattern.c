/* Addresses of a warp in patterns: coalesced, backwards, strided, shared by lanes, in one bank.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Addresses that depend on data alone are almost always scattered; what the load/store unit does
 * with lanes that share words would never be tested.  So the address is (lane * step + start)
 * in units of the access, in a window that is a power of two: a narrow one makes lanes share
 * words, a step of a row of banks puts all into one. */
#include "harness/fuzz/fuzz_code.h"
#include <string.h>

enum { INDEX = R_GTID, ADDRESS = R_IN }; /* which wild programs of patterns have no other use for */
enum { CONST_BYTES = 16, LOCAL_AREA = 64, AREA = FUZZ_IN };

/* The byte offset of each lane in INDEX. */
static void offsets(struct gen *g, unsigned size, unsigned area)
{
    static const int32_t steps[] = { 1, 1, 1, -1, -1, 0, 2, 3, -4, 8, 16, 32 };
    uint32_t step = (uint32_t)steps[rng_below(&g->r, sizeof steps / sizeof steps[0])];
    uint32_t window = area;
    if (rng_one_in(&g->r, 8))
        step = (uint32_t)rng_next(&g->r) | 1;
    if (rng_one_in(&g->r, 4))
        while (window > 2 * size && rng_below(&g->r, 4))
            window /= 2;
    struct hd_insn i = code_imm(OP_IMAD, INDEX, R_TT, step * size);
    i.rc = HD_RZ;
    code_emit(g, i);
    code_emit(g, code_imm(OP_IADD, INDEX, INDEX, size * rng_below(&g->r, window / size)));
    code_emit(g, code_imm(OP_AND, INDEX, INDEX, window - size));
}

/* ADDRESS, ADDRESS + 1 = the offset in `in`, or in shared memory; of some lanes here, of the
 * others there. */
static void wide_address(struct gen *g, bool global, bool mixed)
{
    struct hd_insn wide = code_imm(OP_IMADWU, ADDRESS, INDEX, 1), low = code_reg(OP_IADD, ADDRESS,
            INDEX, HD_RZ),
                   high = code_imm(OP_MOV, ADDRESS + 1, 0, SPACE_SHARED);
    wide.rc = R_IN0;
    if (global)
        code_emit(g, wide);
    if (global && !mixed)
        return;
    if (mixed) {
        low.pg = high.pg = (uint8_t)rng_below(&g->r, LIVE_PREDS);
        low.pn = high.pn = (uint8_t)rng_below(&g->r, 2);
    }
    code_emit(g, low);
    code_emit(g, high);
}

void wild_pattern(struct gen *g, struct hd_insn *i)
{
    bool generic = i->op == OP_LD || i->op == OP_ST || i->op == OP_ATOM;
    bool wide = strchr(hd_ops[i->op].operands, 'm') != NULL;
    bool local = i->op == OP_LDL || i->op == OP_STL;
    unsigned area = i->op == OP_LDC ? CONST_BYTES : local ? LOCAL_AREA : AREA;
    offsets(g, memory_bytes(i), area);
    bool global = !generic || rng_below(&g->r, 3), mixed = generic && rng_one_in(&g->r, 2);
    if (wide)
        wide_address(g, global, mixed);
    i->ra = wide ? ADDRESS : INDEX;
    i->off = 0;
}

/* Accesses that meet in the two sectors at the start of `in`: of other bytes, other widths, other
 * lanes, and with nothing between them.  Each of three addresses has its own order of lanes, in
 * steps of the widest access that may use it. */
static const struct { uint8_t ra, grain; } met[] = { { R_IN, 2 }, { R_OUT, 8 }, { R_SUM, 16 } };
enum { SECTOR = 32, MET = sizeof met / sizeof met[0] };

void wild_sectors(struct gen *g)
{
    for (int k = 0; k < MET; k++) {
        const uint32_t grain = met[k].grain, step = rng_below(&g->r, 8);
        struct hd_insn i = code_imm(OP_IMAD, INDEX, R_TT, grain * step);
        struct hd_insn wide = code_imm(OP_IMADWU, met[k].ra, INDEX, 1);
        i.rc = HD_RZ;
        wide.rc = R_IN0;
        code_emit(g, i);
        code_emit(g, code_imm(OP_AND, INDEX, INDEX, SECTOR - grain));
        code_emit(g, wide);
    }
}

void wild_meet(struct gen *g, struct hd_insn *i)
{
    const unsigned size = memory_bytes(i);
    unsigned k = rng_below(&g->r, MET);
    while (met[k].grain < size)
        k++;
    i->ra = met[k].ra;
    i->off = (int32_t)(size * rng_below(&g->r, SECTOR / size));
}
