/* Random goto graphs with block barriers: kernels that no structured source has, compiled and run
 * on the model in both modes, against the host's values.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A kernel is a row of graphs.  In each a thread goes from block to block, by its own value, by its
 * warp or by all alike, until its steps are used up; then all threads come to the graph's barrier,
 * where each reads what another has written.  A graph may be gone through again, from any of its
 * blocks; the barrier may stand at a place for even warps and one for odd ones; threads may end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/all.h"
#include "harness/device/device.h"
#include "tests/unit/random_cfg.h"

enum { THREADS = 96, GRAPHS = 4, BLOCKS = 8, TEXT = 1 << 15, KERNELS = 150 };
/* How a block goes on; where it does not branch, to the next. */
enum way { ALWAYS, VALUE, WARP, ALIKE, NEVER, WAYS };
struct block { enum way way; int to; unsigned bit; uint32_t factor, add; };
struct graph {
    int blocks, steps, rounds, again;    /* how often; from there after the first time */
    bool two_places, ends;               /* of the barrier; some threads end after it */
    int neighbour, barrier;
    struct block block[BLOCKS];
};
struct kernel { int graphs; uint32_t alike; struct graph graph[GRAPHS]; };

static void choose(struct kernel *k, uint32_t *s)
{
    k->graphs = 1 + (int)rnd(s, GRAPHS);
    k->alike = rnd(s, 1 << 16);
    for (int i = 0; i < k->graphs; i++) {
        struct graph *g = &k->graph[i];
        g->blocks = 2 + (int)rnd(s, BLOCKS - 1);
        g->steps = 1 + (int)rnd(s, 12);
        g->rounds = rnd(s, 3) ? 1 : 2 + (int)rnd(s, 2);
        g->again = (int)rnd(s, (uint32_t)g->blocks);
        g->two_places = rnd(s, 3) == 0;
        g->ends = rnd(s, 4) == 0;
        g->neighbour = (int)rnd(s, THREADS);
        g->barrier = (int)rnd(s, 16);
        for (int b = 0; b < g->blocks; b++)
            g->block[b] = (struct block){ (enum way)rnd(s, WAYS), (int)rnd(s, (uint32_t)g->blocks),
                                          rnd(s, 16), rnd(s, 1 << 16) | 1, rnd(s, 1 << 16) };
    }
}

