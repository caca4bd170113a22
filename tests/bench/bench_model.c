/* Speed of the golden model beside that of native code (native.h), one line a figure; `bench_model [p_loop_merge.hx]`.
 * The loops take turns, a tenth of a second each, so that what else the machine does slows all of them.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/image/image.h"
#include "cmodel/fast/fast.h"
#include "cmodel/native/native.h"
#include "cmodel/timing/timing.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tests/bench/native.h"

enum { ROUNDS = 7, TURNS = 1000000, THREADS = 4 << 20, COPY = 8 * THREADS };

static const struct launch_limits core = { .warps = 32, .regs = 256, .shared_bytes = 65536, .stack_depth = 0 };

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The best of all rounds: what else runs on the machine only makes a figure smaller.  Of each loop
 * its limit, the interpreter, and the host's code (docs/native.md). */
enum figure { LIMIT, INT, INT_NATIVE, LIMIT_F32, F32, F32_NATIVE, LIMIT_DIVERGENT, DIVERGENT,
              DIVERGENT_NATIVE, LIMIT_MEMORY, MEMORY, MEMORY_NATIVE, COMPARED,
              ONE_JOB = COMPARED, TWO_JOBS, TIMED_HOPPER, TIMED_CORE, FIGURES };
enum { OF_A_LOOP = 3 };
static const char *const names[FIGURES] = {
    "limit", "int", "int_native", "limit_f32", "f32", "f32_native", "limit_divergent", "divergent",
    "divergent_native", "limit_memory", "memory", "memory_native", "one_job", "two_jobs",
    "timed_hopper", "timed_core" };
static double best[FIGURES];
static const struct fast_run plain;

static void note(enum figure f, double per_second)
{
    best[f] = per_second > best[f] ? per_second : best[f];
}

/* Of each loop, its limit and the model, then how they compare. */
static void print(void)
{
    for (int f = 0; f < FIGURES; f++) {
        bool bytes = f >= LIMIT_MEMORY && f < COMPARED;
        double limit = best[f - f % OF_A_LOOP];
        if (!best[f])
            continue;
        printf("bench: model.%s %.1f %s\n", names[f], best[f] / (bytes ? 1e9 : 1e6),
               bytes ? "GB/s" : "Mwarp/s");
        if (f < COMPARED && f % OF_A_LOOP)
            printf("bench: model.%s_ratio %.2f\n", names[f], best[f] / limit);
    }
    printf("bench: model.two_jobs_ratio %.2f\n", best[TWO_JOBS] / best[ONE_JOB]);
}

/* The code that was loaded last, as the host's; without a compiler there is none, and it is said
 * once. */
static struct native *translate(struct model *m, uint32_t words)
{
    static bool said;
    struct hd_err err = { 0 };
    const struct native_code code = { .text = model_text(m), .words = words };
    struct native *n = native_open(&code, NULL, &err);
    if (!n && !said)
        fprintf(stderr, "bench_model: no native code: %s\n", err.text);
    said |= !n;
    fast_set_native(m, n);
    return n;
}

/* The model must not be left with what is freed. */
static void let_go(struct model *m, struct native *native)
{
    fast_set_native(m, NULL);
    native_free(native);
}

/* Registers that the row does not have are left out. */
static struct hd_insn make(enum hd_op op, unsigned rd, unsigned ra, unsigned rb, unsigned rc)
{
    struct hd_insn i = hd_insn_make(op);
    const uint8_t *has = hd_ops[op].width;
    i.rd = (uint8_t)(has[0] ? rd : i.rd);
    i.ra = (uint8_t)(has[1] ? ra : i.ra);
    i.rb = (uint8_t)(has[2] ? rb : i.rb);
    i.rc = (uint8_t)(has[3] ? rc : i.rc);
    return i;
}

/* With an immediate in place of Rb, or a special register. */
static struct hd_insn make_imm(enum hd_op op, unsigned rd, unsigned ra, uint32_t imm)
{
    struct hd_insn i = make(op, rd, ra, 0, HD_RZ);
    i.bi = hd_ops[op].width[2] != 0;
    i.rb = 0;
    i.imm = imm;
    return i;
}

