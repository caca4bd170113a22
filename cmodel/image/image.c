/* The image in memory: building it, looking things up, its canonical order.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/image/image.h"
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
    free(img->kernels), free(img->files), free(img->lines), free(img->strong);
    free(img);
}

uint32_t hd_image_add_sym(struct hd_image *img, const char *name, enum hd_section section,
                          bool func, uint32_t value, uint32_t size)
{
    img->syms = grow(img->syms, img->nsyms, sizeof *img->syms);
    img->syms[img->nsyms] = (struct hd_symbol){ copy(name), (uint8_t)section, func, value, size };
    return img->nsyms++;
}

void hd_image_add_reloc(struct hd_image *img, enum hd_section section, enum hd_reloc_kind kind,
                        uint32_t off, uint32_t sym, int64_t add)
{
    img->relocs = grow(img->relocs, img->nrelocs, sizeof *img->relocs);
    img->relocs[img->nrelocs++] = (struct hd_reloc){ (uint8_t)section, (uint8_t)kind, off, sym,
                                                     add };
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

void hd_image_add_strong(struct hd_image *img, uint32_t pc)
{
    img->has_strong = true;
    if (img->nstrong && img->strong[img->nstrong - 1] == pc)
        return;
    img->strong = grow(img->strong, img->nstrong, sizeof *img->strong);
    img->strong[img->nstrong++] = pc;
}

void hd_image_add_line(struct hd_image *img, uint32_t pc, uint32_t file, uint32_t line)
{
    if (img->nlines && img->lines[img->nlines - 1].pc == pc)
        img->nlines--;              /* the later one counts; the room is there */
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

static void mix(uint64_t *h, const void *data, size_t n)         /* FNV-1a */
{
    for (size_t i = 0; i < n; i++)
        *h = (*h ^ ((const uint8_t *)data)[i]) * 0x100000001b3ull;
}

uint64_t hd_image_shape(const struct hd_image *img)
{
    uint64_t h = 0xcbf29ce484222325ull;
    mix(&h, &img->stack_mode, sizeof img->stack_mode);
    mix(&h, img->text, img->text_size);
    return h;
}

/* ---- canonical order: by place, so that equal programs are equal files ----------------------- */

static int compare(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int by_symbol(const void *x, const void *y, void *user)
{
    const struct hd_symbol *s = ((const struct hd_image *)user)->syms;
    const struct hd_symbol *a = &s[*(const uint32_t *)x], *b = &s[*(const uint32_t *)y];
    int c = compare(a->section, b->section);
    c = c ? c : compare(a->value, b->value);
    return c ? c : strcmp(a->name, b->name);
}

static int by_reloc(const void *x, const void *y, void *user)
{
    const struct hd_reloc *r = ((const struct hd_image *)user)->relocs;
    const struct hd_reloc *a = &r[*(const uint32_t *)x], *b = &r[*(const uint32_t *)y];
    int c = compare(a->section, b->section);
    return c ? c : compare(a->off, b->off);
}

static int by_kernel(const void *x, const void *y, void *user)
{
    const struct hd_kernel *k = ((const struct hd_image *)user)->kernels;
    const struct hd_kernel *a = &k[*(const uint32_t *)x], *b = &k[*(const uint32_t *)y];
    int c = compare(a->entry, b->entry);
    return c ? c : strcmp(a->name, b->name);
}

uint32_t *hd_image_order(const struct hd_image *img, enum hd_order what)
{
    uint32_t n = what == HD_ORDER_SYMS ? img->nsyms
               : what == HD_ORDER_RELOCS ? img->nrelocs : img->nkernels;
    uint32_t *order = malloc(((size_t)n + 1) * sizeof *order);
    if (!order)
        abort();
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof *order,
            what == HD_ORDER_SYMS ? by_symbol : what == HD_ORDER_RELOCS ? by_reloc : by_kernel,
            (void *)(uintptr_t)img);
    return order;
}
