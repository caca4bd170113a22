/* Reads an image from a file, trusting nothing: offsets are checked here, meaning in
 * hd_image_check.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/image/image_elf.h"
#include "cmodel/base/infile.h"
#include <stdlib.h>
#include <string.h>

/* Bytes still to be read; once one read fails, all do, and what they return is zero. */
struct in { const uint8_t *p; size_t n; bool bad; };
struct file {
    const uint8_t *p;
    size_t n;
    const Elf64_Shdr *h;
    int index[S_COUNT];
    struct in sec[S_COUNT];
};

static const uint8_t *take(struct in *i, size_t n)
{
    if (i->bad || n > i->n) {
        i->bad = true;
        return NULL;
    }
    i->p += n, i->n -= n;
    return i->p - n;
}

static uint32_t take32(struct in *i)
{
    uint32_t v = 0;
    const uint8_t *p = take(i, 4);
    if (p)
        memcpy(&v, p, 4);
    return v;
}

/* To be freed; NULL when bad. */
static char *take_string(struct in *i)
{
    uint32_t n = take32(i);
    if (n > i->n || i->bad) {
        i->bad = true;
        return NULL;
    }
    const char *p = (const char *)take(i, ((size_t)n + 3) & ~(size_t)3);
    if (!p || memchr(p, 0, n)) {
        i->bad = true;
        return NULL;
    }
    return strndup(p, n);
}

static bool read_kernel(struct hd_image *img, struct in *d)
{
    uint32_t v[8];
    for (int i = 0; i < 8; i++)
        v[i] = take32(d);
    char *name = take_string(d);
    if (!name)
        return false;
    struct hd_kernel *k = hd_image_add_kernel(img, name);
    free(name);
    for (uint32_t i = 0; i < v[7] && !d->bad; i++) {
        char type[9] = "";
        const uint8_t *t = take(d, 8);
        if (t)
            memcpy(type, t, 8);
        uint32_t size = take32(d), off = take32(d);
        char *pname = take_string(d);
        if (!pname || strlen(type) > 7 || off > HD_PARAMS_MAX || size > HD_PARAMS_MAX)
            return free(pname), false;
        hd_kernel_add_param(k, pname, type, size, off);
        free(pname);
    }
    k->entry = v[0], k->regs = v[1], k->barriers = v[2], k->shared = v[3], k->local = v[4];
    k->max_threads = v[5];
    if (k->params_size > v[6])
        return false;
    k->params_size = v[6];
    return !d->bad && !d->n;
}

static bool read_notes(struct hd_image *img, struct in n, uint32_t *nsyms, struct hd_err *err)
{
    bool known = false;
    while (n.n) {
        uint32_t name = take32(&n), size = take32(&n), type = take32(&n);
        const uint8_t *owner = take(&n, ((uint64_t)name + 3) & ~3ull);
        const uint8_t *desc = take(&n, ((uint64_t)size + 3) & ~3ull);
        if (!owner || !desc)
            return hd_err_set(err, 2, ".note.heddle is cut short"), false;
        if (name != 7 || memcmp(owner, "Heddle", 7))
            continue;
        struct in d = { desc, size, false };
        if (type == NOTE_IMAGE && size == 20 && !known) {
            uint64_t hash;
            memcpy(&hash, take(&d, 8), 8);
            if (hash != ISA_HASH)
                return hd_err_set(err, 2,
                                  "made for ISA table %016llx, this is %016llx: compile again",
                                  (unsigned long long)hash, (unsigned long long)ISA_HASH),
                       false;
            uint32_t mode = take32(&d);
            img->stack_mode = mode == 1;
            img->galign = take32(&d);
            *nsyms = take32(&d);
            known = mode <= 1;
        } else if (type != NOTE_KERNEL || !known || !read_kernel(img, &d)) {
            return hd_err_set(err, 2, ".note.heddle: a note of type %u is broken", type), false;
        }
    }
    if (!known)
        hd_err_set(err, 2, "no .note.heddle that names the ISA table: this is no Heddle image");
    return known;
}

