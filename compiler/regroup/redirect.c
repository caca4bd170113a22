/* Redirection, PTX to PTX (redirect.h).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The text stays as it is, lines of .loc included, but for:
 *   - the kernel gets D as its last parameter, and begins by loading the entry of its thread;
 *   - functions that read who they are, and those that lead to them, get the entry's words as their
 *   last
 *     parameters, at every call; all functions whose address is taken do, once one of them needs
 *     it;
 *   - reads of %tid and %ctaid become registers that hold the words; where global ids are all that
 *   is
 *     read, each ctaid.x * ntid.x + tid.x becomes one.
 * Other kernels that lead to such functions pass their own ids.
 *
 * Requires: PTX text; which kernel, and the scope.
 * Ensures:  PTX text of the same module, and what an entry of D holds; or NULL, and err says why.
 * The
 *           text of functions that read neither id and lead to none stays as it was. */
#include <stdlib.h>
#include <string.h>
#include "compiler/regroup/redirect.h"
#include "compiler/regroup/redirect_reads.h"
#include "compiler/regroup/redirect_text.h"

enum { WORDS = 5 };
static const char *const word_name[WORDS] = { "id", "thread", "cta_x", "cta_y", "cta_z" };

struct job {
    struct redirect *r; struct module *m; struct fn *kernel; struct edits e;
    const char *p;               /* begins every new name; occurs nowhere in the text */
    struct reads *reads;         /* by fn.id */
    bool *needs;                 /* by fn.id: takes the words, or (a kernel) has them */
    bool by_register;            /* calls through registers pass them too */
};

/* ---- what is needed -------------------------------------------------------------------------- */

struct fn *redirect_kernel(struct module *m, const char *name, struct hd_err *err)
{
    struct fn *k = NULL;
    int n = 0;
    for (int i = 0; i < m->nfns; i++)
        if (m->fns[i]->entry && (!name || !strcmp(m->fns[i]->name, name))) k = m->fns[i], n++;
    if (n == 1) return k;
    if (name) hd_err_set(err, 2, "%s: there is no kernel %s", m->path, name);
    else
        hd_err_set(err, 2, "%s: %s", m->path,
                   n ? "name the kernel (--kernel): there are several" : "there is no kernel");
    return NULL;
}

/* A call that passes the words. */
static bool passes(const struct job *j, const struct ins *i)
{
    const struct fn *to = callgraph_callee(i);
    return to ? j->needs[to->id] : callgraph_by_register(i) && j->by_register;
}

static bool leads_to_need(const struct job *j, const struct fn *f)
{
    for (const struct ins *i = f->first; i; i = i->next)
        if (passes(j, i)) return true;
    return false;
}

/* What calls may lead to, as callgraph_reach finds it in blocks. */
static void reach(const struct job *j, const struct fn *f, bool *seen)
{
    if (seen[f->id]) return;
    seen[f->id] = true;
    for (const struct ins *i = f->first; i; i = i->next) {
        if (callgraph_callee(i)) reach(j, callgraph_callee(i), seen);
        for (int k = 0; callgraph_by_register(i) && k < j->m->nfns; k++)
            if (j->m->fns[k]->address_taken) reach(j, j->m->fns[k], seen);
    }
}

static void find_needs(struct job *j)
{
    struct module *m = j->m;
    bool more = true, *reached = arena_alloc(m->arena, (size_t)m->nfns + 1);
    reach(j, j->kernel, reached);
    for (int k = 0; k < m->nfns; k++) {
        j->reads[k] = reads_find(m->fns[k]);
        j->needs[k] = m->fns[k] == j->kernel || (reached[k] && j->reads[k].all);
    }
    while (more) {
        more = false;
        for (int k = 0; k < m->nfns; k++) {
            const struct fn *f = m->fns[k];
            if (j->needs[k] && f->address_taken && !j->by_register) j->by_register = more = true;
            if (j->needs[k] || !f->defined) continue;
            if ((j->by_register && f->address_taken) || leads_to_need(j, f))
                j->needs[k] = more = true;
        }
    }
}

/* The kernel, or a function: an entry of another kernel keeps its own ids. */
static bool redirected(const struct job *j, const struct fn *f)
{
    return f->defined && j->needs[f->id] && (!f->entry || f == j->kernel);
}

