/* The Verilated core as a C object: loads its library, drives clock, launch port and memory.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef RTL_H
#define RTL_H
#include "harness/core/axi_mem.h"
#include "cmodel/machine/launch.h"
#include "harness/core/rtl_shim.h"

struct cores;

/* Offsets of the launch port's registers. */
enum rtl_csr {
#define CSR(name, offset, access, what) CSR_##name = offset,
#include "cmodel/isa/csr.def"
};

struct rtl {
    void *lib;                   /* library.h */
    const struct rtl_calls *calls;       /* its table */
    rtl_core *core;
    struct rtl_ports p;
    struct axi_mem *mem;         /* its own; or that of all cores, as are: */
    struct axi_mem own;
    uint8_t *bytes;              /* HD_MEMORY of them */
    struct cores *cores;         /* NULL: it is alone */
    unsigned number;             /* of this core */
    uint64_t cycle;              /* since reset */
    uint64_t start;              /* cycle at which the last grid started */
    uint64_t clock;              /* what its clock shows in its first cycle */
    uint64_t transactions;       /* of the memory port, before that */
    enum { PORT_IDLE, PORT_WRITE, PORT_READ } port;      /* the launch port's access on its way */
    struct { bool aw, w, b, ar, r; } took;       /* what the launch port takes at the next edge */
    uint32_t port_data;          /* what the last read returned */
    bool polling;                /* that read is a poll of STATUS */
    const char *wave;            /* the file that the window goes to; NULL: none wanted */
    uint64_t wave_from, wave_to; /* cycles of the grid */
    uint64_t wave_last;          /* the last one in the file */
    bool wave_rows;             /* only what goes beside the core's own wires */
    struct fst_out wave_out;
    /* what goes beside has not been written for the last cycle dumped */
    bool wave_due;
    /* What goes beside: makes its scopes; writes what a cycle shows when all has been looked at,
     * before the next edge.  NULL: nothing. */
    void (*beside_begin)(void *user, struct rtl *r);
    void (*beside_cycle)(void *user, struct rtl *r, uint64_t cycle);
    void *beside_user;
    enum { WAVE_AHEAD, WAVE_ON, WAVE_WRITTEN, WAVE_FAILED } wave_state;
    int wave_why;                /* errno of WAVE_FAILED */
    bool running;                /* a grid has been started, and no reset or next one has begun */
    /* Tests only: changes wires when the memory has driven its answers, before they settle. */
    void (*meddle)(void *user, struct rtl *r);
    void *meddle_user;
};

/* Which library: quick; with waveforms; what no reset sets begins with random bits of x_seed; in
 * four states, where it begins as X. */
enum rtl_kind { RTL_QUICK, RTL_TRACE, RTL_RANDOM, RTL_FOUR_STATE };
/* NULL: `why` holds a sentence. */
struct rtl *rtl_open(unsigned lanes, const char *core, uint64_t mem_seed, enum rtl_kind kind,
                     uint32_t x_seed, char *why, size_t why_size);
/* Core number n of the same library and memory as `first`, for cores_open. */
struct rtl *rtl_open_beside(struct rtl *first, unsigned n, char *why, size_t why_size);
/* A cycle in parts, for cores.c: looks at the launch port; the rising edge; what it answered; the
 * falling edge, and all that is seen of the cycle.  rtl_begin: the state after a reset or a new
 * core, but for the edges themselves. */
void rtl_before(struct rtl *r);
void rtl_rise(struct rtl *r);
void rtl_after(struct rtl *r);
void rtl_fall(struct rtl *r);
void rtl_end(struct rtl *r);
void rtl_begin(struct rtl *r);
/* The wire that was unknown though it must not be, and when; NULL: none, or two states. */
const char *rtl_unknown(const struct rtl *r);
void rtl_close(struct rtl *r);
/* As just opened, with another memory seed; memory and the core's RAM keep what they hold. */
bool rtl_reset(struct rtl *r, uint64_t mem_seed);
/* Another core in the same library, as if just opened; memory stays. */
bool rtl_restart(struct rtl *r, uint64_t mem_seed);
/* Writes the launch registers and starts the grid. */
bool rtl_start(struct rtl *r, const struct launch *l);
/* Stops it, and steps until the core is quiet; false: it stays busy. */
bool rtl_stop(struct rtl *r);
/* From the cycle in which the port takes a write to CTRL to the grid's first. */
enum { RTL_START_CYCLES = 3 };
/* Cycles since the grid's first one, for those who look at the wires between two steps. */
uint64_t rtl_grid_cycle(const struct rtl *r);
/* Does anything retire in this cycle? */
bool rtl_retires(const struct rtl *r);
/* What retires through a port in this cycle (p.commits[port]); its `cycle` counts from the grid's
 * first one as well. */
void rtl_record(struct rtl *r, unsigned port, struct hd_commit *c);
/* Why warps do not issue in this cycle; false: the library does not show it. */
bool rtl_why(struct rtl *r, struct hd_issue *out);
/* The two halves of rtl_start, for several cores, which start in one cycle. */
bool rtl_set(struct rtl *r, const struct launch *l);
void rtl_go(struct rtl *r, const struct launch *l);
/* Another Verilated core in its place, before any reset; false: no memory. */
bool rtl_renew(struct rtl *r);
/* Offers a write to CTRL, which rtl_step carries on; false: the port is at work. */
bool rtl_offer(struct rtl *r, uint32_t ctrl);
/* Shared memory of the whole core: its bytes, which are at most RTL_SHARED; all of them. */
enum { RTL_SHARED = 65536 };
uint32_t rtl_shared_bytes(const struct rtl *r);
void rtl_shared_read(struct rtl *r, uint8_t *out);
void rtl_shared_write(struct rtl *r, const uint8_t *in);
/* Ends the waveform, where its window is not through yet.  False: there is none, why says so. */
bool rtl_trace_end(struct rtl *r, char *why, size_t why_size);
/* Transactions of the memory port since the last grid started. */
uint64_t rtl_transactions(const struct rtl *r);
/* One cycle.  Before and after it clk is low and every wire has settled: then look at the probe. */
void rtl_step(struct rtl *r);
/* Reads STATUS in the background, every 64 cycles; true when the grid is not busy any more. */
bool rtl_ended(struct rtl *r);
/* The same, as often as the port allows: for a grid that was stopped. */
bool rtl_drained(struct rtl *r);
/* Registers by offset (csr.def); a stuck port returns false. */
bool rtl_read(struct rtl *r, uint32_t offset, uint32_t *value);
bool rtl_write(struct rtl *r, uint32_t offset, uint32_t value);
#endif
