/* The golden model as programs see it: memory, faults and their records, special registers,
 * progress, launches; and that the fast path does what the recorded one does.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/image/asm.h"
#include "one_insn.h"

static const struct launch_limits core = {
    .warps = 32, .regs = 256, .shared_bytes = 16384, .stack_depth = 0
};

struct run { struct model *m; struct hd_image *img; struct launch k; enum hd_status status; };

/* Assembles and runs; two buffers of 4096 bytes: A writable at LAUNCH_HEAP, B read-only 8192
 * above. */
static struct run run_text(const char *text, struct hd_dim3 grid, struct hd_dim3 block,
                           hd_commit_fn *fn, void *user)
{
    struct run r = { 0 };
    struct hd_err err = { 0 };
    char why[256] = "";
    struct hd_launch l = { .grid = grid, .block = block };
    struct fast_run how = { .limit = 10000000, .on_commit = fn, .commit_user = user };
    if (hd_asm("test", text, &r.img, &err))
        fail_msg("%s", err.text);
    r.m = fast_new(&core);
    assert_non_null(r.m);
    if (launch_load(model_memory(r.m), r.img, why, sizeof why) ||
        launch_prepare(&r.k, model_memory(r.m), r.img, &l, &core, why, sizeof why))
        fail_msg("%s", why);
    assert_true(launch_add_range(&r.k, LAUNCH_HEAP + 8192, 4096, false));
    assert_true(launch_add_range(&r.k, LAUNCH_HEAP, 4096, true));
    for (u32 i = 0; i < 4096; i++)
        model_memory(r.m)[LAUNCH_HEAP + 8192 + i] = (uint8_t)(i * 7 + (i >> 8));
    assert_true(model_load(r.m, r.k.code_base, r.k.code_size, r.img->stack_mode));
    model_launch(r.m, &r.k);
    r.status = fast_run(r.m, &how);
    return r;
}

static void done(struct run *r)
{
    hd_image_free(r->img);
    model_free(r->m);
}

static u32 word_at(const struct model *m, u64 at)
{
    u32 v;
    memcpy(&v, m->mem + at, sizeof v);
    return v;
}

#define HEAD ".kernel k\n.regs 32\n.shared 256\n.local 64\nS2R R0, SR_TID_X\nSHL R1, R0, 2\n" \
    "MOV R2, 0x10000000\n" \
    "IADD R2, R2, R1\nMOV R3, 0\n"
static const struct hd_dim3 one = { 1, 1, 1 }, warp = { 32, 1, 1 };

static void test_spaces(void **unused)
{
    /* Each size through global, shared, local and generic memory; the sum of what comes back. */
    static const char text[] = HEAD
        "MOV R8, 0x81828384\nIADD R8, R8, R0\nMOV R9, R0\nMOV R10, 3\nMOV R11, 4\n"
        "SHL R4, R0, 3\nSTS.64 [R4], R8\nLDS.64 R12, [R4]\n"
        "STL.128 [RZ+16], R8\nLDL.128 R16, [RZ+16]\nLDL.U8 R20, [RZ+17]\nLDL.S16 R21, [RZ+18]\n"
        "MOV R23, 2\nMOV R22, 20\nLD R24, [R22]\n"              /* generic, local: R9 */
        "MOV R23, 1\nMOV R22, R4\nLD R25, [R22]\n"              /* generic, shared: R8 */
        "IADD R26, R12, R13\nIADD R26, R26, R16\nIADD R26, R26, R19\nIADD R26, R26, R20\n"
        "IADD R26, R26, R21\nIADD R26, R26, R24\nIADD R26, R26, R25\nSTG [R2], R26\n"
        "LDG.U8 R5, [R2+8192]\nSTG [R2+1024], R5\nSTG.U8 [R2+2048], R8\nEXIT\n";
    (void)unused;
    struct run r = run_text(text, one, warp, NULL, NULL);
    assert_int_equal(r.status, HD_OK);
    for (u32 l = 0; l < 32; l++) {
        u32 v = 0x81828384 + l,
            want = v + l + v + 4 + (v >> 8 & 255) + (u32)(s32)(int16_t)(v >> 16) + l + v;
        assert_int_equal(word_at(r.m, LAUNCH_HEAP + 4 * l), want);
        assert_int_equal(word_at(r.m, LAUNCH_HEAP + 1024 + 4 * l), (uint8_t)(4 * l * 7));
        assert_int_equal(word_at(r.m, LAUNCH_HEAP + 2048 + 4 * l), v & 255);
        /* local memory: word k of lane l at 128 k + 4 l */
        assert_int_equal(word_at(r.m, LAUNCH_LOCAL + 128 * 4 + 4 * l), v);
        assert_int_equal(word_at(r.m, LAUNCH_LOCAL + 128 * 7 + 4 * l), 4);
    }
    done(&r);
}

