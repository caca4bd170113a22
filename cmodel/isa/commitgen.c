/* Generates from commit.def what is not C: the probe's wires and the page of docs/.
 * Usage: commitgen vh|doc > file.  Host program only.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include "cmodel/isa/commit.h"

static const struct { const char *name; unsigned bits; } members[] = {
#define MEMBER(type, name, dimensions) { #name, 8 * sizeof ((struct hd_commit *)0)->name },
#include "cmodel/isa/commit.def"
};
static const struct { const char *name, *elements, *part, *valid, *sentence; } fields[] = {
#define FIELD(path, elements, form, part, valid, sentence) { #path, #elements, #part, #valid, sentence },
#include "cmodel/isa/commit.def"
};
enum { MEMBERS = sizeof members / sizeof members[0], FIELDS = sizeof fields / sizeof fields[0] };

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
    printf("# The fields of a commit record\n\n"
           "Generated from `cmodel/isa/commit.def` (`make docs`). [lockstep.md](lockstep.md) says how they are compared.\n"
           "A field is zero if its condition does not hold. The values of lanes that did not execute are zero.\n\n"
           "| part | field | elements | applies when | what it is |\n| --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < FIELDS; i++) {
        printf("| ");
        for (const char *s = strcmp(part, fields[i].part) ? fields[i].part : ""; *s; s++)
            putchar(*s | 0x20);
        part = fields[i].part;
        printf(" | `%s` | %s | ", fields[i].name, !strcmp(fields[i].elements, "HD_LANES") ? "32" : fields[i].elements);
        condition(fields[i].valid);
        printf(" | %s |\n", fields[i].sentence);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    if (!strcmp(what, "vh"))
        wires();
    else if (!strcmp(what, "doc"))
        page();
    else
        return fprintf(stderr, "usage: commitgen vh|doc\n"), 2;
    return 0;
}
