/* A stand-in for the CUDA driver: kernels run on our model, so that the recipe for a GPU runs, and
 * its results are right or wrong, on a machine without one.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Linked into the program, which finds it there.  Memory is the host's; each launch copies all of
 * it to a new device and back.  Time is the model's, with the core's profile, at one cycle a
 * nanosecond.  GPU_FAILS=NAME:N: the N-th call of NAME fails, as a GPU's may. */
#include "tests/paper_b/h200/driver.h"
#include "cmodel/heddle.h"
#include "cmodel/image/image.h"
#include "compiler/all.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID = 1, NO_MEMORY = 2, BROKEN_PTX = 218, NOT_FOUND = 500, FAILED = 719 };
enum { ALLOCATIONS = 64 };

struct allocation { uint64_t at, bytes; unsigned char *data; };
static struct allocation all[ALLOCATIONS];
static unsigned nall;
static hd_device *device;
static double now;                       /* microseconds of the kernels that have run */

static int fails(const char *name)
{
    static unsigned calls;
    const char *given = getenv("GPU_FAILS"), *colon = given ? strchr(given, ':') : NULL;
    size_t n = strlen(name);
    if (!colon || (size_t)(colon - given) != n || strncmp(given, name, n))
        return 0;
    return ++calls == (unsigned)atoi(colon + 1) ? FAILED : 0;
}
#define MAY_FAIL do { int failed = fails(__func__); if (failed) return failed; } while (0)

/* The same prototypes as the program calls, where it can find them. */
#define X(name, params) __attribute__((visibility("default"))) int name params;
DRIVER(X)
#undef X

int cuInit(unsigned flags)
{
    MAY_FAIL;
    return hd_open(&(struct hd_config){ .kind = HD_MODEL, .timing = "core" }, &device) == HD_OK &&
                   !flags
               ? 0
               : INVALID;
}

int cuGetErrorName(int error, const char **name)
{
    *name = error == FAILED ? "CUDA_ERROR_LAUNCH_FAILED" : NULL;
    return *name ? 0 : INVALID;
}

int cuDeviceGet(int *d, int ordinal) { MAY_FAIL; return *d = 0, ordinal ? INVALID : 0; }
int cuDeviceGetName(char *name, int length, int d)
{
    MAY_FAIL;
    return snprintf(name, (size_t)length, "a stand-in"), d;
}
int cuDeviceGetAttribute(int *value, int attribute, int d)
{
    MAY_FAIL;
    return *value = 2, attribute == 16 ? d : INVALID;
}
int cuDevicePrimaryCtxRetain(void **context, int d) { MAY_FAIL; return *context = &device, d; }
int cuCtxSetCurrent(void *context) { MAY_FAIL; return context == &device ? 0 : INVALID; }

/* ---- modules ---- */

int cuModuleLoadDataEx(void **module, const void *image, unsigned n, int *options, void **values)
{
    MAY_FAIL;
    struct hd_err err = { 0 };
    *module = hd_compile_ptx("stand-in", image, &(struct cc_options){ 0 }, &err);
    for (unsigned k = 0; !*module && k + 1 < n; k++)
        if (options[k] == 5)
            snprintf(values[k], (size_t)(uintptr_t)values[k + 1], "%s", err.text);
    return *module ? 0 : BROKEN_PTX;
}

int cuModuleUnload(void *module) { MAY_FAIL; return hd_image_free(module), 0; }

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    MAY_FAIL;
    const struct hd_image *img = *function = module;
    return !strcmp(img->kernels[0].name, name) ? 0 : NOT_FOUND;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads,
                                                size_t shared)
{
    MAY_FAIL;
    return *blocks = 2048 / threads, function && !shared ? 0 : INVALID;
}

/* ---- memory ---- */

/* That holds all of these bytes; NULL: none does. */
static struct allocation *holder(gpu_addr at, size_t bytes)
{
    for (unsigned k = 0; k < nall; k++)
        if (all[k].data && at >= all[k].at && at + bytes <= (gpu_addr)all[k].at + all[k].bytes)
            return &all[k];
    return NULL;
}

int cuMemAlloc_v2(gpu_addr *at, size_t bytes)
{
    MAY_FAIL;
    struct allocation *a = &all[nall];
    if (nall == ALLOCATIONS || hd_malloc(device, bytes, &a->at) != HD_OK ||
        !(a->data = malloc(bytes)))
        return NO_MEMORY;
    memset(a->data, 0xa5, bytes);        /* a GPU's memory is not zeros */
    a->bytes = (uint32_t)bytes;
    *at = a->at;
    nall++;
    return 0;
}

