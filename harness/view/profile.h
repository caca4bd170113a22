/* The profile of a launch: where warp instructions, lane-slots and cycles go.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A warp instruction has as many lane-slots as a warp has lanes.  A slot is used, or lost to one
 * cause (enum profile_lost).
 * A cycle of a warp on the core, from the first in which it is fetched to that of its last commit,
 * goes to one cause as well (enum profile_cycle).  So both add up, for every warp and for
 * everything that is summed from the same places.
 *
 * A place is an instruction and the line it belongs to.  Code without a line (the compiler's
 * library) belongs to the line that called it, so it has a place for each call. */
#ifndef VIEW_PROFILE_H
#define VIEW_PROFILE_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "cmodel/base/err.h"
#include "cmodel/heddle.h"
#include "cmodel/isa/isa.h"
#include "cmodel/isa/issue.h"
#include "harness/view/timeline.h"

/* Why a lane-slot is lost: what the lane does meanwhile.  PROF_LOST(name, key, words): a row for
 * each WAIT of commit.def, by that name, and one for lanes without a thread. */
#define PROF_LOSSES \
    PROF_LOST(READY, "turn", "another group's turn") \
    PROF_LOST(BARRIER, "barrier", "waits at a convergence barrier") \
    PROF_LOST(WARPSYNC, "warpsync", "waits at a WARPSYNC") \
    PROF_LOST(YIELD, "yield", "has yielded") \
    PROF_LOST(STACK, "stack", "in a token of the stack") \
    PROF_LOST(BLOCK, "block", "waits at a block barrier") \
    PROF_LOST(EXITED, "exited", "has exited") \
    PROF_LOST(NO_THREAD, "no_thread", "no thread: the block does not fill its last warp")
#define PROF_LOST(name, key, words) LOST_##name,
enum profile_lost { PROF_LOSSES LOST_COUNT };
#undef PROF_LOST

/* What a warp does in a cycle of the core.  PROF_CYCLE(name, key, words) */
#define PROF_CYCLES \
    PROF_CYCLE(ISSUE, "issue", "its instruction goes through the issue port") \
    PROF_CYCLE(PORT, "port", "ready, but another warp has the issue port") \
    PROF_CYCLE(UNIT, "unit", "ready, but the LSU or the convergence unit cannot take more") \
    PROF_CYCLE(SCOREBOARD, "scoreboard", \
               "an operand is still to be written, or an older result to be retired") \
    PROF_CYCLE(MEMORY, "memory", "its memory instruction is out") \
    PROF_CYCLE(FILL, "fill", "tokens of its stack come back from memory") \
    PROF_CYCLE(CONVERGE, "converge", "its control instruction is in the convergence unit") \
    PROF_CYCLE(FETCH, "fetch", "its next instruction is being fetched") \
    PROF_CYCLE(BARRIER, "barrier", "it waits at a block barrier")
#define PROF_CYCLE(name, key, words) CYCLE_##name,
enum profile_cycle { PROF_CYCLES CYCLE_COUNT };
#undef PROF_CYCLE

struct profile_name { const char *key, *words; };
extern const struct profile_name profile_lost_names[LOST_COUNT], profile_cycle_names[CYCLE_COUNT];

struct profile_count {
    uint64_t insns, lanes;               /* warp instructions; slots used */
    uint64_t guarded;                    /* of these: where the guard does not hold */
    uint64_t lost[LOST_COUNT];
    uint64_t branches, divergent;        /* control transfers, and those at which lanes part; of
                                          * a foreign core: instructions after which a lane does
                                          * not go on at the next one */
    uint64_t cycles[CYCLE_COUNT];
};
void profile_sum(struct profile_count *to, const struct profile_count *k);
uint64_t profile_lost_all(const struct profile_count *);
uint64_t profile_cycles_all(const struct profile_count *);
/* Slots used, per cent. */
double profile_efficiency(const struct profile_count *);

/* site: the instruction by whose line this one goes; itself, where it has a line. */
struct profile_place { uint32_t pc, site; struct profile_count k; int next; };

/* Where lanes parted; pc PROF_NEVER: they never ran together (threads that do not exist, too). */
enum { PROF_NEVER = 0xffffffff };
struct profile_part { uint32_t pc; uint64_t lost[LOST_COUNT]; int next; };

/* How lanes went from one instruction to another; from a call, to what follows it. */
struct profile_edge { uint32_t from, to; uint64_t warps, lanes; int next; };

struct profile_warp {
    uint32_t block, warp, slot;
    uint64_t first, last;                /* cycles: of the first fetch on the core, else of the
                                          * first commit; of the last commit */
    struct profile_count k;
};

/* By instruction, the first of its places, parts and edges; -1: none. */
struct profile_heads { int place, part, edge; };

struct profile_slot;                        /* what is known of the warp in a slot */
struct profile_ways;                        /* profile_ways.c */
struct profile_cycles;                      /* profile_cycles.c */
/* The stage that an instruction was in for some cycles, one call a stage: for logs of the
 * pipeline. */
typedef void profile_stage_fn(void *user, unsigned slot, uint64_t index, enum profile_cycle,
                              uint64_t from, uint64_t to);

struct profile {
    bool stack_mode;
    struct profile_heads *head; size_t nheads;
    struct profile_place *place; size_t nplaces, place_room;
    struct profile_part *part; size_t nparts, part_room;
    struct profile_edge *edge; size_t nedges, edge_room;
    struct profile_warp *warp; size_t nwarps, warp_room;
    struct profile_slot **slots;            /* NULL: no warp was there */
    struct profile_ways *ways;
    struct profile_cycles *cycles;          /* NULL: the model, which has none */
    const struct timeline_page *program;
    struct profile_count all;
    bool no_memory;
};