static void test_store_order_and_atomics(void **unused)
{
    static const char text[] = HEAD
        "MOV R6, 0x10000400\nMOV R7, 0\nSTG [R6], R0\n"        /* colliding stores: the last lane */
        "IADD R8, R0, 1\nATOMG.ADD R9, [R6+16], R8\nSTG [R2], R9\n"     /* prefix sums */
        "MOV R10, 5\nATOMG.INC R9, [R6+32], R10\nSTG [R2+128], R9\n"    /* 0 1 2 3 4 5 0 ... */
        /* only the matching lane goes on */
        "ATOMG.CAS R9, [R6+48], R0, R8\nATOMG.MINS RZ, [R6+64], R3\n"
        "ISUB R11, RZ, R0\nATOMG.MINS RZ, [R6+68], R11\nATOMG.MAXU RZ, [R6+72], R11\n"
        "MOV R12, -1\nMOV R13, 0\nATOMG.ADD.64 R14, [R6+80], R12\nATOMS.EXCH R15, [RZ], R0\n"
        "STG [R2+256], R15\nATOMG.DEC R9, [R6+96], R10\nSTG [R2+384], R9\nEXIT\n";
    (void)unused;
    struct run r = run_text(text, one, warp, NULL, NULL);
    u32 at = LAUNCH_HEAP + 0x400;
    assert_int_equal(r.status, HD_OK);
    assert_int_equal(word_at(r.m, at), 31);
    for (u32 l = 0; l < 32; l++) {
        assert_int_equal(word_at(r.m, LAUNCH_HEAP + 4 * l), l * (l + 1) / 2);
        assert_int_equal(word_at(r.m, LAUNCH_HEAP + 128 + 4 * l), l % 6);
        assert_int_equal(word_at(r.m, LAUNCH_HEAP + 256 + 4 * l), l ? l - 1 : 0);
        assert_int_equal(word_at(r.m, LAUNCH_HEAP + 384 + 4 * l), (6 - l % 6) % 6);
    }
    assert_int_equal(word_at(r.m, at + 48), 32);    /* 0 -> 1 -> 2 ... */
    assert_int_equal(word_at(r.m, at + 68), (u32)-31);
    assert_int_equal(word_at(r.m, at + 72), ~0u);
    assert_int_equal(word_at(r.m, at + 80), (u32)-32);
    assert_int_equal(word_at(r.m, at + 84), 31);
    done(&r);
}

static void test_warp_operations(void **unused)
{
    static const char text[] = HEAD
        "LOP.AND R4, R0, 3\nISETP.LT.U32 P0, R0, 20, PT\nISETP.LT.U32 P1, R0, 10, PT\n"
        "@P0 VOTE.ANY R5, P2, P1\n@P0 STG [R2], R5\n"
        "@P0 MATCH.ANY R6, R4\n@P0 STG [R2+128], R6\n"
        "MOV R7, 0x1f\n@P0 SHFL.DOWN R8, P3, R0, 4, R7\n@P0 STG [R2+256], R8\n"
        "SEL R9, R0, RZ, P3\nSTG [R2+384], R9\nMATCH.ALL R10, P4, RZ\nSTG [R2+512], R10\nEXIT\n";
    (void)unused;
    struct run r = run_text(text, one, warp, NULL, NULL);
    assert_int_equal(r.status, HD_OK);
    for (u32 l = 0; l < 32; l++) {
        assert_int_equal(word_at(r.m, LAUNCH_HEAP + 4 * l), l < 20 ? 0x3ff : 0);
        assert_int_equal(word_at(r.m, LAUNCH_HEAP + 128 + 4 * l), l < 20 ? 0x11111u << l % 4 : 0);
        assert_int_equal(word_at(r.m, LAUNCH_HEAP + 256 + 4 * l), l < 16 ? l + 4 : 0);
        assert_int_equal(word_at(r.m, LAUNCH_HEAP + 384 + 4 * l), l < 20 ? l : 0);
        assert_int_equal(word_at(r.m, LAUNCH_HEAP + 512 + 4 * l), ~0u);
    }
    done(&r);
}

