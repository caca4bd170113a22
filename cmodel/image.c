/* The image in memory: building, looking up, and checking that all parts fit together.
 * SPDX-License-Identifier: Apache-2.0
 *
 * hd_image_check is the one gate: what it accepts, every user of images may trust without looking. */
#include "image.h"
#include <stdlib.h>
#include <string.h>

/* Room for one more element of an array whose capacity is the next power of two. */
static void *grow(void *array, uint32_t n, size_t size)
{
    if (n & (n - 1))
        return array;
    void *p = realloc(array, (n ? 2 * (size_t)n : 1) * size);
    if (!p)
        abort();
    return p;
}

static char *copy(const char *s)
{
    char *p = strdup(s);
    if (!p)
        abort();
    return p;
}

struct hd_image *hd_image_new(void)
{
    struct hd_image *img = calloc(1, sizeof *img);
    if (!img)
        abort();
    img->galign = 16;
    return img;
}

void hd_image_free(struct hd_image *img)
{
    if (!img)
        return;
    for (uint32_t i = 0; i < img->nsyms; i++)
        free(img->syms[i].name);
    for (uint32_t i = 0; i < img->nfiles; i++)
        free(img->files[i]);
    for (uint32_t i = 0; i < img->nkernels; i++) {
        for (uint32_t j = 0; j < img->kernels[i].nparams; j++)
            free(img->kernels[i].params[j].name);
        free(img->kernels[i].params);
        free(img->kernels[i].name);
    }
    free(img->text), free(img->cdata), free(img->gdata), free(img->syms), free(img->relocs);
    free(img->kernels), free(img->files), free(img->lines), free(img);
}

uint32_t hd_image_add_sym(struct hd_image *img, const char *name, enum hd_section section, bool func,
                          uint32_t value, uint32_t size)
{
    img->syms = grow(img->syms, img->nsyms, sizeof *img->syms);
    img->syms[img->nsyms] = (struct hd_symbol){ copy(name), (uint8_t)section, func, value, size };
    return img->nsyms++;
}

void hd_image_add_reloc(struct hd_image *img, enum hd_section section, enum hd_reloc_kind kind,
                        uint32_t off, uint32_t sym, int64_t add)
{
    img->relocs = grow(img->relocs, img->nrelocs, sizeof *img->relocs);
    img->relocs[img->nrelocs++] = (struct hd_reloc){ (uint8_t)section, (uint8_t)kind, off, sym, add };
}

struct hd_kernel *hd_image_add_kernel(struct hd_image *img, const char *name)
{
    img->kernels = grow(img->kernels, img->nkernels, sizeof *img->kernels);
    struct hd_kernel *k = &img->kernels[img->nkernels++];
    *k = (struct hd_kernel){ .name = copy(name), .regs = 1 };
    return k;
}

void hd_kernel_add_param(struct hd_kernel *k, const char *name, const char *type, uint32_t size,
                         uint32_t off)
{
    k->params = grow(k->params, k->nparams, sizeof *k->params);
    struct hd_param *p = &k->params[k->nparams++];
    *p = (struct hd_param){ .name = copy(name), .size = size, .off = off };
    snprintf(p->type, sizeof p->type, "%s", type);
    if (off + size > k->params_size)
        k->params_size = off + size;
}

uint32_t hd_image_add_file(struct hd_image *img, const char *path)
{
    for (uint32_t i = 0; i < img->nfiles; i++)
        if (!strcmp(img->files[i], path))
            return i + 1;
    img->files = grow(img->files, img->nfiles, sizeof *img->files);
    img->files[img->nfiles++] = copy(path);
    return img->nfiles;
}

void hd_image_add_line(struct hd_image *img, uint32_t pc, uint32_t file, uint32_t line)
{
    img->lines = grow(img->lines, img->nlines, sizeof *img->lines);
    img->lines[img->nlines++] = (struct hd_line){ pc, file, line };
}

const struct hd_kernel *hd_image_kernel(const struct hd_image *img, const char *name,
                                        struct hd_err *err)
{
    if (!name && img->nkernels == 1)
        return &img->kernels[0];
    for (uint32_t i = 0; name && i < img->nkernels; i++)
        if (!strcmp(img->kernels[i].name, name))
            return &img->kernels[i];
    char list[512] = "";
    for (uint32_t i = 0, n = 0; i < img->nkernels && n + 1 < sizeof list; i++)
        n += (uint32_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "",
                                img->kernels[i].name);
    if (!img->nkernels)
        hd_err_set(err, 2, "the image has no kernel");
    else if (name)
        hd_err_set(err, 2, "no kernel %s; the image has %s", name, list);
    else
        hd_err_set(err, 2, "the image has %u kernels, name one: %s", img->nkernels, list);
    return NULL;
}

