/* A graph as a drawing for Graphviz.  SPDX-License-Identifier: Apache-2.0 */
#include "cuda/cudart/graph.h"

static void name(const struct CUgraphNode_st *n, char *buf, size_t room)
{
    static const char *const kinds[] = {
        [NODE_EMPTY] = "empty", [NODE_COPY] = "copy", [NODE_BOX] = "copy", [NODE_FILL] = "fill",
        [NODE_HOST] = "host", [NODE_GRAPH] = "graph", [NODE_CONDITION] = "conditional",
        [NODE_ALLOC] = "allocate", [NODE_FREE] = "free", [NODE_RECORD] = "record event",
        [NODE_WAIT] = "wait for event"
    };
    if (n->kind == NODE_KERNEL)
        rt_name(n->fn->name, buf, room);
    else
        snprintf(buf, room, "%s", kinds[n->kind]);
}

/* A node's graphs stand in a frame after it. */
static void print(FILE *f, const struct CUgraph_st *g, bool all)
{
    char text[1000];
    for (const struct CUgraphNode_st *n = g->first; n; n = n->next) {
        name(n, text, sizeof text);
        fprintf(f, "\"%p\" [label=\"%s", (const void *)n, text);
        if (all && n->kind == NODE_KERNEL)
            fprintf(f, "\\n<<<(%u,%u,%u), (%u,%u,%u), %zu>>>", n->grid.x, n->grid.y, n->grid.z,
                    n->block.x, n->block.y, n->block.z, n->shared);
        if (all && n->kind == NODE_COPY)
            fprintf(f, "\\n%zu bytes", n->bytes);
        fprintf(f, "\"];\n");
        for (size_t k = 0; k < n->after.n; k++)
            fprintf(f, "\"%p\" -> \"%p\";\n", (const void *)n->after.all[k], (const void *)n);
        for (unsigned k = 0; k < n->nchildren; k++) {
            const struct CUgraph_st *child = n->children[k];
            fprintf(f, "subgraph \"cluster%p\" {\n", (const void *)child);
            print(f, child, all);
            fprintf(f, "}\n");
            if (child->first)
                fprintf(f, "\"%p\" -> \"%p\" [style=dashed];\n", (const void *)n,
                        (const void *)child->first);
        }
    }
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t g, const char *path, unsigned flags)
{
    RT_BEGIN;
    FILE *f = g && path ? fopen(path, "w") : NULL;
    if (!f)
        return rt_error(cudaErrorInvalidValue);
    fprintf(f, "digraph {\nnode [shape=box];\n");
    print(f, g, flags);
    fprintf(f, "}\n");
    return rt_error(fclose(f) ? cudaErrorOperatingSystem : cudaSuccess);
}
