/* Placement of tokens: on random control flow a small interpreter of docs/stack.md takes every lane
 * of a warp the way that it would take alone, and wakes no lane early; the proof finds planted
 * errors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a branch decides follows from lane, line of the text and how often the lane has been there;
 * the way that a lane takes alone is that through the same text compiled for barriers, whose
 * graph has been edited by other passes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include "cmodel/image/image.h"
#include "random_cfg.h"

enum { LANES = 8, WAY = 400, MAX_LINES = 64, DEPTH = 400, MAX_TEXT = 16384 };

/* ---- random text ----------------------------------------------------------------------------- */

/* What a block does to the lock: takes it and asks whether it has it, gives it back, or nothing. */
static const char *lock_text(uint32_t *s, bool *asks)
{
    const uint32_t k = rnd(s, 5);
    *asks = k == 0;
    return *asks    ? "atom.global.cas.b32 %r3, [%rd1], 0, 1; "
           : k == 1 ? "st.global.u32 [%rd1], %r1; "
                    : "";
}

/* One block a line: line number = 3 + number of the block.  Branches that depend on %r2 are
 * uniform.  locks: blocks take and give back a lock. */
static size_t random_text(char *out, uint32_t *s, int n, bool entry, bool wild, bool locks)
{
    size_t k = (size_t)snprintf(
        out, MAX_TEXT,
        ".version 7.0\n.target sm_75\n.address_size 64\n%s f(.param .u64 p, .param "
        ".u32 n) { .reg .pred %%p<3>; .reg .b32 %%r<4>; .reg .b64 %%rd<2>; "
        "mov.u32 %%r1, %%tid.x; ld.param.u64 %%rd1, [p]; ld.param.u32 %%r2, [n];\n",
        entry ? ".visible .entry" : ".visible .func");
    for (int b = 0; b < n; b++) {
        bool far = wild || !rnd(s, 4);
        int to = far ? (int)rnd(s, (uint32_t)n) : b + (int)rnd(s, (uint32_t)(n - b)),
            other = (int)rnd(s, (uint32_t)n);
        const char *no = rnd(s, 2) ? "!" : "";
        bool asks = false;
        const char *lock = locks ? lock_text(s, &asks) : "";
        k += (size_t)snprintf(out + k, MAX_TEXT - k,
                              "L%d: membar.gl; %ssetp.eq.s32 %%p1, %%r%d, %d; ", b, lock,
                              asks ? 3 : 1 + !rnd(s, 6), b);
        switch (rnd(s, 14)) {
        case 0: k += (size_t)snprintf(out + k, MAX_TEXT - k, "ret;\n"); break;
        case 1: k += (size_t)snprintf(out + k, MAX_TEXT - k, "exit;\n"); break;
        case 2: k += (size_t)snprintf(out + k, MAX_TEXT - k, "bra L%d;\n", to); break;
        case 3: k += (size_t)snprintf(out + k, MAX_TEXT - k, "@%s%%p1 ret;\n", no); break;
        case 4:
            k += (size_t)snprintf(out + k, MAX_TEXT - k,
                                  "T%d: .branchtargets L%d, L%d, L%d; brx.idx %%r1, T%d;\n", b, to,
                                  other, b, b);
            break;
        default: k += (size_t)snprintf(out + k, MAX_TEXT - k, "@%s%%p1 bra L%d;\n", no, to);
        }
    }
    return k + (size_t)snprintf(out + k, MAX_TEXT - k, "membar.gl; ret; }\n");
}

static struct fn *compile(struct arena *a, const char *text, size_t len, bool stack)
{
    struct hd_err err = { 0 };
    struct cc_options opt = { .stack_mode = stack };
    struct module *m = ptx_parse(a, "t.ptx", text, len, &err);
    if (!m || !cc_middle(m, &opt, &err)) fail_msg("%s\n%s", err.text, text);
    return m->fns[m->nfns - 1];
}

/* ---- decisions ------------------------------------------------------------------------------- */

struct run { uint32_t seed; bool uniform[MAX_LINES]; };
struct lane { int visits[MAX_LINES], way[WAY], n; bool out; const struct blk *at; };

static void find_uniform(struct run *r, const char *text)
{
    int line = 1;
    for (const char *p = text; *p; line++) {
        const char *end = strchr(p, '\n'), *u = strstr(p, "setp.eq.s32 %p1, %r2");
        assert_true(line < MAX_LINES);
        r->uniform[line] = u && u < end;
        p = end + 1;
    }
}

