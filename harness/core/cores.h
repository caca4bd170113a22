/* Several cores behind one memory port: Verilated cores of one library, and what they share.
 * SPDX-License-Identifier: Apache-2.0
 *
 * rtl_step of any of them is a cycle of all; their memory is one (rtl->mem, rtl->bytes).  Each has
 * a launch port of its own. */
#ifndef CORES_H
#define CORES_H
#include "harness/core/rtl.h"
#include "harness/core/share_shim.h"

struct cores {
    void *lib;
    const struct share_calls *calls;
    share_unit *unit;
    struct share_ports p;
    struct axi_mem mem;
    uint32_t rdata[8];                       /* of the port, for all cores */
    uint8_t rresp, rlast, bresp;
    struct rtl *rtl[SHARE_CORES];            /* the first is the caller's */
    unsigned n;
    uint8_t locked;                          /* who had the lock in the cycle before */
};

/* n (2 to 8) cores, the first of which was just opened with that memory seed; all as after a reset.
 * NULL: `why` holds a sentence. */
struct cores *cores_open(struct rtl *first, unsigned n, uint64_t mem_seed, char *why,
                         size_t why_size);
/* All but the first core, which is alone again and needs a reset. */
void cores_close(struct cores *g);
bool cores_reset(struct cores *g, uint64_t mem_seed);
/* Other cores in the same library, as if just opened; memory stays. */
bool cores_restart(struct cores *g, uint64_t mem_seed);
void cores_step(struct cores *g);
#endif
