/* `heddle regroup`: what its files share.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef CMD_REGROUP_H
#define CMD_REGROUP_H
#include "harness/cli/cli.h"
#include "compiler/regroup/access.h"
#include "regroup/regroup.h"

/* An order that was asked for, and what is known of it. */
struct asked {
    const char *name;
    uint32_t *order;
    double seconds;              /* of the host, to find it */
    struct prediction p;
    double sectors;      /* of 32 bytes after an access's first, for each lane (regroup_sample.c) */
    uint64_t cycles;             /* of its run; 0: there was none */
    uint64_t branches, divergent; /* branches that warps executed, and those at which they parted */
    uint64_t pushes, spills;     /* of stack mode */
};
enum { ASKED = BY_COUNT };

struct regroup {
    struct cli *cli;
    struct bbv *b;
    struct cost *blocks;
    struct inside *inside;
    struct play *play;           /* NULL: not to be had */
    struct sectors *sectors;     /* NULL: not known */
    struct timing *timing;       /* by which orders are predicted; NULL: one cycle an instruction */
    double *lat;
    struct machine machine;      /* for which orders are predicted: our core, or --machine */
    double bound;
    struct asked asked[ASKED];
    unsigned n;
    enum regroup_apply apply;    /* how orders are applied; of --apply auto, once it is known */
    char why[1200];              /* what decided that, of --apply auto */
    char *ptx; size_t ptx_size;  /* the source, where one is applied */
    struct access access;        /* of layout, and its launch */
    struct layout layout;
    uint64_t *value, *bytes;
    bool sampled;                /* sectors are known by samples of each order */
    /* by parameter: its elements in their places, while others stand in the launch */
    uint8_t **kept;
};

/* regroup_apply.c: runs every order and compares what it leaves in memory with what the original
 * one does. timing: the model's clock.  -1: all are equal; else the exit status, and the reason has
 * been printed. */
int regroup_apply(struct regroup *r, const char *timing);

/* The redirected kernel, for runs of it: c->image; and the kernel itself again. */
int regroup_compile(struct regroup *r);
void regroup_uncompile(struct regroup *r);

/* regroup_sample.c: can some warps of an order run by themselves, to see what memory they touch?
 * And for a machine whose profile says what that costs: to `lane' of each block.  -1, or the exit
 * status. */
bool regroup_can_sample(struct regroup *r);
int regroup_sample(struct regroup *r, struct asked *a);

/* regroup_choose.c: can orders be applied as --apply says?  auto: layout where that can be, else
 * redirection, else none.  s: the launch is placed.  -1: yes; else the exit status, and the reason
 * has been printed. */
int regroup_choose(struct regroup *r, const struct session *s);
/* auto: none where the predicted gain of all orders is marginal. */
void regroup_gain(struct regroup *r);
void regroup_free(struct regroup *r);            /* what these hold */
bool regroup_source(struct regroup *r, struct hd_err *err);             /* reads the kernel's PTX */
bool regroup_redirects(struct regroup *r, struct hd_err *err);           /* can it be redirected? */

/* regroup_layout.c: can the elements of this launch's buffers change places?  Where the analysis is
 * not sure, a run on the model shows it.  False and err: line and reason. */
bool regroup_layout(struct regroup *r, const struct session *s, struct hd_err *err);
/* The launch's buffers as the order has them, false: no memory; and as they were. */
bool regroup_move(struct regroup *r, const uint32_t *order);
void regroup_move_back(struct regroup *r);
#endif

