/* A swept warp's whole way, written as one function.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_STRAIGHT_H
#define HD_STRAIGHT_H
#include "cmodel/native/native.h"

/* Writes straight_<first> for the warps that begin at run[which]; false: they are not so simple,
 * and nothing is written. */
bool straight_emit(FILE *out, const struct hd_insn *code, const struct native_run *run,
                   uint32_t n, uint32_t which);
#endif
