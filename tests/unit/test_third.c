/* The third leg: what it finds in memory, and when it must not compare.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "cmodel/image/asm.h"
#include "harness/device/device.h"
#include "harness/lockstep/lockstep.h"

/* R2 = the buffer, R0 = thread, R4 = its own word. */
#define HEAD ".kernel k\n.regs 32\n.shared 1024\n.param b u64 8\nLDC.64 R2, [RZ]\n" \
    "S2R R0, SR_TID_X\nIMAD.W.U32 R4, R0, 4, R2\n"
enum { THREADS = 64 };

static const struct { const char *name, *text; enum scalar_end want; } cases[] = {
    { "own words", "STG [R4], R0\nEXIT\n", SCALAR_OK },
    { "one word for all", "STG [R2], R0\nEXIT\n", SCALAR_RACE },
    { "a neighbour's word", "STG [R4], R0\nLDG R1, [R4+4]\nEXIT\n", SCALAR_RACE },
    { "a byte beside another's", "IMAD.W.U32 R4, R0, 1, R2\nSTG.U8 [R4], R0\nEXIT\n", SCALAR_OK },
    { "a neighbour's word after a barrier",
      "SHL R1, R0, 2\nSTS [R1], R0\nBAR.SYNC 0, 0\nLDS R6, [R1+4]\nSTG [R4], R6\nEXIT\n",
      SCALAR_ORDER }, /* the last lane's word is not written */
    { "the word before, after a barrier",
      "SHL R1, R0, 2\nSTS [R1+4], R0\nBAR.SYNC 0, 0\nISETP.NE.U32 P0, R0, 0, PT\n"
      "@P0 LDS R6, [R1]\nSTG [R4], R6\nEXIT\n",
      SCALAR_OK },
    { "the same without the barrier",
      "SHL R1, R0, 2\nSTS [R1+4], R0\nISETP.NE.U32 P0, R0, 0, PT\n@P0 LDS R6, [R1]\n"
      "STG [R4], R6\nEXIT\n",
      SCALAR_RACE },
    { "the word after, without the barrier: what is not written yet is stored, then a lane writes "
      "it",
      "SHL R1, R0, 2\nSTS [R1], R0\nLDS R6, [R1+4]\nSTG [R4], R6\nEXIT\n", SCALAR_RACE },
    { "the other warp's word, where each warp meets at a barrier of its own",
      "SHL R1, R0, 2\nSTS [R1], R0\nBAR.SYNC 1, 32\nLOP3 R1, R1, 128, RZ, 0x3c\nLDS R6, [R1]\n"
      "STG [R4], R6\nEXIT\n",
      SCALAR_RACE },
    { "a word of the own warp, after that barrier",
      "SHL R1, R0, 2\nSTS [R1], R0\nBAR.SYNC 1, 32\nLOP3 R1, R1, 4, RZ, 0x3c\nLDS R6, [R1]\n"
      "STG [R4], R6\nEXIT\n",
      SCALAR_OK },
    { "the same of one warp, while the other meets nobody",
      "ISETP.LT.U32 P0, R0, 32, PT\n@!P0 EXIT\nSHL R1, R0, 2\nSTS [R1], R0\nBAR.SYNC 1, 32\n"
      "LOP3 R1, R1, 4, RZ, 0x3c\nLDS R6, [R1]\nSTG [R4], R6\nEXIT\n",
      SCALAR_OK },
    { "a word that a whole warp has read, written after its barrier",
      "ISETP.LT.U32 P0, R0, 32, PT\n@!P0 BRA E\nLDS R6, [RZ]\nBAR.SYNC 1, 32\n"
      "ISETP.EQ.U32 P1, R0, 7, PT\n@P1 STS [RZ], R0\nE: BAR.SYNC 0, 0\nEXIT\n",
      SCALAR_OK },
    { "the same, which the other warp has read, too",
      "LDS R6, [RZ]\nBAR.SYNC 1, 32\nISETP.EQ.U32 P1, R0, 7, PT\n@P1 STS [RZ], R0\nEXIT\n",
      SCALAR_RACE },
    { "from hand to hand: what one barrier has ordered is so after the next",
      "SHL R1, R0, 2\nISETP.EQ.U32 P1, R0, 0, PT\nISETP.EQ.U32 P2, R0, 1, PT\n"
      "ISETP.EQ.U32 P3, R0, 2, PT\n@P1 STS [RZ], R1\n@P1 BRA A\n@P2 BRA A\n@P3 BRA B\nEXIT\n"
      "A: BAR.SYNC 1, 2\n@P1 EXIT\nB: BAR.SYNC 2, 2\n@P3 LDS R6, [RZ]\n@P3 STS [RZ], R0\nEXIT\n",
      SCALAR_OK },
    { "the hands the other way round",
      "SHL R1, R0, 2\nISETP.EQ.U32 P1, R0, 0, PT\nISETP.EQ.U32 P2, R0, 1, PT\n"
      "ISETP.EQ.U32 P3, R0, 2, PT\n@P1 STS [RZ], R1\n@P1 BRA A\n@P2 BRA B\n@P3 BRA B\nEXIT\n"
      "B: BAR.SYNC 2, 2\n@P3 LDS R6, [RZ]\n@P3 EXIT\nA: BAR.SYNC 1, 2\nEXIT\n",
      SCALAR_RACE },
    { "more threads than a barrier takes", "BAR.SYNC 1, 16\nEXIT\n", SCALAR_ORDER },
    { "a sum", "ATOMG.ADD RZ, [R2], R0\nEXIT\n", SCALAR_OK },
    { "a sum whose old values are kept", "ATOMG.ADD R1, [R2], R0\nEXIT\n", SCALAR_ORDER },
    { "two kinds of atomics", "ATOMG.ADD RZ, [R2], R0\nATOMG.MAXU RZ, [R2], R0\nEXIT\n",
      SCALAR_ORDER },
    { "an exchange", "ATOMG.EXCH RZ, [R2], R0\nEXIT\n", SCALAR_ORDER },
    { "a clock that is not stored", "S2R R1, SR_CLOCKLO\nSTG [R4], R0\nEXIT\n", SCALAR_OK },
    { "a clock in memory", "S2R R1, SR_CLOCKLO\nSTG [R4], R1\nEXIT\n", SCALAR_ORDER },
    { "a vote after WARPSYNC", "WARPSYNC -1\nVOTE.ANY R1, PT, PT\nSTG [R4], R1\nEXIT\n",
      SCALAR_OK },
    { "a vote without", "VOTE.ANY R1, PT, PT\nSTG [R4], R1\nEXIT\n", SCALAR_ORDER },
    { "a vote after a WARPSYNC that waits for no lane",
      "WARPSYNC 0\nVOTE.ANY R1, PT, PT\nSTG [R4], R1\nEXIT\n", SCALAR_ORDER },
    { "a vote after WARPSYNC, while others are at one without, further on: they come, too",
      "ISETP.LT.U32 P1, R0, 16, PT\nMOV R6, 2\nL: BSSY B0, J\nWARPSYNC -1\nVOTE.ANY R1, PT, PT\n"
      "@!P1 BRA J\nVOTE.ANY RZ, PT, PT\nJ: BSYNC B0\nIADD R6, R6, -1\n"
      "ISETP.NE.U32 P2, R6, 0, PT\n@P2 BRA L\n"
      "@P1 STG [R4], R1\nEXIT\n",
      SCALAR_OK },
    { "votes after two WARPSYNCs at a time, then after one: who comes to it together is not known",
      "ISETP.LT.U32 P1, R0, 16, PT\nMOV R6, 2\n@P1 BRA D\nL: WARPSYNC -1\nVOTE.ANY R1, PT, PT\n"
      "IADD R6, R6, -1\nISETP.NE.U32 P2, R6, 0, PT\n@P2 BRA L\n@P1 STG [R4], R1\nEXIT\n"
      "D: WARPSYNC -1\nVOTE.ANY RZ, PT, PT\nMOV R6, 1\nBRA L\n",
      SCALAR_ORDER },
    { "participants of a barrier", "BSSY B0, J\nJ: BMOV.R R1, B0\nSTG [R4], R1\nEXIT\n",
      SCALAR_ORDER },
    { "trap", "BPT.TRAP\n", SCALAR_FAULT },
    { "a barrier for more threads than there are", "BAR.SYNC 0, 128\nEXIT\n", SCALAR_DEADLOCK },
    { "no end", "L: BRA L\n", SCALAR_LIMIT },
};

