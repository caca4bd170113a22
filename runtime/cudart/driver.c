/* The driver API, on top of the runtime API: one device, one context.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Errors have the same numbers in both.  A function handle is the run time's own struct, known by
 * its address. */
#include <stdlib.h>
#include <string.h>
#include "runtime/code/fatbin.h"
#include "runtime/cudart/rt.h"
#include "runtime/include/cuda.h"

#define DEVICE_POINTER(p) ((void *)(uintptr_t)(p))
static char context;                        /* the one: its address is its handle */
#define CONTEXT ((CUcontext)(void *)&context)

/* The runtime API's answer; the driver API keeps no last error. */
static CUresult answer(cudaError_t e)
{
    if (e != cudaSuccess)
        cudaGetLastError();
    return (CUresult)e;
}

CUresult cuInit(unsigned flags) { (void)flags; return answer(cudaDeviceSynchronize()); }
CUresult cuDriverGetVersion(int *v) { return answer(cudaDriverGetVersion(v)); }
CUresult cuGetErrorName(CUresult e, const char **name)
{
    *name = cudaGetErrorName((cudaError_t)e);
    return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult e, const char **text)
{
    *text = cudaGetErrorString((cudaError_t)e);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *d, int n)
{
    *d = 0;
    return n ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *n) { return answer(cudaGetDeviceCount(n)); }
CUresult cuDeviceGetName(char *name, int n, CUdevice d)
{
    struct cudaDeviceProp p;
    CUresult e = answer(cudaGetDeviceProperties_v2(&p, d));
    if (e == CUDA_SUCCESS)
        snprintf(name, (size_t)n, "%s", p.name);
    return e;
}
CUresult cuDeviceGetAttribute(int *v, CUdevice_attribute a, CUdevice d)
{
    return answer(cudaDeviceGetAttribute(v, (enum cudaDeviceAttr)a, d));
}
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice d)
{
    CUresult e = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, d);
    return e != CUDA_SUCCESS
               ? e
               : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, d);
}
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice d)
{
    size_t left;
    return d ? CUDA_ERROR_INVALID_DEVICE : answer(cudaMemGetInfo(&left, bytes));
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice d)
{
    *c = CONTEXT;
    return d ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice d)
{
    return d ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}
