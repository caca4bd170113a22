/* Tokens of PTX text.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A dot starts a token of its own (.u32, .global), so `%tid.x` is two tokens; the instruction
 * parser puts special registers together again.  The text need not end in a zero byte. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/ptx/parse.h"

/* Character classes: 1 starts a name, 2 continues one, 4 digit, 8 hexadecimal digit. */
static unsigned char_class(unsigned char c)
{
    if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) return 1 | 2 | 8;
    if ((c >= 'g' && c <= 'z') || (c >= 'G' && c <= 'Z')) return 1 | 2;
    if (c >= '0' && c <= '9') return 2 | 4 | 8;
    return c == '_' || c == '$' || c == '%' ? 1 | 2 : 0;
}

void parse_fail(struct parser *p, struct srcloc at, const char *fmt, ...)
{
    char text[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    cc_error(p->err, p->m, at, "%s", text);
    longjmp(p->fail, 1);
}

static void table_grow(struct parser *p)
{
    unsigned size = p->mask ? 2 * (p->mask + 1) : 4096;
    struct atom **bigger = arena_alloc(p->arena, size * sizeof *bigger);
    for (unsigned i = 0; p->mask && i <= p->mask; i++)
        for (struct atom *a = p->table[i], *next; a; a = next) {
            next = a->chain;
            a->chain = bigger[a->hash & (size - 1)];
            bigger[a->hash & (size - 1)] = a;
        }
    p->table = bigger;
    p->mask = size - 1;
}

struct atom *lex_atom(struct parser *p, const char *s, int n)
{
    uint32_t h = 2166136261u;
    for (int i = 0; i < n; i++) h = (h ^ (unsigned char)s[i]) * 16777619u;
    h ^= h >> 15;
    if (p->natoms >= p->mask) table_grow(p);
    for (struct atom *a = p->table[h & p->mask]; a; a = a->chain)
        if (a->hash == h && a->len == n && !memcmp(a->name, s, (size_t)n)) return a;
    struct atom *a = arena_alloc(p->arena, sizeof *a);
    a->name = arena_grow(p->arena, (void *)(uintptr_t)s, (size_t)n, (size_t)n + 1);
    a->len = n;
    a->hash = h;
    a->chain = p->table[h & p->mask];
    p->table[h & p->mask] = a;
    p->natoms++;
    return a;
}

/* `# 7 "x.cu"' or `#line 7 "x.cu"', which a preprocessor leaves; .loc says the lines. */
static bool is_line_note(const struct parser *p)
{
    const char *c = p->p + 1;
    for (int pass = 0; pass < 2; pass++) {
        while (c < p->end && (*c == ' ' || *c == '\t')) c++;
        if (!pass && p->end - c > 4 && !memcmp(c, "line", 4)) c += 4;
    }
    return c < p->end && (char_class((unsigned char)*c) & 4);
}

static void skip_space(struct parser *p)
{
    while (p->p < p->end) {
        char c = *p->p;
        if (c == '\n') {
            p->line++;
            p->line_at = ++p->p;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            p->p++;
        } else if ((c == '/' && p->p + 1 < p->end && p->p[1] == '/') ||
                   (c == '#' && is_line_note(p))) {
            while (p->p < p->end && *p->p != '\n') p->p++;
        } else if (c == '/' && p->p + 1 < p->end && p->p[1] == '*') {
            struct srcloc at = { 0, p->line, (int)(p->p - p->line_at) + 1 };
            for (p->p += 2; !(p->p + 1 < p->end && p->p[0] == '*' && p->p[1] == '/'); p->p++) {
                if (p->p >= p->end) parse_fail(p, at, "this comment has no end");
                if (*p->p == '\n') p->line++, p->line_at = p->p + 1;
            }
            p->p += 2;
        } else {
            return;
        }
    }
}

/* A decimal floating constant: rare, so simply copied for strtod. */
static void lex_decimal_float(struct parser *p, const char *s)
{
    char copy[64];
    size_t n = 0;
    while (s + n < p->end && n < sizeof copy - 1) {
        char c = s[n];
        bool sign = (c == '+' || c == '-') && n && (s[n - 1] == 'e' || s[n - 1] == 'E');
        if (!(char_class((unsigned char)c) & 4) && c != '.' && c != 'e' && c != 'E' && !sign) break;
        copy[n++] = c;
    }
    copy[n] = 0;
    char *stop;
    double d = strtod(copy, &stop);
    if (*stop) parse_fail(p, p->loc, "malformed number %s", copy);
    memcpy(&p->num, &d, sizeof d);
    p->tok = TK_F64;
    p->p = s + n;
}

static void lex_number(struct parser *p)
{
    const char *s = p->p;
    unsigned base = 10;
    p->tok = TK_INT;
    p->num = 0;
    char kind = s + 1 < p->end && *s == '0' ? s[1] : 0;
    if (kind == 'f' || kind == 'F' || kind == 'd' || kind == 'D') {
        int want = kind == 'f' || kind == 'F' ? 8 : 16, n = 0;
        for (s += 2; s < p->end && (char_class((unsigned char)*s) & 8); s++, n++)
            p->num = p->num << 4 | (unsigned)(*s <= '9' ? *s - '0' : (*s | 32) - 'a' + 10);
        if (n != want)
            parse_fail(p, p->loc, "a 0%c constant has %d hexadecimal digits", kind, want);
        p->tok = want == 8 ? TK_F32 : TK_F64;
        p->p = s;
        return;
    }
    if (kind == 'x' || kind == 'X') base = 16, s += 2;
    else if (kind == 'b' || kind == 'B') base = 2, s += 2;
    else if (char_class((unsigned char)kind) & 4) base = 8, s++;
    const char *digits = s;
    for (; s < p->end && (char_class((unsigned char)*s) & 8); s++) {
        unsigned d = (unsigned)(*s <= '9' ? *s - '0' : (*s | 32) - 'a' + 10);
        if (d >= base) break;
        if (p->num > (UINT64_MAX - d) / base)
            parse_fail(p, p->loc, "this number needs more than 64 bits");
        p->num = p->num * base + d;
    }
    if (base == 10 && s + 1 < p->end && (*s == '.' || *s == 'e' || *s == 'E') &&
        (char_class((unsigned char)s[1]) & 4 || s[1] == '-' || s[1] == '+')) {
        lex_decimal_float(p, p->p);
        return;
    }
    p->num_unsigned = p->num >> 63 || (s < p->end && *s == 'U');
    if (s < p->end && *s == 'U') s++;
    if (s == digits || (s < p->end && (char_class((unsigned char)*s) & 2)))
        parse_fail(p, p->loc, "malformed number");
    p->p = s;
}

static void lex_string(struct parser *p)
{
    const char *s = ++p->p;
    while (p->p < p->end && *p->p != '"' && *p->p != '\n') p->p++;
    if (p->p >= p->end || *p->p != '"') parse_fail(p, p->loc, "this string has no end");
    p->tok = TK_STR;
    p->str = s;
    p->str_len = (int)(p->p++ - s);
}

static void lex_name(struct parser *p, bool dotted)
{
    const char *s = p->p;
    while (p->p < p->end) {     /* `L1::no_allocate` is one name */
        if (char_class((unsigned char)*p->p) & 2) p->p++;
        else if (dotted && p->p + 2 < p->end && p->p[0] == ':' && p->p[1] == ':') p->p += 2;
        else break;
    }
    p->tok = dotted ? TK_DOT : TK_NAME;
    p->name = lex_atom(p, s, (int)(p->p - s));
}

void lex_next(struct parser *p)
{
    skip_space(p);
    p->loc = p->fixed.line ? p->fixed
                           : (struct srcloc){ 0, p->line, (int)(p->p - p->line_at) + 1 };
    if (p->p >= p->end) {
        p->tok = TK_EOF;
        return;
    }
    char c = *p->p;
    unsigned cls = char_class((unsigned char)c);
    if (cls & 1) {
        lex_name(p, false);
    } else if (cls & 4) {
        lex_number(p);
    } else if (c == '.' && p->p + 1 < p->end && (char_class((unsigned char)p->p[1]) & 2)) {
        p->p++;
        lex_name(p, true);
    } else if (c == '"') {
        lex_string(p);
    } else if (c && strchr("{}[]()<>,;:=+-!@|.*/~&^?", c)) {
        p->tok = TK_PUNCT;
        p->punct = c;
        p->p++;
    } else {
        parse_fail(p, p->loc, "unexpected character 0x%02x", (unsigned char)c);
    }
}

void lex_skip_line(struct parser *p)
{
    int line = p->loc.line;
    while (p->tok != TK_EOF && p->loc.line == line) lex_next(p);
}

void lex_open(struct parser *p)
{
    p->p = p->line_at = p->m->text;
    p->end = p->p + p->m->len;
    p->line = 1;
    table_grow(p);
}

/* ---- what every part of the parser asks of tokens ------------------------------------------ */

const char *parse_token_text(const struct parser *p)
{
    switch (p->tok) {
    case TK_EOF: return "the end of the text";
    case TK_NAME: return p->name->name;
    case TK_DOT: return arena_printf(p->arena, ".%s", p->name->name);
    case TK_STR: return "a string";
    case TK_PUNCT: return arena_printf(p->arena, "'%c'", p->punct);
    default: return "a number";
    }
}

bool parse_is(const struct parser *p, char c) { return p->tok == TK_PUNCT && p->punct == c; }

bool parse_is_dot(const struct parser *p, const char *name)
{
    return p->tok == TK_DOT && !strcmp(p->name->name, name);
}

bool parse_accept(struct parser *p, char c)
{
    if (!parse_is(p, c)) return false;
    lex_next(p);
    return true;
}

bool parse_accept_dot(struct parser *p, const char *name)
{
    if (!parse_is_dot(p, name)) return false;
    lex_next(p);
    return true;
}

void parse_expect(struct parser *p, char c)
{
    if (!parse_accept(p, c))
        parse_fail(p, p->loc, "expected '%c' before %s", c, parse_token_text(p));
}

struct atom *parse_name(struct parser *p, const char *what)
{
    if (p->tok != TK_NAME)
        parse_fail(p, p->loc, "expected %s before %s", what, parse_token_text(p));
    struct atom *a = p->name;
    lex_next(p);
    return a;
}

int64_t parse_literal(struct parser *p)
{
    if (p->tok != TK_INT) parse_fail(p, p->loc, "expected a number before %s", parse_token_text(p));
    uint64_t v = p->num;
    lex_next(p);
    return (int64_t)v;
}
