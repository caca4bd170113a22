/* The launch grammar: NAME:TYPE=VALUE, NAME:TYPE[COUNT]=init, NAME:bytes[N]=@file, views, @file
 * words.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numbers are C literals (0x.. too); rand draws from splitmix64, so a seed gives the same data
 * everywhere: integers over their full range, floats in [0,1). */
#include "harness/cli/launch_args.h"
#include "cmodel/base/infile.h"
#include "cmodel/base/outfile.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Sets the message and is false, so that a parser can end with it. */
#define FAIL(err, ...) (hd_err_set(err, 2, __VA_ARGS__), false)

bool args_number(const char *text, uint64_t *out, struct hd_err *err)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    if (!isdigit((unsigned char)text[0]) || *end || errno)
        return FAIL(err, "`%s` is not a number", text);
    return true;
}

bool args_dim(const char *text, struct hd_dim3 *out, struct hd_err *err)
{
    uint32_t v[3] = { 1, 1, 1 };
    const char *p = text;
    for (int i = 0; i < 3; i++) {
        char *end;
        unsigned long n = strtoul(p, &end, 0);
        if (!isdigit((unsigned char)*p) || n == 0 || n > 0x7fffffff)
            return FAIL(err, "`%s` is not X[,Y[,Z]] with numbers from 1", text);
        v[i] = (uint32_t)n;
        if (!*end) {
            *out = (struct hd_dim3){ v[0], v[1], v[2] };
            return true;
        }
        if (*end != ',')
            break;
        p = end + 1;
    }
    return FAIL(err, "`%s` is not X[,Y[,Z]] with numbers from 1", text);
}

/* ---- types and initial values ---- */

static bool parse_type(const char *t, size_t n, struct arg *a)
{
    static const struct { const char *name; enum arg_kind kind; unsigned width; } types[] = {
        { "i8", ARG_INT, 1 },    { "i16", ARG_INT, 2 },   { "i32", ARG_INT, 4 },
        { "i64", ARG_INT, 8 },   { "s8", ARG_INT, 1 },    { "s16", ARG_INT, 2 },
        { "s32", ARG_INT, 4 },   { "s64", ARG_INT, 8 },   { "u8", ARG_UINT, 1 },
        { "u16", ARG_UINT, 2 },  { "u32", ARG_UINT, 4 },  { "u64", ARG_UINT, 8 },
        { "f32", ARG_FLOAT, 4 }, { "f64", ARG_FLOAT, 8 }, { "bytes", ARG_BYTES, 1 },
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strlen(types[i].name) == n && !memcmp(types[i].name, t, n)) {
            a->kind = types[i].kind;
            a->width = types[i].width;
            return true;
        }
    return false;
}

/* Stores one value, given as text, into dst.  The value must fit the type. */
static bool parse_value(const struct arg *a, const char *text, uint8_t *dst, struct hd_err *err)
{
    char *end;
    errno = 0;
    if (a->kind == ARG_FLOAT) {
        double v = strtod(text, &end);
        float f = a->width == 4 ? strtof(text, &end) : 0;
        if (end == text || *end)
            return FAIL(err, "%s: `%s` is not a number", a->name, text);
        memcpy(dst, a->width == 4 ? (void *)&f : (void *)&v, a->width);
        return true;
    }
    bool negative = text[0] == '-';
    uint64_t v = negative ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
    if (end == text || *end || errno)
        return FAIL(err, "%s: `%s` is not an integer", a->name, text);
    unsigned bits = a->width * 8;
    bool fits = negative ? a->kind == ARG_INT && (int64_t)v >= -((int64_t)1 << (bits - 1))
                         : bits == 64 || v >> bits == 0;
    if (!fits)
        return FAIL(err, "%s: %s does not fit %u bits", a->name, text, bits);
    memcpy(dst, &v, a->width);
    return true;
}

