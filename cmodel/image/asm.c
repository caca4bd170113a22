/* The assembler: lines, labels, directives, data.
 * SPDX-License-Identifier: Apache-2.0
 *
 * One pass; what refers to a name is settled at the end.  Names of .func, .kernel and .object
 * become symbols of the image, labels do not.  An object or function without a size reaches to the
 * next one. */
#include "cmodel/image/asm.h"
#include "cmodel/image/asm_insn.h"
#include <stdlib.h>
#include <string.h>

struct label { char *name; uint8_t section; uint32_t value; };
struct fixup {
    uint8_t section, bytes;
    bool target;
    uint32_t off;
    struct asm_ref ref;
    struct lex where;
};
struct as {
    struct lex l;
    struct hd_image *img;
    int section;
    uint32_t kernel;                    /* number of the current one, plus one */
    uint32_t cap[HD_SEC_COUNT];         /* of the sections' buffers */
    struct label *labels; size_t nlabels;
    struct fixup *fixups; size_t nfixups;
    struct { uint32_t sym; } *open; size_t nopen;     /* symbols whose size is still to be found */
};

static void *more(void *array, size_t n, size_t size)
{
    if (n & (n - 1))
        return array;
    void *p = realloc(array, (n ? 2 * n : 1) * size);
    if (!p)
        abort();
    return p;
}

static uint8_t **section_bytes(struct as *a, int s)
{
    return s == HD_SEC_TEXT ? &a->img->text : s == HD_SEC_CONST ? &a->img->cdata : &a->img->gdata;
}

static uint32_t *section_size(struct as *a, int s)
{
    return s == HD_SEC_TEXT ? &a->img->text_size : s == HD_SEC_CONST ? &a->img->cdata_size
                                                                     : &a->img->gdata_size;
}

/* The current place as symbols count it: .const data lies after the parameters. */
static uint32_t here(struct as *a)
{
    return *section_size(a, a->section) + (a->section == HD_SEC_CONST ? HD_CONST_DATA : 0);
}

/* Appends n bytes to the current section; p NULL: zeros. */
static bool emit(struct as *a, const void *p, uint32_t n)
{
    enum { LIMIT = 1 << 30 };
    uint8_t **bytes = section_bytes(a, a->section);
    uint32_t *size = section_size(a, a->section), *cap = &a->cap[a->section];
    if (!n)
        return true;
    if (n > LIMIT - *size)
        return lex_fail(&a->l, a->l.p, "the section is larger than 1 GiB");
    if (*size + n > *cap) {
        *cap = 2 * (*size + n);
        uint8_t *bigger = realloc(*bytes, *cap);
        if (!bigger)
            abort();
        *bytes = bigger;
    }
    if (p)
        memcpy(*bytes + *size, p, n);
    else
        memset(*bytes + *size, 0, n);
    *size += n;
    return true;
}

static bool add_fixup(struct as *a, const struct asm_ref *ref, unsigned bytes)
{
    a->fixups = more(a->fixups, a->nfixups, sizeof *a->fixups);
    a->fixups[a->nfixups++] = (struct fixup){ (uint8_t)a->section, (uint8_t)bytes, ref->target,
        *section_size(a, a->section), *ref, a->l };
    return true;
}

static struct label *find_label(struct as *a, const char *name)
{
    for (size_t i = 0; i < a->nlabels; i++)
        if (!strcmp(a->labels[i].name, name))
            return &a->labels[i];
    return NULL;
}

static bool add_label(struct as *a, const char *at, const char *name)
{
    if (find_label(a, name))
        return lex_fail(&a->l, at, "%s is defined twice", name);
    a->labels = more(a->labels, a->nlabels, sizeof *a->labels);
    a->labels[a->nlabels++] = (struct label){ strdup(name), (uint8_t)a->section, here(a) };
    return true;
}

/* .func .object, and .kernel where its function was not named: a symbol, with or without size. */
static bool add_symbol(struct as *a, const char *at, const char *name)
{
    int64_t size = 0;
    bool sized = !lex_end(&a->l);
    if ((sized && !lex_number(&a->l, 0, UINT32_MAX, &size)) || !add_label(a, at, name))
        return false;
    uint32_t sym = hd_image_add_sym(a->img, name, (enum hd_section)a->section,
                                    a->section == HD_SEC_TEXT, here(a), (uint32_t)size);
    if (!sized) {
        a->open = more(a->open, a->nopen, sizeof *a->open);
        a->open[a->nopen++].sym = sym;
    }
    return true;
}

