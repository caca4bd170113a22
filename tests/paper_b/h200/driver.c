/* The driver is found at run time: in the program itself (a test's stand-in), else in libcuda.so.1.
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/paper_b/h200/driver.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

struct driver gpu;

void must(int status, const char *what)
{
    const char *name = NULL;
    if (!status)
        return;
    if (gpu.cuGetErrorName && status > 0 && gpu.cuGetErrorName(status, &name) == 0 && name)
        fprintf(stderr, "gpu: %s: %s\n", what, name);
    else
        fprintf(stderr, "gpu: %s: %s %d\n", what, status > 0 ? "error of the driver" : "status",
                status);
    exit(2);
}

static void *find(void *lib, const char *name)
{
    void *fn = dlsym(lib, name);
    if (!fn) {
        fprintf(stderr, "gpu: the driver has no %s\n", name);
        exit(2);
    }
    return fn;
}

void gpu_open(void)
{
    static const char *const places[] = { "libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1",
                                          "/usr/lib64/libcuda.so.1",
                                          "/usr/lib/x86_64-linux-gnu/libcuda.so.1" };
    void *lib = dlopen(NULL, RTLD_NOW), *context;
    int device;
    if (!dlsym(lib, "cuInit"))
        lib = NULL;
    for (unsigned k = 0; !lib && k < sizeof places / sizeof *places; k++)
        lib = dlopen(places[k], RTLD_NOW);
    if (!lib) {
        fprintf(stderr, "gpu: %s\n", dlerror());
        exit(2);
    }
#define X(name, params) *(void **)&gpu.name = find(lib, #name);
    DRIVER(X)
#undef X
    must(gpu.cuInit(0), "cuInit");
    must(gpu.cuDeviceGet(&device, 0), "cuDeviceGet");
    must(gpu.cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    must(gpu.cuCtxSetCurrent(context), "cuCtxSetCurrent");
}

void *gpu_load(const char *ptx, const char *kernel, void **module)
{
    enum { ERROR_LOG = 5, ERROR_LOG_SIZE = 6 };      /* of CUjit_option */
    static char log[4096];
    int options[] = { ERROR_LOG, ERROR_LOG_SIZE };
    void *values[] = { log, (void *)(uintptr_t)sizeof log }, *own, *f;
    int status = gpu.cuModuleLoadDataEx(module ? module : &own, ptx, 2, options, values);
    if (status)
        fprintf(stderr, "gpu: %.*s\n", (int)sizeof log - 1, log);
    must(status, kernel);
    must(gpu.cuModuleGetFunction(&f, module ? *module : own, kernel), kernel);
    return f;
}

void gpu_launch(void *kernel, unsigned blocks, unsigned threads, void **params, void *stream)
{
    must(gpu.cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, stream, params, NULL),
         "cuLaunchKernel");
}

gpu_addr gpu_room(size_t bytes)
{
    gpu_addr at;
    must(gpu.cuMemAlloc_v2(&at, bytes), "cuMemAlloc");
    return at;
}

void *room(size_t bytes)
{
    void *p = calloc(1, bytes + 1);
    if (!p) {
        fprintf(stderr, "gpu: no memory for %zu bytes\n", bytes);
        exit(2);
    }
    return p;
}

char *contents(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    if (f && !fseek(f, 0, SEEK_END)) {
        *size = (size_t)ftell(f);
        rewind(f);
        text = room(*size);
    }
    if (!text || fread(text, 1, *size, f) != *size) {
        fprintf(stderr, "gpu: %s: cannot be read\n", path);
        exit(2);
    }
    fclose(f);
    return text;
}