int cuMemFree_v2(gpu_addr at)
{
    MAY_FAIL;
    struct allocation *a = holder(at, 0);
    if (!a || a->at != at)
        return INVALID;
    free(a->data);
    a->data = NULL;
    return 0;
}

int cuMemAllocHost_v2(void **at, size_t bytes)
{
    MAY_FAIL;
    return *at = malloc(bytes), *at ? 0 : NO_MEMORY;
}
int cuMemFreeHost(void *at) { MAY_FAIL; return free(at), 0; }

int cuMemcpyHtoD_v2(gpu_addr to, const void *from, size_t bytes)
{
    MAY_FAIL;
    struct allocation *a = holder(to, bytes);
    return a ? memcpy(a->data + (to - a->at), from, bytes), 0 : INVALID;
}

int cuMemcpyHtoDAsync_v2(gpu_addr to, const void *from, size_t bytes, void *stream)
{
    MAY_FAIL;
    return stream ? cuMemcpyHtoD_v2(to, from, bytes) : INVALID;
}

int cuMemcpyDtoH_v2(void *to, gpu_addr from, size_t bytes)
{
    MAY_FAIL;
    struct allocation *a = holder(from, bytes);
    return a ? memcpy(to, a->data + (from - a->at), bytes), 0 : INVALID;
}

int cuMemsetD8_v2(gpu_addr at, unsigned char value, size_t bytes)
{
    MAY_FAIL;
    struct allocation *a = holder(at, bytes);
    return a ? memset(a->data + (at - a->at), value, bytes), 0 : INVALID;
}

/* ---- streams and events: everything is done when its call returns ---- */

int cuStreamCreate(void **stream, unsigned flags)
{
    MAY_FAIL;
    return *stream = malloc(1), flags > 1;
}
int cuStreamWaitEvent(void *stream, void *event, unsigned flags)
{
    MAY_FAIL;
    return !stream || !event || flags;
}
int cuStreamSynchronize(void *stream) { MAY_FAIL; return (void)stream, 0; }
int cuEventCreate(void **event, unsigned flags)
{
    MAY_FAIL;
    return *event = calloc(1, sizeof(double)), flags > 2;
}
int cuEventRecord(void *event, void *stream)
{
    MAY_FAIL;
    return (void)stream, *(double *)event = now, 0;
}
int cuEventSynchronize(void *event) { MAY_FAIL; return !event; }

int cuEventElapsedTime(float *ms, void *from, void *to)
{
    MAY_FAIL;
    return *ms = (float)(1e-3 * (*(double *)to - *(double *)from)), 0;
}

/* ---- launches ---- */

/* All memory, at the addresses that the program knows. */
static int give(const struct hd_image *img)
{
    bool ok = hd_reset(device, 0) == HD_OK && hd_load(device, img) == HD_OK;
    for (unsigned k = 0; ok && k < nall; k++) {
        uint64_t at;
        ok = hd_malloc(device, all[k].bytes, &at) == HD_OK && at == all[k].at &&
             (!all[k].data || hd_write(device, at, all[k].data, all[k].bytes) == HD_OK);
    }
    return ok ? 0 : NO_MEMORY;
}

static int take(void)
{
    for (unsigned k = 0; k < nall; k++)
        if (all[k].data && hd_read(device, all[k].at, all[k].data, all[k].bytes) != HD_OK)
            return FAILED;
    return 0;
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **params, void **extra)
{
    MAY_FAIL;
    const struct hd_image *img = function;
    const struct hd_kernel *k = &img->kernels[0];
    unsigned char block[512] = { 0 };
    (void)stream;
    if (extra || k->params_size > sizeof block || !gx)
        return INVALID;
    for (uint32_t i = 0; i < k->nparams; i++)
        memcpy(block + k->params[i].off, params[i], k->params[i].size);
    struct hd_launch l = { .kernel = k->name,
                           .grid = { gx, gy, gz },
                           .block = { bx, by, bz },
                           .shared_bytes = shared,
                           .params = block,
                           .params_size = k->params_size };
    int status = give(img);
    if (!status && hd_launch_grid(device, &l) != HD_OK) {
        hd_explain(device, stderr);
        return FAILED;
    }
    now += 1e-3 * (double)hd_get_counters(device)->cycles;
    return status ? status : take();
}
