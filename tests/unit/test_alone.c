/* What alone.c takes for the ways on from an instruction has all that the machine goes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each row of the table, with `.S` and without, on the plain machine, with registers and tokens
 * that name a place which its word does not.  Where lanes come to that place, a reader of an
 * atomic's result that stands there must keep blocks in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include "cmodel/fast/inside.h"
#include "one_insn.h"

enum { ATOMIC, IT, NEXT, AWAY = 4, WORDS = 6, RESULT = 6 };

static const struct launch_limits core = {
    .warps = 1, .regs = 64, .shared_bytes = 4096, .stack_depth = 16
};

static struct hd_insn atomic(void)
{
    struct hd_insn i = hd_insn_make(OP_ATOMG);
    i.rd = RESULT, i.ra = 4, i.rb = 2;
    return i;
}

/* The row, its registers with the place's address, its target the word after it. */
static struct hd_insn row(unsigned op, bool pop)
{
    const struct hd_op_info *info = &hd_ops[op];
    struct hd_insn i = hd_insn_make((enum hd_op)op);
    i.rd = info->width[0] ? 20 : 0;
    i.ra = info->width[1] ? 8 : 0;
    i.rb = info->width[2] ? 12 : 0;
    i.rc = info->width[3] ? 16 : 0;
    i.imm = strchr(info->operands, '@') ? NEXT * CONV_INSN : 0;
    i.pop = pop;
    return i;
}

static void load(struct model *m, const struct hd_insn *i, bool stack_mode)
{
    const struct hd_insn a = atomic(), leave = hd_insn_make(OP_EXIT);
    struct hd_insn reader = hd_insn_make(OP_MOV);
    reader.rd = 20, reader.rb = RESULT;
    const struct hd_word code[WORDS] = { hd_encode(&a),     hd_encode(i),       hd_encode(&leave),
                                         hd_encode(&leave), hd_encode(&reader), hd_encode(&leave) };
    const struct launch k = { .mode = stack_mode,
                              .code_base = LAUNCH_CODE,
                              .code_size = sizeof code,
                              .spill_base = LAUNCH_SPILL,
                              .spill_size = 128,
                              .stack_depth = 16,
                              .grid = { 2, 1, 1 },
                              .block = { 32, 1, 1 },
                              .threads = 32,
                              .warps_block = 1,
                              .block_slots = 1 };
    memcpy(model_memory(m) + LAUNCH_CODE, code, sizeof code);
    assert_true(model_load(m, LAUNCH_CODE, sizeof code, stack_mode));
    model_launch(m, &k);
    assert_null(model_place(m, 0, 0));
}

/* Whether some lane comes to AWAY, with a token of that kind on top of the stack. */
static bool comes_away(struct model *m, const struct hd_insn *i, bool stack_mode, unsigned kind)
{
    struct hd_commit rec = { 0 };
    struct warp *w = &m->warp[0];
    load(m, i, stack_mode);
    for (unsigned r = 8; r < 20; r++)
        for (unsigned l = 0; l < HD_LANES; l++)
            w->r[r][l] = r % 2 ? 0 : AWAY * CONV_INSN;
    w->conv.pc = IT * CONV_INSN;
    if (stack_mode) {
        w->stack.chip[0] = (struct hd_token){ ~0u, AWAY * CONV_INSN | kind };
        w->stack.n = 1;
    }
    model_step(m, 0, &rec, NULL);
    bool any = false;
    for (unsigned l = 0; l < HD_LANES; l++)
        any |= !m->fault && (rec.live >> l & 1) && rec.npc[l] == AWAY * CONV_INSN;
    return any;
}

static void every_row(void **state)
{
    static const unsigned kinds[] = { HD_TOKEN_SYNC, HD_TOKEN_DIV, HD_TOKEN_CALL };
    struct model *m = fast_new(&core);
    unsigned rows = 0, away = 0;
    (void)state;
    assert_non_null(m);
    for (unsigned n = 0; n < OP_COUNT * 4u; n++) {
        const bool stack_mode = n & 1, pop = n & 2;
        const struct hd_insn i = row(n / 4, pop);
        bool comes = false;
        if (hd_insn_fault(&i, stack_mode) ||
            (pop && (!stack_mode || hd_ops[i.op].unit == UNIT_CTL)))
            continue;
        rows++;
        for (unsigned k = 0; k < 3; k++)
            comes |= comes_away(m, &i, stack_mode, kinds[k]);
        struct meeting why;
        load(m, &i, stack_mode);
        if (comes && jobs_scan(fast_of(m), &why))
            fail_msg("%s%s, %s mode, may lead to a reader that is not seen",
                     hd_ops[n / 4].mnemonic, pop ? ".S" : "", stack_mode ? "stack" : "barrier");
        away += comes;
    }
    model_free(m);
    print_message("alone: rows %u, of these %u lead where no word says\n", rows, away);
    assert_true(rows > 200 && away > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_row) };
    return cmocka_run_group_tests_name("alone", tests, NULL, NULL);
}
