/* What the parts of the driver API have in common.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_CUDART_DRIVER_H
#define RUNTIME_CUDART_DRIVER_H
#include "cuda/cudart/rt.h"
#include "cuda/include/cuda.h"

#define DEVICE_POINTER(p) ((void *)(uintptr_t)(p))
#define CONTEXT ((CUcontext)(void *)&rt)    /* the one: the state's address is its handle */

/* What a file holds and a 0, to be freed; NULL: it cannot be read. */
char *rt_read_file(const char *path, size_t *bytes);

/* driver_copy.c: a copy of slices as the runtime API says it, and back. */
CUresult driver_box(const CUDA_MEMCPY3D *c, struct cudaMemcpy3DParms *p);
CUDA_MEMCPY3D driver_unbox(const struct cudaMemcpy3DParms *p);

/* What a program names NAME, although our header means another call by it. */
#define CALL(NAME, PARAMS) \
    __attribute__((visibility("default"))) CUresult as_##NAME PARAMS __asm__(#NAME); \
    CUresult as_##NAME PARAMS

/* The runtime API's answer; the driver API keeps no last error. */
static inline CUresult answer(cudaError_t e)
{
    if (e != cudaSuccess)
        cudaGetLastError();
    return (CUresult)e;
}
#endif
