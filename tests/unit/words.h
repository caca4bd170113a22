/* Random instruction words for tests of decoders: legal ones, nearly legal ones, noise; and what is
 * legal, read from isa.def once more, in another way than the generator does.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef WORDS_H
#define WORDS_H
#include "cmodel/isa/isa.h"
#include <string.h>

static inline uint64_t rng_next(uint64_t *s)        /* splitmix64 */
{
    uint64_t z = *s += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint32_t word_bits(const struct hd_word *w, int lsb, int width)
{
    uint32_t v = 0;
    for (int i = width; i-- > 0; )
        v = v << 1 | (w->w[(lsb + i) / 32] >> ((lsb + i) % 32) & 1);
    return v;
}

static inline void word_set(struct hd_word *w, int lsb, int width, uint32_t v)
{
    for (int i = 0; i < width; i++) {
        uint32_t bit = 1u << ((lsb + i) % 32), *p = &w->w[(lsb + i) / 32];
        *p = v >> i & 1 ? *p | bit : *p & ~bit;
    }
}

struct ref_row { int opcode; const char *operands, *mods, *unit; int flags; };
struct ref_mod { const char *name; int lsb, width, count; };
static const struct ref_row ref_rows[] = {
#define INSN(id, mnemonic, opcode, operands, mods, unit, flags, effect, sentence) \
    { opcode, operands, mods, #unit, flags },
#include "cmodel/isa/isa.def"
};
static const struct ref_mod ref_mods[] = {
#define MOD(name, lsb, width, ...) \
    { #name, lsb, width, sizeof (const char *[]){ __VA_ARGS__ } / sizeof(char *) },
#include "cmodel/isa/isa.def"
};

static inline bool ref_reg_ok(uint32_t r, int n)
{
    return r == 255 || (r % (uint32_t)n == 0 && r + (uint32_t)n <= 255);
}

/* Takes a field out of the word: what remains at the end must be zero. */
static inline uint32_t ref_take(struct hd_word *w, int lsb, int width)
{
    uint32_t v = word_bits(w, lsb, width);
    word_set(w, lsb, width, 0);
    return v;
}

static inline bool ref_legal(const struct hd_word *word, bool stack)
{
    struct hd_word w = *word;
    uint32_t opcode = ref_take(&w, 0, 9), guard = ref_take(&w, 9, 4), pop = ref_take(&w, 13, 1);
    const struct ref_row *r = NULL;
    for (size_t i = 0; i < sizeof ref_rows / sizeof *ref_rows; i++)
        if (ref_rows[i].opcode == (int)opcode)
            r = &ref_rows[i];
    if (!r || (pop && (!stack || !strcmp(r->unit, "CTL"))) || ((r->flags & F_NOGUARD) && guard != 7)
        || (r->flags & (stack ? F_BARRIER : F_STACK)))
        return false;
    int wide = 1;
    bool cas = false, ok = true;
    char mods[64], *save;
    strcpy(mods, r->mods);
    for (char *t = strtok_r(mods, " ", &save); t; t = strtok_r(NULL, " ", &save)) {
        static const char *const sign[] = { "na", "aa", "nb", "ab", "nc" };
        for (int i = 0; i < 5; i++)
            if (!strcmp(t, sign[i]))
                ref_take(&w, 87 + i, 1);
        for (size_t i = 0; i < sizeof ref_mods / sizeof *ref_mods; i++) {
            if (strcmp(t, ref_mods[i].name))
                continue;
            uint32_t v = ref_take(&w, ref_mods[i].lsb, ref_mods[i].width);
            ok &= (int)v < ref_mods[i].count;
            if (!strcmp(t, "SZ"))
                wide = v == 5 ? 2 : v == 6 ? 4 : 1;
            if (!strcmp(t, "AW"))
                wide = v ? 2 : 1;
            if (!strcmp(t, "AOP"))
                cas = v == 11;
        }
    }
    uint32_t rd = 255, ra = 255, v;
    for (const char *s = r->operands; *s; s++)
        switch (*s) {
        case 'd': rd = ref_take(&w, 16, 8); break;
        case 'D': ok &= ref_reg_ok(ref_take(&w, 16, 8), 2); break;
        case 'Q': ok &= ref_reg_ok(ref_take(&w, 16, 8), wide); break;
        case 'a': ra = ref_take(&w, 24, 8); break;
        case 'A': ok &= ref_reg_ok(ref_take(&w, 24, 8), 2); break;
        case 'm': ok &= ref_reg_ok(ref_take(&w, 24, 8), 2), ref_take(&w, 40, 24); break;
        case 'n': ref_take(&w, 24, 8), ref_take(&w, 40, 24); break;
        case 'b': case 'B':
            if (!ref_take(&w, 86, 1))
                ok &= ref_reg_ok(ref_take(&w, 32, 8), *s == 'B' ? 2 : 1);
            else if (v = ref_take(&w, 32, 32), strcmp(r->unit, "CTL") && ref_take(&w, 14, 1))
                ok &= v < 256 && v % (*s == 'B' ? 8 : 4) == 0;
            break;
        case 'r': ref_take(&w, 32, 8); break;
        case 'S': ok &= ref_reg_ok(ref_take(&w, 32, 8), wide); break;
        case 'c': ref_take(&w, 64, 8); break;
        case 'C': ok &= ref_reg_ok(ref_take(&w, 64, 8), 2); break;
        case 'V': v = ref_take(&w, 64, 8), ok &= cas ? ref_reg_ok(v, wide) : v == 255; break;
        case 'p': ref_take(&w, 72, 3); break;
        case 'q': case 't': ref_take(&w, 75, 3); break;
        case 's': ref_take(&w, 78, 4); break;
        case 'x': ref_take(&w, 82, 4); break;
        case 'l': ref_take(&w, 110, 8); break;
        case '@': ref_take(&w, 32, 32); break;
        case 'z': ok &= ref_take(&w, 32, 32) < SREG_COUNT; break;
        }
    if ((r->flags & F_DISTINCT) && rd == ra && rd != 255)
        ok = false;
    return ok && !(w.w[0] | w.w[1] | w.w[2] | w.w[3]);
}

/* A word of a random row that is legal in this mode. */
static inline struct hd_word word_of_row(uint64_t *s, int op, bool stack)
{
    const struct hd_op_info *o = &hd_ops[op];
    struct hd_word w;
    do {
        bool imm = strpbrk(o->operands, "bB") && (rng_next(s) & 1);
        for (int i = 0; i < 4; i++)
            w.w[i] = (uint32_t)rng_next(s) & (imm ? &o->used_imm : &o->used)->w[i];
        word_set(&w, 0, 9, o->opcode);
        if (strpbrk(o->operands, "bB"))
            word_set(&w, 86, 1, imm);
        if (word_bits(&w, 14, 1) && imm)            /* a constant */
            word_set(&w, 32, 32, (uint32_t)rng_next(s) % 64 * 4);
        if ((o->flags & F_NOGUARD) || rng_next(s) % 4 == 0)
            word_set(&w, 9, 4, 7);
        if (!stack || o->unit == UNIT_CTL)
            word_set(&w, 13, 1, 0);
        if (strchr(o->operands, 'z'))
            word_set(&w, 32, 32, (uint32_t)rng_next(s) % SREG_COUNT);
        if (strchr(o->operands, 'V') && rng_next(s) % 4)
            word_set(&w, 64, 8, 255);
        if (rng_next(s) % 4 == 0)                   /* registers where pairs and RZ meet */
            for (int i = 0; i < 3; i++)
                if (o->width[i] && !(i == 2 && imm))
                    word_set(&w, i == 0 ? 16 : i == 1 ? 24 : 32, 8, 248 + rng_next(s) % 8);
    } while (!ref_legal(&w, stack));
    return w;
}

static inline struct hd_word word_legal(uint64_t *s, bool stack)
{
    int op;
    do
        op = (int)(rng_next(s) % OP_COUNT);
    while (hd_ops[op].flags & (stack ? F_BARRIER : F_STACK));
    return word_of_row(s, op, stack);
}

/* Noise, or a legal word with up to three changed bits or a random field. */
static inline struct hd_word word_any(uint64_t *s, bool stack)
{
    struct hd_word w = word_legal(s, stack);
    uint64_t kind = rng_next(s) % 8;
    if (kind == 0)
        for (int i = 0; i < 4; i++)
            w.w[i] = (uint32_t)rng_next(s);
    else if (kind < 4)
        for (uint64_t i = 0; i < kind; i++) {
            uint64_t bit = rng_next(s) % 128;
            w.w[bit / 32] ^= 1u << (bit % 32);
        }
    else if (kind == 4)
        word_set(&w, (int)(rng_next(s) % 120), 8, (uint32_t)rng_next(s));
    return w;
}
#endif