static void choose_form(struct job *j)
{
    unsigned all = 0, beyond = 0;
    for (int k = 0; k < j->m->nfns; k++)
        if (redirected(j, j->m->fns[k])) {
            all |= j->reads[k].all;
            beyond |= j->reads[k].beyond;
        }
    struct redirect *r = j->r;
    r->dims = all & (READS_TID_Z | READS_CTA_Z) ? 3 : all & (READS_TID_Y | READS_CTA_Y) ? 2 : 1;
    if (r->scope == ORDER_BLOCK) all &= READS_TID, beyond &= READS_TID;
    r->fields = !beyond ? ORDER_ID
                        : (all & READS_TID ? ORDER_THREAD : 0) | (all / READS_CTA_X) * ORDER_CTA_X;
    unsigned n = (unsigned)__builtin_popcount(r->fields);
    r->words = n == 3 ? 4 : n;
}

/* ---- new code -------------------------------------------------------------------------------- */

static const char *list_words(const struct job *j, const char *form)
{
    char *s = arena_printf(j->m->arena, "%s", "");
    for (int w = 0; w < WORDS; w++)
        if (j->r->fields >> w & 1) {
            char *one = arena_printf(j->m->arena, form, j->p, word_name[w]);
            s = arena_printf(j->m->arena, "%s%s%s", s, *s ? ", " : "", one);
        }
    return s;
}

/* Two or three of a's dimensions in one number: (z * size.y + y) * size.x + x. */
static void flatten(const struct job *j, FILE *o, const char *to, const char *what,
                    const char *size)
{
    for (int d = j->r->dims - 1; d >= 0; d--) {
        char axis = "xyz"[d];
        if (d == j->r->dims - 1) {
            fprintf(o, "\tmov.u32 \t%%%s%s, %%%s.%c;\n", j->p, to, what, axis);
            continue;
        }
        fprintf(o, "\tmov.u32 \t%%%sa, %%%s.%c;\n\tmov.u32 \t%%%sb, %%%s.%c;\n", j->p, size, axis,
                j->p, what, axis);
        fprintf(o, "\tmad.lo.u32 \t%%%s%s, %%%s%s, %%%sa, %%%sb;\n", j->p, to, j->p, to, j->p,
                j->p);
    }
}

/* The number of this thread in the launch, in `g`. */
static void global_id(const struct job *j, FILE *o)
{
    flatten(j, o, "cta", "ctaid", "nctaid");
    flatten(j, o, "lane", "tid", "ntid");
    fprintf(o, "\tmov.u32 \t%%%sa, %%ntid.x;\n", j->p);
    for (int d = 1; d < j->r->dims; d++)
        fprintf(o, "\tmov.u32 \t%%%sb, %%ntid.%c;\n\tmul.lo.u32 \t%%%sa, %%%sa, %%%sb;\n", j->p,
                "xyz"[d], j -> p, j -> p, j -> p);
    fprintf(o, "\tmad.lo.u32 \t%%%sg, %%%scta, %%%sa, %%%slane;\n", j->p, j->p, j->p, j->p);
}

/* The entry of D that belongs to this thread. */
static void load_entry(const struct job *j, FILE *o)
{
    const char *p = j->p;
    global_id(j, o);
    fprintf(o, "\tld.param.u64 \t%%%sd, [%sorder];\n\tcvta.to.global.u64 \t%%%sd, %%%sd;\n", p, p,
            p, p);
    fprintf(o, "\tmul.wide.u32 \t%%%soff, %%%sg, %u;\n\tadd.s64 \t%%%sd, %%%sd, %%%soff;\n", p, p,
            4 * j->r->words, p, p, p);
    const char *words = list_words(j, "%%%s%s");
    if (j->r->words == 1) fprintf(o, "\tld.global.nc.u32 \t%s, [%%%sd];\n", words, p);
    else {
        bool pad = (unsigned)__builtin_popcount(j->r->fields) < j->r->words;
        fprintf(o, "\tld.global.nc.v%u.u32 \t{%s", j->r->words, words);
        if (pad) fprintf(o, ", %%%sa", p);
        fprintf(o, "}, [%%%sd];\n", p);
    }
}

/* A kernel that stays as it is, and calls functions that do not. */
static void own_words(const struct job *j, FILE *o)
{
    const char *p = j->p;
    global_id(j, o);
    if (j->r->fields & ORDER_ID) fprintf(o, "\tmov.u32 \t%%%sid, %%%sg;\n", p, p);
    if (j->r->fields & ORDER_THREAD) fprintf(o, "\tmov.u32 \t%%%sthread, %%tid.x;\n", p);
    for (int d = 1; d < j->r->dims && j->r->fields & ORDER_THREAD; d++)
        fprintf(o,
                "\tmov.u32 \t%%%sa, %%tid.%c;\n\tmad.lo.u32 \t%%%sthread, %%%sa, %d, %%%sthread;\n",
                p, "xyz"[d], p, p, 1 << 10 * d, p);
    for (int d = 0; d < 3; d++)
        if (j->r->fields & ORDER_CTA_X << d)
            fprintf(o, "\tmov.u32 \t%%%s%s, %%ctaid.%c;\n", p, word_name[2 + d], "xyz"[d]);
}

