/* Random programs on the Verilated core, every commit compared with the golden model.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The fuzzer's programs (harness/fuzz/fuzz_wild.c, fuzz_code.c) by kind, without its device: a core
 * of any size, commits counted, every launch its own.  A run ends with the grid, with a fault, when
 * nothing retires any more (then the model must agree that no warp can run), or, if it is wild,
 * after a number of commits.
 * Use: core_smoke [--lanes N] [--warps N] [--seed S] [--count N] [--commits N] [--kind KIND]
 *                  [--depth N] [-v]
 *   kinds: see below.  --depth: tokens on chip, 0: 4 to 64.  --first: end at the first difference.
 *   --x-seed N: what no reset sets begins with random bits, of another seed for each program
 *   --warps: those of the core, if it was built with fewer than 32; --core FILE: its library */
#include "harness/device/clock.h"
#include "cmodel/isa/compare.h"
#include "harness/fuzz/fuzz.h"
#include "cmodel/machine/model.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The heap: what a kernel's parameters point to, filled with copies of `in`. */
enum { IN = LAUNCH_HEAP, SUM = IN + FUZZ_IN, OUT = SUM + FUZZ_IN, HEAP_BYTES = 1 << 19,
       SHARED = 4096 };
/* Cycles without a commit: any access to memory is over; the core hangs. */
enum { SETTLED = 2000, QUIET = 20000 };

/* f64: with rows of the f64 unit; the other programs are what they were without. */
static const struct kind { const char *name; unsigned wild; bool stack, faults, f64; } kinds[] = {
    { "int", WILD_HAZARD, false, false, false },
    { "conv", WILD_CONVERGE, false, false, false },
    { "mem", WILD_MEMORY, false, false, false },
    { "all", WILD_ALL, false, false, false },
    { "fault", WILD_FAULT, false, true, false },
    { "code", WILD_NOT, false, false, false },
    { "stack", WILD_NOT, true, false, false },
    { "stack-fault", WILD_SPOILT, true, true, false },
    { "stack-chaos", WILD_FAULT, true, true, false },
    { "stack-conv", WILD_CONVERGE, true, false, false },
    { "pattern", WILD_PATTERN, false, false, false },
    { "meet", WILD_MEET, false, false, false },
    { "wide", WILD_WIDE, false, false, false },
    { "stack-wide", WILD_WIDE, true, false, false },
    { "regs", WILD_REGS, false, false, false },
    { "lone", WILD_LONE, false, false, false },
    { "yield", WILD_YIELD, false, false, false },
    { "f64", WILD_F64, false, false, true },
    { "stack-f64", WILD_F64, true, false, true },
    { "code-f64", WILD_NOT, false, false, true },
};
struct options {
    const struct kind *kind;
    unsigned lanes, warps, count, depth, verbose, first, x_seed;
    uint64_t seed, commits;
    const char *core;
};

static const uint32_t *choose(struct rng *r, const uint32_t (*from)[3], unsigned n)
{
    return from[rng_below(r, n)];
}

/* Two or three ranges that meet inside the sectors that a kernel of this theme accesses; one in
 * eight of them may only be read.  Where they meet no access lies in both, or it faults. */
static void ranges_meet(struct rng *r, struct launch *l)
{
    const uint32_t fine = rng_one_in(r, 8) ? 1 : 16;
    uint64_t from = LAUNCH_HEAP;
    for (uint32_t left = 2 + rng_below(r, 2); left; left--) {
        const uint64_t end = left > 1 ? from + fine * (1 + rng_below(r, 40 / fine))
                                      : LAUNCH_HEAP + HEAP_BYTES;
        l->range[l->nranges++] = (struct launch_range){ from, end, !rng_one_in(r, 8) };
        from = end;
    }
}

