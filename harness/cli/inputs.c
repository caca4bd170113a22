/* What a launch's buffers give each thread.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/inputs.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 16 };

static double element(const struct arg *a, size_t at)
{
    uint8_t raw[8] = { 0 };
    uint64_t v;
    float f;
    double d;
    memcpy(raw, a->data + at * a->width, a->width);
    memcpy(&v, raw, 8);
    memcpy(&f, raw, 4);
    memcpy(&d, raw, 8);
    if (a->kind == ARG_FLOAT)
        return a->width == 4 ? f : d;
    unsigned rest = 64 - 8 * a->width;
    return a->kind == ARG_INT ? (double)((int64_t)(v << rest) >> rest) : (double)v;
}

/* Elements of each thread; 0: it is no such buffer. */
static uint32_t elements_of(const struct arg *a, uint64_t threads)
{
    bool fits = a->array && a->width <= 8 && a->count % threads == 0 &&
                a->count / threads <= MOST_ELEMENTS;
    return fits && a->kind != ARG_BYTES ? (uint32_t)(a->count / threads) : 0;
}

static bool differs(const struct arg *a, uint32_t elements, uint32_t which, uint32_t samples)
{
    for (uint32_t t = 1; t < samples; t++)
        if (element(a, (size_t)t * elements + which) != element(a, which))
            return true;
    return false;
}

static bool add(struct inputs *in, const struct arg *a, uint32_t elements, uint32_t which)
{
    struct input *more = realloc(in->input, (in->n + 1) * sizeof *more);
    if (!more)
        return false;
    in->input = more;
    in->input[in->n] = (struct input){ strdup(a->name), elements, which };
    return in->input[in->n++].name != NULL;
}

static const struct arg *named(const struct launch_args *la, const char *name)
{
    for (size_t k = 0; k < la->nargs; k++)
        if (!strcmp(la->args[k].name, name))
            return &la->args[k];
    return NULL;
}

/* Which inputs there are. */
static bool choose(struct inputs *in, const struct launch_args *la, const struct fit *fit,
                   uint32_t samples, struct hd_err *err)
{
    bool ok = true;
    for (size_t k = 0; !fit && ok && k < la->nargs; k++) {
        uint32_t elements = elements_of(&la->args[k], in->threads);
        for (uint32_t w = 0; ok && w < elements; w++)
            if (differs(&la->args[k], elements, w, samples))
                ok = add(in, &la->args[k], elements, w);
    }
    for (uint32_t k = 0; fit && ok && k < fit->ninputs; k++) {
        const struct input *i = &fit->input[k];
        const struct arg *a = named(la, i->name);
        if (!a || elements_of(a, in->threads) != i->elements) {
            hd_err_set(
                err, 2,
                "the fit takes %u elements a thread from %s, of which this launch has not so many",
                i->elements, i->name);
            return false;
        }
        ok = add(in, a, i->elements, i->which);
    }
    if (!ok)
        hd_err_set(err, 4, "no memory");
    return ok;
}

bool inputs_take(struct inputs *in, const struct launch_args *la, uint64_t threads,
                 const struct fit *fit, uint32_t samples, struct hd_err *err)
{
    *in = (struct inputs){ .threads = threads };
    if (!choose(in, la, fit, samples < threads ? samples : (uint32_t)threads, err))
        return false;
    in->value = malloc((size_t)threads * in->n * sizeof *in->value + 1);
    if (!in->value) {
        hd_err_set(err, 4, "no memory");
        return false;
    }
    for (uint32_t k = 0; k < in->n; k++) {
        const struct arg *a = named(la, in->input[k].name);
        for (uint64_t t = 0; t < threads; t++)
            in->value[t * in->n + k] = element(a, t * in->input[k].elements + in->input[k].which);
    }
    return true;
}

void inputs_free(struct inputs *in)
{
    for (uint32_t k = 0; k < in->n; k++)
        free(in->input[k].name);
    free(in->input);
    free(in->value);
    *in = (struct inputs){ 0 };
}
