/* A workload of paper B's Table I: a kernel, its input, and what the host says it must leave in
 * memory.
 * SPDX-License-Identifier: Apache-2.0
 *
 * NAME.cu is the kernel, NAME.h what kernel and host version share, NAME.c makes the input and runs
 * the host version, whose loops are its own.  All are of our own writing, after what the paper says
 * of each; so are the distributions of the inputs, of which the paper says nothing. */
#ifndef PAPER_B_WORKLOAD_H
#define PAPER_B_WORKLOAD_H
#include "tests/problem.h"

struct workload {
    const char *name, *what;     /* what: a thread's work */
    bool memory_bound;           /* ec and mum in the paper */
    void (*make)(struct problem *p, enum size size);
};
extern const struct workload workloads[];
extern const unsigned workload_count;

/* Threads at each size. */
enum { RTL_THREADS = 1024, MODEL_THREADS = 100000, GPU_THREADS = 1 << 20 };
static inline int size_threads(enum size size)
{
    return size == SIZE_RTL ? RTL_THREADS : size == SIZE_MODEL ? MODEL_THREADS : GPU_THREADS;
}
/* A grid of at least n threads in blocks of so many. */
void workload_grid(struct problem *p, int n, int block);

void mc_make(struct problem *p, enum size size);
void sw_make(struct problem *p, enum size size);
void nw_make(struct problem *p, enum size size);
void nw_with(struct problem *p, enum size size, float sigma);           /* lengths spread so */
void ec_make(struct problem *p, enum size size);
void mum_make(struct problem *p, enum size size);
void sl_make(struct problem *p, enum size size);
void sm_make(struct problem *p, enum size size);
#endif
