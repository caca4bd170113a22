/* The nine workloads, and their buffers.
 * SPDX-License-Identifier: Apache-2.0 */
#include "workload.h"
#include <stdio.h>
#include <stdlib.h>

const struct workload workloads[] = {
    { "rsbench", "loop merge", rsbench_make },
    { "xsbench", "loop merge", xsbench_make },
    { "mcb", "loop merge", mcb_make },
    { "pathtracer", "loop merge", pathtracer_make },
    { "mcgpu", "loop merge", mcgpu_make },
    { "mummer", "loop merge", mummer_make },
    { "meiyamd5", "loop merge", meiyamd5_make },
    { "optix", "iteration delay", optix_make },
    { "mcml", "loop merge", mcml_make },
};
const unsigned workload_count = sizeof workloads / sizeof *workloads;

static struct buffer *add(struct problem *p, const char *name, size_t bytes)
{
    if (p->n == MAX_BUFFERS) {
        fprintf(stderr, "paper_a: MAX_BUFFERS is too small for %s\n", name);
        exit(4);
    }
    p->buf[p->n] = (struct buffer){ .name = name, .bytes = bytes };
    return &p->buf[p->n++];
}

static void *zeros(size_t bytes)
{
    void *at = calloc(1, bytes);
    if (!at) {
        fprintf(stderr, "paper_a: no memory\n");
        exit(4);
    }
    return at;
}

void *problem_in(struct problem *p, const char *name, size_t bytes)
{
    return add(p, name, bytes)->data = zeros(bytes);
}

void *problem_out(struct problem *p, const char *name, size_t bytes)
{
    return add(p, name, bytes)->expected = zeros(bytes);
}

void problem_int(struct problem *p, const char *name, int value)
{
    struct buffer *b = add(p, name, 0);
    b->scalar = true;
    b->value = (uint32_t)value;
}

void problem_free(struct problem *p)
{
    for (unsigned i = 0; i < p->n; i++) {
        free(p->buf[i].data);
        free(p->buf[i].expected);
    }
    p->n = 0;
}
