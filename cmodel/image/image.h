/* The image: machine code, data, kernels and lines of one program, in memory and as an ELF64 file
 * (.hx).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Addresses: code symbols are byte offsets into .text; `.const` data starts at HD_CONST_DATA in the
 * constant bank, after the parameters; `.global` data is placed by the loader, so whatever holds
 * one of its addresses has a relocation; the place itself holds zero.  The image owns all it points
 * to. */
#ifndef HD_IMAGE_H
#define HD_IMAGE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cmodel/base/err.h"
#include "cmodel/isa/isa.h"

#define HD_PARAMS_MAX 32764           /* bytes of parameters, CUDA 12's limit */
#define HD_CONST_DATA 32768           /* offset of .const data in the constant bank */
/* Below it, where there is such data, the launch's bytes of shared memory: dynamic ones, all. */
#define HD_CONST_SHARED (HD_CONST_DATA - 8)

enum hd_section { HD_SEC_TEXT, HD_SEC_CONST, HD_SEC_GLOBAL, HD_SEC_COUNT };

/* What a relocation writes: S is the physical address of the symbol (its place in the .global
 * area). */
enum hd_reloc_kind { HD_REL_IMM32 = 1,   /* .text: S + add into the imm field of the instruction at
                                          * off */
                     HD_REL_ABS32 = 2,   /* data: 32-bit S + add */
                     HD_REL_ABS64 = 3 }; /* data: 64-bit S + add */
struct hd_reloc { uint8_t section, kind; uint32_t off; uint32_t sym; int64_t add; };

/* value: offset in section (const: in the bank) */
struct hd_symbol { char *name; uint8_t section; bool func; uint32_t value, size; };

struct hd_param { char *name; char type[8]; uint32_t size, off; };  /* type: PTX spelling ("u64",
                                                                     * "f32", "b8" for a struct) */
struct hd_kernel {
    char *name;
    uint32_t entry;                   /* PC */
    uint32_t regs;                    /* registers a thread, 1 to 255 */
    uint32_t barriers;                /* barrier registers used */
    uint32_t shared;                  /* static shared bytes */
    uint32_t local;                   /* local bytes a lane, a multiple of 16 */
    uint32_t max_threads;             /* .maxntid, 0: none */
    uint32_t params_size;
    struct hd_param *params; uint32_t nparams;
};
/* from pc up to the next entry; file 0: unknown */
struct hd_line { uint32_t pc; uint32_t file, line; };

struct hd_image {
    bool stack_mode;
    uint8_t *text; uint32_t text_size;          /* a multiple of 16 */
    uint8_t *cdata; uint32_t cdata_size;        /* .const */
    uint8_t *gdata; uint32_t gdata_size;        /* .global, initialised (zeros included) */
    uint32_t galign;                            /* alignment of .global, a power of two */
    struct hd_symbol *syms; uint32_t nsyms;
    struct hd_reloc *relocs; uint32_t nrelocs;
    struct hd_kernel *kernels; uint32_t nkernels;
    char **files; uint32_t nfiles;              /* hd_line.file is an index + 1 */
    struct hd_line *lines; uint32_t nlines;     /* ascending pc */
    /* Whether the source said which accesses are meant to meet those of other threads (volatile,
     * relaxed, acquire, release, what an atomic is made of); those PCs, ascending. */
    bool has_strong;
    uint32_t *strong; uint32_t nstrong;
};

struct hd_image *hd_image_new(void);
void hd_image_free(struct hd_image *);
/* Reads and checks an image; NULL and a message when it is broken or made for another ISA table. */
struct hd_image *hd_image_read(const char *path, struct hd_err *);
struct hd_image *hd_image_parse(const char *name, const void *buf, size_t n, struct hd_err *);
/* False: message in err. */
bool hd_image_write(const struct hd_image *, const char *path, struct hd_err *);
/* The same to a stream, whose errors are its owner's. */
bool hd_image_put(const struct hd_image *, FILE *, struct hd_err *);
/* Writes the file to memory, to be freed. */
void hd_image_save(const struct hd_image *, uint8_t **buf, size_t *n);
/* Canonical order, in which files hold things: by place, then name.  Indices, to be freed. */
enum hd_order { HD_ORDER_SYMS, HD_ORDER_RELOCS, HD_ORDER_KERNELS };
uint32_t *hd_image_order(const struct hd_image *, enum hd_order what);
/* The units of which its code has instructions, bit UNIT_* each, and HD_CONSTANTS if any has a
 * constant as a source: a core may lack some. */
enum { HD_CONSTANTS = 1 << UNIT_COUNT };
uint32_t hd_image_units(const struct hd_image *);
/* Whether all parts fit together; done by every read and write. */
bool hd_image_check(const struct hd_image *, struct hd_err *);
/* Names of symbols, kernels and parameters: letters, digits, _ $ . %, no digit first. */
bool hd_image_name_ok(const char *name);
/* The kernel called `name`; name NULL: the only kernel.  NULL and a message if there is none. */
const struct hd_kernel *hd_image_kernel(const struct hd_image *, const char *name, struct hd_err *);
/* Source position of a PC; file "" and line 0 when unknown. */
void hd_image_line(const struct hd_image *, uint32_t pc, const char **file, unsigned *line);
/* Name of the function that holds pc, and pc's offset in it; NULL when unknown. */
const char *hd_image_func(const struct hd_image *, uint32_t pc, uint32_t *off);
/* Names the machine code and its mode: what is known of one image's code holds for all with its
 * shape. */
uint64_t hd_image_shape(const struct hd_image *);
/* Growing helpers for those who build images (assembler, linker): the new element's index, names
 * copied. */
uint32_t hd_image_add_sym(struct hd_image *, const char *name, enum hd_section, bool func,
                          uint32_t value, uint32_t size);
void hd_image_add_reloc(struct hd_image *, enum hd_section, enum hd_reloc_kind, uint32_t off,
                        uint32_t sym, int64_t add);
struct hd_kernel *hd_image_add_kernel(struct hd_image *, const char *name);
void hd_kernel_add_param(struct hd_kernel *, const char *name, const char *type, uint32_t size,
                         uint32_t off);
/* index + 1; the same for the same path */
uint32_t hd_image_add_file(struct hd_image *, const char *path);
void hd_image_add_strong(struct hd_image *, uint32_t pc);        /* has_strong is set, too */
void hd_image_add_line(struct hd_image *, uint32_t pc, uint32_t file, uint32_t line);
#endif
