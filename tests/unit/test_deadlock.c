/* The proof of a deadlock: what is one, and states that differ from one in a single place; then
 * deadlocks on both sides, RTL and model, that are none.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/image/asm.h"
#include "harness/lockstep/deadlock.h"
#include "harness/device/device.h"

enum { WARPS = 4, IN_BLOCK = 2 };

/* ---- states ---- */

static void lanes_wait(struct warp_view *v, uint32_t lanes, unsigned how, uint32_t mask)
{
    for (unsigned l = 0; l < HD_LANES; l++)
        if (lanes >> l & 1) {
            v->wait[l] = (uint8_t)how;
            v->npc[l] = 0x40;
            v->sync[l] = how == HD_WAIT_WARPSYNC ? mask : 0;
        }
    if (how >= HD_WAIT_BARRIER && how < HD_WAIT_BLOCK) {
        v->barrier[how - HD_WAIT_BARRIER] = mask;
        v->arrived[how - HD_WAIT_BARRIER] |= lanes;
    }
}

/* Block 0: warp 0 has lanes at a WARPSYNC that wants those at block barrier 2; these and warp 1 at
 * it, of 65 lanes.  Block 1: warp 2 at a WARPSYNC that wants lanes at block barrier 0, warp 3 has
 * ended. */
static struct deadlock_grid stuck(struct warp_view v[WARPS])
{
    memset(v, 0, WARPS * sizeof *v);
    for (unsigned s = 0; s < WARPS; s++) {
        v[s].used = s < 3;
        v[s].block = s / IN_BLOCK;
        v[s].live = v[s].used ? UINT32_MAX : 0;
        v[s].needed[0] = 32;
        v[s].needed[2] = 65;
    }
    lanes_wait(&v[0], 0x0000ffff, HD_WAIT_WARPSYNC, UINT32_MAX);
    lanes_wait(&v[0], 0xffff0000, HD_WAIT_BLOCK + 2, 0);
    lanes_wait(&v[1], 0xffffffff, HD_WAIT_BLOCK + 2, 0);
    lanes_wait(&v[2], 0x000000ff, HD_WAIT_WARPSYNC, 0x1ff);
    lanes_wait(&v[2], 0xffffff00, HD_WAIT_BLOCK + 0, 0);
    return (struct deadlock_grid){ .warp = v, .slots = WARPS, .warps_block = IN_BLOCK };
}

static bool asks_96(const void *user, unsigned slot, unsigned lane, uint32_t *what)
{
    (void)user, (void)slot, (void)lane;
    *what = 96;
    return true;
}

static bool asks_nothing(const void *user, unsigned slot, unsigned lane, uint32_t *what)
{
    (void)user, (void)slot, (void)lane, (void)what;
    return false;
}

/* What change number k makes of it, and what must be said then. */
static const char *change(unsigned k, struct deadlock_grid *g, struct warp_view *v)
{
    switch (k) {
    case 0: v[1].active = 1; v[1].pc = 0x20; return "warp slot 1 can run at PC 0x20";
    case 1: v[1].wait[7] = HD_WAIT_READY; return "lane 7 does not wait";
    case 2: v[1].wait[7] = HD_WAIT_YIELD; return "lane 7 does not wait";
    case 3: v[1].wait[7] = HD_WAIT_NONE; return "lane 7 does not wait";
    case 4: v[1].wait[7] = HD_WAIT_STACK; return "lane 7 does not wait";
    case 5:                             /* blocked lanes can always go on */
        lanes_wait(&v[0], 0x0000ffff, HD_WAIT_BARRIER + 3, UINT32_MAX);
        return "lane 0 waits in BSYNC, and its barrier must give way";
    case 6:
        lanes_wait(&v[0], 0x00008000, HD_WAIT_BARRIER + 3, 0x0000ffff);
        return "lane 15 waits in BSYNC, and its barrier must give way";
    case 7: v[0].live = 0x0000ffff; return "the WARPSYNC of lane 0 is complete";
    case 8:
        lanes_wait(&v[0], 0xffffffff, HD_WAIT_BARRIER + 4, UINT32_MAX);
        return "lane 0 waits in BSYNC, and its barrier must give way";
    case 9: v[2].sync[0] = 0xff; return "the WARPSYNC of lane 0 is complete";
    case 10: v[2].live &= ~0x100u; return "the WARPSYNC of lane 0 is complete";
    case 11: v[0].needed[2] = v[1].needed[2] = 48; return "block barrier 2 of block 0 is complete";
    case 12: v[2].needed[0] = 24; return "block barrier 0 of block 1 is complete";
    case 13:
        v[2].used = false;
        g->unstarted = 1;
        return "block slot 1 is empty, and 1 block has not started";
    case 14: v[0].live = 0; return "all its lanes have exited";
    case 15: v[0].used = v[1].used = v[2].used = false; return "every block has ended";
    case 16: g->asks = asks_nothing; return "the instruction before PC 0x40 is not why";
    case 17: g->asks = asks_96; return "no lane asked block barrier 2 for so many lanes";
    case 18:                            /* no BSYNC there */
        lanes_wait(&v[0], 0x0000ffff, HD_WAIT_BARRIER + 3, UINT32_MAX);
        g->stack_mode = true;
        return "lane 0 does not wait";
    default: return NULL;
    }
}

