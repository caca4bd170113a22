/* How launches end, and what follows: a fault, a limit, a stop, a deadlock, the next launch on the
 * same core.
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

enum { LANES = 4, BUFFER = 4096 };

static struct hd_image *assemble(const char *text)
{
    struct hd_image *img = NULL;
    struct hd_err err = { 0 };
    if (hd_asm("program", text, &img, &err))
        fail_msg("%s", err.text);
    return img;
}

static hd_device *open_device(void)
{
    struct hd_config cfg = { .kind = HD_LOCKSTEP, .lanes = LANES, .limit = 20000 };
    hd_device *d;
    if (hd_open(&cfg, &d) != HD_OK)
        fail_msg("%s", hd_device_error(d));
    return d;
}

/* One block on a buffer of its own. */
/* start_again: as in hd_launch. */
static enum hd_status launch_again(hd_device *d, const struct hd_image *img, const char *kernel,
                                   unsigned threads, uint64_t start_again)
{
    static uint64_t data;
    if (!d->image) {
        assert_int_equal(hd_load(d, img), HD_OK);
        assert_int_equal(hd_malloc(d, BUFFER, &data), HD_OK);
    }
    uint64_t params[1] = { data };
    struct hd_launch l = { .kernel = kernel,
                           .grid = { 1, 1, 1 },
                           .block = { threads, 1, 1 },
                           .params = params,
                           .params_size = sizeof params,
                           .start_again = start_again };
    return hd_launch_grid(d, &l);
}

static enum hd_status launch(hd_device *d, const struct hd_image *img, const char *kernel,
                             unsigned threads)
{
    return launch_again(d, img, kernel, threads, 0);
}

static void must(hd_device *d, enum hd_status got, enum hd_status want, const char *what)
{
    if (got == want)
        return;
    fprintf(stderr, "%s: %s %s\n", what, hd_strerror(got), hd_device_error(d));
    hd_explain(d, stderr);
    fail();
}

/* Warp 0 traps after n additions while warp 1 stores: whenever the fault comes, no store acts that
 * does not retire. */
static void store_beside_fault(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 24; n++) {
        char text[4000] = ".text\n.kernel k\n.regs 16\n.param data u64 8\n"
            "    S2R R0, SR_TID_X\n    LDC.64 R4, [RZ]\n    IMAD.W.U32 R6, R0, 4, R4\n"
            "    ISETP.GE.U32.AND P0, R0, 32, PT\n    @P0 BRA stores\n    LDG R8, [R6]\n";
        for (unsigned i = 0; i < n; i++)
            strcat(text, "    IADD R8, R8, 1\n");
        strcat(text, "    BPT.TRAP\nstores:\n");
        for (unsigned i = 0; i < 12; i++)
            strcat(text, "    STG [R6], R0\n    IADD R0, R0, 1\n");
        strcat(text, "    EXIT\n");
        struct hd_image *img = assemble(text);
        hd_device *d = open_device();
        must(d, launch(d, img, "k", 64), HD_FAULT, "store beside fault");
        assert_int_equal(hd_get_counters(d)->memory_left_out, 0);
        hd_close(d);
        hd_image_free(img);
    }
}

/* Warp 0 faults after n additions while warp 1 adds in every cycle: whenever the fault comes,
 * nothing retires after it. */
static void additions_beside_fault(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 24; n++) {
        char text[8000] = ".text\n.kernel k\n.regs 32\n.param data u64 8\n"
            "    S2R R0, SR_TID_X\n    ISETP.GE.U32.AND P0, R0, 32, PT\n    @P0 BRA adds\n";
        for (unsigned i = 0; i < n; i++)
            sprintf(text + strlen(text), "    IADD R%u, R0, 1\n", 8 + i);
        strcat(text, "    LDG R2, [R6]\nadds:\n");
        for (unsigned i = 0; i < 160; i++)
            sprintf(text + strlen(text), "    IADD R%u, R0, 1\n", 8 + i % 24);
        strcat(text, "    EXIT\n");
        struct hd_image *img = assemble(text);
        hd_device *d = open_device();
        must(d, launch(d, img, "k", 64), HD_FAULT, "additions beside fault");
        hd_close(d);
        hd_image_free(img);
    }
}

