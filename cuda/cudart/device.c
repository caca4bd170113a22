/* The one device: what it is, and wishes about it.  SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include "cuda/cudart/rt.h"

/* CUDA's limits, where the core has room for them.  A thread's last register is read as zero. */
struct rt_room rt_room(void)
{
    struct hd_core core;
    hd_get_core(rt.dev, &core);
    const int threads = (int)core.warps * 32, shared = (int)core.shared_bytes;
    return (struct rt_room){ .warps = (int)core.warps,
                             .block = threads < 1024 ? threads : 1024,
                             .block_z = threads < 64 ? threads : 64,
                             .shared = shared,
                             .shared_default = shared < 49152 ? shared : 49152,
                             .registers = ((int)core.regs - 1) * threads };
}

static cudaError_t the_device(int device) { return device ? cudaErrorInvalidDevice : cudaSuccess; }

cudaError_t cudaGetDeviceCount(int *n) { RT_HOLD; *n = 1; return rt_error(rt_open()); }
cudaError_t cudaGetDevice(int *device) { RT_HOLD; *device = 0; return rt_error(rt_open()); }
cudaError_t cudaSetDevice(int device)
{
    RT_BEGIN;
    return rt_error(device ? the_device(device) : rt_open());
}
cudaError_t cudaSetValidDevices(int *d, int n)
{
    RT_BEGIN;
    return rt_error(n < 1 || *d ? cudaErrorInvalidDevice : cudaSuccess);
}
cudaError_t cudaSetDeviceFlags(unsigned flags) { RT_BEGIN; (void)flags; return cudaSuccess; }
cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    RT_BEGIN;
    *flags = cudaDeviceMapHost;
    return cudaSuccess;
}
cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    RT_BEGIN;
    (void)device_flags, (void)flags;
    return rt_error(device ? cudaErrorInvalidDevice : rt_open());
}
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *p)
{
    RT_BEGIN;
    (void)p;
    *device = 0;
    return cudaSuccess;
}

/* Those of an H100; what of them fits into memory is another matter. */
enum { TEXTURE_1D = 131072, TEXTURE_2D = 65536, TEXTURE_3D = 16384, TEXTURE_LAYER = 32768,
       TEXTURE_LAYERS = 2048 };

/* The compute capability that the PTX is made for; one multiprocessor. */
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    RT_HOLD;
    if (device)
        return rt_error(cudaErrorInvalidDevice);
    rt_open();
    const struct rt_room room = rt_room();
    *p = (struct cudaDeviceProp){ .totalGlobalMem = hd_memory(rt.dev),
                                  .sharedMemPerBlock = (size_t)room.shared_default,
                                  .regsPerBlock = room.registers,
                                  .warpSize = 32,
                                  .memPitch = 0x7fffffff,
                                  .maxThreadsPerBlock = room.block,
                                  .maxThreadsDim = { room.block, room.block, room.block_z },
                                  .maxGridSize = { 0x7fffffff, 65535, 65535 },
                                  .clockRate = 1000000,
                                  .totalConstMem = 65536,
                                  .major = (int)rt_arch() / 10,
                                  .minor = (int)rt_arch() % 10,
                                  .textureAlignment = 512,
                                  .texturePitchAlignment = 32,
                                  .multiProcessorCount = 1,
                                  .canMapHostMemory = 1,
                                  .surfaceAlignment = 512,
                                  .unifiedAddressing = 1,
                                  .memoryClockRate = 1000000,
                                  .memoryBusWidth = 256,
                                  .maxThreadsPerMultiProcessor = room.warps * 32,
                                  .sharedMemPerMultiprocessor = (size_t)room.shared,
                                  .regsPerMultiprocessor = room.registers,
                                  .streamPrioritiesSupported = 1,
                                  .managedMemory = 1,
                                  .cooperativeLaunch = 1,
                                  .sharedMemPerBlockOptin = (size_t)room.shared,
                                  .maxBlocksPerMultiProcessor = room.warps,
                                  .singleToDoublePrecisionPerfRatio = 32,
                                  .memoryPoolsSupported = 1,
                                  .maxTexture1D = TEXTURE_1D,
                                  .maxTexture2D = { TEXTURE_1D, TEXTURE_2D },
                                  .maxTexture3D = { TEXTURE_3D, TEXTURE_3D, TEXTURE_3D },
                                  .maxTexture1DLayered = { TEXTURE_LAYER, TEXTURE_LAYERS },
                                  .maxTexture2DLayered = { TEXTURE_LAYER, TEXTURE_LAYER,
                                                           TEXTURE_LAYERS } };
    snprintf(p->name, sizeof p->name, "Heddle SIMT core (%s)",
             rt.opt.cfg.kind == HD_MODEL ? "model"
             : rt.opt.cfg.kind == HD_RTL ? "RTL"
                                         : "lockstep");
    return cudaSuccess;
}
#undef cudaGetDeviceProperties
/* Programs of CUDA 11 know it by this name. */
__attribute__((visibility("default"))) cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p,
                                                                           int device);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    return cudaGetDeviceProperties_v2(p, device);
}

