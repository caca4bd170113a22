/* The FPU and MUFU lanes against the model's functions, bit for bit, on random operands.
 * Instructions of all kinds follow each other with gaps, so that the pipeline is tested as well.
 *   fpu_equiv [instructions per operation] [seed]
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/rtl/fpu_equiv.h"
#include "cmodel/isa/isa.h"
#include "cmodel/fp/fp32.h"
#include "cmodel/fp/mufu.h"
#include <stdio.h>
#include <stdlib.h>

enum { LATENCY = 4 };
static const uint16_t OPS[] = {OP_FADD, OP_FMUL, OP_FFMA, OP_FMIN, OP_FMAX, OP_FSETP, OP_FRND,
    OP_F2IS, OP_F2IU, OP_F2LS, OP_F2LU, OP_I2FS, OP_I2FU, OP_L2FS, OP_L2FU, OP_F2H, OP_H2F};
enum { NOPS = sizeof OPS / sizeof *OPS, NFUNCTIONS = 8 };

struct expected { bool fpu, mufu, predicate; u64 d; u32 r; bool pd; struct lane_in in; };

static u64 random_next(u64 *s)
{
    *s ^= *s << 13, *s ^= *s >> 7, *s ^= *s << 17;
    return *s * 0x2545f4914f6cdd1dull;
}

/* Where things happen: specials, subnormals, ties, powers of two and neighbours, like exponents. */
static u32 random_f32(u64 *s)
{
    static const u32 corner[] = {0, 1, 2, 3, 0x7fffff, 0x800000, 0x800001, 0xffffff, 0x1000000,
        0x3f800000, 0x3f7fffff, 0x3f800001, 0x3f000000, 0x4b000000, 0x4b7fffff, 0x4b800000,
        0x4f000000, 0x5f000000, 0x4effffff, 0x7f7fffff, 0x7f7ffffe, 0x7f800000, 0x7f800001,
        0x7fc00000, 0x7fffffff, 0x33800000, 0x33000000, 0x387fe000, 0x33000001, 0x477fefff,
        0x5effffff, 0x5f7fffff, 0x5f800000, 0x4f7fffff, 0x4f800000};
    u64 r = random_next(s);
    u32 x = (u32)r, sign = (u32)(r >> 35) << 31;
    switch (r >> 32 & 7) {
    case 0: return corner[x % (sizeof corner / sizeof *corner)] | sign;
    case 1: return (x & 0xffffff) >> ((r >> 40) % 24) | sign;
    case 2: return (x & 0x80ffffff) | 0x3f000000;
    case 3: return sign | (x & 0xff) << 23 | (1u << (x >> 8 & 31) & 0x7fffff);
    case 4: return sign | (((x & 0xff) << 23) - (x >> 8 & 3)) % F32_INF;
    case 5: return (x & 0x87ffffff) | 0x3c000000;
    case 6: return (x & 0x8fffffff) | 0x40000000;
    default: return x;
    }
}

/* Makes sums cancel: c near -(a*b), b near -a. */
static void cancel(struct lane_in *in, u64 *s)
{
    u32 p = fp_mul((u32)in->a, in->b, FP_RN, false, false) ^ F32_SIGN;
    u64 r = random_next(s);
    if (r & 1)
        in->c = p + (u32)(r >> 8 & 3) - 1;
    if (r & 2)
        in->b = (u32)in->a ^ (r & 4 ? F32_SIGN : 0) ^ (u32)(r >> 16 & 3);
}

/* An integer half way between two floats, 25 bits and zeros, or beside that. */
static u64 near_tie(u64 *s)
{
    u64 r = random_next(s);
    u64 tie = ((r & 0xffffff) | 0x1000001) << (r >> 32) % 40;
    return tie + (r >> 40 & 3) - 1;
}

static struct lane_in random_insn(unsigned kind, u64 *s)
{
    u64 r = random_next(s);
    struct lane_in in = { .ps = r & 1,
                          .rm = r >> 1 & 3,
                          .na = r >> 3 & 1,
                          .aa = r >> 4 & 1,
                          .nb = r >> 5 & 1,
                          .ab = r >> 6 & 1,
                          .nc = r >> 7 & 1,
                          .ftz = r >> 8 & 1,
                          .sat = (r >> 9 & 3) == 0,
                          .fcmp = (r >> 12) % 14,
                          .fbop = (r >> 20) % 3,
                          .op = OP_NOP };
    in.a = random_f32(s), in.b = random_f32(s), in.c = random_f32(s);
    if (kind >= NOPS) {
        in.mufu_en = 1, in.fn = kind - NOPS;
        return in;
    }
    unsigned op = in.op = OPS[kind];
    in.en = 1, in.opcode = hd_ops[op].opcode;
    bool arithmetic = op == OP_FADD || op == OP_FMUL || op == OP_FFMA;
    bool wide = op == OP_L2FS || op == OP_L2FU, integer = wide || op == OP_I2FS || op == OP_I2FU;
    if (r >> 24 & 1)
        cancel(&in, s);
    if (!arithmetic)
        in.sat = 0;
    if (op == OP_FFMA)
        in.aa = in.ab = 0;
    if (integer)
        in.a = (r >> 41 & 3 ? random_next(s) >> (r >> 32 & 63) : near_tie(s)) ^
               (r >> 40 & 1 ? ~0ull : 0);
    if (op == OP_H2F)
        in.a = r >> 32 & 0xffff;
    if (integer || op == OP_H2F)
        in.na = in.aa = in.ftz = 0;
    return in;
}