/* Each kind of end.  Endless ones store to global and to shared memory, at times both at once. */
static const char kinds[] =
    ".text\n.kernel good\n.regs 16\n.shared 1024\n.param data u64 8\n"
    "    S2R R0, SR_TID_X\n    LDC.64 R4, [RZ]\n    IMAD.W.U32 R6, R0, 4, R4\n    SHL R1, R0, 2\n"
    "    STS [R1], R0\n    STG [R6], R0\n    EXIT\n"
    ".kernel faults\n.regs 16\n.shared 1024\n.param data u64 8\n"
    "    S2R R0, SR_TID_X\n    LDC.64 R4, [RZ]\n    IMAD.W.U32 R6, R0, 4, R4\n    SHL R1, R0, 2\n"
    "    STS [R1], R0\n    STG [R6], R0\n    MOV R8, 0x54321\n    MOV R9, 0x6789a\n"
    "    LDG.U8 R2, [R8]\n    EXIT\n"
    ".kernel stuck\n.regs 16\n.param data u64 8\n    BAR.SYNC B0, 96\n    EXIT\n"
    ".kernel endless\n.regs 16\n.shared 1024\n.param data u64 8\n"
    "    S2R R0, SR_TID_X\n    LDC.64 R4, [RZ]\n    IMAD.W.U32 R6, R0, 4, R4\n    SHL R1, R0, 2\n"
    "more:\n    IADD R2, R2, 1\n    STS [R1], R2\n    STG [R6], R2\n    ATOM.ADD R3, [R6], R2\n"
    "    BRA more\n";

static const struct end { const char *kernel; enum hd_status want; } ends[] = {
    { "good", HD_OK }, { "faults", HD_FAULT }, { "stuck", HD_DEADLOCK }, { "endless", HD_LIMIT },
    { "endless", HD_STOPPED } };
enum { ENDS = sizeof ends / sizeof ends[0] };

static bool stop_at(void *user, const struct hd_commit *c)
{
    return c->seq < *(const uint64_t *)user;
}

static enum hd_status launch_end(hd_device *d, const struct hd_image *img, const struct end *e,
                                 uint64_t stop)
{
    hd_on_commit(d, e->want == HD_STOPPED ? stop_at : NULL, &stop);
    enum hd_status s = launch(d, img, e->kernel, 64);
    hd_on_commit(d, NULL, NULL);
    return s;
}

/* Wherever a grid is stopped, what has retired is in memory and nothing else differs. */
static void stopped_anywhere(void **state)
{
    (void)state;
    struct hd_image *img = assemble(kinds);
    uint64_t left_out = 0;
    for (uint64_t stop = 1; stop < 60; stop++) {
        hd_device *d = open_device();
        must(d, launch_end(d, img, &ends[4], stop), HD_STOPPED, "stop");
        left_out += hd_get_counters(d)->memory_left_out;
        assert_true(hd_get_counters(d)->memory_left_out <= 2 * 128);
        hd_close(d);
    }
    assert_true(left_out > 0);                       /* or no stop met a store at work */
    hd_image_free(img);
}

/* Jumps to the last instruction of a line each, 64 bytes, whose next one is in a line that nobody
 * has fetched: wherever the grid is stopped, fetch does not go on. */
static void stopped_between_lines(void **state)
{
    (void)state;
    char text[16000] = ".text\n.kernel k\n.regs 16\n.param data u64 8\n    BRA l0\n";
    for (unsigned i = 1, line = 0; line < 80; i++)
        if (i % 8 == 0)
            sprintf(text + strlen(text), "    BRA l%u\n", ++line);
        else if (i % 8 == 7)
            sprintf(text + strlen(text), "l%u:\n    NOP\n", line);
        else
            strcat(text, "    NOP\n");
    strcat(text, "l80:\n    EXIT\n");
    struct hd_image *img = assemble(text);
    const struct end stopped = { "k", HD_STOPPED };
    hd_device *d = open_device();
    for (uint64_t seed = 0; seed < 240; seed++) {
        assert_int_equal(hd_reset(d, seed), HD_OK);
        must(d, launch_end(d, img, &stopped, 1 + seed % 60), HD_STOPPED, "stop between lines");
    }
    hd_close(d);
    hd_image_free(img);
}

/* A grid whose first instruction reads a constant is stopped in any cycle while its first line
 * comes: fetch does not ask for the constant when the core has said that it is done. */
