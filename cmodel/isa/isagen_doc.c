/* Writes docs/isa.md from isa.def: the formats as pictures, then a section for each unit.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/isa/isagen.h"
#include <string.h>

/* How an operand is written in assembler. */
static const struct { char letter; const char *text; } operands[] = {
    { 'd', "Rd" }, { 'D', "Rd:64" }, { 'Q', "Rd:sz" }, { 'a', "Ra" },
    { 'A', "Ra:64" }, { 'b', "Rb/imm" }, { 'r', "Rb" },
    { 'B', "Rb:64/imm" }, { 'c', "Rc" }, { 'C', "Rc:64" },
    { 'S', "Rb:sz" }, { 'V', "Rc:sz" }, { 'p', "Pd" }, { 'q', "Pq" },
    { 's', "[!]Ps" }, { 't', "Pq" }, { 'x', "Bx" }, { '@', "target" },
    { 'm', "[Ra:64+off]" }, { 'n', "[Ra+off]" }, { 'l', "lut" },
    { 'z', "SR_name" },
};

static const char *operand_text(char c)
{
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
        if (operands[i].letter == c)
            return operands[i].text;
    return "?";
}

/* Markdown cells end at a bar. */
static void put_cell(FILE *f, const char *s)
{
    for (; *s; s++)
        fprintf(f, "%s%c", *s == '|' ? "\\" : "", *s);
}

static const char intro[] =
    "# The instruction set\n\n"
    "<!-- Generated from cmodel/isa/isa.def by `make docs`: do not edit. -->\n\n"
    "An instruction is 128 bits, little endian.  PCs are byte offsets into `.text`, in steps of 16.\n"
    "A word is legal when its opcode names a row below, every bit that the row does not use is zero,\n"
    "every modifier holds a listed value, and registers that hold a pair (quad) are even (a multiple\n"
    "of four) or RZ; there is no pair at R254 and no quad at R252.\n\n"
    "Registers are R0 to R254, 32 bits, and RZ (255), which reads as zero.  Predicates are P0 to P6 and\n"
    "PT (7), which is true.  `@P0` and `@!P0` guard an instruction.  A lane whose guard does not hold\n"
    "does not execute it.\n\n"
    "In effects, `a b c d` are 32 bits of the operands Ra, Rb or immediate, Rc, Rd; `A B C D` 64 bits;\n"
    "`ps pt` source and `pd` destination predicates; `m` the modifiers; `WARP_...` act on the whole warp.\n"
    "`u32 s32 u64 s64` are C's integers.\n\n";

static const char syntax[] =
    "## Assembler\n\n"
    "    // comment, or # comment\n"
    "    .mode barrier                 barrier or stack, before the first instruction\n"
    "    .kernel saxpy                 a kernel starts here; the next lines describe it:\n"
    "    .regs 16                      registers a thread; .barriers N, .shared BYTES, .local BYTES a lane,\n"
    "                                  .maxthreads N, .paramsize BYTES\n"
    "    .param x u64 8                name, type, size, and offset, if it is not the next aligned one\n"
    "        .loc \"saxpy.cu\" 3         source line of the instructions that follow\n"
    "        .strong                   other threads may meet the next access: volatile, relaxed, of an atomic; `.strong known`:\n"
    "                                  accesses without it are ordinary ones, whose races are found\n"
    "        S2R R0, SR_TID_X          operands in the order of the tables below; `;` may end a line\n"
    "        MOV R4, &table+8          address of global data: a relocation\n"
    "    loop:                         a label, for branches\n"
    "        @!P0 BRA loop\n"
    "        FADD.FTZ R1, -R2, |R3|    modifiers after dots, in any order; the default is left out\n"
    "        FADD R1, R2, -1.5         immediates: 42, -1, 0x2a, 1.5, 0f3fc00000\n"
    "        IADD.64 R2, R4, c[0x8]    a constant: of the bank, where the parameters are\n"
    "        EXIT\n"
    "    .func f [SIZE]                a function: a symbol\n"
    "        .insn 0, 0, 0, 0          any word\n"
    "    .const                        data in the constant bank, after the parameters\n"
    "    .object name [SIZE]           a symbol; without SIZE it reaches to the next one\n"
    "        .word 1, f                32 bits; .byte, .quad; .zero N; .align N\n"
    "    .global                       data in global memory; .galign N, its alignment\n\n"
    "`heddle dis` writes this form again, and it assembles to the same file.\n\n";

