/* Machine terms of the back end: instructions of the ISA over virtual registers, blocks, functions.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A virtual register is one word, a pair or a quad, or a predicate; an operand names a register and
 * the word of it where it begins, so halves of pairs need no instruction of their own.  Registers
 * 0 .. fn->nregs-1 are those of the PTX function, later ones are selection's own (`temp`) and are
 * written without the guard of the PTX instruction: only what PTX can see is guarded.
 *
 * Values narrower than 32 bits live in a word whose upper bits are undefined: code that needs them
 * extends (sel_extend).  A generic address is a pair {low word, space: 0 global, 1 shared, 2
 * local}. */
#ifndef MINSN_H
#define MINSN_H
#include "compiler/analysis/livelist.h"
#include "cmodel/image/image.h"

/* The compiler's own instruction: copies as many words as Rd has; expanded by frame.c. */
enum { M_COPY = OP_COUNT };
enum { R_D, R_A, R_B, R_C };                   /* positions in mins.r */
enum { PR_G, PR_D, PR_T, PR_S, PR_COUNT };     /* in mins.p: guard, Pd, Pq (source), Ps */
enum { REG_SP = 1, REG_LINK = 2, REG_ARG = 4, ABI_ARG_REGS = 12, REG_SAVED = 32,
       LOCAL_RECURSIVE = 4096 };               /* see docs/abi.md */
enum { BANK_SLOTS = 256 };
enum { LIB_UNITS = 17 };                        /* of compiler/softlib: softlib.c */
/* What a frame-relative offset counts from. */
enum frame_part { FR_NONE, FR_OUT, FR_LOCAL, FR_SLOT, FR_IN };

struct regset { uint64_t w[4]; };              /* of machine registers */
static inline void regset_add(struct regset *s, int r, int n)
{
    for (int k = r; k < r + n; k++) s->w[k >> 6] |= (uint64_t)1 << (k & 63);
}
static inline bool regset_has(const struct regset *s, int r)
{
    return s->w[r >> 6] >> (r & 63) & 1;
}

/* fixed: machine register or -1 */
struct mvreg { uint8_t n; bool pred, temp, nospill; int fixed; };

/* What a call or a return reads and writes besides its operands. */
struct mcall { struct mfn *callee; int *uses, nuses, *defs, ndefs; };

struct mins {
    struct hd_insn i;              /* register fields hold machine registers where r, p are -1 */
    int r[4]; uint8_t sub[4];
    int p[PR_COUNT];
    int vb;                        /* virtual barrier, -1: none */
    struct mblk *target;           /* of a branch; of SSY, and of the pop that goes with it */
    struct sym *sym; int64_t add;  /* the immediate is this address, known when linking */
    /* BRX: its targets, their place in the bank */
    struct mblk **table; int ntable; uint32_t table_at;
    struct mcall *call;
    enum frame_part frame;
    int sfile, sline, home;        /* as of struct ins */
    bool strong;                   /* an access that others' may meet: not of a plain ld or st */
    struct mins *next, *prev;
};
struct mblk {
    int id, depth;                 /* position in mfn->blks; loops around it */
    struct mins *first, *last;
    struct mblk *succ[2]; int nsucc; struct mblk **table; int ntable;  /* table: targets of a BRX */
    uint32_t pc;
};
struct mfn {
    struct backend *be; struct fn *f; const char *name;
    struct mblk **blks; int nblks;
    struct mvreg *regs; int nregs, cap;
    int nvb;
    int *retval; int nretval;
    uint32_t out_bytes, local_bytes, slot_bytes, save_bytes, frame_bytes;
    struct mfn **callees; int ncallees;
    bool indirect;                 /* makes indirect calls */
    bool met, allocated;           /* callees first: backend.c */
    struct regset used;            /* machine registers it or its callees write */
    int top_reg;                   /* highest register of it and its callees */
    uint16_t bar_taken;            /* barrier registers in which a lane may be where it is called */
    int *bar_wish;                 /* by virtual barrier: the register NVIDIA's compiler takes */
    bool bar_met;                  /* barcalls.c */
    int bar_top;                   /* above those it uses; baralloc_save: and its callees */
    int bar_need;                  /* the most that are in use at once, with callees' */
    bool saves_bars;               /* saves those it uses, so callers may use any */
    bool yields, waits_block;      /* it or its callees may (drift.c) */
    /* registers that it or its callees join and do not give back (verify_code.c) */
    uint16_t bars_used;
    uint32_t pc, size, local_need; /* local bytes of it and its callees */
    struct mfn *next;
};