static uint32_t decide(const struct run *r, struct lane *l, int lane, int line)
{
    uint32_t v = r->seed * 2654435761u + (uint32_t)line * 40503u;
    if (!r->uniform[line]) v += (uint32_t)(lane * 7919 + l->visits[line]++ * 104729);
    v ^= v >> 15, v *= 0x2c1b3c6du, v ^= v >> 12, v *= 0x297a2d39u, v ^= v >> 15;
    return v >> 8;
}

/* Which target the lane's terminator goes to; -1: the next block, if the guard does not hold. */
static int target(const struct run *r, struct lane *l, int lane, const struct ins *t)
{
    bool brx = t->op == P_BRX;
    if (t->guard < 0 && !brx) return 0;
    uint32_t v = decide(r, l, lane, t->loc.line);
    if (brx) return (int)(v % (uint32_t)t->ntargets);
    return (v & 1) != (uint32_t)t->guard_neg ? 0 : -1;
}

static bool note(struct lane *l, const struct ins *i)
{
    if (i->op != P_MEMBAR) return true;
    if (l->n == WAY) return false;
    l->way[l->n++] = i->loc.line;
    return true;
}

/* The way of one lane, alone. */
static void alone(const struct fn *f, const struct run *r, int lane, struct lane *l)
{
    const struct blk *b = f->blocks[0];
    *l = (struct lane){ .n = 0 };
    while (b) {
        const struct ins *t = blk_terminator(b);
        for (const struct ins *i = b->first; i; i = i->next)
            if (!note(l, i)) return;
        int k = t ? target(r, l, lane, t) : -1;
        b = k < 0                               ? b->succ[b->nsucc - 1]
            : t->op == P_RET || t->op == P_EXIT ? NULL
                                                : t->targets[k];
    }
    l->out = true;
}

/* ---- the interpreter ------------------------------------------------------------------------- */

enum kind { SYNC, DIV, CALL };
struct token { uint32_t mask; enum kind kind; const struct blk *pc; bool again; };
struct warp {
    const struct fn *f; const struct run *r; struct lane lane[LANES];
    uint32_t active, live; const struct blk *pc; bool again;    /* again: at the block's brx */
    struct token stack[DEPTH]; int n;
    const char *wrong; int early, most;
};

static void push(struct warp *w, uint32_t mask, enum kind kind, const struct blk *pc, bool again)
{
    if (w->n == DEPTH) w->wrong = "the stack grows without end";
    else w->stack[w->n++] = (struct token){ mask, kind, pc, again };
    if (w->n > w->most) w->most = w->n;
}

static void pop(struct warp *w)
{
    do {
        if (!w->n) {
            if (w->live) w->wrong = "a pop loses lanes";
            w->active = 0;
            return;
        }
        struct token t = w->stack[--w->n];
        w->active = t.mask & w->live;
        w->pc = t.pc;
        w->again = t.again;
        for (int l = 0; l < LANES; l++)
            if (t.kind != DIV && (w->active >> l & 1) && w->lane[l].at != t.pc)
                w->wrong = "a lane is woken early";
        if (t.kind == CALL) {
            w->live &= ~w->active;                             /* returned: all of them, together */
            for (int l = 0; l < LANES; l++) w->lane[l].out |= w->active >> l & 1;
            w->active = 0;
        }
    } while (!w->active);
}

static uint32_t takers(struct warp *w, const struct ins *t, int *where)
{
    uint32_t m = 0;
    for (int l = 0; l < LANES; l++) where[l] = -2;
    for (int l = 0; l < LANES; l++)
        if (w->active >> l & 1)
            m |= (uint32_t)((where[l] = target(w->r, &w->lane[l], l, t)) >= 0) << l;
    return m;
}

static void branch(struct warp *w, const struct ins *t)
{
    int where[LANES];
    const struct blk *b = w->pc, *next = b->succ[b->nsucc - 1];
    uint32_t m = takers(w, t, where);
    if (m && m != w->active) push(w, w->active & ~m, DIV, next, false);
    if (m) w->active = m;
    w->pc = m ? t->targets[0] : next;
}

/* The lowest lane's target first; the others decide again, so their visits are taken back. */
static void branch_indexed(struct warp *w, const struct ins *t)
{
    int where[LANES], first = 0;
    uint32_t m = 0;
    takers(w, t, where);
    while (!(w->active >> first & 1)) first++;
    for (int l = 0; l < LANES; l++) {
        if (!(w->active >> l & 1)) continue;
        if (t->targets[where[l]] == t->targets[where[first]]) m |= 1u << l;
        else if (!w->r->uniform[t->loc.line]) w->lane[l].visits[t->loc.line]--;
    }
    if (m != w->active) push(w, w->active & ~m, DIV, w->pc, true);
    w->active = m;
    w->pc = t->targets[where[first]];
}

