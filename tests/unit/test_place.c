/* Placement of barriers: on random control flow no warp gets stuck or joins twice, by simulation
 * of warps that take random ways; on known shapes the counts are those of NVIDIA's machine code.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdlib.h>
#include "random_ways.h"

static struct fn *place(struct arena *a, const char *text, size_t len)
{
    struct hd_err err = { 0 };
    struct cc_options opt = { 0 };
    struct module *m = ptx_parse(a, "t.ptx", text, len, &err);
    if (!m || !cc_middle(m, &opt, &err)) fail_msg("%s", err.text);
    return m->fns[m->nfns - 1];
}

/* ---- warps on random ways -------------------------------------------------------------------- */

static void test_random(void **state)
{
    uint32_t s = 3;
    int barriers = 0, wanted = 0;
    (void)state;
    for (int k = 0; k < 2000; k++) {
        char text[8192];
        struct arena *a = arena_new();
        bool wild = rnd(&s, 3) == 0;
        struct fn *f =
            place(a, text,
                  random_ptx(text, sizeof text, &s, 1 + (int)rnd(&s, 24), rnd(&s, 4) != 0, wild));
        if (f->nvb <= MAX_VB) for (int n = 0; n < 4; n++) simulate(f, &s);
        for (int b = 0; b < f->nblocks; b++)
            for (struct ins *i = f->blocks[b]->first; i; i = i->next) barriers += i->op == P_BSSY;
        wanted += f->nvb;
        arena_free(a);
    }
    print_message("%d of %d barriers placed\n", barriers, wanted);
    assert_true(barriers * 10 > wanted * 7);     /* the proof rejects few, and then of odd graphs */
}

/* ---- block barriers after calls -------------------------------------------------------------- */

/* Random control flow, with a call or a block barrier in some blocks. */
static size_t random_calls(char *out, size_t size, uint32_t *s)
{
    static const char head[] = ".reg .b64 %a; mov.u64 %a, 64; P: .callprototype _ ();\n";
    char text[8192], *to = out;
    random_ptx(text, sizeof text, s, 2 + (int)rnd(s, 12), true, rnd(s, 3) == 0);
    char *body = strstr(text, "{\n") + 2;
    for (char *at = body; (at = strstr(at, "membar.gl; ")) != NULL; at++)
        if (rnd(s, 4) < 2) memcpy(at, rnd(s, 3) ? "bar.sync 0;" : "call %a, P;", 11);
    to += snprintf(to, size, "%.*s%s%s", (int)(body - text), text, head, body);
    return (size_t)(to - out);
}

static void reach_all(const struct blk *b, bool *seen)
{
    for (int k = 0; k < b->nsucc; k++)
        if (!seen[b->succ[k]->id]) {
            seen[b->succ[k]->id] = true;
            reach_all(b->succ[k], seen);
        }
}

/* Wherever a block barrier may follow a call, the whole warp meets right before it. */
static void test_meets(void **state)
{
    uint32_t s = 5;
    int behind = 0, others = 0;
    (void)state;
    for (int k = 0; k < 500; k++) {
        char text[9216];
        struct arena *a = arena_new();
        struct fn *f = place(a, text, random_calls(text, sizeof text, &s));
        bool *after = arena_alloc(a, (size_t)f->nblocks);
        for (int b = 0; b < f->nblocks; b++)
            for (struct ins *i = f->blocks[b]->first; i; i = i->next)
                if (i->op == P_CALL) reach_all(f->blocks[b], after);
        for (int b = 0; b < f->nblocks; b++) {
            bool called = after[b];
            for (struct ins *i = f->blocks[b]->first; i; i = i->next) {
                called |= i->op == P_CALL;
                if (i->op != P_BAR) continue;
                const bool meets = i->prev && i->prev->op == P_WARPSYNC &&
                                   (uint32_t)i->prev->o[0].imm == 0xffffffffu;
                if (called && !meets) fail_msg("program %d: lanes may be apart at:\n%s", k, text);
                behind += called;
                others += !called;
            }
        }
        arena_free(a);
    }
    assert_true(behind > 200 && others > 50);
}

/* ---- known shapes ---------------------------------------------------------------------------- */