/* The loop of native_limit.c, 8 instructions a turn; floating: multiply-adds instead of integers. */
static uint32_t loop_code(struct hd_word *text, uint32_t turns, bool floating)
{
    uint32_t n = 0, top;
#define PUT(i) do { struct hd_insn put_ = (i); text[n++] = hd_encode(&put_); } while (0)
    PUT(make_imm(OP_S2R, 3, 0, SREG_LANEID));
    PUT(make_imm(OP_MOV, 1, 0, 0x3f800001));
    PUT(make_imm(OP_MOV, 2, 0, 0x3f000003));
    top = n;
    if (floating) {
        PUT(make(OP_FFMA, 1, 1, 2, 3));
        PUT(make(OP_FFMA, 3, 3, 2, 1));
        PUT(make(OP_FFMA, 4, 3, 2, 1));
        PUT(make(OP_FFMA, 5, 4, 2, 3));
        PUT(make(OP_FFMA, 7, 5, 2, 4));
    } else {
        PUT(make(OP_IMAD, 1, 1, 2, 3));
        PUT(make(OP_IADD, 3, 3, 1, 0));
        PUT(make(OP_XOR, 4, 3, 1, 0));
        PUT(make_imm(OP_SHL, 5, 4, 3));
        PUT(make(OP_IADD, 2, 5, 4, 0));
    }
    PUT(make_imm(OP_IADD, 6, 6, 1));
    struct hd_insn test = make_imm(OP_ISETP, 0, 6, turns), branch = hd_insn_make(OP_BRA);
    test.icmp = ICMP_LT;
    test.pd = 0;
    PUT(test);
    branch.pg = 0;
    branch.imm = top * HD_INSN_BYTES;
    PUT(branch);
    PUT(hd_insn_make(OP_EXIT));
    return n;
}

/* By processor time, which other work on the machine changes least; two threads by the wall's. */
static double run(struct model *m, struct launch *l, struct fast_run how)
{
    const clockid_t clock = how.jobs ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    model_launch(m, l);
    double t0 = seconds(clock);
    enum hd_status s = fast_run(m, &how);
    double t = seconds(clock) - t0;
    if (s != HD_OK) {
        fprintf(stderr, "bench_model: status %d\n", (int)s);
        exit(4);
    }
    return (double)model_counters(m)->warp_insns / t;
}

static struct launch small_launch(uint32_t words, uint32_t blocks, uint32_t threads)
{
    return (struct launch){ .code_base = LAUNCH_CODE, .code_size = words * HD_INSN_BYTES,
                            .const_base = LAUNCH_CONST, .const_size = 256,
                            .grid = { blocks, 1, 1 }, .block = { threads, 1, 1 }, .threads = threads,
                            .warps_block = (threads + 31) / 32,
                            .block_slots = 32 / ((threads + 31) / 32) };
}

/* Eight blocks of the integer loop, in turn and on two threads. */
static void bench_jobs(struct model *m, uint32_t words)
{
    struct launch l = small_launch(words, 8, 32);
    note(ONE_JOB, run(m, &l, (struct fast_run){ .jobs = 1 }));
    note(TWO_JOBS, run(m, &l, (struct fast_run){ .jobs = 2 }));
}

static void bench_loop(struct model *m, enum figure f, bool floating)
{
    struct hd_word text[32];
    uint32_t n = loop_code(text, TURNS, floating);
    memcpy(model_memory(m) + LAUNCH_CODE, text, n * sizeof *text);
    model_load(m, LAUNCH_CODE, n * HD_INSN_BYTES, false);
    struct launch l = small_launch(n, 1, 32);
    l.block_slots = 1;
    note(f, run(m, &l, plain));
    struct native *native = translate(m, n);
    if (native)
        note(f + 1, run(m, &l, plain));
    let_go(m, native);
    if (!floating)
        bench_jobs(m, n);
}

