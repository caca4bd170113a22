/* The inside of core.h's model.  Only the files core_*.c include it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Times are cycles of the grid.  What a unit leaves in a register of the RTL is seen by the others
 * in the next cycle; core.c calls the units in an order that makes it so here. */
#ifndef HD_CORE_STATE_H
#define HD_CORE_STATE_H
#include "cmodel/timing/core.h"
#include <string.h>

typedef uint32_t u32;
typedef uint64_t u64;

enum { PIPELINE = 34 };                 /* more than instructions between issue and retirement */
enum { WARPS = 32, REGS = 256, READY = REGS + 8, SOURCES = 24, BUFFER = 4, QUEUE = 4, SLOTS = 16,
       TARGETS = 64 };
#define NEVER (UINT64_MAX / 2)

/* What the dispatcher does. */
enum { D_TIDS, D_FIND, D_BLOCK, D_WARPS, D_OVER };
/* Units as issue tells them apart. */
enum unit { U_INT, U_FLOAT, U_WARP, U_LSU, U_CTL, U_F64, UNITS };

/* An instruction as issue and fetch see it. */
struct decoded {
    uint8_t unit;
    bool stop;                          /* fetch waits: control, and carriers of `.S` */
    bool carrier, plain, quad;
    bool pops;                          /* its token must be on chip before it issues */
    bool constant, load, store, atom;   /* constant: the constant cache may have its operand */
    bool operand;                       /* ... and must, as its second source is a constant */
    bool wait, exit;                    /* BAR; EXIT */
    uint8_t lg;                         /* bytes a lane: 1 << lg */
    uint8_t beats;                      /* of its result, when it comes from the LSU */
    uint8_t n, nd, npd;
    uint16_t source[SOURCES], rd, pd;   /* rd, pd: with what it writes, also in source */
    int32_t off;
    uint32_t bytes;
};

struct entry { u32 index; uint8_t unit; };

struct warp_time {
    u64 ready[READY];                   /* when registers are there, then predicates */
    u64 in_order;                       /* its last instruction retires in the cycle before */
    u64 normal;                         /* its next can issue, if its result is not to be late */
    struct entry buffer[BUFFER];
    uint8_t first, n;                   /* the buffer's */
    uint8_t under_way;                  /* entries in it or in F1 */
    u32 pc;                             /* that is fetched next */
    uint8_t out;                        /* memory instructions under way; */
    bool loads;                         /* all of them loads: others may follow; */
    u64 due[REGS / 64];                 /* the registers that they are to write */
    u32 chip, spilled;                  /* stack mode: tokens on chip, in memory */
    u64 spill_end;                      /* the last spill's answer */
    u64 filled;                         /* the fill that it waits for */
};

/* A carrier that will pop, and where its warp goes on then. */
struct pop { u64 at; u32 warp, pc; bool runs, unwinds; };

/* A control instruction on its way to the convergence unit, or there. */
struct control {
    u64 at;                             /* it can take its first step */
    u32 warp, steps, pc, freed, freed_pc[WARPS];
    bool runs, unwinds, ended, releases;
};

/* A memory instruction. */
struct access {
    u64 at;                             /* its last operands come to the LSU */
    u64 through;                        /* its last sector has come, or its last answer */
    u32 warp, n;                        /* sectors; their numbers, and how many lanes */
    u64 sector[4 * HD_LANES];
    uint8_t lanes[4 * HD_LANES];
    u32 passes;                         /* cycles in shared memory */
    int range;                          /* global memory: the launch's; -1: none */
    uint8_t space, beats;
    bool load, store, atom, sure, carrier, popped;
    struct pop pop;
};

/* Sectors on their way, by residue, as rtl/mem/lsu_sectors.v keeps them. */
enum { RESIDUES = 512, ON_WAY = 256, ASKED = 64 };
struct on_way {
    u32 mark[RESIDUES], generation, old, young;
    u64 end[ON_WAY];
    u32 put, get;
};

