/* What a node of a graph does, as one structure of all kinds; and nodes that run their graphs by a
 * value that kernels set.  Values and places are those of CUDA 12.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_GRAPH_TYPES_H
#define HEDDLE_GRAPH_TYPES_H
typedef unsigned long long cudaGraphConditionalHandle;
#define cudaGraphCondAssignDefault 1    /* at each launch the value is the default again */
enum cudaGraphConditionalNodeType { cudaGraphCondTypeIf, cudaGraphCondTypeWhile,
                                    cudaGraphCondTypeSwitch };
enum cudaGraphInstantiateFlags { cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
                                 cudaGraphInstantiateFlagUpload = 2,
                                 cudaGraphInstantiateFlagDeviceLaunch = 4,
                                 cudaGraphInstantiateFlagUseNodePriority = 8 };
enum cudaGraphInstantiateResult { cudaGraphInstantiateSuccess, cudaGraphInstantiateError,
                                  cudaGraphInstantiateInvalidStructure,
                                  cudaGraphInstantiateNodeOperationNotSupported,
                                  cudaGraphInstantiateMultipleDevicesNotSupported };
typedef struct cudaGraphInstantiateParams_st {
    unsigned long long flags;
    cudaStream_t uploadStream;
    cudaGraphNode_t errNode_out;
    enum cudaGraphInstantiateResult result_out;
} cudaGraphInstantiateParams;
/* Which parts of a graph's nodes a drawing has. */
enum cudaGraphDebugDotFlags { cudaGraphDebugDotFlagsVerbose = 1,
                              cudaGraphDebugDotFlagsKernelNodeParams = 4,
                              cudaGraphDebugDotFlagsMemcpyNodeParams = 8,
                              cudaGraphDebugDotFlagsMemsetNodeParams = 16,
                              cudaGraphDebugDotFlagsHostNodeParams = 32,
                              cudaGraphDebugDotFlagsEventNodeParams = 64,
                              cudaGraphDebugDotFlagsKernelNodeAttributes = 512,
                              cudaGraphDebugDotFlagsHandles = 1024 };
/* What a program gives a graph to keep. */
typedef struct CUuserObject_st *cudaUserObject_t;
enum cudaUserObjectFlags { cudaUserObjectNoDestructorSync = 1 };
enum cudaUserObjectRetainFlags { cudaGraphUserObjectMove = 1 };
/* Bytes that graphs have allocated, and that are kept for them. */
enum cudaGraphMemAttributeType { cudaGraphMemAttrUsedMemCurrent, cudaGraphMemAttrUsedMemHigh,
                                 cudaGraphMemAttrReservedMemCurrent,
                                 cudaGraphMemAttrReservedMemHigh };
struct cudaMemAllocNodeParams {
    struct cudaMemPoolProps poolProps;
    const struct cudaMemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    void *dptr;                         /* what it allocates, known from the beginning */
};
struct cudaMemFreeNodeParams { void *dptr; };
#ifndef __cplusplus
typedef struct cudaMemAllocNodeParams cudaMemAllocNodeParams;
#endif
/* Which point of one node another waits for: here always its end. */
typedef struct cudaGraphEdgeData_st {
    unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;

struct cudaKernelNodeParamsV2 {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaMemcpyNodeParams { int flags, reserved[3]; struct cudaMemcpy3DParms copyParams; };
struct cudaMemsetParamsV2 {
    void *dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParamsV2 { cudaHostFn_t fn; void *userData; };
struct cudaEventRecordNodeParams { cudaEvent_t event; };
struct cudaEventWaitNodeParams { cudaEvent_t event; };
struct cudaChildGraphNodeParams { cudaGraph_t graph; int ownership; };
struct cudaConditionalNodeParams {
    cudaGraphConditionalHandle handle;
    enum cudaGraphConditionalNodeType type;
    unsigned size;                      /* how many graphs it has */
    cudaGraph_t *phGraph_out;           /* these; they are the node's */
};
struct cudaGraphNodeParams {
    enum cudaGraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        struct cudaKernelNodeParamsV2 kernel;
        struct cudaMemcpyNodeParams memcpy;
        struct cudaMemsetParamsV2 memset;
        struct cudaHostNodeParamsV2 host;
        struct cudaChildGraphNodeParams graph;
        struct cudaEventWaitNodeParams eventWait;
        struct cudaEventRecordNodeParams eventRecord;
        struct cudaMemAllocNodeParams alloc;
        struct cudaMemFreeNodeParams free;
        struct cudaConditionalNodeParams conditional;
    };
    long long reserved2;
};
#ifndef __cplusplus
typedef struct cudaGraphNodeParams cudaGraphNodeParams;
#endif
#endif
