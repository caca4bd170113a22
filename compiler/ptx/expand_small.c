/* Small numbers, several in a word: vadd4 and its like, minima of 16-bit integers, fp8.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "compiler/ptx/expand.h"
#include "compiler/small_numbers.h"

/* ---- vadd2, vadd4, ... ----------------------------------------------------------------------- */

static const struct { const char *name; unsigned op; } video_ops[] = {
    { "vadd", HD_VADD }, { "vsub", HD_VSUB }, { "vavrg", HD_VAVRG }, { "vabsdiff", HD_VABSDIFF },
    { "vmin", HD_VMIN }, { "vmax", HD_VMAX }, { "vset", HD_VSET } };
static const char *const comparisons[] = { "eq", "ne", "lt", "le", "gt", "ge", NULL };

/* `%r1.b3120': which parts of a and b it takes, as prmt selects bytes; plain: its own. */
static bool select(struct expansion *e, int op, bool four, const char *to)
{
    char *text = arena_printf(e->p->arena, "%s", e->op[op]), *dot = strchr(text, '.');
    unsigned selector = op == 1 ? 0x3210 : 0x7654;
    if (dot && strlen(dot) != (four ? 6 : 4)) return false;
    if (dot && dot[1] != (four ? 'b' : 'h')) return false;
    if (dot) selector = 0;
    for (const char *c = dot ? dot + 2 : ""; *c; c++) {
        unsigned k = (unsigned)(*c - '0');
        if (*c < '0' || k > (four ? 7u : 3u)) return false;
        selector = four ? selector << 4 | k : selector << 8 | (2 * k + 1) << 4 | 2 * k;
    }
    if (dot) *dot = 0;
    char *a = arena_printf(e->p->arena, "%s", e->op[1]),
         *b = arena_printf(e->p->arena, "%s", e->op[2]);
    a[strcspn(a, ".")] = 0, b[strcspn(b, ".")] = 0;
    fprintf(e->out, "prmt.b32 %s, %s, %s, %u;\n", to, a, b, selector);
    return true;
}

static bool video(struct expansion *e, const char *name)
{
    static const char *const types[] = { "u32", "s32", NULL };
    size_t n = strlen(name) - 1;
    bool four = name[n] == '4', set = !strncmp(name, "vset", n);
    unsigned how = four ? HD_BYTES : 0, k = 0, mask = 0, seen = 0;
    int cmp = ex_one_of(e, comparisons);
    while (strlen(video_ops[k].name) != n || strncmp(video_ops[k].name, name, n)) k++;
    how |= video_ops[k].op;
    for (int i = 0; i < e->nmods; i++) {
        int t = !strcmp(e->mod[i], types[1]) ? 1 : !strcmp(e->mod[i], types[0]) ? 0 : -1;
        if (t >= 0) {
            unsigned which = seen++ + set;       /* of vset the first is a's */
            if (t) how |= which == 0 ? HD_D_SIGNED : which == 1 ? HD_A_SIGNED : HD_B_SIGNED;
        } else if (!strcmp(e->mod[i], "sat") && !set) how |= HD_SAT;
        else if (!strcmp(e->mod[i], "add")) how |= HD_SUM;
        else if (!set || cmp < 0 || strcmp(e->mod[i], comparisons[cmp])) return false;
    }
    if (seen != (set ? 2 : 3) || set != (cmp >= 0) || e->nops != 4) return false;
    if (set) how |= (unsigned)cmp << HD_CMP;
    char *d = arena_printf(e->p->arena, "%s", e->op[0]), *dot = strchr(d, '.');
    if (dot && (dot[1] != (four ? 'b' : 'h') || !dot[2] || how & HD_SUM)) return false;
    for (const char *c = dot ? dot + 2 : ""; *c; c++) {
        if (*c < '0' || *c >= (four ? '4' : '2')) return false;
        mask |= 1u << (*c - '0');
    }
    if (dot) *dot = 0;
    else mask = four ? 15 : 3;
    fputs(".reg .b32 $a, $b, $r; .param .b32 $p;\n", e->out);
    if (!select(e, 1, four, "$a") || !select(e, 2, four, "$b")) return false;
    parse_routine(e->p, "__hd_video", "wwww", 4);
    fprintf(e->out, "call.uni ($p), __hd_video, ($a, $b, %s, %u);\nld.param.b32 $r, [$p]; "
                    "mov.b32 %s, $r;\n", e->op[3], how | mask << HD_MASK, d);
    return true;
}
#define VIDEO(name) \
    static bool name##2(struct expansion *e) { return video(e, #name "2"); } \
    static bool name##4(struct expansion *e) { return video(e, #name "4"); }
