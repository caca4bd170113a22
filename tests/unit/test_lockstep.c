/* Lockstep must see every lie: one field of one commit record is changed, for every field of the
 * table, and the run has to end with a difference that names it.  `test_lockstep --report N TEXT
 * JSON' writes one report.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/image/asm.h"
#include "harness/device/device.h"

enum { THREADS = 64 };

/* A loop with a divergent exit, loads, stores and a barrier register. */
static const char program[] =
    ".text\n.kernel k\n.regs 16\n.barriers 1\n.param in u64 8\n.param out u64 8\n"
    "    S2R R0, SR_TID_X\n    LDC.64 R4, [RZ]\n    LDC.64 R6, [RZ+8]\n"
    "    IMAD.W.U32 R4, R0, 4, R4\n    IMAD.W.U32 R6, R0, 4, R6\n    LDG R9, [R4]\n"
    "    LOP3 R9, R9, 7, RZ, 0xc0\n    MOV R10, 0\n    BSSY B0, done\n"
    "loop:\n    ISETP.EQ.U32.AND P1, R9, 0, PT\n    @P1 BRA done\n    IADD3 R10, R10, R9, RZ\n"
    "    IADD3 R9, R9, -1, RZ\n    BRA loop\n"
    "done:\n    BSYNC B0\n    STG [R6], R10\n    S2R R3, SR_CLOCKLO\n    EXIT\n";

struct lie { const struct commit_field *field; unsigned element; uint64_t at, mask; bool told; };

static void tamper(void *user, struct hd_commit *c)
{
    struct lie *l = user;
    if (l->told || c->seq < l->at)
        return;
    l->told = true;
    commit_set(c, l->field, l->element, commit_get(c, l->field, l->element) ^ l->mask);
}

static enum hd_status launch(hd_device *d, const struct hd_image *img)
{
    uint64_t in = 0, out = 0;
    uint32_t data[THREADS];
    assert_int_equal(hd_load(d, img), HD_OK);
    assert_int_equal(hd_malloc(d, sizeof data, &in), HD_OK);
    assert_int_equal(hd_malloc(d, sizeof data, &out), HD_OK);
    for (unsigned i = 0; i < THREADS; i++)
        data[i] = i;
    hd_write(d, in, data, sizeof data);
    uint64_t params[2] = { in, out };
    struct hd_launch l = {
        .grid = { 2, 1, 1 }, .block = { THREADS, 1, 1 }, .params = params, .params_size = 16
    };
    enum hd_status s = hd_launch_grid(d, &l);
    if (s == HD_OK) {
        hd_read(d, out, data, sizeof data);
        for (unsigned i = 0; i < THREADS; i++)
            assert_int_equal(data[i], i % 8 * (i % 8 + 1) / 2);
    }
    return s;
}

static uint64_t carried(const hd_device *d, enum commit_part part)
{
    struct hd_compared of;
    assert_true(hd_get_compared(d, part, &of));
    return of.records;
}

static struct hd_image *assemble(void)
{
    struct hd_image *img = NULL;
    struct hd_err err = { 0 };
    if (hd_asm("program", program, &img, &err))
        fail_msg("%s", err.text);
    return img;
}

static hd_device *open_lockstep(void)
{
    struct hd_config cfg = { .kind = HD_LOCKSTEP };
    hd_device *d;
    if (hd_open(&cfg, &d) != HD_OK)
        fail_msg("%s", hd_device_error(d));
    return d;
}

static void honest(void **state)
{
    (void)state;
    struct hd_image *img = assemble();
    hd_device *d = open_lockstep();
    assert_int_equal(launch(d, img), HD_OK);
    const struct hd_counters *n = hd_get_counters(d);
    assert_true(n->fields_compared == n->warp_insns * commit_nfields && n->warp_insns > 100);
    assert_int_equal(n->overridden, 0);
    assert_true(carried(d, PART_REGISTERS) > 50 && carried(d, PART_MEMORY) > 10 &&
                carried(d, PART_CONVERGENCE) > 10);
    assert_true(carried(d, PART_CLOCKS) == 4 && carried(d, PART_STACK) == 0 &&
                carried(d, PART_FAULTS) == 0);
    assert_true(n->memory_compared >= 2 * THREADS * sizeof(uint32_t));
    assert_int_equal(n->clock_reads, 4);
    hd_close(d);
    hd_image_free(img);
}

