/* Redirection: a kernel whose thread i does the work of thread D[i].
 * SPDX-License-Identifier: Apache-2.0
 *
 * Section III-A of "An Accurate GPU Performance Model for Effective Control Flow Divergence
 * Optimization" (TCAD 2016).  PTX to PTX, so that a GPU's own assembler takes the same file: D
 * becomes the kernel's last parameter, and reads of %tid and %ctaid, in functions too, give those
 * of thread D[i].  D holds an entry a thread of the launch, in the order of its global id: block by
 * block, in each x first, then y, then z. */
#ifndef REDIRECT_H
#define REDIRECT_H
#include "cmodel/heddle.h"
#include "compiler/all.h"

/* ORDER_BLOCK: threads change places within their block alone, so that block barriers and shared
 * memory keep their meaning. */
enum order_scope { ORDER_NONE, ORDER_GRID, ORDER_BLOCK };
/* What an entry of D holds: one word of 32 bits each, in this order. */
enum {
    ORDER_ID = 1,                /* ctaid.x * ntid.x + tid.x; stands alone */
    ORDER_THREAD = 2,            /* tid.x | tid.y << 10 | tid.z << 20 */
    ORDER_CTA_X = 4, ORDER_CTA_Y = 8, ORDER_CTA_Z = 16
};
enum { ORDER_MAX_WORDS = 4 };

struct redirect {
    enum order_scope scope; const char *kernel;      /* kernel NULL: the only one */
    /* Set by redirect_ptx. */
    int dims;        /* dimensions of %tid and %ctaid that are read, 1 to 3; a launch has no more */
    unsigned fields, words;      /* of an entry: ORDER_...; 1, 2 or 4 */
};

/* redirect.c: the PTX of the same module with the kernel redirected, zero-ended, to be freed.  NULL
 * and err: a kernel that cannot be, with line and reason (redirect_check.c), or text that is no
 * PTX. path: for messages. */
char *redirect_ptx(const char *path, const char *text, size_t len, struct redirect *,
                   struct hd_err *);

/* redirect_check.c: may threads change places?  m is parsed, of its own: blocks, loops and what
 * differs between lanes are built here. */
bool redirect_check(struct module *m, const struct fn *kernel, enum order_scope, struct hd_err *);

/* redirect_order.c: D as the redirected kernel reads it, n * r->words words, from d[i] = global id
 * of the thread whose work thread i does.  False and err: d is no permutation, threads leave their
 * block at ORDER_BLOCK, n is not the launch's number of threads, or the launch has dimensions that
 * r has not. */
bool redirect_order(const struct redirect *r, struct hd_dim3 grid, struct hd_dim3 block,
                    const uint32_t *d, uint64_t n, uint32_t *out, struct hd_err *);
#endif