static hd_device *run(const char *text, struct hd_image **img, uint64_t *buffer,
                      enum hd_status *status)
{
    struct hd_config cfg = { .kind = HD_MODEL, .third_leg = true, .limit = 5000 };
    struct hd_err err = { 0 };
    uint64_t param;
    char full[2000];
    hd_device *d;
    snprintf(full, sizeof full, "%s%s", HEAD, text);
    if (hd_asm("test", full, img, &err))
        fail_msg("%s", err.text);
    assert_int_equal(hd_open(&cfg, &d), HD_OK);
    assert_int_equal(hd_load(d, *img), HD_OK);
    assert_int_equal(hd_malloc(d, 4096, buffer), HD_OK);
    param = *buffer;
    struct hd_launch l = {
        .grid = { 1, 1, 1 }, .block = { THREADS, 1, 1 }, .params = &param, .params_size = 8
    };
    *status = hd_launch_grid(d, &l);
    return d;
}

static void test_cases(void **state)
{
    unsigned bad = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct hd_image *img;
        enum hd_status s;
        uint64_t buffer;
        hd_device *d = run(cases[i].text, &img, &buffer, &s);
        if (scalar_end(d->third) != cases[i].want || s == HD_MISMATCH) {
            print_error("%s: end %d, want %d: %s %s\n", cases[i].name, scalar_end(d->third),
                        cases[i].want, scalar_why(d->third), d->verdict.why);
            bad++;
        }
        hd_close(d);
        hd_image_free(img);
    }
    assert_int_equal(bad, 0);
}

