/* Block counts from anywhere: they are refused with a message, or they are sound: written again,
 * the same bytes, and every metric and order can be made of them.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "regroup/regroup.h"
#include "tests/afl/afl.h"

static void must(int ok, const char *what)
{
    if (ok) return;
    fprintf(stderr, "%s: %s\n", getenv("AFL_INPUT"), what);
    abort();
}

/* The metrics' sums over small grids; large ones cost time alone. */
static void check_use(const struct bbv *b)
{
    struct hd_err err = { 0 };
    struct order_how how = { .by = BY_SORTING, .block_scope = true };
    double *lat = malloc((b->ncolumns + 1) * sizeof *lat);
    must(lat != NULL, "out of memory");
    for (uint32_t c = 0; c < b->ncolumns; c++) lat[c] = 1 + c;
    uint32_t *order = order_find(b, lat, &how, &err);
    must(order || err.status == 2, "neither ordered nor refused");
    if (order) {
        double *warps = metric_warps(b, lat, order);
        must(warps && order_check(order, b->threads, "order", &err), "what is found is no order");
        must(bound_cost(b, lat, true) >= 0, "the bound is negative");
        free(warps);
    }
    free(order);
    free(lat);
}

int afl_one(const uint8_t *buf, size_t n)
{
    struct hd_err err = { 0 };
    char *text = NULL;
    size_t size = 0;
    struct bbv *b = bbv_parse("input", buf, n, NULL, &err);
    must(b || err.status == 2, "neither read nor refused");
    if (!b) return 0;
    FILE *f = open_memstream(&text, &size);
    must(f != NULL, "out of memory");
    bbv_put(b, f);
    fclose(f);
    must(size == n && !memcmp(text, buf, n), "written again, it differs");
    if (b->threads <= 4096) check_use(b);
    bbv_free(b);
    free(text);
    return 1;
}
