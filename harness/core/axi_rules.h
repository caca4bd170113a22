/* The rules of AXI4 on the core's side of its memory port, checked in every cycle.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef AXI_RULES_H
#define AXI_RULES_H
#include <stdbool.h>
#include <stdint.h>

#define AXI_BYTES 32             /* of one beat */
#define AXI_IDS 32               /* a core's IDs have five bits; the three above are its number */
#define AXI_CORES 8

/* The port's wires: pointers into the Verilated model.  `const` ones are driven by the core. */
struct axi_port {
    const uint8_t *arvalid, *arid, *arlen, *arsize, *arburst;
    const uint64_t *araddr;
    uint8_t *arready;
    uint8_t *rvalid, *rid, *rresp, *rlast;
    uint32_t *rdata;
    const uint8_t *rready;
    const uint8_t *awvalid, *awid, *awlen, *awsize, *awburst;
    const uint64_t *awaddr;
    uint8_t *awready;
    const uint8_t *wvalid, *wlast;
    const uint32_t *wdata, *wstrb;
    uint8_t *wready;
    uint8_t *bvalid, *bid, *bresp;
    const uint8_t *bready;
    const uint8_t *rst_n;
};

/* Transactions that may be under way at once, for each ID; 0: no unit owns the ID. */
struct axi_limits { uint8_t reads[AXI_IDS], writes[AXI_IDS]; };
extern const struct axi_limits axi_core_limits;

struct axi_ask { uint64_t addr; uint8_t id, len, size, burst; };
struct axi_datum { uint32_t data[8], strb; uint8_t last; };

struct axi_rules {
    const struct axi_limits *limits;
    bool ar_waits, aw_waits, w_waits;    /* offered in the cycle before, and not taken: */
    struct axi_ask ar, aw;
    struct axi_datum w;
    bool in_reset;
    unsigned cores;
    unsigned reads[AXI_IDS * AXI_CORES], writes[AXI_IDS * AXI_CORES];    /* under way */
    uint64_t cycle;
    char error[160];                     /* first violation; empty: none */
};

void axi_violation(struct axi_rules *r, const char *what, uint64_t addr);
/* Looks at one cycle, before its rising edge, when all wires have settled. */
void axi_check(struct axi_rules *r, const struct axi_port *p);
#endif
