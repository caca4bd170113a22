/* The image as a file: ELF64, so that readelf and objcopy work on it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sections: .text .const .global .symtab .strtab .rela.{text,const,global} .heddle.line
 * .note.heddle .shstrtab.  Little endian; machine 0x4844 ("HD"), or none, as `objcopy -I elf64-little`
 * leaves behind; no program headers, as the loader places data.  Relocations count as allocated:
 * else objcopy, which does not know their types, would rewrite them to type 0.  It copies them as
 * they are, but puts local symbols in front; so a relocation's symbol 1 is the first global one,
 * whatever its number, and the note says how many there must be.
 *
 * Notes of owner "Heddle": type 0x101 the image {u64 hash of the ISA table, u32 stack mode, u32
 * alignment of .global, u32 symbols}; type 0x102 a kernel {u32 entry, regs, barriers, shared, local, max_threads,
 * params_size, nparams, string name; each parameter: 8 bytes type, u32 size, off, string name}.
 * .heddle.line: {u32 nfiles, nlines, strings, lines as {u32 pc, file, line}}.  A string is a u32
 * length and its bytes, filled with zeros to a multiple of four.
 *
 * Nothing in a file is trusted: offsets are checked here, meaning in hd_image_check.
 */
#include "image.h"
#include <elf.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "structures are copied to files as they are");

enum { MACHINE = 0x4844, NOTE_IMAGE = 0x101, NOTE_KERNEL = 0x102 };
enum { S_NULL, S_TEXT, S_CONST, S_GLOBAL, S_SYMTAB, S_STRTAB, S_RELA, S_LINE = S_RELA + HD_SEC_COUNT,
       S_NOTE, S_SHSTRTAB, S_COUNT };
static const char *const names[S_COUNT] = { "", ".text", ".const", ".global", ".symtab", ".strtab",
    ".rela.text", ".rela.const", ".rela.global", ".heddle.line", ".note.heddle", ".shstrtab" };

/* ---- writing -------------------------------------------------------------------------------- */

struct out { uint8_t *p; size_t n, cap; };

static size_t put(struct out *o, const void *p, size_t n)
{
    if (o->n + n > o->cap) {
        o->cap = 2 * (o->n + n);
        o->p = realloc(o->p, o->cap);
        if (!o->p)
            abort();
    }
    if (n)
        memcpy(o->p + o->n, p, n);
    o->n += n;
    return o->n - n;
}

static void put32(struct out *o, uint32_t v) { put(o, &v, 4); }
static void pad(struct out *o, size_t to) { while (o->n % to) put(o, "", 1); }

static void put_string(struct out *o, const char *s)
{
    put32(o, (uint32_t)strlen(s));
    put(o, s, strlen(s));
    pad(o, 4);
}

static void put_note(struct out *o, uint32_t type, const struct out *desc)
{
    put32(o, 7), put32(o, (uint32_t)desc->n), put32(o, type);
    put(o, "Heddle\0", 8);
    put(o, desc->p, desc->n);
}

static void put_notes(struct out *o, const struct hd_image *img)
{
    struct out d = { 0 };
    uint64_t hash = ISA_HASH;
    put(&d, &hash, 8), put32(&d, img->stack_mode), put32(&d, img->galign), put32(&d, img->nsyms);
    put_note(o, NOTE_IMAGE, &d);
    uint32_t *order = hd_image_order(img, HD_ORDER_KERNELS);
    for (uint32_t i = 0; i < img->nkernels; i++) {
        const struct hd_kernel *k = &img->kernels[order[i]];
        d.n = 0;
        put32(&d, k->entry), put32(&d, k->regs), put32(&d, k->barriers), put32(&d, k->shared);
        put32(&d, k->local), put32(&d, k->max_threads), put32(&d, k->params_size);
        put32(&d, k->nparams), put_string(&d, k->name);
        for (uint32_t j = 0; j < k->nparams; j++) {
            char type[8] = { 0 };           /* no stray bytes behind the terminator */
            memcpy(type, k->params[j].type, strnlen(k->params[j].type, 7));
            put(&d, type, 8), put32(&d, k->params[j].size), put32(&d, k->params[j].off);
            put_string(&d, k->params[j].name);
        }
        put_note(o, NOTE_KERNEL, &d);
    }
    free(order), free(d.p);
}

