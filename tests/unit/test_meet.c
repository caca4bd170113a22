/* Every pair of kinds of access by two blocks, in one worker and in two, at every overlap: whether
 * they meet, by a rule of its own; and the same pairs as kernels on threads, whose memory, counters
 * and end are those of blocks in turn.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/image/asm.h"
#include "cmodel/fast/meet.h"
#include "cmodel/fast/fast.h"

/* ---- the table ---- */

enum { LOAD, STORE, ADD, MAX, XOR, EXCH, SEEN, OPS };
struct kind { int op; uint32_t size; const char *text; };       /* text: %u is the offset from R4 */
static const struct kind kinds[] = {
    { LOAD, 1, "LDG.U8 R20, [R4+%u]" },  { LOAD, 2, "LDG.U16 R20, [R4+%u]" },
    { LOAD, 4, "LDG R20, [R4+%u]" },     { LOAD, 8, "LDG.64 R20, [R4+%u]" },
    { LOAD, 16, "LDG.128 R20, [R4+%u]" },
    { STORE, 1, "STG.U8 [R4+%u], R12" }, { STORE, 2, "STG.U16 [R4+%u], R12" },
    { STORE, 4, "STG [R4+%u], R12" },    { STORE, 8, "STG.64 [R4+%u], R12" },
    { STORE, 16, "STG.128 [R4+%u], R12" },
    { LOAD, 4, "LD R20, [R4+%u]" },      { STORE, 4, "ST [R4+%u], R12" },
    { ADD, 4, "ATOMG.ADD RZ, [R4+%u], R12" },    { ADD, 8, "ATOMG.ADD.64 RZ, [R4+%u], R12" },
    { MAX, 4, "ATOMG.MAXU RZ, [R4+%u], R12" },   { XOR, 4, "ATOM.XOR RZ, [R4+%u], R12" },
    { XOR, 8, "ATOMG.XOR.64 RZ, [R4+%u], R12" }, { EXCH, 4, "ATOMG.EXCH RZ, [R4+%u], R12" },
    { SEEN, 4, "ATOMG.ADD R20, [R4+%u], R12" },
};
enum { KINDS = sizeof kinds / sizeof *kinds };
/* Bytes from the first access to the second. */
static const uint32_t distances[] = { 0, 1, 2, 4, 8, 12, 16, 64, 4096 };
enum { DISTANCES = sizeof distances / sizeof *distances };

static bool commutes(const struct kind *k) { return k->op == ADD || k->op == MAX || k->op == XOR; }

static bool legal(const struct kind *b, uint32_t distance)
{
    return distance % b->size == 0;
}

/* Whether two blocks' accesses meet: some word is both's, unless both read, or both change it by
 * one and the same atomic whose old value nobody sees. */
static bool meet_by_rule(const struct kind *a, const struct kind *b, uint32_t distance)
{
    const bool same_words = distance / 4 <= (a->size - 1) / 4;      /* the second begins later */
    const bool both_read = a->op == LOAD && b->op == LOAD;
    const bool same_atomic = commutes(a) && a->op == b->op && a->size == b->size;
    return same_words && !both_read && !same_atomic;
}

/* ---- the notes of workers ---- */

enum { SPACE = 1 << 20, LANE = 5 };

static bool note(struct meet *t, const struct kind *k, uint64_t at, bool row)
{
    struct access x = { .size = k->size, .write = k->op != LOAD, .atomic = k->op >= ADD,
                        .space = SPACE_GLOBAL, .stride = 4 };
    const uint32_t atom = commutes(k) ? 1 + 2 * (uint32_t)k->op + (k->size == 8) : 0;
    for (unsigned l = 0; l < HD_LANES; l++)
        x.addr[l] = x.off[l] = row ? at + 4 * l : at;
    return meet_access(t, &x, row ? ~0u : 1u << LANE, atom, 0);
}

static struct meet workers[2];
static struct meet_pages pages;

static void fresh(void)
{
    meet_pages_end(&pages, false);
    for (int w = 0; w < 2; w++)
        meet_begin(&workers[w], true);
    workers[0].block = workers[1].block = 1;
}

/* The second access is by the other worker, or by this one's next block; rows: the first in the
 * middle of a row of words. */
static bool met(const struct kind *a, const struct kind *b, uint32_t distance, bool two, bool rows)
{
    const struct meet *both[] = { &workers[0], &workers[1] };
    const uint64_t at = 8192;
    struct meeting m = { 0 };
    fresh();
    assert_true(note(&workers[0], a, rows ? at - 64 : at, rows && a->size == 4 && a->op < ADD));
    if (!two)
        workers[0].block++;
    assert_true(note(&workers[two], b, at + distance, false));
    if (workers[0].meeting.what || workers[1].meeting.what)
        return true;
    return !meet_apart(both, 2, &m);
}

