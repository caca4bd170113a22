/* Coverage: which bins programs fill, against expectations written by hand and sums that must hold
 * for any program; merging, files and weights.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cmodel/image/asm.h"
#include "harness/coverage/coverage.h"
#include "harness/device/device.h"

struct watch { struct coverage *v; uint64_t insns, branches, accesses, faults; };

static bool on_commit(void *user, const struct hd_commit *c)
{
    struct watch *w = user;
    coverage_commit(w->v, c);
    w->faults += c->fault != 0;
    w->insns += !c->fault && !c->unwind;
    w->branches += !c->fault && (c->insn[0] & 511) == hd_ops[OP_BRA].opcode;
    w->accesses += !c->fault && c->mem && c->exec;
    return true;
}

static enum hd_status run(struct watch *w, const struct hd_image *img, unsigned threads)
{
    struct hd_config cfg = { .kind = HD_MODEL, .limit = 20000 };
    hd_device *d;
    uint64_t heap;
    assert_int_equal(hd_open(&cfg, &d), HD_OK);
    assert_int_equal(hd_load(d, img), HD_OK);
    assert_int_equal(hd_malloc(d, 65536, &heap), HD_OK);
    coverage_launch(w->v, img->stack_mode);
    hd_on_commit(d, on_commit, w);
    uint64_t params[1] = { heap };
    struct hd_launch l = { .grid = { 1, 1, 1 },
                           .block = { threads, 1, 1 },
                           .params = params,
                           .params_size = sizeof params };
    enum hd_status s = hd_launch_grid(d, &l);
    assert_true(s <= HD_STOPPED);
    hd_close(d);
    return s;
}

static struct hd_image *assemble(const char *body)
{
    struct hd_image *img = NULL;
    struct hd_err err = { 0 };
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, ".text\n.kernel k\n.regs 32\n.barriers 16\n.shared 4096\n.local 64\n.param p u64 8\n"
               "    S2R R0, SR_TID_X\n    LDC.64 R4, [RZ]\n%s\n    EXIT\n", body);
    fclose(f);
    if (hd_asm("program", text, &img, &err))
        fail_msg("%s\n%s", err.text, text);
    free(text);
    return img;
}

/* The count of the bin that a line of a coverage file would name. */
static uint64_t count_of(const struct coverage *v, const char *bin)
{
    char text[200];
    unsigned at[COV_AXES];
    for (unsigned g = 0; g < COV_GROUPS; g++)
        for (unsigned i = 0; i < coverage_bins(g); i++) {
            coverage_at(g, i, at);
            int n = snprintf(text, sizeof text, "%s", coverage_groups[g].name);
            for (unsigned k = 0; k < COV_AXES && coverage_groups[g].axis[k]; k++)
                n += snprintf(text + n, sizeof text - (size_t)n, " %s",
                              coverage_value(coverage_groups[g].axis[k], at[k]));
            assert_int_equal(coverage_index(g, at), i);
            if (!strcmp(text, bin))
                return coverage_count(v, g, i);
        }
    fail_msg("there is no bin `%s`", bin);
    return 0;
}

static void nothing_impossible(const struct coverage *v)
{
    unsigned at[COV_AXES];
    for (unsigned g = 0; g < COV_GROUPS; g++)
        for (unsigned i = 0; i < coverage_bins(g); i++)
            if (coverage_count(v, g, i) && !coverage_possible(g, i)) {
                coverage_at(g, i, at);
                fail_msg("%s %u %u %u was met, but cannot be", coverage_groups[g].name, at[0],
                         at[1], at[2]);
            }
}

