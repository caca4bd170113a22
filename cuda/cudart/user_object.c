/* What a program gives a graph to keep: with the last graph, instance and reference it goes.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "cuda/cudart/graph.h"

struct CUuserObject_st {
    struct rt_owned owned;
    void *p;
    cudaHostFn_t destroy;
};

static void go(struct rt_owned *o)
{
    struct CUuserObject_st *u = (struct CUuserObject_st *)o;
    u->destroy(u->p);
    free(u);
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *to, void *p, cudaHostFn_t destroy, unsigned n,
                                 unsigned flags)
{
    RT_BEGIN;
    if (!to || !destroy || !n || flags != cudaUserObjectNoDestructorSync)
        return rt_error(cudaErrorInvalidValue);
    if (!(*to = malloc(sizeof **to)))
        return rt_error(cudaErrorMemoryAllocation);
    **to = (struct CUuserObject_st){ { n, go }, p, destroy };
    return cudaSuccess;
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t u, unsigned n)
{
    RT_BEGIN;
    if (!u || !n)
        return rt_error(cudaErrorInvalidValue);
    u->owned.owners += n;
    return cudaSuccess;
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t u, unsigned n)
{
    RT_BEGIN;
    if (!u || !n || n > u->owned.owners)
        return rt_error(cudaErrorInvalidValue);
    u->owned.owners -= n;
    if (!u->owned.owners)
        go(&u->owned);
    return cudaSuccess;
}

/* The graph's references are new ones, or those of the program that calls. */
cudaError_t cudaGraphRetainUserObject(cudaGraph_t g, cudaUserObject_t u, unsigned n, unsigned flags)
{
    RT_BEGIN;
    bool move = flags == cudaGraphUserObjectMove;
    if (!g || !u || !n || (flags && !move) || (move && n > u->owned.owners))
        return rt_error(cudaErrorInvalidValue);
    for (unsigned k = 0; k < n; k++) {
        cudaError_t e = rt_own(&g->users, &u->owned);
        if (e != cudaSuccess)
            return rt_error(e);
    }
    return move ? cudaUserObjectRelease(u, n) : cudaSuccess;
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t g, cudaUserObject_t u, unsigned n)
{
    RT_BEGIN;
    if (!g || !u || !n)
        return rt_error(cudaErrorInvalidValue);
    for (; n && rt_disown(&g->users, &u->owned); n--)
        ;
    return rt_error(n ? cudaErrorInvalidValue : cudaSuccess);
}
