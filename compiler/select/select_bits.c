/* Selection of logic, shifts, and operations on bits and bytes of 32-bit words.
 * SPDX-License-Identifier: Apache-2.0 */
#include "compiler/select/minsn.h"

static struct val raw(struct sel *s, int k) { return sel_src(s, &s->in->o[k], 1); }

static struct val lop3(struct sel *s, struct val a, struct val b, struct val c, int lut)
{
    struct val d = sel_do(s, OP_LOP3, a, b, c);
    s->last->i.lut = (uint8_t)lut;
    return d;
}

static void logic(struct sel *s, enum hd_op op)
{
    struct val a = raw(s, 1), b = raw(s, 2);
    if (a.imm) { struct val t = a; a = b; b = t; }
    sel_op(s, op, sel_dst(s, &s->in->o[0]), a, b, VZERO);
}

/* The modes of prmt other than by index: selector nibbles for each of four cases of c. */
static void prmt(struct sel *s)
{
    static const uint16_t table[][4] = {
        [PRMT_F4E] = { 0x3210, 0x4321, 0x5432, 0x6543 },
        [PRMT_B4E] = { 0x5670, 0x6701, 0x7012, 0x0123 },
        [PRMT_RC8] = { 0x0000, 0x1111, 0x2222, 0x3333 },
        [PRMT_ECL] = { 0x3210, 0x3211, 0x3222, 0x3333 },
        [PRMT_ECR] = { 0x0000, 0x1110, 0x2210, 0x3210 },
        [PRMT_RC16] = { 0x1010, 0x3232, 0x1010, 0x3232 },
    };
    struct ins *in = s->in;
    struct val a = raw(s, 1), b = raw(s, 2), c = raw(s, 3);
    if (in->sub != PRMT_INDEX) {
        const uint16_t *t = table[in->sub];
        if (c.imm) {
            c = v_imm(t[c.k & 3]);
        } else {        /* two cases a word, the low bit of c picks within, the next one the word */
            struct val low = sel_do(s, OP_SHL, sel_do(s, OP_AND, c, v_imm(1), VZERO), v_imm(4),
                                    VZERO),
                       w = sel_tmp(s, 1);
            int p = sel_ptmp(s);
            struct mins *m = sel_setp(s, OP_ISETP, p, sel_do(s, OP_AND, c, v_imm(2), VZERO),
                                      v_imm(0), P_TRUE);
            m->i.icmp = ICMP_NE;
            struct val even = sel_reg(s, v_imm((uint32_t)t[3] << 16 | t[2]));
            sel_sel(s, w, even, v_imm((uint32_t)t[1] << 16 | t[0]), (struct pval){ p, false });
            c = sel_do(s, OP_AND, sel_do(s, OP_SHRU, w, low, VZERO), v_imm(0xffff), VZERO);
        }
    }
    sel_op(s, OP_PRMT, sel_dst(s, &in->o[0]), a, c, b);
}

/* bfi d, a into b, at c, d bits: mask = ((1 << len) - 1) << pos, clipped at the top. */
static void bfi(struct sel *s)
{
    struct ins *in = s->in;
    struct val a = raw(s, 1), b = raw(s, 2), pos = raw(s, 3), len = raw(s, 4), mask;
    if (pos.imm) pos.k &= 255;
    else pos = sel_do(s, OP_AND, pos, v_imm(255), VZERO);
    if (len.imm) {
        len.k &= 255;
        mask = v_imm(len.k > 31 ? 0xffffffff : (1u << len.k) - 1);
    } else {
        struct val n = sel_do(s, OP_AND, len, v_imm(255), VZERO);
        mask = sel_do(s, OP_XOR, sel_do(s, OP_SHL, v_imm(0xffffffff), n, VZERO), v_imm(0xffffffff),
                      VZERO);
    }
    mask = mask.imm && pos.imm ? v_imm(pos.k > 31 ? 0 : (uint32_t)(mask.k << pos.k))
                               : sel_do(s, OP_SHL, mask, pos, VZERO);
    a = sel_do(s, OP_SHL, a, pos, VZERO);
    sel_put(s, &in->o[0], lop3(s, a, mask, sel_reg(s, b), 0xe2));      /* mask ? a : b */
}

static void find(struct sel *s)
{
    struct ins *in = s->in;
    struct val a = sel_extend(s, raw(s, 1), in->type), d = sel_tmp(s, 1);
    a = sel_reg(s, a);
    if (type_signed(in->type))
        a = sel_do(s, OP_XOR, a, sel_do(s, OP_SHRS, a, v_imm(31), VZERO), VZERO);
    struct val n = sel_do(s, OP_CLZ, a, VZERO, VZERO);
    if (in->sub != BFIND_SHIFTAMT) {
        sel_op(s, OP_IRSUB, d, n, v_imm(31), VZERO);
    } else {
        int p = sel_ptmp(s);
        struct mins *m = sel_setp(s, OP_ISETP, p, n, v_imm(32), P_TRUE);
        m->i.icmp = ICMP_EQ;
        sel_sel(s, d, v_imm(0xffffffff), n, (struct pval){ p, false });
    }
    sel_put(s, &in->o[0], d);
}

