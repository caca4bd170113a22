/* The driver API's calls by the names of other versions of CUDA, from 4 to 13, which programs that
 * were built with its headers ask libcuda.so.1 for.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cuda/cudart/driver.h"
#include "cuda/include/cuda_graph.h"
#include "cuda/include/cuda_link.h"
#include "cuda/include/cuda_texture.h"

/* ---- CUDA 4 to 11: the same parameters, or fewer ---- */

CALL(cuCtxCreate, (CUcontext *c, unsigned flags, CUdevice d)) { return cuCtxCreate(c, flags, d); }
CALL(cuCtxDestroy, (CUcontext c)) { return cuCtxDestroy(c); }
CALL(cuCtxPushCurrent, (CUcontext c)) { return cuCtxPushCurrent(c); }
CALL(cuCtxPopCurrent, (CUcontext *c)) { return cuCtxPopCurrent(c); }
CALL(cuStreamDestroy, (CUstream s)) { return cuStreamDestroy(s); }
CALL(cuEventDestroy, (CUevent e)) { return cuEventDestroy(e); }
CALL(cuDeviceGetUuid, (CUuuid *u, CUdevice d)) { return cuDeviceGetUuid(u, d); }
CALL(cuMemHostRegister, (void *p, size_t n, unsigned flags))
{
    return cuMemHostRegister(p, n, flags);
}
CALL(cuTexRefSetAddress2D_v2, (CUtexref t, const CUDA_ARRAY_DESCRIPTOR *d, CUdeviceptr p,
                               size_t pitch))
{
    return cuTexRefSetAddress2D(t, d, p, pitch);
}
CALL(cuLinkCreate, (unsigned n, CUjit_option *o, void **values, CUlinkState *state))
{
    return cuLinkCreate(n, o, values, state);
}
CALL(cuLinkAddData, (CUlinkState s, CUjitInputType type, void *data, size_t bytes,
                     const char *name, unsigned n, CUjit_option *o, void **values))
{
    return cuLinkAddData(s, type, data, bytes, name, n, o, values);
}
CALL(cuLinkAddFile, (CUlinkState s, CUjitInputType type, const char *path, unsigned n,
                     CUjit_option *o, void **values))
{
    return cuLinkAddFile(s, type, path, n, o, values);
}
CALL(cuGetProcAddress, (const char *name, void **fn, int version, cuuint64_t flags))
{
    return cuGetProcAddress(name, fn, version, flags, NULL);
}
CALL(cuStreamBeginCapture, (CUstream s))
{
    return cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL);
}
CALL(cuStreamGetCaptureInfo, (CUstream s, CUstreamCaptureStatus *status, unsigned long long *id))
{
    return cuStreamGetCaptureInfo(s, status, id, NULL, NULL, NULL);
}
/* Without the last two members of CUDA 12's. */
struct kernel_node {
    CUfunction func;
    unsigned grid[3], block[3], shared;
    void **params, **extra;
};
static CUDA_KERNEL_NODE_PARAMS whole(const struct kernel_node *p)
{
    return (CUDA_KERNEL_NODE_PARAMS){
        .func = p->func, .gridDimX = p->grid[0], .gridDimY = p->grid[1], .gridDimZ = p->grid[2],
        .blockDimX = p->block[0], .blockDimY = p->block[1], .blockDimZ = p->block[2],
        .sharedMemBytes = p->shared, .kernelParams = p->params, .extra = p->extra };
}
CALL(cuGraphAddKernelNode, (CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                            const struct kernel_node *p))
{
    CUDA_KERNEL_NODE_PARAMS all = p ? whole(p) : (CUDA_KERNEL_NODE_PARAMS){ 0 };
    return cuGraphAddKernelNode(node, g, after, n, p ? &all : NULL);
}
CALL(cuGraphKernelNodeGetParams, (CUgraphNode node, struct kernel_node *p))
{
    CUDA_KERNEL_NODE_PARAMS a;
    CUresult e = p ? cuGraphKernelNodeGetParams(node, &a) : CUDA_ERROR_INVALID_VALUE;
    if (e == CUDA_SUCCESS)
        *p = (struct kernel_node){ a.func, { a.gridDimX, a.gridDimY, a.gridDimZ },
                                   { a.blockDimX, a.blockDimY, a.blockDimZ }, a.sharedMemBytes,
                                   a.kernelParams, a.extra };
    return e;
}
CALL(cuGraphKernelNodeSetParams, (CUgraphNode node, const struct kernel_node *p))
{
    CUDA_KERNEL_NODE_PARAMS all = p ? whole(p) : (CUDA_KERNEL_NODE_PARAMS){ 0 };
    return cuGraphKernelNodeSetParams(node, p ? &all : NULL);
}
CALL(cuGraphExecKernelNodeSetParams, (CUgraphExec x, CUgraphNode node,
                                      const struct kernel_node *p))
{
    CUDA_KERNEL_NODE_PARAMS all = p ? whole(p) : (CUDA_KERNEL_NODE_PARAMS){ 0 };
    return cuGraphExecKernelNodeSetParams(x, node, p ? &all : NULL);
}
CALL(cuGraphExecUpdate, (CUgraphExec x, CUgraph g, CUgraphNode *node,
                         CUgraphExecUpdateResult *result))
{
    CUgraphExecUpdateResultInfo info = { 0 };
    CUresult e = cuGraphExecUpdate(x, g, &info);
    if (node)
        *node = info.errorNode;
    if (result)
        *result = info.result;
    return e;
}
#define INSTANTIATE (CUgraphExec *x, CUgraph g, CUgraphNode *wrong, char *log, size_t n)
CALL(cuGraphInstantiate_v2, INSTANTIATE)
{
    if (wrong)
        *wrong = NULL;
    if (log && n)
        *log = 0;
    return cuGraphInstantiateWithFlags(x, g, 0);
}
#undef cuGraphInstantiate
CALL(cuGraphInstantiate, INSTANTIATE) { return as_cuGraphInstantiate_v2(x, g, wrong, log, n); }