static void stopped_at_first_line(void **state)
{
    (void)state;
    struct hd_image *img = assemble(".text\n.kernel k\n.regs 16\n.param data u64 8\n"
                                    "more:\n    LDC.64 R4, [RZ]\n    BRA more\n");
    hd_device *d = open_device();
    for (uint64_t seed = 0; seed < 32; seed++)
        for (uint64_t limit = 1; limit < 24; limit++) {
            assert_int_equal(hd_reset(d, seed), HD_OK);
            hd_set_limit(d, limit);
            must(d, launch(d, img, "k", 1), HD_LIMIT, "stop at the first line");
        }
    hd_close(d);
    hd_image_free(img);
}

/* ---- what must be seen ---- */

struct plant {
    const char *name, *said;
    void (*meddle)(void *user, struct rtl *r);       /* while it runs */
    void (*before)(hd_device *d);                    /* or before */
    unsigned ends;                                   /* bit k: after ends[k] */
};

static void at_buffer(hd_device *d) { d->rtl->bytes[LAUNCH_HEAP + BUFFER - 4] ^= 1; }
static void beside_buffer(hd_device *d) { d->rtl->bytes[LAUNCH_HEAP + BUFFER + 8] ^= 1; }
static void before_buffer(hd_device *d) { d->rtl->bytes[LAUNCH_HEAP - 1] ^= 1; }
static void before_code(hd_device *d) { d->rtl->bytes[LAUNCH_CODE - 5] ^= 1; }
static void model_astray(hd_device *d) { model_memory(d->model)[LAUNCH_DATA + 16] ^= 1; }
static void in_shared(hd_device *d)
{
    static uint8_t all[RTL_SHARED];
    all[RTL_SHARED - 1] = 7;
    rtl_shared_write(d->rtl, all);
}

static void astray(void *u, struct rtl *r)
{
    (void)u;
    for (unsigned i = 0; i < r->mem->wr.n; i++)
        r->mem->wr.t[i].addr = LAUNCH_HEAP + 2 * BUFFER;
}

static void into_code(void *u, struct rtl *r)
{
    (void)u;
    for (unsigned i = 0; i < r->mem->wr.n; i++)
        r->mem->wr.t[i].addr = LAUNCH_CODE;
}

/* The right words to another place of the buffer. */
static void misplaced(void *u, struct rtl *r)
{
    (void)u;
    for (unsigned i = 0; i < r->mem->wr.n; i++)
        r->mem->wr.t[i].addr = LAUNCH_HEAP + BUFFER / 2;
}

static void wrong_word(void *u, struct rtl *r)
{
    (void)u;
    for (unsigned i = 0; i < r->mem->nw; i++)
        r->mem->wbuf[i].d.data[3] = 0x12345;
}

static void nobodys(void *u, struct rtl *r)
{
    (void)u;
    for (unsigned i = 0; i < r->mem->wr.n; i++)
        r->mem->wr.t[i].id = r->mem->wbuf[i].txn_id = 3;
}

static void no_spill(void *u, struct rtl *r)
{
    (void)u;
    for (unsigned i = 0; i < r->mem->wr.n; i++)
        r->mem->wr.t[i].id = r->mem->wbuf[i].txn_id = 8;
}

/* A bit of what the launch port reads; polls look at bit 0 alone. */
static void wrong_bit(void *u, struct rtl *r)
{
    (void)u;
    if (*r->p.rvalid && !r->polling)
        *(uint32_t *)r->p.rdata ^= 1u << 5;
}

static uint64_t silent_since, busy_at;
static void asks_on(void *u, struct rtl *r)
{
    hd_device *d = u;
    if (!d->settling || !axi_idle(r->mem))
        busy_at = r->cycle;                  /* an atomic of 32 lanes may still be at work */
    if (r->cycle > busy_at + 150 && silent_since != d->settling) {
        silent_since = d->settling;
        r->mem->reads++;
    }
}

/* STATUS that says too early that the grid is over. */
static void over(void *u, struct rtl *r)
{
    (void)u;
    if (*r->p.rvalid && r->polling)
        *(uint32_t *)r->p.rdata &= ~1u;
}

static void violates(void *u, struct rtl *r)
{
    (void)u;
    snprintf(r->mem->rules.error, sizeof r->mem->rules.error, "a planted violation");
}

