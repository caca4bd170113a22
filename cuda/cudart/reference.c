/* Texture and surface references: host variables, each with a variable on the device that holds the
 * object it is bound to.  SPDX-License-Identifier: Apache-2.0
 *
 * A texture's fields may change after it was bound: an object is made again before a launch where
 * they have. */
#include <stdlib.h>
#include <string.h>
#include "cuda/cudart/rt.h"
#include "cuda/include/texture_reference.h"

struct reference {
    const void *host;
    const struct rt_var *var;
    bool surface, fractions;     /* fractions: integers are read as such (the read mode) */
    unsigned long long object;   /* 0: bound to nothing */
    struct cudaResourceDesc from;
    struct cudaTextureDesc how;
    struct reference *next;
};
static struct reference *references;

static struct reference *find(const void *host, bool surface)
{
    struct reference *r = references;
    while (r && (r->host != host || r->surface != surface))
        r = r->next;
    return r;
}

void rt_reference_new(struct rt_module *m, const void *host, const char *name, bool surface,
                      bool fractions)
{
    struct reference *r = calloc(1, sizeof *r);
    if (!r)
        rt_die(4, "no memory");
    rt_var_new(m, host, name, sizeof r->object, false);
    r->host = host, r->var = rt.vars, r->surface = surface, r->fractions = fractions;
    r->next = references;
    references = r;
}

const void *rt_reference_known(const struct rt_module *m, const char *name, bool surface)
{
    struct reference *r = references;
    while (r && (r->var->module != m || r->surface != surface || strcmp(r->var->name, name)))
        r = r->next;
    return r ? r->host : NULL;
}

void rt_reference_reads(const void *host, bool fractions)
{
    struct reference *r = find(host, false);
    if (r)
        r->fractions = fractions;
}

/* As the reference's fields say it now. */
static struct cudaTextureDesc describe(const struct reference *r)
{
    const struct textureReference *t = r->host;
    struct cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    memcpy(how.addressMode, t->addressMode, sizeof how.addressMode);
    how.filterMode = t->filterMode;
    how.readMode = r->fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    how.normalizedCoords = t->normalized;
    how.sRGB = t->sRGB;
    return how;
}

/* Puts the object where kernels find it.  A variable that no kernel uses is not in the image. */
static cudaError_t hold(struct reference *r, unsigned long long object)
{
    uint64_t addr;
    size_t bytes;
    cudaError_t e = rt_var_place(r->var, &addr, &bytes);
    if (e == cudaSuccess && hd_write(rt.dev, addr, &object, sizeof object) != HD_OK)
        e = cudaErrorInvalidValue;
    if (e != cudaSuccess && e != cudaErrorInvalidSymbol)
        return e;
    if (r->object)
        rt_object_destroy(r->object, r->surface);
    r->object = object;
    return cudaSuccess;
}

static cudaError_t make(struct reference *r)
{
    unsigned long long object;
    struct cudaTextureDesc how = { 0 };
    if (!r->surface)
        how = describe(r);
    cudaError_t e = rt_object_new(&object, &r->from, r->surface ? NULL : &how, NULL);
    if (e != cudaSuccess)
        return e;
    r->how = how;
    e = hold(r, object);
    if (e != cudaSuccess)
        rt_object_destroy(object, r->surface);
    return e;
}

static cudaError_t bind(const void *host, bool surface, const struct cudaResourceDesc *from)
{
    struct reference *r = find(host, surface);
    if (!r)
        return surface ? cudaErrorInvalidSurface : cudaErrorInvalidTexture;
    const struct cudaResourceDesc before = r->from;
    r->from = *from;
    cudaError_t e = make(r);
    if (e != cudaSuccess)
        r->from = before;
    return e;
}

cudaError_t rt_references_refresh(void)
{
    for (struct reference *r = references; r; r = r->next) {
        struct cudaTextureDesc now;
        if (!r->object || r->surface)
            continue;
        now = describe(r);
        cudaError_t e = memcmp(&now, &r->how, sizeof now) ? make(r) : cudaSuccess;
        if (e == cudaErrorInvalidResourceHandle)          /* its array was freed */
            e = hold(r, 0);
        if (e != cudaSuccess)
            return e;
    }
    return cudaSuccess;
}

