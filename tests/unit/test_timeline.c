/* The timeline's records: what was gathered is read back, whatever came; buckets hold all of it;
 * and a page on which RTL and model part, for tests/view/timeline.sh (test_timeline --difference
 * FILE).
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "harness/view/timeline.h"

enum { WARPS = 70, COMMITS = 3 * TIMELINE_CHUNK };

static bool add(struct timeline *t, const struct hd_commit *c)
{
    struct view_commit v;
    view_of(&v, c);
    return timeline_add(t, &v);
}

static uint64_t state;
static uint32_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

/* A record that no kernel need ever make: every field that the timeline looks at is drawn. */
static struct hd_commit commit(uint64_t i, uint64_t cycle, unsigned warps)
{
    struct hd_commit c = {
        .seq = i, .cycle = cycle, .block = draw() % warps * 1000003u, .warp = (uint16_t)(draw() % 2)
    };
    c.pc = draw() % 4 ? (uint32_t)(i % 500) * 16 : (draw() & 0x7ffff0);
    c.active = draw() % 3 ? 0xffffffff : draw();
    c.exec = draw() % 2 ? c.active : c.active & draw();
    c.live = c.active | draw();
    for (unsigned l = 0; l < HD_LANES; l++) {
        c.npc[l] = draw() % 8 ? 0x40 : draw() & 0x7ffff0;
        c.wait[l] = (uint8_t)(draw() % 8 ? 0x10 : draw() % 0x30);
    }
    if (draw() % 5 == 0) {
        c.conv = 1;
        c.bx = draw() & 15;
        c.bbefore = draw();
        c.bafter = draw();
    }
    c.released = draw() % 7 ? 0 : draw();
    c.gaveway = draw() % 50 == 0;
    c.pushed = draw() % 9 == 0;
    c.spilled = draw() % 90 == 0;
    c.depth = c.pushed || c.spilled ? draw() : 0;
    return c;
}

static void check_record(const struct timeline_reader *r, const struct hd_commit *c)
{
    uint32_t seen = 0;
    assert_true(r->time == c->cycle && r->pc == c->pc && r->active == c->active &&
                r->exec == c->exec);
    for (unsigned k = 0; k < r->ngroups; k++)
        for (unsigned l = 0; l < HD_LANES; l++)
            if (r->group[k].mask >> l & 1) {
                assert_int_equal(r->group[k].pc, c->npc[l]);
                assert_int_equal(r->group[k].wait,
                                 c->wait[l] == HD_WAIT_NONE ? HD_WAIT_READY : c->wait[l]);
                seen |= 1u << l;
            }
    assert_int_equal(seen, c->live & ~c->active);
    assert_int_equal(!!(r->events & TL_BARRIER), c->conv);
    if (c->conv)
        assert_true(r->bx == c->bx && r->before == c->bbefore && r->after == c->bafter);
    assert_int_equal(r->released, c->released);
    assert_int_equal(!!(r->events & TL_GAVEWAY), c->gaveway);
    if (c->pushed || c->spilled)
        assert_int_equal(r->depth, c->depth);
}

/* Each warp's commits come back in their order. */
static void test_round_trip(void **unused)
{
    (void)unused;
    struct timeline t = { 0 };
    struct hd_commit *all = calloc(COMMITS, sizeof *all);
    uint64_t cycle = 0, lanes = 0, n = 0;
    state = 1;
    for (uint64_t i = 0; i < COMMITS; i++) {
        cycle += draw() % 100 ? draw() % 3 : draw() % 100000;
        all[i] = commit(i, cycle, i < 5000 ? WARPS : 1);    /* later one block alone: chunks fill */
        lanes += (unsigned)__builtin_popcount(all[i].active);
        assert_true(add(&t, &all[i]));
    }
    assert_true(timeline_end(&t));
    assert_int_equal(t.n, COMMITS);
    bool several = false;
    for (size_t w = 0; w < t.nwarps; w++) {
        const struct timeline_warp *p = &t.warp[w];
        uint64_t i = 0, in_buckets = 0;
        several |= p->nchunks > 1;
        for (size_t k = 0; k < p->nchunks; k++) {
            struct timeline_reader r;
            assert_true(timeline_read(&r, &p->chunk[k]));
            for (uint32_t m = 0; m < p->chunk[k].n; m++, i++, n++) {
                while (all[i].block != p->block || all[i].warp != p->warp)
                    i++;
                assert_true(timeline_next(&r));
                assert_true(m || r.time == p->chunk[k].first);
                check_record(&r, &all[i]);
            }
            assert_false(timeline_next(&r));
            timeline_done(&r);
        }
        for (unsigned k = 0; k < TIMELINE_BUCKETS; k++) {
            in_buckets += p->bucket[k].n;
            lanes -= p->bucket[k].lanes;
        }
        assert_int_equal(in_buckets, p->n);
    }
    assert_true(several);
    assert_int_equal(n, COMMITS);
    assert_int_equal(lanes, 0);
    timeline_free(&t);
    free(all);
}

