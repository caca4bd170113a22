/* A workload of paper A's Table 2: a kernel, its input, and what the host says it must leave in memory.
 * SPDX-License-Identifier: Apache-2.0
 *
 * NAME.cu is the kernel, NAME.h what kernel and host version share (constants and the arithmetic of one step),
 * NAME.c makes the input and runs the host version, whose loops are its own. */
#ifndef PAPER_A_WORKLOAD_H
#define PAPER_A_WORKLOAD_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum size { SIZE_RTL, SIZE_MODEL };     /* one or two million cycles of the core; some ten million instructions */

struct buffer {
    const char *name;            /* the kernel's parameter */
    size_t bytes;
    void *data;                  /* before the launch; NULL: zeros */
    void *expected;              /* after it; NULL: not written */
    bool scalar;                 /* a 32-bit parameter by value */
    uint32_t value;
};

enum { MAX_BUFFERS = 14 };
struct problem { unsigned blocks, threads; unsigned n; struct buffer buf[MAX_BUFFERS]; };

struct workload {
    const char *name, *pattern;  /* pattern: as section 3 of the paper names it */
    void (*make)(struct problem *p, enum size size);
};
extern const struct workload workloads[];
extern const unsigned workload_count;

/* Parameters in the kernel's order.  Memory is zeroed, owned by the problem, and never NULL. */
void *problem_in(struct problem *p, const char *name, size_t bytes);
void *problem_out(struct problem *p, const char *name, size_t bytes);      /* returns `expected` */
void problem_int(struct problem *p, const char *name, int value);
void problem_free(struct problem *p);

void rsbench_make(struct problem *p, enum size size);
void xsbench_make(struct problem *p, enum size size);
void mcb_make(struct problem *p, enum size size);
void pathtracer_make(struct problem *p, enum size size);
void mcgpu_make(struct problem *p, enum size size);
void mummer_make(struct problem *p, enum size size);
void meiyamd5_make(struct problem *p, enum size size);
void optix_make(struct problem *p, enum size size);
void mcml_make(struct problem *p, enum size size);
#endif
