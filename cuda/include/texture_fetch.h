/* What kernels do with texture and surface objects.  SPDX-License-Identifier: Apache-2.0
 *
 * A fetch gives four values, as floats or as integers: those of T are taken from them. */
#ifndef HEDDLE_TEXTURE_FETCH_H
#define HEDDLE_TEXTURE_FETCH_H
#define HD_FETCH static __inline__ __attribute__((device, always_inline))
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

template <class C> struct HeddleWords { typedef unsigned word; };
template <> struct HeddleWords<float> { typedef float word; };
template <class T, class W> HD_FETCH T hd_texel(W a, W b, W c, W d)
{
    typedef typename HeddleChannel<T>::part part;
    union { T whole; part parts[HeddleChannel<T>::n]; } r;
    const W all[4] = { a, b, c, d };
#pragma unroll
    for (int k = 0; k < HeddleChannel<T>::n; k++) r.parts[k] = (part)all[k];
    return r.whole;
}
#define HD_WORD(T) typename HeddleWords<typename HeddleChannel<T>::part>::word

/* NAME<T>(t, ...) and NAME(&result, t, ...): the instruction OP fetches at AT.  SIGN: f32 or
 * u32. */
#define HD_TEX_AS(FN, OP, COORD, AT, PARAMS, INPUTS) \
    HD_FETCH void FN(float *v, cudaTextureObject_t t, HD_ARGS PARAMS) \
    { \
        asm volatile(OP ".v4.f32." COORD " {%0,%1,%2,%3}, [%4, " AT ";" \
                     : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]) : "l"(t), HD_ARGS INPUTS); \
    } \
    HD_FETCH void FN(unsigned *v, cudaTextureObject_t t, HD_ARGS PARAMS) \
    { \
        asm volatile(OP ".v4.u32." COORD " {%0,%1,%2,%3}, [%4, " AT ";" \
                     : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(t), HD_ARGS INPUTS); \
    }
