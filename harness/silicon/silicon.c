/* `heddle silicon`: the recorded kernels of an H200, compiled and run in lockstep.
 * SPDX-License-Identifier: Apache-2.0
 *
 * tests/silicon/README.md says how a kernel is launched, what `out` hashes to, and how the (id,
 * mask) sequence of a warp follows from its log. */
#include "harness/silicon/silicon.h"
#include "harness/silicon/silicon_files.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GRID = SILICON_WARPS, WORDS = 256, KMAX = 2048, LOG_WARP = KMAX * 3 * HD_LANES,
       LOG_WORDS = GRID * LOG_WARP, LINE = 1 << 20, MAX_KERNELS = 4096 };

/* warps: bit w, warp w runs its lanes in the H200's order; reordered: others with its groups in
 * another order */
struct kernel_job { char name[64]; bool no_yield, equal, output; unsigned warps, reordered; };
struct kernels {
    struct cli *c;
    const char *dir;
    uint32_t input[WORDS];
    unsigned n;
    struct kernel_job *job;
    struct silicon_list no_yield, needs_its, ordered;
};

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
            e[groups - 1].mask |= e[i].mask;        /* its seq is the smallest: the order says so */
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

/* Compares with the trace: the hash of `out`, then the sequence of each warp. */
static void check_trace(struct kernel_job *j, const char *dir, const uint32_t *out,
                        const uint32_t *cnt, const uint32_t *log)
{
    char *ours = malloc(LINE);
    struct event *e = malloc(sizeof *e * KMAX * HD_LANES);
    struct silicon_trace t;
    struct hd_err err = { 0 };
    uint32_t h = 0;
    for (int i = 0; i < WORDS; i++)
        h = h * 1000003u ^ out[i];
    if (ours && e && silicon_trace_read(dir, j->name, &t, &err)) {
        j->output = h == t.outhash;
        if (!j->output)
            printf("silicon: %s: out hashes to %08x, the H200's to %08x\n", j->name, h, t.outhash);
        for (unsigned w = 0; w < GRID; w++) {
            sequence(log + (size_t)w * LOG_WARP, cnt + w * HD_LANES, e, ours);
            bool equal = !strcmp(t.sequence[w], ours);
            j->warps |= (unsigned)equal << w;
            j->reordered += !equal && j->no_yield && same_groups(t.sequence[w], ours);
        }
    }
    silicon_trace_free(&t);
    free(ours);
    free(e);
}

/* ---- one kernel ---- */

