/* Why a launch ended as it did, in the words of its command line: the kernel by its name in the
 * source, its parameters, and which of them an address belongs to.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/cli.h"
#include "harness/cli/launch_args.h"
#include "cmodel/isa/commit.h"
#include <cjson/cJSON.h>
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

/* What it was given: a value, or a buffer's size. */
static void print_given(FILE *out, const struct arg *a)
{
    static const char letter[] = { [ARG_INT] = 'i', [ARG_UINT] = 'u', [ARG_FLOAT] = 'f' };
    if (a->kind == ARG_BYTES)
        fprintf(out, "%zu bytes", a->count * a->width);
    else if (a->array)
        fprintf(out, "%c%u[%zu]", letter[a->kind], 8 * a->width, a->count);
    else
        args_print_value(out, a, a->data);
}

static void print_parameter(FILE *out, const struct arg *a, size_t i, const char *plain)
{
    char type[120];
    plain_type(plain, i, type, sizeof type);
    fprintf(out, "  parameter %zu, %s%s%s: ", i + 1, type, *type ? " " : "", a->name);
    print_given(out, a);
    if (a->array)
        fprintf(out, " at 0x%llx", (unsigned long long)a->addr);
    fputc('\n', out);
}

static cJSON *json_parameter(const struct arg *a, size_t i, const char *plain)
{
    cJSON *o = cJSON_CreateObject();
    char type[120], *given = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&given, &size);
    plain_type(plain, i, type, sizeof type);
    cJSON_AddNumberToObject(o, "number", (double)(i + 1));
    cJSON_AddStringToObject(o, "name", a->name);
    if (*type)
        cJSON_AddStringToObject(o, "type", type);
    if (f) {
        print_given(f, a);
        fclose(f);
        cJSON_AddStringToObject(o, "given", given);
        free(given);
    }
    if (a->array)
        cJSON_AddNumberToObject(o, "address", a->addr);
    return o;
}

/* Where an address lies: in a buffer, or so little after its end that it was meant. */
struct near { uint64_t bytes; bool past; };
static bool is_near(const struct arg *a, uint64_t address, struct near *at)
{
    uint64_t end = (uint64_t)a->addr + a->count * a->width;
    if (!a->array || address < a->addr || address >= end + NEAR)
        return false;
    at->past = address >= end;
    at->bytes = address - (at->past ? end : a->addr);
    return true;
}

static void print_address(FILE *out, const struct launch_args *la, uint64_t address)
{
    struct near at;
    for (size_t i = 0; i < la->nargs; i++)
        if (is_near(&la->args[i], address, &at))
            fprintf(out, "  the address is %llu bytes after the %s of %s\n",
                    (unsigned long long)at.bytes, at.past ? "end" : "start", la->args[i].name);
}

static cJSON *json_address(const struct launch_args *la, uint64_t address)
{
    cJSON *list = cJSON_CreateArray();
    struct near at;
    for (size_t i = 0; i < la->nargs; i++) {
        if (!is_near(&la->args[i], address, &at))
            continue;
        cJSON *o = cJSON_CreateObject();
        cJSON_AddNumberToObject(o, "bytes", (double)at.bytes);
        cJSON_AddStringToObject(o, "after", at.past ? "end" : "start");
        cJSON_AddStringToObject(o, "of", la->args[i].name);
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

char *session_explain_json(const struct session *s)
{
    const struct hd_commit *fault = hd_get_fault(s->dev);
    char *plain = fault ? plain_name(s->kernel->name) : NULL;
    if (!plain)
        return NULL;
    const struct launch_args *la = &s->cli->launch;
    cJSON *o = cJSON_CreateObject(), *list = cJSON_CreateArray();
    cJSON_AddStringToObject(o, "kernel", plain);
    if (fault->fault_addr)
        cJSON_AddItemToObject(o, "address", json_address(la, fault->fault_addr));
    for (size_t i = 0; i < la->nargs; i++)
        cJSON_AddItemToArray(list, json_parameter(&la->args[i], i, plain));
    cJSON_AddItemToObject(o, "parameters", list);
    char *text = cJSON_PrintUnformatted(o);
    cJSON_Delete(o);
    free(plain);
    return text;
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