static void all_notes(void **state)
{
    static uint8_t memory[SPACE];
    unsigned tried = 0, meetings = 0;
    (void)state;
    assert_true(meet_pages_open(&pages, memory, SPACE));
    for (int w = 0; w < 2; w++)
        assert_true(meet_open(&workers[w], &pages, SPACE + WINDOW_SIZE * (uint64_t)w));
    for (unsigned a = 0; a < KINDS; a++)
        for (unsigned b = 0; b < KINDS; b++)
            for (unsigned d = 0; d < DISTANCES; d++)
                for (unsigned how = 0; how < 4 && legal(&kinds[b], distances[d]); how++) {
                    const bool two = how & 1, rows = how & 2;
                    if (rows && (kinds[a].size != 4 || kinds[a].op >= ADD || distances[d] > 60))
                        continue;
                    struct kind wide = kinds[a];
                    if (rows)
                        wide.size = 64;              /* the rest of the row */
                    const bool want = meet_by_rule(&wide, &kinds[b], distances[d]);
                    if (met(&kinds[a], &kinds[b], distances[d], two, rows) != want)
                        fail_msg("%s, then %u bytes on %s by %s%s: %s", kinds[a].text, distances[d],
                                 kinds[b].text, two ? "another worker" : "another block",
                                 rows ? ", a row" : "", want ? "must meet" : "must not meet");
                    tried++;
                    meetings += want;
                }
    for (int w = 0; w < 2; w++)
        meet_close(&workers[w]);
    meet_pages_close(&pages);
    print_message("pairs of accesses: %u, meetings %u\n", tried, meetings);
    assert_true(tried > 3000 && meetings > 1000 && meetings < tried);
}

/* What two blocks of a worker have read, neither may change, nor may a third one's worker. */
static void read_by_many(void **state)
{
    static uint8_t memory[SPACE];
    const struct meet *both[] = { &workers[0], &workers[1] };
    struct meeting m;
    (void)state;
    assert_true(meet_pages_open(&pages, memory, SPACE));
    for (int w = 0; w < 2; w++)
        assert_true(meet_open(&workers[w], &pages, SPACE + WINDOW_SIZE * (uint64_t)w));
    for (unsigned a = 0; a < KINDS; a++)
        for (unsigned how = 0; how < 16; how++) {
            const bool row = how & 1, first = how & 2, two = how & 4, row2 = how & 8;
            const bool rows = row && kinds[a].size == 4 && kinds[a].op < ADD;
            fresh();
            assert_true(note(&workers[0], &kinds[2], 8192, row2));
            workers[0].block++;
            assert_true(note(&workers[0], &kinds[2], 8192, row2));
            workers[0].block -= first;
            assert_true(note(&workers[two], &kinds[a], 8192, rows));
            const bool meets = workers[0].meeting.what || workers[1].meeting.what ||
                               !meet_apart(both, 2, &m);
            if (meets != (kinds[a].op != LOAD))
                fail_msg("%s, after two blocks have read it, by %s", kinds[a].text,
                         two ? "another worker" : first ? "the first block" : "the second block");
        }
    for (int w = 0; w < 2; w++)
        meet_close(&workers[w]);
    meet_pages_close(&pages);
}

/* A block's own memory: it may read what it has written itself, word by word, and nothing else. */
static void own_memory(void **state)
{
    static uint8_t memory[SPACE];
    (void)state;
    assert_true(meet_pages_open(&pages, memory, SPACE));
    assert_true(meet_open(&workers[0], &pages, SPACE) && meet_open(&workers[1], &pages, SPACE * 4));
    for (unsigned a = 0; a < KINDS; a++)
        for (unsigned b = 0; b < KINDS; b++)
            for (unsigned next = 0; next < 2; next++) {
                const bool reads_first = kinds[a].op != STORE, reads = kinds[b].op != STORE;
                const bool covers =
                    kinds[a].op == STORE && (kinds[b].size + 3) / 4 <= (kinds[a].size + 3) / 4;
                fresh();
                note(&workers[0], &kinds[a], SPACE + 4096, false);
                if (!!workers[0].meeting.what != reads_first)
                    fail_msg("%s of own memory, first: %s", kinds[a].text, workers[0].meeting.what);
                if (reads_first)
                    continue;
                workers[0].block += next;
                note(&workers[0], &kinds[b], SPACE + 4096, false);
                if (!!workers[0].meeting.what != (reads && (next || !covers)))
                    fail_msg("%s, then %s of own memory by %s block", kinds[a].text, kinds[b].text,
                             next ? "another" : "the same");
            }
    for (int w = 0; w < 2; w++)
        meet_close(&workers[w]);
    meet_pages_close(&pages);
}

/* ---- kernels ---- */

#ifndef __SANITIZE_THREAD__
enum { BLOCKS = 6, JOBS = 3, BYTES = 16384, MOST = 8192 };
static const struct launch_limits core = {
    .warps = 8, .regs = 64, .shared_bytes = 4096, .stack_depth = 4, .addr_bits = 32
};
struct outcome {
    enum hd_status status;
    struct hd_counters count;
    unsigned together;
    uint8_t memory[BYTES];
};

