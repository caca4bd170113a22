/* Compiles device code while a program runs.  SPDX-License-Identifier: Apache-2.0
 * Link with -lnvrtc (cuda/libraries/rtc.c). */
#ifndef __NVRTC_H__
#define __NVRTC_H__
#include <stddef.h>
typedef enum {
    NVRTC_SUCCESS, NVRTC_ERROR_OUT_OF_MEMORY, NVRTC_ERROR_PROGRAM_CREATION_FAILURE,
    NVRTC_ERROR_INVALID_INPUT, NVRTC_ERROR_INVALID_PROGRAM, NVRTC_ERROR_INVALID_OPTION,
    NVRTC_ERROR_COMPILATION, NVRTC_ERROR_BUILTIN_OPERATION_FAILURE,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID,
    NVRTC_ERROR_INTERNAL_ERROR
} nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram;
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
const char *nvrtcGetErrorString(nvrtcResult e);
nvrtcResult nvrtcVersion(int *major, int *minor);
nvrtcResult nvrtcGetNumSupportedArchs(int *n);
nvrtcResult nvrtcGetSupportedArchs(int *archs);
nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *source, const char *name, int n,
                               const char *const *headers, const char *const *names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog);
nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int n, const char *const *options);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *bytes);
nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *bytes);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *bytes);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log);
nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *expression, const char **name);
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
