/* Names and sentences of errors.  SPDX-License-Identifier: Apache-2.0 */
#include "cuda/cudart/rt.h"

static const struct { cudaError_t value; const char *name, *text; } errors[] = {
#define CUDA_ERROR(name, value, text) { name, #name, text },
#include "compiler/include/cuda_errors.def"
#undef CUDA_ERROR
};
enum { ERRORS = sizeof errors / sizeof *errors };

const char *cudaGetErrorName(cudaError_t e)
{
    for (int k = 0; k < ERRORS; k++)
        if (errors[k].value == e)
            return errors[k].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t e)
{
    for (int k = 0; k < ERRORS; k++)
        if (errors[k].value == e)
            return errors[k].text;
    return "unrecognized error code";
}
