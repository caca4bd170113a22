/* nvcc reads `kernel<< <1, 2>> >(x)` as a launch, which is what old formatters make of one; clang
 * wants `<<<` and `>>>` whole.  nvcc takes `__shared__ alignas(T)`, clang there only C's
 * `_Alignas`, our `__align`; nvcc takes a pragma out of a macro, which for clang our `__hdp` has to
 * make, names of PTX in asm with one %, which clang wants twice, and braces for a launch's grid and
 * block.  Sources that have one of these are rewritten, but for the last two at the same length,
 * those that launch from kernels too (children.c), and clang is shown the copies under the sources'
 * own names.
 * SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "compiler/all.h"
#include "cuda/nvcc/nvcc.h"

static bool in_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Where the word or number begins that ends before p, of which 64 characters are looked at. */
static const char *word_of(const char *text, const char *p)
{
    text = p - text > 64 ? p - 64 : text;
    while (p > text && (in_word(p[-1]) || (p[-1] == '\'' && p - 1 > text && in_word(p[-2]))))
        p--;
    return p;
}

/* After R"mark( ... )mark", whose quote p is; NULL: it is none. */
static char *skip_raw(const char *text, char *p)
{
    const char *word = word_of(text, p);
    size_t n = strcspn(p + 1, "()\\\" \n");
    char end[20];
    if (p == word || p[-1] != 'R' || (p - 1 > word && !strchr("uUL8", p[-2])) || n > 16 ||
        p[1 + n] != '(')
        return NULL;
    snprintf(end, sizeof end, ")%.*s\"", (int)n, p + 1);
    char *at = strstr(p, end);
    return at ? at + n + 2 : p + strlen(p);
}

