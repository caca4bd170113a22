/* What a simulated core looks like from C: one shared library per LANES exports a
 * table of functions, rtl_calls.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ports are handed out once, as pointers into the Verilated class, so that driving a cycle costs no
 * calls but eval.  Wide ports are arrays of 32-bit words. */
#ifndef RTL_SHIM_H
#define RTL_SHIM_H
#include <stdbool.h>
#include <stdint.h>
#include "cmodel/isa/commit.h"
#include "cmodel/isa/issue.h"
#include "harness/core/axi_mem.h"
#include "harness/core/fst_out.h"

#ifdef __cplusplus
extern "C" {
#endif
struct rtl_ports {
    /* Set before a core is made: not 0: registers and memories begin with random bits of this seed,
     * in the library that was built for it. */
    uint32_t x_seed;
    uint8_t *clk, *rst_n;
    struct axi_port mem;
    /* One of several cores (rtl/cores): its number and theirs; blocks; atomics in global memory;
     * that a core has halted, or has to stop. */
    uint8_t *core, *cores, *give, *skip, *lock, *stop;
    const uint8_t *ask, *placing, *placed, *want, *halted;
    /* AXI4-Lite */
    uint8_t *awvalid, *wvalid, *bready, *arvalid, *rready, *wstrb;
    uint16_t *awaddr, *araddr;
    uint32_t *wdata;
    const uint8_t *awready, *wready, *bvalid, *arready, *rvalid;
    const uint32_t *rdata;
    /* the probe */
    const uint8_t *commits;             /* a byte for each of RTL_RETIRES: does one retire there? */
    const uint8_t *place_valid, *place_slot;
    const uint32_t *place_block;
    const uint8_t *clock_valid, *clock_slot, *clock_high;
    const uint16_t *reads, *writes;     /* sectors of the retiring memory instruction */
    /* 0, or 1 + the row of progress.def whose bound is broken */
    const uint8_t *late, *late_slot;
    /* Four states only, else NULL: which wire was unknown that must not be; empty: none so far. */
    const char *unknown;
};
typedef struct rtl_core rtl_core;
/* Ports through which instructions retire, in the order of the commits of one cycle: the
 * pipeline's, that of the convergence unit and the LSU. */
enum { RTL_RETIRES = 2 };
enum { RTL_BANKS = 32 };
/* Stores and atomics that the LSU has executed and that have not retired: their lanes in shared
 * memory, their addresses there and the bytes of each; of no lanes in a slot that has none. */
enum { RTL_SLOTS = 16 };                /* the most that LSU_SLOTS may be */
struct rtl_pending { uint32_t lanes, bytes, addr[HD_LANES]; };
/* What a unit holds in this cycle: an instruction of a warp slot. */
struct rtl_held { bool valid; uint8_t warp; uint32_t pc; };
enum rtl_unit {
#define UNIT(name, what) RTL_##name,
#include "rtl/events.def"
    RTL_UNITS
};
struct rtl_inside {
    struct rtl_held unit[RTL_UNITS];
    struct hd_issue issue;
    uint32_t missed;                 /* warp slots that wait for a line of the instruction cache */
    bool held;                       /* nothing may issue */
    unsigned lsu_queue, conv_queue;  /* instructions that were issued and are not done */
    bool stack_mode;
    const char *conv_step, *lsu_step;
};
/* What can be done with a core. */
struct rtl_calls {
    rtl_core *(*new_core)(struct rtl_ports *ports);
    void (*free_core)(rtl_core *c);
    void (*eval)(rtl_core *c);
    /* Reads the record that retires there in this cycle; every field is written. */
    void (*commit)(rtl_core *c, unsigned port, struct hd_commit *out);
    /* Its parameter LANES, as it was built. */
    unsigned (*lanes)(void);
    /* Banks of shared memory: word w lies in bank w % the number returned, at w / that number. */
    unsigned (*shared)(rtl_core *c, uint32_t *bank[RTL_BANKS]);
    /* Bytes of all of it. */
    uint32_t (*shared_size)(void);
    void (*pending)(rtl_core *c, struct rtl_pending out[RTL_SLOTS]);
    /* Why warps do not issue in this cycle, all but `cycle`; NULL: this core does not show it. */
    void (*issue)(rtl_core *c, struct hd_issue *out);
    /* False: this core cannot be seen into. */
    bool (*inside)(rtl_core *c, struct rtl_inside *out);
    /* A waveform, in memory until it ends: false when this core was built without.  What is written
     * beside the core's own wires goes to `beside`. */
    bool (*trace_open)(rtl_core *c, struct fst_out *beside);
    void (*trace_dump)(rtl_core *c, uint64_t time);
    /* Ends it.  A file in memory that holds it, to be closed; -1: it is not whole, errno says
     * why. */
    int (*trace_close)(rtl_core *c);
};
/* The table of the one core that a library holds, or that is linked in. */
extern const struct rtl_calls rtl_calls;
/* A checksum of the sources that the library was made of, as a number in text. */
const char *rtl_sources(void);
#ifdef __cplusplus
}
#endif
#endif