/* Gives open symbols their size: up to the next symbol of the section after them, or its end. */
static void close_symbols(struct as *a)
{
    for (size_t i = 0; i < a->nopen; i++) {
        struct hd_symbol *s = &a->img->syms[a->open[i].sym];
        uint32_t end = *section_size(a, s->section) +
                       (s->section == HD_SEC_CONST ? HD_CONST_DATA : 0);
        for (uint32_t j = 0; j < a->img->nsyms; j++) {
            const struct hd_symbol *t = &a->img->syms[j];
            if (t->section == s->section && t->value > s->value && t->value < end)
                end = t->value;
        }
        s->size = end - s->value;
    }
}

/* ---- directives ----------------------------------------------------------------------------- */

static bool data(struct as *a, unsigned bytes)
{
    do {
        struct asm_ref ref = { .name = "" };
        int64_t v = 0;
        const char *at = lex_skip(&a->l);
        bool number = (*at >= '0' && *at <= '9') || *at == '-';
        uint32_t v32;
        if (number && bytes == 4) {
            if (!lex_immediate(&a->l, &v32))
                return false;
            v = v32;
        } else if (number && bytes == 8 && *at != '-' && !strncmp(at, "0x", 2)) {
            char *end;      /* the full unsigned range, which lex_number does not have */
            v = (int64_t)strtoull(at, &end, 16);
            if (end == at + 2 || end - at > 18)
                return lex_fail(&a->l, at, "this is no number of 64 bits");
            a->l.p = end;
        } else if (number) {
            if (!lex_number(&a->l, bytes == 8 ? INT64_MIN : -128, bytes == 8 ? INT64_MAX : 255, &v))
                return false;
        } else if (bytes == 1) {
            return lex_fail(&a->l, at, "a number is missing here");
        } else if (!asm_reference(&a->l, &ref) || !add_fixup(a, &ref, bytes)) {
            return false;
        }
        if (!emit(a, &v, bytes))
            return false;
    } while (lex_accept(&a->l, ','));
    return true;
}

static bool kernel_directive(struct as *a, const char *at)
{
    char name[256];
    const char *where = lex_skip(&a->l);
    if (!lex_name(&a->l, name, sizeof name))
        return false;
    for (uint32_t i = 0; i < a->img->nkernels; i++)
        if (!strcmp(a->img->kernels[i].name, name))
            return lex_fail(&a->l, where, "kernel %s is defined twice", name);
    if (a->section != HD_SEC_TEXT)
        return lex_fail(&a->l, at, ".kernel belongs into .text");
    hd_image_add_kernel(a->img, name)->entry = here(a);
    a->kernel = a->img->nkernels;
    const struct label *l = find_label(a, name);
    return (l && l->section == HD_SEC_TEXT && l->value == here(a)) || add_symbol(a, where, name);
}

static bool param_directive(struct as *a, struct hd_kernel *k)
{
    char name[256], type[8];
    int64_t size, off;
    const char *at = lex_skip(&a->l);
    if (!lex_name(&a->l, name, sizeof name) || !lex_name(&a->l, type, sizeof type)
        || !lex_number(&a->l, 1, HD_PARAMS_MAX, &size))
        return false;
    uint32_t align = 1;
    while (align < 8 && size % (2 * align) == 0)
        align *= 2;
    off = (k->params_size + align - 1) & ~(align - 1);
    if (!lex_end(&a->l) && !lex_number(&a->l, 0, HD_PARAMS_MAX, &off))
        return false;
    if (off + size > HD_PARAMS_MAX)
        return lex_fail(&a->l, at, "parameters beyond %d bytes", HD_PARAMS_MAX);
    hd_kernel_add_param(k, name, type, (uint32_t)size, (uint32_t)off);
    return true;
}

/* Directives that say what the current kernel needs; -1: not one of them. */
static int resource_directive(struct as *a, const char *d, const char *at)
{
    struct hd_kernel scratch = { 0 };
    struct hd_kernel *k = a->kernel ? &a->img->kernels[a->kernel - 1] : &scratch;
    const struct { const char *name; uint32_t *value; int64_t max; } r[] = {
        { ".regs", &k->regs, 255 },
        { ".barriers", &k->barriers, HD_BARRIERS },
        { ".shared", &k->shared, UINT32_MAX },
        { ".local", &k->local, UINT32_MAX },
        { ".maxthreads", &k->max_threads, UINT32_MAX },
        { ".paramsize", &k->params_size, HD_PARAMS_MAX },
    };
    for (size_t i = 0; i < sizeof r / sizeof *r; i++) {
        int64_t v;
        if (strcmp(d, r[i].name))
            continue;
        if (!a->kernel)
            return lex_fail(&a->l, at, "%s stands before the first .kernel", d);
        if (!lex_number(&a->l, 0, r[i].max, &v))
            return false;
        *r[i].value = (uint32_t)v;
        return true;
    }
    if (strcmp(d, ".param"))
        return -1;
    return a->kernel ? param_directive(a, k)
                     : lex_fail(&a->l, at, ".param stands before the first .kernel");
}