const char *nvcc_skip(const char *text, const char *at)
{
    char *p = (char *)(uintptr_t)at;
    if (p[0] == '/' && p[1] == '/')
        return p + strcspn(p, "\n");
    if (p[0] == '/' && p[1] == '*') {
        char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (*p != '"' && *p != '\'')
        return p;
    char *raw = *p == '"' ? skip_raw(text, p) : NULL, first = *word_of(text, p);
    if (raw)
        return raw;
    if (*p == '\'' && first >= '0' && first <= '9')         /* 1'000 */
        return p;
    char quote = *p++;
    while (*p && *p != quote && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

static char *skip(const char *text, char *p)
{
    return (char *)(uintptr_t)nvcc_skip(text, p);
}

/* The length of twice c, blanks, c, where that stands at p and means nothing longer; else 0. */
static size_t apart(const char *p, char c)
{
    if (p[0] != c || p[1] != c)
        return 0;
    size_t blanks = strspn(p + 2, " \t");
    return blanks && p[2 + blanks] == c && p[3 + blanks] != c && p[3 + blanks] != '=' ? 3 + blanks
                                                                                        : 0;
}

/* Where the launch's brackets close, its arguments following; a launch has none within. */
static char *closing(const char *text, char *p)
{
    int depth = 0;
    while (*p && *p != ';' && depth >= 0 && !apart(p, '<')) {
        char *next = skip(text, p);
        if (next != p) {
            p = next;
            continue;
        }
        size_t n = depth ? 0 : apart(p, '>');
        if (n && p[n + strspn(p + n, " \t\r\n\\")] == '(')
            return p;
        depth += *p == '(' || *p == '[' || *p == '{';
        depth -= *p == ')' || *p == ']' || *p == '}';
        p++;
    }
    return NULL;
}

static void join(char *p, size_t n, char c)
{
    memset(p, ' ', n - 3);
    memset(p + n - 3, c, 3);
}

bool nvcc_join_brackets(char *text)
{
    bool changed = false, call = false;      /* call: something that can be launched is before */
    for (char *p = text; *p;) {
        char *next = skip(text, p), *end;
        size_t n = apart(p, '<');
        if (next != p) {
            p = next;
        } else if (n && call && (end = closing(text, p + n))) {
            join(p, n, '<');
            join(end, apart(end, '>'), '>');
            changed = true;
            p = end;
        } else {
            bool word = *p == '>' || in_word(*p);
            bool blank = *p == ' ' || *p == '\t' || *p == '\r' || *p == '\n';
            call = word ? p - text < 7 || strncmp(p - 7, "operator", 8) : call && blank;
            p++;
        }
    }
    return changed;
}

/* After the parentheses that begin at p, or behind blanks from it. */
static char *past_group(const char *text, char *p)
{
    char *at = p + strspn(p, " \t\r\n\\");
    if (*at != '(')
        return p;
    for (int depth = 0; *at;) {
        char *next = skip(text, at);
        depth += *at == '(';
        if (*at == ')' && !--depth)
            return at + 1;
        at = next != at ? next : at + 1;
    }
    return at;
}

/* alignas after words of a declaration, at the same length. */
static bool align(char *text)
{
    static const char *const groups[] = { "alignas", "__align__", "__attribute__" };
    static const char *const words[] = { "__shared__",  "__device__", "__constant__",
                                         "__managed__", "static",     "extern",
                                         "const",       "volatile",   "constexpr" };
    bool changed = false, after = false;
    for (char *p = text; *p;) {
        char *next = skip(text, p);
        size_t n = 0;
        while (next == p && in_word(p[n]))
            n++;
        bool group = false;
        for (size_t k = 0; after && k < sizeof groups / sizeof *groups; k++)
            group |= n == strlen(groups[k]) && !strncmp(p, groups[k], n);
        if (group && n == 7)
            memcpy(p, "__align", n), changed = true;
        if (group)
            next = past_group(text, p + n);
        if (next == p && !strchr(" \t\r\n\\", *p)) {
            after = false;
            for (size_t k = 0; k < sizeof words / sizeof *words; k++)
                after |= n == strlen(words[k]) && !strncmp(p, words[k], n);
        }
        p = next != p ? next : p + (n ? n : 1);
    }
    return changed;
}

/* `#define UNROLL #pragma unroll 4' becomes `#define UNROLL __hdp(unroll 4) ', up to the line's
 * end. */
static bool pragmas(char *text)
{
    bool changed = false, define = false, start = true;      /* start: of a line */
    for (char *p = text; *p;) {
        char *next = skip(text, p);
        const char *word = p + 1 + strspn(p + 1, " \t");
        if (next != p) {
            p = next;
            continue;
        }
        if (start && *p == '#') {
            define = !strncmp(word, "define", 6) && !in_word(word[6]);
        } else if (define && !strncmp(p, "#pragma", 7) && (p[7] == ' ' || p[7] == '\t')) {
            size_t n = strcspn(p + 8, "\r\n\\/");
            memcpy(p, "__hdp(", 6);
            memmove(p + 6, p + 8, n);
            memcpy(p + 6 + n, ") ", 2);
            changed = true;
        }
        if (*p == '\n' && (p == text || p[-1] != '\\'))
            start = true, define = false;
        else if (*p != ' ' && *p != '\t')
            start = false;
        p++;
    }
    return changed;
}

/* The text with `dim3' before braces that are a launch's grid or block.  To be freed; NULL: there
 * are none. */
static char *braces(const char *text)
{
    size_t room = strlen(text) + 1;
    for (const char *p = text; (p = strstr(p, "<<<")); p++)
        room += 2 * strlen("dim3");
    char *new = malloc(room), *to = new;
    int argument = 0, depth = 0;             /* of a launch, from 1; 0: p is in none */
    bool changed = false, first = false;     /* nothing of the argument is before p */
    for (const char *p = text; new && *p;) {
        const char *next = nvcc_skip(text, p);
        bool opens = next == p && !strncmp(p, "<<<", 3);
        size_t n = next != p ? (size_t)(next - p) : opens ? 3 : 1;
        if (argument && first && argument <= 2 && *p == '{') {
            memcpy(to, "dim3", 4);
            to += 4;
            changed = true;
        }
        if (opens)
            argument = 1, depth = 0;
        depth += *p == '(' || *p == '[' || *p == '{';
        depth -= *p == ')' || *p == ']' || *p == '}';
        bool comma = *p == ',' && !depth;
        argument += argument && comma;
        if (*p == ';' || depth < 0 || (!depth && !strncmp(p, ">>>", 3)))
            argument = 0;
        first = opens || comma || (first && (next != p || strchr(" \t\r\n\\", *p)));
        memcpy(to, p, n);
        to += n, p += n;
    }
    if (new)
        *to = 0;
    if (!changed)
        free(new);
    return changed ? new : NULL;
}

static size_t word_length(const char *p)
{
    size_t n = 0;
    while (in_word(p[n]))
        n++;
    return n;
}

/* Where the operands of asm begin, after which p is; NULL: it has none, and its % are plain. */
static const char *operands(const char *text, const char *p)
{
    for (int depth = 0; *p;) {
        const char *next = nvcc_skip(text, p);
        if (next != p) {
            p = next;
            continue;
        }
        if (!depth && *p != '(' && !strchr(" \t\r\n\\", *p) && strncmp(p, "volatile", 8) != 0 &&
            strncmp(p, "__volatile", 10) != 0)
            return NULL;
        depth += *p == '(';
        if (*p == ')' && !--depth)
            return NULL;
        if (*p == ':' && depth == 1)
            return p;
        p += !depth && in_word(*p) ? word_length(p) : 1;
    }
    return NULL;
}

/* The text with % twice where a name of PTX follows; a letter before a digit or a bracket is of an
 * operand.  To be freed; NULL: there are none. */
static char *percents(const char *text)
{
    char *new = malloc(2 * strlen(text) + 1), *to = new;
    const char *end = NULL;                  /* of an asm's text, if p is in one */
    bool changed = false;
    for (const char *p = text; new && *p;) {
        const char *next = end ? p : nvcc_skip(text, p);
        size_t n = next != p ? (size_t)(next - p) : end ? 0 : word_length(p);
        bool plain = n == 3 && !strncmp(p, "asm", n), under = n == 7 && !strncmp(p, "__asm__", n);
        if (next == p && (plain || under))
            end = operands(text, p + n);
        bool name = end && !n && *p == '%' && in_word(p[1]) && (p[1] < '0' || p[1] > '9');
        if (name && (p[2] < '0' || p[2] > '9') && p[2] != '[')
            *to++ = '%', changed = true;
        n = n ? n : *p == '%' && p[1] == '%' ? 2 : 1;
        memcpy(to, p, n);
        to += n, p += n;
        if (end && p >= end)
            end = NULL;
    }
    if (new)
        *to = 0;
    if (!changed)
        free(new);
    return changed ? new : NULL;
}

/* ---- files ---- */

struct copies {
    struct words name, real;     /* as clang comes to a file, in pairs with what that is */
    struct words done, copy;     /* files that were read, in pairs with their copies, or NULL */
    char *(*between)(const char *name, unsigned k, const char *suffix);
    struct cuda_source *source;
};

static long known(const struct words *w, const char *word)
{
    for (size_t k = 0; k < w->n; k++)
        if (!strcmp(w->word[k], word))
            return (long)k;
    return -1;
}

static bool add_copy(struct copies *c, const char *real, const char *text)
{
    const char *path = c->between(real, (unsigned)c->done.n, ".joined");
    FILE *f = fopen(path, "w");
    bool ok = f && fputs(text, f) >= 0;
    c->copy.word[known(&c->done, real)] = (char *)(uintptr_t)path;
    return f && !fclose(f) && ok;
}

/* In YAML's single quotes. */
static void put_quoted(FILE *f, const char *word)
{
    putc('\'', f);
    for (; *word; word++)
        fprintf(f, *word == '\'' ? "''" : "%c", *word);
    putc('\'', f);
}

static void put_entry(FILE *f, const char *name, const char *copy)
{
    fputs("{'type': 'file', 'name': ", f);
    put_quoted(f, name);
    fputs(", 'external-contents': ", f);
    put_quoted(f, copy);
    fputs("},\n", f);
}

static bool visit(struct copies *c, const struct nvcc *n, const char *path);

/* #include "name": in the file's own folder, or in one of -I and -isystem; <name>: in one of those
 * alone, and the system's own are as clang wants them. */
static bool visit_included(struct copies *c, const struct nvcc *n, const char *from,
                           const char *name, bool quoted)
{
    char *folder = words_print("%s", from), *path = words_print("%s/%s", dirname(folder), name);
    char *system = words_print("/usr/include/%s", name);
    bool ok = !quoted || visit(c, n, path), there = !access(system, R_OK) || !access(path, R_OK);
    for (size_t k = 0; ok && k < n->cpp.n; k++) {
        const char *word = n->cpp.word[k];
        bool next = !strcmp(word, "-I") || !strcmp(word, "-isystem");
        if (next ? k + 1 < n->cpp.n : !strncmp(word, "-I", 2)) {
            const char *at = next ? n->cpp.word[k + 1] : word + 2;
            if (!quoted && !strncmp(at, "/usr/", 5))
                continue;
            char *other = words_print("%s/%s", at, name);
            ok = visit(c, n, other);
            there |= !access(other, R_OK);
            free(other);
        }
    }
    bool thrust = !strncmp(name, "thrust/", 7) || !strncmp(name, "cub/", 4);
    c->source->lacks_thrust |= thrust && !there;
    free(system);
    free(folder);
    free(path);
    return ok;
}

/* What heddle_module.h begins. */
#define MODULE_END "#pragma clang attribute pop\n"

/* The new text, where there is one. */
static char *replaced(char *text, char *new, bool *changed)
{
    if (!new)
        return text;
    *changed = true;
    free(text);
    return new;
}

static bool visit(struct copies *c, const struct nvcc *n, const char *path)
{
    char real[PATH_MAX], cwd[PATH_MAX];
    struct hd_err err = { 0 };
    size_t len = 0;
    if (!realpath(path, real) || strchr(path, '\n') || strchr(real, '\n') ||
        !getcwd(cwd, sizeof cwd))
        return true;
    char *name = *path == '/' ? words_print("%s", path) : words_print("%s/%s", cwd, path);
    if (known(&c->name, name) < 0) {
        words_add(&c->name, name);
        words_add(&c->real, words_print("%s", real));
    }
    if (known(&c->done, real) >= 0)
        return true;
    words_add(&c->done, words_print("%s", real));
    words_add(&c->copy, NULL);
    char *text = cc_read(real, &len, &err);
    if (!text || strlen(text) != len) {          /* clang will say what is wrong with it */
        free(text);
        return true;
    }
    bool ok = true;
    for (const char *p = text; ok && (p = strstr(p, "include")); p++) {
        const char *at = p + 7 + strspn(p + 7, " \t"), *end = *at == '"' ? "\"\n" : ">\n";
        size_t n_name = *at == '"' || *at == '<' ? strcspn(at + 1, end) : 0;
        if (!n_name || at[1 + n_name] != *end)
            continue;
        char *file = words_print("%.*s", (int)n_name, at + 1);
        ok = visit_included(c, n, path, file, *at == '"');
        free(file);
    }
    bool changed = nvcc_join_brackets(text) | align(text) | pragmas(text);
    c->source->own_warp_size |= nvcc_own_warp_size(text);
    text = replaced(text, braces(text), &changed);
    text = replaced(text, nvcc_child_launches(text), &changed);
    text = replaced(text, percents(text), &changed);
    if (nvcc_is_module(n) && path == c->source->path)
        text = replaced(text, words_print("%s\n" MODULE_END, text), &changed);
    if (ok && changed)
        ok = add_copy(c, real, text);
    free(text);
    return ok;
}

bool nvcc_brackets(const struct nvcc *n, struct cuda_source *s,
                   char *(*between)(const char *name, unsigned k, const char *suffix))
{
    struct copies c = { .between = between, .source = s };
    FILE *f = NULL;
    bool ok = visit(&c, n, s->path);
    for (size_t k = 0; ok && k < c.name.n; k++) {
        const char *copy = c.copy.word[known(&c.done, c.real.word[k])];
        if (copy && !f) {
            s->overlay = between("overlay", 0, ".yaml");
            if (!(f = fopen(s->overlay, "w")))
                return false;
            fputs("{'version': 0, 'use-external-names': false, 'roots': [\n", f);
        }
        if (copy) {
            put_entry(f, c.name.word[k], copy);
            put_entry(f, c.real.word[k], copy);
        }
    }
    if (f) {
        fputs("]}\n", f);
        ok = !ferror(f) && ok;
        ok = !fclose(f) && ok;
    }
    return ok;
}
