/* An FST that is being written, by whichever library opened it: the traced core's (Verilator's) or
 * ours (fst_lib.c).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Scopes and variables are made before the first time; a variable's number is of that library. */
#ifndef FST_OUT_H
#define FST_OUT_H
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
struct fst_out {
    void *ctx;
    void (*scope)(void *ctx, const char *name);          /* NULL: back to the one outside */
    uint32_t (*bits)(void *ctx, const char *name, unsigned width);
    uint32_t (*text)(void *ctx, const char *name);
    /* Only where the library is ours: the traced core's writer sets its own. */
    void (*time)(void *ctx, uint64_t cycle);
    void (*set_bits)(void *ctx, uint32_t var, unsigned width, uint64_t value);
    void (*set_text)(void *ctx, uint32_t var, const char *text, unsigned n);
};

/* fst_lib.c: a file in memory, until fst_close.  False: errno says why. */
bool fst_open(struct fst_out *f);
/* The file in memory, to be closed; -1: it is not whole, errno says why. */
int fst_close(struct fst_out *f);
#ifdef __cplusplus
}
#endif
#endif
