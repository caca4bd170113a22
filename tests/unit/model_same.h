/* The whole state of two models of one launch, compared.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_SAME_H
#define MODEL_SAME_H
#include "cmodel/fast/inside.h"

/* NULL: equal; or what differs, as words that the next call overwrites. */
const char *model_same(const struct model *a, const struct model *b);
#endif