/* program must outlive it, and may still grow (a log).  False: no memory. */
bool profile_open(struct profile *, const struct timeline_page *program, bool stack_mode,
                  bool core);
void profile_close(struct profile *);
/* The next commit; on the core, after the cycles up to its own.  False: no memory. */
bool profile_add(struct profile *, const struct view_commit *);
void profile_cycle(struct profile *, const struct hd_issue *);
/* profile_cycles.c's part of a commit; the place that the instruction has. */
bool profile_cycles_open(struct profile *);
void profile_cycles_commit(struct profile *, const struct view_commit *, struct profile_warp *,
                           int place);
void profile_cycles_free(struct profile *);
/* Every stage of every instruction is also told to fn; index counts the issues of that slot's
 * warp. */
void profile_on_stage(struct profile *, profile_stage_fn *fn, void *user);

/* The instruction at pc as the program names it; NULL: it does not. */
const struct timeline_insn *profile_insn(const struct profile *, uint32_t pc);
/* Of a call, a branch, a return: does it say where lanes go? */
bool profile_decode(const struct profile *, const struct view_commit *, struct hd_insn *);

/* ---- profile_sums.c: by line, instruction, branch and loop ----------------------------------- */

/* line 0: no line is known */
struct profile_line { const char *file; unsigned line; struct profile_count k; };
struct profile_insn { uint32_t pc; const struct timeline_insn *at; struct profile_count k; };
struct profile_branch {
    uint32_t pc; const struct timeline_insn *at, *site;  /* site: whose line it belongs to */
    uint64_t executed, divergent;
    uint64_t lost[LOST_COUNT], lost_all; /* by lanes that parted here last, or left a loop here */
    int loop;                            /* innermost loop that it stands in; -1: none */
    int leaves;                          /* outermost loop that some of its lanes leave; -1: none */
    double alike;                     /* warp instructions that its sides have in common, at most */
};
struct profile_loop {
    uint32_t pc, first, end;          /* its header; its first and its last instruction in memory */
    const struct timeline_insn *at;
    int parent;                          /* the loop around it; -1: none */
    uint64_t entries, rounds;            /* of lanes: come in; at the header */
    uint64_t warp_entries, warp_rounds;  /* the same, of groups: each counts once */
    struct profile_count k;                 /* with what it calls of the library */
};
struct profile_sums {
    struct profile_line *line; size_t nlines;       /* most lane-slots lost first */
    struct profile_insn *insn; size_t ninsns;       /* ascending pc */
    /* most lost first; the last may be PROF_NEVER */
    struct profile_branch *branch; size_t nbranches;
    struct profile_loop *loop; size_t nloops;
};
/* False: no memory. */
bool profile_sums(const struct profile *, struct profile_sums *);
void profile_sums_free(struct profile_sums *);
/* Index of this instruction's line; at NULL: of no line. */
size_t profile_sums_line(const struct profile_sums *, const struct timeline_insn *at);
/* The branch at pc; a new one where nothing was lost yet. */
struct profile_branch *profile_sums_branch(const struct profile *, struct profile_sums *,
                                           uint32_t pc);
/* `file:line' without folders, or `(no line)'. */
const char *profile_line_name(const char *file, unsigned line, char *buf, size_t n);
/* profile_loops.c */
bool profile_loops(const struct profile *, struct profile_sums *);

/* ---- profile_help.c: what would help --------------------------------------------------------- */

/* What the command found out besides: negative: not known. */
struct profile_gains {
    double regroup, bound; /* speed-up by an order of threads that was found; no order gives more */
    struct profile_predict {
        char *file;
        unsigned line;
        double gain;
        char *what;
    } *predict;
    size_t npredicts;
};
struct profile_help {
    char text[400];                      /* sentences */
    const char *by;             /* how the gain was found: `predict', `regroup', `hoist', `slots' */
    double gain;                        /* speed-up of the launch; of the loop nest, by `predict' */
};
void profile_help(const struct profile *, const struct profile_sums *, const struct profile_gains *,
                  const struct profile_branch *, struct profile_help *);

/* ---- profile_text.c, profile_json.c, profile_against.c --------------------------------------- */

struct profile_run {
    const char *command, *status;
    unsigned lanes;
    uint64_t cycles;
    const struct hd_counters *count;
};
void profile_text(const struct profile *, const struct profile_sums *, const struct profile_gains *,
                  const struct profile_run *, FILE *);
void profile_json(const struct profile *, const struct profile_sums *, const struct profile_gains *,
                  const struct profile_run *, FILE *);

/* `barrier 61%, turn 39%': the largest three first. */
void profile_causes(const uint64_t *n, unsigned count, const struct profile_name *names, char *buf,
                    size_t size);
/* The object `profile' of the timeline's page.  g NULL: no gains are known.  False: no memory. */
bool profile_page(const struct profile *, const struct profile_gains *g, FILE *);
/* Quoted and escaped; nothing in it can end an element of a page. */
void profile_json_string(const char *text, FILE *);

/* Lines of an older run, from a profile's JSON or from a commit log.  False: err. */
struct profile_old {
    struct profile_old_line { char *name; uint64_t insns, lanes, lost, cycles; } *line; size_t n;
    uint64_t cycles;
};
bool profile_old_read(const char *path, struct profile_old *, struct hd_err *err);
void profile_old_free(struct profile_old *);
void profile_against(const struct profile_sums *, const struct profile *,
                     const struct profile_old *, bool json, FILE *);
#endif
