/* Texture and surface objects: descriptions in device memory that the library's routines read.
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/texture.h"
#include "cuda/cudart/rt.h"
#include "cuda/include/texture_types.h"

/* What an object was made from, for those who ask. */
struct object {
    unsigned long long handle;
    bool surface;
    struct cudaResourceDesc from;
    struct cudaTextureDesc how;
    bool viewed;
    struct cudaResourceViewDesc view;
    struct object *next;
};
static struct object *objects;

/* Width, height and bytes of a row, as the library's routines count: in 32 bits. */
static bool fits(size_t width, size_t height, size_t row)
{
    return width <= UINT32_MAX && height <= UINT32_MAX && row <= UINT32_MAX;
}

/* The memory of a resource or of its level, size and format. */
static cudaError_t resource(const struct cudaResourceDesc *r, unsigned level, struct hd_texture *t)
{
    const struct cudaChannelFormatDesc *desc;
    switch (r->resType) {
    case cudaResourceTypeArray: case cudaResourceTypeMipmappedArray: {
        bool mip = r->resType == cudaResourceTypeMipmappedArray;
        cudaArray_const_t a = mip ? r->res.mipmap.mipmap->level[level] : r->res.array.array;
        if (!rt_array(a))
            return cudaErrorInvalidResourceHandle;
        desc = &a->desc;
        t->base = (uintptr_t)a->data;
        t->width = (unsigned)a->width, t->height = (unsigned)a->height,
            t->depth = (unsigned)a->depth;
        t->row = (unsigned)a->row, t->slice = (unsigned)a->slice;
        break;
    }
    case cudaResourceTypeLinear:
    case cudaResourceTypePitch2D: {
        bool plane = r->resType == cudaResourceTypePitch2D;
        desc = plane ? &r->res.pitch2D.desc : &r->res.linear.desc;
        unsigned bits = 0, bytes = rt_channels(desc, &bits) * bits / 8;
        size_t width = plane ? r->res.pitch2D.width
                             : bytes ? r->res.linear.sizeInBytes / bytes : 0,
               height = plane ? r->res.pitch2D.height : 1,
               row = plane ? r->res.pitch2D.pitchInBytes : width * bytes;
        t->base = (uintptr_t)(plane ? r->res.pitch2D.devPtr : r->res.linear.devPtr);
        if (!t->base || !height || !fits(width, height, row) || row < width * bytes)
            return cudaErrorInvalidValue;
        t->width = (unsigned)width, t->height = (unsigned)height, t->depth = 1;
        t->row = (unsigned)row;
        break;
    }
    default: return cudaErrorInvalidValue;
    }
    t->channels = rt_channels(desc, &t->bits);
    t->kind = (unsigned)desc->f;
    return t->channels && t->width ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
}

