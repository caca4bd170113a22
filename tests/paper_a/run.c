/* Compiles, launches and judges a workload.
 * SPDX-License-Identifier: Apache-2.0 */
#include "run.h"
#include "harness/cli/cli.h"
#include <stdlib.h>
#include <string.h>

static const char source_dir[] = "tests/paper_a";
static const struct command command = { "paper_a", "", "", OPT_CC, NULL };
enum { LIMIT = 400000000, MAX_WORDS = 16 };

static struct hd_image *compile(const struct workload *w, const struct placement *with)
{
    char path[256], *argv[MAX_WORDS] = { (char *)(uintptr_t)command.name, path };
    int argc = 2;
    struct cli c;
    struct hd_err err = { 0 };
    struct hd_image *img = NULL;
    snprintf(path, sizeof path, "%s/%s.cu", source_dir, w->name);
    for (const char *const *o = with->options; *o && argc < MAX_WORDS - 1; o++)
        argv[argc++] = (char *)(uintptr_t)*o;
    if (cli_parse(&command, argc, argv, &c) < 0 && !(img = hd_compile(path, &c.cc, &err)))
        fprintf(stderr, "%s\n", err.text);
    cli_free(&c);
    return img;
}

struct outcome workload_run(const struct workload *w, const struct problem *p,
                            const struct placement *with, bool lockstep)
{
    struct outcome o = { 0 };
    struct hd_config cfg = { .kind = lockstep ? HD_LOCKSTEP : HD_MODEL,
                             .limit = LIMIT,
                             .timing = lockstep ? NULL : "core" };
    uint64_t block[MAX_BUFFERS];
    uint64_t at[MAX_BUFFERS] = { 0 };
    char what[256];
    hd_device *d = NULL;
    struct hd_launch l = { .grid = { p->blocks, 1, 1 },
                           .block = { p->threads, 1, 1 },
                           .params = block };
    struct hd_image *img = compile(w, with);
    if (!img)
        return o;
    if (hd_open(&cfg, &d) == HD_OK && hd_load(d, img) == HD_OK &&
        problem_place(p, d, block, at, &l.params_size)) {
        o.ran = hd_launch_grid(d, &l) == HD_OK;
        if (!o.ran)
            hd_explain(d, stderr);
        snprintf(what, sizeof what, "%s/%s.cu: %s", source_dir, w->name, with->name);
        o.right = o.ran && problem_judge(p, what, d, at);
        o.count = *hd_get_counters(d);
    } else
        fprintf(stderr, "%s/%s.cu: %s\n", source_dir, w->name, hd_device_error(d));
    hd_close(d);
    hd_image_free(img);
    return o;
}

double outcome_efficiency(const struct outcome *o)
{
    return o->count.warp_insns
               ? 100.0 * (double)o->count.active_lanes / 32 / (double)o->count.warp_insns
               : 0;
}
