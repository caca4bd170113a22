/* An AXI4 memory behind the core's memory port: 256-bit data, 32-bit addresses, any burst.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef AXI_MEM_H
#define AXI_MEM_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define AXI_BYTES 32             /* of one beat */
#define AXI_DEPTH 64             /* transactions in flight, each way */

/* The port's wires: pointers into the Verilated model.  `const` ones are driven by the core. */
struct axi_port {
    const uint8_t *arvalid, *arid, *arlen, *arsize, *arburst;
    const uint32_t *araddr;
    uint8_t *arready;
    uint8_t *rvalid, *rid, *rresp, *rlast;
    uint32_t *rdata;
    const uint8_t *rready;
    const uint8_t *awvalid, *awid, *awlen, *awsize, *awburst;
    const uint32_t *awaddr;
    uint8_t *awready;
    const uint8_t *wvalid, *wlast;
    const uint32_t *wdata, *wstrb;
    uint8_t *wready;
    uint8_t *bvalid, *bid, *bresp;
    const uint8_t *bready;
};

struct axi_txn { uint64_t due; uint32_t addr; uint8_t id, len, beat; bool data_done; };
struct axi_queue { struct axi_txn t[AXI_DEPTH]; unsigned n; };

struct axi_mem {
    struct axi_port p;
    uint8_t *bytes;              /* 4 GiB */
    uint64_t now, rng;           /* cycle; rng 0: fixed latency */
    struct axi_queue rd, wr;
    int rcur, bcur;              /* transactions whose response is on the wires, -1: none */
    unsigned wcur;               /* index of the first write that still expects data */
    struct { uint32_t data[8], strb; uint8_t txn_id; } *wbuf;      /* data of writes not yet done */
    unsigned nw, capw;
    uint32_t held_ar, held_aw;   /* addresses offered but not taken last cycle, for the stability check */
    bool ar_waits, aw_waits, w_waits, r_taken, b_taken;
    uint32_t held_w;
    uint64_t reads, writes;      /* transactions */
    char error[160];             /* first protocol violation; empty: none */
};

/* Fixed latency, in cycles, of a transaction when seed is 0. */
#define AXI_LATENCY 20

bool axi_open(struct axi_mem *m, const struct axi_port *p, uint8_t *bytes, uint64_t seed);
void axi_close(struct axi_mem *m);
/* As just opened, with another seed; the bytes stay. */
bool axi_reset(struct axi_mem *m, uint64_t seed);
/* Call once a cycle, in two halves: before the rising edge, when all wires have settled, takes what
 * is handed over; after it, drives the answers. */
void axi_sample(struct axi_mem *m);
void axi_drive(struct axi_mem *m);
bool axi_idle(const struct axi_mem *m);
/* What is on its way, and who keeps whom waiting, for people.  start: cycle 0 of the report. */
void axi_explain(const struct axi_mem *m, uint64_t start, FILE *out);
#endif
