/* A growing text of a kernel of the table FEATURES.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_PAIR_TEXT_H
#define HD_PAIR_TEXT_H
#include "harness/fuzz/pair_kernel.h"

struct text { FILE *f; const struct features *p; };
#define PUT(...) fprintf(w->f, __VA_ARGS__)
#define OF(dim) (w->p->of[DIM_##dim])

/* r[k] = 5 r[k] + %x */
void text_put(struct text *w, int k);
/* All that a thread does by itself, where its lanes come to it. */
void text_flow(struct text *w);
#endif
