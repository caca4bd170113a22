/* --predict auto: both patterns are found, each metric says what it should, every reason to refuse
 * is given.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/auto/auto.h"

enum { TEXT = 32768 };

/* Appends to a text of at most TEXT bytes. */
__attribute__((format(printf, 2, 3))) static void put(char *out, const char *fmt, ...)
{
    size_t n = strlen(out);
    va_list ap;
    va_start(ap, fmt);
    int more = vsnprintf(out + n, TEXT - n, fmt, ap);
    va_end(ap);
    assert_true(more >= 0 && n + (size_t)more < TEXT);
}

/* n multiply-adds of register r, one after another. */
static const char *work(char *out, int n, const char *r)
{
    out[0] = 0;
    for (int k = 0; k < n; k++) put(out, " fma.rn.f32 %s,%s,%s,%s;\n", r, r, r, r);
    return out;
}

static const char head[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n.extern .func unknown;\n"
    ".visible .entry k(.param .u64 po, .param .u32 pn){\n"
    ".reg .b32 %x,%i,%j,%t,%u,%n,%id; .reg .f32 %f,%g; .reg .b64 %o,%a; .reg .pred %p,%q; "
    ".shared .u32 s;\n"
    "ld.param.u64 %o,[po]; ld.param.u32 %n,[pn]; mov.u32 %id,%tid.x; mov.u32 %x,%id; "
    "mov.u32 %i,0;\n"
    "cvt.rn.f32.u32 %f,%id; mov.f32 %g,%f;\n";
static const char tail[] = "st.global.f32 [%o],%f; st.global.f32 [%o+4],%g; ret; }\n";

/* A loop of 16 rounds around one of 1 to 64, which differ by lane. */
static void merge(char *out, const char *before, int inside, const char *behind)
{
    char w[TEXT];
    out[0] = 0;
    put(out,
        "%sOUTER:\n mad.lo.u32 %%x,%%x,1664525,1013904223; shr.u32 %%t,%%x,18; "
        "and.b32 %%t,%%t,63; add.u32 %%t,%%t,1;\n"
        "mov.u32 %%j,0;\n%s\nINNER:\n%s add.u32 %%j,%%j,1; setp.lt.u32 %%p,%%j,%%t; "
        "@%%p bra INNER;\n%s\n"
        "add.u32 %%i,%%i,1; setp.lt.u32 %%q,%%i,16; @%%q bra OUTER;\n%s",
        head, before, work(w, inside, "%f"), behind, tail);
}

/* A loop of 16 rounds around code that one lane in eight executes. */
static void delay(char *out, int outside, int inside)
{
    char w[TEXT], v[TEXT];
    out[0] = 0;
    put(out,
        "%sOUTER:\n mad.lo.u32 %%x,%%x,1664525,1013904223; shr.u32 %%t,%%x,20; and.b32 %%t,%%t,7; "
        "setp.ne.u32 %%p,%%t,0;\n"
        "%s@%%p bra EPI;\nSIDE:\n%sEPI:\n add.u32 %%i,%%i,1; setp.lt.u32 %%q,%%i,16; "
        "@%%q bra OUTER;\n%s",
        head, work(w, outside, "%g"), work(v, inside, "%f"), tail);
}

struct result { struct arena *a; struct fn *f; char *said; struct hd_err err; bool ok; };

/* The middle end up to what --predict auto inserts; the region's passes follow it. */
static struct result detect(const char *text, const struct cc_profile *profile)
{
    struct result r = { .a = arena_new() };
    size_t n;
    struct module *m = ptx_parse(r.a, "t.ptx", text, strlen(text), &r.err);
    if (!m) fail_msg("%s", r.err.text);
    FILE *out = open_memstream(&r.said, &n);
    struct cc_options opt = { .predict = CC_PREDICT_AUTO, .remarks = out, .profile = profile };
    r.ok = cc_middle(m, &opt, &r.err);
    fclose(out);
    r.f = m->fns[m->nfns - 1];
    return r;
}

static void done(struct result *r)
{
    arena_free(r->a);
    free(r->said);
}

static const struct blk *holds(const struct fn *f, const char *text, int *n)
{
    const struct blk *at = NULL;
    *n = 0;
    for (int b = 0; b < f->nblocks; b++)
        for (const struct ins *i = f->blocks[b]->first; i; i = i->next)
            if (i->op == P_PRAGMA && !strncmp(i->text, text, strlen(text))) at = f->blocks[b], ++*n;
    return at;
}

/* One prediction, of which the remark says `what`; its label stands at the PTX label. */
static void expect_applied(const char *text, const char *what, const char *label)
{
    struct result r = detect(text, NULL);
    int labels, starts;
    const struct blk *at = holds(r.f, "simt.label auto.0", &labels);
    if (!r.ok) fail_msg("%s", r.err.text);
    if (!strstr(r.said, what)) fail_msg("wanted `%s` in:\n%s", what, r.said);
    holds(r.f, "simt.predict auto.0", &starts);
    assert_int_equal(labels, 1);
    assert_int_equal(starts, 1);
    if (label) assert_string_equal(at->label, label);
    done(&r);
}

static void expect_rejected(const char *text, const char *what)
{
    struct result r = detect(text, NULL);
    int n;
    if (!r.ok) fail_msg("%s", r.err.text);
    if (!strstr(r.said, what)) fail_msg("wanted `%s` in:\n%s", what, r.said);
    holds(r.f, "simt.", &n);
    if (n) fail_msg("predicted although:\n%s", r.said);
    done(&r);
}

/* ---- the two patterns ------------------------------------------------------------------------ */

static void test_patterns(void **state)
{
    char text[TEXT], w[TEXT];
    (void)state;
    merge(text, work(w, 4, "%g"), 48, "");
    expect_applied(text, "t.ptx:18: remark: loop merge applied: ", "INNER");
    delay(text, 4, 200);
    expect_applied(text, "t.ptx:17: remark: iteration delay applied: ", NULL);
}

/* An outer loop of no divergence, and code that all lanes execute, are no pattern. */
static void test_no_pattern(void **state)
{
    char text[TEXT], *at;
    struct result r;
    (void)state;
    merge(text, "", 48, "");
    at = strstr(text, "setp.lt.u32 %p,%j,%t");
    memcpy(at, "setp.lt.u32 %p,%j,31", 20);
    r = detect(text, NULL);
    assert_string_equal(r.said, "");
    done(&r);
}

static void test_triple(void **state)
{
    char text[TEXT], w[TEXT], inner[TEXT] = "";
    (void)state;
    put(inner,
        "and.b32 %%u,%%x,15; add.u32 %%u,%%u,1; mov.u32 %%n,0;\nDEEP:\n%s add.u32 %%n,%%n,1; "
        "setp.lt.u32 %%p,%%n,%%u; @%%p bra DEEP;\n",
        work(w, 40, "%g"));
    merge(text, "", 2, inner);
    char *body = strstr(text, " add.u32 %j,%j,1; setp");        /* DEEP into INNER */
    char *deep = strstr(text, "and.b32 %u");
    char moved[TEXT] = "";
    put(moved, "%.*s%s%.*s%s", (int)(body - text), text, inner, (int)(deep - body), body,
        deep + strlen(inner));
    expect_applied(moved, "saves more", NULL);
}

/* ---- metric 1 -------------------------------------------------------------------------------- */

static void test_cost(void **state)
{
    char text[TEXT], w[TEXT];
    (void)state;
    merge(text, work(w, 200, "%g"), 4, "");
    expect_rejected(text, "loop merge rejected: it does not pay; ");
    delay(text, 100, 20);
    expect_rejected(text, "iteration delay rejected: it does not pay; ");
}

static struct module *parsed(struct arena *a, const char *text)
{
    struct hd_err err = { 0 };
    struct cc_options off = { 0 };
    struct module *m = ptx_parse(a, "t.ptx", text, strlen(text), &err);
    if (!m || !cc_middle(m, &off, &err)) fail_msg("%s", err.text);
    return m;
}

static const struct blk *labelled(const struct fn *f, const char *label)
{
    for (int b = 0; b < f->nblocks; b++)
        if (f->blocks[b]->label && !strcmp(f->blocks[b]->label, label)) return f->blocks[b];
    fail_msg("no block %s", label);
    return NULL;
}

/* Seven more multiply-adds cost seven times what core.ini says of one. */
static void test_latency(void **state)
{
    struct hd_err err = { 0 };
    struct cc_options off = { 0 };
    struct timing *t = timing_open("core", &err);
    double cycles[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct arena *a = arena_new();
        struct auto_cost cost;
        char text[TEXT];
        merge(text, "", 1 + 7 * k, "");
        struct module *m = parsed(a, text);
        const struct fn *f = m->fns[m->nfns - 1];
        assert_true(auto_cost_open(&cost, m, &off));
        const struct blk *b = labelled(f, "INNER");
        int home = 0;
        for (const struct ins *i = b->first; i; i = i->next)
            if (i->home) home = i->home - 1;
        cycles[k] = auto_cost_of(&cost, f)->cycles[home];
        free(cost.t);
        arena_free(a);
    }
    assert_float_equal(cycles[1] - cycles[0], 7.0 * t->next[OP_FFMA], 1e-9);
    free(t);
}

static void test_trips(void **state)
{
    struct arena *a = arena_new();
    char text[TEXT];
    (void)state;
    merge(text, "", 8, "");
    struct module *m = parsed(a, text);
    const struct fn *f = m->fns[m->nfns - 1];
    for (int k = 0; k < f->nloops; k++) {
        double bound, mean = auto_trips(f, f->loops[k], &bound);
        assert_float_equal(bound, f->loops[k]->depth == 1 ? 16 : 64, 1e-9);
        assert_float_equal(mean, f->loops[k]->depth == 1 ? 16 : 32.5, 1e-9);
    }
    arena_free(a);
}

/* ---- metric 2 -------------------------------------------------------------------------------- */

/* The one access of the inner loop: pieces for 32 lanes now and when collected, from code that
 * makes %a. */
static void expect_access(const char *outside, const char *inside, double now, double apart)
{
    struct arena *a = arena_new();
    struct cand c[8];
    struct access x[4];
    char text[TEXT], access[TEXT] = "";
    merge(text, outside, 8, "");
    char *at = strstr(text, " add.u32 %j,%j,1; setp");
    put(access, "%s ld.global.f32 %%g,[%%a];\n", inside);
    char all[TEXT] = "";
    put(all, "%.*s%s%s", (int)(at - text), text, access, at);
    struct module *m = parsed(a, all);
    struct fn *f = m->fns[m->nfns - 1];
    int n = auto_find(f, c, 8);
    assert_int_equal(n, 1);
    assert_int_equal(auto_accesses(&c[0], labelled(f, "INNER"), x, 4), 1);
    assert_float_equal(x[0].now[32], now, 1e-9);
    assert_float_equal(x[0].apart[32], apart, 1e-9);
    assert_true(x[0].loses == (now < apart));
    arena_free(a);
}

static void test_memory(void **state)
{
    (void)state;
    expect_access("mul.wide.u32 %a,%id,4; add.u64 %a,%a,%o;", "", 4, 4);    /* same in each round */
    expect_access("", "mad.lo.u32 %u,%i,128,%id; mul.wide.u32 %a,%u,4; add.u64 %a,%a,%o;", 4, 32);
    expect_access("", "mad.lo.u32 %u,%id,16,%i; mul.wide.u32 %a,%u,4; add.u64 %a,%a,%o;", 32, 32);
    expect_access("", "shl.b32 %u,%id,1; add.u32 %u,%u,%i; mul.wide.u32 %a,%u,4; add.u64 %a,%a,%o;",
                  7.875, 32);
    expect_access("", "mul.wide.u32 %a,%i,4; add.u64 %a,%a,%o;", 1, 32);      /* one word for all */
    /* anywhere */
    expect_access("", "and.b32 %u,%x,255; mul.wide.u32 %a,%u,4; add.u64 %a,%a,%o;", 32, 32);
}

/* The same kernel, with loads that stay coalesced and with such as do not. */
static void test_scatter(void **state)
{
    char text[TEXT], loads[TEXT] = "", w[TEXT];
    (void)state;
    for (int k = 0; k < 16; k++) put(loads, "ld.global.f32 %%g,[%%a+%d];\n", 1024 * k);
    char before[TEXT] = "";
    put(before, "mul.wide.u32 %%a,%%id,4; add.u64 %%a,%%a,%%o;\n%s", loads);
    merge(text, before, 300, "");
    expect_applied(text, "; 0 accesses lose coalescing; ", "INNER");
    before[0] = 0;
    put(before, "mad.lo.u32 %%u,%%i,4096,%%id; mul.wide.u32 %%a,%%u,4; add.u64 %%a,%%a,%%o;\n%s%s",
        loads, work(w, 1, "%g"));
    merge(text, before, 25, "");
    expect_rejected(text, "it makes memory accesses scatter; ");
}

/* ---- metric 3 -------------------------------------------------------------------------------- */

static void test_synchronization(void **state)
{
    static const struct { const char *code, *why; } bad[] = {
        { "bar.sync 0;", "a block barrier" },
        { "bar.warp.sync 0xffffffff;", "a warp barrier" },
        { "shfl.sync.idx.b32 %u,%x,0,31,0xffffffff;", "exchange values" },
        { "vote.sync.ballot.b32 %u,%p,0xffffffff;", "exchange values" },
        { "match.any.sync.b32 %u,%x,0xffffffff;", "exchange values" },
        { "activemask.b32 %u;", "exchange values" },
        { "membar.gl;", "a fence" },
        { "ld.volatile.global.u32 %u,[%o];", "a volatile access" },
        { "st.volatile.global.u32 [%o],%x;", "a volatile access" },
        { "atom.global.add.u32 %u,[%o],1; add.u32 %x,%x,%u;", "the order in which lanes arrive" },
        { "SPIN: ld.global.u32 %u,[%o]; setp.eq.u32 %p,%u,0; @%p bra SPIN;",
          "may wait for another lane" },
        { "{ call.uni unknown; }", "not known here" },
    };
    char text[TEXT];
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        merge(text, "", 48, bad[k].code);
        expect_rejected(text, bad[k].why);
    }
    /* the order is not visible */
    merge(text, "", 150, "red.global.add.u32 [%o],1; atom.global.add.u32 %u,[%o+8],1;");
    expect_applied(text, "loop merge applied", "INNER");
}