static void test_faults(void **unused)
{
    static const struct { const char *text; enum hd_fault fault; u32 lanes; u64 addr; } cases[] = {
        { "LDG.64 R4, [R2+4]", HD_FAULT_MISALIGNED, 0x55555555, 0x10000004 },
        { "LDG R4, [R2-4]", HD_FAULT_RANGE, 1, 0xffffffc },
        { "LDG R4, [R2+4000]", HD_FAULT_RANGE, 0xff000000, 0x10001000 },
        { "MOV R3, 1; LDG R4, [R2]", HD_FAULT_RANGE, ~0u, 0x110000000 },
        { "LDG R4, [RZ]", HD_FAULT_RANGE, ~0u, 0 },
        { "STG [R2+8192], R0", HD_FAULT_READONLY, ~0u, 0x10002000 },
        { "ATOMG.ADD R4, [R2+8192], R0", HD_FAULT_READONLY, ~0u, 0x10002000 },
        { "STG [R2+4095], R0", HD_FAULT_MISALIGNED, ~0u, 0x10000fff },
        { "LDS R4, [R1+252]", HD_FAULT_RANGE, 0xfffffffe, 0x100 },
        { "LDS R4, [R1-4]", HD_FAULT_RANGE, 1, 0xfffffffc },
        { "STL [R1], R0", HD_FAULT_RANGE, 0xffff0000, 64 },
        { "LDC R4, [R1+65536]", HD_FAULT_RANGE, ~0u, 65536 },
        { "MOV R3, 3; LD R4, [R2]", HD_FAULT_RANGE, ~0u, 0x310000000 },
        { "MOV R3, 0x100; LD R4, [R2]", HD_FAULT_SPACE, ~0u, 0x10010000000 },
        { "MOV R3, 0x100; LDG R4, [R2]", HD_FAULT_RANGE, ~0u, 0x10010000000 },
        { "MOV R3, 2; MOV R2, 0; ATOM.ADD R4, [R2], R0", HD_FAULT_SPACE, ~0u, 0x200000000 },
        { "MOV R3, 2; MOV R2, R1; LD R4, [R2]", HD_FAULT_RANGE, 0xffff0000, 0x200000040 },
        { "ISETP.GT.U32 P0, R0, 7, PT; @P0 BPT.TRAP", HD_FAULT_TRAP, 0xffffff00, 0 },
        { ".insn 0x1ff, 0, 0, 0", HD_FAULT_ILLEGAL, ~0u, 0 },
        { "BRX R2", HD_FAULT_PC, 1, 0 },
        { "MOV R4, 8; BRX R4", HD_FAULT_PC, ~0u, 0 },
        { "NOP", HD_FAULT_PC, ~0u, 0 },
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        snprintf(text, sizeof text, HEAD "%s\n", cases[i].text);
        for (char *s = text; *s; s++)
            *s = *s == ';' ? '\n' : *s;
        struct run r = run_text(text, one, warp, NULL, NULL);
        const struct hd_commit *f = model_fault(r.m);
        if (r.status != HD_FAULT)
            fail_msg("%s: no fault", cases[i].text);
        assert_int_equal(r.m->fault, cases[i].fault);
        assert_int_equal(r.m->fault_at.lanes, cases[i].lanes);
        if (f->fault_addr != cases[i].addr)
            fail_msg("%s: address %llx", cases[i].text, (unsigned long long)f->fault_addr);
        done(&r);
    }
}

static bool keep(void *user, const struct hd_commit *c)
{
    *(struct hd_commit *)user = *c;
    return true;
}

/* The record of a fault holds the state before it, and nothing happened. */
static void test_fault_record(void **unused)
{
    struct hd_commit c;
    struct run r = run_text(HEAD "ISETP.LT.U32 P0, R0, 30, PT\n@P0 STG [R2+4000], R0\nEXIT\n", one,
                            warp, keep, &c);
    (void)unused;
    assert_int_equal(r.status, HD_FAULT);
    assert_int_equal(c.fault, HD_FAULT_RANGE);
    assert_int_equal(c.pc, 6 * 16);
    assert_int_equal(c.seq, 6);
    assert_int_equal(c.exec, 0x3fffffff);
    assert_int_equal(c.fault_m, 0x3f000000);
    assert_int_equal(c.active, ~0u);
    assert_int_equal(c.npc[5], 6 * 16);
    assert_int_equal(c.next_active | c.mem | c.size, 0);
    assert_int_equal(word_at(r.m, LAUNCH_HEAP + 4000), 0);
    assert_memory_equal(&c, model_fault(r.m), sizeof c);
    done(&r);
}

