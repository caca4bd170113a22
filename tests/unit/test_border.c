/* Rows of words where the lower words of their addresses wrap around: each start near 2^32, with
 * all lanes and with some.  A lane whose lower word wraps is at the other end of its 4 GiB, not
 * after the lane before it.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include "one_insn.h"

enum { LO = 4, TO = 8, HALF = 1024 };
static const u64 border = (u64)1 << 32;

static u32 word_at(u64 a) { return (u32)a * 0x9e3779b1u; }

static void access(struct model *m, enum hd_op op, u32 start, u32 step, u32 exec)
{
    struct state s = { .p = { exec, [7] = ~0u } };
    struct hd_insn i = hd_insn_make(op);
    bool wraps = false;
    i.pg = 0, i.ra = LO, i.sz = SZ_32;
    *(op == OP_LDG ? &i.rd : &i.rb) = TO;
    for (u32 l = 0; l < HD_LANES; l++) {
        s.r[LO][l] = start + step * l;
        wraps |= (exec >> l & 1) && s.r[LO][l] < start;
        s.r[TO][l] = op == OP_LDG ? l : word_at(s.r[LO][l]);
    }
    one_insn_load(m, &i);
    set_state(m, 0, &s);
    fast_warp(fast_of(m), &m->warp[0], 1);
    if ((m->fault != HD_FAULT_NONE) != wraps)
        fail_msg("%s of lanes %08x from %08x on, %u bytes apart: fault %d", hd_ops[op].mnemonic,
                 exec, start, step, m->fault);
    for (u32 l = 0; l < HD_LANES && !wraps && op == OP_LDG; l++)
        assert_int_equal(m->warp[0].r[TO][l], exec >> l & 1 ? word_at(start + step * l) : l);
    m->fault = HD_FAULT_NONE;
}

static void every_start(void **unused)
{
    struct launch k = { .code_base = LAUNCH_CODE, .code_size = 32, .grid = { 1, 1, 1 },
                        .block = { 32, 1, 1 }, .threads = 32, .warps_block = 1, .block_slots = 1 };
    u64 seed = 1;
    (void)unused;
    assert_true(launch_add_range(&k, border - HALF, 2 * HALF, true));
    struct model *m = one_insn_start(&k);
    for (u64 a = border - HALF; a < border + HALF; a += 4)
        memcpy(m->mem + a, &(u32){ word_at(a) }, 4);
    for (u32 n = 0; n < HALF / 4; n++)
        for (unsigned t = 0; t < 24; t++) {
            const u32 some = t < 6 ? ~0u << 2 * t : t < 12 ? ~0u >> t : rnd(&seed) | 1u << t;
            access(m, t & 1 ? OP_STG : OP_LDG, 0u - 4 * (n + 1), t % 5 ? 4 : 8 * (t & 2), some);
        }
    model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_start) };
    return cmocka_run_group_tests_name("border", tests, NULL, NULL);
}