/* ---- by hand, by profile --------------------------------------------------------------------- */

static void test_by_hand(void **state)
{
    char text[TEXT], all[TEXT] = "";
    struct result r;
    int n;
    (void)state;
    merge(text, "", 48, "");
    char *at = strstr(text, "OUTER:");
    put(all, "%.*s.pragma \"simt.predict mine 0\";\n%.*s.pragma \"simt.label mine\";\n%s",
        (int)(at - text), text, (int)(strstr(text, "INNER:\n") + 7 - at), at,
        strstr(text, "INNER:\n") + 7);
    r = detect(all, NULL);
    if (!r.ok) fail_msg("%s", r.err.text);
    holds(r.f, "simt.predict auto", &n);
    assert_int_equal(n, 0);
    assert_string_equal(r.said, "");
    done(&r);
}

/* A profile of merge(): 8 warps, whose lanes stay `a` or `b` rounds, each as often as the other. */
static struct prof_fn *measured(struct arena *arena, uint32_t a, uint32_t b, bool diverges)
{
    struct prof_fn *p = arena_alloc(arena, sizeof *p);
    uint64_t entries = 8 * 32 * 16;
    struct prof_trip *inner = arena_alloc(arena, 2 * sizeof *inner),
                     *outer = arena_alloc(arena, sizeof *outer);
    inner[0] = (struct prof_trip){ a, entries / 2 };
    inner[1] = (struct prof_trip){ b, entries / 2 };
    outer[0] = (struct prof_trip){ 16, 8 * 32 };
    p->name = arena_printf(arena, "k");
    p->nblocks = 4;
    p->blocks = arena_alloc(arena, 8 * sizeof *p->blocks);
    p->loops = arena_alloc(arena, 2 * sizeof *p->loops);
    p->nloops = 2;
    p->blocks[0] = (struct prof_blk){ .warps = 8, .lanes = 8 * 32 };
    p->blocks[1] = p->blocks[3] = (struct prof_blk){ .warps = 8 * 16, .lanes = entries };
    p->blocks[2] = (struct prof_blk){ .warps = 8ull * 16 * (a > b ? a : b),
                                      .lanes = entries * (a + b) / 2,
                                      .divergent = diverges ? 8 * 16 : 0 };
    p->blocks[4] = p->blocks[0];
    p->nblocks = 5;
    p->loops[0] = (struct prof_loop){ 2, 2, inner };
    p->loops[1] = (struct prof_loop){ 1, 1, outer };
    return p;
}

