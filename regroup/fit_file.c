/* A fit: made, freed, and as a file of text.
 * SPDX-License-Identifier: Apache-2.0 */
#include "regroup/fit.h"
#include "cmodel/base/counted.h"
#include "cmodel/base/infile.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void fit_free(struct fit *f)
{
    if (!f)
        return;
    for (uint32_t k = 0; f->input && k < f->ninputs; k++)
        free(f->input[k].name);
    free(f->input);
    free(f->pc);
    free(f->insns);
    free(f->beta);
    free(f);
}

struct fit *fit_new(uint64_t shape, uint32_t ninputs, uint32_t nblocks)
{
    struct fit *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->shape = shape;
    f->ninputs = ninputs;
    f->nblocks = nblocks;
    f->input = calloc((size_t)ninputs + 1, sizeof *f->input);
    f->pc = calloc((size_t)nblocks + 1, sizeof *f->pc);
    f->insns = calloc((size_t)nblocks + 1, sizeof *f->insns);
    f->beta = calloc((size_t)nblocks * fit_terms(ninputs) + 1, sizeof *f->beta);
    if (f->input && f->pc && f->insns && f->beta)
        return f;
    fit_free(f);
    return NULL;
}

void fit_put(const struct fit *f, FILE *out)
{
    const uint32_t p = fit_terms(f->ninputs);
    fprintf(out, "heddle-fit 1\nshape %016" PRIx64 "\ninputs %u\nblocks %u\n", f->shape, f->ninputs,
            f->nblocks);
    for (uint32_t k = 0; k < f->ninputs; k++)
        fprintf(out, "%s %u %u\n", f->input[k].name, f->input[k].elements, f->input[k].which);
    for (uint32_t k = 0; k < f->nblocks; k++) {
        fprintf(out, "%u %u", f->pc[k], f->insns[k]);
        for (uint32_t i = 0; i < p; i++)
            fprintf(out, " %.17g", f->beta[(size_t)k * p + i]);
        fprintf(out, "\n");
    }
}

static bool read_rows(struct fit *f, FILE *in)
{
    const uint32_t p = fit_terms(f->ninputs);
    bool ok = true;
    for (uint32_t k = 0; ok && k < f->ninputs; k++) {
        char name[128];
        ok = fscanf(in, "%127s %u %u", name, &f->input[k].elements, &f->input[k].which) == 3 &&
             f->input[k].which < f->input[k].elements && (f->input[k].name = strdup(name));
    }
    for (uint32_t k = 0; ok && k < f->nblocks; k++) {
        ok = fscanf(in, "%u %u", &f->pc[k], &f->insns[k]) == 2 && f->insns[k] &&
             (!k || f->pc[k] > f->pc[k - 1]);
        for (uint32_t i = 0; ok && i < p; i++)
            ok = fscanf(in, "%lf", &f->beta[(size_t)k * p + i]) == 1 &&
                 isfinite(f->beta[(size_t)k * p + i]);
    }
    char rest;
    return ok && fscanf(in, " %c", &rest) == EOF;
}

struct fit *fit_read(const char *path, uint64_t shape, struct hd_err *err)
{
    enum { MOST_INPUTS = 4096, MOST_BLOCKS = 1 << 20 };
    FILE *in = infile_open(path, err);
    struct fit *f = NULL;
    uint64_t of = 0;
    uint32_t ninputs = 0, nblocks = 0;
    if (!in)
        return NULL;
    if (fscanf(in, "heddle-fit 1 shape %" SCNx64 " inputs %u blocks %u", &of, &ninputs, &nblocks) !=
            3 ||
        ninputs > MOST_INPUTS || !nblocks || nblocks > MOST_BLOCKS ||
        (uint64_t)ninputs * nblocks > MOST_BLOCKS * 16)
        hd_err_set(err, 2, "%s: this is no fit of block counts (heddle bbv --fit)", path);
    else if (of != shape)
        hd_err_set(err, 2, "%s: a fit of another source, or of other options", path);
    else if (!(f = fit_new(of, ninputs, nblocks)))
        hd_err_set(err, 4, "no memory");
    else if (!read_rows(f, in)) {
        hd_err_set(err, 2, "%s: is cut off or broken: a row of its %u %s and %u %s is none",
                   path, COUNTED(ninputs, "input"), COUNTED(nblocks, "block"));
        fit_free(f);
        f = NULL;
    }
    fclose(in);
    return f;
}
