/* `gpu pipeline': eight batches; the host predicts and orders the next one, and copies it, while one runs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Counts are predicted by equation (1), fitted offline on one block's threads (`heddle bbv --fit'); the order is paper
 * B's Sorting.  A batch is an eighth of the launch's blocks: redirected, its part of D gives threads of its own; moved,
 * its elements begin where those of the one before end, and a bound becomes what is left of it.  Time is the
 * host's clock from the first prediction to the last kernel's end; the same batches in their own order go without
 * prediction and D, but their elements are copied, too. */
#include "tests/paper_b/h200/gpu.h"
#include "regroup/regroup.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 8, REPEATS = 5 };
enum mode { OWN_ORDER, REDIRECT, LAYOUT };

struct pipe {
    struct launch l;
    struct fit *fit;
    double *input;               /* of every thread: the fit's */
    unsigned blocks;             /* of a batch; the last ones may have fewer, or none */
    uint32_t *d;                 /* the order of all, within batches */
    unsigned char *staged[MOST]; /* elements and, after the last parameter, D on their way: pinned */
    gpu_addr order;
    void *copies, *runs, *there[BATCHES], *plain, *redirected;
    double found;                /* seconds of predictions and orders */
};

/* ---- the fit and its inputs ---- */

static uint64_t shape_of(const char *path)
{
    uint64_t shape = 0;
    FILE *f = fopen(path, "r");
    if (!f || fscanf(f, "heddle-fit 1 shape %" SCNx64, &shape) != 1) {
        fprintf(stderr, "gpu: %s: no fit\n", path);
        exit(2);
    }
    fclose(f);
    return shape;
}

static double input_of(const struct launch *l, const struct input *in, size_t thread)
{
    for (const struct buffer *b = l->b; b < l->b + l->n; b++)
        if (!strcmp(b->name, in->name) && b->data) {
            size_t width = b->bytes / launch_threads(l) / in->elements;
            const unsigned char *at = b->data + (thread * in->elements + in->which) * width;
            uint32_t word;
            if (width == 4)
                return memcpy(&word, at, 4), (double)word;
            if (width == 1)
                return *at;
        }
    fprintf(stderr, "gpu: the fit's input %s is none of the launch's\n", in->name);
    exit(2);
}

static void take_inputs(struct pipe *p, const char *work, const char *kernel)
{
    char path[512];
    struct hd_err err = { 0 };
    snprintf(path, sizeof path, "%s/%s.fit", work, kernel);
    p->fit = fit_read(path, shape_of(path), &err);
    if (!p->fit) {
        fprintf(stderr, "gpu: %s\n", err.text);
        exit(2);
    }
    size_t n = launch_threads(&p->l);
    p->input = room(n * (p->fit->ninputs + 1) * sizeof *p->input);
    for (uint32_t k = 0; k < p->fit->ninputs; k++)
        for (size_t t = 0; t < n; t++)
            p->input[t * p->fit->ninputs + k] = input_of(&p->l, &p->fit->input[k], t);
}

/* ---- a batch ---- */

static size_t first_of(const struct pipe *p, unsigned batch)
{
    size_t block = (size_t)batch * p->blocks;
    return (block < p->l.blocks ? block : p->l.blocks) * p->l.threads;
}

static size_t size_of(const struct pipe *p, unsigned batch) { return first_of(p, batch + 1) - first_of(p, batch); }

/* Finds its order, by the counts that its inputs predict. */
static void find(struct pipe *p, unsigned batch)
{
    double start = regroup_seconds();
    const size_t first = first_of(p, batch), n = size_of(p, batch);
    struct inputs in = { .n = p->fit->ninputs, .threads = n, .value = p->input + first * p->fit->ninputs };
    struct hd_dim3 grid = { (uint32_t)(n / p->l.threads), 1, 1 }, block = { p->l.threads, 1, 1 };
    struct bbv *b = fit_counts(p->fit, &in, grid, block);
    double *lat = b ? room(b->ncolumns * sizeof *lat) : NULL;
    struct hd_err err = { 0 };
    uint32_t *d = b ? order_find(b, lat, &(struct order_how){ .by = BY_SORTING }, &err) : NULL;
    if (!d) {
        fprintf(stderr, "gpu: no order: %s\n", err.text);
        exit(2);
    }
    for (size_t t = 0; t < n; t++)
        p->d[first + t] = (uint32_t)first + d[t];
    free(d);
    free(lat);
    bbv_free(b);
    p->found += regroup_seconds() - start;
}

/* Its elements, in its order, or its part of D, start on their way to the GPU. */
static void copy(struct pipe *p, unsigned batch, enum mode mode)
{
    const size_t first = first_of(p, batch), n = size_of(p, batch);
    for (unsigned k = 0; k < p->l.n; k++) {
        const struct buffer *b = &p->l.b[k];
        if (!b->element || !b->data)
            continue;
        unsigned char *to = p->staged[k] + first * b->element;
        if (mode == LAYOUT)
            elements_move(to, b->data, p->d + first, n, b->element);
        else
            memcpy(to, b->data + first * b->element, n * b->element);
        must(gpu.cuMemcpyHtoDAsync_v2(b->at + first * b->element, to, n * b->element, p->copies), "cuMemcpyHtoDAsync");
    }
    if (mode == REDIRECT) {
        unsigned char *to = p->staged[p->l.n] + 4 * first;
        memcpy(to, p->d + first, 4 * n);
        must(gpu.cuMemcpyHtoDAsync_v2(p->order + 4 * first, to, 4 * n, p->copies), "cuMemcpyHtoDAsync");
    }
    must(gpu.cuEventRecord(p->there[batch], p->copies), "cuEventRecord");
    must(gpu.cuStreamWaitEvent(p->runs, p->there[batch], 0), "cuStreamWaitEvent");
}

