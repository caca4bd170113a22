/* What several graphs own together: a graph, its instances and its clones use the same words and
 * memory of the device.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "cuda/cudart/rt.h"

cudaError_t rt_own(struct rt_owns *to, struct rt_owned *x)
{
    struct rt_owned **all = realloc(to->all, (to->n + 1) * sizeof(struct rt_owned *));
    if (!all) {
        if (!x->owners)
            x->go(x);
        return cudaErrorMemoryAllocation;
    }
    to->all = all;
    to->all[to->n++] = x;
    x->owners++;
    return cudaSuccess;
}

cudaError_t rt_own_all(struct rt_owns *to, const struct rt_owns *from)
{
    cudaError_t e = cudaSuccess;
    for (size_t k = 0; k < from->n && e == cudaSuccess; k++)
        e = rt_own(to, from->all[k]);
    return e;
}

bool rt_disown(struct rt_owns *from, struct rt_owned *x)
{
    size_t k = 0;
    while (k < from->n && from->all[k] != x)
        k++;
    if (k == from->n)
        return false;
    from->all[k] = from->all[--from->n];
    if (!--x->owners)
        x->go(x);
    return true;
}

void rt_disown_all(struct rt_owns *o)
{
    for (size_t k = 0; k < o->n; k++)
        if (!--o->all[k]->owners)
            o->all[k]->go(o->all[k]);
    free(o->all);
    *o = (struct rt_owns){ 0 };
}
