/* A device's inside: what device.c, lockstep.c and report.c share.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef DEVICE_H
#define DEVICE_H
#include "cmodel/image.h"
#include "cmodel/launch.h"
#include "cmodel/model.h"
#include "cmodel/scalar.h"
#include "cmodel/timing.h"
#include "clock.h"
#include "compare.h"
#include "guard.h"
#include "rtl.h"
#include "snapshot.h"

struct alloc { uint32_t addr, bytes; };

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

/* Why a lockstep run said no. */
enum trouble { TROUBLE_NONE, TROUBLE_FIELD, TROUBLE_SCHEDULE, TROUBLE_CLOCK, TROUBLE_MEMORY, TROUBLE_HANG,
               TROUBLE_END, TROUBLE_PROTOCOL, TROUBLE_THIRD, TROUBLE_STRAY, TROUBLE_STATUS,
               TROUBLE_DEADLOCK, TROUBLE_UNKNOWN };

struct verdict {
    enum trouble trouble;
    struct difference diff;      /* TROUBLE_FIELD: the first */
    struct hd_commit rtl, model; /* the records that differ */
    uint64_t cycle;              /* when */
    uint64_t differing;          /* records that differed (more than one with keep_going) */
    uint32_t addr;               /* TROUBLE_MEMORY */
    uint8_t rtl_byte, model_byte;
    char why[200];               /* a sentence */
};

struct hd_device {
    struct hd_config cfg;
    char error[1024];
    struct launch_limits limits;
    struct model *model;         /* NULL in an RTL device */
    struct timing *timing;       /* NULL: unit */
    struct rtl *rtl;             /* NULL in a model device */
    const struct hd_image *image;
    /* of the image; for hd_reset, when it may be gone */
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
    uint64_t start_again;        /* fuzz, tests: in this cycle of the next launch CTRL is told to start; 0: not */
    bool has_fault;
    struct hd_commit fault;
    struct verdict verdict;
    struct snapshots snapshots;
    uint64_t carried[COMMIT_PARTS];      /* compared records that held something of each part */
    struct scalar *third;        /* of the last launch, with cfg.third_leg */
    struct history *history;     /* NULL in a model device */
    struct clock_reads clocks;
    uint64_t last_commit[LAUNCH_WARPS];  /* cycle in which each warp slot last retired something */
    uint64_t newest_commit;      /* the highest of them */
    uint64_t limit_met;          /* cycle in which cfg.limit was found to be reached; 0: not yet */
    uint64_t settling;           /* cycle since which the core is being quieted; 0: the launch runs */
    struct guard guard;
    hd_commit_fn *on_commit;
    hd_progress_fn *on_progress;
    void *commit_user, *progress_user;
    /* Tests only: changes the RTL's record before it is compared. */
    void (*tamper)(void *user, struct hd_commit *c);
    void *tamper_user;
};

/* Reads of the RTL or model memory: whichever hd_read looks at. */
uint8_t *device_memory(hd_device *d);
/* lockstep.c: the launch registers are set and both memories hold the same. */
enum hd_status lockstep_run(hd_device *d);
/* What is wrong, the first time; a sentence. */
void lockstep_trouble(hd_device *d, enum trouble t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Four states: false, and trouble, where a wire was unknown that must not be. */
bool lockstep_known(hd_device *d);
/* Looks at this cycle as the run does, without its limits; false: there is trouble. */
bool lockstep_follow(hd_device *d);
/* settle.c: a launch that ended with s without trouble so far. */
void lockstep_settle(hd_device *d, enum hd_status s);
/* The same, afterwards: what ended as a deadlock without trouble so far is one. */
void lockstep_prove_deadlock(hd_device *d);
/* Behind a difference: the waveform of the cycles [from, to) by a snapshot.  Returns the cycle
 * from which it was replayed; UINT64_MAX: no snapshot reaches back so far. */
uint64_t lockstep_replay(hd_device *d, const char *wave, uint64_t from, uint64_t to);
/* Every area of memory that a launch can touch, in turn: address and bytes; i counts from 0.
 * False: no more. */
enum { AREA_CODE, AREA_CONST, AREA_LOCAL, AREA_DATA, AREA_SPILL, AREA_ALLOCS };
bool device_area(const hd_device *d, size_t i, uint32_t *addr, size_t *bytes);
/* bare.c: the RTL alone. */
enum hd_status bare_run(hd_device *d);
/* third.c: each thread alone, before the launch runs; then its judgement on how that ended. */
bool third_run(hd_device *d);
enum hd_status third_judge(hd_device *d, enum hd_status s);
/* One sentence: compared, or why not. */
void third_write(const hd_device *d, FILE *out);
/* report.c */
void report_write(hd_device *d, FILE *out);
void report_fault(const hd_device *d, const struct hd_commit *c, FILE *out);
void report_insn(const hd_device *d, const struct hd_commit *c, FILE *out);
/* FILE:LINE of an instruction, without folders; empty where nothing is known. */
void report_source(const hd_device *d, uint32_t pc, char *buf, size_t n);
/* noprogress.c */
void noprogress_write(hd_device *d, FILE *out);
/* Seconds since some start, for progress. */
double device_seconds(void);
#endif
