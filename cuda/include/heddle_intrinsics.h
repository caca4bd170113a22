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
#define HD_MATCH(T, AS, BITS) \
    HD_IN unsigned __match_any_sync(unsigned m, T v) { return __match_any_sync(m, (AS)BITS(v)); } \
    HD_IN unsigned __match_all_sync(unsigned m, T v, int *all) \
    { return __match_all_sync(m, (AS)BITS(v), all); }
HD_MATCH(long, unsigned long long, )
HD_MATCH(long long, unsigned long long, )
HD_MATCH(unsigned long, unsigned long long, )
HD_MATCH(float, unsigned, __float_as_uint)
HD_MATCH(double, unsigned long long, __double_as_longlong)
#undef HD_MATCH
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
/* Each element for itself. */
HD_IN float2 atomicAdd(float2 *p, float2 v)
{
    return { atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y) };
}
HD_IN float4 atomicAdd(float4 *p, float4 v)
{
    return { atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y), atomicAdd(&p->z, v.z),
             atomicAdd(&p->w, v.w) };
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
/* As in CUDA's headers the compiler neither moves nor removes them. */
#define HD_LOADS(NAME, OP) \
    template <class T> HD_IN T NAME(const T *p) \
    { \
        T v; \
        if constexpr (sizeof(T) == 1) { \
            unsigned w; \
            __asm__ volatile("ld.global." OP ".u8 %0, [%1];" : "=r"(w) : "l"(p) : "memory"); \
            unsigned char c = (unsigned char)w; \
            __builtin_memcpy(&v, &c, 1); \
        } else if constexpr (sizeof(T) == 2) { \
            unsigned short w; \
            __asm__ volatile("ld.global." OP ".u16 %0, [%1];" : "=h"(w) : "l"(p) : "memory"); \
            __builtin_memcpy(&v, &w, 2); \
        } else if constexpr (sizeof(T) == 4) { \
            unsigned w; \
            __asm__ volatile("ld.global." OP ".u32 %0, [%1];" : "=r"(w) : "l"(p) : "memory"); \
            __builtin_memcpy(&v, &w, 4); \
        } else if constexpr (sizeof(T) == 8) { \
            unsigned long long w; \
            __asm__ volatile("ld.global." OP ".u64 %0, [%1];" : "=l"(w) : "l"(p) : "memory"); \
            __builtin_memcpy(&v, &w, 8); \
        } else { \
            unsigned long long w[2]; \
            static_assert(sizeof(T) == 16, "no such load"); \
            __asm__ volatile("ld.global." OP ".v2.u64 {%0, %1}, [%2];" \
                             : "=l"(w[0]), "=l"(w[1]) : "l"(p) : "memory"); \
            __builtin_memcpy(&v, w, 16); \
        } \
        return v; \
    }
HD_LOADS(__ldcg, "cg")
HD_LOADS(__ldca, "ca")
HD_LOADS(__ldcs, "cs")
HD_LOADS(__ldlu, "lu")
HD_LOADS(__ldcv, "cv")
#undef HD_LOADS
#define HD_STORES(NAME, OP) \
    template <class T> HD_IN void NAME(T *p, T v) \
    { \
        if constexpr (sizeof(T) == 1) { \
            unsigned char c; \
            __builtin_memcpy(&c, &v, 1); \
            __asm__ volatile("st.global." OP ".u8 [%0], %1;" \
                             : : "l"(p), "r"((unsigned)c) : "memory"); \
        } else if constexpr (sizeof(T) == 2) { \
            unsigned short w; \
            __builtin_memcpy(&w, &v, 2); \
            __asm__ volatile("st.global." OP ".u16 [%0], %1;" : : "l"(p), "h"(w) : "memory"); \
        } else if constexpr (sizeof(T) == 4) { \
            unsigned w; \
            __builtin_memcpy(&w, &v, 4); \
            __asm__ volatile("st.global." OP ".u32 [%0], %1;" : : "l"(p), "r"(w) : "memory"); \
        } else if constexpr (sizeof(T) == 8) { \
            unsigned long long w; \
            __builtin_memcpy(&w, &v, 8); \
            __asm__ volatile("st.global." OP ".u64 [%0], %1;" : : "l"(p), "l"(w) : "memory"); \
        } else { \
            unsigned long long w[2]; \
            static_assert(sizeof(T) == 16, "no such store"); \
            __builtin_memcpy(w, &v, 16); \
            __asm__ volatile("st.global." OP ".v2.u64 [%0], {%1, %2};" \
                             : : "l"(p), "l"(w[0]), "l"(w[1]) : "memory"); \
        } \
    }
HD_STORES(__stwb, "wb")
HD_STORES(__stcg, "cg")
HD_STORES(__stcs, "cs")
HD_STORES(__stwt, "wt")
#undef HD_STORES
#define HD_CVTA(NAME, SPACE) \
    HD_IN size_t __cvta_generic_to_##NAME(const void *p) \
    { return (size_t)(const __attribute__((address_space(SPACE))) void *)p; } \
    HD_IN void *__cvta_##NAME##_to_generic(size_t p) \
    { return (void *)(__attribute__((address_space(SPACE))) void *)p; }
HD_CVTA(global, 1)
HD_CVTA(shared, 3)
HD_CVTA(constant, 4)
HD_CVTA(local, 5)
#undef HD_CVTA
HD_IN unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
HD_IN unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
HD_IN unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
HD_IN unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
/* A cluster is one block. */
HD_IN unsigned __isCtaShared(const void *p) { return __isShared(p); }
HD_IN unsigned __isClusterShared(const void *p) { return __isShared(p); }
HD_IN unsigned __isGridConstant(const void *p)
{
    unsigned is;
    __asm__("{ .reg .pred p; isspacep.param p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(p));
    return is;
}
/* Nobody counts these. */
#undef __prof_trigger
HD_IN void __prof_trigger(int) {}

/* ---- integers ---- */
HD_IN unsigned short __nv_bswap16(unsigned short v) { return __builtin_bswap16(v); }
HD_IN unsigned __nv_bswap32(unsigned v) { return __builtin_bswap32(v); }
HD_IN unsigned long long __nv_bswap64(unsigned long long v) { return __builtin_bswap64(v); }
/* c and the products of the bytes of b with those of a, or with its halves: of words, and of the
 * vectors that these hold. */
#define HD_DOT_OF(NAME, PTX, T, A, B) \
    HD_IN T NAME(T a, T b, T c) \
    { \
        T d; \
        __asm__(PTX " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); \
        return d; \
    } \
    HD_IN T NAME(A a, B b, T c) \
    { \
        T v, w; \
        __builtin_memcpy(&v, &a, sizeof v), __builtin_memcpy(&w, &b, sizeof w); \
        return NAME(v, w, c); \
    }
#define HD_DOT(NAME, PTX, OF) \
    HD_DOT_OF(NAME, PTX ".s32.s32", int, OF, char4) \
    HD_DOT_OF(NAME, PTX ".u32.u32", unsigned, u##OF, uchar4)
HD_DOT(__dp4a, "dp4a", char4)
HD_DOT(__dp2a_lo, "dp2a.lo", short2)
HD_DOT(__dp2a_hi, "dp2a.hi", short2)
#undef HD_DOT
#undef HD_DOT_OF
HD_IN unsigned __fns(unsigned mask, unsigned base, int offset)
{
    unsigned d;
    __asm__("fns.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(mask), "r"(base), "r"(offset));
    return d;
}
/* A template, for programs that define one of their own. */
template <int = 0> HD_IN unsigned long long __globaltimer()
{
    unsigned long long t;
    __asm__ volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}
#undef HD_IN
#endif
