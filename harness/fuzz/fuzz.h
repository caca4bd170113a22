/* Random kernels: what generators, runs, the shrinker and the campaign share.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_H
#define FUZZ_H
#include "harness/cli/cli.h"
#include "cmodel/image/image.h"
#include "harness/coverage/coverage.h"

/* splitmix64: any seed is good, and streams of different seeds are independent. */
struct rng { uint64_t s; };
static inline uint64_t rng_next(struct rng *r)
{
    uint64_t z = r->s += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
/* 0 to n - 1. */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
    return n ? (uint32_t)((rng_next(r) >> 32) * n >> 32) : 0;
}
static inline bool rng_one_in(struct rng *r, uint32_t n) { return rng_below(r, n) == 0; }

/* Buffers of a kernel, its three parameters.  `in` is never written; a thread writes its own
 * slot of `out`, and `sum` with atomics that commute. */
enum { FUZZ_PARAMS = 3 + 32, FUZZ_IN = 4096, FUZZ_SLOT = 64, FUZZ_SUM = 256, FUZZ_BANK = 32,
       FUZZ_FEW_THREADS = 256, FUZZ_MAX_THREADS = 1024, FUZZ_SHARED_SLOT = 16 };

/* What a wild kernel is full of; SPOILT: one that is not wild, with a few words changed. */
enum fuzz_wild { WILD_NOT, WILD_ALL, WILD_FAULT, WILD_HAZARD, WILD_MEMORY, WILD_CONVERGE,
                 WILD_SPOILT, WILD_PATTERN, WILD_WIDE, WILD_REGS, WILD_LONE, WILD_YIELD, WILD_F64,
                 WILD_STRAIGHT, WILD_MEET, WILD_THEMES };

/* What the core has, 0: what is usual, and what it lacks: bits as in struct hd_core. */
struct fuzz_core { uint32_t lacks; unsigned warps, regs, shared, addr_bits; };

/* A kernel with everything that it takes to run it. */
struct fuzz_case {
    uint64_t seed;
    bool stack_mode;
    unsigned wild;               /* enum fuzz_wild: odd on purpose; may deadlock, fault, not end */
    struct hd_dim3 grid, block;
    unsigned lanes, stack_depth, cores;
    struct fuzz_core core;       /* which its kernel is made for */
    uint32_t pc_base;            /* PC of the first instruction; of an image: 0 */
    uint64_t mem_seed;           /* of the memory's latencies */
    uint64_t data_seed;          /* of the contents of `in`; 0: zeros */
    uint64_t bus_seed;           /* of the addresses that answer with an error; 0: none do */
    uint64_t high_seed;          /* of places above 4 GiB for its buffers; 0: they are below */
    bool data;                   /* machine level: its module has data, and addresses of it */
    unsigned constants;          /* ... bytes of the bank that its instructions take as operands */
    unsigned dynamic;            /* bytes of shared memory beyond what its module has */
    unsigned words;              /* of parameters after the buffers; then `in' holds edges, too */
    struct hd_image *img;        /* NULL: not compiled yet */
    /* What the host does meanwhile: stops it after so many commits; in this cycle tells the busy
     * core to start; before it, has it run up to this cycle, and stops it there.  0: not. */
    uint32_t stop, start_again, halt;
    /* Cases that run before it on the same core, from a reset; their owner frees them. */
    struct fuzz_case *before;
    unsigned nbefore;
    char name[64];               /* of the file of one of them */
    /* PTX level only */
    char *ptx;                   /* the text that img was compiled from */
    int maxregs;                 /* compiler options */
    bool no_ifconv;
    int predict, deconflict, soft;
    struct prog *prog;           /* fuzz_prog.h: the text was made from it; NULL: from a file */
    struct fuzz_expect *expect;  /* what it means; NULL: not known */
    char (*notes)[160];          /* what each row of 32 words of `out' tells; NULL: not known */
};
void fuzz_case_free(struct fuzz_case *c);
static inline uint32_t fuzz_block_threads(const struct fuzz_case *c)
{
    return c->block.x * c->block.y * c->block.z;
}
/* The threads that `out` has slots for; shared memory has those of a block. */
static inline uint32_t fuzz_room(const struct fuzz_case *c)
{
    uint32_t threads = fuzz_block_threads(c) * c->grid.x * c->grid.y * c->grid.z;
    return threads > FUZZ_FEW_THREADS ? FUZZ_MAX_THREADS : FUZZ_FEW_THREADS;
}
static inline unsigned fuzz_regs(const struct fuzz_case *c)
{
    return c->core.regs ? c->core.regs : 256;
}
static inline uint32_t fuzz_block_room(const struct fuzz_case *c)
{
    return fuzz_block_threads(c) > FUZZ_FEW_THREADS ? FUZZ_MAX_THREADS : FUZZ_FEW_THREADS;
}
/* The contents of `in`. */
void fuzz_data(const struct fuzz_case *c, uint32_t in[FUZZ_IN / 4]);
/* Text, meaning and image from c->prog, or the image from c->ptx alone; fuzz_run does it where
 * img is NULL. False: why in err. */
