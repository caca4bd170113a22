/* The options of every command: one table, and what each sets.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/options.h"
#include "harness/cli/branches.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { O_HELP = OPT_CODE_HELP, O_MODE, O_PREDICT, O_DECONFLICT, O_SOFT, O_SHOW, O_MAXREGS,
       O_NOIFCONV, O_F64, O_CONSTANTS, O_KERNEL, O_GRID, O_BLOCK, O_SHARED, O_CLOCK, O_PRINT,
       O_DUMP, O_LANES, O_WARPS, O_CORE, O_CORES, O_DEPTH, O_SEED, O_XSEED, O_FOURSTATE, O_LIMIT,
       O_TIMING, O_JSON,
       O_KEEP, O_BREAK, O_AROUND, O_WINDOW, O_MODEL, O_EVERY, O_COVERAGE, O_HOLES, O_HTML, O_NOSNAP,
       O_THIRD,
       O_FUZZSEED, O_COUNT, O_SHARD, O_TIME, O_ATLEAST, O_LEVEL, O_ON, O_RESUME, O_REPLAY, O_PAIRS,
       O_OUT,
       O_SHRINK, O_FIRST, O_REMARKS, O_PROFILE, O_SAVE, O_AGAINST, O_BUS, O_REDIRECT, O_ORDER, O_BY,
       O_APPLY, O_SCOPE, O_COUNTS, O_COUNTBY, O_FOUND, O_VECTORS, O_EXCHANGE, O_TEXT, O_LOCKSTEP,
       O_RTL, O_WARP, O_MHZ, O_ON_CORE, O_STEP, O_SVG, O_COMMITS, O_FORMAT, O_VIEW, O_OPEN, O_ROWS,
       O_DRAWN, O_FIT,
       O_FITTED, O_SAMPLES, O_MACHINE, O_ADVISE, O_MEMORY, O_NATIVE, O_NO_NATIVE, O_JOBS,
       O_INDEPENDENT, O_STREAM, O_QUIET, O_MONITOR, O_BOARD, O_DIGEST, O_RECORD,
       O_ELF };

const struct opt opts[] = {
    { "output", 'o', "FILE", OPT_OUTPUT | OPT_WAVE | OPT_TABLE, "file for the result" },
    { "asm", 'S', NULL, OPT_OUTPUT, "write the listing instead of an image (cc)" },
    { "define", 'D', "NAME[=V]", OPT_CC, "a macro, for CUDA C" },
    { "include", 'I', "FOLDER", OPT_CC, "another folder for #include, for CUDA C" },
    { "mode", O_MODE, "barrier|stack", OPT_CC | OPT_FUZZ,
      "convergence mechanism; default barrier" },
    { "predict", O_PREDICT, "off|user|auto", OPT_CC, "speculative reconvergence; default off" },
    { "deconflict", O_DECONFLICT, "static|dynamic", OPT_CC,
      "how to resolve conflicting predictions; default static,\n"
      "                               with --predict auto dynamic" },
    { "soft", O_SOFT, "N", OPT_CC, "soft barriers: lanes continue when more than N have arrived" },
    { "remarks", O_REMARKS, NULL, OPT_CC, "print why --predict auto predicts or does not" },
    { "profile", O_PROFILE, "FILE", OPT_CC,
      "counts of `heddle profile --save`, for --predict auto" },
    { "maxregs", O_MAXREGS, "N", OPT_CC, "registers a thread may use; more are spilled" },
    { "constants", O_CONSTANTS, "operands|loads", OPT_CC,
      "constants as operands (default), or by loads, for a core without a constant cache" },
    { "f64", O_F64, "unit|routines", OPT_CC,
      "f64 by the core's unit (default), or by routines, for a core without one" },
    { "no-ifconv", O_NOIFCONV, NULL, OPT_CC, "do not turn short branches into guards" },
    { "show", O_SHOW, "WHAT,..", OPT_CC,
      "print analyses: ptx cfg dom loops uniform barriers stack dot\n"
      "                               predict region joined live conflicts access" },
    { "redirect", O_REDIRECT, "grid|block", OPT_CC,
      "add a last parameter that says which thread of the grid, or of the block,\n"
      "                               a thread stands in for (docs/regroup.md)" },
    { "kernel", O_KERNEL, "NAME", OPT_LAUNCH | OPT_CC,
      "its name in the source or in PTX, or the beginning of it;\n"
      "                               default: the only kernel" },
    { "grid", O_GRID, "X[,Y[,Z]]", OPT_LAUNCH, "blocks" },
    { "block", O_BLOCK, "X[,Y[,Z]]", OPT_LAUNCH, "threads of a block" },
    { "shared", O_SHARED, "BYTES", OPT_LAUNCH, "dynamic shared memory of a block" },
    { "clock", O_CLOCK, "N", OPT_LAUNCH, "the clock's value when the grid starts; default 0" },
    { "order", O_ORDER, "WHAT", OPT_LAUNCH,
      "with --redirect: identity (default), reverse, rand:SEED, or a FILE with a\n"
      "                               32-bit number for each thread" },
    { "print", O_PRINT, "NAME[a:b]", OPT_LAUNCH, "print a parameter's elements after the launch" },
    { "dump", O_DUMP, "NAME=FILE", OPT_LAUNCH | OPT_CC,
      "write a parameter's bytes to a file after the launch;\n"
      "                               without `=`: the same as --show" },
    { "bus-error", O_BUS, "WHERE[=HOW]", OPT_LAUNCH,
      "NAME[a:b], .text[a:b] or ADDR:BYTES answers with a bus error;\n"
      "                               HOW: read, write, decerr" },
    { "lanes", O_LANES, "N", OPT_DEVICE | OPT_FUZZ | OPT_CHECK,
      "lanes the core executes a cycle: 1 2 4 8 16 32" },
    { "core", O_CORE, "FILE", OPT_DEVICE | OPT_FUZZ | OPT_CHECK,
      "the library of a core of another size; a launch that does not fit it is\n"
      "                               refused, on the model too (docs/gates.md)" },
    { "warps", O_WARPS, "N", OPT_DEVICE, "warp slots used, 1 to 32" },
    { "cores", O_CORES, "N", OPT_LOCKSTEP | OPT_FUZZ,
      "cores behind one memory, 1 to 8 (docs/cores.md)" },
    { "stack-depth", O_DEPTH, "N", OPT_DEVICE | OPT_FUZZ,
      "reconvergence tokens on chip (stack mode), 4 to 64" },
    { "mem-seed", O_SEED, "S", OPT_DEVICE | OPT_CHECK,
      "random memory latency and back-pressure; 0: fixed" },
    { "x-seed", O_XSEED, "S", OPT_DEVICE | OPT_FUZZ,
      "seed of random bits for registers without a reset; 0: they are zero" },
    { "four-state", O_FOURSTATE, NULL, OPT_DEVICE | OPT_FUZZ,
      "simulate with Icarus Verilog; registers without a reset begin as X" },
    { "limit", O_LIMIT, "CYCLES", OPT_DEVICE,
      "stop after this many cycles (model: warp instructions)" },
    { "timing", O_TIMING, "PROFILE", OPT_DEVICE,
      "the model's clock: unit, kepler, maxwell, hopper, core, or a file" },
    { "native", O_NATIVE, NULL, OPT_NATIVE,
      "compile the kernel to code of this machine, and keep that in the cache:\n"
      "                               faster, the same results (docs/native.md)" },
    { "no-native", O_NO_NATIVE, NULL, OPT_WHERE_IT_PAYS,
      "always interpret; the default is to use code from the cache, and to\n"
      "                               compile a kernel that runs for long" },
    { "jobs", O_JOBS, "N", OPT_JOBS,
      "run blocks on N threads; blocks that touch each other's memory run one\n"
      "                               after the other, so results are the same (docs/jobs.md)" },
    { "independent", O_INDEPENDENT, NULL, OPT_JOBS,
      "with --jobs: do not check that blocks touch different memory" },
    { "json", O_JSON, NULL, OPT_DEVICE, "print results as JSON" },
    { "keep-going", O_KEEP, "N", OPT_LOCKSTEP, "continue for N cycles after a difference" },
    { "no-snapshots", O_NOSNAP, NULL, OPT_LOCKSTEP,
      "take no snapshots for the waveform of a difference" },
    { "wave", O_ROWS, "FILE", OPT_LOCKSTEP,
      "write a waveform of the whole run, without wires (docs/waveforms.md)" },
    { "timeline", O_DRAWN, "FILE", OPT_LOCKSTEP,
      "draw the lanes over time, as heddle timeline does (docs/timeline.md)" },
    { "board", O_BOARD, "LINK", OPT_LOCKSTEP | OPT_FUZZ | OPT_CHECK,
      "the core is on a board: sim:, netlist:, file:F, tcp:HOST:PORT,\n"
      "                               tty:DEVICE[@BAUD] (docs/board.md)" },
    { "board-digest", O_DIGEST, "N", OPT_LOCKSTEP | OPT_CHECK,
      "commits from one digest to the next; default 256" },
    { "board-record", O_RECORD, "FILE", OPT_LOCKSTEP, "keep what the board sends, for file:" },
    { "break", O_BREAK, "PC", OPT_LOCKSTEP, "stop when an instruction at PC has retired" },
    { "step", O_STEP, NULL, OPT_LOCKSTEP,
      "stop before the first instruction and ask what to do (docs/step.md)" },
    { "around", O_AROUND, "WHERE", OPT_WAVE,
      "where the window lies: FILE:LINE, pc:N, cycle:N, divergence:N, spill:N,\n"
      "                               barrier:Bn or bar:N (of the block), the first time; "
      "default: the end" },
    { "view", O_VIEW, "NAME", OPT_WAVE,
      "warp (default), why, barrier, block, stack, memory or difference:\n"
      "                               docs/waveforms.md" },
    { "open", O_OPEN, NULL, OPT_WAVE, "start GTKWave at the end" },
    { "window", O_WINDOW, "CYCLES", OPT_WAVE, "length of the window; default 400" },
    { "format", O_FORMAT, "perfetto|konata|speedscope", OPT_EXPORT,
      "the program that will open the file" },
    { "text", O_TEXT, NULL, OPT_TIMELINE, "draw one warp as text, 80 columns wide" },
    { "svg", O_SVG, NULL, OPT_TIMELINE, "draw one warp as a picture of at most 200 commits" },
    { "commits", O_COMMITS, "A:B", OPT_TIMELINE,
      "commits that --svg shows, counted from 0; default all" },
    { "lockstep", O_LOCKSTEP, NULL, OPT_CORE,
      "run RTL and model: shows the core's cycles, and where they differ" },
    { "rtl", O_RTL, NULL, OPT_ALONE,
      "run the RTL alone: nothing is compared" },
    { "warp", O_WARP, "BLOCK.WARP", OPT_TIMELINE | OPT_WAVE,
      "the warp to show by --text, --svg or a waveform; default the first" },
    { "third-leg", O_THIRD, NULL, OPT_DEVICE,
      "also run each thread alone, and compare memory unless threads race" },
    { "seed", O_FUZZSEED, "S", OPT_FUZZ, "seed of the campaign; default 1" },
    { "count", O_COUNT, "N", OPT_FUZZ,
      "kernels in all shards together; default 1000, or all pairs" },
    { "shard", O_SHARD, "I/N", OPT_FUZZ, "run only every Nth kernel, from the Ith" },
    { "level", O_LEVEL, "both|ptx|machine|operands|features", OPT_FUZZ,
      "PTX, machine code, or both in turn; or kernels with every pair of\n"
      "                               operands, or of features" },
    { "pairs", O_PAIRS, "FILE", OPT_FUZZ,
      "write which pairs were met (--level operands, features)" },
    { "on", O_ON, "lockstep|model|nothing", OPT_FUZZ,
      "what runs the kernels: RTL and model, the model alone, or nothing (with\n"
      "                               --level ptx: only the compiler's proofs are checked)" },
    { "time", O_TIME, "SECONDS", OPT_FUZZ, "stop after this time" },
    { "at-least", O_ATLEAST, "N", OPT_FUZZ, "fail if fewer kernels ran in this shard; default 1" },
    { "resume", O_RESUME, "FILE", OPT_FUZZ, "continue where FILE says, and update it" },
    { "replay", O_REPLAY, "FILE", OPT_FUZZ, "run one saved kernel and report on it" },
    { "first", O_FIRST, NULL, OPT_FUZZ, "stop at the first failure" },
    { "monitor", O_MONITOR, NULL, OPT_FUZZ,
      "also check each kernel's warp events, as `heddle stream` does (docs/stream.md)" },
    { "shrink", O_SHRINK, "SECONDS", OPT_FUZZ,
      "processor time to shrink each failure; default 20, for --replay 0" },
    { "out", O_OUT, "DIR", OPT_FUZZ, "folder for failing kernels; default: here" },
    { "every", O_EVERY, "N", OPT_SILICON, "every Nth kernel, and all operations" },
    { "model", O_MODEL, NULL, OPT_SILICON, "on the golden model alone" },
    { "coverage", O_COVERAGE, "FILE", OPT_COVERAGE,
      "add what was covered to FILE (heddle coverage)" },
    { "save", O_SAVE, "FILE", OPT_PROFILE,
      "write counts of branches and loops, for `heddle cc --profile`" },
    { "against", O_AGAINST, "FILE", OPT_PROFILE,
      "compare with an older run: --json of a profile, or a commit log" },
    { "by", O_BY, "ORDER", OPT_REGROUP,
      "original, sorting, greedy, greedy-max, best, all, or a file with an\n"
      "                               order of --save; default best" },
    { "apply", O_APPLY, "none|redirect|layout|auto", OPT_REGROUP,
      "none (default) only predicts; the others run each order with a redirected\n"
      "                               kernel or moved elements, and compare memory" },
    { "lockstep", O_ON_CORE, NULL, OPT_REGROUP,
      "run orders on RTL and model, not on the model alone" },
    { "mhz", O_MHZ, "N", OPT_REGROUP, "the core's clock, to print milliseconds beside the host's" },
    { "scope", O_SCOPE, "grid|block", OPT_REGROUP, "where threads change places; default grid" },
    { "bbv", O_COUNTS, "FILE", OPT_REGROUP,
      "counts of `heddle bbv -o`; without it, a run counts" },
    { "counts", O_COUNTBY, "run|slice|auto", OPT_REGROUP | OPT_BBV,
      "how to count: by a run (default), by a run of the slice that decides\n"
      "                               branches, or by the slice where it is cheap" },
    { "model", O_FITTED, "FILE", OPT_REGROUP | OPT_BBV,
      "take counts from a fit of `heddle bbv --fit`; bbv prints its errors" },
    { "fit", O_FIT, "FILE", OPT_BBV, "write a fit of counts to the threads' inputs (docs/bbv.md)" },
    { "samples", O_SAMPLES, "N", OPT_BBV, "fit the first N threads; default those of one block" },
    { "save", O_FOUND, "FILE", OPT_REGROUP, "write the order" },
    { "window", O_VECTORS, "N", OPT_REGROUP,
      "greedy, greedy-max: N distinct vectors at a time, of the sorted order" },
    { "time", O_EXCHANGE, "SECONDS", OPT_REGROUP,
      "time for exchanges between warps, with best; default 1" },
    { "machine", O_MACHINE, "C,B,P", OPT_REGROUP,
      "predict for C cores of B block slots and P issue ports each; default: our\n"
      "                               core, with the slots that the launch can use" },
    { "memory", O_MEMORY, "SIZE", OPT_REGROUP | OPT_BBV,
      "memory for counts and orders (64K, 64M, 2G); the rest goes to files in TMPDIR" },
    { "advise", O_ADVISE, NULL, OPT_REGROUP,
      "with --apply: print which orders would be applied, and why; run none" },
    { "stream", O_STREAM, "FILE", OPT_STREAM,
      "write the launch's warp events, for `heddle stream` (docs/stream.md);\n"
      "                               -: to standard output, and words to standard error" },
    { "quiet", O_QUIET, "CYCLES", OPT_MONITOR,
      "check: longest time that a ready warp may not issue; default 100000" },
    { "elf", O_ELF, "FILE", OPT_ELF,
      "the program of a stream, as ELF with DWARF: its source lines are shown\n"
      "                               (docs/stream.md)" },
    { "holes", O_HOLES, NULL, OPT_TABLE, "list every bin that was not met" },
    { "html", O_HTML, NULL, OPT_TABLE, "print a page with every bin" },
    { "help", O_HELP, NULL, ~0u, "this text" },
};
const unsigned nopts = sizeof opts / sizeof opts[0];

/* The row that a command means by a name which several rows have. */
const struct opt *opt_meant(const struct command *cmd, const struct opt *o)
{
    for (const struct opt *k = opts; k < opts + nopts; k++)
        if (!strcmp(k->name, o->name) && (k->groups & cmd->groups))
            return k;
    return o;
}

