/* Regrouping: costs, metrics and schedules by hand; the algorithms against the paper's pseudo-code, written
 * down as it stands; the bound against an exact optimum; what is refused.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cmodel/image/image.h"
#include "cmodel/timing/timing.h"
#include "regroup/regroup.h"

/* ---- a block's cost ---- */

static struct timing *profile(const char *text)
{
    char name[] = "./regroup-XXXXXX";
    struct hd_err err = { 0 };
    int fd = mkstemp(name);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    struct timing *t = timing_open(name, &err);
    unlink(name);
    if (!t)
        fail_msg("%s", err.text);
    return t;
}

static struct hd_insn make(enum hd_op op, unsigned d, unsigned a)
{
    struct hd_insn i = hd_insn_make(op);
    i.rd = (uint8_t)d;
    i.ra = (uint8_t)a;
    return i;
}

static struct cost cost_of(const char *text, const struct hd_insn *i, unsigned n)
{
    struct timing *t = text ? profile(text) : NULL;
    struct hd_word w[8];
    for (unsigned k = 0; k < n; k++)
        w[k] = hd_encode(&i[k]);
    struct cost c = cost_code(t, (const uint8_t *)w, n, false);
    free(t);
    return c;
}

/* The paper's Listing 2: mul, ld.const, mul, rem, div.  Its rem and div are one instruction each; two of ours
 * that take as long stand for them. */
static void test_listing_2(void **unused)
{
    (void)unused;
    const struct hd_insn i[] = { make(OP_IMAD, 1, 0), make(OP_LDC, 2, 0), make(OP_IMAD, 3, 1), make(OP_POPC, 4, 3),
                                 make(OP_POPC, 5, 4) };
    struct cost c = cost_of("insn = 264 # rem and div\nIMAD = 18 # mul\nLDC = 46 # a constant\n", i, 5);
    assert_true(c.lat == 18 + 46 + 18 + 264 + 264);
    assert_true(c.lat == 610);
}

/* A warp by itself waits for results only where they are read. */
static void test_alone(void **unused)
{
    (void)unused;
    const struct hd_insn apart[] = { make(OP_POPC, 1, 9), make(OP_POPC, 2, 9), make(OP_POPC, 3, 9) };
    const struct hd_insn chain[] = { make(OP_POPC, 1, 9), make(OP_POPC, 2, 1), make(OP_POPC, 3, 2) };
    const char *text = "port = 2 # x\ninsn = 3 7 # x\n";
    assert_true(cost_of(text, apart, 3).alone == 9);
    assert_true(cost_of(text, chain, 3).alone == 7 + 7 + 3);
    assert_true(cost_of(text, chain, 3).port == 6);
    assert_true(cost_of(text, chain, 3).lat == 21);
    assert_true(cost_of(NULL, chain, 3).alone == 3);
}

/* ---- counts made up ---- */

