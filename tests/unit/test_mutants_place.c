/* Mistakes planted in placed barriers: the proofs must see every one that matters.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The linker puts the functions __wrap_* of this file in place of the two proofs (--wrap), so the
 * product knows nothing of it.  There a mistake is made, at each place of each kernel where it can
 * be made, and the real proof is asked; whatever it says, compilation goes on, to learn what the
 * mistake would have done:
 *
 *   V  verify.c rejects the placement
 *   C  verify_code.c rejects the finished code
 *   D  the warp deadlocks, never ends, or a barrier gives way (rule 8)
 *   T  each thread alone leaves other memory
 *   P  nothing of that; other lanes run together: more, or fewer, warp instructions
 *   =  nothing of that; every warp takes the same way as without the mistake
 *
 * Each kind of mistake must be caught somewhere by a proof.  Whatever D or T notices, a proof must
 * have noticed.  The rest is what the measurement calls it, P or =. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/select/minsn.h"
#include "compiler/predict.h"
#include "harness/device/device.h"

/* ---- kernels --------------------------------------------------------------------------------- */

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"
#define REGS ".reg .pred %p<6>; .reg .b32 %r<12>; .reg .b64 %d<4>;\n"
#define KERNEL(text) HEAD BODY(text)
#define BODY(text) ".visible .entry k(.param .u64 o) {\n" REGS \
    "ld.param.u64 %d1, [o]; mov.u32 %r1, %tid.x;\n" \
    "mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2; mov.u32 %r0, %r1; mov.u32 %r3, 0;\n" \
    "mov.u32 %r9, %ntid.x; and.b32 %r9, %r9, 12;\n" text "\nst.global.u32 [%d1], %r0; ret; }\n"
#define X "mad.lo.u32 %r0, %r0, 3, 1; st.global.u32 [%d1], %r0;\n"             /* work */
#define RANDOM "mad.lo.u32 %r1, %r1, 1664525, 1013904223; shr.u32 %r4, %r1, 20; " \
    "and.b32 %r5, %r4, 7; setp.ne.u32 %p1, %r5, 0;\n"
#define ROUND "add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 8; @%p2 bra "
#define IF(k, n) "and.b32 %r6, %r1, " #n "; setp.eq.u32 %p" #k ", %r6, 0;\n"
#define PREDICT(words) ".pragma \"simt.predict " words "\";\n"
#define LABEL(name) ".pragma \"simt.label " name "\";\n"
#define LISTING_1 PREDICT("L1 0") "L: " RANDOM X "@%p1 bra E;\n" LABEL("L1") X X "E: " X ROUND \
    "L;\n" X
#define LOOP_MERGE PREDICT("L1 0") "L: " RANDOM X "I: " LABEL("L1") X \
    "sub.u32 %r5, %r5, 1; setp.gt.s32 %p1, %r5, 0; @%p1 bra I;\n" X ROUND "L;\n" X
#define CALL "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r0; call (b), f, (a); " \
    "ld.param.b32 %r0, [b]; }\n"
#define FUNCTION(text) ".func (.param .b32 b) f(.param .b32 a) {\n" REGS \
    "ld.param.b32 %r1, [a];\n" text "st.param.b32 [b], %r1; ret; }\n"

