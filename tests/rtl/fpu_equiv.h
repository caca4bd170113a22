/* The FPU and MUFU lanes as the bench drives them; the shim around Verilator is all C++ there is.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FPU_EQUIV_H
#define FPU_EQUIV_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

struct lane_in {
    uint32_t en, mufu_en, op, opcode, fn,   /* op: enum hd_op, the opcode is what the lane sees */
             rm, ftz, sat, fcmp, fbop, na, aa, nb, ab, nc, ps, b, c;
    uint64_t a;
};
struct lane_out { uint64_t d; uint32_t pd, mufu; };

struct lanes;
struct lanes *lanes_new(void);
/* One rising edge with these inputs; the outputs after it. */
void lanes_clock(struct lanes *s, const struct lane_in *in, struct lane_out *out);
void lanes_free(struct lanes *s);

#ifdef __cplusplus
}
#endif
#endif
