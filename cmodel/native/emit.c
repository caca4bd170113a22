/* Writes regions as C: the effects of isa.def, instruction by instruction, in loops over the lanes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Between loops (loop.c) the warp's state is the interpreter's, and operations that may fault
 * stand there. */
#include "cmodel/native/loop.h"
#include "cmodel/native/straight.h"
#include <stdlib.h>
#include "cmodel/isa/lane.h"

_Static_assert(REGION_LANES == HD_LANES, "region.h stands alone, and names the lanes itself");

/* What the text needs: isa_gen.h, isa.h, fplane.h, lane.h, region.h and what they include. */
static const char headers[] =
#include "native_text.h"
    ;

/* What regions are made of: instructions; of n runs; the blocks that are counted, or NULL. */
struct code {
    FILE *out;
    const struct hd_insn *insn;
    const struct native_run *run;
    u32 n;
    const u32 *block;
};

static bool is_entry(const struct code *c, u32 index)
{
    return c->block && c->block[index] != NATIVE_NO_BLOCK;
}

/* Counts the block that begins at an instruction: once nothing leaves the region before that. */
static void put_entered(const struct code *c, u32 index)
{
    if (is_entry(c, index))
        fprintf(c->out, "    ENTERED(%u);\n", c->block[index]);
}

static void put_loop(const struct code *c, u32 n, u32 index)
{
    FILE *out = c->out;
    const struct hd_insn *i = &c->insn[index];
    struct loop l;
    loop_begin(&l, out, i, n);
    fputs("    {\n", out);
    loop_put_constants(out, i, n, index);
    put_entered(c, index);
    loop_put(&l, i, n);
    fputs("    }\n", out);
}

/* The lanes whose guard holds. */
static void put_exec(FILE *out, const struct hd_insn *i)
{
    if (guarded(i))
        fprintf(out, "    exec = active & (pred[%u] ^ 0x%xu);\n", i->pg, 0u - i->pn);
    else
        fputs("    exec = active;\n", out);
}

/* Loads of a row of words, stores of words and atomics on shared memory have a way of their own,
 * past the operation. */
static void put_call(const struct code *c, u32 index)
{
    FILE *out = c->out;
    const struct hd_insn *i = &c->insn[index];
    const bool load = i->op == OP_LDG && i->rd != HD_RZ;
    if (i->cb)                              /* after the bank it is illegal */
        fprintf(out, "    if (s->bank_size < %u)\n        return %u;\n", (i->imm | 7) + 1, index);
    put_exec(out, i);
    fputs("    if (", out);
    if (i->op == OP_ATOMS)
        fprintf(out, "!s->add(s, %u, exec) && ", index);
    if ((load || (i->op == OP_STG && i->rb != HD_RZ)) && i->sz == SZ_32 && i->ra != HD_RZ)
        fprintf(out, load ? "!(exec == ~0u && s->load_row(s, %u, %u, %d)) && "
                          : "!s->store_words(s, %u, %u, %d, exec) && ",
                (unsigned)(load ? i->rd : i->rb), i->ra, i->off);
    fprintf(out, "!s->call(s, %u, exec))\n        return %u;\n", index, index);
    put_entered(c, index);
    fputs("    s->threads += COUNT(exec);\n    s->done++;\n", out);
}

static bool stores_words(const struct hd_insn *i)
{
    return i->op == OP_STG && i->rb != HD_RZ && i->sz == SZ_32 && i->ra != HD_RZ && !i->pop;
}

/* Stores from `first' on by the same lanes at one address but for the offset, within a block. */
static u32 stores_length(const struct code *c, u32 first, u32 end)
{
    const struct hd_insn *i = &c->insn[first];
    u32 n = stores_words(i);
    while (n && first + n < end && stores_words(&i[n]) && i[n].ra == i->ra && i[n].pg == i->pg &&
           i[n].pn == i->pn && !is_entry(c, first + n))
        n++;
    return n;
}

/* What the routine leaves of them is done one by one. */
static void put_stores(const struct code *c, u32 n, u32 index)
{
    FILE *out = c->out;
    const struct hd_insn *i = &c->insn[index];
    put_exec(out, i);
    fputs("    {\n        static const struct region_store list[] = {", out);
    for (u32 k = 0; k < n; k++)
        fprintf(out, " { %u, %d },", i[k].rb, i[k].off);
    fprintf(out, " };\n        const u32 ran = s->store_run(s, list, %u, %u, exec);\n", n, i->ra);
    for (u32 k = 0; k < n; k++) {
        fprintf(out, "        if (ran <= %u && !s->call(s, %u, exec))\n            return %u;\n", k,
                index + k, index + k);
        put_entered(c, index + k);
        fputs("        s->threads += COUNT(exec);\n        s->done++;\n", out);
    }
    fputs("    }\n", out);
}

