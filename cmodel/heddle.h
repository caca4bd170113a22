/* The public interface of Heddle: devices, images, memory, launches, commit records.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A device is the golden model, the RTL, or both in lockstep.  Handles are opaque and owned by the
 * caller; nothing is global, so a process may hold several devices.  A device is used by one thread
 * at a time.  Functions return HD_OK or an error; hd_device_error gives the sentence. */
#ifndef HEDDLE_H
#define HEDDLE_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdbool.h>
#include "cmodel/isa/commit.h"
#include "cmodel/places.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)     /* what libheddle.so shows */

typedef struct hd_device hd_device;
typedef struct hd_image hd_image;

enum hd_status {
    HD_OK = 0,
    HD_MISMATCH,         /* RTL and model differ */
    HD_FAULT,            /* the kernel faulted; both agree where both ran */
    HD_DEADLOCK,         /* no warp can ever run again */
    HD_LIMIT,            /* the cycle or instruction limit was reached */
    HD_STOPPED,          /* a callback asked to stop */
    HD_BAD_ARGUMENT, HD_BAD_IMAGE, HD_NO_MEMORY, HD_NO_KERNEL, HD_TOO_BIG, HD_NO_RTL,
    HD_NO_CORE,          /* its library is not built, or older than the sources beside it */
    HD_INTERNAL
};
const char *hd_strerror(enum hd_status s);
const char *hd_fault_name(enum hd_fault f);

enum hd_kind { HD_MODEL, HD_RTL, HD_LOCKSTEP };

/* Threads at most; each has a window of addresses of its own. */
enum { HD_JOBS = sizeof(void *) > 4 ? 64 : 1 };
struct hd_config {
    enum hd_kind kind;
    unsigned lanes;              /* LANES of the RTL: 1, 2, 4, 8, 16, 32; 0 = 32, or core's */
    /* File of a core of any size (LANES, WARPS, NREGS, SHARED_BYTES, STACK_DEPTH), which the device
     * has then, a model, too; NULL: the one of that LANES, with 32 warps, that lies beside us. */
    const char *core;
    unsigned warps;              /* warp slots used, 1 to 32; 0 = all of the core */
    /* Lockstep: cores behind one memory, 1 to 8; 0 = 1.  Slots of commits are 32 a core.  Several
     * write no waveforms, and know no bus errors (docs/cores.md). */
    unsigned cores;
    unsigned stack_depth;        /* tokens on chip, stack mode; 0 = 16 */
    uint64_t mem_seed;           /* 0: fixed latency; else random latency and back-pressure */
    uint32_t x_seed;      /* RTL: not 0: what no reset sets begins with random bits; no waveforms */
    /* Lockstep: the core is on the board at the end of this link (docs/board.md); NULL: it is
     * simulated here.  Commits from one digest to the next, 2 to 65535; 0 = 256.  The file that
     * keeps what the board sends, or NULL. */
    const char *board;
    unsigned board_digest;
    const char *board_record;
    bool four_state;  /* RTL: under Icarus; what no reset sets begins as X, and where an X shows the
                         answer is HD_MISMATCH; no waveforms */
    uint64_t limit;              /* cycles (RTL) or warp instructions (model); 0 = none */
    const char *timing;       /* model only: name of a timing profile; NULL = one per instruction */
    const char *wave;       /* RTL: writes an FST of the cycles [wave_from, wave_to) to this file */
    uint64_t wave_from, wave_to;
    bool wave_rows;              /* of it, only the rows beside the core's wires: quick, and needs
                                  * no core with tracing */
    uint64_t keep_going;         /* lockstep: cycles to go on past the first difference */
    /* lockstep: the process forks itself every so many cycles, so that a difference's waveform
     * costs a short replay; 0: never.  Not with threads. */
    uint64_t snapshots;
    bool issue;           /* RTL: hd_on_cycle works; the core is the one that can write waveforms */
    /* Model only: launches run as the host's own code where that does the same, translated by the
     * system's C compiler and kept in this folder (docs/native.md); "": in the user's cache folder;
     * NULL: they are interpreted. */
    const char *native;
    /* ... but only where it pays, and in silence: what is kept is used at once; what is not is
     * made, while the launch goes on, after so much was interpreted as the compiler costs. */
    bool native_where_it_pays;
    /* Model only: a grid's blocks at the same time, on so many threads; 0, 1: in turn.
     * How the launch ends, memory and counters are the same: blocks that touch what others change
     * run in turn (docs/jobs.md).  independent: the caller vouches that they do not, and nothing is
     * checked. */
    unsigned jobs;
    bool independent;
    bool third_leg; /* also runs each thread alone; memory must be the same where that is defined */
    struct spill *within; /* hd_count_blocks: where counts are (cmodel/base/spill.h); NULL: in
                           * memory */
};