static void put_lines(struct out *o, const struct hd_image *img)
{
    put32(o, img->nfiles), put32(o, img->nlines);
    for (uint32_t i = 0; i < img->nfiles; i++)
        put_string(o, img->files[i]);
    put(o, img->lines, img->nlines * sizeof *img->lines);
}

static void put_symbols(struct out *symtab, struct out *strtab, const struct hd_image *img,
                        const uint32_t *order)
{
    put(symtab, &(Elf64_Sym){ 0 }, sizeof(Elf64_Sym));
    put(strtab, "", 1);
    for (uint32_t i = 0; i < img->nsyms; i++) {
        const struct hd_symbol *s = &img->syms[order[i]];
        Elf64_Sym e = { .st_name = (Elf64_Word)put(strtab, s->name, strlen(s->name) + 1),
            .st_info = ELF64_ST_INFO(STB_GLOBAL, s->func ? STT_FUNC : STT_OBJECT),
            .st_shndx = (Elf64_Half)(S_TEXT + s->section), .st_value = s->value, .st_size = s->size };
        put(symtab, &e, sizeof e);
    }
}

/* rank: place in the file of each symbol. */
static void put_relocs(struct out *sec, const struct hd_image *img, const uint32_t *rank)
{
    uint32_t *order = hd_image_order(img, HD_ORDER_RELOCS);
    for (uint32_t i = 0; i < img->nrelocs; i++) {
        const struct hd_reloc *r = &img->relocs[order[i]];
        Elf64_Rela e = { .r_offset = r->off + (r->section == HD_SEC_CONST ? HD_CONST_DATA : 0),
            .r_info = ELF64_R_INFO((uint64_t)rank[r->sym] + 1, r->kind), .r_addend = r->add };
        put(&sec[r->section], &e, sizeof e);
    }
    free(order);
}

/* Section headers by what cannot be computed from contents. */
static void fill_headers(Elf64_Shdr *h, const struct hd_image *img)
{
    h[S_TEXT] = (Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                              .sh_addralign = 16 };
    h[S_CONST] = (Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC, .sh_addralign = 16,
                               .sh_addr = HD_CONST_DATA };
    h[S_GLOBAL] = (Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_WRITE,
                                .sh_addralign = img->galign };
    h[S_SYMTAB] = (Elf64_Shdr){ .sh_type = SHT_SYMTAB, .sh_link = S_STRTAB, .sh_info = 1,
                                .sh_entsize = sizeof(Elf64_Sym), .sh_addralign = 8 };
    h[S_STRTAB] = h[S_SHSTRTAB] = (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_addralign = 1 };
    for (uint32_t s = 0; s < HD_SEC_COUNT; s++)
        h[S_RELA + s] = (Elf64_Shdr){ .sh_type = SHT_RELA, .sh_link = S_SYMTAB, .sh_info = S_TEXT + s,
                                      .sh_flags = SHF_ALLOC | SHF_INFO_LINK, .sh_addralign = 8,
                                      .sh_entsize = sizeof(Elf64_Rela) };
    h[S_LINE] = (Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_addralign = 4 };
    h[S_NOTE] = (Elf64_Shdr){ .sh_type = SHT_NOTE, .sh_addralign = 4 };
}

void hd_image_save(const struct hd_image *img, uint8_t **buf, size_t *n)
{
    struct out sec[S_COUNT] = { 0 }, o = { 0 };
    Elf64_Shdr h[S_COUNT] = { 0 };
    fill_headers(h, img);
    put(&sec[S_TEXT], img->text, img->text_size);
    put(&sec[S_CONST], img->cdata, img->cdata_size);
    put(&sec[S_GLOBAL], img->gdata, img->gdata_size);
    uint32_t *order = hd_image_order(img, HD_ORDER_SYMS);
    uint32_t *rank = calloc((size_t)img->nsyms + 1, sizeof *rank);
    if (!rank)
        abort();
    for (uint32_t i = 0; i < img->nsyms; i++)
        rank[order[i]] = i;
    put_symbols(&sec[S_SYMTAB], &sec[S_STRTAB], img, order);
    put_relocs(&sec[S_RELA], img, rank);
    free(order), free(rank);
    put_lines(&sec[S_LINE], img);
    put_notes(&sec[S_NOTE], img);
    for (int i = 0; i < S_COUNT; i++)
        h[i].sh_name = (Elf64_Word)put(&sec[S_SHSTRTAB], names[i], strlen(names[i]) + 1);

    Elf64_Ehdr e = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
        .e_type = ET_EXEC, .e_machine = MACHINE, .e_version = EV_CURRENT, .e_ehsize = sizeof e,
        .e_shentsize = sizeof *h, .e_shnum = S_COUNT, .e_shstrndx = S_SHSTRTAB };
    put(&o, &e, sizeof e);
    for (int i = 1; i < S_COUNT; i++) {
        pad(&o, i == S_GLOBAL ? 16 : h[i].sh_addralign);
        h[i].sh_offset = put(&o, sec[i].p, sec[i].n);
        h[i].sh_size = sec[i].n;
        free(sec[i].p);
    }
    pad(&o, 8);
    e.e_shoff = put(&o, h, sizeof h);
    memcpy(o.p, &e, sizeof e);
    *buf = o.p, *n = o.n;
}

