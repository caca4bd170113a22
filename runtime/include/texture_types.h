/* Textures as the host describes them; layouts and values are those of CUDA 12.
 * SPDX-License-Identifier: Apache-2.0
 *
 * None can be made yet: the calls say so, and a kernel that fetches from one does not compile. */
#ifndef HEDDLE_TEXTURE_TYPES_H
#define HEDDLE_TEXTURE_TYPES_H
#include "cuda_runtime_api.h"
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
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
struct cudaResourceViewDesc;
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *t, const struct cudaResourceDesc *from,
                                    const struct cudaTextureDesc *how,
                                    const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t);
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
static inline struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                                 enum cudaChannelFormatKind f)
{
    struct cudaChannelFormatDesc d = { x, y, z, w, f };
    return d;
}
#ifdef __cplusplus
/* The description of a type's elements: how many, of how many bits, of which kind. */
template <class T> struct HeddleChannel;
#define HD_CHANNEL(T, BITS, KIND) \
    template <> struct HeddleChannel<T##1> { enum { n = 1, bits = BITS, kind = KIND }; }; \
    template <> struct HeddleChannel<T##2> { enum { n = 2, bits = BITS, kind = KIND }; }; \
    template <> struct HeddleChannel<T##4> { enum { n = 4, bits = BITS, kind = KIND }; };
HD_CHANNEL(char, 8, cudaChannelFormatKindSigned)
HD_CHANNEL(uchar, 8, cudaChannelFormatKindUnsigned)
HD_CHANNEL(short, 16, cudaChannelFormatKindSigned)
HD_CHANNEL(ushort, 16, cudaChannelFormatKindUnsigned)
HD_CHANNEL(int, 32, cudaChannelFormatKindSigned)
HD_CHANNEL(uint, 32, cudaChannelFormatKindUnsigned)
HD_CHANNEL(float, 32, cudaChannelFormatKindFloat)
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
#ifdef __CUDACC__
template <class T> __device__ T tex1Dfetch(cudaTextureObject_t t, int x);
#endif
#endif
#endif
