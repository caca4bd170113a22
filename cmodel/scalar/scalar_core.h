/* The inside of scalar execution: threads, memory with its access log, effects of one lane.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_SCALAR_CORE_H
#define HD_SCALAR_CORE_H
#include "cmodel/scalar/scalar.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

enum { FRAMES = 256 };
enum frame_kind { FRAME_SYNC, FRAME_CALL };
struct frame { uint8_t kind; u32 pc; };

struct thread {
    enum { THREAD_RUNS, THREAD_BAR, THREAD_WARP_OP, THREAD_ENDED } state;
    u32 index, id;                          /* in the block; in the grid, from 1 */
    u32 pc, bar, depth;
    u32 synced;                           /* lanes of a WARPSYNC; nothing but straight code since */
    uint8_t p, taint_p;                     /* predicates, a bit each; PT is bit 7 */
    u32 r[HD_RZ + 1];                       /* RZ is always zero */
    u64 taint[4];                           /* a bit a register: depends on the schedule */
    uint8_t *local;
    struct frame frame[FRAMES];             /* what SSY and CAL left */
};

/* Who last wrote and read a byte, at which PC, and in which phase of its block (how often block
 * barriers had let threads go).  writer and reader: 0 none, a thread's id, MANY | block (threads of
 * these warps, a bit each), or -1: all threads. */
enum { SHADOW_MANY = (int)0x80000000u, SHADOW_EVERYBODY = -1 };
struct shadow {
    u32 writer, reader, wphase, rphase, wpc, rpc;
    u32 wwarps, rwarps;
    u32 wlast, rlast, rprev, rprevpc;       /* ids of the last ones; who read before the last */
    uint8_t aop;
    bool returned;
};
struct scalar_area { u64 base, bytes; bool writable; uint8_t *data; struct shadow *shadow; };

struct scalar {
    struct launch launch;
    struct { bool legal; struct hd_insn i; } *code;
    u32 words, block, phase;
    struct scalar_area range[LAUNCH_RANGES], shared, constant;
    struct thread *thread;                  /* of the block that runs */
    uint8_t *local;
    u32 full;                               /* the phase that began last with all threads */
    bool parted;                            /* since then some were let go: see scalar_order.c */
    u32 *after, *meeting;                   /* after[t][u]: t comes after what u did before it */
    u32 need[HD_BARRIERS];                  /* threads that the last arrival asked for; 0: all */
    u32 apart;                            /* warps, a bit each: threads waited for different ones */
    u64 executed, limit;
    enum scalar_end end;
    bool suspect;                           /* depends on the schedule; a race may yet come */
    char why[240];
    u32 place[2];                           /* PCs that `why` speaks of */
    u32 places;
};

/* The result depends on the schedule, but the run goes on: a race may be the cause of it. */
void scalar_suspect(struct scalar *s, const struct thread *t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends the run with a reason; always false. */
bool scalar_stop(struct scalar *s, enum scalar_end end, const struct thread *t, const char *fmt,
                 ...)
    __attribute__((format(printf, 4, 5)));
bool scalar_pop(struct scalar *s, struct thread *t, enum frame_kind kind, u32 *pc);
/* scalar_order.c: the accesses of one thread, or of threads of those warps, until that phase come
 * before what t does now.  Lets threads go whose block barrier is complete; false: nobody. */
bool scalar_comes_after(const struct scalar *s, const struct thread *t, u32 thread, u32 phase);
bool scalar_comes_after_warps(const struct scalar *s, const struct thread *t, u32 warps, u32 phase);
bool scalar_release(struct scalar *s);
/* scalar_warp.c: all threads of the warp that run have stopped: those at a warp operation execute
 * it; false: there are none. */
bool scalar_is_warp_op(unsigned op);
bool scalar_meet(struct scalar *s, u32 warp);
/* scalar_lane.c: what one thread computes, and which of it depends on the schedule. */
bool scalar_guard(const struct thread *t, const struct hd_insn *i);
bool scalar_tainted(const struct thread *t, const struct hd_insn *i);      /* a source is */
bool scalar_tainted_address(const struct thread *t, const struct hd_insn *i);
void scalar_set(struct thread *t, unsigned reg, u32 v, bool taint);
void scalar_set_pred(struct thread *t, unsigned pred, bool v, bool taint);
void scalar_taint_results(struct thread *t, const struct hd_insn *i);
/* Rb, the immediate, or the constant. */
u32 scalar_second(const struct scalar *s, const struct thread *t, const struct hd_insn *i);
void scalar_effect(struct scalar *s, struct thread *t, const struct hd_insn *i);
/* scalar_memory.c: a load, store, atomic or fence; false: the run ends. */
bool scalar_access(struct scalar *s, struct thread *t, const struct hd_insn *i);
#endif