/* The shape of text as --predict auto sees it. */
static uint64_t shape_of(struct arena *a, const char *text)
{
    struct hd_err err = { 0 };
    struct cc_map map = { 0 };
    struct cc_options opt = { .map = &map };
    struct module *m = ptx_parse(a, "t.ptx", text, strlen(text), &err);
    if (!m || !cc_middle(m, &opt, &err)) fail_msg("%s", err.text);
    uint64_t shape = map.fns[map.nfns - 1].shape;
    assert_int_equal(map.fns[map.nfns - 1].nblocks, 5);
    map_free(&map);
    return shape;
}

static void expect_measured(uint32_t a, uint32_t b, bool diverges, const char *what)
{
    char text[TEXT], w[TEXT];
    struct arena *arena = arena_new();
    merge(text, work(w, 8, "%g"), 30, "");
    struct prof_fn *p = measured(arena, a, b, diverges);
    struct cc_profile all = { "t.json", 1, p };
    p->shape = shape_of(arena, text);
    struct result r = detect(text, &all);
    if (!r.ok) fail_msg("%s", r.err.text);
    if (!strstr(r.said, what)) fail_msg("wanted `%s` in:\n%s", what, r.said);
    done(&r);
    p->shape ^= 1;                               /* another source */
    r = detect(text, &all);
    assert_false(r.ok);
    if (!strstr(r.err.text, "t.json: is stale")) fail_msg("%s", r.err.text);
    done(&r);
    arena_free(arena);
}