/* A race says who did what where, of both. */
static void test_says(void **state)
{
    static const struct { const char *text, *want; uint32_t pc[2]; unsigned places; } says[] = {
        { "STG [R2], R0\nEXIT\n",
          "block 0 thread 1 at PC 0x30: writes byte 0x%x, which block 0 thread 0 wrote at PC 0x30",
          { 0x30, 0x30 },
          2 },
        { "SHL R1, R0, 2\nSTS [R1], R0\nLDS R6, [R1+4]\nSTG [R4], R6\nEXIT\n",
          "block 0 thread 1 at PC 0x40: writes byte 0x4 of shared memory, which block 0 thread 0 "
          "read at PC 0x50",
          { 0x40, 0x50 },
          2 },
        { "LDG R6, [R2+12]\nBAR.SYNC 0, 0\nMOV R7, 0\nISETP.EQ.U32 P0, R0, 3, PT\n"
          "@!P0 LDG R6, [R2+8]\n@P0 STG [R2+8], R7\nEXIT\n",
          "block 0 thread 3 at PC 0x80: writes byte 0x%x, which several threads read, block 0 "
          "thread 2 at PC 0x70",
          { 0x80, 0x70 },
          2 },
        { "S2R R1, SR_CLOCKLO\nSTG [R4], R1\nEXIT\n",
          "block 0 thread 0 at PC 0x40: a stored value depends on the schedule",
          { 0x40, 0 },
          1 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++) {
        struct hd_image *img;
        enum hd_status s;
        uint64_t buffer;
        uint32_t pc[2];
        char want[200];
        hd_device *d = run(says[i].text, &img, &buffer, &s);
        snprintf(want, sizeof want, says[i].want, buffer + (i == 2 ? 8 : 0));
        assert_string_equal(scalar_why(d->third), want);
        assert_int_equal(scalar_places(d->third, pc), says[i].places);
        for (unsigned k = 0; k < says[i].places; k++)
            assert_int_equal(pc[k], says[i].pc[k]);
        hd_close(d);
        hd_image_free(img);
    }
}

/* A byte that the warps left wrong is found, wherever it is. */
static void test_finds(void **state)
{
    struct hd_image *img;
    enum hd_status s;
    uint64_t buffer;
    hd_device *d = run("STG [R4], R0\nEXIT\n", &img, &buffer, &s);
    (void)state;
    assert_int_equal(s, HD_OK);
    for (uint32_t at = 0; at < 4096; at += 511) {
        device_memory(d)[buffer + at] ^= 1;
        assert_int_equal(third_judge(d, HD_OK), HD_MISMATCH);
        assert_int_equal(d->verdict.trouble, HD_TROUBLE_THIRD);
        assert_int_equal(d->verdict.addr, buffer + at);
        device_memory(d)[buffer + at] ^= 1;
        assert_int_equal(third_judge(d, HD_OK), HD_OK);
    }
    assert_int_equal(third_judge(d, HD_FAULT), HD_MISMATCH);      /* no thread alone faults */
    hd_close(d);
    hd_image_free(img);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases), cmocka_unit_test(test_says),
                                        cmocka_unit_test(test_finds) };
    return cmocka_run_group_tests_name("third", tests, NULL, NULL);
}
