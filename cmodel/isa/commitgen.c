/* Generates from commit.def, csr.def, told.def and rtl/events.def what is not C: the probe's wires,
 * what a board sends of them and how it tells a schedule, the core's names of codes and launch
 * registers, which wires Verilator keeps, and pages of docs/.  Usage: commitgen
 * vh|wire|codes|csr|told|doc|seen|shown|events > file.  Host program only.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include "cmodel/isa/commit.h"
#include "cmodel/isa/digest.h"

static const struct { const char *name; unsigned bits; } members[] = {
#define MEMBER(type, name, dimensions) { #name, 8 * sizeof ((struct hd_commit *)0)->name },
#include "cmodel/isa/commit.def"
};
static const struct { const char *name, *elements, *part, *valid, *sentence; } fields[] = {
#define FIELD(path, elements, form, part, valid, sentence)                                         \
    { #path, #elements, #part, #valid, sentence },
#include "cmodel/isa/commit.def"
};
struct code { const char *name; unsigned code; const char *what; };
static const struct code faults[] = {
#define FAULT(name, what) { #name, HD_FAULT_##name, what },
#include "cmodel/isa/commit.def"
}, waits[] = {
#define WAIT(name, code, letter, mark, brief, where, words, what) { #name, code, what },
#include "cmodel/isa/commit.def"
}, tokens[] = {
#define TOKEN(name, code, what) { #name, code, what },
#include "cmodel/isa/commit.def"
};
static const struct {
    const char *prefix, *title;
    const struct code *list;
    unsigned n, bits;
} codes[] = {
#define CODES(list) list, sizeof list / sizeof list[0]
    { "FAULT", "Faults", CODES(faults), 4 },
    { "WAIT", "Why a lane does not run", CODES(waits), 8 },
    { "TOKEN", "Kinds of tokens", CODES(tokens), 2 },
};
static const struct { const char *name; unsigned offset; } registers[] = {
#define CSR(name, offset, access, what) { #name, offset },
#include "cmodel/isa/csr.def"
};
static const struct { const char *name; unsigned code; } told[] = {
#define TOLD(name, code, what) { #name, code },
#include "cmodel/isa/told.def"
};
struct seen { const char *name, *place, *module, *wire, *view, *what; unsigned bits, n; };
#define IN1(a) #a
#define IN2(a, b) #a "." #b
#define IN3(a, b, c) #a "." #b "." #c
static const struct seen seen[] = {
#define SEEN(name, place, module, wire, bits, n, guard, what)                                      \
    { #name, place, #module, #wire, "lockstep", what, bits, n },
#define SHOWN(name, place, module, wire, bits, n, view, what)                                      \
    { #name, place, #module, #wire, view, what, bits, n },
#include "rtl/events.def"
};
#define BANK(place, module, generate, k, wire) #module, #wire
static const char *const bank[] = { SEEN_BANK(BANK, ) };
enum { SEEN_ALL = sizeof seen / sizeof seen[0] };
enum { MEMBERS = sizeof members / sizeof members[0], FIELDS = sizeof fields / sizeof fields[0],
       KINDS = sizeof codes / sizeof codes[0], REGISTERS = sizeof registers / sizeof registers[0],
       TOLD_KINDS = sizeof told / sizeof told[0] };

static void wires(void)
{
    printf("// Generated from cmodel/isa/commit.def: the wires of the commit record.\n");
    for (int i = 0; i < MEMBERS; i++)
        printf("  logic [%u:0] c_%s;\n", members[i].bits - 1, members[i].name);
    printf("`define COMMIT_RECORD {");
    for (int i = 0; i < MEMBERS; i++)
        printf("%sc_%s", i ? ", " : "", members[i].name);
    printf("}\n");
}

/* Word k of member i, which is filled up to whole words. */
static void word(int i, const char *k)
{
    if (members[i].bits < 32)
        printf("32'(c_%s)", members[i].name);
    else
        printf("c_%s[32*%s +: 32]", members[i].name, k);
}

/* Their sums are taken as the lanes come (rtl/fpga/sums.vh). */
static bool streamed(const char *member)
{
    return !strcmp(member, "val") || !strcmp(member, "addr") || !strcmp(member, "wdata");
}

