// The driver API: a module from a file of PTX, its kernel and its variable, parameters one by one, packed, and kept by the
// function as CUDA 3.1 did.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cudaProfiler.h>

#define CHECK(call) \
    do { \
        CUresult e = (call); \
        const char *name; \
        if (e != CUDA_SUCCESS) cuGetErrorName(e, &name), printf("%s: %s\n", #call, name), exit(1); \
    } while (0)

int main(int argc, char **argv)
{
    enum { N = 50 };
    CUcontext context;
    CUmodule module;
    CUfunction scale, none;
    CUdeviceptr p, bias;
    size_t bytes;
    int host[N], n = N, wrong = 0, value = 100;
    short by = 3;
    if (argc < 2) return 2;
    CHECK(cuInit(0));
    CHECK(cuCtxCreate(&context, 0, 0));
    CHECK(cuModuleLoad(&module, argv[1]));
    CHECK(cuModuleGetFunction(&scale, module, "scale"));
    wrong += cuModuleGetFunction(&none, module, "nothing") != CUDA_ERROR_NOT_FOUND;
    wrong += cuModuleGetGlobal(&bias, &bytes, module, "nothing") != CUDA_ERROR_NOT_FOUND;
    CHECK(cuModuleGetGlobal(&bias, &bytes, module, "bias"));
    wrong += bytes != sizeof value;
    CHECK(cuMemAlloc(&p, sizeof host));
    CHECK(cuMemsetD32(p, 7, N));
    void *args[] = { &p, &by, &n };
    CHECK(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, 0, args, NULL));
    CHECK(cuMemcpyHtoD(bias, &value, sizeof value));
    struct { CUdeviceptr p; short by; int n; } packed = { p, -1, N };
    bytes = sizeof packed;
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END };
    CHECK(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, 0, NULL, extra));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyDtoH(host, p, sizeof host));
    for (int i = 0; i < N; i++) wrong += host[i] != 100 - (7 * 3 + 5);
    // By what the function keeps: p at 0, by at 8, n at 12.
    CUfunction no_function = (CUfunction)&n;
    CHECK(cuFuncSetBlockShape(scale, 32, 1, 1));
    CHECK(cuFuncSetSharedSize(scale, 16));
    CHECK(cuParamSetv(scale, 0, &p, sizeof p));
    CHECK(cuParamSetv(scale, 8, &by, sizeof by));
    CHECK(cuParamSeti(scale, 12, N));
    CHECK(cuParamSetSize(scale, 16));
    CHECK(cuLaunchGrid(scale, 2, 1));
    CHECK(cuMemcpyDtoH(host, p, sizeof host));
    for (int i = 0; i < N; i++) wrong += host[i] != (100 - (7 * 3 + 5)) * 3 + 100;
    CHECK(cuLaunch(scale));
    CHECK(cuMemcpyDtoH(host, p, sizeof host));
    wrong += host[31] == host[32] || host[0] != host[31];
    wrong += cuParamSetv(scale, 4094, &p, sizeof p) != CUDA_ERROR_INVALID_VALUE || cuParamSetSize(scale, 4097) != CUDA_ERROR_INVALID_VALUE;
    wrong += cuFuncSetBlockShape(no_function, 1, 1, 1) != CUDA_ERROR_INVALID_HANDLE || cuLaunchGrid(scale, 0, 1) != CUDA_ERROR_INVALID_VALUE;
    CUcontext same;
    CUsharedconfig banks;
    CUdevice device;
    char bus[20];
    const char *name;
    CHECK(cuCtxAttach(&same, 0));
    CHECK(cuCtxDetach(same));
    CUevent untimed;
    wrong += same != context || cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS ||
             cuMemHostRegister(host, sizeof host, CU_MEMHOSTREGISTER_DEVICEMAP) != CUDA_SUCCESS || cuMemHostUnregister(host) != CUDA_SUCCESS;
    CHECK(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
    CHECK(cuCtxGetSharedMemConfig(&banks));
    CHECK(cuFuncSetSharedMemConfig(scale, banks));
    CHECK(cuDeviceGetPCIBusId(bus, sizeof bus, 0));
    CHECK(cuDeviceGetByPCIBusId(&device, bus));
    CHECK(cuProfilerStart());
    CHECK(cuProfilerStop());
    CHECK(cuGetErrorName(CUDA_ERROR_CONTEXT_IS_DESTROYED, &name));
    wrong += strcmp(name, "CUDA_ERROR_CONTEXT_IS_DESTROYED") != 0;
    int orders[2] = { 10, 20 }, more = 400;
    CHECK(cuModuleGetFunction(&none, module, "_Z3sumPi"));
    CHECK(cuModuleGetGlobal(&bias, &bytes, module, "order"));
    wrong += bytes != sizeof orders;
    CHECK(cuMemcpyHtoD(bias, orders, sizeof orders));
    CHECK(cuModuleGetGlobal(&bias, &bytes, module, "more"));
    CHECK(cuMemcpyHtoD(bias, &more, sizeof more));
    CHECK(cuModuleGetGlobal(&bias, &bytes, module, "unread"));
    void *sums[] = { &p };
    CHECK(cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 0, 0, sums, NULL));
    CHECK(cuMemcpyDtoH(host, p, sizeof *host));
    wrong += host[0] != 430;
    CHECK(cuMemFree(p));
    CHECK(cuModuleUnload(module));
    CHECK(cuCtxDestroy(context));
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
