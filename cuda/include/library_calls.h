/* The runtime API of code that programs load, and of kernels and the driver's calls by name, which
 * cuda_runtime_api.h includes in its midst.
 * SPDX-License-Identifier: Apache-2.0 */
/* Options of compilers and loaders, which change nothing here. */
enum cudaJitOption { cudaJitMaxRegisters, cudaJitThreadsPerBlock, cudaJitWallTime,
                     cudaJitInfoLogBuffer, cudaJitInfoLogBufferSizeBytes, cudaJitErrorLogBuffer,
                     cudaJitErrorLogBufferSizeBytes, cudaJitOptimizationLevel,
                     cudaJitFallbackStrategy = 10, cudaJitGenerateDebugInfo, cudaJitLogVerbose,
                     cudaJitGenerateLineInfo, cudaJitCacheMode };
enum cudaLibraryOption { cudaLibraryHostUniversalFunctionAndDataTable,
                         cudaLibraryBinaryIsPreserved };
enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess,
                                       cudaDriverEntryPointSymbolNotFound,
                                       cudaDriverEntryPointVersionNotSufficent };
#define cudaEnableDefault 0
#define cudaEnableLegacyStream 1
#define cudaEnablePerThreadDefaultStream 2

cudaError_t cudaLibraryLoadData(cudaLibrary_t *lib, const void *code, enum cudaJitOption *options,
                                void **values, unsigned n, enum cudaLibraryOption *lib_options,
                                void **lib_values, unsigned nlib);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *lib, const char *path,
                                    enum cudaJitOption *options, void **values, unsigned n,
                                    enum cudaLibraryOption *lib_options, void **lib_values,
                                    unsigned nlib);
cudaError_t cudaLibraryUnload(cudaLibrary_t lib);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t lib, const char *name);
cudaError_t cudaLibraryGetGlobal(void **p, size_t *bytes, cudaLibrary_t lib, const char *name);
cudaError_t cudaLibraryGetManaged(void **p, size_t *bytes, cudaLibrary_t lib, const char *name);
cudaError_t cudaLibraryGetKernelCount(unsigned *n, cudaLibrary_t lib);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned room, cudaLibrary_t lib);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol);
cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *symbol);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attr,
                                            int value, int device);
cudaError_t cudaFuncGetName(const char **name, const void *fn);
cudaError_t cudaFuncGetParamInfo(const void *fn, size_t which, size_t *offset, size_t *bytes);
cudaError_t cudaGetDriverEntryPoint(const char *name, void **fn, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *result);
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **fn, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *result);
