/* Why a launch ended as it did, in the words of its command line: the kernel by its name in the
 * source, its parameters, and which of them an address belongs to.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/cli.h"
#include "harness/cli/launch_args.h"
#include "cmodel/isa/commit.h"
#include <stdlib.h>
#include <string.h>

/* Past a buffer's end by less than this, an access is most likely its own. */
enum { NEAR = 4096 };

void plain_type(const char *plain, size_t i, char *buf, size_t n)
{
    const char *p = plain + strlen(plain);
    size_t at = 0;
    int depth = 0;
    *buf = 0;
    if (p == plain || p[-1] != ')')                  /* no name of C++ */
        return;
    do {                                             /* before the last pair of parentheses */
        p--;
        depth += *p == ')' ? 1 : *p == '(' ? -1 : 0;
    } while (depth && p > plain);
    for (p++; *p && !(depth == 0 && *p == ')'); p++) {
        if (depth == 0 && *p == ',') {
            if (!i--)
                return;
            p++;                                     /* the space */
            continue;
        }
        depth += strchr("(<[", *p) ? 1 : strchr(")>]", *p) ? -1 : 0;
        if (!i && at + 1 < n)
            buf[at++] = *p, buf[at] = 0;
    }
}

static void print_parameter(FILE *out, const struct arg *a, size_t i, const char *plain)
{
    static const char letter[] = { [ARG_INT] = 'i', [ARG_UINT] = 'u', [ARG_FLOAT] = 'f' };
    char type[120];
    plain_type(plain, i, type, sizeof type);
    fprintf(out, "  parameter %zu, %s%s%s: ", i + 1, type, *type ? " " : "", a->name);
    if (a->kind == ARG_BYTES)
        fprintf(out, "%zu bytes", a->count * a->width);
    else if (a->array)
        fprintf(out, "%c%u[%zu]", letter[a->kind], 8 * a->width, a->count);
    else
        args_print_value(out, a, a->data);
    fprintf(out, a->array ? " at 0x%x\n" : "\n", a->addr);
}

static void print_address(FILE *out, const struct launch_args *la, uint64_t address)
{
    for (size_t i = 0; i < la->nargs; i++) {
        const struct arg *a = &la->args[i];
        uint64_t end = (uint64_t)a->addr + a->count * a->width;
        if (!a->array || address < a->addr || address >= end + NEAR)
            continue;
        bool past = address >= end;
        fprintf(out, "  the address is %llu bytes after the %s of %s\n",
                (unsigned long long)(address - (past ? end : a->addr)), past ? "end" : "start",
                a->name);
    }
}

void session_explain(const struct session *s, FILE *out)
{
    const struct hd_commit *fault = hd_get_fault(s->dev);
    hd_explain(s->dev, out);
    char *plain = fault ? plain_name(s->kernel->name) : NULL;
    if (!plain)
        return;
    const struct launch_args *la = &s->cli->launch;
    if (fault->fault_addr)
        print_address(out, la, fault->fault_addr);
    fprintf(out, "  kernel `%s`\n", plain);
    for (size_t i = 0; i < la->nargs; i++)
        print_parameter(out, &la->args[i], i, plain);
    free(plain);
}