struct lib;
struct backend {
    struct arena *a; struct module *m; const struct cc_options *opt; struct hd_err *err;
    struct mfn *fns, **tail;       /* all that is reachable, in order of discovery */
    struct mfn **order; int norder;
    struct module *lib[LIB_UNITS]; /* the library, each unit parsed when first needed */
    uint32_t const_bytes, global_bytes, galign;
    uint32_t frame_align;          /* of R1: the largest of any variable in a frame, at least 16 */
    uint8_t *cdata; size_t ccap;
    struct place { struct sym *sym; uint32_t at; struct fn *f; } *places; int nplaces, placecap;
    uint32_t shared_common, dyn_base; bool dyn_in_fn;
    uint32_t reduce_at;            /* shared words of bar.red, one for each block barrier */
};

/* ---- values while selecting ------------------------------------------------------------------ */
/* One or more words: a register from a word of it on, or an immediate; v = -1 without imm is
 * zero. */
struct val { int v; uint8_t sub, n; bool imm; uint64_t k; };
#define VZERO ((struct val){ .v = -1, .n = 1 })
static inline struct val v_imm(uint64_t k)
{
    return (struct val){ .v = -1, .n = 1, .imm = true, .k = k };
}
static inline struct val v_word(struct val x, int w)    /* word w of x */
{
    if (x.imm) return v_imm((uint32_t)(x.k >> (32 * w)));
    return (struct val){ x.v, (uint8_t)(x.v < 0 ? 0 : x.sub + w), 1, false, 0 };
}
#define LO(x) v_word(x, 0)
#define HI(x) v_word(x, 1)

/* A predicate as a source: pred register or -1 (PT), perhaps negated. */
struct pval { int p; bool neg; };

/* a .param as a variable */
struct argslot {
    struct sym *sym; struct val v; bool mem; uint32_t off;
    bool addressed;             /* in a register, and at `off' in the frame's locals */
};
struct sel {
    struct backend *be; struct mfn *mf; struct fn *f; struct mblk *b; struct ins *in;
    struct mblk **map;             /* of PTX blocks */
    struct argslot *slots; int nslots, slotcap;
    struct mins *last;
    uint32_t *local_at;            /* offsets of f->locals */
    int link;                      /* register with the return PC */
    bool kernel;
};

/* ---- mfn.c */
struct mfn *backend_fn(struct backend *, struct fn *);            /* finds or adds */
struct mfn *backend_addressed(struct backend *, struct sym *);    /* by its name; NULL: error set */
struct mfn *backend_lib(struct backend *, const char *name);      /* NULL: error set */
/* ---- softlib.c */
struct fn *softlib_find(struct backend *, const char *name);
/* ---- layout.c: addresses of variables */
void layout_run(struct backend *);
void layout_variables(struct backend *, const struct module *);   /* .const and .global ones; of the
                                                                   * library: when it is opened */
