/* What several cores share (rtl/cores/share.v), Verilated for eight of them, from C.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Core c has bit c of a vector, or bits W c and up. */
#ifndef SHARE_SHIM_H
#define SHARE_SHIM_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
enum { SHARE_CORES = 8 };
struct share_ports {
    uint8_t *clk, *rst_n;
    /* from the cores, and to them */
    uint8_t *ask, *placing, *placed, *want, *halted, *arvalid, *rready, *awvalid, *wvalid;
    const uint8_t *give, *skip, *lock, *stop, *arready, *rvalid, *awready, *wready, *bvalid;
    uint64_t *arid, *awid, *arlen;       /* five bits a core; eight bits a length */
    uint32_t *araddr, *awaddr;           /* two words a core */
    uint32_t *wstrb;                     /* a word a core */
    uint32_t *wdata;                     /* eight words a core */
    /* the memory port */
    uint8_t *m_arready, *m_rvalid, *m_rid, *m_awready, *m_wready, *m_bvalid, *m_bid;
    const uint8_t *m_arvalid, *m_arid, *m_arlen, *m_rready, *m_awvalid, *m_awid, *m_wvalid;
    const uint64_t *m_araddr, *m_awaddr;
    const uint32_t *m_wdata, *m_wstrb;
};
typedef struct share_unit share_unit;
struct share_calls {
    share_unit *(*new_unit)(struct share_ports *ports);
    void (*free_unit)(share_unit *u);
    void (*eval)(share_unit *u);
};
extern const struct share_calls share_calls;
#ifdef __cplusplus
}
#endif
#endif
