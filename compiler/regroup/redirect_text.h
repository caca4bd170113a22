/* Edits of PTX text: tokens, and changes that are applied all at once.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef REDIRECT_TEXT_H
#define REDIRECT_TEXT_H
#include "compiler/all.h"

struct edit { size_t at, del; const char *put; int nth; };
struct edits {
    struct arena *arena; const char *text; size_t len;
    size_t *line; int nlines;    /* where each line begins; line[0] is the first */
    struct edit *list; int n, cap;
};
struct token { size_t at, end; };                /* empty: the text's end */

struct edits edits_new(struct arena *, const char *text, size_t len);
void edits_add(struct edits *, size_t at, size_t del, const char *put);
/* The text with all edits, zero-ended, to be freed. */
char *edits_apply(struct edits *);

size_t text_offset(const struct edits *, struct srcloc);
/* The next token: a name or number, a string, or one character.  Comments are passed over. */
struct token text_next(const struct edits *, size_t from);
bool text_is(const struct edits *, struct token, const char *word);
/* The next token from `from` on that is `c`. */
struct token text_find(const struct edits *, size_t from, char c);
/* Adds an item after the last of the list whose parenthesis stands at `open`; returns the offset
 * after the list. */
size_t text_list_add(struct edits *, size_t open, const char *item);
#endif
