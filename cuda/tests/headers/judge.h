/* The judge of header functions: types, and what is true of values.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_HEADERS_JUDGE_H
#define HEDDLE_HEADERS_JUDGE_H
#include "arguments.h"
#include <mpfr.h>
#include <stdbool.h>
#include <stdio.h>
enum { MAX_PARTS = 8, MAX_ARGS = 4 };

/* type.c: an element of a result or an argument: `width' bits from bit `shift' of word `word'. */
struct part { enum kind kind; bool sign; int word, shift, width; };
struct type { int parts, words; struct part part[4]; };
bool type_of(const char *name, struct type *t);
bool is_float(enum kind k);
bool is_nan_bits(enum kind k, word w);
double value_of(enum kind k, bool sign, word w);
struct format { int precision, least, most; };          /* least and most exponent of 1.m 2^e */
struct format format_of(enum kind k);
/* In the order of values, one apart for neighbours, the same for both zeros. */
long long order_of(enum kind k, word w);
long long order_of_exact(enum kind k, mpfr_t exact);

/* truth.c: the exact value of a function, by its name in functions.tsv; part: of several results.
 * False: none is known. */
bool truth_of(const char *name, int part, mpfr_t result, mpfr_t *x, int n);
void truth_forget(void);
#endif
