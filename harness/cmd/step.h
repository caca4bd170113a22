/* `heddle lockstep --step`: a prompt over RTL and model (docs/step.md).
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef STEP_H
#define STEP_H
#include "harness/cli/cli.h"
#include "harness/view/lanes.h"

enum { STEP_SLOTS = 32, STEP_BREAKS = 32 };

struct step {
    struct session *s;
    bool terminal;      /* who types sees it; else commands are echoed, so that a log can be read */
    bool ended;                  /* the launch has: nothing runs any more */
    bool quit;
    struct lanes warp[STEP_SLOTS];      /* as the RTL's commits leave them: what a waveform shows */
    struct hd_commit last;       /* the newest commit; none while seen is 0 */
    uint64_t seen;
    unsigned events;             /* of it, enum lanes_event */
    unsigned differs;            /* 1 + the slot where RTL and model part; 0: they do not */
    /* the warp that steps and shows are about: one that was chosen, else that of the newest
     * commit */
    bool chosen; uint32_t block; uint16_t number;
    /* when to stop next */
    enum { STEP_COUNT, STEP_DIVERGENCE, STEP_CYCLE, STEP_END } until;
    uint64_t left;               /* commits, or the cycle */
    struct step_break { char *place; } stop[STEP_BREAKS]; unsigned nstops;
    uint8_t *stop_at;            /* for each instruction 1 + the number of its breakpoint, or 0 */
    char again[128];             /* the last command: an empty line repeats it */
};

/* Opens the prompt on standard input for a session that is ready; false: no memory. */
bool step_begin(struct step *t, struct session *s);
/* A hd_commit_fn. */
bool step_commit(void *step, const struct hd_commit *c);
/* After the launch, whatever its end: the state can still be looked at. */
void step_end(struct step *t, enum hd_status st);
void step_free(struct step *t);

/* ---- step_show.c ---- */

/* The slot that shows are about; -1: no warp of it lives, and that has been said. */
int step_slot(const struct step *t);
void step_where(struct step *t, bool all);
/* R3, R3/f, P0, B2, masks, barriers, stack, lanes; false: there is no such thing. */
bool step_print(struct step *t, const char *what, char format);
/* A place: file:line, disassembly. */
void step_place(const struct step *t, uint32_t pc, char *out, size_t n);
#endif