/* Many blocks of divergent, communicating warps: with and without records the same memory and
 * counts. */
static bool count_commits(void *user, const struct hd_commit *c)
{
    uint64_t *n = user;
    assert_int_equal(c->seq, *n);
    ++*n;
    return true;
}

static void test_fast_equals_recorded(void **unused)
{
    static const char text[] = HEAD
        "S2R R4, SR_CTAID_X\nIMAD R5, R4, 1664525, R0\nMOV R6, 0\n"
        "top:\nBSSY B0, join\nLOP.AND R7, R5, 7\nISETP.LT.U32 P0, R7, 3, PT\n@P0 BRA odd\n"
        "IADD R6, R6, R5\nSHR.U32 R5, R5, 1\nBRA join\nodd:\nIMAD R5, R5, 3, RZ\n"
        "SHR.U32 R5, R5, 2\n"
        "join:\nBSYNC B0\nISETP.NE.U32 P1, R5, 0, PT\n@P1 BRA top\n"
        "SHL R8, R0, 2\nLOP.AND R8, R8, 0xfc\nSTS [R8], R6\nBAR.SYNC 0, 0\nLDS R9, [R8]\n"
        "SHL R10, R4, 2\n"
        "MOV R12, 0x10000000\nIADD R12, R12, R10\nMOV R13, 0\nATOMG.ADD RZ, [R12], R9\n"
        "S2R R14, SR_CLOCKLO\nATOMG.XOR RZ, [R12+1024], R14\nEXIT\n";
    struct hd_dim3 grid = { 40, 1, 1 }, block = { 100, 1, 1 };
    uint64_t n = 0;
    (void)unused;
    struct run a = run_text(text, grid, block, NULL, NULL),
               b = run_text(text, grid, block, count_commits, &n);
    assert_int_equal(a.status, HD_OK);
    assert_int_equal(b.status, HD_OK);
    assert_true(model_ended(a.m));
    assert_memory_equal(a.m->mem + LAUNCH_HEAP, b.m->mem + LAUNCH_HEAP, 4096);
    assert_memory_equal(model_counters(a.m), model_counters(b.m), sizeof(struct hd_counters));
    assert_int_equal(model_counters(b.m)->warp_insns, n);
    assert_true(model_counters(a.m)->divergent_branches > 100);
    assert_true(model_counters(a.m)->reconvergences > 100);
    done(&a);
    done(&b);
}

static void test_counters(void **unused)
{
    static const char text[] = HEAD "ISETP.LT.U32 P0, R0, 8, PT\nBSSY B0, j\n@!PT BRA j\n"
                                    "@P0 BRA a\nLDG R4, [R2]\n"
        "BRA j\na:\nSTG [R2], R0\nSTS [R1], R0\nj:\nBSYNC B0\nEXIT\n";
    (void)unused;
    struct run r = run_text(text, one, warp, NULL, NULL);
    const struct hd_counters *n = model_counters(r.m);
    assert_int_equal(n->warp_insns, 16);            /* 5 + 4, 2, 2, then BSYNC twice and EXIT */
    assert_int_equal(n->active_lanes, 9 * 32 + 2 * 24 + 2 * 8 + 24 + 8 + 32);
    assert_int_equal(n->thread_insns, n->active_lanes - 32 - 24);
    assert_int_equal(n->branches, 3);
    assert_int_equal(n->divergent_branches, 1);
    assert_int_equal(n->reconvergences, 1);
    assert_int_equal(n->loads, 1);
    assert_int_equal(n->stores, 2);
    assert_int_equal(n->mem_transactions, 3 + 1);
    done(&r);
}

