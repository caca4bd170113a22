/* Texture and surface references, as CUDA had them until 11: variables at file scope that the host
 * binds to memory and that kernels fetch from.  SPDX-License-Identifier: Apache-2.0
 *
 * On the device a reference is a variable that holds an object (PTX's .texref, .surfref); binding
 * creates the object.  Layout: CUDA 11's. */
#ifndef HEDDLE_TEXTURE_REFERENCE_H
#define HEDDLE_TEXTURE_REFERENCE_H
#include "texture_types.h"
#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
#define cudaTextureTypeCubemap 12
#define cudaTextureType1DLayered 241
#define cudaTextureType2DLayered 242
#define cudaTextureTypeCubemapLayered 252
#define cudaSurfaceType1D 1
#define cudaSurfaceType2D 2
#define cudaSurfaceType3D 3
#define cudaSurfaceTypeCubemap 12
#define cudaSurfaceType1DLayered 241
#define cudaSurfaceType2DLayered 242
#define cudaSurfaceTypeCubemapLayered 252
struct textureReference {
    int normalized;
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureAddressMode addressMode[3];
    struct cudaChannelFormatDesc channelDesc;
    int sRGB;
    unsigned maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int reserved[14];
};
struct surfaceReference {
    struct cudaChannelFormatDesc channelDesc;
};
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
/* Of all these: the reference is the host's variable. */
cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *t, const void *data,
                            const struct cudaChannelFormatDesc *desc, size_t bytes);
cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *t, const void *data,
                              const struct cudaChannelFormatDesc *desc, size_t width,
                              size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference *t, cudaArray_const_t a,
                                   const struct cudaChannelFormatDesc *desc);
cudaError_t cudaUnbindTexture(const struct textureReference *t);
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *t);
cudaError_t cudaGetTextureReference(const struct textureReference **t, const void *symbol);
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *s, cudaArray_const_t a,
                                   const struct cudaChannelFormatDesc *desc);
cudaError_t cudaGetSurfaceReference(const struct surfaceReference **s, const void *symbol);
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#if defined(__cplusplus) && defined(__CUDACC__) && defined(__clang__)
template <class T, int dim = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
    __attribute__((host)) texture(int norm = 0,
                                  cudaTextureFilterMode filter = cudaFilterModePoint,
                                  cudaTextureAddressMode address = cudaAddressModeClamp)
        : texture(norm, filter, address, cudaCreateChannelDesc<T>())
    {
    }
    __attribute__((host)) texture(int norm, cudaTextureFilterMode filter,
                                  cudaTextureAddressMode address, cudaChannelFormatDesc desc)
        : textureReference()
    {
        normalized = norm;
        filterMode = filter;
        for (int k = 0; k < 3; k++) addressMode[k] = address;
        channelDesc = desc;
    }
};
template <class T, int dim = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : surfaceReference {
    __attribute__((host)) surface() : surfaceReference() {}
};

/* What the host calls on them. */
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, dim, mode> &t, const void *data,
                                   const cudaChannelFormatDesc &desc, size_t bytes = 0xffffffff)
{
    return cudaBindTexture(offset, (const textureReference *)&t, data, &desc, bytes);
}
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, dim, mode> &t, const void *data,
                                   size_t bytes = 0xffffffff)
{
    return cudaBindTexture(offset, t, data, t.channelDesc, bytes);
}
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &t,
                                     const void *data, const cudaChannelFormatDesc &desc,
                                     size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, (const textureReference *)&t, data, &desc, width, height,
                             pitch);
}
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &t,
                                     const void *data, size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, t, data, t.channelDesc, width, height, pitch);
}
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, dim, mode> &t, cudaArray_const_t a,
                                          const cudaChannelFormatDesc &desc)
{
    return cudaBindTextureToArray((const textureReference *)&t, a, &desc);
}
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, dim, mode> &t, cudaArray_const_t a)
{
    return cudaBindTextureToArray((const textureReference *)&t, a, 0);
}
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const texture<T, dim, mode> &t)
{
    return cudaUnbindTexture((const textureReference *)&t);
}
template <class T, int dim, cudaTextureReadMode mode>
inline cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, dim, mode> &t)
{
    return cudaGetTextureAlignmentOffset(offset, (const textureReference *)&t);
}
template <class T, int dim>
inline cudaError_t cudaBindSurfaceToArray(const surface<T, dim> &s, cudaArray_const_t a,
                                          const cudaChannelFormatDesc &desc)
{
    return cudaBindSurfaceToArray((const surfaceReference *)&s, a, &desc);
}
template <class T, int dim>
inline cudaError_t cudaBindSurfaceToArray(const surface<T, dim> &s, cudaArray_const_t a)
{
    return cudaBindSurfaceToArray((const surfaceReference *)&s, a, 0);
}