static uint32_t seed;
static uint32_t below(uint32_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

/* Threads with these rows, one vector for equal ones. */
static struct bbv *counts(uint64_t threads, uint32_t block, uint32_t columns, const uint32_t *rows)
{
    struct bbv *b = calloc(1, sizeof *b);
    *b = (struct bbv){ .grid = { (uint32_t)(threads / block), 1, 1 }, .block = { block, 1, 1 }, .threads = threads,
                       .threads_block = block, .ncolumns = columns };
    b->counts = malloc(threads * columns * sizeof *b->counts);
    b->of = malloc(threads * sizeof *b->of);
    for (uint64_t t = 0; t < threads; t++) {
        uint32_t v = 0;
        while (v < b->nvectors && memcmp(b->counts + v * columns, rows + t * columns, columns * 4))
            v++;
        memcpy(b->counts + v * columns, rows + t * columns, columns * 4);
        b->nvectors += v == b->nvectors;
        b->of[t] = v;
    }
    return b;
}

static struct bbv *random_counts(uint32_t threads, uint32_t block, uint32_t columns, uint32_t most)
{
    uint32_t *rows = malloc((size_t)threads * columns * sizeof *rows);
    for (uint32_t k = 0; k < threads * columns; k++)
        rows[k] = below(most);
    struct bbv *b = counts(threads, block, columns, rows);
    free(rows);
    return b;
}

static double *random_lat(uint32_t columns)
{
    double *lat = malloc(columns * sizeof *lat);
    for (uint32_t c = 0; c < columns; c++)
        lat[c] = 1 + below(20);
    return lat;
}

static double cost(const struct bbv *b, const double *lat, const uint32_t *order)
{
    double *w = metric_warps(b, lat, order), sum = 0;
    for (uint64_t k = 0; k < b->threads / b->threads_block * metric_warps_block(b); k++)
        sum += w[k];
    free(w);
    return sum;
}

static uint32_t *found(const struct bbv *b, const double *lat, struct order_how how)
{
    struct hd_err err = { 0 };
    uint32_t *order = order_find(b, lat, &how, &err);
    if (!order || !order_check(order, b->threads, "D", &err))
        fail_msg("%s", err.text);
    return order;
}

/* ---- equations (2) to (5), schedules ---- */

static void test_equations(void **unused)
{
    (void)unused;
    enum { N = 80 };                                 /* two blocks of 40: warps of 32 and 8 */
    uint32_t rows[N * 2], order[N];
    for (uint32_t t = 0; t < N; t++) {
        rows[2 * t] = t;
        rows[2 * t + 1] = 100 - t;
        order[t] = N - 1 - t;
    }
    const double lat[2] = { 10, 1 };
    struct bbv *b = counts(N, 40, 2, rows);
    double *w = metric_warps(b, lat, order), *block = metric_blocks(b, w);
    assert_true(w[0] == 790 + 52 && w[1] == 470 + 60 && w[2] == 390 + 92 && w[3] == 70 + 100);
    assert_true(block[0] == 842 + 530 && block[1] == 482 + 170);
    assert_true(metric_weighted(block, 2, 1) == 2024 && metric_weighted(block, 2, 4) == 506);
    assert_true(metric_scheduled(block, 2, 1) == 2024 && metric_scheduled(block, 2, 2) == 1372);
    assert_true(metric_divergent_warps(b, order) == 100);
    free(w);
    free(block);
    bbv_free(b);
}

/* Figure 4: block 2 goes to the second SM, which is free first, where a static schedule gives it to the first. */
static void test_figure_4(void **unused)
{
    (void)unused;
    const double block[] = { 5, 2, 4, 3 };
    assert_true(metric_scheduled(block, 4, 2) == 8);     /* 0: 5, then 3; 1: 2, then 4 to 6; static: 9 */
}

/* Figure 5: the queue in falling order of latency ends earlier. */
static void test_figure_5(void **unused)
{
    (void)unused;
    const double unordered[] = { 4, 2, 3, 2, 3, 7 }, ordered[] = { 7, 4, 3, 3, 2, 2 };
    assert_true(metric_scheduled(unordered, 6, 3) == 11);
    assert_true(metric_scheduled(ordered, 6, 3) == 8);
    assert_true(metric_weighted(ordered, 6, 3) == 7);
}

static bool near(double x, double y) { return fabs(x - y) < 1e-9 * (fabs(x) + 1); }

static void test_port(void **unused)
{
    (void)unused;
    const struct port_warp w[] = { { 100, 50, 0 }, { 100, 50, 10 }, { 100, 50, 0 }, { 100, 50, 0 }, { 60, 20, 0 }, { 300, 0, 0 } };
    assert_true(near(port_schedule(w, 1, 1, 1), 100));
    assert_true(near(port_schedule(w, 2, 1, 2), 100));           /* the port is full, no warp waits */
    assert_true(near(port_schedule(w, 4, 1, 4), 200));           /* twice what it gives */
    assert_true(near(port_schedule(w, 4, 1, 2), 200));
    assert_true(near(port_schedule(w, 2, 2, 1), 200));           /* blocks of two warps, one after the other */
    /* 50 and 20 of 160: until the second ends at 60 both at their own speed, for 1/2 + 1/3 < 1 */
    assert_true(near(port_schedule(w + 3, 2, 1, 2), 100));
    /* three of a half, one of a third: 11/6 of the port; after 110 cycles the last has had its 60 */
    assert_true(near(port_schedule(w + 1, 4, 1, 4), 60 * (11.0 / 6) + 40 * 1.5));
    assert_true(near(port_schedule(w + 4, 2, 1, 2), 300));
    assert_true(near(port_schedule(w + 4, 2, 1, 1), 360));
}

/* Of port and unit, the one of which more is wanted slows all down. */
static void test_unit(void **unused)
{
    (void)unused;
    const struct port_warp w[] = { { 100, 50, 60 }, { 100, 50, 60 }, { 100, 10, 90 } };
    assert_true(near(port_schedule(w, 1, 1, 1), 100));
    assert_true(near(port_schedule(w, 2, 1, 2), 120));
    assert_true(near(port_schedule(w, 3, 1, 3), 210));
}

static uint32_t all_at_one(void *user, uint32_t thread, uint32_t place, uint32_t addr)
{
    (void)user;
    (void)thread, (void)place, (void)addr;
    return 0;
}

static void test_sectors(void **unused)
{
    (void)unused;
    const uint32_t rows[64] = { 0 };
    struct bbv *b = counts(64, 32, 1, rows);
    struct timing *t = profile("insn = 3 # x\nbusy.LSU = 20 # x\nbusy.LDG = 30 # x\nbusy.sector = 200 500 # x\n");
    struct cost cost[2] = { { 0 } };
    b->nblocks = 2;
    b->blocks = calloc(2, sizeof *b->blocks);
    b->blocks[0] = (struct bbv_block){ .pc = 64, .insns = 2 };
    b->blocks[1] = (struct bbv_block){ .pc = 160, .insns = 1 };
    struct sectors *s = sectors_new(b, 5);
    struct hd_commit c = { .pc = 64, .active = 0xffff, .exec = 0xff, .mem = 1, .size = 4 };
    for (uint32_t l = 0; l < 8; l++)
        c.addr[l] = 64 * l;
    assert_true(sectors_see(s, &c));                 /* 7 sectors more, 16 lanes */
    c.pc = 80, c.mem = 2, c.exec = 3;
    assert_true(sectors_see(s, &c));                 /* 1 stored */
    c.pc = 96, c.exec = 0xff;
    assert_true(sectors_see(s, &c));                 /* of no block */
    c.pc = 160, c.mem = 1, c.space = SPACE_SHARED;
    assert_true(sectors_see(s, &c));
    uint32_t order[64];
    struct sectors_order in = { order, NULL, NULL };
    for (uint32_t k = 0; k < 64; k++)
        order[k] = k;
    sectors_cost(s, t, &in, cost);
    assert_true(near(cost[0].lane, (7 * 2 + 1 * 5) / 16.0) && cost[1].lane == 0);
    for (uint32_t k = 0; k < 4; k++)                 /* four of the eight lanes go to the other warp */
        order[k] = 32 + k, order[32 + k] = k;
    sectors_cost(s, t, &in, cost);                   /* 3 sectors more in both; the two that store are together still */
    assert_true(near(cost[0].lane, (6 * 2 + 1 * 5) / 16.0));
    in.moved = all_at_one;
    sectors_cost(s, t, &in, cost);
    assert_true(cost[0].lane == 0);
    assert_false(sectors_see(s, &c));                /* that was enough */
    const struct hd_insn loads[] = { make(OP_LDC, 1, 0), make(OP_LDC, 2, 0), make(OP_POPC, 1, 9) };
    assert_true(cost_of("insn = 3 # x\nbusy.LSU = 20 # x\nbusy.LDC = 30 # x\n", loads, 3).unit == 60);
    sectors_free(s);
    free(t);
    bbv_free(b);
}

/* Whatever the warps, the port is never used more than it can be, nor a warp faster than by itself. */
static void test_port_random(void **unused)
{
    (void)unused;
    for (seed = 1; seed < 400; seed += 2) {
        struct port_warp w[60];
        uint32_t block = 1 + below(4), slots = 1 + below(5), nblocks = 1 + below(15);
        double port = 0, unit = 0, alone = 0, longest = 0;
        for (uint32_t k = 0; k < block * nblocks; k++) {
            w[k].alone = 1 + below(1000);
            w[k].port = w[k].alone * (below(100) / 99.0);
            w[k].unit = w[k].alone * (below(100) / 99.0);
            unit += w[k].unit;
            port += w[k].port;
            alone += w[k].alone;
            longest = w[k].alone > longest ? w[k].alone : longest;
        }
        double end = port_schedule(w, nblocks, block, slots);
        assert_true(end >= port - 1e-6 && end >= unit - 1e-6 && end >= longest - 1e-6);
        assert_true(end >= alone / (block * slots) - 1e-6 && end <= alone + 1e-6);
    }
}

/* ---- the paper's pseudo-code ---- */

static double lat_of(const struct bbv *b, const double *lat, uint32_t t)
{
    double sum = 0;
    for (uint32_t c = 0; c < b->ncolumns; c++)
        sum += lat[c] * bbv_row(b, t)[c];
    return sum;
}

struct set { uint32_t n, thread[64]; };

static double set_gain(const struct bbv *b, const double *lat, const struct set *x, const struct set *y)
{
    double sum = 0;
    for (uint32_t c = 0; c < b->ncolumns; c++) {
        uint32_t lo = UINT32_MAX, hi = 0;
        for (uint32_t t = 0; t < x->n + y->n; t++) {
            uint32_t v = bbv_row(b, t < x->n ? x->thread[t] : y->thread[t - x->n])[c];
            lo = v < lo ? v : lo;
            hi = v > hi ? v : hi;
        }
        sum += lat[c] * lo - lat[c] * (hi - lo);
    }
    return sum;
}

static uint32_t set_low(const struct set *x)
{
    uint32_t low = x->thread[0];
    for (uint32_t t = 1; t < x->n; t++)
        low = x->thread[t] < low ? x->thread[t] : low;
    return low;
}

/* group[t]: the group of thread t.  Algorithm 1, every gain computed again in each round. */
static void naive_greedy(const struct bbv *b, const double *lat, uint32_t *group)
{
    uint32_t n = (uint32_t)b->threads, full = 0;
    struct set *g = calloc(b->threads, sizeof *g);
    for (uint32_t t = 0; t < n; t++)
        g[t] = (struct set){ 1, { t } };
    while (full < (b->threads + WARP - 1) / WARP - 1) {
        uint32_t bx = 0, by = 0;
        double best = 0;
        for (uint32_t x = 0; x < n; x++)
            for (uint32_t y = 0; y < n; y++) {
                if (set_low(&g[x]) >= set_low(&g[y]))
                    continue;
                double v = set_gain(b, lat, &g[x], &g[y]);
                bool first = set_low(&g[x]) < set_low(&g[bx]) ||
                             (set_low(&g[x]) == set_low(&g[bx]) && set_low(&g[y]) < set_low(&g[by]));
                if (bx == by || v > best || (v == best && first))
                    bx = x, by = y, best = v;
            }
        memcpy(g[bx].thread + g[bx].n, g[by].thread, g[by].n * 4);
        g[bx].n += g[by].n;
        if (g[bx].n >= WARP) {
            for (uint32_t t = 0; t < WARP; t++)
                group[g[bx].thread[t]] = full;
            full++;
            g[bx].n -= WARP;
            memmove(g[bx].thread, g[bx].thread + WARP, g[bx].n * 4);
        }
        g[by] = g[--n];
        if (bx == n)
            bx = by;
        if (!g[bx].n)
            g[bx] = g[--n];
    }
    for (uint32_t x = 0; x < n; x++)
        for (uint32_t t = 0; t < g[x].n; t++)
            group[g[x].thread[t]] = full;
    free(g);
}

/* Algorithm 2: the order of the threads. */
static void naive_greedy_max(const struct bbv *b, const double *lat, uint32_t *order)
{
    bool *gone = calloc(b->threads, 1);
    for (uint32_t done = 0; done < b->threads; ) {
        struct set g = { 0 };
        double most = -1;
        for (uint32_t t = 0; t < b->threads; t++)
            if (!gone[t] && lat_of(b, lat, t) > most) {
                most = lat_of(b, lat, t);
                g.thread[0] = t;
            }
        for (g.n = 1; ; g.n++) {
            uint32_t pick = UINT32_MAX;
            double max_gain = 0;
            gone[g.thread[g.n - 1]] = true;
            order[done++] = g.thread[g.n - 1];
            if (g.n == WARP || done == b->threads)
                break;
            bool identical = false;
            for (uint32_t t = 0; t < b->threads && !identical; t++) {
                if (gone[t])
                    continue;
                for (uint32_t k = 0; k < g.n; k++)
                    identical |= b->of[t] == b->of[g.thread[k]];
                double v = set_gain(b, lat, &g, &(struct set){ 1, { t } });
                if (identical || pick == UINT32_MAX || v > max_gain) {
                    pick = t;
                    max_gain = v;
                }
            }
            g.thread[g.n] = pick;
        }
    }
    free(gone);
}

/* Two orders have the same groups of 32, in whatever order. */
static void same_groups(const uint32_t *order, const uint32_t *group, uint64_t n)
{
    for (uint64_t t = 0; t < n; t++)
        assert_int_equal(group[order[t]], group[order[t / WARP * WARP]]);
}

static void test_greedy(void **unused)
{
    (void)unused;
    for (uint32_t k = 1; k < 60; k++) {
        seed = k;
        uint32_t n = 1 + below(130), columns = 1 + below(10);
        struct bbv *b = random_counts(n, n, columns, 1 + below(k % 3 ? 4 : 60));
        double *lat = random_lat(columns);
        uint32_t *group = calloc(n, 4), *order = found(b, lat, (struct order_how){ .by = BY_GREEDY, .block_scope = true });
        naive_greedy(b, lat, group);
        same_groups(order, group, n);
        free(group);
        free(order);
        free(lat);
        bbv_free(b);
    }
}

static void test_greedy_max(void **unused)
{
    (void)unused;
    for (uint32_t k = 1; k < 100; k++) {
        seed = k;
        uint32_t n = 1 + below(300), columns = 1 + below(10);
        struct bbv *b = random_counts(n, n, columns, 1 + below(k % 3 ? 4 : 60));
        double *lat = random_lat(columns);
        uint32_t *naive = calloc(n, 4), *order = found(b, lat, (struct order_how){ .by = BY_GREEDY_MAX, .block_scope = true });
        naive_greedy_max(b, lat, naive);
        assert_memory_equal(naive, order, n * 4);
        free(naive);
        free(order);
        free(lat);
        bbv_free(b);
    }
}

static void test_sorting(void **unused)
{
    (void)unused;
    for (seed = 1; seed < 1000; seed += 7) {
        uint32_t blocks = 1 + below(4), n = 32 * (1 + below(5)), columns = 1 + below(5);
        bool block_scope = below(2);
        struct bbv *b = random_counts(n * blocks, n, columns, 1 + below(5));
        const double lat[5] = { 1, 1, 1, 1, 1 };
        uint32_t *order = found(b, lat, (struct order_how){ .by = BY_SORTING, .block_scope = block_scope });
        for (uint32_t t = 1; t < n * blocks; t++) {
            uint32_t c = 0;
            if (block_scope && t % n == 0)
                continue;
            assert_true(!block_scope || order[t] / n == t / n);
            while (c < columns && bbv_row(b, order[t - 1])[c] == bbv_row(b, order[t])[c])
                c++;
            assert_true(c == columns ? order[t - 1] < order[t]
                                     : bbv_row(b, order[t - 1])[c] < bbv_row(b, order[t])[c]);
        }
        free(order);
        bbv_free(b);
    }
}

/* ---- the bound, the optimum, and our order ---- */

/* Three vectors: the least cost of what is left of each, by all ways to fill a warp. */
struct optimum { const struct bbv *b; const double *lat; uint32_t of[3], n[3]; double *best; };

static double least(struct optimum *o, uint32_t x, uint32_t y, uint32_t z)
{
    double *best = &o->best[(x * (o->n[1] + 1) + y) * (o->n[2] + 1) + z];
    uint32_t size = x + y + z < WARP ? x + y + z : WARP;
    if (*best >= 0 || !size)
        return size ? *best : 0;
    *best = INFINITY;
    for (uint32_t i = 0; i <= x && i <= size; i++)
        for (uint32_t j = 0; j <= y && i + j <= size; j++) {
            uint32_t k = size - i - j;
            double warp = 0;
            if (k > z)
                continue;
            for (uint32_t c = 0; c < o->b->ncolumns; c++) {
                uint32_t most = 0;
                for (uint32_t v = 0; v < 3; v++)
                    if ((v == 0 ? i : v == 1 ? j : k) && o->b->counts[v * o->b->ncolumns + c] > most)
                        most = o->b->counts[v * o->b->ncolumns + c];
                warp += o->lat[c] * most;
            }
            warp += least(o, x - i, y - j, z - k);
            *best = warp < *best ? warp : *best;
        }
    return *best;
}

static double optimum(const struct bbv *b, const double *lat)
{
    struct optimum o = { .b = b, .lat = lat };
    for (uint64_t t = 0; t < b->threads; t++)
        o.n[b->of[t]]++;
    size_t cells = (size_t)(o.n[0] + 1) * (o.n[1] + 1) * (o.n[2] + 1);
    o.best = malloc(cells * sizeof *o.best);
    for (size_t k = 0; k < cells; k++)
        o.best[k] = -1;
    double best = least(&o, o.n[0], o.n[1], o.n[2]);
    free(o.best);
    return best;
}

static void test_optimum(void **unused)
{
    (void)unused;
    uint32_t met = 0, cases = 0;
    for (uint32_t k = 1; k < 40; k++) {
        seed = k;
        uint32_t columns = 1 + below(4), three[12], rows[96 * 4];
        for (uint32_t c = 0; c < 12; c++)
            three[c] = below(30);
        for (uint32_t t = 0; t < 96; t++)
            memcpy(rows + t * columns, three + below(3) * columns, columns * 4);
        struct bbv *b = counts(96, 96, columns, rows);
        double *lat = random_lat(columns), bound = bound_cost(b, lat, false);
        if (b->nvectors == 3) {
            double least_cost = optimum(b, lat);
            assert_true(bound <= least_cost);
            for (int by = 0; by < BY_COUNT; by++) {
                uint32_t *order = found(b, lat, (struct order_how){ .by = (enum order_by)by, .rounds = 20 });
                assert_true(cost(b, lat, order) >= least_cost);
                met += by == BY_BEST && cost(b, lat, order) == least_cost;
                free(order);
            }
            cases++;
        }
        free(lat);
        bbv_free(b);
    }
    assert_true(cases > 20);
    assert_true(met * 10 >= cases * 9);              /* exchanges end in the optimum nine times of ten */
}

/* One block whose counts differ: sorted is optimal, and the bound says so. */
static void test_one_loop(void **unused)
{
    (void)unused;
    for (seed = 1; seed < 30; seed++) {
        struct bbv *b = random_counts(32 * 20, 64, 1, 1000);
        const double lat[1] = { 3 };
        uint32_t *sorted = found(b, lat, (struct order_how){ .by = BY_SORTING });
        uint32_t *ours = found(b, lat, (struct order_how){ .by = BY_BEST, .rounds = 1 });
        assert_true(cost(b, lat, sorted) == bound_cost(b, lat, false));
        assert_true(cost(b, lat, ours) == bound_cost(b, lat, false));
        free(sorted);
        free(ours);
        bbv_free(b);
    }
}

/* Never dearer than Greedy-Max; longest warps first; with exchanges cheaper than without. */
static void test_best(void **unused)
{
    (void)unused;
    double with = 0, without = 0;
    for (uint32_t k = 1; k < 12; k++) {
        seed = k;
        struct bbv *b = random_counts(640, 64, 2, 400);
        double *lat = random_lat(2), last = INFINITY;
        uint32_t *theirs = found(b, lat, (struct order_how){ .by = BY_GREEDY_MAX });
        uint32_t *ours = found(b, lat, (struct order_how){ .by = BY_BEST, .rounds = 10 });
        uint32_t *half = malloc(640 * 4), all[640];
        struct pool p;
        for (uint32_t t = 0; t < 640; t++)
            all[t] = t;
        assert_true(pool_make(&p, b, lat, all, 640) && order_halving(&p, half));
        pool_free(&p);
        double *w = metric_warps(b, lat, ours);
        for (uint32_t i = 0; i < 20; last = w[i++])
            assert_true(w[i] <= last);
        assert_true(cost(b, lat, ours) <= cost(b, lat, theirs));
        with += cost(b, lat, ours);
        without += cost(b, lat, half);
        free(w);
        free(half);
        free(theirs);
        free(ours);
        free(lat);
        bbv_free(b);
    }
    assert_true(with < 0.997 * without);
}

/* Windows change the search, not what an order is; the last one may be small. */
static void test_window(void **unused)
{
    (void)unused;
    for (uint32_t k = 1; k < 20; k++) {
        seed = k;
        struct bbv *b = random_counts(32 * 40, 32, 3, 3 + k);
        double *lat = random_lat(3);
        for (int by = BY_GREEDY; by <= BY_GREEDY_MAX; by++) {
            uint32_t *order = found(b, lat, (struct order_how){ .by = (enum order_by)by, .window = 1 + below(50) });
            uint32_t *whole = found(b, lat, (struct order_how){ .by = (enum order_by)by });
            uint32_t *large = found(b, lat, (struct order_how){ .by = (enum order_by)by, .window = 100000 });
            assert_true(by == BY_GREEDY_MAX || fabs(cost(b, lat, large) / cost(b, lat, whole) - 1) < 0.1);
            free(order);
            free(whole);
            free(large);
        }
        free(lat);
        bbv_free(b);
    }
}

/* ---- equation (1) ---- */

static void says(const struct hd_err *err, const char *why)
{
    assert_int_equal(err->status, 2);
    if (!strstr(err->text, why))
        fail_msg("`%s` has no `%s`", err->text, why);
}

enum { FIT_BLOCK = 32, FIT_THREADS = 256, FIT_INPUTS = 3 };

/* Counts that are sums of inputs, in two blocks; the third input is the sum of the others, so that one block's
 * samples do not decide the coefficients, but they decide the sums. */
static struct bbv *linear(struct inputs *in, uint32_t n)
{
    uint32_t *rows = malloc((size_t)n * 2 * 4);
    in->n = FIT_INPUTS;
    in->threads = n;
    in->input = calloc(FIT_INPUTS, sizeof *in->input);
    in->value = malloc((size_t)n * FIT_INPUTS * sizeof *in->value);
    for (uint32_t k = 0; k < FIT_INPUTS; k++)
        in->input[k] = (struct input){ (char *)(uintptr_t)(k ? "b" : "a"), 2, k & 1 };
    for (uint32_t t = 0; t < n; t++) {
        double *v = in->value + t * FIT_INPUTS;
        v[0] = below(1000);
        v[1] = below(50);
        v[2] = v[0] + v[1];
        rows[2 * t] = (uint32_t)(3 + 2 * v[0] + 7 * v[1]);
        rows[2 * t + 1] = (uint32_t)(v[1] + 2 * t);
    }
    struct bbv *b = counts(n, FIT_BLOCK, 2, rows);
    b->shape = 0x1234;
    b->nblocks = 2;
    b->blocks = calloc(2, sizeof *b->blocks);
    for (uint32_t k = 0; k < 2; k++)
        b->blocks[k] = (struct bbv_block){ .pc = 64 * k, .insns = 4, .column = k, .executions = 1 };
    free(rows);
    return b;
}

static void test_fit(void **unused)
{
    (void)unused;
    struct hd_err err = { 0 };
    struct inputs in;
    seed = 11;
    struct bbv *b = linear(&in, FIT_THREADS);
    struct fit *f = fit_make(b, &in, FIT_BLOCK, &err), *again;
    struct bbv *by = fit_counts(f, &in, b->grid, b->block);
    assert_true(fit_error(b, by) == 0);              /* trained on one block of eight */
    assert_int_equal(by->nvectors, b->nvectors);
    b->counts[0] += 10;                              /* thread 0, as nobody else: its vector has a count of its own */
    assert_true(near(fit_error(b, by), 100.0 / (2 * FIT_THREADS)));
    char path[] = "./fit-XXXXXX";
    close(mkstemp(path));
    FILE *out = fopen(path, "w");
    fit_put(f, out);
    long size = ftell(out);
    fclose(out);
    assert_non_null(again = fit_read(path, 0x1234, &err));
    assert_memory_equal(again->beta, f->beta, 2 * (FIT_INPUTS + 2) * sizeof *f->beta);
    fit_free(again);
    assert_null(fit_read(path, 0x1235, &err));
    says(&err, "a fit of another source");
    for (long n = size - 2; n > 0; n -= 7) {         /* cut off; the last number's digits cannot be missed */
        if (n > size - 30)
            continue;
        err.status = 0;
        assert_int_equal(truncate(path, n), 0);
        assert_null(fit_read(path, 0x1234, &err));
        assert_int_equal(err.status, 2);
    }
    unlink(path);
    err.status = 0;
    assert_null(fit_make(b, &in, FIT_INPUTS + 1, &err));
    says(&err, "4 samples of 256 threads for 5 coefficients: there are too few");
    err.status = 0;
    assert_null(fit_make(b, &in, FIT_THREADS + 1, &err));
    says(&err, "too few");
    fit_free(f);
    bbv_free(by);
    bbv_free(b);
    free(in.input);
    free(in.value);
}

/* ---- refusals ---- */

static void test_refusals(void **unused)
{
    (void)unused;
    uint32_t d[64];
    for (uint32_t t = 0; t < 64; t++)
        d[t] = t;
    struct hd_err err = { 0 };
    assert_true(order_check(d, 64, "D", &err));
    d[40] = 17;
    assert_false(order_check(d, 64, "D", &err));
    says(&err, "D is no order of 64 threads: 17 occurs twice");
    err.status = 0;
    d[40] = 64;
    assert_false(order_check(d, 64, "D", &err));
    says(&err, "64 is none of them");

    seed = 5;
    struct bbv *b = random_counts(96, 48, 2, 9);
    const double lat[2] = { 1, 1 };
    err.status = 0;
    assert_null(order_find(b, lat, &(struct order_how){ .by = BY_SORTING }, &err));
    says(&err, "--scope block");
    char path[] = "./order-XXXXXX";
    close(mkstemp(path));
    for (size_t n = 0; n < 3; n++) {                 /* too short, too long, not even whole words */
        FILE *f = fopen(path, "wb");
        d[40] = 40;
        fwrite(d, 1, n == 0 ? 95 * 4 % sizeof d : n == 1 ? sizeof d : 97, f);
        fwrite(d, 1, n == 1 ? 33 * 4 : 0, f);
        fclose(f);
        err.status = 0;
        assert_null(order_read(path, b, &err));
        says(&err, "wrong length: an order of 96 threads is 384 bytes");
    }
    unlink(path);
    bbv_free(b);
}

/* A search that would take too long is refused at once, with what it would take. */
static void test_too_many(void **unused)
{
    (void)unused;
    struct hd_err err = { 0 };
    enum { N = 1 << 18 };
    struct bbv *b = calloc(1, sizeof *b);
    *b = (struct bbv){ .block = { 32, 1, 1 }, .grid = { N / 32, 1, 1 }, .threads = N, .threads_block = 32, .ncolumns = 1, .nvectors = N };
    b->counts = malloc(N * 4);
    b->of = malloc(N * 4);
    for (uint32_t t = 0; t < N; t++)
        b->counts[t] = b->of[t] = t;
    const double lat[1] = { 1 };
    assert_null(order_find(b, lat, &(struct order_how){ .by = BY_GREEDY_MAX }, &err));
    says(&err, "greedy-max of 262144 distinct vectors would take about 103 s: give --window");
    free(found(b, lat, (struct order_how){ .by = BY_GREEDY_MAX, .window = 500 }));
    bbv_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listing_2), cmocka_unit_test(test_alone), cmocka_unit_test(test_equations),
        cmocka_unit_test(test_figure_4), cmocka_unit_test(test_figure_5), cmocka_unit_test(test_port),
        cmocka_unit_test(test_port_random), cmocka_unit_test(test_unit), cmocka_unit_test(test_sectors), cmocka_unit_test(test_greedy), cmocka_unit_test(test_greedy_max),
        cmocka_unit_test(test_sorting), cmocka_unit_test(test_optimum), cmocka_unit_test(test_one_loop),
        cmocka_unit_test(test_best), cmocka_unit_test(test_fit), cmocka_unit_test(test_window), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
