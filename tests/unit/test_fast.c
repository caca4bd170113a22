/* The model's fast ways beside the plain machine: after every few instructions of a warp, after
 * each turn and each sweep, the whole state of both is the same, not the end alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The plain machine records each instruction, so it takes none of the fast ways.  Both are launched
 * by the same calls on two devices: fast_run is caught (the linker's --wrap).  On the first one it
 * does nothing, on the second it goes on with both. COUNT=, NATIVE=, SEED= in the environment: more
 * kernels, as the interpreter and as the host's code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cmodel/image/asm.h"
#include "harness/device/device.h"
#include "harness/fuzz/pairs.h"
#include "model_same.h"

enum { MOST = 20000 };
enum hd_status __real_fast_run(struct model *m, const struct fast_run *how);
enum hd_status __wrap_fast_run(struct model *m, const struct fast_run *how);

enum way { TURNS, LIMITS, STEPS, WAYS };
static struct {
    struct model *plain; /* NULL: the next launch is the plain machine's */
    const char *differs;                             /* what, at how many instructions */
    u64 at, compared, swept, regions;
    enum way way;
    struct rng r;
} t;

static bool look(void *user, const struct hd_commit *c)
{
    (void)user, (void)c;
    return true;
}

static const struct fast_run recorded = { .on_commit = look };

static bool same(const struct model *fast)
{
    t.differs = model_same(t.plain, fast);
    t.at = t.plain->seq;
    t.compared++;
    return !t.differs;
}

/* Round after round of all warps; the first one sweeps, where it can. */
static void turns(struct model *fast)
{
    const struct fast_run how = { 0 };
    struct turns a = turns_begin(), b = turns_begin();
    for (bool on = true; on && !model_ended(t.plain) && t.plain->seq < MOST; ) {
        const u64 before = fast->blocks_ended;
        const enum hd_status s = run_turn(fast_of(t.plain), &recorded, &a, true);
        const enum hd_status f = run_turn(fast_of(fast), &how, &b, true);
        if (s != f) {
            t.differs = "how the turn ends";
            return;
        }
        t.swept += fast->blocks_ended - before;
        on = same(fast) && s == HD_OK;
    }
}

/* Pieces of any length, each of which begins with the first warp. */
static void limits(struct model *fast)
{
    for (bool on = true; on && !model_ended(t.plain) && t.plain->seq < MOST; ) {
        struct fast_run how = recorded, quick = { 0 };
        how.limit = quick.limit =
            t.plain->seq + 1 + rng_below(&t.r, rng_one_in(&t.r, 3) ? 3000 : 40);
        const enum hd_status s = __real_fast_run(t.plain, &how),
                             f = __real_fast_run(fast, &quick);
        if (s != f) {
            t.differs = "how the piece ends";
            return;
        }
        on = same(fast) && s == HD_LIMIT;
    }
}

/* Any warp, any number of instructions. */
static void steps(struct model *fast)
{
    const u32 slots = t.plain->launch.block_slots * t.plain->launch.warps_block;
    struct hd_commit rec;
    for (u32 idle = 0; idle < 200 && !model_ended(t.plain) && t.plain->seq < MOST; idle++) {
        run_place(t.plain);
        run_place(fast);
        const u32 slot = rng_below(&t.r, slots);
        if (!warp_runs(&t.plain->warp[slot]))
            continue;
        idle = 0;
        const u64 n = fast_warp(fast_of(fast), &fast->warp[slot], 1 + rng_below(&t.r, 120));
        for (u64 k = 0; k < n && !t.plain->fault && warp_runs(&t.plain->warp[slot]); k++)
            step_warp(t.plain, &t.plain->warp[slot], &rec);
        if (!same(fast) || fast->fault)
            return;
    }
}

enum hd_status __wrap_fast_run(struct model *m, const struct fast_run *how)
{
    (void)how;
    if (!t.plain) {
        t.plain = m;
        return HD_OK;
    }
    if (fast_of(m)->native && t.way != LIMITS)
        run_mark_regions(fast_of(m), true);
    t.way == TURNS ? turns(m) : t.way == LIMITS ? limits(m) : steps(m);
    if (fast_of(m)->native && t.way != LIMITS)
        run_mark_regions(fast_of(m), false);
    t.regions += fast_of(m)->native != NULL;
    return HD_OK;
}

static unsigned number(const char *name, unsigned otherwise)
{
    const char *v = getenv(name);
    return v ? (unsigned)strtoul(v, NULL, 10) : otherwise;
}

static void launch(hd_device *d, const struct fuzz_case *c)
{
    uint64_t params[FUZZ_PARAMS];
    assert_true(fuzz_set_up(d, c, true, params));
    struct hd_launch l = fuzz_launch(c, params);
    assert_int_equal(hd_launch_grid(d, &l), HD_OK);
}