/* The group goes on at an instruction: within the translation, if it can. */
static void put_go_on(const struct code *c, u32 at)
{
    for (u32 k = 0; k < c->n; k++)
        if (c->run[k].first == at)
            fprintf(c->out, "    if (s->left > s->done + %u)\n        return region_%u(s);\n",
                    c->run[k].length, at);
    fprintf(c->out, "    return %u;\n", at);
}

/* The lanes of exec come to a barrier. */
static void put_join(const struct code *c, u32 index)
{
    FILE *out = c->out;
    const struct hd_insn *i = &c->insn[index];
    put_exec(out, i);
    fprintf(out, "    if (!s->barrier)\n        return %u;\n", index);
    put_entered(c, index);
    fprintf(out, "    s->barrier[%u] |= exec;\n", i->bx);
    fputs("    s->threads += COUNT(exec);\n    s->done++;\n", out);
}

/* The number of the block that begins at an instruction, for who counts it. */
static u32 block_at(const struct code *c, u32 index)
{
    return is_entry(c, index) ? c->block[index] : NATIVE_NO_BLOCK;
}

/* Lanes may wait, or be released.  Lanes that take no part in a barrier pass it. */
static void put_meet(const struct code *c, u32 index)
{
    FILE *out = c->out;
    const struct hd_insn *i = &c->insn[index];
    put_exec(out, i);
    if (i->op != OP_WARPSYNC)
        fprintf(out, "    if (!s->barrier || s->barrier[%u] & exec)\n    ", i->bx);
    if (i->op == OP_BSYNC && is_entry(c, index))         /* which lanes go on now is counted */
        fprintf(out, "    return %u;\n", index);
    else
        fprintf(out, "    return regroup(s, %u, exec, %uu, 0);\n", index, block_at(c, index));
    if (i->op != OP_WARPSYNC) {
        put_entered(c, index);
        fputs("    s->threads += COUNT(exec);\n    s->done++;\n", out);
    }
}

/* Where a register says: the caller's next instruction, mostly. */
static void put_leap(const struct code *c, u32 index)
{
    FILE *out = c->out;
    put_exec(out, &c->insn[index]);
    fprintf(out, "    const u32 to = s->leap(s, %u, exec);\n", index);
    fprintf(out, "    if (to == REGION_NOWHERE)\n        return %u;\n", index);
    put_entered(c, index);
    fputs("    s->threads += COUNT(exec);\n    s->done++;\n    s->branches++;\n"
          "    return go_on(s, to);\n", out);
}

static void put_branch(const struct code *c, u32 index)
{
    FILE *out = c->out;
    const struct hd_insn *i = &c->insn[index];
    put_exec(out, i);
    if (guarded(i))
        fprintf(out, "    if (exec && exec != active)\n"
                     "        return regroup(s, %u, exec, %uu, 1);\n", index, block_at(c, index));
    put_entered(c, index);
    fputs("    s->threads += COUNT(exec);\n    s->done++;\n    s->branches++;\n", out);
    if (guarded(i))
        fputs("    if (exec) {\n", out);
    if (i->op == OP_CALL && i->rd != HD_RZ)
        fprintf(out, "        LINK(%u, %u);\n", i->rd, (index + 1) * HD_INSN_BYTES);
    put_go_on(c, i->imm / HD_INSN_BYTES);
    if (guarded(i))
        fputs("    }\n", out);
}

/* An EXIT that ends the warp, or no lane of it. */
static void put_exit(const struct code *c, u32 index)
{
    FILE *out = c->out;
    put_exec(out, &c->insn[index]);
    fprintf(out, "    if (exec && (exec != active || !s->whole))\n        return %u;\n", index);
    put_entered(c, index);
    fputs("    s->threads += COUNT(exec);\n    s->done++;\n    if (exec) {\n", out);
    fprintf(out, "        s->ended = true;\n        return %u;\n    }\n", index);
}

/* Instructions of one kind share a loop, up to where the next block is counted. */
enum { LOOP_MOST = 96 };
/* The first so many instructions of a translation are compiled twice: also for a group of all
 * lanes.  Not if there are so many that a warp's way begins there and is longer elsewhere. */
enum { TWICE = 96, LONG = 384 };
/* Of so many instructions the compiler takes so long that two of them pay. */
enum { IN_PARTS = 160 };