static const struct rtl_calls *true_calls;
static struct rtl_calls meddled;
static void other_lanes(rtl_core *c, unsigned port, struct hd_commit *out)
{
    true_calls->commit(c, port, out);
    if (out->fault)
        out->fault_m ^= 1u << 9;
}

static void other_fault(hd_device *d)
{
    true_calls = d->rtl->calls;
    meddled = *true_calls;
    meddled.commit = other_lanes;
    d->rtl->calls = &meddled;
}

enum { ALL = 31, STORES = 1 | 2 | 8 | 16, BROKEN = ALL & ~1 };
static const struct plant plants[] = {
    { "a byte of a buffer", "final memory differs at 0x10000ffc", NULL, at_buffer, ALL },
    { "a byte after a buffer", "memory beside an area differs at 0x10001008", NULL, beside_buffer,
      ALL },
    { "a byte before a buffer", "memory beside an area differs at 0x0fffffff", NULL, before_buffer,
      ALL },
    { "a byte before the code", "memory beside an area differs at 0x0000fffb", NULL, before_code,
      ALL },
    { "the model's stray byte", "memory beside an area differs at 0x08000010", NULL, model_astray,
      ALL },
    { "a byte of shared memory", "shared memory differs at 0x0000ffff", NULL, in_shared, ALL },
    { "a stray store", "where no store may write", astray, NULL, STORES },
    { "a store into the code", "where no store may write", into_code, NULL, STORES },
    { "a store to another place", "differs", misplaced, NULL, STORES },
    { "a wrong word", "memory differs when its store retires", wrong_word, NULL, STORES },
    { "an ID that no unit has", "which no unit owns", nobodys, NULL, STORES },
    { "tokens that were never spilled", "that no instruction has spilled", no_spill, NULL, STORES },
    { "a wrong register", "after the end, register", wrong_bit, NULL, ALL },
    { "a grid that is over too early", "the RTL says that the grid has ended", over, NULL,
      1 | 8 | 16 },
    { "a broken rule of the memory port", "a planted violation", violates, NULL, ALL },
    { "other lanes at fault", "fault_m: RTL", NULL, other_fault, 2 },
    { "reads after the end", "the core goes on asking memory after the end", asks_on, NULL,
      BROKEN },
};

static void planted(void **state)
{
    (void)state;
    struct hd_image *img = assemble(kinds);
    for (size_t i = 0; i < sizeof plants / sizeof plants[0]; i++)
        for (unsigned e = 0; e < ENDS; e++) {
            const struct plant *p = &plants[i];
            char *said = NULL;
            size_t size = 0;
            if (!(p->ends >> e & 1))
                continue;
            hd_device *d = open_device();
            if (p->before)
                p->before(d);
            d->rtl->meddle = p->meddle;
            d->rtl->meddle_user = d;
            enum hd_status s = launch_end(d, img, &ends[e], 40);
            FILE *f = open_memstream(&said, &size);
            hd_explain(d, f);
            fclose(f);
            if (s != HD_MISMATCH || !strstr(said, p->said))
                fail_msg("%s, %s (%s): %s\n%s", p->name, ends[e].kernel, hd_strerror(ends[e].want),
                         hd_strerror(s), said);
            free(said);
            hd_close(d);
        }
    hd_image_free(img);
}

static void says(hd_device *d, enum hd_status got, const char *want)
{
    char *said = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&said, &size);
    hd_explain(d, f);
    fclose(f);
    if (got != HD_MISMATCH || !strstr(said, want))
        fail_msg("%s: %s, but not `%s'", hd_strerror(got), said, want);
    free(said);
    hd_close(d);
}

/* Of lanes that store to one word the highest comes last, and its value is the one that counts. */
static void last_store(void **state)
{
    (void)state;
    struct hd_image *img = assemble(".text\n.kernel collide\n.regs 16\n.param data u64 8\n"
                                    "    S2R R0, SR_TID_X\n    LDC.64 R4, [RZ]\n"
                                    "    ISETP.LT.U32.AND P0, R0, 20, PT\n"
                                    "    @P0 STG [R4+0xc], R0\n    EXIT\n");
    hd_device *d = open_device();
    d->rtl->meddle = wrong_word;
    d->rtl->meddle_user = d;
    says(d, launch(d, img, "collide", 32), "by lane 19, after lanes 0007ffff:");
    hd_image_free(img);
}

