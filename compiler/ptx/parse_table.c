/* The instructions of PTX as a table: operands, types and modifiers of each.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "compiler/ptx/parse_ins.h"

#define B(t) (1u << T_##t)
enum {
    I16 = B(U16) | B(S16), I32 = B(U32) | B(S32), I64 = B(U64) | B(S64), INT = I16 | I32 | I64,
    F32 = B(F32), F64 = B(F64), FLT = F32 | F64,
    B16 = B(B16), B32 = B(B32), B64 = B(B64), BITS = B16 | B32 | B64, PRED = B(PRED),
    BYTE = B(B8) | B(U8) | B(S8), ANY = INT | FLT | BITS, MEM = ANY | BYTE,
    F16S = B(F16) | B(F16X2), BF16S = B(BF16) | B(BF16X2), HALF = F16S | BF16S,
    CVT = BYTE | INT | FLT | HALF | B(TF32) | BITS,
};

/* Operand letters: see parse_ins.h. */
static const struct opinfo ops[] = {
    { "add", P_ADD, "daa", INT | FLT | HALF, M_FTZ | M_SAT | M_RND | M_CC, "" },
    { "sub", P_SUB, "daa", INT | FLT | HALF, M_FTZ | M_SAT | M_RND | M_CC, "" },
    { "addc", P_ADDC, "daa", I32 | I64, M_CC, "" },
    { "subc", P_SUBC, "daa", I32 | I64, M_CC, "" },
    { "mul", P_MUL, "Daa", INT | FLT | HALF, M_FTZ | M_SAT | M_RND, "lo hi wide" },
    { "mad", P_MAD, "Daaw", INT | FLT, M_FTZ | M_SAT | M_RND | M_CC, "lo hi wide" },
    { "madc", P_MADC, "daaa", I32 | I64, M_CC, "lo hi" },
    { "fma", P_FMA, "daaa", FLT | HALF, M_FTZ | M_SAT | M_RND | M_RELU, "" },
    { "mul24", P_MUL24, "daa", I32, 0, "lo hi" },
    { "mad24", P_MAD24, "daaa", I32, M_SAT, "lo hi" },
    { "sad", P_SAD, "daaa", INT, 0, "" },
    { "div", P_DIV, "daa", INT | FLT, M_FTZ | M_RND | M_APPROX | M_FULL, "" },
    { "rem", P_REM, "daa", INT, 0, "" },
    { "abs", P_ABS, "da", B(S16) | B(S32) | B(S64) | FLT | HALF, M_FTZ, "" },
    { "neg", P_NEG, "da", B(S16) | B(S32) | B(S64) | FLT | HALF, M_FTZ, "" },
    { "min", P_MIN, "daa", INT | FLT | HALF, M_FTZ | M_NAN | M_XORSIGN | M_MAGNITUDE, "" },
    { "max", P_MAX, "daa", INT | FLT | HALF, M_FTZ | M_NAN | M_XORSIGN | M_MAGNITUDE, "" },
    { "popc", P_POPC, "Ua", B32 | B64, 0, "" },
    { "clz", P_CLZ, "Ua", B32 | B64, 0, "" },
    { "bfind", P_BFIND, "Ua", I32 | I64, 0, "- shiftamt" },
    { "brev", P_BREV, "da", B32 | B64, 0, "" },
    { "bfe", P_BFE, "dauu", I32 | I64, 0, "" },
    { "bfi", P_BFI, "daauu", B32 | B64, 0, "" },
    { "bmsk", P_BMSK, "dau", B32, 0, "clamp wrap" },
    { "szext", P_SZEXT, "dau", I32, 0, "clamp wrap" },
    { "and", P_AND, "daa", BITS | PRED, 0, "" },
    { "or", P_OR, "daa", BITS | PRED, 0, "" },
    { "xor", P_XOR, "daa", BITS | PRED, 0, "" },
    { "not", P_NOT, "da", BITS | PRED, 0, "" },
    { "cnot", P_CNOT, "da", BITS, 0, "" },
    { "shl", P_SHL, "dau", BITS, 0, "" },
    { "shr", P_SHR, "dau", BITS | INT, 0, "" },
    { "shf", P_SHF, "daau", B32, 0, "l r wrap clamp" },
    { "prmt", P_PRMT, "daaa", B32, 0, "- f4e b4e rc8 ecl ecr rc16" },
    { "lop3", P_LOP3, "daaai", B32, 0, "" },
    { "slct", P_SLCT, "daae", ANY, M_FTZ | M_TWO, "" },
    { "selp", P_SELP, "daap", ANY, 0, "" },
    { "fns", P_FNS, "daaa", B32, 0, "" },
    { "dp4a", P_DP4A, "Uaeu", I32, M_TWO, "" },
    { "dp2a", P_DP2A, "Uaeu", I32, M_TWO, "lo hi" },
    { "set", P_SET, "dee?p", I16 | I32 | F32 | HALF, M_CMP | M_FTZ | M_TWO, "- and or xor" },
    { "setp", P_SETP, "Qaa?p", ANY | HALF, M_CMP | M_FTZ, "- and or xor" },
    { "mov", P_MOV, "Xx", ANY | PRED, M_VEC, "" },
    { "cvt", P_CVT, "Lc?c", CVT, M_FTZ | M_SAT | M_RND | M_TWO | M_RELU, "" },
    { "cvta", P_CVTA, "da", B(U32) | B(U64), M_SPACE, "- to" },
    { "isspacep", P_ISSPACEP, "qA", 0, M_SPACE, "" },
    { "rcp", P_RCP, "da", FLT, M_FTZ | M_RND | M_APPROX, "" },
    { "sqrt", P_SQRT, "da", FLT, M_FTZ | M_RND | M_APPROX, "" },
    { "rsqrt", P_RSQRT, "da", FLT, M_FTZ | M_APPROX, "" },
    { "sin", P_SIN, "da", F32, M_FTZ | M_APPROX, "" },
    { "cos", P_COS, "da", F32, M_FTZ | M_APPROX, "" },
    { "lg2", P_LG2, "da", F32, M_FTZ | M_APPROX, "" },
    { "ex2", P_EX2, "da", F32 | HALF, M_FTZ | M_APPROX, "" },
    { "tanh", P_TANH, "da", F32 | HALF, M_APPROX, "" },
    { "copysign", P_COPYSIGN, "daa", FLT, 0, "" },
    { "testp", P_TESTP, "qa", FLT, 0, "finite infinite number notanumber normal subnormal" },
    { "ld", P_LD, "Gm", MEM, M_SPACE | M_VEC | M_CACHE | M_VOL | M_NC | M_HINT, "" },
    { "ldu", P_LDU, "Gm", MEM, M_SPACE | M_VEC, "" },
    { "st", P_ST, "mS", MEM, M_SPACE | M_VEC | M_CACHE | M_VOL | M_HINT, "" },
    { "atom", P_ATOM, "dma?a", I32 | I64 | FLT | HALF | B16 | B32 | B64,
      M_SPACE | M_CACHE | M_NOFTZ | M_HINT, "add min max and or xor exch inc dec cas" },
    { "red", P_RED, "ma", I32 | I64 | FLT | HALF | B32 | B64, M_SPACE | M_CACHE | M_NOFTZ | M_HINT,
      "add min max and or xor exch inc dec" },
    { "membar", P_MEMBAR, "", 0, 0, "cta gl sys" },
    { "fence", P_FENCE, "", 0, M_CACHE | M_SPACE, "- proxy mbarrier_init async alias" },
    { "discard", P_PREFETCH, "mi", 0, M_SPACE | M_CACHE, "- L2" },
    { "prefetch", P_PREFETCH, "m", 0, M_SPACE | M_CACHE, "L1 L2" },
    { "prefetchu", P_PREFETCH, "m", 0, M_SPACE | M_CACHE, "L1 L2" },
    { "bar", P_BAR, "u?u", 0, M_SYNC | M_CACHE, "" },
    { "barrier", P_BAR, "u?u", 0, M_SYNC | M_CACHE, "- aligned" },
    { "vote", P_VOTE, "vp?u", B32 | PRED, M_SYNC, "all any uni ballot" },
    { "match", P_MATCH, "Pau", B32 | B64, M_SYNC, "any all" },
    { "redux", P_REDUX, "dau", I32 | B32, M_SYNC, "add min max and or xor" },
    { "shfl", P_SHFL, "Pauu?u", B32, M_SYNC, "up down bfly idx" },
    { "activemask", P_ACTIVEMASK, "d", B32, 0, "" },
    { "bra", P_BRA, "t", 0, M_UNI, "" },
    { "brx", P_BRX, "aT", 0, M_UNI, "idx" },
    { "call", P_CALL, "C", 0, M_UNI, "" },
    { "ret", P_RET, "", 0, M_UNI, "" },
    { "exit", P_EXIT, "", 0, 0, "" },
    { "trap", P_TRAP, "", 0, 0, "" },
    { "brkpt", P_BRKPT, "", 0, 0, "" },
    { "nanosleep", P_NANOSLEEP, "a", B(U32), 0, "" },
};
const struct opinfo op_barwarp = { "bar", P_BARWARP, "u", 0, M_SYNC, "" };
const struct opinfo op_barred[2] = {             /* of the block; of some of its threads */
    { "bar.red", P_BARRED, "vup", B(U32) | PRED, M_CACHE, "popc and or" },
    { "bar.red", P_BARRED, "vuup", B(U32) | PRED, M_CACHE, "popc and or" },
};

