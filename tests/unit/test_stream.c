/* Streams of warp events: what is written is read; what is damaged is refused.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "stream/stream.h"

static const char header[] = "core test\nlanes 64\nwarps 1024\nword 16\nmemory ordered\n"
#define E(name, sentence) "reports " #name " here\n"
#define F(event, member)
    HS_EVENTS(E, F);
#undef E
#undef F

static uint64_t random64(void)
{
    static uint64_t s = 0x9e3779b97f4a7c15ull;
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    return s;
}

/* Small, large and repeated numbers alike. */
static uint64_t some(void)
{
    const uint64_t r = random64();
    return r & 3 ? random64() >> (r >> 8 & 63) : 5;
}

static void random_lanes(uint64_t v[HS_LANES])
{
    const uint64_t how = random64() % 3, first = some(), step = some();
    for (unsigned l = 0; l < HS_LANES; l++)
        v[l] = how == 2 ? some() : first + (how ? step * l : 0);
}

static void random_event(struct hs_event *e)
{
    static const uint32_t sizes[] = { 1, 2, 4, 8, 16 };
    memset(e, 0, sizeof *e);
    e->kind = 1 + (uint32_t)(random64() % (HS_KINDS - 1));
    e->cycle = some(), e->n = some(), e->pc = some(), e->active = some(), e->exec = some(),
    e->mask = some();
    e->warp = (uint32_t)random64() % HS_WARPS, e->by = random64() % HS_WARPS;
    e->bits = some(), e->block = some(), e->index = some(), e->token = some(), e->to = some(),
    e->why = some();
    e->barrier = some(), e->generation = some();
    e->last = e->busy = 1, e->reg = (uint32_t)some(), e->space = 2, e->need = (uint32_t)some(),
    e->count = 3;
    e->op = 1 + (uint32_t)(random64() % 3), e->size = sizes[random64() % 5],
    e->data = random64() & 1 ? e->size : 0;
    for (unsigned k = 0; k < HS_WORD; k++)
        e->word[k] = (uint8_t)random64();
    for (unsigned k = 0; k < HS_WARPS / 64; k++)
        e->warps[k] = random64() & random64() & random64();
    random_lanes(e->addr), random_lanes(e->val), random_lanes(e->high);
    snprintf(e->name, sizeof e->name, "kernel %u", (unsigned)some());
}

/* The same bytes alone: every member that the event has. */
static void assert_same(struct hs_event *a, struct hs_event *b)
{
    static uint8_t x[HS_ALONE], y[HS_ALONE];
    assert_int_equal(a->kind, b->kind);
    const uint8_t *f = hs_fields(a->kind);
    if (*f == HS_M_cycle)
        assert_true(a->cycle == b->cycle);
    for (; *f != HS_MEMBER_COUNT; f++) {
        if (*f == HS_M_warp)
            assert_int_equal(a->warp, b->warp);
        if (*f == HS_M_n)
            assert_true(a->n == b->n);
    }
    const size_t n = hs_pack(a, x, 16);
    assert_true(n == hs_pack(b, y, 16) && !memcmp(x, y, n));
}

enum { EVENTS = 3000 };
static struct hs_event sent[EVENTS];
static char *bytes;
static size_t size;

/* EVENTS random ones, in several chunks. */
static int write_all(void **state)
{
    static struct hs_writer w;
    FILE *out = open_memstream(&bytes, &size);
    (void)state;
    hs_begin(&w, out, header);
    for (unsigned k = 0; k < EVENTS; k++) {
        random_event(&sent[k]);
        hs_put(&w, &sent[k]);
        if (k % 700 == 699)
            hs_flush(&w);
    }
    assert_int_equal(hs_end(&w), 0);
    fclose(out);
    return 0;
}

static int free_all(void **state)
{
    (void)state;
    free(bytes);
    return 0;
}

static void test_written_is_read(void **state)
{
    char error[HS_ERROR] = "";
    static struct hs_event e;
    FILE *in = fmemopen(bytes, size, "r");
    struct hs_reader *r = hs_open(in, error);
    (void)state;
    assert_non_null(r);
    assert_int_equal(hs_header_of(r)->lanes, 64);
    for (unsigned k = 0; k < EVENTS; k++) {
        if (hs_read(r, &e, error) != 1)
            fail_msg("event %u: %s", k, error);
        struct hs_event copy = sent[k];
        assert_same(&copy, &e);
    }
    assert_int_equal(hs_read(r, &e, error), 0);
    assert_int_equal(hs_read(r, &e, error), 0);
    hs_close(r);
    fclose(in);
}