static void put_fields(FILE *f)
{
    fputs("## Fields\n\n"
          "     63                                    32 31    24 23    16 14 13 12  9 8        0\n"
          "    +----------------------------------------+--------+--------+------+-----+---------+\n"
          "    |       imm, or off (63:40) and rb       |   ra   |   rd   |cb,pop|guard|  opcode |\n"
          "    +----------------------------------------+--------+--------+------+-----+---------+\n"
          "     127  121 120 118 117  110 109    92 91      86 85 82 81 78 77   72 71        64\n"
          "    +--------+-------+--------+---------+----------+-----+-----+-------+------------+\n"
          "    |   0    |  fn   |  lut   |modifiers| signs, bi| bx  |sn ps| pq pd |     rc     |\n"
          "    +--------+-------+--------+---------+----------+-----+-----+-------+------------+\n\n"
          "| field | bits | what |\n| --- | --- | --- |\n", f);
    for (int i = 0; i < isa_nfields; i++) {
        const struct field *d = &isa_fields[i];
        fprintf(f, "| %s | %d", d->name, d->lsb + d->width - 1);
        if (d->width > 1)
            fprintf(f, ":%d", d->lsb);
        fputs(" | ", f), put_cell(f, d->what), fputs(" |\n", f);
    }
    fputs("\n## Modifiers\n\nAn em dash is the default, which is not written.  `.S`, last, sets `pop`"
          " (stack mode).\n\n| modifier | bits | values, from 0 |\n| --- | --- | --- |\n", f);
    for (int i = 0; i < isa_nmods; i++) {
        const struct mod *m = &isa_mods[i];
        fprintf(f, "| %s | %d", m->name, m->lsb + m->width - 1);
        if (m->width > 1)
            fprintf(f, ":%d", m->lsb);
        fputs(" |", f);
        for (int v = 0; v < isa_mod_count(m); v++)
            fprintf(f, " %s%s", *m->value[v] ? "." : "—", m->value[v]);
        fputs(" |\n", f);
    }
    fputs("\n", f);
}

static void put_syntax(FILE *f, const struct row *r)
{
    fprintf(f, "`%s", r->mnemonic);
    for (int i = 0; i < isa_nmods; i++)
        if (isa_row_mod(r, isa_mods[i].name))
            fprintf(f, ".%s", isa_mods[i].name);
    const char *comma = " ";
    for (const char *s = r->operands; *s; s++) {
        static const struct { const char *letters, *neg, *abs; } k[] = {
            { "aA", "na", "aa" }, { "bBr", "nb", "ab" }, { "cC", "nc", "--" },
        };
        if (*s == ',')
            continue;
        fputs(comma, f);
        comma = ", ";
        for (int i = 0; i < 3; i++)
            if (strchr(k[i].letters, *s) && isa_row_mod(r, k[i].neg))
                fputs(isa_row_mod(r, k[i].abs) ? "±abs " : "± ", f);
        fputs(operand_text(*s), f);
    }
    fputs("`", f);
}

