/* Several units of PTX in one text, as separate compilation makes them: a link by names.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A unit begins at its .version.  What is .visible, .weak or .extern means the same in all units;
 * other names of a module end with their unit, and get its number where they would be mistaken. */
#include <stdlib.h>
#include <string.h>
#include "compiler/ptx/parse.h"

/* Static in C++: an L before the name, which namespaces may come before, or a namespace without a
 * name.  clang makes it .visible where the host names it too: a kernel, a variable that is copied
 * to. */
static bool own_name(const char *name)
{
    if (strncmp(name, "_Z", 2)) return false;
    if (strstr(name, "_GLOBAL__N_1")) return true;
    const char *at = name + 2 + (name[2] == 'N');
    while (*at >= '1' && *at <= '9') {
        char *after;
        size_t bytes = strtoul(at, &after, 10);
        if (bytes > strlen(after)) return false;
        at = after + bytes;
    }
    return *at == 'L';
}

static bool shared_name(const struct sym *s)
{
    bool defined = s->kind == S_FUNC ? s->fn->defined : !s->external;
    if (defined && own_name(s->name)) return false;
    if (s->visible) return true;
    return s->kind == S_FUNC ? s->fn->entry || !s->fn->defined : s->external;
}

/* The next unit begins: names that are the last one's alone go. */
void unit_begin(struct parser *p)
{
    struct binding **at = &p->scope[0];
    for (struct binding *b = *at; b; b = b->next) {
        if (b->kind == B_SYM && shared_name(b->sym)) {
            at = &b->next;
            continue;
        }
        *at = b->next;
        b->atom->bound = b->outer;
        if (b->kind == B_SYM) {
            b->sym->name = arena_printf(p->arena, "%s$unit%d", b->sym->name, p->unit);
            if (b->sym->kind == S_FUNC) b->sym->fn->name = b->sym->name;
        }
    }
    p->unit++;
    p->file_base = p->m->nfiles;
}

/* A variable of the module that this name may declare again; it is bound again then.  NULL: none.
 * */
struct sym *unit_variable(struct parser *p, struct atom *a)
{
    struct binding *b = a->bound;
    if (!p->unit || p->depth || !b || b->kind != B_SYM || b->sym->kind != S_VAR) return NULL;
    a->bound = b->outer;                 /* until unit_merge */
    return b->sym;
}

/* One variable, declared as old and as new: a definition takes the place of a declaration, and the
 * first of weak ones stays.  False: both are definitions.  new is not to be kept. */
bool unit_merge(struct parser *p, struct sym *old, struct sym *new, bool weak)
{
    struct atom *a = lex_atom(p, old->name, (int)strlen(old->name));
    a->bound->sym = old;                 /* uses of both */
    if (new->external) {
        if (new->align > old->align) old->align = new->align;
        if (old->external && new->size > old->size) old->size = new->size, old->nelem = new->nelem;
        return true;
    }
    if (!old->external) return weak;
    *old = *new;
    return true;
}
