// Names and texts of errors, for kernels that ask for them; and the virtual functions that a class lacks.  SPDX-License-Identifier: Apache-2.0
#include "softlib/types.cuh"

#define CUDA_ERROR(name, number, text) case number: return #name;
DEVICE const char *__cudaCDP2GetErrorName(u32 error)
{
    switch (error) {
#include "include/cuda_errors.def"
    default: return "unrecognized error code";
    }
}
#undef CUDA_ERROR
#define CUDA_ERROR(name, number, text) case number: return text;
DEVICE const char *__cudaCDP2GetErrorString(u32 error)
{
    switch (error) {
#include "include/cuda_errors.def"
    default: return "unrecognized error code";
    }
}

// Tables of abstract classes name these.
DEVICE void __cxa_pure_virtual() { asm volatile("trap;"); }
DEVICE void __cxa_deleted_virtual() { asm volatile("trap;"); }
