/* What commits leave of a warp, against the model that made them: random kernels of both modes,
 * after every commit.  And the names: groups keep theirs, events say what happened.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "harness/device/device.h"
#include "harness/fuzz/fuzz_prog.h"
#include "harness/view/lanes.h"

enum { KERNELS = 400, LIMIT = 3000 };

struct check {
    hd_device *d;
    struct lanes lanes[LAUNCH_WARPS];
    uint64_t commits, blocked, released, deep, spilled, gave, parted;
};

static bool compare(void *user, const struct hd_commit *c)
{
    struct check *k = user;
    struct lanes *w = &k->lanes[c->slot];
    struct warp_view v;
    unsigned events = lanes_commit(w, c);
    k->commits++;
    assert_int_equal(events == LANES_FAULT, c->fault != 0);
    if (c->fault)
        return true;
    model_view(k->d->model, c->slot, &v);
    if (!v.used) {
        assert_int_equal(w->live, 0);
        return true;
    }
    assert_int_equal(w->active, v.active);
    assert_int_equal(w->live, v.live);
    assert_true(!v.active || lanes_pc(w) == v.pc);
    for (unsigned l = 0; l < HD_LANES; l++) {        /* of a lane in a token the record has no PC */
        assert_true(w->wait[l] == HD_WAIT_STACK || w->npc[l] == v.npc[l]);
        assert_int_equal(w->wait[l], v.wait[l]);
    }
    assert_int_equal(w->depth, v.depth);
    for (unsigned b = 0; b < HD_BARRIERS && !k->d->image->stack_mode; b++) {
        assert_int_equal(w->barrier[b], v.barrier[b]);
        assert_int_equal(lanes_arrived(w, b), v.arrived[b]);
    }
    for (unsigned i = 0; i < HD_LANES; i++)          /* one letter: one PC, one reason to wait */
        for (unsigned l = 0; l < HD_LANES; l++)
            if (w->live >> i & w->live >> l & 1)
                assert_int_equal(w->group[i] == w->group[l],
                                 w->npc[i] == w->npc[l] && w->wait[i] == w->wait[l]);
    if (w->spilled)
        assert_true(w->spilled <= w->depth && w->spilled % 4 == 0);
    k->blocked += !!(events & LANES_BLOCK);
    k->released += !!(events & LANES_RELEASE);
    k->gave += !!(events & LANES_GIVEWAY);
    k->parted += !!(events & LANES_DIVERGE);
    k->spilled += !!(events & LANES_SPILL);
    k->deep += w->depth > 16;
    return true;
}

static void one_kernel(struct check *k, struct fuzz_case *c)
{
    static const uint32_t bytes[3] = { FUZZ_IN, FUZZ_MAX_THREADS * FUZZ_SLOT, FUZZ_SUM };
    uint64_t params[3];
    assert_int_equal(hd_reset(k->d, 0), HD_OK);
    assert_int_equal(hd_load(k->d, c->img), HD_OK);
    for (int i = 0; i < 3; i++) {
        uint64_t at;
        assert_int_equal(hd_malloc(k->d, bytes[i], &at), HD_OK);
        params[i] = at;
    }
    struct hd_launch l = {
        .grid = c->grid, .block = c->block, .params = params, .params_size = sizeof params
    };
    for (unsigned i = 0; i < LAUNCH_WARPS; i++)
        lanes_free(&k->lanes[i]);
    hd_on_commit(k->d, compare, k);
    assert_true(hd_launch_grid(k->d, &l) <= HD_STOPPED);
}

static struct check check_mode(bool stack_mode)
{
    struct fuzz_choice f = { .frame = { .stack_mode = stack_mode, .lanes = 32, .stack_depth = 4 },
                             .level = FUZZ_MACHINE };
    struct hd_config cfg = { .kind = HD_MODEL, .stack_depth = 4, .limit = LIMIT };
    struct check k = { 0 };
    assert_int_equal(hd_open(&cfg, &k.d), HD_OK);
    assert_true(fuzz_choice_open(&f, NULL));
    for (uint64_t seed = 0; seed < KERNELS; seed++) {
        struct fuzz_case c = fuzz_choose(&f, seed);
        one_kernel(&k, &c);
        hd_on_commit(k.d, NULL, NULL);
        assert_int_equal(hd_reset(k.d, 0), HD_OK);
        fuzz_case_free(&c);
    }
    fuzz_choice_close(&f);
    hd_close(k.d);
    for (unsigned i = 0; i < LAUNCH_WARPS; i++)
        lanes_free(&k.lanes[i]);
    print_message(
        "%s mode: %llu commits, lanes wait in %llu, are released in %llu, by giving way in %llu, "
        "part in %llu; "
        "%llu spills, %llu with more than 16 tokens\n",
        stack_mode ? "stack" : "barrier", (unsigned long long)k.commits,
        (unsigned long long)k.blocked, (unsigned long long)k.released, (unsigned long long)k.gave,
        (unsigned long long)k.parted, (unsigned long long)k.spilled, (unsigned long long)k.deep);
    return k;
}

