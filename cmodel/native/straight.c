/* A swept warp's whole way, from its start to its end, as one function that first proves all of it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A way is straight where all lanes of a full warp go it together, and each access to memory is a
 * row of words, of pairs or of quads of them, or one of these for all lanes.  Whether it is, is
 * known before anything happens: of each register that addresses or conditions depend on it is
 * known here whether all lanes hold the same value, or each `step' more than the lane before it,
 * and the function computes it for lane 0 alone.  Then it checks what depends on values: that no
 * lane's value wraps around, that conditions are lane 31's as well as lane 0's, that addresses may
 * be reached.  If a check fails it returns false, and nothing has happened.
 *
 * Then it goes the way, and can do nothing but reach its end: no register need be kept past its
 * last use, nor written where the warp keeps them.
 *
 * Requires of who calls it (sweep.c): all lanes run, registers and predicates are 0, SREG_TID_X is
 * 1 more from lane to lane. */
#include "cmodel/native/straight.h"
#include <stdlib.h>
#include "cmodel/native/loop.h"

enum { LAST = REGION_LANES - 1, WAY_MOST = 192, LOOP_MOST = 96, STEP_MOST = 1 << 16 };

/* VARIES: nothing is known; HIGH: of a pair, the other half of which knows. */
enum shape { SAME, STEPS, HIGH, VARIES };
struct value {
    enum shape shape;
    int64_t step;                           /* of a pair's low half, the pair's */
    unsigned pair;                          /* both halves of one have the same number; 0: none */
};

struct way {
    FILE *out;
    struct hd_insn insn[WAY_MOST];
    uint32_t n, branches;
    struct value r[LOOP_REGS + 1];          /* RZ is the last but one */
    enum shape p[LOOP_PREDS];               /* STEPS: the same in all lanes if t<N> holds */
    unsigned pairs;
    int steps[REGION_ROWS];                 /* of its accesses, in their order */
    unsigned accesses, loads, rows, stores, sectors;        /* sectors: where rows begin with one */
    struct loop lane;                       /* lane 0 */
};

/* ---- which instructions ---- */

static const struct native_run *run_at(const struct native_run *run, uint32_t n, uint32_t at)
{
    for (uint32_t k = 0; k < n; k++)
        if (run[k].first <= at && at < run[k].first + run[k].length)
            return &run[k];
    return NULL;
}

/* Up to the first EXIT without a guard; a branch with one is not taken. */
static bool follow(struct way *w, const struct hd_insn *code, const struct native_run *run,
                   uint32_t n, uint32_t at)
{
    for (;;) {
        const struct hd_insn *i = &code[at];
        if (w->n == WAY_MOST || !run_at(run, n, at))
            return false;
        w->insn[w->n++] = *i;
        if (i->op == OP_EXIT && !guarded(i))
            return true;
        w->branches += i->op == OP_BRA;
        at = i->op == OP_BRA && !guarded(i) ? i->imm / HD_INSN_BYTES : at + 1;
    }
}

/* ---- what lanes hold ---- */

static struct value value_of(const struct way *w, unsigned reg)
{
    const struct value zero = { SAME, 0, 0 };
    return reg == HD_RZ ? zero : w->r[reg];
}

/* As 32 bits. */
static struct value word(const struct way *w, unsigned reg)
{
    struct value v = value_of(w, reg);
    v.pair = 0;
    v.shape = v.shape == HIGH ? VARIES : v.shape;
    return v;
}

/* As 64 bits. */
static struct value pair(const struct way *w, unsigned reg)
{
    const struct value low = value_of(w, reg), high = value_of(w, reg == HD_RZ ? reg : reg + 1);
    if (low.shape == SAME && high.shape == SAME)
        return low;
    if (low.shape == STEPS && high.shape == HIGH && low.pair == high.pair)
        return low;
    return (struct value){ VARIES, 0, 0 };
}

static bool stepped(struct value a, struct value b)
{
    return a.shape <= STEPS && b.shape <= STEPS;
}

static struct value with_step(int64_t step, bool known)
{
    if (!known || step > STEP_MOST || step < -STEP_MOST)
        return (struct value){ VARIES, 0, 0 };
    return (struct value){ step ? STEPS : SAME, step, 0 };
}

