/* DPX: sums and minima or maxima of three, of 32 bits and of two halves, for host and device.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_DPX_H
#define HEDDLE_DPX_H
#define HD_DPX static __inline__ __attribute__((host, device, always_inline, nodebug, unused))
HD_DPX int heddle_least(int a, int b) { return a < b ? a : b; }
HD_DPX int heddle_most(int a, int b) { return a < b ? b : a; }
HD_DPX unsigned heddle_least(unsigned a, unsigned b) { return a < b ? a : b; }
HD_DPX unsigned heddle_most(unsigned a, unsigned b) { return a < b ? b : a; }
#define HD_LAMBDA __attribute__((host, device))
/* f of both halves, each with its sign or without, put together again. */
template <class T, class F> HD_DPX unsigned heddle_halves(unsigned a, unsigned b, unsigned c, F f)
{
    unsigned low = (unsigned)f((T)a, (T)b, (T)c);
    unsigned high = (unsigned)f((T)(a >> 16), (T)(b >> 16), (T)(c >> 16));
    return (low & 0xffff) | high << 16;
}
/* NAME of signed and unsigned numbers by EXPR, where SUM(a, b) wraps as they do; and, of signed
 * ones, not below zero. */
#define HD_DPX_OF(NAME, EXPR) \
    HD_DPX int NAME##_s32(int a, int b, int c) \
    { auto sum = [] HD_LAMBDA (int x, int y) { return (int)((unsigned)x + (unsigned)y); }; \
        (void)sum; return EXPR; } \
    HD_DPX unsigned NAME##_u32(unsigned a, unsigned b, unsigned c) \
    { auto sum = [] HD_LAMBDA (unsigned x, unsigned y) { return x + y; }; (void)sum; return EXPR; \
        } \
    HD_DPX int NAME##_s32_relu(int a, int b, int c) { return heddle_most(NAME##_s32(a, b, c), \
        0); } \
    HD_DPX int NAME##_of_s16(int a, int b, int c) \
    { auto sum = [] HD_LAMBDA (int x, int y) { return (int)(short)(x + y); }; (void)sum; \
        return EXPR; } \
    HD_DPX int NAME##_of_u16(int a, int b, int c) \
    { auto sum = [] HD_LAMBDA (int x, int y) { return (int)(unsigned short)(x + y); }; (void)sum; \
        return EXPR; } \
    HD_DPX unsigned NAME##_s16x2(unsigned p, unsigned q, unsigned r) \
    { return heddle_halves<short>(p, q, r, [] HD_LAMBDA (int a, int b, \
        int c) { return NAME##_of_s16(a, b, c); }); } \
    HD_DPX unsigned NAME##_u16x2(unsigned p, unsigned q, unsigned r) \
    { return heddle_halves<unsigned short>(p, q, r, [] HD_LAMBDA (int a, int b, \
        int c) { return NAME##_of_u16(a, b, c); }); } \
    HD_DPX unsigned NAME##_s16x2_relu(unsigned p, unsigned q, unsigned r) \
    { return heddle_halves<short>(p, q, r, [] HD_LAMBDA (int a, int b, \
        int c) { return heddle_most(NAME##_of_s16(a, b, c), 0); }); }
HD_DPX_OF(__vimax3, heddle_most(heddle_most(a, b), c))
HD_DPX_OF(__vimin3, heddle_least(heddle_least(a, b), c))
HD_DPX_OF(__viaddmax, heddle_most(sum(a, b), c))
HD_DPX_OF(__viaddmin, heddle_least(sum(a, b), c))
#undef HD_DPX_OF
HD_DPX int __vimax_s32_relu(int a, int b) { return __vimax3_s32_relu(a, b, a); }
HD_DPX int __vimin_s32_relu(int a, int b) { return __vimin3_s32_relu(a, b, a); }
HD_DPX unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vimax3_s16x2_relu(a, b, a); }
HD_DPX unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __vimin3_s16x2_relu(a, b, a); }
/* And whether it is the first one. */
#define HD_DPX_WHICH(NAME, PICK, CMP) \
    HD_DPX int NAME##_s32(int a, int b, bool *first) { return *first = a CMP b, PICK(a, b); } \
    HD_DPX unsigned NAME##_u32(unsigned a, unsigned b, bool *first) { return *first = a CMP b, \
        PICK(a, b); } \
    HD_DPX unsigned NAME##_s16x2(unsigned a, unsigned b, bool *high, bool *low) \
    { \
        *high = (short)(a >> 16) CMP (short)(b >> 16), *low = (short)a CMP (short)b; \
        return heddle_halves<short>(a, b, a, [] HD_LAMBDA (int x, int y, int) { return PICK(x, \
            y); }); \
    } \
    HD_DPX unsigned NAME##_u16x2(unsigned a, unsigned b, bool *high, bool *low) \
    { \
        *high = a >> 16 CMP b >> 16, *low = (unsigned short)a CMP (unsigned short)b; \
        return heddle_halves<unsigned short>(a, b, a, [] HD_LAMBDA (int x, int y, \
            int) { return PICK(x, y); }); \
    }
HD_DPX_WHICH(__vibmax, heddle_most, >=)
HD_DPX_WHICH(__vibmin, heddle_least, <=)
#undef HD_DPX_WHICH
#undef HD_LAMBDA
#undef HD_DPX
#endif
