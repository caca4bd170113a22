/* Generates everything that is derived from isa.def, and refuses a table that contradicts itself.
 * Usage: isagen header|table|vh|insn|decode|doc > file.  The checks run first in each case.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/isa/isagen.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))
#define ALU UNIT_ALU
#define MUL UNIT_MUL
#define FPU UNIT_FPU
#define SFU UNIT_SFU
#define LSU UNIT_LSU
#define CTL UNIT_CTL
#define F64 UNIT_F64

const struct field isa_fields[] = {
#define FIELD(name, lsb, width, what) { #name, lsb, width, what },
#include "cmodel/isa/isa.def"
};
const struct mod isa_mods[] = {
#define MOD(name, lsb, width, ...) { #name, lsb, width, { __VA_ARGS__ } },
#include "cmodel/isa/isa.def"
};
const struct sreg isa_sregs[] = {
#define SREG(name, number, what) { #name, number, what },
#include "cmodel/isa/isa.def"
};
const struct row isa_rows[] = {
#define INSN(id, mnemonic, opcode, operands, mods, unit, flags, effect, sentence) \
    { #id, mnemonic, opcode, operands, mods, unit, flags, #effect, sentence },
#include "cmodel/isa/isa.def"
};
const int isa_nfields = COUNT(isa_fields), isa_nmods = COUNT(isa_mods);
const int isa_nsregs = COUNT(isa_sregs), isa_nrows = COUNT(isa_rows);
const char *const isa_unit_names[] = { "ALU", "MUL", "FPU", "SFU", "LSU", "CTL", "F64" };
/* Global, shared and local are the upper words of generic addresses. */
const char *const isa_space_names[] = { "GLOBAL", "SHARED", "LOCAL", "CONST", "GENERIC" };
const int isa_nspaces = COUNT(isa_space_names);

