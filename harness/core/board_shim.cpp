// Hands the wires of the Verilated rtl/fpga/board.v to C.  No logic lives here.
// SPDX-License-Identifier: Apache-2.0
#include "Vboard.h"
#include "harness/core/board_shim.h"

struct board_top {
    VerilatedContext context;
    Vboard top{ &context };
};

static uint32_t *words(IData &x) { return &x; }
template <std::size_t N> static uint32_t *words(VlWide<N> &x) { return x.data(); }

static board_top *board_new(board_ports *p)
{
    board_top *b = new board_top;
    Vboard *t = &b->top;
    p->clk = &t->clk;
    p->rst_n = &t->rst_n;
    p->rx_valid = &t->rx_valid_i;
    p->rx_byte = &t->rx_byte_i;
    p->rx_ready = &t->rx_ready_o;
    p->tx_valid = &t->tx_valid_o;
    p->tx_byte = &t->tx_byte_o;
    p->tx_ready = &t->tx_ready_i;
    p->stands = &t->stands_o;
    p->mem = axi_port{
        &t->m_axi_arvalid, &t->m_axi_arid, &t->m_axi_arlen, &t->m_axi_arsize, &t->m_axi_arburst,
        &t->m_axi_araddr, &t->m_axi_arready,
        &t->m_axi_rvalid, &t->m_axi_rid, &t->m_axi_rresp, &t->m_axi_rlast, words(t->m_axi_rdata),
        &t->m_axi_rready,
        &t->m_axi_awvalid, &t->m_axi_awid, &t->m_axi_awlen, &t->m_axi_awsize, &t->m_axi_awburst,
        &t->m_axi_awaddr, &t->m_axi_awready,
        &t->m_axi_wvalid, &t->m_axi_wlast, words(t->m_axi_wdata), words(t->m_axi_wstrb),
        &t->m_axi_wready,
        &t->m_axi_bvalid, &t->m_axi_bid, &t->m_axi_bresp, &t->m_axi_bready, &t->rst_n };
    return b;
}

static void board_free(board_top *b)
{
    Verilated::threadContextp(&b->context);
    b->top.final();
    delete b;
}

static void board_eval(board_top *b) { b->top.eval(); }
extern "C" const char *rtl_sources(void) { return RTL_SOURCES; }
extern "C" const struct board_calls board_calls = { board_new, board_free, board_eval };
