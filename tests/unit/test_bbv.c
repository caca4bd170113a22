/* Block counts: the model's against those that commit records give, with and without a look at
 * records; the file; and what is refused.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cmodel/image/asm.h"
#include "cmodel/fast/bbv.h"
#include "cmodel/fast/fast.h"
#include "compiler/all.h"
#include "harness/device/device.h"
#include "regroup/regroup.h"

/* ---- counting, once more and naively ---- */

/* Lanes that will not execute it again: an indirect branch keeps those with another target where
 * they are. */
static uint32_t lanes_done(const struct hd_commit *c, enum hd_op op)
{
    uint32_t done = 0;
    for (unsigned l = 0; l < HD_LANES; l++)
        done |= (uint32_t)(c->npc[l] == c->pc + 16) << l;
    if (op == OP_BSYNC)                      /* with lanes that wait there, if they are released */
        return done & (c->active | (c->emptied >> c->bx & 1 ? c->released : 0));
    done = 0;
    if (op != OP_BRX && op != OP_CALLR && op != OP_RET && op != OP_CALR)
        return c->active;
    for (unsigned l = 0; l < HD_LANES; l++)
        done |= (uint32_t)(c->npc[l] != c->pc) << l;
    return c->active & done;
}

struct naive {
    bool stack_mode;
    const uint32_t *entry;
    uint32_t n, threads;
    uint32_t *count;                                 /* by thread, then entry */
    uint64_t *executions;
};

static bool count_record(void *user, const struct hd_commit *c)
{
    struct naive *k = user;
    struct hd_word w;
    struct hd_insn in;
    memcpy(w.w, c->insn, sizeof w.w);
    assert_true(hd_decode(&w, k->stack_mode, &in));
    uint32_t done = lanes_done(c, in.op);
    for (uint32_t i = 0; i < k->n; i++)
        if (k->entry[i] == c->pc && (done || in.op == OP_BSYNC)) {
            k->executions[i]++;
            for (unsigned l = 0; l < HD_LANES; l++)
                if (done >> l & 1)
                    k->count[((size_t)c->block * k->threads + c->warp * HD_LANES + l) * k->n + i]++;
        }
    return true;
}

struct run { hd_device *dev; struct hd_image *image; struct bbv *b; };

static struct run open_kernel(struct hd_image *img, unsigned warps)
{
    struct run r = { .image = img };
    assert_non_null(img);
    assert_int_equal(hd_open(&(struct hd_config){ .kind = HD_MODEL, .warps = warps }, &r.dev),
                     HD_OK);
    assert_int_equal(hd_load(r.dev, img), HD_OK);
    return r;
}

static void close_kernel(struct run *r)
{
    bbv_free(r->b);
    hd_close(r->dev);
    hd_image_free(r->image);
}

static struct run open_counts(bool stack_mode)
{
    struct hd_err err = { 0 };
    struct cc_options opt = { .stack_mode = stack_mode };
    struct hd_image *img = hd_compile("tests/regroup/counts.cu", &opt, &err);
    if (!img)
        fail_msg("%s", err.text);
    return open_kernel(img, 0);
}

static void launch(struct run *r, uint32_t grid, uint32_t block, uint32_t n)
{
    struct { uint64_t out; uint32_t n; } p = { 0, n };
    uint64_t at;
    assert_int_equal(hd_malloc(r->dev, (size_t)grid * block * 4, &at), HD_OK);
    p.out = at;
    assert_int_equal(hd_launch_grid(r->dev, &(struct hd_launch){ .grid = { grid, 1, 1 },
                                                                 .block = { block, 1, 1 },
                                                                 .params = &p,
                                                                 .params_size = 12 }),
                     HD_OK);
    hd_free(r->dev, at);
}

/* The block with that entry; NULL: it was not executed. */
static const struct bbv_block *find(const struct bbv *b, uint32_t pc)
{
    for (uint32_t i = 0; i < b->nblocks; i++)
        if (b->blocks[i].pc == pc)
            return &b->blocks[i];
    return NULL;
}

static void compare(const struct bbv *b, const struct naive *k)
{
    uint32_t blocks = 0;
    for (uint32_t i = 0; i < k->n; i++) {
        const struct bbv_block *at = find(b, k->entry[i]);
        assert_int_equal(at ? at->executions : 0, k->executions[i]);
        blocks += at != NULL;
        for (uint64_t t = 0; t < b->threads; t++)
            assert_int_equal(at ? bbv_row(b, t)[at->column] : 0, k->count[t * k->n + i]);
    }
    assert_int_equal(blocks, b->nblocks);
    assert_true(blocks > 0);
}