/* A core that stands still with a single warp, in slot 0: the memory never answers. */
static void silent(void *u, struct rtl *r)
{
    (void)u;
    *r->p.mem.rvalid = 0;
}

static void lone_warp_hangs(void **state)
{
    (void)state;
    struct hd_image *img = assemble(kinds);
    struct hd_config cfg = { .kind = HD_LOCKSTEP, .lanes = LANES };
    hd_device *d;
    assert_int_equal(hd_open(&cfg, &d), HD_OK);
    d->rtl->meddle = silent;
    says(d, launch(d, img, "good", 32), "warp slot 0 can run");
    hd_image_free(img);
}

/* A byte of the spill area of a warp. */
static unsigned spill_of;
static void in_spill(void *u, struct rtl *r)
{
    hd_device *d = u;
    r->bytes[LAUNCH_SPILL + spill_of * d->launch.spill_size + 5] = 1;
}

static void spill_areas(void **state)
{
    (void)state;
    struct hd_image *img = assemble(
        ".mode stack\n.text\n.kernel k\n.regs 8\n.param data u64 8\n    EXIT\n");
    for (spill_of = 0; spill_of < LAUNCH_WARPS; spill_of += LAUNCH_WARPS - 1) {
        hd_device *d = open_device();
        d->rtl->meddle = in_spill;
        d->rtl->meddle_user = d;
        says(d, launch(d, img, "k", 64), "final memory differs");
    }
    hd_image_free(img);
}

/* ---- one launch after another ---- */

/* Every end after every other on one core, which is never reset. */
static void one_core(void **state)
{
    (void)state;
    struct hd_image *img = assemble(kinds);
    hd_device *d = open_device();
    uint64_t cycle = 0, stop = 5;
    for (unsigned first = 0; first < ENDS; first++)
        for (unsigned then = 0; then < ENDS; then++) {
            must(d, launch_end(d, img, &ends[first], stop += 3), ends[first].want, "first");
            must(d, launch_end(d, img, &ends[then], stop += 4), ends[then].want, "then");
            assert_true(d->rtl->cycle > cycle);      /* no new core */
            cycle = d->rtl->cycle;
        }
    hd_close(d);
    hd_image_free(img);
}

/* Fills what a warp has, and ends with lanes in barriers; or stores it without having written
 * it. */
static const char fills[] =
    ".text\n.kernel k\n.regs 16\n.barriers 2\n.shared 256\n.param data u64 8\n"
    "    S2R R0, SR_TID_X\n    MOV R1, 0x111\n    MOV R7, 0x777\n    MOV R10, 0xaaa\n"
    "    MOV R11, 0xbbb\n"
    "    ISETP.EQ.U32.AND P0, R0, R0, PT\n    ISETP.EQ.U32.AND P1, R0, R0, PT\n"
    "    ISETP.EQ.U32.AND P5, R0, R0, PT\n    BSSY B0, out\n    BSSY B1, out\n"
    "    ISETP.LT.U32.AND P2, R0, 16, PT\n    @P2 BRA half\n    BSYNC B0\nhalf:\n    %s\nout:\n"
    "    EXIT\n";
static const char shows[] =
    ".text\n.kernel k\n.regs 16\n.barriers 2\n.shared 256\n.param data u64 8\n"
    "    @P0 IADD R10, R10, 1\n    @P1 IADD R10, R10, 2\n    @P5 IADD R10, R10, 4\n"
    "    IADD R10, R10, R7\n"
    "    IADD R10, R10, R11\n    IADD R10, R10, R1\n    S2R R0, SR_TID_X\n    LDC.64 R4, [RZ]\n"
    "    IMAD.W.U32 R6, R0, 4, R4\n    STG [R6], R10\n    BMOV.R R2, B0\n    BMOV.R R3, B1\n"
    "    IADD R2, R2, R3\n"
    "    STG [R6], R2\n    BAR.SYNC B0, 0\n    EXIT\n";