VIDEO(vadd)
VIDEO(vsub)
VIDEO(vavrg)
VIDEO(vabsdiff)
VIDEO(vmin)
VIDEO(vmax)
VIDEO(vset)

/* ---- vadd, vmad, vset, ... of one number ----------------------------------------------------- */

static const struct { const char *name; unsigned op; } scalar_ops[] = {
    { "vadd", HD_SVADD }, { "vsub", HD_SVSUB }, { "vabsdiff", HD_SVABSDIFF }, { "vmin", HD_SVMIN },
    { "vmax", HD_SVMAX }, { "vset", HD_SVSET }, { "vshl", HD_SVSHL }, { "vshr", HD_SVSHR },
    { "vmad", HD_SVMAD } };

/* `.b2' or `.h1' after an operand, which is cut off: its place and its bits.  False: it is
 * neither. */
static bool sub_word(char *text, unsigned *at, unsigned *bits)
{
    char *dot = strchr(text, '.');
    *at = 0, *bits = 0;
    if (!dot) return true;
    unsigned k = (unsigned)(dot[1] ? dot[2] - '0' : 9);
    if ((dot[1] != 'b' && dot[1] != 'h') || k > (dot[1] == 'b' ? 3u : 1u) || dot[3]) return false;
    *bits = dot[1] == 'b' ? 8 : 16;
    *at = k * *bits;
    *dot = 0;
    return true;
}

/* Puts what is selected of a or b into a register; *minus: the operand is negated. */
static bool take(struct expansion *e, int op, const char *to, bool sign, bool *minus)
{
    char *text = arena_printf(e->p->arena, "%s", e->op[op]);
    unsigned at, bits;
    *minus = *text == '-' && !(text[1] >= '0' && text[1] <= '9');
    text += *minus;
    if (!sub_word(text, &at, &bits)) return false;
    if (bits)
        fprintf(e->out, "bfe.%c32 %s, %s, %u, %u;\n", sign ? 's' : 'u', to, text, at, bits);
    else fprintf(e->out, "mov.b32 %s, %s;\n", to, text);
    return true;
}

/* What stands in the modifiers of a scalar one; -1: something else does. */
static long scalar_how(struct expansion *e, unsigned op)
{
    static const char *const seconds[] = { "add", "min", "max", NULL };
    unsigned how = op, seen = op == HD_SVSET;        /* vset has no type of d: it is unsigned */
    bool compared = false, mode = false, other = false;
    for (int i = 0; i < e->nmods; i++) {
        const char *m = e->mod[i];
        unsigned k = 0, c = 0;
        while (seconds[k] && strcmp(m, seconds[k])) k++;
        while (comparisons[c] && strcmp(m, comparisons[c])) c++;
        if (!strcmp(m, "u32") || !strcmp(m, "s32")) {
            if (*m == 's') how |= !seen ? HD_D_SIGNED : seen == 1 ? HD_A_SIGNED : HD_B_SIGNED;
            if (seen++ > 2) return -1;
        } else if (!strcmp(m, "sat") && op != HD_SVSET) how |= HD_SAT;
        else if (seconds[k] && op != HD_SVMAD && !other) how |= (k + 1) << HD_SECOND, other = true;
        else if (comparisons[c] && op == HD_SVSET && !compared)
            how |= c << HD_CMP, compared = true;
        else if ((!strcmp(m, "clamp") || !strcmp(m, "wrap")) && !mode &&
                 (op == HD_SVSHL || op == HD_SVSHR))
            how |= *m == 'w' ? HD_WRAP : 0u, mode = true;
        else if (!strcmp(m, "po") && op == HD_SVMAD) how |= HD_PLUS_ONE;
        else if (!strcmp(m, "shr7") && op == HD_SVMAD && !other)
            how |= 7u << HD_SCALE, other = true;
        else if (!strcmp(m, "shr15") && op == HD_SVMAD && !other)
            how |= 15u << HD_SCALE, other = true;
        else return -1;
    }
    bool shift = op == HD_SVSHL || op == HD_SVSHR;
    if (seen != 3 || compared != (op == HD_SVSET) || mode != shift ||
        (shift && how & HD_B_SIGNED))
        return -1;
    return (long)how;
}

