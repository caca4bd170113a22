/* Conditions: words of device memory that kernels set (cudaGraphSetConditional), and by which nodes
 * of a graph run its graphs.  A handle is the word's address.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A graph and its instances read the same word, so it has an owner for each of them. */
#include <stdlib.h>
#include "cuda/cudart/rt.h"

struct rt_condition {
    struct rt_owned owned;
    cudaGraphConditionalHandle handle;
    uint32_t number;             /* of its allocation: the address may be another's by now */
    unsigned initial;
    bool assigned;               /* the initial value, at each launch */
    struct rt_condition *next;
};
static struct rt_condition *conditions;

static bool there(const struct rt_condition *c)
{
    const struct rt_buffer *b = rt_buffer(c->handle);
    return b && b->number == c->number;
}

static void go(struct rt_owned *o)
{
    struct rt_condition *c = (struct rt_condition *)o, **k = &conditions;
    while (*k != c)
        k = &(*k)->next;
    *k = c->next;
    if (there(c))
        rt_buffer_free((void *)(uintptr_t)c->handle, false);
    free(c);
}

static cudaError_t set(const struct rt_condition *c)
{
    return there(c) ? rt_copy((void *)(uintptr_t)c->handle, &c->initial, sizeof c->initial,
                              cudaMemcpyHostToDevice)
                    : cudaErrorInvalidValue;
}

cudaError_t rt_condition_new(struct rt_owns *to, unsigned value, unsigned flags,
                             cudaGraphConditionalHandle *handle)
{
    void *word;
    struct rt_condition *c = malloc(sizeof *c);
    cudaError_t e = c ? rt_buffer_new(RT_DEVICE, sizeof value, __builtin_return_address(0), &word)
                      : cudaErrorMemoryAllocation;
    if (e != cudaSuccess) {
        free(c);
        return e;
    }
    *c = (struct rt_condition){ .owned.go = go,
                                .handle = (uintptr_t)word,
                                .number = rt_buffer((uintptr_t)word)->number,
                                .initial = value,
                                .assigned = flags & cudaGraphCondAssignDefault,
                                .next = conditions };
    conditions = c;
    *handle = c->handle;
    e = rt_own(to, &c->owned);
    return e == cudaSuccess ? set(c) : e;
}

static struct rt_condition *find(cudaGraphConditionalHandle handle)
{
    struct rt_condition *c = conditions;
    while (c && !(c->handle == handle && there(c)))
        c = c->next;
    return c;
}

bool rt_condition(cudaGraphConditionalHandle handle) { return find(handle); }

cudaError_t rt_conditions_begin(const struct rt_owns *of)
{
    cudaError_t e = cudaSuccess;
    for (size_t k = 0; k < of->n && e == cudaSuccess; k++) {
        const struct rt_condition *c = (struct rt_condition *)of->all[k];
        if (c->assigned)
            e = set(c);
    }
    return e;
}

cudaError_t rt_condition_value(cudaGraphConditionalHandle handle, unsigned *value)
{
    return find(handle) ? rt_copy(value, (const void *)(uintptr_t)handle, sizeof *value,
                                  cudaMemcpyDeviceToHost)
                        : cudaErrorInvalidValue;
}
