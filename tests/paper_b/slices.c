/* Counts without a run of the kernel: by its slice, and by equation (1) with what that loads.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The paper finds inputs by an analysis of the data flow.  Here they are what the slice loads from
 * global memory: the first value of each thread and load. */
#include "tests/paper_b/run.h"
#include "cmodel/image/image.h"
#include "compiler/all.h"
#include <stdlib.h>
#include <string.h>

struct work {
    const struct workload *w;
    const struct problem *p;
    struct hd_image *image;
    struct slice slice;
    struct bbv *counted;             /* by a run */
    uint32_t nloads, *load;          /* PCs of the slice's loads, as they come */
    double *value;                   /* by load, then thread */
    uint8_t *has;
};
enum { MOST_LOADS = 64 };

/* ---- runs ----------------------------------------------------------------------------------- */

static struct bbv *count(const struct work *k, const struct hd_image *img, hd_commit_fn *see,
                         void *user, uint64_t *insns)
{
    struct hd_config cfg = { .kind = HD_MODEL };
    struct placed at;
    struct bbv *b = NULL;
    if (!workload_place(&at, k->p, img, &cfg) || hd_count_blocks(at.d, true) != HD_OK)
        return NULL;
    if (see)
        hd_on_commit(at.d, see, user);
    if (hd_launch_grid(at.d, &at.l) != HD_OK || hd_block_counts(at.d, &b) != HD_OK)
        fprintf(stderr, "paper_b: %s: %s\n", k->w->name, hd_device_error(at.d));
    *insns = hd_get_counters(at.d)->warp_insns;
    hd_close(at.d);
    return b;
}

static bool make_slice(struct work *k, struct hd_err *err)
{
    struct hd_config cfg = { .kind = HD_MODEL };
    struct slice_arg arg[MAX_BUFFERS] = { { 0 } };
    struct placed at;
    bool ok = workload_place(&at, k->p, k->image, &cfg);
    for (unsigned i = 0; ok && i < k->p->n; i++)
        if (!k->p->buf[i].scalar)
            arg[i] = (struct slice_arg){ at.at[i], k->p->buf[i].bytes };
    const struct slice_launch l = { k->p->n, arg };
    ok = ok && slice_make(&k->slice, k->image, hd_image_kernel(k->image, NULL, err), &l, err);
    hd_close(at.d);
    return ok;
}

/* ---- what is loaded ------------------------------------------------------------------------- */

static struct hd_insn insn_at(const struct hd_image *img, uint32_t pc)
{
    struct hd_word w;
    struct hd_insn i = { 0 };
    memcpy(w.w, img->text + pc, sizeof w.w);
    if (!hd_decode(&w, img->stack_mode, &i))
        i = hd_insn_make(OP_TRAP);
    return i;
}

/* Is what the load brings a float?  By the first instruction that reads it. */
static bool is_float(const struct hd_image *img, uint32_t pc)
{
    const struct hd_insn load = insn_at(img, pc);
    for (uint32_t at = pc + HD_INSN_BYTES; at < img->text_size; at += HD_INSN_BYTES) {
        const struct hd_insn i = insn_at(img, at);
        const uint8_t reg[2] = { i.ra, i.bi ? HD_RZ : i.rb };
        for (int k = 0; k < 2; k++)
            if (hd_insn_width(&i, k + 1) && reg[k] == load.rd)
                return hd_ops[i.op].unit == UNIT_FPU && i.op != OP_I2FS && i.op != OP_I2FU;
    }
    return false;
}

static uint32_t number(struct work *k, uint32_t pc)
{
    uint32_t n = 0;
    while (n < k->nloads && k->load[n] != pc)
        n++;
    if (n == k->nloads && n < MOST_LOADS)
        k->load[k->nloads++] = pc;
    return n;
}

static bool see(void *user, const struct hd_commit *c)
{
    struct work *k = user;
    if (c->mem != 1 || c->space != SPACE_GLOBAL)
        return true;
    uint32_t n = number(k, c->pc);
    bool f = is_float(k->slice.image, c->pc);
    for (unsigned l = 0; n < MOST_LOADS && l < HD_LANES; l++) {
        size_t at = n * k->counted->threads + (size_t)c->block * k->counted->threads_block +
                    c->warp * HD_LANES + l;
        float v;
        if (!(c->exec >> l & 1) || k->has[at])
            continue;
        memcpy(&v, &c->val[0][l], sizeof v);
        k->has[at] = 1;
        k->value[at] = f ? (double)v : (double)(int32_t)c->val[0][l];
    }
    return true;
}

