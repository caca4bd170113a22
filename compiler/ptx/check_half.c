/* Modifiers that PTX allows on f16 and bf16, and those that it has for their sake.
 * SPDX-License-Identifier: Apache-2.0 */
#include "compiler/ptx/parse_ins.h"

static void check_conversion(struct parser *p, const struct ins *i)
{
    bool narrow = type_half(i->type) && i->stype == T_F32;
    if (type_packed(i->stype) || i->stype == T_TF32)
        parse_fail(p, p->ins_loc, "cvt has no such source");
    if ((type_packed(i->type) || i->type == T_TF32) && i->stype != T_F32)
        parse_fail(p, p->ins_loc, "cvt makes this type from .f32 only");
    if (i->relu && (!narrow || i->sat))
        parse_fail(p, p->ins_loc, "cvt has .relu from .f32 to f16 and bf16, without .sat");
    if (type_packed(i->type) && ((i->rnd != RND_N && i->rnd != RND_Z) || i->sat || i->ftz))
        parse_fail(p, p->ins_loc, "cvt to two numbers has .rn or .rz, and neither .sat nor .ftz");
    if (i->type == T_BF16 && i->sat) parse_fail(p, p->ins_loc, "cvt to bf16 has no .sat");
    if (i->type == T_BF16 && i->rnd >= RND_NI && i->stype != T_BF16)
        parse_fail(p, p->ins_loc, "only a bf16 is rounded to an integral bf16");
    if (i->type == T_TF32 && (i->rnd != RND_NA || i->sat || i->ftz))
        parse_fail(p, p->ins_loc, "cvt to tf32 has .rna");
}

static void check_atomic(struct parser *p, const struct ins *i, const char *name)
{
    if (type_half(i->type) && (i->sub != AT_ADD || !i->noftz))
        parse_fail(p, p->ins_loc, "%s of f16 and bf16 is .add.noftz", name);
    if (!type_half(i->type) && i->noftz)
        parse_fail(p, p->ins_loc, "%s has .noftz for f16 and bf16", name);
    if (i->type == T_B16 && i->sub != AT_CAS)
        parse_fail(p, p->ins_loc, "%s of 16 bits is .cas", name);
}

void check_half(struct parser *p, const struct ins *i, const char *name)
{
    bool half = type_half(i->type),
         arithmetic = i->op != P_CVT && i->op != P_SET && i->op != P_SETP;
    if ((i->nan || i->xorsign) && (!type_float(i->type) || i->type == T_F64))
        parse_fail(p, p->ins_loc, "%s has .NaN and .xorsign for f32, f16 and bf16", name);
    if (i->xorsign != i->magnitude)
        parse_fail(p, p->ins_loc, "%s has .xorsign.abs, together", name);
    if (i->rnd == RND_NA && i->type != T_TF32)
        parse_fail(p, p->ins_loc, ".rna is for conversions to tf32");
    if (i->op == P_ATOM || i->op == P_RED) check_atomic(p, i, name);
    if (i->op == P_CVT) check_conversion(p, i);
    if (i->op == P_SET && (i->type == T_U16 || i->type == T_S16) && i->stype != T_F16 &&
        i->stype != T_BF16)
        parse_fail(p, p->ins_loc, "set has a result of 16 bits for f16 and bf16");
    if (i->op == P_SET && type_packed(i->type) && i->stype != i->type)
        parse_fail(p, p->ins_loc, "set makes two numbers of two of the same type");
    if (i->op == P_SET && type_packed(i->stype) && i->type != i->stype && i->type != T_U32 &&
        i->type != T_S32)
        parse_fail(p, p->ins_loc, "set of two numbers makes .u32, .s32 or two numbers");
    if (i->op == P_FMA && i->relu && (!half || i->sat))
        parse_fail(p, p->ins_loc, "fma has .relu for f16 and bf16, without .sat");
    if (!half || !arithmetic) return;
    if (i->rnd != RND_NONE && i->rnd != RND_N)
        parse_fail(p, p->ins_loc, "%s of f16 and bf16 rounds to nearest", name);
    if (type_bf16(i->type) && (i->sat || i->ftz != (i->op == P_EX2)))
        parse_fail(p, p->ins_loc,
                   i->op == P_EX2 ? "%s of bf16 has .ftz" : "%s of bf16 has neither .ftz nor .sat",
                   name);
    if (!type_bf16(i->type) && i->op == P_EX2 && i->ftz)
        parse_fail(p, p->ins_loc, "ex2 of f16 has no .ftz");
}
