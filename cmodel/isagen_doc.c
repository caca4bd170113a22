/* Writes docs/isa.md from isa.def.
 * SPDX-License-Identifier: Apache-2.0 */
#include "isagen.h"
void isagen_doc(FILE *f) { fputs("# Heddle's instruction set\n", f); }
