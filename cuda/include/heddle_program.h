/* What stands in front of every CUDA source that `heddle nvcc` compiles, for host and device: the
 * language, the run time's API, device functions.  SPDX-License-Identifier: Apache-2.0
 *
 * The language, atomics, and what lanes say to each other are heddle_cuda.h, which `heddle cc` has
 * too; mathematics comes through clang's own headers, which call __nv_* functions (heddle_math.h).
 * The order matters: what the device has of <cmath> is declared before <cmath>, whose constexpr
 * functions would otherwise be both sides'. */
#ifndef HEDDLE_PROGRAM_H
#define HEDDLE_PROGRAM_H
#define HEDDLE_PROGRAM 1
#define CUDA_VERSION 12000
#include <__clang_cuda_math_forward_declares.h>
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define __NVCC__ 1
#include "heddle_constexpr.h"
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>
#include "heddle_cuda.h"
#include "vector_long.h"
#include "cuda_runtime.h"

/* What cuda/nvcc/brackets.c puts in the place of others. */
#define __align(...) _Alignas(__VA_ARGS__)
#define __hdp(...) _Pragma(#__VA_ARGS__)
#define __grid_constant__ /* parameters are read-only, and in one place for the grid, anyway */

/* clang's host code registers a file's image only where the host can name something in it; device
 * functions alone are for other files to call. */
#ifdef __CUDACC_RDC__
static __device__ __attribute__((used)) char heddle_unit;
#endif

/* What a link asks for, so that this object comes out of its archive (cuda/nvcc/archives.c). */
#ifdef HEDDLE_DEVICE_CODE
extern "C" {
extern const char HEDDLE_DEVICE_CODE __attribute__((weak, used));
const char HEDDLE_DEVICE_CODE = 0;
}
#endif

/* A variable of host and device: the host's side stands in a section of its own, whose place the
 * run time is given before the variables; it copies them before and after launches. */
#undef __managed__
#define __managed__ __device__ __attribute__((section("heddle_managed")))
#ifndef __CUDA_ARCH__
extern "C" {
extern char __start_heddle_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_heddle_managed[] __attribute__((weak, visibility("hidden")));
}
__attribute__((constructor(200))) static void heddle_tell_managed()
{
    if (__start_heddle_managed) __heddleManaged(__start_heddle_managed, __stop_heddle_managed);
}
#endif

/* Conversions that clang's header of built-in variables leaves to us. */
#define HEDDLE_BUILTIN(NAME) \
    __device__ inline __cuda_builtin_##NAME##_t::operator dim3() const { return dim3(x, y, z); } \
    __device__ inline __cuda_builtin_##NAME##_t::operator uint3() const { return {x, y, z}; }
HEDDLE_BUILTIN(threadIdx)
HEDDLE_BUILTIN(blockIdx)
HEDDLE_BUILTIN(blockDim)
HEDDLE_BUILTIN(gridDim)
#undef HEDDLE_BUILTIN

extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...);
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void free(void *) __attribute__((nothrow));
__device__ void __assertfail(const char *what, const char *file, unsigned line, const char *fn,
                             size_t char_size);
__device__ static inline void __assert_fail(const char *what, const char *file, unsigned line,
                                            const char *fn)
{
    __assertfail(what, file, line, fn, 1);
}
}
/* Programmatic dependent launches: the grid before has ended. */
static __inline__ __device__ void cudaGridDependencySynchronize() {}
static __inline__ __device__ void cudaTriggerProgrammaticLaunchCompletion() {}
/* Which clang declares for the device, and does not define. */
static __inline__ __device__ float nanf(const char *) { return __builtin_nanf(""); }
static __inline__ __device__ double nan(const char *) { return __builtin_nan(""); }
namespace std {
__device__ static inline void *malloc(size_t n) { return ::malloc(n); }
__device__ static inline void free(void *p) { ::free(p); }
}

#include "cuda_device_runtime_api.h"

/* Mathematics.  clang's headers ask for what CUDA's own define in other places. */
#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 9999
#endif
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include "heddle_bessel.h"
#pragma pop_macro("__CUDA_ARCH__")
#include <__clang_cuda_cmath.h>
#include "heddle_host_math.h"
#include "heddle_intrinsics.h"
#include "heddle_dpx.h"
#include "heddle_math.h"
#include "heddle_overloads.h"
#include "heddle_refused.h"
#endif
