/* A workload of paper A's Table 2: a kernel, its input, and what the host says it must leave in
 * memory.
 * SPDX-License-Identifier: Apache-2.0
 *
 * NAME.cu is the kernel, NAME.h what kernel and host version share (constants and the arithmetic of
 * one step), NAME.c makes the input and runs the host version, whose loops are its own. */
#ifndef PAPER_A_WORKLOAD_H
#define PAPER_A_WORKLOAD_H
#include "tests/problem.h"

struct workload {
    const char *name, *pattern;  /* pattern: as section 3 of the paper names it */
    void (*make)(struct problem *p, enum size size);
};
extern const struct workload workloads[];
extern const unsigned workload_count;

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
