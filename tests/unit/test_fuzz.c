/* The generator: every row of the ISA table comes, every register, too, saved kernels are the same
 * again, coverage leads to what is missing.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "harness/fuzz/pairs.h"
#include "cmodel/isa/compare.h"

static struct fuzz_choice choice(bool stack_mode, struct coverage *known)
{
    struct fuzz_choice f = { .frame = { .stack_mode = stack_mode, .lanes = 32, .stack_depth = 16 },
                             .level = FUZZ_MACHINE };
    assert_true(fuzz_choice_open(&f, known));
    return f;
}

/* ---- rows ---- */

static void count_rows(const struct fuzz_case *c, unsigned rows[OP_COUNT])
{
    for (uint32_t at = 0; at < c->img->text_size; at += HD_INSN_BYTES) {
        struct hd_word w;
        struct hd_insn i;
        memcpy(&w, c->img->text + at, sizeof w);
        if (hd_decode(&w, c->stack_mode, &i))
            rows[i.op]++;
    }
}

/* A row that is new in isa.def needs no other line to be generated. */
static void every_row(void **state)
{
    (void)state;
    unsigned rows[OP_COUNT] = { 0 };
    for (int stack_mode = 0; stack_mode < 2; stack_mode++) {
        struct fuzz_choice f = choice(stack_mode, NULL);
        for (uint64_t seed = 0; seed < 2000; seed++) {
            struct fuzz_case c = fuzz_choose(&f, seed);
            count_rows(&c, rows);
            fuzz_case_free(&c);
        }
        fuzz_choice_close(&f);
    }
    for (unsigned op = 0; op < OP_COUNT; op++)
        if (rows[op] < 10)
            fail_msg("%s: %u times in 4000 kernels", hd_ops[op].mnemonic, rows[op]);
}

/* ---- numbers ---- */

struct numbers { unsigned reg[256], pred[8], guard[8], barrier[OP_COUNT][HD_BARRIERS]; };

static void count_numbers(struct numbers *n, const struct fuzz_case *c)
{
    for (uint32_t at = 0; at < c->img->text_size; at += HD_INSN_BYTES) {
        struct hd_word w;
        struct hd_insn i;
        memcpy(&w, c->img->text + at, sizeof w);
        if (!hd_decode(&w, c->stack_mode, &i))
            continue;
        if (hd_insn_width(&i, 0))
            n->reg[i.rd]++;
        if (strchr(hd_ops[i.op].operands, 'p'))
            n->pred[i.pd]++;
        n->guard[i.pg]++;
        n->barrier[i.op][i.bx]++;
    }
}

/* Kernels of one theme. */
static struct numbers of_theme(unsigned wild, unsigned kernels)
{
    struct numbers n = { 0 };
    struct fuzz_weights w;
    fuzz_weights_init(&w, 0);
    for (unsigned k = 0; k < kernels; k++) {
        struct fuzz_case c = {
            .seed = k, .wild = wild, .grid = { 1, 1, 1 }, .block = { 32, 1, 1 }, .lanes = 32
        };
        fuzz_wild(&c, &w);
        count_numbers(&n, &c);
        fuzz_case_free(&c);
    }
    return n;
}

/* A bit that is wrong for one register, predicate or barrier shows only where that one is used. */
static void every_number(void **state)
{
    (void)state;
    static const enum hd_op convergence[] = { OP_BSSY, OP_BSYNC, OP_BREAK, OP_BMOVR, OP_BMOVB };
    struct numbers regs = of_theme(WILD_REGS, 4000), lone = of_theme(WILD_LONE, 1000);
    for (unsigned r = 0; r < HD_RZ; r++)
        if (regs.reg[r] < 50)
            fail_msg("R%u is written %u times", r, regs.reg[r]);
    for (unsigned p = 0; p < HD_PT; p++)
        if (regs.pred[p] < 50 || regs.guard[p] < 50)
            fail_msg("P%u is written %u times and guards %u", p, regs.pred[p], regs.guard[p]);
    for (unsigned k = 0; k < sizeof convergence / sizeof *convergence; k++)
        for (unsigned b = 0; b < HD_BARRIERS; b++)
            if (lone.barrier[convergence[k]][b] < 20)
                fail_msg("%s of B%u: %u times", hd_ops[convergence[k]].mnemonic, b,
                         lone.barrier[convergence[k]][b]);
}

/* ---- sizes ---- */

static unsigned warps_of(struct hd_dim3 block)
{
    return (block.x * block.y * block.z + HD_LANES - 1) / HD_LANES;
}