static bool scalar(struct expansion *e, const char *name)
{
    unsigned k = 0, at, bits;
    while (strcmp(scalar_ops[k].name, name)) k++;
    long asked = scalar_how(e, scalar_ops[k].op);
    if (asked < 0 || (e->nops != 3 && e->nops != 4)) return false;
    unsigned how = (unsigned)asked;
    bool mad = scalar_ops[k].op == HD_SVMAD, minus[3] = { false };
    bool second = !mad && how >> HD_SECOND & 3;
    char *d = arena_printf(e->p->arena, "%s", e->op[0]);
    if (!sub_word(d, &at, &bits) || (mad && bits)) return false;
    /* c is what a second operation or the rest of d comes from */
    if ((e->nops == 4) != (mad || second || bits) || (second && bits)) return false;
    if (!mad) how |= at << HD_PART_AT | bits << HD_PART_BITS;
    fputs(".reg .b32 $a, $b, $c, $r; .param .b32 $p;\n", e->out);
    if (!take(e, 1, "$a", how & HD_A_SIGNED, &minus[0]) ||
        !take(e, 2, "$b", how & HD_B_SIGNED, &minus[1]))
        return false;
    if (e->nops == 4) {
        if (strchr(e->op[3], '.')) return false;
        if (!take(e, 3, "$c", false, &minus[2])) return false;
    } else {
        fputs("mov.b32 $c, 0;\n", e->out);
    }
    bool negates = minus[0] || minus[1] || minus[2];
    if (negates && (!mad || how & HD_PLUS_ONE || ((minus[0] != minus[1]) && minus[2])))
        return false;
    how |= (minus[0] != minus[1] ? HD_NEGATE : 0u) | (minus[2] ? HD_NEGATE_C : 0u);
    const char *routine = mad ? "__hd_video_mad" : "__hd_video_scalar";
    parse_routine(e->p, routine, "wwww", 4);
    fprintf(e->out, "call.uni ($p), %s, ($a, $b, $c, %u);\nld.param.b32 $r, [$p]; "
                    "mov.b32 %s, $r;\n", routine, how, d);
    return true;
}
#define SCALAR(name) \
    static bool name(struct expansion *e) { return scalar(e, #name); }
SCALAR(vadd)
SCALAR(vsub)
SCALAR(vabsdiff)
SCALAR(vmin)
SCALAR(vmax)
SCALAR(vset)
SCALAR(vshl)
SCALAR(vshr)
SCALAR(vmad)

/* ---- add, min, max of two integers of 16 bits ------------------------------------------------ */

static bool pairs(struct expansion *e, const char *op)
{
    bool sign = ex_has(e, "s16x2"), relu = ex_has(e, "relu"), add = !strcmp(op, "add");
    if (e->nops != 3 || e->nmods != 1 + relu || (relu && (!sign || add)) ||
        (!sign && !ex_has(e, "u16x2")))
        return false;
    fprintf(e->out, ".reg .b16 $a<2>, $b<2>; mov.b32 {$a0, $a1}, %s; mov.b32 {$b0, $b1}, %s;\n",
            e->op[1], e->op[2]);
    for (int k = 0; k < 2; k++) {
        fprintf(e->out, "%s.%c16 $a%d, $a%d, $b%d;\n", op, sign ? 's' : 'u', k, k, k);
        if (relu) fprintf(e->out, "max.s16 $a%d, $a%d, 0;\n", k, k);
    }
    fprintf(e->out, "mov.b32 %s, {$a0, $a1};\n", e->op[0]);
    return true;
}
/* max.relu.s32: of one number */
static bool relu(struct expansion *e, const char *op)
{
    if (!ex_has(e, "s32")) return pairs(e, op);
    if (e->nmods != 2 || e->nops != 3) return false;
    fprintf(e->out, ".reg .b32 $a; %s.s32 $a, %s, %s; max.s32 %s, $a, 0;\n", op, e->op[1], e->op[2],
            e->op[0]);
    return true;
}
static bool add(struct expansion *e) { return pairs(e, "add"); }
static bool min(struct expansion *e) { return relu(e, "min"); }
static bool max(struct expansion *e) { return relu(e, "max"); }

/* ---- numbers of eight bits ------------------------------------------------------------------- */

/* cvt.rn.satfinite.e4m3x2.f32 d, a, b;  ... .e4m3x2.f16x2 d, a;  cvt.rn.f16x2.e4m3x2 d, a; */
static bool cvt(struct expansion *e)
{
    static const char *const small[] = { "e4m3x2", "e5m2x2", NULL };
    if (ex_has(e, "pack")) return ex_pack(e);
    int kind = ex_one_of(e, small), n = e->nmods;
    bool clamp = ex_has(e, "relu"), limit = ex_has(e, "satfinite");
    unsigned how = (kind ? HD_E5M2 : 0u) | (clamp ? HD_RELU : 0u);
    if (kind < 0 || n != 3 + clamp + limit || strcmp(e->mod[0], "rn")) return false;
    const char *to = e->mod[n - 2], *from = e->mod[n - 1];
    fputs(".reg .b32 $a, $b, $r; .reg .b16 $h<2>; .param .b32 $p;\n", e->out);
    if (!strcmp(to, "f16x2") && from[0] == 'e' && !limit && e->nops == 2) {
        parse_routine(e->p, "__hd_from_fp8", "ww", 4);
        fprintf(e->out, "cvt.u32.u16 $a, %s; call.uni ($p), __hd_from_fp8, ($a, %u);\n"
                        "ld.param.b32 $r, [$p]; mov.b32 %s, $r;\n", e->op[1], how, e->op[0]);
        return true;
    }
    bool two = !strcmp(from, "f32"), halves = !strcmp(from, "f16x2");
    if (to[0] != 'e' || !limit || (!two && !halves) || e->nops != 2 + two) return false;
    if (two) fprintf(e->out, "mov.b32 $a, %s; mov.b32 $b, %s;\n", e->op[1], e->op[2]);
    else
        fprintf(e->out, "mov.b32 {$h0, $h1}, %s; cvt.f32.f16 $a, $h1; cvt.f32.f16 $b, $h0;\n",
                e->op[1]);
    parse_routine(e->p, "__hd_to_fp8", "www", 4);
    fprintf(e->out, "call.uni ($p), __hd_to_fp8, ($a, $b, %u);\nld.param.b32 $r, [$p]; "
                    "cvt.u16.u32 %s, $r;\n", how, e->op[0]);
    return true;
}

const struct expander ex_small[] = { { "vadd2", vadd2, NULL }, { "vadd4", vadd4, NULL },
                                     { "vsub2", vsub2, NULL }, { "vsub4", vsub4, NULL },
                                     { "vavrg2", vavrg2, NULL }, { "vavrg4", vavrg4, NULL },
                                     { "vabsdiff2", vabsdiff2, NULL },
                                     { "vabsdiff4", vabsdiff4, NULL },
                                     { "vmin2", vmin2, NULL }, { "vmin4", vmin4, NULL },
                                     { "vmax2", vmax2, NULL }, { "vmax4", vmax4, NULL },
                                     { "vset2", vset2, NULL }, { "vset4", vset4, NULL },
                                     { "vadd", vadd, NULL }, { "vsub", vsub, NULL },
                                     { "vabsdiff", vabsdiff, NULL }, { "vmin", vmin, NULL },
                                     { "vmax", vmax, NULL }, { "vset", vset, NULL },
                                     { "vshl", vshl, NULL }, { "vshr", vshr, NULL },
                                     { "vmad", vmad, NULL },
                                     { "add", add, "u16x2 s16x2" },
                                     { "min", min, "relu u16x2 s16x2" },
                                     { "max", max, "relu u16x2 s16x2" },
                                     { "cvt", cvt, "e4m3x2 e5m2x2 pack" },
                                     { NULL, NULL, NULL } };
