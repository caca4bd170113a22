/* A failed launch as an address of the page: its kernel, and the parameters and memory that it
 * began with.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a kernel was given is gone when it has failed, so a launch that a link can hold has its
 * buffers copied before.  A link holds what `heddle lockstep' has words for: scalars, structs, and
 * whole buffers that are one parameter's; no addresses in memory, which are others there. */
#include <dlfcn.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/children.h"
#include "cuda/cudart/rt.h"
#include "harness/view/page_link.h"

enum { MOST = 65536 };                   /* bytes of buffers and variables */

struct copy { uint8_t *data; size_t bytes; };            /* data NULL: the parameter is no buffer */
static struct {
    char why[200];                       /* there is no link; empty: there is */
    struct copy *copies;                 /* of each parameter */
    uint32_t n;
    size_t bytes;
} before;

static void forget(void)
{
    for (uint32_t i = 0; i < before.n; i++)
        free(before.copies[i].data);
    free(before.copies);
    memset(&before, 0, sizeof before);
}

__attribute__((format(printf, 1, 2))) static void refuse(const char *fmt, ...)
{
    va_list ap;
    if (before.why[0])
        return;
    va_start(ap, fmt);
    vsnprintf(before.why, sizeof before.why, fmt, ap);
    va_end(ap);
}

/* Counts what a link would hold; NULL: too much. */
static uint8_t *take(uint64_t addr, size_t bytes)
{
    if (bytes > MOST - before.bytes) {
        refuse("the kernel has more than %d bytes of buffers and variables", MOST);
        return NULL;
    }
    uint8_t *data = malloc(bytes + 1);
    if (!data || hd_read(rt.dev, addr, data, bytes) != HD_OK) {
        refuse("its memory cannot be read");
        free(data);
        return NULL;
    }
    before.bytes += bytes;
    return data;
}

static bool is_reloc(const struct hd_image *img, const struct hd_symbol *s, uint32_t off)
{
    for (uint32_t r = 0; r < img->nrelocs; r++)
        if (img->relocs[r].section == s->section && off - img->relocs[r].off < 8)
            return true;
    return false;
}

/* A variable must be as the code begins it: the page knows no other value.  Those of the compiler's
 * library begin anew. */
static void check_variable(const struct hd_image *img, const struct hd_symbol *s)
{
    const bool constant = s->section == HD_SEC_CONST;
    const uint8_t *begin = constant ? img->cdata + (s->value - HD_CONST_DATA)
                                    : img->gdata + s->value;
    uint64_t addr;
    size_t bytes;
    if (!strncmp(s->name, "__hd_", 5) || hd_symbol(rt.dev, s->name, &addr, &bytes) != HD_OK)
        return;
    uint8_t *data = take(addr, bytes);
    for (size_t i = 0; data && i < bytes; i++)
        if (data[i] != begin[i] && !is_reloc(img, s, s->value + (uint32_t)i)) {
            refuse("`%s` has another value than at the program's begin", s->name);
            break;
        }
    free(data);
}

static void check_module(const struct rt_module *m)
{
    const struct hd_image *img = m->image;
    uint64_t addr;
    size_t bytes;
    if (rt.opt.cfg.cores > 1 || rt.opt.cfg.core || rt.opt.cfg.board || rt.opt.cfg.timing)
        refuse("the page has one core, without a board or --timing");
    if (m->nfatbins > 1)
        refuse("its device code is linked of several files");
    if (hd_symbol(rt.dev, CHILDREN_SYMBOL, &addr, &bytes) == HD_OK)
        refuse("its kernels launch others");
    for (uint32_t k = 0; k < img->nsyms && !before.why[0]; k++)
        if (!img->syms[k].func && img->syms[k].section != HD_SEC_TEXT)
            check_variable(img, &img->syms[k]);
}

static void take_param(const struct hd_kernel *k, uint32_t i, const uint8_t *params)
{
    const struct hd_param *p = &k->params[i];
    uint64_t v;
    for (uint32_t off = 0; p->size > 8 && off + 8 <= p->size; off += 4) {
        memcpy(&v, params + p->off + off, sizeof v);
        if (rt_buffer(v))
            refuse("parameter %u holds an address", i);
    }
    if (p->size != 8 || p->type[0] == 'f')
        return;
    memcpy(&v, params + p->off, sizeof v);
    const struct rt_buffer *b = rt_buffer(v);
    if (!b)
        return;
    if (b->addr != v)
        refuse("parameter %u points into a buffer, not to its begin", i);
    for (uint32_t j = 0; j < i; j++)
        if (k->params[j].size == 8 && !memcmp(params + k->params[j].off, &v, sizeof v))
            refuse("parameters %u and %u are the same buffer", j, i);
    if (b->registered || !b->bytes)
        refuse("parameter %u is memory of the host", i);
    if (before.why[0])
        return;
    before.copies[i] = (struct copy){ take(v, b->bytes), b->bytes };
}

