/* The functions of struct fst_out, over the FST library that Verilator ships: included where it is
 * compiled.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FST_CALLS_H
#define FST_CALLS_H
#include <stddef.h>
#include "gtkwave/fstapi.h"
#include "harness/core/fst_out.h"

static void fst_scope(void *ctx, const char *name)
{
    if (name)
        fstWriterSetScope(ctx, FST_ST_VCD_MODULE, name, NULL);
    else
        fstWriterSetUpscope(ctx);
}

static uint32_t fst_bits(void *ctx, const char *name, unsigned width)
{
    return fstWriterCreateVar(ctx, FST_VT_VCD_REG, FST_VD_IMPLICIT, width, name, 0);
}

static uint32_t fst_text(void *ctx, const char *name)
{
    return fstWriterCreateVar(ctx, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, name, 0);
}

static void fst_time(void *ctx, uint64_t cycle) { fstWriterEmitTimeChange(ctx, cycle); }

static void fst_set_bits(void *ctx, uint32_t var, unsigned width, uint64_t value)
{
    fstWriterEmitValueChange64(ctx, var, width, value);
}

static void fst_set_text(void *ctx, uint32_t var, const char *text, unsigned n)
{
    fstWriterEmitVariableLengthValueChange(ctx, var, text, n);
}

/* One time unit is a cycle: viewers have no unit for that, and count seconds without a prefix as
 * they are. */
static void fst_begin(struct fst_out *f, void *ctx)
{
    fstWriterSetTimescale(ctx, 0);
    f->ctx = ctx;
    f->scope = fst_scope;
    f->bits = fst_bits;
    f->text = fst_text;
    f->time = fst_time;
    f->set_bits = fst_set_bits;
    f->set_text = fst_set_text;
}
#endif