/* Blocks of even number do a, of odd number b, each warp's first lane; those of the highest number,
 * which are begun last, go on for the longest time. */
static struct hd_image *kernel(const struct kind *a, const struct kind *b, uint32_t distance)
{
    char text[1024], first[64], second[64];
    struct hd_err err = { 0 };
    struct hd_image *img = NULL;
    snprintf(first, sizeof first, a->text, 256u);
    snprintf(second, sizeof second, b->text, 256 + distance);
    snprintf(text, sizeof text,
             ".text\n.kernel k\n.regs 32\n.param p u64 8\n"
             "    S2R R1, SR_CTAID_X\n    LDC.64 R4, [RZ]\n    IMAD R12, R1, 0x9e3779b1, R1\n"
             "    MOV R13, R1\n    MOV R14, R12\n    MOV R15, 5\n    MOV R20, 0\n    MOV R21, 0\n"
             "    LOP.AND R2, R1, 1\n    ISETP.EQ.U32.AND P0, R2, 0, PT\n    @P0 BRA even\n"
             "    %s\n    BRA on\neven:\n    %s\non:\n"
             "    IMAD.W.U32 R8, R1, 8, R4\n    STG [R8+%u], R20\n    EXIT\n", second, first, MOST);
    if (hd_asm("test", text, &img, &err))
        fail_msg("%s", err.text);
    return img;
}

static void run(struct model *m, const struct hd_image *img, unsigned jobs, struct outcome *o)
{
    const uint64_t buffer = LAUNCH_HEAP;
    const struct hd_launch l = { .grid = { BLOCKS, 1, 1 }, .block = { 1, 1, 1 },
                                 .params = &buffer, .params_size = sizeof buffer };
    struct launch k;
    char why[200];
    struct fast_jobs reason;
    assert_int_equal(launch_load(model_memory(m), img, why, sizeof why), HD_OK);
    assert_int_equal(launch_prepare(&k, model_memory(m), img, &l, &core, why, sizeof why), HD_OK);
    assert_true(launch_add_range(&k, LAUNCH_HEAP, BYTES, true));
    assert_true(model_load(m, k.code_base, k.code_size, false));
    for (unsigned i = 0; i < BYTES; i++)
        model_memory(m)[LAUNCH_HEAP + i] = (uint8_t)(i * 7);
    model_launch(m, &k);
    memset(o, 0, sizeof *o);
    o->status = fast_run(m, &(struct fast_run){ .jobs = jobs });
    o->count = *model_counters(m);
    o->together = fast_jobs(m, &reason);
    memcpy(o->memory, model_memory(m) + LAUNCH_HEAP, BYTES);
}

/* Whether even blocks among themselves, odd ones, or one of each meet. */
static bool blocks_meet(const struct kind *a, const struct kind *b, uint32_t distance)
{
    return meet_by_rule(a, b, distance) || meet_by_rule(a, a, 0) || meet_by_rule(b, b, 0);
}

static void all_kernels(void **state)
{
    static struct outcome turn, jobs;
    struct model *m = fast_new(&core);
    unsigned together = 0, in_turn = 0;
    (void)state;
    assert_non_null(m);
    for (unsigned a = 0; a < KINDS; a++)
        for (unsigned b = 0; b < KINDS; b++)
            for (unsigned d = 0; d < DISTANCES; d += 1 + (a + b) % 3) {
                if (!legal(&kinds[b], distances[d]))
                    continue;
                struct hd_image *img = kernel(&kinds[a], &kinds[b], distances[d]);
                run(m, img, 1, &turn);
                run(m, img, JOBS, &jobs);
                /* an exchange may not be reordered, so its kernel never runs at the same time */
                const bool scanned = kinds[a].op >= EXCH || kinds[b].op >= EXCH;
                const bool want = !scanned && !blocks_meet(&kinds[a], &kinds[b], distances[d]);
                if ((jobs.together > 1) != want || turn.status != jobs.status ||
                    memcmp(&turn.count, &jobs.count, sizeof turn.count) ||
                    memcmp(turn.memory, jobs.memory, BYTES))
                    fail_msg("%s, and %u bytes on %s: on %u threads, %s", kinds[a].text,
                             distances[d], kinds[b].text, jobs.together,
                             want ? "must be apart" : "must meet, or the same");
                together += want;
                in_turn += !want;
                hd_image_free(img);
            }
    model_free(m);
    print_message("kernels of two accesses: at the same time %u, in turn %u\n", together, in_turn);
    assert_true(together > 30 && in_turn > 200);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_notes),
        cmocka_unit_test(read_by_many),
        cmocka_unit_test(own_memory),
#ifndef __SANITIZE_THREAD__
        cmocka_unit_test(all_kernels),
#endif
    };
    return cmocka_run_group_tests_name("meet", tests, NULL, NULL);
}
