/* Parameters meet the kernel: checked against its signature, placed on the device, shown
 * afterwards.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/cli.h"
#include "harness/cli/launch_args.h"
#include "cmodel/base/outfile.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FAIL(err, ...) (hd_err_set(err, 2, __VA_ARGS__), false)

static const char *given_as(const struct arg *a)
{
    return a->array               ? "a buffer"
           : a->kind == ARG_BYTES ? "a struct"
           : a->kind == ARG_FLOAT ? "a float"
                                  : "an integer";
}

/* A buffer needs a 64-bit integer parameter, a float one of the same width of type f, and so on. */
static bool check_type(const struct arg *a, const struct hd_kernel *k, const struct hd_param *p,
                       size_t i, struct hd_err *err)
{
    bool is_float = p->type[0] == 'f',
         is_struct = p->size != 1 && p->size != 2 && p->size != 4 && p->size != 8;
    size_t size = a->array ? 8 : a->count * a->width;
    bool kind = a->kind == ARG_BYTES ? true
                : is_struct          ? false
                                     : is_float == (!a->array && a->kind == ARG_FLOAT);
    if (p->type[0] == 'b' && !a->array)
        kind = true;                                 /* untyped bits take any scalar */
    if (size == p->size && kind)
        return true;
    char type[120];
    char *name = plain_name(k->name);
    plain_type(name ? name : k->name, i, type, sizeof type);
    hd_err_set(err, 2, "%s: %s of %zu bytes, but parameter %zu of %s is %s%s.%s of %u bytes",
               a->name, given_as(a), size, i + 1, name ? name : k->name, type, *type ? ", " : "",
               p->type, p->size);
    free(name);
    return false;
}

/* Another number of arguments than the kernel takes: what it takes, what it was given. */
static bool refuse_count(const struct launch_args *la, const struct hd_kernel *k,
                         struct hd_err *err)
{
    char types[300] = "", given[300] = "";
    char *name = plain_name(k->name);
    for (uint32_t i = 0, n = 0; i < k->nparams && n + 1 < sizeof types; i++)
        n += (uint32_t)snprintf(types + n, sizeof types - n, "%s %s", i ? "," : ":",
                                k->params[i].type);
    for (size_t i = 0, n = 0; i < la->nargs && n + 1 < sizeof given; i++)
        n += (size_t)snprintf(given + n, sizeof given - n, "%s %s", i ? "," : "; the launch has",
                              la->args[i].name);
    hd_err_set(err, 2, "%s takes %u parameters, %zu are given%s%s", name ? name : k->name,
               k->nparams, la->nargs, types, given);
    free(name);
    return false;
}

bool args_place(struct launch_args *la, hd_device *d, const struct hd_kernel *k, uint8_t **params,
                struct hd_err *err)
{
    *params = NULL;
    if (la->nargs != k->nparams)
        return refuse_count(la, k, err);
    *params = calloc(1, k->params_size + 8);
    if (!*params)
        return FAIL(err, "no memory");
    for (size_t i = 0; i < la->nargs; i++) {
        struct arg *a = &la->args[i];
        const struct hd_param *p = &k->params[i];
        size_t bytes = a->count * a->width;
        if (!check_type(a, k, p, i, err))
            return false;
        if (!a->array) {
            memcpy(*params + p->off, a->data, bytes);
            continue;
        }
        if (hd_malloc(d, bytes, &a->addr) != HD_OK || hd_write(d, a->addr, a->data, bytes) != HD_OK)
            return FAIL(err, "%s: %s", a->name, hd_device_error(d));
        uint64_t address = a->addr;
        memcpy(*params + p->off, &address, 8);
    }
    for (size_t i = 0; i < la->nviews; i++) {
        const struct arg *a = la->args;
        while (a < la->args + la->nargs && strcmp(a->name, la->views[i].name))
            a++;
        if (a == la->args + la->nargs)
            return FAIL(err, "--%s %s: there is no such parameter",
                        la->views[i].file ? "dump" : "print", la->views[i].name);
        if (!la->views[i].whole && la->views[i].to > a->count)
            return FAIL(err, "--print %s[%zu:%zu]: it has %zu elements", a->name, la->views[i].from,
                        la->views[i].to, a->count);
        if (la->views[i].file && !la->views[i].out &&
            !(la->views[i].out = outfile_open(la->views[i].file, err)))
            return false;
    }
    return true;
}

void args_print_value(FILE *out, const struct arg *a, const uint8_t *value)
{
    uint64_t u = 0;
    float f;
    double g;
    memcpy(&u, value, a->width);
    memcpy(&f, value, 4);
    memcpy(&g, value, a->kind == ARG_FLOAT ? a->width : 4);
    if (a->kind == ARG_FLOAT && a->width == 4)
        fprintf(out, "%.9g", (double)f);
    else if (a->kind == ARG_FLOAT)
        fprintf(out, "%.17g", g);
    else if (a->kind == ARG_INT)
        fprintf(out, "%lld",
                (long long)((int64_t)(u << (64 - 8 * a->width)) >> (64 - 8 * a->width)));
    else
        fprintf(out, "%llu", (unsigned long long)u);
}

/* JSON has no number for what is not finite: it is a string there. */
static void print_element(FILE *out, const struct arg *a, const uint8_t *value, bool json)
{
    float f = 0;
    double g = 0;
    memcpy(&f, value, a->width < sizeof f ? a->width : sizeof f);
    memcpy(&g, value, a->width);
    bool quoted = json && a->kind == ARG_FLOAT && !isfinite(a->width == 4 ? (double)f : g);
    fputs(quoted ? "\"" : "", out);
    args_print_value(out, a, value);
    fputs(quoted ? "\"" : "", out);
}

static bool dump(struct arg_view *v, const uint8_t *data, size_t bytes, struct hd_err *err)
{
    struct outfile *out = v->out;
    v->out = NULL;
    fwrite(data, 1, bytes, outfile_stream(out));
    return outfile_keep(out, err);
}

bool args_show(struct launch_args *la, hd_device *d, FILE *out, bool json, struct hd_err *err)
{
    for (size_t i = 0; i < la->nviews; i++) {
        struct arg_view *v = &la->views[i];
        const struct arg *a = la->args;
        while (strcmp(a->name, v->name))
            a++;
        size_t bytes = a->count * a->width;
        uint8_t *data = malloc(bytes);
        if (!data)
            return FAIL(err, "no memory");
        memcpy(data, a->data, bytes);
        bool ok = !a->array || hd_read(d, a->addr, data, bytes) == HD_OK;
        if (ok && v->file)
            ok = dump(v, data, bytes, err);
        else if (ok) {
            size_t from = v->whole ? 0 : v->from, to = v->whole ? a->count : v->to;
            fprintf(out, json ? "\"%s[%zu:%zu]\": [" : "%s[%zu:%zu] =", a->name, from, to);
            for (size_t e = from; e < to; e++) {
                fputs(json ? e == from ? "" : ", " : " ", out);
                print_element(out, a, data + e * a->width, json);
            }
            fputs(json ? "],\n" : "\n", out);
        }
        free(data);
        if (!ok)
            return false;
    }
    return true;
}
