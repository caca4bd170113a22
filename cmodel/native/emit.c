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

static void put_loop(FILE *out, const struct hd_insn *i, u32 n, u32 index)
{
    struct loop l;
    loop_begin(&l, out, i, n);
    fputs("    {\n", out);
    loop_put_constants(out, i, n, index);
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

/* Loads of a row of words, and stores of words, have a way of their own, past the operation. */
static void put_call(FILE *out, const struct hd_insn *i, u32 index)
{
    const bool load = i->op == OP_LDG && i->rd != HD_RZ;
    put_exec(out, i);
    fputs("    if (", out);
    if ((load || (i->op == OP_STG && i->rb != HD_RZ)) && i->sz == SZ_32 && i->ra != HD_RZ)
        fprintf(out, load ? "!(exec == ~0u && s->load_row(s, %u, %u, %d)) && "
                          : "!s->store_words(s, %u, %u, %d, exec) && ",
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
    fputs("    u32 (*const r)[REGION_LANES] = s->r, *const pred = s->p, exec;\n"
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
          "#define PUT_WORD(at, v) ({ u32 word_ = v; __builtin_memcpy(at, &word_, 4); })\n"
          "#define ON(l) (__builtin_constant_p(active) ? active \\\n"
          "               : (u32)((s32)(active << (REGION_LANES - 1 - (l))) >> 31))\n", out);
    /* That a lane's value, and the last lane's, which is 31 steps on, do not wrap around. */
    fputs("#define FITS(low, n, step, high) \\\n"
          "    ((s64)(n) + 31 * (s64)(step) >= (low) && (s64)(n) + 31 * (s64)(step) <= (high))\n"
          "#define FITS_U32(n, step) FITS(0, (u32)(n), step, UINT32_MAX)\n"
          "#define FITS_S32(n, step) FITS(INT32_MIN, (s32)(n), step, INT32_MAX)\n", out);
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
    bool *straight = calloc(n + 1, sizeof *straight);
    for (u32 k = 0; straight && k < n; k++)
        straight[k] = may_be_entry(code, run, n, k) && straight_emit(out, code, run, n, k);
    fputs("static const struct region table[] = {\n", out);
    for (u32 k = 0; k < n; k++) {
        fprintf(out, "    { %u, %u, region_%u, ", run[k].first, run[k].length, run[k].first);
        if (straight && straight[k])
            fprintf(out, "straight_%u },\n", run[k].first);
        else
            fputs("0 },\n", out);
    }
    free(straight);
    fprintf(out, "};\nconst struct region_table heddle_regions = { %u, table };\n", n);
}
