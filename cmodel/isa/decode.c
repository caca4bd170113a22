/* Decoding and encoding of instruction words, from the generated tables alone.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/isa/isa.h"
#include <assert.h>
#include <string.h>
#include "isa_table.h"

static uint32_t get(const struct hd_word *w, int lsb, int width)
{
    uint64_t two = w->w[lsb / 32] | (uint64_t)(lsb / 32 < 3 ? w->w[lsb / 32 + 1] : 0) << 32;
    return (uint32_t)(two >> (lsb % 32)) & (width == 32 ? ~0u : (1u << width) - 1);
}

static void put(struct hd_word *w, int lsb, int width, uint32_t v)
{
    assert(width == 32 || v < (1u << width));
    w->w[lsb / 32] |= v << (lsb % 32);
    if (lsb % 32 + width > 32)
        w->w[lsb / 32 + 1] |= v >> (32 - lsb % 32);
}

#define GET(F) get(w, ISA_##F##_LSB, ISA_##F##_WIDTH)
#define PUT(F, v) put(&w, ISA_##F##_LSB, ISA_##F##_WIDTH, (v))

/* A register operand's width, where `.SZ` or `.AW` may decide it. */
int hd_insn_width(const struct hd_insn *in, int which)
{
    const struct hd_op_info *o = &hd_ops[in->op];
    switch (o->width[which]) {
    case WIDTH_1: return which == 2 && in->bi ? 0 : 1;
    case WIDTH_2: return which == 2 && in->bi ? 0 : 2;
    case WIDTH_SZ:
        if (strstr(o->mods, "AW"))
            return in->aw ? 2 : 1;
        return in->sz == SZ_128 ? 4 : in->sz == SZ_64 ? 2 : 1;
    default: return 0;
    }
}

static bool aligned(const struct hd_insn *in)
{
    const uint8_t reg[4] = { in->rd, in->ra, in->rb, in->rc };
    for (int i = 0; i < 4; i++) {
        int n = hd_insn_width(in, i);
        if (n > 1 && reg[i] != HD_RZ && reg[i] % n)
            return false;
        if (n > 1 && reg[i] != HD_RZ && reg[i] + n > HD_RZ)
            return false;
    }
    return true;
}

bool hd_insn_takes_constant(enum hd_op op)
{
    return hd_ops[op].used_imm.w[ISA_CB_LSB / 32] >> ISA_CB_LSB % 32 & 1;
}

/* What no single field says: NULL, or why the instruction is illegal. */
const char *hd_insn_fault(const struct hd_insn *in, bool stack_mode)
{
    const struct hd_op_info *o = &hd_ops[in->op];
    if (o->flags & (stack_mode ? F_BARRIER : F_STACK))
        return stack_mode ? "exists in barrier mode only" : "exists in stack mode only";
    if (in->pop && !stack_mode)
        return ".S exists in stack mode only";
    if (in->pop && o->unit == UNIT_CTL)
        return "a control instruction carries no .S";
    if ((o->flags & F_NOGUARD) && (in->pg != HD_PT || in->pn))
        return "carries no guard";
    if (strchr(o->operands, 'z') && in->imm >= SREG_COUNT)
        return "there is no such special register";
    if (strchr(o->operands, 'V') && in->aop != AOP_CAS && in->rc != HD_RZ)
        return "only CAS has a third source";
    if (in->cb && !hd_insn_takes_constant((enum hd_op)in->op))
        return "its second source cannot be a constant";
    const uint32_t bytes = strchr(o->operands, 'B') ? 8 : 4;
    if (in->cb && (!in->bi || in->imm >= OPERAND_BYTES || in->imm % bytes))
        return "a constant is an aligned word or pair in the first 256 bytes of the bank";
    if ((o->flags & F_DISTINCT) && in->rd == in->ra && in->rd != HD_RZ)
        return "the destination must differ from the source";
    return aligned(in) ? NULL : "a pair starts at an even register, a quad at a multiple of four";
}

