/* Of the driver API: code that is linked while the program runs, and libraries of kernels.  Values
 * are those of CUDA 12.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUDA_LINK_H
#define HEDDLE_CUDA_LINK_H
typedef enum CUjitInputType_enum {
    CU_JIT_INPUT_CUBIN, CU_JIT_INPUT_PTX, CU_JIT_INPUT_FATBINARY, CU_JIT_INPUT_OBJECT,
    CU_JIT_INPUT_LIBRARY, CU_JIT_INPUT_NVVM
} CUjitInputType;
typedef enum CUjit_target_enum {
    CU_TARGET_COMPUTE_70 = 70, CU_TARGET_COMPUTE_72 = 72, CU_TARGET_COMPUTE_75 = 75,
    CU_TARGET_COMPUTE_80 = 80, CU_TARGET_COMPUTE_86 = 86, CU_TARGET_COMPUTE_87 = 87,
    CU_TARGET_COMPUTE_89 = 89, CU_TARGET_COMPUTE_90 = 90
} CUjit_target;
typedef enum CUjit_fallback_enum { CU_PREFER_PTX, CU_PREFER_BINARY } CUjit_fallback;
typedef enum CUjit_cacheMode_enum {
    CU_JIT_CACHE_OPTION_NONE, CU_JIT_CACHE_OPTION_CG, CU_JIT_CACHE_OPTION_CA
} CUjit_cacheMode;
typedef enum CUlibraryOption_enum {
    CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE, CU_LIBRARY_BINARY_IS_PRESERVED
} CUlibraryOption;
typedef struct CUlinkState_st *CUlinkState;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef unsigned long long cuuint64_t;
typedef unsigned cuuint32_t;
typedef enum CUdriverProcAddressQueryResult_enum {
    CU_GET_PROC_ADDRESS_SUCCESS, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND,
    CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
} CUdriverProcAddressQueryResult;
#define CU_GET_PROC_ADDRESS_DEFAULT 0
#define CU_GET_PROC_ADDRESS_LEGACY_STREAM 1
#define CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM 2

/* The names that programs are linked with. */
#define cuLinkCreate cuLinkCreate_v2
#define cuLinkAddData cuLinkAddData_v2
#define cuLinkAddFile cuLinkAddFile_v2
#define cuGetProcAddress cuGetProcAddress_v2

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
CUresult cuLinkCreate(unsigned n, CUjit_option *options, void **values, CUlinkState *state);
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes,
                       const char *name, unsigned n, CUjit_option *options, void **values);
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned n,
                       CUjit_option *options, void **values);
CUresult cuLinkComplete(CUlinkState state, void **cubin, size_t *bytes);
CUresult cuLinkDestroy(CUlinkState state);

CUresult cuLibraryLoadData(CUlibrary *lib, const void *image, CUjit_option *options, void **values,
                           unsigned n, CUlibraryOption *lib_options, void **lib_values,
                           unsigned nlib);
CUresult cuLibraryLoadFromFile(CUlibrary *lib, const char *path, CUjit_option *options,
                               void **values, unsigned n, CUlibraryOption *lib_options,
                               void **lib_values, unsigned nlib);
CUresult cuLibraryUnload(CUlibrary lib);
CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary lib, const char *name);
CUresult cuLibraryGetModule(CUmodule *m, CUlibrary lib);
CUresult cuLibraryGetGlobal(CUdeviceptr *p, size_t *bytes, CUlibrary lib, const char *name);
CUresult cuLibraryGetKernelCount(unsigned *n, CUlibrary lib);
CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned room, CUlibrary lib);
CUresult cuModuleGetFunctionCount(unsigned *n, CUmodule m);
CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned room, CUmodule m);
CUresult cuKernelGetFunction(CUfunction *f, CUkernel kernel);
CUresult cuKernelGetName(const char **name, CUkernel kernel);
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t which, size_t *offset, size_t *bytes);
CUresult cuFuncGetName(const char **name, CUfunction f);
CUresult cuFuncGetParamInfo(CUfunction f, size_t which, size_t *offset, size_t *bytes);
CUresult cuFuncGetModule(CUmodule *m, CUfunction f);
/* A call of this API by its name, in its newest form. */
CUresult cuGetProcAddress(const char *name, void **fn, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *result);
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
