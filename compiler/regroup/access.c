/* How a kernel's accesses depend on the global id (access.h).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every register is a sum: a parameter's address, g times a constant, j times N times a constant
 * with j unknown, a constant, and what does not depend on g.  Values from memory do not: they move
 * with the elements.  Whatever else is made of g ends the analysis, with the instruction that does
 * it: so no register that is looked at depends on g in another way.  What remains open is where in
 * an element an access stands, and in which buffer: a run sees (layout_allows).
 *
 * Requires: PTX text; which kernel.
 * Ensures:  for each parameter the form of its accesses, and bounds; or false, and err has the
 * first
 *           reason with its line. */
#include <inttypes.h>
#include <stdlib.h>
#include "compiler/regroup/access.h"
#include "compiler/regroup/redirect.h"
#include "compiler/regroup/redirect_reads.h"
#include "isa_gen.h"

enum { NO_PARAM = -1, NO_ROWS = -2, MAX_GROWN = 16, DEEP = 200,
       MOST = 4000 /* registers looked at for one */ };
struct form {
    /* OPEN: asked again while being answered; OTHER: of g, but no such sum */
    enum { OPEN, SUM, OTHER } kind;
    int param;                           /* whose address it holds */
    int64_t g, jn, c;                    /* coefficients */
    bool rest;                           /* plus what does not depend on g */
    int scalar;                          /* it is this 32-bit parameter, or NO_PARAM */
    int rows;                        /* where the N of jn, or of the value itself (n), comes from */
    int64_t n;                           /* times N */
};
struct look {
    struct fn *f; const struct reads *reads; struct form *of; bool *known, *open;
    bool *made;                          /* by register: of g, somehow */
    int depth, steps; FILE *show; struct hd_err *err; struct access *out;
};

#define FORM(k) { .kind = k, .param = NO_PARAM, .scalar = NO_PARAM, .rows = NO_ROWS }
static const struct form plain = FORM(SUM), unknown = FORM(OTHER), nothing = FORM(OPEN);