static void leave(struct warp *w, const struct ins *t)
{
    int where[LANES];
    const struct blk *b = w->pc;
    uint32_t m = takers(w, t, where);
    for (int l = 0; l < LANES; l++) w->lane[l].out |= m >> l & 1;
    w->live &= ~m;
    w->active &= ~m;
    if (w->active) w->pc = b->succ[b->nsucc - 1];
    else pop(w);
}

/* The block at pc for the active lanes; false: a lane's way is long enough. */
static bool block(struct warp *w)
{
    const struct ins *t = blk_terminator(w->pc), *i = w->again ? t : w->pc->first;
    bool ret = t && t->op == P_RET && !w->f->entry;
    w->again = false;
    for (; i && i != t; i = i->next) {
        if (i->op == P_SSY) push(w, w->active, SYNC, i->targets[0], false);
        for (int l = 0; l < LANES; l++)
            if ((w->active >> l & 1) && !note(&w->lane[l], i)) return false;
    }
    for (int l = 0; l < LANES; l++)
        if (w->active >> l & 1)
            w->lane[l].at = ret ? NULL : t && t->op == P_POP ? t->targets[0] : w->pc;
    if (!t) w->pc = w->pc->succ[0];
    else if (t->op == P_BRA) branch(w, t);
    else if (t->op == P_BRX) branch_indexed(w, t);
    else if (t->op == P_POP) pop(w);
    else if (!ret) leave(w, t);
    else if (!w->n || w->stack[w->n - 1].kind != CALL) w->wrong = "ret finds no CALL token";
    else pop(w);
    return true;
}

static const char *simulate(const struct fn *f, const struct run *r, const struct lane *want,
                            int *most)
{
    struct warp *w = calloc(1, sizeof *w);
    *w = (struct warp){
        .f = f, .r = r, .active = (1u << LANES) - 1, .live = (1u << LANES) - 1, .pc = f->blocks[0]
    };
    if (!f->entry) push(w, w->active, CALL, NULL, false);
    bool ends = true;
    for (int l = 0; l < LANES; l++) ends &= want[l].out;
    bool whole = true;
    while (w->active && !w->wrong && (whole = block(w))) continue;
    for (int l = 0; l < LANES && !w->wrong; l++) {
        const struct lane *x = &w->lane[l];
        if (x->n > want[l].n || memcmp(x->way, want[l].way, (size_t)x->n * sizeof *x->way))
            w->wrong = "a lane goes astray";
        if (ends && (!x->out || x->n != want[l].n)) w->wrong = "a lane does not come to its end";
    }
    if (ends && !whole) w->wrong = "the warp does not come to its end";
    const char *wrong = w->wrong;
    if (w->most > *most) *most = w->most;
    free(w);
    return wrong;
}

static void test_random(void **state)
{
    uint32_t s = 3;
    int ended = 0, runs = 0, pushes = 0, most = 0;
    char *text = malloc(MAX_TEXT);
    (void)state;
    for (int k = 0; k < 3000; k++) {
        struct arena *a = arena_new();
        bool wild = rnd(&s, 3) == 0;
        int blocks = 1 + (int)rnd(&s, 24);
        size_t len = random_text(text, &s, blocks, rnd(&s, 3) != 0, wild, k % 4 == 3);
        struct fn *stack = compile(a, text, len, true), *plain = compile(a, text, len, false);
        struct run r = { 0 };
        find_uniform(&r, text);
        for (int n = 0; n < 4; n++) {
            struct lane want[LANES];
            bool ends = true;
            r.seed = rnd(&s, 1u << 30);
            for (int l = 0; l < LANES; l++) alone(plain, &r, l, &want[l]), ends &= want[l].out;
            const char *wrong = simulate(stack, &r, want, &most);
            if (wrong) fail_msg("graph %d: %s\n%s", k, wrong, text);
            ended += ends, runs++;
        }
        for (int b = 0; b < stack->nblocks; b++)
            for (struct ins *i = stack->blocks[b]->first; i; i = i->next) pushes += i->op == P_SSY;
        arena_free(a);
    }
    free(text);
    print_message("%d of %d warps ended; %d SSY, deepest stack %d\n", ended, runs, pushes, most);
    assert_true(ended > runs / 4 && pushes > 3000 && most > 10);
}

