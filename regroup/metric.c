/* Paper B's metrics: equations (2) to (5), and the same with blocks on servers.
 * SPDX-License-Identifier: Apache-2.0 */
#include "regroup/regroup.h"
#include <stdlib.h>
#include <string.h>

/* The most of every column that `threads` threads execute.  Most neighbours in an order are
 * alike. */
static void most_of(const struct bbv *b, const uint32_t *order, uint32_t threads, uint32_t *most)
{
    uint32_t last = UINT32_MAX;
    memset(most, 0, b->ncolumns * sizeof *most);
    for (uint32_t t = 0; t < threads; t++)           /* rows are all over memory: ask for all */
        __builtin_prefetch(bbv_row(b, order[t]));
    for (uint32_t t = 0; t < threads; t++) {
        const uint32_t *row = bbv_row(b, order[t]);
        if (b->of[order[t]] == last)
            continue;
        last = b->of[order[t]];
        for (uint32_t c = 0; c < b->ncolumns; c++)
            most[c] = row[c] > most[c] ? row[c] : most[c];
    }
}

double metric_warp(const struct bbv *b, const double *lat, const uint32_t *order, uint32_t threads,
                   uint32_t *most)
{
    double sum = 0;
    most_of(b, order, threads, most);
    for (uint32_t c = 0; c < b->ncolumns; c++)
        sum += lat[c] * most[c];
    return sum;
}

uint32_t metric_warps_block(const struct bbv *b) { return (b->threads_block + WARP - 1) / WARP; }

double *metric_warps(const struct bbv *b, const double *lat, const uint32_t *order)
{
    const uint64_t nblocks = b->threads / b->threads_block;
    double *warp = calloc((size_t)nblocks * metric_warps_block(b), sizeof *warp), *to = warp;
    uint32_t *most = malloc((size_t)b->ncolumns * sizeof *most);
    for (uint64_t k = 0; warp && most && k < b->threads; k += b->threads_block)
        for (uint32_t t = 0; t < b->threads_block; t += WARP, to++) {
            uint32_t left = b->threads_block - t;
            *to = metric_warp(b, lat, order + k + t, left < WARP ? left : WARP, most);
        }
    if (!most) {
        free(warp);
        warp = NULL;
    }
    free(most);
    return warp;
}

double *metric_blocks(const struct bbv *b, const double *warp)
{
    const uint64_t nblocks = b->threads / b->threads_block;
    const uint32_t n = metric_warps_block(b);
    double *block = calloc((size_t)nblocks, sizeof *block);
    for (uint64_t k = 0; block && k < nblocks * n; k++)
        block[k / n] += warp[k];
    return block;
}

double metric_weighted(const double *block, uint64_t nblocks, uint32_t sms)
{
    double sum = 0;
    for (uint64_t k = 0; k < nblocks; k++)
        sum += block[k];
    return sum / sms;
}

/* The top of a heap has grown. */
static void sink(double *heap, uint32_t n)
{
    double v = heap[0];
    uint32_t at = 0, child;
    while ((child = 2 * at + 1) < n) {
        if (child + 1 < n && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= v)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = v;
}

double metric_scheduled(const double *block, uint64_t nblocks, uint32_t servers)
{
    double *free_at = calloc(servers, sizeof *free_at), end = 0;
    for (uint64_t k = 0; free_at && k < nblocks; k++) {
        free_at[0] += block[k];
        end = free_at[0] > end ? free_at[0] : end;
        sink(free_at, servers);
    }
    end = free_at ? end : -1;
    free(free_at);
    return end;
}

double metric_divergent_warps(const struct bbv *b, const uint32_t *order)
{
    uint64_t warps = 0, divergent = 0;
    for (uint64_t k = 0; k < b->threads; k += b->threads_block)
        for (uint32_t t = 0; t < b->threads_block; t += WARP, warps++) {
            uint32_t end = b->threads_block - t < WARP ? b->threads_block : t + WARP, i = t + 1;
            while (i < end && b->of[order[k + i]] == b->of[order[k + t]])
                i++;
            divergent += i < end;
        }
    return 100.0 * (double)divergent / (double)warps;
}
