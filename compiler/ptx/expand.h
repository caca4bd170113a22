/* An instruction that is others, written as PTX: its words, and the text that takes its place.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPAND_H
#define EXPAND_H
#include "compiler/ptx/parse_ins.h"

enum { EX_MODS = 24, EX_OPS = 12, EX_ITEMS = 40 };
struct expansion {
    struct parser *p;
    FILE *out;                       /* the text; it stands in braces of its own */
    const char *mod[EX_MODS], *op[EX_OPS];
    int nmods, nops;
};
/* Writes the text; false: this form of the instruction is not there. */
typedef bool expander(struct expansion *);
/* when: words of which the modifiers have one, for an instruction that has other forms; NULL: it is
 * text always; "?": a block barrier. */
struct expander { const char *name; expander *write; const char *when; };

bool ex_has(const struct expansion *, const char *mod);
/* The modifier that is one of these words, by its place in the list; -1: none is. */
int ex_one_of(const struct expansion *, const char *const *words);
/* The elements of a vector in braces, or the operand itself; how many; -1: there is no such. */
int ex_items(const struct expansion *, int op, const char *item[EX_ITEMS]);
/* Declares a register `name` and puts the address in brackets there; true: it has 64 bits.
 * narrow: where nothing else says so, it has 32. */
bool ex_address(struct expansion *, int op, const char *name, bool narrow);
/* A routine of the library, known by its name from here on (parse_texture.c). */
struct sym *parse_routine(struct parser *, const char *name, const char *types, int result);

bool ex_pack(struct expansion *);                /* cvt.pack */
/* expand_block.c: whether this block barrier is text (`when' is "?"). */
bool ex_barrier_applies(const struct parser *);

/* each ends with a NULL */
extern const struct expander ex_product[], ex_matrix[], ex_async[], ex_small[], ex_more[],
    ex_block[];
#endif
