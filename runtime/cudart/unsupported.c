/* Calls that programs link with and that are not there yet: each says its name once, and answers
 * cudaErrorNotSupported.
 * SPDX-License-Identifier: Apache-2.0 */
#include "runtime/cudart/rt.h"

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
#include "runtime/cudart/missing.def"