static const struct kernel { const char *name, *text; int predict, dynamic, soft; } kernels[] = {
    { "if", KERNEL(IF(1, 1) "@%p1 bra A;" X "bra J; A:" X X "J:" X), 0, 0, 0 },
    { "nest",
      KERNEL(IF(1, 1) IF(2, 2) "@%p1 bra A;" X "@%p2 bra B;" X "bra C; B: " X "C: " X
                               "bra J; A: @%p2 bra D;" X "D: " X "J:" X),
      0, 0, 0 },
    { "loop",
      KERNEL("and.b32 %r7, %r1, 7;\nL: " X
                 IF(1, 4) "@%p1 bra A;" X "A: " X
                          "sub.u32 %r7, %r7, 1; setp.gt.s32 %p2, %r7, 0; @%p2 bra L;\n" X),
      0, 0, 0 },
    { "or", KERNEL(IF(1, 1) IF(2, 2) "@!%p1 bra F; @!%p2 bra F;" X "bra J; F:" X "J:" X), 0, 0, 0 },
    { "break",
      KERNEL("L: " RANDOM IF(3, 3) "@%p3 bra A;" X "@!%p1 bra O;" X "A:" X ROUND
                                   "L;\nO: " X IF(1, 1) "@%p1 bra Q;" X "Q: " X),
      0, 0, 0 },
    { "call",
      HEAD FUNCTION(
          IF(1,
             2) "@%p1 bra A; add.u32 %r1, %r1, 7;\nmembar.gl; A: membar.gl; add.u32 %r1, %r1, 1;\n")
          BODY(IF(1, 1) "@%p1 bra A;" X CALL "bra J; A:" X CALL "J:" X),
      0, 0, 0 },
    { "recursion",
      HEAD FUNCTION(
          "and.b32 %r2, %r1, 3; setp.eq.u32 %p1, %r2, 0; @%p1 bra A; sub.u32 %r0, %r1, 1;\n" CALL
          "mov.u32 %r1, %r0; membar.gl; A: membar.gl; add.u32 %r1, %r1, 1;\n")
          BODY(IF(1, 1) "@%p1 bra J;" X CALL "J:" X),
      0, 0, 0 },
    { "listing1/static", KERNEL(LISTING_1), 1, 0, 0 },
    { "listing1/dynamic", KERNEL(LISTING_1), 1, 1, 0 },
    { "merge/static", KERNEL(LOOP_MERGE), 1, 0, 0 },
    { "merge/dynamic", KERNEL(LOOP_MERGE), 1, 1, 0 },
    { "listing1/soft", KERNEL(LISTING_1), 1, 1, 8 },
    { "function",
      HEAD FUNCTION("membar.gl; add.u32 %r1, %r1, 7;\nmembar.gl;\n") BODY(PREDICT(
          "f 0") "L: " RANDOM "@%p1 bra A;" X CALL "bra J; A:" X X CALL "J:" X ROUND "L;\n"),
      1, 1, 0 },
    { "merge/soft", KERNEL(LOOP_MERGE), 1, 1, 8 },
};
enum { KERNELS = sizeof kernels / sizeof *kernels, LANES = 32, LIMIT = 20000 };

/* ---- mistakes in the placement --------------------------------------------------------------- */

static bool once(int *site) { return (*site)-- == 0; }

/* The site-th instruction that fits; its block in *in. */
static struct ins *pick(const struct fn *f, enum pop op, int sub, int *site, struct blk **in)
{
    for (int k = 0; k < f->nblocks; k++)
        for (struct ins *i = f->blocks[k]->first; i; i = i->next)
            if (i->op == op && (sub < 0 || i->sub == sub) && once(site)) {
                *in = f->blocks[k];
                return i;
            }
    return NULL;
}

static bool drop(struct fn *f, enum pop op, int sub, int *site)
{
    struct blk *b;
    struct ins *i = pick(f, op, sub, site, &b);
    if (i) ins_remove(b, i);
    return i;
}

static bool join_dropped(struct fn *f, int *site) { return drop(f, P_BSSY, JOIN, site); }
static bool rejoin_dropped(struct fn *f, int *site) { return drop(f, P_BSSY, REJOIN, site); }
static bool wait_dropped(struct fn *f, int *site) { return drop(f, P_BSYNC, -1, site); }
static bool cancel_dropped(struct fn *f, int *site) { return drop(f, P_BREAK, CANCEL, site); }
static bool no_deconfliction(struct fn *f, int *site)
{
    return drop(f, P_BREAK, LEAVER, site) || drop(f, P_BREAK, WAITER, site);
}
static bool copy_omitted(struct fn *f, int *site) { return drop(f, P_BMOV_LOAD, -1, site); }

static bool joined_twice(struct fn *f, int *site)
{
    struct blk *b;
    struct ins *i = pick(f, P_BSSY, -1, site, &b), *again = i ? ins_new(f->m, P_BSSY) : NULL;
    if (!i) return false;
    *again = *i;
    ins_before(b, i, again);
    return true;
}

/* To the beginning of a successor: of the branch's target, or of what follows. */
static bool moved_on(struct fn *f, enum pop op, int s, int *site)
{
    struct blk *b;
    struct ins *i = pick(f, op, -1, site, &b);
    if (!i || b->nsucc <= s) return i;
    ins_remove(b, i);
    if (op != P_BSSY) i->guard = -1;
    ins_before(b->succ[s], b->succ[s]->first, i);
    return true;
}

