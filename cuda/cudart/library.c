/* Code that the program loads itself, kernels by name, and calls that it asks for by name.
 * SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include "cuda/cudart/driver.h"

/* ---- libraries: those of the driver API; a kernel is launched by its handle ---- */

#define LIBRARY(lib) ((CUlibrary)(void *)(lib))
/* CUDA's numbers are the same in both APIs. */
static cudaError_t said(CUresult e) { return rt_error((cudaError_t)e); }

cudaError_t cudaLibraryLoadData(cudaLibrary_t *lib, const void *code, enum cudaJitOption *options,
                                void **values, unsigned n, enum cudaLibraryOption *lib_options,
                                void **lib_values, unsigned nlib)
{
    (void)options, (void)values, (void)n, (void)lib_options, (void)lib_values, (void)nlib;
    return lib && code ? said(cuModuleLoadData((CUmodule *)(void *)lib, code))
                       : rt_error(cudaErrorInvalidValue);
}
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *lib, const char *path,
                                    enum cudaJitOption *options, void **values, unsigned n,
                                    enum cudaLibraryOption *lib_options, void **lib_values,
                                    unsigned nlib)
{
    (void)options, (void)values, (void)n, (void)lib_options, (void)lib_values, (void)nlib;
    return lib && path ? said(cuModuleLoad((CUmodule *)(void *)lib, path))
                       : rt_error(cudaErrorInvalidValue);
}
cudaError_t cudaLibraryUnload(cudaLibrary_t lib) { return said(cuLibraryUnload(LIBRARY(lib))); }
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t lib, const char *name)
{
    if (!kernel || !name)
        return rt_error(cudaErrorInvalidValue);
    CUresult e = cuLibraryGetKernel((CUkernel *)kernel, LIBRARY(lib), name);
    return said(e);
}
cudaError_t cudaLibraryGetGlobal(void **p, size_t *bytes, cudaLibrary_t lib, const char *name)
{
    CUdeviceptr at = 0;
    if (!p || !name)
        return rt_error(cudaErrorInvalidValue);
    CUresult e = cuLibraryGetGlobal(&at, bytes, LIBRARY(lib), name);
    *p = DEVICE_POINTER(at);
    return said(e);
}
/* Managed variables of such code are the device's: the host copies them. */
cudaError_t cudaLibraryGetManaged(void **p, size_t *bytes, cudaLibrary_t lib, const char *name)
{
    return cudaLibraryGetGlobal(p, bytes, lib, name);
}

/* The module's kernels, as many as asked for. */
static cudaError_t kernels_of(struct rt_module *m, const void **to, unsigned room, unsigned *n)
{
    cudaError_t e = m ? rt_module_use(m) : cudaErrorInvalidResourceHandle;
    if (e != cudaSuccess)
        return e;
    *n = m->image->nkernels;
    for (unsigned k = 0; to && k < room && k < *n; k++)
        to[k] = rt_function_named(m, m->image->kernels[k].name)->host;
    return cudaSuccess;
}
cudaError_t cudaLibraryGetKernelCount(unsigned *n, cudaLibrary_t lib)
{
    RT_BEGIN;
    return rt_error(n ? kernels_of((struct rt_module *)lib, NULL, 0, n) : cudaErrorInvalidValue);
}
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *to, unsigned room, cudaLibrary_t lib)
{
    RT_BEGIN;
    unsigned n;
    return rt_error(to ? kernels_of((struct rt_module *)lib, (const void **)(void *)to, room, &n)
                       : cudaErrorInvalidValue);
}
CUresult cuLibraryGetKernelCount(unsigned *n, CUlibrary lib)
{
    return answer(cudaLibraryGetKernelCount(n, (cudaLibrary_t)(void *)lib));
}
CUresult cuLibraryEnumerateKernels(CUkernel *to, unsigned room, CUlibrary lib)
{
    return answer(cudaLibraryEnumerateKernels((cudaKernel_t *)to, room,
                                              (cudaLibrary_t)(void *)lib));
}
CUresult cuModuleGetFunctionCount(unsigned *n, CUmodule m)
{
    return answer(cudaLibraryGetKernelCount(n, (cudaLibrary_t)(void *)m));
}
CUresult cuModuleEnumerateFunctions(CUfunction *to, unsigned room, CUmodule m)
{
    return answer(cudaLibraryEnumerateKernels((cudaKernel_t *)(void *)to, room,
                                              (cudaLibrary_t)(void *)m));
}