/* ---- the proof can say no -------------------------------------------------------------------- */

enum { DROP_SSY, SSY_INTO_LOOP, DROP_PAD, KINDS };

/* Plants an error at the n-th place that allows it; false: there is none. */
static bool plant(struct fn *f, int kind, int n)
{
    for (int k = 0; k < f->nblocks; k++) {
        struct blk *b = f->blocks[k];
        struct ins *t = blk_terminator(b);
        for (struct ins *i = b->first; i; i = i->next) {
            struct blk *loop = NULL;
            if (i->op != (kind == DROP_PAD ? P_POP : P_SSY)) continue;
            /* from the block before a loop */
            for (int s = 0; s < b->nsucc && kind == SSY_INTO_LOOP; s++)
                if (b->succ[s]->loop && b->succ[s]->loop->header == b->succ[s] &&
                    b->succ[s]->loop != b->loop && !(t && t->guard >= 0))
                    loop = b->succ[s];
            if ((kind == SSY_INTO_LOOP && !loop) || n--) continue;
            if (kind == DROP_PAD) {
                i->op = P_BRA;
                i->nops = 1;
                cfg_refresh(f);
                return true;
            }
            ins_remove(b, i);
            if (loop) ins_before(loop, loop->first, i);
            return true;
        }
    }
    return false;
}

static void test_verify_rejects(void **state)
{
    uint32_t s = 11;
    int planted[KINDS] = { 0 };
    char *text = malloc(MAX_TEXT);
    (void)state;
    for (int k = 0; k < 1500; k++) {
        size_t len = random_text(text, &s, 2 + (int)rnd(&s, 20), rnd(&s, 3) != 0,
                                 rnd(&s, 4) == 0, false);
        for (int kind = 0; kind < KINDS; kind++) {
            struct hd_err err = { 0 };
            struct arena *a = arena_new();
            struct fn *f = compile(a, text, len, true);
            if (plant(f, kind, (int)rnd(&s, 4))) {
                if (verify_stack(f, &err))
                    fail_msg("graph %d: error %d is not found\n%s", k, kind, text);
                assert_int_equal(err.status, 4);
                planted[kind]++;
            }
            arena_free(a);
        }
    }
    free(text);
    print_message("found: %d lost pushes, %d in a loop, %d lost pads\n", planted[DROP_SSY],
                  planted[SSY_INTO_LOOP], planted[DROP_PAD]);
    for (int kind = 0; kind < KINDS; kind++) assert_true(planted[kind] > 50);
}

/* ---- known shapes ---------------------------------------------------------------------------- */

/* Control instructions and carriers of pops, each with the number of the first of them at its
 * target or after it: ">4".  Counts from 0. */
static void skeleton(const struct hd_image *img, char *out, size_t size)
{
    uint32_t at[256], n = 0;
    struct hd_insn i;
    struct hd_word w;
    size_t k = 0;
    for (uint32_t pc = 0; pc < img->text_size; pc += HD_INSN_BYTES) {
        memcpy(&w, img->text + pc, sizeof w);
        assert_true(hd_decode(&w, true, &i) && n < 256);
        if (hd_ops[i.op].unit == UNIT_CTL || i.pop) at[n++] = pc;
    }
    out[0] = 0;
    for (uint32_t j = 0; j < n; j++) {
        uint32_t to = 0;
        memcpy(&w, img->text + at[j], sizeof w);
        hd_decode(&w, true, &i);
        k += (size_t)snprintf(out + k, size - k, "%s%s%s%s", j ? " " : "", i.pg == HD_PT ? "" : "@",
                              hd_ops[i.op].mnemonic, i.pop ? ".S" : "");
        while (to < n && at[to] < i.imm) to++;
        if (i.op == OP_SSY || i.op == OP_BRA || i.op == OP_CAL)
            k += (size_t)snprintf(out + k, size - k, ">%u", to);
    }
}

#define K(text) \
    ".version 7.0\n.target sm_75\n.address_size 64\n" \
    ".visible .entry k(.param .u64 o, .param .u32 n) {\n" \
    ".reg .pred %p<6>; .reg .b32 %r<8>; .reg .b64 %rd<4>; ld.param.u64 %rd1, [o]; " \
    "ld.param.u32 %r2, [n];\n" \
    "mov.u32 %r1, %tid.x; and.b32 %r3, %r1, 1; setp.eq.s32 %p1, %r3, 0; " \
    "setp.gt.s32 %p2, %r1, 9;\n" \
    "setp.eq.s32 %p3, %r2, 4;\n" text " membar.gl; ret; }\n"