static void states(void **state)
{
    (void)state;
    struct warp_view v[WARPS];
    char why[200] = "";
    struct deadlock_grid g = stuck(v);
    if (!deadlock_proved(&g, why, sizeof why))
        fail_msg("%s", why);
    g.unstarted = 5;                                 /* no block slot is empty */
    assert_true(deadlock_proved(&g, why, sizeof why));
    unsigned k = 0;
    for (const char *want;; k++) {
        g = stuck(v);
        if (!(want = change(k, &g, v)))
            break;
        if (deadlock_proved(&g, why, sizeof why) || !strstr(why, want))
            fail_msg("change %u: `%s' instead of `%s'", k, why, want);
        why[0] = 0;
    }
    assert_int_equal(k, 19);
}

/* A warp of the stack that waits at a barrier or for lanes in tokens; and one whose empty group
 * pops. */
static void stack_states(void **state)
{
    (void)state;
    struct warp_view v[IN_BLOCK];
    char why[200] = "";
    struct deadlock_grid g = {
        .warp = v, .slots = IN_BLOCK, .warps_block = IN_BLOCK, .stack_mode = true
    };
    memset(v, 0, sizeof v);
    v[0] = (struct warp_view){ .used = true, .live = 3, .depth = 1 };
    lanes_wait(&v[0], 1, HD_WAIT_WARPSYNC, 3);
    lanes_wait(&v[0], 2, HD_WAIT_STACK, 0);
    v[0].token[1] = HD_TOKEN_DIV;
    assert_true(deadlock_proved(&g, why, sizeof why));
    v[0].wait[1] = HD_WAIT_STACK + 3;          /* another reason of lanes in tokens */
    assert_true(deadlock_proved(&g, why, sizeof why));
    v[0].sync[0] = 1;
    assert_false(deadlock_proved(&g, why, sizeof why));
    lanes_wait(&v[0], 1, HD_WAIT_STACK, 0);
    assert_false(deadlock_proved(&g, why, sizeof why));
    assert_non_null(strstr(why, "can run"));
}

/* ---- both sides ---- */

/* What is said of every warp, whatever it does. */
static bool lie_about_barrier, lie_about_circles;
void __real_model_view(const struct model *m, unsigned slot, struct warp_view *out);
void __wrap_model_view(const struct model *m, unsigned slot, struct warp_view *out);
bool __real_fast_spins(const struct model *m);
bool __wrap_fast_spins(const struct model *m);

void __wrap_model_view(const struct model *m, unsigned slot, struct warp_view *out)
{
    __real_model_view(m, slot, out);
    if (lie_about_barrier)
        out->needed[0] = 64;
}

bool __wrap_fast_spins(const struct model *m)
{
    return lie_about_circles || __real_fast_spins(m);
}

#define HEAD ".text\n.kernel k\n.regs 16\n.shared 1024\n.param data u64 8\n    LDC.64 R4, [RZ]\n" \
             "    S2R R0, SR_TID_X\n    SHL R1, R0, 2\n    IMAD.W.U32 R6, R0, 4, R4\n"

static hd_device *open_device(enum hd_kind kind, uint64_t limit)
{
    struct hd_config cfg = { .kind = kind, .lanes = 4, .limit = limit };
    hd_device *d;
    if (hd_open(&cfg, &d) != HD_OK)
        fail_msg("%s", hd_device_error(d));
    return d;
}

