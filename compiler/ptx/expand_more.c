/* Forms of instructions that the machine lacks, by those that it has: sad, mad and madc of 64 bits
 * with carries, cvt.pack, lop3 with a predicate, atomics on vectors, alloca.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include "compiler/ptx/expand.h"

/* sad.s64 d, a, b, c: c + |a - b| */
static bool sad(struct expansion *e)
{
    if (e->nmods != 1 || e->nops != 4) return false;
    const char *t = e->mod[0];
    fprintf(e->out, ".reg .b64 $x, $y; .reg .pred $p; setp.lt.%s $p, %s, %s; sub.%s $x, %s, %s;\n"
                    "sub.%s $y, %s, %s; selp.b64 $x, $y, $x, $p; add.%s %s, $x, %s;\n",
            t, e->op[1], e->op[2], t, e->op[1], e->op[2], t, e->op[2], e->op[1], t, e->op[0],
            e->op[3]);
    return true;
}

/* mad.lo.cc.u64 d, a, b, c; madc.hi.cc.u64: the product is complete before the carry is. */
static bool product(struct expansion *e, bool carry_in)
{
    const char *t = e->nmods ? e->mod[e->nmods - 1] : "";
    bool cc = ex_has(e, "cc"), hi = ex_has(e, "hi");
    if (e->nops != 4 || e->nmods != 2 + cc || (!hi && !ex_has(e, "lo")) ||
        (strcmp(t, "u64") && strcmp(t, "s64")))
        return false;
    fprintf(e->out, ".reg .b64 $x; mul.%s.%s $x, %s, %s; %s%s.%s %s, $x, %s;\n",
            hi ? "hi" : "lo", t, e->op[1], e->op[2], carry_in ? "addc" : "add", cc ? ".cc" : "", t,
            e->op[0], e->op[3]);
    return true;
}
static bool mad(struct expansion *e) { return product(e, false); }
static bool madc(struct expansion *e) { return product(e, true); }

/* cvt.pack.sat.u8.s32.b32 d, a, b, c: c moves up, then a, b lowest; of 16 bits there is no c. */
bool ex_pack(struct expansion *e)
{
    static const char *const types[] = { "u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2", NULL };
    int kind = e->nmods > 2 ? ex_one_of(e, types) : -1;
    if (kind < 0 || strcmp(e->mod[0], "pack") || strcmp(e->mod[1], "sat") ||
        strcmp(e->mod[3], "s32"))
        return false;
    unsigned bits = 16u >> (kind / 2);
    bool sign = kind & 1, third = bits < 16;
    if (e->nmods != 4 + third || (third && strcmp(e->mod[4], "b32")) || e->nops != 3 + third)
        return false;
    int most = sign ? (1 << (bits - 1)) - 1 : (1 << bits) - 1, least = sign ? -most - 1 : 0;
    fprintf(e->out, ".reg .b32 $a, $b, $c;\n");
    for (int k = 0; k < 2; k++)
        fprintf(e->out, "min.s32 $%c, %s, %d; max.s32 $%c, $%c, %d; and.b32 $%c, $%c, %u;\n",
                "ab"[k], e->op[1 + k], most, "ab"[k], "ab"[k], least, "ab"[k], "ab"[k],
                (1u << bits) - 1);
    if (third) fprintf(e->out, "shl.b32 $c, %s, %u;\n", e->op[3], 2 * bits);
    else fputs("mov.b32 $c, 0;\n", e->out);
    fprintf(e->out, "shl.b32 $a, $a, %u; or.b32 $a, $a, $b; or.b32 %s, $a, $c;\n", bits, e->op[0]);
    return true;
}