/* Dot products of bytes with bytes, or of halves with bytes: one multiply-add a pair. */
static void dot(struct sel *s)
{
    struct ins *in = s->in;
    bool sa = type_signed(in->type), sb = type_signed(in->stype == T_NONE ? in->type : in->stype),
         wide = in->op == P_DP2A;
    struct val a = sel_reg(s, raw(s, 1)), b = sel_reg(s, raw(s, 2)), acc = raw(s, 3);
    int n = wide ? 2 : 4, width = wide ? 16 : 8, first = wide && in->sub == MUL_HI ? 2 : 0;
    for (int k = 0; k < n; k++) {
        struct val x = sel_do(s, sa ? OP_BFES : OP_BFEU, a, v_imm((unsigned)(k * width)),
                              v_imm((unsigned)width));
        struct val y = sel_do(s, sb ? OP_BFES : OP_BFEU, b, v_imm((unsigned)((k + first) * 8)),
                              v_imm(8));
        acc = sel_do(s, OP_IMAD, x, y, acc);
    }
    sel_put(s, &in->o[0], acc);
}

bool select_bits(struct sel *s)
{
    struct ins *in = s->in;
    if (in->type == T_PRED || type_size(in->type) == 8) return false;
    struct val a, b, d = in->nops ? sel_dst(s, &in->o[0]) : VZERO;
    bool sign = type_signed(in->type);
    switch (in->op) {
    case P_AND: logic(s, OP_AND); return true;
    case P_OR: logic(s, OP_OR); return true;
    case P_XOR: logic(s, OP_XOR); return true;
    case P_NOT: sel_op(s, OP_XOR, d, raw(s, 1), v_imm(0xffffffff), VZERO); return true;
    case P_CNOT: {
        int p = sel_ptmp(s);
        struct mins *m = sel_setp(s, OP_ISETP, p, sel_extend(s, raw(s, 1), in->type), v_imm(0),
                                  P_TRUE);
        m->i.icmp = ICMP_EQ;
        sel_sel(s, d, v_imm(1), VZERO, (struct pval){ p, false });
        return true;
    }
    case P_SHL: sel_op(s, OP_SHL, d, raw(s, 1), raw(s, 2), VZERO); return true;
    case P_SHR:
        sel_op(s, sign ? OP_SHRS : OP_SHRU, d, sel_extend(s, raw(s, 1), in->type), raw(s, 2),
               VZERO);
        return true;
    case P_SHF: {            /* shf d, a (low), b (high), c (amount) */
        static const enum hd_op op[] = { OP_SHFLW, OP_SHFRW, OP_SHFLC, OP_SHFRC };
        sel_op(s, op[in->sub & 3], d, raw(s, 1), raw(s, 3), raw(s, 2));
        return true;
    }
    case P_POPC: sel_op(s, OP_POPC, d, raw(s, 1), VZERO, VZERO); return true;
    case P_CLZ: sel_op(s, OP_CLZ, d, raw(s, 1), VZERO, VZERO); return true;
    case P_BREV: sel_op(s, OP_BREV, d, raw(s, 1), VZERO, VZERO); return true;
    case P_BFIND: find(s); return true;
    case P_BFE:
        a = raw(s, 2), b = raw(s, 3);
        sel_op(s, sign ? OP_BFES : OP_BFEU, d, raw(s, 1), a, b);
        return true;
    case P_BFI: bfi(s); return true;
    case P_BMSK: { /* ones from a up, less those from a + b up; shifts by more than 31 leave none */
        a = raw(s, 1), b = raw(s, 2);
        if (in->sub == BM_WRAP)
            a = sel_do(s, OP_AND, a, v_imm(31), VZERO), b = sel_do(s, OP_AND, b, v_imm(31), VZERO);
        struct val from = sel_do(s, OP_SHL, v_imm(0xffffffff), a, VZERO);
        sel_op(s, OP_XOR, d, from, sel_do(s, OP_SHL, from, b, VZERO), VZERO);
        return true;
    }
    case P_SZEXT:
        b = sel_do(s, in->sub == BM_WRAP ? OP_AND : OP_IMINU, raw(s, 2),
                   v_imm(in->sub == BM_WRAP ? 31 : 32), VZERO);
        sel_op(s, sign ? OP_BFES : OP_BFEU, d, raw(s, 1), VZERO, b);
        return true;
    case P_PRMT: prmt(s); return true;
    case P_LOP3:
        sel_op(s, OP_LOP3, d, raw(s, 1), raw(s, 2), raw(s, 3));
        s->last->i.lut = (uint8_t)in->o[4].imm;
        return true;
    case P_FNS:
        sel_put(s, &in->o[0], sel_lib(s, "__hd_fns", 1, 3, raw(s, 1), raw(s, 2), raw(s, 3)));
        return true;
    case P_DP4A: case P_DP2A: dot(s); return true;
    default: return false;
    }
}
