/* What the samples' helper_cuda.h is used for: checks of calls, and the choice of a device.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_HELPER_CUDA_H
#define HEDDLE_HELPER_CUDA_H
#include <stdio.h>
#include <stdlib.h>
#include "cuda_runtime.h"
#include "helper_string.h"
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
static inline const char *_cudaGetErrorEnum(cudaError_t e) { return cudaGetErrorName(e); }
template <class T> void check(T result, const char *call, const char *file, int line)
{
    if (!result) return;
    fprintf(stderr, "CUDA error at %s:%d code=%u(%s) \"%s\" \n", file, line, (unsigned)result,
            cudaGetErrorName((cudaError_t)result), call);
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)
static inline void heddle_last_error(const char *what, const char *file, int line, bool ends)
{
    cudaError_t e = cudaGetLastError();
    if (e == cudaSuccess) return;
    fprintf(stderr, "%s(%d) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, what,
            (int)e, cudaGetErrorString(e));
    if (ends) exit(EXIT_FAILURE);
}
#define getLastCudaError(what) heddle_last_error(what, __FILE__, __LINE__, true)
#define printLastCudaError(what) heddle_last_error(what, __FILE__, __LINE__, false)
static inline int ftoi(float v) { return (int)(v >= 0 ? v + 0.5f : v - 0.5f); }
static inline int _ConvertSMVer2Cores(int, int) { return 64; }
static inline const char *_ConvertSMVer2ArchName(int, int) { return "Heddle"; }
static inline int gpuDeviceInit(int device)
{
    checkCudaErrors(cudaSetDevice(device));
    return device;
}
static inline int gpuGetMaxGflopsDeviceId() { return 0; }
static inline int findCudaDevice(int, const char **) { return gpuDeviceInit(0); }
static inline int findIntegratedGPU() { return -1; }
static inline bool checkCudaCapabilities(int major, int minor)
{
    return major < 7 || (major == 7 && minor == 0);
}
#endif