/* What kernels do: the same on the object that the reference holds. */
#define HD_FETCH static __inline__ __attribute__((device, always_inline))
template <class R> HD_FETCH unsigned long long hd_object(R reference)
{
    unsigned long long object;
    asm("mov.b64 %0, %1;" : "=l"(object) : "l"(reference));
    return object;
}
/* What a fetch gives: elements as they are, or as many fractions. */
template <int n> struct HeddleFloats { typedef float type; };
template <> struct HeddleFloats<2> { typedef float2 type; };
template <> struct HeddleFloats<4> { typedef float4 type; };
template <class T, cudaTextureReadMode mode> struct HeddleFetched { typedef T type; };
template <class T> struct HeddleFetched<T, cudaReadModeNormalizedFloat> {
    typedef typename HeddleFloats<HeddleChannel<T>::n>::type type;
};
#define HD_ARGS(...) __VA_ARGS__
#define HD_TEXREF(NAME, DIM, PARAMS, NAMES) \
    template <class T, cudaTextureReadMode M> \
    HD_FETCH typename HeddleFetched<T, M>::type NAME(texture<T, DIM, M> t, HD_ARGS PARAMS) \
    { \
        return NAME<typename HeddleFetched<T, M>::type>(hd_object(t), HD_ARGS NAMES); \
    }
HD_TEXREF(tex1Dfetch, cudaTextureType1D, (int x), (x))
HD_TEXREF(tex1D, cudaTextureType1D, (float x), (x))
HD_TEXREF(tex2D, cudaTextureType2D, (float x, float y), (x, y))
HD_TEXREF(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z))
HD_TEXREF(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer))
HD_TEXREF(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, layer))
HD_TEXREF(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z))
HD_TEXREF(texCubemapLayered, cudaTextureTypeCubemapLayered,
          (float x, float y, float z, int layer), (x, y, z, layer))
HD_TEXREF(tex1DLod, cudaTextureType1D, (float x, float l), (x, l))
HD_TEXREF(tex2DLod, cudaTextureType2D, (float x, float y, float l), (x, y, l))
HD_TEXREF(tex3DLod, cudaTextureType3D, (float x, float y, float z, float l), (x, y, z, l))
template <class T, cudaTextureReadMode M>
HD_FETCH typename HeddleFetched<T, M>::type tex2Dgather(texture<T, cudaTextureType2D, M> t, float x,
                                                        float y, int component = 0)
{
    return tex2Dgather<typename HeddleFetched<T, M>::type>(hd_object(t), x, y, component);
}
#define HD_SURFREF(NAME, DIM, PARAMS, NAMES) \
    template <class T, class V> \
    HD_FETCH T NAME##read(surface<V, DIM> s, HD_ARGS PARAMS, \
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    { \
        return NAME##read<T>(hd_object(s), HD_ARGS NAMES, mode); \
    } \
    template <class T, class V> \
    HD_FETCH void NAME##read(T *to, surface<V, DIM> s, HD_ARGS PARAMS, \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    { \
        *to = NAME##read<T>(hd_object(s), HD_ARGS NAMES, mode); \
    } \
    template <class T, class V> \
    HD_FETCH void NAME##write(T v, surface<V, DIM> s, HD_ARGS PARAMS, \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    { \
        NAME##write(v, hd_object(s), HD_ARGS NAMES, mode); \
    }
HD_SURFREF(surf1D, cudaSurfaceType1D, (int x), (x))
HD_SURFREF(surf2D, cudaSurfaceType2D, (int x, int y), (x, y))
HD_SURFREF(surf3D, cudaSurfaceType3D, (int x, int y, int z), (x, y, z))
HD_SURFREF(surf1DLayered, cudaSurfaceType1DLayered, (int x, int layer), (x, layer))
HD_SURFREF(surf2DLayered, cudaSurfaceType2DLayered, (int x, int y, int layer), (x, y, layer))
#undef HD_SURFREF
#undef HD_TEXREF
#undef HD_ARGS
#undef HD_FETCH
#endif
#endif
