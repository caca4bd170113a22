/* The clock as the harness counts it: reads wait in a queue a warp slot, in program order.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/device/clock.h"
#include <string.h>

void clock_begin(struct clock_reads *k) { memset(k, 0, sizeof *k); }

const char *clock_look(struct clock_reads *k, const struct rtl *r)
{
    if (!*r->p.clock_valid)
        return NULL;
    if (*r->p.clock_slot >= LAUNCH_WARPS)
        return "a warp slot that does not exist reads the clock";
    struct clock_queue *q = &k->of[*r->p.clock_slot];
    if (q->n == CLOCK_READS)
        return "a warp reads the clock again and again without retiring";
    q->read[(q->first + q->n++) % CLOCK_READS] =
        (struct clock_read){ r->clock + rtl_grid_cycle(r), *r->p.clock_high };
    return NULL;
}

const char *clock_take(struct clock_reads *k, const struct hd_commit *c, uint64_t *clock)
{
    struct clock_queue *q = &k->of[c->slot % LAUNCH_WARPS];
    if (!q->n)
        return "an instruction has the clock that did not read it";
    const struct clock_read *r = &q->read[q->first];
    q->first = (q->first + 1) % CLOCK_READS;
    q->n--;
    *clock = r->clock;
    return r->high == (c->insn[1] == SREG_CLOCKHI) ? NULL : "another word of the clock was read";
}

unsigned clock_left(const struct clock_reads *k)
{
    unsigned n = 0;
    for (unsigned s = 0; s < LAUNCH_WARPS; s++)
        n += k->of[s].n;
    return n;
}