/* The driver API's alone. */
#define VIRTUAL_MEMORY ((enum cudaDeviceAttr)102)
#define TEXTURE_LIMIT(K) ((enum cudaDeviceAttr)(K))

cudaError_t cudaDeviceGetAttribute(int *v, enum cudaDeviceAttr attr, int device)
{
    RT_BEGIN;
    rt_open();
    const struct rt_room room = rt_room();
    const struct { enum cudaDeviceAttr attr; int value; } values[] = {
        { cudaDevAttrMaxThreadsPerBlock, room.block },
        { cudaDevAttrMaxBlockDimX, room.block },
        { cudaDevAttrMaxBlockDimY, room.block },
        { cudaDevAttrMaxBlockDimZ, room.block_z },
        { cudaDevAttrMaxGridDimX, 0x7fffffff },
        { cudaDevAttrMaxGridDimY, 65535 },
        { cudaDevAttrMaxGridDimZ, 65535 },
        { cudaDevAttrMaxSharedMemoryPerBlock, room.shared_default },
        { cudaDevAttrTotalConstantMemory, 65536 },
        { cudaDevAttrWarpSize, 32 },
        { cudaDevAttrMaxPitch, 0x7fffffff },
        { cudaDevAttrMaxRegistersPerBlock, room.registers },
        { cudaDevAttrClockRate, 1000000 },
        { cudaDevAttrTextureAlignment, 512 },
        { cudaDevAttrMultiProcessorCount, 1 },
        { cudaDevAttrCanMapHostMemory, 1 },
        { cudaDevAttrSurfaceAlignment, 512 },
        { cudaDevAttrUnifiedAddressing, 1 },
        { cudaDevAttrStreamPrioritiesSupported, 1 },
        { cudaDevAttrMemoryClockRate, 1000000 },
        { cudaDevAttrGlobalMemoryBusWidth, 256 },
        { cudaDevAttrMaxThreadsPerMultiProcessor, room.warps * 32 },
        { cudaDevAttrMaxSharedMemoryPerMultiprocessor, room.shared },
        { cudaDevAttrMaxRegistersPerMultiprocessor, room.registers },
        { cudaDevAttrManagedMemory, 1 },
        { cudaDevAttrSingleToDoublePrecisionPerfRatio, 32 },
        { cudaDevAttrCooperativeLaunch, 1 },
        { cudaDevAttrMaxSharedMemoryPerBlockOptin, room.shared },
        { cudaDevAttrMaxBlocksPerMultiprocessor, room.warps },
        { cudaDevAttrMemoryPoolsSupported, 1 },
        { VIRTUAL_MEMORY, 1 },
        { TEXTURE_LIMIT(21), TEXTURE_1D },      /* 1D, 2D, 3D, layers of 2D, of 1D */
        { TEXTURE_LIMIT(22), TEXTURE_1D },
        { TEXTURE_LIMIT(23), TEXTURE_2D },
        { TEXTURE_LIMIT(24), TEXTURE_3D },
        { TEXTURE_LIMIT(25), TEXTURE_3D },
        { TEXTURE_LIMIT(26), TEXTURE_3D },
        { TEXTURE_LIMIT(27), TEXTURE_LAYER },
        { TEXTURE_LIMIT(28), TEXTURE_LAYER },
        { TEXTURE_LIMIT(29), TEXTURE_LAYERS },
        { TEXTURE_LIMIT(42), TEXTURE_LAYER },
        { TEXTURE_LIMIT(43), TEXTURE_LAYERS },
    };
    if (device || attr < 1 || attr >= cudaDevAttrMax + 30)
        return rt_error(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *v = 0;                                 /* what is not listed is not there */
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        if (values[k].attr == attr)
            *v = values[k].value;
    if (attr == cudaDevAttrComputeCapabilityMajor)
        *v = (int)rt_arch() / 10;
    if (attr == cudaDevAttrComputeCapabilityMinor)
        *v = (int)rt_arch() % 10;
    return cudaSuccess;
}

static size_t limits[] = { [cudaLimitStackSize] = 4096, /* of threads that recurse */
                           [cudaLimitPrintfFifoSize] = 1 << 20,
                           [cudaLimitMallocHeapSize] = 8 << 20,
                           [cudaLimitDevRuntimeSyncDepth] = 2,
                           [cudaLimitDevRuntimePendingLaunchCount] = 2048,
                           [cudaLimitMaxL2FetchGranularity] = 32,
                           [cudaLimitPersistingL2CacheSize] = 0 };
enum { LIMITS = sizeof limits / sizeof *limits };
cudaError_t cudaDeviceGetLimit(size_t *v, enum cudaLimit limit)
{
    RT_BEGIN;
    if ((unsigned)limit >= LIMITS)
        return rt_error(cudaErrorUnsupportedLimit);
    *v = limits[limit];
    return cudaSuccess;
}
size_t rt_limit(enum cudaLimit limit) { return limits[limit]; }
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t v)
{
    RT_BEGIN;
    if ((unsigned)limit >= LIMITS)
        return rt_error(cudaErrorUnsupportedLimit);
    if (limit == cudaLimitStackSize && v > 65536)
        return rt_error(cudaErrorInvalidValue);
    limits[limit] = v;
    return cudaSuccess;
}

