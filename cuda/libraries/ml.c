/* NVML: what the run time says of the device, under other names.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cuda/include/cuda_runtime_api.h"
#include "cuda/include/nvml.h"

#pragma GCC visibility push(default)
static int users;                           /* of nvmlInit that are not over */
#define DEVICE ((nvmlDevice_t)(void *)&users)       /* the one */

const char *nvmlErrorString(nvmlReturn_t e)
{
    static const struct { nvmlReturn_t e; const char *text; } all[] = {
        { NVML_SUCCESS, "Success" }, { NVML_ERROR_UNINITIALIZED, "Uninitialized" },
        { NVML_ERROR_INVALID_ARGUMENT, "Invalid Argument" },
        { NVML_ERROR_NOT_SUPPORTED, "Not Supported" }, { NVML_ERROR_NOT_FOUND, "Not Found" },
        { NVML_ERROR_NO_PERMISSION, "Insufficient Permissions" },
        { NVML_ERROR_INSUFFICIENT_SIZE, "Insufficient Size" }
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].e == e)
            return all[k].text;
    return "Unknown Error";
}

/* Between nvmlInit and nvmlShutdown, of the device, with a place for the answer. */
static nvmlReturn_t ask(nvmlDevice_t d, const void *to, struct cudaDeviceProp *p)
{
    return !users ? NVML_ERROR_UNINITIALIZED
           : d != DEVICE || !to ? NVML_ERROR_INVALID_ARGUMENT
           : cudaGetDeviceProperties(p, 0) != cudaSuccess ? NVML_ERROR_UNKNOWN : NVML_SUCCESS;
}
static nvmlReturn_t tell(char *to, unsigned room, const char *text)
{
    if (strlen(text) >= room)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    strcpy(to, text);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlInit(void) { users++; return NVML_SUCCESS; }
nvmlReturn_t nvmlShutdown(void)
{
    if (!users)
        return NVML_ERROR_UNINITIALIZED;
    users--;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version)
{
    if (!version)
        return NVML_ERROR_INVALID_ARGUMENT;
    return cudaDriverGetVersion(version) == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}
/* That of the driver API: there is no other driver. */
nvmlReturn_t nvmlSystemGetDriverVersion(char *to, unsigned room)
{
    char text[40];
    int version = 0;
    nvmlReturn_t e = !users ? NVML_ERROR_UNINITIALIZED
                     : !to  ? NVML_ERROR_INVALID_ARGUMENT
                            : nvmlSystemGetCudaDriverVersion(&version);
    snprintf(text, sizeof text, "%d.%d", version / 1000, version % 1000 / 10);
    return e == NVML_SUCCESS ? tell(to, room, text) : e;
}

nvmlReturn_t nvmlDeviceGetCount(unsigned *n)
{
    if (!users || !n)
        return users ? NVML_ERROR_INVALID_ARGUMENT : NVML_ERROR_UNINITIALIZED;
    *n = 1;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned k, nvmlDevice_t *d)
{
    if (!users || !d || k)
        return users ? NVML_ERROR_INVALID_ARGUMENT : NVML_ERROR_UNINITIALIZED;
    *d = DEVICE;
    return NVML_SUCCESS;
}
/* DOMAIN:BUS:DEVICE.FUNCTION, of which the run time writes fewer digits than others may. */
nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *id, nvmlDevice_t *d)
{
    unsigned domain, bus, device;
    struct cudaDeviceProp p;
    nvmlReturn_t e = ask(DEVICE, id, &p);
    if (e != NVML_SUCCESS)
        return e;
    if (!d || sscanf(id, "%x:%x:%x", &domain, &bus, &device) != 3)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (domain != (unsigned)p.pciDomainID || bus != (unsigned)p.pciBusID ||
        device != (unsigned)p.pciDeviceID)
        return NVML_ERROR_NOT_FOUND;
    *d = DEVICE;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t d, unsigned *k)
{
    struct cudaDeviceProp p;
    nvmlReturn_t e = ask(d, k, &p);
    if (e == NVML_SUCCESS)
        *k = 0;
    return e;
}
nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t d, char *to, unsigned room)
{
    struct cudaDeviceProp p;
    nvmlReturn_t e = ask(d, to, &p);
    return e == NVML_SUCCESS ? tell(to, room, p.name) : e;
}
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t d, char *to, unsigned room)
{
    struct cudaDeviceProp p;
    char text[NVML_DEVICE_UUID_BUFFER_SIZE] = "GPU-";
    nvmlReturn_t e = ask(d, to, &p);
    if (e != NVML_SUCCESS)
        return e;
    for (int k = 0; k < 16; k++)
        snprintf(text + strlen(text), 4, "%s%02x", k == 4 || k == 6 || k == 8 || k == 10 ? "-" : "",
                 (unsigned char)p.uuid.bytes[k]);
    return tell(to, room, text);
}
nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t d, nvmlPciInfo_t *to)
{
    struct cudaDeviceProp p;
    nvmlReturn_t e = ask(d, to, &p);
    if (e != NVML_SUCCESS)
        return e;
    *to = (nvmlPciInfo_t){ .domain = (unsigned)p.pciDomainID, .bus = (unsigned)p.pciBusID,
                           .device = (unsigned)p.pciDeviceID };
    snprintf(to->busId, sizeof to->busId, "%08X:%02X:%02X.0", to->domain, to->bus, to->device);
    snprintf(to->busIdLegacy, sizeof to->busIdLegacy, "%04X:%02X:%02X.0", to->domain & 0xffff,
             to->bus & 0xff, to->device & 0xff);
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t d, int *major, int *minor)
{
    struct cudaDeviceProp p;
    nvmlReturn_t e = ask(d, major && minor ? major : NULL, &p);
    if (e == NVML_SUCCESS)
        *major = p.major, *minor = p.minor;
    return e;
}
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t d, nvmlMemory_t *to)
{
    struct cudaDeviceProp p;
    size_t left, total;
    nvmlReturn_t e = ask(d, to, &p);
    if (e == NVML_SUCCESS && cudaMemGetInfo(&left, &total) != cudaSuccess)
        e = NVML_ERROR_UNKNOWN;
    if (e == NVML_SUCCESS)
        *to = (nvmlMemory_t){ total, left, total - left };
    return e;
}
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t d, nvmlClockType_t type, unsigned *mhz)
{
    struct cudaDeviceProp p;
    nvmlReturn_t e = ask(d, mhz, &p);
    if (e != NVML_SUCCESS)
        return e;
    int khz = type == NVML_CLOCK_MEM ? p.memoryClockRate : type <= NVML_CLOCK_SM ? p.clockRate : 0;
    if (!khz)
        return NVML_ERROR_NOT_SUPPORTED;
    *mhz = (unsigned)khz / 1000;
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t d, nvmlClockType_t type, unsigned *mhz)
{
    return nvmlDeviceGetClockInfo(d, type, mhz);
}

static nvmlReturn_t nothing(nvmlDevice_t d, const void *to)
{
    struct cudaDeviceProp p;
    nvmlReturn_t e = ask(d, to, &p);
    return e == NVML_SUCCESS ? NVML_ERROR_NOT_SUPPORTED : e;
}
nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t d, nvmlTemperatureSensors_t sensor, unsigned *to)
{
    (void)sensor;
    return nothing(d, to);
}
nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t d, unsigned *to) { return nothing(d, to); }
nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t d, unsigned *to)
{
    return nothing(d, to);
}
nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t d, unsigned *to)
{
    return nothing(d, to);
}
nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t d, unsigned long long *to)
{
    return nothing(d, to);
}
nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t d, nvmlUtilization_t *to)
{
    return nothing(d, to);
}
nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t d, unsigned *to) { return nothing(d, to); }
#pragma GCC visibility pop
