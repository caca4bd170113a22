// NVML: what it says of the device is what the run time says.  SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <nvml.h>

static int failures;
static void expect(const char *what, bool ok)
{
    if (!ok && failures++ < 20) printf("FAIL %s\n", what);
}
int main()
{
    nvmlDevice_t d, by_id;
    nvmlMemory_t memory;
    nvmlPciInfo_t pci;
    cudaDeviceProp p;
    unsigned n = 0, mhz = 0, v;
    char name[NVML_DEVICE_NAME_BUFFER_SIZE], id[40], uuid[NVML_DEVICE_UUID_BUFFER_SIZE];
    int major = 0, minor = 0;
    void *some;
    expect("not begun", nvmlDeviceGetCount(&n) == NVML_ERROR_UNINITIALIZED);
    expect("begun", nvmlInit() == NVML_SUCCESS);
    expect("one device", nvmlDeviceGetCount(&n) == NVML_SUCCESS && n == 1);
    expect("this", nvmlDeviceGetHandleByIndex(0, &d) == NVML_SUCCESS);
    expect("no other", nvmlDeviceGetHandleByIndex(1, &d) == NVML_ERROR_INVALID_ARGUMENT);
    expect("its properties", cudaGetDeviceProperties(&p, 0) == cudaSuccess &&
               cudaDeviceGetPCIBusId(id, sizeof id, 0) == cudaSuccess);
    expect("by its place", nvmlDeviceGetHandleByPciBusId(id, &by_id) == NVML_SUCCESS && by_id == d);
    expect("none there", nvmlDeviceGetHandleByPciBusId("00000007:77:77.0",
               &by_id) == NVML_ERROR_NOT_FOUND);
    expect("its place", nvmlDeviceGetPciInfo(d, &pci) == NVML_SUCCESS &&
               nvmlDeviceGetHandleByPciBusId(pci.busId, &by_id) == NVML_SUCCESS);
    expect("its name", nvmlDeviceGetName(d, name, sizeof name) == NVML_SUCCESS &&
               !strcmp(name, p.name));
    expect("no room", nvmlDeviceGetName(d, name, 3) == NVML_ERROR_INSUFFICIENT_SIZE);
    expect("its identity", nvmlDeviceGetUUID(d, uuid, sizeof uuid) == NVML_SUCCESS &&
               !strncmp(uuid, "GPU-", 4) && strlen(uuid) == 40);
    expect("capability", nvmlDeviceGetCudaComputeCapability(d, &major,
               &minor) == NVML_SUCCESS && major == p.major && minor == p.minor);
    expect("clock", nvmlDeviceGetClockInfo(d, NVML_CLOCK_SM, &mhz) == NVML_SUCCESS &&
               mhz == (unsigned)p.clockRate / 1000);
    expect("memory", cudaMalloc(&some, 1 << 20) == cudaSuccess &&
               nvmlDeviceGetMemoryInfo(d, &memory) == NVML_SUCCESS &&
           memory.total == p.totalGlobalMem && memory.used >= 1 << 20 &&
                      memory.free + memory.used == memory.total);
    expect("power", nvmlDeviceGetPowerUsage(d, &v) == NVML_ERROR_NOT_SUPPORTED &&
               !strcmp(nvmlErrorString(NVML_ERROR_NOT_SUPPORTED), "Not Supported"));
    expect("ended", nvmlShutdown() == NVML_SUCCESS && nvmlShutdown() == NVML_ERROR_UNINITIALIZED);
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
