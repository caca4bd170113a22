/* Reference for the LSU test: what one memory instruction of a warp means, lane by lane, byte by
 * byte.  Written from the ISA's text alone; shares no code with the golden model.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LSU_REF_H
#define LSU_REF_H
#include <stdbool.h>
#include <stdint.h>
#include "cmodel/isa/commit.h"

enum { REF_MEMORY = 1 << 18,                      /* physical memory; addresses wrap around */
       REF_SHARED = 16384 };
enum { REF_READ = 1, REF_WRITE = 2, REF_AREAS = 4 };
enum ref_kind { REF_LOAD, REF_STORE, REF_ATOM };

struct ref_config {
    uint32_t const_base, const_size, local_base, local_size, shared_size, slots;
    uint32_t nranges;
    uint64_t base[16], limit[16];
    bool write[16];
    struct { uint64_t first, last; unsigned ways; } bad[REF_AREAS];    /* sectors with bus errors */
};

struct ref_op {
    enum ref_kind kind;
    unsigned space, sz, aop, aw, rd, warp, block;
    int32_t off;
    uint32_t mask;
    uint64_t a[32], b[2][32], c[32];              /* b[1]: words 2 and 3 of a 128-bit store */
};

struct ref_result {
    unsigned fault;
    uint32_t fault_m;
    uint64_t fault_addr;
    unsigned words;                               /* destination registers */
    uint32_t val[4][32];
    unsigned space;
    uint64_t addr[32];
    uint32_t shared_m, local_m, wdata[4][32];
};

unsigned ref_size(const struct ref_op *op);       /* bytes a lane */
/* Executes op on physical memory `mem` and shared memory `shared`. */
void ref_execute(const struct ref_config *k, const struct ref_op *op, uint8_t *mem, uint8_t *shared,
                 struct ref_result *out);
#endif
