/* Launches as CUDA 3.1 made them: a function keeps block, shared memory and parameters.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUDA_OLD_LAUNCH_H
#define HEDDLE_CUDA_OLD_LAUNCH_H
#include "cuda_texture.h"
#define CU_PARAM_TR_DEFAULT -1
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
CUresult cuFuncSetBlockShape(CUfunction f, int x, int y, int z);
CUresult cuFuncSetSharedSize(CUfunction f, unsigned bytes);
CUresult cuParamSetSize(CUfunction f, unsigned bytes);
CUresult cuParamSeti(CUfunction f, int offset, unsigned value);
CUresult cuParamSetf(CUfunction f, int offset, float value);
CUresult cuParamSetv(CUfunction f, int offset, void *value, unsigned bytes);
CUresult cuParamSetTexRef(CUfunction f, int unit, CUtexref t);
CUresult cuLaunch(CUfunction f);
CUresult cuLaunchGrid(CUfunction f, int width, int height);
CUresult cuLaunchGridAsync(CUfunction f, int width, int height, CUstream stream);
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
