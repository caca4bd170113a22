// What mathematics needs of the machine beside f64.
// SPDX-License-Identifier: Apache-2.0
INLINE u64 to_bits(double a) { return (u64)__nvvm_bitcast_d2ll(a); }
INLINE double from_bits(u64 a) { return __nvvm_bitcast_ll2d((s64)a); }
INLINE u32 to_bits32(float a) { return (u32)__nvvm_bitcast_f2i(a); }
INLINE float from_bits32(u32 a) { return __nvvm_bitcast_i2f((s32)a); }
INLINE u32 clz(u64 v) { u32 d; asm("clz.b64 %0, %1;" : "=r"(d) : "l"(v)); return d; }
INLINE u64 multiply(u64 a, u64 b, u64 *high)
{
    asm("mul.hi.u64 %0, %1, %2;" : "=l"(*high) : "l"(a), "l"(b));
    return a * b;
}
INLINE double rsqrt_of(double x) { double d; asm("rsqrt.approx.f64 %0, %1;" : "=d"(d) : "d"(x)); return d; }
#define TABLE static __attribute__((constant))