/* No two vectors and no two columns are the same. */
static void check_distinct(const struct bbv *b)
{
    for (uint32_t v = 0; v < b->nvectors; v++)
        for (uint32_t u = 0; u < v; u++)
            assert_int_not_equal(memcmp(b->counts + (size_t)u * b->ncolumns,
                                        b->counts + (size_t)v * b->ncolumns,
                                        b->ncolumns * sizeof *b->counts),
                                 0);
    for (uint32_t c = 0; c < b->ncolumns; c++)
        for (uint32_t d = 0; d < c; d++) {
            uint32_t v = 0;
            while (v < b->nvectors &&
                   b->counts[v * b->ncolumns + c] == b->counts[v * b->ncolumns + d])
                v++;
            assert_int_not_equal(v, b->nvectors);
        }
}

static void count_both_ways(bool stack_mode, uint32_t grid, uint32_t block, uint32_t n)
{
    struct run r = open_counts(stack_mode);
    struct naive k = { .threads = block, .stack_mode = stack_mode };
    struct bbv *quick;
    uint32_t *entry = bbv_entries(r.image, &k.n);
    k.entry = entry;
    k.count = calloc((size_t)grid * block * k.n, sizeof *k.count);
    k.executions = calloc(k.n, sizeof *k.executions);
    assert_int_equal(hd_count_blocks(r.dev, true), HD_OK);
    launch(&r, grid, block, n);
    assert_int_equal(hd_block_counts(r.dev, &quick), HD_OK);
    hd_on_commit(r.dev, count_record, &k);
    launch(&r, grid, block, n);
    assert_int_equal(hd_block_counts(r.dev, &r.b), HD_OK);
    compare(quick, &k);
    compare(r.b, &k);
    check_distinct(quick);
    bbv_free(quick);
    free(entry);
    free(k.count);
    free(k.executions);
    close_kernel(&r);
}

static void test_counts(void **unused)
{
    (void)unused;
    count_both_ways(false, 7, 100, 690);       /* warps of four lanes, threads that leave at once */
    count_both_ways(false, 2, 1024, 2048);
    count_both_ways(true, 7, 100, 690);
}

/* A thread's counts are its own: they do not depend on the threads that share its warp. */
static void test_grouping_is_not_seen(void **unused)
{
    (void)unused;
    for (int stack_mode = 0; stack_mode < 2; stack_mode++) {
        struct run together = open_counts(stack_mode), alone = open_counts(stack_mode);
        assert_int_equal(hd_count_blocks(together.dev, true), HD_OK);
        assert_int_equal(hd_count_blocks(alone.dev, true), HD_OK);
        launch(&together, 3, 100, 290);
        launch(&alone, 300, 1, 290);
        assert_int_equal(hd_block_counts(together.dev, &together.b), HD_OK);
        assert_int_equal(hd_block_counts(alone.dev, &alone.b), HD_OK);
        assert_int_equal(together.b->nblocks, alone.b->nblocks);
        for (uint32_t i = 0; i < alone.b->nblocks; i++)
            for (uint32_t t = 0; t < 300; t++)
                assert_int_equal(bbv_row(together.b, t)[together.b->blocks[i].column],
                                 bbv_row(alone.b, t)[alone.b->blocks[i].column]);
        close_kernel(&together);
        close_kernel(&alone);
    }
}

/* Nothing that a launch does is changed by counting, nor after it. */
static void test_nothing_else_changes(void **unused)
{
    (void)unused;
    struct run r = open_counts(false);
    struct hd_counters before;
    launch(&r, 5, 64, 300);
    before = *hd_get_counters(r.dev);
    assert_int_equal(hd_block_counts(r.dev, &r.b), HD_BAD_ARGUMENT);
    assert_non_null(strstr(hd_device_error(r.dev), "no blocks were counted"));
    for (int on = 1; on >= 0; on--) {
        assert_int_equal(hd_count_blocks(r.dev, on), HD_OK);
        launch(&r, 5, 64, 300);
        assert_memory_equal(&before, hd_get_counters(r.dev), sizeof before);
    }
    close_kernel(&r);
}