static void tell(const struct hd_image *img, struct lie l)
{
    char *text = NULL;
    size_t size = 0;
    hd_device *d = open_lockstep();
    d->tamper = tamper;
    d->tamper_user = &l;
    enum hd_status s = launch(d, img);
    FILE *f = open_memstream(&text, &size);
    hd_explain(d, f);
    fclose(f);
    bool schedule = !strcmp(l.field->name, "slot") || !strcmp(l.field->name, "is_clock");
    if (s != HD_MISMATCH || (!schedule && !strstr(text, l.field->name)))
        fail_msg("a wrong %s[%u] at commit %llu: %s\n%s", l.field->name, l.element,
                 (unsigned long long)l.at, hd_strerror(s), text);
    free(text);
    hd_close(d);
}

/* The report follows each operand of the instruction that differs, also the second predicate that
 * it reads. */
static void operands(void **state)
{
    (void)state;
    struct hd_err err = { 0 };
    struct hd_image *img = NULL;
    if (hd_asm(
            "operands",
            ".kernel k\n.barriers 0\nISETP.LT.U32.AND P1, RZ, 1, PT\n"
            "ISETP.LT.U32.AND P2, RZ, 2, PT\n"
            "PLOP P0, P1, P2, 8\nEXIT\n",
            &img, &err))
        fail_msg("%s", err.text);
    struct lie l = { .field = commit_fields, .at = 2, .mask = 1 };
    while (strcmp(l.field->name, "pval"))
        l.field++;
    char *text = NULL;
    size_t size = 0;
    hd_device *d = open_lockstep();
    d->tamper = tamper;
    d->tamper_user = &l;
    assert_int_equal(hd_load(d, img), HD_OK);
    struct hd_launch launch = { .grid = { 1, 1, 1 }, .block = { 32, 1, 1 } };
    assert_int_equal(hd_launch_grid(d, &launch), HD_MISMATCH);
    FILE *f = open_memstream(&text, &size);
    hd_explain(d, f);
    fclose(f);
    if (!strstr(text, "  P1   = 1") || !strstr(text, "  P2   = 1"))
        fail_msg("%s", text);
    free(text);
    hd_close(d);
    hd_image_free(img);
}

static void lies(void **state)
{
    (void)state;
    struct hd_image *img = assemble();
    uint64_t r = 1;
    for (unsigned f = 0; f < commit_nfields; f++) {
        r = r * 6364136223846793005u + 1442695040888963407u;
        tell(img, (struct lie){ .field = &commit_fields[f],
                                .element = (unsigned)(r >> 33) % commit_fields[f].count,
                                .at = (r >> 40) % 100,
                                .mask = 1 });
    }
    hd_image_free(img);
}

static bool first_clock(void *user, const struct hd_commit *c)
{
    *(uint64_t *)user = c->seq;
    return !c->is_clock;
}

/* The first record that holds a clock value. */
static uint64_t clock_at(const struct hd_image *img)
{
    uint64_t at = 0;
    hd_device *d = open_lockstep();
    hd_on_commit(d, first_clock, &at);
    assert_int_equal(launch(d, img), HD_STOPPED);
    hd_close(d);
    return at;
}

/* The probe is silent about a read, tells of one that is none, or of the other word. */
static void clock_events(void **state)
{
    (void)state;
    static const uint8_t never = 0, always = 1;
    const struct { const uint8_t *valid, *high; const char *said; } lie[] = {
        { &never, NULL, "has the clock that did not read it" },
        { &always, NULL, "reads the clock again and again" },
        { NULL, &always, "another word of the clock" } };
    struct hd_image *img = assemble();
    for (size_t i = 0; i < sizeof lie / sizeof *lie; i++) {
        hd_device *d = open_lockstep();
        if (lie[i].valid)
            d->rtl->p.clock_valid = lie[i].valid;
        if (lie[i].high)
            d->rtl->p.clock_high = lie[i].high;
        assert_int_equal(launch(d, img), HD_MISMATCH);
        assert_int_equal(d->verdict.trouble, HD_TROUBLE_CLOCK);
        if (!strstr(d->verdict.why, lie[i].said))
            fail_msg("%s, but: %s", lie[i].said, d->verdict.why);
        hd_close(d);
    }
    hd_image_free(img);
}

