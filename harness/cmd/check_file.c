/* Reads the keys of a test file.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A key that is passed over is a check that cannot fail, so whatever looks like one and is none is
 * refused: a word of capitals and a colon, a known word in other letters, or with one letter
 * wrong. */
#include "harness/cmd/check_file.h"
#include "cmodel/base/infile.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum key { KEY_RUN, KEY_EXPECT, KEY_HASH, KEY_MESSAGE, KEY_PRINTS, KEY_EXIT, KEY_LANES, KEY_MODE,
           KEYS };
static const char *const keys[KEYS] = { "RUN",    "EXPECT", "HASH",  "MESSAGE",
                                        "PRINTS", "EXIT",   "LANES", "MODE" };

struct reader {
    const char *path;
    int line;
    struct check_file *out;
    struct expectation frame;
    struct hd_err *err;
};

static struct expectation *last(const struct reader *r)
{
    return r->out->n ? &r->out->run[r->out->n - 1] : NULL;
}

/* One letter more, less, or another one; or the same but for capitals. */
static bool resembles(const char *word, size_t n, const char *key)
{
    size_t m = strlen(key), a = 0, z = 0;
    while (a < n && a < m && toupper((unsigned char)word[a]) == key[a])
        a++;
    while (z < n - a && z < m - a && toupper((unsigned char)word[n - 1 - z]) == key[m - 1 - z])
        z++;
    return n - a - z <= 1 && m - a - z <= 1;
}

static bool capitals(const char *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isupper((unsigned char)word[i]))
            return false;
    return n > 1;
}

/* The value of a line's key; NULL: it has none, or err says what is wrong with it. */
static char *find_key(struct reader *r, char *line, enum key *key)
{
    char *p = line + strspn(line, " \t");
    if (strncmp(p, "//", 2))
        return NULL;
    bool form = p[2] == ' ' && p[3] != ' ';
    p += 2 + strspn(p + 2, "/ \t");
    size_t n = strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_");
    bool colon = p[n + strspn(p + n, " \t")] == ':';
    for (int k = 0; k < KEYS; k++) {
        bool whole = n == strlen(keys[k]) && !strncmp(p, keys[k], n);
        if (whole && form && p[n] == ':') {
            *key = (enum key)k;
            p += n + 1;
            p += strspn(p, " \t");
            p[strcspn(p, "\r\n")] = 0;
            return p;
        }
        if (whole || (colon && resembles(p, n, keys[k]))) {
            hd_err_set(r->err, 2, "%s:%d: `%.*s`: a key is written `// %s: `", r->path, r->line,
                       (int)n, p, keys[k]);
            return NULL;
        }
    }
    if (colon && capitals(p, n))
        hd_err_set(r->err, 2, "%s:%d: `%.*s` is no key", r->path, r->line, (int)n, p);
    return NULL;
}

/* Numbers of lanes, or `none`. */
static bool read_lanes(struct expectation *x, const char *p)
{
    x->nlanes = 0;
    if (!strcmp(p, "none"))
        return true;
    for (char *end; *p; p = end + strspn(end, " \t")) {
        unsigned long v = strtoul(p, &end, 10);
        if (end == p || !v || v > 32 || (v & (v - 1)) || x->nlanes == 6)
            return false;
        x->lanes[x->nlanes++] = (unsigned)v;
    }
    return x->nlanes;
}

static bool read_status(struct expectation *x, const char *p)
{
    char *end;
    long v = strtol(p, &end, 10);
    x->status = (int)v;
    return end != p && !*end && v >= 0 && v < 256;
}

static bool add(char **list, int *n, const char *p)
{
    bool ok = *p && *n < MAX_EXPECT && (list[*n] = strdup(p));
    *n += ok;
    return ok;
}

static bool asks_nothing(const struct expectation *x)
{
    return x && !x->ne && !x->nh && !x->nm && !x->np;
}

/* A RUN before it is over: a launch of which nothing is expected would pass whatever it did, and
 * one that fails may fail for another reason than the one that the test is about. */
static bool end_run(struct reader *r)
{
    const struct expectation *x = last(r);
    if (asks_nothing(x))
        hd_err_set(r->err, 2, "%s:%d: this RUN has no EXPECT, HASH, PRINTS or MESSAGE", r->path,
                   x->line);
    else if (x && x->status && !x->nm)
        hd_err_set(r->err, 2, "%s:%d: this RUN has exit status %d, but no MESSAGE that says why",
                   r->path, x->line, x->status);
    return !r->err->status;
}

static bool begin_run(struct reader *r, const char *words)
{
    struct check_file *f = r->out;
    struct expectation *more = realloc(f->run, (size_t)(f->n + 1) * sizeof *more);
    if (!more)
        abort();
    f->run = more;
    f->run[f->n] = r->frame;
    f->run[f->n].line = r->line;
    return (f->run[f->n++].run = strdup(words)) && *words;
}

/* LANES and MODE hold for their own RUN and for those after it. */
static void hold(struct reader *r, const struct expectation *x)
{
    memcpy(r->frame.lanes, x->lanes, sizeof x->lanes);
    r->frame.nlanes = x->nlanes;
    r->frame.barrier_only = x->barrier_only;
}

static void read_key(struct reader *r, enum key key, const char *value)
{
    struct expectation *x = last(r);
    bool ok = true;
    if (key == KEY_RUN) {
        if (!end_run(r))
            return;
        ok = begin_run(r, value);
    } else if (key == KEY_LANES || key == KEY_MODE) {
        struct expectation *to = x ? x : &r->frame;
        ok = key == KEY_LANES ? read_lanes(to, value) : !strcmp(value, "barrier");
        to->barrier_only |= key == KEY_MODE;
        hold(r, to);
    } else if (!x) {
        hd_err_set(r->err, 2, "%s:%d: %s belongs to the RUN before it: there is none", r->path,
                   r->line, keys[key]);
    } else
        ok = key == KEY_EXPECT    ? add(x->expect, &x->ne, value)
             : key == KEY_HASH    ? add(x->hash, &x->nh, value)
             : key == KEY_MESSAGE ? add(x->message, &x->nm, value)
             : key == KEY_PRINTS  ? add(x->prints, &x->np, value)
                                  : read_status(x, value);
    if (!ok)
        hd_err_set(r->err, 2, "%s:%d: %s: `%s` says nothing, or is one too many", r->path, r->line,
                   keys[key], value);
}

bool check_read(const char *path, struct check_file *out, struct hd_err *err)
{
    struct reader r = {
        .path = path, .out = out, .err = err, .frame = { .lanes = { 32, 4 }, .nlanes = 2 }
    };
    char *line = NULL, *value;
    size_t cap = 0;
    enum key key = KEYS;
    FILE *f = infile_open(path, err);
    *out = (struct check_file){ 0 };
    while (f && !err->status && getline(&line, &cap, f) > 0) {
        r.line++;
        if ((value = find_key(&r, line, &key)))
            read_key(&r, key, value);
    }
    free(line);
    if (f && ferror(f))
        hd_err_set(err, 2, "%s: cannot be read", path);
    if (f)
        fclose(f);
    if (end_run(&r) && !out->n)
        hd_err_set(err, 2, "%s: has no RUN line", path);
    return !err->status;
}

void check_free(struct check_file *f)
{
    for (int i = 0; i < f->n; i++) {
        struct expectation *x = &f->run[i];
        free(x->run);
        for (int k = 0; k < MAX_EXPECT; k++) {
            free(x->expect[k]);
            free(x->hash[k]);
            free(x->message[k]);
            free(x->prints[k]);
        }
    }
    free(f->run);
    *f = (struct check_file){ 0 };
}
