/* Which instructions are translated, and in which runs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run begins where control may come from elsewhere: at the target of a branch, after an
 * instruction that the interpreter executes.  Where it comes to the middle of a run, as a branch
 * through a register may, the interpreter executes the rest of that run. */
#include "cmodel/native/native.h"
#include <stdlib.h>
#include <string.h>
#include "cmodel/isa/lane.h"

/* A run ends after MOST instructions, so that it fits into what the scheduler gives a warp at a
 * time; one of fewer than LEAST costs as much to enter as it saves, but where another one may go on
 * after it. */
enum { LEAST = 2, MOST = 192 };

bool native_clock(const struct hd_insn *i)
{
    return i->op == OP_S2R && (i->imm == SREG_CLOCKLO || i->imm == SREG_CLOCKHI);
}

bool native_constant(const struct hd_insn *i)
{
    const int bytes = 4 * hd_insn_width(i, 0);
    return i->op == OP_LDC && i->ra == HD_RZ && i->sz >= SZ_32 && i->off >= 0 && !(i->off % bytes);
}

enum native_kind native_kind(const struct hd_insn *i)
{
    const struct hd_op_info *info = &hd_ops[i->op];
    if (i->pop)
        return NATIVE_LEFT;
    switch (i->op) {
    case OP_BRA: case OP_CALL: return i->imm % HD_INSN_BYTES ? NATIVE_LEFT : NATIVE_BRANCH;
    case OP_BRX: case OP_CALLR: case OP_RET: return NATIVE_LEAP;
    case OP_BSSY: return NATIVE_JOIN;
    case OP_BSYNC: case OP_BREAK: case OP_WARPSYNC: return NATIVE_MEET;
    case OP_EXIT: return NATIVE_EXIT;
    default: break;
    }
    if (native_constant(i))
        return NATIVE_LANES;
    if (info->unit == UNIT_LSU || info->flags & F_LANES)
        return *info->effect ? NATIVE_CALL : NATIVE_LANES;
    if (info->unit == UNIT_FPU)
        return lane_way(i) != LANE_ROW ? NATIVE_LANES : NATIVE_CALL;
    if (info->unit == UNIT_SFU || info->unit == UNIT_F64)
        return NATIVE_CALL;
    if (i->op == OP_POPC || i->op == OP_CLZ)
        return NATIVE_ALONE;
    return info->unit == UNIT_ALU || info->unit == UNIT_MUL ? NATIVE_LANES : NATIVE_LEFT;
}

static bool always_exits(const struct hd_insn *i)
{
    return i->op == OP_EXIT && i->pg == HD_PT && !i->pn;
}

/* A run's last instruction, guarded or not. */
static bool ends_run(const struct hd_insn *i)
{
    const enum native_kind kind = native_kind(i);
    return kind == NATIVE_BRANCH || kind == NATIVE_LEAP || kind == NATIVE_MEET;
}

static bool leads_on(const struct hd_insn *i)
{
    return ends_run(i) || native_kind(i) == NATIVE_EXIT;
}

/* Where something else than the instruction before may lead. */
static bool *starts(const struct hd_insn *code, const bool *legal, uint32_t words)
{
    bool *at = calloc((size_t)words + 1, sizeof *at);
    for (uint32_t i = 0; at && i < words; i++) {
        if (legal[i] && strchr(hd_ops[code[i].op].operands, '@') &&
            code[i].imm / HD_INSN_BYTES < words)
            at[code[i].imm / HD_INSN_BYTES] = true;
    }
    return at;
}

struct native_run *native_runs(const struct hd_insn *code, const bool *legal, uint32_t words,
                               uint32_t *n)
{
    struct native_run *run = malloc(((size_t)words + 1) * sizeof *run);
    bool *start = starts(code, legal, words);
    *n = 0;
    for (uint32_t i = 0, end; run && start && i < words; i = end > i ? end : i + 1) {
        for (end = i; end < words && end - i < MOST && legal[end] && !(end > i && start[end]) &&
                      native_kind(&code[end]) != NATIVE_LEFT; end++)
            if (ends_run(&code[end])) {
                end += native_kind(&code[end]) != NATIVE_BRANCH ||
                       code[end].imm / HD_INSN_BYTES < words;
                break;
            } else if (always_exits(&code[end])) {
                end++;
                break;
            }
        if (end - i >= LEAST || (end > i && leads_on(&code[i])))
            run[(*n)++] = (struct native_run){ i, end - i };
    }
    if (!start) {
        free(run);
        run = NULL;
    }
    free(start);
    return run;
}