/* splitmix64 */
uint64_t args_random(uint64_t *s)
{
    uint64_t z = (*s += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t args_mixed(uint64_t *s)
{
    uint32_t v = (uint32_t)args_random(s);
    switch (args_random(s) >> 62) {
    case 0: return v & 15;
    case 1: return 0u - (v & 15);
    case 2: return 0x3f000000 + (v & 0x81ffffff);
    default: return v;
    }
}

static void fill_mixed(struct arg *a, uint64_t seed)
{
    for (size_t i = 0; i < a->count; i++) {
        uint32_t v = args_mixed(&seed);
        memcpy(a->data + i * sizeof v, &v, sizeof v);
    }
}

static void fill_random(struct arg *a, uint64_t seed)
{
    for (size_t i = 0; i < a->count; i++) {
        uint64_t r = args_random(&seed);
        float f = (float)(r >> 40) * 0x1p-24f;
        double d = (double)(r >> 11) * 0x1p-53;
        const void *src = a->kind != ARG_FLOAT ? (void *)&r
                          : a->width == 4      ? (void *)&f
                                               : (void *)&d;
        memcpy(a->data + i * a->width, src, a->width);
    }
}

static void fill_iota(struct arg *a)
{
    for (size_t i = 0; i < a->count; i++) {
        uint64_t u = i;
        float f = (float)i;
        double d = (double)i;
        const void *src = a->kind != ARG_FLOAT ? (void *)&u
                          : a->width == 4      ? (void *)&f
                                               : (void *)&d;
        memcpy(a->data + i * a->width, src, a->width);
    }
}

static bool fill_file(struct arg *a, const char *path, struct hd_err *err)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return FAIL(err, "%s: cannot open %s: %s", a->name, path, strerror(errno));
    size_t want = a->count * a->width;
    size_t got = fread(a->data, 1, want, f);
    bool more = got == want && fgetc(f) != EOF;
    fclose(f);
    if (got != want || more)
        return FAIL(err, "%s: %s holds %s than the %zu bytes of the parameter", a->name, path,
                          more ? "more" : "fewer", want);
    return true;
}

/* Bytes as they lie in memory, two digits each; what is not given is zero. */
static bool fill_hex(struct arg *a, const char *digits, struct hd_err *err)
{
    const size_t n = strspn(digits, "0123456789abcdefABCDEF"), room = a->count * a->width;
    if (digits[n] || n % 2)
        return FAIL(err, "%s: `%.40s` is not pairs of hexadecimal digits", a->name, digits);
    if (n / 2 > room)
        return FAIL(err, "%s: hex: has %zu bytes, more than the %zu of the parameter", a->name,
                    n / 2, room);
    for (size_t i = 0; i < n / 2; i++)
        a->data[i] =
            (uint8_t)strtoul((char[]){ digits[2 * i], digits[2 * i + 1], 0 }, NULL, 16);
    return true;
}

static bool fill_init(struct arg *a, const char *init, struct hd_err *err)
{
    uint64_t seed;
    a->raw = init[0] == '@' || !strcmp(init, "zero") || !strncmp(init, "hex:", 4);
    if (!strcmp(init, "zero"))
        return true;
    if (!strcmp(init, "iota"))
        return fill_iota(a), true;
    if (!strncmp(init, "rand:", 5)) {
        if (!args_number(init + 5, &seed, err))
            return false;
        return fill_random(a, seed), true;
    }
    if (!strncmp(init, "mixed:", 6)) {
        if (!args_number(init + 6, &seed, err))
            return false;
        if (a->width != 4)
            return FAIL(err, "%s: mixed: is for elements of 4 bytes", a->name);
        return fill_mixed(a, seed), true;
    }
    if (!strncmp(init, "hex:", 4))
        return fill_hex(a, init + 4, err);
    if (init[0] == '@')
        return fill_file(a, init + 1, err);
    if (!strncmp(init, "fill:", 5)) {
        if (!parse_value(a, init + 5, a->data, err))
            return false;
        for (size_t i = 1; i < a->count; i++)
            memcpy(a->data + i * a->width, a->data, a->width);
        return true;
    }
    return FAIL(err,
                "%s: `%s` is none of zero, iota, fill:V, rand:SEED, mixed:SEED, hex:BYTES, @file",
                a->name, init);
}

/* ---- one parameter ---- */

static bool parse_param(const char *text, struct arg *a, struct hd_err *err)
{
    const char *colon = strchr(text, ':');
    if (!colon || colon == text)
        return FAIL(err, "`%s` is not NAME:TYPE=VALUE or NAME:TYPE[COUNT]=INIT", text);
    a->name = strndup(text, (size_t)(colon - text));
    const char *type = colon + 1;
    size_t n = strcspn(type, "[=");
    if (!parse_type(type, n, a))
        return FAIL(err, "%s: `%.*s` is not a type (i8 to i64, u8 to u64, f32, f64, bytes)",
                          a->name, (int)n, type);
    const char *p = type + n;
    a->count = 1;
    if (*p == '[') {
        char *end;
        errno = 0;
        unsigned long long count = strtoull(p + 1, &end, 0);
        if (!isdigit((unsigned char)p[1]) || *end != ']' || errno || count == 0 ||
            count > (1ull << 32) / a->width)
            return FAIL(err, "%s: `%s` is not [COUNT] from 1 to 4 GiB", a->name, p);
        a->count = (size_t)count;
        a->array = a->kind != ARG_BYTES;
        p = end + 1;
    }
    if (*p && *p != '=')
        return FAIL(err, "%s: `%s` after the type; expected =", a->name, p);
    if (!a->array && !*p)
        return FAIL(err, "%s: a value is missing (%s=...)", a->name, text);
    a->data = calloc(a->count, a->width);
    if (!a->data)
        return FAIL(err, "%s: no memory for %zu elements", a->name, a->count);
    if (!*p)
        return true;
    if (a->array || a->kind == ARG_BYTES)
        return fill_init(a, p + 1, err);
    return parse_value(a, p + 1, a->data, err);
}

bool args_add(struct launch_args *la, const char *text, struct hd_err *err)
{
    struct arg a = { 0 };
    bool ok = parse_param(text, &a, err);
    for (size_t i = 0; ok && i < la->nargs; i++)
        if (!strcmp(la->args[i].name, a.name))
            ok = FAIL(err, "parameter %s is given twice", a.name);
    struct arg *grown = ok ? realloc(la->args, (la->nargs + 1) * sizeof a) : NULL;
    if (!grown) {
        free(a.name);
        free(a.data);
        return ok ? FAIL(err, "no memory") : false;
    }
    la->args = grown;
    la->args[la->nargs++] = a;
    return true;
}

/* ---- views: --print NAME[a:b], --dump NAME=file ---- */

static bool add_view(struct launch_args *la, struct arg_view v, struct hd_err *err)
{
    struct arg_view *grown = realloc(la->views, (la->nviews + 1) * sizeof v);
    if (!grown)
        return FAIL(err, "no memory");
    la->views = grown;
    la->views[la->nviews++] = v;
    return true;
}

bool args_print(struct launch_args *la, const char *text, struct hd_err *err)
{
    size_t n = strcspn(text, "[");
    struct arg_view v = { .whole = !text[n] };
    if (text[n]) {
        int used = 0;
        if (sscanf(text + n, "[%zu:%zu]%n", &v.from, &v.to, &used) != 2 || text[n + (size_t)used] ||
            v.from >= v.to)
            return FAIL(err, "`%s` is not NAME or NAME[from:to]", text);
    }
    v.name = strndup(text, n);
    return add_view(la, v, err);
}

bool args_dump(struct launch_args *la, const char *text, struct hd_err *err)
{
    const char *eq = strchr(text, '=');
    if (!eq || eq == text || !eq[1])
        return FAIL(err, "`%s` is not NAME=FILE", text);
    struct arg_view v = { .whole = true, .file = strdup(eq + 1) };
    v.name = strndup(text, (size_t)(eq - text));
    return add_view(la, v, err);
}

void args_free(struct launch_args *la)
{
    for (size_t i = 0; i < la->nargs; i++) {
        free(la->args[i].name);
        free(la->args[i].data);
    }
    for (size_t i = 0; i < la->nviews; i++) {
        free(la->views[i].name);
        free(la->views[i].file);
        outfile_drop(la->views[i].out);
    }
    for (size_t i = 0; i < la->nbus; i++)
        free(la->bus[i].name);
    free(la->args);
    free(la->views);
    free(la->bus);
    free(la->kernel);
    *la = (struct launch_args){ 0 };
}

/* ---- @file among the words ---- */

static bool push_word(char ***v, int *n, const char *word, size_t len)
{
    char **grown = realloc(*v, ((size_t)*n + 2) * sizeof *grown);
    if (!grown)
        return false;
    *v = grown;
    grown[(*n)++] = strndup(word, len);
    grown[*n] = NULL;
    return grown[*n - 1] != NULL;
}

static bool push_file(char ***v, int *n, const char *path, struct hd_err *err)
{
    FILE *f = infile_open(path, err);
    if (!f)
        return false;
    char *line = NULL;
    size_t cap = 0;
    bool ok = true;
    while (ok && getline(&line, &cap, f) >= 0) {
        line[strcspn(line, "#\n")] = 0;
        for (char *p = line; ok && *(p += strspn(p, " \t\r")); p += strcspn(p, " \t\r"))
            ok = push_word(v, n, p, strcspn(p, " \t\r"));
    }
    free(line);
    fclose(f);
    return ok || FAIL(err, "no memory");
}

char **args_expand(int argc, char **argv, int *out_argc, struct hd_err *err)
{
    char **v = NULL;
    int n = 0;
    for (int i = 0; i < argc; i++) {
        bool ok = argv[i][0] == '@' ? push_file(&v, &n, argv[i] + 1, err)
                                    : push_word(&v, &n, argv[i], strlen(argv[i]));
        if (!ok) {
            args_free_argv(v);
            return NULL;
        }
    }
    *out_argc = n;
    return v;
}

void args_free_argv(char **argv)
{
    for (char **p = argv; p && *p; p++)
        free(*p);
    free(argv);
}
