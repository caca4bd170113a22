/* Where a module reads who a thread is.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef REDIRECT_READS_H
#define REDIRECT_READS_H
#include "compiler/all.h"

enum { READS_TID_X = 1, READS_TID_Y = 2, READS_TID_Z = 4, READS_TID = 7,
       READS_CTA_X = 8, READS_CTA_Y = 16, READS_CTA_Z = 32 };
/* READS_... of a special register; 0: of another. */
unsigned reads_of(int sreg);

/* ctaid.x * ntid.x + tid.x: `ins` is its mad, or the add whose product is `mul`. */
struct linear { const struct ins *ins, *mul; };
struct reads {
    unsigned all;                /* what the function reads itself */
    unsigned beyond;             /* what it reads for more than global ids alone */
    struct linear *ids; int nids;
    bool *gone;                  /* by register: holds tid.x or ctaid.x for global ids alone */
};
/* redirect.c: the kernel of that name; NULL: the only one, or err says what is wrong. */
struct fn *redirect_kernel(struct module *, const char *name, struct hd_err *);
/* f: as it was parsed, without blocks. */
struct reads reads_find(const struct fn *f);
#endif
