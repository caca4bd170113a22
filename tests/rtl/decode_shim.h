/* The outputs of decode_gen, as C sees them.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef DECODE_SHIM_H
#define DECODE_SHIM_H
#include <stdint.h>
#define DECODE_PORTS PORT(legal) PORT(unit) PORT(all_lanes) PORT(reads_a) PORT(reads_b) \
    PORT(reads_c) PORT(a_pair) \
    PORT(b_pair) PORT(b_quad) PORT(c_pair) PORT(b_is_imm) PORT(b_is_const) PORT(b_sext) \
    PORT(writes_rd) PORT(rd_size) \
    PORT(writes_pd) PORT(reads_ps) PORT(reads_pt) PORT(uses_bx) PORT(is_load) \
    PORT(is_store) PORT(is_atom) PORT(space) PORT(mem_size) PORT(noguard)
struct decode_ports {
#define PORT(name) uint8_t name;
    DECODE_PORTS
#undef PORT
};
#ifdef __cplusplus
extern "C"
#endif
void decode_rtl(const uint32_t w[4], int stack, struct decode_ports *p);
#endif
