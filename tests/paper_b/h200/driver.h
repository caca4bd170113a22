/* The CUDA driver, opened at run time, so that nothing of CUDA is needed to build this; it
 * assembles the PTX.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef DRIVER_H
#define DRIVER_H
#include <stddef.h>
#include <stdint.h>

typedef uint64_t gpu_addr;

/* Name, parameters: as cuda.h has them, with void * for its handles. */
#define DRIVER(X) \
    X(cuInit, (unsigned flags)) \
    X(cuGetErrorName, (int error, const char **name)) \
    X(cuDeviceGet, (int *device, int ordinal)) \
    X(cuDeviceGetName, (char *name, int length, int device)) \
    X(cuDeviceGetAttribute, (int *value, int attribute, int device)) \
    X(cuDevicePrimaryCtxRetain, (void **context, int device)) \
    X(cuCtxSetCurrent, (void *context)) \
    X(cuModuleLoadDataEx, (void **module, const void *image, unsigned n, int *options, \
    void **values)) \
    X(cuModuleGetFunction, (void **function, void *module, const char *name)) \
    X(cuModuleUnload, (void *module)) \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, \
    (int *blocks, void *function, int threads, size_t shared)) \
    X(cuMemAlloc_v2, (gpu_addr *at, size_t bytes)) \
    X(cuMemFree_v2, (gpu_addr at)) \
    X(cuMemAllocHost_v2, (void **at, size_t bytes)) \
    X(cuMemFreeHost, (void *at)) \
    X(cuMemcpyHtoD_v2, (gpu_addr to, const void *from, size_t bytes)) \
    X(cuMemcpyHtoDAsync_v2, (gpu_addr to, const void *from, size_t bytes, void *stream)) \
    X(cuMemcpyDtoH_v2, (void *to, gpu_addr from, size_t bytes)) \
    X(cuMemsetD8_v2, (gpu_addr at, unsigned char value, size_t bytes)) \
    X(cuStreamCreate, (void **stream, unsigned flags)) \
    X(cuStreamWaitEvent, (void *stream, void *event, unsigned flags)) \
    X(cuStreamSynchronize, (void *stream)) \
    X(cuEventCreate, (void **event, unsigned flags)) \
    X(cuEventRecord, (void *event, void *stream)) \
    X(cuEventSynchronize, (void *event)) \
    X(cuEventElapsedTime, (float *ms, void *from, void *to)) \
    X(cuLaunchKernel, (void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, \
    unsigned by, unsigned bz, \
                       unsigned shared, void *stream, void **params, void **extra))

struct driver {
#define X(name, params) int (*name) params;
    DRIVER(X)
#undef X
};
extern struct driver gpu;

/* Status not 0: ends the program with status 2, and says what failed. */
void must(int status, const char *what);
/* Opens the driver and the first device; what fails ends the program, as everything here. */
void gpu_open(void);
/* A kernel of some PTX; module may be NULL. */
void *gpu_load(const char *ptx, const char *kernel, void **module);
void gpu_launch(void *kernel, unsigned blocks, unsigned threads, void **params, void *stream);
gpu_addr gpu_room(size_t bytes);

void *room(size_t bytes);                        /* zeroed */
char *contents(const char *path, size_t *size);  /* zero-ended */
#endif
