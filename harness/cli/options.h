/* The table of options, for cli.c.  SPDX-License-Identifier: Apache-2.0 */
#ifndef OPTIONS_H
#define OPTIONS_H
#include "harness/cli/cli.h"

enum { OPT_CODE_HELP = 256 };    /* codes below are letters */
struct opt {
    const char *name;
    int code;                    /* of getopt_long; a letter where the option has one */
    const char *arg;             /* what help calls its value; NULL: it has none */
    unsigned groups;             /* enum opt_group */
    const char *what;
};
extern const struct opt opts[];
extern const unsigned nopts;
/* Whether a command has it. */
static inline bool opt_taken(const struct command *cmd, const struct opt *o)
{
    return o->code == OPT_CODE_HELP || (o->groups & cmd->groups);
}
/* What parameters of a launch look like, and what exit statuses mean, for every command's help. */
extern const char cli_parameters[], cli_statuses[];
/* The row that a command means by a name which several rows have. */
const struct opt *opt_meant(const struct command *cmd, const struct opt *o);
/* Takes an option.  Returns -1 to go on, else the exit status. */
int opt_set(struct cli *c, const struct opt *o, const char *arg);
/* The same, after the last one: what several mean together. */
int opt_settle(struct cli *c);
#endif
