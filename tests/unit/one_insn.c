/* One instruction on a chosen machine state.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include "cmodel/image/asm.h"
#include "one_insn.h"

const struct launch_limits one_insn_core = {
    .warps = 32, .regs = 256, .shared_bytes = 16384, .stack_depth = 0
};

u32 rnd(u64 *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (u32)(*seed >> 32);
}

u32 rnd_value(u64 *seed)
{
    static const u32 special[] = { 0, 1, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000,
                                   0x7fc00001, 0x00000001, 0x80000001, 0x3f800000, 0xff, 0x0820 };
    switch (rnd(seed) % 4) {
    case 0: return special[rnd(seed) % (sizeof special / sizeof *special)];
    case 1: return rnd(seed) % 64;
    default: return rnd(seed);
    }
}

void random_state(u64 *seed, struct state *s)
{
    for (int r = 0; r < LAST; r++)
        for (int l = 0; l < 32; l++)
            s->r[r][l] = rnd_value(seed);
    for (int p = 0; p < 7; p++)
        s->p[p] = rnd(seed) % 4 ? rnd(seed) : 0u - (rnd(seed) & 1);
    s->p[7] = ~0u;
}

struct model *one_insn_start(const struct launch *k)
{
    struct hd_insn nop = hd_insn_make(OP_NOP);
    struct model *m = fast_new(&one_insn_core);
    assert_non_null(m);
    one_insn_load(m, &nop);
    model_launch(m, k);
    assert_null(model_place(m, 0, 0));
    return m;
}

void one_insn_load(struct model *m, const struct hd_insn *i)
{
    struct hd_insn leave = hd_insn_make(OP_EXIT);
    struct hd_word w[2] = { hd_encode(i), hd_encode(&leave) };
    memcpy(model_memory(m) + LAUNCH_CODE, w, sizeof w);
    assert_true(model_load(m, LAUNCH_CODE, sizeof w, false));
}

void set_state(struct model *m, unsigned warp, const struct state *s)
{
    memcpy(m->warp[warp].r, s->r, sizeof s->r);
    memcpy(m->warp[warp].p, s->p, sizeof s->p);
    m->warp[warp].conv.pc = 0;
}

void check_state(const struct model *m, unsigned warp, const struct state *want,
                 const struct hd_insn *i, const char *path)
{
    const struct warp *w = &m->warp[warp];
    struct hd_word word = hd_encode(i);
    char text[128];
    hd_dis_insn(text, sizeof text, &word, NULL, NULL);
    for (int r = 0; r < LAST; r++)
        for (int l = 0; l < 32; l++)
            if (w->r[r][l] != want->r[r][l])
                fail_msg("%s (%s): R%d lane %d is %08x, must be %08x", text, path, r, l, w->r[r][l],
                         want->r[r][l]);
    for (int p = 0; p < 7; p++)
        if (w->p[p] != want->p[p])
            fail_msg("%s (%s): P%d is %08x, must be %08x", text, path, p, w->p[p], want->p[p]);
    for (int l = 0; l < 32; l++)
        assert_int_equal(w->r[ROW_ZERO][l] | w->r[ROW_ZERO + 1][l], 0);
}
