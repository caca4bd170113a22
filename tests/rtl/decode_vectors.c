/* Instruction words written by hand, against assembler, disassembler, C decoder and RTL decoder.
 * SPDX-License-Identifier: Apache-2.0
 *
 * These four are generated from isa.def or read it, so a mistake there is made by all of them, and
 * comparing one with another (decode_equiv, test_isa, lockstep) cannot see it.  Nothing here knows
 * isa.def but names: `layout` says where each field lies, decode_vectors.def holds words and what
 * they mean.  From each legal word others are derived: bits that its format does not use, registers
 * in all 256 values, modifiers that are not listed, and all opcodes that no vector has.  Their
 * verdict follows from the format that the vector names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/image/asm.h"
#include "tests/rtl/decode_shim.h"

/* ---- the encoding, stated once more --------------------------------------------------------- */

/* A field of struct hd_insn and its bits; of a modifier, how many values are listed. */
#define LAYOUT \
    F(pg, 9, 3, 0) F(pn, 12, 1, 0) F(pop, 13, 1, 0) F(rd, 16, 8, 0) F(ra, 24, 8, 0) \
    F(rb, 32, 8, 0) F(imm, 32, 32, 0) F(off, 40, 24, 0) F(rc, 64, 8, 0) F(pd, 72, 3, 0) \
    F(pq, 75, 3, 0) F(ps, 78, 3, 0) F(sn, 81, 1, 0) F(bx, 82, 4, 0) F(bi, 86, 1, 0) \
    F(na, 87, 1, 0) F(aa, 88, 1, 0) F(nb, 89, 1, 0) F(ab, 90, 1, 0) F(nc, 91, 1, 0) \
    F(rm, 92, 2, 4) F(ftz, 94, 1, 2) F(sat, 95, 1, 2) F(icmp, 96, 3, 6) F(fcmp, 96, 4, 14) \
    F(sg, 100, 1, 2) F(bop, 101, 2, 4) F(fbop, 101, 2, 3) F(sz, 103, 3, 7) F(aop, 106, 4, 12) \
    F(lut, 110, 8, 0) F(aw, 118, 1, 2) F(mufu, 118, 3, 8) F(vote, 118, 2, 3) F(shfl, 118, 2, 4) \
    F(memb, 118, 2, 3) F(cb, 14, 1, 0)
static const struct { const char *name; int lsb, width, listed; size_t offset, size; } layout[] = {
#define F(name, lsb, width, listed) { #name, lsb, width, listed, offsetof(struct hd_insn, name), \
                                      sizeof ((struct hd_insn *)NULL)->name },
    LAYOUT
#undef F
};
enum { FIELDS = sizeof layout / sizeof *layout, OPCODES = 512, CAS = 11 };
/* positions in LAYOUT */
enum { FIELD_RD = 3, FIELD_RA, FIELD_RB, FIELD_RC = 8, FIELD_CB = FIELDS - 1 };

