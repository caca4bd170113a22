/* A lane of the f64 unit against the model's effects of its rows, bit for bit, on random operands.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of all rows follow each other with gaps, so that the pipeline is tested as well.
 *   f64_equiv [instructions per row] [seed] */
#include "tests/rtl/f64_equiv.h"
#include "cmodel/isa/isa.h"
#include "tests/unit/random_f64.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LATENCY = 5 };
struct expected {
    bool some, predicate;
    unsigned op;
    u64 d;
    bool pd;
    struct f64_in in;
};

static double as_double(u64 u)
{
    double d;
    memcpy(&d, &u, 8);
    return d;
}
static u64 as_bits(double d)
{
    u64 u;
    memcpy(&u, &d, 8);
    return u;
}

/* Sums that cancel, terms a few binades apart, integers and halves: where rounding decides. */
static void relate(struct f64_in *in, u64 *s)
{
    u64 r = random_next(s);
    switch (r & 15) {
    case 0: in->b = in->a ^ F64_SIGN ^ (r >> 8 & 3); break;
    case 1:
        in->b = (in->a & (F64_SIGN | F64_INF)) - (r % 60 << 52) + (1ull << (r >> 8) % 52);
        break;
    case 2: in->c = as_bits(-as_double(in->a) * as_double(in->b)) ^ (r >> 8 & 3); break;
    case 3:
        in->c = (in->c & ~F64_INF) |
                ((as_bits(as_double(in->a) * as_double(in->b)) + (r % 112 << 52)) & F64_INF);
        break;
    case 4: in->a = as_bits((double)(s64)(in->b >> (r >> 8 & 63)) + 0.5); break;
    case 5: in->a = random_next(s) >> (r >> 8 & 63); break;
    case 6: in->a = as_bits((double)as_double(in->a) * 0x1p-1030); break;
    default: break;
    }
}

static struct expected random_insn(u64 *s)
{
    struct expected e = { .some = true };
    u64 r = random_next(s);
    do
        e.op = (unsigned)(random_next(s) % OP_COUNT);
    while (hd_ops[e.op].unit != UNIT_F64);
    e.in = (struct f64_in){ .en = 1,
                            .opcode = hd_ops[e.op].opcode,
                            .rm = r & 3,
                            .ps = r >> 2 & 1,
                            .na = r >> 3 & 1,
                            .aa = r >> 4 & 1,
                            .nb = r >> 5 & 1,
                            .ab = r >> 6 & 1,
                            .nc = r >> 7 & 1,
                            .fcmp = (r >> 12) % 14,
                            .fbop = (r >> 20) % 3 };
    const char *mods = hd_ops[e.op].mods; /* of a legal word; of others the field is zero */
    if (!strstr(mods, "RM")) e.in.rm = FP_RN;
    if (!strstr(mods, "na")) e.in.na = 0;
    if (!strstr(mods, "aa")) e.in.aa = 0;
    if (!strstr(mods, "nb")) e.in.nb = 0;
    if (!strstr(mods, "ab")) e.in.ab = 0;
    if (!strstr(mods, "nc")) e.in.nc = 0;
    e.in.a = random_f64(s), e.in.b = random_f64(s), e.in.c = random_f64(s);
    relate(&e.in, s);
    return e;
}

/* The effects of isa.def. */
static void expect(struct expected *e)
{
    const struct f64_in *in = &e->in;
    const struct hd_insn m = { .rm = (uint8_t)in->rm,
                               .fcmp = (uint8_t)in->fcmp,
                               .fbop = (uint8_t)in->fbop,
                               .na = (uint8_t)in->na,
                               .aa = (uint8_t)in->aa,
                               .nb = (uint8_t)in->nb,
                               .ab = (uint8_t)in->ab,
                               .nc = (uint8_t)in->nc };
    const u64 A = in->a, B = in->b, C = in->c;
    const u32 a = (u32)A, ps = in->ps;
    u64 D = 0;
    u32 d = 0, pd = 0;
    switch (e->op) {
#define F64 1
#define ALU 0
#define MUL 0
#define FPU 0
#define SFU 0
#define LSU 0
#define CTL 0
#define EFFECT_0(id, effect)
#define EFFECT_1(id, effect)                                                                       \
    case OP_##id:                                                                                  \
        effect;                                                                                    \
        break;
#define EFFECT(unit, id, effect) EFFECT_##unit(id, effect)
#define INSN(id, mnemonic, opcode, operands, mods, unit, flags, effect, sentence)                  \
    EFFECT(unit, id, effect)
#include "cmodel/isa/isa.def"
    default: break;
    }
    e->predicate = strchr(hd_ops[e->op].operands, 'p') != NULL;
    e->d = hd_ops[e->op].width[0] == WIDTH_2 ? D : d;
    e->pd = pd;
}

static bool check(const struct expected *e, const struct f64_out *o)
{
    const struct f64_in *i = &e->in;
    bool ok = !e->some || (e->predicate ? e->pd == o->pd : e->d == o->d);
    if (!ok)
        fprintf(stderr,
                "%s rm %u fcmp %u a %s%s%llx b %s%s%llx c %s%llx: model %llx %d, rtl %llx %u\n",
                hd_ops[e->op].mnemonic, i->rm, i->fcmp, i->na ? "-" : "", i->aa ? "abs " : "",
                (unsigned long long)i->a, i->nb ? "-" : "", i->ab ? "abs " : "",
                (unsigned long long)i->b, i->nc ? "-" : "", (unsigned long long)i->c,
                (unsigned long long)e->d, e->pd, (unsigned long long)o->d, o->pd);
    return ok;
}

int main(int argc, char **argv)
{
    long each = argc > 1 ? atol(argv[1]) : 100000, rows = 0, done = 0;
    u64 first_seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1,
        seed = first_seed * 0x9e3779b97f4a7c15ull | 1;
    struct expected pipe[LATENCY] = { 0 };
    struct f64_lane *s = f64_new();
    int wrong = 0;
    for (unsigned op = 0; op < OP_COUNT; op++)
        rows += hd_ops[op].unit == UNIT_F64;
    for (long i = 0; i < each * rows && wrong < 20; i++) {
        struct expected next = random_insn(&seed), *e = &pipe[i % LATENCY];
        struct f64_out out;
        if ((random_next(&seed) & 7) == 0) next.in.en = next.some = 0;
        expect(&next);
        f64_clock(s, &next.in, &out);
        *e = next;
        e = &pipe[(i + 1) % LATENCY]; /* what went in LATENCY - 1 edges ago is next */
        done += e->some;
        wrong += !check(e, &out);
    }
    f64_free(s);
    printf("f64: %ld instructions of %ld rows, %d differ, seed %llu\n", done, rows, wrong,
           (unsigned long long)first_seed);
    return wrong != 0 || done == 0;
}