/* Where there are whole records, they must have what beats have brought. */
static void agreement(void)
{
    printf("`ifndef COMMIT_THIN\n  logic [63:0] whole;\n`endif\n  logic agrees;\n"
           "  always_comb begin\n    agrees = 1'b1;\n`ifndef COMMIT_THIN\n    whole = 64'd0;\n");
    for (int i = 0; i < MEMBERS; i++)
        if (streamed(members[i].name))
            printf("    if (valid_i) begin\n      whole = 64'd0;\n"
                   "      for (int i = 0; i < %u; i = i + 1) whole = {times_x(whole[63:32]) ^ "
                   "c_%s[32*i +: 32], whole[31:0] ^ c_%s[32*i +: 32]};\n"
                   "      agrees = agrees && whole == %s_sums;\n    end\n",
                   members[i].bits / 32, members[i].name, members[i].name, members[i].name);
    printf("`endif\n  end\n");
}

/* The sums of a piece of the record: its number and how many words it has. */
struct piece { unsigned node, words; };
static unsigned nodes;

/* A word: it is its own sums.  What is streamed: sums that are there. */
static struct piece leaf(int i, unsigned k)
{
    char at[12];
    snprintf(at, sizeof at, "%u", k);
    printf("  wire [63:0] sums_%u = ", nodes);
    if (streamed(members[i].name)) {
        printf("%s_sums;\n", members[i].name);
        return (struct piece){ nodes++, members[i].bits / 32 };
    }
    printf("{2{");
    word(i, at);
    printf("}};\n");
    return (struct piece){ nodes++, 1 };
}

/* Of neighbours: the first one's words weigh more by x to the number of the second one's. */
static struct piece joined(struct piece a, struct piece b)
{
    uint32_t x = 1;
    for (unsigned i = 0; i < b.words; i++)
        x = x << 1 ^ (x >> 31 ? 0x00400007u : 0);
    printf("  wire [63:0] sums_%u = {times(sums_%u[63:32], 32'h%08x), sums_%u[31:0]} ^ sums_%u;\n",
           nodes, a.node, x, a.node, b.node);
    return (struct piece){ nodes++, a.words + b.words };
}

/* As a tree, since a chain would be as deep as the record has words. */
static void digest(void)
{
    struct piece pieces[sizeof(struct hd_commit) / 4];
    unsigned n = 0;
    for (int i = 0; i < MEMBERS; i++) {
        const unsigned leaves = streamed(members[i].name) ? 1 : (members[i].bits + 31) / 32;
        for (unsigned k = 0; k < leaves && !digest_leaves_out(members[i].name); k++)
            pieces[n++] = leaf(i, k);
    }
    for (; n > 1; n = (n + 1) / 2)
        for (unsigned k = 0; k < n; k += 2)
            pieces[k / 2] = k + 1 < n ? joined(pieces[k], pieces[k + 1]) : pieces[k];
    printf("  assign {weighed_o, parity_o} = sums_%u ^ {64{!agrees}};\n", pieces[0].node);
}

/* What a board sends of a record: a word of it, and what its digest takes (digest.h). */
static void wire(void)
{
    unsigned at = 0;
    printf("// Generated from cmodel/isa/commit.def: the record in words, and what a digest has of "
           "it (digest.h).\n"
           "`ifdef COMMIT_THIN\n  assign word_o = 32'd0;\n`else\n"
           "  always_comb begin\n    word_o = 32'd0;\n    if (valid_i) begin\n");
    for (int i = 0; i < MEMBERS; i++) {
        const unsigned words = (members[i].bits + 31) / 32;
        char k[40];
        snprintf(k, sizeof k, "(at_i - 9'd%u)", at);
        printf("      %sif (at_i < 9'd%u) word_o = ", i ? "else " : "", at + words);
        word(i, k);
        printf(";\n");
        at += words;
    }
    printf("    end\n  end\n`endif\n");
    agreement();
    digest();
}

static void code_names(void)
{
    printf("// Codes of faults, waits and tokens, and the size of a record.  Generated from "
           "commit.def: do not edit.\n"
           "// Include it inside a module; which constants a module uses is its own business.\n"
           "// verilator lint_off UNUSEDPARAM\n");
    for (int i = 0; i < KINDS; i++)
        for (unsigned k = 0; k < codes[i].n; k++)
            printf("localparam [%u:0] %s_%s = %u'h%0*x;\n", codes[i].bits - 1, codes[i].prefix,
                   codes[i].list[k].name, codes[i].bits, (int)(codes[i].bits + 3) / 4,
                   codes[i].list[k].code);
    unsigned words = 0;
    for (int i = 0; i < MEMBERS; i++)
        words += (members[i].bits + 31) / 32;
    printf("localparam [8:0] RECORD_WORDS = 9'd%u;\nlocalparam [31:0] RECORD_TABLE = 32'h%08x;\n",
           words, digest_table());
    printf("// verilator lint_on UNUSEDPARAM\n");
}