/* Blocks of 512 threads and more, and all 32 warps, are drawn, and run as the tree means. */
static void large_blocks(void **state)
{
    (void)state;
    struct fuzz_choice f = choice(false, NULL);
    struct fuzz_machine m = { .on = FUZZ_MODEL };
    unsigned large = 0, most = 0, full = 0, ran = 0;
    f.level = FUZZ_PTX;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct fuzz_case c = fuzz_choose(&f, seed);
        struct fuzz_result r;
        unsigned warps = warps_of(c.block), all = warps * c.grid.x * c.grid.y * c.grid.z;
        large += warps >= 16;
        most += fuzz_block_threads(&c) == 1024;
        full += all >= 32;
        if (all >= 32 && ran < 6) {
            c.bus_seed = 0;              /* no access errs */
            assert_true(fuzz_run(&m, &c, 0, false, &r));
            if (r.kind != FUZZ_EQUAL || r.status != HD_OK)
                fail_msg("seed %u: %s", (unsigned)seed, r.text);
            ran++;
        }
        fuzz_case_free(&c);
    }
    fuzz_machine_close(&m);
    if (large < 5 || most < 2 || full < 10 || ran < 6)
        fail_msg("of 1000 kernels %u have 16 warps a block, %u 1024 threads, %u fill the core",
                 large, most, full);
}

/* ---- cores that have less ---- */

static void it_fits(const struct fuzz_case *c, const struct fuzz_core *core)
{
    for (uint32_t at = 0; at < c->img->text_size; at += HD_INSN_BYTES) {
        struct hd_word w;
        memcpy(&w, c->img->text + at, sizeof w);
        if (!fuzz_fits(c, &w))
            fail_msg("seed %u, word %u needs what the core lacks", (unsigned)c->seed,
                     at / HD_INSN_BYTES);
    }
    assert_int_equal(hd_image_units(c->img) & core->lacks, 0);
    assert_true(c->img->kernels[0].regs <= core->regs);
    assert_true(fuzz_block_threads(c) <= 32 * core->warps);
    assert_true(fuzz_room(c) * FUZZ_SHARED_SLOT <= core->shared);
    assert_int_equal(c->high_seed, 0);
}

/* Kernels of both levels need no more than the core has, and are not the poorer for it: the model
 * ends as many of them well, and has all live registers in use. */
static void small_cores(void **state)
{
    static const struct fuzz_core core = { 1u << UNIT_F64 | 1u << UNIT_FPU | 1u << UNIT_SFU |
                                           HD_CONSTANTS, 4, 64, 4096, 34 };
    unsigned well = 0, regs = 0, written[256] = { 0 };
    (void)state;
    for (int stack_mode = 0; stack_mode < 2; stack_mode++) {
        struct fuzz_choice f = { .frame = { .stack_mode = stack_mode, .lanes = 4, .stack_depth = 16,
                                            .core = core },
                                 .level = FUZZ_BOTH };
        struct fuzz_machine m = { .on = FUZZ_MODEL };
        assert_true(fuzz_choice_open(&f, NULL));
        for (uint64_t seed = 0; seed < 300; seed++) {
            struct fuzz_case c = fuzz_choose(&f, seed);
            struct fuzz_result r;
            struct numbers n = { 0 };
            assert_true(fuzz_run(&m, &c, 0, true, &r));
            assert_true(r.kind < FUZZ_FAIL);
            it_fits(&c, &core);
            well += r.kind == FUZZ_EQUAL;
            count_numbers(&n, &c);
            for (unsigned k = 0; k < 256; k++)
                written[k] += n.reg[k];
            fuzz_case_free(&c);
        }
        fuzz_machine_close(&m);
        fuzz_choice_close(&f);
    }
    for (unsigned k = 0; k < core.regs; k++)
        regs += written[k] > 0;
    if (well < 200 || regs < 48)
        fail_msg("%u kernels of 600 end well, and write %u registers", well, regs);
}

/* ---- steering ---- */

static unsigned bins(const struct coverage *v)
{
    unsigned n = 0;
    for (unsigned g = 0; g < COV_GROUPS; g++)
        for (unsigned i = 0; i < coverage_bins(g); i++)
            n += coverage_count(v, g, i) > 0;
    return n;
}

