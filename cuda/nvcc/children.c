/* A launch in device code, `kernel<<<grid, block>>>(x)`, which clang refuses: it becomes
 * `HeddleChild<decltype(&kernel), &kernel>::at(grid, block)(x)`, on the same lines
 * (cuda_device_runtime_api.h).  SPDX-License-Identifier: Apache-2.0
 *
 * What is device code is known by words: the function's head has __global__ or __device__, and not
 * __host__, whose launches are clang's to judge. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cuda/nvcc/nvcc.h"

enum { BRACES = 200, BRANCHES = 50 };
struct scan {
    const char *text, *p;
    FILE *out;
    const char *done;                    /* written up to here */
    int depth, device;                   /* braces; in how many of device code */
    bool is_device[BRACES];
    int branches, at_branch[BRANCHES];   /* of #if: the depth where it began */
    bool head_device, head_host;         /* of what stands since the last ; { } */
    bool changed;
};

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static bool in_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static void to_depth(struct scan *s, int depth)
{
    while (s->depth > depth)
        if (--s->depth < BRACES)
            s->device -= s->is_device[s->depth];
    while (s->depth < depth)
        if (s->depth++ < BRACES)
            s->is_device[s->depth - 1] = false;
}

static void brace(struct scan *s, char c)
{
    if (c == '{') {
        bool device = s->head_device && !s->head_host;
        to_depth(s, s->depth + 1);
        if (s->depth <= BRACES)
            s->device += s->is_device[s->depth - 1] = device;
    } else if (c == '}' && s->depth) {
        to_depth(s, s->depth - 1);
    }
    s->head_device = s->head_host = false;
}

/* A line of the preprocessor: all branches of an #if begin with the same braces open. */
static const char *directive(struct scan *s, const char *p)
{
    const char *word = p + 1 + strspn(p + 1, " \t");
    if (!strncmp(word, "if", 2)) {
        if (s->branches < BRANCHES)
            s->at_branch[s->branches] = s->depth;
        s->branches++;
    } else if (!strncmp(word, "el", 2)) {
        if (s->branches && s->branches <= BRANCHES)
            to_depth(s, s->at_branch[s->branches - 1]);
    } else if (!strncmp(word, "endif", 5)) {
        s->branches -= s->branches > 0;
    }
    for (; *p && *p != '\n'; p++)
        if (*p == '\\' && p[1] == '\n')
            p++;
    return p;
}

/* Where the name of a kernel begins that ends at `end`: a::b<c>. */
static const char *name_of(const char *text, const char *end)
{
    const char *p = end;
    if (p > text && p[-1] == '>') {
        int depth = 0, round = 0;
        do {
            p--;
            round += (*p == ')') - (*p == '(');
            depth += round ? 0 : (*p == '>') - (*p == '<');
        } while ((depth || round) && p > text);
        while (p > text && blank(p[-1]))
            p--;
    }
    const char *word = p;
    while (p > text && (in_word(p[-1]) || (p[-1] == ':' && p - 1 > text && p[-2] == ':')))
        p -= p[-1] == ':' ? 2 : 1;
    return p < word ? p : end;
}

/* Where the launch's brackets close, its arguments following; NULL: they do not. */
static const char *closing(const char *text, const char *p)
{
    for (int depth = 0; *p && *p != ';' && depth >= 0; p++) {
        const char *next = nvcc_skip(text, p);
        if (next != p) {
            p = next - 1;
            continue;
        }
        if (!depth && !strncmp(p, ">>>", 3) && p[3 + strspn(p + 3, " \t\r\n\\")] == '(')
            return p;
        depth += *p == '(' || *p == '[' || *p == '{';
        depth -= *p == ')' || *p == ']' || *p == '}';
    }
    return NULL;
}

static const char *launch(struct scan *s, const char *p)
{
    const char *last = p, *end = closing(s->text, p + 3);
    while (last > s->done && blank(last[-1]))
        last--;
    const char *name = name_of(s->text, last);
    if (!end || name == last || name < s->done)
        return p + 3;
    fwrite(s->done, 1, (size_t)(name - s->done), s->out);
    fprintf(s->out, "HeddleChild<decltype(&%.*s), &", (int)(last - name), name);
    for (const char *c = name; c < last; c++)
        putc(*c == '\n' ? ' ' : *c, s->out);
    fprintf(s->out, ">::at%.*s(%.*s)", (int)(p - last), last, (int)(end - p) - 3, p + 3);
    s->changed = true;
    return s->done = end + 3;
}

char *nvcc_child_launches(const char *text)
{
    char *made = NULL;
    size_t len = 0;
    struct scan s = { .text = text, .done = text };
    if (!strstr(text, "<<<") || !(s.out = open_memstream(&made, &len)))
        return NULL;
    for (const char *p = text; *p;) {
        const char *next = nvcc_skip(text, p);
        bool begins = p == text || p[-1] == '\n';
        const char *first = begins ? p + strspn(p, " \t") : p;
        if (next != p) {
            p = next;
        } else if (begins && *first == '#') {
            p = directive(&s, first);
        } else if (s.device && !strncmp(p, "<<<", 3)) {
            p = launch(&s, p);
        } else if (in_word(*p)) {
            size_t n = 1;
            while (in_word(p[n]))
                n++;
            s.head_device |= n == 10 && (!strncmp(p, "__global__", n) ||
                                         !strncmp(p, "__device__", n));
            s.head_host |= n == 8 && !strncmp(p, "__host__", n);
            p += n;
        } else {
            if (*p == '{' || *p == '}' || *p == ';')
                brace(&s, *p);
            p++;
        }
    }
    fputs(s.done, s.out);
    fclose(s.out);
    if (s.changed)
        return made;
    free(made);
    return NULL;
}
