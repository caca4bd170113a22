/* The order of threads as a redirected kernel reads it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requires: the form that redirect_ptx has chosen, the launch, whose work each thread does.
 * Ensures:  the entries of D; or false, and err says why the order is none. */
#include <inttypes.h>
#include <stdlib.h>
#include "compiler/regroup/redirect.h"

#define FAIL(err, ...) (hd_err_set(err, 2, __VA_ARGS__), false)

/* Every thread's work is done once. */
static bool permutes(const uint32_t *d, uint64_t n, struct hd_err *err)
{
    bool ok = true, *met = calloc(n + 1, sizeof *met);
    if (!met) return FAIL(err, "no memory for an order of %" PRIu64 " threads", n);
    for (uint64_t k = 0; ok && k < n; k++) {
        if (d[k] >= n)
            ok = FAIL(err, "the order names thread %" PRIu32 ", the launch has %" PRIu64, d[k], n);
        else if (met[d[k]])
            ok = FAIL(err, "the order is no permutation: %" PRIu32 " occurs twice", d[k]);
        else
            met[d[k]] = true;
    }
    free(met);
    return ok;
}

static bool fits(const struct redirect *r, struct hd_dim3 grid, struct hd_dim3 block, uint64_t n,
                 struct hd_err *err)
{
    const uint32_t size[] = { grid.x, block.x, grid.y, block.y, grid.z, block.z };
    uint64_t threads = 1;
    int dims = 1;
    for (int k = 0; k < 6; k++) {
        if (threads > UINT32_MAX / size[k])
            return FAIL(err, "an order is of at most 2^32 - 1 threads");
        threads *= size[k];
        if (size[k] > 1) dims = k / 2 + 1;
    }
    if (dims > r->dims)
        return FAIL(
            err,
            "the launch has %d dimensions, the redirected kernel reads %%tid and %%ctaid in %d",
            dims, r->dims);
    if (threads != n)
        return FAIL(err, "the order is of %" PRIu64 " threads, the launch has %" PRIu64, n,
                    threads);
    return true;
}

/* The words of a thread's entry. */
static uint32_t *encode(const struct redirect *r, struct hd_dim3 grid, struct hd_dim3 block,
                        uint32_t thread, uint32_t cta, uint32_t *out)
{
    uint32_t x = thread % block.x, y = thread / block.x % block.y, z = thread / block.x / block.y;
    uint32_t word[] = { cta * block.x + thread, x | y << 10 | z << 20,
                        cta % grid.x, cta / grid.x % grid.y, cta / grid.x / grid.y };
    unsigned n = 0;
    for (int k = 0; k < 5; k++)
        if (r->fields >> k & 1) out[n++] = word[k];
    while (n < r->words) out[n++] = 0;
    return out + n;
}

bool redirect_order(const struct redirect *r, struct hd_dim3 grid, struct hd_dim3 block,
                    const uint32_t *d, uint64_t n, uint32_t *out, struct hd_err *err)
{
    uint32_t size = block.x * block.y * block.z;
    if (!fits(r, grid, block, n, err) || !permutes(d, n, err)) return false;
    for (uint64_t k = 0; k < n; k++) {
        if (r->scope == ORDER_BLOCK && d[k] / size != k / size)
            return FAIL(err,
                        "the order takes thread %" PRIu64 " to %" PRIu32
                        ", which is of another block",
                        k, d[k]);
        out = encode(r, grid, block, d[k] % size, d[k] / size, out);
    }
    return true;
}
