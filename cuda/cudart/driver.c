/* The driver API, on top of the runtime API: one device, one context.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Errors have the same numbers in both.  A function handle is the run time's own struct, known by
 * its address. */
#include <stdlib.h>
#include <string.h>
#include "cuda/code/fatbin.h"
#include "cuda/cudart/driver.h"

CUresult cuInit(unsigned flags) { (void)flags; return answer(cudaDeviceSynchronize()); }
CUresult cuDriverGetVersion(int *v) { return answer(cudaDriverGetVersion(v)); }
/* Of a number that only the runtime API has: its name. */
CUresult cuGetErrorName(CUresult e, const char **name)
{
    static const struct { int e; const char *name; } errors[] = {
#define DRIVER_ERROR(error, value) { value, #error },
#include "cuda/include/driver_errors.def"
#undef DRIVER_ERROR
    };
    *name = cudaGetErrorName((cudaError_t)e);
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
        if (errors[k].e == (int)e)
            *name = errors[k].name;
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
/* Of CUDA 5 and before. */
CUresult cuDeviceGetProperties(CUdevprop *to, CUdevice d)
{
    struct cudaDeviceProp p;
    CUresult e = to ? answer(cudaGetDeviceProperties_v2(&p, d)) : CUDA_ERROR_INVALID_VALUE;
    if (e != CUDA_SUCCESS)
        return e;
    *to = (CUdevprop){ .maxThreadsPerBlock = p.maxThreadsPerBlock,
                       .sharedMemPerBlock = (int)p.sharedMemPerBlock,
                       .totalConstantMemory = (int)p.totalConstMem,
                       .SIMDWidth = p.warpSize,
                       .memPitch = (int)p.memPitch,
                       .regsPerBlock = p.regsPerBlock,
                       .clockRate = p.clockRate,
                       .textureAlign = (int)p.textureAlignment };
    memcpy(to->maxThreadsDim, p.maxThreadsDim, sizeof to->maxThreadsDim);
    memcpy(to->maxGridSize, p.maxGridSize, sizeof to->maxGridSize);
    return e;
}
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice d)
{
    struct cudaDeviceProp p;
    CUresult e = answer(cudaGetDeviceProperties(&p, d));
    if (e == CUDA_SUCCESS)
        *uuid = p.uuid;
    return e;
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
/* One device has no peer. */
CUresult cuDeviceCanAccessPeer(int *can, CUdevice d, CUdevice peer)
{
    return answer(cudaDeviceCanAccessPeer(can, d, peer));
}
CUresult cuDeviceGetP2PAttribute(int *v, CUdevice_P2PAttribute a, CUdevice from, CUdevice to)
{
    return answer(cudaDeviceGetP2PAttribute(v, (enum cudaDeviceP2PAttr)a, from, to));
}
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
    (void)flags;
    return peer == CONTEXT ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    return peer == CONTEXT ? answer(cudaDeviceDisablePeerAccess(0)) : CUDA_ERROR_INVALID_CONTEXT;
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
CUresult cuCtxPushCurrent(CUcontext c) { return cuCtxSetCurrent(c); }
CUresult cuCtxPopCurrent(CUcontext *c) { return c ? cuCtxGetCurrent(c) : CUDA_SUCCESS; }
CUresult cuCtxGetDevice(CUdevice *d) { *d = 0; return CUDA_SUCCESS; }
CUresult cuCtxGetApiVersion(CUcontext c, unsigned *v)
{
    *v = 3020;                              /* CUDA's own number since the names that end in _v2 */
    return cuCtxSetCurrent(c);
}
CUresult cuCtxGetLimit(size_t *v, CUlimit limit)
{
    return answer(cudaDeviceGetLimit(v, (enum cudaLimit)limit));
}
CUresult cuCtxSetLimit(CUlimit limit, size_t v)
{
    return answer(cudaDeviceSetLimit((enum cudaLimit)limit, v));
}
CUresult cuCtxGetCacheConfig(CUfunc_cache *c)
{
    enum cudaFuncCache config;
    CUresult e = answer(cudaDeviceGetCacheConfig(&config));
    *c = (CUfunc_cache)config;
    return e;
}
CUresult cuCtxSetCacheConfig(CUfunc_cache c)
{
    return answer(cudaDeviceSetCacheConfig((enum cudaFuncCache)c));
}
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    return answer(cudaDeviceGetStreamPriorityRange(least, greatest));
}
CUresult cuCtxAttach(CUcontext *c, unsigned flags)
{
    return c && !flags ? cuCtxGetCurrent(c) : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuCtxDetach(CUcontext c)
{
    return c == CONTEXT ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
    enum cudaSharedMemConfig is = cudaSharedMemBankSizeDefault;
    CUresult e = config ? answer(cudaDeviceGetSharedMemConfig(&is)) : CUDA_ERROR_INVALID_VALUE;
    if (e == CUDA_SUCCESS)
        *config = (CUsharedconfig)is;
    return e;
}
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    return answer(cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)config));
}
CUresult cuFuncSetSharedMemConfig(CUfunction f, CUsharedconfig config)
{
    RT_HOLD;
    (void)config;                                /* banks are four bytes wide */
    return rt_function(f) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuDeviceGetPCIBusId(char *id, int n, CUdevice d)
{
    return answer(cudaDeviceGetPCIBusId(id, n, d));
}
CUresult cuDeviceGetByPCIBusId(CUdevice *d, const char *id)
{
    return answer(cudaDeviceGetByPCIBusId(d, id));
}
CUresult cuProfilerStart(void) { return CUDA_SUCCESS; }
CUresult cuProfilerStop(void) { return CUDA_SUCCESS; }
CUresult cuCtxSynchronize(void) { return answer(cudaDeviceSynchronize()); }

/* ---- modules ---- */

char *rt_read_file(const char *path, size_t *bytes)
{
    FILE *f = fopen(path, "rb");
    char *data = NULL;
    size_t n = 0, room = 0, got;
    if (!f)
        return NULL;
    do {
        char *grown = n + 65536 + 1 > room ? realloc(data, room = 2 * (n + 65536)) : data;
        if (!grown)
            break;
        data = grown;
        n += got = fread(data + n, 1, 65536, f);
    } while (got);
    fclose(f);
    if (data)
        data[n] = 0;
    *bytes = n;
    return data;
}

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
    size_t bytes;
    char *data = rt_read_file(path, &bytes);
    if (!data)
        return CUDA_ERROR_FILE_NOT_FOUND;
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
    uint64_t addr = 0;
    size_t size = 0;
    if (!m)
        return CUDA_ERROR_INVALID_HANDLE;
    cudaError_t e = rt_var_address(&v, &addr, &size);
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
CUresult cuFuncSetCacheConfig(CUfunction f, CUfunc_cache c)
{
    return answer(cudaFuncSetCacheConfig(f, (enum cudaFuncCache)c));
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, CUfunction f, int threads,
                                                              size_t shared, unsigned flags)
{
    (void)flags;                            /* of caches, which there are none of */
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(n, f, threads, shared);
}
CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f,
                                          CUoccupancyB2DSize shared_of, size_t shared, int limit)
{
    int most;
    CUresult e = cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f);
    int best = 0;
    if (limit > 0 && limit < most)
        most = limit;
    for (int n = most; e == CUDA_SUCCESS && n > 0; n = n > 32 ? (n - 1) / 32 * 32 : 0) {
        int blocks = 0;
        size_t bytes = shared_of ? shared_of(n) : shared;
        e = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, n, bytes);
        if (blocks * n > best)
            best = blocks * n, *grid = blocks, *block = n;
    }
    return e;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, CUfunction f, int threads,
                                                     size_t shared)
{
    return answer(cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, f, threads, shared));
}