#define HD_ARGS(...) __VA_ARGS__
#define HD_TEX(NAME, OP, COORD, AT, PARAMS, INPUTS, NAMES) \
    HD_TEX_AS(hd_##NAME, OP, COORD, AT, PARAMS, INPUTS) \
    template <class T> HD_FETCH T NAME(cudaTextureObject_t t, HD_ARGS PARAMS) \
    { \
        HD_WORD(T) v[4]; \
        hd_##NAME(v, t, HD_ARGS NAMES); \
        return hd_texel<T>(v[0], v[1], v[2], v[3]); \
    } \
    template <class T> HD_FETCH void NAME(T *to, cudaTextureObject_t t, HD_ARGS PARAMS) \
    { \
        *to = NAME<T>(t, HD_ARGS NAMES); \
    }
HD_TEX(tex1Dfetch, "tex.1d", "s32", "{%5}]", (int x), ("r"(x)), (x))
HD_TEX(tex1D, "tex.1d", "f32", "{%5}]", (float x), ("f"(x)), (x))
HD_TEX(tex2D, "tex.2d", "f32", "{%5,%6}]", (float x, float y), ("f"(x), "f"(y)), (x, y))
HD_TEX(tex3D, "tex.3d", "f32", "{%5,%6,%7,%7}]", (float x, float y, float z),
       ("f"(x), "f"(y), "f"(z)), (x, y, z))
HD_TEX(tex1DLayered, "tex.a1d", "f32", "{%5,%6}]", (float x, int layer), ("r"(layer), "f"(x)),
       (x, layer))
HD_TEX(tex2DLayered, "tex.a2d", "f32", "{%5,%6,%7,%7}]", (float x, float y, int layer),
       ("r"(layer), "f"(x), "f"(y)), (x, y, layer))
HD_TEX(texCubemap, "tex.cube", "f32", "{%5,%6,%7,%7}]", (float x, float y, float z),
       ("f"(x), "f"(y), "f"(z)), (x, y, z))
HD_TEX(texCubemapLayered, "tex.acube", "f32", "{%5,%6,%7,%8}]",
       (float x, float y, float z, int layer), ("r"(layer), "f"(x), "f"(y), "f"(z)),
       (x, y, z, layer))
HD_TEX(tex1DLod, "tex.level.1d", "f32", "{%5}], %6", (float x, float l), ("f"(x), "f"(l)), (x, l))
HD_TEX(tex2DLod, "tex.level.2d", "f32", "{%5,%6}], %7", (float x, float y, float l),
       ("f"(x), "f"(y), "f"(l)), (x, y, l))
HD_TEX(tex3DLod, "tex.level.3d", "f32", "{%5,%6,%7,%7}], %8", (float x, float y, float z, float l),
       ("f"(x), "f"(y), "f"(z), "f"(l)), (x, y, z, l))
HD_TEX(tex1DLayeredLod, "tex.level.a1d", "f32", "{%5,%6}], %7", (float x, int layer, float l),
       ("r"(layer), "f"(x), "f"(l)), (x, layer, l))
HD_TEX(tex2DLayeredLod, "tex.level.a2d", "f32", "{%5,%6,%7,%7}], %8",
       (float x, float y, int layer, float l), ("r"(layer), "f"(x), "f"(y), "f"(l)),
       (x, y, layer, l))
HD_TEX(texCubemapLod, "tex.level.cube", "f32", "{%5,%6,%7,%7}], %8",
       (float x, float y, float z, float l), ("f"(x), "f"(y), "f"(z), "f"(l)), (x, y, z, l))
HD_TEX(texCubemapLayeredLod, "tex.level.acube", "f32", "{%5,%6,%7,%8}], %9",
       (float x, float y, float z, int layer, float l),
       ("r"(layer), "f"(x), "f"(y), "f"(z), "f"(l)), (x, y, z, layer, l))
/* dx and dy: how coordinates change to the right and downwards. */
HD_TEX(tex1DGrad, "tex.grad.1d", "f32", "{%5}], {%6}, {%7}", (float x, float dx, float dy),
       ("f"(x), "f"(dx), "f"(dy)), (x, dx, dy))
HD_TEX(tex2DGrad, "tex.grad.2d", "f32", "{%5,%6}], {%7,%8}, {%9,%10}",
       (float x, float y, float2 dx, float2 dy),
       ("f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)), (x, y, dx, dy))
HD_TEX(tex3DGrad, "tex.grad.3d", "f32", "{%5,%6,%7,%7}], {%8,%9,%10,%10}, {%11,%12,%13,%13}",
       (float x, float y, float z, float4 dx, float4 dy),
       ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)),
       (x, y, z, dx, dy))
HD_TEX(tex1DLayeredGrad, "tex.grad.a1d", "f32", "{%5,%6}], {%7}, {%8}",
       (float x, int layer, float dx, float dy), ("r"(layer), "f"(x), "f"(dx), "f"(dy)),
       (x, layer, dx, dy))
HD_TEX(tex2DLayeredGrad, "tex.grad.a2d", "f32", "{%5,%6,%7,%7}], {%8,%9}, {%10,%11}",
       (float x, float y, int layer, float2 dx, float2 dy),
       ("r"(layer), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)),
       (x, y, layer, dx, dy))
HD_TEX(texCubemapGrad, "tex.grad.cube", "f32",
       "{%5,%6,%7,%7}], {%8,%9,%10,%10}, {%11,%12,%13,%13}",
       (float x, float y, float z, float4 dx, float4 dy),
       ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)),
       (x, y, z, dx, dy))
HD_TEX(texCubemapLayeredGrad, "tex.grad.acube", "f32",
       "{%5,%6,%7,%8}], {%9,%10,%11,%11}, {%12,%13,%14,%14}",
       (float x, float y, float z, int layer, float4 dx, float4 dy),
       ("r"(layer), "f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x),
        "f"(dy.y), "f"(dy.z)),
       (x, y, z, layer, dx, dy))
