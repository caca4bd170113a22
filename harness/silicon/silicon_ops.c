/* `heddle silicon`: every operation of PTX that matters, against the results of an H200.
 * SPDX-License-Identifier: Apache-2.0
 *
 * ops.ptx holds a kernel for each operation; each is compiled alone, so that one that is not
 * supported yet costs no other. */
#include "harness/silicon/silicon.h"
#include "harness/silicon/silicon_files.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 2048, NAME = 64, MAX_OPS = 1024 };

struct op_job {
    char name[NAME], kernel[NAME];
    bool in64, approx, exact, within, refused, ran;
    bool bounded;          /* PTX gives a bound instead of a value; approx: and nothing else does */
    const char *text; size_t len;            /* its entry in ops.ptx */
    double worst; const char *unit; uint32_t worst_a;
};
struct ops { struct cli *c; unsigned n; struct op_job *job; uint64_t in[2][3][SLOTS], *want;
             char *ptx; size_t header; };

/* Finds an operation's entry: from its `.visible .entry NAME(` to the next one. */
static bool find_entry(struct ops *o, struct op_job *j)
{
    char key[NAME + 32];
    snprintf(key, sizeof key, ".entry %s(", j->kernel);
    char *at = strstr(o->ptx, key);
    if (!at)
        return false;
    while (at > o->ptx && at[-1] != '\n')
        at--;
    const char *next = strstr(at + strlen(key) + 16, "\n.visible .entry ");
    j->text = at;
    j->len = next ? (size_t)(next + 1 - at) : strlen(at);
    return true;
}

static struct hd_image *compile_entry(const struct ops *o, const struct op_job *j,
                                      struct hd_err *err)
{
    char *text = malloc(o->header + j->len + 1);
    if (!text) {
        hd_err_set(err, 2, "no memory");
        return NULL;
    }
    memcpy(text, o->ptx, o->header);
    memcpy(text + o->header, j->text, j->len);
    text[o->header + j->len] = 0;
    struct hd_image *img = hd_compile_ptx(j->kernel, text, &o->c->cc, err);
    free(text);
    return img;
}

static bool launch_op(const struct ops *o, struct op_job *j, const struct hd_image *img,
                      uint64_t *got)
{
    hd_device *d;
    struct hd_config cfg = o->c->cfg;
    uint64_t params[4];
    uint64_t at[4] = { 0 };
    cfg.kind = o->c->model_only ? HD_MODEL : HD_LOCKSTEP;
    enum hd_status st = hd_open(&cfg, &d);
    if (st == HD_OK)
        st = hd_load(d, img);
    for (int i = 0; i < 4 && st == HD_OK; i++) {
        st = hd_malloc(d, SLOTS * 8, &at[i]);
        if (st == HD_OK && i < 3)
            st = hd_write(d, at[i], o->in[j->in64][i], SLOTS * 8);
        params[i] = at[i];
    }
    if (st == HD_OK) {
        struct hd_launch l = { .kernel = j->kernel, .grid = { 16, 1, 1 }, .block = { 128, 1, 1 },
                               .params = params, .params_size = sizeof params };
        st = hd_launch_grid(d, &l);
    }
    if (st == HD_OK)
        st = hd_read(d, at[3], got, SLOTS * 8);
    if (st != HD_OK) {
        printf("silicon: %s: %s%s%s\n", j->name, hd_strerror(st), st > HD_STOPPED ? ": " : "",
               st > HD_STOPPED ? hd_device_error(d) : "");
        if (st == HD_MISMATCH || st == HD_FAULT)
            hd_explain(d, stdout);
    }
    hd_close(d);
    return st == HD_OK;
}

static void check_approx(const struct ops *o, struct op_job *j, const uint64_t *got)
{
    j->within = true;
    for (unsigned i = 0; i < SLOTS; i++) {
        uint32_t a = (uint32_t)o->in[0][0][i], b = (uint32_t)o->in[0][1][i];
        double error = 0;
        const char *unit = "";
        bool ok = approx_within(j->name, a, b, (uint32_t)got[i], &error, &unit);
        if (!ok && j->within)
            printf("silicon: %s: a = %08x, b = %08x: %08x is out of bounds (%g %s)\n", j->name, a,
                   b, (uint32_t)got[i], error, unit);
        j->within &= ok;
        if (error > j->worst) {
            j->worst = error;
            j->unit = unit;
            j->worst_a = a;
        }
    }
}

static void op_job(void *user, unsigned i)
{
    struct ops *o = user;
    struct op_job *j = &o->job[i];
    struct hd_err err = { 0 };
    uint64_t got[SLOTS];
    struct hd_image *img = j->text ? compile_entry(o, j, &err) : NULL;
    if (!img) {
        printf("silicon: %s: %.*s\n", j->name, (int)strcspn(err.text, "\n"), err.text);
        j->refused = err.status == 2;
        return;
    }
    j->ran = launch_op(o, j, img, got);
    hd_image_free(img);
    if (!j->ran)
        return;
    if (j->bounded)
        check_approx(o, j, got);
    if (j->approx)
        return;
    const uint64_t *want = o->want + (size_t)i * SLOTS;
    unsigned bad = 0, first = 0;
    for (unsigned s = SLOTS; s-- > 0;)
        if (got[s] != want[s])
            bad++, first = s;
    j->exact = !bad;
    if (bad)
        printf(
            "silicon: %s: %u of %u results differ; a = %llx, b = %llx, c = %llx: %llx, the H200's "
            "is %llx\n",
            j->name, bad, (unsigned)SLOTS, (unsigned long long)o->in[j->in64][0][first],
            (unsigned long long)o->in[j->in64][1][first],
            (unsigned long long)o->in[j->in64][2][first], (unsigned long long)got[first],
            (unsigned long long)want[first]);
}