static void register_names(void)
{
    printf(
        "// Launch and status registers, by word: byte offset / 4.  Generated from csr.def: do "
        "not edit.\n"
        "// verilator lint_off UNUSEDPARAM\n");
    for (int i = 0; i < REGISTERS; i++)
        printf("localparam [9:0] CSR_%s = 10'h%03x;\n", registers[i].name, registers[i].offset / 4);
    printf("// verilator lint_on UNUSEDPARAM\n");
}

static void told_names(void)
{
    printf("// What a board tells of a schedule.  Generated from told.def: do not edit.\n"
           "// verilator lint_off UNUSEDPARAM\n");
    for (int i = 0; i < TOLD_KINDS; i++)
        printf("localparam [2:0] TOLD_%s = 3'd%u;\n", told[i].name, told[i].code);
    printf("// verilator lint_on UNUSEDPARAM\n");
}

/* `c->mem > 1' is printed as `mem > 1'; what always holds as nothing. */
static void condition(const char *s)
{
    if (!strcmp(s, "1"))
        return;
    putchar('`');
    for (; *s; s++)
        if (!strncmp(s, "c->", 3))
            s += 2;
        else if (*s == '|')
            printf("\\|");
        else
            putchar(*s);
    putchar('`');
}

static void page(void)
{
    const char *part = "";
    printf(
        "# The fields of a commit record\n\n"
        "Generated from `cmodel/isa/commit.def` (`make docs`). [lockstep.md](lockstep.md) says "
        "how they are compared.\n"
        "A field is zero if its condition does not hold. The values of lanes that did not execute "
        "are zero.\n\n"
        "| part | field | elements | applies when | what it is |\n"
        "| --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < FIELDS; i++) {
        printf("| ");
        for (const char *s = strcmp(part, fields[i].part) ? fields[i].part : ""; *s; s++)
            putchar(*s | 0x20);
        part = fields[i].part;
        printf(" | `%s` | %s | ", fields[i].name,
               !strcmp(fields[i].elements, "HD_LANES") ? "32" : fields[i].elements);
        condition(fields[i].valid);
        printf(" | %s |\n", fields[i].sentence);
    }
    for (int i = 0; i < KINDS; i++) {
        printf("\n## %s\n\n| code | name | what |\n| --- | --- | --- |\n", codes[i].title);
        for (unsigned k = 0; k < codes[i].n; k++)
            printf("| 0x%02x | `HD_%s_%s` | %s |\n", codes[i].list[k].code, codes[i].prefix,
                   codes[i].list[k].name, codes[i].list[k].what);
    }
}

static void keep(const char *module, const char *wire)
{
    printf("public_flat_rd -module \"%s\" -var \"%s\"\n", module, wire);
}

/* Wires that Verilator must keep: of every core, or what the traced one keeps besides. */
static void kept(bool every)
{
    printf("// Wires that the harness reads of %s.  Generated from rtl/events.def (make docs).\n"
           "// SPDX-License-Identifier: Apache-2.0\n`verilator_config\n",
           every ? "every core" : "the core with a waveform");
    if (every) {
        keep("probe", "c_*");
        keep(bank[0], bank[1]);
    }
    for (int i = 0; i < SEEN_ALL; i++)
        if (every == !strcmp(seen[i].view, "lockstep"))
            keep(seen[i].module, seen[i].wire);
}

static void event_page(void)
{
    printf("# What is seen of the core's inside\n\nGenerated from `rtl/events.def` (`make docs`). "
           "These wires are read besides the records of\n[commit.md](commit.md); no other wire of "
           "the core's inside has a name outside `rtl/`.\n\n"
           "| for | event | what it is | bits | wire |\n| --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < SEEN_ALL; i++) {
        const struct seen *s = &seen[i];
        printf("| %s | `%s` | %s | ", i && !strcmp(s->view, s[-1].view) ? "" : s->view, s->name,
               s->what);
        s->bits ? printf("%u", s->bits) : printf("a struct");
        s->n > 1 ? printf(", %u times", s->n) : 0;
        printf(" | `%s.%s` |\n", s->place, s->wire);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    if (!strcmp(what, "vh"))
        wires();
    else if (!strcmp(what, "wire"))
        wire();
    else if (!strcmp(what, "codes"))
        code_names();
    else if (!strcmp(what, "csr"))
        register_names();
    else if (!strcmp(what, "told"))
        told_names();
    else if (!strcmp(what, "doc"))
        page();
    else if (!strcmp(what, "seen") || !strcmp(what, "shown"))
        kept(!strcmp(what, "seen"));
    else if (!strcmp(what, "events"))
        event_page();
    else
        return fprintf(stderr, "usage: commitgen vh|wire|codes|csr|told|doc|seen|shown|events\n"),
               2;
    return 0;
}