static void test_special_registers(void **unused)
{
    static const char text[] =
        ".kernel k\n.regs 32\nS2R R0, SR_TID_X\nS2R R1, SR_TID_Y\nS2R R2, SR_TID_Z\n"
        "S2R R3, SR_NTID_X\nS2R R4, SR_NTID_Y\nIMAD R5, R2, R4, R1\nIMAD R5, R5, R3, R0\n"
        "S2R R6, SR_CTAID_X\nS2R R7, SR_CTAID_Y\nS2R R8, SR_NCTAID_X\nIMAD R9, R7, R8, R6\n"
        "S2R R14, SR_WARPID\nSHL R14, R14, 5\nS2R R15, SR_LANEID\nIADD R14, R14, R15\n"
        "IMAD R10, R9, 42, R5\nSHL R10, R10, 2\nIADD R12, R10, 0x10000000\nMOV R13, 0\n"
        "STG [R12], R14\nEXIT\n";
    struct hd_dim3 grid = { 3, 2, 1 }, block = { 7, 3, 2 };
    (void)unused;
    struct run r = run_text(text, grid, block, NULL, NULL);
    assert_int_equal(r.status, HD_OK);
    for (u32 i = 0; i < 6 * 42; i++)
        assert_int_equal(word_at(r.m, LAUNCH_HEAP + 4 * i), i % 42);
    done(&r);
}

/* A spin loop across warps makes progress; a loop that counts forever hits the limit; deadlock is
 * reported. */
static void test_progress(void **unused)
{
    static const char spin[] = HEAD
        "MOV R6, 0x10000800\nMOV R7, 0\nISETP.LT.U32 P0, R0, 32, PT\n@!P0 BRA set\n"
        "L:\nLDG R8, [R6]\nISETP.EQ.U32 P1, R8, 0, PT\n@P1 BRA L\nEXIT\nset:\nMOV R8, 1\n"
        "STG [R6], R8\nEXIT\n";
    char told[2000] = "";
    (void)unused;
    struct run r = run_text(spin, one, (struct hd_dim3){ 64, 1, 1 }, NULL, NULL);
    assert_int_equal(r.status, HD_OK);
    done(&r);
    r = run_text(".kernel k\n.regs 8\nL: IADD R1, R1, 1\nBRA L\n", one, warp, NULL, NULL);
    assert_int_equal(r.status, HD_LIMIT);
    assert_int_equal(model_counters(r.m)->warp_insns, 10000000);
    done(&r);
    r = run_text(HEAD "ISETP.EQ.U32 P0, R0, 0, PT\n@P0 BRA w\nBAR.SYNC 2, 0\nEXIT\nw:\n"
                      "WARPSYNC -1\nEXIT\n",
                 one, warp, NULL, NULL);
    assert_int_equal(r.status, HD_DEADLOCK);
    FILE *f = fmemopen(told, sizeof told, "w");
    model_explain(r.m, f);
    fclose(f);
    assert_non_null(strstr(told, "lanes 00000001, next pc 0xa0: at WARPSYNC for lanes ffffffff"));
    assert_non_null(strstr(told, "lanes fffffffe, next pc 0x80: at block barrier 2"));
    done(&r);
}

/* The RTL chooses; the model says when the choice is not legal. */
static void test_choice_is_checked(void **unused)
{
    const struct launch k = { .code_base = LAUNCH_CODE,
                              .code_size = 32,
                              .grid = { 1, 1, 1 },
                              .block = { 64, 1, 1 },
                              .threads = 64,
                              .warps_block = 2,
                              .block_slots = 1 };
    struct model *m = one_insn_start(&k);
    struct hd_commit c;
    uint64_t clock = 77;
    (void)unused;
    assert_non_null(model_place(m, 0, 1));          /* not empty */
    assert_non_null(model_place(m, 1, 1));          /* no such slot */
    assert_int_equal(model_step(m, 5, &c, NULL), STEP_EMPTY);
    assert_int_equal(model_step(m, 99, &c, NULL), STEP_EMPTY);
    assert_int_equal(model_step(m, 1, &c, &clock), STEP_OK);
    assert_int_equal(c.warp, 1);
    assert_int_equal(model_step(m, 1, &c, NULL), STEP_OK);
    assert_int_equal(c.live, 0);
    assert_int_equal(model_step(m, 1, &c, NULL), STEP_EMPTY);
    assert_false(model_ended(m));
    model_free(m);
}

