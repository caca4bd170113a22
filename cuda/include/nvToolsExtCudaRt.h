/* NVTX's names for what the run time makes.  SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_NVTOOLSEXTCUDART_H
#define HEDDLE_NVTOOLSEXTCUDART_H
#include "cuda_runtime_api.h"
#include "nvToolsExt.h"
HD_NVTX void nvtxNameCudaDeviceA(int device, const char *text) { (void)device, (void)text; }
HD_NVTX void nvtxNameCudaStreamA(cudaStream_t s, const char *text) { (void)s, (void)text; }
HD_NVTX void nvtxNameCudaEventA(cudaEvent_t event, const char *text) { (void)event, (void)text; }
#ifndef UNICODE
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif
#endif
