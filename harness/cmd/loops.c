/* Paper C's loops: launches, and what happens between the clocks.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cmd/loops.h"
#include "compiler/all.h"
#include "cmodel/timing/timing.h"
#include <stdlib.h>
#include <string.h>

static const char loop_dir[] = "tests/paper_c", h200_file[] = "tests/silicon/micro_h200.csv";
static const char *const files[LOOP_KERNELS] = {
    "single_loop.cu", "double_loop.cu", "single_loop_precise.cu"
};
const char *const loop_names[LOOP_KERNELS] = { "single", "double", "precise" };

int32_t loop_bound(unsigned lane, unsigned n)
{
    return lane + n > 31 ? 32 - (int32_t)(lane + n - 31) : 32;
}

struct hd_image *loop_compile(enum loop_kernel k, bool stack_mode)
{
    char path[256];
    struct cc_options cc = { .stack_mode = stack_mode };
    struct hd_err err = { 0 };
    snprintf(path, sizeof path, "%s/%s", loop_dir, files[k]);
    struct hd_image *img = hd_compile(path, &cc, &err);
    if (!img)
        fprintf(stderr, "%s\n", err.text);
    return img;
}

bool loop_h200(enum loop_kernel k, unsigned n, uint64_t *cycles)
{
    char line[64], key[32];
    int len = snprintf(key, sizeof key, "%s,%u,", loop_names[k], n);
    FILE *f = fopen(h200_file, "r");
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        if ((found = !strncmp(line, key, (size_t)len)))
            *cycles = strtoull(line + len, NULL, 10);
    if (f)
        fclose(f);
    return found;
}

/* ---- between the clocks ---- */

/* clock64() reads two words, so the loop lies between the second and the third clock instruction.
 * In the precise kernel that is a turn, and the window ends with the last clock. */
struct window { struct loop_run *r; unsigned clocks; };

static void count(struct loop_run *r, const struct hd_commit *c)
{
    uint32_t event[TIMING_EVENT_COUNT];
    timing_events(c, event);
    r->loop.insns += !c->unwind;
    r->loop.pushes += event[TIMING_push];
    r->loop.pops += event[TIMING_pop];
    r->loop.spills += event[TIMING_spill];
    r->loop.fills += event[TIMING_fill];
    r->loop.divergent += event[TIMING_diverge];
    if (c->depth > r->loop.deepest)
        r->loop.deepest = c->depth;
}

static bool on_commit(void *user, const struct hd_commit *c)
{
    struct window *w = user;
    if (c->block)
        return true;
    w->clocks += c->is_clock;
    if (c->is_clock || w->clocks < 2 || (w->clocks > 2 && w->r->kernel != LOOP_PRECISE))
        return true;
    count(w->r, c);
    return !w->r->on_commit || w->r->on_commit(w->r->user, c);
}

static uint64_t buffer(hd_device *d, const void *data, size_t bytes)
{
    uint64_t at = 0;
    if (hd_malloc(d, bytes, &at) == HD_OK && data)
        hd_write(d, at, data, bytes);
    return at;
}

static void take_times(struct loop_run *r, hd_device *d, uint64_t at, size_t bytes)
{
    int64_t *timer = malloc(bytes);
    if (timer && hd_read(d, at, timer, bytes) == HD_OK) {
        for (unsigned i = 0; r->kernel != LOOP_PRECISE && i < HD_LANES * r->warps; i++)
            if ((uint64_t)(timer[2 * i + 1] - timer[2 * i]) > r->cycles)
                r->cycles = (uint64_t)(timer[2 * i + 1] - timer[2 * i]);
        memcpy(r->timer, timer, bytes < sizeof r->timer ? bytes : sizeof r->timer);
    }
    free(timer);
}

bool loop_measure(struct loop_run *r)
{
    hd_device *d;
    int32_t limits[2 * HD_LANES];
    struct window w = { .r = r };
    size_t bytes = r->kernel == LOOP_PRECISE ? sizeof r->timer
                                             : 2 * sizeof(int64_t) * HD_LANES * r->warps;
    r->cycles = 0;
    memset(&r->loop, 0, sizeof r->loop);
    bool ok = hd_open(&r->cfg, &d) == HD_OK && hd_load(d, r->image) == HD_OK;
    if (ok) {
        for (unsigned i = 0; i < 2 * HD_LANES; i++)
            limits[i] = loop_bound(r->kernel == LOOP_DOUBLE ? i / 2 : i % HD_LANES, r->n);
        uint64_t p[3] = { buffer(d, limits, sizeof limits),
                          buffer(d, NULL, sizeof(float) * HD_LANES * r->warps),
                          buffer(d, NULL, bytes) };
        struct hd_launch l = { .grid = { r->warps, 1, 1 }, .block = { HD_LANES, 1, 1 }, .params = p,
                               .params_size = hd_image_kernel(r->image, NULL, NULL)->params_size };
        hd_on_commit(d, on_commit, &w);
        ok = hd_launch_grid(d, &l) == HD_OK;
        if (ok)
            take_times(r, d, (uint32_t)p[2], bytes);
        else
            hd_explain(d, stderr);
        r->count = *hd_get_counters(d);
    } else
        fprintf(stderr, "%s\n", hd_device_error(d));
    hd_close(d);
    return ok;
}
