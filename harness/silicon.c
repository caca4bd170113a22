/* `heddle silicon`: the recorded kernels of an H200, compiled and run in lockstep.
 * SPDX-License-Identifier: Apache-2.0
 *
 * tests/silicon/README.md says how a kernel is launched, what `out` hashes to, and how the (id, mask)
 * sequence of a warp follows from its log. */
#include "silicon.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { GRID = 8, WORDS = 256, KMAX = 2048, LOG_WARP = KMAX * 3 * HD_LANES, LOG_WORDS = GRID * LOG_WARP,
       LINE = 1 << 20 };

/* reordered: sequences of the same groups in another order */
struct kernel_job { char name[64]; bool no_yield, equal, output; unsigned sequences_equal, reordered; };
struct kernels { struct cli *c; const char *dir; uint32_t input[WORDS]; unsigned n; struct kernel_job *job; };

static bool listed(const char *dir, const char *file, const char *name)
{
    char path[512], line[128];
    snprintf(path, sizeof path, "%s/%s", dir, file);
    FILE *f = fopen(path, "r");
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f)) {
        line[strcspn(line, " \t\r\n")] = 0;
        found = !strcmp(line, name);
    }
    if (f)
        fclose(f);
    return found;
}

/* ---- sequences ---- */

struct event { uint32_t id, seq, clock, mask; };

