/* Instructions that are others: the text that says which is parsed in their place.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A guard becomes a branch around the text, so that what stands in it needs none.  Names of the
 * text begin with `$'; its tokens have the place of the instruction, for messages and listings. */
#include <stdlib.h>
#include <string.h>
#include "compiler/ptx/expand.h"

bool ex_has(const struct expansion *e, const char *mod)
{
    for (int k = 0; k < e->nmods; k++)
        if (!strcmp(e->mod[k], mod)) return true;
    return false;
}

int ex_one_of(const struct expansion *e, const char *const *words)
{
    for (int k = 0; words[k]; k++)
        if (ex_has(e, words[k])) return k;
    return -1;
}

/* Splits at the commas outside brackets; the text is changed. */
static int split(struct parser *p, char *text, const char **part, int most)
{
    int n = 0, depth = 0;
    for (char *c = text, *from = text;; c++) {
        if (*c && strchr("{[(", *c)) depth++;
        if (*c && strchr("}])", *c)) depth--;
        if (*c && (*c != ',' || depth)) continue;
        if (n == most) parse_fail(p, p->ins_loc, "more than %d operands", most);
        bool last = !*c;
        *c = 0;
        part[n++] = from;
        from = c + 1;
        if (last) return n;
    }
}

int ex_items(const struct expansion *e, int op, const char *item[EX_ITEMS])
{
    if (op >= e->nops) return -1;
    const char *text = e->op[op];
    if (*text != '{') {
        item[0] = text;
        return 1;
    }
    if (text[strlen(text) - 1] != '}') return -1;
    char *copy = arena_printf(e->p->arena, "%.*s", (int)strlen(text) - 2, text + 1);
    return split(e->p, copy, item, EX_ITEMS);
}

bool ex_address(struct expansion *e, int op, const char *name, bool narrow)
{
    struct parser *p = e->p;
    const char *text = op < e->nops ? e->op[op] : "";
    size_t n = strlen(text);
    if (n < 3 || *text != '[' || text[n - 1] != ']')
        parse_fail(p, p->ins_loc, "expected an address in brackets");
    char *base = arena_printf(p->arena, "%.*s", (int)n - 2, text + 1);
    char *off = base + strcspn(base, "+-");
    const char *sum = *off ? arena_printf(p->arena, "%s", off + (*off == '+')) : "0";
    *off = 0;
    struct atom *a = lex_atom(p, base, (int)strlen(base));
    if (a->bound && a->bound->kind == B_REG) {
        bool wide = type_size(p->fn->regs[a->bound->reg].type) == 8;
        fprintf(e->out, ".reg .b%d %s; add.s%d %s, %s, %s;\n", wide ? 64 : 32, name, wide ? 64 : 32,
                name, base, sum);
        return wide;
    }
    fprintf(e->out, ".reg .b%d %s; mov.u%d %s, %s%s%s;\n", narrow ? 32 : 64, name, narrow ? 32 : 64,
            name, base, *sum == '-' || !strcmp(sum, "0") ? "" : "+",
            strcmp(sum, "0") ? sum : "");
    return !narrow;
}

/* A stream to write text to; what fails meanwhile need not close it (ptx_parse does). */
static FILE *text_begin(struct parser *p)
{
    p->out = open_memstream(&p->out_text, &p->out_len);
    if (!p->out) abort();                /* out of memory */
    return p->out;
}

static char *text_end(struct parser *p)
{
    fclose(p->out);
    char *text = arena_printf(p->arena, "%s", p->out_text);
    free(p->out_text);
    p->out = NULL, p->out_text = NULL;
    return text;
}

/* From the modifiers to the semicolon. */
static void read_words(struct expansion *e)
{
    struct parser *p = e->p;
    for (lex_next(p); p->tok == TK_DOT; lex_next(p)) {
        if (e->nmods == EX_MODS) parse_ins_unsupported(p);
        e->mod[e->nmods++] = p->name->name;
    }
    if (parse_is(p, ';')) return;
    FILE *f = text_begin(p);
    for (bool word = false, closed = false; !parse_is(p, ';'); lex_next(p)) {
        bool next = p->tok == TK_NAME || p->tok == TK_INT, two = word && next;
        bool ours = p->tok == TK_NAME && p->name->name[0] == '$';
        if (ours)
            parse_fail(p, p->ins_loc, "%s: in this instruction no name begins with `$'",
                       p->name->name);
        if (two) parse_fail(p, p->ins_loc, "expected ',' between operands");
        if (p->tok == TK_EOF || p->tok == TK_STR || (next && closed))
            parse_fail(p, p->loc, "expected ';' before %s", parse_token_text(p));
        word = p->tok != TK_PUNCT;
        closed = parse_is(p, '}') || parse_is(p, ']');
        const char *from = p->line_at + p->loc.col - 1;     /* a token stands on one line */
        fwrite(from, 1, (size_t)(p->p - from), f);
    }
    e->nops = split(p, text_end(p), e->op, EX_OPS);
}

static const struct expander *const tables[] = { ex_product, ex_matrix, ex_async, ex_small,
                                               ex_more, ex_block };
enum { TABLES = sizeof tables / sizeof *tables };

void parse_expand_init(struct parser *p)
{
    for (int t = 0; t < TABLES; t++)
        for (const struct expander *x = tables[t]; x->name; x++)
            lex_atom(p, x->name, (int)strlen(x->name))->expand = x;
}

/* The modifiers after the name have one of the words. */
static bool applies(const struct parser *p, const char *when)
{
    if (when && *when == '?') return ex_barrier_applies(p);
    size_t n = 0;
    while (p->p + n < p->end && p->p[n] > ' ' && p->p[n] != ';') n++;
    for (const char *w = when; w && *w; w += strcspn(w, " "), w += *w == ' ')
        if (memmem(p->p, n, w, strcspn(w, " "))) return true;
    return !when;
}

bool parse_expand(struct parser *p, int guard, bool guard_neg)
{
    const struct expander *x = p->tok == TK_NAME ? p->name->expand : NULL;
    struct expansion e = { .p = p };
    if (!x || !applies(p, x->when)) return false;
    read_words(&e);
    e.out = text_begin(p);
    fputs("{\n", e.out);
    if (guard >= 0)
        fprintf(e.out, "@%s%s bra $over;\n", guard_neg ? "" : "!", p->fn->regs[guard].name);
    bool known = x->write(&e);
    fputs(guard >= 0 ? "$over:\n}\n" : "}\n", e.out);
    char *kept = text_end(p);
    if (!known) parse_ins_unsupported(p);
    parse_text(p, kept, strlen(kept));
    lex_next(p);                         /* the semicolon */
    return true;
}