_Noreturn void isa_die(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("isa.def: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    exit(2);
}

const struct field *isa_field(const char *name)
{
    for (int i = 0; i < isa_nfields; i++)
        if (!strcmp(isa_fields[i].name, name))
            return &isa_fields[i];
    isa_die("no field %s", name);
}

static u128 mask_of(int lsb, int width)
{
    return (((u128)1 << width) - 1) << lsb;
}

u128 isa_field_mask(const char *name)
{
    const struct field *f = isa_field(name);
    return mask_of(f->lsb, f->width);
}

int isa_mod_count(const struct mod *m)
{
    int n = 0;
    while (n < 16 && m->value[n])
        n++;
    return n;
}

/* The name of a value that prints nothing depends on what nothing means. */
const char *isa_mod_value(const struct mod *m, int v)
{
    static const char *const silent[][2] = { { "RM", "RN" }, { "SZ", "32" }, { "AW", "32" } };
    if (*m->value[v])
        return !strcmp(m->value[v], m->name) ? "ON" : m->value[v];
    for (int i = 0; i < COUNT(silent); i++)
        if (!strcmp(m->name, silent[i][0]))
            return silent[i][1];
    return "OFF";
}

bool isa_row_has(const struct row *r, const char *letters)
{
    return strpbrk(r->operands, letters) != NULL;
}

bool isa_row_mod(const struct row *r, const char *name)
{
    size_t n = strlen(name);
    for (const char *s = r->mods; *s; s += *s == ' ') {
        size_t len = strcspn(s, " ");
        if (len == n && !memcmp(s, name, n))
            return true;
        s += len;
    }
    return false;
}

int isa_row_width(const struct row *r, char reg)
{
    static const struct { char reg; const char *one, *two, *sz; } k[] = {
        { 'd', "d", "D", "Q" }, { 'a', "an", "Am", "#" },
        { 'b', "br", "B", "S" }, { 'c', "c", "C", "V" },
    };
    for (int i = 0; i < COUNT(k); i++)
        if (k[i].reg == reg)
            return isa_row_has(r, k[i].one) ? WIDTH_1 : isa_row_has(r, k[i].two) ? WIDTH_2
                 : isa_row_has(r, k[i].sz) ? WIDTH_SZ : WIDTH_NONE;
    isa_die("no register operand %c", reg);
}

bool isa_row_constant(const struct row *r)
{
    return isa_row_has(r, "bB") && r->unit != UNIT_CTL;
}

int isa_row_space(const struct row *r, const char *routine)
{
    char text[64];
    for (int i = 0; i < isa_nspaces; i++) {
        snprintf(text, sizeof text, "%s(SPACE_%s)", routine, isa_space_names[i]);
        if (!strcmp(text, r->effect))
            return i;
    }
    return -1;
}

/* Marks a field as used by a row; two uses of a bit are an error. */
static void use(const struct row *r, u128 *used, u128 mask)
{
    if (*used & mask)
        isa_die("%s uses a bit twice", r->id);
    *used |= mask;
}

/* Bits that may be set in a legal word of this row; imm: with an immediate as second source. */
u128 isa_row_used(const struct row *r, bool imm)
{
    static const struct { const char *letters, *fields[2]; } k[] = {
        { "dDQ", { "rd" } }, { "aA", { "ra" } }, { "rS", { "rb" } }, { "cCV", { "rc" } },
        { "p", { "pd" } }, { "t", { "pq" } }, { "s", { "ps", "sn" } },
        { "x", { "bx" } }, { "@", { "imm" } }, { "z", { "imm" } }, { "l", { "lut" } },
        { "m", { "ra", "off" } }, { "n", { "ra", "off" } },
    };
    u128 used = 0;
    use(r, &used, isa_field_mask("op") | isa_field_mask("pg") | isa_field_mask("pn") |
                  isa_field_mask("pop"));
    for (int i = 0; i < COUNT(k); i++)
        for (int j = 0; isa_row_has(r, k[i].letters) && j < 2 && k[i].fields[j]; j++)
            use(r, &used, isa_field_mask(k[i].fields[j]));
    if (isa_row_has(r, "bB"))
        use(r, &used, isa_field_mask(imm ? "imm" : "rb") | isa_field_mask("bi"));
    if (imm && isa_row_constant(r))
        use(r, &used, isa_field_mask("cb"));
    for (int i = 0; i < isa_nmods; i++)
        if (isa_row_mod(r, isa_mods[i].name))
            use(r, &used, mask_of(isa_mods[i].lsb, isa_mods[i].width));
    for (int i = 0; i < isa_nfields; i++)
        if (isa_row_mod(r, isa_fields[i].name))
            use(r, &used, isa_field_mask(isa_fields[i].name));
    return used;
}

/* Every word in mods names a MOD, or one of the operand signs. */
static void check_mods(const struct row *r)
{
    char text[128], *save;
    snprintf(text, sizeof text, "%s", r->mods);
    for (char *t = strtok_r(text, " ", &save); t; t = strtok_r(NULL, " ", &save)) {
        bool ok = strlen(t) == 2 && strstr("na aa nb ab nc", t);
        for (int i = 0; i < isa_nmods; i++)
            ok |= !strcmp(isa_mods[i].name, t);
        if (!ok)
            isa_die("%s: modifier %s is unknown", r->id, t);
    }
    bool sized = isa_row_has(r, "QSV");
    if (sized != (isa_row_mod(r, "SZ") || isa_row_mod(r, "AW")))
        isa_die("%s: Q, S and V need .SZ or .AW, and the reverse", r->id);
}

/* The effect mentions an operand if and only if the row has it. */
static void check_effect(const struct row *r)
{
    bool seen[256] = { false };
    int depth = 0;
    for (const char *s = r->effect; *s; ) {
        size_t n = 0;
        while (isalnum((unsigned char)s[n]) || s[n] == '_')
            n++;
        if (n == 1)
            seen[(unsigned char)*s] = true;
        if (n == 2 && !strncmp(s, "pd", 2))
            seen['p'] = true;
        if (n == 2 && !strncmp(s, "ps", 2))
            seen['s'] = true;
        if (n == 2 && !strncmp(s, "pt", 2))
            seen['t'] = true;
        if (*s == '(' || *s == ')')
            depth += *s == '(' ? 1 : -1;
        if (depth < 0)
            isa_die("%s: parentheses of the effect", r->id);
        s += n ? n : 1;
    }
    if (depth)
        isa_die("%s: parentheses of the effect", r->id);
    if (!*r->effect || !strncmp(r->effect, "WARP_", 5))
        return;
    for (const char *s = "dDabcABCpst"; *s; s++) {
        bool has = isa_row_has(r, (char[]){ *s, 0 });
        bool wide = *s == 'D' && isa_row_has(r, "d");   /* scratch for a carry */
        if (has != seen[(unsigned char)*s] && !wide)
            isa_die("%s: operand %c is in operands or effect, not in both", r->id, *s);
    }
}

static void check_table(void)
{
    for (int i = 0; i < isa_nmods; i++)
        if (isa_mod_count(&isa_mods[i]) > 1 << isa_mods[i].width)
            isa_die("MOD %s has more values than its field", isa_mods[i].name);
    for (int i = 0; i < isa_nsregs; i++)
        if (isa_sregs[i].number != i)
            isa_die("SREG %s: numbers must be dense", isa_sregs[i].name);
    if (isa_nrows > 255)
        isa_die("more than 255 rows");
    for (int i = 0; i < isa_nrows; i++) {
        const struct row *r = &isa_rows[i];
        for (int j = 0; j < i; j++) {
            /* The opcode alone selects the row, so this makes every word match one at most. */
            if (isa_rows[j].opcode == r->opcode)
                isa_die("%s and %s match the same words", isa_rows[j].id, r->id);
            if (!strcmp(isa_rows[j].id, r->id) || !strcmp(isa_rows[j].mnemonic, r->mnemonic))
                isa_die("%s and %s have one name", isa_rows[j].id, r->id);
        }
        if (r->opcode >> isa_field("op")->width)
            isa_die("%s: opcode is too large", r->id);
        if (strlen(r->operands) != strspn(r->operands, "dDQaAbrBcCSVpstx@mnlz,"))
            isa_die("%s: operands \"%s\"", r->id, r->operands);
        isa_row_used(r, false), isa_row_used(r, true);
        check_mods(r);
        check_effect(r);
    }
}

/* FNV-1a over everything that changes what a word means; sentences do not, nor does F_LANES. */
static uint64_t fnv(uint64_t h, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    for (const char *s = text; *s; s++)
        h = (h ^ (unsigned char)*s) * 0x100000001b3u;
    return h;
}

uint64_t isa_hash(void)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (int i = 0; i < isa_nfields; i++)
        h = fnv(h, "F %s %d %d\n", isa_fields[i].name, isa_fields[i].lsb, isa_fields[i].width);
    for (int i = 0; i < isa_nmods; i++) {
        h = fnv(h, "M %s %d %d", isa_mods[i].name, isa_mods[i].lsb, isa_mods[i].width);
        for (int v = 0; v < isa_mod_count(&isa_mods[i]); v++)
            h = fnv(h, " %s", isa_mods[i].value[v]);
        h = fnv(h, "\n");
    }
    for (int i = 0; i < isa_nsregs; i++)
        h = fnv(h, "S %s %d\n", isa_sregs[i].name, isa_sregs[i].number);
    for (int i = 0; i < isa_nrows; i++) {
        const struct row *r = &isa_rows[i];
        h = fnv(h, "I %s %d %s %s %d %d %s\n", r->mnemonic, r->opcode, r->operands, r->mods,
                r->unit, r->flags & ~F_LANES, r->effect);
    }
    return h;
}

