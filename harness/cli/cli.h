/* What the commands of `heddle` share: options, help, the source or image, progress and Ctrl-C.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_H
#define CLI_H
#include "harness/cli/launch_args.h"
#include "compiler/all.h"
#include "compiler/profile.h"
#include "compiler/regroup/redirect.h"
#include "harness/process/progress.h"

/* Exit statuses of every command. */
enum { EXIT_YES = 0, EXIT_NO = 1, EXIT_USAGE = 2, EXIT_STUCK = 3, EXIT_BUG = 4 };

/* Which options a command takes; help prints them by group. */
enum opt_group { OPT_CC = 1, OPT_LAUNCH = 2, OPT_DEVICE = 4, OPT_LOCKSTEP = 8, OPT_OUTPUT = 16,
                 OPT_WAVE = 32, OPT_FILES = 64, OPT_SILICON = 128, OPT_COVERAGE = 256,
                 OPT_TABLE = 512, OPT_FUZZ = 1024, OPT_PROFILE = 4096, OPT_REGROUP = 8192,
                 OPT_BBV = 1 << 20, OPT_TIMELINE = 16384, OPT_CORE = 1 << 15, OPT_EXPORT = 1 << 16,
                 OPT_CHECK = 1 << 17, OPT_NATIVE = 1 << 18, OPT_JOBS = 1 << 19,
                 OPT_WHERE_IT_PAYS = 1 << 21, OPT_STREAM = 1 << 22, OPT_MONITOR = 1 << 23,
                 OPT_ALONE = 1 << 24, OPT_ELF = 1 << 25 };

struct fuzz_options {
    uint64_t seed, count;
    uint64_t at_least;           /* fewer kernels in this shard are no answer */
    unsigned shard, shards;
    double time, shrink;         /* seconds; time 0: no limit; shrink -1: the default */
    enum { FUZZ_BOTH, FUZZ_PTX, FUZZ_MACHINE, FUZZ_OPERANDS, FUZZ_FEATURES } level;
    enum fuzz_on { FUZZ_LOCKSTEP, FUZZ_MODEL, FUZZ_NOTHING } on;
    bool first;                  /* stop at the first failure */
    bool monitor;                /* warp events pass the monitor of streams */
    const char *resume, *replay, *out, *pairs;
};

enum count_by { COUNT_RUN, COUNT_SLICE, COUNT_AUTO };
enum regroup_apply { APPLY_NONE, APPLY_REDIRECT, APPLY_LAYOUT, APPLY_AUTO };

struct regroup_cli {
    const char *by;              /* an order's name, `all`, or a file with one */
    int apply;                   /* enum regroup_apply */
    int block_scope;
    int count_by;                /* enum count_by */
    const char *counts, *save;   /* --bbv; --save: where the order goes */
    const char *fit, *model;     /* bbv --fit: where a fit goes; --model: one, in place of counts */
    uint64_t memory;             /* bytes of counts that are no file; 0: all */
    uint64_t samples;            /* threads by which a fit is made; 0: those of one block */
    uint64_t window;
    double time;                 /* seconds of exchanges */
    /* cores, block slots of a core, issue ports of a core; cores 0: our core */
    unsigned machine[3];
    double mhz;                  /* of the core, to turn cycles into time; 0: not */
    bool lockstep;               /* orders run on RTL and model */
    bool advise;                 /* they do not run at all */
};

enum export_format { EXPORT_NONE, EXPORT_PERFETTO, EXPORT_KONATA, EXPORT_SPEEDSCOPE };

struct cli {
    const struct command *cmd;
    struct cc_options cc;
    char **cpp;                  /* what cc.cpp names, cc.ncpp of them */
    struct hd_config cfg;
    struct launch_args launch;
    const char *input;           /* first word that is no option */
    const char *output;          /* -o */
    struct redirect redirect;    /* --redirect: what cc.redirect points to */
    struct cc_profile profile;   /* --profile: for the compiler */
    bool has_deconflict, has_predict;    /* --deconflict, --predict */
    const char *save;            /* --save: where the profile goes */
    const char *against;         /* --against: an older one */
    struct fuzz_options fuzz;
    struct regroup_cli regroup;
    bool json, model_only;
    bool no_native;              /* --no-native */
    unsigned every;              /* 0: each */
    uint64_t keep_going;         /* cycles past a difference */
    bool no_snapshots;
    bool has_break; uint32_t break_pc;
    bool step;                   /* lockstep: with a prompt */
    bool text, svg, in_lockstep; /* timeline */
    bool rtl_alone;              /* trace: without the model */
    const char *commits;         /* timeline: A:B */
    int format;                  /* export: enum export_format */
    const char *warp;            /* timeline, wave: BLOCK.WARP */
    const char *around, *view;   /* wave: what the window shows; which view */
    bool open;                   /* wave: start GTKWave */
    const char *rows;            /* lockstep --wave: file for the rows of the whole run */
    const char *timeline;        /* lockstep --timeline: file for the page */
    uint64_t window;             /* wave: cycles shown */
    const char *coverage;        /* file to which every launch adds what it covered */
    const char *stream;          /* --stream: file for the launch's warp events */
    const char *elf;             /* --elf: the program of a stream, for its source lines */
    uint64_t quiet;              /* stream check: cycles for which a warp may not issue */
    bool holes, html;            /* coverage: list the holes; print a page */
    char **files; int nfiles;    /* all words that are no option, of a command without launch */
    struct hd_image *image;      /* already compiled: session_open takes it instead of input */
    const char *doing;           /* what progress lines begin with; NULL: the command's name */
    FILE *err;                   /* where refusals go: stderr */
    char *command;               /* the words of the command, to repeat it */
    char **argv;
};

