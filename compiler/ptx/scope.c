/* Scopes of the PTX parser: what a name means between its braces, and labels used before they
 * stand.
 * SPDX-License-Identifier: Apache-2.0 */
#include "compiler/ptx/parse.h"

void scope_open(struct parser *p)
{
    if (p->depth + 1 >= (int)(sizeof p->scope / sizeof *p->scope))
        parse_fail(p, p->loc, "scopes are nested too deeply");
    p->depth++;
    p->scope[p->depth] = NULL;
    p->label_mark[p->depth] = p->nrefs;
}

static struct binding *bind(struct parser *p, struct atom *a, struct srcloc at)
{
    if (a->bound && a->bound->depth == p->depth)
        parse_fail(p, at, "%s is already declared here", a->name);
    struct binding *b = arena_alloc(p->arena, sizeof *b);
    b->atom = a;
    b->depth = p->depth;
    b->outer = a->bound;
    b->next = p->scope[p->depth];
    p->scope[p->depth] = b;
    a->bound = b;
    return b;
}

struct sym *scope_sym(struct parser *p, struct atom *a, enum skind kind, struct srcloc at)
{
    struct sym *s = arena_alloc(p->arena, sizeof *s);
    s->kind = kind;
    s->name = a->name;
    s->loc = at;
    if (a->len == 1 && a->name[0] == '_') return s;     /* `_` names nothing */
    struct binding *b = bind(p, a, at);
    b->kind = B_SYM;
    b->sym = s;
    return s;
}

void scope_bind_reg(struct parser *p, struct atom *a, int reg, int nvec, struct srcloc at)
{
    struct binding *b = bind(p, a, at);
    b->kind = nvec ? B_VEC : B_REG;
    b->reg = reg;
    b->nvec = nvec;
}

void scope_label_ref(struct parser *p, struct atom *a, struct opd *o, struct srcloc at)
{
    if (p->nrefs == p->caprefs) {
        int cap = p->caprefs ? 2 * p->caprefs : 64;
        p->refs = arena_grow(p->arena, p->refs, (size_t)p->nrefs * sizeof *p->refs,
                             (size_t)cap * sizeof *p->refs);
        p->caprefs = cap;
    }
    p->refs[p->nrefs++] = (struct labelref){ a, o, at };
}

/* Labels of this scope are all known now; what is still open may name one further out. */
void scope_close(struct parser *p)
{
    int kept = p->label_mark[p->depth];
    for (int i = kept; i < p->nrefs; i++) {
        struct labelref r = p->refs[i];
        struct binding *b = r.name->bound;
        if (b && b->kind == B_SYM && b->sym->kind == S_LABEL && b->depth == p->depth)
            r.at->sym = b->sym;
        else if (p->depth > 1) p->refs[kept++] = r;
        else parse_fail(p, r.loc, "there is no label %s", r.name->name);
    }
    p->nrefs = kept;
    for (struct binding *b = p->scope[p->depth]; b; b = b->next) b->atom->bound = b->outer;
    p->depth--;
}