static struct launch launch(struct rng *r, const struct options *o)
{
    /* One warp alone meets every hazard; many meet each other. */
    static const uint32_t block[][3] = { { 32, 1, 1 }, { 32, 1, 1 }, { 16, 1, 2 }, { 8, 2, 2 },
                                         { 5, 3, 2 }, { 64, 1, 1 },
                                         { 33, 1, 1 }, { 40, 2, 1 }, { 100, 1, 2 }, { 120, 2, 1 } },
                          grid[][3] = { { 1, 1, 1 }, { 1, 1, 1 }, { 2, 1, 1 }, { 3, 2, 1 },
                                        { 2, 2, 2 }, { 4, 3, 2 } };
    static const uint32_t depth[] = { 4, 4, 4, 5, 8, 15, 16, 64 }, spill[] = { 0, 64, 256 };
    const uint32_t *b;
    do
        b = choose(r, block, sizeof block / sizeof *block);
    while ((b[0] * b[1] * b[2] + 31) / 32 > o->warps);
    const uint32_t *g = choose(r, grid, sizeof grid / sizeof *grid), each[3] = { o->warps, 1, 1 };
    /* a block in each warp slot, of which one goes on */
    if (o->kind->wild == WILD_REGS && rng_below(r, 4))
        b = block[0], g = each;
    bool faults = o->kind->faults;
    struct launch l = { .mode = o->kind->stack, .code_base = LAUNCH_CODE,
                        .const_base = LAUNCH_CONST, .const_size = 4096,
                        .local_base = LAUNCH_LOCAL, .local_size = 64, .shared_size = SHARED,
                        .spill_base = LAUNCH_SPILL,
                        .spill_size = LAUNCH_SPILL_WARP, .block = { b[0], b[1], b[2] },
                        .grid = { g[0], g[1], g[2] } };
    if (l.mode) {
        l.stack_depth = o->depth ? o->depth : depth[rng_below(r, sizeof depth / sizeof *depth)];
        if (faults && rng_one_in(r, 2))
            l.spill_size = spill[rng_below(r, 3)];
        if (o->kind->wild == WILD_WIDE) {        /* anywhere after the heap */
            l.spill_base = 0x20000000 + ((uint32_t)rng_next(r) & 0x7fffffe0);
            l.spill_size = 32u << rng_below(r, 16);          /* below 2 MiB */
        }
    }
    if (o->kind->wild == WILD_WIDE && rng_one_in(r, 20))
        l.entry = (uint32_t)rng_next(r);
    l.threads = l.block.x * l.block.y * l.block.z;
    l.warps_block = (l.threads + 31) / 32;
    l.block_slots = o->warps / l.warps_block;
    if (l.block_slots > 16)
        l.block_slots = 16;
    if (faults && rng_one_in(r, 3))
        l.shared_size = 256, l.const_size = OPERAND_BYTES - 32;
    /* With faults: part of the heap may only be read. */
    uint32_t rw = faults && rng_one_in(r, 2) ? OUT - LAUNCH_HEAP + 64 * rng_below(r, l.threads)
                                             : HEAP_BYTES;
    if (o->kind->wild == WILD_MEET)
        return ranges_meet(r, &l), l;
    launch_add_range(&l, LAUNCH_HEAP, rw, true);
    if (rw < HEAP_BYTES)
        launch_add_range(&l, LAUNCH_HEAP + rw, HEAP_BYTES - rw, false);
    return l;
}

/* The bytes of the constant bank that instructions may take as operands. */
static unsigned operands(struct rtl *rtl)
{
    uint32_t cache = 0;
    return rtl_read(rtl, CSR_CFG_CONST, &cache) && cache ? OPERAND_BYTES : 0;
}

/* The program of a seed, in both memories. */
static bool program(const struct options *o, uint64_t seed, struct rtl *rtl, struct model *m,
                    struct launch *l)
{
    struct rng r = { seed };
    struct fuzz_weights w;
    uint32_t in[FUZZ_IN / 4];
    const uint64_t params[3] = { IN, OUT, SUM };
    *l = launch(&r, o);
    uint64_t shape = rng_next(&r), data = rng_next(&r) | 1;
    struct fuzz_case c = { .seed = shape, .data_seed = data, .stack_mode = l->mode,
                           .wild = o->kind->wild, .constants = operands(rtl),
                           .grid = l->grid, .block = l->block };
    if (c.wild >= WILD_REGS && rng_below(&r, 2)) {          /* anywhere in the memory for code */
        uint32_t pc = (uint32_t)rng_next(&r);
        l->entry = c.pc_base = pc & 0x7ffff0 >> rng_below(&r, 8) & ~15u;
    }
    fuzz_weights_init(&w, o->kind->f64 ? 0 : 1u << UNIT_F64);
    if (c.wild)
        fuzz_wild(&c, &w);
    else
        fuzz_code(&c, &w);
    fuzz_data(&c, in);
    uint8_t *mem[2] = { rtl->bytes, model_memory(m) };
    for (int k = 0; k < 2; k++) {
        memcpy(mem[k] + LAUNCH_CODE + c.pc_base, c.img->text, c.img->text_size);
        memcpy(mem[k] + LAUNCH_CONST, in, OPERAND_BYTES);
        memcpy(mem[k] + LAUNCH_CONST, params, sizeof params);
        for (uint32_t a = 0; a < HEAP_BYTES; a += FUZZ_IN)
            memcpy(mem[k] + LAUNCH_HEAP + a, in, FUZZ_IN);
    }
    l->code_size = c.pc_base + c.img->text_size;
    fuzz_case_free(&c);
    return model_load(m, LAUNCH_CODE, l->code_size, l->mode);
}