static void same(const struct bbv *a, const struct bbv *b)
{
    assert_int_equal(a->shape, b->shape);
    assert_int_equal(a->threads, b->threads);
    assert_int_equal(a->threads_block, b->threads_block);
    assert_memory_equal(&a->grid, &b->grid, sizeof a->grid);
    assert_memory_equal(&a->block, &b->block, sizeof a->block);
    assert_int_equal(a->nblocks, b->nblocks);
    for (uint32_t i = 0; i < a->nblocks; i++) {
        assert_int_equal(a->blocks[i].pc, b->blocks[i].pc);
        assert_int_equal(a->blocks[i].insns, b->blocks[i].insns);
        assert_int_equal(a->blocks[i].column, b->blocks[i].column);
        assert_int_equal(a->blocks[i].executions, b->blocks[i].executions);
        assert_true(a->blocks[i].name == b->blocks[i].name ||
                    !strcmp(a->blocks[i].name, b->blocks[i].name));
    }
    assert_memory_equal(a->counts, b->counts, (size_t)a->nvectors * a->ncolumns * 4);
    assert_memory_equal(a->of, b->of, a->threads * 4);
}

/* The host's code counts the same: a translation of its own, also where launches take turns. */
static void test_natively(void **unused)
{
    (void)unused;
    char folder[] = "./bbv-cache-XXXXXX", clean[64];
    assert_non_null(mkdtemp(folder));
    for (int stack_mode = 0; stack_mode < 2; stack_mode++) {
        struct run plain = open_counts(stack_mode), native = { .image = plain.image };
        const struct hd_config cfg = { .kind = HD_MODEL, .native = folder };
        assert_int_equal(hd_open(&cfg, &native.dev), HD_OK);
        assert_int_equal(hd_load(native.dev, native.image), HD_OK);
        assert_int_equal(hd_count_blocks(plain.dev, true), HD_OK);
        launch(&plain, 7, 100, 690);
        assert_int_equal(hd_block_counts(plain.dev, &plain.b), HD_OK);
        for (int turn = 0; turn < 4; turn++) {
            assert_int_equal(hd_count_blocks(native.dev, turn % 2), HD_OK);
            launch(&native, 7, 100, 690);
            if (hd_native_why(native.dev))
                fail_msg("%s", hd_native_why(native.dev));
            assert_memory_equal(hd_get_counters(plain.dev), hd_get_counters(native.dev),
                                sizeof(struct hd_counters));
            if (turn % 2) {
                assert_int_equal(hd_block_counts(native.dev, &native.b), HD_OK);
                same(plain.b, native.b);
                bbv_free(native.b);
            }
        }
        hd_close(native.dev);
        close_kernel(&plain);
    }
    snprintf(clean, sizeof clean, "rm -r %s", folder);
    assert_int_equal(system(clean), 0);
}

/* ---- what cannot be counted ---- */

static struct run assemble(const char *text)
{
    struct hd_err err = { 0 };
    struct hd_image *img = NULL;
    if (hd_asm("test.s", text, &img, &err))
        fail_msg("%s", err.text);
    return open_kernel(img, 1);
}

static void refused(struct run *r, const char *why)
{
    assert_int_equal(hd_block_counts(r->dev, &r->b), HD_BAD_ARGUMENT);
    if (!strstr(hd_device_error(r->dev), why))
        fail_msg("`%s` has no `%s`", hd_device_error(r->dev), why);
}

static void run_plain(struct run *r, enum hd_status want)
{
    assert_int_equal(hd_launch_grid(r->dev, &(struct hd_launch){ .grid = { 1, 1, 1 },
                                                                 .block = { 32, 1, 1 } }),
                     want);
}

static void test_stray_branch(void **unused)
{
    (void)unused;
    struct run r = assemble(
        ".text\n.kernel k\n.regs 8\nMOV R1, 0x30\nBRX R1\nMOV R2, 1\nMOV R3, 2\nMOV R4, 3\nEXIT\n");
    assert_int_equal(hd_count_blocks(r.dev, true), HD_OK);
    run_plain(&r, HD_OK);
    refused(&r, "went to PC 0x30, where no block begins");
    close_kernel(&r);
}

static void test_unended(void **unused)
{
    (void)unused;
    struct run r = assemble(".text\n.kernel k\n.regs 8\nBPT.TRAP\nEXIT\n");
    assert_int_equal(hd_count_blocks(r.dev, true), HD_OK);
    run_plain(&r, HD_FAULT);
    refused(&r, "has not ended");
    assert_int_equal(hd_get_fault(r.dev)->fault, HD_FAULT_TRAP);
    close_kernel(&r);
}

