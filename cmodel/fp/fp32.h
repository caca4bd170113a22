/* IEEE 754 single precision as the FPU does it, bit for bit, on bit patterns.
 * Subtle: a result that is NaN is always F32_NAN; the sign operands (-Ra, |Ra|) are the caller's to
 * apply, before.  ftz flushes subnormal inputs and a subnormal result to a zero of the same sign;
 * sat clamps to [0, 1], where NaN and -0 become +0.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FP32_H
#define FP32_H
#include <math.h> /* before the macros below: it declares names like fadd itself */
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

#define F32_NAN 0x7fffffffu
#define F32_INF 0x7f800000u
#define F32_ONE 0x3f800000u
#define F32_SIGN 0x80000000u

/* Codes of the modifiers RM and FCMP in isa.def. */
enum fp_rm { FP_RN, FP_RZ, FP_RM, FP_RP };
enum fp_cmp {
    FP_EQ, FP_NE, FP_LT, FP_LE, FP_GT, FP_GE, FP_NUM, FP_UNORD,
    FP_EQU, FP_NEU, FP_LTU, FP_LEU, FP_GTU, FP_GEU
};

/* fp32.c: one lane */
u32 fp_add(u32 a, u32 b, unsigned rm, bool ftz, bool sat);
u32 fp_mul(u32 a, u32 b, unsigned rm, bool ftz, bool sat);
u32 fp_fma(u32 a, u32 b, u32 c, unsigned rm, bool ftz, bool sat);
u32 fp_min(u32 a, u32 b, bool ftz);
u32 fp_max(u32 a, u32 b, bool ftz);
bool fp_cmp(u32 a, u32 b, unsigned cmp, bool ftz);

/* fpcvt.c: conversions.  To integers: saturating; NaN gives 0 (32 bits), the most negative number
 * (64 bits, signed or not), as an H200 does. */
u32 fp_rint(u32 a, unsigned rm, bool ftz);
u32 fp_to_s32(u32 a, unsigned rm, bool ftz);
u32 fp_to_u32(u32 a, unsigned rm, bool ftz);
u64 fp_to_s64(u32 a, unsigned rm, bool ftz);
u64 fp_to_u64(u32 a, unsigned rm, bool ftz);
u32 fp_from_s32(u32 a, unsigned rm);
u32 fp_from_u32(u32 a, unsigned rm);
u32 fp_from_s64(u64 a, unsigned rm);
u32 fp_from_u64(u64 a, unsigned rm);
u32 fp_to_half(u32 a, unsigned rm, bool ftz);
u32 fp_from_half(u32 a);

/* fpwarp.c: 32 lanes at once, for the default modifiers (RN, no ftz, no sat) only, with the
 * host's arithmetic.  d may be a source itself, but must not overlap one in part. */
void fp_add32(u32 *d, const u32 *a, const u32 *b);
void fp_mul32(u32 *d, const u32 *a, const u32 *b);
void fp_fma32(u32 *d, const u32 *a, const u32 *b, const u32 *c);
void fp_min32(u32 *d, const u32 *a, const u32 *b);
void fp_max32(u32 *d, const u32 *a, const u32 *b);
u32 fp_cmp32(const u32 *a, const u32 *b, unsigned cmp); /* bit l: lane l's result */
void fp_from_s32x32(u32 *d, const u32 *a);
void fp_from_u32x32(u32 *d, const u32 *a);
void fp_to_s32x32(u32 *d, const u32 *a, unsigned rm);
void fp_to_u32x32(u32 *d, const u32 *a, unsigned rm);

/* Combines a compare with the source predicate; codes of the modifier FBOP. */
static inline bool fp_combine(bool cmp, bool ps, unsigned bop)
{
    return bop == 0 ? cmp & ps : bop == 1 ? cmp | ps : cmp ^ ps;
}

/* The names that isa.def uses; m is the decoded instruction. */
#define fadd(a, b, m) fp_add(a, b, (m).rm, (m).ftz, (m).sat)
#define fmul(a, b, m) fp_mul(a, b, (m).rm, (m).ftz, (m).sat)
#define ffma(a, b, c, m) fp_fma(a, b, c, (m).rm, (m).ftz, (m).sat)
#define fmin32(a, b, m) fp_min(a, b, (m).ftz)
#define fmax32(a, b, m) fp_max(a, b, (m).ftz)
#define fsetp(a, b, ps, m) fp_combine(fp_cmp(a, b, (m).fcmp, (m).ftz), ps, (m).fbop)
#define frnd(a, m) fp_rint(a, (m).rm, (m).ftz)
#define f2i_s32(a, m) fp_to_s32(a, (m).rm, (m).ftz)
#define f2i_u32(a, m) fp_to_u32(a, (m).rm, (m).ftz)
#define f2i_s64(a, m) fp_to_s64(a, (m).rm, (m).ftz)
#define f2i_u64(a, m) fp_to_u64(a, (m).rm, (m).ftz)
#define i2f_s32(a, m) fp_from_s32(a, (m).rm)
#define i2f_u32(a, m) fp_from_u32(a, (m).rm)
#define i2f_s64(a, m) fp_from_s64(a, (m).rm)
#define i2f_u64(a, m) fp_from_u64(a, (m).rm)
#define f2h(a, m) fp_to_half(a, (m).rm, (m).ftz)
#define h2f(a) fp_from_half(a)

#endif