/* ---- one run ---- */

struct run {
    struct rtl *rtl;
    struct model *m;
    const struct options *o;
    struct clock_reads clocks;
    uint64_t commits;
};

static bool differs(struct run *t, const struct hd_commit *rtl, const struct hd_commit *ref,
                    int status)
{
    struct difference d[8];
    unsigned n = commit_differences(rtl, ref, d, 8);
    if (!n && (status == STEP_OK || status == STEP_FAULT))
        return false;
    printf("commit %" PRIu64 " slot %u pc 0x%x insn %s word %08x %08x %08x %08x model status %d\n",
           t->commits,
           rtl->slot, rtl->pc, "", rtl->insn[3], rtl->insn[2], rtl->insn[1], rtl->insn[0], status);
    for (unsigned i = 0; i < n && i < 8; i++)
        printf("  %s lane %u: rtl 0x%" PRIx64 " model 0x%" PRIx64 "\n", d[i].field->name,
               d[i].lane, d[i].rtl, d[i].model);
    printf("  exec %08x/%08x active %08x/%08x next %08x/%08x live %08x\n", rtl->exec, ref->exec,
           rtl->active, ref->active, rtl->next_active, ref->next_active, rtl->live);
    return true;
}

static bool check_commit(struct run *t, unsigned port, bool *fault)
{
    struct hd_commit rtl, ref;
    rtl_record(t->rtl, port, &rtl);
    uint64_t clock = 0;
    const char *why = rtl.is_clock ? clock_take(&t->clocks, &rtl, &clock) : NULL;
    if (why)
        return printf("slot %u pc 0x%x: %s\n", rtl.slot, rtl.pc, why), false;
    int status = model_step(t->m, rtl.slot, &ref, &clock);
    ref.cycle = rtl_grid_cycle(t->rtl);
    unsigned op = rtl.insn[0] & 511;
    const char *name = "?";
    for (unsigned i = 0; i < OP_COUNT; i++)
        if (hd_ops[i].opcode == op)
            name = hd_ops[i].mnemonic;
    if (t->o->verbose)
        printf("%6" PRIu64 " cycle %6" PRIu64 " slot %2u pc %4x %-10s exec %08x next %08x\n",
               t->commits, rtl.cycle, rtl.slot, rtl.pc, name, rtl.exec, rtl.next_active);
    if (differs(t, &rtl, &ref, status)) {
        printf("  %s\n", name);
        return false;
    }
    t->commits++;
    *fault |= rtl.fault;
    return true;
}

static bool check_commits(struct run *t, bool *fault)
{
    for (unsigned port = 0; port < RTL_RETIRES; port++)
        if (t->rtl->p.commits[port] && !check_commit(t, port, fault))
            return false;
    return true;
}