#define K(text)                                                                                    \
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 o, .param .u32 " \
    "n) {\n"                                                                                       \
    ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>; ld.param.u64 %rd1, [o]; ld.param.u32 "   \
    "%r2, [n];\n"                                                                                  \
    "mov.u32 %r1, %tid.x; and.b32 %r3, %r1, 1; setp.eq.s32 %p1, %r3, 0; setp.gt.s32 %p2, %r1, 9; " \
    "setp.eq.s32 %p3, %r2, 4;\n" text " membar.gl; ret; }\n"
#define X " membar.gl; "
#define CALL " { P: .callprototype _ (); call %rd1, P; } "

static void test_shapes(void **state)
{
    static const struct { const char *text; int bssy, brk, yield, warpsync; } t[] = {
        { K("@%p1 bra A;" X "bra J; A:" X "J:"), 1, 0, 0, 0 }, /* if, else */
        { K("@%p3 bra A;" X "bra J; A:" X "J:"), 0, 0, 0, 0 }, /* uniform */
        { K("@!%p1 bra F; @!%p2 bra F;" X "bra J; F:" X "J:"), 2, 1, 0, 0 }, /* a && b, else */
        { K("@!%p1 bra J;" X "@!%p2 bra J;" X "J:"), 1, 0, 0, 0 }, /* a && b */
        { K("L:" X "add.s32 %r1, %r1, -1; setp.gt.s32 %p1, %r1, 0; @%p1 bra L;"), 1, 0, 0,
          0 }, /* trip count */
        { K("L:" X "add.s32 %r2, %r2, -1; setp.gt.s32 %p1, %r2, 0; @%p1 bra L;"), 0, 0, 0,
          0 }, /* uniform trips */
        { K("L: ld.volatile.global.u32 %r4, [%rd1]; setp.eq.s32 %p1, %r4, 0; @%p1 bra L;"), 1, 0, 1,
          0 },
        /* YIELD at the head of loops before a call and around one, in none after it */
        { K("L:" X "add.s32 %r2, %r2, -1; setp.gt.s32 %p1, %r2, 0; @%p1 bra L;" CALL), 0, 0, 1, 0 },
        { K("L:" CALL "add.s32 %r2, %r2, -1; setp.gt.s32 %p1, %r2, 0; @%p1 bra L;"), 0, 0, 1, 0 },
        { K(CALL "L:" X "add.s32 %r2, %r2, -1; setp.gt.s32 %p1, %r2, 0; @%p1 bra L;"), 0, 0, 0, 0 },
        { K("O:" CALL "L:" X "add.s32 %r2, %r2, -1; setp.gt.s32 %p1, %r2, 0; @%p1 bra L;"
            "setp.gt.s32 %p3, %r2, -9; @%p3 bra O;"), 0, 0, 1, 0 }, /* not in the inner loop */
        { K("L: @%p1 bra A;" X "@%p2 bra OUT;" X "A:" X
            "add.s32 %r2, %r2, -1; setp.gt.s32 %p3, %r2, 0; @%p3 bra L; OUT:"),
          2, 1, 0, 0 }, /* break out of an if */
        { K("@%p1 bra A;" X "bar.warp.sync 5; bra J; A:" X "J: bar.warp.sync 0xffffffff;"), 1, 0, 0,
          1 },
        { K("@%p1 bra J;" X "vote.sync.any.pred %p2, %p1, 0xffffffff; J:"), 1, 0, 0, 1 },
        { K("@%p1 vote.sync.any.pred %p2, %p1, 0xffffffff;"), 1, 0, 0,
          1 }, /* has a branch around it */
        { K("@%p1 bra J; barrier.sync 1, 32; J: bar.warp.sync 0xffffffff;"), 1, 0, 0,
          1 }, /* lanes pass their BSYNC while others are at the block barrier */
        { K("bar.sync 0; P: .callprototype _ (); call %rd1, P; barrier.sync 0; bar.sync 0;"), 0, 0,
          0, 1 }, /* the warp meets before a block barrier after a call, if all of it has to come */
    };
    (void)state;
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        struct arena *a = arena_new();
        struct fn *f = place(a, t[k].text, strlen(t[k].text));
        int n[P_COUNT] = { 0 };
        for (int b = 0; b < f->nblocks; b++)
            for (struct ins *i = f->blocks[b]->first; i; i = i->next) n[i->op]++;
        if (n[P_BSSY] != t[k].bssy || n[P_BSYNC] != t[k].bssy || n[P_BREAK] != t[k].brk ||
            n[P_YIELD] != t[k].yield || n[P_WARPSYNC] != t[k].warpsync)
            fail_msg("shape %d: %d BSSY %d BSYNC %d BREAK %d YIELD %d WARPSYNC", (int)k, n[P_BSSY],
                     n[P_BSYNC], n[P_BREAK], n[P_YIELD], n[P_WARPSYNC]);
        arena_free(a);
    }
}

/* The proof can say no: each planted mistake is found. */
static void test_verify_rejects(void **state)
{
    static const char text[] = K("@%p1 bra A;" X "bra J; A:" X "J:");
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct hd_err err = { 0 };
        struct arena *a = arena_new();
        struct fn *f = place(a, text, sizeof text - 1);
        for (int b = 0; b < f->nblocks; b++)
            for (struct ins *i = f->blocks[b]->first, *next; i; i = next) {
                next = i->next;
                if (kind == 0 && i->op == P_BSSY) ins_remove(f->blocks[b], i);   /* no lane joins */
                if (kind == 1 && i->op == P_BSYNC) i->op = P_BSSY;                 /* joins twice */
                /* returns inside */
                if (kind == 2 && i->op == P_BSYNC) f->entry = false, ins_remove(f->blocks[b], i);
            }
        assert_false(verify_placement(f, &err));
        assert_int_equal(err.status, 4);
        arena_free(a);
    }
}

