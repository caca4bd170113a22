/* MUFU, the approximated functions, as docs/mufu.md defines them bit for bit.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MUFU_H
#define MUFU_H
#include "fp32.h"

/* Codes of the modifier MUFU in isa.def. */
enum mufu_fn { MUFU_RCP, MUFU_RSQ, MUFU_SQRT, MUFU_SIN, MUFU_COS, MUFU_LG2, MUFU_EX2, MUFU_TANH };

u32 mufu_eval(unsigned fn, u32 a);

/* The name that isa.def uses; m is the decoded instruction. */
#define mufu(a, m) mufu_eval((m).mufu, a)

#endif