/* tid.x, tid.y and tid.z of the packed word. */
static void unpack(const struct job *j, FILE *o)
{
    const char *p = j->p;
    if (j->r->dims == 1 || !(j->r->fields & ORDER_THREAD)) return;
    fprintf(
        o,
        "\t.reg .b32 \t%%%stid_x, %%%stid_y, %%%stid_z;\n"
        "\tand.b32 \t%%%stid_x, %%%sthread, 1023;\n",
        p, p, p, p, p);
    fprintf(o, "\tshr.u32 \t%%%stid_y, %%%sthread, 10;\n\tand.b32 \t%%%stid_y, %%%stid_y, 1023;\n",
            p, p, p, p);
    fprintf(o, "\tshr.u32 \t%%%stid_z, %%%sthread, 20;\n", p, p);
}

/* What a body begins with. */
static const char *prologue(struct job *j, const struct fn *f)
{
    char *text = NULL;
    size_t n = 0;
    FILE *o = open_memstream(&text, &n);
    if (!o) abort();
    fprintf(o, "\n\t.reg .b32 \t%s;\n", list_words(j, "%%%s%s"));
    if (f->entry)
        fprintf(
            o,
            "\t.reg .b32 \t%%%sa, %%%sb, %%%scta, %%%slane, %%%sg;\n"
            "\t.reg .b64 \t%%%sd, %%%soff;\n",
            j->p, j->p, j->p, j->p, j->p, j->p, j->p);
    if (f == j->kernel) load_entry(j, o);
    else if (f->entry) own_words(j, o);
    for (int w = 0; w < WORDS && !f->entry; w++)
        if (j->r->fields >> w & 1)
            fprintf(o, "\tld.param.u32 \t%%%s%s, [%s%s];\n", j->p, word_name[w], j->p,
                    word_name[w]);
    if (redirected(j, f)) unpack(j, o);
    fclose(o);
    const char *kept = arena_printf(j->m->arena, "%s", text);
    free(text);
    return kept;
}

/* ---- headers --------------------------------------------------------------------------------- */

static struct token behind_list(const struct edits *e, struct token t)
{
    if (e->text[t.at] != '(') return t;
    return text_next(e, text_find(e, t.end, ')').end);
}

/* A list of parameters at t, or none: one item more.  `name` stands before it. */
static struct token add_param(struct edits *e, struct token name, struct token t, const char *item)
{
    if (e->text[t.at] == '(') return text_next(e, text_list_add(e, t.at, item));
    edits_add(e, name.end, 0, arena_printf(e->arena, "(%s)", item));
    return t;
}

/* From after .entry or .func to its body or end. */
static struct token header(struct job *j, struct token t)
{
    struct edits *e = &j->e;
    struct fn *f = NULL;
    while (e->text[t.at] == '.') t = text_next(e, text_next(e, t.end).end);          /* .noreturn */
    struct token name = behind_list(e, t);
    t = text_next(e, name.end);
    for (int k = 0; k < j->m->nfns; k++)
        if (text_is(e, name, j->m->fns[k]->name)) f = j->m->fns[k];
    bool needs = f && j->needs[f->id];
    if (f == j->kernel)
        t = add_param(e, name, t, arena_printf(e->arena, "\n\t.param .u64 %sorder", j->p));
    else if (needs && !f->entry) t = add_param(e, name, t, list_words(j, "\n\t.param .b32 %s%s"));
    else t = behind_list(e, t);
    for (; e->text[t.at] != '{' && e->text[t.at] != ';'; t = text_next(e, t.end))
        if (text_is(e, t, "pragma")) t = text_find(e, t.end, ';');
    if (needs && e->text[t.at] == '{') edits_add(e, t.end, 0, prologue(j, f));
    return t;
}