static void one(hd_device *const d[2], struct fuzz_case *c, const char *what)
{
    struct hd_err err = { 0 };
    c->bus_seed = 0;                                 /* then nothing is fast */
    if (!c->img && !fuzz_compile(c, &err))
        fail_msg("%s", err.text);
    for (t.way = 0; t.way < WAYS; t.way++) {
        t.plain = NULL;
        t.differs = NULL;
        t.r.s = c->seed + t.way;
        launch(d[0], c);
        launch(d[1], c);
        if (t.differs)
            fail_msg("%s, seed %llu, way %d: after %llu instructions %s differs", what,
                     (unsigned long long)c->seed, t.way, (unsigned long long)t.at, t.differs);
    }
    fuzz_case_free(c);
}

/* Lanes 20 to 31 repeat BRX, as lanes 0 to 19 are more (rule 2), and go to one place; then 20 to 27
 * are more than 28 to 31, which run first again: that the BRX before was a repeated one is over. */
static void leaps(hd_device *const d[2], const struct fuzz_case *frame)
{
    enum { ARM = 30 };                               /* instructions, so that it is looked at */
    char text[4096] = ".mode barrier\n.text\n.kernel k\n.regs 16\n"
                      ".param in u64 8\n.param out u64 8\n.param sum u64 8\n";
    struct fuzz_case c = *frame;
    struct hd_err err = { 0 };
    sprintf(text + strlen(text),
            "    S2R R0, SR_LANEID\n    ISETP.LT.U32.AND P0, R0, 20, PT\n    MOV R1, 0x60\n"
            "    @P0 MOV R1, 0xa0\n    BRA again\nagain:\n    BRX R1\n"
            "    ISETP.LT.U32.AND P1, R0, 28, PT\n    MOV R2, %u\n    @P1 MOV R2, 0xa0\n"
            "    BRX R2\n", 0xa0 + 16 * (ARM + 1));
    for (int arm = 0; arm < 2; arm++) {
        for (int k = 0; k < ARM; k++)
            strcat(text, "    IADD R3, R3, 1\n");
        strcat(text, "    EXIT\n");
    }
    c.grid = (struct hd_dim3){ 1, 1, 1 };
    c.block = (struct hd_dim3){ 32, 1, 1 };
    if (hd_asm("repeated", text, &c.img, &err))
        fail_msg("%s", err.text);
    one(d, &c, "a repeated BRX");
}

static void kernels(const char *native, unsigned count, uint64_t seed)
{
    for (int stack_mode = 0; stack_mode < 2; stack_mode++) {
        const struct hd_config plain = { .kind = HD_MODEL, .stack_depth = 4 };
        struct hd_config fast = plain;
        hd_device *d[2];
        struct fuzz_choice f = {.frame = {.stack_mode = stack_mode, .lanes = 32, .stack_depth = 4},
                                .level = FUZZ_BOTH,
                                .native = native != NULL};
        fast.native = native;
        assert_int_equal(hd_open(&plain, &d[0]), HD_OK);
        assert_int_equal(hd_open(&fast, &d[1]), HD_OK);
        assert_true(fuzz_choice_open(&f, NULL));
        struct pairs *p = pairs_open(PAIR_FEATURES, stack_mode, seed);
        if (!stack_mode)
            leaps(d, &f.frame);
        for (unsigned k = 0; k < count; k++) {
            struct fuzz_case c = fuzz_choose(&f, seed * 7919 + k), of = f.frame;
            one(d, &c, stack_mode ? "a random kernel, stack" : "a random kernel, barriers");
            of.seed = seed * 31 + k;
            of.data_seed = of.seed | 1;
            pairs_make(p, (seed * 101 + k * 37) % pairs_kernels(p), &of);
            one(d, &of,
                stack_mode ? "a kernel of features, stack" : "a kernel of features, barriers");
        }
        pairs_close(p);
        fuzz_choice_close(&f);
        hd_close(d[0]);
        hd_close(d[1]);
    }
}

static void interpreted(void **state)
{
    (void)state;
    kernels(NULL, number("COUNT", 60), number("SEED", 1));
    print_message("compared %llu times\n", (unsigned long long)t.compared);
    assert_true(t.compared > 1000);
}

static void natively(void **state)
{
    char folder[] = "/tmp/heddle-fast-XXXXXX", command[64];
    (void)state;
    assert_non_null(mkdtemp(folder));
    t.compared = t.swept = t.regions = 0;
    kernels(folder, number("NATIVE", 3), number("SEED", 1));
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
    print_message("as the host's code compared %llu times in %llu launches\n",
                  (unsigned long long)t.compared, (unsigned long long)t.regions);
    assert_true(t.compared > 20 && t.regions);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(interpreted), cmocka_unit_test(natively) };
    return cmocka_run_group_tests_name("fast", tests, NULL, NULL);
}
