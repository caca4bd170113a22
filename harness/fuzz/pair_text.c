/* What a thread of the table FEATURES does by itself, as PTX.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/pair_text.h"
#include <stdlib.h>
#include <string.h>

void text_put(struct text *w, int k)
{
    PUT("    mad.lo.u32 %%r%d, %%r%d, 5, %%x;\n", k, k);
}

static const char *guard(const struct text *w)
{
    return OF(GUARD_AT) == GUARD_AT_P ? "@%g0 " : OF(GUARD_AT) == GUARD_AT_NOT ? "@!%g0 " : "";
}

/* %x of the words %y0 to %y3. */
static void fold(struct text *w)
{
    PUT("    mad.lo.u32 %%x, %%y1, 3, %%y0;\n    mad.lo.u32 %%x, %%y2, 7, %%x;\n"
        "    mad.lo.u32 %%x, %%y3, 11, %%x;\n");
}

static void halves(struct text *w)
{
    PUT("    mov.b64 {%%y0, %%y1}, %%w2;\n    mov.b64 {%%y2, %%y3}, %%w3;\n");
}

/* Loads of the plan's width, from an address like "%w0" or "own", into y0 to y3. */
static void load(struct text *w, const char *space, const char *address)
{
    const char *g = guard(w), *name = pair_dim(DIM_WIDTH).value[OF(WIDTH)];
    for (int k = 0; k < 4; k++)
        PUT("    mov.u32 %%y%d, %d;\n", k, 85 + k);
    switch (OF(WIDTH)) {
    case WIDTH_U64:
        PUT("    mov.u64 %%w2, 85;\n    mov.u64 %%w3, 3;\n    %sld%s.u64 %%w2, [%s];\n", g, space,
            address);
        halves(w);
        break;
    case WIDTH_V2_64:
        PUT("    mov.u64 %%w2, 85;\n    mov.u64 %%w3, 3;\n    %sld%s.v2.u64 {%%w2, %%w3}, [%s];\n",
            g, space, address);
        halves(w);
        break;
    case WIDTH_V2: PUT("    %sld%s.v2.u32 {%%y0, %%y1}, [%s];\n", g, space, address); break;
    case WIDTH_V4:
        PUT("    %sld%s.v4.u32 {%%y0, %%y1, %%y2, %%y3}, [%s];\n", g, space, address);
        break;
    default: PUT("    %sld%s.%s %%y0, [%s];\n", g, space, name, address);
    }
    fold(w);
}

/* Stores v, v ^ u, v + u, ~u. */
static void store(struct text *w, const char *space, const char *address)
{
    static const char *const narrow[] = { "u32", "u8", "u8", "u16", "u16" };
    const char *g = guard(w);
    PUT("    xor.b32 %%z1, %%v, %%u;\n    add.u32 %%z2, %%v, %%u;\n    not.b32 %%z3, %%u;\n"
        "    mov.b64 %%w2, {%%v, %%z1};\n    mov.b64 %%w3, {%%z2, %%z3};\n");
    switch (OF(WIDTH)) {
    case WIDTH_U64: PUT("    %sst%s.u64 [%s], %%w2;\n", g, space, address); break;
    case WIDTH_V2_64: PUT("    %sst%s.v2.u64 [%s], {%%w2, %%w3};\n", g, space, address); break;
    case WIDTH_V2: PUT("    %sst%s.v2.u32 [%s], {%%v, %%z1};\n", g, space, address); break;
    case WIDTH_V4:
        PUT("    %sst%s.v4.u32 [%s], {%%v, %%z1, %%z2, %%z3};\n", g, space, address);
        break;
    default: PUT("    %sst%s.%s [%s], %%v;\n", g, space, narrow[OF(WIDTH)], address);
    }
}

/* ---- features of a thread ---- */

static void special(struct text *w)
{
    if (OF(SREG) == SREG_NONE)
        return;
    PUT("    mov.u32 %%x, %s;\n", pair_dim(DIM_SREG).value[OF(SREG)]);
    text_put(w, R_SREG);
}

