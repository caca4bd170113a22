/* The parser's own state: tokens, interned names with their meanings, scopes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every name is interned once as an atom; a declaration binds the atom in the innermost scope and
 * the scope's end restores what it meant outside.  So every look-up is one pointer.  The first
 * error leaves by longjmp: all memory is the arena's. */
#ifndef PARSE_H
#define PARSE_H
#include <setjmp.h>
#include "compiler/all.h"

enum tok { TK_EOF, TK_NAME, TK_DOT /* .name */, TK_INT, TK_F32, TK_F64, TK_STR, TK_PUNCT };

struct opinfo;
struct expander;
/* What a word after a dot may say, apart from what an instruction alone knows (opinfo.subs). */
enum modclass { MC_TYPE, MC_SPACE, MC_RND, MC_CMP, MC_VEC, MC_CACHE, MC_FLAG, MC_UNSUPPORTED };
struct modinfo { const char *name; enum modclass cls; unsigned value; };
/* B_VEC: nvec registers from reg on */
struct binding { enum { B_REG, B_VEC, B_SYM } kind; int reg, nvec; struct sym *sym;
                 struct atom *atom;
                 struct binding *outer, *next; int depth; };
struct atom {
    const char *name; int len; uint32_t hash; struct atom *chain;
    struct binding *bound;           /* innermost meaning */
    const struct opinfo *op;         /* instruction of this name */
    const struct expander *expand;   /* or the text that it is: expand.h */
    const struct modinfo *mod;       /* meaning after a dot */
    int sreg; bool is_sreg;          /* %tid.x is the atom of the text with its dots */
};

struct labelref { struct atom *name; struct opd *at; struct srcloc loc; };

struct parser {
    struct module *m; struct arena *arena; struct hd_err *err; jmp_buf fail;
    const char *p, *end, *line_at; int line;
    enum tok tok; struct atom *name; char punct; uint64_t num; bool num_unsigned;
    const char *str; int str_len;
    struct srcloc loc;               /* of the token */
    struct srcloc ins_loc;
    struct srcloc fixed;             /* of all tokens, in the text of parse_text; else line 0 */
    struct atom **table; unsigned natoms, mask;
    struct binding *scope[64]; int depth;      /* bindings made in each scope */
    int label_mark[64];
    struct labelref *refs; int nrefs, caprefs;
    struct fn *fn; int sfile, sline;
    int capsyms, capfns; long total_regs;
    FILE *out; char *out_text; size_t out_len;     /* what expand.c writes at the moment */
    int unit, file_base;             /* of several that are linked: units.c */
    bool machine_barriers;           /* block barriers are the machine's: expand_block.c */
};

/* lex.c */
void lex_open(struct parser *);
void lex_next(struct parser *);
void lex_skip_line(struct parser *);
struct atom *lex_atom(struct parser *, const char *s, int n);
_Noreturn void parse_fail(struct parser *, struct srcloc, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool parse_is(const struct parser *, char punct);
bool parse_is_dot(const struct parser *, const char *name);
bool parse_accept(struct parser *, char punct);
bool parse_accept_dot(struct parser *, const char *name);
void parse_list_add(struct parser *, struct sym ***list, int *n, struct sym *);
void parse_expect(struct parser *, char punct);
struct atom *parse_name(struct parser *, const char *what);
enum ptype parse_type(struct parser *);        /* .u32 and kin */
int64_t parse_literal(struct parser *);        /* an integer as it stands there */
const char *parse_token_text(const struct parser *);

/* constant.c: constant expressions */
void parse_number(struct parser *, struct opd *);     /* of integers, or a float with its sign */
int64_t parse_int(struct parser *);

/* scope.c */
void scope_open(struct parser *);
void scope_close(struct parser *);
struct sym *scope_sym(struct parser *, struct atom *, enum skind, struct srcloc);
void scope_bind_reg(struct parser *, struct atom *, int reg, int nvec, struct srcloc);
void scope_label_ref(struct parser *, struct atom *, struct opd *, struct srcloc);

/* decl.c */
void decl_reg(struct parser *);
struct decl_shape {              /* what a declaration says before the names that are so */
    enum ptype type;
    int align, vec;              /* 0: as the type has it; elements together */
    bool reference;
    bool in_reg;                 /* of a parameter: .reg, not .param */
};
struct decl_shape decl_shape(struct parser *, enum pspace);
/* *again: what the module has of that name already; NULL: that is an error. */
struct sym *decl_variable(struct parser *, enum pspace, const struct decl_shape *, bool external,
                          bool visible, struct sym **again);
struct sym *decl_param(struct parser *, bool of_call);
void decl_call_params(struct parser *);                   /* .param .b32 x, y[2]; */
void decl_params(struct parser *, bool of_call, struct sym ***list, int *n);   /* ( ... ) */

/* args.c */
void args_begin(struct parser *, struct sym **params, int n);   /* where the body begins */
void args_return(struct parser *);                              /* before a ret */

/* parse.c */
struct fn *parse_function(struct parser *, struct atom *, struct srcloc);    /* the module's */
/* Statements in braces, in the place of the instruction that ins_loc names. */
void parse_text(struct parser *, const char *text, size_t n);

/* expand.c */
void parse_expand_init(struct parser *);
/* The instruction as others; false: it is none of those. */
bool parse_expand(struct parser *, int guard, bool guard_neg);
/* Before a function's body, and after it: what its instructions need. */
void ex_clear_barriers(struct parser *);
void ex_stack_begin(struct parser *);
void ex_free_at_return(struct parser *);

/* units.c */
void unit_begin(struct parser *);
struct sym *unit_variable(struct parser *, struct atom *);
bool unit_merge(struct parser *, struct sym *old, struct sym *new, bool weak);

/* parse_ins.c */
void parse_ins_init(struct parser *);
void parse_instruction(struct parser *, int guard, bool guard_neg);
#endif