/* Rb, which may be an immediate or a constant. */
static struct value second(const struct way *w, const struct hd_insn *i, bool wide)
{
    const struct value same = { SAME, 0, 0 };
    return i->bi ? same : wide ? pair(w, i->rb) : word(w, i->rb);
}

static bool all_same(const struct way *w, const struct hd_insn *i)
{
    return (!has(i, 'a') || word(w, i->ra).shape == SAME) &&
           (!has(i, 'A') || pair(w, i->ra).shape == SAME) &&
           (!has(i, 'b') || second(w, i, false).shape == SAME) &&
           (!has(i, 'B') || second(w, i, true).shape == SAME) &&
           (!has(i, 'c') || word(w, i->rc).shape == SAME) &&
           (!has(i, 'C') || pair(w, i->rc).shape == SAME) &&
           (!has(i, 's') || i->ps == HD_PT || w->p[i->ps] == SAME) &&
           (!has(i, 't') || i->pq == HD_PT || w->p[i->pq] == SAME);
}

static struct value special(uint32_t number)
{
    if (number >= SREG_LANEMASK_EQ && number <= SREG_LANEMASK_GE)
        return with_step(0, false);
    return with_step(number == SREG_TID_X || number == SREG_LANEID, true);
}

/* What an instruction leaves in its destination; *fits: if this expression holds. */
static struct value result(const struct way *w, const struct hd_insn *i, const char **fits)
{
    const struct value a = has(i, 'A') ? pair(w, i->ra) : word(w, i->ra),
                       b = second(w, i, has(i, 'B')),
                       c = has(i, 'C') ? pair(w, i->rc) : word(w, i->rc);
    const int64_t by = i->op == OP_IMADWU ? (int64_t)i->imm : (int32_t)i->imm;
    const bool times = a.shape <= STEPS && i->bi && !i->cb && by <= STEP_MOST && by >= -STEP_MOST;
    if (i->op == OP_S2R)
        return special(i->imm);
    if (native_constant(i) || all_same(w, i))
        return with_step(0, true);
    switch (i->op) {
    case OP_MOV:
        return i->bi ? b : value_of(w, i->rb);
    case OP_IADD:
    case OP_IADDW:
        return with_step(a.step + b.step, stepped(a, b));
    case OP_ISUB:
        return with_step(a.step - b.step, stepped(a, b));
    case OP_IRSUB:
        return with_step(b.step - a.step, stepped(a, b));
    case OP_IADD3:
        return with_step(a.step + b.step + c.step, stepped(a, b) && stepped(c, c));
    case OP_SHL:
        return with_step(i->imm < 16 ? a.step << i->imm : 0, times && i->imm < 16);
    case OP_IMADWU:
    case OP_IMADWS:
        *fits = i->op == OP_IMADWU ? "FITS_U32" : "FITS_S32";
        /* fallthrough */
    case OP_IMAD:
        if (a.shape == SAME && b.shape == SAME)
            return *fits = NULL, c;
        return with_step(a.step * by + c.step, times && stepped(c, c));
    default:
        return with_step(0, false);
    }
}

/* ---- lane 0 ---- */

static void put_guard_holds(struct way *w, const struct hd_insn *i)
{
    fprintf(w->out, "        if (!t%u || (p%u ^ %u))\n            return false;\n", i->pg, i->pg,
            i->pn);
}

/* Less or greater than the same value: what holds at both ends holds between them. */
static bool put_comparison(struct way *w, const struct hd_insn *i)
{
    const struct value a = word(w, i->ra), b = second(w, i, false);
    const bool other = i->ps != HD_PT;
    if (i->op != OP_ISETP || i->icmp < ICMP_LT || i->bop == BOP_EX || !stepped(a, b) ||
        (a.shape == STEPS && b.shape == STEPS) || (other && w->p[i->ps] == VARIES))
        return false;
    const char *effect = hd_ops[i->op].effect, by = a.shape == STEPS ? 'a' : 'b';
    const int step = (int)(a.step + b.step);
    fputs("        {", w->out);
    loop_put_sources(w->out, i);
    loop_put_modifiers(w->out, i);
    fprintf(w->out, " u32 pd; %s; const u32 first = pd & 1; bool fits = %s(%c, %d)", effect,
            i->sg ? "FITS_S32" : "FITS_U32", by, step);
    if (other)
        fprintf(w->out, " && t%u", i->ps);
    fprintf(w->out, "; %c += %du; %s; t%u = fits && first == (pd & 1); p%u = first; }\n", by,
            LAST * step, effect, i->pd, i->pd);
    return true;
}