/* One program a case, 32 threads unless it says other, and bins with their counts. */
static const struct example {
    const char *body;
    unsigned threads;
    struct { const char *bin; uint64_t count; } want[8];
} examples[] = {
    { "    ISETP.LT.U32.AND P0, R0, 16, PT\n    @P0 IADD R1, R0, 1\n    @!PT IADD R1, R0, 1\n"
      "    @P1 IADD R1, R0, 1\n",
      32,
      { { "insn IADD mixed all", 1 },
        { "insn IADD false all", 2 },
        { "insn EXIT always all", 1 },
        { "insn S2R always all", 1 } } },
    /* a divergent branch under one barrier: the side with fewer lanes waits first */
    { "    ISETP.LT.U32.AND P0, R0, 12, PT\n    BSSY B3, join\n    @P0 BRA side\n    BRA join\n"
      "side:\n    NOP\njoin:\n    BSYNC B3\n",
      32,
      { { "branch other 1 none", 1 },
        { "branch all 1 blocked", 1 },
        { "barrier BSSY-first all", 1 },
        { "barrier BSYNC-waits other", 1 },
        { "barrier BSYNC-completes other", 1 },
        { "release BSYNC barrier all", 1 },
        { "register BSYNC B3", 2 },
        { "insn NOP always other", 1 } } },
    { "    LOP.AND R1, R0, 1\n    ISETP.EQ.U32.AND P0, R1, 0, PT\n    @P0 BRA done\n    NOP\n"
      "done:\n",
      32,
      { { "branch alternating 0 none", 1 }, { "insn NOP always half", 1 } } },
    { "    ISETP.EQ.U32.AND P0, R0, 5, PT\n    @P0 BRA done\n    @!P0 BRA done\ndone:\n",
      32,
      { { "branch one 0 none", 1 }, { "branch all 0 none", 1 } } },
    /* 12 lanes wait first, then the EXIT of the other 20 completes the barrier */
    { "    ISETP.LT.U32.AND P0, R0, 12, PT\n    BSSY B0, join\n    @P0 BRA join\n    EXIT\n"
      "join:\n    BSYNC B0\n",
      32,
      { { "barrier BSYNC-waits other", 1 },
        { "release EXIT barrier all", 1 },
        { "insn EXIT always other", 2 } } },
    /* 12 lanes are blocked at another barrier: they are not waited for, and execute BSYNC again */
    { "    ISETP.LT.U32.AND P0, R0, 12, PT\n    BSSY B0, a\n    BSSY B1, b\n    @P0 BRA b\na:\n"
      "    BSYNC B0\n    EXIT\nb:\n"
      "    BSYNC B1\n",
      32,
      { { "release BSYNC barrier all", 2 } } },
    /* 12 blocked lanes participate no more, the others exit: rule 8 */
    { "    ISETP.LT.U32.AND P0, R0, 12, PT\n    BSSY B0, a\n    @P0 BRA a\n"
      "    BMOV.B B0, 0xfffff000\na:\n    BSYNC B0\n    EXIT\n",
      32,
      { { "release BSYNC barrier some", 1 }, { "release EXIT rule-8 all", 1 } } },
    /* 20 lanes are at the block barrier, and those that wait for them go on: rule 8 */
    { "    ISETP.LT.U32.AND P0, R0, 12, PT\n    BSSY B0, a\n    @P0 BRA a\n    BAR.SYNC 0, 0\n"
      "a:\n    BSYNC B0\n",
      32,
      { { "release BAR.SYNC rule-8 some", 1 }, { "release EXIT block-barrier all", 1 } } },
    /* lanes 2 and 3 wait, and are picked at once with those that are ready at their BSYNC */
    { "    ISETP.GE.U32.AND P0, R0, 16, PT\n    ISETP.GE.U32.AND P1, R0, 8, PT\n"
      "    ISETP.GE.U32.AND P2, R0, 4, PT\n    ISETP.GE.U32.AND P3, R0, 2, PT\n    BSSY B0, a\n"
      "    @P0 BRA a\n    @P1 BRA a\n    @P2 BRA a\n    @P3 BRA a\na:\n    BSYNC B0\n",
      32,
      { { "barrier BSYNC-waits other", 2 }, { "barrier BSYNC-completes all", 1 } } },
    { "    BSSY B1, a\n    ISETP.LT.U32.AND P0, R0, 4, PT\n    @P0 BRA a\n    BREAK B1\n"
      "    EXIT\na:\n    BSYNC B1\n",
      32,
      { { "barrier BSYNC-waits other", 1 },
        { "barrier BREAK-completes other", 1 },
        { "release BREAK barrier some", 1 } } },
    { "    YIELD\n    WARPSYNC 0xffffffff\n    BAR.SYNC 0, 0\n",
      64,
      { { "barrier YIELD-goes-on all", 2 },
        { "barrier WARPSYNC-completes all", 2 },
        { "barrier BAR-waits all", 1 },
        { "barrier BAR-completes all", 1 },
        { "release BAR.SYNC block-barrier all", 1 } } },
    { "    IMAD.W.U32 R6, R0, 4, R4\n    STG [R6], R0\n    LDG R8, [R4]\n"
      "    IMAD.W.U32 R6, R0, 64, R4\n    LDG R8, [R6+4]\n"
      "    ATOMG.ADD R9, [R4], R0\n    ATOMG.ADD R9, [R6], R0\n",
      32,
      { { "memory STG 4 coalesced", 1 },
        { "memory LDG 4 same", 1 },
        { "memory LDG 4 strided", 1 },
        { "sectors store 2-4", 1 },
        { "sectors load 1", 1 },
        { "sectors load 32", 1 },
        { "atomic ATOMG ADD all", 1 },
        { "atomic ATOMG ADD no", 1 } } },
    { "    SHL R1, R0, 7\n    LOP.AND R1, R1, 4095\n    STS [R1], R0\n    LDS R2, [RZ]\n"
      "    SHL R1, R0, 2\n    LDS R2, [R1]\n",
      16,
      { { "banks store 9-16 no", 1 }, { "banks load 1 all", 1 }, { "banks load 1 no", 1 } } },
    { "    LDG R1, [RZ]\n", 32, { { "fault range load all", 1 }, { "insn LDG always all", 0 } } },
    { "    IADD R6, R4, 2\n    MOV R7, R5\n    ISETP.EQ.U32.AND P0, R0, 3, PT\n"
      "    @P0 STG [R6], R0\n",
      32,
      { { "fault misaligned store one", 1 } } },
};