/* Other code at the same address, on the same core. */
static void nothing_leaks(void **state)
{
    (void)state;
    static const struct { const char *last; enum hd_status want; } how[] = {
        { "EXIT", HD_OK }, { "BPT.TRAP", HD_FAULT }, { "BAR.SYNC B0, 128", HD_DEADLOCK } };
    struct hd_image *show = assemble(shows);
    hd_device *d = open_device();
    for (unsigned i = 0; i < 9; i++) {
        char text[2000];
        snprintf(text, sizeof text, fills, how[i % 3].last);
        struct hd_image *fill = assemble(text);
        must(d, launch(d, fill, "k", 64), how[i % 3].want, how[i % 3].last);
        assert_int_equal(hd_unload(d, i), HD_OK);
        must(d, launch(d, show, "k", 64), HD_OK, "shows");
        for (unsigned t = 0; t < 64; t++)
            assert_int_equal(d->rtl->bytes[LAUNCH_HEAP + 4 * t], 0);
        assert_int_equal(hd_unload(d, 2 * i), HD_OK);
        hd_image_free(fill);
    }
    hd_close(d);
    hd_image_free(show);
}

/* Parameters of the launch before are none of the next one's, wherever the core keeps them. */
static void other_parameters(void **state)
{
    (void)state;
    struct hd_image *img = assemble(".text\n.kernel k\n.regs 16\n.param at u64 8\n"
                                    ".param value u32 4\n    LDC.64 R4, [RZ]\n"
                                    "    LDC R6, [RZ+0x8]\n    STG [R4], R6\n    EXIT\n");
    hd_device *d = open_device();
    uint64_t at;
    uint32_t got;
    assert_int_equal(hd_load(d, img), HD_OK);
    assert_int_equal(hd_malloc(d, BUFFER, &at), HD_OK);
    for (uint32_t value = 5; value < 8; value++) {
        uint64_t params[2] = { at, value };
        struct hd_launch l = { .kernel = "k",
                               .grid = { 1, 1, 1 },
                               .block = { 32, 1, 1 },
                               .params = params,
                               .params_size = 12 };
        must(d, hd_launch_grid(d, &l), HD_OK, "other parameters");
        assert_int_equal(hd_read(d, at, &got, sizeof got), HD_OK);
        assert_int_equal(got, value);
    }
    hd_close(d);
    hd_image_free(img);
}

/* Ranges of the launch before are none of the next one's: its last buffer is gone. */
static void fewer_ranges(void **state)
{
    (void)state;
    struct hd_image *img = assemble(
        ".text\n.kernel k\n.regs 16\n.param at u64 8\n    LDC.64 R4, [RZ]\n    LDG R6, [R4]\n"
        "    EXIT\n");
    hd_device *d = open_device();
    uint64_t at[3];
    assert_int_equal(hd_load(d, img), HD_OK);
    for (int i = 0; i < 3; i++)                     /* the middle one keeps them apart, and stays */
        assert_int_equal(hd_malloc(d, 1 << 20, &at[i]), HD_OK);
    uint64_t params[1] = { at[2] };
    struct hd_launch l = { .kernel = "k",
                           .grid = { 1, 1, 1 },
                           .block = { 32, 1, 1 },
                           .params = params,
                           .params_size = sizeof params };
    must(d, hd_launch_grid(d, &l), HD_OK, "the last buffer");
    assert_int_equal(hd_free(d, at[2]), HD_OK);
    must(d, hd_launch_grid(d, &l), HD_FAULT, "the last buffer is gone");
    assert_int_equal(hd_free(d, at[0]), HD_OK);
    must(d, hd_launch_grid(d, &l), HD_FAULT, "the first, too");
    hd_close(d);
    hd_image_free(img);
}

/* A fault without an address after one with an address: the launch's first access to memory is a
 * carrier whose pop finds no token. */
static void address_of_fault(void **state)
{
    (void)state;
    struct hd_image *img = assemble(
        ".mode stack\n.text\n.kernel far\n.regs 16\n.param data u64 8\n"
        "    MOV R8, 0x54321\n    MOV R9, 0x6789a\n    LDG.U8 R2, [R8]\n    EXIT\n"
        ".kernel pops\n.regs 16\n.param data u64 8\n    MOV R4, 0x10000000\n    LDG.S R2, [R4]\n"
        "    EXIT\n");
    hd_device *d = open_device();
    for (int i = 0; i < 3; i++) {
        must(d, launch(d, img, "far", 64), HD_FAULT, "out of range");
        must(d, launch(d, img, "pops", 64), HD_FAULT, "no token");
    }
    hd_close(d);
    hd_image_free(img);
}

