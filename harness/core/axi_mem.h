/* An AXI4 memory at the core's memory port: 256-bit data, addresses of HD_ADDR_BITS, any burst.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef AXI_MEM_H
#define AXI_MEM_H
#include <stdio.h>
#include "harness/core/axi_rules.h"
#include "cmodel/machine/bus.h"

#define AXI_DEPTH 64             /* transactions in flight, each way */
#define AXI_WBUF 256             /* beats of writes that are not done */

struct axi_txn {
    uint64_t due;
    uint64_t addr;
    uint8_t id, len, beat;
    bool data_done;              /* write: all its data are there */
    bool early;                  /* it acts on memory as soon as it can, else with its answer */
    bool done;                   /* it has acted */
    uint64_t nth;                /* read: of its ID */
    uint8_t resp;                /* write: the worst answer of its beats */
    uint32_t data[2][8];         /* read, early, of at most two beats: what it saw */
};
struct axi_queue { struct axi_txn t[AXI_DEPTH]; unsigned n; };

/* When a write address or datum is taken: any time; when the other one is offered or has been
 * taken; only when it has been taken. */
enum axi_wait { AXI_ANY, AXI_OFFERED, AXI_TAKEN };

/* How the memory behaves for a while. */
struct axi_mood {
    uint64_t until;              /* cycle */
    uint8_t ar, aw, w, r, b;     /* ready, or with an answer, so often in 16 cycles */
    enum axi_wait aw_waits, w_waits;
    uint8_t depth;               /* transactions it takes at once, each way */
    bool interleave;             /* beats of reads of different IDs alternate */
};

struct axi_mem {
    struct axi_port p;
    struct axi_rules rules;
    uint8_t *bytes;              /* HD_MEMORY of them */
    const struct bus *bus;       /* which of them answer with an error; NULL: none */
    uint64_t now, rng;           /* cycle; rng 0: fixed latency */
    struct axi_mood mood;
    struct axi_queue rd, wr;
    int rcur, bcur;              /* transactions whose response is on the wires, -1: none */
    unsigned wcur;               /* index of the first write that still expects data */
    struct axi_datum *ahead;     /* data without an address yet, AXI_DEPTH */
    struct { struct axi_datum d; uint8_t txn_id; } *wbuf;      /* data of writes not yet done */
    unsigned nahead, nw;
    bool r_taken, b_taken;
    uint64_t reads, writes;      /* transactions */
    uint64_t taken[AXI_IDS * AXI_CORES];         /* reads of each ID */
    uint64_t data_first;         /* data taken before their address */
    /* Called for each write before it reaches memory; NULL: none. */
    void (*on_write)(void *user, uint8_t id, uint64_t addr, const uint32_t data[8],
                     uint32_t strobes);
    void *write_user;
    /* Called for each beat of a read when it sees memory: the nth read of its ID, from 0; NULL:
     * none. */
    void (*on_read)(void *user, uint8_t id, uint64_t addr, uint64_t nth);
    void *read_user;
};

/* Fixed latency, in cycles, of a transaction when seed is 0. */
#define AXI_LATENCY 20

/* cores: how many have IDs at this port. */
bool axi_open(struct axi_mem *m, const struct axi_port *p, uint8_t *bytes, uint64_t seed,
              unsigned cores);
void axi_close(struct axi_mem *m);
/* As just opened, with another seed; the bytes stay. */
bool axi_reset(struct axi_mem *m, uint64_t seed);
/* Latencies and moods from here on are those of another seed; nothing is on its way. */
void axi_seed(struct axi_mem *m, uint64_t seed);
/* Call once a cycle, in two halves: before the rising edge, when all wires have settled, takes what
 * is handed over; after it, drives the answers. */
void axi_sample(struct axi_mem *m);
void axi_drive(struct axi_mem *m);
bool axi_idle(const struct axi_mem *m);
/* The first violation of the protocol by the core; empty: none. */
static inline const char *axi_error(const struct axi_mem *m) { return m->rules.error; }
/* What is outstanding, and what waits for what, as text.  start: cycle 0 of the report. */
void axi_explain(const struct axi_mem *m, uint64_t start, FILE *out);
#endif