static bool loc_directive(struct as *a)
{
    char file[1024];
    int64_t line;
    if (!lex_string(&a->l, file, sizeof file) || !lex_number(&a->l, 0, UINT32_MAX, &line))
        return false;
    uint32_t f = *file ? hd_image_add_file(a->img, file) : 0;
    hd_image_add_line(a->img, a->img->text_size, f, (uint32_t)line);
    return true;
}

static bool insn_words(struct as *a)
{
    uint32_t w[4];
    for (int i = 0; i < 4; i++) {
        int64_t v;
        if ((i && !lex_expect(&a->l, ',')) || !lex_number(&a->l, 0, UINT32_MAX, &v))
            return false;
        w[i] = (uint32_t)v;
    }
    return emit(a, w, sizeof w);
}

/* .align pads with zeros; in .global it raises the section's own alignment, too. */
static bool align_directive(struct as *a)
{
    int64_t v;
    const char *at = lex_skip(&a->l);
    if (!lex_number(&a->l, 1, 4096, &v))
        return false;
    if (v & (v - 1))
        return lex_fail(&a->l, at, "the alignment is no power of two");
    if (a->section == HD_SEC_GLOBAL && a->img->galign < v)
        a->img->galign = (uint32_t)v;
    return emit(a, NULL, -*section_size(a, a->section) & (uint32_t)(v - 1));
}

static bool mode_directive(struct as *a, const char *at)
{
    char mode[16];
    if (!lex_name(&a->l, mode, sizeof mode))
        return false;
    if (a->img->text_size)
        return lex_fail(&a->l, at, ".mode stands after instructions");
    a->img->stack_mode = !strcmp(mode, "stack");
    return a->img->stack_mode || !strcmp(mode, "barrier")
        || lex_fail(&a->l, at, "the mode is barrier or stack");
}

/* .strong known: accesses are ordinary, but for those before which a bare .strong stands. */
static bool strong_directive(struct as *a)
{
    char yes[8];
    const char *at = lex_skip(&a->l);
    if (*at == '\n' || !*at || !strncmp(at, "//", 2))
        hd_image_add_strong(a->img, a->img->text_size);
    else if (!lex_name(&a->l, yes, sizeof yes))
        return false;
    else if (strcmp(yes, "known"))
        return lex_fail(&a->l, at, ".strong is alone, or .strong known");
    a->img->has_strong = true;
    return true;
}

static bool misc_directive(struct as *a, const char *d, const char *at)
{
    char text[1024];
    int64_t v;
    if (!strcmp(d, ".mode"))
        return mode_directive(a, at);
    if (!strcmp(d, ".file"))
        return lex_string(&a->l, text, sizeof text) && hd_image_add_file(a->img, text);
    if (!strcmp(d, ".align"))
        return align_directive(a);
    if (!strcmp(d, ".galign")) {
        if (!lex_number(&a->l, 1, 4096, &v))
            return false;
        a->img->galign = (uint32_t)v;
        return !(v & (v - 1)) || lex_fail(&a->l, at, "the alignment is no power of two");
    }
    return lex_fail(&a->l, at, "there is no directive %s", d);
}

