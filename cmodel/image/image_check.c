/* Checks that the parts of an image fit together: the one gate, in and out.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What hd_image_check accepts, every user of images may trust without looking. */
#include "cmodel/image/image.h"
#include <stdlib.h>
#include <string.h>

bool hd_image_name_ok(const char *s)
{
    static const char first[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$.%";
    if (!*s || !strchr(first, *s))
        return false;
    for (; *s; s++)
        if (!strchr(first, *s) && (*s < '0' || *s > '9'))
            return false;
    return true;
}

static bool printable(const char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s < 0x20 || *s == 0x7f)
            return false;
    return true;
}

static bool check_symbols(const struct hd_image *img, struct hd_err *err)
{
    for (uint32_t i = 0; i < img->nsyms; i++) {
        const struct hd_symbol *s = &img->syms[i];
        uint64_t base = s->section == HD_SEC_CONST ? HD_CONST_DATA : 0;
        uint64_t size = s->section == HD_SEC_TEXT ? img->text_size
                      : s->section == HD_SEC_CONST ? img->cdata_size : img->gdata_size;
        if (!hd_image_name_ok(s->name))
            return hd_err_set(err, 2, "symbol %u has no usable name", i), false;
        if (s->section >= HD_SEC_COUNT || s->func != (s->section == HD_SEC_TEXT))
            return hd_err_set(err, 2, "symbol %s is in no section for it", s->name), false;
        if (s->value < base || (uint64_t)s->value + s->size > base + size
            || (s->section == HD_SEC_TEXT && s->value % HD_INSN_BYTES))
            return hd_err_set(err, 2, "symbol %s, 0x%x + 0x%x, is outside its section", s->name,
                              s->value, s->size), false;
    }
    return true;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static bool check_unique(const struct hd_image *img, struct hd_err *err)
{
    const char **name = calloc((size_t)img->nsyms + 1, sizeof *name), *twice = NULL;
    if (!name)
        abort();
    for (uint32_t i = 0; i < img->nsyms; i++)
        name[i] = img->syms[i].name;
    qsort(name, img->nsyms, sizeof *name, by_name);
    for (uint32_t i = 1; i < img->nsyms; i++)
        if (!strcmp(name[i - 1], name[i]))
            twice = name[i];
    if (twice)
        hd_err_set(err, 2, "symbol %s is defined twice", twice);
    free(name);
    return !twice;
}

static bool check_kernel(const struct hd_image *img, const struct hd_kernel *k, struct hd_err *err)
{
    if (!hd_image_name_ok(k->name))
        return hd_err_set(err, 2, "a kernel has no usable name"), false;
    if (k->entry % HD_INSN_BYTES || k->entry >= img->text_size)
        return hd_err_set(err, 2, "kernel %s: entry 0x%x is no instruction", k->name, k->entry),
               false;
    if (k->regs < 1 || k->regs > 255 || k->barriers > HD_BARRIERS || k->local % 16)
        return hd_err_set(err, 2, "kernel %s: %u registers, %u barriers, %u local bytes", k->name,
                          k->regs, k->barriers, k->local), false;
    if (k->params_size > HD_PARAMS_MAX)
        return hd_err_set(err, 2, "kernel %s: %u bytes of parameters, %d are possible", k->name,
                          k->params_size, HD_PARAMS_MAX), false;
    for (uint32_t i = 0; i < k->nparams; i++) {
        const struct hd_param *p = &k->params[i];
        if (!hd_image_name_ok(p->name) || !hd_image_name_ok(p->type))
            return hd_err_set(err, 2, "kernel %s: parameter %u has no usable name", k->name, i),
                   false;
        if (!p->size || (uint64_t)p->off + p->size > k->params_size
            || (i && p->off < p[-1].off + p[-1].size))
            return hd_err_set(err, 2, "kernel %s: parameter %s, %u bytes at %u, does not fit",
                              k->name, p->name, p->size, p->off), false;
    }
    return true;
}

/* A place in .text is the immediate, still zero, of an instruction that takes 32 bits of it. */
static bool reloc_insn_ok(const struct hd_image *img, uint32_t off)
{
    struct hd_word w;
    struct hd_insn in;
    memcpy(&w, img->text + off, sizeof w);
    return hd_decode(&w, img->stack_mode, &in) && in.bi && !in.imm
        && strchr(hd_ops[in.op].operands, 'b');
}

static bool check_relocs(const struct hd_image *img, struct hd_err *err)
{
    uint32_t *order = hd_image_order(img, HD_ORDER_RELOCS);
    const struct hd_reloc *last = NULL;
    uint32_t last_bytes = 0;
    bool ok = true;
    for (uint32_t i = 0; i < img->nrelocs && ok; i++) {
        const struct hd_reloc *r = &img->relocs[order[i]];
        uint64_t end = r->section == HD_SEC_TEXT ? img->text_size
                     : r->section == HD_SEC_CONST ? img->cdata_size : img->gdata_size;
        const uint8_t *p = r->section == HD_SEC_CONST ? img->cdata : img->gdata;
        bool text = r->section == HD_SEC_TEXT, wide = r->kind == HD_REL_ABS64;
        uint32_t bytes = text ? HD_INSN_BYTES : wide ? 8 : 4;
        ok = r->section < HD_SEC_COUNT && r->kind >= HD_REL_IMM32 && r->kind <= HD_REL_ABS64
          && text == (r->kind == HD_REL_IMM32) && (!text || r->off % HD_INSN_BYTES == 0)
          && (uint64_t)r->off + bytes <= end
          && r->sym < img->nsyms && img->syms[r->sym].section == HD_SEC_GLOBAL
          && !(last && last->section == r->section && r->off - last->off < last_bytes)
          && (text ? reloc_insn_ok(img, r->off) : !memcmp(p + r->off, "\0\0\0\0\0\0\0", bytes));
        if (!ok)
            hd_err_set(err, 2,
                       "relocation of kind %u at 0x%x of section %u, symbol %u, has no proper "
                       "place, which holds zero, or no global data to point to",
                       r->kind, r->off, r->section, r->sym);
        last = r, last_bytes = bytes;
    }
    free(order);
    return ok;
}

uint32_t hd_image_units(const struct hd_image *img)
{
    struct hd_word w;
    struct hd_insn in;
    uint32_t units = 0;
    for (uint32_t pc = 0; pc + HD_INSN_BYTES <= img->text_size; pc += HD_INSN_BYTES) {
        memcpy(&w, img->text + pc, sizeof w);
        if (hd_decode(&w, img->stack_mode, &in))
            units |= 1u << hd_ops[in.op].unit | (in.cb ? HD_CONSTANTS : 0);
    }
    return units;
}

bool hd_image_check(const struct hd_image *img, struct hd_err *err)
{
    if (img->text_size % HD_INSN_BYTES)
        return hd_err_set(err, 2, ".text ends within an instruction"), false;
    if (!img->galign || (img->galign & (img->galign - 1)) || img->galign > 4096)
        return hd_err_set(err, 2, "alignment %u of .global", img->galign), false;
    if (!check_symbols(img, err) || !check_unique(img, err) || !check_relocs(img, err))
        return false;
    for (uint32_t i = 0; i < img->nkernels; i++) {
        if (!check_kernel(img, &img->kernels[i], err))
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (!strcmp(img->kernels[i].name, img->kernels[j].name))
                return hd_err_set(err, 2, "kernel %s is defined twice", img->kernels[i].name),
                       false;
    }
    for (uint32_t i = 0; i < img->nfiles; i++)
        if (!printable(img->files[i]))
            return hd_err_set(err, 2, "file name %u has control characters", i), false;
    for (uint32_t i = 0; i < img->nlines; i++) {
        const struct hd_line *l = &img->lines[i];
        if (l->pc % HD_INSN_BYTES || l->pc >= img->text_size || l->file > img->nfiles
            || (i && l->pc <= l[-1].pc))
            return hd_err_set(err, 2, "entry %u of the line table: pc 0x%x, file %u", i, l->pc,
                              l->file), false;
    }
    for (uint32_t i = 0; i < img->nstrong; i++)
        if (img->strong[i] % HD_INSN_BYTES || img->strong[i] >= img->text_size ||
            (i && img->strong[i] <= img->strong[i - 1]))
            return hd_err_set(err, 2, "entry %u of the strong accesses: pc 0x%x", i,
                              img->strong[i]), false;
    return true;
}