/* With the last of the four EXITs a read without an instruction: nothing retires with it. */
static bool read_last(void *user, const struct hd_commit *c)
{
    hd_device *d = user;
    static const uint8_t always = 1, never = 0;
    if (c->live || d->count.clock_reads < 4)
        return true;
    d->rtl->p.clock_valid = &always;
    assert_null(clock_look(&d->clocks, d->rtl));
    d->rtl->p.clock_valid = &never;
    return true;
}

static void clock_left_over(void **state)
{
    (void)state;
    struct hd_image *img = assemble();
    hd_device *d = open_lockstep();
    hd_on_commit(d, read_last, d);
    assert_int_equal(launch(d, img), HD_MISMATCH);
    assert_int_equal(d->verdict.trouble, HD_TROUBLE_CLOCK);
    assert_non_null(strstr(d->verdict.why, "never retired"));
    hd_close(d);
    hd_image_free(img);
}

/* A wrong value in one lane. */
static void clock_values(void **state)
{
    (void)state;
    struct hd_image *img = assemble();
    const struct commit_field *val = commit_fields;
    while (strcmp(val->name, "val[0]"))
        val++;
    for (unsigned lane = 0; lane < 32; lane += 31) {
        hd_device *d = open_lockstep();
        struct lie l = { .field = val, .element = lane, .at = clock_at(img), .mask = 1 };
        d->tamper = tamper;
        d->tamper_user = &l;
        assert_int_equal(launch(d, img), HD_MISMATCH);
        assert_true(d->verdict.trouble == HD_TROUBLE_FIELD && d->verdict.rtl.is_clock);
        assert_true(d->verdict.diff.field == val && d->verdict.diff.lane == lane);
        hd_close(d);
    }
    hd_image_free(img);
}

/* A core that writes memory of its own accord is found by the final comparison. */
static void memory(void **state)
{
    (void)state;
    struct hd_image *img = assemble();
    hd_device *d = open_lockstep();
    uint64_t extra;
    assert_int_equal(hd_malloc(d, 4096, &extra), HD_OK);
    d->rtl->bytes[extra + 1234] ^= 4;
    assert_int_equal(launch(d, img), HD_MISMATCH);
    assert_int_equal(d->verdict.trouble, HD_TROUBLE_MEMORY);
    assert_int_equal(d->verdict.addr, extra + 1234);
    hd_close(d);
    hd_image_free(img);
}

/* A device that is RTL alone counts from its records what the model counts. */
static void rtl_alone(void **state)
{
    (void)state;
    struct hd_image *img = assemble();
    struct hd_config cfg = { .kind = HD_RTL };
    hd_device *a = open_lockstep(), *b;
    assert_int_equal(hd_open(&cfg, &b), HD_OK);
    assert_int_equal(launch(a, img), HD_OK);
    assert_int_equal(launch(b, img), HD_OK);
    struct hd_counters x = *hd_get_counters(a), y = *hd_get_counters(b);
    assert_true(x.reconvergences > 0 && x.divergent_branches > 0 && x.loads > 0 && x.stores > 0);
    x.fields_compared = x.memory_compared = x.clock_reads = 0;
    assert_memory_equal(&x, &y, sizeof x);
    hd_close(a);
    hd_close(b);
    hd_image_free(img);
}

static bool go_on(void *user, const struct hd_counters *now)
{
    (void)now;
    ++*(unsigned *)user;
    return true;
}