/* With its own part of every buffer that has elements, and what is left of a bound. */
static void run_part(struct pipe *p, unsigned batch)
{
    gpu_addr at[MOST];
    uint32_t value[MOST];
    void *params[MOST];
    const uint32_t first = (uint32_t)first_of(p, batch);
    for (unsigned k = 0; k < p->l.n; k++) {
        const struct buffer *b = &p->l.b[k];
        at[k] = b->at + first * b->element;
        value[k] = !b->bound ? b->value : b->value > first ? b->value - first : 0;
        params[k] = b->bytes ? (void *)&at[k] : (void *)&value[k];
    }
    gpu_launch(p->plain, (unsigned)(size_of(p, batch) / p->l.threads), p->l.threads, params, p->runs);
}

/* All threads' own ids come from its part of D. */
static void run_redirected(struct pipe *p, unsigned batch)
{
    void *params[MOST];
    gpu_addr order = p->order + 4 * first_of(p, batch);
    params[launch_params(&p->l, params)] = &order;
    gpu_launch(p->redirected, (unsigned)(size_of(p, batch) / p->l.threads), p->l.threads, params, p->runs);
}

/* Seconds of all batches, one after the other on the GPU. */
static double go(struct pipe *p, enum mode mode, bool by_parts)
{
    launch_clear(&p->l);
    must(gpu.cuStreamSynchronize(NULL), "cuStreamSynchronize");
    p->found = 0;
    double start = regroup_seconds();
    for (unsigned batch = 0; batch < BATCHES && size_of(p, batch); batch++) {
        if (mode != OWN_ORDER)
            find(p, batch);
        copy(p, batch, mode);
        (by_parts ? run_part : run_redirected)(p, batch);
    }
    must(gpu.cuStreamSynchronize(p->runs), "the kernels");
    return regroup_seconds() - start;
}

static void identity(struct pipe *p)
{
    for (size_t t = 0; t < launch_threads(&p->l); t++)
        p->d[t] = (uint32_t)t;
}

/* The kernel that takes no order runs parts of buffers where elements move; else D says whose turn it is. */
static void row(struct pipe *p, enum mode mode, bool by_parts, const char *order, const char *mechanism)
{
    double us[REPEATS], found[REPEATS];
    unsigned n = gpu_repeats(REPEATS);
    for (unsigned k = 0; k <= n; k++) {
        identity(p);
        double s = go(p, mode, by_parts);
        if (k) {
            us[k - 1] = 1e6 * s;
            found[k - 1] = 1e6 * p->found;
        }
    }
    double all = median(us, n), host = median(found, n);
    printf("%s %s %.1f %d %.1f\n", order, mechanism, all, launch_right(&p->l, mode == LAYOUT ? p->d : NULL), host);
    fflush(stdout);
}

static void *pinned(size_t bytes)
{
    void *at;
    must(gpu.cuMemAllocHost_v2(&at, bytes), "cuMemAllocHost");
    return at;
}

int pipeline(const char *pack, const char *work, const char *kernel)
{
    struct pipe p = { .found = 0 };
    launch_read(&p.l, pack, work, kernel);
    const size_t n = launch_threads(&p.l);
    p.blocks = (p.l.blocks + BATCHES - 1) / BATCHES;
    take_inputs(&p, work, kernel);
    p.d = room(4 * n);
    p.order = gpu_room(4 * n);
    for (unsigned k = 0; k < p.l.n; k++)
        p.staged[k] = p.l.b[k].element && p.l.b[k].data ? pinned(p.l.b[k].bytes) : NULL;
    p.staged[p.l.n] = pinned(4 * n);
    must(gpu.cuStreamCreate(&p.copies, 1), "cuStreamCreate");        /* 1: it does not wait for stream 0 */
    must(gpu.cuStreamCreate(&p.runs, 1), "cuStreamCreate");
    for (unsigned k = 0; k < BATCHES; k++)
        must(gpu.cuEventCreate(&p.there[k], 2), "cuEventCreate");    /* 2: it holds no time */
    p.plain = gpu_load(launch_ptx(pack, kernel, ""), kernel, NULL);
    p.redirected = gpu_load(launch_ptx(pack, kernel, ".redirect"), kernel, NULL);
    const bool parts = launch_moves(&p.l);
    if (parts)
        row(&p, OWN_ORDER, true, "original", "pipe-none");
    else {                                           /* D in the threads' own order */
        identity(&p);
        must(gpu.cuMemcpyHtoD_v2(p.order, p.d, 4 * n), "cuMemcpyHtoD");
        row(&p, OWN_ORDER, false, "original", "pipe-none");
    }
    row(&p, REDIRECT, false, "sorting", "pipe-redirect");
    if (parts)
        row(&p, LAYOUT, true, "sorting", "pipe-layout");
    return 0;
}