static const char head[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry f(.param .u64 out, .param .u32 alike)\n{\n"
    ".reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %d<4>; .shared .align 4 .b8 sh[384];\n"
    "mov.u32 %r1, %tid.x; ld.param.u64 %d1, [out]; mul.wide.u32 %d2, %r1, 4;\n"
    "add.u64 %d1, %d1, %d2; ld.param.u32 %r2, [alike]; mul.lo.u32 %r3, %r1, 40503;\n"
    "mov.u32 %r4, sh; shl.b32 %r5, %r1, 2; add.u32 %r5, %r4, %r5; shr.u32 %r6, %r1, 5;\n";

/* %r3 is the thread's value, %r7 the steps left, %r8 the rounds left. */
static size_t one_block(char *t, size_t size, int i, int b, const struct block *k)
{
    static const char *const of[] = { [VALUE] = "%r3", [WARP] = "%r6", [ALIKE] = "%r2" };
    size_t n = (size_t)snprintf(
        t, size,
        "G%dB%d: mul.lo.u32 %%r3, %%r3, %u; add.u32 %%r3, %%r3, %u;\n"
        "sub.s32 %%r7, %%r7, 1; setp.lt.s32 %%p1, %%r7, 0; @%%p1 bra G%dE;\n",
        i, b, k->factor, k->add, i);
    if (k->way == ALWAYS)
        n += (size_t)snprintf(t + n, size - n, "bra G%dB%d;\n", i, k->to);
    else if (k->way != NEVER)
        n += (size_t)snprintf(t + n, size - n, "shr.u32 %%r9, %s, %u; and.b32 %%r9, %%r9, 1;\n"
                              "setp.ne.u32 %%p2, %%r9, 0; @%%p2 bra G%dB%d;\n",
                              of[k->way], k->way == WARP ? k->bit % 2 : k->bit, i, k->to);
    return n;
}

static size_t one_graph(char *t, size_t size, int i, const struct graph *g)
{
    size_t n = (size_t)snprintf(t, size, "mov.u32 %%r7, %d; mov.u32 %%r8, %d;\n", g->steps,
                                g->rounds);
    for (int b = 0; b < g->blocks; b++)
        n += one_block(t + n, size - n, i, b, &g->block[b]);
    n += (size_t)snprintf(t + n, size - n, "G%dE: st.shared.u32 [%%r5], %%r3;\n", i);
    if (g->two_places)
        n += (size_t)snprintf(t + n, size - n,
                              "and.b32 %%r9, %%r6, 1; setp.eq.u32 %%p2, %%r9, 0; @%%p2 bra G%dX;\n"
                              "bar.sync %d; bra G%dY;\nG%dX: bar.sync %d;\nG%dY:\n",
                              i, g->barrier, i, i, g->barrier, i);
    else
        n += (size_t)snprintf(t + n, size - n, "bar.sync %d;\n", g->barrier);
    n += (size_t)snprintf(t + n, size - n,
                          "add.u32 %%r9, %%r1, %d; rem.u32 %%r9, %%r9, %d; shl.b32 %%r9, %%r9, 2;\n"
                          "add.u32 %%r9, %%r4, %%r9; ld.shared.u32 %%r10, [%%r9]; bar.sync 0;\n"
                          "add.u32 %%r3, %%r3, %%r10; mov.u32 %%r7, %d; sub.s32 %%r8, %%r8, 1;\n"
                          "setp.gt.s32 %%p3, %%r8, 0; @%%p3 bra G%dB%d;\n",
                          g->neighbour, THREADS, g->steps, i, g->again);
    if (g->ends)
        n += (size_t)snprintf(t + n, size - n,
                              "and.b32 %%r9, %%r3, 240; setp.eq.u32 %%p2, %%r9, 0;\n"
                              "@%%p2 st.global.u32 [%%d1], %%r3; @%%p2 ret;\n");
    return n;
}

static void write_text(char *t, const struct kernel *k)
{
    size_t n = (size_t)snprintf(t, TEXT, "%s", head);
    for (int i = 0; i < k->graphs; i++)
        n += one_graph(t + n, TEXT - n, i, &k->graph[i]);
    snprintf(t + n, TEXT - n, "st.global.u32 [%%d1], %%r3;\nret;\n}\n");
}

/* One thread from that block on until its steps are used up. */
static uint32_t walk(const struct kernel *k, const struct graph *g, uint32_t v, uint32_t warp,
                     int b)
{
    for (int left = g->steps;;) {
        const struct block *at = &g->block[b];
        v = v * at->factor + at->add;
        if (--left < 0)
            return v;
        const uint32_t by = at->way == VALUE ? v >> at->bit
                          : at->way == WARP  ? warp >> at->bit % 2 : k->alike >> at->bit;
        b = at->way == ALWAYS || (at->way != NEVER && by & 1) ? at->to : b + 1;
        if (b == g->blocks)
            return v;
    }
}

static void mean(const struct kernel *k, uint32_t v[THREADS])
{
    uint32_t shared[THREADS] = { 0 };
    bool over[THREADS] = { false };
    for (uint32_t t = 0; t < THREADS; t++)
        v[t] = t * 40503;
    for (int i = 0; i < k->graphs; i++) {
        const struct graph *g = &k->graph[i];
        for (int round = 0; round < g->rounds; round++) {
            for (uint32_t t = 0; t < THREADS; t++)
                if (!over[t])
                    shared[t] = v[t] = walk(k, g, v[t], t / 32, round ? g->again : 0);
            for (uint32_t t = 0; t < THREADS; t++)
                if (!over[t])
                    v[t] += shared[(t + (uint32_t)g->neighbour) % THREADS];
        }
        for (uint32_t t = 0; t < THREADS; t++)
            over[t] |= g->ends && !(v[t] & 240);
    }
}

static void one_way(hd_device *d, const char *text, const struct kernel *k, struct cc_options o,
                    uint32_t seed, const uint32_t want[THREADS])
{
    struct hd_err err = { 0 };
    uint64_t params[2] = { 0, k->alike };
    uint32_t got[THREADS];
    struct hd_image *img = hd_compile_ptx("goto.ptx", text, &o, &err);
    if (!img)
        fail_msg("seed %u, %s mode: %s", seed, o.stack_mode ? "stack" : "barrier", err.text);
    struct hd_launch l = { .kernel = "f",
                           .grid = { 1, 1, 1 },
                           .block = { THREADS, 1, 1 },
                           .params = params,
                           .params_size = 12 };
    assert_int_equal(hd_reset(d, 0), HD_OK);
    assert_int_equal(hd_load(d, img), HD_OK);
    assert_int_equal(hd_malloc(d, sizeof got, &params[0]), HD_OK);
    const enum hd_status ended = hd_launch_grid(d, &l);
    if (ended != HD_OK)
        fail_msg("seed %u, %s mode: %s %s\n%s", seed, o.stack_mode ? "stack" : "barrier",
                 hd_strerror(ended), hd_device_error(d), text);
    assert_int_equal(hd_read(d, params[0], got, sizeof got), HD_OK);
    for (int t = 0; t < THREADS; t++)
        if (got[t] != want[t])
            fail_msg("seed %u, %s mode, thread %d: 0x%x, the host has 0x%x\n%s", seed,
                     o.stack_mode ? "stack" : "barrier", t, got[t], want[t], text);
    hd_image_free(img);
}

static void one_kernel(hd_device *d, uint32_t seed)
{
    static char text[TEXT];
    struct kernel k;
    uint32_t s = seed * 2654435761u, want[THREADS];
    choose(&k, &s);
    write_text(text, &k);
    mean(&k, want);
    for (unsigned way = 0; way < 4; way++)
        one_way(d, text, &k, (struct cc_options){ .stack_mode = way & 1, .no_ifconv = way & 2 },
                seed, want);
}

/* SEED= COUNT=: others, or more. */
static void every_graph(void **state)
{
    static const uint32_t deadlocked[] = { 1159, 1339, 2543 };  /* once, as 27 and 50 did */
    const char *from = getenv("SEED"), *count = getenv("COUNT");
    const uint32_t first = from ? (uint32_t)atoi(from) : 1,
                   n = count ? (uint32_t)atoi(count) : KERNELS;
    struct hd_config cfg = { .kind = HD_MODEL };
    hd_device *d = NULL;
    (void)state;
    assert_int_equal(hd_open(&cfg, &d), HD_OK);
    hd_set_limit(d, 2000000);
    for (uint32_t seed = first; seed < first + n; seed++)
        one_kernel(d, seed);
    for (size_t k = 0; k < sizeof deadlocked / sizeof *deadlocked; k++)
        one_kernel(d, deadlocked[k]);
    hd_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_graph) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
