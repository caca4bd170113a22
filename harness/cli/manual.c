/* The pages of the manual, from the tables of commands and options.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/manual.h"
#include "harness/cli/options.h"
#include <errno.h>
#include <string.h>

/* Text of a page: lines are the reader's to break, and nothing in it is a command of roff. */
static void put_text(FILE *f, const char *s)
{
    if (*s == '.')
        fputs("\\&", f);
    for (bool space = false; *s; s++) {
        if (*s == ' ' || *s == '\n') {
            space = true;
            continue;
        }
        if (space)
            putc(' ', f);
        space = false;
        fputs(*s == '\\' ? "\\e" : *s == '-' ? "\\-" : *s == '\'' ? "\\(aq" : (char[]){ *s, 0 }, f);
    }
    putc('\n', f);
}

static void put_head(FILE *f, const char *name, const char *dash)
{
    for (const char *p = name; *p; p++)          /* a title is in capitals */
        putc(*p >= 'a' && *p <= 'z' ? *p - 32 : *p, f);
    fprintf(f, " 1 \"\" heddle\n.SH NAME\n%s \\- ", name);
    put_text(f, dash);
}

static void put_option(FILE *f, const struct opt *o)
{
    fprintf(f, ".TP\n\\fB");
    if (o->code < OPT_CODE_HELP)
        fprintf(f, "\\-%c\\fR, \\fB", o->code);
    fprintf(f, "\\-\\-");
    for (const char *p = o->name; *p; p++)
        fputs(*p == '-' ? "\\-" : (char[]){ *p, 0 }, f);
    fprintf(f, "\\fR%s%s%s\n", o->arg ? " \\fI" : "", o->arg ? o->arg : "", o->arg ? "\\fR" : "");
    put_text(f, o->what);
}

static void page(FILE *f, const struct command *c)
{
    char name[64];
    snprintf(name, sizeof name, "heddle-%s", c->name);
    fprintf(f, ".TH ");
    put_head(f, name, c->what);
    fprintf(f, ".SH SYNOPSIS\n.B heddle %s\n", c->name);
    put_text(f, c->words);
    fprintf(f, ".SH OPTIONS\n");
    for (const struct opt *o = opts; o < opts + nopts; o++)
        if (opt_taken(c, o))
            put_option(f, o);
    if (c->groups & OPT_LAUNCH)
        fprintf(f, ".SH PARAMETERS\nIn the kernel\\(aqs order:\n.nf\n%s.fi\n", cli_parameters);
    fprintf(f, ".SH EXIT STATUS\n");
    put_text(f, cli_statuses);
    fprintf(f, ".SH SEE ALSO\n.BR heddle (1)\n");
}

static void overview(FILE *f, const struct command *commands, unsigned n)
{
    fprintf(f, ".TH ");
    put_head(f, "heddle", "a SIMT core in Verilog, its golden model, and a compiler from CUDA C");
    fprintf(f, ".SH SYNOPSIS\n.B heddle\n.IR COMMAND \" ...\"\n.br\n.B heddle \\-\\-version\n"
               ".SH COMMANDS\n");
    for (unsigned k = 0; k < n; k++) {
        fprintf(f, ".TP\n.BR heddle\\-%s (1)\n", commands[k].name);
        put_text(f, commands[k].what);
    }
    fprintf(f, ".TP\n.BI heddle\\- NAME\nA program beside heddle is its command NAME, too.\n");
    fprintf(f, ".SH EXIT STATUS\n");
    put_text(f, cli_statuses);
}

static bool write_page(const char *folder, const char *name, const struct command *commands,
                       unsigned n)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.1", folder, name);
    FILE *f = fopen(path, "w");
    bool ok = f;
    if (f && n)
        overview(f, commands, n);
    else if (f)
        page(f, commands);
    if (f) {
        ok = !ferror(f);
        ok = !fclose(f) && ok;
    }
    if (!ok)
        fprintf(stderr, "heddle manual: %s: cannot be written: %s\n", path, strerror(errno));
    return ok;
}

int manual_write(const struct command *commands, unsigned n, const char *folder)
{
    bool ok = write_page(folder, "heddle", commands, n);
    for (unsigned k = 0; ok && k < n; k++) {
        char name[64];
        snprintf(name, sizeof name, "heddle-%s", commands[k].name);
        ok = write_page(folder, name, &commands[k], 0);
    }
    return ok ? EXIT_YES : EXIT_USAGE;
}
