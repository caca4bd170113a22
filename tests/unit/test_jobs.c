/* Blocks at the same time: which kernels may, which may not and why, and that the end, memory and
 * counters are those of blocks in turn.  `make test-threads` runs this under ThreadSanitizer.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "cmodel/image/asm.h"
#include "cmodel/fast/fast.h"

enum { BLOCKS = 96, THREADS = 64, BYTES = 65536, JOBS = 4 };

/* ThreadSanitizer gives a process too few addresses for notes on 2^40 bytes. */
static const struct launch_limits core = {
    .warps = 32, .regs = 64, .shared_bytes = 65536, .stack_depth = 4, .addr_bits = 32
};

/* R0: the thread, R1: the block, R2: the thread in the grid; R8: its word of the buffer. */
#define HEAD \
    "    S2R R0, SR_TID_X\n    S2R R1, SR_CTAID_X\n    IMAD R2, R1, 64, R0\n" \
    "    LDC.64 R4, [RZ]\n    IMAD.W.U32 R8, R2, 4, R4\n"

struct outcome {
    enum hd_status status;
    struct hd_counters count;
    struct hd_commit fault;
    unsigned together;
    struct fast_jobs why;
    uint8_t memory[BYTES];
};

static bool never(void *user, const struct hd_counters *now)
{
    (void)user, (void)now;
    return false;
}

/* The kernel's parameter is the buffer.  Two launches, since the second one finds what the first
 * one of the same workers left. */
static void run(const char *body, struct fast_run how, struct outcome *o)
{
    char text[4096], why[200];
    struct hd_err err = { 0 };
    struct hd_image *img = NULL;
    const uint64_t buffer = LAUNCH_HEAP;
    struct hd_launch l = { .grid = { BLOCKS, 1, 1 }, .block = { THREADS, 1, 1 },
                           .params = &buffer, .params_size = sizeof buffer };
    struct launch k;
    struct model *m = fast_new(&core);
    snprintf(text, sizeof text,
             ".text\n.kernel k\n.regs 32\n.shared 512\n.local 16\n.param p u64 8\n%s%s    EXIT\n",
             HEAD, body);
    if (hd_asm("test", text, &img, &err))
        fail_msg("%s", err.text);
    assert_non_null(m);
    assert_int_equal(launch_load(model_memory(m), img, why, sizeof why), HD_OK);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(launch_prepare(&k, model_memory(m), img, &l, &core, why, sizeof why),
                         HD_OK);
        assert_true(launch_add_range(&k, LAUNCH_HEAP, BYTES, true));
        assert_true(model_load(m, k.code_base, k.code_size, false));
        memset(model_memory(m) + LAUNCH_HEAP, 0, BYTES);
        model_launch(m, &k);
        memset(o, 0, sizeof *o);
        o->status = fast_run(m, &how);
        o->count = *model_counters(m);
        if (model_fault(m))
            o->fault = *model_fault(m);
        o->together = fast_jobs(m, &o->why);
        memcpy(o->memory, model_memory(m) + LAUNCH_HEAP, BYTES);
    }
    model_free(m);
    hd_image_free(img);
}

/* In turn, and on several threads: the same.  why: NULL, they ran at the same time. */
static void both(const char *body, enum hd_status end, const char *why)
{
    static struct outcome turn, jobs;
    const uint64_t limit = end == HD_DEADLOCK ? 0 : 4000000;
    run(body, (struct fast_run){ .limit = limit }, &turn);
    run(body, (struct fast_run){ .limit = limit, .jobs = JOBS }, &jobs);
    assert_int_equal(turn.together, 0);
    assert_null(turn.why.what);
    assert_int_equal(turn.status, end);
    if (why && (!jobs.why.what || !strstr(jobs.why.what, why)))
        fail_msg("`%s`, not `%s`", jobs.why.what ? jobs.why.what : "at the same time", why);
    if (!why && jobs.together != JOBS)
        fail_msg("in turn: %s, PC 0x%x", jobs.why.what, jobs.why.pc);
    assert_int_equal(jobs.status, turn.status);
    assert_memory_equal(&jobs.count, &turn.count, sizeof turn.count);
    assert_memory_equal(&jobs.fault, &turn.fault, sizeof turn.fault);
    assert_memory_equal(jobs.memory, turn.memory, BYTES);
}

#define AT_ONCE NULL
/* Where blocks meet, threads race, on memory that is put back: not for ThreadSanitizer to see.
 * Nor is what runs long. */
#ifdef __SANITIZE_THREAD__
enum { MAY_RACE = 0 };
#else
enum { MAY_RACE = 1 };
#endif

static void each_its_own(void **state)
{
    (void)state;
    both("    LDG R3, [R8]\n    IADD R3, R3, R2\n    STG [R8], R3\n", HD_OK, AT_ONCE);
    /* Bytes, of a word that is the block's; a pair; what all blocks read. */
    both("    IADD.64 R8, R4, R2\n    STG.U8 [R8], R0\n", HD_OK, AT_ONCE);
    both("    IMAD.W.U32 R8, R2, 8, R4\n    STG.64 [R8], R0\n", HD_OK, AT_ONCE);
    both("    LDG R3, [R4+32768]\n    IADD R3, R3, R2\n    STG [R8], R3\n", HD_OK, AT_ONCE);
}

static void clocks(void **state)
{
    (void)state;
    both("    S2R R3, SR_CLOCKLO\n    STG [R8], R3\n", HD_OK, "reads the clock");
}

