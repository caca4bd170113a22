/* What native vector code reaches on the loops of bench_model: the limits of a model that keeps its
 * register file in the cache.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every instruction is one vector statement on 32 lanes whose operands and result lie in memory.
 * The functions return warp instructions a second, counted as the machine code counts them. */
#ifndef BENCH_NATIVE_H
#define BENCH_NATIVE_H
#include <stddef.h>

double native_int(void);         /* the loop of tests/silicon/native_limit.c */
double native_f32(void);         /* the same with fused multiply-adds */
/* the inner loop of p_loop_merge, each result written under the running lanes' mask */
double native_divergent(void);
double native_copy(size_t bytes);       /* memcpy: bytes read and written a second */
#endif