/* ---- equation (1) --------------------------------------------------------------------------- */

/* The error in blocks of the kernel's own code, without the library's. */
static double error_own(const struct work *k, const struct bbv *by)
{
    struct bbv own = *k->counted;
    const char *kernel = k->image->kernels[0].name;
    uint32_t off;
    own.blocks = calloc(own.nblocks, sizeof *own.blocks);
    own.nblocks = 0;
    for (uint32_t i = 0; own.blocks && i < k->counted->nblocks; i++) {
        const char *fn = hd_image_func(k->image, k->counted->blocks[i].pc, &off);
        if (fn && !strcmp(fn, kernel))
            own.blocks[own.nblocks++] = k->counted->blocks[i];
    }
    double error = own.nblocks ? fit_error(&own, by) : -1;
    free(own.blocks);
    return error;
}

/* Fits to the counts of the first `samples` threads; errors over all. */
static void fit(const struct work *k, uint32_t samples, struct sliced *o)
{
    struct inputs in = { .n = k->nloads, .threads = k->counted->threads };
    struct hd_err err = { 0 };
    in.input = calloc(in.n + 1, sizeof *in.input);
    in.value = malloc(in.threads * (in.n + 1) * sizeof *in.value);
    for (uint32_t n = 0; in.input && n < in.n; n++)
        in.input[n] = (struct input){ (char *)(uintptr_t)"load", in.n, n };
    for (uint64_t t = 0; in.value && t < in.threads; t++)
        for (uint32_t n = 0; n < in.n; n++)
            in.value[t * in.n + n] = k->value[n * in.threads + t];
    struct fit *f = in.input && in.value ? fit_make(k->counted, &in, samples, &err) : NULL;
    struct bbv *by = f ? fit_counts(f, &in, k->counted->grid, k->counted->block, NULL) : NULL;
    if (by) {
        o->fit = fit_error(k->counted, by);
        o->fit_own = error_own(k, by);
    }
    bbv_free(by);
    fit_free(f);
    free(in.input);
    free(in.value);
}

static void measure(struct work *k, unsigned samples, struct sliced *o)
{
    uint64_t kernel = 0, insns = 0;
    k->counted = count(k, k->image, NULL, NULL, &kernel);
    const size_t cells = k->counted ? k->counted->threads * MOST_LOADS : 0;
    k->load = calloc(MOST_LOADS, sizeof *k->load);
    k->value = calloc(cells + 1, sizeof *k->value);
    k->has = calloc(cells + 1, sizeof *k->has);
    if (!k->counted || !k->load || !k->value || !k->has)
        return;
    struct bbv *by = count(k, k->slice.image, see, k, &insns);
    if (!by)
        return;
    slice_counts(&k->slice, k->image, by);
    *o = (struct sliced){ .ran = true, .share = (double)insns / (double)kernel, .inputs = k->nloads,
                          .error = fit_error(k->counted, by), .fit = -1, .fit_own = -1 };
    fit(k, samples, o);
    bbv_free(by);
}

struct sliced workload_slice(const struct workload *w, const struct problem *p, unsigned samples)
{
    struct work k = { .w = w, .p = p };
    struct sliced o = { 0 };
    struct hd_err err = { 0 };
    size_t len = 0;
    char path[256];
    snprintf(path, sizeof path, "tests/paper_b/%s.cu", w->name);
    char *ptx = workload_ptx(w, &len, &err);
    k.image = ptx ? hd_compile_ptx(path, ptx, &(struct cc_options){ 0 }, &err) : NULL;
    if (k.image && make_slice(&k, &err))
        measure(&k, samples, &o);
    if (err.status)
        fprintf(stderr, "paper_b: %s: %s\n", w->name, err.text);
    slice_free(&k.slice);
    bbv_free(k.counted);
    free(k.load);
    free(k.value);
    free(k.has);
    hd_image_free(k.image);
    free(ptx);
    return o;
}
