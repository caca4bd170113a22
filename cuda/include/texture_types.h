/* Textures as the host describes them; layouts and values are those of CUDA 12.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What kernels do with them is texture_fetch.h. */
#ifndef HEDDLE_TEXTURE_TYPES_H
#define HEDDLE_TEXTURE_TYPES_H
#include "cuda_runtime_api.h"
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;
#define cudaArrayDefault 0
#define cudaArrayLayered 1
#define cudaArraySurfaceLoadStore 2
#define cudaArrayCubemap 4
#define cudaArrayTextureGather 8
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror,
                              cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray,
                        cudaResourceTypeLinear, cudaResourceTypePitch2D };
struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct { cudaArray_t array; } array;
        struct { cudaMipmappedArray_t mipmap; } mipmap;
        struct { void *devPtr; struct cudaChannelFormatDesc desc; size_t sizeInBytes; } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
        struct { int reserved[32]; } reserved;
    } res;
    unsigned flags;
};
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
/* Which levels and layers of an array a texture reads, and as what: kinds and numbers of channels.
 * Blocks that are compressed are not decoded here. */
enum cudaResourceViewFormat {
    cudaResViewFormatNone,
    cudaResViewFormatUnsignedChar1, cudaResViewFormatUnsignedChar2, cudaResViewFormatUnsignedChar4,
    cudaResViewFormatSignedChar1, cudaResViewFormatSignedChar2, cudaResViewFormatSignedChar4,
    cudaResViewFormatUnsignedShort1, cudaResViewFormatUnsignedShort2,
    cudaResViewFormatUnsignedShort4,
    cudaResViewFormatSignedShort1, cudaResViewFormatSignedShort2, cudaResViewFormatSignedShort4,
    cudaResViewFormatUnsignedInt1, cudaResViewFormatUnsignedInt2, cudaResViewFormatUnsignedInt4,
    cudaResViewFormatSignedInt1, cudaResViewFormatSignedInt2, cudaResViewFormatSignedInt4,
    cudaResViewFormatHalf1, cudaResViewFormatHalf2, cudaResViewFormatHalf4,
    cudaResViewFormatFloat1, cudaResViewFormatFloat2, cudaResViewFormatFloat4,
    cudaResViewFormatUnsignedBlockCompressed1, cudaResViewFormatUnsignedBlockCompressed2,
    cudaResViewFormatUnsignedBlockCompressed3, cudaResViewFormatUnsignedBlockCompressed4,
    cudaResViewFormatSignedBlockCompressed4, cudaResViewFormatUnsignedBlockCompressed5,
    cudaResViewFormatSignedBlockCompressed5, cudaResViewFormatUnsignedBlockCompressed6H,
    cudaResViewFormatSignedBlockCompressed6H, cudaResViewFormatUnsignedBlockCompressed7
};
struct cudaResourceViewDesc {
    enum cudaResourceViewFormat format;
    size_t width, height, depth;
    unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *t, const struct cudaResourceDesc *from,
                                    const struct cudaTextureDesc *how,
                                    const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *s, const struct cudaResourceDesc *from);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t s);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *d, cudaTextureObject_t t);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *d, cudaTextureObject_t t);
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *d,
                                                 cudaTextureObject_t t);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *m,
                                     const struct cudaChannelFormatDesc *desc, struct cudaExtent n,
                                     unsigned levels, unsigned flags);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *a, cudaMipmappedArray_const_t m,
                                       unsigned level);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t m);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *d, cudaSurfaceObject_t s);
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t a);
cudaError_t cudaMalloc3DArray(cudaArray_t *a, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent n, unsigned flags);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t a);
cudaError_t cudaMemcpy2DToArray(cudaArray_t a, size_t x, size_t y, const void *src, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t a, size_t x, size_t y,
                                  size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t tx, size_t ty, cudaArray_const_t from,
                                     size_t fx, size_t fy, size_t width, size_t height,
                                     enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArray(cudaArray_t a, size_t x, size_t y, const void *src, size_t bytes,
                              enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t a, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t tx, size_t ty, cudaArray_const_t from,
                                   size_t fx, size_t fy, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t a, size_t x, size_t y, const void *src,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t s);
cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch, cudaArray_const_t a, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t s);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t a, size_t x, size_t y, const void *src, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t s);
cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t a, size_t x, size_t y,
                                     size_t bytes, enum cudaMemcpyKind kind, cudaStream_t s);
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#ifdef __cplusplus
/* The description of a type's elements: how many, of how many bits, of which kind. */
template <class T> struct HeddleChannel;
#define HD_CHANNEL(T, C, BITS, KIND) \
    template <> struct HeddleChannel<T##1> { enum { n = 1, bits = BITS, kind = KIND }; \
    typedef C part; }; \
    template <> struct HeddleChannel<T##2> { enum { n = 2, bits = BITS, kind = KIND }; \
    typedef C part; }; \
    template <> struct HeddleChannel<T##4> { enum { n = 4, bits = BITS, kind = KIND }; \
    typedef C part; };
HD_CHANNEL(char, signed char, 8, cudaChannelFormatKindSigned)
HD_CHANNEL(uchar, unsigned char, 8, cudaChannelFormatKindUnsigned)
HD_CHANNEL(short, short, 16, cudaChannelFormatKindSigned)
HD_CHANNEL(ushort, unsigned short, 16, cudaChannelFormatKindUnsigned)
HD_CHANNEL(int, int, 32, cudaChannelFormatKindSigned)
HD_CHANNEL(uint, unsigned, 32, cudaChannelFormatKindUnsigned)
HD_CHANNEL(float, float, 32, cudaChannelFormatKindFloat)
#undef HD_CHANNEL
template <> struct HeddleChannel<char> : HeddleChannel<char1> {};
template <> struct HeddleChannel<signed char> : HeddleChannel<char1> {};
template <> struct HeddleChannel<unsigned char> : HeddleChannel<uchar1> {};
template <> struct HeddleChannel<short> : HeddleChannel<short1> {};
template <> struct HeddleChannel<unsigned short> : HeddleChannel<ushort1> {};
template <> struct HeddleChannel<int> : HeddleChannel<int1> {};
template <> struct HeddleChannel<unsigned> : HeddleChannel<uint1> {};
template <> struct HeddleChannel<float> : HeddleChannel<float1> {};
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    typedef HeddleChannel<T> C;
    return cudaCreateChannelDesc(C::bits, C::n > 1 ? C::bits : 0, C::n > 2 ? C::bits : 0,
                                 C::n > 3 ? C::bits : 0, (cudaChannelFormatKind)C::kind);
}
#if defined(__CUDACC__) && defined(__clang__)
#include "texture_fetch.h"
#endif
#endif
#endif