static u32 signs(u32 v, bool negate, bool absolute)
{
    return (absolute ? v & ~F32_SIGN : v) ^ (negate ? F32_SIGN : 0);
}

static struct expected expect(const struct lane_in *in)
{
    struct expected e = {.fpu = in->en, .mufu = in->mufu_en, .in = *in};
    struct hd_insn m = { .rm = (uint8_t)in->rm,
                         .ftz = (uint8_t)in->ftz,
                         .sat = (uint8_t)in->sat,
                         .fcmp = (uint8_t)in->fcmp,
                         .fbop = (uint8_t)in->fbop,
                         .mufu = (uint8_t)in->fn };
    u64 A = in->a;
    u32 a = signs((u32)A, in->na, in->aa), b = signs(in->b, in->nb, in->ab),
        c = signs(in->c, in->nc, 0);
    if (in->mufu_en)
        e.r = mufu(a, m);
    switch (in->op) {
    case OP_FADD: e.d = fadd(a, b, m); break;
    case OP_FMUL: e.d = fmul(a, b, m); break;
    case OP_FFMA: e.d = ffma(a, b, c, m); break;
    case OP_FMIN: e.d = fmin32(a, b, m); break;
    case OP_FMAX: e.d = fmax32(a, b, m); break;
    case OP_FSETP: e.pd = fsetp(a, b, in->ps, m), e.predicate = true; break;
    case OP_FRND: e.d = frnd(a, m); break;
    case OP_F2IS: e.d = f2i_s32(a, m); break;
    case OP_F2IU: e.d = f2i_u32(a, m); break;
    case OP_F2LS: e.d = f2i_s64(a, m); break;
    case OP_F2LU: e.d = f2i_u64(a, m); break;
    case OP_I2FS: e.d = i2f_s32((u32)A, m); break;
    case OP_I2FU: e.d = i2f_u32((u32)A, m); break;
    case OP_L2FS: e.d = i2f_s64(A, m); break;
    case OP_L2FU: e.d = i2f_u64(A, m); break;
    case OP_F2H: e.d = f2h(a, m); break;
    case OP_H2F: e.d = h2f((u32)A); break;
    default: break;
    }
    return e;
}

static bool check(const struct expected *e, const struct lane_out *o)
{
    const struct lane_in *i = &e->in;
    bool ok = (!e->fpu || (e->predicate ? e->pd == o->pd : e->d == o->d)) &&
              (!e->mufu || e->r == o->mufu);
    if (!ok)
        fprintf(stderr,
                "op %03x fn %u rm %u ftz %u sat %u fcmp %u a %s%s%llx b %s%s%08x c %s%08x: "
                "model %llx %08x %d, rtl %llx %08x %u\n",
                i->op, i->fn, i->rm, i->ftz, i->sat, i->fcmp, i->na ? "-" : "", i->aa ? "abs " : "",
                (unsigned long long)i->a, i->nb ? "-" : "", i->ab ? "abs " : "", i->b,
                i->nc ? "-" : "", i->c, (unsigned long long)e->d, e->r, e->pd,
                (unsigned long long)o->d, o->mufu, o->pd);
    return ok;
}

int main(int argc, char **argv)
{
    long each = argc > 1 ? atol(argv[1]) : 100000;
    u64 first_seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1,
        seed = first_seed * 0x9e3779b97f4a7c15ull | 1;
    struct expected pipe[LATENCY] = {0};
    struct lanes *s = lanes_new();
    long total = each * (NOPS + NFUNCTIONS), done = 0;
    int wrong = 0;
    for (long i = 0; i < total && wrong < 20; i++) {
        struct lane_in in = random_insn((unsigned)(random_next(&seed) % (NOPS + NFUNCTIONS)),
                                        &seed);
        struct lane_out out;
        if ((random_next(&seed) & 7) == 0)
            in.en = in.mufu_en = 0;
        lanes_clock(s, &in, &out);
        struct expected *e = &pipe[i % LATENCY]; /* what went in LATENCY - 1 edges ago is next */
        *e = expect(&in);
        e = &pipe[(i + 1) % LATENCY];
        done += e->fpu || e->mufu;
        wrong += !check(e, &out);
    }
    lanes_free(s);
    printf("fpu: %ld instructions, %d differ, seed %llu\n", done, wrong,
           (unsigned long long)first_seed);
    return wrong != 0 || done == 0;
}
