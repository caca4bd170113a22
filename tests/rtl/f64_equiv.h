/* A lane of the f64 unit as the bench drives it; the shim around Verilator is all C++ there is.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef F64_EQUIV_H
#define F64_EQUIV_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

struct f64_in { uint32_t en, opcode, rm, fcmp, fbop, na, aa, nb, ab, nc, ps; uint64_t a, b, c; };
struct f64_out { uint64_t d; uint32_t pd; };

struct f64_lane;
struct f64_lane *f64_new(void);
/* One rising edge with these inputs; the outputs after it. */
void f64_clock(struct f64_lane *s, const struct f64_in *in, struct f64_out *out);
void f64_free(struct f64_lane *s);

#ifdef __cplusplus
}
#endif
#endif
