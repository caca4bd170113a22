/* A case once more on two models: interpreted, with a record of each commit in one case of two, and
 * as the host's code.  Everything must be the same, also where it ends in the midst: at a limit, by
 * a fault, in a deadlock; and in one case of two the counts of its blocks.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "cmodel/bbv.h"
#include "harness/fuzz/fuzz.h"

enum { PLAIN, NATIVE, BOTH };
/* Instructions of a kernel that ends, and of one that may not. */
enum { MOST = 2000000, WILD_MOST = 30000 };

/* In one case of three the limit comes early, wherever that is. */
static uint64_t limit_of(const struct fuzz_case *c)
{
    struct rng r = { c->seed ^ c->data_seed };
    uint64_t most = c->wild ? WILD_MOST : MOST;
    return rng_one_in(&r, 3) ? 1 + rng_below(&r, 5000) : most;
}

static bool look(void *user, const struct hd_commit *c)
{
    (void)user, (void)c;
    return true;
}

static bool open_both(struct fuzz_machine *m, const struct fuzz_case *c)
{
    for (int k = 0; k < BOTH; k++) {
        struct hd_config cfg = { .kind = HD_MODEL,
                                 .stack_depth = c->stack_depth,
                                 .native = k == NATIVE ? "" : NULL };
        if (m->twin[k] && m->twin_depth == c->stack_depth)
            continue;
        hd_close(m->twin[k]);
        if (hd_open(&cfg, &m->twin[k]) != HD_OK)
            return false;
    }
    m->twin_depth = c->stack_depth;
    return true;
}

static bool differs(struct fuzz_result *out, const char *what)
{
    out->kind = FUZZ_FAIL;
    out->field = fuzz_native;
    snprintf(out->text, sizeof out->text, "native: %s differs", what);
    return true;
}

static bool same_warps(hd_device *const d[BOTH])
{
    for (unsigned slot = 0; slot < 32; slot++) {
        struct hd_warp w[BOTH];
        uint32_t r[BOTH][HD_LANES] = { 0 };
        memset(w, 0, sizeof w);
        bool there = hd_get_warp(d[PLAIN], slot, &w[PLAIN]);
        if (there != hd_get_warp(d[NATIVE], slot, &w[NATIVE]) ||
            (there && memcmp(&w[PLAIN], &w[NATIVE], sizeof *w)))
            return false;
        for (unsigned reg = 0; there && reg < HD_RZ; reg++) {
            for (int k = 0; k < BOTH; k++)
                hd_get_register(d[k], slot, reg, r[k]);
            if (memcmp(r[PLAIN], r[NATIVE], sizeof *r))
                return false;
        }
        for (unsigned pred = 0; there && pred < HD_PT; pred++) {
            for (int k = 0; k < BOTH; k++)
                hd_get_predicate(d[k], slot, pred, r[k]);
            if (*r[PLAIN] != *r[NATIVE])
                return false;
        }
    }
    return true;
}

static bool same_memory(hd_device *const d[BOTH], const struct fuzz_case *c, const uint64_t *params)
{
    static uint8_t got[BOTH][FUZZ_MAX_THREADS * FUZZ_SLOT];
    const uint32_t bytes[3] = { FUZZ_IN, fuzz_room(c) * FUZZ_SLOT, FUZZ_SUM };
    for (int b = 0; b < 3; b++) {
        for (int k = 0; k < BOTH; k++)
            hd_read(d[k], params[b], got[k], bytes[b]);
        if (memcmp(got[PLAIN], got[NATIVE], bytes[b]))
            return false;
    }
    return true;
}

static bool same_fault(hd_device *const d[BOTH])
{
    const struct hd_commit *a = hd_get_fault(d[PLAIN]), *b = hd_get_fault(d[NATIVE]);
    return a && b ? !memcmp(a, b, sizeof *a) : a == b;
}

static bool same_blocks(const struct bbv *a, const struct bbv *b)
{
    if (a->nblocks != b->nblocks || a->ncolumns != b->ncolumns || a->nvectors != b->nvectors ||
        memcmp(a->counts, b->counts, (size_t)a->nvectors * a->ncolumns * sizeof *a->counts) ||
        memcmp(a->of, b->of, (size_t)a->threads * sizeof *a->of))
        return false;
    for (uint32_t i = 0; i < a->nblocks; i++)
        if (a->blocks[i].pc != b->blocks[i].pc || a->blocks[i].column != b->blocks[i].column ||
            a->blocks[i].executions != b->blocks[i].executions)
            return false;
    return true;
}

/* What was counted, or why nothing was. */
static bool same_counts(hd_device *const d[BOTH])
{
    struct bbv *b[BOTH] = { NULL };
    const enum hd_status plain = hd_block_counts(d[PLAIN], &b[PLAIN]);
    const enum hd_status native = hd_block_counts(d[NATIVE], &b[NATIVE]);
    const bool same = plain != native ? false
                    : plain ? !strcmp(hd_device_error(d[PLAIN]), hd_device_error(d[NATIVE]))
                            : same_blocks(b[PLAIN], b[NATIVE]);
    for (int k = 0; k < BOTH; k++)
        bbv_free(b[k]);
    return same;
}

bool fuzz_natively(struct fuzz_machine *m, const struct fuzz_case *c, struct fuzz_result *out)
{
    enum hd_status s[BOTH];
    uint64_t params[FUZZ_PARAMS];
    const bool counts = c->seed & 2;
    if (!open_both(m, c))
        return false;
    for (int k = 0; k < BOTH; k++) {
        hd_set_limit(m->twin[k], limit_of(c));
        if (!fuzz_set_up(m->twin[k], c, true, params) ||
            hd_count_blocks(m->twin[k], counts) != HD_OK)
            return false;
        struct hd_launch l = fuzz_launch(c, params);
        hd_on_commit(m->twin[k], k == PLAIN && c->seed & 1 ? look : NULL, NULL);
        s[k] = hd_launch_grid(m->twin[k], &l);
    }
    const char *why = hd_native_why(m->twin[NATIVE]);
    if (why && !c->bus_seed) {
        fprintf(stderr, "heddle fuzz: --native: %s\n", why);
        return false;
    }
    if (s[PLAIN] != s[NATIVE])
        return differs(out, "how it ends");
    if (memcmp(hd_get_counters(m->twin[PLAIN]), hd_get_counters(m->twin[NATIVE]),
               sizeof(struct hd_counters)))
        return differs(out, "a counter");
    if (!same_fault(m->twin))
        return differs(out, "the fault");
    if (!same_warps(m->twin))
        return differs(out, "a warp's state");
    if (counts && !same_counts(m->twin))
        return differs(out, "a block's count");
    return same_memory(m->twin, c, params) || differs(out, "memory");
}