static void by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const struct example *x = &examples[i];
        if (!x->threads)
            continue;
        struct watch w = { .v = coverage_new() };
        struct hd_image *img = assemble(x->body);
        run(&w, img, x->threads);
        for (unsigned k = 0; k < 8 && x->want[k].bin; k++)
            if (count_of(w.v, x->want[k].bin) != x->want[k].count)
                fail_msg("%s\n`%s`: %llu times, expected %llu", x->body, x->want[k].bin,
                         (unsigned long long)count_of(w.v, x->want[k].bin),
                         (unsigned long long)x->want[k].count);
        nothing_impossible(w.v);
        hd_image_free(img);
        coverage_free(w.v);
    }
}

/* ---- random programs ---- */

static uint32_t rnd(uint64_t *s, uint32_t n)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 33) % n;
}

/* Any legal word of the row: random bits where it uses bits.  Registers and barriers are few, so
 * that lanes meet; branches stay inside. */
static struct hd_word random_word(uint64_t *s, unsigned words)
{
    for (;;) {
        struct hd_insn in;
        struct hd_word w;
        unsigned op = rnd(s, OP_COUNT);
        const struct hd_op_info *o = &hd_ops[op];
        if ((o->unit != UNIT_CTL && rnd(s, 3)) || (o->unit == UNIT_LSU && rnd(s, 8)) ||
            (op == OP_EXIT && rnd(s, 4)))
            continue;
        for (unsigned i = 0; i < 4; i++)
            w.w[i] = (rnd(s, 65536) << 16 | rnd(s, 65536)) & o->used.w[i];
        w.w[ISA_OP_LSB / 32] = (w.w[ISA_OP_LSB / 32] & ~511u) | o->opcode;
        if (!hd_decode(&w, false, &in))
            continue;
        in.rd &= in.rd == HD_RZ ? HD_RZ : 12, in.ra &= in.ra == HD_RZ ? HD_RZ : 12,
            in.rb &= in.rb == HD_RZ ? HD_RZ : 12;
        in.bx &= 3, in.pg = rnd(s, 2) && !(o->flags & F_NOGUARD) ? in.pg & 3 : HD_PT;
        if (strchr(o->operands, '@'))
            in.imm = HD_INSN_BYTES * rnd(s, words);
        if (!hd_insn_fault(&in, false))
            return hd_encode(&in);
    }
}

