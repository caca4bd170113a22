/* An AXI memory for the LSU test: random latency and back-pressure, addresses that answer with
 * errors, a datum before its address or only after it, and a watch on the protocol.  A write is
 * applied as late as its answer, a read's data are taken at its acceptance or as late as its
 * answer, at random: order that the LSU does not enforce itself goes wrong here.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LSU_AXI_H
#define LSU_AXI_H
#include <stdbool.h>
#include "lsu_port.h"

enum { AXI_QUEUE = 512 };
#define AXI_HIGH 0xffff0000u

struct axi_read { uint64_t addr, due; bool taken; uint32_t data[8]; };
struct axi_write { uint32_t data[8], strb; };
/* Sectors first to last answer reads, writes or both with this response. */
enum { AXI_READ = 1, AXI_WRITE = 2, AXI_AREAS = 4 };
struct axi_area { uint64_t first, last; unsigned ways, resp; };

struct axi {
    uint8_t *mem;
    uint32_t size;
    uint64_t upper;                 /* of the addresses whose low word is AXI_HIGH and up; else 0 */
    uint64_t seed, cycle;
    unsigned latency, jitter, stall; /* cycles; at most so many more; percent of cycles not ready */
    enum { AXI_ANY, AXI_DATA_FIRST, AXI_ADDRESS_FIRST } order; /* which is taken before the other */
    struct axi_area area[AXI_AREAS];        /* ways 0: none */
    struct axi_read read[AXI_QUEUE];
    uint64_t aw[AXI_QUEUE];
    struct axi_write w[AXI_QUEUE];
    uint64_t b_due[AXI_QUEUE];
    unsigned r_in, r_out, aw_in, w_in, b_out;
    struct lsu_out last;                    /* what was offered in the cycle before, */
    bool ar_wait, aw_wait, w_wait;          /* and not taken */
    uint64_t reads, writes, errors;
    const char *error;                      /* protocol violation, or NULL */
};

/* Before the clock: chooses inputs.  After they were driven and outputs looked at: takes what was
 * offered.  Call both once a cycle. */
void axi_choose(struct axi *m, struct lsu_in *in);
void axi_take(struct axi *m, const struct lsu_in *in, const struct lsu_out *out);
bool axi_idle(const struct axi *m);
uint64_t axi_random(uint64_t *seed);
#endif
