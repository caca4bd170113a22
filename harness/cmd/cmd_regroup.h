/* `heddle regroup`: what its files share.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef CMD_REGROUP_H
#define CMD_REGROUP_H
#include "harness/cli/cli.h"
#include "regroup/regroup.h"

/* An order that was asked for, and what is known of it. */
struct asked {
    const char *name;
    uint32_t *order;
    double seconds;              /* of the host, to find it */
    struct prediction p;
    uint64_t cycles;             /* of its run; 0: there was none */
    uint64_t branches, divergent;        /* branches that warps executed, and those at which they parted */
};
enum { ASKED = BY_COUNT };

struct regroup {
    struct cli *cli;
    struct bbv *b;
    struct cost *blocks;
    struct inside *inside;
    double *lat;
    uint32_t slots;              /* blocks that are resident at once */
    double bound;
    struct asked asked[ASKED];
    unsigned n;
};

/* regroup_apply.c: runs every order and compares what it leaves in memory with what the original one does.
 * timing: the model's clock.  -1: all are equal; else the exit status, and the reason has been printed. */
int regroup_apply(struct regroup *r, const char *timing);
#endif

