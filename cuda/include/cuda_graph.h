/* Of the driver API: graphs, as the run time has them.  Values and layouts are those of CUDA 12.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUDA_GRAPH_H
#define HEDDLE_CUDA_GRAPH_H
typedef cudaGraph_t CUgraph;
typedef cudaGraphNode_t CUgraphNode;
typedef cudaGraphExec_t CUgraphExec;
typedef cudaUserObject_t CUuserObject;
typedef cudaGraphConditionalHandle CUgraphConditionalHandle;
typedef cudaGraphEdgeData CUgraphEdgeData;
typedef enum CUstreamCaptureMode_enum {
    CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
    CU_STREAM_CAPTURE_MODE_RELAXED
} CUstreamCaptureMode;
typedef enum CUstreamCaptureStatus_enum {
    CU_STREAM_CAPTURE_STATUS_NONE, CU_STREAM_CAPTURE_STATUS_ACTIVE,
    CU_STREAM_CAPTURE_STATUS_INVALIDATED
} CUstreamCaptureStatus;
typedef enum CUstreamUpdateCaptureDependencies_flags_enum {
    CU_STREAM_ADD_CAPTURE_DEPENDENCIES, CU_STREAM_SET_CAPTURE_DEPENDENCIES
} CUstreamUpdateCaptureDependencies_flags;
typedef enum CUgraphNodeType_enum {
    CU_GRAPH_NODE_TYPE_KERNEL, CU_GRAPH_NODE_TYPE_MEMCPY, CU_GRAPH_NODE_TYPE_MEMSET,
    CU_GRAPH_NODE_TYPE_HOST, CU_GRAPH_NODE_TYPE_GRAPH, CU_GRAPH_NODE_TYPE_EMPTY,
    CU_GRAPH_NODE_TYPE_WAIT_EVENT, CU_GRAPH_NODE_TYPE_EVENT_RECORD,
    CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT,
    CU_GRAPH_NODE_TYPE_MEM_ALLOC, CU_GRAPH_NODE_TYPE_MEM_FREE, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
    CU_GRAPH_NODE_TYPE_CONDITIONAL
} CUgraphNodeType;
typedef enum CUgraphConditionalNodeType_enum {
    CU_GRAPH_COND_TYPE_IF, CU_GRAPH_COND_TYPE_WHILE, CU_GRAPH_COND_TYPE_SWITCH
} CUgraphConditionalNodeType;
typedef enum CUgraphInstantiate_flags_enum {
    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH = 1, CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD = 2,
    CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH = 4,
    CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY = 8
} CUgraphInstantiate_flags;
typedef enum CUgraphInstantiateResult_enum {
    CUDA_GRAPH_INSTANTIATE_SUCCESS, CUDA_GRAPH_INSTANTIATE_ERROR
} CUgraphInstantiateResult;
typedef enum CUgraphExecUpdateResult_enum {
    CU_GRAPH_EXEC_UPDATE_SUCCESS, CU_GRAPH_EXEC_UPDATE_ERROR,
    CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED
} CUgraphExecUpdateResult;
typedef struct CUgraphExecUpdateResultInfo_st {
    CUgraphExecUpdateResult result;
    CUgraphNode errorNode, errorFromNode;
} CUgraphExecUpdateResultInfo;
typedef struct CUDA_GRAPH_INSTANTIATE_PARAMS_st {
    unsigned long long flags;
    CUstream hUploadStream;
    CUgraphNode hErrNode_out;
    CUgraphInstantiateResult result_out;
} CUDA_GRAPH_INSTANTIATE_PARAMS;
#define CU_GRAPH_COND_ASSIGN_DEFAULT 1
#define CU_USER_OBJECT_NO_DESTRUCTOR_SYNC 1
#define CU_GRAPH_USER_OBJECT_MOVE 1
#define CU_EVENT_RECORD_DEFAULT 0
#define CU_EVENT_RECORD_EXTERNAL 1
#define CU_EVENT_WAIT_DEFAULT 0
#define CU_EVENT_WAIT_EXTERNAL 1
typedef struct CUDA_KERNEL_NODE_PARAMS_st {
    CUfunction func;
    unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    void **kernelParams, **extra;
    CUkernel kern;                      /* where func is NULL */
    CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;
typedef struct CUDA_MEMSET_NODE_PARAMS_st {
    CUdeviceptr dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
    CUcontext ctx;                      /* of CUgraphNodeParams alone */
} CUDA_MEMSET_NODE_PARAMS;
typedef struct CUDA_HOST_NODE_PARAMS_st { CUhostFn fn; void *userData; } CUDA_HOST_NODE_PARAMS;
typedef struct CUDA_MEM_ALLOC_NODE_PARAMS_st {
    CUmemPoolProps poolProps;
    const CUmemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    CUdeviceptr dptr;
} CUDA_MEM_ALLOC_NODE_PARAMS;
typedef struct CUgraphNodeParams_st {
    CUgraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        CUDA_KERNEL_NODE_PARAMS kernel;
        struct { int flags, reserved; CUcontext copyCtx; CUDA_MEMCPY3D copyParams; } memcpy;
        CUDA_MEMSET_NODE_PARAMS memset;
        CUDA_HOST_NODE_PARAMS host;
        struct { CUgraph graph; int ownership; } graph;
        struct { CUevent event; } eventWait;
        struct { CUevent event; } eventRecord;
        CUDA_MEM_ALLOC_NODE_PARAMS alloc;
        struct { CUdeviceptr dptr; } free;
        struct {
            CUgraphConditionalHandle handle;
            CUgraphConditionalNodeType type;
            unsigned size;
            CUgraph *phGraph_out;
            CUcontext ctx;
        } conditional;
    };
    long long reserved2;
} CUgraphNodeParams;