static int choice(const struct cli *c, const char *option, const char *value,
                  const char *const *names, int *out)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], value)) {
            *out = i;
            return -1;
        }
    return cli_usage(c, "--%s: `%s` is not one of its values (--help)", option, value);
}

static int number(const struct cli *c, const char *option, const char *value, uint64_t lo,
                  uint64_t hi, uint64_t *out)
{
    struct hd_err err = { 0 };
    if (!args_number(value, out, &err) || *out < lo || *out > hi)
        return cli_usage(c, "--%s: `%s` is not a number from %llu to %llu", option, value,
                         (unsigned long long)lo, (unsigned long long)hi);
    return -1;
}

/* An option of the preprocessor, as clang takes it: -DNAME=V, -IFOLDER. */
static int add_cpp(struct cli *c, int letter, const char *arg)
{
    size_t n = strlen(arg) + 3;
    char **more = realloc(c->cpp, ((size_t)c->cc.ncpp + 1) * sizeof *more), *word = malloc(n);
    if (more)
        c->cpp = more;
    if (!more || !word) {
        free(word);
        return cli_usage(c, "out of memory");
    }
    snprintf(word, n, "-%c%s", letter, arg);
    c->cpp[c->cc.ncpp++] = word;
    c->cc.cpp = (const char *const *)c->cpp;
    return -1;
}

