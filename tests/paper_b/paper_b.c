/* Paper B's workloads: `paper_b check|figures|write ...`; see usage.
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/paper_b/measure.h"
#include "harness/cli/cli.h"
#include "tests/claims.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: paper_b check rtl|model [NAME]..     every workload on the model, in its own order "
    "and in a random one,\n"
    "                                            against the host\n"
    "       paper_b figures FOLDER [--model]     every order in lockstep: what the figures show, "
    "and the claims\n"
    "       paper_b h200 FILE [FOLDER]           the claims on a GPU, from what "
    "tests/paper_b/h200 has measured there;\n"
    "                                            with FOLDER its table and figure, too, and "
    "status 1 if a claim differs\n"
    "                                            that differs.txt does not name, or one of these "
    "does not\n"
    "       paper_b write rtl|model|gpu FOLDER [NAME]..\n"
    "                                            every workload's input as files, NAME.args for "
    "`heddle`,\n"
    "                                            and what memory must be, NAME.want.BUFFER\n";
static const char source_dir[] = "tests/paper_b";

/* Returns the counters; .warp_insns 0: it went wrong, which stderr says. */
static struct hd_counters run(const struct workload *w, const struct problem *p, bool redirected)
{
    struct hd_counters count = { 0 };
    struct redirect r = { .scope = ORDER_GRID };
    struct cc_options cc = { .redirect = redirected ? &r : NULL };
    struct hd_config cfg = { .kind = HD_MODEL };
    struct hd_err err = { 0 };
    uint64_t block[MAX_BUFFERS + 1];
    uint64_t at[MAX_BUFFERS + 1] = { 0 };
    char path[256], what[300];
    hd_device *d = NULL;
    struct hd_launch l = { .grid = { p->blocks, 1, 1 },
                           .block = { p->threads, 1, 1 },
                           .params = block };
    struct launch_args order = { .grid = l.grid, .block = l.block, .order = "rand:11" };
    snprintf(path, sizeof path, "%s/%s.cu", source_dir, w->name);
    snprintf(what, sizeof what, "%s: %s order", path, redirected ? "random" : "its own");
    struct hd_image *img = hd_compile(path, &cc, &err);
    bool ok = img && (!redirected || args_order(&order, &r, NULL, &err));
    if (!ok)
        fprintf(stderr, "%s\n", err.text);
    ok = ok && hd_open(&cfg, &d) == HD_OK && hd_load(d, img) == HD_OK &&
         problem_place(p, d, block, at, &l.params_size);
    if (ok && redirected) {
        const struct arg *a = order.args;
        l.params_size = (l.params_size + 7) / 8 * 8;
        ok = hd_malloc(d, a->count * 4, &at[p->n]) == HD_OK &&
             hd_write(d, at[p->n], a->data, a->count * 4) == HD_OK;
        block[l.params_size / 8] = at[p->n];
        l.params_size += 8;
    }
    ok = ok && hd_launch_grid(d, &l) == HD_OK;
    if (d && !ok)
        hd_explain(d, stderr);
    if (ok && problem_judge(p, what, d, at))
        count = *hd_get_counters(d);
    hd_close(d);
    hd_image_free(img);
    args_free(&order);
    return count;
}

static bool named(const struct workload *w, char **names, int n)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], w->name))
            return true;
    return !n;
}

