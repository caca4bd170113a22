/* The Verilated LSU as C sees it.  Names are those of rtl/mem/lsu.v; vectors are little endian
 * words.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LSU_PORT_H
#define LSU_PORT_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

struct lsu_in {
    uint8_t rst_n, clear_i;
    uint32_t cfg_const_base_i, cfg_const_size_i, cfg_local_base_i, cfg_local_size_i,
        cfg_shared_size_i;
    uint8_t cfg_nranges_i;
    uint64_t cfg_range_base_i[16], cfg_range_limit_i[16];
    uint16_t cfg_range_write_i;
    uint8_t req_valid_i, req_first_i, req_last_i, req_pass_i, req_beat_i, req_warp_i, req_block_i;
    uint8_t req_load_i, req_store_i, req_atom_i, req_space_i, req_sz_i, req_aop_i, req_aw_i,
        req_rd_i;
    uint32_t req_off_i, req_mask_i;
    uint64_t req_a_i[32], req_b_i[32], req_c_i[32];
    uint8_t wb_ready_i, done_ready_i;
    uint8_t m_arready_i, m_rvalid_i, m_rresp_i, m_awready_i, m_wready_i, m_bvalid_i, m_bresp_i;
    uint32_t m_rdata_i[8];
};

struct lsu_out {
    uint8_t req_ready_o, busy_o;
    uint8_t wb_valid_o, wb_last_o, wb_pass_o, wb_warp_o, wb_beat_o, wb_pair_o, wb_half_o;
    uint32_t wb_mask_o;
    uint64_t wb_data_o[32];
    uint8_t done_valid_o, done_warp_o, slot_warp_o, done_fault_o;
    uint32_t done_fault_m_o;
    uint64_t done_fault_addr_o;
    uint8_t dbg_space_o;
    uint16_t dbg_writes_o;
    uint64_t dbg_addr_o[32];
    uint32_t dbg_wdata_o[4][32], dbg_shared_m_o, dbg_local_m_o;
    uint8_t m_arvalid_o, m_rready_o, m_awvalid_o, m_wvalid_o, m_bready_o;
    uint64_t m_araddr_o, m_awaddr_o;
    uint32_t m_wdata_o[8], m_wstrb_o;
};

struct lsu;
struct lsu *lsu_open(void);
void lsu_close(struct lsu *d);
void lsu_drive(struct lsu *d, const struct lsu_in *in);   /* with the clock low; outputs settle */
void lsu_look(struct lsu *d, struct lsu_out *out);
void lsu_clock(struct lsu *d);                            /* one rising edge */

#ifdef __cplusplus
}
#endif
#endif
