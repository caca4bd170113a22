/* Writes regions as C: the effects of isa.def, instruction by instruction, in loops over the lanes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Within a loop a register is a variable r<N> and a predicate p<N>, which hold one lane's value; so
 * the host's compiler keeps them in vector registers.  Lanes outside the running group compute,
 * too; what they compute is dropped when the loop ends, where values go back to the warp.  Between
 * loops the warp's state is the interpreter's, and operations that may fault stand there.
 *
 * A guard's lanes are counted: each value of a predicate that guards, or lives on, is a mask, m<K>
 * of the loop's Kth; those that it begins with are q<N>. */
#include "cmodel/native/native.h"
#include <ctype.h>
#include <string.h>
#include "cmodel/isa/lane.h"

_Static_assert(REGION_LANES == HD_LANES, "region.h stands alone, and names the lanes itself");

/* What the text needs: isa_gen.h, isa.h, fplane.h, lane.h, region.h and what they include. */
static const char headers[] =
#include "native_text.h"
    ;

enum { REGS = 256, PREDS = 8, NONE = -1 };

struct loop {
    FILE *out;
    bool begins[REGS], set[REGS];           /* it needs the register's old value; it writes it */
    bool begins_p[PREDS], set_p[PREDS];
    int mask[PREDS];                        /* K of the predicate's value now; NONE: q */
    int masks;
    uint32_t all;                           /* instructions without a guard */
    struct { int mask, pred; bool not, fetch; } guard[512];
    int guards;
    uint32_t fetches, fetches_all;          /* loads of constants; those without a guard */
};

static bool has(const struct hd_insn *i, char letter)
{
    return strchr(hd_ops[i->op].operands, letter) != NULL;
}

static bool guarded(const struct hd_insn *i)
{
    return i->pg != HD_PT || i->pn;
}