static int check(enum size size, char **names, int n)
{
    unsigned wrong = 0, runs = 0;
    struct progress progress;
    progress_begin(&progress, 0, 0);
    for (const struct workload *w = workloads; w < workloads + workload_count; w++)
        if (named(w, names, n)) {
            struct problem p = { 0 };
            w->make(&p, size);
            for (int redirected = 0; redirected < 2; redirected++) {
                progress_show(&progress, &(struct progress_state){
                                             .what = "paper_b",
                                             .done = runs,
                                             .all = 2 * (n ? (unsigned)n : workload_count),
                                             .pieces = "runs",
                                             .also = w->name });
                struct hd_counters c = run(w, &p, redirected);
                progress_end(&progress);
                printf(
                    "paper-b: %s, %u threads, %s order, warp instructions %llu, SIMT efficiency "
                    "%.1f%%, %s\n",
                    w->name, p.blocks * p.threads, redirected ? "random" : "its own",
                    (unsigned long long)c.warp_insns,
                    c.warp_insns ? 100.0 * (double)c.active_lanes / 32 / (double)c.warp_insns : 0,
                    c.warp_insns ? "ok" : "WRONG");
                fflush(stdout);
                wrong += !c.warp_insns;
                runs++;
            }
            problem_free(&p);
        }
    if (!runs)
        fprintf(stderr, "paper_b: there is no such workload\n");
    return !runs ? 2 : wrong ? 1 : 0;
}

/* What the host says, as FOLDER/NAME.want.BUFFER. */
static bool write_wanted(const struct problem *p, const char *name, const char *folder)
{
    bool ok = true;
    for (unsigned i = 0; ok && i < p->n; i++) {
        const struct buffer *b = &p->buf[i];
        char path[512];
        snprintf(path, sizeof path, "%s/%s.want.%s", folder, name, b->name);
        FILE *f = b->expected ? fopen(path, "wb") : NULL;
        ok = !b->expected || (f && fwrite(b->expected, 1, b->bytes, f) == b->bytes);
        if (f)
            ok &= !fclose(f);
    }
    return ok;
}

static int write_all(enum size size, const char *folder, char **names, int n)
{
    unsigned written = 0;
    for (const struct workload *w = workloads; w < workloads + workload_count; w++) {
        struct problem p = { 0 };
        if (!named(w, names, n))
            continue;
        written++;
        w->make(&p, size);
        bool ok = problem_write(&p, w->name, folder) && write_wanted(&p, w->name, folder);
        problem_free(&p);
        if (!ok) {
            fprintf(stderr, "paper_b: %s: cannot write %s there\n", folder, w->name);
            return 2;
        }
    }
    if (!written)
        fprintf(stderr, "paper_b: there is no such workload\n");
    return written ? 0 : 2;
}

static int figures(const char *folder, bool lockstep)
{
    struct measured *m = measure_all(lockstep);
    int status = m ? 2 : 4;
    if (m && !measured_write(m, folder, lockstep))
        fprintf(stderr, "paper_b: %s cannot be written\n", folder);
    else if (m && h200_write("tests/paper_b/h200.csv", folder))
        status = measured_claims(m, lockstep) ? 0 : 1;
    if (m)
        measured_free(m);
    return status;
}

int main(int argc, char **argv)
{
    static const char *const sizes[] = { "rtl", "model", "gpu" };
    int size = 0;
    while (argc > 2 && size < 3 && strcmp(argv[2], sizes[size]))
        size++;
    if (argc >= 3 && !strcmp(argv[1], "check") && size < SIZE_GPU)
        return check((enum size)size, argv + 3, argc - 3);
    if ((argc == 3 || (argc == 4 && !strcmp(argv[3], "--model"))) && !strcmp(argv[1], "figures"))
        return figures(argv[2], argc == 3);
    if (argc == 3 && !strcmp(argv[1], "h200"))
        return h200_claims(&(struct claims){ .paper = "paper-b", .yes = "ok" }, argv[2]) ? 0 : 2;
    if (argc == 4 && !strcmp(argv[1], "h200"))
        return !h200_write(argv[2], argv[3]) ? 2 : h200_known(argv[2]) ? 0 : 1;
    if (argc >= 4 && !strcmp(argv[1], "write") && size <= SIZE_GPU)
        return write_all((enum size)size, argv[3], argv + 4, argc - 4);
    bool help = argc == 2 && !strcmp(argv[1], "--help");
    fputs(usage, help ? stdout : stderr);
    return help ? 0 : 2;
}
