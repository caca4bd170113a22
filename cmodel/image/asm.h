/* Text to image and back; docs/isa.md has the syntax.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_ASM_H
#define HD_ASM_H
#include "cmodel/image/image.h"

/* Assembles `text` (called `name` in messages).  0, or 2 with "name:line:column: what" and the
 * line. */
int hd_asm(const char *name, const char *text, struct hd_image **out, struct hd_err *err);

/* Name for a branch target, written to buf; false: none, the number is printed. */
typedef bool hd_label_fn(void *user, uint32_t pc, char *buf, size_t n);
/* Writes one instruction as text, without newline; label may be NULL.  An illegal word becomes
 * `.insn`.  Returns the length, as snprintf. */
int hd_dis_insn(char *buf, size_t n, const struct hd_word *w, hd_label_fn *label, void *user);
/* Writes an image as text that assembles to the same file, provided that every kernel has a
 * symbol. */
void hd_dis_image(FILE *out, const struct hd_image *img);
#endif
