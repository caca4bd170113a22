/* Several copies by one call.  SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include "cuda/cudart/driver.h"
#include "cuda/include/cuda_texture.h"

/* Attributes begin at ascending copies, the first at the first; all say when sources are read. */
static bool attributes_fit(const struct cudaMemcpyAttributes *attrs, const size_t *from, size_t n,
                           size_t copies)
{
    if (n && (!attrs || !from || from[0]))
        return false;
    for (size_t k = 0; k < n; k++)
        if (attrs[k].srcAccessOrder <= cudaMemcpySrcAccessOrderInvalid ||
            attrs[k].srcAccessOrder > cudaMemcpySrcAccessOrderAny || from[k] >= copies ||
            (k && from[k] <= from[k - 1]))
            return false;
    return true;
}

static void first_wrong(size_t *failed, size_t which)
{
    if (failed)
        *failed = which;
}

cudaError_t cudaMemcpyBatchAsync(void **dst, void **src, size_t *bytes, size_t n,
                                 struct cudaMemcpyAttributes *attrs, size_t *from, size_t nattrs,
                                 size_t *failed, cudaStream_t s)
{
    bool ok = dst && src && bytes && n && attributes_fit(attrs, from, nattrs, n);
    cudaError_t e = ok ? cudaSuccess : rt_error(cudaErrorInvalidValue);
    if (!ok)
        first_wrong(failed, SIZE_MAX);
    for (size_t k = 0; k < n && e == cudaSuccess; k++) {
        e = cudaMemcpyAsync(dst[k], src[k], bytes[k], cudaMemcpyDefault, s);
        if (e != cudaSuccess)
            first_wrong(failed, k);
    }
    return e;
}

/* ---- boxes ---- */

static bool within(size_t at, size_t n, size_t all) { return at <= all && n <= all - at; }

/* An array's elements and place, or memory and its pitches: all but the extent of the copy. */
static cudaError_t side(const struct cudaMemcpy3DOperand *o, const struct cudaExtent *n,
                        size_t element, cudaArray_t *array, struct cudaPos *at,
                        struct cudaPitchedPtr *p)
{
    if (o->type == cudaMemcpyOperandTypeArray) {
        const struct cudaArray *a = o->op.array.array;
        const struct cudaOffset3D *from = &o->op.array.offset;
        if (a->element != element || !within(from->x, n->width, a->width) ||
            !within(from->y, n->height, a->height) || !within(from->z, n->depth, a->depth))
            return cudaErrorInvalidValue;
        *array = o->op.array.array;
        *at = (struct cudaPos){ from->x, from->y, from->z };
        return cudaSuccess;
    }
    size_t row = o->op.ptr.rowLength ? o->op.ptr.rowLength : n->width,
           rows = o->op.ptr.layerHeight ? o->op.ptr.layerHeight : n->height;
    if (!o->op.ptr.ptr || row < n->width || rows < n->height)
        return cudaErrorInvalidValue;
    *p = (struct cudaPitchedPtr){ o->op.ptr.ptr, rt_times(row, element), row, rows };
    return cudaSuccess;
}

/* Bytes of an array's element; 0: it is neither array nor memory. */
static size_t element_of(const struct cudaMemcpy3DOperand *o)
{
    if (o->type == cudaMemcpyOperandTypeArray)
        return rt_array(o->op.array.array) ? o->op.array.array->element : 0;
    return o->type == cudaMemcpyOperandTypePointer;
}

static cudaError_t box(const struct cudaMemcpy3DBatchOp *op, cudaStream_t s)
{
    struct cudaMemcpy3DParms p = { .extent = op->extent, .kind = cudaMemcpyDefault };
    size_t from = element_of(&op->src), to = element_of(&op->dst);
    bool array = op->src.type == cudaMemcpyOperandTypeArray;
    if (!from || !to || !p.extent.width || !p.extent.height || !p.extent.depth ||
        op->srcAccessOrder <= cudaMemcpySrcAccessOrderInvalid ||
        op->srcAccessOrder > cudaMemcpySrcAccessOrderAny)
        return cudaErrorInvalidValue;
    size_t element = array ? from : to;
    cudaError_t e = side(&op->src, &p.extent, element, &p.srcArray, &p.srcPos, &p.srcPtr);
    if (e == cudaSuccess)
        e = side(&op->dst, &p.extent, element, &p.dstArray, &p.dstPos, &p.dstPtr);
    return e == cudaSuccess ? cudaMemcpy3DAsync(&p, s) : e;
}

cudaError_t cudaMemcpy3DBatchAsync(size_t n, struct cudaMemcpy3DBatchOp *ops, size_t *failed,
                                   unsigned long long flags, cudaStream_t s)
{
    cudaError_t e = n && ops && !flags ? cudaSuccess : cudaErrorInvalidValue;
    if (e != cudaSuccess)
        first_wrong(failed, SIZE_MAX);
    for (size_t k = 0; k < n && e == cudaSuccess; k++) {
        e = box(&ops[k], s);
        if (e != cudaSuccess)
            first_wrong(failed, k);
    }
    return rt_error(e);
}

/* libcudart.so.13 has calls of the same names (cuda/versions/cuda13.c), which want these. */
#pragma GCC visibility push(default)
cudaError_t heddleMemcpyBatchAsync(void **dst, void **src, size_t *bytes, size_t n,
                                   struct cudaMemcpyAttributes *attrs, size_t *from, size_t nattrs,
                                   size_t *failed, cudaStream_t s)
    __attribute__((alias("cudaMemcpyBatchAsync")));
cudaError_t heddleMemcpy3DBatchAsync(size_t n, struct cudaMemcpy3DBatchOp *ops, size_t *failed,
                                     unsigned long long flags, cudaStream_t s)
    __attribute__((alias("cudaMemcpy3DBatchAsync")));
#pragma GCC visibility pop

/* ---- the driver API: the same layouts ---- */

CUresult cuMemcpyBatchAsync(CUdeviceptr *dst, CUdeviceptr *src, size_t *bytes, size_t n,
                            CUmemcpyAttributes *attrs, size_t *from, size_t nattrs, size_t *failed,
                            CUstream s)
{
    return answer(cudaMemcpyBatchAsync((void **)dst, (void **)src, bytes, n, (void *)attrs, from,
                                       nattrs, failed, s));
}
CUresult cuMemcpy3DBatchAsync(size_t n, CUDA_MEMCPY3D_BATCH_OP *ops, size_t *failed,
                              unsigned long long flags, CUstream s)
{
    return answer(cudaMemcpy3DBatchAsync(n, (struct cudaMemcpy3DBatchOp *)(void *)ops, failed,
                                         flags, s));
}