CUresult cuCtxCreate(CUcontext *c, unsigned flags, CUdevice d)
{
    (void)flags;
    return cuDevicePrimaryCtxRetain(c, d);
}
CUresult cuCtxDestroy(CUcontext c)
{
    return c == CONTEXT ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuCtxSetCurrent(CUcontext c)
{
    return !c || c == CONTEXT ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuCtxGetCurrent(CUcontext *c) { *c = CONTEXT; return CUDA_SUCCESS; }
CUresult cuCtxGetDevice(CUdevice *d) { *d = 0; return CUDA_SUCCESS; }
CUresult cuCtxSynchronize(void) { return answer(cudaDeviceSynchronize()); }

/* ---- modules ---- */

CUresult cuModuleLoadData(CUmodule *m, const void *image)
{
    RT_HOLD;
    struct hd_err err = { 0 };
    char *ptx = fatbin_ptx(image, &err);
    *m = NULL;
    if (!ptx) {
        rt_say("cuModuleLoadData: %s", err.text);
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    struct rt_module *new = rt_module_new(ptx);
    cudaError_t e = rt_module_use(new);
    *m = (CUmodule)(void *)new;
    return (CUresult)e;
}
CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned n, CUjit_option *options,
                            void **values)
{
    (void)n, (void)options, (void)values;
    return cuModuleLoadData(m, image);
}
CUresult cuModuleLoadFatBinary(CUmodule *m, const void *image)
{
    return cuModuleLoadData(m, image);
}
CUresult cuModuleLoad(CUmodule *m, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return CUDA_ERROR_FILE_NOT_FOUND;
    char *data = NULL;
    size_t n = 0, room = 0, got;
    do {
        char *grown = n + 65536 + 1 > room ? realloc(data, room = 2 * (n + 65536)) : data;
        if (!grown)
            break;
        data = grown;
        n += got = fread(data + n, 1, 65536, f);
    } while (got);
    fclose(f);
    if (!data)
        return CUDA_ERROR_OUT_OF_MEMORY;
    data[n] = 0;
    CUresult e = cuModuleLoadData(m, data);
    free(data);
    return e;
}
/* Its code stays loaded; nothing refers to it any more. */
CUresult cuModuleUnload(CUmodule m) { return m ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE; }

CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name)
{
    RT_HOLD;
    if (!m)
        return CUDA_ERROR_INVALID_HANDLE;
    struct rt_function *new = rt_function_new((struct rt_module *)(void *)m, NULL, name);
    cudaError_t e = rt_kernel(new);
    *f = (CUfunction)(void *)new;
    return e == cudaErrorInvalidDeviceFunction ? CUDA_ERROR_NOT_FOUND : (CUresult)e;
}

CUresult cuModuleGetGlobal(CUdeviceptr *p, size_t *bytes, CUmodule m, const char *name)
{
    RT_HOLD;
    struct rt_var v = { .module = (struct rt_module *)(void *)m, .name = (char *)(uintptr_t)name };
    uint32_t addr = 0;
    size_t size = 0;
    if (!m)
        return CUDA_ERROR_INVALID_HANDLE;
    cudaError_t e = rt_var_place(&v, &addr, &size);
    if (p)
        *p = addr;
    if (bytes)
        *bytes = size;
    return e == cudaErrorInvalidSymbol ? CUDA_ERROR_NOT_FOUND : (CUresult)e;
}

CUresult cuFuncGetAttribute(int *v, CUfunction_attribute attr, CUfunction f)
{
    struct cudaFuncAttributes a;
    CUresult e = answer(cudaFuncGetAttributes(&a, f));
    const size_t values[] = { (size_t)a.maxThreadsPerBlock,
                              a.sharedSizeBytes,
                              a.constSizeBytes,
                              a.localSizeBytes,
                              (size_t)a.numRegs,
                              (size_t)a.ptxVersion,
                              (size_t)a.binaryVersion,
                              0,
                              (size_t)a.maxDynamicSharedSizeBytes };
    if (e != CUDA_SUCCESS || attr >= sizeof values / sizeof *values)
        return e != CUDA_SUCCESS ? e : CUDA_ERROR_INVALID_VALUE;
    *v = (int)values[attr];
    return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute attr, int v)
{
    return answer(cudaFuncSetAttribute(f, (enum cudaFuncAttribute)attr, v));
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, CUfunction f, int threads,
                                                     size_t shared)
{
    return answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, f, threads, shared));
}

/* Parameters as one block: {BUFFER_POINTER, block, BUFFER_SIZE, &bytes, END}. */
static const void *packed(void **extra, size_t *bytes)
{
    const void *block = NULL;
    for (; extra && *extra != CU_LAUNCH_PARAM_END; extra += 2)
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
            block = extra[1];
        else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
            *bytes = *(size_t *)extra[1];
    return block;
}

CUresult cuLaunchKernel(CUfunction fn, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                        unsigned by, unsigned bz, unsigned shared, CUstream stream, void **args,
                        void **extra)
{
    RT_HOLD;
    (void)stream;
    struct rt_function *f = rt_function(fn);
    dim3 grid = { gx, gy, gz }, block = { bx, by, bz };
    cudaError_t e = rt.sticky ? rt.sticky : f ? rt_kernel(f) : cudaErrorInvalidResourceHandle;
    if (e != cudaSuccess)
        return (CUresult)e;
    size_t bytes = 0;
    const void *from = packed(extra, &bytes);
    void *params = NULL;
    if (from && bytes <= f->kernel->params_size &&
        (params = calloc(1, (size_t)f->kernel->params_size + 1)))
        memcpy(params, from, bytes);
    else if (args || !f->kernel->nparams)
        params = rt_params(f->kernel, args);
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    e = rt_launch(f, grid, block, params, shared);
    free(params);
    return (CUresult)e;
}

/* ---- memory, streams, events ---- */