static int set_compiler(struct cli *c, int code, const char *name, const char *arg)
{
    static const char *const modes[] = { "barrier", "stack", NULL },
                             *const predict[] = { "off", "user", "auto", NULL },
                             *const deconflict[] = { "static", "dynamic", NULL },
                             *const scopes[] = { "grid", "block", NULL },
                             *const f64[] = { "unit", "routines", NULL },
                             *const constants[] = { "operands", "loads", NULL };
    struct hd_err err = { 0 };
    int v = 0, r = -1;
    uint64_t n = 0;
    const char *unknown;
    switch (code) {
    case 'D': case 'I': r = add_cpp(c, code, arg); break;
    case O_MODE: r = choice(c, name, arg, modes, &v); c->cc.stack_mode = v; break;
    case O_PREDICT: r = choice(c, name, arg, predict, &c->cc.predict); c->has_predict = true; break;
    case O_DECONFLICT:
        r = choice(c, name, arg, deconflict, &c->cc.deconflict);
        c->has_deconflict = true;
        break;
    case O_SOFT: r = number(c, name, arg, 0, 32, &n); c->cc.soft = (int)n; break;
    case O_MAXREGS: r = number(c, name, arg, 16, 255, &n); c->cc.maxregs = (int)n; break;
    case O_CONSTANTS: r = choice(c, name, arg, constants, &v); c->cc.constant_loads = v; break;
    case O_F64: r = choice(c, name, arg, f64, &v); c->cc.f64_routines = v; break;
    case O_NOIFCONV: c->cc.no_ifconv = true; break;
    case O_REDIRECT:
        r = choice(c, name, arg, scopes, &v);
        c->redirect.scope = v ? ORDER_BLOCK : ORDER_GRID;
        c->cc.redirect = &c->redirect;
        break;
    case O_REMARKS: c->cc.remarks = c->err; break;
    case O_PROFILE:
        profile_free(&c->profile);
        if (!profile_read(arg, &c->profile, &err)) return cli_usage(c, "%s", err.text);
        c->cc.profile = &c->profile;
        break;
    case O_SHOW:
        if ((unknown = show_unknown(arg)))
            return cli_usage(c, "--%s: `%.*s` is no analysis (--help)", name,
                             (int)strcspn(unknown, ","), unknown);
        c->cc.show = arg;
        c->cc.show_to = stdout;
        break;
    }
    return r;
}