/* How many bins so many kernels meet on the model. */
static unsigned meet(bool stack_mode, bool steered, unsigned kernels)
{
    struct fuzz_choice f = choice(stack_mode, steered ? coverage_new() : NULL);
    struct fuzz_machine m = { .on = FUZZ_MODEL, .coverage = coverage_new() };
    for (uint64_t seed = 0; seed < kernels; seed++) {
        struct fuzz_case c = fuzz_choose(&f, seed);
        struct fuzz_result r;
        assert_true(fuzz_run(&m, &c, 0, false, &r));
        fuzz_case_free(&c);
    }
    unsigned n = bins(m.coverage);
    fuzz_machine_close(&m);
    coverage_free(m.coverage);
    fuzz_choice_close(&f);
    return n;
}

/* At least what twice as many kernels meet without coverage. */
static void steering(void **state)
{
    (void)state;
    for (int stack_mode = 0; stack_mode < 2; stack_mode++) {
        unsigned with = meet(stack_mode, true, 60), without = meet(stack_mode, false, 60),
                 twice = meet(stack_mode, false, 120);
        printf("%s mode: 60 kernels meet %u bins, with coverage %u; 120 kernels %u\n",
               stack_mode ? "stack" : "barrier", without, with, twice);
        assert_true(with > twice && twice > without);
    }
}

/* ---- pairs ---- */

/* Some values exclude each other. */
static const char *excluded(const struct cover *c, const unsigned *plan)
{
    (void)c;
    return plan[0] == 1 && plan[2] == 2 ? "excluded" : NULL;
}

/* Every legal pair is planned in few plans, none of them illegal, and counts as met only then. */
static void every_pair(void **state)
{
    struct cover c = { .name = "test", .ndims = 4, .why = excluded };
    struct rng r = { 5 };
    unsigned plan[COVER_DIMS], plans = 0;
    (void)state;
    for (unsigned d = 0; d < c.ndims; d++)
        c.dim[d] = (struct cover_dim){ "d", 3 + d, { "0", "1", "2", "3", "4", "5" } };
    cover_open(&c);
    assert_int_equal(c.illegal, 1);
    assert_int_equal(c.legal, 12 + 15 + 18 + 20 + 24 + 30 - 1);
    for (; cover_plan(&c, &r, plan); plans++) {
        assert_null(excluded(&c, plan));
        assert_true(c.met < c.legal);
        cover_met(&c, plan);
    }
    assert_true(plans >= 30 && plans < 60);
    assert_int_equal(c.met, c.legal);
    cover_again(&c);
    assert_true(cover_plan(&c, &r, plan) && c.met == c.legal);
    cover_close(&c);
}

/* A pair that was not run is missing, and one that ran is not. */
static void pairs_missing(void **state)
{
    struct pairs *p = pairs_open(PAIR_OPERANDS, false, 3);
    struct fuzz_case c = { .seed = 1, .lanes = 32, .stack_depth = 16, .data_seed = 7 };
    FILE *out = tmpfile();
    (void)state;
    assert_non_null(out);
    for (unsigned k = 0; k < pairs_kernels(p); k++) {
        assert_false(pairs_report(p, out, NULL));
        pairs_make(p, k, &c);
        pairs_right(p);
        struct fuzz_case made = c;
        c.img = NULL, c.expect = NULL, c.notes = NULL;
        fuzz_case_free(&made);
    }
    assert_true(pairs_report(p, out, NULL));
    fclose(out);
    pairs_close(p);
}

/* ---- files ---- */

static char *text_of(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    assert_non_null(f);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

static void write_part(const char *path, const char *text, size_t n)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    fclose(f);
}

/* Saved, read and saved again is the same; cut off anywhere it is refused. */
static void files(void **state)
{
    (void)state;
    char path[] = "/tmp/fuzzXXXXXX";
    close(mkstemp(path));
    for (uint64_t seed = 1; seed < 40; seed++) {
        struct fuzz_choice f = choice(seed & 1, NULL);
        f.level = FUZZ_BOTH;
        struct fuzz_case c = fuzz_choose(&f, seed), again;
        const struct fuzz_result r = { .text = "a sentence" };
        struct hd_err err = { 0 };
        assert_true(c.img || fuzz_compile(&c, &err));
        assert_true(fuzz_save(&c, &r, path, NULL));
        char *first = text_of(path);
        assert_true(fuzz_load(&again, path, &err));
        assert_true(again.img || fuzz_compile(&again, &err));
        assert_int_equal(again.img->text_size, c.img->text_size);
        assert_memory_equal(again.img->text, c.img->text, c.img->text_size);
        assert_true(fuzz_save(&again, &r, path, NULL));
        char *second = text_of(path);
        assert_string_equal(first, second);
        fuzz_case_free(&again);
        for (size_t size = strlen(first), n = size - 1; n > size / 20; n -= size / 20) {
            err = (struct hd_err){ 0 };
            write_part(path, first, n);
            assert_false(fuzz_load(&again, path, &err));
            assert_int_equal(err.status, 2);
        }
        free(first);
        free(second);
        fuzz_case_free(&c);
        fuzz_choice_close(&f);
    }
    unlink(path);
}