static enum hd_status launch_threads(hd_device *d, const char *text, unsigned threads, char *said,
                                     size_t n)
{
    struct hd_image *img = NULL;
    struct hd_err err = { 0 };
    uint64_t data;
    if (hd_asm("program", text, &img, &err))
        fail_msg("%s", err.text);
    assert_int_equal(hd_load(d, img), HD_OK);
    assert_int_equal(hd_malloc(d, 1024, &data), HD_OK);
    uint64_t params[1] = { data };
    struct hd_launch l = {
        .grid = { 1, 1, 1 }, .block = { threads, 1, 1 }, .params = params,
        .params_size = sizeof params
    };
    enum hd_status s = hd_launch_grid(d, &l);
    snprintf(said, n, "%s%s", d->rtl ? d->verdict.why : "",
             d->model && !d->rtl ? hd_device_error(d) : "");
    hd_image_free(img);
    return s;
}

static enum hd_status launch(hd_device *d, const char *text, char *said, size_t n)
{
    return launch_threads(d, text, 64, said, n);
}

static void must(const char *what, enum hd_status got, enum hd_status want, const char *said,
                 const char *must_say)
{
    if (got != want || !strstr(said, must_say))
        fail_msg("%s: %s: `%s' instead of `%s'", what, hd_strerror(got), said, must_say);
}

/* One load never comes back; the memory port is at rest. */
static void lose_load(void *user, struct rtl *r)
{
    bool *done = user;
    if (*done || !*r->p.mem.rvalid || r->mem->rd.t[r->mem->rcur].addr < LAUNCH_HEAP)
        return;
    *r->p.mem.rvalid = 0;
    memmove(&r->mem->rd.t[r->mem->rcur], &r->mem->rd.t[r->mem->rcur + 1],
            (--r->mem->rd.n - (unsigned)r->mem->rcur) * sizeof r->mem->rd.t[0]);
    r->mem->rcur = -1;
    *done = true;
}

/* From some cycle on a read is outstanding that no unit asked for, and that has no end. */
static void never_idle(void *user, struct rtl *r)
{
    (void)user;
    if (r->start && r->cycle - r->start >= 2000 && !r->mem->rd.n) {
        r->mem->rd.t[0] = (struct axi_txn){ .due = UINT64_MAX };
        r->mem->rd.n = 1;
    }
}

static const char load[] = HEAD "    LDG R8, [R6]\n    IADD R8, R8, 1\n    STG [R6], R8\n"
                                "    EXIT\n";
static const char waits[] = HEAD "    BAR.SYNC B0, 96\n    EXIT\n";

static void nobody_runs(void **state)
{
    (void)state;
    char said[300];
    hd_device *d = open_device(HD_LOCKSTEP, 0);
    must("true", launch(d, waits, said, sizeof said), HD_DEADLOCK, said, "");
    hd_close(d);
    for (int kind = HD_MODEL; kind <= HD_LOCKSTEP; kind += HD_LOCKSTEP - HD_MODEL) {
        d = open_device((enum hd_kind)kind, 0);
        lie_about_barrier = true;
        enum hd_status s = launch(d, waits, said, sizeof said);
        lie_about_barrier = false;
        must("false", s, kind == HD_MODEL ? HD_INTERNAL : HD_MISMATCH, said,
             "block barrier 0 of block 0 is complete: 64 lanes are there, 64 are needed");
        hd_close(d);
    }
    d = open_device(HD_LOCKSTEP, 0);
    d->rtl->meddle = never_idle;
    must("busy", launch(d, waits, said, sizeof said), HD_MISMATCH, said,
         "its memory port does not come to rest");
    hd_close(d);
}

static const struct { const char *text, *said; } goes_on[] = {
    { HEAD "a: IADD R2, R2, 1\n    BRA a\n", "does not come back to its state" },
    { HEAD "a: IADD R2, R2, 1\n    STG [R6], R2\n    BRA a\n", "changes memory" },
    { HEAD "a: IADD R2, R2, 1\n    STS [R1], R2\n    BRA a\n", "changes memory" },
    { HEAD "a: LOP.XOR R2, R2, 1\n    ATOMG.EXCH RZ, [R6], R2\n    BRA a\n", "changes memory" },
    { HEAD "a: S2R R2, SR_CLOCKLO\n    MOV R2, RZ\n    BRA a\n", "reads the clock" },
    { HEAD "    MOV R3, 300\na: IADD R3, R3, -1\n    ISETP.NE.U32.AND P0, R3, 0, PT\n"
           "    @P0 BRA a\n    EXIT\n", "it does not" },
    { HEAD "a: BAR.SYNC B0, 0\n    BRA a\n", "does not" } };