/* An image needs units by its code, also as a file; a core without one of them refuses it. */
static void test_core_without_unit(void **unused)
{
    static const struct { const char *text; unsigned unit; const char *why; } is[] = {
        { ".kernel k\nDADD R2, R4, R6\nEXIT\n", UNIT_F64, "no f64 unit" },
        { ".kernel k\nFADD R2, R4, R6\nEXIT\n", UNIT_FPU, "no float unit" },
        { ".kernel k\nMUFU.RCP R2, R4\nEXIT\n", UNIT_SFU, "no MUFU" } };
    enum { N = sizeof is / sizeof *is };
    struct model *m = fast_new(&core);
    (void)unused;
    for (int t = 0; t < N * N; t++) {
        bool needs = t / N == t % N;
        struct launch_limits without = core;
        struct hd_err err = { 0 };
        struct hd_image *img = NULL, *again;
        struct hd_launch l = { .grid = one, .block = { 32, 1, 1 } };
        struct launch k;
        uint8_t *file;
        size_t n;
        char why[256];
        without.no_units = 1u << is[t % N].unit;
        assert_int_equal(hd_asm("t", is[t / N].text, &img, &err), 0);
        assert_int_equal(hd_image_units(img), 1u << is[t / N].unit | 1u << UNIT_CTL);
        assert_int_equal(launch_prepare(&k, m->mem, img, &l, &core, why, sizeof why), HD_OK);
        assert_int_equal(launch_prepare(&k, m->mem, img, &l, &without, why, sizeof why),
                         needs ? HD_TOO_BIG : HD_OK);
        if (needs) assert_non_null(strstr(why, is[t % N].why));
        hd_image_save(img, &file, &n);
        again = hd_image_parse("t", file, n, &err);
        assert_non_null(again);
        assert_int_equal(hd_image_units(again), hd_image_units(img));
        hd_image_free(again);
        hd_image_free(img);
        free(file);
    }
    model_free(m);
}

static void test_launch_refuses(void **unused)
{
    struct hd_err err = { 0 };
    struct hd_image *img = NULL;
    struct hd_launch l = { .grid = one, .block = { 1024, 1, 1 } };
    static const struct launch_limits small = {
        .warps = 4, .regs = 64, .shared_bytes = 1024, .stack_depth = 0
    };
    struct launch k;
    char why[256];
    struct model *m = fast_new(&core);
    (void)unused;
    assert_int_equal(hd_asm("t", ".kernel k\n.regs 80\n.shared 600\nEXIT\n", &img, &err), 0);
    assert_int_equal(launch_prepare(&k, m->mem, img, &l, &core, why, sizeof why), HD_OK);
    assert_int_equal(k.block_slots, 1);
    assert_int_equal(k.shared_size, 640);
    assert_int_equal(launch_prepare(&k, m->mem, img, &l, &small, why, sizeof why), HD_TOO_BIG);
    assert_non_null(strstr(why, "128 threads"));
    l.block.x = 32;
    assert_int_equal(launch_prepare(&k, m->mem, img, &l, &small, why, sizeof why), HD_TOO_BIG);
    assert_non_null(strstr(why, "80 registers"));
    l.shared_bytes = 20000;
    assert_int_equal(launch_prepare(&k, m->mem, img, &l, &core, why, sizeof why), HD_TOO_BIG);
    assert_non_null(strstr(why, "20608 bytes of shared"));
    l.shared_bytes = 0;
    l.grid.y = 0;
    assert_int_equal(launch_prepare(&k, m->mem, img, &l, &core, why, sizeof why), HD_BAD_ARGUMENT);
    l.grid = (struct hd_dim3){ 65536, 65536, 65536 };
    assert_int_equal(launch_prepare(&k, m->mem, img, &l, &core, why, sizeof why), HD_BAD_ARGUMENT);
    l.grid = one;
    l.kernel = "none";
    assert_int_equal(launch_prepare(&k, m->mem, img, &l, &core, why, sizeof why), HD_NO_KERNEL);
    for (u32 i = 0; i < LAUNCH_RANGES; i++)
        assert_true(launch_add_range(&k, 0x20000000 - 512 * i, 256, true));
    assert_int_equal(k.range[0].base, 0x20000000 - 512 * 15);
    assert_false(launch_add_range(&k, 0x30000000, 256, true));
    hd_image_free(img);
    model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spaces),
        cmocka_unit_test(test_store_order_and_atomics),
        cmocka_unit_test(test_warp_operations),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_fault_record),
        cmocka_unit_test(test_fast_equals_recorded),
        cmocka_unit_test(test_special_registers),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_choice_is_checked),
        cmocka_unit_test(test_core_without_unit),
        cmocka_unit_test(test_launch_refuses),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