/* lop3.or.b32 d|p, a, b, c, table, q: p = (d != 0) or q */
static bool lop3(struct expansion *e)
{
    bool both = ex_has(e, "and");
    if (e->nmods != 2 || e->nops != 6 || (!both && !ex_has(e, "or"))) return false;
    char *d = arena_printf(e->p->arena, "%s", e->op[0]), *p = strchr(d, '|');
    if (!p) return false;
    *p++ = 0;
    fprintf(e->out, ".reg .b32 $d; .reg .pred $p, $q; mov.pred $q, %s;\n"
                    "lop3.b32 $d, %s, %s, %s, %s;\nsetp.ne.b32 $p, $d, 0; %s.pred %s, $p, $q;\n",
            e->op[5], e->op[1], e->op[2], e->op[3], e->op[4], both ? "and" : "or", p);
    if (strcmp(d, "_")) fprintf(e->out, "mov.b32 %s, $d;\n", d);
    return true;
}

/* ---- atom.v2.f32: each element by itself, as PTX has it -------------------------------------- */

static bool vector_atomic(struct expansion *e, bool gives)
{
    static const char *const types[] = { "f32", "f16", "bf16", "f16x2", "bf16x2", NULL };
    static const int sizes[] = { 4, 2, 2, 4, 4 };
    int n = ex_has(e, "v2") ? 2 : ex_has(e, "v4") ? 4 : 8, kind = ex_one_of(e, types);
    bool hint = ex_has(e, "L2::cache_hint");
    const char *to[EX_ITEMS], *from[EX_ITEMS];
    if (kind < 0 || e->nops != 2 + gives + hint || ex_items(e, 1 + gives, from) != n ||
        (gives && ex_items(e, 0, to) != n) || n * sizes[kind] > 16)
        return false;
    bool wide = ex_address(e, gives, "$a", false);
    char *mods = arena_printf(e->p->arena, "%s", "");
    for (int k = 0; k < e->nmods; k++)
        if (strcmp(e->mod[k], "v2") && strcmp(e->mod[k], "v4") && strcmp(e->mod[k], "v8"))
            mods = arena_printf(e->p->arena, "%s.%s", mods, e->mod[k]);
    (void)wide;
    fprintf(e->out, ".reg .b%d $v<8>, $r<8>;\n", 8 * sizes[kind]);
    for (int k = 0; k < n; k++) fprintf(e->out, "mov.b%d $v%d, %s;\n", 8 * sizes[kind], k, from[k]);
    for (int k = 0; k < n; k++) {
        fprintf(e->out, "%s%s ", gives ? "atom" : "red", mods);
        if (gives) fprintf(e->out, "$r%d, ", k);
        fprintf(e->out, "[$a+%d], $v%d%s%s;\n", k * sizes[kind], k, hint ? ", " : "",
                hint ? e->op[2 + gives] : "");
    }
    for (int k = 0; gives && k < n; k++)
        if (strcmp(to[k], "_")) fprintf(e->out, "mov.b%d %s, $r%d;\n", 8 * sizes[kind], to[k], k);
    return true;
}
static bool atom(struct expansion *e) { return vector_atomic(e, true); }
static bool red(struct expansion *e) { return vector_atomic(e, false); }

/* ---- alloca: from the lower end of local memory up; where, is in its first word -------------- */

static bool is_wide(const struct expansion *e) { return e->nmods == 1 && ex_has(e, "u64"); }
static bool of_stack(const struct expansion *e, int least, int most)
{
    return e->nmods == 1 && (ex_has(e, "u64") || ex_has(e, "u32")) && e->nops >= least &&
           e->nops <= most;
}

static bool alloca_up(struct expansion *e)
{
    if (!of_stack(e, 2, 3)) return false;
    unsigned long align = e->nops == 3 ? strtoul(e->op[2], NULL, 0) : 8;
    if (!align || align > 4096 || align & (align - 1))
        parse_fail(e->p, e->p->ins_loc, "the alignment %s is no power of two",
                   e->nops == 3 ? e->op[2] : "");
    fputs(".reg .b32 $c, $s, $n; .reg .b64 $w; .reg .pred $p, $q;\n", e->out);
    if (is_wide(e)) fprintf(e->out, "mov.b64 $w, %s; cvt.u32.u64 $s, $w;\n", e->op[1]);
    else fprintf(e->out, "mov.b32 $s, %s; cvt.u64.u32 $w, $s;\n", e->op[1]);
    fprintf(e->out, "ld.local.u32 $c, [0]; add.u32 $c, $c, %lu; and.b32 $c, $c, -%lu;\n"
                    "add.u32 $n, $c, $s; setp.gt.u32 $p, $n, %d; setp.gt.u64 $q, $w, %d;\n"
                    "or.pred $p, $p, $q; @$p trap; st.local.u32 [0], $n;\n",
            align - 1, align, ALLOCA_BYTES, ALLOCA_BYTES);
    if (is_wide(e)) fprintf(e->out, "cvt.u64.u32 %s, $c;\n", e->op[0]);
    else fprintf(e->out, "mov.b32 %s, $c;\n", e->op[0]);
    e->p->fn->allocates = true;
    return true;
}