/* Where the floats lie that bytes of sRGB stand for; 0: there is no memory. */
static unsigned long long linear_of_srgb(void)
{
    static void *place;
    float all[256];
    if (place && rt_buffer((uintptr_t)place))
        return (uintptr_t)place;
    for (int k = 0; k < 256; k++) {
        double c = k / 255.0;
        all[k] = (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    bool ok = rt_buffer_new(RT_DEVICE, sizeof all, NULL, &place) == cudaSuccess &&
              hd_write(rt.dev, (uintptr_t)place, all, sizeof all) == HD_OK;
    return ok ? (uintptr_t)place : 0;
}

static cudaError_t reading(const struct cudaResourceDesc *r, const struct cudaTextureDesc *how,
                           struct hd_texture *t)
{
    bool plain = r->resType == cudaResourceTypeLinear, floats = t->kind == HD_TEX_FLOAT;
    t->fraction = how->readMode == cudaReadModeNormalizedFloat && !floats;
    t->linear = how->filterMode == cudaFilterModeLinear && !plain;
    t->normalized = how->normalizedCoords != 0;
    t->seamless = how->seamlessCubemap != 0;
    t->blends = how->mipmapFilterMode == cudaFilterModeLinear;
    t->bias = how->mipmapLevelBias;
    t->least = how->minMipmapLevelClamp, t->most = how->maxMipmapLevelClamp;
    if (how->sRGB && t->fraction && t->bits == 8 && t->kind == HD_TEX_UNSIGNED &&
        !(t->srgb = linear_of_srgb()))
        return cudaErrorMemoryAllocation;
    if (t->fraction && t->bits == 32)
        return cudaErrorInvalidNormSetting;
    if (r->resType == cudaResourceTypeMipmappedArray &&
        (!t->normalized || (t->blends && !floats && !t->fraction)))
        return t->normalized ? cudaErrorInvalidFilterSetting : cudaErrorInvalidValue;
    if (t->linear && !floats && !t->fraction)
        return cudaErrorInvalidFilterSetting;
    for (int k = 0; k < 3; k++) {
        bool periodic = how->addressMode[k] == cudaAddressModeWrap ||
                        how->addressMode[k] == cudaAddressModeMirror;
        t->address[k] = plain ? HD_TEX_BORDER           /* what is outside reads as zeros */
                        : periodic && !t->normalized ? HD_TEX_CLAMP : (unsigned)how->addressMode[k];
        if (t->address[k] > HD_TEX_BORDER)
            return cudaErrorInvalidValue;
    }
    for (int k = 0; k < 4; k++)
        t->border[k] = plain ? 0 : how->borderColor[k];
    return cudaSuccess;
}

bool rt_view_format(const struct cudaResourceViewDesc *v, struct cudaChannelFormatDesc *d)
{
    static const int bits[] = { 8, 8, 16, 16, 32, 32, 16, 32 };
    if (v->format < cudaResViewFormatUnsignedChar1 || v->format > cudaResViewFormatFloat4)
        return false;
    unsigned k = (unsigned)v->format - 1, kind = k / 3, n = 1u << k % 3;
    *d = (struct cudaChannelFormatDesc){
        .x = bits[kind], .y = n > 1 ? bits[kind] : 0, .z = n > 2 ? bits[kind] : 0,
        .w = n > 2 ? bits[kind] : 0,
        .f = kind > 5 ? cudaChannelFormatKindFloat
            : kind & 1 ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned };
    return true;
}

/* Texels are read as others of their size. */
static cudaError_t seen_as(const struct cudaResourceViewDesc *v, struct hd_texture *t)
{
    struct cudaChannelFormatDesc d;
    unsigned all = t->channels * t->bits;
    if (v->format == cudaResViewFormatNone)
        return cudaSuccess;
    if (v->format > cudaResViewFormatFloat4) {
        rt_say("cudaCreateTextureObject: a view of compressed blocks (format %d) is not supported",
               v->format);
        return cudaErrorNotSupported;
    }
    if (!rt_view_format(v, &d))
        return cudaErrorInvalidValue;
    t->channels = rt_channels(&d, &t->bits);
    t->kind = (unsigned)d.f;
    return t->channels * t->bits == all ? cudaSuccess : cudaErrorInvalidValue;
}

/* A part of the levels and layers. */
static cudaError_t part(const struct cudaResourceViewDesc *v, const struct cudaResourceDesc *r,
                        unsigned *first, unsigned *n)
{
    bool mip = r->resType == cudaResourceTypeMipmappedArray;
    if (!mip && r->resType != cudaResourceTypeArray)
        return cudaErrorInvalidValue;
    if (v->firstMipmapLevel > v->lastMipmapLevel || v->lastMipmapLevel >= *n)
        return cudaErrorInvalidValue;
    *first = v->firstMipmapLevel;
    *n = v->lastMipmapLevel - v->firstMipmapLevel + 1;
    return cudaSuccess;
}
static cudaError_t layers(const struct cudaResourceViewDesc *v, struct hd_texture *t)
{
    if (!v->lastLayer)
        return cudaSuccess;
    if (v->firstLayer > v->lastLayer || v->lastLayer >= t->depth)
        return cudaErrorInvalidValue;
    t->base += (unsigned long long)v->firstLayer * t->slice;
    t->depth = v->lastLayer - v->firstLayer + 1;
    return cudaSuccess;
}

cudaError_t rt_object_new(unsigned long long *to, const struct cudaResourceDesc *from,
                          const struct cudaTextureDesc *how,
                          const struct cudaResourceViewDesc *view)
{
    struct hd_texture t[RT_LEVELS] = { 0 };
    struct object *o;
    void *place = NULL;
    unsigned first = 0, n = 1;
    cudaError_t e = !to || !from ? cudaErrorInvalidValue : cudaSuccess;
    if (e == cudaSuccess && from->resType == cudaResourceTypeMipmappedArray) {
        e = rt_mipmap(from->res.mipmap.mipmap) ? cudaSuccess : cudaErrorInvalidResourceHandle;
        n = e == cudaSuccess ? from->res.mipmap.mipmap->n : 0;
    }
    if (e == cudaSuccess && view)
        e = part(view, from, &first, &n);
    for (unsigned k = 0; k < n && e == cudaSuccess; k++) {
        e = resource(from, first + k, &t[k]);
        t[k].levels = n;
        if (e == cudaSuccess && view)
            e = layers(view, &t[k]);
        if (e == cudaSuccess && view)
            e = seen_as(view, &t[k]);
        if (e == cudaSuccess && how)
            e = reading(from, how, &t[k]);
    }
    if (e == cudaSuccess)
        e = rt_buffer_new(RT_DEVICE, n * sizeof *t, NULL, &place);
    if (e != cudaSuccess)
        return e;
    if (hd_write(rt.dev, (uintptr_t)place, t, n * sizeof *t) != HD_OK ||
        !(o = malloc(sizeof *o))) {
        rt_buffer_free(place, false);
        return cudaErrorMemoryAllocation;
    }
    *o = (struct object){ .handle = (uintptr_t)place, .surface = !how, .from = *from,
                          .viewed = view, .next = objects };
    if (how)
        o->how = *how;
    if (view)
        o->view = *view;
    objects = o;
    *to = o->handle;
    return cudaSuccess;
}

static struct object **find(unsigned long long handle, bool surface)
{
    struct object **o = &objects;
    while (*o && ((*o)->handle != handle || (*o)->surface != surface))
        o = &(*o)->next;
    return o;
}

cudaError_t rt_object_destroy(unsigned long long handle, bool surface)
{
    struct object **o = find(handle, surface), *old = *o;
    if (!old)
        return cudaErrorInvalidValue;
    *o = old->next;
    free(old);
    return rt_buffer_free((void *)(uintptr_t)handle, false);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *t, const struct cudaResourceDesc *from,
                                    const struct cudaTextureDesc *how,
                                    const struct cudaResourceViewDesc *view)
{
    RT_BEGIN;
    return rt_error(how ? rt_object_new(t, from, how, view) : cudaErrorInvalidValue);
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t)
{
    RT_BEGIN;
    return rt_error(rt_object_destroy(t, false));
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *s, const struct cudaResourceDesc *from)
{
    RT_BEGIN;
    bool array = from && from->resType == cudaResourceTypeArray;
    return rt_error(array ? rt_object_new(s, from, NULL, NULL) : cudaErrorInvalidValue);
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t s)
{
    RT_BEGIN;
    return rt_error(rt_object_destroy(s, true));
}
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *d, cudaTextureObject_t t)
{
    RT_BEGIN;
    const struct object *o = *find(t, false);
    if (!o)
        return rt_error(cudaErrorInvalidValue);
    *d = o->from;
    return cudaSuccess;
}
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *d, cudaTextureObject_t t)
{
    RT_BEGIN;
    const struct object *o = *find(t, false);
    if (!o)
        return rt_error(cudaErrorInvalidValue);
    *d = o->how;
    return cudaSuccess;
}
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *d, cudaSurfaceObject_t s)
{
    RT_BEGIN;
    const struct object *o = *find(s, true);
    if (!o)
        return rt_error(cudaErrorInvalidValue);
    *d = o->from;
    return cudaSuccess;
}
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *d,
                                                 cudaTextureObject_t t)
{
    RT_BEGIN;
    const struct object *o = *find(t, false);
    if (!o || !o->viewed)
        return rt_error(cudaErrorInvalidValue);
    *d = o->view;
    return cudaSuccess;
}