struct core {
    u32 of[CORE_COUNT];                 /* struct timing's core */
    struct core_grid g;
    u32 words;
    struct decoded *code;
    u64 now;
    int phase;
    u32 issued;                         /* the slot that was named last; how: */
    bool unwound;
    struct warp_time warp[WARPS];
    /* fetch */
    u32 want, miss, full, list, last_fetch, owner;
    int f1;                             /* the warp in F1; -1: none */
    u32 f1_pc;
    bool f1_hit, f1_live;               /* f1_live: in this cycle F1 had a warp's instruction */
    u32 begins;                         /* warps that have pushed nothing since their group began */
    u32 target[TARGETS];                /* words of the code, from 1 on, that targets.v keeps */
    u64 line_end;                       /* the last beat of the line under way */
    bool line_busy, line_constant;
    u32 line_number;
    u32 *cached, *constant;             /* line number + 1, of each line of the caches */
    u32 ncached, nconstant;
    /* issue */
    u32 wheel[64], late_wheel[64];      /* who becomes ready in a cycle: without lateness, with */
    u64 wheel_any;                      /* which of both are not empty */
    u32 ready[UNITS];                   /* who could issue, by its unit; all of them; */
    u32 any_ready, ready_late;          /* who could if its integer result were late */
    u32 unit_of[WARPS];
    u32 last_issue, stalled, planned;   /* stalled: waits for the f64 unit; planned: in the wheel */
    u64 busy_until, write;              /* write: bit k: the write port is taken k cycles on */
    u64 last_retire;                    /* of the pipeline */
    u64 f64_done;
    u32 f64_warp, f64_index;            /* whose instruction the f64 unit has, and which */
    bool f64_busy;
    struct pop pop[PIPELINE], f64_pop;
    u32 pops;
    /* convergence unit */
    struct control control[QUEUE];
    u32 put, get;
    int step;                           /* enum of core_unit.c */
    u32 start_waited;                   /* cycles for which a new warp has waited */
    u32 left, visit, resumed, unwinding, last_unwound;
    bool held;
    u64 commits;                        /* bit k: it retires one k cycles on */
    u64 spill_buffer, fill_last;
    /* LSU */
    struct access access[SLOTS];
    u32 in, walk, result, out;          /* places, counted for ever */
    u64 walk_free, walk_chain, shared_free;
    u64 lsu_next, lsu_last;             /* it is looked at from then on; was looked at then */
    u64 lsu_since, lsu_slot;            /* it waits since; the cycle that is kept for it */
    struct { int range; u64 from; } known[4];   /* ranges that lsu_known.v keeps, since when */
    u32 next_known;
    struct on_way reads, writes;
    /* memory */
    u64 read_end, between_end, write_end, send_end;
    struct { u64 at, end; } asked[ASKED];       /* the LSU's last reads */
    u32 nasked;
    /* blocks */
    int dispatch;
    u64 tids_end, blocks_left;
    u32 slot, index, used, live[WARPS];
};

static inline u64 later(u64 a, u64 b)
{
    return a > b ? a : b;
}

static inline u32 lowest(u32 m)
{
    return (u32)__builtin_ctz(m);
}

static inline u32 bit(u32 n)
{
    return 1u << n;
}

/* As rtl/front/pick.v: the first of `from` after the last one, in turn. */
static inline u32 pick(u32 from, u32 last)
{
    u32 behind = last == 31 ? 0 : from & ~((2u << last) - 1);
    return lowest(behind ? behind : from);
}

static inline struct pop pop_of(u32 warp, const struct core_did *d)
{
    return (struct pop){ 0, warp, d->pc, d->runs, d->unwinds };
}

/* All warps have started, and some have not ended. */
static inline bool blocks_idle(const struct core *c)
{
    return c->dispatch == D_FIND && !c->blocks_left && c->used;
}

static inline bool unit_idle(const struct core *c)
{
    return c->put == c->get && !c->unwinding && !c->pops;
}

/* core_fetch.c: a cycle; the warp goes on at pc. */
void fetch_cycle(struct core *c);
void fetch_go(struct core *c, u32 warp, u32 pc);
bool fetch_idle(const struct core *c);
/* core_issue.c */
void issue_push(struct core *c, u32 warp, struct entry e);
void issue_head(struct core *c, u32 warp, u64 from);        /* its next may issue from then on */
void issue_retired(struct core *c, u32 warp);       /* a memory instruction of it */
bool issue_cycle(struct core *c, u32 *warp);
void issue_did(struct core *c, const struct core_did *d);
/* core_unit.c */
void unit_push(struct core *c, u32 warp, const struct decoded *i, const struct core_did *d, u64 at);
bool unit_cycle(struct core *c, bool start, u32 *unwinds);  /* false: it must unwind that warp */
bool unit_pop(struct core *c, const struct pop *p);         /* the LSU's carrier pops now */
void unit_unwound(struct core *c, const struct core_did *d);
void unit_tokens(struct core *c, u32 warp, const struct hd_commit *rec);
u64 unit_fill(struct core *c, u32 warp, u64 at);
/* core_access.c: the LSU has taken an instruction. */
void lsu_take(struct core *c, u32 warp, const struct decoded *i, const struct core_did *d, u64 at);
/* core_lsu.c */
void lsu_cycle(struct core *c);
/* core_memory.c: a sector of the LSU, asked for at `at`: the cycle in which it comes.  So many
 * beats for another unit, which goes before reads that were laid out for later: the cycle of the
 * last. */
u64 memory_read(struct core *c, u64 at);
u64 memory_read_between(struct core *c, u64 at, u32 beats);
/* An answer to a write that is offered at `at`. */
u64 memory_write(struct core *c, u64 at);
/* The first cycle from `at` on in which none may be in that sector; in which fewer than so many are
 * on their way. */
u64 on_way_free(struct on_way *w, u64 at, u64 sector);
u64 on_way_room(struct on_way *w, u64 at, u32 most);
void on_way_put(struct on_way *w, u64 sector, u64 at, u64 end);
/* core_blocks.c */
bool blocks_cycle(struct core *c, bool *start);             /* true: a block starts in c->slot */
void blocks_started(struct core *c);                        /* the unit has started a warp */
void blocks_ended(struct core *c, u32 warp);
u64 blocks_due(const struct core *c);
void blocks_skip(struct core *c, u64 cycles);
#endif