/* ---- as the headers of CUDA 11 to 13 have them, and ours does not ---- */

CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice d)) { return cuDevicePrimaryCtxRelease(d); }
CALL(cuEventElapsedTime_v2, (float *ms, CUevent from, CUevent to))
{
    return cuEventElapsedTime(ms, from, to);
}
CALL(cuCtxCreate_v3, (CUcontext *c, void *affinity, int n, unsigned flags, CUdevice d))
{
    (void)affinity, (void)n;
    return cuCtxCreate(c, flags, d);
}
CALL(cuCtxCreate_v4, (CUcontext *c, const CUctxCreateParams *params, unsigned flags, CUdevice d))
{
    (void)params;
    return cuCtxCreate(c, flags, d);
}
CALL(cuMemcpyBatchAsync_v2, (CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t n,
                             CUmemcpyAttributes *attrs, size_t *first, size_t nattrs, CUstream s))
{
    return cuMemcpyBatchAsync(to, from, bytes, n, attrs, first, nattrs, NULL, s);
}
CALL(cuMemcpy3DBatchAsync_v2, (size_t n, CUDA_MEMCPY3D_BATCH_OP *ops, unsigned long long flags,
                               CUstream s))
{
    return cuMemcpy3DBatchAsync(n, ops, NULL, flags, s);
}

/* ---- CUDA 13: edges are described ---- */

#define ENDS (CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *edges, size_t *n)
#define ADDED \
    (CUgraph g, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *edges, \
     size_t n)
CALL(cuGraphGetEdges_v2, (CUgraph g, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edges,
                          size_t *n))
{
    return answer(cudaGraphGetEdges_v2(g, from, to, edges, n));
}
CALL(cuGraphNodeGetDependencies_v2, ENDS)
{
    return answer(cudaGraphNodeGetDependencies_v2(node, nodes, edges, n));
}
CALL(cuGraphNodeGetDependentNodes_v2, ENDS)
{
    return answer(cudaGraphNodeGetDependentNodes_v2(node, nodes, edges, n));
}
CALL(cuGraphAddDependencies_v2, ADDED)
{
    return answer(cudaGraphAddDependencies_v2(g, from, to, edges, n));
}
CALL(cuGraphRemoveDependencies_v2, ADDED)
{
    return answer(cudaGraphRemoveDependencies_v2(g, from, to, edges, n));
}
CALL(cuGraphAddNode_v2, (CUgraphNode *node, CUgraph g, const CUgraphNode *after,
                         const CUgraphEdgeData *edges, size_t n, CUgraphNodeParams *p))
{
    (void)edges;
    return cuGraphAddNode(node, g, after, n, p);
}
CALL(cuStreamGetCaptureInfo_v3, (CUstream s, CUstreamCaptureStatus *status, unsigned long long *id,
                                 CUgraph *g, const CUgraphNode **after,
                                 const CUgraphEdgeData **edges, size_t *n))
{
    enum cudaStreamCaptureStatus is = cudaStreamCaptureStatusNone;
    if (!status)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult e = answer(cudaStreamGetCaptureInfo_v3(s, &is, id, g, after, edges, n));
    *status = (CUstreamCaptureStatus)is;
    return e;
}
CALL(cuStreamUpdateCaptureDependencies_v2, (CUstream s, CUgraphNode *after,
                                            const CUgraphEdgeData *edges, size_t n,
                                            unsigned flags))
{
    return answer(cudaStreamUpdateCaptureDependencies_v2(s, after, edges, n, flags));
}