static void test_text_is_the_same(void **state)
{
    char *text, error[HS_ERROR] = "";
    size_t n;
    struct hs_header h = { 0 };
    static struct hs_event e;
    (void)state;
    h.lanes = 64, h.warps = HS_WARPS, h.word_bytes = 16;
    for (unsigned k = 0; k < EVENTS; k++) {
        FILE *out = open_memstream(&text, &n);
        hs_print(&h, &sent[k], out);
        fclose(out);
        text[n - 1] = 0;
        if (!hs_parse(&h, text, &e, error))
            fail_msg("%s: %s", text, error);
        struct hs_event copy = sent[k];
        assert_same(&copy, &e);
        free(text);
    }
}

/* A set of warps is refused from the first that there is not, in whatever word of it that is. */
static void test_warps_beyond(void **state)
{
    char error[HS_ERROR], want[64];
    struct hs_header h = { .lanes = 4 };
    (void)state;
    strcpy(h.place[HS_K_release], "control");
    for (h.warps = 1; h.warps <= HS_WARPS; h.warps++)
        for (unsigned k = 0; k < HS_WARPS; k++) {
            struct hs_event e = { .kind = HS_K_release };
            e.warps[k / 64] = 1ull << k % 64;
            sprintf(want, "release: warp %u of %u", k, h.warps);
            assert_int_equal(hs_legal(&h, &e, error), k < h.warps);
            if (k >= h.warps)
                assert_string_equal(error, want);
        }
}

/* Reads a stream to its end: 1; or to where it is refused: 0, with an offset in the message. */
static int whole(const char *data, size_t n)
{
    char error[HS_ERROR] = "";
    static struct hs_event e;
    FILE *in = n ? fmemopen((void *)(uintptr_t)data, n, "r") : fopen("/dev/null", "r");
    struct hs_reader *r = hs_open(in, error);
    int got = r ? 1 : -1;
    while (got > 0)
        got = hs_read(r, &e, error);
    hs_close(r);
    fclose(in);
    if (got < 0)
        assert_true(!strncmp(error, "offset ", 7) || !strncmp(error, "line ", 5));
    return got == 0;
}

static void test_cut_off(void **state)
{
    (void)state;
    assert_true(whole(bytes, size));
    for (size_t n = 0; n < size; n += n < 400 || n + 400 > size ? 1 : 251)
        assert_false(whole(bytes, n));
}

/* A byte changed anywhere but in the index, which nobody needs, is noticed. */
static size_t find_index(void)
{
    for (size_t k = 8; k + 9 <= size; k += 9 + (size_t)(uint8_t)bytes[k + 1] +
                                           ((size_t)(uint8_t)bytes[k + 2] << 8) +
                                           ((size_t)(uint8_t)bytes[k + 3] << 16))
        if (bytes[k] == 'I')
            return k;
    fail_msg("there is no index");
    return 0;
}

static void test_damaged(void **state)
{
    (void)state;
    for (size_t k = 0; k < size; k += k < 500 || k + 500 > size ? 1 : 241)
        for (unsigned bit = 0; bit < 8; bit += 3) {
            bytes[k] = (char)(bytes[k] ^ 1 << bit);
            if (whole(bytes, size))
                fail_msg("byte %zu, bit %u of %zu bytes: not noticed", k, bit, size);
            bytes[k] = (char)(bytes[k] ^ 1 << bit);
        }
}

/* An index whose checksum is right, but which says that a chunk lies elsewhere, or begins with
 * another event. */
static void test_wrong_index(void **state)
{
    const size_t at = find_index(), n = size - 17 - (at + 9);
    (void)state;
    assert_true(n >= 4 * 24);
    for (unsigned column = 0; column < 16; column += 8) {
        char *entry = bytes + at + 9 + 24 + column;
        for (unsigned k = 0; k < 2; k++) { /* and back again */
            *entry = (char)(*entry ^ 4);
            const uint32_t sum = hs_adler((const uint8_t *)bytes + at + 9, n);
            for (unsigned i = 0; i < 4; i++)
                bytes[at + 5 + i] = (char)(sum >> 8 * i);
            assert_int_equal(whole(bytes, size), k);
        }
    }
}

/* Payloads that are random, with checksums that are right: no more than refused. */
static void test_nonsense(void **state)
{
    static uint8_t chunk[600];
    (void)state;
    for (unsigned k = 0; k < 3000; k++) {
        static struct hs_writer w;
        char *data;
        size_t n, m = 1 + random64() % sizeof chunk;
        FILE *out = open_memstream(&data, &n);
        for (size_t i = 0; i < m; i++)
            chunk[i] = (uint8_t)(random64() & 3 ? random64() % 24 : random64());
        hs_begin(&w, out, header);
        hs_bytes(&w, 'E', chunk, m);
        hs_end(&w);
        fclose(out);
        assert_false(whole(data, n));
        free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_is_read), cmocka_unit_test(test_text_is_the_same),
        cmocka_unit_test(test_cut_off),         cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_nonsense),        cmocka_unit_test(test_warps_beyond),
        cmocka_unit_test(test_wrong_index),
    };
    return cmocka_run_group_tests(tests, write_all, free_all);
}