/* `--stream -': standard output carries the stream, so words go where errors do. */
static int stream_to_output(struct cli *c)
{
    static char path[32];
    if (!c->stream || strcmp(c->stream, "-"))
        return -1;
    if (isatty(STDOUT_FILENO))
        return cli_usage(c, "--stream -: standard output is a terminal: name a file, or a pipe to "
                            "`heddle stream check -`");
    fflush(stdout);
    const int fd = dup(STDOUT_FILENO);
    if (fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return cli_usage(c, "--stream -: %s", strerror(errno));
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    c->stream = path;
    return -1;
}

/* What options on predictions mean together, whichever came first. */
int opt_settle(struct cli *c)
{
    if (c->cc.profile && !c->has_predict)
        c->cc.predict = CC_PREDICT_AUTO;
    if (c->cc.profile && c->cc.predict != CC_PREDICT_AUTO)
        return cli_usage(
            c, "--profile is what --predict auto decides by: leave the other --predict away");
    if (c->cc.predict && c->cc.stack_mode)
        return cli_usage(c, "--predict places barriers: it goes with --mode barrier");
    if (c->cc.soft && !c->cc.predict)
        return cli_usage(c, "--soft changes predictions: it goes with --predict user or auto");
    if (c->cc.remarks && c->cc.predict != CC_PREDICT_AUTO)
        return cli_usage(
            c, "--remarks explain what --predict auto does: it goes with that, or with --profile");
    if (c->cc.predict == CC_PREDICT_AUTO && !c->has_deconflict)      /* as in paper A, section 5 */
        c->cc.deconflict = 1;
    return stream_to_output(c);
}

static int set_device(struct cli *c, int code, const char *name, const char *arg)
{
    static const char *const formats[] = { "perfetto", "konata", "speedscope", NULL };
    uint64_t n = 0;
    int r = -1;
    switch (code) {
    case O_LANES:
        r = number(c, name, arg, 1, 32, &n);
        if (r < 0 && (n & (n - 1)))
            r = cli_usage(c, "--lanes: %s is not 1, 2, 4, 8, 16 or 32", arg);
        c->cfg.lanes = (unsigned)n;
        break;
    case O_CORE: c->cfg.core = arg; break;
    case O_WARPS: r = number(c, name, arg, 1, 32, &n); c->cfg.warps = (unsigned)n; break;
    case O_CORES: r = number(c, name, arg, 1, 8, &n); c->cfg.cores = (unsigned)n; break;
    case O_BOARD: c->cfg.board = arg; break;
    case O_DIGEST:
        r = number(c, name, arg, 2, UINT16_MAX, &n);
        c->cfg.board_digest = (unsigned)n;
        break;
    case O_RECORD: c->cfg.board_record = arg; break;
    case O_DEPTH: r = number(c, name, arg, 4, 64, &n); c->cfg.stack_depth = (unsigned)n; break;
    case O_XSEED: r = number(c, name, arg, 0, INT32_MAX, &n); c->cfg.x_seed = (uint32_t)n; break;
    case O_FOURSTATE: c->cfg.four_state = true; break;
    case O_SEED: r = number(c, name, arg, 0, UINT64_MAX, &c->cfg.mem_seed); break;
    case O_LIMIT: r = number(c, name, arg, 1, UINT64_MAX, &c->cfg.limit); break;
    case O_TIMING: c->cfg.timing = arg; break;
    case O_NATIVE: c->cfg.native = ""; c->no_native = false; break;
    case O_NO_NATIVE: c->cfg.native = NULL; c->no_native = true; break;
    case O_JOBS: r = number(c, name, arg, 1, HD_JOBS, &n); c->cfg.jobs = (unsigned)n; break;
    case O_INDEPENDENT: c->cfg.independent = true; break;
    case O_JSON: c->json = true; break;
    case O_MODEL: c->model_only = true; break;
    case O_EVERY: r = number(c, name, arg, 1, 1000, &n); c->every = (unsigned)n; break;
    case O_THIRD: c->cfg.third_leg = true; break;
    case O_KEEP: r = number(c, name, arg, 0, UINT64_MAX, &c->keep_going); break;
    case O_BREAK:
        r = number(c, name, arg, 0, UINT32_MAX, &n);
        c->has_break = true;
        c->break_pc = (uint32_t)n;
        break;
    case O_STEP: c->step = true; break;
    case O_COVERAGE: c->coverage = arg; break;
    case O_STREAM: c->stream = arg; break;
    case O_ELF: c->elf = arg; break;
    case O_QUIET: r = number(c, name, arg, 1, UINT64_MAX, &c->quiet); break;
    case O_SAVE: c->save = arg; break;
    case O_NOSNAP: c->no_snapshots = true; break;
    case O_HOLES: c->holes = true; break;
    case O_HTML: c->html = true; break;
    case O_AGAINST: c->against = arg; break;
    case O_FORMAT: r = choice(c, name, arg, formats, &c->format); c->format++; break;
    case O_TEXT: c->text = true; break;
    case O_SVG: c->svg = true; break;
    case O_COMMITS: c->commits = arg; break;
    case O_LOCKSTEP: c->in_lockstep = true; break;
    case O_RTL: c->rtl_alone = true; break;
    case O_WARP: c->warp = arg; break;
    case O_AROUND: c->around = arg; break;
    case O_VIEW: c->view = arg; break;
    case O_ROWS: c->rows = arg; break;
    case O_DRAWN: c->timeline = arg; break;
    case O_OPEN: c->open = true; break;
    case O_WINDOW: r = number(c, name, arg, 1, 1000000, &c->window); break;
    }
    return r;
}

static int set_launch(struct cli *c, int code, const char *name, const char *arg)
{
    struct hd_err err = { 0 };
    uint64_t n = 0;
    bool ok = true;
    switch (code) {
    case O_KERNEL:
        if (!*arg)
            ok = false, hd_err_set(&err, 2, "which kernel?");
        else
            free(c->launch.kernel), c->launch.kernel = strdup(arg);
        break;
    case O_GRID: ok = args_dim(arg, &c->launch.grid, &err); break;
    case O_BLOCK: ok = args_dim(arg, &c->launch.block, &err); break;
    case O_SHARED:
        if (number(c, name, arg, 0, 1 << 20, &n) >= 0)
            return EXIT_USAGE;
        c->launch.shared = (uint32_t)n;
        break;
    case O_CLOCK:
        if (number(c, name, arg, 0, UINT64_MAX, &c->launch.clock) >= 0)
            return EXIT_USAGE;
        break;
    case O_PRINT: ok = args_print(&c->launch, arg, &err); break;
    case O_DUMP: ok = args_dump(&c->launch, arg, &err); break;
    case O_BUS: ok = args_bus(&c->launch, arg, &err); break;
    case O_ORDER: c->launch.order = arg; break;
    }
    return ok ? -1 : cli_usage(c, "--%s: %s", name, err.text);
}

static int set_fuzz(struct cli *c, int code, const char *name, const char *arg)
{
    static const char *const levels[] = { "both", "ptx", "machine", "operands", "features", NULL };
    static const char *const on[] = { "lockstep", "model", "nothing", NULL };
    struct fuzz_options *f = &c->fuzz;
    uint64_t n = 0;
    int r = -1, v = 0;
    char end;
    switch (code) {
    case O_FUZZSEED: r = number(c, name, arg, 0, UINT32_MAX, &f->seed); break;
    case O_COUNT: r = number(c, name, arg, 1, UINT32_MAX, &f->count); break;
    case O_ATLEAST: r = number(c, name, arg, 1, UINT32_MAX, &f->at_least); break;
    case O_TIME: r = number(c, name, arg, 1, 1000000, &n); f->time = (double)n; break;
    case O_LEVEL: r = choice(c, name, arg, levels, &v); f->level = v; break;
    case O_ON: r = choice(c, name, arg, on, &v); f->on = v; break;
    case O_RESUME: f->resume = arg; break;
    case O_REPLAY: f->replay = arg; break;
    case O_PAIRS: f->pairs = arg; break;
    case O_OUT: f->out = arg; break;
    case O_FIRST: f->first = true; break;
    case O_MONITOR: f->monitor = true; break;
    case O_SHRINK: r = number(c, name, arg, 0, 100000, &n); f->shrink = (double)n; break;
    case O_SHARD:
        if (sscanf(arg, "%u/%u%c", &f->shard, &f->shards, &end) != 2 || !f->shards ||
            f->shard >= f->shards)
            r = cli_usage(c, "--shard: `%s` is not I/N with I from 0 to N - 1", arg);
        break;
    }
    return r;
}

static int set_machine(const struct cli *c, const char *arg, unsigned m[3])
{
    enum { MOST = 4096 };
    char rest;
    if (sscanf(arg, "%5u,%5u,%5u%c", &m[0], &m[1], &m[2], &rest) == 3)
        if (m[0] && m[1] && m[2] && m[0] <= MOST && m[1] <= MOST && m[2] <= MOST)
            return -1;
    return cli_usage(c, "--machine: `%s` is not CORES,SLOTS,PORTS, each from 1 to %d", arg, MOST);
}

static int set_memory(struct cli *c, const char *arg, uint64_t *out)
{
    static const char units[] = "KMG";
    char *end, *unit;
    errno = 0;
    *out = isdigit((unsigned char)*arg) ? strtoull(arg, &end, 10) : 0;
    unsigned shift = *out && *end && (unit = strchr(units, *end))
                         ? 10 * (unsigned)(unit - units + 1) : 0;
    if (!*out || errno || end[shift > 0] || *out > UINT64_MAX >> shift >> 1)
        return cli_usage(c, "--memory: `%s` is no size: bytes, or as 64K, 64M or 2G", arg);
    *out <<= shift;
    return -1;
}

static int set_regroup(struct cli *c, int code, const char *name, const char *arg)
{
    static const char *const apply[] = { "none", "redirect", "layout", "auto", NULL },
                             *const scope[] = { "grid", "block", NULL };
    static const char *const count_by[] = { "run", "slice", "auto", NULL };
    struct regroup_cli *g = &c->regroup;
    uint64_t n = 0;
    int r = -1;
    switch (code) {
    case O_BY: g->by = arg; break;
    case O_APPLY: r = choice(c, name, arg, apply, &g->apply); break;
    case O_SCOPE: r = choice(c, name, arg, scope, &g->block_scope); break;
    case O_COUNTS: g->counts = arg; break;
    case O_COUNTBY: r = choice(c, name, arg, count_by, &g->count_by); break;
    case O_FOUND: g->save = arg; break;
    case O_FIT: g->fit = arg; break;
    case O_FITTED: g->model = arg; break;
    case O_SAMPLES: r = number(c, name, arg, 1, UINT32_MAX, &g->samples); break;
    case O_VECTORS: r = number(c, name, arg, 1, UINT32_MAX, &g->window); break;
    case O_ON_CORE: g->lockstep = true; break;
    case O_MHZ: r = number(c, name, arg, 1, 100000, &n); g->mhz = (double)n; break;
    case O_MACHINE: r = set_machine(c, arg, g->machine); break;
    case O_ADVISE: g->advise = true; break;
    case O_MEMORY: r = set_memory(c, arg, &g->memory); break;
    case O_EXCHANGE: r = number(c, name, arg, 0, 100000, &n); g->time = (double)n; break;
    }
    return r;
}

int opt_set(struct cli *c, const struct opt *o, const char *arg)
{
    if (!(o->groups & c->cmd->groups))
        return cli_usage(c, "--%s does not belong to this command", o->name);
    if (o->code == 'o') {
        c->output = arg;
        return -1;
    }
    if (o->code == 'S') {
        c->cc.asm_only = true;
        return -1;
    }
    bool show = o->code == O_DUMP && !strchr(arg, '=');
    if (o->code == O_DUMP && !show && !(c->cmd->groups & OPT_LAUNCH))
        return cli_usage(c, "--dump %s: a parameter needs a launch (heddle run)", arg);
    return show ? set_compiler(c, O_SHOW, o->name, arg)
         : o->groups & OPT_CC && !(o->groups & OPT_LAUNCH) ? set_compiler(c, o->code, o->name, arg)
         : o->groups == OPT_FUZZ ? set_fuzz(c, o->code, o->name, arg)
         : o->groups & (OPT_REGROUP | OPT_BBV) ? set_regroup(c, o->code, o->name, arg)
         : o->groups & OPT_LAUNCH ? set_launch(c, o->code, o->name, arg)
                                  : set_device(c, o->code, o->name, arg);
}
