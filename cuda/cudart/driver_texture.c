/* The driver API of arrays, textures and surfaces, on top of the runtime API.
 * SPDX-License-Identifier: Apache-2.0
 *
 * An array's handle is the run time's own; a reference's is a struct of this file, which stands for
 * the host variable that the runtime API would have. */
#include <stdlib.h>
#include "cuda/cudart/driver.h"
#include "cuda/include/cuda_texture.h"
#include "cuda/include/texture_reference.h"

/* The runtime API's answer; the driver API keeps no last error. */
#define ARRAY(a) ((cudaArray_t)(void *)(a))
#define MIPMAP(m) ((cudaMipmappedArray_t)(void *)(m))

/* Formats: bits of a channel by the low bits of their numbers. */
static struct cudaChannelFormatDesc channels(CUarray_format f, unsigned n)
{
    bool is_float = f == CU_AD_FORMAT_HALF || f == CU_AD_FORMAT_FLOAT;
    int bits = f == CU_AD_FORMAT_HALF ? 16 : f == CU_AD_FORMAT_FLOAT ? 32 : 4 << (f & 3);
    bool known = is_float || (f & 3 && !(f & 4) && f <= CU_AD_FORMAT_SIGNED_INT32);
    struct cudaChannelFormatDesc d = { 0 };
    if (known && (n == 1 || n == 2 || n == 4)) {
        d.x = bits, d.y = n > 1 ? bits : 0, d.z = d.w = n > 2 ? bits : 0;
        d.f = is_float ? cudaChannelFormatKindFloat
            : f & 8 ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned;
    } else {
        d.f = cudaChannelFormatKindNone;
    }
    return d;
}
static CUarray_format format(const struct cudaChannelFormatDesc *d)
{
    if (d->f == cudaChannelFormatKindFloat)
        return d->x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
    return (CUarray_format)((d->x == 8 ? 1 : d->x == 16 ? 2 : 3) +
                            (d->f == cudaChannelFormatKindSigned ? 7 : 0));
}

/* ---- arrays ---- */