static const char loop[] = ".text\n.kernel k\n.regs 8\nMOV R1, 100\ntop:\nIADD R1, R1, -1\n"
                           "ISETP.NE.S32 P0, R1, 0, PT\n@P0 BRA top\nEXIT\n";

static void test_overflow(void **unused)
{
    (void)unused;
    for (uint32_t most = 99; most <= 100; most++) {
        struct run r = assemble(loop);
        uint32_t n, *entry = bbv_entries(r.image, &n);
        assert_true(fast_count_blocks(r.dev->model, entry, n, most, NULL));
        free(entry);
        run_plain(&r, HD_OK);
        if (most == 99)
            refused(&r, "executed the block at PC 0x10 more than 99 times");
        else
            assert_int_equal(hd_block_counts(r.dev, &r.b), HD_OK);
        close_kernel(&r);
    }
}

/* ---- the file ---- */

static struct bbv *some_counts(void)
{
    struct run r = open_counts(false);
    assert_int_equal(hd_count_blocks(r.dev, true), HD_OK);
    launch(&r, 2, 40, 77);
    struct bbv *b;
    assert_int_equal(hd_block_counts(r.dev, &b), HD_OK);
    b->blocks[0].name = strdup("first block");
    close_kernel(&r);
    return b;
}

static uint8_t *whole_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    uint8_t *data = malloc(*size + 64);
    assert_int_equal(fread(data, 1, *size, f), *size);
    fclose(f);
    return data;
}

static uint8_t *written(const struct bbv *b, size_t *size)
{
    struct hd_err err = { 0 };
    char path[] = "./bbv-XXXXXX";
    close(mkstemp(path));
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    bbv_put(b, f);
    assert_int_equal(fclose(f), 0);
    uint8_t *data = whole_file(path, size);
    struct bbv *again = bbv_read(path, NULL, &err);
    if (!again)
        fail_msg("%s", err.text);
    bbv_free(again);
    unlink(path);
    return data;
}

static void bad_file(const uint8_t *data, size_t size, const char *why)
{
    struct hd_err err = { 0 };
    uint8_t *own = malloc(size ? size : 1);          /* so that a sanitizer sees its end */
    memcpy(own, data, size);
    assert_null(bbv_parse("f.bbv", own, size, NULL, &err));
    free(own);
    assert_int_equal(err.status, 2);
    if (!strstr(err.text, why))
        fail_msg("`%s` has no `%s`", err.text, why);
}

static void test_file(void **unused)
{
    (void)unused;
    struct bbv *b = some_counts(), *again;
    struct hd_err err = { 0 };
    size_t size;
    uint8_t *data = written(b, &size);
    assert_non_null(again = bbv_parse("f.bbv", data, size, NULL, &err));
    same(b, again);
    for (size_t n = 0; n < size; n++)
        bad_file(data, n, n < 8 ? "is no file of block counts" : "cut off");
    data[size] = 0;
    bad_file(data, size + 1, "1 bytes too many");
    bbv_free(again);
    bbv_free(b);
    free(data);
}

/* Each word of the file spoilt: refused, or sound. */
static void test_spoilt_file(void **unused)
{
    (void)unused;
    static const uint32_t odd[] = { 0, 1, 3, 0x7fffffff, 0x80000000, 0xffffffff };
    struct bbv *b = some_counts();
    size_t size, refusals = 0;
    uint8_t *data = written(b, &size);
    for (size_t at = 0; at + 4 <= size; at += 4)
        for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
            struct hd_err err = { 0 };
            uint32_t was;
            memcpy(&was, data + at, 4);
            memcpy(data + at, &odd[k], 4);
            struct bbv *got = bbv_parse("f.bbv", data, size, NULL, &err);
            for (uint64_t t = 0; got && t < got->threads; t++)
                assert_true(got->of[t] < got->nvectors);
            assert_true(got || err.status == 2);
            refusals += !got;
            bbv_free(got);
            memcpy(data + at, &was, 4);
        }
    assert_true(refusals > 100);
    bbv_free(b);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_grouping_is_not_seen),
        cmocka_unit_test(test_nothing_else_changes),
        cmocka_unit_test(test_natively),
        cmocka_unit_test(test_stray_branch),
        cmocka_unit_test(test_unended),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_spoilt_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