static void put_upper(FILE *f, const char *s)
{
    for (; *s; s++)
        fputc(toupper((unsigned char)*s), f);
}

/* build/gen/isa_gen.h */
static void write_header(FILE *f)
{
    fputs("/* Names of the instruction set.  Generated from isa.def: do not edit. */\n"
          "#ifndef ISA_GEN_H\n#define ISA_GEN_H\n\n", f);
    fprintf(f, "#define ISA_HASH 0x%016llxull"
               "  /* of everything that a word's meaning hangs on */\n\n",
            (unsigned long long)isa_hash());
    fputs("enum hd_op {\n", f);
    for (int i = 0; i < isa_nrows; i++)
        fprintf(f, "\tOP_%s,\n", isa_rows[i].id);
    fputs("\tOP_COUNT\n};\n\nenum hd_unit {", f);
    for (int i = 0; i < UNIT_COUNT; i++)
        fprintf(f, " UNIT_%s,", isa_unit_names[i]);
    fputs(" UNIT_COUNT };\nenum hd_space {", f);
    for (int i = 0; i < isa_nspaces; i++)
        fprintf(f, " SPACE_%s,", isa_space_names[i]);
    fprintf(f, " SPACE_COUNT };\n"
               "enum { F_NOGUARD = %d, F_LANES = %d, F_BARRIER = %d, F_STACK = %d, "
            "F_DISTINCT = %d };\n", F_NOGUARD, F_LANES, F_BARRIER, F_STACK, F_DISTINCT);
    fprintf(f, "#define HD_RZ %d  /* reads as zero, takes every write */\n"
            "#define HD_PT %d    /* always true */\n", ISA_RZ, ISA_PT);
    fprintf(f, "#define OPERAND_BYTES %d /* bytes of the constant bank that are operands */\n",
            ISA_OPERAND_BYTES);
    fputs("/* How many registers an operand is; WIDTH_SZ: as .SZ or .AW says. */\n"
          "enum hd_width { WIDTH_NONE, WIDTH_1, WIDTH_2, WIDTH_SZ };\n\n", f);
    for (int i = 0; i < isa_nfields; i++) {
        fputs("#define ISA_", f), put_upper(f, isa_fields[i].name);
        fprintf(f, "_LSB %d\n#define ISA_", isa_fields[i].lsb), put_upper(f, isa_fields[i].name);
        fprintf(f, "_WIDTH %d\n", isa_fields[i].width);
    }
    fputs("\nenum hd_mod {", f);
    for (int i = 0; i < isa_nmods; i++)
        fprintf(f, " MOD_%s,", isa_mods[i].name);
    fputs(" MOD_COUNT };\n", f);
    for (int i = 0; i < isa_nmods; i++) {
        fputs("enum {", f);
        for (int v = 0; v < isa_mod_count(&isa_mods[i]); v++)
            fprintf(f, " %s_%s,", isa_mods[i].name, isa_mod_value(&isa_mods[i], v));
        fputs(" };\n", f);
    }
    fputs("\nenum hd_sreg {\n", f);
    for (int i = 0; i < isa_nsregs; i++)
        fprintf(f, "\tSREG_%s = %d, /* %s */\n", isa_sregs[i].name, isa_sregs[i].number,
                isa_sregs[i].what);
    fputs("\tSREG_COUNT\n};\n#endif\n", f);
}

