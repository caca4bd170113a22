/* Paper B's workloads on a GPU: what the program's files share.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef GPU_H
#define GPU_H
#include <stdbool.h>
#include "tests/paper_b/h200/driver.h"

/* latencies.c: prints a timing profile. */
int latencies(void);
/* The PTX of one measurement, to be freed; NULL: there is none that is apart. */
char *latency_ptx(unsigned which, bool apart, int times);
unsigned latency_count(void);

/* sectors.c: prints the profile's line of sectors. */
void sector_costs(void);

/* launch.c: a launch of `paper_b write', and its buffers on the GPU. */
enum { MOST = 16 };
struct buffer {
    char name[32];
    size_t bytes;                /* 0: a number of 32 bits */
    unsigned char *data, *want;  /* before; after, NULL: not written */
    gpu_addr at;
    uint32_t value;
    size_t element;              /* its elements of so many bytes can change places; 0: not */
    bool bound;                  /* threads from this number on have nothing to do */
};
struct launch { unsigned blocks, threads, n; struct buffer b[MOST]; };
/* WORK/KERNEL.args and .want.*; PACK/KERNEL.moved and .bound.  Inputs are on the GPU then, outputs
 * have room. */
void launch_read(struct launch *l, const char *pack, const char *work, const char *kernel);
bool launch_moves(const struct launch *l);
size_t launch_threads(const struct launch *l);
/* Zeros in all outputs. */
void launch_clear(const struct launch *l);
/* to[i] = from[d[i]], n elements. */
void elements_move(void *to, const void *from, const uint32_t *d, size_t n, size_t element);
/* Is memory what the host says?  Elements stand in d's order where d is not NULL. */
bool launch_right(const struct launch *l, const uint32_t *d);
/* Values for cuLaunchKernel, and how many. */
unsigned launch_params(struct launch *l, void **params);
char *launch_ptx(const char *pack, const char *kernel, const char *suffix);

/* times.c: `gpu time': medians of launches. */
int times(const char *pack, const char *work, const char *kernel, char **orders);
/* pipeline.c: `gpu pipeline': orders are found while the batch before runs. */
int pipeline(const char *pack, const char *work, const char *kernel);

unsigned gpu_repeats(unsigned most);     /* LAUNCHES of the environment, for tests; else most */
double median(double *values, unsigned n);
#endif