/* Warps that run, and are claimed to repeat. */
static void circles(void **state)
{
    (void)state;
    char said[300];
    for (size_t i = 0; i < sizeof goes_on / sizeof *goes_on; i++) {
        hd_device *d = open_device(HD_LOCKSTEP, 0);
        lie_about_circles = true;
        enum hd_status s = launch(d, goes_on[i].text, said, sizeof said);
        lie_about_circles = false;
        must(goes_on[i].text, s, HD_MISMATCH, said, goes_on[i].said);
        hd_close(d);
    }
    for (int kind = HD_MODEL; kind <= HD_LOCKSTEP; kind += HD_LOCKSTEP - HD_MODEL) {
        hd_device *d = open_device((enum hd_kind)kind, 0);
        must("circle", launch(d, HEAD "a: LOP.XOR R2, R2, 1\n    STG [R6], R0\n    BRA a\n", said,
                              sizeof said),
             HD_DEADLOCK, said, "");
        hd_close(d);
    }
}

/* Lanes 0, 2 and 4, lanes 1 and 3, and lane 5 yield to each other, of 6.  What a view shows of the
 * first is the same whenever they run, but next() looks then from lane 1, 3 or 5. */
#define TAKE_TURNS(last) HEAD "    LOP.AND R2, R0, 1\n    ISETP.EQ.U32.AND P0, R2, 0, PT\n" \
                         "    ISETP.EQ.U32.AND P1, R0, 5, PT\n    @P0 BRA a\n    @P1 BRA c\n" \
                         "b: YIELD\n    BRA b\na: YIELD\n    BRA a\n" \
                         "c:" last "    YIELD\n    BRA c\n"
/* f is called by e, which returns to two places in turn: the token below the topmost says to
 * which. */
static const char calls[] = ".mode stack\n" HEAD "a: CAL e\n    CAL e\n    BRA a\ne: CAL f\n"
                            "    RET.T\nf: RET.T\n";

/* A warp in its loop is found to be in one, wherever it is. */
static void anywhere(void **state)
{
    static const char *const loop[] = { TAKE_TURNS(""), calls };
    (void)state;
    for (size_t i = 0; i < sizeof loop / sizeof *loop; i++) {
        char said[300] = "";
        hd_device *d = open_device(HD_MODEL, 300);
        must(loop[i], launch_threads(d, loop[i], 6, said, sizeof said), HD_LIMIT, said, "");
        for (unsigned k = 0; k < 40; k++) {
            struct hd_commit r;
            if (!deadlock_circles(d, said, sizeof said))
                fail_msg("step %u: %s:\n%s", k, said, loop[i]);
            assert_int_equal(model_step(d->model, 0, &r, NULL), STEP_OK);
        }
        hd_close(d);
    }
}

/* A part of it that is gone through twice, and alike, is no circle where the rest counts. */
static void nowhere(void **state)
{
    static const char counts[] = TAKE_TURNS(" IADD R3, R3, 1\n");
    (void)state;
    for (unsigned k = 0; k < 40; k++) {
        char said[300] = "";
        hd_device *d = open_device(HD_MODEL, 300 + k);
        must(counts, launch_threads(d, counts, 6, said, sizeof said), HD_LIMIT, said, "");
        if (deadlock_circles(d, said, sizeof said))
            fail_msg("step %u: called a circle:\n%s", k, counts);
        hd_close(d);
    }
}

/* ---- limits ---- */

/* A core that hangs before the limit does not end as one that reached it. */
static void limit(void **state)
{
    (void)state;
    char said[300];
    bool done = false;
    hd_device *d = open_device(HD_LOCKSTEP, 3000);
    must("limit", launch(d, goes_on[1].text, said, sizeof said), HD_LIMIT, said, "");
    assert_true(hd_get_counters(d)->cycles < 5000);
    hd_close(d);
    d = open_device(HD_LOCKSTEP, 3000);
    d->rtl->meddle = lose_load;
    d->rtl->meddle_user = &done;
    must("hang", launch(d, load, said, sizeof said), HD_MISMATCH, said, "can run at PC");
    hd_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(states), cmocka_unit_test(stack_states),
                                        cmocka_unit_test(nobody_runs), cmocka_unit_test(circles),
                                        cmocka_unit_test(anywhere), cmocka_unit_test(nowhere),
                                        cmocka_unit_test(limit) };
    return cmocka_run_group_tests_name("deadlock", tests, NULL, NULL);
}