bool hd_decode(const struct hd_word *w, bool stack_mode, struct hd_insn *out)
{
    struct hd_insn in = { 0 };
    int row = op_of_opcode[GET(OP)] - 1;
    if (row < 0)
        return false;
    const struct hd_op_info *o = &hd_ops[row];
    const struct hd_word *used = GET(BI) ? &o->used_imm : &o->used;
    for (int i = 0; i < 4; i++)
        if (w->w[i] & ~used->w[i])
            return false;
    in.op = (uint16_t)row;
    in.pg = (uint8_t)GET(PG), in.pn = (uint8_t)GET(PN), in.pop = (uint8_t)GET(POP);
    for (int i = 0; i < o->nmods; i++) {
        const struct hd_mod_info *m = &hd_mods[o->mod[i]];
        uint32_t v = get(w, m->lsb, m->width);
        if (v >= m->count)
            return false;
        ((uint8_t *)&in)[m->offset] = (uint8_t)v;
    }
    in.rd = (uint8_t)GET(RD), in.ra = (uint8_t)GET(RA), in.rc = (uint8_t)GET(RC);
    in.pd = (uint8_t)GET(PD), in.pq = (uint8_t)GET(PQ), in.ps = (uint8_t)GET(PS),
    in.sn = (uint8_t)GET(SN);
    in.bx = (uint8_t)GET(BX), in.bi = (uint8_t)GET(BI),
    in.cb = (uint8_t)GET(CB);
    bool memory = strpbrk(o->operands, "mn"), takes_imm = in.bi || strpbrk(o->operands, "@z");
    if (!takes_imm)
        in.rb = (uint8_t)GET(RB);
    if (memory)
        in.off = (int32_t)(GET(OFF) << 8) >> 8;
    else if (takes_imm)
        in.imm = GET(IMM);
    if (strchr(o->operands, 'l'))
        in.lut = (uint8_t)GET(LUT);
    if (strstr(o->mods, "na")) in.na = (uint8_t)GET(NA);
    if (strstr(o->mods, "aa")) in.aa = (uint8_t)GET(AA);
    if (strstr(o->mods, "nb")) in.nb = (uint8_t)GET(NB);
    if (strstr(o->mods, "ab")) in.ab = (uint8_t)GET(AB);
    if (strstr(o->mods, "nc")) in.nc = (uint8_t)GET(NC);
    if (hd_insn_fault(&in, stack_mode))
        return false;
    *out = in;
    return true;
}

struct hd_word hd_encode(const struct hd_insn *in)
{
    struct hd_word w = { { 0 } };
    const struct hd_op_info *o = &hd_ops[in->op];
    assert(in->op < OP_COUNT);
    PUT(OP, o->opcode);
    PUT(PG, in->pg), PUT(PN, in->pn), PUT(POP, in->pop);
    PUT(RD, in->rd), PUT(RA, in->ra), PUT(RC, in->rc);
    PUT(PD, in->pd), PUT(PQ, in->pq), PUT(PS, in->ps), PUT(SN, in->sn), PUT(BX, in->bx),
        PUT(BI, in->bi), PUT(CB, in->cb);
    bool takes_imm = in->bi || strpbrk(o->operands, "@z");
    if (takes_imm && !strpbrk(o->operands, "mn"))
        PUT(IMM, in->imm);
    else
        PUT(RB, in->rb);
    if (strpbrk(o->operands, "mn"))
        PUT(OFF, (uint32_t)in->off & 0xffffff);
    if (strchr(o->operands, 'l'))
        PUT(LUT, in->lut);
    PUT(NA, in->na), PUT(AA, in->aa), PUT(NB, in->nb), PUT(AB, in->ab), PUT(NC, in->nc);
    for (int i = 0; i < o->nmods; i++) {
        const struct hd_mod_info *m = &hd_mods[o->mod[i]];
        put(&w, m->lsb, m->width, ((const uint8_t *)in)[m->offset]);
    }
    for (int i = 0; i < 4; i++)
        assert(!(w.w[i] & ~(in->bi ? o->used_imm : o->used).w[i]));
    assert(!hd_insn_fault(in, o->flags & F_STACK || in->pop));
    return w;
}

struct hd_insn hd_insn_make(enum hd_op op)
{
    struct hd_insn in = { .op = (uint16_t)op, .pg = HD_PT };
    const struct hd_op_info *o = &hd_ops[op];
    if (o->width[0]) in.rd = HD_RZ;
    if (o->width[1]) in.ra = HD_RZ;
    if (o->width[2]) in.rb = HD_RZ;
    if (o->width[3]) in.rc = HD_RZ;
    if (strchr(o->operands, 'p')) in.pd = HD_PT;
    if (strchr(o->operands, 't')) in.pq = HD_PT;
    if (strchr(o->operands, 's')) in.ps = HD_PT;
    return in;
}