/* What a word of the format `what` may set besides opcode, guard and `.S`. */
static const struct { const char *token, *fields; } formats[] = {
    { "d1", "rd" },     { "d2", "rd" },     { "d4", "rd" }, /* destination: 1, 2 or 4 registers */
    { "a1", "ra" },     { "a2", "ra" },     { "b1", "rb bi" },
    { "b2", "rb bi" }, /* could be an immediate as well */
    { "r1", "rb" },     { "r2", "rb" },     { "r4", "rb" }, /* could not */
    { "i", "imm bi" },  { "I", "imm bi" }, /* I: sign-extended to 64 bits */
    { "k", "imm bi cb" }, { "K", "imm bi cb" }, /* a constant: word, pair */
    { "c1", "rc" },     { "c2", "rc" },     { "v1", "rc" },
    { "v2", "rc" }, /* with CAS alone, else RZ */
    { "p", "pd" },      { "t", "pq" },      { "s", "ps sn" },
    { "x", "bx" },      { "lut", "lut" },   { "target", "imm" },
    { "sreg", "imm" },  { "off", "off" },   { "na", "na" },
    { "aa", "aa" },     { "nb", "nb" },     { "ab", "ab" },
    { "nc", "nc" },     { "RM", "rm" },     { "FTZ", "ftz" },
    { "SAT", "sat" },   { "ICMP", "icmp" }, { "FCMP", "fcmp" },
    { "SG", "sg" },     { "BOP", "bop" },   { "FBOP", "fbop" },
    { "SZ", "sz" },     { "AOP", "aop" },   { "AW", "aw" },
    { "MUFU", "mufu" }, { "VOTE", "vote" }, { "SHFL", "shfl" },
    { "MEMB", "memb" }, { "noguard", "" },  { "distinct", "" },
    { "lanes", "" },    { "load", "" },     { "store", "" },
    { "atom", "" },     { "global", "" },   { "shared", "" },
    { "local", "" },    { "const", "" },    { "generic", "" },
    { "ALU", "" },      { "MUL", "" },      { "FPU", "" },
    { "SFU", "" },      { "LSU", "" },      { "CTL", "" },
    { "F64", "" },
};
static const char *const units[] = { "ALU", "MUL", "FPU", "SFU", "LSU", "CTL", "F64" };
static const char *const spaces[] = { "global", "shared", "local", "const", "generic" };

/* ---- the vectors ---------------------------------------------------------------------------- */

