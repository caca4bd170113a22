/* The order of a redirected kernel's threads: --order, and D as the launch's last parameter.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/launch_args.h"
#include "cmodel/base/infile.h"
#include "compiler/regroup/redirect.h"
#include <stdlib.h>
#include <string.h>

#define FAIL(err, ...) (hd_err_set(err, 2, __VA_ARGS__), false)

/* Fisher and Yates, within each `part` of the order. */
static void shuffle(uint32_t *d, uint64_t n, uint64_t part, uint64_t seed)
{
    for (uint64_t k = n; k-- > 0;) {
        uint64_t first = k / part * part, other = first + args_random(&seed) % (k - first + 1);
        uint32_t t = d[k];
        d[k] = d[other];
        d[other] = t;
    }
}

static bool read_file(const char *path, uint32_t *d, uint64_t n, struct hd_err *err)
{
    struct hd_err why = { 0 };
    FILE *f = infile_open(path, &why);
    if (!f)
        return FAIL(err, "--order: not identity, reverse or rand:SEED, and %s", why.text);
    size_t got = fread(d, 4, n, f);
    bool more = fgetc(f) != EOF;
    fclose(f);
    if (got == n && !more)
        return true;
    return FAIL(err, "--order: %s holds %s than the launch's %llu numbers of 32 bits", path,
                more ? "more" : "fewer", (unsigned long long)n);
}

/* --order into d, which is the identity; threads keep their `part`. */
static bool read_order(const char *what, uint32_t *d, uint64_t n, uint64_t part, struct hd_err *err)
{
    uint64_t seed;
    if (!what || !strcmp(what, "identity"))
        return true;
    if (!strncmp(what, "rand:", 5))
        return args_number(what + 5, &seed, err) && (shuffle(d, n, part, seed), true);
    if (strcmp(what, "reverse"))
        return read_file(what, d, n, err);
    for (uint64_t k = 0; k < n; k++)
        d[k] = (uint32_t)(k / part * part + part - 1 - k % part);
    return true;
}

static bool add(struct launch_args *la, const struct redirect *r, const uint32_t *d, uint64_t n,
                struct hd_err *err)
{
    struct arg a = { .name = strdup("order"),
                     .kind = ARG_UINT,
                     .width = 4,
                     .array = true,
                     .count = n * r->words,
                     .data = calloc(n, 4 * r->words) };
    struct arg *grown = realloc(la->args, (la->nargs + 1) * sizeof a);
    if (grown)
        la->args = grown;
    bool ok = grown && a.name && a.data
                  ? redirect_order(r, la->grid, la->block, d, n, (uint32_t *)a.data, err)
                  : FAIL(err, "no memory");
    if (ok) {
        la->args[la->nargs++] = a;
        la->ordered = true;
    } else {
        free(a.name);
        free(a.data);
    }
    return ok;
}

bool args_order(struct launch_args *la, const struct redirect *r, const uint32_t *d,
                struct hd_err *err)
{
    const uint32_t dim[] = { la->block.x, la->block.y, la->block.z,
                             la->grid.x,  la->grid.y,  la->grid.z };
    uint64_t n = 1, part = 1;
    if (la->ordered)
        return true;
    for (int k = 0; k < 6; k++) {
        if (n > UINT32_MAX / dim[k])
            return FAIL(err, "an order is of at most 2^32 - 1 threads");
        n *= dim[k];
        if (k == 2)
            part = n;
    }
    uint32_t *own = d ? NULL : malloc(n * 4 + 1);
    for (uint64_t k = 0; own && k < n; k++)
        own[k] = (uint32_t)k;
    bool ok = d || own ? true
                       : FAIL(err, "no memory for an order of %llu threads", (unsigned long long)n);
    if (own)
        ok = read_order(la->order, own, n, r->scope == ORDER_BLOCK ? part : n, err);
    ok = ok && add(la, r, d ? d : own, n, err);
    free(own);
    return ok;
}