/* Chaos: nothing impossible is met, and the groups' sums are what the records say. */
static void sums(void **state)
{
    (void)state;
    uint64_t s = 42, met = 0;
    struct watch w = { .v = coverage_new() };
    for (unsigned i = 0; i < 400; i++) {
        struct hd_image *img = assemble(
            "    S2R R8, SR_LANEID\n    ISETP.LT.U32.AND P0, R8, 7, PT\n"
            "    ISETP.LT.U32.AND P1, R8, 16, PT\n"
            "    LOP.AND R12, R8, 1\n    ISETP.EQ.U32.AND P2, R12, 0, PT\n    SHL R12, R12, 7\n"
            "NOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\n"
            "NOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP");
        for (unsigned k = 8; k + 1 < img->text_size / HD_INSN_BYTES; k++) {
            struct hd_word x = random_word(&s, img->text_size / HD_INSN_BYTES);
            memcpy((uint8_t *)img->text + (size_t)k * HD_INSN_BYTES, x.w, sizeof x.w);
        }
        run(&w, img, i % 3 == 0 ? 32 : i % 3 == 1 ? 64 : 40);
        hd_image_free(img);
    }
    nothing_impossible(w.v);
    uint64_t sum[COV_GROUPS] = { 0 };
    for (unsigned g = 0; g < COV_GROUPS; g++)
        for (unsigned i = 0; i < coverage_bins(g); i++) {
            sum[g] += coverage_count(w.v, g, i);
            met += coverage_count(w.v, g, i) != 0;
        }
    assert_int_equal(sum[COV_INSN], w.insns);
    assert_int_equal(sum[COV_BRANCH], w.branches);
    assert_int_equal(sum[COV_MEMORY], w.accesses);
    assert_int_equal(sum[COV_FAULT], w.faults);
    assert_true(w.insns > 10000 && w.faults > 10 && met > 500);
    coverage_free(w.v);
}

/* ---- files and weights ---- */

static void files(void **state)
{
    (void)state;
    char path[] = "/tmp/coverageXXXXXX";
    struct hd_err err = { 0 };
    struct coverage *a = coverage_new(), *b = coverage_new();
    close(mkstemp(path));
    coverage_add(a, COV_INSN, 7, 5);
    coverage_add(a, COV_STACK, 1, 1);
    assert_true(coverage_write(a, path, true, &err));            /* an empty file is a new one */
    assert_true(coverage_write(a, path, true, &err));
    assert_true(coverage_read(b, path, &err));
    assert_int_equal(coverage_count(b, COV_INSN, 7), 10);
    assert_int_equal(coverage_count(b, COV_STACK, 1), 2);
    assert_true(coverage_write(a, path, false, &err));
    coverage_merge(a, b);
    assert_int_equal(coverage_count(a, COV_INSN, 7), 15);
    static const char *const bad[] = { "insn FROB always all 1",   "insn IADD always all",
                                       "insn IADD always all x",   "what 1",
                                       "insn IADD always all 1 1", "insn IADD always all -1" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        FILE *f = fopen(path, "w");
        fprintf(f, "heddle coverage 1\n%s\n", bad[i]);
        fclose(f);
        err = (struct hd_err){ 0 };
        assert_false(coverage_read(a, path, &err));
        assert_non_null(strstr(err.text, ":2: "));
    }
    unlink(path);
    coverage_free(a);
    coverage_free(b);
}

static void weights(void **state)
{
    (void)state;
    struct coverage *v = coverage_new();
    assert_true(coverage_weight(v, OP_IADD) == 16 && coverage_weight(v, OP_LDG) == 16);
    for (unsigned i = 0; i < coverage_bins(COV_INSN); i++) {
        unsigned at[COV_AXES];
        coverage_at(COV_INSN, i, at);
        if (at[0] == OP_IADD)
            coverage_add(v, COV_INSN, i, 1000000);
    }
    struct coverage *met = coverage_new();
    coverage_add(met, COV_STACK, 1, 7);
    assert_true(coverage_gain(met, v) == 1);
    coverage_add(v, COV_STACK, 1, 3);
    assert_true(coverage_gain(met, v) == 0.25);
    coverage_clear(met);
    assert_true(coverage_gain(met, v) == 0 && coverage_count(met, COV_STACK, 1) == 0);
    coverage_free(met);
    assert_true(coverage_weight(v, OP_IADD) < 1.01 && coverage_weight(v, OP_ISUB) == 16);
    coverage_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(sums),
                                        cmocka_unit_test(files), cmocka_unit_test(weights) };
    return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}