enum mode { BARRIER = 1, STACK = 2, ANY = 3 };
struct vector { enum mode mode; const char *hex, *format, *text; int line; struct hd_insn in; };
static const struct vector vectors[] = {
#define V(mode, hex, id, format, text, guard, ...) { \
    mode, hex, format, text, __LINE__, \
    { .op = OP_##id, .pg = (guard) & 7, .pn = (guard) >> 3, __VA_ARGS__ } },
#define X(hex, why)
#include "tests/rtl/decode_vectors.def"
#undef V
#undef X
};
static const struct { const char *hex, *why; int line; } illegal[] = {
#define V(...)
#define X(hex, why) { hex, why, __LINE__ },
#include "tests/rtl/decode_vectors.def"
};
enum { VECTORS = sizeof vectors / sizeof *vectors, ILLEGAL = sizeof illegal / sizeof *illegal };

static long failures, derived;
static bool seen[OPCODES];
static uint64_t ones[FIELDS], zeros[FIELDS], values[FIELDS];    /* bits set, clear, values met */

#define FAIL(line, ...) \
    do { failures++, printf("decode_vectors.def:%d: ", line), printf(__VA_ARGS__); } while (0)

static bool has(const struct vector *v, const char *token)
{
    size_t n = strlen(token);
    for (const char *p = v->format; (p = strstr(p, token)); p += n)
        if ((p == v->format || p[-1] == ' ') && (!p[n] || p[n] == ' '))
            return true;
    return false;
}

static uint32_t get(const struct hd_word *w, int lsb, int width)
{
    uint32_t v = 0;
    for (int i = width; i--; )
        v = v << 1 | (w->w[(lsb + i) / 32] >> (lsb + i) % 32 & 1);
    return v;
}

static struct hd_word with(struct hd_word w, int lsb, int width, uint32_t v)
{
    for (int i = 0; i < width; i++) {
        uint32_t bit = 1u << (lsb + i) % 32, *p = &w.w[(lsb + i) / 32];
        *p = v >> i & 1 ? *p | bit : *p & ~bit;
    }
    return w;
}

static struct hd_word word_of(const char *hex)
{
    struct hd_word w;
    char rest;
    if (sscanf(hex, "%8x %8x %8x %8x%c", &w.w[3], &w.w[2], &w.w[1], &w.w[0], &rest) != 4)
        printf("`%s` is no word\n", hex), exit(2);
    return w;
}

/* A field's value, as the word has it. */
static uint32_t value(const struct hd_insn *in, int f)
{
    uint32_t v = 0;
    memcpy(&v, (const char *)in + layout[f].offset, layout[f].size);
    return layout[f].width < 32 ? v & ((1u << layout[f].width) - 1) : v;
}

/* ---- checks --------------------------------------------------------------------------------- */

static void verdict(int line, struct hd_word w, bool stack, bool legal, const char *what)
{
    struct hd_insn in;
    struct decode_ports rtl;
    decode_rtl(w.w, stack, &rtl);
    bool c = hd_decode(&w, stack, &in);
    derived++;
    if (c != legal || rtl.legal != legal)
        FAIL(line, "%s: %08x %08x %08x %08x, %s mode, must be %s: C says %d, RTL %d\n", what,
             w.w[3], w.w[2], w.w[1], w.w[0], stack ? "stack" : "barrier",
             legal ? "legal" : "illegal", c, rtl.legal);
}

static void both(int line, struct hd_word w, enum mode mode, const char *what)
{
    verdict(line, w, false, mode & BARRIER, what);
    verdict(line, w, true, mode & STACK, what);
}

static int registers(const struct vector *v, const char *letters)
{
    for (; *letters; letters++)
        for (int n = 1; n <= 4; n *= 2) {
            const char token[] = { *letters, (char)('0' + n), 0 };
            if (has(v, token))
                return n;
        }
    return 0;
}

/* The format names one of these letters, of immediates and constants. */
static bool second_is(const struct vector *v, const char *letters)
{
    for (; *letters; letters++)
        if (has(v, (const char[]){ *letters, 0 }))
            return true;
    return false;
}

static uint8_t log2_of(int n) { return n == 4 ? 2 : n == 2; }

static struct decode_ports ports_of(const struct vector *v)
{
    int d = registers(v, "d"), a = registers(v, "a"), b = registers(v, "br");
    int c = registers(v, "cv");
    struct decode_ports p = { .legal = 1,
        .reads_a = a > 0, .reads_b = b > 0, .reads_c = c > 0,
        .a_pair = a == 2, .b_pair = b == 2, .b_quad = b == 4, .c_pair = c == 2,
        .b_is_imm = second_is(v, "iIkK"), .b_sext = second_is(v, "IK"),
        .b_is_const = second_is(v, "kK"),
        .writes_rd = d > 0, .rd_size = log2_of(d), .writes_pd = has(v, "p"),
        .all_lanes = has(v, "lanes"), .reads_ps = has(v, "s"), .reads_pt = has(v, "t"),
        .uses_bx = has(v, "x"), .is_load = has(v, "load"), .is_store = has(v, "store"),
        .is_atom = has(v, "atom"), .noguard = has(v, "noguard") };
    p.mem_size = p.is_load || p.is_atom ? log2_of(d) : p.is_store ? log2_of(b) : 0;
    for (uint8_t i = 0; i < 7; i++)
        p.unit = has(v, units[i]) ? i : p.unit;
    for (uint8_t i = 0; i < 5; i++)
        p.space = has(v, spaces[i]) ? i : p.space;
    return p;
}

/* The fields make the word. */
static void check_packing(const struct vector *v, struct hd_word w)
{
    struct hd_word made = with((struct hd_word){ { 0 } }, 0, 9, get(&w, 0, 9));
    for (int f = 0; f < FIELDS; f++)
        if (value(&v->in, f))
            made = with(made, layout[f].lsb, layout[f].width, value(&v->in, f));
    if (memcmp(&made, &w, sizeof w))
        FAIL(v->line, "%s: its fields make another word, %08x %08x %08x %08x\n", v->text,
             made.w[3], made.w[2], made.w[1], made.w[0]);
}

static void check_text(const struct vector *v, struct hd_word w)
{
    struct hd_image *img;
    struct hd_err err = { 0 };
    char text[200];
    snprintf(text, sizeof text, ".mode %s\n%s\n", v->mode == STACK ? "stack" : "barrier", v->text);
    if (hd_asm(v->text, text, &img, &err)) {
        FAIL(v->line, "assembler: %s\n", err.text);
    } else {
        if (img->text_size != sizeof w || memcmp(img->text, &w, sizeof w))
            FAIL(v->line, "%s: the assembler makes another word\n", v->text);
        hd_image_free(img);
    }
    hd_dis_insn(text, sizeof text, &w, NULL, NULL);
    if (strcmp(text, v->text))
        FAIL(v->line, "%s: the disassembler says %s\n", v->text, text);
}

static void check_decoders(const struct vector *v, struct hd_word w)
{
    struct hd_insn in = { 0 };
    struct decode_ports rtl, want = ports_of(v);
    both(v->line, w, v->mode, v->text);
    if (!hd_decode(&w, v->mode == STACK, &in) || in.op != v->in.op)
        FAIL(v->line, "%s: the C decoder finds another row\n", v->text);
    for (int f = 0; f < FIELDS; f++)
        if (value(&in, f) != value(&v->in, f))
            FAIL(v->line, "%s: the C decoder finds %s = %x, not %x\n", v->text, layout[f].name,
                 value(&in, f), value(&v->in, f));
    if (in.off != v->in.off)
        FAIL(v->line, "%s: the C decoder finds offset %d, not %d\n", v->text, in.off, v->in.off);
    decode_rtl(w.w, v->mode == STACK, &rtl);
#define PORT(name) \
    if (rtl.name != want.name) \
        FAIL(v->line, "%s: RTL has " #name " %d, not %d\n", v->text, rtl.name, want.name);
    DECODE_PORTS
}

/* What the vector shows of a field that its format uses. */
static void note(const struct vector *v, int f)
{
    uint32_t x = value(&v->in, f);
    ones[f] |= x, zeros[f] |= ~x, values[f] |= x < 64 ? 1ull << x : 0;
}

/* The bits that words of this format may have set. */
static struct hd_word used_bits(const struct vector *v)
{
    struct hd_word used = with((struct hd_word){ { 0 } }, 0, 14, 0x3fff);
    char copy[120], *save, names[16], *save2;
    snprintf(copy, sizeof copy, "%s", v->format);
    for (char *t = strtok_r(copy, " ", &save); t; t = strtok_r(NULL, " ", &save)) {
        size_t k = 0;
        while (k < sizeof formats / sizeof *formats && strcmp(formats[k].token, t))
            k++;
        if (k == sizeof formats / sizeof *formats)
            printf("decode_vectors.def:%d: `%s` is no format\n", v->line, t), exit(2);
        snprintf(names, sizeof names, "%s", formats[k].fields);
        for (char *n = strtok_r(names, " ", &save2); n; n = strtok_r(NULL, " ", &save2))
            for (int f = 0; f < FIELDS; f++)
                if (!strcmp(layout[f].name, n))
                    used = with(used, layout[f].lsb, layout[f].width, ~0u), note(v, f);
    }
    return used;
}

/* Every bit that the format leaves out, and guards and `.S` where there are none. */
static void check_bits(const struct vector *v, struct hd_word w)
{
    struct hd_word used = used_bits(v);
    for (int bit = 14; bit < 128; bit++)
        if (!get(&used, bit, 1) && !(bit == 14 && second_is(v, "iI")))
            both(v->line, with(w, bit, 1, 1), 0, "a bit that is not used");
    for (int bit = 9; bit < 13 && has(v, "noguard"); bit++)
        both(v->line, with(w, bit, 1, !get(&w, bit, 1)), 0, "a guard");
    for (uint32_t g = 0; g < 16 && !has(v, "noguard"); g++)
        both(v->line, with(w, 9, 4, g), v->mode, "a guard");
    if (!v->in.pop)
        both(v->line, with(w, 13, 1, 1), has(v, "CTL") ? 0 : v->mode & STACK, "`.S`");
}

/* Every value of every register: RZ, or pairs even, quads multiples of four, none up to R255. */
static void check_registers(const struct vector *v, struct hd_word w)
{
    static const struct { const char *letters; int field; } operand[] = {
        { "d", FIELD_RD }, { "a", FIELD_RA }, { "br", FIELD_RB }, { "cv", FIELD_RC } };
    for (int i = 0; i < 4; i++) {
        int n = registers(v, operand[i].letters), lsb = layout[operand[i].field].lsb;
        bool only_rz = i == 3 && registers(v, "v") && v->in.aop != CAS;
        for (uint32_t r = 0; n && r < 256; r++) {
            bool ok = r == 255 || (!only_rz && r % (uint32_t)n == 0 && r + (uint32_t)n <= 255);
            if (has(v, "distinct") && i < 2)
                ok = r == 255 || r != (i ? v->in.rd : v->in.ra);
            both(v->line, with(w, lsb, 8, r), ok ? v->mode : 0, "a register");
        }
    }
}

/* Offsets of constants: multiples of four, of eight for a pair, below 256; none in control. */
static void check_constants(const struct vector *v, struct hd_word w)
{
    const uint32_t unit = second_is(v, "IK") ? 8 : 4;
    if (second_is(v, "iIkK"))
        note(v, FIELD_CB);
    for (uint32_t at = 0; second_is(v, "iIkK") && at < 300; at++)
        for (int high = 0; high < 2; high++) {
            const uint32_t imm = high ? at | 1u << (8 + at % 24) : at;
            both(v->line, with(with(w, 32, 32, imm), 14, 1, 1),
                 imm < 256 && imm % unit == 0 && !has(v, "CTL") ? v->mode : 0, "a constant");
        }
}

/* Values of modifiers that are not listed, and special registers from 25 up. */
static void check_modifiers(const struct vector *v, struct hd_word w)
{
    for (int f = 0; f < FIELDS; f++) {
        char upper[8] = "";
        uint32_t x = (uint32_t)layout[f].listed;
        for (int i = 0; layout[f].name[i]; i++)
            upper[i] = (char)(layout[f].name[i] - 'a' + 'A');
        for (; x && has(v, upper) && x < 1u << layout[f].width; x++)
            both(v->line, with(w, layout[f].lsb, layout[f].width, x), 0, "a value not listed");
    }
    for (int i = 0; has(v, "sreg") && i < 28; i++)
        both(v->line, with(w, 32, 32, 25u << i), 0, "a special register");
}

/* The vectors show every opcode, each bit of each field as 0 and as 1, each value of a modifier. */
static void check_whole(void)
{
    int opcodes = 0;
    for (uint32_t op = 0; op < OPCODES; op++) {
        opcodes += seen[op];
        if (!seen[op])
            both(0, with((struct hd_word){ { 0xe00 } }, 0, 9, op), 0, "no vector has this opcode");
    }
    if (opcodes != OP_COUNT)
        FAIL(0, "the vectors have %d opcodes, the instruction set %d\n", opcodes, OP_COUNT);
    for (int f = 0; f < FIELDS; f++) {
        uint64_t all = layout[f].width < 32 ? (1u << layout[f].width) - 1 : ~0u;
        uint64_t listed = (1ull << layout[f].listed) - 1, shown = ones[f] & zeros[f] & all;
        if (f >= FIELD_RD && !layout[f].listed && shown != all)
            FAIL(0, "%s: no vector sets the bits %llx, or clears %llx\n", layout[f].name,
                 (unsigned long long)(all & ~ones[f]), (unsigned long long)(all & ~zeros[f]));
        if ((values[f] & listed) != listed)
            FAIL(0, "%s: values %llx are in no vector\n", layout[f].name,
                 (unsigned long long)(listed & ~values[f]));
    }
}

int main(void)
{
    for (int i = 0; i < VECTORS; i++) {
        struct hd_word w = word_of(vectors[i].hex);
        seen[get(&w, 0, 9)] = true;
        check_packing(&vectors[i], w);
        check_text(&vectors[i], w);
        check_decoders(&vectors[i], w);
        check_bits(&vectors[i], w);
        check_registers(&vectors[i], w);
        check_modifiers(&vectors[i], w);
        check_constants(&vectors[i], w);
    }
    for (int i = 0; i < ILLEGAL; i++)
        both(illegal[i].line, word_of(illegal[i].hex), 0, illegal[i].why);
    check_whole();
    printf("decode vectors: %d legal and %d illegal words by hand, %ld verdicts, %ld wrong\n",
           VECTORS, ILLEGAL, derived, failures);
    return failures ? 1 : 0;
}
