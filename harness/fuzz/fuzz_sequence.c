/* Kernels that run one after another on one core: what a failure takes of those before it.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/fuzz.h"
#include <stdlib.h>
#include <string.h>

void fuzz_sequence_add(struct fuzz_sequence *s, struct fuzz_case *c)
{
    if (!c->img || s->n == sizeof s->past / sizeof s->past[0])
        return;
    struct fuzz_case *p = &s->past[s->n++];
    *p = *c;                                        /* as machine code: that is what the core saw */
    p->ptx = NULL;
    p->prog = NULL;
    p->expect = NULL;
    p->notes = NULL;
    p->before = NULL;
    p->nbefore = 0;
    c->img = NULL;
}

void fuzz_sequence_clear(struct fuzz_sequence *s)
{
    while (s->n)
        fuzz_case_free(&s->past[--s->n]);
}

static bool fails(struct fuzz_machine *m, struct fuzz_case *c, const struct fuzz_result *r)
{
    struct fuzz_result now;
    return fuzz_run(m, c, 0, true, &now) && fuzz_same_failure(&now, r);
}

void fuzz_sequence_reduce(struct fuzz_machine *m, struct fuzz_sequence *s, struct fuzz_case *c,
                          const struct fuzz_result *r)
{
    c->nbefore = 0;
    if (!s->n || fails(m, c, r)) {
        fuzz_sequence_clear(s);
        return;
    }
    c->before = s->past;
    c->nbefore = s->n;
    for (unsigned i = s->n; i--;) {                  /* without the i-th? */
        struct fuzz_case out = s->past[i];
        unsigned after = s->n - i - 1;
        memmove(&s->past[i], &s->past[i + 1], after * sizeof out);
        c->nbefore = --s->n;
        if (fails(m, c, r)) {
            fuzz_case_free(&out);
            continue;
        }
        memmove(&s->past[i + 1], &s->past[i], after * sizeof out);
        s->past[i] = out;
        c->nbefore = ++s->n;
    }
}

bool fuzz_sequence_save(struct fuzz_case *c, const char *path, struct hd_err *err)
{
    const char *base = strrchr(path, '/'), *dot = strrchr(path, '.');
    struct fuzz_result none = { .text = "comes before another" };
    base = base ? base + 1 : path;
    bool ok = true;
    for (unsigned i = 0; ok && i < c->nbefore; i++) {
        char file[4200];
        struct fuzz_case *b = &c->before[i];
        snprintf(b->name, sizeof b->name, "%.*s-before-%u.s", (int)(dot > base ? dot - base : 40),
                 base, i + 1);
        snprintf(file, sizeof file, "%.*s%s", (int)(base - path), path, b->name);
        ok = fuzz_save(b, &none, file, err);
    }
    return ok;
}
