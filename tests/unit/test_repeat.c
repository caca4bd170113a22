/* Deadlock by repetition: programs that repeat forever are distinguished from programs that only
 * seem to, in both modes, with records and without.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/image/asm.h"
#include "one_insn.h"

#define LIMIT 2500000

struct ran { struct model *m; struct hd_image *img; enum hd_status status; };

static bool go_on(void *user, const struct hd_commit *c)
{
    (void)c;
    ++*(u64 *)user;
    return true;
}

/* After the prelude: R0 the thread of the block, R2 and R3 an address, the same in every lane; P0
 * thread 0. */
static struct ran start(const char *mode, const char *text, u32 blocks, u32 threads)
{
    const struct launch_limits core = {
        .warps = 4, .regs = 256, .shared_bytes = 16384, .stack_depth = 8
    };
    const struct hd_launch l = { .grid = { blocks, 1, 1 }, .block = { threads, 1, 1 } };
    struct ran r = { 0 };
    struct hd_err err = { 0 };
    struct launch k;
    char why[256] = "", whole[4096];
    snprintf(whole, sizeof whole,
             ".mode %s\n.kernel k\n.regs 32\n.local 16\nS2R R0, SR_TID_X\nMOV R2, 0x10000000\n"
             "MOV R3, 0\nISETP.EQ.U32 P0, R0, 0, PT\n%s",
             mode, text);
    if (hd_asm("test", whole, &r.img, &err))
        fail_msg("%s", err.text);
    r.m = fast_new(&core);
    assert_non_null(r.m);
    if (launch_load(model_memory(r.m), r.img, why, sizeof why) ||
        launch_prepare(&k, model_memory(r.m), r.img, &l, &core, why, sizeof why))
        fail_msg("%s", why);
    assert_true(launch_add_range(&k, LAUNCH_HEAP, 4096, true));
    assert_true(model_load(r.m, k.code_base, k.code_size, r.img->stack_mode));
    model_launch(r.m, &k);
    return r;
}

static void done(struct ran *r)
{
    hd_image_free(r->img);
    model_free(r->m);
}

/* What a deadlock claims, tried: everything that runs goes on for a while, and nothing comes of
 * it. */
static void try_it(struct model *m)
{
    enum { SHARED_AND_HEAP = 4096 };
    uint8_t before[SHARED_AND_HEAP];
    u64 ended = m->blocks_ended;
    u32 live[4];
    memcpy(before, m->mem + LAUNCH_HEAP, sizeof before);
    for (u32 s = 0; s < 4; s++)
        live[s] = m->warp[s].conv.live;
    fast_watching(fast_of(m), false);
    for (u32 turn = 0; turn < 5000; turn++)
        for (u32 s = 0; s < 4; s++)
            if (warp_runs(&m->warp[s]))
                fast_warp(fast_of(m), &m->warp[s], 1 + (turn + s) % 17);
    assert_memory_equal(before, m->mem + LAUNCH_HEAP, sizeof before);
    assert_int_equal(ended, m->blocks_ended);
    for (u32 s = 0; s < 4; s++)
        assert_int_equal(live[s], m->warp[s].conv.live);
}

static void check(const char *mode, const char *text, u32 blocks, u32 threads, enum hd_status want,
                  bool spins)
{
    u64 commits = 0;
    struct fast_run fast = { .limit = LIMIT },
                     slow = { .limit = LIMIT, .on_commit = go_on, .commit_user = &commits };
    struct ran a = start(mode, text, blocks, threads), b = start(mode, text, blocks, threads);
    a.status = fast_run(a.m, &fast);
    if (a.status != want || fast_spins(a.m) != spins)
        fail_msg("%s mode: status %d, %s, after %llu instructions; must be %d:\n%s", mode, a.status,
                 fast_spins(a.m) ? "spins" : "does not spin",
                 (unsigned long long)model_counters(a.m)->warp_insns, want, text);
    if (a.status != HD_LIMIT) {                     /* which takes long */
        b.status = fast_run(b.m, &slow);
        assert_int_equal(b.status, want);
        assert_int_equal(commits, model_counters(a.m)->warp_insns);
    }
    if (spins)
        try_it(a.m);
    done(&a);
    done(&b);
}