static int width_bytes(unsigned width)
{
    static const int bytes[] = { 4, 1, 1, 2, 2, 8, 8, 16, 16 };
    return bytes[width];
}

static void index_load(struct text *w)
{
    const char *of = pair_dim(DIM_INDEX).value[OF(INDEX)];
    if (OF(INDEX) == INDEX_NONE)
        return;
    if (OF(INDEX) == INDEX_LINEAR || OF(INDEX) == INDEX_DATA)
        PUT("    and.b32 %%k, %s, 255;\n", OF(INDEX) == INDEX_DATA ? "%v" : "%g");
    else
        PUT("    mov.u32 %%k, %s;\n", of);
    PUT("    mad.wide.u32 %%w0, %%k, %d, %%in;\n", width_bytes(OF(WIDTH)));
    load(w, ".global", "%w0");
    text_put(w, R_INDEX);
}

/* The address of a variable of this thread in %w1, generic. */
static void generic(struct text *w, const char *space, const char *reg)
{
    PUT("    cvt.u64.u32 %%w1, %s;\n    cvta.%s.u64 %%w1, %%w1;\n", reg, space);
}

static void memory(struct text *w)
{
    switch (OF(SPACE)) {
    case SPACE_NO: return;
    case SPACE_OUT: store(w, ".global", "%out"); load(w, ".global", "%out"); break;
    case SPACE_OWN: store(w, ".shared", "%own"); load(w, ".shared", "%own"); break;
    case SPACE_STACK: store(w, ".local", "loc"); load(w, ".local", "loc"); break;
    case SPACE_ANY_OUT: store(w, "", "%out"); load(w, "", "%out"); break;
    case SPACE_ANY_OWN:
        generic(w, "shared", "%own");
        store(w, "", "%w1");
        load(w, "", "%w1");
        break;
    case SPACE_ANY_STACK:
        PUT("    mov.u32 %%k, loc;\n");
        generic(w, "local", "%k");
        store(w, "", "%w1");
        load(w, "", "%w1");
        break;
    case SPACE_BANK:
        PUT("    and.b32 %%k, %%v, 31;\n    shl.b32 %%k, %%k, 4;\n    mov.u32 %%x, bank;\n"
            "    add.u32 %%k, %%k, %%x;\n");
        load(w, ".const", "%k");
        break;
    default: load(w, ".param", "words+8");
    }
    text_put(w, R_MEMORY);
}

static void atomic(struct text *w)
{
    const unsigned op = OF(ATOM), at = OF(ATOM_AT);
    const char *name = pair_dim(DIM_ATOM).value[op], *g = guard(w);
    const char *space = at == ATOM_AT_OUT ? ".global" : at == ATOM_AT_OWN ? ".shared" : "";
    const char *to = at == ATOM_AT_OUT || at == ATOM_AT_ANY_OUT ? "%out+16"
                     : at == ATOM_AT_OWN ? "%own+16" : "%w1+16";
    if (op == ATOM_NONE)
        return;
    if (at == ATOM_AT_ANY_OWN)
        generic(w, "shared", "%own");
    if (at == ATOM_AT_SUM) {
        PUT("    %sred.global.%s [%%sum+%u], %%v;\n", g, name, 16 * (op % 16));
        return;
    }
    PUT("    mov.u32 %%y0, 9;\n    mov.u32 %%y1, 8;\n    mov.u32 %%y2, 0;\n    mov.u32 %%y3, 0;\n");
    if (op >= ATOM_ADD64) {
        PUT("    mov.b64 %%w2, {%%y0, %%y1};\n    mov.b64 %%w3, {%%v, %%u};\n"
            "    %satom%s.%s %%w2, [%s], %s%%w3;\n    mov.b64 {%%y0, %%y1}, %%w2;\n",
            g, space, name, to, op == ATOM_CAS64 ? "0, " : "");
        PUT("    ld%s.v2.u32 {%%y2, %%y3}, [%s];\n", space, to);
    } else {
        PUT("    %satom%s.%s %%y0, [%s], %s%%v;\n    ld%s.u32 %%y2, [%s];\n", g, space, name, to,
            op == ATOM_CAS ? "0, " : "", space, to);
    }
    fold(w);
    text_put(w, R_ATOM);
}