bool fuzz_compile(struct fuzz_case *c, struct hd_err *err);
/* The ways to place the barriers of a program with directives: sets the options of the k-th;
 * false: no more. */
enum { FUZZ_WAYS = 6 };
bool fuzz_placement(struct fuzz_case *c, unsigned k);

/* How a run ended, short enough to compare: the same failure has the same kind, field and row. */
/* Unjudged: nothing was compared, because it was only compiled, its directives were refused, or the
 * model ran it alone and there is no one right result.  Stopped: the campaign is to end, so nothing
 * is known of the case. */
enum fuzz_kind { FUZZ_UNJUDGED, FUZZ_EQUAL, FUZZ_RACE, FUZZ_FAIL, FUZZ_STOPPED };
struct fuzz_result {
    enum fuzz_kind kind;
    enum hd_trouble trouble;
    enum hd_status status;
    enum hd_third third;
    const char *field;           /* of a difference; or fuzz_meaning, fuzz_refused */
    int row;                     /* enum hd_op of the instruction that differs, -1: none */
    uint64_t cycles, insns;
    char text[256];              /* a sentence */
};
/* The compiled kernel ended well, but not with what the program means; the compiler refused the
 * program. */
extern const char fuzz_meaning[], fuzz_refused[];
/* The host's code does something else than the interpreter. */
extern const char fuzz_native[];
/* The stream of its warp events breaks a rule of the monitor. */
extern const char fuzz_monitored[];
static inline bool fuzz_blames_compiler(const struct fuzz_result *r)
{
    return r->field == fuzz_meaning || r->field == fuzz_refused;
}
static inline bool fuzz_same_failure(const struct fuzz_result *a, const struct fuzz_result *b)
{
    return a->kind == b->kind && a->trouble == b->trouble && a->field == b->field &&
           a->row == b->row && (a->trouble || a->status == b->status);
}

/* fuzz_case.c: the kernel `k` of the case's image, whose parameters are the three buffers. */
void fuzz_add_kernel(const struct fuzz_case *c, struct hd_image *img);
/* fuzz_insn.c: one random instruction of a row.  `pool` says which registers it may name. */
/* registers [data, data + ndata), predicates [pred0, pred0 + preds), constants of the bank's first
 * bytes, 0: none */
struct fuzz_pool { uint8_t data, ndata, preds, pred0; uint16_t constants; };
struct hd_insn fuzz_insn(struct rng *r, enum hd_op op, const struct fuzz_pool *pool,
                         bool stack_mode);
/* Weights of rows: by the table's units, none of those that lack; the same with more of the rows
 * that coverage lacks. */
struct fuzz_weights { uint32_t row[OP_COUNT]; };
void fuzz_weights_init(struct fuzz_weights *w, uint32_t lacks);
void fuzz_weights_steer(struct fuzz_weights *w, uint32_t lacks, const struct coverage *known);

/* fuzz_code.c: fills in a machine-code kernel; grid, block, seeds and mode are set. */
void fuzz_code(struct fuzz_case *c, const struct fuzz_weights *w);
/* fuzz_wild.c: the same, legal instructions without any order, by the theme c->wild. */
void fuzz_wild(struct fuzz_case *c, const struct fuzz_weights *w);
/* fuzz_prog.c: chooses c->prog and the compiler's options. */
void fuzz_prog(struct fuzz_case *c);

/* Kernels that follow each other on one core without a reset: a sequence begins at each
 * multiple. */
enum { FUZZ_SEQUENCE = 8 };
/* fuzz_sequence.c: what has run since the reset.  Each takes the image of its case. */
struct fuzz_sequence { struct fuzz_case past[6 * FUZZ_SEQUENCE]; unsigned n; };
void fuzz_sequence_add(struct fuzz_sequence *s, struct fuzz_case *c);
void fuzz_sequence_clear(struct fuzz_sequence *s);
/* fuzz_run.c: runs a case on a device that is reset for it, after those that come before it.
 * limit: cycles, 0 none. */
struct fuzz_machine {
    hd_device *dev;
    const char *core;            /* the file of a core of any size; NULL: the usual one */
    const char *board;           /* a link to one, whose memory answers without errors; or NULL */
    unsigned lanes, stack_depth, cores;
    uint32_t x_seed;             /* as in hd_config */
    bool four_state;
    enum fuzz_on on;             /* FUZZ_MODEL, FUZZ_NOTHING: RTL is not compared */
    const char *wave;            /* a waveform of the cycles [wave_from, wave_to), or NULL */
    uint64_t wave_from, wave_to;
    struct coverage *coverage;   /* NULL: not counted */
    bool native;                 /* each case once more, on two models: fuzz_native.c */
    hd_device *twin[2];
    unsigned twin_depth;         /* their stack_depth */
    bool monitor;                /* its warp events pass the monitor, too: fuzz_monitor.c */
    struct fuzz_stream *stream;  /* where they are written to; NULL: nowhere */
    bool no_core;                /* it did not open for want of one */
};
bool fuzz_run(struct fuzz_machine *m, struct fuzz_case *c, uint64_t limit, bool third,
              struct fuzz_result *out);