/* A pair whose halves were made each by itself, the upper one the same in all lanes. */
static void put_pair(struct way *w, unsigned reg)
{
    if (reg == HD_RZ || w->r[reg].shape != STEPS || w->r[reg + 1].shape != SAME)
        return;
    fprintf(w->out, "        if (!FITS_U32(r%u, %d))\n            return false;\n", reg,
            (int)w->r[reg].step);
    w->r[reg].pair = ++w->pairs;
    w->r[reg + 1] = (struct value){ HIGH, 0, w->pairs };
}

/* Two conditions that are lane 31's, too. */
static bool put_combination(struct way *w, const struct hd_insn *i)
{
    const bool s = i->ps != HD_PT, t = i->pq != HD_PT;
    if (i->op != OP_PLOP || (s && w->p[i->ps] == VARIES) || (t && w->p[i->pq] == VARIES))
        return false;
    loop_put_insn(&w->lane, i);
    fprintf(w->out, "        t%u = ", i->pd);
    s ? fprintf(w->out, "t%u && ", i->ps) : 0;
    t ? fprintf(w->out, "t%u;\n", i->pq) : fputs("true;\n", w->out);
    return true;
}

static void put_lane(struct way *w, const struct hd_insn *i)
{
    const char *fits = NULL;
    if (has(i, 'A'))
        put_pair(w, i->ra);
    if (has(i, 'B') && !i->bi)
        put_pair(w, i->rb);
    if (has(i, 'C'))
        put_pair(w, i->rc);
    struct value v = result(w, i, &fits);
    const bool wide = has(i, 'D') || (native_constant(i) && i->sz > SZ_32);
    enum shape p = all_same(w, i) ? SAME : VARIES;
    const bool compares = !guarded(i) && has(i, 'p') && i->pd != HD_PT && p == VARIES &&
                          (put_comparison(w, i) || put_combination(w, i));
    if (guarded(i))
        v.shape = p = VARIES;
    if (v.shape != VARIES && fits)
        fprintf(w->out, "        if (!%s(r%u, %d))\n            return false;\n", fits, i->ra,
                (int)word(w, i->ra).step);
    if (v.shape != VARIES && !(has(i, 'p') && p == VARIES))
        loop_put_insn(&w->lane, i);
    else if (v.shape != VARIES)
        v.shape = VARIES;                   /* a carry that varies */
    if (has(i, 'p') && i->pd != HD_PT) {
        w->p[i->pd] = compares ? STEPS : p;
        if (p == SAME)
            fprintf(w->out, "        t%u = true;\n", i->pd);
    }
    if (i->rd == HD_RZ || !hd_insn_width(i, 0))
        return;
    if (wide && v.shape == STEPS)
        v.pair = ++w->pairs;
    for (int k = 0; k < hd_insn_width(i, 0); k++)
        w->r[i->rd + k] = v;
    if (wide && v.shape == STEPS)
        w->r[i->rd + 1].shape = HIGH;
}

