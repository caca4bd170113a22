/* The two convergence mechanisms on the same kernels: what was measured, and the page that shows
 * it.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MODES_H
#define MODES_H
#include "harness/silicon/silicon.h"

enum mode { MODE_BARRIER, MODE_STACK, MODES };
enum family { FAMILY_PATTERN, FAMILY_RANDOM, FAMILY_TESTS, FAMILIES };

struct row {
    char path[256], name[64];
    enum family family;
    char words[512];             /* the launch */
    enum hd_status status[MODES];
    bool ran[MODES], same;       /* same: what both left in memory, `log` apart */
    struct hd_counters count[MODES];
    unsigned nest[MODES];        /* most barrier registers, or tokens, of a warp at once */
};

struct modes { unsigned n; struct row *row; enum hd_kind kind; };

/* page.c: the table as columns; docs/modes.md;
 * docs/modes/kernels.md. */
bool modes_table(const struct modes *m, const char *path);
bool modes_page(const struct modes *m, const char *path);
bool modes_kernels(const struct modes *m, const char *path);
/* Both mechanisms ran to the end. */
static inline bool row_compares(const struct row *r)
{
    return r->ran[0] && r->ran[1] && r->status[0] == HD_OK && r->status[1] == HD_OK;
}
/* Lanes wait for lanes of their own warp: only barriers run it. */
static inline bool row_hangs(const struct row *r)
{
    return r->ran[0] && r->ran[1] && r->status[MODE_BARRIER] == HD_OK &&
           r->status[MODE_STACK] == HD_DEADLOCK;
}
static inline double row_efficiency(const struct row *r, enum mode m)
{
    return 100.0 * (double)r->count[m].active_lanes / 32 / (double)r->count[m].warp_insns;
}
#endif