/* The second operand of an operation, made ready in a register unless the text can name it. */
static void operand(struct text *w, char *out, size_t size, const char *type, int word)
{
    const bool single = !strcmp(type, "f32"), twice = !strcmp(type, "f64"),
               wide = twice || !strcmp(type, "u64") || !strcmp(type, "s64");
    const char *reg = single ? "%f1" : twice ? "%d1" : wide ? "%w1" : "%k";
    snprintf(out, size, "%s", reg);
    switch (OF(OPERAND)) {
    case OPERAND_IMM:
        snprintf(out, size, single ? "0f40200000" : twice ? "0d4004000000000000" : "%u",
                 w->p->k[1] & 0x7fffffff);
        break;
    case OPERAND_PARAM: PUT("    ld.param.%s %s, [words+%d];\n", type, reg, 4 * word); break;
    case OPERAND_CONST: PUT("    ld.const.%s %s, [numbers+%d];\n", type, reg, single ? 0 : twice ? 8
                            : 16); break;
    default:
        if (!single && !twice)
            PUT(wide ? "    mov.b64 %s, {%%u, %%v};\n" : "    mov.u32 %s, %%u;\n", reg);
        else
            PUT("    and.b32 %%k, %%u, 4095;\n    sub.u32 %%k, %%k, 2000;\n"
                "    cvt.rn.%s.s32 %s, %%k;\n", type, reg);
        if (OF(OPERAND) == OPERAND_NEG || OF(OPERAND) == OPERAND_ABS)
            PUT("    %s.%s %s, %s;\n", OF(OPERAND) == OPERAND_NEG ? "neg" : "abs", type, reg, reg);
    }
}

static void arithmetic(struct text *w)
{
    const char *g = guard(w), *type = pair_dim(DIM_TYPE).value[OF(TYPE)];
    char b[32];
    if (OF(TYPE) == TYPE_NONE)
        return;
    operand(w, b, sizeof b, type, OF(TYPE) == TYPE_F32 ? FLOAT_WORD
            : OF(TYPE) == TYPE_F64 ? DOUBLE_WORD : 2);
    PUT("    mov.u32 %%x, 77;\n");
    switch (OF(TYPE)) {
    case TYPE_U32: PUT("    %smad.lo.u32 %%x, %%v, %s, %%u;\n", g, b); break;
    case TYPE_S32:
        PUT("    %smax.s32 %%x, %%v, %s;\n    %sshr.s32 %%x, %%x, 3;\n", g, b, g);
        break;
    case TYPE_U64: case TYPE_S64:
        PUT("    mov.b64 %%w2, {%%v, %%u};\n    mov.u64 %%w3, 77;\n    %ssub.%s %%w3, %%w2, %s;\n"
            "    %sshr.%s %%w3, %%w3, 7;\n    mov.b64 {%%x, %%y0}, %%w3;\n"
            "    mad.lo.u32 %%x, %%y0, 3, %%x;\n", g, type, b, g, type);
        break;
    case TYPE_F32:
        PUT("    and.b32 %%k, %%v, 65535;\n    cvt.rn.f32.u32 %%f0, %%k;\n    mov.f32 %%f2, "
            "0f42000000;\n"
            "    %sfma.rn.f32 %%f2, %%f0, %s, %%f0;\n    mov.b32 %%x, %%f2;\n",
            g, b);
        break;
    default:
        PUT("    cvt.rn.f64.s32 %%d0, %%v;\n    mov.f64 %%d2, 0d4000000000000000;\n"
            "    %sfma.rn.f64 %%d2, %%d0, %s, %%d0;\n    mov.b64 {%%x, %%y0}, %%d2;\n"
            "    mad.lo.u32 %%x, %%y0, 3, %%x;\n", g, b);
    }
    text_put(w, R_TYPE);
}