/* Reads ops.tsv, and finds each operation's text. */
static bool read_list(struct ops *o, const char *dir, struct hd_err *err)
{
    char ptx[512];
    struct silicon_list list;
    snprintf(ptx, sizeof ptx, "%s/ops/ops.ptx", dir);
    bool ok = silicon_list_read(dir, "ops/ops.tsv", &list, err);
    if (ok && !list.n)
        hd_err_set(err, 2, "%s/ops/ops.tsv: cannot be read", dir);
    o->ptx = session_text(ptx);
    const char *first = o->ptx ? strstr(o->ptx, ".visible .entry ") : NULL;
    if (!first)
        hd_err_set(err, 2, "%s: cannot be read, or has no entry", ptx);
    o->header = first ? (size_t)(first - o->ptx) : 0;
    for (unsigned i = 0; !err->status && i < list.n; i++) {
        struct op_job *j = &o->job[i];
        char in[16], count[16], out[16];
        if (i == MAX_OPS || strlen(list.line[i].name) >= NAME ||
            sscanf(list.line[i].value, "%63s %15s %15s %15s", j->kernel, in, count, out) != 4) {
            hd_err_set(err, 2, "%s/ops/ops.tsv: `%s` is no operation, or one too many", dir,
                       list.line[i].name);
            break;
        }
        snprintf(j->name, sizeof j->name, "%s", list.line[i].name);
        j->in64 = strstr(in, "64") != NULL;
        j->approx = strstr(j->name, ".approx") && strstr(j->name, ".f32");
        j->bounded = j->approx || !strncmp(j->name, "div.full", 8);
        o->n++;
        if (!find_entry(o, j))
            hd_err_set(err, 2, "%s: lacks %s", ptx, j->kernel);
    }
    silicon_list_free(&list);
    return !err->status;
}

/* The jobs lie in shared memory, results and all. */
static bool read_ops(struct ops *o, const char *dir, struct hd_err *err)
{
    static const char *const files[2][3] = {
        { "ops/in32_a.u64", "ops/in32_b.u64", "ops/in32_c.u64" },
        { "ops/in64_a.u64", "ops/in64_b.u64", "ops/in64_c.u64" }
    };
    if (!read_list(o, dir, err))
        return false;
    for (int w = 0; w < 2; w++)
        for (int i = 0; i < 3; i++)
            if (!silicon_bytes(dir, files[w][i], o->in[w][i], sizeof o->in[w][i], err))
                return false;
    o->want = malloc((size_t)o->n * SLOTS * 8);
    return o->want &&
           silicon_bytes(dir, "ops/expected.u64.gz", o->want, (size_t)o->n * SLOTS * 8, err);
}

/* What is known not to be exact, and why: lines `name<TAB>reason` of ops/inexact.tsv.  With that
 * file an operation that is off without standing there, or stands there and is exact, makes the
 * answer no.  So does, with it or without, one that was compiled and did not come to its end. */
static unsigned count_surprises(const struct ops *o, const struct silicon_list *inexact)
{
    unsigned surprises = 0;
    for (unsigned i = 0; i < o->n; i++) {
        const struct op_job *j = &o->job[i];
        bool known = silicon_list_find(inexact, j->name);
        if (!j->ran && !j->refused) {
            printf("silicon: %s: did not run\n", j->name);
            surprises++;
        } else if (inexact->n && !j->approx && known == j->exact) {
            printf("silicon: %s: %s inexact.tsv\n", j->name,
                   known ? "is exact, but stands in" : "is not exact, and not in");
            surprises++;
        }
    }
    return surprises;
}

static void count_op(const struct op_job *j, struct silicon_result *r)
{
    r->operations.good += j->exact;
    r->operations.total++;
    r->approx.good += j->bounded && j->within;
    r->approx.total += j->bounded;
    if (j->bounded && j->ran)
        printf("silicon: %-24s worst error %.3g %s, at %08x\n", j->name, j->worst,
               j->unit ? j->unit : "", j->worst_a);
}

bool silicon_ops(struct cli *c, const char *dir, struct silicon_result *r, struct hd_err *err)
{
    struct ops *o = calloc(1, sizeof *o);
    struct silicon_list inexact = { 0 };
    size_t bytes = MAX_OPS * sizeof *o->job;
    int there = silicon_part(dir, "ops", err);
    bool ok = there > 0 && o && (o->job = shared_alloc(bytes)) && read_ops(o, dir, err) &&
              silicon_list_read(dir, "ops/inexact.tsv", &inexact, err);
    for (unsigned i = 0; ok && i < inexact.n; i++) {
        unsigned k = 0;
        while (k < o->n && strcmp(o->job[k].name, inexact.line[i].name))
            k++;
        if (k == o->n)
            hd_err_set(err, 2, "%s/ops/inexact.tsv: there is no operation %s", dir,
                       inexact.line[i].name);
    }
    ok = ok && !err->status;
    if (ok) {
        o->c = c;
        jobs_run("silicon, operations", o->n, op_job, o);
        for (unsigned i = 0; i < o->n; i++)
            count_op(&o->job[i], r);
        r->surprises += count_surprises(o, &inexact);
    }
    silicon_list_free(&inexact);
    if (o) {
        shared_free(o->job, bytes);
        free(o->want);
        free(o->ptx);
    }
    free(o);
    return ok || !there;
}
