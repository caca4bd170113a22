/* The compiler's table of contents: PTX text in, image out; one pass a file, in the order
 * in which cc.c runs them (tests/passes.pl).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two levels.  A *module* holds functions in PTX terms (struct fn, struct blk, struct ins over
 * typed virtual registers); analyses, if-conversion and convergence placement work on it and add
 * the pseudo-instructions of enum pop at its end.  Selection turns a function into machine terms
 * (minsn.h: struct hd_insn over virtual registers), then come register and barrier allocation,
 * encoding, linking.  All memory of one compilation comes from one arena and is freed at once. */
#ifndef ALL_H
#define ALL_H
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "cmodel/base/err.h"

#include "compiler/ptx.h"                              /* values of ins.sub */

struct arena;                                   /* util.c */
struct arena *arena_new(void);
void arena_free(struct arena *);
void *arena_alloc(struct arena *, size_t);      /* zeroed */
void *arena_grow(struct arena *, void *old, size_t used, size_t want);   /* a copy with more room */
char *arena_printf(struct arena *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

enum ptype { T_NONE, T_PRED, T_B8, T_U8, T_S8, T_B16, T_U16, T_S16, T_F16, T_B32, T_U32, T_S32,
             T_F32, T_B64, T_U64, T_S64, T_F64, T_BF16, T_F16X2, T_BF16X2, T_TF32 };
enum pspace { SP_NONE, SP_REG, SP_GLOBAL, SP_SHARED, SP_LOCAL, SP_CONST, SP_PARAM, SP_GENERIC };
/* PTX mnemonics without types and modifiers; the last ones are the compiler's own. */
enum pop {
    P_NOP, P_ADD, P_SUB, P_MUL, P_MAD, P_MUL24, P_MAD24, P_SAD, P_DIV, P_REM, P_ABS, P_NEG, P_MIN,
    P_MAX, P_POPC, P_CLZ, P_BFIND, P_BREV, P_BFE, P_BFI, P_AND, P_OR, P_XOR, P_NOT, P_CNOT, P_SHL,
    P_SHR, P_SHF, P_PRMT, P_LOP3, P_SLCT, P_SELP, P_FNS, P_DP4A, P_DP2A, P_ADDC, P_SUBC, P_MADC,
    P_SET, P_SETP, P_MOV, P_CVT, P_CVTA, P_ISSPACEP, P_FMA, P_RCP, P_SQRT, P_RSQRT, P_SIN, P_COS,
    P_LG2, P_EX2, P_TANH, P_COPYSIGN, P_TESTP, P_LD, P_LDU, P_ST, P_ATOM, P_RED, P_MEMBAR, P_FENCE,
    P_PREFETCH, P_BAR, P_BARWARP, P_VOTE, P_MATCH, P_REDUX, P_SHFL, P_ACTIVEMASK, P_BRA, P_BRX,
    P_CALL, P_RET, P_EXIT, P_TRAP, P_BRKPT, P_PRAGMA, P_NANOSLEEP, P_BMSK, P_SZEXT, P_BARRED,
    /* convergence pseudo-instructions, on virtual barrier registers (field vb) */
    P_BSSY, P_BSYNC, P_BREAK, P_BEND /* no lane is in vb from here on */,
    P_BMOV_SAVE /* dst reg = vb */, P_BMOV_LOAD /* vb = src reg */, P_YIELD, P_WARPSYNC,
    /* stack mode: pushes a token for targets[0]; ends a block: pops, the token's lanes go on at
     * targets[0] */
    P_SSY, P_POP,
    P_COUNT
};
enum cmpop { CMP_NONE, CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_LO, CMP_LS, CMP_HI,
             CMP_HS, CMP_EQU, CMP_NEU, CMP_LTU, CMP_LEU, CMP_GTU, CMP_GEU, CMP_NUM, CMP_NAN };
enum rnd { RND_NONE, RND_N, RND_Z, RND_M, RND_P, RND_NI, RND_ZI, RND_MI, RND_PI, RND_NA };

struct srcloc { int file; int line; int col; };      /* of the PTX text */
struct sym;                                          /* a variable, function, param or label */
enum okind { O_NONE, O_REG, O_IMM, O_FIMM32, O_FIMM64, O_SYM, O_SREG, O_ADDR, O_VEC, O_LABEL };
struct opd {
    enum okind kind;
    int reg;                /* O_REG, and base register of O_ADDR (-1: none): index into fn->regs */
    int reg2;                    /* second register of d|p, -1: none */
    bool neg;                    /* !p */
    uint64_t imm;                /* O_IMM, float bits, offset of O_ADDR and O_SYM */
    struct sym *sym;             /* O_SYM, O_ADDR with a symbol base, O_LABEL before resolution */
    int sreg;                    /* O_SREG: SREG_* of isa_gen.h, or -1 - n for PTX-only ones */
    int nvec; struct opd *vec;   /* O_VEC: {a,b,c,d} */
};
struct ins {
    enum pop op;
    enum ptype type, stype;      /* result type; source type of cvt and set, 64-bit etc. */
    enum pspace space;
    enum cmpop cmp; enum rnd rnd;
    int sub;            /* per op: atom operation, bool op, mul .lo/.hi/.wide, shfl/vote/match mode,
                         * prmt mode ... (enums in ptx.h) */
    bool ftz, sat, approx, full, vol, uni, wide, hi, cc, to_generic; /* modifier flags as spelled */
    bool sync, nc, hint;         /* .sync of vote, shfl, match; ld.global.nc; .L2::cache_hint */
    bool fresh;                  /* ld.cg: sees what others stored, but is not volatile */
    /* vote, shfl, match, redux that lanes elsewhere may take part in (meet.c): a call of the
     * library, or beside one */
    enum { MEETS_NONE, MEETS_ELSEWHERE, MEETS_HERE, MEETS_CALL } meets;
    bool relu, noftz;            /* fma and cvt; atom and red: of f16 and bf16 */
    bool nan, xorsign, magnitude;        /* min, max: .NaN, .xorsign.abs */
    const char *text;            /* pragma: its string */
    /* indirect call: its .callprototype (S_PROTO), .calltargets (S_TARGETS) or NULL */
    struct sym *proto;
    int vecn;                    /* 1, 2, 4 of ld/st */
    int guard; bool guard_neg;   /* predicate register, -1: none */
    int carry;                   /* fn.carry, if .cc writes it, or addc, subc, madc read it; -1 */
    /* destination first, as in PTX; call: o[0] is the target (O_SYM, O_REG) */
    int nops; struct opd o[6];
    /* call: nrets rets first, then nargs args (O_SYM of a param, O_REG, O_IMM) */
    struct opd *args; int nargs, nrets;
    int vb;                      /* virtual barrier register of the pseudo-instructions */
    struct blk **targets; int ntargets;   /* bra: 1; brx: n */
    bool rotate;                 /* bra: back to the head of a loop that rotate.c looks at */
    struct srcloc loc;           /* PTX position */
    int sfile, sline;            /* CUDA position from .loc, 0: none */
    int home;                    /* 1 + the block it stood in before placement; 0: placed (map.c) */
    struct ins *next, *prev;
};
struct vreg { enum ptype type; const char *name; };
struct blk {
    int id, rpo;                 /* position in fn->blocks; in reverse post-order */
    struct ins *first, *last;
    struct blk **succ, **pred; int nsucc, npred;
    struct blk *idom, *ipdom;    /* ipdom NULL: the virtual exit */
    /* the tree of post-dominators, numbered: those below b are within b's */
    int pfirst, plast, pnext;
    struct loop *loop;
    bool divergent;         /* its terminator may send lanes of a warp different ways (uniform.c) */
    int layer;                /* stack mode: which end of the function it leads to (stack_ends.c) */
    const char *label;
};
struct loop { struct blk *header; struct loop *parent; int depth; struct blk **blocks; int nblocks;
              bool spins; /* exit depends on memory another lane may write */
              bool may_wait; /* it does, or a call follows (wait.c): gets a YIELD */
              bool irreducible; };
/* What passes have found out about a function and no edit of its blocks has made stale since. */
enum known {
    KNOWN_EDGES = 1,             /* ids, edges, rpo: cfg_refresh */
    KNOWN_DOM = 2,               /* idom, ipdom: dom_build, stack_layers */
    KNOWN_LOOPS = 4,             /* loop_build */
    KNOWN_DIVERGENCE = 8,       /* divergent branches and registers, loops that wait: uniform_run */
    KNOWN_PLACED = 16,          /* pseudo-instructions of convergence: place_postdom, place_stack */
    KNOWN_GRAPH = KNOWN_EDGES | KNOWN_DOM | KNOWN_LOOPS
};
/* A parsed function is one list of instructions (first, last) with labels as P_NOPs whose o[0] is
 * O_LABEL; cfg_build moves them into blocks.  From there on: a block ends in at most one of bra,
 * brx, ret, exit, trap, pop; succ[0] is where a bra goes; the successor that needs no jump
 * (succ[nsucc - 1] of a block that falls through) is always the next block of fn->blocks. */
struct fn {
    struct ins *first, *last;
    unsigned known;                         /* of enum known */
    struct module *m; int id;               /* its place in module.fns */
    struct sym *sym; const char *name; bool entry, external;
    struct sym **params; int nparams; struct sym **rets; int nrets;
    struct vreg *regs; int nregs; int carry;   /* the predicate of .cc, -1: none */
    struct blk **blocks; int nblocks;       /* blocks[0] is the entry; layout order */
    struct blk **rpo; int nrpo;
    struct loop **loops; int nloops;
    int nvb;                                /* virtual barrier registers used */
    bool *reg_divergent;                    /* uniform.c: per register */
    bool recursive, address_taken, has_calls, allocates;     /* allocates: alloca */
    struct sym **locals; int nlocals;       /* .local and .shared variables of the function */
    int maxntid;
    struct prediction *predictions; int npredictions;     /* predict.h; none with --predict off */
    /* Virtual barriers that are one with those of other functions, and their register
     * (predict_calls.c). */
    struct fixed {
        int vb, reg;
        bool entry, again; /* lanes of callers wait at the entry, and rejoin */
    } *fixed;
    int nfixed;
    bool in_region;                         /* a prediction's region calls it */
    bool *leading;              /* by fn.id: calls of those may lead here; NULL: not computed yet */
    /* virtual barriers that share a register with no other: 1 if there are enough, 2 always; NULL:
     * none (predict_soft.c) */
    unsigned char *vb_own;
    bool defined; struct srcloc loc;
};
/* What a pass requires, as its first comment says; a pass that comes too early ends the process. */
static inline void fn_requires(const struct fn *f, unsigned known)
{
    assert((f->known & known) == known);
    (void)f, (void)known;
}
enum skind { S_VAR, S_FUNC, S_PARAM, S_LABEL, S_PROTO, S_TARGETS };
struct sym {
    enum skind kind; const char *name; enum pspace space; enum ptype type;
    int align; uint64_t size; uint64_t nelem;
    uint8_t *init;
    struct reloc {
        uint64_t off;
        struct sym *target;
        int64_t add;
        int size;
        bool generic;
    } *relocs;
    int nrelocs;
    bool call_param;             /* S_PARAM of a call sequence, not of the function */
    int in_reg;                  /* S_PARAM: the register that a function has it in, or -1 */
    int nrets;                   /* S_PROTO: the first nrets of list are returned */
    struct opd *labels;          /* S_TARGETS of .branchtargets: nlist of them */
    struct srcloc loc;
    bool external, visible;
    bool reference;              /* .texref, .surfref: a variable that holds an object */
    struct fn *fn;
    struct blk *blk;
    uint64_t addr;
    struct sym **list;
    int nlist;
};
struct backend;                                 /* minsn.h */
struct module {
    struct arena *arena;
    const char *path;
    const char *text;
    size_t len;
    struct sym **syms; int nsyms;
    struct fn **fns; int nfns;
    int nfixed;                  /* barrier registers of fn.fixed, from the highest down */
    const char **files; int nfiles;
    bool is_library;             /* our routines: no lane waits in them for another */
    /* A routine of the library by its name; NULL: there is none, or err is set.
     * The driver sets it. */
    struct fn *(*library)(struct backend *, const char *name);
};

enum { CC_PREDICT_OFF, CC_PREDICT_USER, CC_PREDICT_AUTO };
struct cc_profile; struct cc_map;               /* profile.h */
struct cc_options {
    bool stack_mode; int predict; int deconflict; int soft; int maxregs; bool no_ifconv;
    bool f64_routines;           /* f64 by routines of the library: for cores without the unit */
    bool constant_loads;         /* no constants as operands: for cores without a constant cache */
    uint32_t stack_bytes;        /* of a thread that recurses; LOCAL_RECURSIVE is the least */
    const char *show;            /* comma-separated list of what to print, or NULL */
    FILE *show_to; bool asm_only;
    FILE *remarks;               /* auto: why it predicts, and why not; NULL: nowhere */
    const struct cc_profile *profile;   /* auto: what a run has measured, or NULL */
    struct cc_map *map;          /* filled where not NULL; map_free */
    const char *const *cpp; int ncpp;   /* for clang: -DNAME, -Ifolder ... */
    /* redirect.h: the kernel is redirected first, its form set; NULL: no */
    struct redirect *redirect;
};

/* util.c */
bool cc_is_cuda(const char *path);      /* by its suffix */
/* "path:line:col: message", the source line and a caret; status 2.  Of CUDA the line
 * that .loc names, and the line of PTX. */
void cc_error(struct hd_err *, const struct module *, struct srcloc, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void show_block(FILE *, const struct blk *);
const char *ins_name(const struct module *, const struct ins *);   /* as spelled: "div.rn.f64" */
struct ins *ins_new(struct module *, enum pop);   /* no guard, every register -1 */
void ins_append(struct blk *, struct ins *);
void ins_before(struct blk *, struct ins *at, struct ins *);       /* at NULL: append */
void ins_remove(struct blk *, struct ins *);
int reg_new(struct fn *, enum ptype);
int type_size(enum ptype);                                         /* bytes; 0 of a predicate */
bool type_float(enum ptype); bool type_signed(enum ptype);
bool type_half(enum ptype); bool type_packed(enum ptype);  /* f16, bf16, two of them; two of them */
bool type_bf16(enum ptype);                                        /* one or two of them */
enum { MAX_INS_REGS = 600 };
enum { ALLOCA_BYTES = 4096 };        /* of a thread's local memory, for alloca: the lowest ones */
bool ins_has_dest(const struct ins *);                             /* o[0] is written */
int ins_dests(const struct ins *, int out[MAX_INS_REGS]);          /* registers written */
int ins_sources(const struct ins *, int out[MAX_INS_REGS]);        /* registers read */
bool ins_unread(const struct fn *, const struct ins *);           /* nothing reads what it writes */

/* cuda.c */
/* How clang compiles device code, here and for whole programs; the last is NULL. */
extern const char *const cuda_flags[];
extern const char cuda_clang[];         /* its name, found by PATH */
int cuda_to_ptx(const char *cu, const struct cc_options *, char **ptx, size_t *len,
                struct hd_err *);       /* runs clang; 0: done, the caller frees *ptx */
char *cc_read(const char *path, size_t *len, struct hd_err *);    /* a zero follows */

/* redirect.c */
/* PTX to PTX, where that is asked for: regroup/redirect.h */

/* parse.c */
struct module *ptx_parse(struct arena *, const char *path, const char *text, size_t len,
                         struct hd_err *);

/* cfg.c */
void cfg_build(struct fn *);            /* blocks, edges, rpo; drops unreachable blocks */
void cfg_refresh(struct fn *);          /* after edits of blocks: edges, ids, rpo again */
/* edits of blocks; then cfg_refresh */
struct blk *cfg_split_edge(struct fn *, struct blk *from, int succ);
struct blk *cfg_split(struct fn *, struct blk *, struct ins *at);   /* the rest, from `at` on */
/* A new block on the edges into b from the predecessors that are marked; it falls into b
 * (*falls), or the caller ends it. */
struct blk *cfg_interpose(struct fn *, struct blk *b, const bool *in, bool *falls);
struct blk *cfg_block_new(struct fn *);             /* stands last */
struct ins *cfg_jump(struct fn *, struct blk *from, struct blk *to);   /* appends a bra */
void cfg_retarget(struct blk *from, const struct blk *old, struct blk *to);
bool cfg_falls(const struct blk *);     /* may go on to the block after it */
struct ins *blk_terminator(const struct blk *);   /* NULL: falls through */

/* switch.c */
void switch_run(struct fn *);           /* comparisons with constants become P_BRX */

/* ifconv.c */
void ifconv_run(struct fn *);

/* stack_ends.c */
void stack_one_ret(struct fn *);
void stack_layers(struct fn *);        /* after order_run: blk.layer, dominators, ipdom by layers */

/* dom.c */
void dom_build(struct fn *);            /* idom, ipdom */
bool dom_over(const struct blk *a, const struct blk *b);    /* a dominates b */
bool dom_after(const struct blk *late, const struct blk *early);   /* late post-dominates early */
struct blk *dom_common(struct blk *, struct blk *);
/* ipdom towards ends[blk.layer], along edges within a layer; the ends have none */
void dom_post_layers(struct fn *, struct blk *const *ends, int nends);

/* loop.c */
void loop_build(struct fn *);
bool loop_has(const struct loop *, const struct blk *);

/* order.c */
void order_run(struct fn *, bool stack_mode);   /* layout by loops */
/* gather.c: tails: jumps that stand after loops */
void gather_run(struct fn *, struct blk *const *tails, int n);

/* predict_find.c */
bool predict_find(struct fn *, const struct cc_options *, struct hd_err *);

/* predict_calls.c */
bool predict_calls(struct module *, struct hd_err *);    /* after predict_find of every function */

/* uniform.c */
void uniform_run(struct module *);      /* reg_divergent, blk.divergent, loop.may_wait */
/* The joins of a branch, its post-dominator the last; label: of blocks on the way, -1: none */
struct joins {
    struct blk **join;
    int n;
    int *label;
    struct blk **labelled;
    int nlabelled, *pending;
};
struct joins joins_new(const struct fn *);
void joins_find(struct joins *, struct fn *, const struct blk *);

/* wait.c */
void wait_run(struct fn *);             /* loop.may_wait; uniform_run calls it */

/* callgraph.c */
void callgraph_run(struct module *);    /* fn.recursive; uniform_run calls it */
struct fn *callgraph_callee(const struct ins *);    /* NULL: no call of a function by name */
/* A call that may come to any function whose address is taken. */
bool callgraph_by_register(const struct ins *);
/* Marks, by fn.id, the functions that calls in the blocks `in` (NULL: in all) may lead to. */
void callgraph_reach(const struct fn *, const bool *in, bool *seen);

/* stack_meet.c */
bool stack_meet(struct fn *);           /* stack mode: lanes meet before a block barrier */

/* map.c */
void map_number(struct fn *);           /* ins.home */
uint64_t prof_shape(const struct fn *); /* differs when the source does; pragmas apart */
void map_functions(struct cc_map *, const struct module *);

/* auto.c */
/* inserts simt.predict, simt.label */
bool auto_run(struct module *, const struct cc_options *, struct hd_err *);

/* meet.c */
void meet_run(struct module *);         /* collectives at several places: ins.meets */

/* place.c */
void place_postdom(struct fn *);        /* BSSY BSYNC BREAK pseudo-instructions */

/* predict_place.c */
/* barriers of predictions, conflicts (predict.h) */
void predict_place(struct fn *, const struct cc_options *);

/* rotate.c */
void rotate_run(struct fn *);           /* the test at a loop's head also at its end */
bool rotates(const struct fn *, const struct blk *);      /* the loop to whose head it branches */

/* place_waits.c */
void place_waits(struct fn *);          /* YIELD, WARPSYNC */
/* .sync waits for its lanes in blocks that part of a warp executes (apart) */
void place_warpsync(struct fn *, const bool *apart);
bool names_lanes(const struct ins *);   /* a collective, or __syncwarp, of a mask of lanes */

/* verify.c */
void place_drop_unproved(struct fn *);  /* removes barriers that the proof below rejects */
bool verify_placement(struct fn *, struct hd_err *);

/* stack_locks.c */
void stack_locks(struct fn *);       /* place_stack calls it */

/* place_stack.c */
void place_stack(struct fn *);       /* stack mode, instead: SSY POP WARPSYNC pseudo-instructions */

/* verify_stack.c */
bool verify_stack(struct fn *, struct hd_err *);
void stack_show(const struct fn *, FILE *);   /* each block's tokens */

/* show.c */
void show_fn(struct fn *, const char *what, FILE *);
bool show_wants(const char *list, const char *name);
const char *show_unknown(const char *list);  /* the first word that names no analysis */

/* backend.c */
/* what it works on is in minsn.h */
struct hd_image *backend_run(struct module *, const struct cc_options *, struct hd_err *);

/* cc.c */
bool cc_middle(struct module *, const struct cc_options *, struct hd_err *);  /* parsed to placed */
/* A source's PTX, redirected where that is asked for, to be freed. */
char *cc_ptx(const char *path, const struct cc_options *, size_t *len, struct hd_err *);
struct hd_image *hd_compile(const char *path, const struct cc_options *, struct hd_err *);
struct hd_image *hd_compile_ptx(const char *name, const char *text, const struct cc_options *,
                                struct hd_err *);   /* name: for messages */

/* refuse.c */
/* The image of PTX text without the functions that do not compile.  *refused: these, each as
 * `NAME\tWHY\n`, to be freed; NULL: none.  NULL: err says why nothing compiles. */
struct hd_image *hd_compile_some(const char *name, const char *text, const struct cc_options *,
                                 char **refused, struct hd_err *);

/* prune.c */
/* Blanks the kernel or function that holds this line (from 1) of PTX; lines stay lines.  Its name,
 * to be freed; NULL: none does. */
char *ptx_prune(char *ptx, unsigned line);
/* Takes out what says which lines of a source PTX is of, and all kernels but this one (NULL:
 * none). */
void ptx_only(char *ptx, const char *kernel);
#endif
