/* The input of a kernel of ours, and what the host says it must leave in memory.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PROBLEM_H
#define PROBLEM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cmodel/heddle.h"

/* One or two million cycles of the core; some ten million instructions, or 100,000 threads; a
 * GPU's. */
enum size { SIZE_RTL, SIZE_MODEL, SIZE_GPU };

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

/* Parameters in the kernel's order.  Memory is zeroed, owned by the problem, and never NULL. */
void *problem_in(struct problem *p, const char *name, size_t bytes);
void *problem_out(struct problem *p, const char *name, size_t bytes);      /* returns `expected` */
void problem_int(struct problem *p, const char *name, int value);
void problem_free(struct problem *p);

/* Buffers onto the device, at[] of each; the parameter block, of at most MAX_BUFFERS words, and its
 * size. */
bool problem_place(const struct problem *p, hd_device *d, uint64_t *block, uint64_t *at,
                   size_t *size);
/* Memory as the host says; else names the first byte that is not, of `what`. */
bool problem_judge(const struct problem *p, const char *what, hd_device *d, const uint64_t *at);
/* Writes the input into files in `folder`, and NAME.args, which `heddle COMMAND NAME.cu @NAME.args`
 * takes. */
bool problem_write(const struct problem *p, const char *name, const char *folder);
#endif