/* It ends as it would have, though somebody was asked on the way whether to go on. */
static void rtl_alone_asks(void **state)
{
    static const char count[] =
        ".text\n.kernel k\n.regs 4\n.param n u32 4\n    LDC R0, [RZ]\n"
        "loop:\n    IADD3 R0, R0, -1, RZ\n    ISETP.NE.U32.AND P1, R0, 0, PT\n    @P1 BRA loop\n"
        "    EXIT\n";
    (void)state;
    struct hd_image *img = NULL;
    struct hd_err err = { 0 };
    struct hd_config cfg = { .kind = HD_RTL };
    hd_device *d;
    unsigned asked = 0;
    if (hd_asm("count", count, &img, &err))
        fail_msg("%s", err.text);
    assert_int_equal(hd_open(&cfg, &d), HD_OK);
    assert_int_equal(hd_load(d, img), HD_OK);
    hd_on_progress(d, go_on, &asked);
    for (uint32_t n = 10000; !asked; n *= 2) {           /* a quarter of a second */
        struct hd_launch l = {
            .grid = { 1, 1, 1 }, .block = { 32, 1, 1 }, .params = &n, .params_size = sizeof n
        };
        assert_int_equal(hd_launch_grid(d, &l), HD_OK);
    }
    hd_close(d);
    hd_image_free(img);
}

/* Two devices in one process do not know each other. */
static void two_devices(void **state)
{
    (void)state;
    struct hd_image *img = assemble();
    hd_device *a = open_lockstep(), *b = open_lockstep();
    assert_int_equal(launch(a, img), HD_OK);
    assert_int_equal(launch(b, img), HD_OK);
    assert_int_equal(hd_get_counters(a)->cycles, hd_get_counters(b)->cycles);
    hd_close(a);
    hd_close(b);
    /* The one opened last may go first. */
    a = open_lockstep();
    b = open_lockstep();
    assert_int_equal(launch(a, img), HD_OK);
    assert_int_equal(launch(b, img), HD_OK);
    hd_close(b);
    hd_close(a);
    hd_image_free(img);
}

/* A launch was broken off, and the image's owner has given it up: a reset asks the device alone. */
static void reset_without_image(void **state)
{
    (void)state;
    struct hd_image *img = assemble();
    hd_device *d = open_lockstep();
    struct lie l = { .field = commit_fields, .at = 20, .mask = 1 };
    while (strcmp(l.field->name, "pc"))
        l.field++;
    d->tamper = tamper;
    d->tamper_user = &l;
    assert_int_equal(launch(d, img), HD_MISMATCH);
    d->tamper = NULL;
    assert_true(d->broken_off);
    uint64_t addr;
    uint32_t text = img->text_size;
    size_t bytes;
    img->text_size = img->gdata_size = UINT32_MAX;       /* what reused memory may hold */
    assert_true(device_area(d, 0, &addr, &bytes));
    assert_int_equal(bytes, text);
    hd_image_free(img);
    assert_int_equal(hd_reset(d, 7), HD_OK);
    img = assemble();
    assert_int_equal(launch(d, img), HD_OK);
    hd_close(d);
    hd_image_free(img);
}

/* Report n of a difference as text and as JSON, for tests/view/json.sh. */
static int report(unsigned n, const char *text, const char *json)
{
    static const char *const field[] = { "val[0]", "next_active", "wait", "pval", "slot", "addr" };
    struct lie l = { .field = commit_fields, .at = 60, .mask = 1 };
    struct hd_image *img = assemble();
    hd_device *d = open_lockstep();
    FILE *t = fopen(text, "w"), *j = fopen(json, "w");
    bool ok = n < sizeof field / sizeof *field && t && j;
    while (ok && strcmp(l.field->name, field[n]))
        l.field++;
    d->tamper = tamper;
    d->tamper_user = &l;
    ok = ok && launch(d, img) == HD_MISMATCH;
    if (ok)
        hd_explain(d, t);
    ok = ok && hd_explain_json(d, j);
    hd_close(d);
    hd_image_free(img);
    return t && j && !fclose(t) && !fclose(j) && ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 5 && !strcmp(argv[1], "--report"))
        return report((unsigned)atoi(argv[2]), argv[3], argv[4]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest),          cmocka_unit_test(lies),
        cmocka_unit_test(operands),        cmocka_unit_test(clock_events),
        cmocka_unit_test(clock_left_over), cmocka_unit_test(clock_values),
        cmocka_unit_test(memory),          cmocka_unit_test(two_devices),
        cmocka_unit_test(rtl_alone), cmocka_unit_test(rtl_alone_asks),
        cmocka_unit_test(reset_without_image)
    };
    return cmocka_run_group_tests_name("lockstep", tests, NULL, NULL);
}