HD_TEX(hd_gather0, "tld4.r.2d", "f32", "{%5,%6}]", (float x, float y), ("f"(x), "f"(y)), (x, y))
HD_TEX(hd_gather1, "tld4.g.2d", "f32", "{%5,%6}]", (float x, float y), ("f"(x), "f"(y)), (x, y))
HD_TEX(hd_gather2, "tld4.b.2d", "f32", "{%5,%6}]", (float x, float y), ("f"(x), "f"(y)), (x, y))
HD_TEX(hd_gather3, "tld4.a.2d", "f32", "{%5,%6}]", (float x, float y), ("f"(x), "f"(y)), (x, y))
template <class T>
HD_FETCH T tex2Dgather(cudaTextureObject_t t, float x, float y, int component = 0)
{
    if (component == 0) return hd_gather0<T>(t, x, y);
    if (component == 1) return hd_gather1<T>(t, x, y);
    return component == 2 ? hd_gather2<T>(t, x, y) : hd_gather3<T>(t, x, y);
}

/* Surfaces: x counts bytes, T has 1, 2, 4, 8 or 16. */
template <int N> struct HeddleRaw { unsigned v[N / 4]; };
template <> struct HeddleRaw<1> { unsigned short v[1]; };
template <> struct HeddleRaw<2> { unsigned short v[1]; };
#define HD_SURF_BYTES(GEOM, RANGE, N, TYPE, VALUES, OUT, IN, AT, PARAMS, INPUTS) \
    HD_FETCH void hd_suld_##GEOM##RANGE(HeddleRaw<N> &r, cudaSurfaceObject_t s, HD_ARGS PARAMS) \
    { \
        asm volatile("suld.b." #GEOM TYPE "." #RANGE " " VALUES ", [%[s], " AT "];" \
                     : HD_ARGS OUT : [s] "l"(s), HD_ARGS INPUTS : "memory"); \
    } \
    HD_FETCH void hd_sust_##GEOM##RANGE(const HeddleRaw<N> &r, cudaSurfaceObject_t s, \
    HD_ARGS PARAMS) \
    { \
        asm volatile("sust.b." #GEOM TYPE "." #RANGE " [%[s], " AT "], " VALUES ";" \
                     :: HD_ARGS IN, [s] "l"(s), HD_ARGS INPUTS : "memory"); \
    }
#define HD_SURF_RANGE(GEOM, RANGE, AT, PARAMS, INPUTS) \
    HD_SURF_BYTES(GEOM, RANGE, 1, ".b8", "%[a]", ([a] "=h"(r.v[0])), ([a] "h"(r.v[0])), AT, \
    PARAMS, INPUTS) \
    HD_SURF_BYTES(GEOM, RANGE, 2, ".b16", "%[a]", ([a] "=h"(r.v[0])), ([a] "h"(r.v[0])), AT, \
    PARAMS, INPUTS) \
    HD_SURF_BYTES(GEOM, RANGE, 4, ".b32", "%[a]", ([a] "=r"(r.v[0])), ([a] "r"(r.v[0])), AT, \
    PARAMS, INPUTS) \
    HD_SURF_BYTES(GEOM, RANGE, 8, ".v2.b32", "{%[a],%[b]}", ([a] "=r"(r.v[0]), [b] "=r"(r.v[1])), \
                  ([a] "r"(r.v[0]), [b] "r"(r.v[1])), AT, PARAMS, INPUTS) \
    HD_SURF_BYTES(GEOM, RANGE, 16, ".v4.b32", "{%[a],%[b],%[c],%[d]}", \
                  ([a] "=r"(r.v[0]), [b] "=r"(r.v[1]), [c] "=r"(r.v[2]), [d] "=r"(r.v[3])), \
                  ([a] "r"(r.v[0]), [b] "r"(r.v[1]), [c] "r"(r.v[2]), [d] "r"(r.v[3])), AT, \
                  PARAMS, INPUTS)
