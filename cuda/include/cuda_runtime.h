/* CUDA's run time for C and C++: the C API, and the templates that C++ programs know it by.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUDA_RUNTIME_H
#define HEDDLE_CUDA_RUNTIME_H
/* Headers of programs ask by these names whether CUDA's own were included. */
#define __CUDA_RUNTIME_H__
#define __VECTOR_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#include "cuda_runtime_api.h"
#include "texture_reference.h"
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <limits.h>
#ifdef __cplusplus
#include <type_traits>
/* Inlined, so that who allocates is the program's function, not one of these. */
#define HD_API static inline __attribute__((always_inline, host))
#ifndef __clang__
#undef HD_API
#define HD_API static inline __attribute__((always_inline))
#endif
/* Functions of the API whose last arguments have values of their own. */
HD_API cudaError_t cudaMallocManaged(void **p, size_t n)
{
    return cudaMallocManaged(p, n, cudaMemAttachGlobal);
}
HD_API cudaError_t cudaHostAlloc(void **p, size_t n)
{
    return cudaHostAlloc(p, n, cudaHostAllocDefault);
}
HD_API cudaError_t cudaMallocHost(void **p, size_t n, unsigned flags)
{
    return cudaHostAlloc(p, n, flags);
}
HD_API cudaError_t cudaHostRegister(void *p, size_t n)
{
    return cudaHostRegister(p, n, cudaHostRegisterDefault);
}
HD_API cudaError_t cudaHostGetDevicePointer(void **d, void *h)
{
    return cudaHostGetDevicePointer(d, h, 0);
}
HD_API cudaError_t cudaMemcpyAsync(void *d, const void *s, size_t n, cudaMemcpyKind k)
{
    return cudaMemcpyAsync(d, s, n, k, 0);
}
HD_API cudaError_t cudaMemcpyPeerAsync(void *d, int to, const void *s, int from, size_t n)
{
    return cudaMemcpyPeerAsync(d, to, s, from, n, 0);
}
HD_API cudaError_t cudaMemcpy2DAsync(void *d, size_t dp, const void *s, size_t sp, size_t w,
                                     size_t h, cudaMemcpyKind k)
{
    return cudaMemcpy2DAsync(d, dp, s, sp, w, h, k, 0);
}
HD_API cudaError_t cudaMemsetAsync(void *p, int v, size_t n) { return cudaMemsetAsync(p, v, n, 0); }
/* CUDA 13 says where by a place, older ones by a device's number. */
HD_API cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, cudaMemLocation where,
                                        unsigned flags, cudaStream_t s = 0)
{
    (void)flags;
    return cudaMemPrefetchAsync(
        p, n, where.type == cudaMemLocationTypeDevice ? where.id : cudaCpuDeviceId, s);
}
HD_API cudaError_t cudaMemAdvise(const void *p, size_t n, cudaMemoryAdvise advice,
                                 cudaMemLocation where)
{
    return cudaMemAdvise(p, n, advice,
                         where.type == cudaMemLocationTypeDevice ? where.id : cudaCpuDeviceId);
}
HD_API cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, int d)
{
    return cudaMemPrefetchAsync(p, n, d, 0);
}
HD_API cudaError_t cudaEventRecord(cudaEvent_t e) { return cudaEventRecord(e, 0); }
HD_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s = 0)
{
    return cudaEventRecordWithFlags(e, s, 0);
}
template <class T>
HD_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, T *p, size_t n = 0,
                                            unsigned flags = cudaMemAttachSingle)
{
    return cudaStreamAttachMemAsync(s, (void *)p, n, flags);
}
HD_API cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int v, size_t w, size_t h)
{
    return cudaMemset2DAsync(p, pitch, v, w, h, 0);
}
HD_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p) { return cudaMemcpy3DAsync(p, 0); }
HD_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *e, cudaGraph_t g)
{
    return cudaGraphInstantiateWithFlags(e, g, 0);
}
HD_API cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *h, cudaGraph_t g,
                                                    unsigned value = 0)
{
    return cudaGraphConditionalHandleCreate(h, g, value, 0);
}
/* As CUDA 13 has them: with what is said of each edge. */
HD_API cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t g,
                                    const cudaGraphNode_t *after, const cudaGraphEdgeData *edges,
                                    size_t n, cudaGraphNodeParams *p)
{
    return cudaGraphAddNode_v2(node, g, after, edges, n, p);
}
HD_API cudaError_t cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                     cudaGraphEdgeData *edges, size_t *n)
{
    return cudaGraphGetEdges_v2(g, from, to, edges, n);
}
HD_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                cudaGraphEdgeData *edges, size_t *n)
{
    return cudaGraphNodeGetDependencies_v2(node, nodes, edges, n);
}
HD_API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                  cudaGraphEdgeData *edges, size_t *n)
{
    return cudaGraphNodeGetDependentNodes_v2(node, nodes, edges, n);
}
HD_API cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to,
                                            const cudaGraphEdgeData *edges, size_t n)
{
    return cudaGraphAddDependencies_v2(g, from, to, edges, n);
}
HD_API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g, const cudaGraphNode_t *from,
                                               const cudaGraphNode_t *to,
                                               const cudaGraphEdgeData *edges, size_t n)
{
    return cudaGraphRemoveDependencies_v2(g, from, to, edges, n);
}
HD_API cudaError_t cudaUserObjectRetain(cudaUserObject_t u) { return cudaUserObjectRetain(u, 1); }
HD_API cudaError_t cudaUserObjectRelease(cudaUserObject_t u) { return cudaUserObjectRelease(u, 1); }
HD_API cudaError_t cudaGraphRetainUserObject(cudaGraph_t g, cudaUserObject_t u, unsigned n = 1)
{
    return cudaGraphRetainUserObject(g, u, n, 0);
}
HD_API cudaError_t cudaGraphReleaseUserObject(cudaGraph_t g, cudaUserObject_t u)
{
    return cudaGraphReleaseUserObject(g, u, 1);
}
template <class T>
HD_API cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t g,
                                                  const cudaGraphNode_t *after, size_t n,
                                                  const T &symbol, const void *src, size_t bytes,
                                                  size_t offset, cudaMemcpyKind k)
{
    return cudaGraphAddMemcpyNodeToSymbol(node, g, after, n, (const void *)&symbol, src, bytes,
                                          offset, k);
}
template <class T>
HD_API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t g,
                                                    const cudaGraphNode_t *after, size_t n,
                                                    void *dst, const T &symbol, size_t bytes,
                                                    size_t offset, cudaMemcpyKind k)
{
    return cudaGraphAddMemcpyNodeFromSymbol(node, g, after, n, dst, (const void *)&symbol, bytes,
                                            offset, k);
}
template <class T>
HD_API cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T &symbol,
                                                        const void *src, size_t n, size_t offset,
                                                        cudaMemcpyKind k)
{
    return cudaGraphMemcpyNodeSetParamsToSymbol(node, (const void *)&symbol, src, n, offset, k);
}
template <class T>
HD_API cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
                                                          const T &symbol, size_t n, size_t offset,
                                                          cudaMemcpyKind k)
{
    return cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, (const void *)&symbol, n, offset, k);
}
template <class T>
HD_API cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec,
                                                            cudaGraphNode_t node, const T &symbol,
                                                            const void *src, size_t n,
                                                            size_t offset, cudaMemcpyKind k)
{
    return cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, (const void *)&symbol, src, n,
                                                    offset, k);
}
template <class T>
HD_API cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec,
                                                              cudaGraphNode_t node, void *dst,
                                                              const T &symbol, size_t n,
                                                              size_t offset, cudaMemcpyKind k)
{
    return cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, dst, (const void *)&symbol, n,
                                                      offset, k);
}
HD_API cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int v, cudaExtent n)
{
    return cudaMemset3DAsync(p, v, n, 0);
}
HD_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, cudaStreamCaptureStatus *status)
{
    return cudaStreamGetCaptureInfo(s, status, 0);
}
HD_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, cudaStreamCaptureStatus *status,
                                            unsigned long long *id, cudaGraph_t *g,
                                            const cudaGraphNode_t **after = 0, size_t *n = 0)
{
    return cudaStreamGetCaptureInfo_v2(s, status, id, g, after, n);
}
HD_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, cudaStreamCaptureStatus *status,
                                            unsigned long long *id, cudaGraph_t *g,
                                            const cudaGraphNode_t **after,
                                            const cudaGraphEdgeData **edges, size_t *n)
{
    return cudaStreamGetCaptureInfo_v3(s, status, id, g, after, edges, n);
}
HD_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t *after,
                                                       size_t n)
{
    return cudaStreamUpdateCaptureDependencies(s, after, n, 0);
}
HD_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t *after,
                                                       const cudaGraphEdgeData *edges, size_t n,
                                                       unsigned flags)
{
    return cudaStreamUpdateCaptureDependencies_v2(s, after, edges, n, flags);
}
/* A template, so that (s, after, 0, flags) has no edges. */
template <class E, class = typename std::enable_if<!std::is_integral<E>::value>::type>
HD_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t *after,
                                                       E edges, size_t n)
{
    return cudaStreamUpdateCaptureDependencies_v2(s, after, edges, n, 0);
}
HD_API cudaError_t cudaEventCreate(cudaEvent_t *e, unsigned flags)
{
    return cudaEventCreateWithFlags(e, flags);
}
HD_API cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e)
{
    return cudaStreamWaitEvent(s, e, 0);
}
HD_API cudaError_t cudaDeviceEnablePeerAccess(int peer)
{
    return cudaDeviceEnablePeerAccess(peer, 0);
}
HD_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *e, cudaGraph_t g)
{
    return cudaGraphInstantiate(e, g, 0);
}
HD_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *e, cudaGraph_t g, cudaGraphNode_t *node,
                                        char *, size_t)
{
    if (node) *node = 0;
    return cudaGraphInstantiate(e, g, 0);
}