static struct form rest(void)
{
    struct form f = plain;
    f.rest = true;
    return f;
}
static struct form other(void) { return unknown; }
static bool of_g(const struct form *f) { return f->kind == OTHER || f->g || f->jn; }

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* Any constants may stand in a text: what is too large wraps round, as it does in the kernel. */
static int64_t plus(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static int64_t by_times(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }

static struct form add(struct form a, struct form b)
{
    if (a.kind == OTHER || b.kind == OTHER) return other();
    if (a.param != NO_PARAM && b.param != NO_PARAM) return of_g(&a) || of_g(&b) ? other() : rest();
    if (a.rows != NO_ROWS && b.rows != NO_ROWS && a.rows != b.rows)
        return of_g(&a) || of_g(&b) ? other() : rest();
    struct form s = a.kind == OPEN ? a : b.kind == OPEN ? b : plain;
    s.param = a.param != NO_PARAM ? a.param : b.param;
    s.rows = a.rows != NO_ROWS ? a.rows : b.rows;
    s.g = plus(a.g, b.g);
    s.jn = plus(a.jn, b.jn);
    s.n = plus(a.n, b.n);
    s.c = plus(a.c, b.c);
    s.rest = a.rest || b.rest;
    return s;
}

static struct form times(struct form a, int64_t by)
{
    if (a.kind == OTHER) return by ? a : plain;
    if (a.kind == OPEN && by != 1) return rest();
    if (a.param != NO_PARAM && by != 1) return of_g(&a) ? other() : rest();
    a.g = by_times(a.g, by);
    a.jn = by_times(a.jn, by);
    a.n = by_times(a.n, by);
    a.c = by_times(a.c, by);
    if (by != 1) a.scalar = NO_PARAM;
    return a;
}

static bool is_number(const struct form *a)
{
    return a->kind == SUM && !of_g(a) && a->param == NO_PARAM && !a->rest && !a->n;
}

/* The size of the grid times something, or a 32-bit parameter times something: j·N. */
static struct form product(struct form a, struct form b)
{
    if (is_number(&a)) return times(b, a.c);
    if (is_number(&b)) return times(a, b.c);
    if (of_g(&a) || of_g(&b)) return other();
    struct form s = rest();
    if (a.kind == OPEN || b.kind == OPEN) return s;
    const struct form *n = a.n == 1 && a.rows == ACCESS_GRID   ? &a
                           : b.n == 1 && b.rows == ACCESS_GRID ? &b
                           : a.scalar != NO_PARAM              ? &a
                           : b.scalar != NO_PARAM              ? &b
                                                               : NULL;
    if (n) {                                     /* remembered: of use where g is added to it */
        s.rest = false;
        s.rows = n->scalar != NO_PARAM ? n->scalar : n->rows;
        s.n = 1;
    }
    return s;
}

/* One value of several: a loop's variable grows by multiples of N, or by anything. */
static struct form merge(struct form a, struct form b)
{
    if (a.kind == OPEN) return b;
    if (b.kind == OPEN) {                        /* itself plus b: every round adds that */
        if (b.g || b.jn || b.param != NO_PARAM) return other();
        if (b.n && (a.rows == NO_ROWS || a.rows == b.rows) && !b.rest && !b.c) {
            a.rows = b.rows;
            if (a.g) a.jn = b.n;
            else a.rest = true;
        } else if (b.n || b.c || b.rest) a.rest = true;
        a.scalar = NO_PARAM;
        return a;
    }
    if (a.kind == OTHER || b.kind == OTHER) return other();
    if (a.g != b.g || a.param != b.param || a.jn != b.jn || (a.rows != b.rows && (a.jn || b.jn)))
        return of_g(&a) || of_g(&b) ? other() : rest();
    if (a.c != b.c || a.n != b.n || a.scalar != b.scalar) a.rest = true;
    a.rest |= b.rest;
    a.scalar = NO_PARAM;
    return a;
}

/* ---- values ---------------------------------------------------------------------------------- */

static struct form value(struct look *l, const struct opd *o);

static struct form sources(struct look *l, const struct ins *i)
{
    int r[MAX_INS_REGS];
    for (int n = ins_sources(i, r), k = 0; k < n; k++) {
        struct form f = l->made[r[k]] ? value(l, &(struct opd){ .kind = O_REG, .reg = r[k] })
                                      : plain;
        if (of_g(&f)) return other();
    }
    return rest();
}

static int param_of(const struct fn *f, const struct opd *o)
{
    for (int k = 0; k < f->nparams; k++)
        if (o->sym == f->params[k]) return k;
    return NO_PARAM;
}

static struct form loaded(struct look *l, const struct ins *i)
{
    struct form f = rest();
    int p = i->space == SP_PARAM && i->vecn <= 1 && !i->o[1].imm ? param_of(l->f, &i->o[1])
                                                                 : NO_PARAM;
    if (p == NO_PARAM) return f;
    if (type_size(i->type) == 4) f.scalar = p;
    if (type_size(i->type) == 8) {
        f = plain;
        f.param = p;
    }
    return f;
}

static bool is_id(const struct look *l, const struct ins *i)
{
    for (int k = 0; k < l->reads->nids; k++)
        if (l->reads->ids[k].ins == i) return true;
    return false;
}

/* nctaid.x * ntid.x */
static bool is_grid(const struct look *l, const struct ins *i)
{
    bool met[2] = { false, false };
    for (int k = 1; k <= 2; k++) {
        const struct opd *o = &i->o[k];
        for (int b = 0; o->kind == O_REG && b < l->f->nblocks; b++)
            for (const struct ins *d = l->f->blocks[b]->first; d; d = d->next)
                if (d->op == P_MOV && d->o[0].reg == o->reg && d->o[1].kind == O_SREG) {
                    met[0] |= d->o[1].sreg == SREG_NTID_X;
                    met[1] |= d->o[1].sreg == SREG_NCTAID_X;
                }
    }
    return met[0] && met[1] && (i->op == P_MUL || i->op == P_MAD) && i->sub == MUL_LO;
}

static struct form multiplied(struct look *l, const struct ins *i)
{
    struct form f = product(value(l, &i->o[1]), value(l, &i->o[2]));
    if (is_grid(l, i)) {
        f = plain;
        f.n = 1;
        f.rows = ACCESS_GRID;
    }
    return i->hi && of_g(&f) ? other() : f;
}

/* A loop's j·N beside g is what ACCESS_STRIDED means. */
static struct form sum(struct form a, struct form b)
{
    struct form s = add(a, b);
    if (s.kind == SUM && s.n && s.g) {
        s.jn = plus(s.jn, s.n);
        s.n = 0;
    }
    return s;
}

static struct form defined(struct look *l, const struct ins *i)
{
    if (is_id(l, i)) {
        struct form f = plain;
        f.g = 1;
        return f;
    }
    switch (i->op) {
    case P_MOV:
        if (i->o[1].kind == O_SREG) return reads_of(i->o[1].sreg) ? other() : rest();
        return i->o[1].kind == O_REG || i->o[1].kind == O_IMM ? value(l, &i->o[1]) : sources(l, i);
    case P_CVT:
        return type_float(i->type) || type_float(i->stype) || type_size(i->type) < 4
                   ? sources(l, i)
                   : value(l, &i->o[1]);
    case P_CVTA: return value(l, &i->o[1]);
    case P_LD: case P_LDU: return loaded(l, i);
    case P_ATOM: case P_SETP: return rest();    /* instruction() looks at what is compared */
    case P_ADD:
        return type_float(i->type) ? sources(l, i) : sum(value(l, &i->o[1]), value(l, &i->o[2]));
    case P_SUB:
        return type_float(i->type) ? sources(l, i)
                                   : sum(value(l, &i->o[1]), times(value(l, &i->o[2]), -1));
    case P_MUL: return type_float(i->type) ? sources(l, i) : multiplied(l, i);
    case P_MAD:
        return type_float(i->type) ? sources(l, i) : sum(multiplied(l, i), value(l, &i->o[3]));
    case P_SHL:
        if (i->o[2].kind != O_IMM || i->o[2].imm > 31) return sources(l, i);
        return times(value(l, &i->o[1]), (int64_t)1 << i->o[2].imm);
    default: return sources(l, i);
    }
}

/* All definitions of a register that is not being answered already. */
static struct form defined_all(struct look *l, int reg)
{
    /* grown: itself plus something, after all others */
    struct form all = nothing, grown[MAX_GROWN];
    int d[MAX_INS_REGS], parts = 0;
    for (int b = 0; b < l->f->nblocks; b++)
        for (const struct ins *i = l->f->blocks[b]->first; i; i = i->next)
            for (int n = ins_dests(i, d), k = 0; k < n; k++) {
                if (d[k] != reg) continue;
                struct form one = defined(l, i);
                if (one.kind == OPEN && parts == MAX_GROWN) return other();
                if (one.kind == OPEN) grown[parts++] = one;
                else all = all.kind == OPEN ? one : merge(all, one);
            }
    for (int k = 0; k < parts; k++) {
        if (all.kind == OPEN && k) grown[k].rest = true;
        all = all.kind == OPEN ? grown[k] : merge(all, grown[k]);
    }
    return all;
}

/* Kept where no other question is open: an answer within one may lack what that one adds. */
static struct form value(struct look *l, const struct opd *o)
{
    if (o->kind == O_IMM) {
        struct form f = plain;
        if (o->imm >> 31 == 1) return rest();    /* negative with 32 bits, not with 64 */
        f.c = (int64_t)o->imm;
        return f;
    }
    if ((o->kind != O_REG && o->kind != O_ADDR) || o->reg < 0) return rest();
    if (l->known[o->reg]) return l->of[o->reg];
    if (l->open[o->reg]) return nothing;
    if (!l->depth) l->steps = 0;
    if (l->depth == DEEP || ++l->steps > MOST) return l->made[o->reg] ? other() : rest();
    l->open[o->reg] = true;
    l->depth++;
    struct form all = defined_all(l, o->reg);
    l->depth--;
    l->open[o->reg] = false;
    if (l->depth) return all;
    if (all.kind == OPEN) all = rest();          /* never written, or by itself alone */
    l->of[o->reg] = all;
    l->known[o->reg] = true;
    return all;
}

/* ---- uses ------------------------------------------------------------------------------------ */

static bool refuse(struct look *l, const struct ins *i, const char *why)
{
    cc_error(l->err, l->f->m, i->loc, "no layout: %s", why);
    return false;
}

static const char *param_name(const struct look *l, int p)
{
    return p == NO_PARAM ? "?" : l->f->params[p]->name;
}

/* In its element. */
static bool unknown_place(const struct form *f) { return f->rest || f->n; }

static void show_access(const struct look *l, const struct ins *i, const struct form *f, int64_t r)
{
    if (!l->show) return;
    fprintf(l->show, "  line %d: %s %s", i->sline ? i->sline : i->loc.line, ins_name(l->f->m, i),
            param_name(l, f->param));
    if (f->jn) fprintf(l->show, " + %" PRId64 "*(j*N + g)", f->g);
    else if (f->g) fprintf(l->show, " + %" PRId64 "*g", f->g);
    if (f->rest || (!f->g && f->n)) fprintf(l->show, " + anything");
    if (r) fprintf(l->show, " + %" PRId64, r);
    if (f->jn && f->rows == ACCESS_GRID) fprintf(l->show, ", N the threads of the grid");
    else if (f->jn) fprintf(l->show, ", N = %s", param_name(l, f->rows));
    if (f->param == NO_PARAM || (f->g && unknown_place(f)))
        fprintf(l->show, "; a run must show where");
    fputc('\n', l->show);
}

static bool same_buffer(struct look *l, const struct ins *i, const struct form *f, bool writes)
{
    struct access_buffer *b = &l->out->buffer[f->param],
                         now = { .used = true, .written = b->written || writes };
    if (f->g) {
        now.form = f->jn ? ACCESS_STRIDED : ACCESS_ELEMENT;
        now.size = f->g;
        now.rows = f->jn ? f->rows : 0;
    }
    if (b->used && (b->form != now.form || b->size != now.size || b->rows != now.rows))
        return refuse(l, i,
                      arena_printf(l->f->m->arena, "%s is read or written in two forms",
                                   param_name(l, f->param)));
    *b = now;
    return true;
}

static bool accesses(struct look *l, const struct ins *i)
{
    bool store = i->op == P_ST || i->op == P_RED;
    const struct opd *at = &i->o[store ? 0 : 1];
    struct form f = value(l, at);
    int64_t r = plus(f.c, (int64_t)at->imm),
            bytes = type_size(i->type) * (i->vecn > 1 ? i->vecn : 1);
    if (at->sym) return true;                    /* a variable of the module */
    show_access(l, i, &f, r);
    if (f.param == NO_PARAM && of_g(&f))
        return refuse(l, i, "the address is of no parameter's buffer");
    if (f.param == NO_PARAM) return l->out->unsure = true;
    if (f.g && (f.g < bytes || (!unknown_place(&f) && (r < 0 || r > f.g - bytes))))
        return refuse(l, i, "this is beyond the thread's own element");
    l->out->unsure |= f.g && unknown_place(&f);
    if (f.jn && f.jn != f.g) return refuse(l, i, "rows are no multiple of N elements apart");
    return same_buffer(l, i, &f, store || i->op == P_ATOM);
}

static bool compares(struct look *l, const struct ins *i)
{
    struct form a = value(l, &i->o[1]), b = value(l, &i->o[2]);
    const struct form *id = of_g(&a) ? &a : &b, *bound = of_g(&a) ? &b : &a;
    bool bare = id->g == 1 && id->param == NO_PARAM && !id->rest && !id->c;
    if (of_g(bound) || bound->scalar == NO_PARAM || !bare || i->nops > 3)
        return refuse(l, i, "the global id is compared with something else than a parameter");
    if (l->show) fprintf(l->show, "  line %d: %s against %s\n", i->sline ? i->sline : i->loc.line,
                         id->jn ? "j*N + g" : "g", param_name(l, bound->scalar));
    if (l->out->nbounds == ACCESS_BOUNDS) return refuse(l, i, "too many tests of the global id");
    l->out->bound[l->out->nbounds++] = (struct access_bound){ bound->scalar, id->jn != 0,
                                                              id->jn ? id->rows : 0 };
    return true;
}

/* Does the instruction use g, in its operands from `from` on? */
static bool uses_id(struct look *l, const struct ins *i, const struct opd *except)
{
    int r[MAX_INS_REGS];
    for (int n = ins_sources(i, r), k = 0; k < n; k++) {
        struct form f = l->made[r[k]] ? value(l, &(struct opd){ .kind = O_REG, .reg = r[k] })
                                      : plain;
        if (of_g(&f) && !(except && except->reg == r[k])) return true;
    }
    return false;
}

static bool instruction(struct look *l, const struct ins *i)
{
    bool memory = i->op == P_LD || i->op == P_LDU || i->op == P_ST || i->op == P_ATOM ||
                  i->op == P_RED;
    if (memory && (i->space == SP_GLOBAL || i->space == SP_GENERIC)) {
        bool store = i->op == P_ST || i->op == P_RED;
        if (uses_id(l, i, &i->o[store ? 0 : 1]))
            return refuse(l, i, "the global id is stored, or chooses who stores");
        return accesses(l, i);
    }
    if (i->op == P_MOV && i->o[1].kind == O_SREG && reads_of(i->o[1].sreg) &&
        !l->reads->gone[i->o[0].reg])
        return refuse(l, i, "%tid or %ctaid is used beyond the global id");
    if (i->op == P_SETP) return !uses_id(l, i, NULL) || compares(l, i);
    if (is_id(l, i) || !uses_id(l, i, NULL)) return true;
    for (int k = 0; k < l->reads->nids; k++)
        if (l->reads->ids[k].mul == i) return true;
    struct form f = ins_has_dest(i) && i->o[0].kind == O_REG ? value(l, &i->o[0]) : other();
    if (f.kind == SUM && of_g(&f) && i->op != P_CALL) return true;
    return refuse(l, i, "the global id is used beyond addresses and tests against a bound");
}

/* What memory holds, and what a comparison says, is not made of g. */
static void find_made(struct look *l)
{
    int r[MAX_INS_REGS];
    for (bool more = true; more;) {
        more = false;
        for (int b = 0; b < l->f->nblocks; b++)
            for (const struct ins *i = l->f->blocks[b]->first; i; i = i->next) {
                if (i->op == P_LD || i->op == P_LDU || i->op == P_ATOM || i->op == P_SETP) continue;
                bool yes = is_id(l, i) ||
                           (i->op == P_MOV && i->o[1].kind == O_SREG && reads_of(i->o[1].sreg));
                for (int n = ins_sources(i, r), k = 0; k < n; k++) yes |= l->made[r[k]];
                for (int n = ins_dests(i, r), k = 0; yes && k < n; k++) {
                    more |= !l->made[r[k]];
                    l->made[r[k]] = true;
                }
            }
    }
}

/* A function may get addresses, and read or write there; it is not handed g, and may not ask for
 * it. */
static bool calls(struct look *l, const struct fn *to)
{
    for (int b = 0; b < to->nblocks; b++)
        for (const struct ins *i = to->blocks[b]->first; i; i = i->next) {
            bool memory = i->op == P_LD || i->op == P_LDU || i->op == P_ST || i->op == P_ATOM ||
                          i->op == P_RED;
            if (i->op == P_MOV && i->o[1].kind == O_SREG && reads_of(i->o[1].sreg))
                return refuse(l, i, "a function asks who the thread is");
            l->out->unsure |= memory && (i->space == SP_GLOBAL || i->space == SP_GENERIC);
        }
    return true;
}

static bool look_at(struct look *l)
{
    struct module *m = l->f->m;
    bool *reached = arena_alloc(m->arena, (size_t)m->nfns + 1);
    callgraph_reach(l->f, NULL, reached);
    for (int k = 0; k < m->nfns; k++)
        if (reached[k] && m->fns[k]->defined && m->fns[k] != l->f && !calls(l, m->fns[k]))
            return false;
    find_made(l);
    for (int b = 0; b < l->f->nblocks; b++)
        for (const struct ins *i = l->f->blocks[b]->first; i; i = i->next)
            if (!instruction(l, i)) return false;
    return true;
}

static bool find(struct arena *a, const char *path, const char *text, size_t len,
                 const char *kernel, struct access *out, FILE *show, struct hd_err *err)
{
    struct module *m = ptx_parse(a, path, text, len, err);
    struct fn *f = m ? redirect_kernel(m, kernel, err) : NULL;
    if (!f || !redirect_check(m, f, ORDER_GRID, err)) return false;
    m = ptx_parse(a, path, text, len, err);      /* a second module: reads_find wants no blocks */
    f = redirect_kernel(m, kernel, err);
    size_t n = (size_t)f->nregs + 1;
    struct reads reads = reads_find(f);
    struct look l = { .f = f,
                      .reads = &reads,
                      .of = arena_alloc(a, n * sizeof *l.of),
                      .known = arena_alloc(a, n),
                      .open = arena_alloc(a, n),
                      .made = arena_alloc(a, n),
                      .show = show,
                      .err = err,
                      .out = out };
    for (int k = 0; k < m->nfns; k++)
        if (m->fns[k]->defined) cfg_build(m->fns[k]);
    out->nparams = f->nparams;
    out->buffer = calloc((size_t)f->nparams + 1, sizeof *out->buffer);
    if (!out->buffer) {
        hd_err_set(err, 4, "%s: no memory", path);
        return false;
    }
    return look_at(&l);
}

bool access_find(const char *path, const char *text, size_t len, const char *kernel,
                 struct access *out, FILE *show, struct hd_err *err)
{
    struct arena *a = arena_new();
    *out = (struct access){ 0 };
    bool ok = find(a, path, text, len, kernel, out, show, err);
    arena_free(a);
    if (!ok) access_free(out);
    return ok;
}

void access_free(struct access *x)
{
    free(x->buffer);
    *x = (struct access){ 0 };
}

void access_show(const struct module *m, const char *kernel, FILE *out)
{
    struct access x;
    struct hd_err err = { 0 };
    fprintf(out, "%s: access\n", kernel);
    if (!access_find(m->path, m->text, m->len, kernel, &x, out, &err)) {
        fprintf(out, "  %s\n", err.text);
        return;
    }
    fputs("  layout:", out);
    for (int p = 0; p < x.nparams; p++)
        if (x.buffer[p].form)
            fprintf(out, " parameter %d (%" PRId64 " bytes a thread%s)", p + 1, x.buffer[p].size,
                    x.buffer[p].form == ACCESS_STRIDED ? " and row" : "");
    fputc('\n', out);
    access_free(&x);
}
