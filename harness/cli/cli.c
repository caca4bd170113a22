/* What a command's words mean: options, help and statuses of every command.
 * SPDX-License-Identifier: Apache-2.0 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "harness/cli/branches.h"
#include "harness/cli/options.h"

int cli_usage(const struct cli *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fprintf(c->err, "heddle %s: ", c->cmd->name);
    vfprintf(c->err, fmt, ap);
    fprintf(c->err, "\n");
    va_end(ap);
    return EXIT_USAGE;
}

int cli_exit_status(enum hd_status s)
{
    switch (s) {
    case HD_OK: return EXIT_YES;
    case HD_MISMATCH: case HD_FAULT: case HD_STOPPED: return EXIT_NO;
    case HD_DEADLOCK: case HD_LIMIT: return EXIT_STUCK;
    case HD_INTERNAL: return EXIT_BUG;
    default: return EXIT_USAGE;
    }
}

const char cli_parameters[] =
    "  NAME:TYPE=VALUE              a scalar; TYPE is i8..i64, u8..u64, f32, f64\n"
    "  NAME:TYPE[COUNT]=INIT        a buffer; INIT is zero, iota, fill:V, rand:SEED,\n"
    "                               mixed:SEED (words as random kernels get), hex:BYTES\n"
    "                               (pairs of digits, then zeros) or @file\n"
    "  NAME:bytes[N]=@file          a struct by value; or hex:BYTES\n"
    "  @file                        more words, from a file\n";
const char cli_statuses[] =
    "0 yes, 1 no (difference, fault), 2 wrong use, 3 deadlock or limit, 4 internal fault,\n"
    "             130 Ctrl-C, 143 SIGTERM (128 and the signal)\n";

static void print_help(const struct command *cmd)
{
    printf("usage: heddle %s %s\n%s\n\noptions:\n", cmd->name, cmd->words, cmd->what);
    for (const struct opt *o = opts; o < opts + nopts; o++) {
        if (!opt_taken(cmd, o))
            continue;
        char left[64];
        char letter[5] = { '-', (char)o->code, ',', ' ', 0 };
        snprintf(left, sizeof left, "%s--%s%s%s", o->code < OPT_CODE_HELP ? letter : "", o->name,
                 o->arg ? " " : "", o->arg ? o->arg : "");
        printf("  %-28s %s\n", left, o->what);
    }
    if (cmd->groups & OPT_LAUNCH)
        printf("\nparameters, in the kernel's order:\n%s", cli_parameters);
    printf("\nexit status: %s", cli_statuses);
}

char *cli_join(int argc, char *const *argv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    for (int i = 0; i < argc; i++) {
        bool plain = argv[i][0] && !strpbrk(argv[i], " \t[]*?'\"$&;|<>(){}\\`!~");
        fprintf(f, plain ? "%s%s" : "%s'%s'", i ? " " : "", argv[i]);
    }
    fclose(f);
    return text;
}

/* The words up to the first that is no option; getopt brings the others to the end, from optind. */
static int take_options(struct cli *c, int argc, char **argv)
{
    int code, r = -1;
    struct option *longs = calloc(nopts + 1, sizeof *longs);
    if (!longs)
        return cli_usage(c, "out of memory");
    for (unsigned i = 0; i < nopts; i++) {
        const struct opt *o = opt_meant(c->cmd, &opts[i]);
        longs[i] = (struct option){ o->name, o->arg != NULL, NULL, o->code };
    }
    optind = 0;                                     /* getopt may have run before in this process */
    while (r < 0 && (code = getopt_long(argc, argv, "o:SD:I:h", longs, NULL)) >= 0) {
        const struct opt *o = opts;
        while (o < opts + nopts && o->code != code)
            o++;
        if (code == OPT_CODE_HELP || code == 'h') {
            print_help(c->cmd);
            r = EXIT_YES;
        } else {
            r = o < opts + nopts ? opt_set(c, o, optarg) : EXIT_USAGE;   /* getopt has said why */
        }
    }
    free(longs);
    return r;
}

int cli_parse(const struct command *cmd, int argc, char **argv, struct cli *c)
{
    *c = (struct cli){
        .cmd = cmd,
        .window = 400,
        .err = stderr,
        .fuzz = { .seed = 1, .at_least = 1, .shards = 1, .shrink = -1 },
        .regroup = { .by = "best", .time = 1 }
    };
    struct hd_err err = { 0 };
    argv = c->argv = args_expand(argc, argv, &argc, &err);
    if (!argv)
        return cli_usage(c, "%s", err.text);
    c->command = cli_join(argc, argv);
    int status = take_options(c, argc, argv);
    if (status >= 0 || (status = opt_settle(c)) >= 0)
        return status;
    c->redirect.kernel = c->launch.kernel;
    if (c->launch.order && !c->cc.redirect)
        return cli_usage(c, "--order is the order of redirected threads: it goes with --redirect");
    c->files = argv + optind;
    c->nfiles = argc - optind;
    for (int i = optind; i < argc; i++) {
        if (!c->input)
            c->input = argv[i];
        else if (cmd->groups & OPT_FILES)
            continue;
        else if (!(cmd->groups & OPT_LAUNCH))
            return cli_usage(c, "`%s`: one file only", argv[i]);
        else if (!args_add(&c->launch, argv[i], &err))
            return cli_usage(c, "%s", err.text);
    }
    if (!c->input && !(cmd->groups & OPT_FUZZ) && strcmp(cmd->name, "silicon") &&
        strcmp(cmd->name, "bench"))
        return cli_usage(c, "no input file (heddle %s --help)", cmd->name);
    return -1;
}

void cli_free(struct cli *c)
{
    for (int k = 0; k < c->cc.ncpp; k++)
        free(c->cpp[k]);
    free(c->cpp);
    args_free(&c->launch);
    profile_free(&c->profile);
    args_free_argv(c->argv);
    free(c->command);
}
