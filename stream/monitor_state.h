/* What the monitor remembers.  SPDX-License-Identifier: Apache-2.0 */
#ifndef STREAM_MONITOR_STATE_H
#define STREAM_MONITOR_STATE_H
#include "stream/monitor.h"

enum { TOKENS = 128, FLIGHT = 256, REGS = 8, BARRIERS = 2048, REGISTERS = 1024 };

struct token {
    uint64_t name, parked;
};
/* An instruction that has issued and not retired, or an older one has not. */
struct flight {
    uint64_t n, pc, exec, got, touched, wrote[REGS];
    uint32_t reg[REGS];
    unsigned nregs;
    bool accessed, done;
};
struct value {
    uint64_t known, val[HS_LANES];
};
struct warp {
    uint64_t run, held, held_at;     /* lanes that run; that wait at a block barrier, and which */
    uint64_t pc[HS_LANES], pc_known; /* where each lane goes on */
    uint64_t block, index, next, last_pc, quiet_from;
    bool numbered;
    unsigned ntokens, nflight;
    struct token token[TOKENS];
    struct flight flight[FLIGHT];
    struct value *reg[REGISTERS]; /* what is known of its registers; NULL: nothing */
};
struct barrier {
    uint64_t name, generation, count, warps[HS_WARPS / 64];
    uint32_t need;
    bool used;
};
/* Eight bytes of memory, of which some are known. */
struct cell {
    uint64_t key, addr;
    uint8_t byte[8], known, used;
};

struct hs_monitor {
    const struct hs_header *h;
    uint64_t quiet, look_at, event, instructions, checks[HS_RULES];
    bool reported[HS_KINDS], silent[HS_RULES], is_broken, faulted, running;
    enum hs_rule broken_rule;
    char broken[4000];
    char empty[HS_RULES][300]; /* why a rule says nothing, whatever comes; "": it may */
    struct warp *warp;
    unsigned nbarriers;
    struct barrier barrier[BARRIERS];
    struct cell *cell;
    size_t ncells, cells; /* used, of a power of two */
};

bool hs_break(struct hs_monitor *m, enum hs_rule rule, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static inline void hs_count(struct hs_monitor *m, enum hs_rule rule) { m->checks[rule]++; }
/* A rule that lacks a kind of event says nothing. */
#define hs_check(m, rule, ok, ...) \
    ((m)->silent[rule] || (hs_count(m, rule), (ok) || hs_break(m, rule, __VA_ARGS__)))

#define X(v) ((unsigned long long)(v))

/* Each takes one event; false: a rule is broken. */
/* lanes.c */
struct token *hs_token_of(struct warp *w, uint64_t name);
uint64_t hs_lanes_parked(const struct warp *w);
void hs_lanes_set_pc(struct warp *w, uint64_t mask, uint64_t pc);
int hs_lanes_other_pc(const struct warp *w, uint64_t mask, uint64_t pc);
bool hs_lanes_start(struct hs_monitor *m, struct warp *w, const struct hs_event *e);
bool hs_lanes_leave(struct hs_monitor *m, struct warp *w, const struct hs_event *e,
                    const char *how);
bool hs_lanes_park(struct hs_monitor *m, struct warp *w, const struct hs_event *e, uint64_t name);
bool hs_lanes_unpark(struct hs_monitor *m, struct warp *w, const struct hs_event *e,
                     const char *how);
bool hs_lanes_wake(struct hs_monitor *m, struct warp *w, const struct hs_event *e);
bool hs_lanes_closed(struct hs_monitor *m, struct warp *w, const struct hs_event *e);
/* flight.c */
bool hs_flight_issue(struct hs_monitor *m, struct warp *w, const struct hs_event *e);
bool hs_flight_retire(struct hs_monitor *m, struct warp *w, const struct hs_event *e);
bool hs_flight_write(struct hs_monitor *m, struct warp *w, const struct hs_event *e);
bool hs_flight_access(struct hs_monitor *m, struct warp *w, const struct hs_event *e);
/* barriers.c */
bool hs_barrier_arrive(struct hs_monitor *m, struct warp *w, const struct hs_event *e);
bool hs_barrier_release(struct hs_monitor *m, const struct hs_event *e);
bool hs_run_finish(struct hs_monitor *m, const struct hs_event *e);
/* values.c */
bool hs_values_write(struct hs_monitor *m, struct warp *w, const struct hs_event *e);
bool hs_values_read(struct hs_monitor *m, struct warp *w, const struct hs_event *e);
bool hs_values_memory(struct hs_monitor *m, struct warp *w, const struct hs_event *e);
void hs_values_forget(struct hs_monitor *m);
#endif
