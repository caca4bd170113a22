/* A loop over the lanes: the effects of isa.def, instruction by instruction.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Within a loop a register is a variable r<N> and a predicate p<N>, which hold one lane's value; so
 * the host's compiler keeps them in vector registers.  Lanes outside the running group compute,
 * too; what they compute is dropped when the loop ends, where values go back to the warp.
 *
 * A guard's lanes are counted: each value of a predicate that guards, or lives on, is a mask, m<K>
 * of the loop's Kth; those that it begins with are q<N>. */
#include "cmodel/native/loop.h"
#include <ctype.h>
#include "cmodel/isa/lane.h"

enum { REGS = LOOP_REGS, PREDS = LOOP_PREDS, NONE = -1 };

/* The effect's text: by the host's arithmetic where that is the same. */
static const char *effect_of(const struct hd_insn *i)
{
    const enum lane_way way = lane_way(i);
#define X(row, text) \
    if (i->op == OP_##row && way == LANE_FAST) \
        return #text;
    FAST_ROWS(X)
#undef X
#define X(row, text) \
    if (i->op == OP_##row && way == LANE_FLUSH) \
        return #text;
    FLUSH_ROWS(X)
#undef X
    return hd_ops[i->op].effect;
}

/* ---- what a loop begins with and writes ---- */

static void use_regs(struct loop *l, unsigned reg, int width)
{
    for (int k = 0; k < width && reg != HD_RZ; k++)
        l->begins[reg + (unsigned)k] |= !l->set[reg + (unsigned)k];
}

static void use_pred(struct loop *l, unsigned pred)
{
    if (pred != HD_PT)
        l->begins_p[pred] |= !l->set_p[pred];
}

/* A guarded write leaves the old value in some lanes. */
static void note(struct loop *l, const struct hd_insn *i)
{
    if (i->op != OP_LDG)                    /* of whose address straight.c knows */
        use_regs(l, i->ra, hd_insn_width(i, 1));
    if (!i->bi)
        use_regs(l, i->rb, hd_insn_width(i, 2));
    use_regs(l, i->rc, hd_insn_width(i, 3));
    if (has(i, 's'))
        use_pred(l, i->ps);
    if (has(i, 't'))
        use_pred(l, i->pq);
    use_pred(l, i->pg);
    if (guarded(i))
        use_regs(l, i->rd, hd_insn_width(i, 0));
    if (guarded(i) && has(i, 'p'))
        use_pred(l, i->pd);
    for (int k = 0; k < hd_insn_width(i, 0) && i->rd != HD_RZ; k++)
        l->set[i->rd + k] = true;
    if (has(i, 'p') && i->pd != HD_PT)
        l->set_p[i->pd] = true;
}

/* ---- an instruction ---- */

static void put_source(FILE *out, char name, unsigned reg, bool pair)
{
    const char *type = pair ? "u64" : "u32";
    if (reg == HD_RZ)
        fprintf(out, " %s %c = 0;", type, name);
    else if (pair)
        fprintf(out, " u64 %c = (u64)r%u << 32 | r%u;", name, reg + 1, reg);
    else
        fprintf(out, " u32 %c = r%u;", name, reg);
}

void loop_put_sources(FILE *out, const struct hd_insn *i)
{
    if (has(i, 'a') || has(i, 'A'))
        put_source(out, has(i, 'A') ? 'A' : 'a', i->ra, has(i, 'A'));
    if (i->cb && has(i, 'B'))
        fprintf(out, " u64 B = (u64)k%u << 32 | k%u;", i->imm + 4, i->imm);
    else if (i->cb)
        fprintf(out, " u32 b = k%u;", i->imm);
    else if (i->bi && has(i, 'B'))
        fprintf(out, " u64 B = (u64)(s64)(s32)0x%xu;", i->imm);
    else if (i->bi)
        fprintf(out, " u32 b = 0x%xu;", i->imm);
    else if (has(i, 'b') || has(i, 'B'))
        put_source(out, has(i, 'B') ? 'B' : 'b', i->rb, has(i, 'B'));
    if (has(i, 'c') || has(i, 'C'))
        put_source(out, has(i, 'C') ? 'C' : 'c', i->rc, has(i, 'C'));
    if (has(i, 's'))
        i->ps == HD_PT ? fprintf(out, " u32 ps = %u;", !i->sn)
                       : fprintf(out, " u32 ps = p%u ^ %u;", i->ps, i->sn);
    if (has(i, 't'))
        i->pq == HD_PT ? fprintf(out, " u32 pt = 1;") : fprintf(out, " u32 pt = p%u;", i->pq);
}

static void put_signs(FILE *out, const struct hd_insn *i)
{
    if (i->aa || i->na)
        fprintf(out, " a = (a & 0x%xu) ^ 0x%xu;", ~((u32)i->aa << 31), (u32)i->na << 31);
    if (i->ab || i->nb)
        fprintf(out, " b = (b & 0x%xu) ^ 0x%xu;", ~((u32)i->ab << 31), (u32)i->nb << 31);
    if (i->nc)
        fprintf(out, " c ^= 0x80000000u;");
}

/* The decoded instruction, with what effects read of it. */
void loop_put_modifiers(FILE *out, const struct hd_insn *i)
{
    const struct hd_op_info *info = &hd_ops[i->op];
    fprintf(out, " const struct hd_insn m = { .imm = 0x%xu, .lut = %u", i->imm, i->lut);
    for (unsigned k = 0; k < info->nmods; k++) {
        const struct hd_mod_info *mod = &hd_mods[info->mod[k]];
        fputs(", .", out);
        for (const char *c = mod->name; *c; c++)
            fputc(tolower((unsigned char)*c), out);
        fprintf(out, " = %u", ((const uint8_t *)i)[mod->offset]);
    }
    fputs(" };", out);
}

static void put_write(FILE *out, const struct hd_insn *i, char kind, unsigned to, const char *value)
{
    if (guarded(i))
        fprintf(out, " %c%u = g ? %s : %c%u;", kind, to, value, kind, to);
    else
        fprintf(out, " %c%u = %s;", kind, to, value);
}

static void put_guard(FILE *out, const struct hd_insn *i)
{
    if (guarded(i))
        i->pg == HD_PT ? fprintf(out, " const u32 g = 0;")
                       : fprintf(out, " const u32 g = p%u ^ %u;", i->pg, i->pn);
}

/* The clock, which goes on by one with each instruction. */
static void put_clock(struct loop *l, const struct hd_insn *i)
{
    char now[48];
    snprintf(now, sizeof now, "(u32)((now + %u) >> %u)", l->at, i->imm == SREG_CLOCKHI ? 32u : 0u);
    fputs("        {", l->out);
    put_guard(l->out, i);
    if (i->rd != HD_RZ)
        put_write(l->out, i, 'r', i->rd, now);
    fputs(" }\n", l->out);
    l->clocks++;
}

/* A load of constants: its words are k<offset>. */
static void put_constant(struct loop *l, const struct hd_insn *i)
{
    char word[32];
    fputs("        {", l->out);
    put_guard(l->out, i);
    for (int k = 0; k < hd_insn_width(i, 0) && i->rd != HD_RZ; k++) {
        snprintf(word, sizeof word, "k%d", i->off + 4 * k);
        put_write(l->out, i, 'r', i->rd + (unsigned)k, word);
    }
    fputs(" }\n", l->out);
}

void loop_put_insn(struct loop *l, const struct hd_insn *i)
{
    const char *effect = effect_of(i);
    FILE *out = l->out;
    if (native_constant(i)) {
        put_constant(l, i);
        return;
    }
    if (native_clock(i)) {
        put_clock(l, i);
        return;
    }
    if (i->op == OP_LDG) {
        for (int k = 0; k < hd_insn_width(i, 0); k++)
            fprintf(out, "        r%d = WORD(x%u + %d * l + %d);\n", i->rd + k, l->row,
                    l->steps[l->row], 4 * k);
        l->row++;
        return;
    }
    fprintf(out, "        {");
    loop_put_sources(out, i);
    if (hd_ops[i->op].unit == UNIT_FPU)
        put_signs(out, i);
    if (strstr(effect, "m.") || strstr(effect, ", m)"))
        loop_put_modifiers(out, i);
    if (has(i, 'd'))
        fputs(" u32 d = 0;", out);
    if (has(i, 'p'))
        fputs(" u32 pd = 0;", out);
    if (strchr(effect, 'D'))
        fputs(" u64 D = 0;", out);
    fprintf(out, " %s;", effect);
    put_guard(out, i);
    if (has(i, 'd') && i->rd != HD_RZ)
        put_write(out, i, 'r', i->rd, "d");
    if (has(i, 'D') && i->rd != HD_RZ) {
        put_write(out, i, 'r', i->rd, "(u32)D");
        put_write(out, i, 'r', i->rd + 1u, "(u32)(D >> 32)");
    }
    if (has(i, 'p') && i->pd != HD_PT) {
        put_write(out, i, 'p', i->pd, "(pd & 1)");
        if (!l->alone) {
            l->mask[i->pd] = l->masks++;
            fprintf(out, " m%d |= p%u << l;", l->mask[i->pd], i->pd);
        }
    }
    fputs(" }\n", out);
}

/* ---- a loop over the lanes ---- */

/* The bytes of the bank that an instruction reads: [from, to). */
struct span { int from, to; };
static struct span constants_of(const struct hd_insn *i)
{
    if (i->cb)
        return (struct span){ (int)i->imm, (int)i->imm + (has(i, 'B') ? 8 : 4) };
    return native_constant(i) ? (struct span){ i->off, i->off + 4 * hd_insn_width(i, 0) }
                              : (struct span){ 0, 0 };
}

/* The words of constants that a loop reads, each once; left before the loop where the bank ends
 * before them, or before the pair that an operand is in. */
void loop_put_constants(FILE *out, const struct hd_insn *i, u32 n, u32 left)
{
    int end = 0;
    for (u32 k = 0; k < n; k++) {
        const struct span at = constants_of(&i[k]);
        const int whole = i[k].cb ? (at.to + 7) & ~7 : at.to;
        end = whole > end ? whole : end;
    }
    if (end)
        fprintf(out, "    if (s->bank_size < %d)\n        return %u;\n", end, left);
    for (int at = 0; at < end; at += 4) {
        bool read = false;
        for (u32 k = 0; k < n; k++)
            read |= (i[k].cb || i[k].rd != HD_RZ) && at >= constants_of(&i[k]).from &&
                    at < constants_of(&i[k]).to;
        if (read)
            fprintf(out, "    const u32 k%d = WORD(s->bank + %d);\n", at, at);
    }
}

static void put_begin(struct loop *l, const struct hd_insn *i, u32 n)
{
    FILE *out = l->out;
    for (u32 k = 0, masks = 0; k < n; k++)
        if (has(&i[k], 'p') && i[k].pd != HD_PT)
            fprintf(out, "    u32 m%u = 0;\n", masks++);
    for (unsigned p = 0; p < HD_PT; p++)
        if (l->begins_p[p])
            fprintf(out, "    const u32 q%u = pred[%u];\n", p, p);
    for (u32 k = 0; k < n; k++)
        if (native_clock(&i[k])) {
            fputs("    const u64 now = s->clock + s->done;\n", out);
            break;
        }
    fputs("    _Pragma(\"GCC ivdep\")\n    for (u32 l = 0; l < REGION_LANES; l++) {\n", out);
    for (unsigned r = 0; r < REGS; r++)
        if (l->begins[r] && !l->zero[r])
            fprintf(out, "        u32 r%u = r[%u][l];\n", r, r);
        else if (l->set[r] || l->begins[r])
            fprintf(out, "        u32 r%u = 0;\n", r);
    for (unsigned p = 0; p < HD_PT; p++)
        if (l->begins_p[p])
            fprintf(out, "        u32 p%u = q%u >> l & 1;\n", p, p);
        else if (l->set_p[p])
            fprintf(out, "        u32 p%u = 0;\n", p);
}

static void count_lanes(struct loop *l, const struct hd_insn *i)
{
    const bool fetch = native_constant(i);
    l->all += !guarded(i);
    l->fetches += fetch;
    l->fetches_all += fetch && !guarded(i);
    if (!guarded(i) || i->pg == HD_PT)
        return;
    l->guard[l->guards].fetch = fetch;
    l->guard[l->guards].mask = l->mask[i->pg];
    l->guard[l->guards].pred = i->pg;
    l->guard[l->guards++].not = i->pn;
}

/* What was computed goes back, in the running lanes; the lanes of guards are counted.  Each row is
 * written whole: what a compiler makes of a store under a condition is slow on some processors. */
static void put_end(struct loop *l, u32 n)
{
    FILE *out = l->out;
    fputs("        const u32 on = ON(l);\n", out);
    for (unsigned r = 0; r < REGS; r++)
        if (l->set[r] && !l->dead[r])
            fprintf(out, "        r[%u][l] = (r%u & on) | (r[%u][l] & ~on);\n", r, r, r);
    fputs("    }\n", out);
    for (unsigned p = 0; p < HD_PT; p++)
        if (l->set_p[p])
            fprintf(out, "    pred[%u] = (pred[%u] & ~active) | (m%d & active);\n", p, p,
                    l->mask[p]);
    fprintf(out, "    s->threads += %uu * COUNT(active);\n", l->all);
    for (int k = 0; k < l->guards; k++) {
        const int of = l->guard[k].mask == NONE ? l->guard[k].pred : l->guard[k].mask;
        const char kind = l->guard[k].mask == NONE ? 'q' : 'm', *not = l->guard[k].not ? "~" : "";
        fprintf(out, "    s->threads += COUNT(active & %s%c%d);\n", not, kind, of);
        if (l->guard[k].fetch)
            fprintf(out, "    s->fetches += (active & %s%c%d) != 0;\n", not, kind, of);
    }
    if (l->fetches)
        fprintf(out, "    s->constants += %u;\n    s->fetches += %u;\n", l->fetches,
                l->fetches_all);
    if (l->clocks)
        fprintf(out, "    s->clocks += %u;\n", l->clocks);
    fprintf(out, "    s->done += %u;\n", n);
}

void loop_begin(struct loop *l, FILE *out, const struct hd_insn *i, u32 n)
{
    *l = (struct loop){ .out = out };
    for (int p = 0; p < PREDS; p++)
        l->mask[p] = NONE;
    for (u32 k = 0; k < n; k++)
        note(l, &i[k]);
}

void loop_put(struct loop *l, const struct hd_insn *i, u32 n)
{
    put_begin(l, i, n);
    for (u32 k = 0; k < n; k++) {
        count_lanes(l, &i[k]);
        l->at = k;
        loop_put_insn(l, &i[k]);
    }
    put_end(l, n);
}