static bool read_lines(struct hd_image *img, struct in l, struct hd_err *err)
{
    if (!l.n)
        return true;
    uint32_t nfiles = take32(&l), nlines = take32(&l);
    for (uint32_t i = 0; i < nfiles && !l.bad; i++) {
        char *s = take_string(&l);
        if (s && hd_image_add_file(img, s) != i + 1)
            l.bad = true;
        free(s);
    }
    if (l.bad || l.n < (uint64_t)nlines * 12)
        return hd_err_set(err, 2, ".heddle.line is broken"), false;
    for (uint32_t i = 0; i < nlines; i++) {
        uint32_t pc = take32(&l), file = take32(&l), line = take32(&l);
        hd_image_add_line(img, pc, file, line);
    }
    img->has_strong = l.n;
    uint32_t nstrong = l.n ? take32(&l) : 0;
    if (l.bad || l.n != (uint64_t)nstrong * 4)
        return hd_err_set(err, 2, ".heddle.line is broken"), false;
    while (l.n)
        hd_image_add_strong(img, take32(&l));
    return true;
}

/* Reads the symbols, all global ones; `expected` of them. */
static bool read_symbols(struct hd_image *img, struct file *f, uint32_t expected,
                         struct hd_err *err)
{
    const struct in str = f->sec[S_STRTAB];
    struct in s = f->sec[S_SYMTAB];
    for (uint32_t i = 0; s.n; i++) {
        Elf64_Sym e;
        memcpy(&e, take(&s, sizeof e), sizeof e);
        int type = ELF64_ST_TYPE(e.st_info), section = -1;
        if (ELF64_ST_BIND(e.st_info) != STB_GLOBAL)
            continue;
        for (int k = 0; k < HD_SEC_COUNT; k++)
            if (e.st_shndx && e.st_shndx == f->index[S_TEXT + k])
                section = k;
        if (section < 0 || (type != STT_FUNC && type != STT_OBJECT) || e.st_name >= str.n
            || !memchr(str.p + e.st_name, 0, str.n - e.st_name)
            || e.st_value > UINT32_MAX || e.st_size > UINT32_MAX)
            return hd_err_set(err, 2, "symbol %u is broken", i), false;
        hd_image_add_sym(img, (const char *)str.p + e.st_name, (enum hd_section)section,
                         type == STT_FUNC, (uint32_t)e.st_value, (uint32_t)e.st_size);
    }
    if (img->nsyms != expected)
        return hd_err_set(err, 2, "%u symbols instead of %u: relocations need them all", img->nsyms,
                          expected), false;
    return true;
}

static bool read_relocs(struct hd_image *img, struct file *f, struct hd_err *err)
{
    for (int k = 0; k < HD_SEC_COUNT; k++) {
        struct in s = f->sec[S_RELA + k];
        uint64_t base = k == HD_SEC_CONST ? HD_CONST_DATA : 0;
        while (s.n) {
            Elf64_Rela e;
            memcpy(&e, take(&s, sizeof e), sizeof e);
            uint64_t sym = ELF64_R_SYM(e.r_info), kind = ELF64_R_TYPE(e.r_info);
            if (!sym || sym > img->nsyms || kind > HD_REL_ABS64 || e.r_offset < base
                || e.r_offset - base > UINT32_MAX)
                return hd_err_set(err, 2, "%s is broken", section_names[S_RELA + k]), false;
            hd_image_add_reloc(img, (enum hd_section)k, (enum hd_reloc_kind)kind,
                               (uint32_t)(e.r_offset - base), (uint32_t)sym - 1, e.r_addend);
        }
    }
    return true;
}

