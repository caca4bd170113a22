/* What repeat.c takes for a warp's state: equal ones have equal futures.
 * SPDX-License-Identifier: Apache-2.0
 *
 * In two ways.  States of random programs that are met again, with the same memory, go on alike.
 * And of each state every bit is changed that its key does not have: what is left out of the key
 * must decide about nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/image/asm.h"
#include "one_insn.h"

enum { FUTURE = 24, HEAP = 64, WARPS = 2, STATES = 24 };

/* All that two warps of one block are, and the heap. */
struct machine_state {
    struct warp warp[WARPS];
    struct block block;
    struct hd_counters count;
    u64 seq, changes, ended;
    uint8_t heap[HEAP];
};

static void save(const struct model *m, struct machine_state *s)
{
    memcpy(s->warp, m->warp, sizeof s->warp);
    s->block = m->block[0];
    s->count = m->count;
    s->seq = m->seq, s->changes = m->changes, s->ended = m->blocks_ended;
    memcpy(s->heap, m->mem + LAUNCH_HEAP, HEAP);
}

static void restore(struct model *m, const struct machine_state *s)
{
    memcpy(m->warp, s->warp, sizeof s->warp);
    m->block[0] = s->block;
    m->count = s->count;
    m->seq = s->seq, m->changes = s->changes, m->blocks_ended = s->ended;
    m->fault = HD_FAULT_NONE;
    memcpy(m->mem + LAUNCH_HEAP, s->heap, HEAP);
}

static u64 mix(u64 h, const void *data, size_t n)
{
    const uint8_t *p = data;
    while (n--)
        h = (h ^ *p++) * 0x100000001b3u;
    return h;
}

/* What the warp does in its next steps, as records tell it, and its key afterwards. */
static u64 future(struct model *m, uint8_t *key)
{
    u64 h = 7;
    for (u32 n = 0; n < FUTURE && warp_runs(&m->warp[0]) && !m->fault; n++) {
        struct hd_commit rec;
        memset(&rec, 0, sizeof rec);
        model_step(m, 0, &rec, NULL);
        const u32 did[] = { rec.pc, rec.active, rec.exec, rec.live, rec.next_active, rec.fault };
        h = mix(h, did, sizeof did);
        h = mix(h, rec.npc, sizeof rec.npc);
        h = mix(h, rec.wait, sizeof rec.wait);
    }
    h = mix(h, m->mem + LAUNCH_HEAP, HEAP);
    return m->warp[0].block ? mix(h, key, repeat_key(m, &m->warp[0], key)) : h;
}

/* ---- programs ---- */

static struct hd_image *img;
static struct model *start(const char *mode, const char *text)
{
    static const struct launch_limits core = {
        .warps = 4, .regs = 256, .shared_bytes = 4096, .stack_depth = STACK_MAX
    };
    const struct hd_launch l = { .grid = { 1, 1, 1 }, .block = { 32 * WARPS, 1, 1 } };
    struct hd_err err = { 0 };
    struct launch k;
    char why[256] = "", whole[4096];
    snprintf(whole, sizeof whole,
             ".mode %s\n.kernel k\n.regs 16\nS2R R0, SR_TID_X\nMOV R2, 0x10000000\n"
             "MOV R3, 0\nISETP.EQ.U32 P0, R0, 0, PT\n%s", mode, text);
    if (hd_asm("test", whole, &img, &err))
        fail_msg("%s", err.text);
    struct model *m = fast_new(&core);
    assert_non_null(m);
    if (launch_load(model_memory(m), img, why, sizeof why) ||
        launch_prepare(&k, model_memory(m), img, &l, &core, why, sizeof why))
        fail_msg("%s", why);
    assert_true(launch_add_range(&k, LAUNCH_HEAP, HEAP, true));
    assert_true(model_load(m, k.code_base, k.code_size, img->stack_mode));
    model_launch(m, &k);
    assert_null(model_place(m, 0, 0));
    return m;
}

static void random_text(u64 *seed, const char *const *lines, u32 n, char *text, size_t size)
{
    size_t at = 0;
    for (u32 i = 0; i < 14; i++) {
        char line[64];
        snprintf(line, sizeof line, lines[rnd(seed) % n], rnd(seed) % 15);
        at += (size_t)snprintf(text + at, size - at, "L%u: %s\n", i, line);
    }
    snprintf(text + at, size - at, "L14: BRA L0\n");
}

/* ---- one bit more or less ---- */

/* A state that can be: a lane has a number, and there are no more lanes than that. */
static bool possible(const struct warp *w)
{
    return w->conv.nstk <= HD_LANES && w->conv.ptr < HD_LANES;
}

struct tried { unsigned states, left_out, again; };

/* Of the convergence unit, each field as often as the others. */
#define FIELD_OF(name) { offsetof(struct conv, name), sizeof ((struct conv *)0)->name }
static const struct { size_t at, bytes; } fields[] = {
    FIELD_OF(at), FIELD_OF(alt), FIELD_OF(alt_pc), FIELD_OF(stk), FIELD_OF(ptr), FIELD_OF(b),
    FIELD_OF(arrived), FIELD_OF(sync), FIELD_OF(bar_at), FIELD_OF(released), FIELD_OF(steps) };

static u32 byte_of_conv(u64 *seed)
{
    const u32 f = rnd(seed) % (sizeof fields / sizeof *fields);
    return (u32)(fields[f].at + rnd(seed) % fields[f].bytes);
}

