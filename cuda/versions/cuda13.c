/* What CUDA 13 has changed about calls that older programs have, too.
 * SPDX-License-Identifier: Apache-2.0
 *
 * libcudart.so.13 finds these before those of libheddle_cudart.so, which are CUDA 12's. */
#include <stdbool.h>
#include <string.h>
#include "cuda/include/cuda_runtime_api.h"

/* Some members of CUDA 12's went, and those after them moved. */
struct properties13 {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int multiProcessorCount, integrated, canMapHostMemory, maxTexture1D, maxTexture1DMipmap,
        maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2],
        maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2],
        maxTexture2DLayered[3], maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2],
        maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap,
        maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,
        asyncEngineCount, unifiedAddressing, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize,
        maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported,
        localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID,
        hostNativeAtomicSupported, pageableMemoryAccess, concurrentManagedAccess,
        computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost,
        maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    /* registering, pools, clusters, NUMA, MPS: none of it is there, but */
    int more[17];
    int reserved[58];
};
enum { HOST_REGISTER = 0, POOLS = 4 };      /* ... of `more' */

/* A place of memory: it was the number of a device, or -1 for the host. */
struct location13 { int kind, id; };

/* Under the names of the header's, which are CUDA 12's. */
#pragma GCC visibility push(default)
cudaError_t properties(struct properties13 *to, int device) __asm__("cudaGetDeviceProperties");
cudaError_t advise(const void *p, size_t n, enum cudaMemoryAdvise advice, struct location13 where)
    __asm__("cudaMemAdvise");
cudaError_t prefetch(const void *p, size_t n, struct location13 where, unsigned flags,
                     cudaStream_t s)
    __asm__("cudaMemPrefetchAsync");
cudaError_t add_node(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after,
                     const cudaGraphEdgeData *edges, size_t n, struct cudaGraphNodeParams *p)
    __asm__("cudaGraphAddNode");
#define ENDS (cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *edges, size_t *n)
#define ADDED \
    (cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to, \
     const cudaGraphEdgeData *edges, size_t n)
cudaError_t edges_of(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to,
                     cudaGraphEdgeData *edges, size_t *n)
    __asm__("cudaGraphGetEdges");
cudaError_t before ENDS __asm__("cudaGraphNodeGetDependencies");
cudaError_t behind ENDS __asm__("cudaGraphNodeGetDependentNodes");
cudaError_t add_edges ADDED __asm__("cudaGraphAddDependencies");
cudaError_t remove_edges ADDED __asm__("cudaGraphRemoveDependencies");
cudaError_t copy_attributes(cudaGraphNode_t to, cudaGraphNode_t from)
    __asm__("cudaGraphKernelNodeCopyAttributes");
/* ... also of streams per thread (_ptsz) */
#define CAPTURE_INFO \
    (cudaStream_t s, enum cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *g, \
     const cudaGraphNode_t **after, const cudaGraphEdgeData **edges, size_t *n)
#define CAPTURE_AFTER \
    (cudaStream_t s, cudaGraphNode_t *after, const cudaGraphEdgeData *edges, size_t n, \
     unsigned flags)
/* Which copy of several failed is not said any more: CUDA 12's calls, by names that are ours. */
#define COPIES \
    (void **dst, void **src, size_t *bytes, size_t n, struct cudaMemcpyAttributes *attrs, \
     size_t *from, size_t nattrs, cudaStream_t s)
#define BOXES \
    (size_t n, struct cudaMemcpy3DBatchOp *ops, unsigned long long flags, cudaStream_t s)
cudaError_t copies12(void **dst, void **src, size_t *bytes, size_t n,
                     struct cudaMemcpyAttributes *attrs, size_t *from, size_t nattrs,
                     size_t *failed, cudaStream_t s)
    __asm__("heddleMemcpyBatchAsync");
cudaError_t boxes12(size_t n, struct cudaMemcpy3DBatchOp *ops, size_t *failed,
                    unsigned long long flags, cudaStream_t s)
    __asm__("heddleMemcpy3DBatchAsync");
cudaError_t copies COPIES __asm__("cudaMemcpyBatchAsync");
cudaError_t copies_own COPIES __asm__("cudaMemcpyBatchAsync_ptsz");
cudaError_t boxes BOXES __asm__("cudaMemcpy3DBatchAsync");
cudaError_t boxes_own BOXES __asm__("cudaMemcpy3DBatchAsync_ptsz");
cudaError_t capture_info CAPTURE_INFO __asm__("cudaStreamGetCaptureInfo");
cudaError_t capture_info_own CAPTURE_INFO __asm__("cudaStreamGetCaptureInfo_ptsz");
cudaError_t capture_after CAPTURE_AFTER __asm__("cudaStreamUpdateCaptureDependencies");
cudaError_t capture_after_own CAPTURE_AFTER __asm__("cudaStreamUpdateCaptureDependencies_ptsz");

