/* Of the driver API: code that is linked while the program runs, and libraries of kernels.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is linked is PTX: the "cubin" that comes of it is that of all parts, one behind the other,
 * which cuModuleLoadData takes.  A library is a module, its kernels are functions. */
#include <stdlib.h>
#include <string.h>
#include "cuda/code/fatbin.h"
#include "cuda/cudart/driver.h"

struct CUlinkState_st {
    char **parts;                /* PTX */
    size_t n;
    char *linked;                /* NULL: not yet */
    char *log;                   /* where the program wants to read what is wrong; NULL: nowhere */
    size_t room;
};

static CUresult refuse(const struct CUlinkState_st *s, CUresult e, const char *why)
{
    if (s->log && s->room)
        snprintf(s->log, s->room, "%s", why);
    return e;
}

CUresult cuLinkCreate(unsigned n, CUjit_option *options, void **values, CUlinkState *state)
{
    if (!state || (n && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    struct CUlinkState_st *s = *state = calloc(1, sizeof *s);
    for (unsigned k = 0; s && k < n; k++)
        if (options[k] == CU_JIT_ERROR_LOG_BUFFER)
            s->log = values[k];
        else if (options[k] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
            s->room = (size_t)values[k];
    if (!s)
        return CUDA_ERROR_OUT_OF_MEMORY;
    return refuse(s, CUDA_SUCCESS, "");
}

CUresult cuLinkAddData(CUlinkState s, CUjitInputType type, void *data, size_t bytes,
                       const char *name, unsigned n, CUjit_option *options, void **values)
{
    RT_HOLD;
    struct hd_err err = { 0 };
    (void)name, (void)n, (void)options, (void)values;
    if (!s || s->linked || !data || !bytes || type >= CU_JIT_INPUT_LIBRARY)
        return CUDA_ERROR_INVALID_VALUE;
    char *copy = malloc(bytes + 1), **parts = realloc(s->parts, (s->n + 1) * sizeof *parts);
    if (parts)
        s->parts = parts;
    if (copy)
        memcpy(copy, data, bytes), copy[bytes] = 0;      /* PTX need not end with a 0 */
    char *ptx = copy && parts ? fatbin_ptx(copy, &err) : NULL;
    free(copy);
    if (!ptx)
        return refuse(s, CUDA_ERROR_INVALID_IMAGE, err.text);
    s->parts[s->n++] = ptx;
    return CUDA_SUCCESS;
}

CUresult cuLinkAddFile(CUlinkState s, CUjitInputType type, const char *path, unsigned n,
                       CUjit_option *options, void **values)
{
    size_t bytes = 0;
    if (!s || !path)
        return CUDA_ERROR_INVALID_VALUE;
    if (type == CU_JIT_INPUT_LIBRARY && strstr(path, "cudadevrt"))
        return CUDA_SUCCESS;                             /* ours is in the run time */
    if (type >= CU_JIT_INPUT_LIBRARY) {
        rt_say("cuLinkAddFile: %s: only PTX, fat binaries and what holds them can be linked", path);
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    char *data = rt_read_file(path, &bytes);
    if (!data)
        return refuse(s, CUDA_ERROR_FILE_NOT_FOUND, path);
    CUresult e = cuLinkAddData(s, type, data, bytes, path, n, options, values);
    free(data);
    return e;
}

CUresult cuLinkComplete(CUlinkState s, void **cubin, size_t *bytes)
{
    RT_HOLD;
    struct hd_err err = { 0 };
    if (!s || !s->n || !cubin)
        return CUDA_ERROR_INVALID_VALUE;
    if (!s->linked) {
        char *refused = NULL, *all = fatbin_linked((const void *const *)s->parts, s->n, &err);
        struct hd_image *image = all ? rt_compile(all, &refused, &err) : NULL;
        if (!image || refused) {
            CUresult e = refuse(s, CUDA_ERROR_INVALID_PTX, image ? refused : err.text);
            hd_image_free(image);
            free(refused);
            free(all);
            return e;
        }
        hd_image_free(image);
        s->linked = all;
    }
    *cubin = s->linked;
    if (bytes)
        *bytes = strlen(s->linked) + 1;
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState s)
{
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    while (s->n)
        free(s->parts[--s->n]);
    free(s->parts);
    free(s->linked);
    free(s);
    return CUDA_SUCCESS;
}

/* ---- libraries ---- */

CUresult cuLibraryLoadData(CUlibrary *lib, const void *image, CUjit_option *options, void **values,
                           unsigned n, CUlibraryOption *lib_options, void **lib_values,
                           unsigned nlib)
{
    (void)lib_options, (void)lib_values, (void)nlib;
    return cuModuleLoadDataEx((CUmodule *)(void *)lib, image, n, options, values);
}
CUresult cuLibraryLoadFromFile(CUlibrary *lib, const char *path, CUjit_option *options,
                               void **values, unsigned n, CUlibraryOption *lib_options,
                               void **lib_values, unsigned nlib)
{
    (void)options, (void)values, (void)n, (void)lib_options, (void)lib_values, (void)nlib;
    return cuModuleLoad((CUmodule *)(void *)lib, path);
}
CUresult cuLibraryUnload(CUlibrary lib) { return cuModuleUnload((CUmodule)(void *)lib); }
CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary lib, const char *name)
{
    return cuModuleGetFunction((CUfunction *)(void *)kernel, (CUmodule)(void *)lib, name);
}
CUresult cuLibraryGetModule(CUmodule *m, CUlibrary lib)
{
    *m = (CUmodule)(void *)lib;
    return lib ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuLibraryGetGlobal(CUdeviceptr *p, size_t *bytes, CUlibrary lib, const char *name)
{
    return cuModuleGetGlobal(p, bytes, (CUmodule)(void *)lib, name);
}
CUresult cuKernelGetFunction(CUfunction *f, CUkernel kernel)
{
    *f = (CUfunction)(void *)kernel;
    return kernel ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
