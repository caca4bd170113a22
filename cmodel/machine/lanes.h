/* What an effect of isa.def means to a warp: computed lane by lane, or once.
 * SPDX-License-Identifier: Apache-2.0
 *
 * In effects a, b, c, d, l and m have their meaning of isa.def.  A row that computes lane by
 * lane becomes a loop over the lanes, which the compiler turns into vector code: rows of
 * registers are equal or disjoint, never shifted, so lanes do not depend on each other.  The
 * surroundings have the warp w, the instruction op, and of the running group the lanes `exec`. */
#ifndef HD_LANES_H
#define HD_LANES_H
#include "cmodel/machine/machine.h"
#include "cmodel/fp/fp32.h"
#include "cmodel/fp/fp64.h"
#include "cmodel/fp/mufu.h"

#define HAS(operands, letter) (__builtin_strchr(operands, letter) != NULL)
#define IS_FLOAT(unit) (UNIT_##unit == UNIT_FPU || UNIT_##unit == UNIT_SFU)
#define IS_WARP(effect) (__builtin_strncmp(effect, "WARP_", 5) == 0)

/* S2R: CLOCKLO and CLOCKHI of all lanes become `now`.  To read them is to notice time: a change. */
static inline void read_clock(struct model *m, struct warp *w, u32 which, u64 now)
{
    m->changes += which == SREG_CLOCKLO || which == SREG_CLOCKHI;
    for (unsigned l = 0; l < HD_LANES; l++) {
        w->sr[SREG_CLOCKLO][l] = (u32)now;
        w->sr[SREG_CLOCKHI][l] = (u32)(now >> 32);
    }
}

static inline u32 sreg(const struct warp *w, unsigned l, u32 n)
{
    return w->sr[n][l];
}

/* The effect in every lane.  Values of lanes that do not execute are computed and dropped. */
#define LANES(operands, signs, effect, all) \
    do { \
        const struct hd_insn m = op->i; \
        const u32 *ra = w->r[op->ra], *rb = operand_b(w, op), *rc = w->r[op->rc]; \
        u32 *rd = w->r[op->rd], source = w->p[m.ps] ^ op->sn, second = w->p[m.pq], result = 0; \
        const u32 keep_a = ~((u32)m.aa << 31), flip_a = (u32)m.na << 31; \
        const u32 keep_b = ~((u32)m.ab << 31), flip_b = (u32)m.nb << 31, flip_c = (u32)m.nc << 31; \
        (void)keep_a, (void)flip_a, (void)keep_b, (void)flip_b, (void)flip_c; \
        _Pragma("GCC ivdep") \
        for (unsigned l = 0; l < HD_LANES; l++) { \
            u32 a = ra[l], b = HAS(operands, 'b') ? rb[l] : 0, c = HAS(operands, 'c') ? rc[l] : 0; \
            u64 A = HAS(operands, 'A') ? (u64)ra[HD_LANES + l] << 32 | ra[l] : 0; \
            u64 B = HAS(operands, 'B') ? (u64)rb[HD_LANES + l] << 32 | rb[l] : 0; \
            u64 C = HAS(operands, 'C') ? (u64)rc[HD_LANES + l] << 32 | rc[l] : 0; \
            u32 ps = source >> l & 1, pt = second >> l & 1, pd = 0, d = 0; \
            u64 D = 0; \
            if (signs) { \
                a = (a & keep_a) ^ flip_a; \
                b = (b & keep_b) ^ flip_b; \
                c ^= flip_c; \
            } \
            (void)a, (void)b, (void)c, (void)A, (void)B, (void)C, (void)ps, (void)pt; \
            effect; \
            if (HAS(operands, 'D')) { \
                rd[l] = all ? (u32)D : kept((u32)D, rd[l], exec, l); \
                rd[HD_LANES + l] = all ? (u32)(D >> 32) \
                                       : kept((u32)(D >> 32), rd[HD_LANES + l], exec, l); \
            } else if (HAS(operands, 'd')) { \
                rd[l] = all ? d : kept(d, rd[l], exec, l); \
            } \
            result |= (pd & 1) << l; \
        } \
        if (HAS(operands, 'p')) \
            write_pred(w, op->pd, result, exec); \
    } while (0)

/* The effect once.  Rows that do not come here must compile here all the same. */
#define WARP(effect) \
    do { \
        const struct hd_insn m = op->i; \
        const unsigned l = 0; \
        u32 a = 0, b = 0, c = 0, d, ps = 0, pt = 0, pd; \
        u64 A = 0, B = 0, C = 0, D; \
        (void)m, (void)l, (void)a, (void)b, (void)c, (void)ps, (void)pt; \
        (void)A, (void)B, (void)C; \
        effect; \
        (void)d, (void)pd, (void)D; \
    } while (0)
#endif