#define HD_SURF_GEOMETRY(GEOM, AT, PARAMS, INPUTS) \
    HD_SURF_RANGE(GEOM, trap, AT, PARAMS, INPUTS) \
    HD_SURF_RANGE(GEOM, clamp, AT, PARAMS, INPUTS) \
    HD_SURF_RANGE(GEOM, zero, AT, PARAMS, INPUTS)
HD_SURF_GEOMETRY(1d, "{%[x]}", (int x), ([x] "r"(x)))
HD_SURF_GEOMETRY(2d, "{%[x],%[y]}", (int x, int y), ([x] "r"(x), [y] "r"(y)))
HD_SURF_GEOMETRY(3d, "{%[x],%[y],%[z],%[z]}", (int x, int y, int z),
                 ([x] "r"(x), [y] "r"(y), [z] "r"(z)))
HD_SURF_GEOMETRY(a1d, "{%[l],%[x]}", (int x, int l), ([l] "r"(l), [x] "r"(x)))
HD_SURF_GEOMETRY(a2d, "{%[l],%[x],%[y],%[y]}", (int x, int y, int l),
                 ([l] "r"(l), [x] "r"(x), [y] "r"(y)))

#define HD_SURF(NAME, GEOM, PARAMS, NAMES) \
    template <class T> \
    HD_FETCH T NAME##read(cudaSurfaceObject_t s, HD_ARGS PARAMS, \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    { \
        HeddleRaw<sizeof(T)> r; \
        T v; \
        if (mode == cudaBoundaryModeTrap) hd_suld_##GEOM##trap(r, s, HD_ARGS NAMES); \
        else if (mode == cudaBoundaryModeClamp) hd_suld_##GEOM##clamp(r, s, HD_ARGS NAMES); \
        else hd_suld_##GEOM##zero(r, s, HD_ARGS NAMES); \
        __builtin_memcpy(&v, &r, sizeof v); \
        return v; \
    } \
    template <class T> HD_FETCH void NAME##read(T *to, cudaSurfaceObject_t s, HD_ARGS PARAMS, \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    { \
        *to = NAME##read<T>(s, HD_ARGS NAMES, mode); \
    } \
    template <class T> HD_FETCH void NAME##write(T v, cudaSurfaceObject_t s, HD_ARGS PARAMS, \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    { \
        HeddleRaw<sizeof(T)> r = {}; \
        __builtin_memcpy(&r, &v, sizeof v); \
        if (mode == cudaBoundaryModeTrap) hd_sust_##GEOM##trap(r, s, HD_ARGS NAMES); \
        else if (mode == cudaBoundaryModeClamp) hd_sust_##GEOM##clamp(r, s, HD_ARGS NAMES); \
        else hd_sust_##GEOM##zero(r, s, HD_ARGS NAMES); \
    }
HD_SURF(surf1D, 1d, (int x), (x))
HD_SURF(surf2D, 2d, (int x, int y), (x, y))
HD_SURF(surf3D, 3d, (int x, int y, int z), (x, y, z))
HD_SURF(surf1DLayered, a1d, (int x, int layer), (x, layer))
HD_SURF(surf2DLayered, a2d, (int x, int y, int layer), (x, y, layer))
HD_SURF(surfCubemap, a2d, (int x, int y, int face), (x, y, face))
HD_SURF(surfCubemapLayered, a2d, (int x, int y, int layer_face), (x, y, layer_face))
#undef HD_SURF
#undef HD_SURF_GEOMETRY
#undef HD_SURF_RANGE
#undef HD_SURF_BYTES
#undef HD_TEX
#undef HD_TEX_AS
#undef HD_WORD
#undef HD_ARGS
#undef HD_FETCH
#endif