cudaError_t properties(struct properties13 *to, int device)
{
    struct cudaDeviceProp p;
    cudaError_t e = cudaGetDeviceProperties_v2(&p, device);
    if (e != cudaSuccess)
        return e;
#define SAME(member) memcpy(&to->member, &p.member, sizeof to->member)
    memset(to, 0, sizeof *to);
    SAME(name), SAME(totalGlobalMem), SAME(sharedMemPerBlock), SAME(regsPerBlock), SAME(warpSize),
        SAME(memPitch);
    SAME(maxThreadsPerBlock), SAME(maxThreadsDim), SAME(maxGridSize), SAME(totalConstMem),
        SAME(major), SAME(minor);
    SAME(textureAlignment), SAME(texturePitchAlignment), SAME(multiProcessorCount),
        SAME(canMapHostMemory);
    SAME(maxTexture1D), SAME(maxTexture2D), SAME(maxTexture2DLinear), SAME(maxTexture3D),
        SAME(maxTextureCubemap);
    SAME(maxTexture1DLayered), SAME(maxTexture2DLayered), SAME(maxTextureCubemapLayered),
        SAME(maxSurface1D);
    SAME(maxSurface2D), SAME(maxSurface3D), SAME(maxSurface1DLayered), SAME(maxSurface2DLayered);
    SAME(surfaceAlignment), SAME(unifiedAddressing), SAME(memoryBusWidth),
        SAME(maxThreadsPerMultiProcessor);
    SAME(sharedMemPerMultiprocessor), SAME(regsPerMultiprocessor), SAME(managedMemory),
        SAME(cooperativeLaunch);
    SAME(sharedMemPerBlockOptin), SAME(maxBlocksPerMultiProcessor);
    to->more[HOST_REGISTER] = p.hostRegisterSupported, to->more[POOLS] = p.memoryPoolsSupported;
    return cudaSuccess;
}

cudaError_t advise(const void *p, size_t n, enum cudaMemoryAdvise advice, struct location13 where)
{
    struct cudaMemLocation at = { (enum cudaMemLocationType)where.kind, where.id };
    return cudaMemAdvise_v2(p, n, advice, at);
}
cudaError_t prefetch(const void *p, size_t n, struct location13 where, unsigned flags,
                     cudaStream_t s)
{
    struct cudaMemLocation at = { (enum cudaMemLocationType)where.kind, where.id };
    return cudaMemPrefetchAsync_v2(p, n, at, flags, s);
}
/* Edges are described. */
cudaError_t add_node(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after,
                     const cudaGraphEdgeData *edges, size_t n, struct cudaGraphNodeParams *p)
{
    return cudaGraphAddNode_v2(node, g, after, edges, n, p);
}
cudaError_t edges_of(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to,
                     cudaGraphEdgeData *edges, size_t *n)
{
    return cudaGraphGetEdges_v2(g, from, to, edges, n);
}
cudaError_t before ENDS { return cudaGraphNodeGetDependencies_v2(node, nodes, edges, n); }
cudaError_t behind ENDS { return cudaGraphNodeGetDependentNodes_v2(node, nodes, edges, n); }
cudaError_t add_edges ADDED { return cudaGraphAddDependencies_v2(g, from, to, edges, n); }
cudaError_t remove_edges ADDED { return cudaGraphRemoveDependencies_v2(g, from, to, edges, n); }
/* Its parameters changed places. */
cudaError_t copy_attributes(cudaGraphNode_t to, cudaGraphNode_t from)
{
    cudaLaunchAttributeValue v;
    cudaError_t e = cudaSuccess;
    for (int k = 0; k <= cudaLaunchAttributePreferredClusterDimension && e == cudaSuccess; k++) {
        e = cudaGraphKernelNodeGetAttribute(from, (cudaLaunchAttributeID)k, &v);
        if (e == cudaSuccess)
            e = cudaGraphKernelNodeSetAttribute(to, (cudaLaunchAttributeID)k, &v);
    }
    return e;
}
cudaError_t copies COPIES { return copies12(dst, src, bytes, n, attrs, from, nattrs, NULL, s); }
cudaError_t copies_own COPIES
{
    return copies12(dst, src, bytes, n, attrs, from, nattrs, NULL, s);
}
cudaError_t boxes BOXES { return boxes12(n, ops, NULL, flags, s); }
cudaError_t boxes_own BOXES { return boxes12(n, ops, NULL, flags, s); }
cudaError_t capture_info CAPTURE_INFO
{
    return cudaStreamGetCaptureInfo_v3(s, status, id, g, after, edges, n);
}
cudaError_t capture_info_own CAPTURE_INFO
{
    return cudaStreamGetCaptureInfo_v3(s, status, id, g, after, edges, n);
}
cudaError_t capture_after CAPTURE_AFTER
{
    return cudaStreamUpdateCaptureDependencies_v2(s, after, edges, n, flags);
}
cudaError_t capture_after_own CAPTURE_AFTER
{
    return cudaStreamUpdateCaptureDependencies_v2(s, after, edges, n, flags);
}
#pragma GCC visibility pop
