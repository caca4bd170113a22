/* What one lane computes, for the effects of isa.def that are more than an expression.
 * Without branches and loops, so that a loop over lanes becomes vector code.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_LANE_H
#define HD_LANE_H
#include "cmodel/fp/fplane.h"
#include "cmodel/isa/isa.h"

/* The bits where a, b and c are those of i. */
static inline u32 lop3_at(u32 a, u32 b, u32 c, u32 lut, u32 i)
{
    return (0u - (lut >> i & 1)) & (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
}

static inline u32 lop3(u32 a, u32 b, u32 c, u32 lut)
{
    return lop3_at(a, b, c, lut, 0) | lop3_at(a, b, c, lut, 1) | lop3_at(a, b, c, lut, 2) |
           lop3_at(a, b, c, lut, 3) | lop3_at(a, b, c, lut, 4) | lop3_at(a, b, c, lut, 5) |
           lop3_at(a, b, c, lut, 6) | lop3_at(a, b, c, lut, 7);
}

static inline u32 bfe_u(u32 a, u32 b, u32 c)
{
    u32 pos = b & 255, len = c & 255;
    u32 mask = len > 31 ? ~0u : (1u << (len & 31)) - 1;
    return pos > 31 ? 0 : a >> (pos & 31) & mask;
}

/* The sign is bit min(pos + len - 1, 31) of a, also of the bits above the field. */
static inline u32 bfe_s(u32 a, u32 b, u32 c)
{
    u32 pos = b & 255, len = c & 255;
    u32 top = pos + len - 1 > 31 ? 31 : pos + len - 1;
    u32 up = 31 - (top & 31);
    s32 field = (s32)(a << up) >> up;
    return len ? (u32)(field >> (pos > 31 ? 31 : pos)) : 0;
}

static inline u32 popc(u32 a)
{
    return (u32)__builtin_popcount(a);
}

static inline u32 clz(u32 a)
{
    return a ? (u32)__builtin_clz(a) : 32;
}

static inline u32 brev(u32 a)
{
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(a);
}

static inline u32 prmt_byte(u64 bytes, u32 b, u32 i)
{
    u32 sel = b >> 4 * i & 15;
    u32 byte = (u32)(bytes >> (sel & 7) * 8) & 255;
    u32 sign = (0u - (byte >> 7)) & 255;
    return (sel & 8 ? sign : byte) << 8 * i;
}

static inline u32 prmt(u32 a, u32 b, u32 c)
{
    const u64 bytes = (u64)c << 32 | a;
    return prmt_byte(bytes, b, 0) | prmt_byte(bytes, b, 1) | prmt_byte(bytes, b, 2) |
           prmt_byte(bytes, b, 3);
}

/* 1 or 0, in a form in which what the modifiers decide is the same for all lanes.  A comparison is less, equal or
 * both, or the contrary; AND, OR, XOR and EX are sums of r & ps, r ^ ps and r. */
static inline u32 isetp(u32 a, u32 b, u32 ps, struct hd_insn m)
{
    const u32 bias = (u32)m.sg << 31, on_less = m.icmp >= ICMP_LT, not = m.icmp == ICMP_NE || m.icmp >= ICMP_GT;
    const u32 on_equal = m.icmp <= ICMP_NE || m.icmp == ICMP_LE || m.icmp == ICMP_GT;
    const u32 on_and = m.bop <= BOP_OR, on_xor = m.bop == BOP_OR || m.bop == BOP_XOR, ex = m.bop == BOP_EX;
    u32 less = (a ^ bias) < (b ^ bias), equal = a == b, r = ((less & on_less) | (equal & on_equal)) ^ not;
    return (r & ps & on_and) ^ ((r ^ ps) & (on_xor | (equal & ex))) ^ (r & ex);
}

/* The same for f32. */
static inline u32 fsetp_combine(u32 r, u32 ps, unsigned bop)
{
    return (r & ps & (bop != FBOP_XOR)) ^ ((r ^ ps) & (bop != FBOP_AND));
}

/* Rows whose default modifiers, or all, have an effect of their own: the same values by the host's
 * arithmetic. */
#define FAST_ROWS(X) \
    X(FADD, d = fp_lane_add(a, b)) \
    X(FMUL, d = fp_lane_mul(a, b)) \
    X(FFMA, d = fp_lane_fma(a, b, c)) \
    X(FMIN, d = fp_lane_min(a, b)) \
    X(FMAX, d = fp_lane_max(a, b)) \
    X(I2FS, d = fp_lane_from_s32(a)) \
    X(I2FU, d = fp_lane_from_u32(a)) \
    X(F2IS, d = fp_lane_to_s32(a, m.rm)) \
    X(F2IU, d = fp_lane_to_u32(a, m.rm)) \
    X(FSETP, pd = fsetp_combine(fp_lane_cmp(a, b, m.fcmp), ps, m.fbop))
/* The same of rows that round to nearest with FTZ or SAT. */
#define FLUSH_ROWS(X) \
    X(FADD, d = fp_lane_add_mod(a, b, m.ftz, m.sat)) \
    X(FMUL, d = fp_lane_mul_mod(a, b, m.ftz, m.sat)) \
    X(FFMA, d = fp_lane_fma_mod(a, b, c, m.ftz, m.sat)) \
    X(FMIN, d = fp_lane_min(fp_lane_flush(a, m.ftz), fp_lane_flush(b, m.ftz))) \
    X(FMAX, d = fp_lane_max(fp_lane_flush(a, m.ftz), fp_lane_flush(b, m.ftz))) \
    X(FRND, d = fp_lane_rint(a, m.rm, m.ftz)) \
    X(F2IS, d = fp_lane_to_s32(fp_lane_flush(a, m.ftz), m.rm)) \
    X(F2IU, d = fp_lane_to_u32(fp_lane_flush(a, m.ftz), m.rm)) \
    X(FSETP, pd = fsetp_combine(fp_lane_cmp(fp_lane_flush(a, m.ftz), fp_lane_flush(b, m.ftz), \
                                            m.fcmp), ps, m.fbop))

/* Which effect an instruction has: that of its row, of FAST_ROWS, or of FLUSH_ROWS. */
enum lane_way { LANE_ROW, LANE_FAST, LANE_FLUSH };
static inline enum lane_way lane_way(const struct hd_insn *i)
{
    switch (i->op) {
    case OP_FADD: case OP_FMUL: case OP_FFMA: case OP_FMIN: case OP_FMAX:
        return i->rm ? LANE_ROW : i->ftz || i->sat ? LANE_FLUSH : LANE_FAST;
    case OP_I2FS: case OP_I2FU:
        return i->rm ? LANE_ROW : LANE_FAST;
    case OP_F2IS: case OP_F2IU: case OP_FSETP:
        return i->ftz ? LANE_FLUSH : LANE_FAST;
    case OP_FRND:
        return LANE_FLUSH;
    default:
        return LANE_ROW;
    }
}
#endif
