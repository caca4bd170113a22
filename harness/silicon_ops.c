/* `heddle silicon`: every operation of PTX that matters, against the results of an H200.
 * SPDX-License-Identifier: Apache-2.0
 *
 * ops.ptx holds a kernel for each operation; each is compiled alone, so that one that is not supported
 * yet costs no other. */
#include "silicon.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { SLOTS = 2048, NAME = 64 };

struct op_job {
    char name[NAME], kernel[NAME];
    bool in64, approx, exact, within, ran;
    const char *text; size_t len;            /* its entry in ops.ptx */
    double worst; const char *unit; uint32_t worst_a;
};
struct ops { struct cli *c; unsigned n; struct op_job *job; uint64_t in[2][3][SLOTS], *want;
             char *ptx; size_t header; };

static bool read_words(const char *dir, const char *file, uint64_t *to, size_t n)
{
    char path[512];
    snprintf(path, sizeof path, "%s/ops/%s", dir, file);
    gzFile f = gzopen(path, "rb");
    bool ok = f && gzread(f, to, (unsigned)(n * 8)) == (int)(n * 8);
    if (f)
        gzclose(f);
    if (!ok)
        fprintf(stderr, "heddle silicon: %s cannot be read\n", path);
    return ok;
}

static char *read_text(const char *dir, const char *file)
{
    char path[512];
    snprintf(path, sizeof path, "%s/ops/%s", dir, file);
    return session_text(path);
}

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

static struct hd_image *compile_entry(const struct ops *o, const struct op_job *j, struct hd_err *err)
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

static bool launch_op(const struct ops *o, struct op_job *j, const struct hd_image *img, uint64_t *got)
{
    hd_device *d;
    struct hd_config cfg = o->c->cfg;
    uint64_t params[4];
    uint32_t at[4] = { 0 };
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
            printf("silicon: %s: a = %08x, b = %08x: %08x is out of bounds (%g %s)\n", j->name, a, b, (uint32_t)got[i],
                   error, unit);
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
        return;
    }
    j->ran = launch_op(o, j, img, got);
    hd_image_free(img);
    if (!j->ran)
        return;
    if (j->approx) {
        check_approx(o, j, got);
        return;
    }
    const uint64_t *want = o->want + (size_t)i * SLOTS;
    unsigned bad = 0, first = 0;
    for (unsigned s = SLOTS; s-- > 0;)
        if (got[s] != want[s])
            bad++, first = s;
    j->exact = !bad;
    if (bad)
        printf("silicon: %s: %u of %u results differ; a = %llx, b = %llx, c = %llx: %llx, the H200's is %llx\n", j->name,
               bad, (unsigned)SLOTS, (unsigned long long)o->in[j->in64][0][first], (unsigned long long)o->in[j->in64][1][first],
               (unsigned long long)o->in[j->in64][2][first], (unsigned long long)got[first], (unsigned long long)want[first]);
}

/* Reads the list; the jobs lie in shared memory, results and all. */
static bool read_list(struct ops *o, const char *dir)
{
    char *list = read_text(dir, "ops.tsv"), *save = NULL;
    if (!list)
        return false;                                /* a folder without ops: 0/0 */
    for (char *line = strtok_r(list, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char in[16], count[16], out[16];
        struct op_job *j = &o->job[o->n];
        if (line[0] == '#' || o->n == 1024 || sscanf(line, "%63s %63s %15s %15s %15s", j->name, j->kernel, in, count, out) != 5)
            continue;
        j->in64 = strstr(in, "64") != NULL;
        j->approx = strstr(j->name, ".approx") && strstr(j->name, ".f32");
        o->n++;
    }
    free(list);
    o->ptx = read_text(dir, "ops.ptx");
    const char *first = o->ptx ? strstr(o->ptx, ".visible .entry ") : NULL;
    if (!first)
        return false;
    o->header = (size_t)(first - o->ptx);
    for (unsigned i = 0; i < o->n; i++)
        find_entry(o, &o->job[i]);
    static const char *const files[2][3] = { { "in32_a.u64", "in32_b.u64", "in32_c.u64" },
                                             { "in64_a.u64", "in64_b.u64", "in64_c.u64" } };
    for (int w = 0; w < 2; w++)
        for (int i = 0; i < 3; i++)
            if (!read_words(dir, files[w][i], o->in[w][i], SLOTS))
                return false;
    o->want = malloc((size_t)o->n * SLOTS * 8);
    return o->want && read_words(dir, "expected.u64.gz", o->want, (size_t)o->n * SLOTS);
}

/* What is known not to be exact, and why: lines `name<TAB>reason` of ops/inexact.tsv.  With that file an
 * operation that is off without standing there, or stands there and is exact, makes the answer no. */
static unsigned count_surprises(const struct ops *o, const char *dir)
{
    char *list = read_text(dir, "inexact.tsv");
    unsigned surprises = 0;
    for (unsigned i = 0; list && i < o->n; i++) {
        const struct op_job *j = &o->job[i];
        size_t n = strlen(j->name);
        bool known = false;
        for (const char *at = list; (at = strstr(at, j->name)) && !known; at += n)
            known = (at == list || at[-1] == '\n') && at[n] == '\t';
        if (j->approx || known != j->exact)
            continue;
        printf("silicon: %s: %s inexact.tsv\n", j->name, known ? "is exact, but stands in" : "is not exact, and not in");
        surprises++;
    }
    free(list);
    return surprises;
}

void silicon_ops(struct cli *c, const char *dir, struct silicon_result *r)
{
    struct ops *o = calloc(1, sizeof *o);
    size_t bytes = 1024 * sizeof *o->job;
    if (!o)
        return;
    o->c = c;
    o->job = shared_alloc(bytes);
    if (o->job && read_list(o, dir)) {
        jobs_run(o->n, op_job, o);
        for (unsigned i = 0; i < o->n; i++) {
            const struct op_job *j = &o->job[i];
            r->operations.good += j->exact;
            r->operations.total++;
            r->approx.good += j->within;
            r->approx.total += j->approx;
            if (j->approx && j->ran)
                printf("silicon: %-24s worst error %.3g %s, at %08x\n", j->name, j->worst, j->unit ? j->unit : "", j->worst_a);
        }
        r->surprises = count_surprises(o, dir);
    }
    shared_free(o->job, bytes);
    free(o->want);
    free(o->ptx);
    free(o);
}