/* The effect's text: by the host's arithmetic where that is the same. */
static const char *effect_of(const struct hd_insn *i)
{
#define X(row, text) \
    if (i->op == OP_##row && lane_is_fast(i)) \
        return #text;
    FAST_ROWS(X)
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

static void put_sources(FILE *out, const struct hd_insn *i)
{
    if (has(i, 'a') || has(i, 'A'))
        put_source(out, has(i, 'A') ? 'A' : 'a', i->ra, has(i, 'A'));
    if (i->bi && has(i, 'B'))
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
static void put_insn(FILE *out, const struct hd_insn *i)
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

/* A load of constants: its words are k<offset>. */
static void put_constant(struct loop *l, const struct hd_insn *i)
{
    char word[32];
    fputs("        {", l->out);
    if (guarded(i))
        i->pg == HD_PT ? fprintf(l->out, " const u32 g = 0;")
                       : fprintf(l->out, " const u32 g = p%u ^ %u;", i->pg, i->pn);
    for (int k = 0; k < hd_insn_width(i, 0) && i->rd != HD_RZ; k++) {
        snprintf(word, sizeof word, "k%d", i->off + 4 * k);
        put_write(l->out, i, 'r', i->rd + (unsigned)k, word);
    }
    fputs(" }\n", l->out);
}

static void put_insn_body(struct loop *l, const struct hd_insn *i)
{
    const char *effect = effect_of(i);
    FILE *out = l->out;
    if (native_constant(i)) {
        put_constant(l, i);
        return;
    }
    fprintf(out, "        {");
    put_sources(out, i);
    if (hd_ops[i->op].unit == UNIT_FPU)
        put_signs(out, i);
    if (strstr(effect, "m.") || strstr(effect, ", m)"))
        put_insn(out, i);
    if (has(i, 'd'))
        fputs(" u32 d = 0;", out);
    if (has(i, 'p'))
        fputs(" u32 pd = 0;", out);
    if (strchr(effect, 'D'))
        fputs(" u64 D = 0;", out);
    fprintf(out, " %s;", effect);
    if (guarded(i))
        i->pg == HD_PT ? fprintf(out, " const u32 g = 0;")
                       : fprintf(out, " const u32 g = p%u ^ %u;", i->pg, i->pn);
    if (has(i, 'd') && i->rd != HD_RZ)
        put_write(out, i, 'r', i->rd, "d");
    if (has(i, 'D') && i->rd != HD_RZ) {
        put_write(out, i, 'r', i->rd, "(u32)D");
        put_write(out, i, 'r', i->rd + 1u, "(u32)(D >> 32)");
    }
    if (has(i, 'p') && i->pd != HD_PT) {
        put_write(out, i, 'p', i->pd, "(pd & 1)");
        l->mask[i->pd] = l->masks++;
        fprintf(out, " m%d |= p%u << l;", l->mask[i->pd], i->pd);
    }
    fputs(" }\n", out);
}

/* ---- a loop over the lanes ---- */

/* The words of constants that a loop reads, each once; left before the loop where the bank ends
 * before them. */
static void put_constants(FILE *out, const struct hd_insn *i, u32 n, u32 index)
{
    int end = 0;
    for (u32 k = 0; k < n; k++)
        if (native_constant(&i[k]) && i[k].off + 4 * hd_insn_width(&i[k], 0) > end)
            end = i[k].off + 4 * hd_insn_width(&i[k], 0);
    if (end)
        fprintf(out, "    if (s->bank_size < %d)\n        return %u;\n", end, index);
    for (int at = 0; at < end; at += 4) {
        bool read = false;
        for (u32 k = 0; k < n; k++)
            read |= native_constant(&i[k]) && i[k].rd != HD_RZ && at >= i[k].off &&
                    at < i[k].off + 4 * hd_insn_width(&i[k], 0);
        if (read)
            fprintf(out, "    const u32 k%d = WORD(s->bank + %d);\n", at, at);
    }
}

static void put_begin(struct loop *l, const struct hd_insn *i, u32 n, u32 index)
{
    FILE *out = l->out;
    for (u32 k = 0; k < n; k++)
        note(l, &i[k]);
    fputs("    {\n", out);
    put_constants(out, i, n, index);
    for (u32 k = 0, masks = 0; k < n; k++)
        if (has(&i[k], 'p') && i[k].pd != HD_PT)
            fprintf(out, "    u32 m%u = 0;\n", masks++);
    for (unsigned p = 0; p < HD_PT; p++)
        if (l->begins_p[p])
            fprintf(out, "    const u32 q%u = s->p[%u];\n", p, p);
    fputs("    _Pragma(\"GCC ivdep\")\n    for (u32 l = 0; l < REGION_LANES; l++) {\n", out);
    for (unsigned r = 0; r < REGS; r++)
        if (l->begins[r])
            fprintf(out, "        u32 r%u = r[%u][l];\n", r, r);
        else if (l->set[r])
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
        if (l->set[r])
            fprintf(out, "        r[%u][l] = (r%u & on) | (r[%u][l] & ~on);\n", r, r, r);
    fputs("    }\n", out);
    for (unsigned p = 0; p < HD_PT; p++)
        if (l->set_p[p])
            fprintf(out, "    s->p[%u] = (s->p[%u] & ~active) | (m%d & active);\n", p, p,
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
    fprintf(out, "    s->done += %u;\n    }\n", n);
}

static void put_loop(FILE *out, const struct hd_insn *i, u32 n, u32 index)
{
    struct loop l = { .out = out };
    for (int p = 0; p < PREDS; p++)
        l.mask[p] = NONE;
    put_begin(&l, i, n, index);
    for (u32 k = 0; k < n; k++) {
        count_lanes(&l, &i[k]);
        put_insn_body(&l, &i[k]);
    }
    put_end(&l, n);
}

/* The lanes whose guard holds. */
static void put_exec(FILE *out, const struct hd_insn *i)
{
    if (guarded(i))
        fprintf(out, "    exec = active & (s->p[%u] ^ 0x%xu);\n", i->pg, 0u - i->pn);
    else
        fputs("    exec = active;\n", out);
}

/* A row of words has a way of its own, past the operation. */
static void put_call(FILE *out, const struct hd_insn *i, u32 index)
{
    const bool load = i->op == OP_LDG && i->rd != HD_RZ;
    put_exec(out, i);
    fputs("    if (", out);
    if ((load || (i->op == OP_STG && i->rb != HD_RZ)) && i->sz == SZ_32 && i->ra != HD_RZ)
        fprintf(out, "!(exec == ~0u && s->%s_row(s, %u, %u, %d)) && ", load ? "load" : "store",
                (unsigned)(load ? i->rd : i->rb), i->ra, i->off);
    fprintf(out, "!s->call(s, %u, exec))\n        return %u;\n", index, index);
    fputs("    s->threads += COUNT(exec);\n    s->done++;\n", out);
}

/* The group goes on at an instruction: within the translation, if it can. */
static void put_go_on(FILE *out, const struct native_run *run, u32 n, u32 at)
{
    for (u32 k = 0; k < n; k++)
        if (run[k].first == at)
            fprintf(out, "    if (s->left > s->done + %u)\n        return region_%u(s);\n",
                    run[k].length, at);
    fprintf(out, "    return %u;\n", at);
}

/* A branch that does not part the lanes. */
static void put_branch(FILE *out, const struct hd_insn *i, u32 index, const struct native_run *run,
                       u32 n)
{
    put_exec(out, i);
    fprintf(out, "    if (exec && exec != active)\n        return %u;\n", index);
    fputs("    s->threads += COUNT(exec);\n    s->done++;\n    s->branches++;\n", out);
    fputs("    if (exec) {\n", out);
    put_go_on(out, run, n, i->imm / HD_INSN_BYTES);
    fputs("    }\n", out);
}

/* An EXIT that ends the warp, or no lane of it. */
static void put_exit(FILE *out, const struct hd_insn *i, u32 index)
{
    put_exec(out, i);
    fprintf(out, "    if (exec && (exec != active || !s->whole))\n        return %u;\n", index);
    fputs("    s->threads += COUNT(exec);\n    s->done++;\n    if (exec) {\n", out);
    fprintf(out, "        s->ended = true;\n        return %u;\n    }\n", index);
}

/* Instructions of one kind share a loop. */
enum { LOOP_MOST = 96 };
/* The first so many instructions of a translation are compiled twice: also for a group of all
 * lanes. */
enum { TWICE = 160 };

static void put_region(FILE *out, const struct hd_insn *code, const struct native_run *all,
                       u32 runs, u32 which, bool twice)
{
    const struct native_run *run = &all[which];
    u32 end = run->first + run->length;
    if (twice)
        fprintf(out, "static inline __attribute__((always_inline))\n"
                     "u32 body_%u(struct region_state *s, const u32 active)\n{\n", run->first);
    else
        fprintf(out, "static u32 region_%u(struct region_state *s)\n{\n"
                     "    const u32 active = s->active;\n", run->first);
    fputs("    u32 (*const r)[REGION_LANES] = s->r, exec;\n"
          "    const u32 (*const sr)[REGION_LANES] = s->sr;\n"
          "    const u32 block[3] = { s->ctaid[0], s->ctaid[1], s->ctaid[2] };\n", out);
    for (u32 i = run->first, n; i < end; i += n) {
        enum native_kind kind = native_kind(&code[i]);
        for (n = 1; i + n < end && n < LOOP_MOST && native_kind(&code[i + n]) == kind; n++)
            if (kind == NATIVE_CALL || kind == NATIVE_EXIT)
                break;
        if (kind == NATIVE_EXIT)
            put_exit(out, &code[i], i);
        else if (kind == NATIVE_CALL)
            put_call(out, &code[i], i);
        else if (kind == NATIVE_BRANCH)
            put_branch(out, &code[i], i, all, runs);
        else
            put_loop(out, &code[i], n, i);
    }
    put_go_on(out, all, runs, end);
    fputs("}\n", out);
    if (twice)
        fprintf(out, "static u32 region_%u(struct region_state *s)\n{\n"
                     "    return s->active == ~0u ? body_%u(s, ~0u) : body_%u(s, s->active);\n}\n",
                run->first, run->first, run->first);
}

/* The headers are one text: none includes another. */
static void put_headers(FILE *out)
{
    fputs(headers, out);
    fputs("#define CTAID(n) ((n) - SREG_CTAID_X)\n"
          "#define sreg(w, l, n) (CTAID(n) < 3u ? block[CTAID(n) % 3u] : sr[n][l])\n"
          "#define COUNT(m) (u32)__builtin_popcount(m)\n"
          "#define WORD(at) ({ u32 word_; __builtin_memcpy(&word_, at, 4); word_; })\n"
          "#define ON(l) (__builtin_constant_p(active) ? active \\\n"
          "               : (u32)((s32)(active << (REGION_LANES - 1 - (l))) >> 31))\n", out);
}

void native_emit(FILE *out, const struct hd_insn *code, const struct native_run *run, uint32_t n)
{
    put_headers(out);
    for (u32 k = 0; k < n; k++)
        fprintf(out, "static u32 region_%u(struct region_state *s) __attribute__((noinline));\n",
                run[k].first);
    for (u32 k = 0, put = 0; k < n; k++) {
        put += run[k].length;
        put_region(out, code, run, n, k, put <= TWICE);
    }
    fputs("static const struct region table[] = {\n", out);
    for (u32 k = 0; k < n; k++)
        fprintf(out, "    { %u, %u, region_%u },\n", run[k].first, run[k].length, run[k].first);
    fprintf(out, "};\nconst struct region_table heddle_regions = { %u, table };\n", n);
}