static bool join_in_target(struct fn *f, int *site) { return moved_on(f, P_BSSY, 0, site); }
static bool join_behind_branch(struct fn *f, int *site) { return moved_on(f, P_BSSY, 1, site); }
static bool cancel_in_target(struct fn *f, int *site) { return moved_on(f, P_BREAK, 0, site); }
static bool cancel_behind_branch(struct fn *f, int *site) { return moved_on(f, P_BREAK, 1, site); }

/* The wait at the end of a block before it: lanes of other ways do not come there. */
static bool wait_on_one_way(struct fn *f, int *site)
{
    struct blk *b;
    struct ins *i = pick(f, P_BSYNC, -1, site, &b);
    if (!i || !b->npred) return i;
    ins_remove(b, i);
    ins_before(b->pred[0], blk_terminator(b->pred[0]), i);
    return true;
}

static bool guard_flipped(struct fn *f, enum pop op, int *site)
{
    for (int k = 0; k < f->nblocks; k++)
        for (struct ins *i = f->blocks[k]->first; i; i = i->next)
            if (i->op == op && i->guard >= 0 && once(site))
                return i->guard_neg = !i->guard_neg, true;
    return false;
}

static bool cancel_polarity(struct fn *f, int *site) { return guard_flipped(f, P_BREAK, site); }
static bool copy_polarity(struct fn *f, int *site) { return guard_flipped(f, P_BMOV_LOAD, site); }

static bool cancel_by_all(struct fn *f, int *site)
{
    for (int k = 0; k < f->nblocks; k++)
        for (struct ins *i = f->blocks[k]->first; i; i = i->next)
            if (i->op == P_BREAK && i->guard >= 0 && once(site)) return i->guard = -1, true;
    return false;
}

/* Another barrier of the function instead, one after the other. */
static bool other_barrier(struct fn *f, enum pop op, int *site)
{
    for (int k = 0; k < f->nblocks; k++)
        for (struct ins *i = f->blocks[k]->first; i; i = i->next)
            for (int vb = 0; i->op == op && vb < f->nvb; vb++)
                if (vb != i->vb && once(site)) return i->vb = vb, true;
    return false;
}

static bool joins_other(struct fn *f, int *site) { return other_barrier(f, P_BSSY, site); }
static bool waits_at_other(struct fn *f, int *site) { return other_barrier(f, P_BSYNC, site); }
static bool leaves_other(struct fn *f, int *site) { return other_barrier(f, P_BREAK, site); }
static bool copies_other(struct fn *f, int *site) { return other_barrier(f, P_BMOV_SAVE, site); }

static bool waits_swapped(struct fn *f, int *site)
{
    struct ins *wait[64];
    int n = 0;
    for (int k = 0; k < f->nblocks; k++)
        for (struct ins *i = f->blocks[k]->first; i; i = i->next)
            if (i->op == P_BSYNC && n < 64) wait[n++] = i;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (wait[a]->vb != wait[b]->vb && once(site)) {
                int t = wait[a]->vb;
                wait[a]->vb = wait[b]->vb;
                wait[b]->vb = t;
                return true;
            }
    return false;
}

/* Its register is called free at once. */
static bool ends_early(struct fn *f, int *site)
{
    struct blk *b;
    const struct ins *i = pick(f, P_BSSY, -1, site, &b);
    if (!i) return false;
    struct ins *end = ins_new(f->m, P_BEND);
    end->vb = i->vb;
    ins_before(b, i->next, end);
    return true;
}

/* ---- mistakes in the finished code ----------------------------------------------------------- */

static bool is_barrier(const struct mins *m)
{
    return m->i.op == OP_BSSY || m->i.op == OP_BSYNC || m->i.op == OP_BREAK;
}

static bool wrong_register(struct mfn *mf, int *site)
{
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first; m; m = m->next)
            if (is_barrier(m) && once(site)) return m->i.bx ^= 1, true;
    return false;
}