/* An access: where lane 0's word is, and that all may be reached. */
static bool put_access(struct way *w, const struct hd_insn *i)
{
    if (!guarded(i))
        put_pair(w, i->ra);
    const struct value at = pair(w, i->ra);
    const bool load = i->op == OP_LDG, one = at.shape == SAME;
    const int words = hd_insn_width(i, load ? 0 : 2), size = 4 * words;
    if (i->sz < SZ_32 || guarded(i) || i->ra == HD_RZ || w->accesses == REGION_ROWS ||
        (load ? i->rd : i->rb) == HD_RZ || (one ? !load : at.shape != STEPS || at.step != size))
        return false;
    fprintf(w->out, "        x%u = region_row(s, %u, "
                    "((u64)r%u << 32 | r%u) + (u64)(s64)%d, %d, %d, %u);\n"
                    "        if (!x%u)\n            return false;\n",
            w->accesses, w->accesses, i->ra + 1u, i->ra, i->off,
            one ? size : size * REGION_LANES, size, !load, w->accesses);
    for (int line = 0; load && !one && line < size * REGION_LANES; line += 64)
        fprintf(w->out, "        __builtin_prefetch(x%u + REGION_AHEAD + %d);\n", w->accesses,
                line);
    w->steps[w->accesses++] = one ? 0 : size;
    w->sectors += one ? 1 : (unsigned)size;
    w->loads += load;
    w->stores += !load;
    w->rows += !one;
    for (int k = 0; load && k < words; k++)
        w->r[i->rd + k].shape = VARIES;
    return true;
}

/* Of the whole way; false: it is not straight. */
static bool put_proof(struct way *w)
{
    for (uint32_t k = 0; k < w->n; k++) {
        const struct hd_insn *i = &w->insn[k];
        const enum native_kind kind = native_kind(i);
        if (kind == NATIVE_EXIT || i->op == OP_BRA) {
            if (!guarded(i) || i->pg == HD_PT)
                continue;
            if (w->p[i->pg] == VARIES)
                return false;
            put_guard_holds(w, i);
        } else if (kind == NATIVE_LANES && !native_clock(i)) {
            put_lane(w, i);
        } else if ((i->op != OP_LDG && i->op != OP_STG) || !put_access(w, i)) {
            return false;
        }
    }
    return w->rows > 0;
}

/* ---- the way ---- */

static bool in_loop(const struct hd_insn *i)
{
    return i->op == OP_LDG || native_kind(i) == NATIVE_LANES;
}

/* From `at' on, those that share a loop: copied to `to', for branches stand between them. */
static uint32_t gather(const struct way *w, uint32_t at, struct hd_insn *to, uint32_t *n)
{
    for (*n = 0; at < w->n && w->insn[at].op != OP_STG && *n < LOOP_MOST; at++)
        if (in_loop(&w->insn[at]))
            to[(*n)++] = w->insn[at];
    return at;
}

/* Which of the registers that a loop sets nobody reads after it. */
static void find_dead(const struct way *w, uint32_t at, struct loop *l)
{
    bool settled[LOOP_REGS] = { false }, read[LOOP_REGS] = { false };
    struct hd_insn in[LOOP_MOST];
    for (uint32_t n; at < w->n; ) {
        if (w->insn[at].op == OP_STG) {
            for (int k = 0; k < hd_insn_width(&w->insn[at], 2); k++)
                read[w->insn[at].rb + k] |= !settled[w->insn[at].rb + k];
            at++;
            continue;
        }
        struct loop next;
        at = gather(w, at, in, &n);
        loop_begin(&next, NULL, in, n);
        for (unsigned r = 0; r < LOOP_REGS; r++) {
            read[r] |= next.begins[r] && !settled[r];
            settled[r] |= next.set[r];
        }
    }
    for (unsigned r = 0; r < LOOP_REGS; r++)
        l->dead[r] = !read[r];
}

static void put_store(struct way *w, const struct hd_insn *i, unsigned access, const bool *set)
{
    const int words = hd_insn_width(i, 2);
    if (words == 1 && set[i->rb]) {
        fprintf(w->out, "    __builtin_memcpy(x%u, r[%u], sizeof *r);\n", access, i->rb);
        return;
    }
    fputs("    for (u32 l = 0; l < REGION_LANES; l++) {\n", w->out);
    for (int k = 0; k < words; k++)
        fprintf(w->out, set[i->rb + k] ? "        PUT_WORD(x%u + %d * l + %d, r[%d][l]);\n"
                                       : "        PUT_WORD(x%u + %d * l + %d, 0);\n",
                access, 4 * words, 4 * k, i->rb + k);
    fputs("    }\n", w->out);
}