/* A device has 2^HD_ADDR_BITS bytes of physical address space (cmodel/places.h), of which only
 * allocations may be touched. */
enum hd_status hd_open(const struct hd_config *cfg, hd_device **out);
void hd_close(hd_device *d);
/* What launches have to fit into. */
struct hd_core {
    unsigned lanes;              /* that execute in a cycle */
    unsigned warps, regs;        /* warp slots; registers a thread */
    uint32_t shared_bytes;       /* of all blocks that are resident */
    unsigned stack_depth;        /* tokens of a warp on chip; 0: no stack mode */
    bool barriers;               /* it has barrier mode */
    unsigned addr_bits;          /* of a physical address */
    uint32_t lacks;              /* bits UNIT_* and HD_CONSTANTS: what no image may need */
    const char *file;            /* the RTL's library; NULL: a model alone */
    bool traced;                 /* it can write waveforms, and is slower */
};
void hd_get_core(const hd_device *d, struct hd_core *out);
/* Of the last launch on a board, a line: its link, bytes, digests, and so on.  False: none. */
bool hd_get_board(const hd_device *d, char *text, size_t n);
/* As just opened, but much quicker: no image (it may be freed before), no allocations.  mem_seed as
 * in hd_config. */
enum hd_status hd_reset(hd_device *d, uint64_t mem_seed);
/* The same, but the core is not reset: it goes on with what its caches, registers and shared memory
 * hold. */
enum hd_status hd_unload(hd_device *d, uint64_t mem_seed);
const char *hd_device_error(const hd_device *d);

/* Which heddle this is: its version, the commit that it was linked at, its instruction set; and
 * which cores lie beside it, of which sources. */
void hd_show_version(FILE *out);

/* How many bytes all allocations may have together: what the machine has, within what the core can
 * address. */
uint64_t hd_memory(const hd_device *d);
/* Allocates `bytes` (> 0) of device memory, zeroed, 256-byte aligned, with an unmapped gap after
 * it. */
enum hd_status hd_malloc(hd_device *d, size_t bytes, uint64_t *addr);
/* The same at an address from there on. */
enum hd_status hd_malloc_from(hd_device *d, uint64_t from, size_t bytes, uint64_t *addr);
enum hd_status hd_free(hd_device *d, uint64_t addr);
enum hd_status hd_write(hd_device *d, uint64_t addr, const void *src, size_t bytes);
/* Lockstep: reads the RTL's memory; hd_launch has compared it with the model's. */
enum hd_status hd_read(hd_device *d, uint64_t addr, void *dst, size_t bytes);

/* From the next launch on these bytes of physical memory, widened to whole 32-byte sectors, answer
 * the core with an error: what they hold cannot be read, or written, and an access faults
 * (HD_FAULT_BUS).  The host still reads and writes them.  how: of enum hd_bus.  bytes 0: no address
 * does any more. HD_TOO_BIG: more than 16 areas. */
enum hd_bus { HD_BUS_READ = 1, HD_BUS_WRITE = 2,
              HD_BUS_DECERR = 4 };    /* the answer is DECERR, not SLVERR: the core does the same */
enum hd_status hd_bus_error(hd_device *d, uint64_t addr, size_t bytes, unsigned how);

/* The image of a file, by its suffix: .hx, a listing .s, PTX .ptx, CUDA C .cu (which needs clang).
 * stack_mode: of PTX and CUDA C, as `--mode stack'.  HD_BAD_IMAGE: why holds a sentence. */
enum hd_status hd_image_open(const char *path, bool stack_mode, hd_image **out, char *why,
                             size_t room);
void hd_image_close(hd_image *img);
/* Copies an image's code and data to the device; the image must outlive it (reports read its
 * lines). HD_BAD_ARGUMENT: there is one already. */