static void both(const char *text, u32 blocks, u32 threads, enum hd_status want)
{
    check("barrier", text, blocks, threads, want, want == HD_DEADLOCK);
    check("stack", text, blocks, threads, want, want == HD_DEADLOCK);
}

static void test_spins(void **unused)
{
    (void)unused;
    both("a: BRA a\n", 1, 32, HD_DEADLOCK);
    both("a: BRA a\n", 3, 64, HD_DEADLOCK);
    both("a: LDG R4, [R2]\nISETP.EQ.U32 P1, R4, 0, PT\n@P1 BRA a\nEXIT\n", 1, 64, HD_DEADLOCK);
    /* what is written is there already */
    both(
        "a: STG [R2], RZ\nATOMG.MAXU RZ, [R2], RZ\nATOMG.CAS R5, [R2], R2, R0\nSTL [RZ], RZ\n"
        "BRA a\n",
        1, 64, HD_DEADLOCK);
    both(
        "a: STG.U8 [R2+1], RZ\nSTG.64 [R2+8], RZ\nMOV R4, RZ\nMOV R5, RZ\nMOV R6, RZ\n"
        "MOV R7, RZ\nSTG.128 [R2+16], R4\nBRA a\n",
        1, 64, HD_DEADLOCK);
    /* lanes collide, and the last one puts back what was there */
    both("STG [R2], R0\na: STG [R2], R0\nBRA a\n", 1, 32, HD_DEADLOCK);
    /* a long way round, and a long way in: 256 turns of three instructions */
    both("a: IADD R4, R4, 1\nLOP.AND R4, R4, 0xff\nBRA a\n", 1, 32, HD_DEADLOCK);
    both("a: IADD R4, R4, 1\nISETP.LT.U32 P1, R4, 100000, PT\n@P1 BRA a\nb: BRA b\n", 1, 32,
         HD_DEADLOCK);
    /* one warp waits at the block barrier for one that never comes */
    both("ISETP.GE.U32 P1, R0, 32, PT\n@P1 BRA w\na: BRA a\nw: BAR.SYNC 0, 0\nEXIT\n", 1, 64,
         HD_DEADLOCK);
}

static void test_spins_in_one_mode(void **unused)
{
    (void)unused;
    /* A lock between lanes of a warp: the lane that has it waits in a token. */
    check(
        "stack",
        "MOV R4, 0\nMOV R5, 1\nSSY j\ntry: ATOMG.CAS R6, [R2], R4, R5\n"
        "ISETP.NE.U32 P1, R6, 0, PT\n@P1 BRA try\n"
        "STG [R2], R4\nNOP.S\nj: EXIT\n",
        1, 32, HD_DEADLOCK, true);
    /* A loop that calls and returns, with tokens on chip and in memory. */
    check(
        "stack",
        "a: SSY b\nSSY b\nSSY b\nSSY b\nSSY b\nSSY b\nSSY b\nSSY b\nSSY b\nSSY b\n"
        "b: IADD R4, R4, 1\n"
        "c: CAL f\nBRA c\nf: RET.T\n",
        1, 64, HD_DEADLOCK, true);
    /* Two groups of lanes give way to each other for ever; barriers in use, so with times. */
    check("barrier", "@P0 BRA b\na: YIELD\nBRA a\nb: YIELD\nBRA b\n", 1, 32, HD_DEADLOCK, true);
    check("barrier", "a: BSSY B0, j\nBSSY B1, i\n@P0 BRA i\nNOP\ni: BSYNC B1\nj: BSYNC B0\nBRA a\n",
          1, 64, HD_DEADLOCK, true);
    /* No lane runs at all. */
    check("barrier", "@P0 BRA a\nBAR.SYNC 1, 64\na: WARPSYNC 3\nEXIT\n", 1, 2, HD_DEADLOCK, false);
}