/* y[i] += a * x[i], 16 MiB of x and as much of y: 4 M threads. */
static void bench_memory(struct model *m)
{
    struct hd_word text[32];
    uint32_t n = 0, count = THREADS, x = LAUNCH_HEAP, y = x + 4 * count;
    struct hd_insn i = make_imm(OP_S2R, 0, 0, SREG_CTAID_X);
    PUT(i);
    i = make_imm(OP_S2R, 1, 0, SREG_TID_X);
    PUT(i);
    i = make_imm(OP_IMAD, 0, 0, 256);
    i.rc = 1;
    PUT(i);
    i = make_imm(OP_MOV, 4, 0, x);
    PUT(i);
    i = make_imm(OP_MOV, 6, 0, y);
    PUT(i);
    for (unsigned r = 4; r <= 6; r += 2) {
        i = make_imm(OP_IMADWU, r, 0, 4);
        i.rc = (uint8_t)r;
        PUT(i);
    }
    for (unsigned r = 4; r <= 6; r += 2) {
        i = make(OP_LDG, r / 2, r, 0, 0);
        i.sz = SZ_32;
        PUT(i);
    }
    i = make_imm(OP_FFMA, 3, 2, 0x40000000);
    i.rc = 3;
    PUT(i);
    i = make(OP_STG, 0, 6, 3, 0);
    i.sz = SZ_32;
    PUT(i);
    PUT(hd_insn_make(OP_EXIT));
    memcpy(model_memory(m) + LAUNCH_CODE, text, n * sizeof *text);
    memset(model_memory(m) + x, 0, 8 * (size_t)count);
    model_load(m, LAUNCH_CODE, n * HD_INSN_BYTES, false);
    struct launch l = small_launch(n, count / 256, 256);
    launch_add_range(&l, x, 4 * count, false);
    launch_add_range(&l, y, 4 * count, true);
    double bytes = 32 * 12;                     /* of a warp: 32 lanes read x and y, and write y */
    note(MEMORY, run(m, &l, plain) / n * bytes);
    struct native *native = translate(m, n);
    if (native)
        note(MEMORY_NATIVE, run(m, &l, plain) / n * bytes);
    let_go(m, native);
}

/* A launch again and again for a tenth of a second. */
static void bench_again(struct model *m, struct launch *l, enum figure f, const char *profile)
{
    struct hd_err err = { 0 };
    struct timing *t = profile ? timing_open(profile, &err) : NULL;
    double done = 0, time = 0;
    while (time < 0.1) {
        double rate = run(m, l, (struct fast_run){ .timing = t }), insns = (double)model_counters(m)->warp_insns;
        done += insns;
        time += insns / rate;
    }
    note(f, done / time);
    free(t);
}

/* p_loop_merge as tests/silicon/README.md launches it, also under timing profiles. */
static void bench_divergent(struct model *m, const char *path)
{
    static const uint32_t words[4] = { 256, 256, 512, 1572864 };    /* in, out, cnt, log */
    struct hd_err err = { 0 };
    struct hd_image *img = hd_image_read(path, &err);
    uint8_t params[64] = { 0 };
    struct hd_launch l = { .grid = { 8, 1, 1 }, .block = { 32, 1, 1 }, .params = params };
    struct launch k;
    char why[256];
    uint32_t at = LAUNCH_HEAP, n = 256;
    if (!img || img->nkernels != 1 || img->kernels[0].nparams != 5) {
        fprintf(stderr, "bench_model: %s\n", img ? "not p_loop_merge" : err.text);
        exit(2);
    }
    const struct hd_kernel *kernel = &img->kernels[0];
    l.params_size = kernel->params_size;
    for (int i = 0; i < 4; i++) {
        memcpy(params + kernel->params[i].off, &(uint64_t){ at }, 8);
        at += words[i] * 4 + 4096;
    }
    memcpy(params + kernel->params[4].off, &n, sizeof n);
    for (uint32_t i = 0, v = 12345; i < 256; i++, v = v * 1664525u + 1013904223u)
        memcpy(model_memory(m) + LAUNCH_HEAP + 4 * i, &v, sizeof v);
    if (launch_load(model_memory(m), img, why, sizeof why) ||
        launch_prepare(&k, model_memory(m), img, &l, &core, why, sizeof why)) {
        fprintf(stderr, "bench_model: %s\n", why);
        exit(2);
    }
    launch_add_range(&k, LAUNCH_HEAP, at - LAUNCH_HEAP, true);
    model_load(m, k.code_base, k.code_size, img->stack_mode);
    bench_again(m, &k, DIVERGENT, NULL);
    bench_again(m, &k, TIMED_HOPPER, "hopper");
    bench_again(m, &k, TIMED_CORE, "core");
    struct native *native = translate(m, k.code_size / HD_INSN_BYTES);
    if (native)
        bench_again(m, &k, DIVERGENT_NATIVE, NULL);
    let_go(m, native);
    hd_image_free(img);
}

int main(int argc, char **argv)
{
    struct model *m = fast_new(&core);
    if (!m)
        return 4;
    for (unsigned round = 0; round < ROUNDS; round++) {
        note(LIMIT, native_int());
        bench_loop(m, INT, false);
        note(LIMIT_F32, native_f32());
        bench_loop(m, F32, true);
        note(LIMIT_DIVERGENT, native_divergent());
        if (argc > 1)
            bench_divergent(m, argv[1]);
        note(LIMIT_MEMORY, native_copy(COPY));
        bench_memory(m);
    }
    print();
    model_free(m);
    return 0;
}