static void headers(struct job *j)
{
    struct edits *e = &j->e;
    struct token dot = text_next(e, 0);
    while (dot.at < e->len) {
        struct token t = text_next(e, dot.end);
        if (e->text[dot.at] == '.' && (text_is(e, t, "entry") || text_is(e, t, "func"))) {
            t = header(j, text_next(e, t.end));
        } else if (e->text[dot.at] == '.' && j->by_register && text_is(e, t, "callprototype")) {
            struct token name = behind_list(e, text_next(e, t.end));
            t = add_param(e, name, text_next(e, name.end), list_words(j, "%.0s%.0s.param .b32 _"));
        }
        dot = t;
    }
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static void put_instead(struct job *j, const struct ins *i, const char *text)
{
    size_t at = text_offset(&j->e, i->loc);
    edits_add(&j->e, at, text_find(&j->e, at, ';').end - at, text);
}

static const char *new_name(const struct job *j, unsigned what)
{
    static const char *const tid[] = { "tid_x", "tid_y", "tid_z" };
    int bit = __builtin_ctz(what);
    const char *name = bit >= 3 ? word_name[bit - 1] : j->r->dims == 1 ? "thread" : tid[bit];
    return arena_printf(j->m->arena, "%%%s%s", j->p, name);
}

/* mov.u32 %r1, %tid.x: reads the register that holds the new one. */
static void rename_read(struct job *j, const struct reads *reads, const struct ins *i)
{
    struct edits *e = &j->e;
    unsigned what = reads_of(i->o[1].sreg);
    if (!what || (j->r->scope == ORDER_BLOCK && !(what & READS_TID) && !(j->r->fields & ORDER_ID)))
        return;
    if (j->r->fields & ORDER_ID) {
        if (reads->gone[i->o[0].reg]) put_instead(j, i, "");
        return;
    }
    struct token t = text_find(e, text_offset(e, i->loc), ',');
    t = text_next(e, t.end);
    edits_add(e, t.at, text_next(e, text_next(e, t.end).end).end - t.at, new_name(j, what));
}

static void pass_words(struct job *j, const struct ins *i)
{
    struct edits *e = &j->e;
    struct token t = text_next(e, text_next(e, text_offset(e, i->loc)).end);
    while (e->text[t.at] == '.') t = text_next(e, text_next(e, t.end).end);          /* .uni */
    if (e->text[t.at] == '(') t = text_next(e, behind_list(e, t).end);             /* and a comma */
    struct token comma = text_next(e, t.end), open = text_next(e, comma.end);
    const char *words = list_words(j, "%%%s%s");
    if (e->text[comma.at] == ',' && e->text[open.at] == '(')
        text_list_add(e, open.at, arena_printf(e->arena, " %s", words));
    else
        edits_add(e, t.end, 0, arena_printf(e->arena, ", (%s)", words));
}

static void body(struct job *j, const struct fn *f)
{
    const struct reads *reads = &j->reads[f->id];
    bool renames = redirected(j, f);
    for (const struct ins *i = f->first; i; i = i->next) {
        if (i->op == P_CALL && passes(j, i)) pass_words(j, i);
        if (renames && i->op == P_MOV && i->o[1].kind == O_SREG) rename_read(j, reads, i);
    }
    for (int k = 0; k < reads->nids && renames && j->r->fields & ORDER_ID; k++) {
        const struct linear *l = &reads->ids[k];
        put_instead(j, l->ins,
                    arena_printf(j->m->arena, "mov.u32 \t%s, %%%sid;",
                                 f->regs[l->ins->o[0].reg].name, j->p));
        if (l->mul) put_instead(j, l->mul, "");
    }
}

/* ---- the module ------------------------------------------------------------------------------ */

static const char *free_prefix(struct arena *a, const char *text, size_t len)
{
    for (int k = 0;; k++) {
        const char *p = arena_printf(a, "hd%d_", k);
        if (!memmem(text, len, p, strlen(p))) return p;
    }
}

static char *rewrite(struct job *j)
{
    size_t n = (size_t)j->m->nfns + 1;
    j->reads = arena_alloc(j->m->arena, n * sizeof *j->reads);
    j->needs = arena_alloc(j->m->arena, n);
    find_needs(j);
    choose_form(j);
    headers(j);
    for (int k = 0; k < j->m->nfns; k++)
        if (j->m->fns[k]->defined && j->needs[k]) body(j, j->m->fns[k]);
    return edits_apply(&j->e);
}

/* On a module of its own: building blocks takes instructions out of the parsed list. */
static bool may(struct arena *a, const char *path, const char *text, size_t len,
                const struct redirect *r, struct hd_err *err)
{
    struct module *m = ptx_parse(a, path, text, len, err);
    struct fn *k = m ? redirect_kernel(m, r->kernel, err) : NULL;
    return k && redirect_check(m, k, r->scope, err);
}

char *redirect_ptx(const char *path, const char *text, size_t len, struct redirect *r,
                   struct hd_err *err)
{
    struct arena *a = arena_new();
    struct job j = { .r = r };
    char *out = NULL;
    if (may(a, path, text, len, r, err) && (j.m = ptx_parse(a, path, text, len, err))) {
        j.kernel = redirect_kernel(j.m, r->kernel, err);
        j.e = edits_new(a, text, len);
        j.p = free_prefix(a, text, len);
        out = rewrite(&j);
        if (!out) hd_err_set(err, 4, "%s: no memory for the redirected text", path);
    }
    arena_free(a);
    return out;
}
