/* A device's inside: what the files that run it, compare it and report on it share.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef DEVICE_H
#define DEVICE_H
#include "cmodel/image/image.h"
#include "cmodel/machine/launch.h"
#include "cmodel/fast/fast.h"
#include "cmodel/scalar/scalar.h"
#include "cmodel/timing/timing.h"
#include "harness/device/clock.h"
#include "cmodel/isa/compare.h"
#include "harness/core/guard.h"
#include "harness/core/rtl.h"
#include "harness/process/snapshot.h"

struct alloc { uint64_t addr, bytes; };
/* One of several images: where its data lies, and what its constants hold while another is in
 * use; its code as the host's, or why there is none. */
struct native;
struct native_making;
struct loaded {
    const struct hd_image *image;
    uint32_t data;
    uint8_t *cdata;
    struct native *native;
    char native_why[1024];
    struct native_making *making;    /* native_where_it_pays: it is being made, */
    bool looked, tried;          /* was looked for in the cache, was begun; */
    bool counts;                 /* what there is of it counts blocks */
    uint64_t interpreted;        /* warp instructions of its launches so far */
};

/* When a run is looked at, and when silence means that nothing will come. */
enum {
    CHECK_EVERY = 1024,          /* cycles between looks at limit, progress and end */
    QUIET_IDLE = 4000,           /* cycles without a commit when memory is idle */
    QUIET_BUSY = 100000    /* the same when memory works, and of one warp while others retire */
};

/* Retired records, newest at (n - 1) % HISTORY.  The RTL's record is read straight into its
 * place. */
enum { HISTORY = 1024 };
struct history { uint64_t n; struct hd_commit rec[HISTORY]; };

/* Why a launch said no; hd_get_mismatch hands it out. */
struct verdict {
    enum hd_trouble trouble;
    struct difference diff;      /* HD_TROUBLE_FIELD: the first */
    struct hd_commit rtl, model; /* the records that differ */
    uint64_t cycle;              /* when */
    uint64_t differing;          /* records that differed (more than one with keep_going) */
    uint64_t addr;               /* HD_TROUBLE_MEMORY */
    uint8_t rtl_byte, model_byte;
    char why[200];               /* a sentence */
};

struct story;
struct board_run;
struct race;
struct cores;
struct order;
struct hd_device {
    struct hd_config cfg;
    char error[1024];
    struct launch_limits limits;
    struct model *model;         /* NULL in an RTL device */
    struct timing *timing;       /* NULL: unit */
    struct rtl *rtl;             /* NULL in a model device, and where there is a board */
    struct board_run *board;     /* lockstep with one (harness/board); NULL: none */
    /* Several cores, in lockstep: the others, each with an RTL, a model and all that a run keeps of
     * a core in a device that only points to the rest of this one; after a launch this device has
     * that core's part which its reports are about (api/peers.c). */
    struct hd_device *peer[AXI_CORES - 1];
    struct cores *cores;         /* NULL: one core */
    struct order *order;         /* NULL: likewise; the peers have it, too */
    const struct hd_image *image;        /* the one in use */
    struct loaded *images;       /* every one */
    size_t nimages;
    char native_why[1024];        /* of the last launch: hd_native_why; empty: NULL */
    bool natively;               /* the launch runs, or ran, as the host's code in the end */
    /* of the image in use, gdata_size of all; for hd_reset, when they may be gone */
    uint32_t text_size, cdata_size, gdata_size;
    const struct hd_kernel *kernel;      /* of the last launch */
    struct bus bus;              /* addresses that answer with an error */
    struct alloc *allocs;        /* ascending */
    size_t nallocs;
    struct launch launch;
    struct hd_counters count;
    enum hd_status status;       /* of the last launch */
    bool broken_off;             /* it did not end by itself */
    bool lost;                   /* nor is it known what the core does now */
    uint64_t start_again;        /* of hd_launch, until it was done */
    bool has_fault;
    struct hd_commit fault;
    struct verdict verdict;
    struct snapshots snapshots;
    uint64_t carried[1 << COMMIT_PARTS]; /* compared records that held something of these parts */
    struct scalar *third;        /* of the last launch, with cfg.third_leg */
    struct race *race;           /* lockstep of one core: what no order keeps apart */
    struct story *story; /* what a waveform shows beside wires; NULL: none is written, nor can be */
    struct history *history;     /* NULL in a model device */
    struct clock_reads clocks;
    uint64_t last_commit[LAUNCH_WARPS];  /* cycle in which each warp slot last retired something */
    uint64_t newest_commit;      /* the highest of them */
    uint64_t limit_met;          /* cycle in which cfg.limit was found to be reached; 0: not yet */
    uint64_t settling;         /* cycle since which the core is being quieted; 0: the launch runs */
    struct guard guard;
    hd_commit_fn *on_commit;
    hd_repeat_fn *on_repeat;
    hd_progress_fn *on_progress;
    hd_cycle_fn *on_cycle;
    void *commit_user, *repeat_user, *progress_user, *cycle_user;
    /* Tests only: changes the RTL's record before it is compared. */
    void (*tamper)(void *user, struct hd_commit *c);
    void *tamper_user;
};

/* Reads of the RTL or model memory: whichever hd_read looks at. */
uint8_t *device_memory(const hd_device *d);
/* Hands out why warps do not issue in this cycle, where somebody asked. */
void device_cycle(hd_device *d);
/* Every area of memory that a launch can touch, in turn: address and bytes; i counts from 0.
 * False: no more. */
enum { AREA_CODE, AREA_CONST, AREA_LOCAL, AREA_DATA, AREA_SPILL, AREA_ALLOCS };
bool device_area(const hd_device *d, size_t i, uint64_t *addr, size_t *bytes);
/* Whether these bytes are the host's to read and write: data, constants, allocations. */
bool device_mapped(const hd_device *d, uint64_t addr, size_t bytes);
#endif
