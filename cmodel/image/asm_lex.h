/* The assembler's cursor on a line, and the small things it recognises.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every lex_ function skips blanks first; those that return false have left a message. */
#ifndef ASM_LEX_H
#define ASM_LEX_H
#include "cmodel/image/image.h"

struct lex {
    const char *name;           /* of the text */
    const char *line, *p;       /* start of the line, cursor */
    unsigned number;            /* of the line, from 1 */
    struct hd_err *err;
};

__attribute__((format(printf, 3, 4)))
bool lex_fail(struct lex *l, const char *at, const char *fmt, ...);   /* always false */
const char *lex_skip(struct lex *l);                    /* blanks and comments; the cursor */
bool lex_end(struct lex *l);                            /* at the end of the line */
bool lex_accept(struct lex *l, char c);                 /* takes c if it is next */
bool lex_expect(struct lex *l, char c);
bool lex_name(struct lex *l, char *buf, size_t n);      /* a symbol's or directive's name */
bool lex_number(struct lex *l, int64_t lo, int64_t hi, int64_t *v);
bool lex_immediate(struct lex *l, uint32_t *v);         /* 32 bits: integer, 1.5, or 0f3fc00000 */
bool lex_string(struct lex *l, char *buf, size_t n);    /* "...", with \" and \\ */
/* A register: letter and number below count, or letter and z for the last, which reads as none. */
bool lex_register(struct lex *l, char letter, int count, char last, int none, uint8_t *v);
bool lex_at_register(struct lex *l);                    /* R and digits, or RZ, comes next */
#endif