static uint64_t buffer(hd_device *d, const void *data, size_t words)
{
    uint64_t at = 0;
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
        uint64_t in = buffer(d, k->input, WORDS), o = buffer(d, NULL, WORDS),
                 c = buffer(d, NULL, 2 * WORDS), lg = buffer(d, NULL, LOG_WORDS);
        struct { uint64_t in, out, cnt, log; uint32_t n; } params = { in, o, c, lg, WORDS };
        struct hd_launch l = { .kernel = "k",
                               .grid = { GRID, 1, 1 },
                               .block = { 32, 1, 1 },
                               .params = &params,
                               .params_size = 36 };
        st = hd_launch_grid(d, &l);
        if (st == HD_OK && hd_read(d, o, out, sizeof out) == HD_OK &&
            hd_read(d, c, cnt, sizeof cnt) == HD_OK &&
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
    /* the PTX that the GPU ran, where that was kept: another clang makes other code */
    snprintf(path, sizeof path, "%s/kernels/%s.ptx", k->dir, j->name);
    if (access(path, F_OK))
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
    const char *dot = strrchr(e->d_name, '.');
    return dot && dot > e->d_name && dot - e->d_name < 57 &&
           (!strcmp(dot, ".cu") || !strcmp(dot, ".ptx"));
}

static bool has_kernel(const struct kernels *k, const char *name)
{
    for (unsigned i = 0; i < k->n; i++)
        if (!strcmp(k->job[i].name, name))
            return true;
    return false;
}

/* Every name in a list is a kernel. */
static bool read_names(const struct kernels *k, const char *file, struct silicon_list *l,
                       struct hd_err *err)
{
    if (!silicon_list_read(k->dir, file, l, err))
        return false;
    for (unsigned i = 0; i < l->n; i++)
        if (!has_kernel(k, l->line[i].name))
            hd_err_set(err, 2, "%s/%s: there is no kernel %s", k->dir, file, l->line[i].name);
    return !err->status;
}

static int is_trace(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');
    return e->d_name[0] != '.' && dot && !strcmp(dot, ".txt");
}

/* Every kernel has a whole trace, every trace its kernel. */
static bool check_traces(const struct kernels *k, struct hd_err *err)
{
    struct dirent **names = NULL;
    struct silicon_trace t;
    char path[512];
    for (unsigned i = 0; i < k->n; i++) {
        silicon_trace_read(k->dir, k->job[i].name, &t, err);
        silicon_trace_free(&t);
    }
    snprintf(path, sizeof path, "%s/traces", k->dir);
    int n = scandir(path, &names, is_trace, alphasort);
    for (int i = 0; i < n; i++) {
        names[i]->d_name[strlen(names[i]->d_name) - 4] = 0;
        if (!has_kernel(k, names[i]->d_name))
            hd_err_set(err, 2, "%s/%s.txt: has no kernel", path, names[i]->d_name);
        free(names[i]);
    }
    free(names);
    return !err->status;
}

/* Reads and checks all that is recorded, and leaves the jobs that were asked for. */
static bool open_kernels(struct kernels *k, struct hd_err *err)
{
    const char *only = k->c->launch.kernel;
    struct dirent **names = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/kernels", k->dir);
    int n = scandir(path, &names, is_kernel, alphasort);
    for (int i = 0; i < n; i++) {
        *strrchr(names[i]->d_name, '.') = 0;
        if (k->n < MAX_KERNELS && !has_kernel(k, names[i]->d_name))   /* source and PTX are one */
            snprintf(k->job[k->n++].name, sizeof k->job->name, "%.60s", names[i]->d_name);
        free(names[i]);
    }
    free(names);
    if (n <= 0 || k->n == MAX_KERNELS)
        return hd_err_set(err, 2, "%s: holds 1 to %d kernels, not %d", path, MAX_KERNELS - 1, n),
               false;
    n = (int)k->n;
    if (!silicon_bytes(k->dir, "input.u32", k->input, sizeof k->input, err) ||
        !check_traces(k, err) || !read_names(k, "no_yield.txt", &k->no_yield, err) ||
        !read_names(k, "needs_its.txt", &k->needs_its, err) ||
        !read_names(k, "ordered.tsv", &k->ordered, err))
        return false;
    k->n = 0;
    for (int i = 0; i < n; i += k->c->every ? (int)k->c->every : 1) {
        struct kernel_job j = k->job[i];
        j.no_yield = silicon_list_find(&k->no_yield, j.name);
        if (only ? !strcmp(only, j.name)
                 : !k->c->cc.stack_mode || !silicon_list_find(&k->needs_its, j.name))
            k->job[k->n++] = j;
    }
    if (!k->n)
        hd_err_set(err, 2, "%s: there is no kernel %s", path,
                   only ? only : "that the stack can run");
    return k->n;
}

/* Lines `NAME<TAB>WARPS` of ordered.tsv are the warps that run their lanes in the H200's order, as
 * digits: that set may only grow, and what it has grown by is written down.  What is not so makes
 * the answer no. */
static unsigned count_changes(const struct kernels *k, const struct kernel_job *j)
{
    const char *was = silicon_list_find(&k->ordered, j->name);
    char now[GRID + 1] = "";
    unsigned n = 0, lost = 0;
    for (unsigned w = 0; w < GRID; w++) {
        bool listed = was && strchr(was, (int)('0' + w)), is = j->warps >> w & 1;
        if (is)
            now[n++] = (char)('0' + w);
        if (listed && !is) {
            printf("silicon: %s: warp %u no longer runs its lanes in the H200's order\n", j->name,
                   w);
            lost++;
        }
    }
    if (!k->ordered.n || lost || !strcmp(now, was ? was : ""))
        return lost;
    printf("silicon: %s: more warps than in ordered.tsv are in order; its line is now: %s\t%s\n",
           j->name, j->name, now);
    return 1;
}

static void count_kernel(const struct kernels *k, const struct kernel_job *j,
                         struct silicon_result *r)
{
    unsigned good = (unsigned)__builtin_popcount(j->warps);
    r->kernels.good += j->equal;
    r->kernels.total++;
    r->outputs.good += j->output;
    r->outputs.total++;
    if (k->c->cc.stack_mode)
        return;                                 /* an H200 has no stack: no order to compare with */
    r->sequences.good += good;
    r->sequences.total += GRID;
    r->no_yield.good += j->no_yield ? good : 0;
    r->no_yield.total += j->no_yield ? GRID : 0;
    r->surprises += count_changes(k, j);
    if (j->no_yield && j->equal && good < GRID)
        printf(
            "silicon: %s: %u of %u sequences as on the H200, %u with its groups in another order\n",
            j->name, good, (unsigned)GRID, j->reordered);
}

bool silicon_kernels(struct cli *c, const char *dir, struct silicon_result *r, struct hd_err *err)
{
    struct kernels k = { .c = c, .dir = dir };
    int there = silicon_part(dir, "kernels", err);
    if (there <= 0)
        return !there;
    size_t bytes = MAX_KERNELS * sizeof *k.job;
    k.job = shared_alloc(bytes);
    bool ok = k.job && open_kernels(&k, err);
    if (ok)
        jobs_run("silicon, kernels", k.n, kernel_job, &k);
    for (unsigned i = 0; ok && i < k.n; i++)
        count_kernel(&k, &k.job[i], r);
    silicon_list_free(&k.no_yield);
    silicon_list_free(&k.needs_its);
    silicon_list_free(&k.ordered);
    shared_free(k.job, bytes);
    return ok;
}

int cmd_silicon(struct cli *c)
{
    struct silicon_result r = { 0 };
    struct hd_err err = { 0 };
    const char *dir = c->input ? c->input : "tests/silicon";
    struct stat s;
    if (stat(dir, &s) || !S_ISDIR(s.st_mode))
        return cli_usage(c, "%s is no folder", dir);
    if (!silicon_kernels(c, dir, &r, &err) ||
        (!c->launch.kernel && !(silicon_ops(c, dir, &r, &err) && silicon_states(dir, &r, &err))))
        return cli_usage(c, "%s", err.status ? err.text : "no memory");
    if (!r.kernels.total && !r.operations.total && !r.states.total)
        return cli_usage(c, "%s: nothing is recorded there: neither kernels/, ops/ nor states/",
                         dir);
    if (r.states.total)
        printf("silicon: states %u/%u equal\n", r.states.good, r.states.total);
    printf(
        "silicon: kernels %u/%u equal, outputs %u/%u equal, sequences %u/%u equal, of these "
        "without yield %u/%u, "
        "operations %u/%u exact, approx %u/%u within\n",
        r.kernels.good, r.kernels.total, r.outputs.good, r.outputs.total, r.sequences.good,
        r.sequences.total, r.no_yield.good, r.no_yield.total, r.operations.good, r.operations.total,
        r.approx.good, r.approx.total);
    bool yes = r.kernels.good == r.kernels.total && r.outputs.good == r.outputs.total &&
               r.approx.good == r.approx.total && !r.surprises;
    return yes ? EXIT_YES : EXIT_NO;
}