/* Caches are not there, banks have four bytes: wishes about them are taken note of. */
static enum cudaFuncCache cache_wish;
static enum cudaSharedMemConfig bank_wish;
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *c)
{
    RT_BEGIN;
    *c = cache_wish;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache c)
{
    RT_BEGIN;
    cache_wish = c;
    return cudaSuccess;
}
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache c) { return cudaDeviceSetCacheConfig(c); }
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *c)
{
    RT_BEGIN;
    *c = bank_wish;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig c)
{
    RT_BEGIN;
    bank_wish = c;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int n, int device)
{
    RT_BEGIN;
    if (device || n < 13)
        return rt_error(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    snprintf(id, (size_t)n, "0000:00:00.0");
    return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    RT_BEGIN;
    *device = 0;
    return rt_error(strcmp(id, "0000:00:00.0") ? cudaErrorInvalidDevice : cudaSuccess);
}

/* No peer: there is one device. */
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    RT_BEGIN;
    *can = 0;
    return rt_error(device || peer ? cudaErrorInvalidDevice : cudaSuccess);
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    RT_BEGIN;
    (void)peer, (void)flags;
    return rt_error(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    RT_BEGIN;
    (void)peer;
    return rt_error(cudaErrorPeerAccessNotEnabled);
}
cudaError_t cudaDeviceGetP2PAttribute(int *v, enum cudaDeviceP2PAttr attr, int from, int to)
{
    RT_BEGIN;
    (void)attr, (void)from, (void)to;
    *v = 0;
    return rt_error(cudaErrorInvalidDevice);
}

/* What was launched has ended already. */
cudaError_t cudaDeviceSynchronize(void) { RT_BEGIN; return rt_error(rt_open()); }
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }

/* Buffers go; code stays, and is loaded again when it is used. */
cudaError_t cudaDeviceReset(void)
{
    RT_HOLD;
    rt_blocks_forget();
    while (rt.nbuffers) {
        const struct rt_buffer *b = &rt.buffers[rt.nbuffers - 1];
        rt_buffer_free((void *)(uintptr_t)b->addr, b->kind == RT_HOST);
    }
    rt.sticky = cudaSuccess;
    rt_record_drop();
    if (rt.dev && hd_reset(rt.dev, rt.opt.cfg.mem_seed) != HD_OK)
        rt_die(4, "%s", hd_device_error(rt.dev));
    cudaGetLastError();
    return cudaSuccess;
}
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }

/* Programs ask it whether graphs have conditional nodes (12.3), with an else and of more ways than
 * two (12.8). */
cudaError_t cudaDriverGetVersion(int *v) { RT_HOLD; *v = 12080; return cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int *v) { RT_HOLD; *v = CUDART_VERSION; return cudaSuccess; }
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }
