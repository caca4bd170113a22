/* Edits of PTX text: tokens, and changes that are applied all at once.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requires: text that has been parsed before, so that its comments, strings and parentheses end;
 * edits
 *           that don't overlap.
 * Ensures:  the text with all edits; what stands between them is copied. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/regroup/redirect_text.h"

struct edits edits_new(struct arena *arena, const char *text, size_t len)
{
    struct edits e = { .arena = arena, .text = text, .len = len, .nlines = 1 };
    for (size_t k = 0; k < len; k++) e.nlines += text[k] == '\n';
    e.line = arena_alloc(arena, (size_t)e.nlines * sizeof *e.line);
    for (size_t k = 0, n = 0; k < len; k++)
        if (text[k] == '\n') e.line[++n] = k + 1;
    return e;
}

void edits_add(struct edits *e, size_t at, size_t del, const char *put)
{
    if (e->n == e->cap) {
        e->cap = e->cap ? 2 * e->cap : 64;
        e->list = arena_grow(e->arena, e->list, (size_t)e->n * sizeof *e->list,
                             (size_t)e->cap * sizeof *e->list);
    }
    e->list[e->n] = (struct edit){ at, del, put, e->n };
    e->n++;
}

static int by_place(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : x->nth - y->nth;
}

char *edits_apply(struct edits *e)
{
    size_t at = 0, size = e->len + 1, used = 0;
    if (e->n) qsort(e->list, (size_t)e->n, sizeof *e->list, by_place);
    for (int k = 0; k < e->n; k++) size += strlen(e->list[k].put);
    char *out = malloc(size);
    if (!out) return NULL;
    for (int k = 0; k <= e->n; k++) {
        size_t to = k < e->n ? e->list[k].at : e->len;
        memcpy(out + used, e->text + at, to - at);
        used += to - at;
        if (k == e->n) break;
        size_t more = strlen(e->list[k].put);
        memcpy(out + used, e->list[k].put, more);
        used += more;
        at = to + e->list[k].del;
    }
    out[used] = 0;
    return out;
}

size_t text_offset(const struct edits *e, struct srcloc loc)
{
    return e->line[loc.line - 1] + (size_t)loc.col - 1;
}

static bool word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%'; }

static size_t skip_blank(const struct edits *e, size_t at)
{
    const char *t = e->text;
    while (at < e->len) {
        if (isspace((unsigned char)t[at])) {
            at++;
        } else if (t[at] == '/' && at + 1 < e->len && t[at + 1] == '/') {
            while (at < e->len && t[at] != '\n') at++;
        } else if (t[at] == '/' && at + 1 < e->len && t[at + 1] == '*') {
            const char *end = memmem(t + at + 2, e->len - at - 2, "*/", 2);
            at = end ? (size_t)(end - t) + 2 : e->len;
        } else {
            break;
        }
    }
    return at;
}

struct token text_next(const struct edits *e, size_t from)
{
    size_t at = skip_blank(e, from), end = at;
    if (at >= e->len) return (struct token){ e->len, e->len };
    if (e->text[at] == '"') {
        for (end = at + 1; end < e->len && e->text[end] != '"'; end++) continue;
        return (struct token){ at, end + 1 };
    }
    while (end < e->len && word(e->text[end])) end++;
    return (struct token){ at, end > at ? end : at + 1 };
}

bool text_is(const struct edits *e, struct token t, const char *w)
{
    return t.end - t.at == strlen(w) && !memcmp(e->text + t.at, w, t.end - t.at);
}

struct token text_find(const struct edits *e, size_t from, char c)
{
    struct token t = text_next(e, from);
    while (t.at < e->len && e->text[t.at] != c) t = text_next(e, t.end);
    return t;
}

size_t text_list_add(struct edits *e, size_t open, const char *item)
{
    struct token last = { open, open + 1 }, t = text_next(e, open + 1);
    bool empty = e->text[t.at] == ')';
    for (int depth = 0; depth || e->text[t.at] != ')'; t = text_next(e, t.end)) {
        depth += (e->text[t.at] == '(') - (e->text[t.at] == ')');
        last = t;
    }
    edits_add(e, empty ? t.at : last.end, 0, empty ? item : arena_printf(e->arena, ",%s", item));
    return t.end;
}