static u32 loop_length(const struct code *c, u32 first, u32 end)
{
    const enum native_kind kind = native_kind(&c->insn[first]);
    u32 n = 1;
    while ((kind == NATIVE_LANES || kind == NATIVE_ALONE) && first + n < end && n < LOOP_MOST &&
           native_kind(&c->insn[first + n]) == kind && !is_entry(c, first + n))
        n++;
    return n;
}

static void put_region(const struct code *c, u32 which, bool twice)
{
    FILE *out = c->out;
    const struct native_run *run = &c->run[which];
    u32 end = run->first + run->length;
    if (twice)
        fprintf(out, "static inline __attribute__((always_inline))\n"
                     "u32 body_%u(struct region_state *s, const u32 active)\n{\n", run->first);
    else
        fprintf(out, "REGION(%u)\n{\n    const u32 active = s->active;\n", run->first);
    fputs("    u32 (*const r)[REGION_LANES] = s->r, *const pred = s->p, exec;\n"
          "    const u32 (*const sr)[REGION_LANES] = s->sr;\n"
          "    const u32 block[3] = { s->ctaid[0], s->ctaid[1], s->ctaid[2] };\n", out);
    for (u32 i = run->first, n; i < end; i += n) {
        const u32 stores = stores_length(c, i, end);
        if (stores > 1) {
            put_stores(c, stores, i);
            n = stores;
            continue;
        }
        n = loop_length(c, i, end);
        switch (native_kind(&c->insn[i])) {
        case NATIVE_EXIT: put_exit(c, i); break;
        case NATIVE_CALL: put_call(c, i); break;
        case NATIVE_JOIN: put_join(c, i); break;
        case NATIVE_BRANCH: put_branch(c, i); break;
        case NATIVE_LEAP: put_leap(c, i); break;
        case NATIVE_MEET: put_meet(c, i); break;
        default: put_loop(c, n, i);
        }
    }
    const struct hd_insn *last = &c->insn[end - 1];
    if (last->op != OP_WARPSYNC && (native_kind(last) != NATIVE_BRANCH || guarded(last)))
        put_go_on(c, end);
    fputs("}\n", out);
    if (twice)
        fprintf(out, "REGION(%u)\n{\n"
                     "    return s->active == ~0u ? body_%u(s, ~0u) : body_%u(s, s->active);\n}\n",
                run->first, run->first, run->first);
}

/* The headers are one text: none includes another. */
static void put_headers(FILE *out)
{
    fputs(headers, out);
    fputs("#define SHARED __attribute__((visibility(\"hidden\")))\n"
          "#define APART __attribute__((noinline))\n"
          "#define REGION(n) SHARED APART u32 region_##n(struct region_state *s)\n"
          "#define STRAIGHT(n) SHARED bool straight_##n(struct region_state *s)\n"
          "#define CTAID(n) ((n) - SREG_CTAID_X)\n"
          "#define sreg(w, l, n) (CTAID(n) < 3u ? block[CTAID(n) % 3u] : sr[n][l])\n"
          "#define COUNT(m) (u32)__builtin_popcount(m)\n"
          "#define WORD(at) ({ u32 word_; __builtin_memcpy(&word_, at, 4); word_; })\n"
          "#define PUT_WORD(at, v) ({ u32 word_ = v; __builtin_memcpy(at, &word_, 4); })\n"
          "#define ON(l) (__builtin_constant_p(active) ? active \\\n"
          "               : (u32)((s32)(active << (REGION_LANES - 1 - (l))) >> 31))\n"
          "#define LINK(row, pc) \\\n"
          "    do { \\\n"
          "        for (u32 l_ = 0; l_ < REGION_LANES; l_++) \\\n"
          "            r[row][l_] = ON(l_) & pc##u | (r[row][l_] & ~ON(l_)); \\\n"
          "    } while (0)\n"
          "#define ENTERED(k) \\\n"
          "    do { \\\n"
          "        if (s->tally[k].lanes != active) \\\n"
          "            s->other_lanes(s, k, active); \\\n"
          "        s->tally[k].n++; \\\n"
          "    } while (0)\n", out);
    /* That a lane's value, and the last lane's, which is 31 steps on, do not wrap around. */
    fputs("#define FITS(low, n, step, high) \\\n"
          "    ((s64)(n) + 31 * (s64)(step) >= (low) && (s64)(n) + 31 * (s64)(step) <= (high))\n"
          "#define FITS_U32(n, step) FITS(0, (u32)(n), step, UINT32_MAX)\n"
          "#define FITS_S32(n, step) FITS(INT32_MIN, (s32)(n), step, INT32_MAX)\n", out);
}

/* By index the region that begins there, for a place that only a register knows, or the convergence
 * unit, which decides at `regroup' who runs next. */