static int by_group(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    if (x->clock != y->clock)
        return x->clock < y->clock ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static int by_seq(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* Writes the sequence of a warp as a trace line has it: " id:mask id:mask ...". */
static void sequence(const uint32_t *log, const uint32_t *cnt, struct event *e, char *out)
{
    size_t n = 0, groups = 0;
    for (uint32_t l = 0; l < HD_LANES; l++)
        for (uint32_t k = 0; k < cnt[l] && k < KMAX; k++)
            e[n++] = (struct event){ log[3 * k * HD_LANES + l], log[(3 * k + 1) * HD_LANES + l],
                                     log[(3 * k + 2) * HD_LANES + l], 1u << l };
    qsort(e, n, sizeof *e, by_group);
    for (size_t i = 0; i < n; i++) {
        if (groups && e[groups - 1].id == e[i].id && e[groups - 1].clock == e[i].clock)
            e[groups - 1].mask |= e[i].mask;         /* its seq is the smallest: the order says so */
        else
            e[groups++] = e[i];
    }
    qsort(e, groups, sizeof *e, by_seq);
    char *p = out;
    *p = 0;
    for (size_t i = 0; i < groups && p - out < LINE - 32; i++)
        p += sprintf(p, " %u:%08x", e[i].id, e[i].mask);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static size_t read_groups(const char *s, uint64_t *g)
{
    size_t n = 0;
    for (char *end; n < LINE / 8; s = end) {
        uint64_t id = strtoul(s, &end, 10);
        if (*end != ':')
            break;
        g[n++] = id << 32 | strtoul(end + 1, &end, 16);
    }
    qsort(g, n, sizeof *g, by_value);
    return n;
}

static bool same_groups(const char *a, const char *b)
{
    uint64_t *x = malloc(LINE), *y = malloc(LINE);
    size_t n = x && y ? read_groups(a, x) : 0;
    bool same = n && read_groups(b, y) == n && !memcmp(x, y, n * sizeof *x);
    free(x);
    free(y);
    return same;
}

/* Compares with the trace: outhash, then a line for each warp. */
static void check_trace(struct kernel_job *j, const char *dir, const uint32_t *out, const uint32_t *cnt,
                        const uint32_t *log)
{
    char path[512], *line = malloc(LINE), *ours = malloc(LINE);
    struct event *e = malloc(sizeof *e * KMAX * HD_LANES);
    uint32_t want = 0, h = 0;
    snprintf(path, sizeof path, "%s/traces/%s.txt", dir, j->name);
    FILE *f = line && ours && e ? fopen(path, "r") : NULL;
    for (int i = 0; i < WORDS; i++)
        h = h * 1000003u ^ out[i];
    j->output = f && fgets(line, LINE, f) && sscanf(line, "outhash %x", &want) == 1 && h == want;
    while (f && fgets(line, LINE, f)) {
        int used = 0;
        unsigned w;
        if (sscanf(line, "%u%n", &w, &used) != 1 || w >= GRID)
            continue;
        line[strcspn(line, "\r\n")] = 0;
        sequence(log + (size_t)w * LOG_WARP, cnt + w * HD_LANES, e, ours);
        bool equal = !strcmp(line + used, ours);
        j->sequences_equal += equal;
        j->reordered += !equal && j->no_yield && same_groups(line + used, ours);
    }
    if (f)
        fclose(f);
    if (!j->output)
        printf("silicon: %s: out hashes to %08x, the H200's to %08x\n", j->name, h, want);
    free(line);
    free(ours);
    free(e);
}

/* ---- one kernel ---- */

static uint32_t buffer(hd_device *d, const void *data, size_t words)
{
    uint32_t at = 0;
    if (hd_malloc(d, words * 4, &at) == HD_OK && data)
        hd_write(d, at, data, words * 4);
    return at;
}

static void run_kernel(struct kernels *k, struct kernel_job *j, const struct hd_image *img)
{
    hd_device *d;
    struct hd_config cfg = k->c->cfg;
    cfg.kind = k->c->model_only ? HD_MODEL : HD_LOCKSTEP;
    uint32_t *log = malloc(LOG_WORDS * 4), out[WORDS], cnt[2 * WORDS];
    enum hd_status st = hd_open(&cfg, &d);
    if (st == HD_OK)
        st = hd_load(d, img);
    if (st == HD_OK && log) {
        uint32_t in = buffer(d, k->input, WORDS), o = buffer(d, NULL, WORDS), c = buffer(d, NULL, 2 * WORDS),
                 lg = buffer(d, NULL, LOG_WORDS);
        struct { uint64_t in, out, cnt, log; uint32_t n; } params = { in, o, c, lg, WORDS };
        struct hd_launch l = { .kernel = "k", .grid = { GRID, 1, 1 }, .block = { 32, 1, 1 }, .params = &params,
                               .params_size = 36 };
        st = hd_launch_grid(d, &l);
        if (st == HD_OK && hd_read(d, o, out, sizeof out) == HD_OK && hd_read(d, c, cnt, sizeof cnt) == HD_OK &&
            hd_read(d, lg, log, LOG_WORDS * 4) == HD_OK) {
            j->equal = true;
            check_trace(j, k->dir, out, cnt, log);
        }
    }
    if (st != HD_OK) {
        printf("silicon: %s: %s%s%s\n", j->name, hd_strerror(st), st > HD_STOPPED ? ": " : "",
               st > HD_STOPPED ? hd_device_error(d) : "");
        if (st <= HD_STOPPED)
            hd_explain(d, stdout);
    }
    free(log);
    hd_close(d);
}

static void kernel_job(void *user, unsigned i)
{
    struct kernels *k = user;
    struct kernel_job *j = &k->job[i];
    struct hd_err err = { 0 };
    char path[512];
    snprintf(path, sizeof path, "%s/kernels/%s.cu", k->dir, j->name);
    struct hd_image *img = hd_compile(path, &k->c->cc, &err);
    if (!img) {
        printf("silicon: %s: %s\n", j->name, err.text);
        return;
    }
    run_kernel(k, j, img);
    hd_image_free(img);
}

/* ---- all of them ---- */

static int is_kernel(const struct dirent *e)
{
    size_t n = strlen(e->d_name);
    return n > 3 && n < 60 && !strcmp(e->d_name + n - 3, ".cu");
}

static bool read_input(struct kernels *k)
{
    char path[512];
    snprintf(path, sizeof path, "%s/input.u32", k->dir);
    FILE *f = fopen(path, "rb");
    bool ok = f && fread(k->input, 4, WORDS, f) == WORDS;
    if (f)
        fclose(f);
    return ok;
}

void silicon_kernels(struct cli *c, const char *dir, struct silicon_result *r)
{
    struct kernels k = { .c = c, .dir = dir };
    struct dirent **names = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/kernels", dir);
    int n = scandir(path, &names, is_kernel, alphasort);
    if (n > 0 && !read_input(&k))
        fprintf(stderr, "heddle silicon: %s/input.u32 cannot be read\n", dir);
    size_t bytes = sizeof *k.job * (size_t)(n > 0 ? n : 1);
    k.job = shared_alloc(bytes);
    for (int i = 0; i < n; i++) {
        struct kernel_job *j = &k.job[k.n];
        snprintf(j->name, sizeof j->name, "%.*s", (int)strlen(names[i]->d_name) - 3, names[i]->d_name);
        j->no_yield = listed(dir, "no_yield.txt", j->name);
        k.n += (!c->launch.kernel || !strcmp(c->launch.kernel, j->name)) &&
               (c->launch.kernel || !c->cc.stack_mode || !listed(dir, "needs_its.txt", j->name));
        free(names[i]);
    }
    free(names);
    jobs_run(k.n, kernel_job, &k);
    for (unsigned i = 0; i < k.n; i++) {
        const struct kernel_job *j = &k.job[i];
        r->kernels.good += j->equal;
        r->outputs.good += j->output;
        if (c->cc.stack_mode)
            continue;                                /* an H200 has no stack: no order to compare with */
        r->sequences.good += j->sequences_equal;
        r->no_yield.good += j->no_yield ? j->sequences_equal : 0;
        r->no_yield.total += j->no_yield ? GRID : 0;
        if (j->no_yield && j->equal && j->sequences_equal < GRID)
            printf("silicon: %s: %u of %u sequences as on the H200, %u with its groups in another order\n", j->name,
                   j->sequences_equal, (unsigned)GRID, j->reordered);
    }
    r->kernels.total = r->outputs.total = k.n;
    r->sequences.total = c->cc.stack_mode ? 0 : k.n * GRID;
    shared_free(k.job, bytes);
}

int cmd_silicon(struct cli *c)
{
    struct silicon_result r = { 0 };
    const char *dir = c->input ? c->input : "tests/silicon";
    struct stat s;
    if (stat(dir, &s) || !S_ISDIR(s.st_mode))
        return cli_usage(c, "%s is no folder", dir);
    silicon_kernels(c, dir, &r);
    if (!c->launch.kernel)
        silicon_ops(c, dir, &r);
    printf("silicon: kernels %u/%u equal, outputs %u/%u equal, sequences %u/%u equal, of these without yield %u/%u, "
           "operations %u/%u exact, approx %u/%u within\n",
           r.kernels.good, r.kernels.total, r.outputs.good, r.outputs.total, r.sequences.good, r.sequences.total,
           r.no_yield.good, r.no_yield.total, r.operations.good, r.operations.total, r.approx.good, r.approx.total);
    bool yes = r.kernels.good == r.kernels.total && r.outputs.good == r.outputs.total &&
               r.approx.good == r.approx.total && !r.surprises;
    return yes ? EXIT_YES : EXIT_NO;
}
