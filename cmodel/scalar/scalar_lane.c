/* What one thread computes: the effects of isa.def once more, for one lane, with taint.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/scalar/scalar_core.h"
#include "cmodel/isa/lane.h"
#include "cmodel/fp/fp32.h"
#include "cmodel/fp/fp64.h"
#include "cmodel/fp/mufu.h"
#include <string.h>

#define HAS(operands, letter) (__builtin_strchr(operands, letter) != NULL)

bool scalar_guard(const struct thread *t, const struct hd_insn *i)
{
    return (t->p >> i->pg ^ i->pn) & 1;
}

static bool reg_tainted(const struct thread *t, unsigned reg, unsigned n)
{
    bool any = false;
    for (unsigned k = reg; k < reg + n && reg != HD_RZ; k++)
        any |= t->taint[k / 64] >> k % 64 & 1;
    return any;
}

bool scalar_tainted(const struct thread *t, const struct hd_insn *i)
{
    const char *o = hd_ops[i->op].operands;
    return reg_tainted(t, i->ra, (unsigned)hd_insn_width(i, 1)) ||
           (!i->bi && reg_tainted(t, i->rb, (unsigned)hd_insn_width(i, 2))) ||
           reg_tainted(t, i->rc, (unsigned)hd_insn_width(i, 3)) ||
           (HAS(o, 's') && i->ps != HD_PT && t->taint_p >> i->ps & 1) ||
           (HAS(o, 't') && i->pq != HD_PT && t->taint_p >> i->pq & 1);
}

bool scalar_tainted_address(const struct thread *t, const struct hd_insn *i)
{
    return reg_tainted(t, i->ra, (unsigned)hd_insn_width(i, 1));
}

void scalar_set(struct thread *t, unsigned reg, u32 v, bool taint)
{
    if (reg == HD_RZ)
        return;
    t->r[reg] = v;
    t->taint[reg / 64] = (t->taint[reg / 64] & ~((u64)1 << reg % 64)) | (u64)taint << reg % 64;
}

void scalar_set_pred(struct thread *t, unsigned pred, bool v, bool taint)
{
    if (pred == HD_PT)
        return;
    t->p = (uint8_t)((t->p & ~(1u << pred)) | (unsigned)v << pred);
    t->taint_p = (uint8_t)((t->taint_p & ~(1u << pred)) | (unsigned)taint << pred);
}

void scalar_taint_results(struct thread *t, const struct hd_insn *i)
{
    unsigned n = (unsigned)hd_insn_width(i, 0);
    for (unsigned k = 0; k < n && i->rd != HD_RZ; k++)
        scalar_set(t, i->rd + k, t->r[i->rd + k], true);
    if (HAS(hd_ops[i->op].operands, 'p'))
        scalar_set_pred(t, i->pd, t->p >> i->pd & 1, true);
}

/* Special registers; *taint: clocks depend on the schedule. */
static u32 special(const struct scalar *s, const struct thread *t, u32 n, bool *taint)
{
    const struct launch *k = &s->launch;
    u32 l = t->index % HD_LANES, bit = 1u << l, b = s->block;
    switch (n) {
    case SREG_TID_X: return t->index % k->block.x;
    case SREG_TID_Y: return t->index / k->block.x % k->block.y;
    case SREG_TID_Z: return t->index / (k->block.x * k->block.y);
    case SREG_NTID_X: return k->block.x;
    case SREG_NTID_Y: return k->block.y;
    case SREG_NTID_Z: return k->block.z;
    case SREG_CTAID_X: return b % k->grid.x;
    case SREG_CTAID_Y: return b / k->grid.x % k->grid.y;
    case SREG_CTAID_Z: return b / (k->grid.x * k->grid.y);
    case SREG_NCTAID_X: return k->grid.x;
    case SREG_NCTAID_Y: return k->grid.y;
    case SREG_NCTAID_Z: return k->grid.z;
    case SREG_LANEID: return l;
    case SREG_WARPID: return t->index / HD_LANES;
    case SREG_NWARPID: return k->warps_block;
    case SREG_NSMID: return k->cores ? k->cores : 1;
    case SREG_SMID: *taint |= k->cores > 1; return 0;     /* which core is not known */
    case SREG_LANEMASK_EQ: return bit;
    case SREG_LANEMASK_LT: return bit - 1;
    case SREG_LANEMASK_LE: return bit | (bit - 1);
    case SREG_LANEMASK_GT: return ~(bit | (bit - 1));
    case SREG_LANEMASK_GE: return ~(bit - 1);
    case SREG_CLOCKLO: case SREG_CLOCKHI: *taint = true; return 0;
    default: return 0;                      /* GRIDID */
    }
}

