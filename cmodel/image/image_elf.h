/* The layout of an image as a file: ELF64, so that readelf and objcopy work on it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sections: .text .const .global .symtab .strtab .rela.{text,const,global} .heddle.line
 * .note.heddle .shstrtab.  Little endian; machine 0x4844 ("HD"), or none, as `objcopy -I
 * elf64-little` writes it; no program headers, as the loader places data.  Relocations count as
 * allocated: else objcopy, which does not know their types, would rewrite them to type 0.  It
 * copies them as they are, but puts local symbols in front; so a relocation's symbol 1 is the first
 * global one, whatever its number, and the note says how many there must be.
 *
 * Notes of owner "Heddle": type 0x101 the image {u64 hash of the ISA table, u32 stack mode, u32
 * alignment of .global, u32 symbols}; type 0x102 a kernel {u32 entry, regs, barriers,
 * shared, local, max_threads, params_size, nparams, string name; each parameter: 8 bytes type,
 * u32 size, off, string name}.
 * .heddle.line: {u32 nfiles, nlines, strings, lines as {u32 pc, file, line}}.  A
 * string is a u32 length and its bytes, filled with zeros to a multiple of four.
 *
 * Nothing in a file is trusted: offsets are checked here, meaning in hd_image_check. */
#ifndef IMAGE_ELF_H
#define IMAGE_ELF_H
#include "cmodel/image/image.h"
#include <elf.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "structures are copied to files as they are");

enum { HX_MACHINE = 0x4844, NOTE_IMAGE = 0x101, NOTE_KERNEL = 0x102 };
enum { S_NULL, S_TEXT, S_CONST, S_GLOBAL, S_SYMTAB, S_STRTAB, S_RELA, S_LINE = S_RELA +
       HD_SEC_COUNT, S_NOTE, S_SHSTRTAB, S_COUNT };
static const char *const section_names[S_COUNT] = {
    "", ".text", ".const", ".global", ".symtab", ".strtab", ".rela.text",
    ".rela.const", ".rela.global", ".heddle.line", ".note.heddle", ".shstrtab" };
#endif
