/* MUFU, the approximated functions, as docs/mufu.md defines them bit for bit.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MUFU_H
#define MUFU_H
#include "cmodel/fp/fp32.h"
#include "isa_gen.h" /* MUFU_RCP ... MUFU_TANH, the codes of the modifier */

u32 mufu_eval(unsigned fn, u32 a);
/* mufuwarp.c: the same of 32 lanes; d may be a. */
void mufu_eval32(unsigned fn, u32 *d, const u32 *a);

/* The name that isa.def uses; m is the decoded instruction. */
#define mufu(a, m) mufu_eval((m).mufu, a)

#endif