static void put_places(const struct code *c)
{
    const u32 words = c->n ? c->run[c->n - 1].first + 1 : 0;
    fprintf(c->out, "SHARED extern const struct region table[];\n"
                    "static const unsigned region_at[%u] = {\n", words + 1);
    for (u32 k = 0; k < c->n; k++)
        fprintf(c->out, "    [%u] = %u,\n", c->run[k].first, k + 1);
    fprintf(c->out, "};\n"
            "static inline u32 go_on(struct region_state *s, u32 to)\n{\n"
            "    const unsigned k = to < %u ? region_at[to] : 0;\n"
            "    const struct region *at = k ? &table[k - 1] : 0;\n"
            "    return at && s->left > s->done + at->length ? at->run(s) : to;\n}\n", words);
    fprintf(c->out,
            "static APART u32 regroup(struct region_state *s, u32 index, u32 exec, u32 block,\n"
            "                         u32 branches)\n{\n"
            "    const u32 active = s->active, to = s->regroup(s, index, exec);\n"
            "    if (to == REGION_NOWHERE)\n"
            "        return index;\n"
            "    if (block != %uu)\n"
            "        ENTERED(block);\n"
            "    s->threads += COUNT(exec);\n"
            "    s->branches += branches;\n"
            "    s->done++;\n"
            "    return go_on(s, to);\n}\n", NATIVE_NO_BLOCK);
}

/* Where no run leads on to, a kernel may begin. */
static bool may_be_entry(const struct hd_insn *code, const struct native_run *run, u32 n, u32 which)
{
    for (u32 k = 0; k < n; k++) {
        const u32 last = run[k].first + run[k].length - 1;
        if (last + 1 == run[which].first)
            return (code[last].op == OP_EXIT || code[last].op == OP_BRA) && !guarded(&code[last]);
    }
    return true;
}

/* ---- parts ---- */

/* What the compiler makes of a text is the sum of its parts, which may be compiled at the same
 * time: what follows belongs to the part of which the least is written. */
struct parts { unsigned n; long size[NATIVE_PARTS]; long from; unsigned now; };

static void part_begin(FILE *out, struct parts *p)
{
    p->now = 0;
    for (unsigned k = 1; k < p->n; k++)
        p->now = p->size[k] < p->size[p->now] ? k : p->now;
    fprintf(out, "#if PART == %u\n", p->now);
    p->from = ftell(out);
}

/* times: how often it is compiled. */
static void part_end(FILE *out, struct parts *p, int times)
{
    p->size[p->now] += times * (ftell(out) - p->from);
    fputs("#endif\n", out);
}

static void put_table(FILE *out, const struct native_run *run, u32 n, const bool *straight)
{
    fprintf(out, "#if PART == 0\n");
    for (u32 k = 0; k < n; k++)
        if (straight[k])
            fprintf(out, "STRAIGHT(%u);\n", run[k].first);
    fprintf(out, "const struct region table[%u] = {\n", n + 1);
    for (u32 k = 0; k < n; k++) {
        fprintf(out, "    { %u, %u, region_%u, ", run[k].first, run[k].length, run[k].first);
        if (straight[k])
            fprintf(out, "straight_%u },\n", run[k].first);
        else
            fputs("0 },\n", out);
    }
    fprintf(out, "};\nconst struct region_table heddle_regions = { %u, table };\n#endif\n", n);
}

unsigned native_emit(FILE *out, const struct hd_insn *code, const struct native_run *run,
                     uint32_t n, const uint32_t *block)
{
    const struct code all = { out, code, run, n, block };
    struct parts parts = { .n = 1 };
    u32 sum = 0;
    bool *straight = calloc(n + 1, sizeof *straight);
    if (!straight)
        return 0;
    put_headers(out);
    for (u32 k = 0; k < n; k++) {
        fprintf(out, "REGION(%u);\n", run[k].first);
        sum += run[k].length;
    }
    if (sum > IN_PARTS)
        parts.n = NATIVE_PARTS;
    put_places(&all);
    for (u32 k = 0, put = 0; k < n; k++) {
        const bool twice = (put += run[k].length) <= TWICE && sum <= LONG;
        part_begin(out, &parts);
        put_region(&all, k, twice);
        part_end(out, &parts, 1 + twice);
    }
    for (u32 k = 0; !block && k < n; k++)                   /* a straight way counts nothing */
        if (may_be_entry(code, run, n, k)) {
            part_begin(out, &parts);
            straight[k] = straight_emit(out, code, run, n, k);
            part_end(out, &parts, 1);
        }
    put_table(out, run, n, straight);
    free(straight);
    return parts.n;
}