/* A group splits where its lanes go on at two places, and only there. */
static void test_divergence(void **unused)
{
    (void)unused;
    struct timeline t = { 0 };
    struct hd_commit c = { .active = 0xf, .exec = 0xf, .live = 0xff, .next_active = 3 };
    c.npc[0] = c.npc[1] = 16;
    c.npc[2] = c.npc[3] = 32;
    assert_true(add(&t, &c));
    c.npc[2] = c.npc[3] = 16;
    assert_true(add(&t, &c));
    c.live = 0xfd;                                   /* a lane that has ended goes nowhere */
    c.npc[1] = 0;
    assert_true(add(&t, &c));
    assert_int_equal(t.diverged, 1);
    assert_true(timeline_end(&t));
    timeline_free(&t);
}

/* What lanes that live are left in, after the last commit of their warp. */
static void test_left(void **unused)
{
    (void)unused;
    struct timeline t = { 0 };
    struct timeline_group g[VIEW_LANES];
    struct hd_commit c = { .active = 0xf, .exec = 0xf, .live = 0xf, .next_active = 0xf };
    assert_true(add(&t, &c));
    c.live = 7;
    c.next_active = 4;
    c.npc[0] = c.npc[1] = 48;
    c.npc[2] = 16;
    c.wait[0] = HD_WAIT_BARRIER + 3;
    c.wait[1] = HD_WAIT_BLOCK;
    assert_true(add(&t, &c));
    assert_true(timeline_end(&t));
    assert_int_equal(timeline_left(&t.warp[0], g), 3);
    assert_true(g[0].mask == 1 && g[0].pc == 48 && g[0].wait == HD_WAIT_BARRIER + 3);
    assert_true(g[1].mask == 2 && g[1].pc == 48 && g[1].wait == HD_WAIT_BLOCK);
    assert_true(g[2].mask == 4 && g[2].pc == 16 && g[2].wait == HD_WAIT_READY);
    timeline_free(&t);
}

static int difference(const char *path)
{
    struct timeline t = { 0 };
    struct timeline_insn insn[8];
    struct timeline_page p = { .title = "planted difference",
                               .status = "RTL and model differ: npc",
                               .field = "npc",
                               .insn = insn,
                               .ninsns = 8 };
    struct hd_commit c = { .active = ~0u, .exec = ~0u, .live = ~0u, .next_active = ~0u }, m;
    for (unsigned i = 0; i < 8; i++) {
        static char text[8][8], file[] = "k.cu", none[] = "";
        snprintf(text[i], sizeof text[i], "OP%u", i);
        insn[i] = (struct timeline_insn){ i * 16, i + 1, text[i], file, none };
    }
    for (unsigned i = 0; i < 60; i++) {
        c.seq = c.cycle = i;
        c.pc = i % 8 * 16;
        add(&t, &c);
    }
    c.cycle = 60;
    m = c;
    c.active = 0xffff;
    m.active = 0xffff0000;
    for (unsigned l = 0; l < HD_LANES; l++)
        c.npc[l] = m.npc[l] = 48;
    p.rtl = &c;
    p.model = &m;
    FILE *out = fopen(path, "w");
    bool ok = out && timeline_end(&t) && timeline_html(&t, &p, out) && fclose(out) == 0;
    timeline_free(&t);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "--difference"))
        return difference(argv[2]);
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_round_trip),
                                        cmocka_unit_test(test_divergence),
                                        cmocka_unit_test(test_left) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