static void atomics(void **state)
{
    (void)state;
    both("    ATOMG.ADD RZ, [R4], R2\n    ATOMG.MAXU RZ, [R4+4], R2\n", HD_OK, AT_ONCE);
    both("    ATOMG.ADD R6, [R4], R2\n    MOV R6, 1\n    STG [R8+64], R6\n", HD_OK, AT_ONCE);
    both("    ATOMG.ADD.64 RZ, [R4+8], R2\n", HD_OK, AT_ONCE);
    both("    ATOMG.ADD R6, [R4], R2\n    STG [R8+64], R6\n", HD_OK, "an atomic found");
    both("    ISETP.EQ.U32.AND P0, R0, 0, PT\n    ATOMG.ADD R6, [R4], R2\n    @P0 MOV R6, 1\n"
         "    STG [R8+64], R6\n", HD_OK, "an atomic found");
    both("    ATOMG.EXCH RZ, [R4], R2\n", HD_OK, "an atomic found");
}

static void meetings(void **state)
{
    static struct outcome o;
    (void)state;
    if (!MAY_RACE)
        skip();
    /* Two atomics do not commute, nor does one with a read or a store. */
    both("    ATOMG.ADD RZ, [R4], R2\n    ATOMG.MAXU RZ, [R4], R2\n", HD_OK, "two blocks meet");
    both("    ATOMG.ADD RZ, [R4], R2\n    LDG R3, [R4]\n", HD_OK, "two blocks meet");
    both("    ATOMG.ADD RZ, [R4], R2\n    STG [R4], R3\n", HD_OK, "two blocks meet");
    /* All write one word; one reads what the next one writes, or wrote; a byte of a word each. */
    both("    STG [R4], R2\n", HD_OK, "two blocks meet");
    both("    LDG R3, [R8+256]\n    STG [R8], R3\n", HD_OK, "two blocks meet");
    both("    STG [R8], R2\n    IADD R2, R2, 64\n    IMAD.W.U32 R10, R2, 4, R4\n"
         "    LDG R3, [R10]\n", HD_OK, "two blocks meet");
    both("    MOV R6, R1\n    IADD.64 R8, R4, R6\n    STG.U8 [R8], R0\n", HD_OK, "two blocks meet");
    /* The user's word is taken. */
    run("    STG [R4], R3\n", (struct fast_run){ .jobs = JOBS, .independent = true }, &o);
    assert_int_equal(o.together, JOBS);
}

/* Shared and local memory, and a block's own atomics and barriers. */
static void own_memory(void **state)
{
    (void)state;
    both("    SHL R6, R0, 2\n    STS [R6], R2\n    BAR.SYNC 0, RZ\n    LOP.XOR R6, R6, 12\n"
         "    LDS R3, [R6]\n    STG [R8], R3\n", HD_OK, AT_ONCE);
    both("    STS [RZ], RZ\n    BAR.SYNC 0, RZ\n    ATOMS.ADD R3, [RZ], R0\n    STG [R8], R3\n",
         HD_OK, AT_ONCE);
    both("    STL [RZ+4], R2\n    LDL R3, [RZ+4]\n    STG [R8], R3\n", HD_OK, AT_ONCE);
    both("    SHL R6, R0, 2\n    LDS R3, [R6]\n    STS [R6], R2\n    STG [R8], R3\n", HD_OK,
         "not written");
    both("    LDL R3, [RZ]\n    STL [RZ], R2\n    STG [R8], R3\n", HD_OK, "not written");
    both("    ATOMS.ADD R3, [RZ], R0\n    STG [R8], R3\n", HD_OK, "not written");
}

/* What was written is put back, and the end is that of blocks in turn. */
static void bad_ends(void **state)
{
    (void)state;
    both("    LDG R3, [R8]\n    IADD R3, R3, 1\n    STG [R8], R3\n"
         "    ISETP.GT.U32.AND P0, R1, 40, PT\n    @P0 BPT.TRAP\n", HD_FAULT, "faulted");
    if (!MAY_RACE)
        return;
    both("    LDG R3, [R8]\n    IADD R3, R3, 1\n    STG [R8], R3\nagain:\n    BRA again\n",
         HD_DEADLOCK, "can go on");
    /* Block 0 waits for block 1. */
    both("    ISETP.EQ.U32.AND P0, R1, 1, PT\n    MOV R6, 1\n    @P0 STG [R4+32768], R6\n"
         "    ISETP.EQ.U32.AND P0, R1, 0, PT\n    @!P0 EXIT\nagain:\n    LDG R3, [R4+32768]\n"
         "    ISETP.EQ.U32.AND P1, R3, 0, PT\n    @P1 BRA again\n", HD_OK, "");
    both("    LDG R3, [R8]\n    IADD R3, R3, 1\n    STG [R8], R3\nagain:\n    IADD R7, R7, 1\n"
         "    ISETP.LT.U32.AND P0, R7, 100000, PT\n    @P0 BRA again\n", HD_LIMIT, "limit");
}

static void stopped(void **state)
{
    static struct outcome o;
    (void)state;
    run("again:\n    IADD R7, R7, 1\n    ISETP.LT.U32.AND P0, R7, -1, PT\n    @P0 BRA again\n",
        (struct fast_run){ .jobs = 2, .on_progress = never }, &o);
    assert_int_equal(o.status, HD_STOPPED);
    assert_true(o.count.warp_insns > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_its_own), cmocka_unit_test(clocks),   cmocka_unit_test(atomics),
        cmocka_unit_test(own_memory),   cmocka_unit_test(bad_ends), cmocka_unit_test(stopped),
        cmocka_unit_test(meetings),
    };
    return cmocka_run_group_tests_name("jobs", tests, NULL, NULL);
}