/* ---- kernels ---- */

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *to, const void *symbol)
{
    RT_BEGIN;
    if (!to || !rt_function(symbol))
        return rt_error(to ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
    *to = (cudaFunction_t)(uintptr_t)symbol;
    return cudaSuccess;
}
cudaError_t cudaGetKernel(cudaKernel_t *to, const void *symbol)
{
    return cudaGetFuncBySymbol((cudaFunction_t *)(void *)to, symbol);
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attr,
                                            int value, int device)
{
    return device ? rt_error(cudaErrorInvalidDevice) : cudaFuncSetAttribute(kernel, attr, value);
}
cudaError_t cudaFuncGetName(const char **name, const void *fn)
{
    RT_BEGIN;
    const struct rt_function *f = rt_function(fn);
    if (!f || !name)
        return rt_error(f ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
    *name = f->name;
    return cudaSuccess;
}
cudaError_t cudaFuncGetParamInfo(const void *fn, size_t which, size_t *offset, size_t *bytes)
{
    RT_BEGIN;
    struct rt_function *f = rt_function(fn);
    cudaError_t e = f ? rt_kernel(f) : cudaErrorInvalidDeviceFunction;
    if (e == cudaSuccess && (!offset || which >= f->kernel->nparams))
        e = cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return rt_error(e);
    *offset = f->kernel->params[which].off;
    if (bytes)
        *bytes = f->kernel->params[which].size;
    return cudaSuccess;
}
CUresult cuFuncGetName(const char **name, CUfunction f) { return answer(cudaFuncGetName(name, f)); }
CUresult cuKernelGetName(const char **name, CUkernel k) { return answer(cudaFuncGetName(name, k)); }
CUresult cuFuncGetParamInfo(CUfunction f, size_t which, size_t *offset, size_t *bytes)
{
    return answer(cudaFuncGetParamInfo(f, which, offset, bytes));
}
CUresult cuKernelGetParamInfo(CUkernel k, size_t which, size_t *offset, size_t *bytes)
{
    return answer(cudaFuncGetParamInfo(k, which, offset, bytes));
}
CUresult cuFuncGetModule(CUmodule *m, CUfunction fn)
{
    RT_HOLD;
    struct rt_function *f = rt_function(fn);
    if (!f || !m)
        return f ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    *m = (CUmodule)(void *)f->module;
    return CUDA_SUCCESS;
}

/* ---- calls by name ---- */

/* Calls whose parameters CUDA 13 changed, and those of CUDA 12. */
static const struct { const char *name, *form, *form12; } changed[] = {
    { "cuCtxCreate", "%s_v4", "%s_v2" },
    { "cuGraphAddDependencies", "%s_v2", "%s" },
    { "cuGraphAddNode", "%s_v2", "%s" },
    { "cuGraphGetEdges", "%s_v2", "%s" },
    { "cuGraphInstantiate", "%sWithFlags", "%sWithFlags" },
    { "cuGraphNodeGetDependencies", "%s_v2", "%s" },
    { "cuGraphNodeGetDependentNodes", "%s_v2", "%s" },
    { "cuGraphRemoveDependencies", "%s_v2", "%s" },
    { "cuMemcpy3DBatchAsync", "%s_v2", "%s" },
    { "cuMemcpyBatchAsync", "%s_v2", "%s" },
    { "cuStreamGetCaptureInfo", "%s_v3", "%s_v2" },
    { "cuStreamUpdateCaptureDependencies", "%s_v2", "%s" } };

/* Of this library alone: the newest form of a call, whose name ends in a number, that the version
 * of CUDA knows. */
static void *call_of(const char *name, unsigned version)
{
    const char *forms[] = { "%s_v3", "%s_v2", "%s" };
    for (size_t k = 0; k < sizeof changed / sizeof *changed; k++)
        if (!strcmp(name, changed[k].name))
            forms[0] = version >= 13000 ? changed[k].form : changed[k].form12;
    char full[200];
    Dl_info self;
    void *lib = dladdr((void *)(uintptr_t)cuInit, &self) ? dlopen(self.dli_fname,
                                                                  RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *found = NULL;
    for (size_t k = 0; lib && !found && k < sizeof forms / sizeof *forms; k++) {
        snprintf(full, sizeof full, forms[k], name);
        found = dlsym(lib, full);
    }
    if (lib)
        dlclose(lib);
    return found;
}
static cudaError_t entry_point(const char *name, void **fn, unsigned version,
                               enum cudaDriverEntryPointQueryResult *result)
{
    RT_BEGIN;
    if (!name || !*name || !fn)
        return rt_error(cudaErrorInvalidValue);
    *fn = call_of(name, version);
    if (result)
        *result = *fn ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return rt_error(*fn || result ? cudaSuccess : cudaErrorSymbolNotFound);
}
cudaError_t cudaGetDriverEntryPoint(const char *name, void **fn, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *result)
{
    (void)flags;
    return entry_point(name, fn, CUDART_VERSION, result);
}
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **fn, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *result)
{
    (void)flags;
    return entry_point(name, fn, version, result);
}
CUresult cuGetProcAddress(const char *name, void **fn, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *result)
{
    enum cudaDriverEntryPointQueryResult r = cudaDriverEntryPointSuccess;
    (void)flags;
    CUresult e = answer(entry_point(name, fn, (unsigned)version, result ? &r : NULL));
    if (result)
        *result = (CUdriverProcAddressQueryResult)r;
    return e;
}
