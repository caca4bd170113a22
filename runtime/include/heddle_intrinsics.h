/* Device functions of CUDA that neither clang's headers nor heddle_cuda.h have.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_INTRINSICS_H
#define HEDDLE_INTRINSICS_H
#define HD_IN static __inline__ __attribute__((device, always_inline, nodebug))
/* What lanes say to each other, for types that heddle_cuda.h leaves out; and without a mask, as
 * before CUDA 9: among the lanes that are here, since others may never come. */
#define HD_SHUFFLE(NAME, LANE) \
    HD_IN double NAME(unsigned m, double v, LANE l, int w = 32) \
    { return __longlong_as_double((long long)NAME(m, (unsigned long long)__double_as_longlong(v), \
    l, w)); } \
    HD_IN long NAME(unsigned m, long v, LANE l, int w = 32) \
    { return (long)NAME(m, (long long)v, l, w); } \
    HD_IN unsigned long NAME(unsigned m, unsigned long v, LANE l, int w = 32) \
    { return (unsigned long)NAME(m, (unsigned long long)v, l, w); }
HD_SHUFFLE(__shfl_sync, int)
HD_SHUFFLE(__shfl_up_sync, unsigned)
HD_SHUFFLE(__shfl_down_sync, unsigned)
HD_SHUFFLE(__shfl_xor_sync, int)
#undef HD_SHUFFLE
#define HD_OLD_SHUFFLE(NAME, LANE) \
    template <class T> HD_IN T NAME(T v, LANE l, int w = 32) \
    { return NAME##_sync(__activemask(), v, l, w); }
HD_OLD_SHUFFLE(__shfl, int)
HD_OLD_SHUFFLE(__shfl_up, unsigned)
HD_OLD_SHUFFLE(__shfl_down, unsigned)
HD_OLD_SHUFFLE(__shfl_xor, int)
#undef HD_OLD_SHUFFLE
HD_IN unsigned __match_any_sync(unsigned m, long v)
{
    return __match_any_sync(m, (unsigned long long)v);
}
HD_IN unsigned __match_any_sync(unsigned m, long long v)
{
    return __match_any_sync(m, (unsigned long long)v);
}
HD_IN unsigned __match_any_sync(unsigned m, unsigned long v)
{
    return __match_any_sync(m, (unsigned long long)v);
}
HD_IN unsigned __match_any_sync(unsigned m, float v)
{
    return __match_any_sync(m, __float_as_uint(v));
}
HD_IN unsigned __match_any_sync(unsigned m, double v)
{
    return __match_any_sync(m, (unsigned long long)__double_as_longlong(v));
}
/* Reductions of a warp, which a GPU has from 8.0 on: by shuffles among the lanes of the mask. */
#define HD_REDUCE(NAME, T, EXPR) \
    HD_IN T NAME(unsigned m, T v) \
    { \
        T a = 0; \
        bool first = true; \
        for (unsigned left = m; left; left &= left - 1, first = false) { \
            T b = __shfl_sync(m, v, __ffs((int)left) - 1); \
            a = first ? b : EXPR; \
        } \
        return a; \
    }
HD_REDUCE(__reduce_add_sync, unsigned, a + b)
HD_REDUCE(__reduce_add_sync, int, a + b)
HD_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
HD_REDUCE(__reduce_min_sync, int, a < b ? a : b)
HD_REDUCE(__reduce_max_sync, unsigned, a > b ? a : b)
HD_REDUCE(__reduce_max_sync, int, a > b ? a : b)
HD_REDUCE(__reduce_and_sync, unsigned, a & b)
HD_REDUCE(__reduce_or_sync, unsigned, a | b)
HD_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
#undef HD_REDUCE

/* ---- atomics ---- */
HD_IN unsigned long atomicAdd(unsigned long *p, unsigned long v)
{
    return atomicAdd((unsigned long long *)p, (unsigned long long)v);
}
HD_IN unsigned short atomicCAS(unsigned short *p, unsigned short c, unsigned short v)
{
    unsigned *word = (unsigned *)((unsigned long long)p & ~3ull),
             shift = ((unsigned long long)p & 2) * 8, old = *word, seen;
    do {
        seen = old;
        if ((unsigned short)(seen >> shift) != c) break;
        old = atomicCAS(word, seen, (seen & ~(0xffffu << shift)) | (unsigned)v << shift);
    } while (old != seen);
    return (unsigned short)(seen >> shift);
}
HD_IN double atomicAdd(double *p, double v)
{
    unsigned long long *bits = (unsigned long long *)p, old = *bits, seen;
    do {
        seen = old;
        old = atomicCAS(bits, seen,
                        (unsigned long long)__double_as_longlong(
                            __longlong_as_double((long long)seen) + v));
    } while (old != seen);
    return __longlong_as_double((long long)old);
}
HD_IN double atomicExch(double *p, double v)
{
    return __longlong_as_double((long long)atomicExch((unsigned long long *)p,
                                                      (unsigned long long)__double_as_longlong(v)));
}
/* One device: whatever the scope. */
#define HD_SCOPED(NAME) \
    template <class P, class V> HD_IN auto NAME##_block(P *p, V v) -> decltype(NAME(p, v)) \
    { return NAME(p, v); } \
    template <class P, class V> HD_IN auto NAME##_system(P *p, V v) -> decltype(NAME(p, v)) \
    { return NAME(p, v); }
HD_SCOPED(atomicAdd)
HD_SCOPED(atomicSub)
HD_SCOPED(atomicMin)
HD_SCOPED(atomicMax)
HD_SCOPED(atomicAnd)
HD_SCOPED(atomicOr)
HD_SCOPED(atomicXor)
HD_SCOPED(atomicExch)
HD_SCOPED(atomicInc)
HD_SCOPED(atomicDec)
#undef HD_SCOPED
template <class P, class V>
HD_IN auto atomicCAS_block(P *p, V c, V v) -> decltype(atomicCAS(p, c, v))
{
    return atomicCAS(p, c, v);
}
template <class P, class V>
HD_IN auto atomicCAS_system(P *p, V c, V v) -> decltype(atomicCAS(p, c, v))
{
    return atomicCAS(p, c, v);
}

/* ---- memory ---- */
#define HD_LOADS(NAME) template <class T> HD_IN T NAME(const T *p) { return *p; }
HD_LOADS(__ldcg)
HD_LOADS(__ldca)
HD_LOADS(__ldcs)
HD_LOADS(__ldlu)
HD_LOADS(__ldcv)
#undef HD_LOADS
#define HD_STORES(NAME) template <class T> HD_IN void NAME(T *p, T v) { *p = v; }
HD_STORES(__stwb)
HD_STORES(__stcg)
HD_STORES(__stcs)
HD_STORES(__stwt)
#undef HD_STORES
HD_IN size_t __cvta_generic_to_shared(const void *p)
{
    return (size_t)(const __attribute__((address_space(3))) void *)p;
}
HD_IN unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
HD_IN unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
HD_IN unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
HD_IN unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }

/* ---- integers ---- */
HD_IN int __dp4a(int a, int b, int c)
{
    int d;
    __asm__("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}
HD_IN unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    unsigned d;
    __asm__("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}
HD_IN unsigned __fns(unsigned mask, unsigned base, int offset)
{
    unsigned d;
    __asm__("fns.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(mask), "r"(base), "r"(offset));
    return d;
}
HD_IN long long min(long a, long long b) { return a < b ? a : b; }
HD_IN long long min(long long a, long b) { return a < b ? a : b; }
HD_IN long long max(long a, long long b) { return a > b ? a : b; }
HD_IN long long max(long long a, long b) { return a > b ? a : b; }
HD_IN double min(double a, float b) { return __nvvm_fmin_d(a, b); }
HD_IN double min(float a, double b) { return __nvvm_fmin_d(a, b); }
HD_IN double max(double a, float b) { return __nvvm_fmax_d(a, b); }
HD_IN double max(float a, double b) { return __nvvm_fmax_d(a, b); }
/* A template, for programs that define one of their own. */
template <int = 0> HD_IN unsigned long long __globaltimer()
{
    unsigned long long t;
    __asm__ volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}
#undef HD_IN
#endif