/* Every instruction of one barrier names the register of another. */
static bool register_shared(struct mfn *mf, int *site)
{
    for (int from = 0; from < HD_BARRIERS; from++)
        for (int to = 0; to < mf->bar_top; to++) {
            bool any = false;
            for (int k = 0; k < mf->nblks; k++)
                for (const struct mins *m = mf->blks[k]->first; m; m = m->next)
                    any |= is_barrier(m) && m->i.bx == from;
            if (!any || from == to || !once(site)) continue;
            for (int k = 0; k < mf->nblks; k++)
                for (struct mins *m = mf->blks[k]->first; m; m = m->next)
                    if (m->vb >= 0 && m->i.bx == from) m->i.bx = (uint8_t)to;
            return true;
        }
    return false;
}

static bool bmov_dropped(struct mfn *mf, int *site)
{
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first; m; m = m->next)
            if ((m->i.op == OP_BMOVB || m->i.op == OP_BMOVR) && once(site))
                return mins_remove(mf->blks[k], m), true;
    return false;
}

static bool callees_register(struct mfn *mf, int *site)
{
    if (!mf->ncallees || mf->callees[0]->saves_bars || !once(site)) return false;
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first; m; m = m->next)
            if (is_barrier(m)) m->i.bx = (uint8_t)baralloc_reg(mf->callees[0], 0);
    return true;
}

/* ---- what happens ---------------------------------------------------------------------------- */

