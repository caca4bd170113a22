/* Stands for libcuda.so.1: a GPU of sm_SM whose every kernel logs one event of lane 0, at
 * trace point 1, and at DIFFERS in the second launch.  The log is parameter 4.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int cuInit(unsigned f) { return (int)f; }
int cuDriverGetVersion(int *v) { *v = 13000; return 0; }
int cuDeviceGet(int *d, int n) { *d = n; return 0; }
int cuDeviceGetName(char *s, int n, int d) { strncpy(s, "Fake", (size_t)n); return d; }
int cuDeviceGetAttribute(int *v, int a, int d)
{
    *v = a == 75 ? SM / 10 : SM % 10;
    return d;
}
int cuDevicePrimaryCtxRetain(void **c, int d) { *c = NULL; return d; }
int cuCtxSetCurrent(void *c) { return c != NULL; }
int cuModuleLoadData(void **m, const void *text) { *m = NULL; return text == NULL; }
int cuModuleGetFunction(void **f, void *m, const char *name) { *f = NULL; return m || !*name; }
int cuMemAlloc_v2(uint64_t *p, size_t n) { *p = (uint64_t)(uintptr_t)malloc(n); return !*p; }
int cuMemsetD8_v2(uint64_t p, unsigned char v, size_t n) { memset((void *)(uintptr_t)p, v, n); return 0; }
int cuMemFree_v2(uint64_t p) { free((void *)(uintptr_t)p); return 0; }
int cuMemcpyHtoD_v2(uint64_t p, const void *s, size_t n) { memcpy((void *)(uintptr_t)p, s, n); return 0; }
int cuMemcpyDtoH_v2(void *d, uint64_t p, size_t n) { memcpy(d, (void *)(uintptr_t)p, n); return 0; }
int cuCtxSynchronize(void) { return 0; }
int cuFuncSetAttribute(void *f, int a, int v) { return f || a < 0 || v < 0; }
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **params, void **extra)
{
    static unsigned launches;
    uint32_t *log = *(void **)params[3];
    log[0] = 1;
    log[4] = launches++ ? DIFFERS : 1;
    return f || stream || extra || !(gx * gy * gz * bx * by * bz) || shared;
}
