/* The assembler's cursor on a line.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/image/asm_lex.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool lex_fail(struct lex *l, const char *at, const char *fmt, ...)
{
    char what[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    int len = (int)strcspn(l->line, "\n"), column = (int)(at - l->line);
    if (len > 160)
        len = 160;
    char blanks[161];
    int n = column < len ? column : len;    /* tabs stay tabs, so that the caret stands right */
    for (int i = 0; i < n; i++)
        blanks[i] = l->line[i] == '\t' ? '\t' : ' ';
    hd_err_set(l->err, 2, "%s:%u:%d: %s\n%.*s\n%.*s^", l->name, l->number, column + 1, what, len,
               l->line, n, blanks);
    return false;
}

const char *lex_skip(struct lex *l)
{
    while (*l->p == ' ' || *l->p == '\t' || *l->p == '\r')
        l->p++;
    if (*l->p == '#' || (l->p[0] == '/' && l->p[1] == '/'))
        l->p += strcspn(l->p, "\n");
    return l->p;
}

bool lex_end(struct lex *l)
{
    return !*lex_skip(l) || *l->p == '\n';
}

bool lex_accept(struct lex *l, char c)
{
    if (*lex_skip(l) != c)
        return false;
    l->p++;
    return true;
}

bool lex_expect(struct lex *l, char c)
{
    return lex_accept(l, c) || lex_fail(l, l->p, "'%c' is missing here", c);
}

static bool name_char(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_$.%", c));
}

bool lex_name(struct lex *l, char *buf, size_t n)
{
    const char *s = lex_skip(l);
    size_t len = 0;
    while (name_char(s[len]))
        len++;
    if (!len || isdigit((unsigned char)*s))
        return lex_fail(l, s, "a name is missing here");
    if (len >= n)
        return lex_fail(l, s, "the name is longer than %zu characters", n - 1);
    memcpy(buf, s, len);
    buf[len] = 0;
    l->p += len;
    return true;
}

bool lex_number(struct lex *l, int64_t lo, int64_t hi, int64_t *v)
{
    const char *s = lex_skip(l), *d = s + (*s == '-');
    char *end;
    if (!isdigit((unsigned char)*d))
        return lex_fail(l, s, "a number is missing here");
    errno = 0;
    bool hex = d[0] == '0' && (d[1] == 'x' || d[1] == 'X');
    uint64_t u = strtoull(d, &end, hex ? 16 : 10);
    if (name_char(*end) || (hex && end == d + 1))
        return lex_fail(l, s, "this is no number");
    bool neg = *s == '-', wide = errno || (neg ? u > 1ull << 63 : u > INT64_MAX);
    int64_t value = wide ? 0 : neg ? (int64_t)(0 - u) : (int64_t)u;
    if (wide || value < lo || value > hi)
        return lex_fail(l, s, "%.*s is not within %lld to %lld", (int)(end - s), s, (long long)lo,
                        (long long)hi);
    *v = value;
    l->p = end;
    return true;
}

bool lex_immediate(struct lex *l, uint32_t *v)
{
    const char *s = lex_skip(l);
    size_t n = *s == '-';
    bool hex = s[n] == '0' && (s[n + 1] == 'x' || s[n + 1] == 'X');
    char *end;
    if (s[0] == '0' && s[1] == 'f') {
        *v = (uint32_t)strtoul(s + 2, &end, 16);
        if (end != s + 10 || !isxdigit((unsigned char)s[2]) || name_char(*end))
            return lex_fail(l, s, "0f takes eight hexadecimal digits");
        l->p = end;
        return true;
    }
    while (isdigit((unsigned char)s[n]))
        n++;
    if (!hex && isdigit((unsigned char)s[s[0] == '-']) && (s[n] == '.' || s[n] == 'e')) {
        float f = strtof(s, &end);
        if (name_char(*end))
            return lex_fail(l, s, "this is no number");
        memcpy(v, &f, 4);
        l->p = end;
        return true;
    }
    int64_t i;
    if (!lex_number(l, INT32_MIN, UINT32_MAX, &i))
        return false;
    *v = (uint32_t)i;
    return true;
}

bool lex_string(struct lex *l, char *buf, size_t n)
{
    size_t len = 0;
    if (!lex_expect(l, '"'))
        return false;
    while (*l->p != '"') {
        if (*l->p == '\\' && (l->p[1] == '"' || l->p[1] == '\\'))
            l->p++;
        if (!*l->p || *l->p == '\n')
            return lex_fail(l, l->p, "the string has no end");
        if (len + 1 >= n)
            return lex_fail(l, l->p, "the string is longer than %zu characters", n - 1);
        buf[len++] = *l->p++;
    }
    buf[len] = 0;
    l->p++;
    return true;
}

bool lex_register(struct lex *l, char letter, int count, char last, int none, uint8_t *v)
{
    const char *s = lex_skip(l);
    if (*s == letter && last && s[1] == last && !name_char(s[2])) {
        *v = (uint8_t)none;
        l->p += 2;
        return true;
    }
    int n = 0, value = 0;
    while (*s == letter && isdigit((unsigned char)s[1 + n]) && n < 4)
        value = 10 * value + s[1 + n++] - '0';
    if (!n || name_char(s[1 + n]))
        return lex_fail(l, s, last ? "a register, %c0 to %c%d or %c%c, is missing here"
                                   : "a register, %c0 to %c%d, is missing here",
                        letter, letter, count - 1, letter, last);
    if (value >= count)
        return lex_fail(l, s, "the last register is %c%d", letter, count - 1);
    *v = (uint8_t)value;
    l->p += 1 + n;
    return true;
}

bool lex_at_register(struct lex *l)
{
    const char *s = lex_skip(l);
    size_t n = 1;
    if (*s != 'R')
        return false;
    if (s[1] == 'Z')
        return !name_char(s[2]);
    while (isdigit((unsigned char)s[n]))
        n++;
    return n > 1 && !name_char(s[n]);
}
