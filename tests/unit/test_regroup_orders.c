/* Regrouping: the algorithms against the paper's pseudo-code, written down as it stands; the bound
 * against an exact optimum; searches that are too long.
 * SPDX-License-Identifier: Apache-2.0 */
#include "regroup/regroup.h"
#include "made_counts.h"

/* ---- the paper's pseudo-code ---- */

static double lat_of(const struct bbv *b, const double *lat, uint32_t t)
{
    double sum = 0;
    for (uint32_t c = 0; c < b->ncolumns; c++)
        sum += lat[c] * bbv_row(b, t)[c];
    return sum;
}

struct set { uint32_t n, thread[64]; };

static double set_gain(const struct bbv *b, const double *lat, const struct set *x,
                       const struct set *y)
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
                             (set_low(&g[x]) == set_low(&g[bx]) &&
                              set_low(&g[y]) < set_low(&g[by]));
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
        uint32_t *group = calloc(n, 4),
                 *order = found(b, lat, (struct order_how){ .by = BY_GREEDY, .block_scope = true });
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
        uint32_t *naive = calloc(n, 4),
                 *order = found(b, lat,
                                (struct order_how){ .by = BY_GREEDY_MAX, .block_scope = true });
        naive_greedy_max(b, lat, naive);
        assert_memory_equal(naive, order, n * 4);
        free(naive);
        free(order);
        free(lat);
        bbv_free(b);
    }
}

/* Few vectors and many, with keys that hold all columns, and that do not. */
static void test_sorting(void **unused)
{
    (void)unused;
    for (uint32_t round = 1; round < 140; round++) {
        seed = round;
        uint32_t blocks = 1 + below(4), n = 32 * (1 + below(5)), columns = 1 + below(5);
        bool block_scope = below(2), wide = below(2);
        struct bbv *b = random_counts(n * blocks, n, columns, 1 + below(20));
        for (uint32_t k = 0; wide && k < b->nvectors * columns; k++)    /* two columns fill a key */
            b->counts[k] += b->counts[k] > 9 ? 1u << 31 : 0;
        const double lat[5] = { 1, 1, 1, 1, 1 };
        uint32_t *order = found(b, lat,
                                (struct order_how){ .by = BY_SORTING, .block_scope = block_scope });
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
                    if ((v == 0   ? i
                         : v == 1 ? j
                                  : k) &&
                        o->b->counts[v * o->b->ncolumns + c] > most)
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
                uint32_t *order = found(b, lat,
                                        (struct order_how){ .by = (enum order_by)by,
                                                            .rounds = 20 });
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
    assert_true(met * 10 >= cases * 9);         /* exchanges end in the optimum nine times of ten */
}

/* One block whose counts differ: sorted is optimal, and the bound says so. */
static void test_one_loop(void **unused)
{
    (void)unused;
    for (uint32_t round = 1; round < 30; round++) {
        seed = round;
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
            uint32_t *order = found(b, lat,
                                    (struct order_how){ .by = (enum order_by)by,
                                                        .window = 1 + below(50) });
            uint32_t *whole = found(b, lat, (struct order_how){ .by = (enum order_by)by });
            uint32_t *large = found(b, lat,
                                    (struct order_how){ .by = (enum order_by)by,
                                                        .window = 100000 });
            assert_true(by == BY_GREEDY_MAX ||
                        fabs(cost(b, lat, large) / cost(b, lat, whole) - 1) < 0.1);
            free(order);
            free(whole);
            free(large);
        }
        free(lat);
        bbv_free(b);
    }
}

/* A search that would take too long is refused at once, with what it would take. */
static void test_too_many(void **unused)
{
    (void)unused;
    struct hd_err err = { 0 };
    enum { N = 1 << 18 };
    struct bbv *b = calloc(1, sizeof *b);
    *b = (struct bbv){ .block = { 32, 1, 1 },
                       .grid = { N / 32, 1, 1 },
                       .threads = N,
                       .threads_block = 32,
                       .ncolumns = 1,
                       .nvectors = N };
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

/* Four blocks of a long warp and a short one, two at a time: long ones together, and first. */
static void test_blocks_by_hand(void **unused)
{
    (void)unused;
    enum { N = 8 * WARP };
    uint32_t rows[N], order[N];
    for (uint32_t t = 0; t < N; t++) {
        rows[t] = t / WARP & 1 ? 1 : 10;
        order[t] = t;
    }
    struct bbv *b = counts(N, 2 * WARP, 1, rows);
    const struct cost columns[] = { { 1, 1, 0.01, 0, 0 } };
    const struct machine m = { 1, 2, 1 };
    struct port_warp w[8];
    assert_true(port_warps(b, columns, order, w));
    assert_true(fabs(port_schedule(w, 4, 2, &m) - 20) < 1e-9);
    assert_true(order_blocks(b, columns, &m, order));
    assert_true(port_warps(b, columns, order, w));
    assert_true(fabs(port_schedule(w, 4, 2, &m) - 11) < 1e-9);
    bbv_free(b);
}

/* Warps stay whole; the schedule ends no later, and often earlier: here warps of all lengths stand
 * in any place. */
static void test_blocks(void **unused)
{
    (void)unused;
    unsigned better = 0;
    for (uint32_t round = 1; round <= 20; round++) {
        seed = round;
        const uint32_t warps = 2 + below(3), blocks = 6 + below(20), n = WARP * warps * blocks;
        const struct machine m = { 1 + below(2), 1 + below(3), 1 + below(2) };
        struct bbv *b = random_counts(n, WARP * warps, 2, 1000);
        const struct cost columns[] = { { 9, 5, 1, 0, 0 }, { 9, 4, 4, 0, 0 } };
        struct port_warp *w = malloc(sizeof *w * warps * blocks);
        uint32_t *order = found(b, (double[]){ 9, 9 }, (struct order_how){ .by = BY_SORTING });
        uint32_t *was = malloc(n * sizeof *was), *seen = calloc(n / WARP, sizeof *seen);
        struct hd_err err = { 0 };
        for (uint32_t k = n / WARP - 1; k; k--) {    /* any places */
            uint32_t t[WARP], *x = order + (size_t)k * WARP, *y = order + (size_t)below(k) * WARP;
            memcpy(t, x, sizeof t);
            memcpy(x, y, sizeof t);
            memcpy(y, t, sizeof t);
        }
        memcpy(was, order, n * sizeof *was);
        assert_true(port_warps(b, columns, order, w));
        double before = port_schedule(w, blocks, warps, &m);
        assert_true(order_blocks(b, columns, &m, order));
        assert_true(order_check(order, n, "D", &err));
        for (uint32_t k = 0; k < n; k += WARP)
            for (uint32_t j = 0; j < n; j += WARP)
                seen[j / WARP] += !memcmp(order + k, was + j, WARP * sizeof *was);
        for (uint32_t k = 0; k < n / WARP; k++)
            assert_int_equal(seen[k], 1);
        assert_true(port_warps(b, columns, order, w));
        double after = port_schedule(w, blocks, warps, &m);
        assert_true(after <= before);
        better += after < before;
        bbv_free(b);
        free(w);
        free(order);
        free(was);
        free(seen);
    }
    assert_true(better >= 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_greedy), cmocka_unit_test(test_greedy_max),
        cmocka_unit_test(test_sorting), cmocka_unit_test(test_optimum),
        cmocka_unit_test(test_one_loop), cmocka_unit_test(test_best), cmocka_unit_test(test_window),
        cmocka_unit_test(test_too_many), cmocka_unit_test(test_blocks_by_hand),
        cmocka_unit_test(test_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