static bool directive(struct as *a)
{
    static const char *const sections[] = { ".text", ".const", ".global" };
    static const struct { const char *name; unsigned bytes; } datas[] = {
        { ".byte", 1 }, { ".word", 4 }, { ".quad", 8 },
    };
    char d[32], name[256];
    const char *at = lex_skip(&a->l);
    if (!lex_name(&a->l, d, sizeof d))
        return false;
    for (int i = 0; i < HD_SEC_COUNT; i++)
        if (!strcmp(d, sections[i])) {
            a->section = i;
            return true;
        }
    bool text = a->section == HD_SEC_TEXT;
    if (!strcmp(d, ".kernel"))
        return kernel_directive(a, at);
    if (!strcmp(d, ".func") || !strcmp(d, ".object")) {
        const char *where = lex_skip(&a->l);
        if (text != !strcmp(d, ".func"))
            return lex_fail(&a->l, at, "%s does not belong into %s", d, sections[a->section]);
        return lex_name(&a->l, name, sizeof name) && add_symbol(a, where, name);
    }
    if (text && !strcmp(d, ".loc"))
        return loc_directive(a);
    if (text && !strcmp(d, ".strong"))
        return strong_directive(a);
    if (text && !strcmp(d, ".insn"))
        return insn_words(a);
    for (int i = 0; i < 3 && !text; i++)
        if (!strcmp(d, datas[i].name))
            return data(a, datas[i].bytes);
    if (!text && !strcmp(d, ".zero")) {
        int64_t n;
        return lex_number(&a->l, 0, 1 << 30, &n) && emit(a, NULL, (uint32_t)n);
    }
    int r = resource_directive(a, d, at);
    return r >= 0 ? r : misc_directive(a, d, at);
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* Takes `NAME:` at the cursor.  False: none, or a message was left. */
static bool label(struct as *a)
{
    struct lex save = a->l;
    struct hd_err ignored = { 0 };
    char name[256];
    const char *at = lex_skip(&a->l);
    a->l.err = &ignored;
    bool is = lex_name(&a->l, name, sizeof name) && lex_accept(&a->l, ':');
    a->l.err = save.err;
    if (!is) {
        a->l = save;
        return false;
    }
    return add_label(a, at, name);
}

static bool line(struct as *a)
{
    while (!lex_end(&a->l) && label(a))
        ;
    if (a->l.err->status || lex_end(&a->l))
        return !a->l.err->status;
    if (*a->l.p == '.') {
        if (!directive(a))
            return false;
        lex_accept(&a->l, ';');
        return lex_end(&a->l) || lex_fail(&a->l, a->l.p, "the directive ends before this");
    }
    struct hd_insn in;
    struct asm_ref ref;
    if (a->section != HD_SEC_TEXT)
        return lex_fail(&a->l, a->l.p, "instructions belong into .text");
    if (!asm_insn(&a->l, a->img->stack_mode, &in, &ref))
        return false;
    if (*ref.name)
        add_fixup(a, &ref, HD_INSN_BYTES);
    struct hd_word w = hd_encode(&in);
    return emit(a, &w, sizeof w);
}

static int label_order(const void *x, const void *y)
{
    return strcmp(((const struct label *)x)->name, ((const struct label *)y)->name);
}

static uint32_t symbol_index(const struct hd_image *img, const char *name)
{
    uint32_t i = 0;
    while (i < img->nsyms && strcmp(img->syms[i].name, name))
        i++;
    return i;
}

/* Global data has no address yet, so a reference to it becomes a relocation; all else is a
 * number. */
static bool settle(struct as *a, struct fixup *f)
{
    const struct label key = { f->ref.name, 0, 0 };
    const struct label *l = a->nlabels
                                ? bsearch(&key, a->labels, a->nlabels, sizeof *l, label_order)
                                : NULL;
    if (!l)
        return lex_fail(&f->where, f->ref.at, "%s is not defined", f->ref.name);
    if (f->target && l->section != HD_SEC_TEXT)
        return lex_fail(&f->where, f->ref.at, "%s is no place in .text", f->ref.name);
    if (l->section == HD_SEC_GLOBAL) {
        uint32_t sym = symbol_index(a->img, f->ref.name);
        if (sym == a->img->nsyms)
            return lex_fail(&f->where, f->ref.at, "%s is a label: relocations need an .object",
                            f->ref.name);
        hd_image_add_reloc(a->img, (enum hd_section)f->section,
                           f->bytes == HD_INSN_BYTES ? HD_REL_IMM32
                           : f->bytes == 4           ? HD_REL_ABS32
                                                     : HD_REL_ABS64,
                           f->off, sym, f->ref.add);
        return true;
    }
    uint64_t v = l->value + (uint64_t)f->ref.add;
    bool insn = f->bytes == HD_INSN_BYTES;
    memcpy(*section_bytes(a, f->section) + f->off + (insn ? ISA_IMM_LSB / 8 : 0), &v,
           insn ? 4 : f->bytes);
    return true;
}

int hd_asm(const char *name, const char *text, struct hd_image **out, struct hd_err *err)
{
    struct hd_err own = { 0 };
    struct as a = { .l = { .name = name, .err = err ? err : &own }, .img = hd_image_new() };
    bool ok = true;
    for (const char *s = text; ok && *s; s += *s == '\n') {
        a.l.line = a.l.p = s;
        a.l.number++;
        ok = line(&a);
        s += strcspn(s, "\n");
    }
    close_symbols(&a);
    if (a.nlabels)
        qsort(a.labels, a.nlabels, sizeof *a.labels, label_order);
    for (size_t i = 0; ok && i < a.nfixups; i++)
        ok = settle(&a, &a.fixups[i]);
    if (ok && !hd_image_check(a.img, &own)) {
        hd_err_set(err, 2, "%s: %s", name, own.text);
        ok = false;
    }
    for (size_t i = 0; i < a.nlabels; i++)
        free(a.labels[i].name);
    free(a.labels), free(a.fixups), free(a.open);
    if (!ok)
        hd_image_free(a.img);
    *out = ok ? a.img : NULL;
    return ok ? 0 : 2;
}