bool hd_image_write(const struct hd_image *img, const char *path, struct hd_err *err)
{
    uint8_t *buf;
    size_t n;
    if (!hd_image_check(img, err))
        return false;
    hd_image_save(img, &buf, &n);
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(buf, 1, n, f) == n;
    ok = f && !fclose(f) && ok;
    if (!ok)
        hd_err_set(err, 2, "%s: cannot be written: %m", path);
    free(buf);
    return ok;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Bytes still to be read; once one read fails, all do, and what they return is zero. */
struct in { const uint8_t *p; size_t n; bool bad; };
struct file { const uint8_t *p; size_t n; const Elf64_Shdr *h; int index[S_COUNT]; struct in sec[S_COUNT]; };

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
        if (!pname || strlen(type) > 7 || off > HD_CONST_DATA || size > HD_CONST_DATA)
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
                return hd_err_set(err, 2, "made for ISA table %016llx, this is %016llx: compile again",
                                  (unsigned long long)hash, (unsigned long long)ISA_HASH), false;
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
    if (l.bad || l.n != (uint64_t)nlines * 12)
        return hd_err_set(err, 2, ".heddle.line is broken"), false;
    while (l.n) {
        uint32_t pc = take32(&l), file = take32(&l), line = take32(&l);
        hd_image_add_line(img, pc, file, line);
    }
    return true;
}

/* Reads the symbols, all global ones; `expected` of them. */
static bool read_symbols(struct hd_image *img, struct file *f, uint32_t expected, struct hd_err *err)
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
                return hd_err_set(err, 2, "%s is broken", names[S_RELA + k]), false;
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
        || (e.e_machine != MACHINE && e.e_machine != EM_NONE))
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
            if (strcmp(name, names[k]))
                continue;
            if (f->index[k] || h->sh_type == SHT_NOBITS || h->sh_offset > f->n
                || h->sh_size > f->n - h->sh_offset || h->sh_size > UINT32_MAX)
                return hd_err_set(err, 2, "section %s is broken", name), false;
            f->index[k] = i;
            f->sec[k] = (struct in){ f->p + h->sh_offset, h->sh_size, false };
        }
    }
    for (int i = 1; i < S_COUNT; i++)
        for (int j = 1; j < i; j++)
            if (f->sec[i].n && f->sec[j].n && f->sec[i].p < f->sec[j].p + f->sec[j].n
                && f->sec[j].p < f->sec[i].p + f->sec[i].n
                && !(i == S_SHSTRTAB && j == S_STRTAB))     /* tools may share them */
                return hd_err_set(err, 2, "sections %s and %s overlap", names[i], names[j]), false;
    if (f->sec[S_SYMTAB].n % sizeof(Elf64_Sym))
        return hd_err_set(err, 2, ".symtab is cut short"), false;
    for (int k = 0; k < HD_SEC_COUNT; k++)
        if (f->sec[S_RELA + k].n % sizeof(Elf64_Rela))
            return hd_err_set(err, 2, "%s is cut short", names[S_RELA + k]), false;
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
    FILE *f = fopen(path, "rb");
    struct out o = { 0 };
    uint8_t chunk[65536];
    size_t n;
    if (!f) {
        hd_err_set(err, 2, "%s: %m", path);
        return NULL;
    }
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
        put(&o, chunk, n);
    bool bad = ferror(f);
    fclose(f);
    struct hd_image *img = NULL;
    if (bad)
        hd_err_set(err, 2, "%s: cannot be read", path);
    else
        img = hd_image_parse(path, o.p, o.n, err);
    free(o.p);
    return img;
}
