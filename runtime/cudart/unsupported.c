/* Calls that programs link with and that are not there yet: each says its name once, and answers
 * cudaErrorNotSupported.
 * SPDX-License-Identifier: Apache-2.0 */
#include "runtime/cudart/rt.h"
#include "runtime/include/texture_types.h"

static cudaError_t missing(const char *name, bool *said)
{
    RT_HOLD;
    if (!*said)
        rt_say("%s is not supported", name);
    *said = true;
    return rt_error(cudaErrorNotSupported);
}
#define MISSING(name) { static bool said; return missing(#name, &said); }

#pragma GCC diagnostic ignored "-Wunused-parameter"
cudaError_t cudaMallocArray(cudaArray_t *a, const struct cudaChannelFormatDesc *d, size_t w,
                            size_t h, unsigned f) MISSING(cudaMallocArray) cudaError_t
    cudaFreeArray(cudaArray_t a) MISSING(cudaFreeArray) cudaError_t
    cudaCreateTextureObject(cudaTextureObject_t *t, const struct cudaResourceDesc *from,
                            const struct cudaTextureDesc *how,
                            const struct cudaResourceViewDesc *view)
        MISSING(cudaCreateTextureObject) cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t)
            MISSING(cudaDestroyTextureObject)

/* Programs that nvcc linked find each name; what they pass is not looked at. */
#undef MISSING
#define MISSING(name) \
    __attribute__((visibility("default"))) cudaError_t name(void); \
    cudaError_t name(void) { static bool said; return missing(#name, &said); }
#include "runtime/cudart/missing.def"