static void flip_bits(struct model *m, const struct machine_state *s, u64 *seed, struct tried *t)
{
    static uint8_t key[1 << 17], changed[1 << 17];
    uint8_t *parts[] = { (uint8_t *)&m->warp[0].conv, (uint8_t *)m->warp[0].p,
                         (uint8_t *)m->warp[0].stack.chip };
    const u32 bytes[] = { sizeof m->warp[0].conv, 4 * PRED_TRUE, sizeof m->warp[0].stack.chip };
    restore(m, s);
    const size_t size = repeat_key(m, &m->warp[0], key);
    const u64 want = future(m, changed);
    for (unsigned n = 0; n < 240; n++) {
        const unsigned part = rnd(seed) % 8 < 6 ? 0 : 1 + rnd(seed) % 2;
        const u32 at = part ? rnd(seed) % bytes[part] : byte_of_conv(seed), bit = rnd(seed) % 8;
        restore(m, s);
        if (n)
            parts[part][at] ^= (uint8_t)(1u << bit);
        else
            m->warp[0].conv.again ^= true;
        if (!possible(&m->warp[0]) || repeat_key(m, &m->warp[0], changed) != size ||
            memcmp(key, changed, size))
            continue;
        t->left_out++;
        if (future(m, changed) != want)
            fail_msg("byte %u of part %u of the state, bit %u, is in no key, and decides", at, part,
                     bit);
    }
}

/* ---- met again ---- */

static void states(const char *mode, const char *const *lines, u32 nlines, u32 programs,
                   struct tried *t)
{
    static struct machine_state kept[STATES], now;
    static uint8_t keys[STATES][1 << 15], key[1 << 15], after[1 << 15];
    for (u32 n = 0; n < programs; n++) {
        u64 seed = (n + 1) * 0x9e3779b97f4a7c15u + nlines;
        char text[2048];
        u32 have = 0;
        size_t size[STATES];
        random_text(&seed, lines, nlines, text, sizeof text);
        struct model *m = start(mode, text);
        for (u32 step = 0; step < 400 && m->warp[0].block && !m->fault; step++) {
            struct hd_commit rec;
            const u32 slot = rnd(&seed) % 4 == 0;
            if (warp_runs(&m->warp[slot]))
                model_step(m, slot, &rec, NULL);
            if (m->fault || !warp_runs(&m->warp[0]) || slot || m->warp[0].stack.spilled)
                continue;
            save(m, &now);
            const size_t bytes = repeat_key(m, &m->warp[0], key);
            for (u32 k = 0; k < have; k++) {
                if (size[k] != bytes || memcmp(keys[k], key, bytes) ||
                    memcmp(kept[k].heap, now.heap, HEAP) || kept[k].ended != now.ended)
                    continue;
                restore(m, &now);
                const u64 one = future(m, after);
                restore(m, &kept[k]);
                m->warp[1] = now.warp[1];            /* the other warp is as it is */
                m->block[0] = now.block;
                if (future(m, after) != one)
                    fail_msg("%s, program %u, step %u: equal keys, other futures:\n%s", mode, n,
                             step, text);
                t->again++;
                break;
            }
            if (have < STATES && step % 5 == 0) {
                kept[have] = now;
                memcpy(keys[have], key, bytes);
                size[have++] = bytes;
            }
            if (step % 16 == 3) {
                flip_bits(m, &now, &seed, t);
                t->states++;
            }
            restore(m, &now);
        }
        model_free(m);
        hd_image_free(img);
    }
}

#define COMMON "IADD R4, R4, 1", "LOP.AND R4, R4, 3", "LOP.XOR R4, R4, R0", "LDG R5, [R2]", \
    "STG [R2], R4", "ISETP.LT.U32 P1, R4, 2, PT", "@P1 BRA L%u", "@!P1 BRA L%u", "@P0 BRA L%u", \
    "@!P0 BRA L%u", "S2R R5, SR_LANEID", "ISETP.LT.U32 P1, R0, 17, PT", "MOV R4, %u", "@P1 EXIT"

static void equal_keys(void **unused)
{
    static const char *const barrier[] = {COMMON,
                                          "BSSY B0, L%u",
                                          "BSSY B1, L%u",
                                          "@P1 BSSY B2, L%u",
                                          "BSYNC B0",
                                          "BSYNC B1",
                                          "BSYNC B2",
                                          "@P1 BREAK B0",
                                          "YIELD",
                                          "YIELD",
                                          "WARPSYNC 3",
                                          "WARPSYNC -1",
                                          "BMOV.R R4, B0",
                                          "BAR.SYNC 0, 0",
                                          "@P1 BRA L%u",
                                          "@P0 BRA L%u",
                                          "MOV R6, 0x1f0\n    IMAD R6, R4, 16, R6\n    @P1 BRX R6"};
    static const char *const stack[] = {
        COMMON, "SSY L%u", "SSY L%u", "NOP.S", "@P1 IADD.S R4, R4, 1", "CAL L%u", "RET.T" };
    struct tried t = { 0 };
    (void)unused;
    states("barrier", barrier, sizeof barrier / sizeof *barrier, 60, &t);
    states("stack", stack, sizeof stack / sizeof *stack, 40, &t);
    print_message("states %u, bits that no key has %u; met again %u\n", t.states, t.left_out,
                  t.again);
    assert_true(t.states > 300 && t.left_out > 5000 && t.again > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(equal_keys) };
    return cmocka_run_group_tests_name("repeat, keys", tests, NULL, NULL);
}
