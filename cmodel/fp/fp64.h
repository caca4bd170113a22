/* IEEE 754 double precision as the unit of f64 does it, bit for bit, on bit patterns.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A NaN that comes in goes out quieted, with its sign and payload: of several b's, then c's, then
 * a's, as an H200 does.  One that is made is F64_NAN.  The sign operands (-Ra, |Ra|) leave a NaN as
 * it is. */
#ifndef FP64_H
#define FP64_H
#include "cmodel/fp/fp32.h"

#define F64_SIGN 0x8000000000000000ull
#define F64_INF 0x7ff0000000000000ull
#define F64_QUIET 0x0008000000000000ull
#define F64_NAN 0xfff8000000000000ull
#define F64_ONE 0x3ff0000000000000ull

/* rm and cmp are those of fp32.h. */
u64 fp64_add(u64 a, u64 b, unsigned rm);
u64 fp64_mul(u64 a, u64 b, unsigned rm);
u64 fp64_fma(u64 a, u64 b, u64 c, unsigned rm);
u64 fp64_min(u64 a, u64 b);
u64 fp64_max(u64 a, u64 b);
bool fp64_cmp(u64 a, u64 b, unsigned cmp);
u64 fp64_rint(u64 a, unsigned rm);
/* To integers: saturating; of a NaN the highest bit alone. */
u32 fp64_to_s32(u64 a, unsigned rm);
u32 fp64_to_u32(u64 a, unsigned rm);
u64 fp64_to_s64(u64 a, unsigned rm);
u64 fp64_to_u64(u64 a, unsigned rm);
u64 fp64_from_s64(u64 a, unsigned rm);
u64 fp64_from_u64(u64 a, unsigned rm);
u32 fp64_to_f32(u64 a, unsigned rm);
u32 fp64_to_half(u64 a, unsigned rm);
u64 fp64_from_f32(u32 a);
/* fp64_fma, and with an operand of one or zero the others, without the host's arithmetic, which the
 * above may use. */
u64 fp64_fma_exact(u64 a, u64 b, u64 c, unsigned rm);

static inline bool fp64_is_nan(u64 a) { return (a & ~F64_SIGN) > F64_INF; }
static inline u64 fp64_signed(u64 a, bool absolute, bool negate)
{
    return fp64_is_nan(a) ? a : (absolute ? a & ~F64_SIGN : a) ^ (negate ? F64_SIGN : 0);
}

/* The names that isa.def uses; m is the decoded instruction. */
#define DA(a, m) fp64_signed(a, (m).aa, (m).na)
#define DB(b, m) fp64_signed(b, (m).ab, (m).nb)
#define DC(c, m) fp64_signed(c, false, (m).nc)
#define dadd(a, b, m) fp64_add(DA(a, m), DB(b, m), (m).rm)
#define dmul(a, b, m) fp64_mul(DA(a, m), DB(b, m), (m).rm)
#define dfma(a, b, c, m) fp64_fma(DA(a, m), DB(b, m), DC(c, m), (m).rm)
#define dmin(a, b, m) fp64_min(DA(a, m), DB(b, m))
#define dmax(a, b, m) fp64_max(DA(a, m), DB(b, m))
#define dsetp(a, b, ps, m) fp_combine(fp64_cmp(DA(a, m), DB(b, m), (m).fcmp), ps, (m).fbop)
#define drnd(a, m) fp64_rint(DA(a, m), (m).rm)
#define d2i_s32(a, m) fp64_to_s32(DA(a, m), (m).rm)
#define d2i_u32(a, m) fp64_to_u32(DA(a, m), (m).rm)
#define d2i_s64(a, m) fp64_to_s64(DA(a, m), (m).rm)
#define d2i_u64(a, m) fp64_to_u64(DA(a, m), (m).rm)
#define i2d_s32(a) fp64_from_s64((u64)(s64)(s32)(a), FP_RN)
#define i2d_u32(a) fp64_from_u64(a, FP_RN)
#define i2d_s64(a, m) fp64_from_s64(a, (m).rm)
#define i2d_u64(a, m) fp64_from_u64(a, (m).rm)
#define d2f(a, m) fp64_to_f32(DA(a, m), (m).rm)
#define d2h(a, m) fp64_to_half(DA(a, m), (m).rm)
#define f2d(a) fp64_from_f32(a)

#endif