static void test_goes_on(void **unused)
{
    (void)unused;
    /* the other warp needs its time before it lets this one go */
    both(
        "ISETP.LT.U32 P1, R0, 32, PT\n@P1 BRA w\na: IADD R4, R4, 1\n"
        "ISETP.LT.U32 P1, R4, 150000, PT\n@P1 BRA a\n"
        "STG [R2], R4\nEXIT\nw: LDG R5, [R2]\nISETP.EQ.U32 P1, R5, 0, PT\n@P1 BRA w\nEXIT\n",
        1, 64, HD_OK);
    both(
        "ISETP.LT.U32 P1, R0, 32, PT\n@P1 BRA w\na: IADD R4, R4, 1\n"
        "ISETP.LT.U32 P1, R4, 150000, PT\n@P1 BRA a\n"
        "BAR.SYNC 0, 0\nEXIT\nw: BAR.SYNC 0, 0\nEXIT\n",
        1, 64, HD_OK);
    /* a lane that reads the clock sees time pass, even if the state is the same each time, wherever
     * it is kept */
    for (u32 i = 0; i < 4; i++) {
        static const char text[] =
            "NOP\nNOP\nNOP\na: S2R R4, SR_CLOCKLO\nISETP.GT.U32 P1, R4, 400000, PT\nMOV R4, 0\n"
            "@!P1 BRA a\nEXIT\n";
        both(text + 4 * i, 1, 32, HD_OK);
    }
    /* memory changes and changes back */
    both("MOV R4, 1\na: STG [R2], R4\nSTG [R2], RZ\nBRA a\n", 1, 32, HD_LIMIT);
    both("MOV R4, 1\na: ATOMG.ADD RZ, [R2], R4\nBRA a\n", 1, 32, HD_LIMIT);
    /* a counter in local memory that ends after all; blocks that follow each other */
    both(
        "a: LDL R4, [RZ]\nIADD R4, R4, 1\nSTL [RZ], R4\nISETP.LT.U32 P1, R4, 70000, PT\n"
        "@P1 BRA a\nEXIT\n",
        2, 64, HD_OK);
    both("a: IADD R4, R4, 1\nISETP.LT.U32 P1, R4, 1000, PT\n@P1 BRA a\nEXIT\n", 100, 128, HD_OK);
}

/* Steps under fast_watch until the grid ends, or seems not to. */
static void ends(const char *mode, const char *text, u32 threads)
{
    struct ran r = start(mode, text, 1, threads);
    struct hd_commit rec;
    assert_null(model_place(r.m, 0, 0));
    fast_watch(r.m);
    for (u32 step = 0; step < 20000 && !model_ended(r.m); step++) {
        assert_int_equal(model_step(r.m, 0, &rec, NULL), STEP_OK);
        assert_false(fast_spins(r.m));
    }
    assert_true(model_ended(r.m));
    done(&r);
}

/* A state is more than registers: predicates that count; where the lanes wait that do not run;
 * tokens. */