/* 128 bits from the left; each field is a letter, repeated: see pattern_key. */
static void put_pattern(FILE *f, const struct row *r)
{
    char bits[128];
    u128 seen = 0;
    static const struct { const char *field; char letter; } k[] = {
        { "pg", 'g' }, { "pn", 'g' }, { "rd", 'd' }, { "ra", 'a' }, { "rc", 'c' }, { "pd", 'p' },
        { "pq", 'q' }, { "ps", 's' }, { "sn", 's' }, { "bx", 'x' }, { "bi", 'i' }, { "cb", 'k' }, { "na", '-' },
        { "aa", '|' }, { "nb", '-' }, { "ab", '|' }, { "nc", '-' }, { "lut", 'l' }, { "off", 'o' },
        { "imm", 'b' }, { "rb", 'b' },
    };
    u128 used = isa_row_used(r, false) | isa_row_used(r, true);
    bool memory = isa_row_has(r, "mn");
    for (int b = 0; b < 128; b++)
        bits[b] = used >> b & 1 ? 'm' : '.';
    for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
        if ((!strcmp(k[i].field, "imm") && memory) || (!strcmp(k[i].field, "off") && !memory))
            continue;
        u128 m = isa_field_mask(k[i].field) & used & ~seen;
        for (int b = 0; b < 128; b++)
            if (m >> b & 1)
                bits[b] = k[i].letter;
        seen |= m;
    }
    for (int b = 0; b < 9; b++)
        bits[b] = '0' + (r->opcode >> b & 1);
    bits[13] = r->flags & F_BARRIER ? '.' : 'S';
    if (r->flags & F_NOGUARD)
        memcpy(bits + 9, "1110", 4);
    for (int w = 1; w >= 0; w--) {
        fputs(w ? "    127 " : "     63 ", f);
        for (int b = 63; b >= 0; b--)
            fprintf(f, "%c%s", bits[64 * w + b], b % 8 || !b ? "" : " ");
        fputs(w ? " 64\n" : "  0\n", f);
    }
}

static const char pattern_key[] =
    "In the bit patterns: `0 1` fixed, `.` zero, `g` guard, `S` pop, `d a b c` registers (or an immediate\n"
    "in place of `b`: `i` says which, with `k` it is a constant's offset), `o` offset, `p q s` predicates, `x` bx, `l` lut, `- |` signs,\n"
    "`m` modifiers.\n\n";

static void put_row(FILE *f, const struct row *r)
{
    fprintf(f, "### %s\n\n", r->mnemonic);
    put_syntax(f, r);
    if (r->flags & F_BARRIER)
        fputs(" — barrier mode", f);
    if (r->flags & F_STACK)
        fputs(" — stack mode", f);
    if (r->flags & F_NOGUARD)
        fputs(" — no guard", f);
    fprintf(f, "\n\n%s\n\n", r->sentence);
    put_pattern(f, r);
    if (*r->effect)
        fprintf(f, "\n    %s\n", r->effect);
    fputs("\n", f);
}

void isagen_doc(FILE *f)
{
    static const char *const titles[UNIT_COUNT] = { "Integer, logic, votes and shuffles (ALU)",
        "Multiplication (MUL)", "Floating point (FPU)", "Approximations (SFU)", "Memory (LSU)",
        "Control (CTL)", "Double precision (F64)" };
    fputs(intro, f);
    put_fields(f);
    fputs("## Special registers\n\n| number | name | what |\n| --- | --- | --- |\n", f);
    for (int i = 0; i < isa_nsregs; i++)
        fprintf(f, "| %d | SR_%s | %s |\n", isa_sregs[i].number, isa_sregs[i].name, isa_sregs[i].what);
    fputs("\n", f);
    fputs(syntax, f);
    fputs("## Index\n\n| opcode | syntax | what |\n| --- | --- | --- |\n", f);
    for (int i = 0; i < isa_nrows; i++) {
        fprintf(f, "| %03x | ", isa_rows[i].opcode);
        put_syntax(f, &isa_rows[i]);
        fputs(" | ", f), put_cell(f, isa_rows[i].sentence), fputs(" |\n", f);
    }
    fputs("\n`Rd:64` is a pair, `Rd:sz` as many registers as `.SZ` or `.AW` says, `Rb/imm` a register, an\n"
          "immediate (sign-extended if the other operand is a pair), or, but in control instructions, a\n"
          "constant `c[0x10]`: the word or pair at that multiple of its size, below 256, in the constant\n"
          "bank.  Where the pair of words there is not whole in the bank, and on a core without a constant\n"
          "cache, the instruction is illegal. `±` may be negated, `±abs` also `|Ra|`.\n\n", f);
    fputs(pattern_key, f);
    for (int u = 0; u < UNIT_COUNT; u++) {
        fprintf(f, "## %s\n\n", titles[u]);
        for (int i = 0; i < isa_nrows; i++)
            if (isa_rows[i].unit == u)
                put_row(f, &isa_rows[i]);
    }
}