/* Two warps in lines of code that share a place in the instruction cache, 16 KiB apart: each takes
 * it from the other all the time, and must never get an instruction of the other's. */
static void code_beyond_cache(void **state)
{
    (void)state;
    enum { AHEAD = 3, CACHE = 16384 / 16, TEXT = 1 << 16 };
    static const char loop[] = "%s:\n    IADD R1, R1, 1\n    IADD R2, R2, %u\n"
        "    ISETP.LT.U32.AND P1, R1, 40, PT\n    @P1 BRA %s\n    STG [R6], R2\n    EXIT\n";
    char *text = calloc(1, TEXT), *at = text;
    at += sprintf(
        at,
        ".text\n.kernel k\n.regs 16\n.param data u64 8\n    S2R R0, SR_TID_X\n    LDC.64 R4, [RZ]\n"
        "    IMAD.W.U32 R6, R0, 4, R4\n    ISETP.GE.U32.AND P0, R0, 32, PT\n    @P0 BRA there\n");
    for (int i = 0; i < AHEAD; i++)
        at += sprintf(at, "    NOP\n");             /* the loops begin with a line */
    at += sprintf(at, loop, "here", 3u, "here");
    for (int i = 6; i < CACHE; i++)
        at += sprintf(at, "    NOP\n");
    sprintf(at, loop, "there", 5u, "there");
    struct hd_image *img = assemble(text);
    hd_device *d = open_device();
    for (uint64_t seed = 0; seed < 12; seed++) {
        must(d, launch(d, img, "k", 64), HD_OK, "code beyond the cache");
        assert_int_equal(hd_reset(d, seed), HD_OK);
    }
    hd_close(d);
    hd_image_free(img);
    free(text);
}

/* CTRL gets a start while the grid runs, in any cycle: nothing happens. */
static void start_while_busy(void **state)
{
    (void)state;
    struct hd_image *img = assemble(kinds);
    hd_device *d = open_device();
    for (uint64_t at = 1; at < 300; at += 7) {
        must(d, launch_again(d, img, ends[0].kernel, 64, at), HD_OK, "start while busy");
        if (at < 100)                                /* later the grid may have ended before */
            assert_int_equal(d->start_again, 0);
    }
    hd_close(d);
    hd_image_free(img);
}

/* A core that was lost is replaced; a reset clears shared memory. */
static void fresh(void **state)
{
    (void)state;
    static uint8_t all[RTL_SHARED], zeros[RTL_SHARED];
    struct hd_image *img = assemble(kinds);
    hd_device *d = open_device();
    d->rtl->meddle = astray;
    assert_int_equal(launch_end(d, img, &ends[0], 0), HD_MISMATCH);
    assert_true(d->lost);
    d->rtl->meddle = NULL;
    for (unsigned e = 0; e < ENDS; e++)
        must(d, launch_end(d, img, &ends[e], 30), ends[e].want, "after a difference");
    assert_int_equal(hd_reset(d, 0), HD_OK);
    rtl_shared_read(d->rtl, all);
    assert_memory_equal(all, zeros, sizeof all);
    assert_memory_equal(model_shared(d->model), zeros, sizeof zeros);
    must(d, launch_end(d, img, &ends[1], 0), HD_FAULT, "after a reset");
    hd_close(d);
    hd_image_free(img);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(store_beside_fault),
                                        cmocka_unit_test(additions_beside_fault),
                                        cmocka_unit_test(stopped_anywhere),
                                        cmocka_unit_test(stopped_between_lines),
                                        cmocka_unit_test(stopped_at_first_line),
                                        cmocka_unit_test(planted), cmocka_unit_test(last_store),
                                        cmocka_unit_test(lone_warp_hangs),
                                        cmocka_unit_test(spill_areas),
                                        cmocka_unit_test(one_core),
                                        cmocka_unit_test(nothing_leaks),
                                        cmocka_unit_test(other_parameters),
                                        cmocka_unit_test(fewer_ranges),
                                        cmocka_unit_test(address_of_fault),
                                        cmocka_unit_test(code_beyond_cache),
                                        cmocka_unit_test(start_while_busy),
                                        cmocka_unit_test(fresh) };
    return cmocka_run_group_tests_name("ends", tests, NULL, NULL);
}