/* Known instructions that have no row: the answer is "not yet", not "no such thing". */
static const char unsupported_ops[] = " sured istypep mapa "
                                      "getctarank wgmma vadd vsub vabsdiff vmin "
                                      "vmax vshl vshr vmad vset clusterlaunchcontrol "
                                      "multimem tensormap tcgen05 ";

static const struct modinfo mods[] = {
    { "pred", MC_TYPE, T_PRED },
    { "b8", MC_TYPE, T_B8 },
    { "u8", MC_TYPE, T_U8 },
    { "s8", MC_TYPE, T_S8 },
    { "b16", MC_TYPE, T_B16 },
    { "u16", MC_TYPE, T_U16 },
    { "s16", MC_TYPE, T_S16 },
    { "f16", MC_TYPE, T_F16 },
    { "b32", MC_TYPE, T_B32 },
    { "u32", MC_TYPE, T_U32 },
    { "s32", MC_TYPE, T_S32 },
    { "f32", MC_TYPE, T_F32 },
    { "b64", MC_TYPE, T_B64 },
    { "u64", MC_TYPE, T_U64 },
    { "s64", MC_TYPE, T_S64 },
    { "f64", MC_TYPE, T_F64 },
    { "bf16", MC_TYPE, T_BF16 },
    { "f16x2", MC_TYPE, T_F16X2 },
    { "bf16x2", MC_TYPE, T_BF16X2 },
    { "tf32", MC_TYPE, T_TF32 },
    { "global", MC_SPACE, SP_GLOBAL },
    { "shared", MC_SPACE, SP_SHARED },
    { "local", MC_SPACE, SP_LOCAL },
    { "const", MC_SPACE, SP_CONST },
    { "param", MC_SPACE, SP_PARAM },
    { "shared::cta", MC_SPACE, SP_SHARED },
    { "rn", MC_RND, RND_N },
    { "rz", MC_RND, RND_Z },
    { "rm", MC_RND, RND_M },
    { "rp", MC_RND, RND_P },
    { "rna", MC_RND, RND_NA },
    { "rni", MC_RND, RND_NI },
    { "rzi", MC_RND, RND_ZI },
    { "rmi", MC_RND, RND_MI },
    { "rpi", MC_RND, RND_PI },
    { "eq", MC_CMP, CMP_EQ },
    { "ne", MC_CMP, CMP_NE },
    { "lt", MC_CMP, CMP_LT },
    { "le", MC_CMP, CMP_LE },
    { "gt", MC_CMP, CMP_GT },
    { "ge", MC_CMP, CMP_GE },
    { "lo", MC_CMP, CMP_LO },
    { "ls", MC_CMP, CMP_LS },
    { "hi", MC_CMP, CMP_HI },
    { "hs", MC_CMP, CMP_HS },
    { "equ", MC_CMP, CMP_EQU },
    { "neu", MC_CMP, CMP_NEU },
    { "ltu", MC_CMP, CMP_LTU },
    { "leu", MC_CMP, CMP_LEU },
    { "gtu", MC_CMP, CMP_GTU },
    { "geu", MC_CMP, CMP_GEU },
    { "num", MC_CMP, CMP_NUM },
    { "nan", MC_CMP, CMP_NAN },
    { "v2", MC_VEC, 2 },
    { "v4", MC_VEC, 4 },
    { "ca", MC_CACHE, 0 },
    { "cg", MC_CACHE, 2 },
    { "cs", MC_CACHE, 0 },
    { "lu", MC_CACHE, 0 },
    { "cv", MC_CACHE, 1 },
    { "wb", MC_CACHE, 0 },
    { "wt", MC_CACHE, 1 },
    { "weak", MC_CACHE, 0 },
    { "relaxed", MC_CACHE, 1 },
    { "acquire", MC_CACHE, 1 },
    { "release", MC_CACHE, 1 },
    { "acq_rel", MC_CACHE, 1 },
    { "sc", MC_CACHE, 1 },
    { "cta", MC_CACHE, 0 },
    { "gpu", MC_CACHE, 0 },
    { "sys", MC_CACHE, 0 },
    { "cluster", MC_CACHE, 0 },
    { "mmio", MC_CACHE, 1 },
    { "aligned", MC_CACHE, 0 },
    { "L1::evict_normal", MC_CACHE, 0 },
    { "L1::evict_unchanged", MC_CACHE, 0 },
    { "L1::evict_first", MC_CACHE, 0 },
    { "L1::evict_last", MC_CACHE, 0 },
    { "L1::no_allocate", MC_CACHE, 0 },
    { "L2::evict_last", MC_CACHE, 0 },
    { "L2::evict_normal", MC_CACHE, 0 },
    { "L2::evict_first", MC_CACHE, 0 },
    { "L2::cache_hint", MC_FLAG, M_HINT },
    { "L2::64B", MC_CACHE, 0 },
    { "L2::128B", MC_CACHE, 0 },
    { "L2::256B", MC_CACHE, 0 },
    { "ftz", MC_FLAG, M_FTZ },
    { "sat", MC_FLAG, M_SAT },
    { "approx", MC_FLAG, M_APPROX },
    { "full", MC_FLAG, M_FULL },
    { "volatile", MC_FLAG, M_VOL },
    { "uni", MC_FLAG, M_UNI },
    { "cc", MC_FLAG, M_CC },
    { "sync", MC_FLAG, M_SYNC },
    { "nc", MC_FLAG, M_NC },
    { "relu", MC_FLAG, M_RELU },
    { "NaN", MC_FLAG, M_NAN },
    { "xorsign", MC_FLAG, M_XORSIGN },
    { "abs", MC_FLAG, M_MAGNITUDE },
    { "noftz", MC_FLAG, M_NOFTZ },
};

