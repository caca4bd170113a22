/* Where blocks begin, and what was counted as a table: blocks that always count alike share a
 * column.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Classes of blocks begin as one and part whenever a vector tells two of them apart. */
#include "cmodel/fast/bbv_run.h"
#include "cmodel/image/image.h"
#include "cmodel/base/spill.h"
#include <stdlib.h>
#include <string.h>

/* Marks addresses of code that data may hold: tables of branches, pointers to functions. */
static void mark_data(bool *entry, const struct hd_image *img, const uint8_t *data, uint32_t size)
{
    for (uint32_t at = 0; at + 4 <= size; at += 4) {
        uint32_t v;
        memcpy(&v, data + at, sizeof v);
        if (v % HD_INSN_BYTES == 0 && v < img->text_size)
            entry[v / HD_INSN_BYTES] = true;
    }
}

/* Control instructions after which the lanes that executed them go on together. */
static bool stays(unsigned op)
{
    return op == OP_NOP || op == OP_BSSY || op == OP_BREAK || op == OP_BMOVR || op == OP_BMOVB ||
           op == OP_SSY;
}

/* Marks what an instruction makes an entry; true: it goes where a register says. */
static bool mark_insn(bool *entry, uint32_t i, uint32_t n, const struct hd_insn *in)
{
    const struct hd_op_info *o = &hd_ops[in->op];
    bool parts = o->unit == UNIT_CTL && !stays(in->op);
    if (parts || in->pop)
        entry[i + 1] = true;
    if (strchr(o->operands, '@') && in->imm % HD_INSN_BYTES == 0 && in->imm / HD_INSN_BYTES < n)
        entry[in->imm / HD_INSN_BYTES] = true;
    return in->op == OP_BRX || in->op == OP_CALLR || in->op == OP_CALR;
}

uint32_t *bbv_entries(const struct hd_image *img, uint32_t *out)
{
    uint32_t n = img->text_size / HD_INSN_BYTES, k = 0;
    bool *entry = calloc((size_t)n + 1, sizeof *entry), indirect = false;
    uint32_t *pc = malloc(((size_t)n + 1) * sizeof *pc);
    for (uint32_t i = 0; entry && i < n; i++) {
        struct hd_word w;
        struct hd_insn in;
        memcpy(w.w, img->text + (size_t)i * HD_INSN_BYTES, sizeof w.w);
        if (hd_decode(&w, img->stack_mode, &in))
            indirect |= mark_insn(entry, i, n, &in);
    }
    for (uint32_t s = 0; entry && s < img->nsyms; s++)
        if (img->syms[s].section == HD_SEC_TEXT && img->syms[s].value < img->text_size)
            entry[img->syms[s].value / HD_INSN_BYTES] = true;
    for (uint32_t s = 0; entry && s < img->nkernels; s++)
        entry[img->kernels[s].entry / HD_INSN_BYTES] = true;
    if (entry && indirect) {
        mark_data(entry, img, img->cdata, img->cdata_size);
        mark_data(entry, img, img->gdata, img->gdata_size);
    }
    for (uint32_t i = 0; entry && pc && i < n; i++)
        if (entry[i])
            pc[k++] = i * HD_INSN_BYTES;
    *out = k;
    if (!entry) {
        free(pc);
        pc = NULL;
    }
    free(entry);
    return pc;
}

static uint64_t get(const uint8_t **from)
{
    uint64_t v = 0;
    for (unsigned shift = 0; ; shift += 7) {
        uint8_t byte = *(*from)++;
        v |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return v;
    }
}

/* A vector's counts of all blocks. */
static void read_vector(const struct bbv_set *s, uint32_t v, uint32_t n, uint32_t *count)
{
    const uint8_t *at = s->text + s->at[v], *end = s->text + s->at[v + 1];
    memset(count, 0, n * sizeof *count);
    for (uint32_t block = 0; at < end; block++) {
        block += (uint32_t)get(&at);
        count[block] = (uint32_t)get(&at);
    }
}

/* Blocks that count otherwise than the first one of their class leave it, to one class for each
 * count. first: of every class its first block and, n further on, the class that this block
 * left. */
static uint32_t split(uint32_t *class, uint32_t *first, uint32_t classes, uint32_t n,
                      const uint32_t *count)
{
    const uint32_t before = classes;
    for (uint32_t b = 0; b < n; b++) {
        uint32_t old = class[b], k = before;
        if (count[b] == count[first[old]])
            continue;
        while (k < classes && (first[n + k] != old || count[first[k]] != count[b]))
            k++;                                   /* not one that another block of `old` founded */
        if (k == classes) {
            first[k] = b;
            first[n + k] = old;
            classes++;
        }
        class[b] = k;
    }
    return classes;
}

/* Numbers the classes of executed blocks, in their order; returns how many. */
static uint32_t number(const struct bbv_run *r, uint32_t *class, uint32_t *column)
{
    uint32_t next = 0;
    memset(column, 0xff, r->n * sizeof *column);
    for (uint32_t b = 0; b < r->n; b++)
        if (r->executions[b] && column[class[b]] == UINT32_MAX)
            column[class[b]] = next++;
    return next;
}

static struct bbv *fill(const struct bbv_run *r, const uint32_t *class, const uint32_t *column,
                        uint32_t *count, struct bbv *out)
{
    for (uint32_t b = 0; b < r->n; b++) {
        uint32_t end = b + 1 < r->n ? r->entry[b + 1] : r->code * HD_INSN_BYTES;
        if (r->executions[b])
            out->blocks[out->nblocks++] = (struct bbv_block){
                .pc = r->entry[b], .insns = (end - r->entry[b]) / HD_INSN_BYTES,
                .column = column[class[b]], .executions = r->executions[b] };
    }
    for (uint32_t v = 0; v < out->nvectors; v++) {
        read_vector(&r->set, v, r->n, count);
        for (uint32_t b = 0; b < r->n; b++)
            if (r->executions[b])
                out->counts[(size_t)v * out->ncolumns + column[class[b]]] = count[b];
    }
    memcpy(out->of, r->of, (size_t)out->threads * sizeof *out->of);
    return out;
}

struct bbv *bbv_collect(const struct bbv_run *r, const struct launch *l)
{
    struct bbv *out = calloc(1, sizeof *out);
    uint32_t *count = calloc(r->n, sizeof *count), *class = calloc(r->n, sizeof *class);
    uint32_t *first = calloc((size_t)2 * r->n, sizeof *first), classes = 1;
    bool ok = out && count && class && first;
    for (uint32_t v = 0; ok && v < r->set.n; v++) {
        read_vector(&r->set, v, r->n, count);
        classes = split(class, first, classes, r->n, count);
    }
    if (ok) {
        *out = (struct bbv){ .within = r->within,
                             .grid = l->grid,
                             .block = l->block,
                             .threads_block = l->threads,
                             .threads = r->threads,
                             .nvectors = r->set.n,
                             .ncolumns = number(r, class, first) };
        out->blocks = calloc(r->n, sizeof *out->blocks);
        out->counts = spill_alloc(out->within,
                                  (size_t)out->nvectors * out->ncolumns * sizeof *out->counts);
        out->of = spill_alloc(out->within, (size_t)out->threads * sizeof *out->of);
        ok = out->blocks && out->counts && out->of;
    }
    if (ok)
        fill(r, class, first, count, out);
    free(count);
    free(class);
    free(first);
    if (ok)
        return out;
    bbv_free(out);
    return NULL;
}