CUresult cuLaunchKernel(CUfunction fn, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                        unsigned by, unsigned bz, unsigned shared, CUstream stream, void **args,
                        void **extra)
{
    RT_HOLD;
    dim3 grid = { gx, gy, gz }, block = { bx, by, bz };
    if (rt.sticky)
        return (CUresult)rt.sticky;
    cudaError_t e = rt_launch_in(stream, fn, grid, block, args, extra, shared);
    if (e == cudaErrorInvalidDeviceFunction && !rt_function(fn))
        return CUDA_ERROR_INVALID_HANDLE;
    return e == rt.sticky ? CUDA_SUCCESS : (CUresult)e;  /* it began; the next call says its end */
}

CUresult cuLaunchCooperativeKernel(CUfunction fn, unsigned gx, unsigned gy, unsigned gz,
                                   unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                   CUstream stream, void **args)
{
    dim3 grid = { gx, gy, gz }, block = { bx, by, bz };
    return answer(cudaLaunchCooperativeKernel(fn, grid, block, args, shared, stream));
}
CUresult cuLaunchHostFunc(CUstream s, CUhostFn fn, void *user)
{
    return answer(cudaLaunchHostFunc(s, fn, user));
}

/* ---- streams, events ---- */

CUresult cuStreamCreate(CUstream *s, unsigned flags)
{
    return answer(cudaStreamCreateWithFlags(s, flags));
}
CUresult cuStreamCreateWithPriority(CUstream *s, unsigned flags, int priority)
{
    return answer(cudaStreamCreateWithPriority(s, flags, priority));
}
CUresult cuStreamGetPriority(CUstream s, int *priority)
{
    return answer(cudaStreamGetPriority(s, priority));
}
CUresult cuStreamGetFlags(CUstream s, unsigned *flags)
{
    return answer(cudaStreamGetFlags(s, flags));
}
CUresult cuStreamQuery(CUstream s) { return answer(cudaStreamQuery(s)); }
CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned flags)
{
    return answer(cudaStreamWaitEvent(s, e, flags));
}
CUresult cuStreamAddCallback(CUstream s, CUstreamCallback fn, void *user, unsigned flags)
{
    (void)flags;
    CUresult e = cuStreamSynchronize(s);
    fn(s, e, user);
    return e;
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
CUresult cuEventQuery(CUevent e) { return answer(cudaEventQuery(e)); }
CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to)
{
    return answer(cudaEventElapsedTime(ms, from, to));
}