void rt_references_unbound(const struct rt_module *m, char *buf, size_t n)
{
    uint64_t addr;
    size_t bytes, used = 0;
    *buf = 0;
    for (const struct reference *r = references; r && used < n; r = r->next)
        if (r->var->module == m && !r->object &&
            rt_var_place(r->var, &addr, &bytes) == cudaSuccess) {
            char name[300];
            rt_name(r->var->name, name, sizeof name);
            used += (size_t)snprintf(buf + used, n - used, "%s`%s`", used ? " or " : "", name);
        }
}

/* ---- calls ---- */

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *t, const void *data,
                            const struct cudaChannelFormatDesc *desc, size_t bytes)
{
    RT_BEGIN;
    const struct rt_buffer *b = rt_buffer((uintptr_t)data);
    if (!b || !desc)
        return rt_error(cudaErrorInvalidValue);
    size_t left = (size_t)(b->addr + b->bytes - (uintptr_t)data);
    struct cudaResourceDesc from = { .resType = cudaResourceTypeLinear };
    from.res.linear.devPtr = (void *)(uintptr_t)data;
    from.res.linear.desc = *desc;
    from.res.linear.sizeInBytes = bytes < left ? bytes : left;
    if (offset)
        *offset = 0;
    return rt_error(bind(t, false, &from));
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *t, const void *data,
                              const struct cudaChannelFormatDesc *desc, size_t width,
                              size_t height, size_t pitch)
{
    RT_BEGIN;
    if (!rt_buffer((uintptr_t)data) || !desc)
        return rt_error(cudaErrorInvalidValue);
    struct cudaResourceDesc from = { .resType = cudaResourceTypePitch2D };
    from.res.pitch2D.devPtr = (void *)(uintptr_t)data;
    from.res.pitch2D.desc = *desc;
    from.res.pitch2D.width = width;
    from.res.pitch2D.height = height;
    from.res.pitch2D.pitchInBytes = pitch;
    if (offset)
        *offset = 0;
    return rt_error(bind(t, false, &from));
}

static cudaError_t bind_array(const void *host, bool surface, cudaArray_const_t a)
{
    struct cudaResourceDesc from = { .resType = cudaResourceTypeArray };
    from.res.array.array = (cudaArray_t)a;
    return a ? bind(host, surface, &from) : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaBindTextureToArray(const struct textureReference *t, cudaArray_const_t a,
                                   const struct cudaChannelFormatDesc *desc)
{
    RT_BEGIN;
    (void)desc;                                  /* the array's own holds */
    return rt_error(bind_array(t, false, a));
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *s, cudaArray_const_t a,
                                   const struct cudaChannelFormatDesc *desc)
{
    RT_BEGIN;
    (void)desc;
    return rt_error(bind_array(s, true, a));
}

cudaError_t cudaUnbindTexture(const struct textureReference *t)
{
    RT_BEGIN;
    struct reference *r = find(t, false);
    return rt_error(r ? hold(r, 0) : cudaErrorInvalidTexture);
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *t)
{
    RT_BEGIN;
    const struct reference *r = find(t, false);
    if (!r || !r->object)
        return rt_error(cudaErrorInvalidTextureBinding);
    if (!offset)
        return rt_error(cudaErrorInvalidValue);
    *offset = 0;
    return cudaSuccess;
}

cudaError_t cudaGetTextureReference(const struct textureReference **t, const void *symbol)
{
    RT_BEGIN;
    if (!t)
        return rt_error(cudaErrorInvalidValue);
    *t = find(symbol, false) ? symbol : NULL;
    return rt_error(*t ? cudaSuccess : cudaErrorInvalidTexture);
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **s, const void *symbol)
{
    RT_BEGIN;
    if (!s)
        return rt_error(cudaErrorInvalidValue);
    *s = find(symbol, true) ? symbol : NULL;
    return rt_error(*s ? cudaSuccess : cudaErrorInvalidSurface);
}