static void test_profile(void **state)
{
    (void)state;
    expect_measured(2, 60, true, "applied: measured: ");
    expect_measured(30, 32, true, "rejected: it does not pay; measured: ");
    expect_measured(31, 31, false, "rejected: its branch never diverges in the profile");
}

/* ---- the expectation ------------------------------------------------------------------------- */

/* Refills that cost nothing pay, dear ones do not.  Of lanes that come to the common code once in
 * eight rounds, to wait for the last costs more than it saves: some threshold between is best. */
static void test_threshold(void **state)
{
    static const int all[] = { 0, 4, 8, 12, 16, 24 };
    static const struct prof_trip trips[] = { { 4, 10 }, { 40, 10 }, { 300, 5 } },
                                  rounds[] = { { 40, 1 } };
    struct shape s = { .kind = LOOP_MERGE,
                       .lanes = 32,
                       .chance = 1,
                       .trips = trips,
                       .ntrips = 3,
                       .rounds = rounds,
                       .nrounds = 1 };
    (void)state;
    for (int k = 1; k <= WARP; k++) s.in[k] = s.in_apart[k] = 100;
    struct outcome o = auto_expect(&s, all, 6);
    assert_int_equal(o.threshold, 0);
    assert_true(o.now > 1.5 * o.then);
    for (int k = 1; k <= WARP; k++) s.out[k] = s.out_apart[k] = 20000;
    o = auto_expect(&s, all, 1);
    assert_true(o.then > o.now);            /* one by one, lanes pay too much for the code around */
    o = auto_expect(&s, all, 6);
    /* several pay together, before the longest has ended */
    assert_true(o.threshold > 0 && o.then < o.now);
    s.kind = ITERATION_DELAY;
    s.chance = 0.125;
    for (int k = 1; k <= WARP; k++) s.out[k] = s.out_apart[k] = 300, s.in[k] = s.in_apart[k] = 1000;
    o = auto_expect(&s, all, 1);
    double strict = o.then;
    o = auto_expect(&s, all, 6);
    assert_true(o.threshold >= 4 && o.threshold <= 16);
    assert_true(o.then < strict && o.then < o.now);
}