CUresult cuArray3DCreate(CUarray *a, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    if (!a || !d)
        return CUDA_ERROR_INVALID_VALUE;
    struct cudaChannelFormatDesc desc = channels(d->Format, d->NumChannels);
    struct cudaExtent n = { d->Width, d->Height, d->Depth };
    cudaArray_t new = NULL;
    CUresult e = answer(cudaMalloc3DArray(&new, &desc, n, d->Flags));
    *a = (CUarray)(void *)new;
    return e;
}
CUresult cuArrayCreate(CUarray *a, const CUDA_ARRAY_DESCRIPTOR *d)
{
    if (!d)
        return CUDA_ERROR_INVALID_VALUE;
    const CUDA_ARRAY3D_DESCRIPTOR three = { d->Width, d->Height, 0, d->Format, d->NumChannels, 0 };
    return cuArray3DCreate(a, &three);
}
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray a)
{
    if (!d)
        return CUDA_ERROR_INVALID_VALUE;
    struct cudaChannelFormatDesc desc;
    struct cudaExtent n;
    unsigned flags, bits;
    CUresult e = answer(cudaArrayGetInfo(&desc, &n, &flags, ARRAY(a)));
    if (e == CUDA_SUCCESS)
        *d = (CUDA_ARRAY3D_DESCRIPTOR){ n.width, n.height, n.depth, format(&desc),
                                        rt_channels(&desc, &bits), flags };
    return e;
}
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *d, CUarray a)
{
    if (!d)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY3D_DESCRIPTOR three;
    CUresult e = cuArray3DGetDescriptor(&three, a);
    if (e == CUDA_SUCCESS)
        *d = (CUDA_ARRAY_DESCRIPTOR){ three.Width, three.Height, three.Format, three.NumChannels };
    return e;
}
CUresult cuArrayDestroy(CUarray a)
{
    return a ? answer(cudaFreeArray(ARRAY(a))) : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuMipmappedArrayCreate(CUmipmappedArray *m, const CUDA_ARRAY3D_DESCRIPTOR *d,
                                unsigned levels)
{
    if (!m || !d)
        return CUDA_ERROR_INVALID_VALUE;
    struct cudaChannelFormatDesc desc = channels(d->Format, d->NumChannels);
    struct cudaExtent n = { d->Width, d->Height, d->Depth };
    return answer(cudaMallocMipmappedArray((cudaMipmappedArray_t *)(void *)m, &desc, n, levels,
                                           d->Flags));
}
CUresult cuMipmappedArrayGetLevel(CUarray *a, CUmipmappedArray m, unsigned level)
{
    return answer(cudaGetMipmappedArrayLevel((cudaArray_t *)(void *)a, MIPMAP(m), level));
}
CUresult cuMipmappedArrayDestroy(CUmipmappedArray m)
{
    return m ? answer(cudaFreeMipmappedArray(MIPMAP(m))) : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuMemAllocPitch(CUdeviceptr *p, size_t *pitch, size_t width, size_t height,
                         unsigned element)
{
    void *at = NULL;
    if (!p || !pitch || (element != 4 && element != 8 && element != 16))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult e = answer(cudaMallocPitch(&at, pitch, width, height));
    *p = (uintptr_t)at;
    return e;
}

/* ---- copies ---- */

static CUresult to_array(CUarray a, size_t offset, const void *src, size_t n,
                         enum cudaMemcpyKind kind)
{
    return answer(cudaMemcpyToArray(ARRAY(a), offset, 0, src, n, kind));
}
static CUresult from_array(void *dst, CUarray a, size_t offset, size_t n, enum cudaMemcpyKind kind)
{
    return answer(cudaMemcpyFromArray(dst, ARRAY(a), offset, 0, n, kind));
}
CUresult cuMemcpyHtoA(CUarray a, size_t offset, const void *src, size_t n)
{
    return to_array(a, offset, src, n, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyDtoA(CUarray a, size_t offset, CUdeviceptr src, size_t n)
{
    return to_array(a, offset, (void *)(uintptr_t)src, n, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyAtoH(void *dst, CUarray a, size_t offset, size_t n)
{
    return from_array(dst, a, offset, n, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyAtoD(CUdeviceptr dst, CUarray a, size_t offset, size_t n)
{
    return from_array((void *)(uintptr_t)dst, a, offset, n, cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpyAtoA(CUarray dst, size_t to, CUarray src, size_t from, size_t n)
{
    return answer(cudaMemcpyArrayToArray(ARRAY(dst), to, 0, ARRAY(src), from, 0, n,
                                         cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpyHtoAAsync(CUarray a, size_t offset, const void *src, size_t n, CUstream s)
{
    return answer(cudaMemcpyToArrayAsync(ARRAY(a), offset, 0, src, n, cudaMemcpyHostToDevice, s));
}
CUresult cuMemcpyAtoHAsync(void *dst, CUarray a, size_t offset, size_t n, CUstream s)
{
    return answer(cudaMemcpyFromArrayAsync(dst, ARRAY(a), offset, 0, n, cudaMemcpyDeviceToHost,
                                           s));
}

/* ---- objects ---- */

/* In the runtime API's words; what it does not know becomes an error there. */
static struct cudaResourceDesc resource(const CUDA_RESOURCE_DESC *from)
{
    struct cudaResourceDesc r = { .resType = (enum cudaResourceType)from->resType };
    if (from->resType == CU_RESOURCE_TYPE_ARRAY) {
        r.res.array.array = ARRAY(from->res.array.hArray);
    } else if (from->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY) {
        r.res.mipmap.mipmap = MIPMAP(from->res.mipmap.hMipmappedArray);
    } else if (from->resType == CU_RESOURCE_TYPE_LINEAR) {
        r.res.linear.devPtr = (void *)(uintptr_t)from->res.linear.devPtr;
        r.res.linear.desc = channels(from->res.linear.format, from->res.linear.numChannels);
        r.res.linear.sizeInBytes = from->res.linear.sizeInBytes;
    } else if (from->resType == CU_RESOURCE_TYPE_PITCH2D) {
        r.res.pitch2D.devPtr = (void *)(uintptr_t)from->res.pitch2D.devPtr;
        r.res.pitch2D.desc = channels(from->res.pitch2D.format, from->res.pitch2D.numChannels);
        r.res.pitch2D.width = from->res.pitch2D.width;
        r.res.pitch2D.height = from->res.pitch2D.height;
        r.res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
    }
    return r;
}

/* Integers of 8 and 16 bits are read as fractions where that was not declined. */
static bool fractions(unsigned flags, const struct cudaChannelFormatDesc *d)
{
    return !(flags & CU_TRSF_READ_AS_INTEGER) && d->f != cudaChannelFormatKindFloat && d->x < 32;
}

CUresult cuTexObjectCreate(CUtexObject *t, const CUDA_RESOURCE_DESC *from,
                           const CUDA_TEXTURE_DESC *how, const CUDA_RESOURCE_VIEW_DESC *view)
{
    if (!t || !from || !how)
        return CUDA_ERROR_INVALID_VALUE;
    struct cudaResourceDesc r = resource(from);
    const struct cudaChannelFormatDesc *desc =
        from->resType == CU_RESOURCE_TYPE_LINEAR ? &r.res.linear.desc : &r.res.pitch2D.desc;
    if (from->resType == CU_RESOURCE_TYPE_ARRAY) {
        if (!rt_array(r.res.array.array))
            return CUDA_ERROR_INVALID_HANDLE;
        desc = &r.res.array.array->desc;
    } else if (from->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY) {
        if (!rt_mipmap(r.res.mipmap.mipmap))
            return CUDA_ERROR_INVALID_HANDLE;
        desc = &r.res.mipmap.mipmap->level[0]->desc;
    }
    const struct cudaResourceViewDesc *as = (const void *)view;
    struct cudaChannelFormatDesc other;
    if (as && rt_view_format(as, &other))
        desc = &other;
    struct cudaTextureDesc d = {
        .filterMode = (enum cudaTextureFilterMode)how->filterMode,
        .readMode = fractions(how->flags, desc) ? cudaReadModeNormalizedFloat
                                                : cudaReadModeElementType,
        .sRGB = (how->flags & CU_TRSF_SRGB) != 0,
        .normalizedCoords = (how->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
        .mipmapFilterMode = (enum cudaTextureFilterMode)how->mipmapFilterMode,
        .mipmapLevelBias = how->mipmapLevelBias,
        .minMipmapLevelClamp = how->minMipmapLevelClamp,
        .maxMipmapLevelClamp = how->maxMipmapLevelClamp,
        .seamlessCubemap = (how->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0
    };
    for (int k = 0; k < 3; k++)
        d.addressMode[k] = (enum cudaTextureAddressMode)how->addressMode[k];
    for (int k = 0; k < 4; k++)
        d.borderColor[k] = how->borderColor[k];
    return answer(cudaCreateTextureObject(t, &r, &d, as));
}
CUresult cuTexObjectDestroy(CUtexObject t) { return answer(cudaDestroyTextureObject(t)); }
CUresult cuSurfObjectCreate(CUsurfObject *s, const CUDA_RESOURCE_DESC *from)
{
    if (!s || !from || from->resType != CU_RESOURCE_TYPE_ARRAY)
        return CUDA_ERROR_INVALID_VALUE;
    struct cudaResourceDesc r = resource(from);
    return answer(cudaCreateSurfaceObject(s, &r));
}
CUresult cuSurfObjectDestroy(CUsurfObject s) { return answer(cudaDestroySurfaceObject(s)); }

/* ---- references ---- */

struct CUtexref_st {
    struct textureReference as;
    unsigned flags;
    CUarray array;               /* what it is bound to: an array, or memory */
    CUdeviceptr address;
};
struct CUsurfref_st {
    struct surfaceReference as;
    CUarray array;
};

/* The one reference to the module's variable, which *is_new says whether this call made; NULL: the
 * module has no variable of this name. */
static void *reference(CUmodule m, const char *name, size_t bytes, bool surface, bool *is_new,
                       CUresult *e)
{
    CUdeviceptr p;
    size_t held;
    const void *known = rt_reference_known((struct rt_module *)(void *)m, name, surface);
    *is_new = !known;
    *e = CUDA_SUCCESS;
    if (known)
        return (void *)(uintptr_t)known;
    *e = cuModuleGetGlobal(&p, &held, m, name);
    if (*e == CUDA_SUCCESS && held != 8)
        *e = CUDA_ERROR_NOT_FOUND;
    void *new = *e == CUDA_SUCCESS ? calloc(1, bytes) : NULL;
    if (new)
        rt_reference_new((struct rt_module *)(void *)m, new, name, surface, false);
    else if (*e == CUDA_SUCCESS)
        *e = CUDA_ERROR_OUT_OF_MEMORY;
    return new;
}

CUresult cuModuleGetTexRef(CUtexref *t, CUmodule m, const char *name)
{
    RT_HOLD;
    CUresult e;
    bool is_new;
    if (!t || !name)
        return CUDA_ERROR_INVALID_VALUE;
    *t = reference(m, name, sizeof **t, false, &is_new, &e);
    if (*t && is_new)
        for (int k = 0; k < 3; k++)
            (*t)->as.addressMode[k] = cudaAddressModeClamp;
    return e;
}
CUresult cuModuleGetSurfRef(CUsurfref *s, CUmodule m, const char *name)
{
    RT_HOLD;
    CUresult e;
    bool is_new;
    if (!s || !name)
        return CUDA_ERROR_INVALID_VALUE;
    *s = reference(m, name, sizeof **s, true, &is_new, &e);
    return e;
}

/* How its texels are read, which hangs on flags and format. */
static void settle(CUtexref t)
{
    rt_reference_reads(&t->as, fractions(t->flags, &t->as.channelDesc));
}

CUresult cuTexRefSetArray(CUtexref t, CUarray a, unsigned flags)
{
    (void)flags;                                 /* the array's format holds */
    if (!t || !rt_array(ARRAY(a)))
        return CUDA_ERROR_INVALID_HANDLE;
    t->as.channelDesc = ARRAY(a)->desc;
    settle(t);
    t->array = a, t->address = 0;
    return answer(cudaBindTextureToArray(&t->as, ARRAY(a), NULL));
}
CUresult cuTexRefSetAddress(size_t *offset, CUtexref t, CUdeviceptr p, size_t bytes)
{
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    t->array = NULL, t->address = p;
    return answer(cudaBindTexture(offset, &t->as, (void *)(uintptr_t)p, &t->as.channelDesc,
                                  bytes));
}
CUresult cuTexRefSetAddress2D(CUtexref t, const CUDA_ARRAY_DESCRIPTOR *d, CUdeviceptr p,
                              size_t pitch)
{
    if (!t || !d)
        return CUDA_ERROR_INVALID_VALUE;
    t->as.channelDesc = channels(d->Format, d->NumChannels);
    settle(t);
    t->array = NULL, t->address = p;
    return answer(cudaBindTexture2D(NULL, &t->as, (void *)(uintptr_t)p, &t->as.channelDesc,
                                    d->Width, d->Height, pitch));
}
CUresult cuTexRefSetFormat(CUtexref t, CUarray_format f, int n)
{
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    t->as.channelDesc = channels(f, (unsigned)n);
    settle(t);
    return t->as.channelDesc.x ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuTexRefSetAddressMode(CUtexref t, int dim, CUaddress_mode mode)
{
    if (!t || dim < 0 || dim > 2)
        return CUDA_ERROR_INVALID_VALUE;
    t->as.addressMode[dim] = (enum cudaTextureAddressMode)mode;
    return CUDA_SUCCESS;
}
CUresult cuTexRefSetFilterMode(CUtexref t, CUfilter_mode mode)
{
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    t->as.filterMode = (enum cudaTextureFilterMode)mode;
    return CUDA_SUCCESS;
}
CUresult cuTexRefSetFlags(CUtexref t, unsigned flags)
{
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    t->flags = flags;
    t->as.normalized = (flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    t->as.sRGB = (flags & CU_TRSF_SRGB) != 0;
    settle(t);
    return CUDA_SUCCESS;
}
CUresult cuSurfRefSetArray(CUsurfref s, CUarray a, unsigned flags)
{
    (void)flags;
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    s->array = a;
    return answer(cudaBindSurfaceToArray(&s->as, ARRAY(a), NULL));
}

/* What was set; *to is left alone where it was not. */
CUresult cuTexRefGetArray(CUarray *to, CUtexref t)
{
    if (!to || !t || !t->array)
        return CUDA_ERROR_INVALID_VALUE;
    *to = t->array;
    return CUDA_SUCCESS;
}
CUresult cuTexRefGetAddress(CUdeviceptr *to, CUtexref t)
{
    if (!to || !t || !t->address)
        return CUDA_ERROR_INVALID_VALUE;
    *to = t->address;
    return CUDA_SUCCESS;
}
CUresult cuTexRefGetAddressMode(CUaddress_mode *to, CUtexref t, int dim)
{
    if (!to || !t || dim < 0 || dim > 2)
        return CUDA_ERROR_INVALID_VALUE;
    *to = (CUaddress_mode)t->as.addressMode[dim];
    return CUDA_SUCCESS;
}
CUresult cuTexRefGetFilterMode(CUfilter_mode *to, CUtexref t)
{
    if (!to || !t)
        return CUDA_ERROR_INVALID_VALUE;
    *to = (CUfilter_mode)t->as.filterMode;
    return CUDA_SUCCESS;
}
CUresult cuTexRefGetFormat(CUarray_format *to, int *n, CUtexref t)
{
    unsigned bits;
    if (!t || !t->as.channelDesc.x)
        return CUDA_ERROR_INVALID_VALUE;
    if (to)
        *to = format(&t->as.channelDesc);
    if (n)
        *n = (int)rt_channels(&t->as.channelDesc, &bits);
    return CUDA_SUCCESS;
}
CUresult cuTexRefGetFlags(unsigned *to, CUtexref t)
{
    if (!to || !t)
        return CUDA_ERROR_INVALID_VALUE;
    *to = t->flags;
    return CUDA_SUCCESS;
}
CUresult cuSurfRefGetArray(CUarray *to, CUsurfref s)
{
    if (!to || !s || !s->array)
        return CUDA_ERROR_INVALID_VALUE;
    *to = s->array;
    return CUDA_SUCCESS;
}
