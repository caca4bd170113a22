/* Calls that programs link with and that are not there yet: each says its name once, and answers
 * cudaErrorNotSupported.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cuda/cudart/rt.h"

static cudaError_t missing(const char *name, bool *said)
{
    RT_HOLD;
    if (!*said)
        rt_say("%s is not supported", name);
    *said = true;
    return rt_error(cudaErrorNotSupported);
}

/* Programs that nvcc linked find each name; what they pass is not looked at. */
#define MISSING(name) \
    __attribute__((visibility("default"))) cudaError_t name(void); \
    cudaError_t name(void) { static bool said; return missing(#name, &said); }
#include "cuda/cudart/missing.def"

/* Between processes. */
#define SAYS(...) { static bool said; __VA_ARGS__; return missing(__func__, &said); }
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *h, void *p) SAYS((void)h, (void)p)
cudaError_t cudaIpcOpenMemHandle(void **p, cudaIpcMemHandle_t h, unsigned flags)
    SAYS((void)p, (void)h, (void)flags)
cudaError_t cudaIpcCloseMemHandle(void *p) SAYS((void)p)
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *h, cudaEvent_t e) SAYS((void)h, (void)e)
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *e, cudaIpcEventHandle_t h) SAYS((void)e, (void)h)

/* Of the driver API, for programs that want each name to be there; it keeps no last error. */
#define DRIVER_MISSING(name) \
    __attribute__((visibility("default"))) cudaError_t name(void); \
    cudaError_t name(void) \
    { \
        static bool said; \
        missing(#name, &said); \
        cudaGetLastError(); \
        return cudaErrorNotSupported; \
    }
DRIVER_MISSING(cuIpcGetMemHandle) DRIVER_MISSING(cuIpcOpenMemHandle)
DRIVER_MISSING(cuIpcOpenMemHandle_v2) DRIVER_MISSING(cuIpcCloseMemHandle)
DRIVER_MISSING(cuIpcGetEventHandle) DRIVER_MISSING(cuIpcOpenEventHandle)
DRIVER_MISSING(cuTexRefCreate) DRIVER_MISSING(cuTexRefDestroy) DRIVER_MISSING(cuGetExportTable)
DRIVER_MISSING(cuGraphicsMapResources) DRIVER_MISSING(cuGraphicsUnmapResources)
DRIVER_MISSING(cuGraphicsUnregisterResource) DRIVER_MISSING(cuGraphicsSubResourceGetMappedArray)
DRIVER_MISSING(cuGraphicsResourceGetMappedPointer)
DRIVER_MISSING(cuGraphicsResourceGetMappedPointer_v2)
DRIVER_MISSING(cuGraphicsResourceGetMappedMipmappedArray)
DRIVER_MISSING(cuGraphicsResourceSetMapFlags) DRIVER_MISSING(cuGraphicsResourceSetMapFlags_v2)