/* 1: good. */
static int lockstep(struct run *t, const struct launch *l)
{
    uint64_t quiet = 0, most = t->o->kind->wild ? t->o->commits : UINT64_MAX;
    if (t->o->kind->wild == WILD_MEET)               /* each lane walks alone */
        most /= 4;
    bool fault = false;
    model_launch(t->m, l);
    clock_begin(&t->clocks);
    if (!rtl_start(t->rtl, l))
        return printf("the launch port is stuck\n"), 0;
    while (t->commits < most && !fault) {
        const char *clock = clock_look(&t->clocks, t->rtl);
        if (clock)
            return printf("%s\n", clock), 0;
        if (*t->rtl->p.place_valid) {
            const char *why = model_place(t->m, *t->rtl->p.place_slot, *t->rtl->p.place_block);
            if (why)
                return printf("place: %s\n", why), 0;
        }
        if (rtl_retires(t->rtl)) {
            if (!check_commits(t, &fault))
                return 0;
            quiet = 0;
        } else if (++quiet == SETTLED || quiet == QUIET) {
            struct warp_view v;
            bool can = false, any = false;
            for (unsigned s = 0; s < t->o->warps; s++)
                model_view(t->m, s, &v), any |= v.used, can |= v.used && v.runs;
            if (any && !can)
                break;
            if (quiet == QUIET && !any)
                return printf("no block is there, and the grid does not end\n"), 0;
            if (quiet == QUIET)
                return printf("nothing retires, but the model could go on\n"),
                       model_explain(t->m, stdout), 0;
        }
        if (rtl_ended(t->rtl) && model_ended(t->m))
            break;
        if (*axi_error(t->rtl->mem))
            return printf("memory port: %s\n", axi_error(t->rtl->mem)), 0;
        rtl_step(t->rtl);
    }
    if (t->commits < most && memcmp(t->rtl->bytes + LAUNCH_HEAP, model_memory(t->m) + LAUNCH_HEAP,
                                    HEAP_BYTES))
        return printf("memory differs\n"), 0;
    return 1;
}

static int run_one(const struct options *o, uint64_t seed, uint64_t *all_cycles)
{
    struct launch_limits limits = { .warps = o->warps, .regs = 256, .shared_bytes = 65536,
                                    .stack_depth = 64 };
    char why[256];
    struct launch l;
    struct run t = { .o = o, .m = model_new(&limits),
                     .rtl = rtl_open(o->lanes, o->core, seed & 1 ? seed : 0,
                                   o->x_seed ? RTL_RANDOM : RTL_QUICK,
                                   o->x_seed ? o->x_seed + (uint32_t)seed : 0, why, sizeof why) };
    if (!t.rtl || !t.m)
        return fprintf(stderr, "%s\n", why), 0;
    int good = program(o, seed, t.rtl, t.m, &l) && lockstep(&t, &l);
    uint64_t cycles = t.rtl->cycle;
    *all_cycles += cycles;
    model_free(t.m);
    rtl_close(t.rtl);
    if (!good || o->count < 20)
        printf("seed %" PRIu64 ": %s, %" PRIu64 " commits, %" PRIu64 " cycles\n", seed,
               good ? "equal" : "DIFFERS", t.commits, cycles);
    return good;
}

static int set(struct options *o, const char *name, const char *v)
{
    if (!strcmp(name, "--lanes")) o->lanes = (unsigned)atoi(v);
    else if (!strcmp(name, "--warps")) o->warps = (unsigned)atoi(v);
    else if (!strcmp(name, "--seed")) o->seed = strtoull(v, NULL, 0);
    else if (!strcmp(name, "--x-seed")) o->x_seed = (unsigned)atoi(v);
    else if (!strcmp(name, "--count")) o->count = (unsigned)atoi(v);
    else if (!strcmp(name, "--commits")) o->commits = strtoull(v, NULL, 0);
    else if (!strcmp(name, "--depth")) o->depth = (unsigned)atoi(v);
    else if (!strcmp(name, "--core")) o->core = v;
    else if (!strcmp(name, "--kind")) {
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (!strcmp(v, kinds[i].name))
                return o->kind = &kinds[i], 1;
        return 0;
    } else
        return 0;
    return 1;
}

int main(int argc, char **argv)
{
    struct options o = { .lanes = 32, .warps = 32, .count = 1, .kind = &kinds[3], .seed = 1,
                         .commits = 3000 };
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-v"))
            o.verbose = 1;
        else if (!strcmp(argv[i], "--first"))
            o.first = 1;
        else if (!set(&o, argv[i], i + 1 < argc ? argv[i + 1] : ""))
            return fprintf(stderr, "core_smoke: what is %s?\n", argv[i]), 2;
        else
            i++;
    }
    unsigned bad = 0;
    uint64_t cycles = 0;
    for (unsigned k = 0; k < o.count && !(bad && o.first); k++)
        bad += !run_one(&o, o.seed + k, &cycles);
    printf("core_smoke: %s, lanes %u, programs %u, equal %u, first seed %" PRIu64
           ", cycles %" PRIu64 "\n", o.kind->name,
           o.lanes, o.count, o.count - bad, o.seed, cycles);
    return bad != 0 || !o.count || !cycles;
}
