/* What a graph is: nodes in the order in which they are done.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_CUDART_GRAPH_H
#define HD_CUDART_GRAPH_H
#include "cuda/cudart/rt.h"

enum node_kind { NODE_EMPTY, NODE_KERNEL, NODE_COPY, NODE_BOX, NODE_FILL, NODE_HOST, NODE_GRAPH,
                 NODE_CONDITION, NODE_ALLOC, NODE_FREE, NODE_RECORD, NODE_WAIT };
struct CUgraphNode_st {
    enum node_kind kind;
    struct rt_function *fn;
    dim3 grid, block;
    void *params;                /* of a kernel; its own */
    void **args;                 /* where each of them lies, for who asks; NULL: nobody has */
    cudaLaunchAttributeValue *attributes;   /* of a kernel, by their numbers; NULL: none is set */
    size_t shared;
    void *dst;
    const void *src;
    size_t bytes;
    enum cudaMemcpyKind how;
    struct cudaMemsetParams fill;
    struct cudaMemcpy3DParms box;           /* of a copy of rows and slices */
    cudaHostFn_t call;
    void *user;
    cudaEvent_t event;
    struct CUgraph_st **children;           /* its own */
    unsigned nchildren;
    cudaGraphConditionalHandle handle;      /* of the value by which they are done, */
    enum cudaGraphConditionalNodeType type; /* in this way */
    const struct CUgraphNode_st *origin;    /* of an instance's: the graph's, which names it, */
    const struct CUgraphNode_st *older;     /* and that of its first graph */
    struct CUgraph_st *graph;               /* that it is in, */
    struct rt_nodes after;                  /* and the nodes of that which it waits for */
    bool off;                               /* of an instance: it does nothing */
    struct CUgraphNode_st *twin;            /* while its graph is copied */
    size_t place;                           /* in the graph, while one is put in order */
    struct CUgraphNode_st *next;
};
struct CUgraph_st {
    struct CUgraphNode_st *first, *last;
    struct rt_owns conditions;              /* which it and its nodes' graphs read */
    struct rt_owns blocks;                  /* which its nodes allocate */
    struct rt_owns users;                   /* what the program gave it */
    unsigned long long flags;               /* of an instance */
};
struct CUgraphExec_st { struct CUgraph_st nodes; };  /* as the graph was when it was instantiated */

/* Adds a copy of a node, after n others; what that owns is the graph's from now on, or is dropped.
 * out may be NULL. */
cudaError_t graph_add(struct CUgraph_st *g, const cudaGraphNode_t *after, size_t n,
                      const struct CUgraphNode_st *node, cudaGraphNode_t *out);
/* A node whose memory is the graph's; *p is where it lies. */
cudaError_t graph_add_alloc(struct CUgraph_st *g, const cudaGraphNode_t *after, size_t n, void **p,
                            size_t bytes, const void *site, cudaGraphNode_t *out);
cudaError_t graph_copy(const struct CUgraph_st *from, struct CUgraph_st **out);
/* A kernel's attributes, room for all of them. */
enum { GRAPH_ATTRIBUTES = cudaLaunchAttributePreferredClusterDimension + 1 };
cudaError_t graph_copy_attributes(struct CUgraphNode_st *to, const struct CUgraphNode_st *from);
void *graph_copy_params(const struct rt_function *f, const void *params);
enum cudaGraphNodeType graph_type(const struct CUgraphNode_st *n);
/* A node does what another does from now on, and the other what it did. */
void graph_swap(struct CUgraphNode_st *n, struct CUgraphNode_st *by);
/* graph_edges.c: whether all of them are nodes of the graph. */
bool graph_has(const struct CUgraph_st *g, const cudaGraphNode_t *nodes, size_t n);
/* Each node behind those that it waits for, also in the nodes' graphs; false: they wait for each
 * other.  Numbers them. */
bool graph_order(struct CUgraph_st *g);
/* graph_nodes.c: what a node does, by the parameters of one kind.  It owns what it needs. */
cudaError_t graph_kernel(struct CUgraphNode_st *n, const struct cudaKernelNodeParams *p);
cudaError_t graph_fill(struct CUgraphNode_st *n, const struct cudaMemsetParams *p);
cudaError_t graph_box(struct CUgraphNode_st *n, const struct cudaMemcpy3DParms *p);
cudaError_t graph_host(struct CUgraphNode_st *n, const struct cudaHostNodeParams *p);
cudaError_t graph_child(struct CUgraphNode_st *n, const struct CUgraph_st *child);
cudaError_t graph_any(struct CUgraphNode_st *n, struct cudaGraphNodeParams *p);
/* Bytes between memory and a variable of the program. */
cudaError_t graph_symbol(struct CUgraphNode_st *n, void *dst, const void *src, const void *symbol,
                         size_t bytes, size_t offset, enum cudaMemcpyKind kind);
/* What a node owns, but not its edges. */
void graph_drop_parts(const struct CUgraphNode_st *n);
void graph_drop(struct CUgraph_st *g);
#endif