static void put_mask(FILE *f, u128 m)
{
    fprintf(f, "{ { 0x%08x, 0x%08x, 0x%08x, 0x%08x } }", (uint32_t)m, (uint32_t)(m >> 32),
            (uint32_t)(m >> 64), (uint32_t)(m >> 96));
}

/* build/gen/isa_table.h: the initialisers of hd_ops, hd_mods and hd_sreg_names. */
static void write_table(FILE *f)
{
    fputs("/* The tables of the instruction set.  Generated from isa.def: do not edit. */\n", f);
    fputs("const struct hd_op_info hd_ops[OP_COUNT] = {\n", f);
    for (int i = 0; i < isa_nrows; i++) {
        const struct row *r = &isa_rows[i];
        fprintf(f, "\t{ \"%s\", \"%s\", \"%s\", \"%s\",\n\t  \"%s\",\n\t  0x%03x, UNIT_%s, %d,"
                " { %d, %d, %d, %d },\n\t  {", r->mnemonic, r->operands, r->mods, r->effect,
                r->sentence, r->opcode, isa_unit_names[r->unit], r->flags, isa_row_width(r, 'd'),
                isa_row_width(r, 'a'), isa_row_width(r, 'b'), isa_row_width(r, 'c'));
        int n = 0;
        for (int m = 0; m < isa_nmods; m++)
            if (isa_row_mod(r, isa_mods[m].name))
                fprintf(f, " MOD_%s,", isa_mods[m].name), n++;
        fprintf(f, "%s }, %d,\n\t  ", n ? "" : " 0", n);
        put_mask(f, isa_row_used(r, false));
        fputs(",\n\t  ", f);
        put_mask(f, isa_row_used(r, true));
        fputs(" },\n", f);
    }
    fputs("};\n\nconst struct hd_mod_info hd_mods[MOD_COUNT] = {\n", f);
    for (int i = 0; i < isa_nmods; i++) {
        const struct mod *m = &isa_mods[i];
        fprintf(f, "\t{ \"%s\", %d, %d, %d, offsetof(struct hd_insn, ", m->name, m->lsb, m->width,
                isa_mod_count(m));
        for (const char *s = m->name; *s; s++)
            fputc(tolower((unsigned char)*s), f);
        fputs("), {", f);
        for (int v = 0; v < isa_mod_count(m); v++)
            fprintf(f, " \"%s\",", m->value[v]);
        fputs(" } },\n", f);
    }
    fputs("};\n\nconst char *const hd_sreg_names[SREG_COUNT] = {\n", f);
    for (int i = 0; i < isa_nsregs; i++)
        fprintf(f, "\t\"SR_%s\",\n", isa_sregs[i].name);
    fprintf(f, "};\n\n/* Row of an opcode, plus one; 0: none. */\n"
            "static const unsigned char op_of_opcode[%d] = {\n", 1 << isa_field("op")->width);
    for (int i = 0; i < isa_nrows; i++)
        fprintf(f, "\t[0x%03x] = OP_%s + 1,\n", isa_rows[i].opcode, isa_rows[i].id);
    fputs("};\n", f);
}

int main(int argc, char **argv)
{
    static const struct { const char *name; void (*write)(FILE *); } outputs[] = {
        { "header", write_header }, { "table", write_table }, { "vh", isagen_rtl_header },
        { "insn", isagen_rtl_insn }, { "decode", isagen_rtl_decode }, { "doc", isagen_doc },
    };
    check_table();
    for (int i = 0; argc == 2 && i < COUNT(outputs); i++)
        if (!strcmp(argv[1], outputs[i].name)) {
            outputs[i].write(stdout);
            return fflush(stdout) || ferror(stdout) ? 2 : 0;
        }
    fputs("usage: isagen header|table|vh|insn|decode|doc > file\n", stderr);
    return 2;
}