enum hd_status hd_load(hd_device *d, const hd_image *img);
/* From here on launches and symbols are this image's; if it is a new one, it is loaded beside those
 * that are there.  Each image's `.global` data stays where it is and keeps what it holds, and so do
 * its constants.  Blocks are no longer counted.  HD_BAD_ARGUMENT: the last launch was broken
 * off. */
enum hd_status hd_use(hd_device *d, const hd_image *img);
/* Address of a `.global` or `.const` symbol of the image in use.  The host reads and writes what
 * lies there; that of constants is theirs only while the image is in use, and means nothing to
 * kernels. */
enum hd_status hd_symbol(hd_device *d, const char *name, uint64_t *addr, size_t *bytes);

/* What the last launch printed, in order of commits: printf's to out, failed assertions to err.
 * Once: the buffer is empty then.  Nothing, where kernels print nothing. */
enum hd_status hd_print(hd_device *d, FILE *out, FILE *err);
/* The same of a buffer's bytes (compiler/print.h), of which `used` were asked for; false: not all
 * was there. */
bool hd_print_records(const void *data, size_t bytes, uint32_t used, FILE *out, FILE *err);

struct hd_dim3 { uint32_t x, y, z; };
struct hd_launch {
    const char *kernel;          /* NULL: the only one */
    struct hd_dim3 grid, block;
    uint32_t shared_bytes;       /* dynamic shared memory, after the static */
    const void *params;          /* the parameter block, laid out as the image says */
    size_t params_size;
    uint64_t clock;              /* what the clock shows in the first cycle */
    /* tests, lockstep: in this cycle CTRL gets a start, which a busy core must not do; 0: not */
    uint64_t start_again;
};

struct hd_counters {
    uint64_t cycles;             /* RTL cycles; model: the timing profile's time */
    uint64_t warp_insns;         /* warp instructions retired */
    uint64_t thread_insns;       /* sum of executing lanes */
    /* sum of active lanes (SIMT efficiency = active_lanes / 32 / warp_insns) */
    uint64_t active_lanes;
    uint64_t branches, divergent_branches;
    uint64_t reconvergences;     /* barrier releases that joined lanes */
    uint64_t gave_way;           /* rule 8 releases */
    uint64_t pushes, pops, spills, fills;   /* stack mode: tokens pushed and popped; chunks moved */
    uint64_t deepest;                           /* stack mode: most tokens on one warp's stack */
    uint64_t loads, stores, atomics, mem_transactions;
    uint64_t fields_compared, overridden, clock_reads;    /* lockstep */
    uint64_t memory_compared;                   /* lockstep: bytes of final memory */
    uint64_t memory_left_out;             /* of these, written by an instruction that was stopped */
};

/* Called for every commit, in order (lockstep: the RTL's record, after it compared equal).
 * Return false to stop the launch (HD_STOPPED).  Installing one slows the model down. */
typedef bool hd_commit_fn(void *user, const struct hd_commit *c);
void hd_on_commit(hd_device *d, hd_commit_fn *fn, void *user);
/* Of a core on a board whose launch is repeated, because a digest differs: called for every commit
 * of the repetition, with NULL when one begins.  Where the digest differed the records are the
 * board's own, whatever they hold; a field that differs ends it.  Others are the model's. */
typedef void hd_repeat_fn(void *user, const struct hd_commit *c);
void hd_on_repeat(hd_device *d, hd_repeat_fn *fn, void *user);
/* Called about every 0.25 s while a launch runs; return false to stop it.  With several cores the
 * counts are those of one of them. */
typedef bool hd_progress_fn(void *user, const struct hd_counters *now);
void hd_on_progress(hd_device *d, hd_progress_fn *fn, void *user);
/* With hd_config.issue: called in every cycle of the grid, before what retires in it. */
struct hd_issue;
typedef void hd_cycle_fn(void *user, const struct hd_issue *);
void hd_on_cycle(hd_device *d, hd_cycle_fn *fn, void *user);

/* From the next launch on: limit and third_leg as in hd_config. */
void hd_set_limit(hd_device *d, uint64_t limit);
void hd_set_third_leg(hd_device *d, bool on);

/* Launches follow each other on one core, without a reset, whatever end they came to; each finds
 * memory, and shared memory, as the one before left them.  After a launch that was broken off (any
 * end but HD_OK) that is, in lockstep, as the model has them: the last instruction may be half
 * done.  After HD_MISMATCH, or where the core would not stop, the next launch begins with a new
 * core and empty shared memory. */
