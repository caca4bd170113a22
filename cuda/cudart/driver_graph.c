/* The driver API of graphs, on top of the runtime API.  SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "cuda/cudart/driver.h"

/* Parameters of nodes as the runtime API has them; NULL stays NULL. */
#define KERNEL(p) ((p) ? &(struct cudaKernelNodeParams){ \
    .func = (p)->func ? (void *)(p)->func : (void *)(p)->kern, \
    .gridDim = { (p)->gridDimX, (p)->gridDimY, (p)->gridDimZ }, \
    .blockDim = { (p)->blockDimX, (p)->blockDimY, (p)->blockDimZ }, \
    .sharedMemBytes = (p)->sharedMemBytes, .kernelParams = (p)->kernelParams, \
    .extra = (p)->extra } : NULL)
#define FILL(p) ((p) ? &(struct cudaMemsetParams){ \
    DEVICE_POINTER((p)->dst), (p)->pitch, (p)->value, (p)->elementSize, (p)->width, \
    (p)->height } : NULL)
#define HOST(p) ((p) ? &(struct cudaHostNodeParams){ (p)->fn, (p)->userData } : NULL)

/* Of any kind: both APIs' structures begin alike, but for copies and libraries' kernels. */
static CUresult any(struct cudaGraphNodeParams *to, const CUgraphNodeParams *p)
{
    _Static_assert(sizeof *to == sizeof *p, "one structure under two names");
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(to, p, sizeof *to);
    if (p->type == CU_GRAPH_NODE_TYPE_MEMCPY)
        return driver_box(&p->memcpy.copyParams, &to->memcpy.copyParams);
    if (p->type == CU_GRAPH_NODE_TYPE_KERNEL && !p->kernel.func)
        to->kernel.func = p->kernel.kern;
    return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture(CUstream s, CUstreamCaptureMode mode)
{
    return answer(cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode)mode));
}
CUresult cuStreamBeginCaptureToGraph(CUstream s, CUgraph g, const CUgraphNode *after,
                                     const CUgraphEdgeData *edges, size_t n,
                                     CUstreamCaptureMode mode)
{
    return answer(cudaStreamBeginCaptureToGraph(s, g, after, edges, n,
                                                (enum cudaStreamCaptureMode)mode));
}
CUresult cuStreamEndCapture(CUstream s, CUgraph *g) { return answer(cudaStreamEndCapture(s, g)); }
CUresult cuStreamIsCapturing(CUstream s, CUstreamCaptureStatus *status)
{
    enum cudaStreamCaptureStatus is;
    CUresult e = status ? answer(cudaStreamIsCapturing(s, &is)) : CUDA_ERROR_INVALID_VALUE;
    if (e == CUDA_SUCCESS)
        *status = (CUstreamCaptureStatus)is;
    return e;
}
CUresult cuStreamGetCaptureInfo(CUstream s, CUstreamCaptureStatus *status, unsigned long long *id,
                                CUgraph *g, const CUgraphNode **after, size_t *n)
{
    enum cudaStreamCaptureStatus is;
    if (!status)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult e = answer(cudaStreamGetCaptureInfo_v2(s, &is, id, g, after, n));
    if (e == CUDA_SUCCESS)
        *status = (CUstreamCaptureStatus)is;
    return e;
}
CUresult cuStreamUpdateCaptureDependencies(CUstream s, CUgraphNode *after, size_t n,
                                           unsigned flags)
{
    return answer(cudaStreamUpdateCaptureDependencies(s, after, n, flags));
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    enum cudaStreamCaptureMode m = mode ? (enum cudaStreamCaptureMode)*mode
                                        : cudaStreamCaptureModeGlobal;
    CUresult e = answer(cudaThreadExchangeStreamCaptureMode(mode ? &m : NULL));
    if (e == CUDA_SUCCESS)
        *mode = (CUstreamCaptureMode)m;
    return e;
}
CUresult cuGraphCreate(CUgraph *g, unsigned flags) { return answer(cudaGraphCreate(g, flags)); }
CUresult cuGraphDestroy(CUgraph g) { return answer(cudaGraphDestroy(g)); }
CUresult cuGraphClone(CUgraph *clone, CUgraph g) { return answer(cudaGraphClone(clone, g)); }
CUresult cuGraphNodeFindInClone(CUgraphNode *out, CUgraphNode node, CUgraph clone)
{
    return answer(cudaGraphNodeFindInClone(out, node, clone));
}
CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *nodes, size_t *n)
{
    return answer(cudaGraphGetNodes(g, nodes, n));
}
CUresult cuGraphGetRootNodes(CUgraph g, CUgraphNode *nodes, size_t *n)
{
    return answer(cudaGraphGetRootNodes(g, nodes, n));
}
CUresult cuGraphGetEdges(CUgraph g, CUgraphNode *from, CUgraphNode *to, size_t *n)
{
    return answer(cudaGraphGetEdges(g, from, to, n));
}
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *n)
{
    return answer(cudaGraphNodeGetDependencies(node, nodes, n));
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *n)
{
    return answer(cudaGraphNodeGetDependentNodes(node, nodes, n));
}
CUresult cuGraphAddDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to,
                                size_t n)
{
    return answer(cudaGraphAddDependencies(g, from, to, n));
}
CUresult cuGraphRemoveDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to,
                                   size_t n)
{
    return answer(cudaGraphRemoveDependencies(g, from, to, n));
}
CUresult cuGraphDestroyNode(CUgraphNode node) { return answer(cudaGraphDestroyNode(node)); }
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type)
{
    enum cudaGraphNodeType is;
    CUresult e = answer(cudaGraphNodeGetType(node, type ? &is : NULL));
    if (e == CUDA_SUCCESS)
        *type = (CUgraphNodeType)is;
    return e;
}
CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n)
{
    return answer(cudaGraphAddEmptyNode(node, g, after, n));
}
CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                                  CUgraph child)
{
    return answer(cudaGraphAddChildGraphNode(node, g, after, n, child));
}
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *g)
{
    return answer(cudaGraphChildGraphNodeGetGraph(node, g));
}
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child)
{
    return answer(cudaGraphExecChildGraphNodeSetParams(exec, node, child));
}
CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after,
                                   size_t n, CUevent event)
{
    return answer(cudaGraphAddEventRecordNode(node, g, after, n, event));
}
CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                                 CUevent event)
{
    return answer(cudaGraphAddEventWaitNode(node, g, after, n, event));
}
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event)
{
    return answer(cudaGraphEventRecordNodeGetEvent(node, event));
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event)
{
    return answer(cudaGraphEventRecordNodeSetEvent(node, event));
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event)
{
    return answer(cudaGraphExecEventRecordNodeSetEvent(exec, node, event));
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event)
{
    return answer(cudaGraphEventWaitNodeGetEvent(node, event));
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event)
{
    return answer(cudaGraphEventWaitNodeSetEvent(node, event));
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event)
{
    return answer(cudaGraphExecEventWaitNodeSetEvent(exec, node, event));
}
CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                              const CUDA_KERNEL_NODE_PARAMS *p)
{
    return answer(cudaGraphAddKernelNode(node, g, after, n, KERNEL(p)));
}
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p)
{
    return answer(cudaGraphKernelNodeSetParams(node, KERNEL(p)));
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *p)
{
    return answer(cudaGraphExecKernelNodeSetParams(exec, node, KERNEL(p)));
}
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *p)
{
    struct cudaKernelNodeParams k;
    CUresult e = answer(cudaGraphKernelNodeGetParams(node, p ? &k : NULL));
    if (e == CUDA_SUCCESS)
        *p = (CUDA_KERNEL_NODE_PARAMS){ k.func, k.gridDim.x, k.gridDim.y, k.gridDim.z, k.blockDim.x,
                                        k.blockDim.y, k.blockDim.z, k.sharedMemBytes,
                                        k.kernelParams, NULL, NULL, CONTEXT };
    return e;
}
CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                              const CUDA_MEMSET_NODE_PARAMS *p, CUcontext ctx)
{
    (void)ctx;                              /* there is one */
    return answer(cudaGraphAddMemsetNode(node, g, after, n, FILL(p)));
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p)
{
    return answer(cudaGraphMemsetNodeSetParams(node, FILL(p)));
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS *p, CUcontext ctx)
{
    (void)ctx;                              /* there is one */
    return answer(cudaGraphExecMemsetNodeSetParams(exec, node, FILL(p)));
}
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *p)
{
    struct cudaMemsetParams k;
    CUresult e = answer(cudaGraphMemsetNodeGetParams(node, p ? &k : NULL));
    if (e == CUDA_SUCCESS)
        *p = (CUDA_MEMSET_NODE_PARAMS){ (uintptr_t)k.dst, k.pitch, k.value, k.elementSize, k.width,
                                        k.height, NULL };
    return e;
}
CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                              const CUDA_MEMCPY3D *p, CUcontext ctx)
{
    (void)ctx;                              /* there is one */
    struct cudaMemcpy3DParms box;
    CUresult e = driver_box(p, &box);
    return e == CUDA_SUCCESS ? answer(cudaGraphAddMemcpyNode(node, g, after, n, &box)) : e;
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *p)
{
    struct cudaMemcpy3DParms box;
    CUresult e = driver_box(p, &box);
    return e == CUDA_SUCCESS ? answer(cudaGraphMemcpyNodeSetParams(node, &box)) : e;
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *p,
                                        CUcontext ctx)
{
    (void)ctx;                              /* there is one */
    struct cudaMemcpy3DParms box;
    CUresult e = driver_box(p, &box);
    return e == CUDA_SUCCESS ? answer(cudaGraphExecMemcpyNodeSetParams(exec, node, &box)) : e;
}
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *p)
{
    struct cudaMemcpy3DParms box;
    CUresult e = answer(cudaGraphMemcpyNodeGetParams(node, p ? &box : NULL));
    if (e == CUDA_SUCCESS)
        *p = driver_unbox(&box);
    return e;
}
CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                            const CUDA_HOST_NODE_PARAMS *p)
{
    return answer(cudaGraphAddHostNode(node, g, after, n, HOST(p)));
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *p)
{
    return answer(cudaGraphHostNodeSetParams(node, HOST(p)));
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS *p)
{
    return answer(cudaGraphExecHostNodeSetParams(exec, node, HOST(p)));
}
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *p)
{
    struct cudaHostNodeParams k;
    CUresult e = answer(cudaGraphHostNodeGetParams(node, p ? &k : NULL));
    if (e == CUDA_SUCCESS)
        *p = (CUDA_HOST_NODE_PARAMS){ k.fn, k.userData };
    return e;
}
CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                                CUDA_MEM_ALLOC_NODE_PARAMS *p)
{
    struct cudaMemAllocNodeParams k;
    _Static_assert(sizeof k == sizeof *p, "one structure under two names");
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&k, p, sizeof k);
    CUresult e = answer(cudaGraphAddMemAllocNode(node, g, after, n, &k));
    p->dptr = (uintptr_t)k.dptr;
    return e;
}
CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                               CUdeviceptr p)
{
    return answer(cudaGraphAddMemFreeNode(node, g, after, n, DEVICE_POINTER(p)));
}
CUresult cuGraphAddNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                        CUgraphNodeParams *p)
{
    struct cudaGraphNodeParams k;
    CUresult e = any(&k, p);
    if (e == CUDA_SUCCESS)
        e = answer(cudaGraphAddNode(node, g, after, n, &k));
    if (e == CUDA_SUCCESS && p->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        p->conditional.phGraph_out = k.conditional.phGraph_out;
    if (e == CUDA_SUCCESS && p->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        p->alloc.dptr = (uintptr_t)k.alloc.dptr;
    return e;
}
CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *p)
{
    struct cudaGraphNodeParams k;
    CUresult e = any(&k, p);
    return e == CUDA_SUCCESS ? answer(cudaGraphNodeSetParams(node, &k)) : e;
}
CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *p)
{
    struct cudaGraphNodeParams k;
    CUresult e = any(&k, p);
    return e == CUDA_SUCCESS ? answer(cudaGraphExecNodeSetParams(exec, node, &k)) : e;
}
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *h, CUgraph g, CUcontext ctx,
                                        unsigned value, unsigned flags)
{
    (void)ctx;                              /* there is one */
    return answer(cudaGraphConditionalHandleCreate(h, g, value, flags));
}
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned on)
{
    return answer(cudaGraphNodeSetEnabled(exec, node, on));
}
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned *on)
{
    return answer(cudaGraphNodeGetEnabled(exec, node, on));
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph g, unsigned long long flags)
{
    return answer(cudaGraphInstantiate(exec, g, flags));
}
CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph g,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *p)
{
    CUresult e = p ? answer(cudaGraphInstantiate(exec, g, p->flags)) : CUDA_ERROR_INVALID_VALUE;
    if (p)
        p->hErrNode_out = NULL, p->result_out = e != CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_ERROR
                                                                  : CUDA_GRAPH_INSTANTIATE_SUCCESS;
    return e;
}
CUresult cuGraphExecGetFlags(CUgraphExec exec, unsigned long long *flags)
{
    return answer(cudaGraphExecGetFlags(exec, flags));
}
CUresult cuGraphUpload(CUgraphExec exec, CUstream s) { return answer(cudaGraphUpload(exec, s)); }
CUresult cuGraphLaunch(CUgraphExec exec, CUstream s) { return answer(cudaGraphLaunch(exec, s)); }
CUresult cuGraphExecDestroy(CUgraphExec exec) { return answer(cudaGraphExecDestroy(exec)); }
CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph g, CUgraphExecUpdateResultInfo *info)
{
    struct cudaGraphExecUpdateResultInfo i = { 0 };
    CUresult e = answer(cudaGraphExecUpdate(exec, g, &i));
    if (info)
        *info = (CUgraphExecUpdateResultInfo){ (CUgraphExecUpdateResult)i.result, i.errorNode,
                                               i.errorFromNode };
    return e;
}
CUresult cuGraphDebugDotPrint(CUgraph g, const char *path, unsigned flags)
{
    return answer(cudaGraphDebugDotPrint(g, path, flags));
}
CUresult cuUserObjectCreate(CUuserObject *u, void *p, CUhostFn destroy, unsigned n, unsigned flags)
{
    return answer(cudaUserObjectCreate(u, p, destroy, n, flags));
}
CUresult cuUserObjectRetain(CUuserObject u, unsigned n)
{
    return answer(cudaUserObjectRetain(u, n));
}
CUresult cuUserObjectRelease(CUuserObject u, unsigned n)
{
    return answer(cudaUserObjectRelease(u, n));
}
CUresult cuGraphRetainUserObject(CUgraph g, CUuserObject u, unsigned n, unsigned flags)
{
    return answer(cudaGraphRetainUserObject(g, u, n, flags));
}
CUresult cuGraphReleaseUserObject(CUgraph g, CUuserObject u, unsigned n)
{
    return answer(cudaGraphReleaseUserObject(g, u, n));
}
CUresult cuDeviceGraphMemTrim(CUdevice d) { return answer(cudaDeviceGraphMemTrim(d)); }
CUresult cuEventRecordWithFlags(CUevent e, CUstream s, unsigned flags)
{
    return answer(cudaEventRecordWithFlags(e, s, flags));
}
