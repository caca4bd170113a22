/* `gpu time': the median of 30 launches in each order, by each mechanism, and whether memory is the
 * host's.
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/paper_b/h200/gpu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAUNCHES = 30 };

static int by_value(const void *a, const void *b)
{
    return *(const double *)a > *(const double *)b ? 1 : -1;
}

double median(double *values, unsigned n)
{
    qsort(values, n, sizeof *values, by_value);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

unsigned gpu_repeats(unsigned most)
{
    const char *given = getenv("LAUNCHES");
    unsigned n = given ? (unsigned)atoi(given) : most;
    return n && n < most ? n : most;
}

/* Outputs are zeros before each launch, as the first one finds them.  Microseconds. */
static double timed(struct launch *l, void *kernel, void **params)
{
    double us[LAUNCHES];
    unsigned n = gpu_repeats(LAUNCHES);
    void *from, *to;
    must(gpu.cuEventCreate(&from, 0), "cuEventCreate");
    must(gpu.cuEventCreate(&to, 0), "cuEventCreate");
    for (unsigned k = 0; k <= n; k++) {                  /* the first one warms up */
        float ms = 0;
        launch_clear(l);
        must(gpu.cuEventRecord(from, NULL), "cuEventRecord");
        gpu_launch(kernel, l->blocks, l->threads, params, NULL);
        must(gpu.cuEventRecord(to, NULL), "cuEventRecord");
        must(gpu.cuEventSynchronize(to), "the kernel");
        must(gpu.cuEventElapsedTime(&ms, from, to), "cuEventElapsedTime");
        if (k)
            us[k - 1] = 1e3 * ms;
    }
    return median(us, n);
}

static void row(const char *order, const char *mechanism, double us, bool right)
{
    printf("%s %s %.1f %d\n", order, mechanism, us, right);
    fflush(stdout);
}

static uint32_t *order_of(const char *work, const char *kernel, const char *name, size_t threads)
{
    char path[512];
    size_t size;
    snprintf(path, sizeof path, "%s/%s.%s.order", work, kernel, name);
    uint32_t *d = (uint32_t *)(void *)contents(path, &size);
    if (size != 4 * threads) {
        fprintf(stderr, "gpu: %s: no order of %zu threads\n", path, threads);
        exit(2);
    }
    for (size_t t = 0; t < threads; t++)
        if (d[t] >= threads) {
            fprintf(stderr, "gpu: %s: %u is no thread of %zu\n", path, d[t], threads);
            exit(2);
        }
    return d;
}

static void redirected(struct launch *l, void *kernel, const char *name, const char *mechanism,
                       const uint32_t *d)
{
    size_t bytes = 4 * launch_threads(l);
    gpu_addr at = gpu_room(bytes);
    void *params[MOST];
    must(gpu.cuMemcpyHtoD_v2(at, d, bytes), "cuMemcpyHtoD");
    params[launch_params(l, params)] = &at;
    double us = timed(l, kernel, params);
    row(name, mechanism, us, launch_right(l, NULL));
    must(gpu.cuMemFree_v2(at), "cuMemFree");
}

/* Inputs are in the order's places for these launches, and in their own again after them. */
static void moved(struct launch *l, void *kernel, const char *name, const uint32_t *d)
{
    void *params[MOST];
    launch_params(l, params);
    for (struct buffer *b = l->b; b < l->b + l->n; b++)
        if (b->element && b->data) {
            unsigned char *to = room(b->bytes);
            elements_move(to, b->data, d, launch_threads(l), b->element);
            must(gpu.cuMemcpyHtoD_v2(b->at, to, b->bytes), "cuMemcpyHtoD");
            free(to);
        }
    double us = timed(l, kernel, params);
    row(name, "layout", us, launch_right(l, d));
    for (struct buffer *b = l->b; b < l->b + l->n; b++)
        if (b->element && b->data)
            must(gpu.cuMemcpyHtoD_v2(b->at, b->data, b->bytes), "cuMemcpyHtoD");
}

/* The same source through nvcc, where it was there when this was packed: by itself, and our pass on
 * it. */
static void by_nvcc(struct launch *l, const char *pack, const char *work, const char *kernel,
                    const char *order)
{
    char path[512];
    void *params[MOST];
    snprintf(path, sizeof path, "%s/%s.nvcc.ptx", pack, kernel);
    if (access(path, R_OK))
        return;
    launch_params(l, params);
    double us = timed(l, gpu_load(launch_ptx(pack, kernel, ".nvcc"), kernel, NULL), params);
    row("original", "nvcc", us, launch_right(l, NULL));
    uint32_t *d = order_of(work, kernel, order, launch_threads(l));
    redirected(l, gpu_load(launch_ptx(pack, kernel, ".nvcc.redirect"), kernel, NULL), order,
               "nvcc-redirect", d);
    free(d);
}

int times(const char *pack, const char *work, const char *kernel, char **orders)
{
    struct launch l;
    void *params[MOST];
    launch_read(&l, pack, work, kernel);
    launch_params(&l, params);
    char *ptx = launch_ptx(pack, kernel, ""), *changed = launch_ptx(pack, kernel, ".redirect");
    void *plain = gpu_load(ptx, kernel, NULL), *with_order = gpu_load(changed, kernel, NULL);
    double us = timed(&l, plain, params);
    row("original", "none", us, launch_right(&l, NULL));
    for (; *orders; orders++) {
        uint32_t *d = order_of(work, kernel, *orders, launch_threads(&l));
        redirected(&l, with_order, *orders, "redirect", d);
        if (launch_moves(&l))
            moved(&l, plain, *orders, d);
        free(d);
        if (!orders[1])                   /* the last one: a driver may be too old for nvcc's PTX */
            by_nvcc(&l, pack, work, kernel, *orders);
    }
    return 0;
}
