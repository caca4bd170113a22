/* Launches as CUDA 3.1 made them.  SPDX-License-Identifier: Apache-2.0
 *
 * What a function keeps is found by its handle. */
#include <stdlib.h>
#include <string.h>
#include "cuda/cudart/driver.h"
#include "cuda/include/cuda_old_launch.h"

enum { MOST = 4096 };            /* bytes of parameters */
struct kept {
    CUfunction fn;
    unsigned block[3], shared;
    size_t bytes;
    char params[MOST];
    struct kept *next;
};
static struct kept *all;

static struct kept *kept(CUfunction f)
{
    struct kept *k = all;
    while (k && k->fn != f)
        k = k->next;
    if (k || !rt_function(f) || !(k = calloc(1, sizeof *k)))
        return k;
    k->fn = f, k->block[0] = k->block[1] = k->block[2] = 1, k->next = all;
    return all = k;
}

CUresult cuFuncSetBlockShape(CUfunction f, int x, int y, int z)
{
    RT_HOLD;
    struct kept *k = kept(f);
    if (!k || x < 1 || y < 1 || z < 1)
        return k ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    k->block[0] = (unsigned)x, k->block[1] = (unsigned)y, k->block[2] = (unsigned)z;
    return CUDA_SUCCESS;
}
CUresult cuFuncSetSharedSize(CUfunction f, unsigned bytes)
{
    RT_HOLD;
    struct kept *k = kept(f);
    if (k)
        k->shared = bytes;
    return k ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuParamSetSize(CUfunction f, unsigned bytes)
{
    RT_HOLD;
    struct kept *k = kept(f);
    if (!k || bytes > MOST)
        return k ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    k->bytes = bytes;
    return CUDA_SUCCESS;
}
CUresult cuParamSetv(CUfunction f, int offset, void *value, unsigned bytes)
{
    RT_HOLD;
    struct kept *k = kept(f);
    if (!k)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!value || offset < 0 || offset > MOST || bytes > MOST - (unsigned)offset)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(k->params + offset, value, bytes);
    return CUDA_SUCCESS;
}
CUresult cuParamSeti(CUfunction f, int offset, unsigned value)
{
    return cuParamSetv(f, offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction f, int offset, float value)
{
    return cuParamSetv(f, offset, &value, sizeof value);
}
/* References are bound to the module's variables anyway. */
CUresult cuParamSetTexRef(CUfunction f, int unit, CUtexref t)
{
    RT_HOLD;
    return kept(f) && t && unit == CU_PARAM_TR_DEFAULT ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLaunchGridAsync(CUfunction f, int width, int height, CUstream s)
{
    RT_HOLD;
    struct kept *k = kept(f);
    if (!k || width < 1 || height < 1)
        return k ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, k->params, CU_LAUNCH_PARAM_BUFFER_SIZE,
                      &k->bytes, CU_LAUNCH_PARAM_END };
    return cuLaunchKernel(f, (unsigned)width, (unsigned)height, 1, k->block[0], k->block[1],
                          k->block[2], k->shared, s, NULL, extra);
}
CUresult cuLaunchGrid(CUfunction f, int width, int height)
{
    return cuLaunchGridAsync(f, width, height, NULL);
}
CUresult cuLaunch(CUfunction f) { return cuLaunchGrid(f, 1, 1); }
