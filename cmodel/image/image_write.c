/* Writes an image as a file.  Equal programs give equal files: things stand in canonical order.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/image/image_elf.h"
#include "cmodel/base/outfile.h"
#include <stdlib.h>
#include <string.h>

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
            char type[8] = { 0 };           /* no stray bytes after the terminator */
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
    if (img->has_strong) {
        put32(o, img->nstrong);
        put(o, img->strong, img->nstrong * sizeof *img->strong);
    }
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
                        .st_shndx = (Elf64_Half)(S_TEXT + s->section),
                        .st_value = s->value,
                        .st_size = s->size };
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
        h[S_RELA + s] = (Elf64_Shdr){ .sh_type = SHT_RELA,
                                      .sh_link = S_SYMTAB,
                                      .sh_info = S_TEXT + s,
                                      .sh_flags = SHF_ALLOC | SHF_INFO_LINK,
                                      .sh_addralign = 8,
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
        h[i].sh_name = (Elf64_Word)put(&sec[S_SHSTRTAB], section_names[i],
                                       strlen(section_names[i]) + 1);

    Elf64_Ehdr e = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                                  EV_CURRENT },
                     .e_type = ET_EXEC,
                     .e_machine = HX_MACHINE,
                     .e_version = EV_CURRENT,
                     .e_ehsize = sizeof e,
                     .e_shentsize = sizeof *h,
                     .e_shnum = S_COUNT,
                     .e_shstrndx = S_SHSTRTAB };
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

bool hd_image_put(const struct hd_image *img, FILE *f, struct hd_err *err)
{
    uint8_t *buf;
    size_t n;
    if (!hd_image_check(img, err))
        return false;
    hd_image_save(img, &buf, &n);
    fwrite(buf, 1, n, f);
    free(buf);
    return true;
}

bool hd_image_write(const struct hd_image *img, const char *path, struct hd_err *err)
{
    struct outfile *o = outfile_open(path, err);
    if (o && hd_image_put(img, outfile_stream(o), err))
        return outfile_keep(o, err);
    outfile_drop(o);
    return false;
}