CUresult cuMemGetInfo(size_t *left, size_t *total) { return answer(cudaMemGetInfo(left, total)); }
CUresult cuMemAlloc(CUdeviceptr *p, size_t n)
{
    void *at = NULL;
    CUresult e = n ? answer(cudaMalloc(&at, n)) : CUDA_ERROR_INVALID_VALUE;
    *p = (uintptr_t)at;
    return e;
}
CUresult cuMemAllocManaged(CUdeviceptr *p, size_t n, unsigned flags)
{
    void *at = NULL;
    CUresult e = answer(cudaMallocManaged(&at, n, flags));
    *p = (uintptr_t)at;
    return e;
}
CUresult cuMemAllocHost(void **p, size_t n) { return answer(cudaMallocHost(p, n)); }
CUresult cuMemFree(CUdeviceptr p) { return answer(cudaFree(DEVICE_POINTER(p))); }
CUresult cuMemFreeHost(void *p) { return answer(cudaFreeHost(p)); }
CUresult cuMemcpy(CUdeviceptr d, CUdeviceptr s, size_t n)
{
    return answer(cudaMemcpy(DEVICE_POINTER(d), DEVICE_POINTER(s), n, cudaMemcpyDefault));
}
CUresult cuMemcpyHtoD(CUdeviceptr d, const void *s, size_t n)
{
    return answer(cudaMemcpy(DEVICE_POINTER(d), s, n, cudaMemcpyHostToDevice));
}
CUresult cuMemcpyDtoH(void *d, CUdeviceptr s, size_t n)
{
    return answer(cudaMemcpy(d, DEVICE_POINTER(s), n, cudaMemcpyDeviceToHost));
}
CUresult cuMemcpyDtoD(CUdeviceptr d, CUdeviceptr s, size_t n)
{
    return answer(cudaMemcpy(DEVICE_POINTER(d), DEVICE_POINTER(s), n, cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr d, const void *s, size_t n, CUstream st)
{
    (void)st;
    return cuMemcpyHtoD(d, s, n);
}
CUresult cuMemcpyDtoHAsync(void *d, CUdeviceptr s, size_t n, CUstream st)
{
    (void)st;
    return cuMemcpyDtoH(d, s, n);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr d, CUdeviceptr s, size_t n, CUstream st)
{
    (void)st;
    return cuMemcpyDtoD(d, s, n);
}

CUresult cuMemsetD8(CUdeviceptr p, unsigned char v, size_t n)
{
    return answer(cudaMemset(DEVICE_POINTER(p), v, n));
}
static CUresult fill(CUdeviceptr p, const void *value, size_t size, size_t n)
{
    char *all = malloc(n * size + 1);
    if (!all)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t k = 0; k < n; k++)
        memcpy(all + k * size, value, size);
    CUresult e = cuMemcpyHtoD(p, all, n * size);
    free(all);
    return e;
}
CUresult cuMemsetD16(CUdeviceptr p, unsigned short v, size_t n) { return fill(p, &v, sizeof v, n); }
CUresult cuMemsetD32(CUdeviceptr p, unsigned v, size_t n) { return fill(p, &v, sizeof v, n); }

CUresult cuStreamCreate(CUstream *s, unsigned flags)
{
    return answer(cudaStreamCreateWithFlags(s, flags));
}
CUresult cuStreamDestroy(CUstream s) { return answer(cudaStreamDestroy(s)); }
CUresult cuStreamSynchronize(CUstream s) { return answer(cudaStreamSynchronize(s)); }
CUresult cuEventCreate(CUevent *e, unsigned flags)
{
    return answer(cudaEventCreateWithFlags(e, flags));
}
CUresult cuEventDestroy(CUevent e) { return answer(cudaEventDestroy(e)); }
CUresult cuEventRecord(CUevent e, CUstream s) { return answer(cudaEventRecord(e, s)); }
CUresult cuEventSynchronize(CUevent e) { return answer(cudaEventSynchronize(e)); }
CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to)
{
    return answer(cudaEventElapsedTime(ms, from, to));
}