void hd_image_line(const struct hd_image *img, uint32_t pc, const char **file, unsigned *line)
{
    uint32_t lo = 0, hi = img->nlines;      /* lines below lo start at pc or before */
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (img->lines[mid].pc <= pc)
            lo = mid + 1;
        else
            hi = mid;
    }
    bool known = lo && img->lines[lo - 1].file && pc < img->text_size;
    *file = known ? img->files[img->lines[lo - 1].file - 1] : "";
    *line = known ? img->lines[lo - 1].line : 0;
}

const char *hd_image_func(const struct hd_image *img, uint32_t pc, uint32_t *off)
{
    for (uint32_t i = 0; i < img->nsyms; i++) {
        const struct hd_symbol *s = &img->syms[i];
        if (s->section == HD_SEC_TEXT && s->func && pc >= s->value && pc - s->value < s->size) {
            *off = pc - s->value;
            return s->name;
        }
    }
    return NULL;
}

/* ---- the gate ------------------------------------------------------------------------------- */

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
        for (uint32_t j = 0; j < i; j++)
            if (!strcmp(img->syms[j].name, s->name))
                return hd_err_set(err, 2, "symbol %s is defined twice", s->name), false;
    }
    return true;
}

static bool check_kernel(const struct hd_image *img, const struct hd_kernel *k, struct hd_err *err)
{
    if (!hd_image_name_ok(k->name))
        return hd_err_set(err, 2, "a kernel has no usable name"), false;
    if (k->entry % HD_INSN_BYTES || k->entry >= img->text_size)
        return hd_err_set(err, 2, "kernel %s: entry 0x%x is no instruction", k->name, k->entry), false;
    if (k->regs < 1 || k->regs > 255 || k->barriers > HD_BARRIERS || k->local % 16)
        return hd_err_set(err, 2, "kernel %s: %u registers, %u barriers, %u local bytes", k->name,
                          k->regs, k->barriers, k->local), false;
    if (k->params_size > HD_CONST_DATA)
        return hd_err_set(err, 2, "kernel %s: %u bytes of parameters, %d are possible", k->name,
                          k->params_size, HD_CONST_DATA), false;
    for (uint32_t i = 0; i < k->nparams; i++) {
        const struct hd_param *p = &k->params[i];
        if (!hd_image_name_ok(p->name) || !hd_image_name_ok(p->type))
            return hd_err_set(err, 2, "kernel %s: parameter %u has no usable name", k->name, i), false;
        if (!p->size || (uint64_t)p->off + p->size > k->params_size
            || (i && p->off < p[-1].off + p[-1].size))
            return hd_err_set(err, 2, "kernel %s: parameter %s, %u bytes at %u, does not fit",
                              k->name, p->name, p->size, p->off), false;
    }
    return true;
}

static bool check_relocs(const struct hd_image *img, struct hd_err *err)
{
    for (uint32_t i = 0; i < img->nrelocs; i++) {
        const struct hd_reloc *r = &img->relocs[i];
        uint64_t end = r->section == HD_SEC_TEXT ? img->text_size
                     : r->section == HD_SEC_CONST ? img->cdata_size : img->gdata_size;
        bool text = r->section == HD_SEC_TEXT;
        unsigned bytes = text ? HD_INSN_BYTES : r->kind == HD_REL_ABS64 ? 8 : 4;
        if (r->section >= HD_SEC_COUNT || r->kind < HD_REL_IMM32 || r->kind > HD_REL_ABS64
            || text != (r->kind == HD_REL_IMM32) || (text && r->off % HD_INSN_BYTES)
            || (uint64_t)r->off + bytes > end)
            return hd_err_set(err, 2, "relocation %u, kind %u at 0x%x, does not fit its section", i,
                              r->kind, r->off), false;
        if (r->sym >= img->nsyms || img->syms[r->sym].section != HD_SEC_GLOBAL)
            return hd_err_set(err, 2, "relocation %u: symbol %u is not global data", i, r->sym), false;
        for (uint32_t j = i; j-- > 0 && img->relocs[j].section == r->section; )
            if (img->relocs[j].off >= r->off)   /* ascending, so that no two overlap unseen */
                return hd_err_set(err, 2, "relocations are not in ascending order"), false;
            else
                break;
    }
    return true;
}

bool hd_image_check(const struct hd_image *img, struct hd_err *err)
{
    if (img->text_size % HD_INSN_BYTES)
        return hd_err_set(err, 2, ".text ends within an instruction"), false;
    if (!img->galign || (img->galign & (img->galign - 1)) || img->galign > 4096)
        return hd_err_set(err, 2, "alignment %u of .global", img->galign), false;
    if (!check_symbols(img, err) || !check_relocs(img, err))
        return false;
    for (uint32_t i = 0; i < img->nkernels; i++) {
        if (!check_kernel(img, &img->kernels[i], err))
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (!strcmp(img->kernels[i].name, img->kernels[j].name))
                return hd_err_set(err, 2, "kernel %s is defined twice", img->kernels[i].name), false;
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
    return true;
}
