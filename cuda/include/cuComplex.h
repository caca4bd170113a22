/* Complex numbers as CUDA's headers have them.  SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUCOMPLEX_H
#define HEDDLE_CUCOMPLEX_H
/* Headers of programs ask by these names whether CUDA's own were included. */
#define CU_COMPLEX_H_
#include "cuda_runtime.h"
#define HD_COMPLEX static __inline__ __host__ __device__
typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;
#define HD_COMPLEX_OF(C, T, S, HYPOT) \
    HD_COMPLEX T cuCreal##S(C a) { return a.x; } \
    HD_COMPLEX T cuCimag##S(C a) { return a.y; } \
    HD_COMPLEX C cuConj##S(C a) { a.y = -a.y; return a; } \
    HD_COMPLEX C cuCadd##S(C a, C b) { C r; r.x = a.x + b.x; r.y = a.y + b.y; return r; } \
    HD_COMPLEX C cuCsub##S(C a, C b) { C r; r.x = a.x - b.x; r.y = a.y - b.y; return r; } \
    HD_COMPLEX C cuCmul##S(C a, C b) \
    { C r; r.x = a.x * b.x - a.y * b.y; r.y = a.x * b.y + a.y * b.x; return r; } \
    HD_COMPLEX C cuCfma##S(C a, C b, C c) { return cuCadd##S(cuCmul##S(a, b), c); } \
    HD_COMPLEX C cuCdiv##S(C a, C b) \
    { \
        T big = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y), s = 1 / big; \
        C p, q, r; \
        p.x = a.x * s; p.y = a.y * s; q.x = b.x * s; q.y = b.y * s; \
        T n = 1 / (q.x * q.x + q.y * q.y); \
        r.x = (p.x * q.x + p.y * q.y) * n; r.y = (p.y * q.x - p.x * q.y) * n; \
        return r; \
    } \
    HD_COMPLEX T cuCabs##S(C a) { return HYPOT(a.x, a.y); }
HD_COMPLEX_OF(cuDoubleComplex, double, , hypot)
HD_COMPLEX_OF(cuFloatComplex, float, f, hypotf)
#undef HD_COMPLEX_OF
HD_COMPLEX cuFloatComplex make_cuFloatComplex(float x, float y)
{
    cuFloatComplex r;
    r.x = x;
    r.y = y;
    return r;
}
HD_COMPLEX cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
HD_COMPLEX cuDoubleComplex make_cuDoubleComplex(double x, double y)
{
    cuDoubleComplex r;
    r.x = x;
    r.y = y;
    return r;
}
HD_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a)
{
    return make_cuDoubleComplex(a.x, a.y);
}
HD_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return make_cuFloatComplex((float)a.x, (float)a.y);
}
#undef HD_COMPLEX
#endif