HD_API cudaError_t cudaMallocArray(cudaArray_t *a, const cudaChannelFormatDesc *d, size_t w,
                                   size_t h = 0)
{
    return cudaMallocArray(a, d, w, h, 0);
}
HD_API cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *m, const cudaChannelFormatDesc *d,
                                            cudaExtent n, unsigned levels)
{
    return cudaMallocMipmappedArray(m, d, n, levels, 0);
}
HD_API cudaError_t cudaMalloc3DArray(cudaArray_t *a, const cudaChannelFormatDesc *d, cudaExtent n)
{
    return cudaMalloc3DArray(a, d, n, 0);
}
template <class T> HD_API cudaError_t cudaMalloc(T **p, size_t n)
{
    return cudaMalloc((void **)p, n);
}
template <class T>
HD_API cudaError_t cudaMallocHost(T **p, size_t n, unsigned flags = cudaHostAllocDefault)
{
    return cudaHostAlloc((void **)p, n, flags);
}
template <class T>
HD_API cudaError_t cudaHostAlloc(T **p, size_t n, unsigned flags = cudaHostAllocDefault)
{
    return cudaHostAlloc((void **)p, n, flags);
}
template <class T> HD_API cudaError_t cudaHostGetDevicePointer(T **d, void *h, unsigned flags = 0)
{
    return cudaHostGetDevicePointer((void **)d, h, flags);
}
template <class T>
HD_API cudaError_t cudaMallocManaged(T **p, size_t n, unsigned flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)p, n, flags);
}
template <class T> HD_API cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t w, size_t h)
{
    return cudaMallocPitch((void **)p, pitch, w, h);
}
template <class T>
HD_API cudaError_t cudaMallocFromPoolAsync(T **p, size_t n, cudaMemPool_t pool, cudaStream_t s)
{
    return cudaMallocFromPoolAsync((void **)p, n, pool, s);
}
template <class T>
HD_API cudaError_t cudaMallocAsync(T **p, size_t n, cudaMemPool_t pool, cudaStream_t s)
{
    return cudaMallocFromPoolAsync((void **)p, n, pool, s);
}
template <class T> HD_API cudaError_t cudaMallocAsync(T **p, size_t n, cudaStream_t s)
{
    return cudaMallocAsync((void **)p, n, s);
}
template <class T>
HD_API cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t n, size_t offset = 0,
                               cudaMemcpyKind k = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, src, n, offset, k);
}
template <class T>
HD_API cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t n,
                                           size_t offset = 0,
                                           cudaMemcpyKind k = cudaMemcpyHostToDevice,
                                           cudaStream_t s = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, src, n, offset, k, s);
}
template <class T>
HD_API cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t n, size_t offset = 0,
                                 cudaMemcpyKind k = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(dst, (const void *)&symbol, n, offset, k);
}
template <class T>
HD_API cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t n,
                                             size_t offset = 0,
                                             cudaMemcpyKind k = cudaMemcpyDeviceToHost,
                                             cudaStream_t s = 0)
{
    return cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, n, offset, k, s);
}
template <class T> HD_API cudaError_t cudaGetSymbolAddress(void **p, const T &symbol)
{
    return cudaGetSymbolAddress(p, (const void *)&symbol);
}
template <class T> HD_API cudaError_t cudaGetSymbolSize(size_t *n, const T &symbol)
{
    return cudaGetSymbolSize(n, (const void *)&symbol);
}
template <class F>
HD_API cudaError_t cudaLaunchKernel(F *fn, dim3 grid, dim3 block, void **args, size_t shared = 0,
                                    cudaStream_t s = 0)
{
    return cudaLaunchKernel((const void *)fn, grid, block, args, shared, s);
}
template <class... P, class... A>
HD_API cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*fn)(P...),
                                      A &&...args)
{
    return [&](P... as) {
        void *at[] = {(void *)&as..., nullptr};
        return cudaLaunchKernelExC(config, (const void *)fn, at);
    }(static_cast<A &&>(args)...);
}
template <class F> HD_API cudaError_t cudaFuncSetSharedMemConfig(F *fn, cudaSharedMemConfig c)
{
    return cudaFuncSetSharedMemConfig((const void *)fn, c);
}
/* As CUDA 11 had it. */
HD_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                       cudaGraphNode_t *node, cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info;
    cudaError_t e = cudaGraphExecUpdate(exec, graph, &info);
    if (node) *node = info.errorNode;
    if (result) *result = info.result;
    return e;
}
template <class F>
HD_API cudaError_t cudaLaunchCooperativeKernel(F *fn, dim3 grid, dim3 block, void **args,
                                               size_t shared = 0, cudaStream_t s = 0)
{
    return cudaLaunchCooperativeKernel((const void *)fn, grid, block, args, shared, s);
}
template <class F> HD_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, F *fn)
{
    return cudaFuncGetAttributes(a, (const void *)fn);
}
template <class F> HD_API cudaError_t cudaFuncSetAttribute(F *fn, cudaFuncAttribute a, int v)
{
    return cudaFuncSetAttribute((const void *)fn, a, v);
}
template <class F> HD_API cudaError_t cudaFuncSetCacheConfig(F *fn, cudaFuncCache c)
{
    return cudaFuncSetCacheConfig((const void *)fn, c);
}
template <class F>
HD_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, F *fn, int threads,
                                                                 size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, (const void *)fn, threads, shared);
}
/* The block size with the most resident threads, the largest of several. */
template <class F, class S>
HD_API cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, F *fn,
                                                                  S shared, int limit = 0)
{
    cudaFuncAttributes a;
    cudaError_t e = cudaFuncGetAttributes(&a, (const void *)fn);
    int best = 0, most = limit > 0 && limit < a.maxThreadsPerBlock ? limit : a.maxThreadsPerBlock;
    for (int n = most; e == cudaSuccess && n > 0; n = n > 32 ? (n - 1) / 32 * 32 : 0) {
        int blocks = 0;
        e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)fn, n, shared(n));
        if (blocks * n > best) best = blocks * n, *grid = blocks, *block = n;
    }
    return e;
}
template <class F>
HD_API cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F *fn,
                                                      size_t shared = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, fn, [=](int) { return shared; }, limit);
}
/* Flags are of caches, which there are none of. */
template <class F, class S>
HD_API cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *grid, int *block, F *fn, S shared, int limit = 0, unsigned = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, fn, shared, limit);
}
template <class F>
HD_API cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
    int *grid, int *block, F *fn, size_t shared = 0, int limit = 0, unsigned = 0)
{
    return cudaOccupancyMaxPotentialBlockSize(grid, block, fn, shared, limit);
}
template <class F>
HD_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *n, F *fn, int threads, size_t shared, unsigned flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(n, (const void *)fn, threads,
                                                                  shared, flags);
}
template <class F>
HD_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, F *fn, int blocks,
                                                             int threads)
{
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)fn, blocks, threads);
}
template <class F> HD_API cudaError_t cudaGetKernel(cudaKernel_t *to, F *fn)
{
    return cudaGetKernel(to, (const void *)fn);
}
template <class F> HD_API cudaError_t cudaFuncGetName(const char **name, F *fn)
{
    return cudaFuncGetName(name, (const void *)fn);
}
/* Pointers to functions of any type, results left out. */
template <class F>
HD_API cudaError_t cudaGetDriverEntryPoint(const char *name, F **fn, unsigned long long flags,
                                           cudaDriverEntryPointQueryResult *result = 0)
{
    return cudaGetDriverEntryPoint(name, (void **)fn, flags, result);
}
HD_API cudaError_t cudaGetDriverEntryPoint(const char *name, void **fn, unsigned long long flags)
{
    return cudaGetDriverEntryPoint(name, fn, flags, 0);
}
HD_API cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **fn, unsigned version,
                                                    unsigned long long flags)
{
    return cudaGetDriverEntryPointByVersion(name, fn, version, flags, 0);
}
/* As CUDA 13 has it. */
HD_API cudaError_t cudaMemcpyBatchAsync(const void **dst, const void **src, const size_t *bytes,
                                        size_t n, cudaMemcpyAttributes *attrs, size_t *from,
                                        size_t nattrs, cudaStream_t s)
{
    return cudaMemcpyBatchAsync((void **)dst, (void **)src, (size_t *)bytes, n, attrs, from, nattrs,
                                0, s);
}
HD_API cudaError_t cudaMemcpy3DBatchAsync(size_t n, cudaMemcpy3DBatchOp *ops,
                                          unsigned long long flags, cudaStream_t s)
{
    return cudaMemcpy3DBatchAsync(n, ops, 0, flags, s);
}
HD_API cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *p)
{
    return cudaMemcpy3DPeerAsync(p, 0);
}
#undef HD_API
#endif
static inline struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{
    struct cudaExtent e = { w, h, d };
    return e;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos p = { x, y, z };
    return p;
}
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t pitch, size_t x, size_t y)
{
    struct cudaPitchedPtr p = { d, pitch, x, y };
    return p;
}
#endif
