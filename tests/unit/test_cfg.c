/* Dominators, post-dominators and loops of random graphs, against their definitions by paths.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "random_cfg.h"

static struct fn *build(struct arena *a, const char *text, size_t len)
{
    struct hd_err err = { 0 };
    struct module *m = ptx_parse(a, "t.ptx", text, len, &err);
    if (!m) fail_msg("%s", err.text);
    struct fn *f = m->fns[0];
    cfg_build(f);
    dom_build(f);
    loop_build(f);
    return f;
}

/* Can `to` be reached from `from` without entering `without`?  to NULL: the end of the function. */
static bool path(const struct fn *f, const struct blk *from, const struct blk *to,
                 const struct blk *without)
{
    bool seen[256] = { false };
    const struct blk *stack[256];
    int top = 0;
    (void)f;
    if (from == without) return false;
    seen[from->id] = true;
    stack[top++] = from;
    while (top) {
        const struct blk *b = stack[--top];
        if (b == to || (!to && !b->nsucc)) return true;
        for (int s = 0; s < b->nsucc; s++)
            if (b->succ[s] != without && !seen[b->succ[s]->id]) {
                seen[b->succ[s]->id] = true;
                stack[top++] = b->succ[s];
            }
    }
    return false;
}

static void check_dominators(const struct fn *f)
{
    bool ends = true;                      /* what never ends has no post-dominator by definition */
    for (int x = 0; x < f->nblocks; x++) ends = ends && path(f, f->blocks[x], NULL, NULL);
    for (int x = 0; x < f->nblocks; x++)
        for (int y = 0; y < f->nblocks; y++) {
            const struct blk *a = f->blocks[x], *b = f->blocks[y], *up = b;
            bool dominates = a == b || !path(f, f->blocks[0], b, a), says = false;
            assert_int_equal(dom_over(a, b), dominates);
            for (; up; up = up->ipdom) says |= up == a;
            if (ends) assert_int_equal(says, a == b || !path(f, b, NULL, a));
        }
}

static void check_loops(const struct fn *f)
{
    for (int x = 0; x < f->nblocks; x++) {
        const struct blk *b = f->blocks[x];
        bool cycle = false;
        for (int s = 0; s < b->nsucc; s++) cycle |= path(f, b->succ[s], b, NULL);
        assert_int_equal(cycle, b->loop != NULL);
    }
    for (int k = 0; k < f->nloops; k++) {
        const struct loop *l = f->loops[k];
        for (int i = 0; i < l->nblocks && !l->irreducible; i++)
            assert_true(dom_over(l->header, l->blocks[i]));
        for (const struct loop *p = l; p->parent; p = p->parent)
            assert_true(p->parent->depth == p->depth - 1);
    }
}

static void test_random(void **state)
{
    uint32_t s = 7;
    (void)state;
    for (int k = 0; k < 1500; k++) {
        char text[8192];
        struct arena *a = arena_new();
        struct fn *f = build(
            a, text, random_ptx(text, sizeof text, &s, 1 + (int)rnd(&s, 24), true, rnd(&s, 2)));
        for (int b = 0; b < f->nblocks; b++) {
            const struct ins *t = blk_terminator(f->blocks[b]);
            if (!t || t->guard >= 0)
                assert_ptr_equal(f->blocks[b]->succ[f->blocks[b]->nsucc - 1], f->blocks[b + 1]);
        }
        check_dominators(f);
        check_loops(f);
        arena_free(a);
    }
}