static const struct { const char *name; int sreg; } sregs[] = {
    { "%tid.x", SREG_TID_X },
    { "%tid.y", SREG_TID_Y },
    { "%tid.z", SREG_TID_Z },
    { "%ntid.x", SREG_NTID_X },
    { "%ntid.y", SREG_NTID_Y },
    { "%ntid.z", SREG_NTID_Z },
    { "%ctaid.x", SREG_CTAID_X },
    { "%ctaid.y", SREG_CTAID_Y },
    { "%ctaid.z", SREG_CTAID_Z },
    { "%nctaid.x", SREG_NCTAID_X },
    { "%nctaid.y", SREG_NCTAID_Y },
    { "%nctaid.z", SREG_NCTAID_Z },
    { "%laneid", SREG_LANEID },
    { "%warpid", SREG_WARPID },
    { "%nwarpid", SREG_NWARPID },
    { "%smid", SREG_SMID },
    { "%nsmid", SREG_NSMID },
    { "%gridid", SREG_GRIDID },
    { "%lanemask_eq", SREG_LANEMASK_EQ },
    { "%lanemask_lt", SREG_LANEMASK_LT },
    { "%lanemask_le", SREG_LANEMASK_LE },
    { "%lanemask_gt", SREG_LANEMASK_GT },
    { "%lanemask_ge", SREG_LANEMASK_GE },
    { "%clock", SREG_CLOCKLO },
    { "%clock_hi", SREG_CLOCKHI },
    { "%clock64", SREG_CLOCK64 },
    { "%globaltimer", SREG_GLOBALTIMER },
    { "%tid.w", SREG_ZERO },
    { "%ntid.w", SREG_ZERO },
    { "%ctaid.w", SREG_ZERO },
    { "%nctaid.w", SREG_ZERO },
};

bool op_unsupported(const char *name)
{
    const char *at = strstr(unsupported_ops, name);
    size_t n = strlen(name);
    return n && at && at[-1] == ' ' && at[n] == ' ';
}

bool op_special(const char *name)
{
    static const char *const known[] = { "%cluster", "%ncluster", "%pm", "%envreg",
                                         "%reserved_smem", "%current_graph_exec",
                                         "%is_explicit_cluster", NULL };
    int k = 0;
    while (known[k] && strncmp(name, known[k], strlen(known[k]))) k++;
    return known[k];
}

void parse_ins_init(struct parser *p)
{
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        lex_atom(p, ops[i].name, (int)strlen(ops[i].name))->op = &ops[i];
    for (size_t i = 0; i < sizeof mods / sizeof *mods; i++)
        lex_atom(p, mods[i].name, (int)strlen(mods[i].name))->mod = &mods[i];
    for (size_t i = 0; i < sizeof sregs / sizeof *sregs; i++) {
        struct atom *a = lex_atom(p, sregs[i].name, (int)strlen(sregs[i].name));
        a->is_sreg = true;
        a->sreg = sregs[i].sreg;
    }
    parse_expand_init(p);
}
