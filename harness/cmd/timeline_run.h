/* The timeline of a launch, for commands that run one.  SPDX-License-Identifier: Apache-2.0 */
#ifndef TIMELINE_RUN_H
#define TIMELINE_RUN_H
#include "harness/cli/cli.h"
#include "harness/cmd/cmd_run.h"
#include "harness/view/profile.h"
#include "harness/view/timeline.h"
#include "cmodel/base/outfile.h"
struct timeline_run {
    struct timeline t;
    struct profile p;
    struct timeline_page page;
    char *report, said[300], race[RACE_TEXT];
};
/* Before the launch: its commits are gathered.  False: no memory. */
bool timeline_run_begin(struct timeline_run *g, struct session *s);
/* After it: how it ended. */
void timeline_run_end(struct timeline_run *g, struct session *s, enum hd_status st);
void timeline_run_free(struct timeline_run *g);
/* Writes what was gathered to the file of that name, and says so; -1, or an exit status that says
 * why not. */
int timeline_show(struct cli *c, struct timeline *t, const struct timeline_page *p,
                  const char *name, struct outfile **file, FILE *say);
#endif
