/* The driver API of arrays, textures and surfaces.  Values and layouts are those of CUDA 12.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUDA_TEXTURE_H
#define HEDDLE_CUDA_TEXTURE_H
#include "cuda.h"
#include "cuda_virtual.h"
typedef struct CUarray_st *CUarray;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef unsigned long long CUtexObject, CUsurfObject;
typedef enum CUarray_format_enum {
    CU_AD_FORMAT_UNSIGNED_INT8 = 1, CU_AD_FORMAT_UNSIGNED_INT16 = 2,
    CU_AD_FORMAT_UNSIGNED_INT32 = 3, CU_AD_FORMAT_SIGNED_INT8 = 8, CU_AD_FORMAT_SIGNED_INT16 = 9,
    CU_AD_FORMAT_SIGNED_INT32 = 10, CU_AD_FORMAT_HALF = 16, CU_AD_FORMAT_FLOAT = 32
} CUarray_format;
typedef enum CUmemorytype_enum {
    CU_MEMORYTYPE_HOST = 1, CU_MEMORYTYPE_DEVICE = 2, CU_MEMORYTYPE_ARRAY = 3,
    CU_MEMORYTYPE_UNIFIED = 4
} CUmemorytype;
typedef enum CUaddress_mode_enum {
    CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_MIRROR,
    CU_TR_ADDRESS_MODE_BORDER
} CUaddress_mode;
typedef enum CUfilter_mode_enum { CU_TR_FILTER_MODE_POINT, CU_TR_FILTER_MODE_LINEAR } CUfilter_mode;
typedef enum CUresourcetype_enum {
    CU_RESOURCE_TYPE_ARRAY, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, CU_RESOURCE_TYPE_LINEAR,
    CU_RESOURCE_TYPE_PITCH2D
} CUresourcetype;
#define CU_TRSA_OVERRIDE_FORMAT 1
#define CU_TRSF_READ_AS_INTEGER 1
#define CU_TRSF_NORMALIZED_COORDINATES 2
#define CU_TRSF_SRGB 16
#define CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION 32
#define CU_TRSF_SEAMLESS_CUBEMAP 64
#define CUDA_ARRAY3D_LAYERED 1
#define CUDA_ARRAY3D_SURFACE_LDST 2
#define CUDA_ARRAY3D_CUBEMAP 4
#define CUDA_ARRAY3D_TEXTURE_GATHER 8
typedef struct CUDA_ARRAY_DESCRIPTOR_st {
    size_t Width, Height;
    CUarray_format Format;
    unsigned NumChannels;
} CUDA_ARRAY_DESCRIPTOR;
typedef struct CUDA_ARRAY3D_DESCRIPTOR_st {
    size_t Width, Height, Depth;
    CUarray_format Format;
    unsigned NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;
typedef struct CUDA_MEMCPY2D_st {
    size_t srcXInBytes, srcY;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    size_t srcPitch;
    size_t dstXInBytes, dstY;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    size_t dstPitch;
    size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;
typedef struct CUDA_MEMCPY3D_st {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    void *reserved0;
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ, dstLOD;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    void *reserved1;
    size_t dstPitch, dstHeight;
    size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;
typedef enum CUmemcpySrcAccessOrder_enum {
    CU_MEMCPY_SRC_ACCESS_ORDER_INVALID, CU_MEMCPY_SRC_ACCESS_ORDER_STREAM,
    CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL, CU_MEMCPY_SRC_ACCESS_ORDER_ANY
} CUmemcpySrcAccessOrder;
typedef struct CUmemcpyAttributes_st {
    CUmemcpySrcAccessOrder srcAccessOrder;
    CUmemLocation srcLocHint, dstLocHint;
    unsigned flags;
} CUmemcpyAttributes;
typedef enum CUmemcpy3DOperandType_enum {
    CU_MEMCPY_OPERAND_TYPE_POINTER = 1, CU_MEMCPY_OPERAND_TYPE_ARRAY
} CUmemcpy3DOperandType;
typedef struct CUoffset3D_st { size_t x, y, z; } CUoffset3D;
typedef struct CUextent3D_st { size_t width, height, depth; } CUextent3D;
typedef struct CUmemcpy3DOperand_st {
    CUmemcpy3DOperandType type;
    union {
        struct {
            CUdeviceptr ptr;
            size_t rowLength, layerHeight;
            CUmemLocation locHint;
        } ptr;
        struct { CUarray array; CUoffset3D offset; } array;
    } op;
} CUmemcpy3DOperand;
typedef struct CUDA_MEMCPY3D_BATCH_OP_st {
    CUmemcpy3DOperand src, dst;
    CUextent3D extent;
    CUmemcpySrcAccessOrder srcAccessOrder;
    unsigned flags;
} CUDA_MEMCPY3D_BATCH_OP;
typedef struct CUDA_RESOURCE_DESC_st {
    CUresourcetype resType;
    union {
        struct { CUarray hArray; } array;
        struct { CUmipmappedArray hMipmappedArray; } mipmap;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned numChannels;
            size_t sizeInBytes;
        } linear;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned numChannels;
            size_t width, height, pitchInBytes;
        } pitch2D;
        struct { int reserved[32]; } reserved;
    } res;
    unsigned flags;
} CUDA_RESOURCE_DESC;
typedef struct CUDA_TEXTURE_DESC_st {
    CUaddress_mode addressMode[3];
    CUfilter_mode filterMode;
    unsigned flags, maxAnisotropy;
    CUfilter_mode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    float borderColor[4];
    int reserved[12];
} CUDA_TEXTURE_DESC;
typedef enum CUresourceViewFormat_enum {
    CU_RES_VIEW_FORMAT_NONE,
    CU_RES_VIEW_FORMAT_UINT_1X8, CU_RES_VIEW_FORMAT_UINT_2X8, CU_RES_VIEW_FORMAT_UINT_4X8,
    CU_RES_VIEW_FORMAT_SINT_1X8, CU_RES_VIEW_FORMAT_SINT_2X8, CU_RES_VIEW_FORMAT_SINT_4X8,
    CU_RES_VIEW_FORMAT_UINT_1X16, CU_RES_VIEW_FORMAT_UINT_2X16, CU_RES_VIEW_FORMAT_UINT_4X16,
    CU_RES_VIEW_FORMAT_SINT_1X16, CU_RES_VIEW_FORMAT_SINT_2X16, CU_RES_VIEW_FORMAT_SINT_4X16,
    CU_RES_VIEW_FORMAT_UINT_1X32, CU_RES_VIEW_FORMAT_UINT_2X32, CU_RES_VIEW_FORMAT_UINT_4X32,
    CU_RES_VIEW_FORMAT_SINT_1X32, CU_RES_VIEW_FORMAT_SINT_2X32, CU_RES_VIEW_FORMAT_SINT_4X32,
    CU_RES_VIEW_FORMAT_FLOAT_1X16, CU_RES_VIEW_FORMAT_FLOAT_2X16, CU_RES_VIEW_FORMAT_FLOAT_4X16,
    CU_RES_VIEW_FORMAT_FLOAT_1X32, CU_RES_VIEW_FORMAT_FLOAT_2X32, CU_RES_VIEW_FORMAT_FLOAT_4X32,
    CU_RES_VIEW_FORMAT_UNSIGNED_BC1, CU_RES_VIEW_FORMAT_UNSIGNED_BC2,
    CU_RES_VIEW_FORMAT_UNSIGNED_BC3,
    CU_RES_VIEW_FORMAT_UNSIGNED_BC4, CU_RES_VIEW_FORMAT_SIGNED_BC4, CU_RES_VIEW_FORMAT_UNSIGNED_BC5,
    CU_RES_VIEW_FORMAT_SIGNED_BC5, CU_RES_VIEW_FORMAT_UNSIGNED_BC6H, CU_RES_VIEW_FORMAT_SIGNED_BC6H,
    CU_RES_VIEW_FORMAT_UNSIGNED_BC7
} CUresourceViewFormat;
typedef struct CUDA_RESOURCE_VIEW_DESC_st {
    CUresourceViewFormat format;
    size_t width, height, depth;
    unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
    unsigned reserved[16];
} CUDA_RESOURCE_VIEW_DESC;

#define cuArrayCreate cuArrayCreate_v2
#define cuArray3DCreate cuArray3DCreate_v2
#define cuArrayGetDescriptor cuArrayGetDescriptor_v2
#define cuArray3DGetDescriptor cuArray3DGetDescriptor_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemcpy2D cuMemcpy2D_v2
#define cuMemcpy2DUnaligned cuMemcpy2DUnaligned_v2
#define cuMemcpy2DAsync cuMemcpy2DAsync_v2
#define cuMemcpy3D cuMemcpy3D_v2
#define cuMemcpy3DAsync cuMemcpy3DAsync_v2
#define cuMemcpyHtoA cuMemcpyHtoA_v2
#define cuMemcpyAtoH cuMemcpyAtoH_v2
#define cuMemcpyDtoA cuMemcpyDtoA_v2
#define cuMemcpyAtoD cuMemcpyAtoD_v2
#define cuMemcpyAtoA cuMemcpyAtoA_v2
#define cuMemcpyHtoAAsync cuMemcpyHtoAAsync_v2
#define cuMemcpyAtoHAsync cuMemcpyAtoHAsync_v2
#define cuTexRefGetAddress cuTexRefGetAddress_v2
#define cuTexRefSetAddress cuTexRefSetAddress_v2
#define cuTexRefSetAddress2D cuTexRefSetAddress2D_v3
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
CUresult cuArrayCreate(CUarray *a, const CUDA_ARRAY_DESCRIPTOR *d);
CUresult cuArray3DCreate(CUarray *a, const CUDA_ARRAY3D_DESCRIPTOR *d);
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *d, CUarray a);
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray a);
CUresult cuArrayDestroy(CUarray a);
CUresult cuMipmappedArrayCreate(CUmipmappedArray *m, const CUDA_ARRAY3D_DESCRIPTOR *d,
                                unsigned levels);
CUresult cuMipmappedArrayGetLevel(CUarray *a, CUmipmappedArray m, unsigned level);
CUresult cuMipmappedArrayDestroy(CUmipmappedArray m);
CUresult cuMemAllocPitch(CUdeviceptr *p, size_t *pitch, size_t width, size_t height,
                         unsigned element);
CUresult cuMemcpy2D(const CUDA_MEMCPY2D *c);
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *c);
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *c, CUstream stream);
CUresult cuMemcpy3D(const CUDA_MEMCPY3D *c);
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *c, CUstream stream);
CUresult cuMemcpyBatchAsync(CUdeviceptr *dst, CUdeviceptr *src, size_t *bytes, size_t n,
                            CUmemcpyAttributes *attrs, size_t *from, size_t nattrs, size_t *failed,
                            CUstream stream);
CUresult cuMemcpy3DBatchAsync(size_t n, CUDA_MEMCPY3D_BATCH_OP *ops, size_t *failed,
                              unsigned long long flags, CUstream stream);
CUresult cuMemcpyHtoA(CUarray a, size_t offset, const void *src, size_t bytes);
CUresult cuMemcpyAtoH(void *dst, CUarray a, size_t offset, size_t bytes);
CUresult cuMemcpyDtoA(CUarray a, size_t offset, CUdeviceptr src, size_t bytes);
CUresult cuMemcpyAtoD(CUdeviceptr dst, CUarray a, size_t offset, size_t bytes);
CUresult cuMemcpyAtoA(CUarray dst, size_t to, CUarray src, size_t from, size_t bytes);
CUresult cuMemcpyHtoAAsync(CUarray a, size_t offset, const void *src, size_t bytes,
                           CUstream stream);
CUresult cuMemcpyAtoHAsync(void *dst, CUarray a, size_t offset, size_t bytes, CUstream stream);
CUresult cuTexObjectCreate(CUtexObject *t, const CUDA_RESOURCE_DESC *from,
                           const CUDA_TEXTURE_DESC *how, const CUDA_RESOURCE_VIEW_DESC *view);
CUresult cuTexObjectDestroy(CUtexObject t);
CUresult cuSurfObjectCreate(CUsurfObject *s, const CUDA_RESOURCE_DESC *from);
CUresult cuSurfObjectDestroy(CUsurfObject s);
CUresult cuModuleGetTexRef(CUtexref *t, CUmodule m, const char *name);
CUresult cuTexRefSetArray(CUtexref t, CUarray a, unsigned flags);
CUresult cuTexRefSetAddress(size_t *offset, CUtexref t, CUdeviceptr p, size_t bytes);
CUresult cuTexRefSetAddress2D(CUtexref t, const CUDA_ARRAY_DESCRIPTOR *d, CUdeviceptr p,
                              size_t pitch);
CUresult cuTexRefSetFormat(CUtexref t, CUarray_format f, int channels);
CUresult cuTexRefSetAddressMode(CUtexref t, int dim, CUaddress_mode mode);
CUresult cuTexRefSetFilterMode(CUtexref t, CUfilter_mode mode);
CUresult cuTexRefSetFlags(CUtexref t, unsigned flags);
CUresult cuTexRefGetArray(CUarray *to, CUtexref t);
CUresult cuTexRefGetAddress(CUdeviceptr *to, CUtexref t);
CUresult cuTexRefGetAddressMode(CUaddress_mode *to, CUtexref t, int dim);
CUresult cuTexRefGetFilterMode(CUfilter_mode *to, CUtexref t);
CUresult cuTexRefGetFormat(CUarray_format *to, int *channels, CUtexref t);
CUresult cuTexRefGetFlags(unsigned *to, CUtexref t);
CUresult cuSurfRefGetArray(CUarray *to, CUsurfref s);
CUresult cuModuleGetSurfRef(CUsurfref *s, CUmodule m, const char *name);
CUresult cuSurfRefSetArray(CUsurfref s, CUarray a, unsigned flags);
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