/* Runs a grid to its end.  HD_FAULT: see hd_get_fault, which is NULL where a write between buffers
 * was found only afterwards (more than 15 buffers share ranges) and hd_device_error says where;
 * HD_DEADLOCK: see hd_explain. */
enum hd_status hd_launch_grid(hd_device *d, const struct hd_launch *l);
/* Why the last launch was interpreted though hd_config.native is not NULL; NULL: it was not. */
const char *hd_native_why(const hd_device *d);
/* Whether the launch that runs, or the last one, is the host's own code by now. */
bool hd_natively(const hd_device *d);
const struct hd_counters *hd_get_counters(const hd_device *d);
/* Of the launch, also while it runs: the blocks that have ended, of all.  False: it has no model,
 * and nothing is known. */
bool hd_get_blocks(const hd_device *d, uint64_t *ended, uint64_t *all);
/* Threads on which the blocks of the last launch ran; 0: they ran in turn.  hd_show_jobs says it in
 * a sentence, with the reason. */
unsigned hd_get_jobs(const hd_device *d);
void hd_show_jobs(const hd_device *d, FILE *out);
/* How many blocks of this launch the core holds at once. */
enum hd_status hd_occupancy(hd_device *d, const struct hd_launch *l, uint32_t *blocks);
/* From the next launch on the model also counts how often each thread executes each basic block of
 * the loaded image's machine code (cmodel/bbv.h), or, on false, no longer.  HD_BAD_ARGUMENT: no
 * image, or no model. */
enum hd_status hd_count_blocks(hd_device *d, bool on);
/* What the last launch, which ended with HD_OK, has counted; the caller's, to be freed with
 * bbv_free. HD_BAD_ARGUMENT: blocks were not counted, or cannot be (a count passed 2^32 - 1, memory
 * ran out). */
struct bbv;
enum hd_status hd_block_counts(hd_device *d, struct bbv **out);
/* The last launch's fault as a commit record, NULL if none. */
const struct hd_commit *hd_get_fault(const hd_device *d);

/* ---- How the last launch ended.  What these give is the device's and lasts until its next launch,
 * hd_reset or hd_close. */

/* What HD_MISMATCH is about: a field of a record, who retires next, a clock, a byte of memory, a
 * core that stands still, does not end, breaks AXI4's rules, or leaves something else than each
 * thread alone; a write astray, STATUS, a deadlock that is none, an X where none may be. */
enum hd_trouble { HD_TROUBLE_NONE, HD_TROUBLE_FIELD, HD_TROUBLE_SCHEDULE, HD_TROUBLE_CLOCK,
                  HD_TROUBLE_MEMORY, HD_TROUBLE_HANG, HD_TROUBLE_END, HD_TROUBLE_PROTOCOL,
                  HD_TROUBLE_THIRD, HD_TROUBLE_STRAY, HD_TROUBLE_STATUS, HD_TROUBLE_DEADLOCK,
                  HD_TROUBLE_UNKNOWN };
struct hd_mismatch {
    enum hd_trouble trouble;
    uint64_t cycle;              /* when it was found; 0 in a model device */
    const char *why;             /* a sentence */
    /* HD_TROUBLE_FIELD: the first that differs, as commit.def names it; else NULL */
    const char *field;
    const struct hd_commit *rtl, *model;         /* HD_TROUBLE_FIELD: the records; else zeros */
};
/* False: nothing differed, and *out has trouble HD_TROUBLE_NONE and a slot of 0 in its records. */
bool hd_get_mismatch(const hd_device *d, struct hd_mismatch *out);

/* Lockstep: what was compared of part p of the record (commit.def), p from 0.  False: there is no
 * such part. */
struct hd_compared {
    const char *part;            /* its name, in small letters */
    uint64_t fields;             /* fields compared */
    uint64_t records;            /* records that held anything of it */
};
bool hd_get_compared(const hd_device *d, unsigned p, struct hd_compared *out);

/* With third_leg: whether each thread alone has one right result.  NOT: there is none, or third_leg
 * is off. */
enum hd_third { HD_THIRD_NOT, HD_THIRD_OK, HD_THIRD_RACE };
enum hd_third hd_get_third(const hd_device *d);

/* Where the lanes of a warp stand, also from hd_commit_fn while the launch runs: in lockstep the
 * model, which every commit so far was compared with. */