void rt_page_begin(const struct rt_function *f, const void *params)
{
    forget();
    before.n = f->kernel->nparams;
    before.copies = calloc((size_t)before.n + 1, sizeof *before.copies);
    if (!before.copies)
        refuse("no memory");
    for (uint32_t i = 0; i < f->kernel->nparams && !before.why[0]; i++)
        take_param(f->kernel, i, params);
    if (!before.why[0])
        check_module(f->module);
}

/* ---- the words ---- */

static void write_hex(FILE *out, const uint8_t *data, size_t n)
{
    while (n && !data[n - 1])
        n--;
    fputs(n ? "=hex:" : "", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%02x", data[i]);
}

static void write_buffer(FILE *out, uint32_t i, const struct copy *c)
{
    const bool words = c->bytes % 4 == 0;
    for (size_t at = 0; at + 8 <= c->bytes; at += 8) {
        uint64_t v;
        memcpy(&v, c->data + at, sizeof v);
        if (v && rt_buffer(v))
            refuse("the buffer of parameter %u holds an address", i);
    }
    fprintf(out, " p%u:%s[%zu]", i, words ? "u32" : "u8", words ? c->bytes / 4 : c->bytes);
    write_hex(out, c->data, c->bytes);
}

static void write_scalar(FILE *out, uint32_t i, const struct hd_param *p, const uint8_t *at)
{
    uint64_t v = 0;
    double d;
    float f;
    if (p->size == 1 || p->size == 2 || p->size == 4 || p->size == 8)
        memcpy(&v, at, p->size);
    memcpy(&f, &v, sizeof f);
    memcpy(&d, &v, sizeof d);
    if (p->type[0] == 'f' && p->size == 4)
        fprintf(out, " p%u:f32=%.9g", i, (double)f);
    else if (p->type[0] == 'f' && p->size == 8)
        fprintf(out, " p%u:f64=%.17g", i, d);
    else if (p->size == 1 || p->size == 2 || p->size == 4 || p->size == 8)
        fprintf(out, " p%u:u%u=0x%llx", i, 8 * p->size, (unsigned long long)v);
    else {
        fprintf(out, " p%u:bytes[%u]", i, p->size);
        write_hex(out, at, p->size);
    }
}

static void write_options(FILE *out)
{
    static const char *const predict[] = { "off", "user", "auto" };
    const struct hd_config *c = &rt.opt.cfg;
    const struct cc_options *o = &rt.opt.cc;
    if (c->lanes)
        fprintf(out, " --lanes %u", c->lanes);
    if (c->warps)
        fprintf(out, " --warps %u", c->warps);
    if (c->stack_depth)
        fprintf(out, " --stack-depth %u", c->stack_depth);
    if (c->mem_seed)
        fprintf(out, " --mem-seed %llu", (unsigned long long)c->mem_seed);
    if (c->limit)
        fprintf(out, " --limit %llu", (unsigned long long)c->limit);
    if (c->third_leg)
        fputs(" --third-leg", out);
    if (o->predict)
        fprintf(out, " --predict %s --deconflict %s", predict[o->predict],
                o->deconflict ? "dynamic" : "static");
    if (o->soft)
        fprintf(out, " --soft %d", o->soft);
    if (o->maxregs)
        fprintf(out, " --maxregs %d", o->maxregs);
    if (o->f64_routines)
        fputs(" --f64 routines", out);
    if (o->constant_loads)
        fputs(" --constants loads", out);
}

/* To be freed. */
static char *words(const struct rt_function *f, const uint8_t *params, dim3 grid, dim3 block,
                   size_t shared)
{
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    if (!out)
        return NULL;
    fprintf(out, "--grid %u,%u,%u --block %u,%u,%u", grid.x, grid.y, grid.z, block.x, block.y,
            block.z);
    if (shared)
        fprintf(out, " --shared %zu", shared);
    write_options(out);
    for (uint32_t i = 0; i < before.n; i++)
        if (before.copies[i].data)
            write_buffer(out, i, &before.copies[i]);
        else
            write_scalar(out, i, &f->kernel->params[i], params + f->kernel->params[i].off);
    fclose(out);
    return text;
}

void rt_page_say(const struct rt_function *f, const void *params, dim3 grid, dim3 block,
                 size_t shared)
{
    Dl_info self;
    char *lib = dladdr((void *)(uintptr_t)&rt_page_say, &self) && self.dli_fname
                    ? strdup(self.dli_fname) : NULL;
    char *launch = before.why[0] ? NULL : words(f, params, grid, block, shared);
    char *source = launch ? strdup(f->module->ptx) : NULL;
    if (source)
        ptx_only(source, f->kernel->name);
    char *page = source && !before.why[0] ? page_link(source, launch, rt.opt.cc.stack_mode,
                                                      lib ? dirname(lib) : NULL)
                                          : NULL;
    if (page || before.why[0])
        fprintf(stderr, "page: %s%s\n", page ? "" : "no link: ", page ? page : before.why);
    free(page);
    free(source);
    free(launch);
    free(lib);
    forget();
}