struct command {
    const char *name, *words, *what;
    unsigned groups;
    int (*run)(struct cli *c);
};

/* Parses argv (argv[0] = the command's name).  Returns -1 to go on, else the exit status. */
int cli_parse(const struct command *cmd, int argc, char **argv, struct cli *c);
void cli_free(struct cli *c);
/* Prints `heddle CMD: sentence` and returns EXIT_USAGE. */
int cli_usage(const struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The words as one text, to be freed; what a shell would take apart is quoted. */
char *cli_join(int argc, char *const *argv);
/* Exit status for the end of a launch. */
int cli_exit_status(enum hd_status s);

/* A launch that is set up: image loaded, buffers on the device, ready to go. */
struct session {
    struct cli *cli;
    struct hd_image *image;
    const struct hd_kernel *kernel;
    hd_device *dev;
    uint8_t *params;
    struct coverage *coverage;   /* of the launch, where cli->coverage names a file */
    struct commit_stream *stream;        /* of the launch, where cli->stream names a file, */
    struct outfile *stream_file;         /* which this is, */
    struct hs_writer *writer;            /* as a stream */
    hd_commit_fn *then;          /* session_on_commit, called after it */
    void *then_user;
    char why[1024];              /* what went wrong besides the device; empty: nothing */
    bool fits;                   /* neither device nor launch was refused with HD_TOO_BIG */
    bool no_core;                /* the device was refused with HD_NO_CORE */
    struct progress progress;    /* of the launch */
};
/* session.c.  Returns -1 when ready, else the exit status (the reason has been printed). */
int session_open(struct session *s, struct cli *c, enum hd_kind kind);
/* kernel_name.c: by the name in the source or in PTX, or by as much of it as tells it from others;
 * NULL: the only one.  NULL: err says which there are. */
const struct hd_kernel *kernel_by_name(const struct hd_image *, const char *name,
                                       struct hd_err *err);
/* The name in the source, to be freed; of what is no name of C++, itself. */
char *plain_name(const char *mangled);
/* How well that kernel is called `name`: 0 best; -1: it is not. */
int kernel_fit(const char *mangled, const char *name);
/* signature.c: buffers against what the source calls them: warns of other types; false: some have
 * each other's place, as was said. */
bool args_fit_source(struct cli *c, const struct hd_kernel *k);
/* explain.c: the type of parameter i (from 0) as plain_name has it; empty: it has none. */
void plain_type(const char *plain, size_t i, char *buf, size_t n);
/* What hd_explain says, and of a fault the kernel, its parameters, and whose buffer it met. */
void session_explain(const struct session *s, FILE *out);
/* The same beside hd_explain_json's, as one object, to be freed; NULL: there was no fault. */
char *session_explain_json(const struct session *s);
/* session_link.c: its address in the page (view/page_link.h), or why the page cannot run it; to
 * be freed. */
char *session_link(const struct session *s);
/* Called for every commit of the launch, as by hd_on_commit. */
void session_on_commit(struct session *s, hd_commit_fn *fn, void *user);
enum hd_status session_launch(struct session *s);
void session_close(struct session *s);
/* Says why a launch that was to run as the host's code did not. */
void session_say_interpreted(const struct session *s);
/* Prints why a launch did not happen or broke off in the harness; returns the exit status. */
int session_error(const struct session *s, enum hd_status st);
/* Reads an image, or compiles a source, or assembles a listing, by the name's suffix.
 * session_image prints what is wrong and returns the exit status; the image is NULL then. */
struct hd_image *session_compile(struct cli *c, const char *path, struct hd_err *err);
int session_image(struct cli *c, const char *path, struct hd_image **);
/* The figures every launch ends with; `what` begins the line. */
void session_figures(const struct session *s, FILE *out);
/* The line of stack mode; nothing in barrier mode. */
void session_stack(const struct session *s, FILE *out);
/* A file's text, to be freed; NULL: it cannot be read. */
char *session_text(const char *path);

int cmd_cc(struct cli *c);
int cmd_as(struct cli *c);
int cmd_dis(struct cli *c);
int cmd_run(struct cli *c);
int cmd_lockstep(struct cli *c);
int cmd_trace(struct cli *c);
int cmd_wave(struct cli *c);
int cmd_timeline(struct cli *c);
int cmd_profile(struct cli *c);
int cmd_export(struct cli *c);
int cmd_silicon(struct cli *c);
int cmd_stream(struct cli *c);
int cmd_bench(struct cli *c);
int cmd_check(struct cli *c);
int cmd_coverage(struct cli *c);
int cmd_fuzz(struct cli *c);
int cmd_bbv(struct cli *c);
int cmd_progress(struct cli *c);
int cmd_regroup(struct cli *c);
#endif