/* An edit makes what was known stale, and a pass that runs all the same ends the process. */
static void test_known(void **state)
{
    static const char text[] =
        ".version 7.0\n.target sm_75\n.address_size 64\n.entry k() { ret; }\n";
    struct arena *a = arena_new();
    struct fn *f = build(a, text, sizeof text - 1);
    int status = 0;
    (void)state;
    assert_int_equal(f->known, KNOWN_GRAPH);
    cfg_block_new(f);
    assert_int_equal(f->known, 0);
    cfg_refresh(f);
    assert_int_equal(f->known, KNOWN_EDGES);
    pid_t pid = fork();
    if (!pid) {
        signal(SIGABRT, SIG_DFL);
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        loop_build(f);                       /* before dom_build */
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    arena_free(a);
}

/* Labels that are no branch's target start no block. */
static void test_labels(void **state)
{
    static const char text[] =
        ".version 7.0\n.target sm_75\n.address_size 64\n.entry k() { .reg .b32 %r<3>;\n"
        "Ltmp0: mov.u32 %r1, 1;\nLtmp1: mov.u32 %r2, 2;\nbra L;\nmov.u32 %r1, 7;\nL: ret;\nLend: "
        "}\n";
    struct arena *a = arena_new();
    struct fn *f = build(a, text, sizeof text - 1);
    (void)state;
    assert_int_equal(f->nblocks, 2);
    arena_free(a);
}

/* The glossary's kernel: one side in all lanes, the other over it under the predicate. */
static void test_predication(void **state)
{
    static const char text[] =
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
        ".reg .f32 %f<4>; .reg .b64 %rd<2>; .reg .pred %p<2>;\nld.param.u64 %rd1, [p]; "
        "ld.global.f32 %f1, [%rd1];\n"
        "setp.gt.f32 %p1, %f1, 0f3F000000;\n@%p1 bra A;\nadd.f32 %f2, %f1, 2.0;\nbra.uni J;\n"
        "A: mul.f32 %f2, %f1, 4.0;\nJ: mul.f32 %f3, %f2, %f2; st.global.f32 [%rd1], %f3; ret; }\n";
    struct arena *a = arena_new();
    struct fn *f = build(a, text, sizeof text - 1);
    (void)state;
    assert_int_equal(f->nblocks, 4);
    ifconv_run(f);
    assert_int_equal(f->nblocks, 1);
    for (struct ins *i = f->blocks[0]->first; i; i = i->next) {
        if (i->op == P_ADD) assert_int_equal(i->guard, -1);
        if (i->op == P_ADD) assert_int_equal(i->next->op, P_MUL);
        if (i->op == P_MUL && i->guard >= 0) assert_false(i->guard_neg);
    }
    arena_free(a);
}

/* Four comparisons in a row become a table; the first of two equal ones wins, gaps go to the
 * default. */
static void test_switch(void **state)
{
    static const char text[] =
        ".version 7.0\n.target sm_75\n.address_size 64\n.entry k() { .reg .b32 %r<3>; "
        ".reg .pred %p<6>;\n"
        "mov.u32 %r1, %tid.x;\nsetp.eq.s32 %p1, %r1, -2;\n@%p1 bra A;\nsetp.eq.s32 %p2, %r1, 1;\n"
        "@%p2 bra B;\n"
        "setp.eq.s32 %p3, %r1, -1;\n@%p3 bra C;\nsetp.eq.s32 %p4, %r1, 1;\n@%p4 bra A;\nbra D;\n"
        "A: mov.u32 %r2, 1;\nbra E;\nB: mov.u32 %r2, 2;\nbra E;\nC: mov.u32 %r2, 3;\nbra E;\n"
        "D: mov.u32 %r2, 4;\n"
        "E: ret; }\n";
    struct arena *a = arena_new();
    struct fn *f = build(a, text, sizeof text - 1);
    (void)state;
    switch_run(f);
    const struct ins *t = blk_terminator(f->blocks[0]);
    const char *want[] = { "A", "C", NULL, "B", NULL };          /* -2, -1, 0, 1, everything else */
    assert_int_equal(t->op, P_BRX);
    assert_int_equal(t->ntargets, 5);
    for (int k = 0; k < 5; k++) {
        if (want[k]) assert_string_equal(t->targets[k]->label, want[k]);
        else assert_ptr_equal(t->targets[k], t->targets[4]);
    }
    arena_free(a);
}

/* Of three in a row the first stays a branch and the rest is a table, unless a case falls into the
 * default. */
static void test_switch_of_three(void **state)
{
    static const char *const behind[][2] = { { "bra E;", "bra E;" },
                                             { "", "bra E;" },
                                             { "bra E;", "" } };
    char text[600];
    (void)state;
    for (int k = 0; k < 3; k++) {
        int n = snprintf(
            text, sizeof text,
            ".version 7.0\n.target sm_75\n.address_size 64\n.entry k() { .reg .b32 %%r<3>; "
            ".reg .pred %%p<6>;\n"
            "mov.u32 %%r1, %%tid.x;\nsetp.eq.s32 %%p1, %%r1, 0;\n@%%p1 bra A;\n"
            "setp.eq.s32 %%p2, %%r1, 1;\n@%%p2 bra B;\n"
            "setp.eq.s32 %%p3, %%r1, 2;\n@%%p3 bra C;\nbra.uni D;\n"
            "A: mov.u32 %%r2, 1;\n%s\nB: mov.u32 %%r2, 2;\nbra E;\nC: mov.u32 %%r2, 3;\n%s\n"
            "D: mov.u32 %%r2, 4;\n"
            "E: ret; }\n",
            behind[k][0], behind[k][1]);
        struct arena *a = arena_new();
        struct fn *f = build(a, text, (size_t)n);
        switch_run(f);
        assert_int_equal(blk_terminator(f->blocks[0])->op, P_BRA);
        const struct ins *t = blk_terminator(f->blocks[1]);
        assert_int_equal(t->op, k == 2 ? P_BRA : P_BRX);
        if (k < 2) {
            assert_int_equal(t->ntargets, 3);
            assert_string_equal(t->targets[0]->label, "B");
            assert_string_equal(t->targets[1]->label, "C");
        }
        arena_free(a);
    }
}

#define HEAD \
    ".version 7.0\n.target sm_75\n.address_size 64\n" \
    ".entry k() { .reg .b32 %r<3>; .reg .pred %p<3>;\n" \
    "mov.u32 %r1, %tid.x;\n"

/* Branches as `target` or `!target`, between the labels of the blocks. */
static void write_order(const struct fn *f, char *out, size_t size)
{
    size_t n = 0;
    for (int k = 0; k < f->nblocks; k++) {
        const struct blk *b = f->blocks[k];
        const struct ins *t = blk_terminator(b);
        n += (size_t)snprintf(out + n, size - n, "%s%s", k ? " " : "", b->label ? b->label : "-");
        if (t && t->op == P_BRA)
            n += (size_t)snprintf(out + n, size - n, "(%s%s)", t->guard_neg ? "!" : "",
                                  t->targets[0]->label ? t->targets[0]->label : "-");
    }
}

/* In barrier mode blocks follow as in NVIDIA's code. */
static void test_order(void **state)
{
    static const struct { const char *text, *order; } t[] = {
        /* lanes that stay in a loop fall through, and those that a branch leads round a jump */
        { HEAD "L: setp.gt.s32 %p1, %r1, 4;\n@%p1 bra IN;\nbra OUT;\n"
          "IN: add.s32 %r1, %r1, -1;\nsetp.gt.s32 %p2, %r1, 0;\n@%p2 bra L;\nOUT: ret; }\n",
          "- L(!OUT) IN(L) OUT" },
        { HEAD "B: setp.gt.s32 %p1, %r1, 4;\n@%p1 bra THEN;\nbra JOIN;\n"
          "THEN: add.s32 %r1, %r1, -1;\nJOIN: add.s32 %r1, %r1, 1;\nret; }\n",
          "-(!JOIN) THEN JOIN" },
        /* an arm stands where the jump to it did */
        { HEAD "B: setp.gt.s32 %p1, %r1, 4;\n@%p1 bra THEN;\nbra ELSE;\n"
          "THEN: add.s32 %r1, %r1, -1;\nbra JOIN;\n"
          "ELSE: add.s32 %r1, %r1, 2;\nJOIN: add.s32 %r1, %r1, 1;\nret; }\n",
          "-(THEN) ELSE(JOIN) THEN JOIN" },
        /* a loop in one piece, from its head on; the way out falls through */
        { HEAD "bra H;\nE: setp.gt.s32 %p2, %r1, 0;\n@%p2 bra OUT;\n"
          "H: add.s32 %r1, %r1, -1;\nbra E;\nOUT: ret; }\n", "- H E(!H) OUT" },
        /* ... also where something else follows */
        { HEAD "setp.gt.s32 %p1, %r1, 4;\n@%p1 bra H;\nbra ELSE;\n"
          "H: add.s32 %r1, %r1, -1;\nsetp.gt.s32 %p2, %r1, 0;\n@%p2 bra OUT;\nbra H;\n"
          "ELSE: add.s32 %r1, %r1, 2;\nOUT: ret; }\n", "-(H) ELSE(OUT) H(!H) OUT" },
        { HEAD "setp.gt.s32 %p1, %r1, 4;\n@%p1 bra ELSE;\n"
          "H: add.s32 %r1, %r1, -1;\nsetp.gt.s32 %p2, %r1, 0;\n@%p2 bra OUT;\nbra H;\n"
          "ELSE: add.s32 %r1, %r1, 2;\nOUT: ret; }\n", "-(ELSE) H(!H) -(OUT) ELSE OUT" },
        /* the lanes of an arm that a loop ends meet after it, if the loop does not count */
        { HEAD "setp.gt.s32 %p1, %r1, 4;\n@%p1 bra ELSE;\n"
          "setp.gt.s32 %p1, %r1, 2;\n@%p1 bra OUT;\n"
          "H: shr.s32 %r1, %r1, 1;\nsetp.gt.s32 %p2, %r1, 0;\n@%p2 bra OUT;\nbra H;\n"
          "ELSE: add.s32 %r1, %r1, 2;\nOUT: ret; }\n", "-(ELSE) -(-) H(!H) -(OUT) ELSE OUT" },
        { HEAD "setp.gt.s32 %p1, %r1, 4;\n@%p1 bra ELSE;\n"
          "setp.gt.s32 %p1, %r1, 2;\n@%p1 bra OUT;\n"
          "H: add.s32 %r1, %r1, -1;\n@%p1 bra M;\nmov.u32 %r2, 3;\n"
          "M: setp.gt.s32 %p2, %r1, 0;\n@%p2 bra OUT;\nbra H;\n"
          "ELSE: add.s32 %r1, %r1, 2;\nOUT: ret; }\n",
          "-(ELSE) -(OUT) H(M) - M(!H) -(OUT) ELSE OUT" },
        /* ... or if its head will be copied (rotate.c) */
        { HEAD "setp.gt.s32 %p1, %r1, 4;\n@%p1 bra ELSE;\n"
          "setp.gt.s32 %p1, %r1, 2;\n@%p1 bra OUT;\n"
          "H: add.s32 %r1, %r1, -1;\nsetp.gt.s32 %p2, %r1, 0;\n@%p2 bra OUT;\nbra H;\n"
          "ELSE: add.s32 %r1, %r1, 2;\nOUT: ret; }\n", "-(ELSE) -(-) H(!H) -(OUT) ELSE OUT" },
        /* a part that the text has after the loop's head comes before one that it has in front */
        { HEAD "bra H;\nA: setp.gt.s32 %p2, %r1, 0;\n@%p2 bra LATE;\nadd.s32 %r1, %r1, 3;\n"
          "E: add.s32 %r1, %r1, 4;\nsetp.gt.s32 %p2, %r1, 9;\n@%p2 bra OUT;\n"
          "H: add.s32 %r1, %r1, -1;\nbra A;\nLATE: add.s32 %r1, %r1, 5;\nbra E;\nOUT: ret; }\n",
          "- H A(!-) LATE(E) - E(!H) OUT" },
        /* an arm comes first that the text has after where it jumps to, unless arms meet in it */
        { HEAD "setp.gt.s32 %p1, %r1, 4;\n@%p1 bra A;\nadd.s32 %r1, %r1, 3;\n"
          "JOIN: add.s32 %r1, %r1, 1;\nret;\nA: add.s32 %r1, %r1, 2;\nbra JOIN; }\n",
          "-(!-) A(JOIN) - JOIN" },
        { HEAD "setp.gt.s32 %p1, %r1, 4;\n@%p1 bra C;\nadd.s32 %r1, %r1, 3;\n"
          "setp.gt.s32 %p1, %r1, 5;\n@%p1 bra A;\nbra B;\n"
          "JOIN: add.s32 %r1, %r1, 1;\nret;\n"
          "A: add.s32 %r1, %r1, 2;\nbra B;\nC: add.s32 %r1, %r1, 4;\n"
          "B: setp.gt.s32 %p2, %r1, 6;\n@%p2 bra D;\nadd.s32 %r1, %r1, 5;\nbra JOIN;\n"
          "D: add.s32 %r1, %r1, 6;\nbra JOIN; }\n", "-(C) -(!B) A(B) C B(D) -(JOIN) D JOIN" },
        /* jumps to jumps go; those that go round stay, and what leads to them */
        { HEAD "setp.gt.s32 %p1, %r1, 4;\n@%p1 bra A;\nbra X;\nA: bra B;\nB: bra C;\n"
          "X: bra Y;\nY: bra Z;\nZ: bra Y;\nC: ret; }\n", "-(C) - X Y Z(Y) C" },
    };
    (void)state;
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        struct arena *a = arena_new();
        struct fn *f = build(a, t[k].text, strlen(t[k].text));
        char order[256];
        dom_build(f);
        loop_build(f);
        order_run(f, false);
        write_order(f, order, sizeof order);
        assert_string_equal(order, t[k].order);
        arena_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),    cmocka_unit_test(test_known),
        cmocka_unit_test(test_labels),    cmocka_unit_test(test_predication),
        cmocka_unit_test(test_switch),    cmocka_unit_test(test_switch_of_three),
        cmocka_unit_test(test_order)
    };
    return cmocka_run_group_tests_name("cfg", tests, NULL, NULL);
}