static u32 with_signs(u32 v, bool absolute, bool negate)
{
    return (absolute ? v & ~F32_SIGN : v) ^ (negate ? F32_SIGN : 0);
}

static u64 pair(const struct thread *t, unsigned reg)
{
    return reg == HD_RZ ? 0 : (u64)t->r[reg + 1] << 32 | t->r[reg];
}

/* The effect of S2R reads the warp's table; a thread alone has none. */
#define sreg(w, l, n) special(s, t, n, &taint)

/* Rows that are control, memory or talk to lanes do not come here, but must compile. */
#define WARP_LOAD(space) (void)0
#define WARP_STORE(space) (void)0
#define WARP_ATOM(space) (void)0
#define WARP_VOTE() (void)0
#define WARP_SHFL() (void)0
#define WARP_MATCH_ANY() (void)0
#define WARP_MATCH_ALL() (void)0
#define WARP_BRA() (void)0
#define WARP_EXIT() (void)0
#define WARP_BAR() (void)0
#define WARP_TRAP() (void)0
#define WARP_BRX() (void)0
#define WARP_RET() (void)0
#define WARP_CALL() (void)0
#define WARP_CALLR() (void)0
#define WARP_BSSY() (void)0
#define WARP_BSYNC() (void)0
#define WARP_BREAK() (void)0
#define WARP_BMOVR() (void)0
#define WARP_BMOVB() (void)0
#define WARP_WARPSYNC() (void)0
#define WARP_YIELD() (void)0
#define WARP_SSY() (void)0
#define WARP_CAL() (void)0
#define WARP_CALR() (void)0
#define WARP_RETT() (void)0

static u32 bank_word(const struct scalar *s, u32 at)
{
    u32 v;
    memcpy(&v, s->constant.data + at, 4);
    return v;
}

u32 scalar_second(const struct scalar *s, const struct thread *t, const struct hd_insn *i)
{
    return i->cb ? bank_word(s, i->imm) : i->bi ? i->imm : t->r[i->rb];
}

void scalar_effect(struct scalar *s, struct thread *t, const struct hd_insn *i)
{
    const struct hd_insn m = *i;
    const char *operands = hd_ops[i->op].operands;
    bool is_float = hd_ops[i->op].unit == UNIT_FPU || hd_ops[i->op].unit == UNIT_SFU;
    bool taint = scalar_tainted(t, i);
    u32 a = t->r[i->ra], b = scalar_second(s, t, i), c = t->r[i->rc], d = 0, pd = 0;
    u32 ps = (t->p >> i->ps ^ i->sn) & 1, pt = t->p >> i->pq & 1;
    u64 A = HAS(operands, 'A') ? pair(t, i->ra) : 0, C = HAS(operands, 'C') ? pair(t, i->rc) : 0,
        D = 0;
    u64 B = !HAS(operands, 'B') ? 0 : i->cb ? (u64)bank_word(s, i->imm + 4) << 32 | b
          : i->bi ? (u64)(s64)(s32)i->imm : pair(t, i->rb);
    if (is_float) {
        a = with_signs(a, i->aa, i->na);
        b = with_signs(b, i->ab, i->nb);
        c = with_signs(c, false, i->nc);
    }
    switch (i->op) {
#define INSN(id, mnemonic, opcode, ops, mods, unit, flags, effect, sentence)                       \
    case OP_##id:                                                                                  \
        effect;                                                                                    \
        break;
#include "cmodel/isa/isa.def"
    }
    if (HAS(operands, 'D')) {
        scalar_set(t, i->rd, (u32)D, taint);
        scalar_set(t, i->rd == HD_RZ ? HD_RZ : i->rd + 1u, (u32)(D >> 32), taint);
    } else if (HAS(operands, 'd')) {
        scalar_set(t, i->rd, d, taint);
    }
    if (HAS(operands, 'p'))
        scalar_set_pred(t, i->pd, pd & 1, taint);
}
