// Hands the wires of the Verilated rtl/cores/share.v to C.  No logic lives here.
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/eval_parts.h"
#include "harness/core/share_shim.h"

struct share_unit {
    VerilatedContext context;
    Vshare top{ &context };
    eval_parts parts;
};

static share_unit *share_new(share_ports *p)
{
    share_unit *u = new share_unit;
    Vshare *t = &u->top;
    *p = share_ports{
        &t->clk, &t->rst_n,
        &t->block_ask_i, &t->block_placing_i, &t->block_done_i, &t->lock_i, &t->halted_i,
        &t->arvalid_i, &t->rready_i, &t->awvalid_i, &t->wvalid_i,
        &t->block_give_o, &t->block_skip_o, &t->lock_o, &t->stop_o, &t->arready_o, &t->rvalid_o,
        &t->awready_o, &t->wready_o, &t->bvalid_o,
        &t->arid_i, &t->awid_i, &t->arlen_i,
        t->araddr_i.data(), t->awaddr_i.data(), t->wstrb_i.data(), t->wdata_i.data(),
        &t->m_arready_i, &t->m_rvalid_i, &t->m_rid_i, &t->m_awready_i, &t->m_wready_i,
        &t->m_bvalid_i, &t->m_bid_i,
        &t->m_arvalid_o, &t->m_arid_o, &t->m_arlen_o, &t->m_rready_o, &t->m_awvalid_o,
        &t->m_awid_o, &t->m_wvalid_o,
        &t->m_araddr_o, &t->m_awaddr_o, t->m_wdata_o.data(), &t->m_wstrb_o };
    return u;
}

static void share_free(share_unit *u)
{
    Verilated::threadContextp(&u->context);
    u->top.final();
    delete u;
}

static void share_eval(share_unit *u) { u->parts.eval(&u->top); }
extern "C" const char *rtl_sources(void) { return RTL_SOURCES; }
extern "C" const struct share_calls share_calls = { share_new, share_free, share_eval };
