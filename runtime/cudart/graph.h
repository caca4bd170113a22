/* What a graph is: nodes in the order in which they are done.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_CUDART_GRAPH_H
#define HD_CUDART_GRAPH_H
#include "runtime/cudart/rt.h"

enum node_kind { NODE_EMPTY, NODE_KERNEL, NODE_COPY, NODE_BOX, NODE_FILL, NODE_HOST, NODE_GRAPH,
                 NODE_CONDITION, NODE_ALLOC, NODE_FREE };
struct CUgraphNode_st {
    enum node_kind kind;
    struct rt_function *fn;
    dim3 grid, block;
    void *params;                /* of a kernel; its own */
    size_t shared;
    void *dst;
    const void *src;
    size_t bytes;
    enum cudaMemcpyKind how;
    struct cudaMemsetParams fill;
    struct cudaMemcpy3DParms box;           /* of a copy of rows and slices */
    cudaHostFn_t call;
    void *user;
    struct CUgraph_st **children;           /* its own */
    unsigned nchildren;
    cudaGraphConditionalHandle handle;      /* of the value by which they are done, */
    enum cudaGraphConditionalNodeType type; /* in this way */
    const struct CUgraphNode_st *origin;    /* of an instance's: the graph's, which names it */
    struct CUgraphNode_st *next;
};
struct CUgraph_st {
    struct CUgraphNode_st *first, *last;
    struct rt_owns conditions;              /* which it and its nodes' graphs read */
    struct rt_owns blocks;                  /* which its nodes allocate */
    bool frees;                             /* of an instance: what a launch left, at the next */
};
struct CUgraphExec_st { struct CUgraph_st nodes; };  /* as the graph was when it was instantiated */

/* Adds a copy of a node; what that owns is the graph's from now on, or is dropped.  out may be
 * NULL. */
cudaError_t graph_add(struct CUgraph_st *g, const struct CUgraphNode_st *node,
                      cudaGraphNode_t *out);
/* A node whose memory is the graph's; *p is where it lies. */
cudaError_t graph_add_alloc(struct CUgraph_st *g, void **p, size_t bytes, const void *site,
                            cudaGraphNode_t *out);
cudaError_t graph_copy(const struct CUgraph_st *from, struct CUgraph_st **out);
void *graph_copy_params(const struct rt_function *f, const void *params);
/* A node does what another does from now on, whose parameters become its own. */
cudaError_t graph_replace(struct CUgraphNode_st *n, const struct CUgraphNode_st *by);
/* What a node owns. */
void graph_drop_parts(const struct CUgraphNode_st *n);
void graph_drop(struct CUgraph_st *g);
#endif