/* The names that programs are linked with. */
#define cuStreamBeginCapture cuStreamBeginCapture_v2
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v2
#define cuGraphAddKernelNode cuGraphAddKernelNode_v2
#define cuGraphKernelNodeGetParams cuGraphKernelNodeGetParams_v2
#define cuGraphKernelNodeSetParams cuGraphKernelNodeSetParams_v2
#define cuGraphExecKernelNodeSetParams cuGraphExecKernelNodeSetParams_v2
#define cuGraphExecUpdate cuGraphExecUpdate_v2
#define cuGraphInstantiate cuGraphInstantiateWithFlags

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
CUresult cuStreamBeginCapture(CUstream s, CUstreamCaptureMode mode);
CUresult cuStreamBeginCaptureToGraph(CUstream s, CUgraph g, const CUgraphNode *after,
                                     const CUgraphEdgeData *edges, size_t n,
                                     CUstreamCaptureMode mode);
CUresult cuStreamEndCapture(CUstream s, CUgraph *g);
CUresult cuStreamIsCapturing(CUstream s, CUstreamCaptureStatus *status);
CUresult cuStreamGetCaptureInfo(CUstream s, CUstreamCaptureStatus *status, unsigned long long *id,
                                CUgraph *g, const CUgraphNode **after, size_t *n);
CUresult cuStreamUpdateCaptureDependencies(CUstream s, CUgraphNode *after, size_t n,
                                           unsigned flags);
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode);
CUresult cuGraphCreate(CUgraph *g, unsigned flags);
CUresult cuGraphDestroy(CUgraph g);
CUresult cuGraphClone(CUgraph *clone, CUgraph g);
CUresult cuGraphNodeFindInClone(CUgraphNode *out, CUgraphNode node, CUgraph clone);
CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *nodes, size_t *n);
CUresult cuGraphGetRootNodes(CUgraph g, CUgraphNode *nodes, size_t *n);
CUresult cuGraphGetEdges(CUgraph g, CUgraphNode *from, CUgraphNode *to, size_t *n);
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *n);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *n);
CUresult cuGraphAddDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to,
                                size_t n);
CUresult cuGraphRemoveDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to,
                                   size_t n);
CUresult cuGraphDestroyNode(CUgraphNode node);
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type);
CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n);
CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                                  CUgraph child);
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *g);
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child);
CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after,
                                   size_t n, CUevent event);
CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                                 CUevent event);
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event);
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event);
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event);
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event);
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event);
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event);
CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                              const CUDA_KERNEL_NODE_PARAMS *p);
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *p);
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *p);
CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                              const CUDA_MEMSET_NODE_PARAMS *p, CUcontext ctx);
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p);
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS *p, CUcontext ctx);
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *p);
CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                              const CUDA_MEMCPY3D *p, CUcontext ctx);
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *p);
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *p,
                                        CUcontext ctx);
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *p);
CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                            const CUDA_HOST_NODE_PARAMS *p);
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *p);
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS *p);
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *p);
CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                                CUDA_MEM_ALLOC_NODE_PARAMS *p);
CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                               CUdeviceptr p);
CUresult cuGraphAddNode(CUgraphNode *node, CUgraph g, const CUgraphNode *after, size_t n,
                        CUgraphNodeParams *p);
CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *p);
CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *p);
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *h, CUgraph g, CUcontext ctx,
                                        unsigned value, unsigned flags);
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned on);
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned *on);
CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph g, unsigned long long flags);
CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph g,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *p);
CUresult cuGraphExecGetFlags(CUgraphExec exec, unsigned long long *flags);
CUresult cuGraphUpload(CUgraphExec exec, CUstream s);
CUresult cuGraphLaunch(CUgraphExec exec, CUstream s);
CUresult cuGraphExecDestroy(CUgraphExec exec);
CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph g, CUgraphExecUpdateResultInfo *info);
CUresult cuGraphDebugDotPrint(CUgraph g, const char *path, unsigned flags);
CUresult cuUserObjectCreate(CUuserObject *u, void *p, CUhostFn destroy, unsigned n,
                            unsigned flags);
CUresult cuUserObjectRetain(CUuserObject u, unsigned n);
CUresult cuUserObjectRelease(CUuserObject u, unsigned n);
CUresult cuGraphRetainUserObject(CUgraph g, CUuserObject u, unsigned n, unsigned flags);
CUresult cuGraphReleaseUserObject(CUgraph g, CUuserObject u, unsigned n);
CUresult cuDeviceGraphMemTrim(CUdevice d);
CUresult cuEventRecordWithFlags(CUevent e, CUstream s, unsigned flags);
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#ifdef __cplusplus
/* As CUDA 11 had it. */
static inline CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph g, CUgraphNode *node, char *,
                                          size_t)
{
    if (node) *node = 0;
    return cuGraphInstantiate(exec, g, 0);
}
#endif
#endif