static bool stacksave(struct expansion *e)
{
    if (!of_stack(e, 1, 1)) return false;
    fputs(".reg .b32 $c; ld.local.u32 $c, [0];\n", e->out);
    fprintf(e->out, "%s %s, $c;\n", is_wide(e) ? "cvt.u64.u32" : "mov.b32", e->op[0]);
    return true;
}

static bool stackrestore(struct expansion *e)
{
    if (!of_stack(e, 1, 1)) return false;
    fprintf(e->out, ".reg .b32 $c; %s $c, %s; st.local.u32 [0], $c;\n",
            is_wide(e) ? "cvt.u32.u64" : "mov.b32", e->op[0]);
    return true;
}

static struct ins *local_word(struct parser *p, enum pop op, int reg)
{
    struct ins *i = ins_new(p->m, op);
    i->type = T_B32;
    i->space = SP_LOCAL;
    i->vecn = 1;
    i->nops = 2;
    i->o[op == P_LD] = (struct opd){ .kind = O_ADDR, .reg = -1, .reg2 = -1 };
    i->o[op != P_LD] = (struct opd){ .kind = O_REG, .reg = reg, .reg2 = -1 };
    return i;
}

/* A kernel of a module that allocates begins with nothing allocated. */
void ex_stack_begin(struct parser *p)
{
    static const char text[] = "{ st.local.u32 [0], 8; }\n";
    const struct module *m = p->m;
    if (!p->fn->entry || !memmem(m->text, m->len, "alloca.", 7)) return;
    p->fn->allocates = true;
    parse_text(p, text, sizeof text - 1);
}

/* What a function allocated is free when it returns. */
void ex_free_at_return(struct parser *p)
{
    struct fn *f = p->fn;
    if (!f->allocates || f->entry) return;
    int kept = reg_new(f, T_B32);
    f->regs[kept].name = "stack";
    struct ins *first = local_word(p, P_LD, kept);
    first->loc = f->loc;
    first->next = f->first;
    f->first->prev = first;
    f->first = first;
    bool ends = false;
    for (struct ins *i = f->first; i; i = i->next) {
        ends = i->op == P_RET && i->guard < 0;
        if (i->op != P_RET) continue;
        struct ins *back = local_word(p, P_ST, kept);
        back->loc = i->loc, back->sfile = i->sfile, back->sline = i->sline;
        back->guard = i->guard, back->guard_neg = i->guard_neg;
        back->next = i, back->prev = i->prev;
        i->prev->next = back;
        i->prev = back;
    }
    if (!ends) parse_ins_append(p, local_word(p, P_ST, kept), -1, false);
}

static bool nothing(struct expansion *e) { (void)e; return true; }

const struct expander ex_more[] = { { "sad", sad, "s64 u64" },
                                    { "mad", mad, "cc.s64 cc.u64" },
                                    { "madc", madc, "s64 u64" },
                                    { "lop3", lop3, "or and" },
                                    { "atom", atom, "v2 v4 v8" },
                                    { "red", red, "v2 v4 v8" },
                                    { "alloca", alloca_up, NULL },
                                    { "stacksave", stacksave, NULL },
                                    { "stackrestore", stackrestore, NULL },
                                    { "pmevent", nothing, NULL },
                                    { NULL, NULL, NULL } };