static void barrier_mode(void **unused)
{
    (void)unused;
    struct check k = check_mode(false);
    assert_true(k.parted > 100 && k.released > 1000 && k.gave);
}

static void stack_mode(void **unused)
{
    (void)unused;
    struct check k = check_mode(true);
    assert_true(k.parted > 100 && k.deep > 100 && k.spilled > 100);
}

/* ---- names ---- */

static struct hd_commit at(uint32_t active, uint32_t pc)
{
    struct hd_commit c = {
        .active = active, .exec = active, .live = UINT32_MAX, .next_active = active, .pc = pc
    };
    for (unsigned l = 0; l < HD_LANES; l++) {
        c.npc[l] = active >> l & 1 ? pc + 16 : 0x100;
        c.wait[l] = active >> l & 1 ? HD_WAIT_NONE : HD_WAIT_READY;
    }
    return c;
}

static void names(void **unused)
{
    (void)unused;
    struct lanes w = { 0 };
    char text[200], state[LANES_STATE];
    struct hd_commit c = at(UINT32_MAX, 0);
    assert_int_equal(lanes_commit(&w, &c), 0);
    c.pc = 16;                                       /* the upper half goes elsewhere, and waits */
    c.next_active = 0xffff;
    for (unsigned l = 0; l < HD_LANES; l++) {
        c.npc[l] = l < 16 ? 0x40 : 0x80;
        c.wait[l] = l < 16 ? HD_WAIT_NONE : HD_WAIT_READY;
    }
    unsigned events = lanes_commit(&w, &c);
    lanes_event_text(&w, events, text, sizeof text);
    assert_string_equal(text, "diverge: A=0000ffff B=ffff0000");
    lanes_state(&w, 16, state);
    assert_string_equal(state, "");
    c = at(0xffff, 0x40);                            /* the lower half waits at B3: it stays A */
    c.conv = 1;
    c.bx = 3;
    c.bbefore = c.bafter = UINT32_MAX;
    c.next_active = 0xffff0000;
    for (unsigned l = 0; l < HD_LANES; l++) {
        c.npc[l] = l < 16 ? 0x50 : 0x80;
        c.wait[l] = l < 16 ? HD_WAIT_BARRIER + 3 : HD_WAIT_NONE;
    }
    events = lanes_commit(&w, &c);
    lanes_event_text(&w, events, text, sizeof text);
    assert_string_equal(text, "block B3: 0000ffff");
    assert_int_equal(lanes_arrived(&w, 3), 0xffff);
    assert_true(w.group[0] == 'A' && w.group[31] == 'B');
    c = at(0xffff0000, 0x40);                        /* and the upper one comes */
    c.conv = 1;
    c.bx = 3;
    c.bbefore = UINT32_MAX;
    c.released = c.next_active = UINT32_MAX;
    for (unsigned l = 0; l < HD_LANES; l++) {
        c.npc[l] = 0x50;
        c.wait[l] = HD_WAIT_NONE;
    }
    events = lanes_commit(&w, &c);
    lanes_event_text(&w, events, text, sizeof text);
    assert_string_equal(text, "release B3: ffffffff");
    assert_true(w.barrier[3] == 0 && w.group[31] == 'A');
    lanes_free(&w);
}

/* A copy has its own tokens, and can take more. */
static void copies(void **u)
{
    (void)u;
    struct lanes w = { 0 }, copy = { 0 };
    struct hd_commit c = { 0 };
    lanes_start(&w, 0, 0, UINT32_MAX, 0);
    for (unsigned i = 1; i < 40; i++) {
        c = at(UINT32_MAX, 16 * (i - 1));
        c.pushed = 1;
        c.push.mask = i;
        for (unsigned l = 0; l < HD_LANES; l++)
            c.npc[l] = 16 * i;
        lanes_commit(&w, &c);
        if (i == 20)
            lanes_copy(&copy, &w);
    }
    assert_true(w.depth == 39 && copy.depth == 20 && copy.token[19].mask == 20 &&
                copy.npc[7] == 320);
    for (unsigned i = 20; i < 60; i++) {
        c.push.mask = 1000 + i;
        lanes_commit(&copy, &c);
    }
    assert_true(copy.depth == 60 && copy.token[59].mask == 1059 && w.token[38].mask == 39 &&
                w.token[20].mask == 21);
    lanes_copy(&copy, &w);
    assert_true(copy.depth == 39 && copy.token != w.token &&
                !memcmp(copy.token, w.token, 39 * sizeof *w.token));
    lanes_free(&w);
    lanes_copy(&copy, &w);
    assert_true(copy.depth == 0 && !copy.used);
    lanes_free(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(barrier_mode),
                                        cmocka_unit_test(stack_mode), cmocka_unit_test(names),
                                        cmocka_unit_test(copies) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