struct hd_warp {
    uint32_t block; uint16_t warp;
    uint32_t active, live;
    uint32_t npc[HD_LANES];      /* where each live lane goes on */
    uint8_t wait[HD_LANES];      /* enum hd_wait */
    uint32_t barrier[HD_BARRIERS];       /* participants */
};
/* False: no warp lives in that slot, or the device has no model. */
bool hd_get_warp(const hd_device *d, unsigned slot, struct hd_warp *out);
/* A register of every lane of that warp (R0 is 0); a predicate, a bit a lane.  False: as above, or
 * the kernel has none. */
bool hd_get_register(const hd_device *d, unsigned slot, unsigned reg, uint32_t value[HD_LANES]);
bool hd_get_predicate(const hd_device *d, unsigned slot, unsigned pred, uint32_t *value);

/* For people.  The report of the last mismatch, fault or deadlock in full; */
void hd_explain(hd_device *d, FILE *out);
/* a record in one line: commit, cycle, warp, PC, lanes, instruction and source; */
void hd_show_commit(const hd_device *d, const struct hd_commit *c, FILE *out);
/* where the lanes of every warp stand and what they wait for: nothing of an RTL device; */
void hd_show_warps(hd_device *d, FILE *out);
/* The same for programs, each one JSON object on one line (docs/lockstep.schema.json); false: no
 * memory, or out refuses. */
bool hd_explain_json(hd_device *d, FILE *out);
bool hd_show_commit_json(const hd_device *d, const struct hd_commit *c, FILE *out);
bool hd_show_warps_json(hd_device *d, FILE *out);
/* Lockstep of one core: the first two accesses of the last launch that nothing orders, as far as
 * they were met and seen (docs/fuzzing.md), a sentence; false: none. */
bool hd_get_race(const hd_device *d, char *text, size_t n);
/* With third_leg, for people, what came of it. */
void hd_show_third(const hd_device *d, FILE *out);

/* ---- Files about launches, and a line at a terminal. */

/* Profile, timeline and coverage of launches, as files.  coverage: the file of all launches
 * together, a string that must last; NULL: none.  Returns NULL where there is no memory. */
typedef struct hd_watch hd_watch;
hd_watch *hd_watch_new(const char *coverage);
void hd_watch_free(hd_watch *w);
/* Its strings must last until hd_watch_end.  Files are opened before the launch and written as a
 * whole after it. */
struct hd_watch_launch {
    const char *title;           /* words of the launch */
    const char *profile;         /* a text, `*.json` as JSON; NULL: none */
    const char *timeline;        /* a page; NULL: none */
    bool cycles;                 /* with hd_config.issue: the profile counts cycles, too */
};
/* Around one launch of img: takes the place of hd_on_commit and, with cycles, hd_on_cycle.
 * HD_BAD_ARGUMENT: a file cannot be written; HD_NO_MEMORY.  hd_watch_error has the sentence. */
enum hd_status hd_watch_begin(hd_watch *w, hd_device *d, const hd_image *img,
                              const struct hd_watch_launch *l);
enum hd_status hd_watch_end(hd_watch *w, enum hd_status ended);
/* After the last launch: adds what was covered to what that file holds. */
enum hd_status hd_watch_coverage(hd_watch *w);
const char *hd_watch_error(const hd_watch *w);

/* While launches take long, a line at a terminal (standard error): `what`, which must last, how far
 * it is, how fast.  Takes the place of hd_on_progress, until it is called with NULL, which removes
 * the line.  A process has one. */
void hd_show_progress(hd_device *d, const char *what);

/* ---- Waveforms of the RTL. */

/* Ends the file of hd_config.wave.  HD_BAD_ARGUMENT: it does not hold the window, and
 * hd_device_error says why. */
enum hd_status hd_end_wave(hd_device *d);
/* The last cycle in it: the core goes on for as many cycles after a launch, or after a difference,
 * so that what happened at its end is not at the edge. */
enum { HD_WAVE_AFTER = 90 };
uint64_t hd_wave_last(const hd_device *d);
/* After HD_MISMATCH, with hd_config.snapshots: writes the cycles [from, to) from the newest
 * snapshot before them to the file `wave`, once.  Returns the cycle of that snapshot; UINT64_MAX:
 * none reaches back so far. */
uint64_t hd_replay(hd_device *d, const char *wave, uint64_t from, uint64_t to);
#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