/* Finds the sections by name and checks that they lie in the file, apart from each other. */
static bool find_sections(struct file *f, struct hd_err *err)
{
    Elf64_Ehdr e;
    if (f->n < sizeof e || memcmp(f->p, ELFMAG, SELFMAG))
        return hd_err_set(err, 2, "not an ELF file"), false;
    memcpy(&e, f->p, sizeof e);
    if (e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_ident[EI_DATA] != ELFDATA2LSB
        || (e.e_machine != HX_MACHINE && e.e_machine != EM_NONE))
        return hd_err_set(err, 2, "ELF, but no Heddle image (machine 0x%x)", e.e_machine), false;
    if (e.e_shentsize != sizeof(Elf64_Shdr) || e.e_shoff % 8 || e.e_shoff > f->n
        || e.e_shnum > (f->n - e.e_shoff) / sizeof(Elf64_Shdr) || e.e_shstrndx >= e.e_shnum)
        return hd_err_set(err, 2, "the section table is cut short"), false;
    f->h = (const Elf64_Shdr *)(const void *)(f->p + e.e_shoff);
    const Elf64_Shdr *str = &f->h[e.e_shstrndx];
    if (str->sh_offset > f->n || str->sh_size > f->n - str->sh_offset || !str->sh_size
        || f->p[str->sh_offset + str->sh_size - 1])
        return hd_err_set(err, 2, "the names of the sections are broken"), false;
    for (int i = 1; i < e.e_shnum; i++) {
        const Elf64_Shdr *h = &f->h[i];
        if (h->sh_name >= str->sh_size)
            return hd_err_set(err, 2, "section %d has no name", i), false;
        const char *name = (const char *)f->p + str->sh_offset + h->sh_name;
        for (int k = 1; k < S_COUNT; k++) {
            if (strcmp(name, section_names[k]))
                continue;
            if (f->index[k] || h->sh_type == SHT_NOBITS || h->sh_offset > f->n
                || h->sh_size > f->n - h->sh_offset || h->sh_size > UINT32_MAX)
                return hd_err_set(err, 2, "section %s is broken", name), false;
            f->index[k] = i;
            f->sec[k] = (struct in){ f->p + h->sh_offset, h->sh_size, false };
            if (k == S_TEXT + HD_SEC_CONST && h->sh_size && h->sh_addr != HD_CONST_DATA)
                return hd_err_set(err, 2, "made for constants at byte %llu of the bank, here they "
                                  "begin at %d: compile again", (unsigned long long)h->sh_addr,
                                  HD_CONST_DATA),
                       false;
        }
    }
    for (int i = 1; i < S_COUNT; i++)
        for (int j = 1; j < i; j++)
            if (f->sec[i].n && f->sec[j].n && f->sec[i].p < f->sec[j].p + f->sec[j].n
                && f->sec[j].p < f->sec[i].p + f->sec[i].n
                && !(i == S_SHSTRTAB && j == S_STRTAB))     /* tools may share them */
                return hd_err_set(err, 2, "sections %s and %s overlap", section_names[i],
                                  section_names[j]),
                       false;
    if (f->sec[S_SYMTAB].n % sizeof(Elf64_Sym))
        return hd_err_set(err, 2, ".symtab is cut short"), false;
    for (int k = 0; k < HD_SEC_COUNT; k++)
        if (f->sec[S_RELA + k].n % sizeof(Elf64_Rela))
            return hd_err_set(err, 2, "%s is cut short", section_names[S_RELA + k]), false;
    return true;
}

static uint8_t *copy_bytes(struct in s, uint32_t *n)
{
    uint8_t *p = malloc(s.n + 1);
    if (!p)
        abort();
    if (s.n)
        memcpy(p, s.p, s.n);
    *n = (uint32_t)s.n;
    return p;
}

static struct hd_image *parse(const void *buf, size_t n, struct hd_err *err)
{
    struct file f = { .p = buf, .n = n };
    if (!find_sections(&f, err))
        return NULL;
    struct hd_image *img = hd_image_new();
    uint32_t nsyms = 0;
    img->text = copy_bytes(f.sec[S_TEXT], &img->text_size);
    img->cdata = copy_bytes(f.sec[S_CONST], &img->cdata_size);
    img->gdata = copy_bytes(f.sec[S_GLOBAL], &img->gdata_size);
    bool ok = read_notes(img, f.sec[S_NOTE], &nsyms, err) && read_lines(img, f.sec[S_LINE], err)
           && read_symbols(img, &f, nsyms, err) && read_relocs(img, &f, err)
           && hd_image_check(img, err);
    if (ok)
        return img;
    hd_image_free(img);
    return NULL;
}

struct hd_image *hd_image_parse(const char *name, const void *buf, size_t n, struct hd_err *err)
{
    struct hd_err why = { 0 };
    void *own = malloc(n + 1);         /* aligned, so that tables can be used in place */
    if (!own)
        abort();
    if (n)
        memcpy(own, buf, n);
    struct hd_image *img = parse(own, n, &why);
    if (!img)
        hd_err_set(err, 2, "%s: %s", name, why.text);
    free(own);
    return img;
}

struct hd_image *hd_image_read(const char *path, struct hd_err *err)
{
    FILE *f = infile_open(path, err);
    uint8_t *buf = NULL;
    size_t n = 0, cap = 0;
    if (!f)
        return NULL;
    do {
        cap = cap ? 2 * cap : 65536;
        buf = realloc(buf, cap);
        if (!buf)
            abort();
        n += fread(buf + n, 1, cap - n, f);
    } while (n == cap);
    bool bad = ferror(f);
    fclose(f);
    struct hd_image *img = NULL;
    if (bad)
        hd_err_set(err, 2, "%s: cannot be read", path);
    else
        img = hd_image_parse(path, buf, n, err);
    free(buf);
    return img;
}