/* The same on the core as the case before left it. */
bool fuzz_go_on(struct fuzz_machine *m, struct fuzz_case *c, struct fuzz_result *out);
/* Opens it, if it is not yet what the case needs.  False: it cannot be, which has been said. */
bool fuzz_machine_open(struct fuzz_machine *m, const struct fuzz_case *c);
void fuzz_machine_close(struct fuzz_machine *m);
/* fuzz_fit.c: opens it, and says in the case what its core has: lanes and depth, too, where they
 * are 0.  False: it cannot run random kernels of this mode, which has been said. */
bool fuzz_ask(struct fuzz_machine *m, struct fuzz_case *c);
/* The core that the case is for has all that the usual one has. */
bool fuzz_usual(const struct fuzz_case *c);
/* Makes the launch, an instruction of the machine level fit; whether a word does. */
void fuzz_fit_launch(struct fuzz_case *c);
void fuzz_fit_insn(const struct fuzz_case *c, struct hd_insn *i);
bool fuzz_fits(const struct fuzz_case *c, const struct hd_word *w);
/* Loads the case and its buffers, whose addresses are the first parameters; and its launch. */
bool fuzz_set_up(hd_device *d, const struct fuzz_case *c, bool reset, uint64_t *params);
struct hd_launch fuzz_launch(const struct fuzz_case *c, uint64_t params[FUZZ_PARAMS]);
/* fuzz_native.c: judges it.  False: it cannot run. */
bool fuzz_natively(struct fuzz_machine *m, const struct fuzz_case *c, struct fuzz_result *out);
/* fuzz_monitor.c: before a launch; NULL: no memory.  For every commit; false: a rule is broken.
 * After the launch: frees it, and says in out which rule is. */
struct fuzz_monitor;
/* The file of --stream: one run a kernel.  NULL, false: it cannot be written, and err says why. */
struct fuzz_stream *fuzz_stream_open(const char *path, struct hd_err *err);
bool fuzz_stream_close(struct fuzz_stream *s, struct hd_err *err);
struct fuzz_monitor *fuzz_monitor_open(struct fuzz_machine *m, const struct fuzz_case *c);
bool fuzz_monitor_commit(struct fuzz_monitor *w, const struct hd_commit *c);
void fuzz_monitor_close(struct fuzz_monitor *w, struct fuzz_result *out);
/* fuzz_sequence.c: c has failed after s.  Leaves in s and c->before what it takes, which is nothing
 * where it fails alone. */
void fuzz_sequence_reduce(struct fuzz_machine *m, struct fuzz_sequence *s, struct fuzz_case *c,
                          const struct fuzz_result *r);
/* Saves those before c as files beside `path`. */
bool fuzz_sequence_save(struct fuzz_case *c, const char *path, struct hd_err *err);

/* fuzz_choose.c: which kernel a seed stands for. */
struct fuzz_choice {
    struct fuzz_case frame;      /* mode, lanes, depth: what all of them share */
    int level;                   /* of enum in struct fuzz_options */
    bool native;                 /* kernels of WILD_STRAIGHT, too */
    struct fuzz_weights table, missing;
    struct coverage *known;      /* what was met up to now; NULL: nothing is steered */
    struct coverage *met;        /* what the kernel chosen last meets */
    struct fuzz_machine scout;
    uint64_t chosen;
    struct pairs *pairs;         /* pairs.h: kernels are these; NULL: they are random */
};
/* Takes `known`, which may be NULL.  False: no memory. */
bool fuzz_choice_open(struct fuzz_choice *f, struct coverage *known);
struct fuzz_case fuzz_choose(struct fuzz_choice *f, uint64_t seed);
void fuzz_choice_close(struct fuzz_choice *f);

/* fuzz_case.c: a case as one file, which is also a listing or a PTX text with comments before
 * it. */
bool fuzz_save(const struct fuzz_case *c, const struct fuzz_result *r, const char *path,
               struct hd_err *err);
bool fuzz_load(struct fuzz_case *c, const char *path, struct hd_err *err);

/* fuzz_link.c: the case as an address of the page, a line; nothing where RTL and model agree. */
void fuzz_link(const struct fuzz_machine *m, const struct fuzz_case *c,
               const struct fuzz_result *r, FILE *out);

/* fuzz_watch.c: goes on in a child process, where it returns false.  In the parent true when the
 * child has ended, as `status' says (waitpid), *at as the child left it. */
bool fuzz_watch(uint64_t **at, int *status);

/* fuzz_shrink.c: makes a failing case smaller for at most so many seconds of the processor; it
 * goes on failing in the same way. */
void fuzz_shrink(struct fuzz_machine *m, struct fuzz_case *c, struct fuzz_result *r,
                 double seconds);
#endif
