/* `heddle`: finds the command and calls it.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/beside.h"
#include "harness/cli/cli.h"
#include "harness/cli/manual.h"
#include "harness/process/stop.h"
#include <errno.h>
#include <string.h>

#define SOURCE "K.cu|K.ptx|K.s|K.hx"
enum { LAUNCHES = OPT_CC | OPT_LAUNCH | OPT_DEVICE };

static const struct command commands[] = {
    { "cc", "K.cu|K.ptx -o K.hx|K.ptx", "Compiles CUDA C or PTX to an image, or CUDA C to PTX.",
      OPT_CC | OPT_OUTPUT, cmd_cc },
    { "as", "K.s -o K.hx", "Assembles a listing to an image.", OPT_OUTPUT, cmd_as },
    { "dis", "K.hx [-o K.s]", "Disassembles an image; the text assembles to the same image.",
      OPT_OUTPUT, cmd_dis },
    { "run", SOURCE " LAUNCH", "Runs a kernel on the golden model.",
      LAUNCHES | OPT_COVERAGE | OPT_NATIVE | OPT_WHERE_IT_PAYS | OPT_JOBS | OPT_STREAM, cmd_run },
    { "lockstep", SOURCE " LAUNCH", "Runs a kernel on RTL and model and compares every commit.",
      LAUNCHES | OPT_LOCKSTEP | OPT_OUTPUT | OPT_COVERAGE | OPT_STREAM, cmd_lockstep },
    { "trace", SOURCE " LAUNCH", "Prints the commit log, as text or JSON lines.",
      LAUNCHES | OPT_OUTPUT | OPT_CORE, cmd_trace },
    { "wave", SOURCE " LAUNCH", "Writes a waveform (FST) of the RTL and its GTKWave view.",
      LAUNCHES | OPT_WAVE, cmd_wave },
    { "timeline", SOURCE " LAUNCH | LOG.jsonl | F.hst",
      "Draws the lanes of every warp over time: a page to look at, or text.",
      LAUNCHES | OPT_OUTPUT | OPT_TIMELINE | OPT_CORE, cmd_timeline },
    { "profile", SOURCE " LAUNCH | LOG.jsonl | F.hst",
      "Prints where lanes and cycles are lost, by source line, branch and loop.",
      LAUNCHES | OPT_OUTPUT | OPT_PROFILE | OPT_CORE, cmd_profile },
    { "export", SOURCE " LAUNCH | LOG.jsonl | F.hst",
      "Writes what Perfetto, Konata or speedscope reads (docs/formats.md).",
      LAUNCHES | OPT_OUTPUT | OPT_EXPORT | OPT_CORE, cmd_export },
    { "bbv", SOURCE " LAUNCH [-o F]",
      "Counts how often each thread executes each basic block (docs/bbv.md).",
      LAUNCHES | OPT_OUTPUT | OPT_BBV | OPT_NATIVE | OPT_WHERE_IT_PAYS, cmd_bbv },
    { "regroup", SOURCE " LAUNCH [--by ORDER]",
      "Predicts what threads gain in warps with others that behave alike (docs/regroup.md).",
      LAUNCHES | OPT_REGROUP | OPT_NATIVE | OPT_WHERE_IT_PAYS, cmd_regroup },
    { "silicon", "[DIR] [--kernel NAME]",
      "Checks kernels and operations against what an H200 recorded.",
      LAUNCHES | OPT_SILICON | OPT_NATIVE, cmd_silicon },
    { "stream", "check F|- ... | print F|- | diff A B | follow MODEL.so F|- | contract",
      "Checks, prints and compares streams of warp events, of any SIMT core (docs/stream.md).",
      OPT_FILES | OPT_MONITOR, cmd_stream },
    { "bench", "", "Measures the core, bare and in lockstep.", 0, cmd_bench },
    { "check", "K.cu ...", "Runs kernel files by their own RUN and EXPECT lines.",
      OPT_FILES | OPT_COVERAGE | OPT_CHECK, cmd_check },
    { "coverage", "FILE ...", "Merges what launches covered and prints the table with its holes.",
      OPT_FILES | OPT_TABLE, cmd_coverage },
    { "fuzz", "[--seed S] [--count N] [--replay FILE] ...",
      "Runs random kernels in lockstep and each thread alone; "
      "shrinks what fails (docs/fuzzing.md).\n"
      "With --coverage it prefers kernels that meet what FILE lacks.  Ctrl-C ends it within a "
      "second.",
      OPT_FUZZ | OPT_COVERAGE | OPT_NATIVE | OPT_STREAM, cmd_fuzz },
    { "progress", "WHAT TOTAL PIECES COMMAND",
      "Shows at a terminal how far a script has come, by the number that COMMAND prints.",
      OPT_FILES, cmd_progress },
};
enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

static int usage(FILE *out, int status)
{
    fprintf(out, "usage: heddle COMMAND ...     (heddle COMMAND --help; heddle --version)\n\n");
    for (unsigned i = 0; i < NCOMMANDS; i++)
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
        return manual_write(commands, NCOMMANDS, argv[2]);
    if (!strcmp(argv[1], "completion") && argc == 3)
        return completion_print(commands, NCOMMANDS, argv[2]);
    for (unsigned i = 0; i < NCOMMANDS; i++)
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