bool layout_find(struct backend *, const struct sym *, const struct fn *, uint32_t *at);
uint32_t layout_const(struct backend *, const void *, uint32_t bytes, uint32_t align);
/* ---- also mfn.c: building blocks of machine functions */
int mreg_new(struct mfn *, int words);                            /* words 0: a predicate */
struct mblk *mblk_new(struct mfn *);
struct mins *mins_new(struct mfn *, int op);
void mins_before(struct mblk *, struct mins *at, struct mins *);  /* at NULL: append */
void mins_remove(struct mblk *, struct mins *);
int mins_width(const struct mfn *, const struct mins *, int which);
void mfn_edges(struct mfn *);                                     /* succ of every block */
bool mins_ends(const struct mins *);                            /* control never goes on after it */
/* Registers read and written: calls `see(user, register, first word, words)`. */
typedef void mins_see(void *user, int reg, int sub, int words);
void mins_uses(const struct mfn *, const struct mins *, mins_see *, void *);
void mins_defs(const struct mfn *, const struct mins *, mins_see *, void *);
/* ---- select.c */
void select_fn(struct backend *, struct mfn *);
void sel_error(struct sel *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sel_unsupported(struct sel *);
struct val sel_tmp(struct sel *, int words);
int sel_ptmp(struct sel *);
struct val sel_src(struct sel *, const struct opd *, int words);
struct val sel_dst(struct sel *, const struct opd *);             /* `_` gives RZ */
struct pval sel_pred(struct sel *, const struct opd *);
struct val sel_reg(struct sel *, struct val);                     /* not an immediate any more */
/* d = op(a, b, c); operands that the instruction lacks are VZERO.  Guarded if PTX can see d. */
struct mins *sel_op(struct sel *, enum hd_op, struct val d, struct val a, struct val b,
                    struct val c);
/* into a temporary */
struct val sel_do(struct sel *, enum hd_op, struct val a, struct val b, struct val c);
struct mins *sel_setp(struct sel *, enum hd_op, int pd, struct val a, struct val b, struct pval ps);
void sel_plop(struct sel *, int pd, struct pval ps, int t, int lut);
/* d = p ? a : b */
void sel_sel(struct sel *, struct val d, struct val a, struct val b, struct pval);
void sel_put(struct sel *, const struct opd *, struct val);       /* writes a PTX destination */
void sel_move(struct sel *, struct val d, struct val v);
struct val sel_extend(struct sel *, struct val, enum ptype);      /* the value in 32 bits */
struct val sel_widen(struct sel *, struct val, bool sign);        /* 32 to 64 bits */
struct val sel_pair(struct sel *, struct val lo, struct val hi);
void sel_guard(struct sel *, struct mins *);
uint8_t sel_rounding(enum rnd);                                    /* RM_*; select_float.c */
struct val sel_flush(struct sel *, struct val);                    /* f32: where .ftz is given */
/* The 32-bit value of type `from`, held to the range of the narrower or otherwise signed `to`. */
struct val sel_clamp32(struct sel *, struct val, enum ptype from, enum ptype to);
/* A comparison of integers with its sources exchanged. */
uint8_t icmp_mirrored(uint8_t icmp);
void sel_compare_f64(struct sel *, int pd, struct pval ps, int bop);
/* numbers k of two words */
void sel_compare_half(struct sel *, enum ptype, int k, int pd, struct pval ps, int bop);
int sel_float_cmp(enum cmpop);                                     /* FCMP_*; -1: none */
/* p = a, q = b; p, q may be -1, or the guard */
void sel_put_preds(struct sel *, int p, int a, int q, int b);
struct val sel_min_max(struct sel *, struct val a, struct val b);  /* of f32: .NaN, .xorsign.abs */
#define P_TRUE ((struct pval){ -1, false })
/* ---- select_*.c: one PTX instruction each; false: not theirs to do */
bool select_int(struct sel *); bool select_int64(struct sel *); bool select_bits(struct sel *);
bool select_cmp(struct sel *); bool select_float(struct sel *); bool select_conv(struct sel *);
bool select_mem(struct sel *); bool select_call(struct sel *); bool select_ctl(struct sel *);
bool select_warp(struct sel *); bool select_f64(struct sel *); bool select_half(struct sel *);
bool select_param_slots(struct sel *);                    /* slots of a call, at its first .param */
void sel_entry(struct sel *);                                     /* parameters arrive */
struct val sel_lib(struct sel *, const char *name, int words, int nargs, ...); /* struct val args */
bool sel_symbol(struct sel *, struct sym *, int64_t add, struct val *out);    /* address, 64 bits */
/* select_mem.c */
void sel_frame_addr(struct sel *, struct val d, enum frame_part, uint32_t off);
void sel_frame_mem(struct sel *, bool store, struct val v, enum frame_part, uint32_t off, int sz);
/* ---- constants.c */
void constants_run(struct mfn *);
bool constants_load(const struct mins *);                /* an LDC that it may take the place of */
/* ---- peephole.c */
void peephole_run(struct mfn *);
/* ---- drift.c */
void drift_note(struct mfn *);          /* yields, waits_block */
bool *drift_find(const struct mfn *, struct arena *);
bool drift_waits_block(const struct mins *);             /* or a function that it calls */
bool drift_returns(struct mfn *, struct arena *, struct mblk *);    /* lanes may come back to it */
/* ---- baralloc.c */
void baralloc_drop(struct mfn *);       /* barriers in which lanes would drift apart */
void baralloc_count(struct mfn *);      /* bar_need; callees before callers */
int baralloc_reg(const struct mfn *, int n);      /* the n-th barrier register that is its own */
void baralloc_run(struct mfn *);        /* callers before callees */
void baralloc_save(struct mfn *);       /* callees before callers */
/* ---- barcalls.c */
void barcalls_run(struct backend *, struct mfn *kernel);       /* bar_wish */
/* ---- colour_order.c */
void colour_order(struct arena *, const struct lists *meets, const int *by_place, int n, int nvb,
                  int k, int *order);

/* ---- verify_code.c: barrier registers, proved from the code alone */
bool verify_code(struct mfn *, struct hd_err *);
/* ---- leave.c: of a barrier that only counts */
void leave_run(struct mfn *);
/* ---- liveness.c */
/* of words; base: the first of a register */
struct live { int nwords, *base, *reg; struct livelist list; };
struct live *live_run(struct mfn *);
/* ---- regalloc.c */
bool regalloc_run(struct mfn *);
/* ---- spill.c: rewrites all code that names a register r < nwebs whose on[web[r]] is set */
void spill_run(struct mfn *, struct arena *scratch, const int *web, int nwebs, const bool *on);
/* ---- frame.c */
void frame_run(struct mfn *);
/* ---- carrier.c: stack mode, pops without NOP */
void carrier_run(struct mfn *);
/* ---- link.c */
void link_run(struct backend *, struct hd_image *);
/* ---- emit.c */
void emit_run(struct backend *, struct hd_image *);
/* ---- map.c: the code at pc, of npcs instructions in all, comes from block home - 1 of mf */
void map_add(struct cc_map *, uint32_t pc, uint32_t npcs, const struct backend *,
             const struct mfn *, int home);
#endif
