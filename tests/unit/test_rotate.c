/* Loops whose head is copied to their end (compiler/opt/rotate.c), and those that stay as they
 * are, as in NVIDIA's machine code.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "compiler/all.h"

enum { MARK = 7777 };           /* in the head */

static struct fn *compile(struct arena *a, const char *loop, const char *after)
{
    static const char frame[] =
        ".version 6.4\n.target sm_70\n.address_size 64\n"
        ".func f() { ret; }\n"
        ".visible .entry k(.param .u64 out) {\n"
        ".reg .pred %%p<9>; .reg .b32 %%r<9>; .reg .b64 %%o;\n"
        "ld.param.u64 %%o, [out]; mov.u32 %%r1, %%tid.x; mov.u32 %%r2, 0; mov.u32 %%r4, 0;\n"
        "setp.eq.u32 %%p1, %%r1, 5; @%%p1 bra ARM;\n"
        "%s%s"
        "ARM: st.global.u32 [%%o], %%r1; mov.u32 %%r4, 9;\n"
        "DONE: st.global.u32 [%%o+8], %%r4; ret;\n}\n";
    char text[2048];
    struct hd_err err = { 0 };
    struct cc_options opt = { 0 };
    snprintf(text, sizeof text, frame, loop, after);
    struct module *m = ptx_parse(a, "t.ptx", text, strlen(text), &err);
    if (!m || !cc_middle(m, &opt, &err)) fail_msg("%s", err.text);
    return m->fns[m->nfns - 1];
}

static bool marked(const struct blk *b)
{
    for (const struct ins *i = b->first; i; i = i->next)
        if (i->op == P_AND && i->o[2].kind == O_IMM && i->o[2].imm == MARK) return true;
    return false;
}

struct found { int heads, loops; bool head_first; };

/* heads: copies of the head; head_first: the loop begins with one. */
static struct found look(const char *loop, const char *after)
{
    struct arena *a = arena_new();
    const struct fn *f = compile(a, loop, after);
    struct found found = { .loops = f->nloops };
    for (int k = 0; k < f->nblocks; k++) found.heads += marked(f->blocks[k]);
    if (f->nloops == 1) found.head_first = marked(f->loops[0]->header);
    arena_free(a);
    return found;
}

#define HEAD "HEAD: and.b32 %r3, %r1, 7777; setp.lt.u32 %p2, %r3, %r2; "
#define BODY "atom.global.add.u32 %r5, [%o], 1; add.u32 %r2, %r2, %r5; "
#define TURN "setp.gt.u32 %p3, %r2, 99; "
#define BACK TURN "@%p3 bra DONE; bra.uni HEAD;\n"

static void test_copied(void **state)
{
    (void)state;
    struct found f = look(HEAD "@%p2 bra DONE; " BODY BACK, "");
    assert_int_equal(f.heads, 2);
    assert_int_equal(f.loops, 1);
    assert_false(f.head_first);
    /* a loop of one block: its first turn, and the others */
    f = look(HEAD BODY BACK, "");
    assert_int_equal(f.heads, 2);
    assert_int_equal(f.loops, 1);
    assert_true(f.head_first);
}

static void test_stays(void **state)
{
    (void)state;
    /* the text's branch goes back */
    assert_int_equal(
        look(HEAD "@%p2 bra DONE; " BODY TURN "@!%p3 bra HEAD;\n", "bra.uni DONE;\n").heads, 1);
    /* where the loop leaves to follows */
    assert_int_equal(look(HEAD "@%p2 bra OUT; " BODY TURN "@%p3 bra OUT; bra.uni HEAD;\n",
                          "OUT: st.global.u32 [%o+4], %r2; bra.uni DONE;\n").heads, 1);
    /* the head calls, has a collective, or does not leave */
    assert_int_equal(
        look(HEAD "vote.sync.any.pred %p2, %p2, -1; @%p2 bra DONE; " BODY BACK, "").heads, 1);
    assert_int_equal(look(HEAD "call f, (); @%p2 bra DONE; " BODY BACK, "").heads, 1);
    assert_int_equal(look(HEAD "@%p2 bra ON; " BODY "ON: add.u32 %r2, %r2, 1; " BACK, "").heads, 1);
}

/* A head from which there is one way on: the jump back stays one, and the branch before it. */
static void test_jumps(void **state)
{
    struct arena *a = arena_new();
    const struct fn *f =
        compile(a, HEAD "bra.uni IN; IN: " BODY "setp.eq.u32 %p4, %r5, 3; @%p4 bra IN; " BACK, "");
    int jumps = 0;
    (void)state;
    for (int k = 0; k < f->nblocks; k++) {
        const struct ins *t = blk_terminator(f->blocks[k]);
        jumps += t && t->op == P_BRA && t->guard < 0 && marked(t->targets[0]);
    }
    assert_int_equal(jumps, 1);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_copied), cmocka_unit_test(test_stays),
                                        cmocka_unit_test(test_jumps) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
