/* PTX functions with random control flow, reducible or not, for the tests of the compiler's middle.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef RANDOM_CFG_H
#define RANDOM_CFG_H
#include <stdio.h>
#include <string.h>
#include "compiler/all.h"

static inline uint32_t rnd(uint32_t *s, uint32_t n)
{
    *s = *s * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)*s * n) >> 32);
}

/* n blocks of text; branches depend on the lane (divergent) or on a parameter (uniform).  A store
 * keeps each block from being predicated.  `wild` branches go anywhere, others mostly forward. */
static inline size_t random_ptx(char *out, size_t size, uint32_t *s, int n, bool entry, bool wild)
{
    size_t k = (size_t)snprintf(
        out, size,
        ".version 7.0\n.target sm_75\n.address_size 64\n%s f(.param .u64 p, .param .u32 n)\n"
        "{\n.reg .pred %%p<3>; .reg .b32 %%r<4>; .reg .b64 %%rd<2>;\nmov.u32 %%r1, %%tid.x; "
        "ld.param.u32 %%r2, [n];\n",
        entry ? ".visible .entry" : ".visible .func");
    for (int b = 0; b < n; b++) {
        int span = n - b,
            to = wild || !rnd(s, 4) ? (int)rnd(s, (uint32_t)n) : b + (int)rnd(s, (uint32_t)span);
        k += (size_t)snprintf(out + k, size - k, "L%d: membar.gl; ", b);
        switch (rnd(s, 8)) {
        case 0: k += (size_t)snprintf(out + k, size - k, "ret;\n"); break;
        case 1: k += (size_t)snprintf(out + k, size - k, "bra L%d;\n", to); break;
        case 2:
            k += (size_t)snprintf(out + k, size - k, "setp.eq.s32 %%p1, %%r2, %d; @%%p1 bra L%d;\n",
                                  b, to);
            break;
        default:
            k += (size_t)snprintf(out + k, size - k, "setp.eq.s32 %%p1, %%r1, %d; @%sp1 bra L%d;\n",
                                  b, rnd(s, 2) ? "%" : "!%", to);
        }
    }
    return k + (size_t)snprintf(out + k, size - k, "ret;\n}\n");
}
#endif