static void test_whole_state(void **unused)
{
    char text[8192] = "MOV R0, 0\nISETP.NE.U32 P0, RZ, 0, PT\na: ";
    size_t at = strlen(text);
    (void)unused;
    for (u32 i = 0; i < 7; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "@P%u BRA c%u\nISETP.EQ.U32 P%u, RZ, 0, PT\nBRA a\n"
                               "c%u: ISETP.NE.U32 P%u, RZ, 0, PT\n",
                               i, i, i, i, i);
    snprintf(text + at, sizeof text - at, "EXIT\n");
    ends("barrier", text, 32);
    ends("stack", text, 32);
    /* A predicate alone tells the second round of 200 steps from the first, in which step 256
     * lies. */
    for (u32 i = 0; i < 7; i++) {
        at = (size_t)snprintf(text, sizeof text, "ISETP.NE.U32 P%u, RZ, 0, PT\n", i);
        for (u32 k = 0; k < 400; k++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%sNOP\n", k == 200 ? "a: " : "");
        snprintf(text + at, sizeof text - at, "@P%u EXIT\nISETP.EQ.U32 P%u, RZ, 0, PT\nBRA a\n", i,
                 i);
        ends("barrier", text, 32);
        ends("stack", text, 32);
    }
    at = (size_t)snprintf(text, sizeof text, "@P0 BRA b\na: YIELD\nBRA a\nb: ");
    for (u32 i = 0; i < 600; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "YIELD\n");
    snprintf(text + at, sizeof text - at, "EXIT\n");
    struct ran r = start("barrier", text, 1, 32);
    struct hd_commit rec;
    assert_null(model_place(r.m, 0, 0));
    fast_watch(r.m);
    while (r.m->warp[0].conv.live & 1) {
        assert_int_equal(model_step(r.m, 0, &rec, NULL), STEP_OK);
        assert_false(fast_spins(r.m));
    }
    done(&r);
    /* In f, only the token tells one call from the next. */
    at = (size_t)snprintf(text, sizeof text, "NOP\n");
    for (u32 i = 0; i < 300; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "CAL f\n");
    snprintf(text + at, sizeof text - at, "EXIT\nf: RET.T\n");
    ends("stack", text, 32);                        /* the state is kept in f, or */
    ends("stack", text + 4, 32);
    /* Calls without a return, until there is no more room. */
    r = start("stack", "a: CAL a\n", 1, 32);
    assert_null(model_place(r.m, 0, 0));
    fast_watch(r.m);
    while (model_step(r.m, 0, &rec, NULL) == STEP_OK)
        assert_false(fast_spins(r.m));
    assert_int_equal(rec.fault, HD_FAULT_SPILL);
    done(&r);
}

/* Calls go ten deep, and back to the second, which needs four tokens from memory: they cannot be
 * read, but have not been there yet when g waits for the first time.  Step 256 lies in that wait,
 * for some lengths of the way there; with the same tokens, the second is followed by a fault. */
static void test_tokens_in_memory(void **unused)
{
    (void)unused;
    for (u32 n = 1; n < 80; n++) {
        struct hd_commit rec;
        char text[1024];
        size_t at = (size_t)snprintf(
            text, sizeof text,
            "MOV R4, %u\np: IADD R4, R4, -1\nISETP.NE.U32 P1, R4, 0, PT\n@P1 BRA p\n"
            "ISETP.EQ.U32 P2, RZ, 0, PT\nCAL c1\nc1: CAL c2\nc2: CAL c3\nBRA c2\n"
            "c3: CAL c4\nRET.T\n"
            "c4: @P2 BRA g\nCAL c5\ng: ISETP.NE.U32 P2, RZ, 0, PT\nMOV R4, 40\n"
            "w: IADD R4, R4, -1\nISETP.NE.U32 P1, R4, 0, PT\n@P1 BRA w\nRET.T\n", n);
        for (u32 k = 5; k < 10; k++)
            at += (size_t)snprintf(text + at, sizeof text - at, "c%u: CAL c%u\nRET.T\n", k, k + 1);
        snprintf(text + at, sizeof text - at, "c10: RET.T\n");
        struct ran r = start("stack", text, 1, 32);
        struct bus bus = { 0 };
        assert_true(bus_add(&bus, r.m->launch.spill_base, 32, HD_BUS_READ));
        model_set_bus(r.m, &bus);
        assert_null(model_place(r.m, 0, 0));
        fast_watch(r.m);
        while (model_step(r.m, 0, &rec, NULL) == STEP_OK)
            if (fast_spins(r.m))
                fail_msg("%u turns before: called a deadlock at PC 0x%x", n, rec.pc);
        assert_int_equal(rec.fault, HD_FAULT_BUS);
        done(&r);
    }
}

/* With fast_watch every step is looked at, as lockstep does, in any order. */
static void test_watched_steps(void **unused)
{
    struct ran r = start(
        "stack",
        "ISETP.LT.U32 P1, R0, 32, PT\n@P1 BRA a\nMOV R4, 0\nb: IADD R4, R4, 1\n"
        "ISETP.LT.U32 P2, R4, 3000, PT\n@P2 BRA b\nSTG [R2], R4\nc: BRA c\na: LOP.XOR R5, R5, 1\n"
        "BRA a\n",
        1, 64);
    struct hd_commit rec;
    struct warp_view v;
    u64 seed = 1, steps = 0;
    (void)unused;
    assert_null(model_place(r.m, 0, 0));
    fast_watch(r.m);
    while (!fast_spins(r.m) && steps < 100000) {
        assert_int_equal(model_step(r.m, rnd(&seed) % 2, &rec, NULL), STEP_OK);
        steps++;
    }
    /* Not before the store at the end of three thousand turns, soon after it. */
    assert_true(steps > 2 * 9000 && steps < 25000);
    model_view(r.m, 0, &v);
    assert_true(v.spins && v.loop[0] == 12 * 16 && v.loop[1] == 13 * 16);
    model_view(r.m, 1, &v);
    assert_true(v.spins && v.loop[0] == 11 * 16 && v.loop[1] == 11 * 16);
    try_it(r.m);
    done(&r);
}

/* Random loops: whatever is called a deadlock must be one. */
static u32 random_loops(const char *mode, const char *const *lines, u32 nlines, u32 programs)
{
    u32 found = 0;
    for (u32 n = 0; n < programs; n++) {
        u64 seed = n * 0x9e3779b97f4a7c15u + nlines;
        char text[2048];
        size_t at = 0;
        for (u32 i = 0; i < 12; i++) {
            char line[64];
            snprintf(line, sizeof line, lines[rnd(&seed) % nlines], rnd(&seed) % 13);
            at += (size_t)snprintf(text + at, sizeof text - at, "L%u: %s\n", i, line);
        }
        snprintf(text + at, sizeof text - at, "L12: BRA L0\n");
        struct ran r = start(mode, text, 1, 64);
        struct hd_commit rec;
        assert_null(model_place(r.m, 0, 0));
        fast_watch(r.m);
        for (u32 step = 0;
             step < 6000 && !model_ended(r.m) && !model_fault(r.m) && !fast_spins(r.m); step++)
            model_step(r.m, rnd(&seed) % 2, &rec, NULL);
        if (!model_fault(r.m) && fast_spins(r.m)) {
            found++;
            try_it(r.m);
        }
        done(&r);
    }
    return found;
}

static void test_random_loops(void **unused)
{
#define COMMON "IADD R4, R4, 1", "LOP.AND R4, R4, 7", "LOP.XOR R4, R4, R0", "LDG R5, [R2]", \
    "LDG R5, [R2+4]", "STG [R2], R4", \
    "STG [R2+4], R5", "ATOMG.MAXU R5, [R2], R4", "ISETP.LT.U32 P1, R4, 2, PT", \
    "ISETP.EQ.U32 P1, R5, 0, PT", \
    "@P1 BRA L%u", "@!P1 BRA L%u", "@P0 BRA L%u", "@!P0 BRA L%u", "@P1 EXIT", "BAR.SYNC 0, 0", \
    "S2R R5, SR_LANEID", \
    "ISETP.LT.U32 P1, R0, 40, PT", "MOV R4, %u"
    static const char *const barrier[] = { COMMON,
                                           "BSSY B0, L%u",
                                           "BSSY B1, L%u",
                                           "BSYNC B0",
                                           "BSYNC B1",
                                           "@P1 BREAK B0",
                                           "YIELD",
                                           "YIELD",
                                           "WARPSYNC 3",
                                           "BMOV.R R4, B0",
                                           "@P1 BSSY B2, L%u",
                                           "BSYNC B2" };
    static const char *const stack[] = {
        COMMON,    "SSY L%u", "SSY L%u",   "NOP.S", "@P1 IADD.S R4, R4, 1",
        "CAL L%u", "RET.T",   "WARPSYNC 0"
    };
    (void)unused;
    u32 b = random_loops("barrier", barrier, sizeof barrier / sizeof *barrier, 150);
    u32 s = random_loops("stack", stack, sizeof stack / sizeof *stack, 150);
    print_message("deadlocks found and tried: %u in barrier mode, %u in stack mode\n", b, s);
    assert_true(b > 30 && s > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spins),         cmocka_unit_test(test_spins_in_one_mode),
        cmocka_unit_test(test_goes_on),       cmocka_unit_test(test_whole_state),
        cmocka_unit_test(test_tokens_in_memory),
        cmocka_unit_test(test_watched_steps), cmocka_unit_test(test_random_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
