/* The PTX parser: modules, functions, statements.  Instructions are parse_ins.c's.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requires: PTX text; it need not end in a zero byte.
 * Ensures:  a module whose functions are lists of instructions, names resolved and operands checked
 *           (check.c); or NULL, and err says why. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/ptx/parse.h"

/* ---- lines of the CUDA source ---------------------------------------------------------------- */

/* clang writes each byte of a letter beyond ASCII as \\ooo; the name is shown to people. */
static void undo_octal(char *name)
{
    char *to = name;
    for (const char *from = name; *from; to++) {
        bool octal = from[0] == '\\' && from[1] >= '2' && from[1] <= '3' && from[2] >= '0' &&
                     from[2] <= '7' && from[3] >= '0' && from[3] <= '7';
        *to = octal ? (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0')) : *from;
        from += octal ? 4 : 1;
    }
    *to = 0;
}

static void file_directive(struct parser *p)
{
    int64_t n = parse_literal(p);
    if (n < 0 || n > 65535) parse_fail(p, p->loc, "file number out of range");
    if (p->tok != TK_STR)
        parse_fail(p, p->loc, "expected a file name before %s", parse_token_text(p));
    struct module *m = p->m;
    n += p->file_base;
    if (n >= m->nfiles) {
        m->files = arena_grow(p->arena, m->files, (size_t)m->nfiles * sizeof *m->files,
                              (size_t)(n + 1) * sizeof *m->files);
        m->nfiles = (int)n + 1;
    }
    char *name = arena_printf(p->arena, "%.*s", p->str_len, p->str);
    undo_octal(name);
    m->files[n] = name;
    lex_next(p);
    while (parse_accept(p, ',')) parse_literal(p);      /* time stamp and size */
}

/* Line 0 means "of no line"; the line before is the better answer. */
static void loc_directive(struct parser *p)
{
    int line_of_text = p->loc.line;
    int64_t file = parse_literal(p), line = parse_literal(p);
    if (line > 0 && line < 1 << 30 && file >= 0 && file < 65536)
        p->sfile = (int)file + p->file_base, p->sline = (int)line;
    while (p->tok != TK_EOF && p->loc.line == line_of_text) lex_next(p);
}

/* .section .debug_loc { ... }: nothing of it is needed. */
static void section_directive(struct parser *p)
{
    int depth = 0;
    struct srcloc at = p->loc;
    while (p->tok != TK_EOF && !parse_is(p, '{')) lex_next(p);
    do {
        if (p->tok == TK_EOF) parse_fail(p, at, "this section has no end");
        if (parse_is(p, '{')) depth++;
        if (parse_is(p, '}')) depth--;
        lex_next(p);
    } while (depth);
}

/* ---- statements ------------------------------------------------------------------------------ */

static struct ins *append(struct parser *p, enum pop op, struct srcloc at)
{
    struct ins *i = ins_new(p->m, op);
    struct fn *f = p->fn;
    i->loc = at;
    i->sfile = p->sfile;
    i->sline = p->sline;
    i->prev = f->last;
    if (f->last) f->last->next = i; else f->first = i;
    f->last = i;
    return i;
}

static void prototype(struct parser *p, struct atom *name, struct srcloc at)
{
    struct sym *s = scope_sym(p, name, S_PROTO, at);
    if (parse_is(p, '(')) decl_params(p, true, &s->list, &s->nlist);
    s->nrets = s->nlist;
    parse_name(p, "_");
    if (parse_is(p, '(')) decl_params(p, true, &s->list, &s->nlist);
    parse_accept_dot(p, "noreturn");
    parse_expect(p, ';');
}

static void target_list(struct parser *p, struct atom *name, struct srcloc at, bool branches)
{
    struct sym *s = scope_sym(p, name, S_TARGETS, at);
    struct atom *names[1024];
    struct srcloc where[1024];
    int n = 0;
    do {
        if (n == 1024) parse_fail(p, p->loc, "more than 1024 targets");
        where[n] = p->loc;
        names[n++] = parse_name(p, branches ? "a label" : "a function");
    } while (parse_accept(p, ','));
    parse_expect(p, ';');
    if (branches) {
        s->labels = arena_alloc(p->arena, (size_t)n * sizeof *s->labels);
        s->nlist = n;
        for (int i = 0; i < n; i++) {
            s->labels[i].kind = O_LABEL;
            scope_label_ref(p, names[i], &s->labels[i], where[i]);
        }
        return;
    }
    for (int i = 0; i < n; i++) {
        struct binding *b = names[i]->bound;
        if (!b || b->kind != B_SYM || b->sym->kind != S_FUNC)
            parse_fail(p, where[i], "%s is no function", names[i]->name);
        b->sym->fn->address_taken = true;
        parse_list_add(p, &s->list, &s->nlist, b->sym);
    }
}

static void label(struct parser *p, struct atom *name, struct srcloc at)
{
    if (parse_accept_dot(p, "callprototype")) {
        prototype(p, name, at);
    } else if (parse_accept_dot(p, "branchtargets")) {
        target_list(p, name, at, true);
    } else if (parse_accept_dot(p, "calltargets")) {
        target_list(p, name, at, false);
    } else {
        struct ins *mark = append(p, P_NOP, at);
        mark->nops = 1;
        mark->o[0].kind = O_LABEL;
        mark->o[0].sym = scope_sym(p, name, S_LABEL, at);
    }
}

static bool space_directive(const struct parser *p, enum pspace *space)
{
    const struct modinfo *mod = p->tok == TK_DOT ? p->name->mod : NULL;
    if (!mod || mod->cls != MC_SPACE) return false;
    *space = (enum pspace)mod->value;
    return true;
}

static void directive(struct parser *p)
{
    enum pspace space;
    struct srcloc at = p->loc;
    if (parse_accept_dot(p, "reg")) {
        decl_reg(p);
    } else if (parse_accept_dot(p, "loc")) {
        loc_directive(p);
    } else if (parse_accept_dot(p, "pragma")) {
        do {
            if (p->tok != TK_STR)
                parse_fail(p, p->loc, "expected a string before %s", parse_token_text(p));
            append(p, P_PRAGMA, at)->text = arena_printf(p->arena, "%.*s", p->str_len, p->str);
            lex_next(p);
        } while (parse_accept(p, ','));
        parse_expect(p, ';');
    } else if (parse_is_dot(p, "param")) {
        decl_call_params(p);
    } else if (space_directive(p, &space) && space != SP_GENERIC) {
        lex_next(p);
        struct decl_shape shape = decl_shape(p, space);
        do parse_list_add(p, &p->fn->locals, &p->fn->nlocals,
                          decl_variable(p, space, &shape, false, false, NULL));
        while (parse_accept(p, ','));
        parse_expect(p, ';');
    } else if (parse_accept_dot(p, "file")) {
        file_directive(p);
    } else {
        parse_fail(p, at, "unexpected %s in a function", parse_token_text(p));
    }
}

static void statement(struct parser *p)
{
    struct srcloc at = p->loc;
    if (p->tok == TK_DOT) {
        directive(p);
    } else if (parse_accept(p, '@')) {
        bool neg = parse_accept(p, '!');
        struct srcloc where = p->loc;
        struct atom *a = parse_name(p, "a predicate register");
        if (!a->bound || a->bound->kind != B_REG || p->fn->regs[a->bound->reg].type != T_PRED)
            parse_fail(p, where, "%s is no predicate register", a->name);
        p->ins_loc = p->loc;
        parse_instruction(p, a->bound->reg, neg);
    } else if (p->tok == TK_NAME) {
        struct atom *a = p->name;
        const char *after = p->p;                      /* a label is a name before a colon */
        while (after < p->end && (*after == ' ' || *after == '\t')) after++;
        if (after < p->end && *after == ':') {
            lex_next(p);
            lex_next(p);
            label(p, a, at);
        } else {
            p->ins_loc = at;
            parse_instruction(p, -1, false);
        }
    } else if (!parse_accept(p, ';')) {
        parse_fail(p, at, "expected an instruction before %s", parse_token_text(p));
    }
}

/* Statements in braces, of which the first has been read; it began at depth `outer'. */
static void statements(struct parser *p, int outer, struct srcloc at)
{
    while (p->depth > outer) {
        if (p->tok == TK_EOF) parse_fail(p, at, "this '{' is never closed");
        if (parse_accept(p, '{')) {
            scope_open(p);
        } else if (parse_is(p, '}')) {
            scope_close(p);
            lex_next(p);
        } else {
            statement(p);
        }
    }
}

static void body(struct parser *p)
{
    int outer = p->depth;
    struct srcloc at = p->loc;
    parse_expect(p, '{');
    scope_open(p);
    statements(p, outer, at);
}

/* Its lines are none of the module's: whatever is wrong with it is so at the instruction. */
void parse_text(struct parser *p, const char *text, size_t n)
{
    const char *was_p = p->p, *was_end = p->end, *was_line_at = p->line_at;
    int was_line = p->line;
    struct srcloc was_fixed = p->fixed, at = p->ins_loc;
    p->fixed = at;
    p->p = p->line_at = text;
    p->end = text + n;
    p->line = INT_MIN / 2;
    lex_next(p);
    body(p);
    p->p = was_p, p->end = was_end, p->line_at = was_line_at, p->line = was_line;
    p->fixed = was_fixed;
    p->ins_loc = at;
}

/* ---- functions ------------------------------------------------------------------------------- */

struct fn *parse_function(struct parser *p, struct atom *a, struct srcloc at)
{
    struct binding *b = a->bound;
    if (b && b->kind == B_SYM && b->sym->kind == S_FUNC) return b->sym->fn;
    int depth = p->depth;
    p->depth = 0;                                       /* its name belongs to the module */
    struct sym *s = scope_sym(p, a, S_FUNC, at);
    p->depth = depth;
    struct fn *f = arena_alloc(p->arena, sizeof *f);
    f->carry = -1;
    f->m = p->m;
    f->name = s->name;
    f->sym = s;
    f->loc = at;
    s->fn = f;
    s->size = 8;
    struct module *m = p->m;
    if (m->nfns == p->capfns) {
        p->capfns = p->capfns ? 2 * p->capfns : 8;
        m->fns = arena_grow(p->arena, m->fns, (size_t)m->nfns * sizeof *m->fns,
                            (size_t)p->capfns * sizeof *m->fns);
    }
    f->id = m->nfns;
    m->fns[m->nfns++] = f;
    parse_list_add(p, &m->syms, &m->nsyms, s);
    return f;
}

static void performance_directives(struct parser *p, struct fn *f)
{
    for (;;) {
        bool size = parse_is_dot(p, "maxntid") || parse_is_dot(p, "reqntid");
        if (size || parse_is_dot(p, "minnctapersm") || parse_is_dot(p, "maxnreg") ||
            parse_is_dot(p, "maxnctapersm")) {
            lex_next(p);
            int64_t n = parse_int(p);
            while (parse_accept(p, ',')) n *= parse_int(p) & 0xffff;
            if (size) f->maxntid = n > 0 && n <= 1024 ? (int)n : 0;
        } else if (parse_accept_dot(p, "pragma")) {
            lex_next(p);
            parse_expect(p, ';');
        } else if (!parse_accept_dot(p, "noreturn")) {
            return;
        }
    }
}

static bool same_signature(const struct fn *f, struct sym **rets, int nrets, struct sym **params,
                           int nparams)
{
    if (f->nrets != nrets || f->nparams != nparams) return false;
    for (int i = 0; i < nrets; i++) if (f->rets[i]->size != rets[i]->size) return false;
    for (int i = 0; i < nparams; i++) if (f->params[i]->size != params[i]->size) return false;
    return true;
}

/* A weak function again: its body is read, and nothing of it is kept. */
static struct fn *discarded(struct parser *p, const struct fn *f)
{
    struct fn *copy = arena_alloc(p->arena, sizeof *copy);
    *copy = (struct fn){ .m = f->m, .name = f->name, .sym = f->sym, .id = f->id,
                         .entry = f->entry };
    return copy;
}

static void function_body(struct parser *p, struct sym **params, int n)
{
    int outer = p->depth;
    struct srcloc at = p->loc;
    parse_expect(p, '{');
    scope_open(p);
    args_begin(p, params, n);
    statements(p, outer, at);
    args_return(p);
    ex_free_at_return(p);
    p->fn = NULL;
}

/* What stands before the text of a kernel: the token stays. */
static void begin_function(struct parser *p)
{
    struct srcloc loc = p->loc, ins_loc = p->ins_loc;
    if (!parse_is(p, '{')) return;
    p->ins_loc = loc;
    ex_clear_barriers(p);
    ex_stack_begin(p);
    p->tok = TK_PUNCT, p->punct = '{';
    p->loc = loc, p->ins_loc = ins_loc;
}

static void function(struct parser *p, bool entry, bool visible, bool weak)
{
    struct sym **rets = NULL, **params = NULL;
    int nrets = 0, nparams = 0, known = p->m->nfns;
    p->sfile = p->sline = 0;
    scope_open(p);
    parse_accept_dot(p, "noreturn");
    if (!entry && parse_is(p, '(')) decl_params(p, false, &rets, &nrets);
    struct srcloc at = p->loc;
    struct fn *f = parse_function(p, parse_name(p, "a function name"), at);
    if (parse_is(p, '(')) decl_params(p, false, &params, &nparams);
    if (p->m->nfns == known &&
        (f->entry != entry || !same_signature(f, rets, nrets, params, nparams)))
        parse_fail(p, at, "%s was declared with other parameters", f->name);
    f->entry = entry;
    f->sym->visible |= visible;
    if (!f->defined) f->rets = rets, f->nrets = nrets, f->params = params, f->nparams = nparams;
    performance_directives(p, f);
    if (!parse_accept(p, ';')) {
        if (f->defined && !(weak && p->unit))
            parse_fail(p, at, "%s is defined twice", f->name);
        if (f->defined) {
            p->fn = discarded(p, f);
            p->fn->rets = rets, p->fn->nrets = nrets;
        } else {
            f->defined = true;
            f->loc = at;
            f->rets = rets, f->nrets = nrets, f->params = params, f->nparams = nparams;
            p->fn = f;
        }
        begin_function(p);
        function_body(p, params, nparams);
    }
    f->external = !f->defined;
    scope_close(p);
}

/* ---- the module ------------------------------------------------------------------------------ */

static void skip_statement(struct parser *p)
{
    while (p->tok != TK_EOF && !parse_is(p, ';')) lex_next(p);
    lex_next(p);
}

static void header(struct parser *p)
{
    while (p->tok == TK_DOT) {
        if (parse_accept_dot(p, "version")) {
            lex_next(p);                                /* 6.4 is one decimal number */
        } else if (parse_accept_dot(p, "target")) {
            do parse_name(p, "a target");
            while (parse_accept(p, ','));
        } else if (parse_accept_dot(p, "address_size")) {
            struct srcloc at = p->loc;
            if (parse_int(p) != 64) parse_fail(p, at, "only .address_size 64 is supported");
        } else {
            return;
        }
    }
}

static void module_item(struct parser *p)
{
    bool external = false, visible = false, weak = false;
    enum pspace space;
    struct srcloc at = p->loc;
    for (;;) {
        if (parse_accept_dot(p, "extern")) external = true;
        else if (parse_accept_dot(p, "weak") || parse_accept_dot(p, "common"))
            visible = weak = true;
        else if (parse_accept_dot(p, "visible")) visible = true;
        else break;
    }
    if (parse_accept_dot(p, "entry")) {
        function(p, true, visible, weak);
    } else if (parse_accept_dot(p, "func")) {
        function(p, false, visible, weak);
    } else if (space_directive(p, &space) && space >= SP_GLOBAL && space <= SP_CONST &&
               space != SP_LOCAL) {
        lex_next(p);
        struct decl_shape shape = decl_shape(p, space);
        do {
            struct sym *old = NULL;
            struct sym *s = decl_variable(p, space, &shape, external, visible, &old);
            if (!old) parse_list_add(p, &p->m->syms, &p->m->nsyms, s);
            else if (!unit_merge(p, old, s, weak))
                parse_fail(p, at, "%s is defined twice", s->name);
        } while (parse_accept(p, ','));
        parse_expect(p, ';');
    } else if (parse_is_dot(p, "version")) {
        unit_begin(p);
        header(p);
    } else if (parse_accept_dot(p, "file")) {
        file_directive(p);
    } else if (parse_accept_dot(p, "loc")) {
        loc_directive(p);
    } else if (parse_is_dot(p, "section")) {
        section_directive(p);
    } else if (parse_is_dot(p, "pragma")) {
        skip_statement(p);
    } else {
        parse_fail(p, at, "unexpected %s", parse_token_text(p));
    }
}

/* A function without a body lies elsewhere; its callers get an error.  A kernel is what this image
 * is for. */
static void check_kernels(struct parser *p)
{
    for (int k = 0; k < p->m->nfns; k++)
        if (p->m->fns[k]->entry && !p->m->fns[k]->defined)
            parse_fail(p, p->m->fns[k]->loc, "kernel %s has no body", p->m->fns[k]->name);
}

/* Generic addresses name no constant memory.  Where the address of a constant becomes one, the
 * constants of the module lie in global memory, and loads of them are loads of what does not
 * change: which of them a register names is not known. */
static bool names_constant(const struct module *m)
{
    for (int k = 0; k < m->nsyms; k++)
        for (int r = 0; r < m->syms[k]->nrelocs; r++)
            if (m->syms[k]->relocs[r].generic && m->syms[k]->relocs[r].target->space == SP_CONST)
                return true;
    for (int k = 0; k < m->nfns; k++)
        for (const struct ins *i = m->fns[k]->first; i; i = i->next)
            if (i->op == P_CVTA && i->space == SP_CONST && i->to_generic) return true;
    return false;
}

static void move_constants(struct module *m)
{
    if (!names_constant(m)) return;
    for (int k = 0; k < m->nsyms; k++)
        if (m->syms[k]->kind == S_VAR && m->syms[k]->space == SP_CONST)
            m->syms[k]->space = SP_GLOBAL;
    for (int k = 0; k < m->nfns; k++)
        for (struct ins *i = m->fns[k]->first; i; i = i->next)
            if (i->space == SP_CONST) {
                i->space = SP_GLOBAL;
                i->nc = i->op == P_LD;
            }
}

struct module *ptx_parse(struct arena *arena, const char *path, const char *text, size_t len,
                         struct hd_err *err)
{
    struct parser *p = arena_alloc(arena, sizeof *p);
    struct module *m = arena_alloc(arena, sizeof *m);
    *m = (struct module){ .arena = arena, .path = path, .text = text, .len = len };
    p->m = m;
    p->arena = arena;
    p->err = err;
    if (setjmp(p->fail)) {
        if (p->out) fclose(p->out);
        free(p->out_text);
        return NULL;
    }
    lex_open(p);
    parse_ins_init(p);
    lex_next(p);
    header(p);
    while (p->tok != TK_EOF) module_item(p);
    check_kernels(p);
    move_constants(m);
    return m;
}