static const struct mistake {
    const char *name;
    bool (*place)(struct fn *, int *site);
    bool (*code)(struct mfn *, int *site);
} mistakes[] = {
    { "a join dropped", join_dropped, NULL },
    { "a rejoin dropped", rejoin_dropped, NULL },
    { "a wait dropped", wait_dropped, NULL },
    { "a cancel dropped", cancel_dropped, NULL },
    { "no deconfliction", no_deconfliction, NULL },
    { "a copy omitted", copy_omitted, NULL },
    { "joined twice", joined_twice, NULL },
    { "a join moved into the branch's target", join_in_target, NULL },
    { "a join moved after the branch", join_behind_branch, NULL },
    { "a cancel moved into the branch's target", cancel_in_target, NULL },
    { "a cancel moved after the branch", cancel_behind_branch, NULL },
    { "a wait moved before a join of ways", wait_on_one_way, NULL },
    { "a cancel with the wrong guard", cancel_polarity, NULL },
    { "a cancel without its guard", cancel_by_all, NULL },
    { "a copy with the wrong guard", copy_polarity, NULL },
    { "joins another barrier", joins_other, NULL },
    { "waits at another barrier", waits_at_other, NULL },
    { "leaves another barrier", leaves_other, NULL },
    { "copies another barrier", copies_other, NULL },
    { "two waits exchanged", waits_swapped, NULL },
    { "a barrier's end too early", ends_early, NULL },
    { "a wrong register", NULL, wrong_register },
    { "a register shared", NULL, register_shared },
    { "a BMOV dropped", NULL, bmov_dropped },
    { "a register of the callee", NULL, callees_register },
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

/* What is planted now, for the functions that the linker put in. */
static struct {
    const struct mistake *mistake;
    int site;
    bool made, rejected_place, rejected_code;
} plan;

bool __real_verify_placement(struct fn *f, struct hd_err *err);
bool __wrap_verify_placement(struct fn *f, struct hd_err *err);
bool __real_verify_code(struct mfn *mf, struct hd_err *err);
bool __wrap_verify_code(struct mfn *mf, struct hd_err *err);

bool __wrap_verify_placement(struct fn *f, struct hd_err *err)
{
    struct hd_err said = { 0 };
    (void)err;
    if (plan.mistake && plan.mistake->place && !plan.made)
        plan.made = plan.mistake->place(f, &plan.site);
    plan.rejected_place |= !__real_verify_placement(f, &said);
    return true;
}

bool __wrap_verify_code(struct mfn *mf, struct hd_err *err)
{
    struct hd_err said = { 0 };
    if (err != mf->be->err) return __real_verify_code(mf, err);        /* allocation asks */
    if (plan.mistake && plan.mistake->code && !plan.made)
        plan.made = plan.mistake->code(mf, &plan.site);
    plan.rejected_code |= !__real_verify_code(mf, &said);
    return true;
}

struct outcome {
    enum hd_status status;
    uint64_t insns, active, gave_way;
    uint32_t out[2 * LANES];
};

static struct outcome run(hd_device *d, const struct kernel *k)
{
    struct hd_err err = { 0 };
    struct cc_options opt = {
        .predict = k->predict, .deconflict = k->dynamic, .soft = k->soft, .no_ifconv = true
    };
    struct outcome o = { 0 };
    uint64_t param;
    uint64_t at;
    struct hd_image *img = hd_compile_ptx("t.ptx", k->text, &opt, &err);
    if (!img) fail_msg("%s: %s", k->name, err.text);
    assert_int_equal(hd_reset(d, 0), HD_OK);
    assert_int_equal(hd_load(d, img), HD_OK);
    assert_int_equal(hd_malloc(d, sizeof o.out, &at), HD_OK);
    param = at;
    struct hd_launch l = { .grid = { 1, 1, 1 },
                           .block = { 2 * LANES, 1, 1 },
                           .params = &param,
                           .params_size = sizeof param };
    o.status = hd_launch_grid(d, &l);
    const struct hd_counters *n = hd_get_counters(d);
    o.insns = n->warp_insns, o.active = n->active_lanes, o.gave_way = n->gave_way;
    hd_read(d, at, o.out, sizeof o.out);
    hd_image_free(img);
    return o;
}

enum { V, C, D, T, P, SAME, MARKS };
struct row { int n, count[MARKS], unproved; };

static void judge(hd_device *d, const struct kernel *k, const struct outcome *right, struct row *r)
{
    const struct outcome o = run(d, k);
    if (!plan.made) return;
    bool proved = !plan.rejected_place && !plan.rejected_code;
    bool stuck = (o.status != HD_OK && o.status != HD_MISMATCH) || o.gave_way > right->gave_way;
    bool wrong = o.status == HD_MISMATCH ||
                 (o.status == HD_OK && memcmp(o.out, right->out, sizeof o.out));
    r->n++;
    r->count[V] += plan.rejected_place;
    r->count[C] += plan.rejected_code;
    r->count[D] += stuck;
    r->count[T] += wrong;
    r->unproved += proved && (stuck || wrong);
    if (proved && (stuck || wrong))
        print_message("not proved wrong, yet %s: %s in %s\n", stuck ? "stuck" : "wrong",
                      plan.mistake->name, k->name);
    if (!proved || stuck || wrong) return;
    r->count[o.insns != right->insns || o.active != right->active - 0 ? P : SAME]++;
}

static void print_row(const char *name, const struct row *r)
{
    static const char mark[] = "VCDTP=";
    print_message("%-42s %4d ", name, r->n);
    for (int m = 0; m < MARKS; m++) {
        if (r->count[m]) print_message(" %c %3d", mark[m], r->count[m]);
        else print_message("      ");
    }
    print_message("\n");
}

static void test_mistakes(void **state)
{
    struct hd_config cfg = { .kind = HD_MODEL, .third_leg = true, .limit = LIMIT };
    struct row all = { 0 };
    hd_device *d;
    int missed = 0;
    (void)state;
    assert_int_equal(hd_open(&cfg, &d), HD_OK);
    print_message("%-42s %4s  V C: proofs, D T: runs, P: slower or faster, =: nothing\n", "mistake",
                  "made");
    for (int m = 0; m < MISTAKES; m++) {
        struct row r = { 0 };
        for (int k = 0; k < KERNELS; k++) {
            /* Barriers of several functions: C does not follow lanes into callees, so it cannot see
             * mistakes in what V proved. */
            if (mistakes[m].code && !strcmp(kernels[k].name, "function")) continue;
            memset(&plan, 0, sizeof plan);
            const struct outcome right = run(d, &kernels[k]);
            assert_int_equal(right.status, HD_OK);
            assert_int_equal(right.gave_way, 0);
            assert_false(plan.rejected_place || plan.rejected_code);
            for (int site = 0; site == 0 || plan.made; site++) {
                memset(&plan, 0, sizeof plan);
                plan.mistake = &mistakes[m];
                plan.site = site;
                judge(d, &kernels[k], &right, &r);
            }
        }
        print_row(mistakes[m].name, &r);
        for (int c = 0; c < MARKS; c++) all.count[c] += r.count[c];
        all.n += r.n;
        all.unproved += r.unproved;
        missed += !r.count[V] && !r.count[C];
    }
    print_row("all", &all);
    hd_close(d);
    assert_int_equal(all.unproved, 0);
    assert_int_equal(missed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_mistakes) };
    return cmocka_run_group_tests_name("mutants-place", tests, NULL, NULL);
}
