/* `gpu pipeline': eight batches; the host predicts and orders the next ones, and copies them, while
 * one runs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Counts are predicted by equation (1), fitted offline on one block's threads (`heddle bbv --fit');
 * the order is paper B's Sorting.  A batch is an eighth of the launch's blocks: redirected, its
 * part of D gives threads of its own; moved, its elements begin where those of the one before end,
 * and a bound becomes what is left of it.  Each batch is predicted, sorted and moved by a processor
 * of its own, where there are so many; the program's own thread copies and launches them in their
 * order.  Time is the host's clock from the first prediction to the last kernel's end; the same
 * batches in their own order go without prediction and D, but their elements are copied, too. */
#include "tests/paper_b/h200/gpu.h"
#include "regroup/regroup.h"
#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCHES = 8, REPEATS = 5 };
enum mode { OWN_ORDER, REDIRECT, LAYOUT };

/* Where an input of the fit is: a byte or a word every so many bytes. */
struct source { const unsigned char *at; size_t width, step; };

struct pipe {
    struct launch l;
    struct fit *fit;
    struct source *source;       /* by input of the fit */
    unsigned blocks;             /* of a batch; the last ones may have fewer, or none */
    enum mode mode;
    uint32_t *d;                 /* the order of all, within batches */
    /* elements and, after the last parameter, D on their way: pinned */
    unsigned char *staged[MOST];
    gpu_addr order;
    void *copies, *runs, *there[BATCHES], *plain, *redirected;
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool ready[BATCHES];
    double found;                /* when the last order was */
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

static struct source source_of(const struct launch *l, const struct input *in)
{
    for (const struct buffer *b = l->b; b < l->b + l->n; b++) {
        const size_t step = b->bytes / launch_threads(l), width = step / in->elements;
        if (!strcmp(b->name, in->name) && b->data && (width == 1 || width == 4))
            return (struct source){ b->data + in->which * width, width, step };
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
    p->source = room((p->fit->ninputs + 1) * sizeof *p->source);
    for (uint32_t k = 0; k < p->fit->ninputs; k++)
        p->source[k] = source_of(&p->l, &p->fit->input[k]);
}

/* A row for each of n threads. */
static void read_inputs(const struct pipe *p, size_t first, size_t n, double *to)
{
    const uint32_t width = p->fit->ninputs;
    for (uint32_t k = 0; k < width; k++) {
        const unsigned char *at = p->source[k].at + first * p->source[k].step;
        uint32_t word;
        for (size_t t = 0; t < n; t++, at += p->source[k].step)
            to[t * width + k] = p->source[k].width == 1 ? *at : (memcpy(&word, at, 4), word);
    }
}

/* ---- a batch ---- */

static size_t first_of(const struct pipe *p, unsigned batch)
{
    size_t block = (size_t)batch * p->blocks;
    return (block < p->l.blocks ? block : p->l.blocks) * p->l.threads;
}

static size_t size_of(const struct pipe *p, unsigned batch)
{
    return first_of(p, batch + 1) - first_of(p, batch);
}

/* Finds its order, by the counts that its inputs predict. */
static void find(struct pipe *p, unsigned batch)
{
    const size_t first = first_of(p, batch), n = size_of(p, batch);
    double *value = room(n * p->fit->ninputs * sizeof *value);
    struct inputs in = { .n = p->fit->ninputs, .threads = n, .value = value };
    read_inputs(p, first, n, value);
    uint32_t *d = fit_order(p->fit, &in);
    must(d ? 0 : -1, "no memory for an order");
    for (size_t t = 0; t < n; t++)
        p->d[first + t] = (uint32_t)first + d[t];
    free(d);
    free(value);
}

static bool is_copied(const struct buffer *b) { return b->element && b->data; }

/* Its elements, in its order, or its part of D, to where the GPU takes them from. */
static void stage(struct pipe *p, unsigned batch)
{
    const size_t first = first_of(p, batch), n = size_of(p, batch);
    for (unsigned k = 0; k < p->l.n; k++) {
        const struct buffer *b = &p->l.b[k];
        unsigned char *to = p->staged[k] + first * b->element;
        if (is_copied(b) && p->mode == LAYOUT)
            elements_move(to, b->data, p->d + first, n, b->element);
        else if (is_copied(b))
            memcpy(to, b->data + first * b->element, n * b->element);
    }
    if (p->mode == REDIRECT)
        memcpy(p->staged[p->l.n] + 4 * first, p->d + first, 4 * n);
}

struct worker { pthread_t thread; struct pipe *p; unsigned first, step; };

/* Every step-th batch from the first one on. */
static void *work_ahead(void *user)
{
    struct worker *w = user;
    struct pipe *p = w->p;
    for (unsigned batch = w->first; batch < BATCHES && size_of(p, batch); batch += w->step) {
        if (p->mode != OWN_ORDER)
            find(p, batch);
        double now = regroup_seconds();
        stage(p, batch);
        pthread_mutex_lock(&p->lock);
        p->ready[batch] = true;
        p->found = now > p->found ? now : p->found;
        pthread_cond_signal(&p->change);
        pthread_mutex_unlock(&p->lock);
    }
    return NULL;
}

static void wait_for(struct pipe *p, unsigned batch)
{
    pthread_mutex_lock(&p->lock);
    while (!p->ready[batch])
        pthread_cond_wait(&p->change, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

/* What is staged starts on its way to the GPU, and the batch's kernel waits for it. */
static void copy(struct pipe *p, unsigned batch)
{
    const size_t first = first_of(p, batch), n = size_of(p, batch);
    for (unsigned k = 0; k < p->l.n; k++) {
        const size_t element = p->l.b[k].element;
        if (is_copied(&p->l.b[k]))
            must(gpu.cuMemcpyHtoDAsync_v2(p->l.b[k].at + first * element,
                                          p->staged[k] + first * element, n * element, p->copies),
                 "cuMemcpyHtoDAsync");
    }
    if (p->mode == REDIRECT)
        must(gpu.cuMemcpyHtoDAsync_v2(p->order + 4 * first, p->staged[p->l.n] + 4 * first, 4 * n,
                                      p->copies),
             "cuMemcpyHtoDAsync");
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
    gpu_launch(p->plain, (unsigned)(size_of(p, batch) / p->l.threads), p->l.threads, params,
               p->runs);
}

/* All threads' own ids come from its part of D. */
static void run_redirected(struct pipe *p, unsigned batch)
{
    void *params[MOST];
    gpu_addr order = p->order + 4 * first_of(p, batch);
    params[launch_params(&p->l, params)] = &order;
    gpu_launch(p->redirected, (unsigned)(size_of(p, batch) / p->l.threads), p->l.threads, params,
               p->runs);
}

/* Seconds of all batches, one after the other on the GPU; until the last order was found. */
static double go(struct pipe *p, bool by_parts, double *found)
{
    struct worker w[BATCHES];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned workers = processors > BATCHES ? BATCHES
                             : processors < 1     ? 1
                                                  : (unsigned)processors;
    launch_clear(&p->l);
    must(gpu.cuStreamSynchronize(NULL), "cuStreamSynchronize");
    memset(p->ready, 0, sizeof p->ready);
    double start = p->found = regroup_seconds();
    for (unsigned k = 0; k < workers; k++) {
        w[k] = (struct worker){ .p = p, .first = k, .step = workers };
        must(-pthread_create(&w[k].thread, NULL, work_ahead, &w[k]), "pthread_create");
    }
    for (unsigned batch = 0; batch < BATCHES && size_of(p, batch); batch++) {
        wait_for(p, batch);
        copy(p, batch);
        (by_parts ? run_part : run_redirected)(p, batch);
    }
    must(gpu.cuStreamSynchronize(p->runs), "the kernels");
    double all = regroup_seconds() - start;
    for (unsigned k = 0; k < workers; k++)
        pthread_join(w[k].thread, NULL);
    *found = p->mode == OWN_ORDER ? 0 : p->found - start;
    return all;
}

static void identity(struct pipe *p)
{
    for (size_t t = 0; t < launch_threads(&p->l); t++)
        p->d[t] = (uint32_t)t;
}

/* The kernel that takes no order runs parts of buffers where elements move; else D says whose turn
 * it is. */
static void row(struct pipe *p, enum mode mode, bool by_parts, const char *order,
                const char *mechanism)
{
    double us[REPEATS], found[REPEATS];
    unsigned n = gpu_repeats(REPEATS);
    p->mode = mode;
    for (unsigned k = 0; k <= n; k++) {
        double host;
        identity(p);
        double s = go(p, by_parts, &host);
        if (k) {
            us[k - 1] = 1e6 * s;
            found[k - 1] = 1e6 * host;
        }
    }
    double all = median(us, n), host = median(found, n);
    printf("%s %s %.1f %d %.1f\n", order, mechanism, all,
           launch_right(&p->l, mode == LAYOUT ? p->d : NULL), host);
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
    struct pipe p = { .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER };
    mallopt(M_MMAP_THRESHOLD, 1 << 30);              /* batches find the memory of those before */
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    launch_read(&p.l, pack, work, kernel);
    const size_t n = launch_threads(&p.l);
    p.blocks = (p.l.blocks + BATCHES - 1) / BATCHES;
    take_inputs(&p, work, kernel);
    p.d = room(4 * n);
    p.order = gpu_room(4 * n);
    for (unsigned k = 0; k < p.l.n; k++)
        p.staged[k] = p.l.b[k].element && p.l.b[k].data ? pinned(p.l.b[k].bytes) : NULL;
    p.staged[p.l.n] = pinned(4 * n);
    must(gpu.cuStreamCreate(&p.copies, 1), "cuStreamCreate"); /* 1: it does not wait for stream 0 */
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