/* ---- NVIDIA's machine code of the measured patterns ------------------------------------------ */

static int count_lines(const char *text, const char *word)
{
    int n = 0;
    for (const char *p = text; (p = strstr(p, word)); p += strlen(word)) n++;
    return n;
}

static void compare(const char *name, const char *machine)
{
    char path[300];
    struct hd_err err = { 0 };
    struct cc_options opt = { 0 };
    size_t len;
    snprintf(path, sizeof path, "tests/silicon/kernels/%s.ptx", name);
    char *ptx = cc_read(path, &len, &err);
    if (!ptx) fail_msg("%s", err.text);
    struct arena *a = arena_new();
    struct module *m = ptx_parse(a, path, ptx, len, &err);
    if (!m || !cc_middle(m, &opt, &err)) fail_msg("%s", err.text);
    int n[P_COUNT] = { 0 };
    for (int k = 0; k < m->nfns; k++)
        for (int b = 0; b < m->fns[k]->nblocks; b++)
            for (struct ins *i = m->fns[k]->blocks[b]->first; i; i = i->next) n[i->op]++;
    int bssy = count_lines(machine, "  BSSY "), brk = count_lines(machine, " BREAK ");
    int yield = count_lines(machine, "  YIELD");
    if (!strcmp(name, "p_syncwarp_in_branch")) bssy--;  /* around a join that is proved needless */
    if (n[P_BSSY] != bssy || n[P_BSYNC] != bssy || n[P_BREAK] != brk || n[P_YIELD] != yield)
        fail_msg("%s: BSSY %d, %d on silicon; BREAK %d, %d; YIELD %d, %d", name, n[P_BSSY], bssy,
                 n[P_BREAK], brk, n[P_YIELD], yield);
    arena_free(a);
    free(ptx);
}

static void test_skeletons(void **state)
{
    DIR *dir = opendir("tests/silicon/skeletons");
    int seen = 0;
    (void)state;
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        struct hd_err err = { 0 };
        char path[300], name[256], text[16384];
        snprintf(path, sizeof path, "tests/silicon/skeletons/%s", e->d_name);
        snprintf(name, sizeof name, "%s", e->d_name);
        if (!strstr(name, ".txt")) continue;
        *strstr(name, ".txt") = 0;
        size_t len;
        char *whole = cc_read(path, &len, &err);
        assert_true(whole && len < sizeof text);
        memcpy(text, whole, len);
        text[len] = 0;
        free(whole);
        compare(name, text);
        seen++;
    }
    closedir(dir);
    assert_int_equal(seen, 41);
}

static const struct blk *joined_at(const struct fn *f, int vb)
{
    for (int b = 0; b < f->nblocks; b++)
        for (const struct ins *i = f->blocks[b]->first; i; i = i->next)
            if (i->op == P_BSSY && i->vb == vb) return f->blocks[b];
    fail_msg("nobody joins barrier %d", vb);
    return NULL;
}

/* Lanes that leave two barriers leave the inner one first, as in NVIDIA's code. */
static void test_inner_first(void **state)
{
    static const char *const name[] = { "r0027", "r0030", "r0124", "r0157" };
    (void)state;
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        char path[300];
        struct hd_err err = { 0 };
        size_t len;
        int pairs = 0;
        snprintf(path, sizeof path, "tests/silicon/kernels/%s.ptx", name[k]);
        char *ptx = cc_read(path, &len, &err);
        if (!ptx) fail_msg("%s", err.text);
        struct arena *a = arena_new();
        const struct fn *f = place(a, ptx, len);
        for (int b = 0; b < f->nblocks; b++)
            for (const struct ins *i = f->blocks[b]->first; i && i->next; i = i->next) {
                if (i->op != P_BREAK || i->next->op != P_BREAK) continue;
                assert_true(joined_at(f, i->vb)->rpo >= joined_at(f, i->next->vb)->rpo);
                pairs++;
            }
        assert_true(pairs > 0);
        arena_free(a);
        free(ptx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random), cmocka_unit_test(test_meets),
                                        cmocka_unit_test(test_shapes),
                                        cmocka_unit_test(test_verify_rejects),
                                        cmocka_unit_test(test_skeletons),
                                        cmocka_unit_test(test_inner_first) };
    return cmocka_run_group_tests_name("place", tests, NULL, NULL);
}
