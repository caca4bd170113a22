/* `heddle`: finds the command and calls it.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/beside.h"
#include "harness/cli/cli.h"
#include "harness/cli/manual.h"
#include "harness/commands.h"
#include "harness/process/stop.h"
#include <errno.h>
#include <string.h>

static int usage(FILE *out, int status)
{
    fprintf(out, "usage: heddle COMMAND ...     (heddle COMMAND --help; heddle --version)\n\n");
    for (unsigned i = 0; i < ncommands; i++)
        fprintf(out, "  %-9s %.*s\n", commands[i].name, (int)strcspn(commands[i].what, "\n"),
                commands[i].what);
    fprintf(out, "  %-9s %s\n", "manual", "FOLDER: writes the pages of the manual.");
    fprintf(out, "  %-9s %s\n", "completion",
            "bash|zsh: prints what completes the words of heddle in a shell.");
    char name[BESIDE_MOST][BESIDE_NAME];
    unsigned n = beside_list(name);
    for (unsigned i = 0; i < n; i++)
        fprintf(out, "  %-9s The program heddle-%s beside this one: heddle %s --help.\n", name[i],
                name[i], name[i]);
    return status;
}

static int run(const struct command *cmd, int argc, char **argv)
{
    struct cli c;
    int status = cli_parse(cmd, argc, argv, &c);
    if (status < 0)
        status = cmd->run(&c);
    cli_free(&c);
    return status;
}

static int choose(int argc, char **argv)
{
    if (argc < 2)
        return usage(stderr, EXIT_USAGE);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        usage(stdout, EXIT_YES);
        printf("\n");
        hd_show_version(stdout);
        return EXIT_YES;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V") || !strcmp(argv[1], "version")) {
        hd_show_version(stdout);
        return EXIT_YES;
    }
    if (!strcmp(argv[1], "manual") && argc == 3)
        return manual_write(commands, ncommands, argv[2]);
    if (!strcmp(argv[1], "completion") && argc == 3)
        return completion_print(commands, ncommands, argv[2]);
    if (!strcmp(argv[1], "silicon") && argc > 2 && !strcmp(argv[2], "record")) {
        argv[2] = "silicon-record";
        beside_run(argv + 1);
        fprintf(stderr, "heddle silicon record: heddle-silicon-record is not beside heddle\n");
        return EXIT_USAGE;
    }
    for (unsigned i = 0; i < ncommands; i++)
        if (!strcmp(argv[1], commands[i].name))
            return run(&commands[i], argc - 1, argv + 1);
    beside_run(argv);
    fprintf(stderr, "heddle: unknown command `%s`\n", argv[1]);
    return usage(stderr, EXIT_USAGE);
}

int main(int argc, char **argv)
{
    stop_install();
    int status = choose(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return stop_status(status);
    fprintf(stderr, "heddle: what it prints cannot be written: %s\n", strerror(errno));
    return stop_status(EXIT_USAGE);
}