/* Lanes that are more alike than drawn: what was measured counts for both sides of the
 * comparison. */
static void test_alike(void **state)
{
    static const int all[] = { 0 };
    static const struct prof_trip trips[] = { { 2, 30 }, { 20, 3 }, { 60, 1 } },
                                  rounds[] = { { 20, 1 } };
    struct prof_trip room[3];
    struct shape s = { .kind = LOOP_MERGE,
                       .lanes = 32,
                       .chance = 1,
                       .trips = trips,
                       .ntrips = 3,
                       .rounds = rounds,
                       .nrounds = 1 };
    (void)state;
    for (int k = 1; k <= WARP; k++) s.in[k] = s.in_apart[k] = 100, s.out[k] = s.out_apart[k] = 50;
    struct outcome drawn = auto_expect(&s, all, 1);
    s.now = 0.5 * drawn.now;
    double unfitted = auto_expect(&s, all, 1).then;
    s.fitted = room;
    struct outcome o = auto_expect(&s, all, 1);
    assert_true(o.now == s.now && unfitted == drawn.then);
    assert_true(o.then < 0.95 * unfitted);
    assert_true(room[2].rounds < trips[2].rounds && room[0].rounds >= trips[0].rounds);
    s.now = 1;                       /* all the same: nothing is left to gain */
    o = auto_expect(&s, all, 1);
    assert_true(room[0].rounds == room[2].rounds && o.then > o.now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alike),      cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_no_pattern), cmocka_unit_test(test_triple),
        cmocka_unit_test(test_cost),       cmocka_unit_test(test_latency),
        cmocka_unit_test(test_trips),      cmocka_unit_test(test_memory),
        cmocka_unit_test(test_scatter),    cmocka_unit_test(test_synchronization),
        cmocka_unit_test(test_by_hand),    cmocka_unit_test(test_profile),
        cmocka_unit_test(test_threshold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