/* Case k of ways, then to the end. */
static void cases(struct text *w, const char *name, unsigned from, unsigned n)
{
    for (unsigned k = from; k < from + n; k++)
        PUT("%s%u:\n    add.u32 %%x, %%v, %u;\n    bra %send;\n", name, k, way_value(w->p, k),
            name);
}

/* The highest first, so the table begins with another one; predicates that nothing else reads, else
 * the compiler makes no table. */
static void chain(struct text *w, unsigned from, unsigned n, const char *other)
{
    for (unsigned k = from + n; k-- > from; )
        PUT("    setp.eq.u32 %%c%u, %%k, %u;\n    @%%c%u bra TB%u;\n", k, k, k, k);
    PUT("    bra %s;\n", other);
}

static void table(struct text *w)
{
    if (OF(TABLE) == TABLE_NONE)
        return;
    PUT("    and.b32 %%k, %%v, %d;\n", OF(TABLE) == TABLE_BRX ? 3 : 15);
    switch (OF(TABLE)) {
    case TABLE_BRX:
        PUT("    TT: .branchtargets TB0, TB1, TB2, TB3;\n    brx.idx %%k, TT;\n");
        break;
    case TABLE_CHAIN: chain(w, 0, 6, "TB15"); break;
    case TABLE_TREE:
        PUT("    setp.gt.u32 %%c14, %%k, 7;\n    @%%c14 bra TU;\n");
        chain(w, 0, 5, "TB15");
        PUT("TU:\n    setp.gt.u32 %%c15, %%k, 10;\n    @%%c15 bra TUU;\n");
        chain(w, 8, 3, "TB14");
        PUT("TUU:\n");
        chain(w, 11, 3, "TB15");
        break;
    default:
        PUT("    and.b32 %%y0, %%k, 3;\n    shr.u32 %%y1, %%k, 2;\n"
            "    TT: .branchtargets TS0, TS1, TS2, TS3;\n    brx.idx %%y0, TT;\n");
        for (unsigned k = 0; k < 4; k++)
            PUT("TS%u:\n    TT%u: .branchtargets TB%u, TB%u, TB%u, TB%u;\n    brx.idx %%y1, "
                "TT%u;\n",
                k, k, 4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3, k);
    }
    cases(w, "TB", 0, OF(TABLE) == TABLE_BRX ? 4 : 16);
    PUT("TBend:\n");
    text_put(w, R_TABLE);
}

static void call(struct text *w)
{
    const char *f = OF(CALL) == CALL_TWO ? "f1" : "f0";
    if (OF(CALL) == CALL_NONE)
        return;
    PUT("    mov.u32 %%x, 5;\n");
    if (OF(CALL) == CALL_APART)
        PUT("    and.b32 %%k, %%v, 2;\n    setp.eq.u32 %%p, %%k, 0;\n    @%%p bra CALLED;\n");
    PUT("    {\n    .param .b32 pa;\n    .param .b32 pb;\n    .param .b32 pr;\n"
        "    st.param.b32 [pa], %%v;\n    st.param.b32 [pb], %%u;\n"
        "    call.uni (pr), %s, (pa, pb);\n    ld.param.b32 %%x, [pr];\n    }\n", f);
    if (OF(CALL) == CALL_APART)
        PUT("CALLED:\n");
    text_put(w, R_CALL);
}