#define X " membar.gl; "
/* Loops as clang writes them: left by a branch, entered in the middle. */
#define LOOP(r, name) name ": " X "add.s32 " r ", " r ", -1; setp.eq.s32 %p4, " r ", 0; @%p4 bra " \
    name "E; bra " name ";"

static void test_shapes(void **state)
{
    static const struct { const char *what, *text, *want; } t[] = {
        { "paper C, Listing 3", K("@%p1 bra JE; mov.b32 %r4, %r1;" LOOP("%r4", "J") "JE: "),
          "SSY>4 @BRA>3 @BRA>2 NOP.S EXIT" },
        { "paper C, Listing 4",
          K("@%p1 bra IE; mov.b32 %r4, %r1; bra I; JE: " X
            "add.s32 %r4, %r4, -1; setp.eq.s32 %p5, %r4, 0; @%p5 bra IE; "
            "I: mov.b32 %r5, %r1; @%p2 bra JE;" LOOP("%r5", "J") "IE: "),
          "SSY>8 @BRA>7 SSY>6 @BRA>5 @BRA>4 NOP.S @BRA>2 NOP.S EXIT" },
        { "if, else", K("@%p1 bra A;" X "bra J; A:" X "J:"),
          "SSY>4 @BRA>3 MEMBAR.S MEMBAR.S EXIT" },
        { "if", K("@%p1 bra J;" X "J:"), "SSY>4 @BRA>3 MEMBAR.S NOP.S EXIT" },
        { "uniform", K("@%p3 bra A;" X "bra J; A:" X "J:"), "@BRA>2 BRA>2 EXIT" },
        { "a && b, else", K("@!%p1 bra F; @!%p2 bra F;" X "bra J; F:" X "J:"),
          "SSY>5 @BRA>4 @BRA>4 MEMBAR.S MEMBAR.S EXIT" },
        { "a && b", K("@!%p1 bra J;" X "@!%p2 bra J;" X "J:"),
          "SSY>5 @BRA>4 @BRA>4 MEMBAR.S NOP.S EXIT" },
        { "nested", K("@%p1 bra J;" X "@%p2 bra I;" X "I:" X "J:"),
          "SSY>8 @BRA>7 SSY>6 @BRA>5 MEMBAR.S NOP.S MEMBAR.S NOP.S EXIT" },
        { "break out of an if",
          K("L: @%p1 bra A;" X "@%p2 bra OUT;" X "A:" X
            "add.s32 %r2, %r2, -1; setp.gt.s32 %p3, %r2, 0; @%p3 bra L; OUT:"),
          "SSY>5 @BRA>3 @BRA>4 @BRA>1 NOP.S EXIT" },
        { "early exit", K("@%p1 ret;" X), "@EXIT EXIT" },
        { "a way out that branches", K("@%p1 bra A;" X "bra J; A: membar.sys; exit; J:"),
          "@BRA>2 EXIT EXIT" },
        { "jump table", K("T: .branchtargets A, B, J; brx.idx %r3, T; A:" X "bra J; B:" X "J:"),
          "SSY>5 BRX MEMBAR.S MEMBAR.S NOP.S EXIT" },
        { "a loop without end", K("L: @%p1 ret; @%p2 bra A;" X "bra L; A:" X "bra L;"),
          "@EXIT SSY>5 @BRA>4 MEMBAR.S MEMBAR.S BRA>0" },
    };
    (void)state;
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        struct hd_err err = { 0 };
        struct cc_options opt = { .stack_mode = true };
        struct arena *a = arena_new();
        char got[512];
        struct module *m = ptx_parse(a, t[k].what, t[k].text, strlen(t[k].text), &err);
        struct hd_image *img = m && cc_middle(m, &opt, &err) ? backend_run(m, &opt, &err) : NULL;
        if (!img) fail_msg("%s", err.text);
        skeleton(img, got, sizeof got);
        if (strcmp(got, t[k].want)) fail_msg("%s: %s, expected %s", t[k].what, got, t[k].want);
        hd_image_free(img);
        arena_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random),
                                        cmocka_unit_test(test_verify_rejects),
                                        cmocka_unit_test(test_shapes) };
    return cmocka_run_group_tests_name("place_stack", tests, NULL, NULL);
}
