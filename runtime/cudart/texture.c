/* Texture and surface objects: descriptions in device memory that the library's routines read.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include "compiler/texture.h"
#include "runtime/cudart/rt.h"
#include "runtime/include/texture_types.h"

/* What an object was made from, for those who ask. */
struct object {
    unsigned long long handle;
    bool surface;
    struct cudaResourceDesc from;
    struct cudaTextureDesc how;
    struct object *next;
};
static struct object *objects;

/* Width, height and bytes of a row, as the library's routines count: in 32 bits. */
static bool fits(size_t width, size_t height, size_t row)
{
    return width <= UINT32_MAX && height <= UINT32_MAX && row <= UINT32_MAX;
}

/* The memory of a resource, its size and format. */
static cudaError_t resource(const struct cudaResourceDesc *r, struct hd_texture *t)
{
    const struct cudaChannelFormatDesc *desc;
    switch (r->resType) {
    case cudaResourceTypeArray: {
        cudaArray_const_t a = r->res.array.array;
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
    default: rt_say("textures of mipmapped arrays are not supported"); return cudaErrorNotSupported;
    }
    t->channels = rt_channels(desc, &t->bits);
    t->kind = (unsigned)desc->f;
    return t->channels && t->width ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
}

static cudaError_t reading(const struct cudaResourceDesc *r, const struct cudaTextureDesc *how,
                           struct hd_texture *t)
{
    bool plain = r->resType == cudaResourceTypeLinear, floats = t->kind == HD_TEX_FLOAT;
    if (how->sRGB || how->seamlessCubemap) {
        rt_say("textures with %s are not supported", how->sRGB ? "sRGB" : "seamless cubes");
        return cudaErrorNotSupported;
    }
    t->fraction = how->readMode == cudaReadModeNormalizedFloat && !floats;
    t->linear = how->filterMode == cudaFilterModeLinear && !plain;
    t->normalized = how->normalizedCoords != 0;
    if (t->fraction && t->bits == 32)
        return cudaErrorInvalidNormSetting;
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

cudaError_t rt_object_new(unsigned long long *to, const struct cudaResourceDesc *from,
                          const struct cudaTextureDesc *how)
{
    struct hd_texture t = { 0 };
    struct object *o;
    void *place = NULL;
    cudaError_t e = !to || !from ? cudaErrorInvalidValue : resource(from, &t);
    if (e == cudaSuccess && how)
        e = reading(from, how, &t);
    if (e == cudaSuccess)
        e = rt_buffer_new(RT_DEVICE, sizeof t, NULL, &place);
    if (e != cudaSuccess)
        return e;
    if (hd_write(rt.dev, (uint32_t)(uintptr_t)place, &t, sizeof t) != HD_OK ||
        !(o = malloc(sizeof *o))) {
        rt_buffer_free(place, false);
        return cudaErrorMemoryAllocation;
    }
    *o = (struct object){ .handle = (uintptr_t)place, .surface = !how, .from = *from,
                          .next = objects };
    if (how)
        o->how = *how;
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
    if (view) {
        rt_say("cudaCreateTextureObject: resource views are not supported");
        return rt_error(cudaErrorNotSupported);
    }
    return rt_error(how ? rt_object_new(t, from, how) : cudaErrorInvalidValue);
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
    return rt_error(array ? rt_object_new(s, from, NULL) : cudaErrorInvalidValue);
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