/* Nothing runs, but what the compiler refuses is a failure; on the model alone a kernel also has to
 * mean what the tree means. */
static void without_rtl(void **state)
{
    struct fuzz_machine nothing = { .on = FUZZ_NOTHING }, model = { .on = FUZZ_MODEL };
    struct fuzz_choice f = choice(false, NULL);
    struct fuzz_result r;
    (void)state;
    f.level = FUZZ_PTX;
    struct fuzz_case c = fuzz_choose(&f, 7);
    assert_true(fuzz_run(&nothing, &c, 0, true, &r) && c.img && !nothing.dev);
    assert_int_equal(r.kind, FUZZ_UNJUDGED);
    assert_string_equal(r.text, "compiled");
    assert_true(fuzz_run(&model, &c, 0, true, &r) && model.dev);
    assert_int_equal(r.kind, FUZZ_EQUAL);
    c.expect->out[0] ^= 1;
    assert_true(fuzz_run(&model, &c, 0, true, &r));
    assert_ptr_equal(r.field, fuzz_meaning);
    fuzz_case_free(&c);
    c = (struct fuzz_case){ .ptx = strdup(
                                ".version 7.0\n.target sm_70\n.visible .entry k() { ret }\n") };
    assert_true(fuzz_run(&nothing, &c, 0, true, &r));
    assert_int_equal(r.kind, FUZZ_FAIL);
    assert_ptr_equal(r.field, fuzz_refused);
    fuzz_case_free(&c);
    fuzz_machine_close(&model);
    fuzz_choice_close(&f);
}

/* ---- records ---- */

struct records { uint64_t n[COMMIT_PARTS]; };

static bool fits(void *user, const struct hd_commit *c)
{
    struct records *seen = user;
    const struct commit_field *f = commit_misfit(c);
    if (f)
        fail_msg("PC 0x%x: %s holds something where it does not apply", c->pc, f->name);
    for (unsigned part = 0; part < COMMIT_PARTS; part++)
        seen->n[part] += commit_parts(c) >> part & 1;
    return true;
}

/* What commit.def says of the fields that do not apply, of the model's records; lockstep compares
 * the core's with them. */
static void no_misfits(void **state)
{
    (void)state;
    struct records seen = { { 0 } };
    struct hd_config cfg = { .kind = HD_MODEL, .limit = 5000, .stack_depth = 4 };
    hd_device *d;
    assert_int_equal(hd_open(&cfg, &d), HD_OK);
    hd_on_commit(d, fits, &seen);
    for (int stack_mode = 0; stack_mode < 2; stack_mode++) {
        struct fuzz_choice f = choice(stack_mode, NULL);
        for (uint64_t seed = 0; seed < 300; seed++) {
            struct fuzz_case c = fuzz_choose(&f, seed);
            const uint32_t bytes[3] = { FUZZ_IN, fuzz_room(&c) * FUZZ_SLOT, FUZZ_SUM };
            uint64_t at;
            uint64_t params[3];
            assert_int_equal(hd_reset(d, 0), HD_OK);
            assert_int_equal(hd_load(d, c.img), HD_OK);
            for (int k = 0; k < 3; k++) {
                assert_int_equal(hd_malloc(d, bytes[k], &at), HD_OK);
                params[k] = at;
            }
            struct hd_launch l = {
                .grid = c.grid, .block = c.block, .params = params, .params_size = sizeof params
            };
            assert_true(hd_launch_grid(d, &l) <= HD_STOPPED);
            fuzz_case_free(&c);
        }
        fuzz_choice_close(&f);
    }
    hd_close(d);
    for (unsigned part = 0; part < COMMIT_PARTS; part++)
        if (seen.n[part] < 10)
            fail_msg("%s: only %u records", commit_part_names[part], (unsigned)seen.n[part]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_rtl),  cmocka_unit_test(every_row),
        cmocka_unit_test(every_number), cmocka_unit_test(large_blocks),
        cmocka_unit_test(small_cores),
        cmocka_unit_test(no_misfits),   cmocka_unit_test(steering),
        cmocka_unit_test(files),
        cmocka_unit_test(every_pair),   cmocka_unit_test(pairs_missing)
    };
    return cmocka_run_group_tests_name("fuzz", tests, NULL, NULL);
}