unsigned bank_reads(const struct features *p, uint32_t at[4])
{
    const uint32_t word = p->k[2] % (LINE_WORDS - 1), line = p->k[3] % 8;
    const uint32_t first = line * LINE_WORDS + word;
    const uint32_t place = 2048 / 4;                 /* lines so far apart share a place */
    at[0] = first;
    at[1] = at[2] = first;
    switch (p->of[DIM_BANK]) {
    case BANK_LINE: at[1] = line * LINE_WORDS + (word + 1 + p->k[4] % 14) % LINE_WORDS; return 2;
    case BANK_MEET: at[1] = first + place; return 3;
    case BANK_THREE: at[1] = first + place, at[2] = first + 2 * place, at[3] = first; return 4;
    case BANK_OPERANDS:
        at[0] = (28 + line % 4) * LINE_WORDS + word, at[1] = first;
        at[2] = at[0];
        return 3;
    case BANK_BORDER:
        at[0] = (line + 1) * LINE_WORDS - 2;
        at[1] = at[0] + 1;
        at[2] = at[0] + 2;
        return 3;
    default: return 1;
    }
}

static void constants(struct text *w)
{
    uint32_t at[4];
    const unsigned n = bank_reads(w->p, at);
    if (OF(BANK) == BANK_NONE)
        return;
    PUT("    mov.u32 %%x, 0;\n");
    if (OF(BANK) == BANK_INDEX) {
        PUT("    and.b32 %%k, %%u, %d;\n    shl.b32 %%k, %%k, 2;\n    mov.u32 %%y0, bank;\n"
            "    add.u32 %%k, %%k, %%y0;\n    ld.const.u32 %%x, [%%k];\n", BANK_WORDS - 1);
    } else if (OF(BANK) == BANK_BORDER) {
        PUT("    ld.const.v2.u32 {%%y0, %%y1}, [bank+%u];\n    ld.const.u32 %%y2, [bank+%u];\n"
            "    mov.u32 %%y3, 0;\n", 4 * at[0], 4 * at[2]);
        fold(w);
    } else {
        for (unsigned k = 0; k < n; k++)
            PUT("    ld.const.u32 %%y0, [bank+%u];\n    mad.lo.u32 %%x, %%x, 3, %%y0;\n",
                4 * at[k]);
    }
    text_put(w, R_BANK);
}

static void body(struct text *w)
{
    special(w);
    index_load(w);
    memory(w);
    atomic(w);
    arithmetic(w);
    table(w);
    call(w);
    constants(w);
}

/* ---- how lanes come there ---- */

void text_flow(struct text *w)
{
    const unsigned how = OF(FLOW);
    const bool outer = how == FLOW_LOOP || how == FLOW_BREAK || how >= FLOW_TWO;
    if (outer)
        PUT("    and.b32 %%i0, %%v, 3;\nOUTER:\n");
    if (how == FLOW_IF || how == FLOW_ELSE || how >= FLOW_TWO)
        PUT("    add.u32 %%k, %%u, %%i0;\n    and.b32 %%k, %%k, 1;\n    setp.eq.u32 %%p, %%k, 0;\n"
            "    @%%p bra SKIP;\n");
    if (how == FLOW_THREE)
        PUT("    and.b32 %%i1, %%u, 1;\nINNER:\n");
    body(w);
    if (how == FLOW_THREE)
        PUT("    sub.u32 %%i1, %%i1, 1;\n    setp.ge.s32 %%p, %%i1, 0;\n    @%%p bra INNER;\n");
    if (how == FLOW_ELSE)
        PUT("    bra JOIN;\n");
    PUT("SKIP:\n");
    if (how == FLOW_ELSE)
        PUT("    mov.u32 %%x, 19;\n    mad.lo.u32 %%r0, %%r0, 5, %%x;\n");
    PUT("JOIN:\n");
    if (how == FLOW_BREAK)
        PUT("    and.b32 %%k, %%u, 2;\n    setp.eq.u32 %%p, %%k, 0;\n    @%%p bra OUT;\n");
    if (outer)
        PUT("    sub.u32 %%i0, %%i0, 1;\n    setp.ge.s32 %%p, %%i0, 0;\n    @%%p bra OUTER;\n");
    PUT("OUT:\n");
}