static void put_way(struct way *w)
{
    bool set[LOOP_REGS] = { false };
    struct hd_insn in[LOOP_MOST];
    unsigned access = 0;
    for (uint32_t at = 0, n; at < w->n; ) {
        if (w->insn[at].op == OP_STG) {
            put_store(w, &w->insn[at++], access++, set);
            continue;
        }
        struct loop l;
        at = gather(w, at, in, &n);
        if (!n)
            continue;
        loop_begin(&l, w->out, in, n);
        find_dead(w, at, &l);
        l.row = access;
        l.steps = w->steps;
        for (unsigned r = 0; r < LOOP_REGS; r++) {
            l.zero[r] = !set[r];
            set[r] |= l.set[r];
        }
        fputs("    {\n", w->out);
        loop_put(&l, in, n);
        fputs("    }\n", w->out);
        access = l.row;
    }
}

static void put_counts(const struct way *w)
{
    uint32_t others = 0, lanes = 0;
    for (uint32_t k = 0; k < w->n; k++) {
        others += !in_loop(&w->insn[k]);
        lanes += !in_loop(&w->insn[k]) && !guarded(&w->insn[k]);
    }
    fprintf(w->out, "    s->threads += %u;\n    s->done += %u;\n    s->branches += %u;\n",
            lanes * REGION_LANES, others, w->branches);
    fprintf(w->out, "    s->loads += %u;\n    s->stores += %u;\n    s->sectors += %u", w->loads,
            w->stores, w->sectors);
    for (unsigned k = 0; k < w->accesses; k++)
        if (w->steps[k])
            fprintf(w->out, " + region_apart(s, x%u)", k);
    fputs(";\n    return true;\n", w->out);
}

static void put_names(struct way *w)
{
    unsigned rows = 1;
    for (uint32_t k = 0; k < w->n; k++) {
        const struct hd_insn *i = &w->insn[k];
        const unsigned reg[4] = { i->rd, i->ra, i->bi ? HD_RZ : i->rb, i->rc };
        for (int o = 0; o < 4; o++)
            if (reg[o] != HD_RZ && reg[o] + (unsigned)hd_insn_width(i, o) > rows)
                rows = reg[o] + (unsigned)hd_insn_width(i, o);
    }
    fprintf(w->out, "    u32 r[%u][REGION_LANES] __attribute__((aligned(64)));\n", rows);
    fputs("    u32 pred[8] = { [7] = ~0u };\n    const u32 active = ~0u;\n", w->out);
    fputs("    const u32 (*const sr)[REGION_LANES] = s->sr;\n"
          "    const u32 block[3] = { s->ctaid[0], s->ctaid[1], s->ctaid[2] };\n", w->out);
    for (unsigned k = 0; k < REGION_ROWS; k++)
        fprintf(w->out, "    uint8_t *x%u;\n", k);
    loop_put_constants(w->out, w->insn, w->n, 0);
    fputs("    {\n        const u32 l = 0;\n", w->out);
    for (unsigned k = 0; k < rows; k++)
        fprintf(w->out, "        u32 r%u = 0;\n", k);
    for (unsigned k = 0; k < HD_PT; k++)
        fprintf(w->out, "        u32 p%u = 0;\n        bool t%u = true;\n", k, k);
}

bool straight_emit(FILE *out, const struct hd_insn *code, const struct native_run *run,
                   uint32_t n, uint32_t which)
{
    char *text = NULL;
    size_t size;
    struct way *w = calloc(1, sizeof *w);
    bool ok = w && follow(w, code, run, n, run[which].first);
    if (ok && (w->out = open_memstream(&text, &size)) != NULL) {
        w->lane = (struct loop){ .out = w->out, .alone = true };
        fprintf(w->out, "STRAIGHT(%u)\n{\n", run[which].first);
        put_names(w);
        ok = put_proof(w);
        fputs("    }\n", w->out);
        if (ok) {
            put_way(w);
            put_counts(w);
        }
        fputs("}\n", w->out);
        ok = !fclose(w->out) && ok;
        if (ok)
            fputs(text, out);
    } else {
        ok = false;
    }
    free(text);
    free(w);
    return ok;
}
