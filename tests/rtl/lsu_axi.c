/* An AXI memory for the LSU test: see lsu_axi.h.
 * SPDX-License-Identifier: Apache-2.0 */
#include "lsu_axi.h"
#include <string.h>

/* xorshift64*, Vigna 2016. */
uint64_t axi_random(uint64_t *seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return *seed * UINT64_C(2685821657736338717) >> 16;
}

static bool ready(struct axi *m)
{
    return axi_random(&m->seed) % 100 >= m->stall;
}

static uint64_t due(struct axi *m, uint64_t earlier)
{
    uint64_t t = m->cycle + m->latency + (m->jitter ? axi_random(&m->seed) % m->jitter : 0);
    return t > earlier ? t : earlier;
}

static void fetch(const struct axi *m, struct axi_read *r)
{
    memcpy(r->data, m->mem + r->addr % m->size, 32);
    r->taken = true;
}

static unsigned response(const struct axi *m, uint64_t addr, unsigned way)
{
    for (unsigned i = 0; i < AXI_AREAS; i++)
        if (m->area[i].ways & way && addr / 32 >= m->area[i].first && addr / 32 <= m->area[i].last)
            return m->area[i].resp;
    return 0;
}

void axi_choose(struct axi *m, struct lsu_in *in)
{
    struct axi_read *r = &m->read[m->r_out % AXI_QUEUE];
    bool waiting = in->m_rvalid_i;          /* set back by axi_take when it was taken */
    in->m_arready_i = m->r_in - m->r_out < AXI_QUEUE && ready(m);
    in->m_awready_i = ready(m) && (m->order != AXI_DATA_FIRST || m->w_in > m->aw_in);
    in->m_wready_i = ready(m) && (m->order != AXI_ADDRESS_FIRST || m->aw_in > m->w_in);
    in->m_rvalid_i = m->r_out != m->r_in && r->due <= m->cycle && (waiting || ready(m));
    if (in->m_rvalid_i) {
        if (!r->taken)
            fetch(m, r);
        in->m_rresp_i = (uint8_t)response(m, r->addr, AXI_READ);
        memcpy(in->m_rdata_i, r->data, 32);
        if (in->m_rresp_i)
            memset(in->m_rdata_i, 0x5a, 32);
    } else {
        memset(in->m_rdata_i, 0xa5, 32);
    }
    bool both = m->b_out != m->aw_in && m->b_out != m->w_in;
    in->m_bvalid_i = both && m->b_due[m->b_out % AXI_QUEUE] <= m->cycle && ready(m);
    in->m_bresp_i = both ? (uint8_t)response(m, m->aw[m->b_out % AXI_QUEUE], AXI_WRITE) : 0;
}

static void apply(struct axi *m)
{
    const struct axi_write *w = &m->w[m->b_out % AXI_QUEUE];
    uint8_t bytes[32];
    bool bad = response(m, m->aw[m->b_out % AXI_QUEUE], AXI_WRITE);
    memcpy(bytes, w->data, 32);
    m->errors += bad;
    for (unsigned i = 0; i < 32 && !bad; i++)
        if (w->strb >> i & 1)
            m->mem[(m->aw[m->b_out % AXI_QUEUE] + i) % m->size] = bytes[i];
    m->b_out++;
}

/* Memory is small, and addresses wrap around; but an upper word is as it was asked for. */
static bool strays(const struct axi *m, uint64_t addr)
{
    return addr >> 32 != ((uint32_t)addr >= AXI_HIGH ? m->upper : 0);
}

static void watch(struct axi *m, const struct lsu_out *out)
{
    if (m->ar_wait && (!out->m_arvalid_o || out->m_araddr_o != m->last.m_araddr_o))
        m->error = "a read address was withdrawn";
    if (m->aw_wait && (!out->m_awvalid_o || out->m_awaddr_o != m->last.m_awaddr_o))
        m->error = "a write address was withdrawn";
    if (m->w_wait && (!out->m_wvalid_o || out->m_wstrb_o != m->last.m_wstrb_o ||
                      memcmp(out->m_wdata_o, m->last.m_wdata_o, 32)))
        m->error = "write data were withdrawn";
    if ((out->m_arvalid_o && out->m_araddr_o % 32) || (out->m_awvalid_o && out->m_awaddr_o % 32))
        m->error = "an address is not that of a sector";
    if ((out->m_arvalid_o && strays(m, out->m_araddr_o)) ||
        (out->m_awvalid_o && strays(m, out->m_awaddr_o)))
        m->error = "an address has another upper word than its range";
    if (out->m_wvalid_o && !out->m_wstrb_o)
        m->error = "an empty write";
}

void axi_take(struct axi *m, struct lsu_in const *in, const struct lsu_out *out)
{
    watch(m, out);
    if (in->m_rvalid_i && out->m_rready_o)
        m->r_out++;
    if (in->m_bvalid_i && out->m_bready_o)
        apply(m);
    if (out->m_arvalid_o && in->m_arready_i) {
        struct axi_read *r = &m->read[m->r_in % AXI_QUEUE];
        uint64_t before = m->r_in != m->r_out ? m->read[(m->r_in - 1) % AXI_QUEUE].due : 0;
        *r = (struct axi_read){ .addr = out->m_araddr_o, .due = due(m, before) };
        if (axi_random(&m->seed) & 1)
            fetch(m, r);
        m->r_in++;
        m->reads++;
    }
    if (out->m_awvalid_o && in->m_awready_i)
        m->aw[m->aw_in++ % AXI_QUEUE] = out->m_awaddr_o;
    if (out->m_wvalid_o && in->m_wready_i) {
        struct axi_write *w = &m->w[m->w_in % AXI_QUEUE];
        memcpy(w->data, out->m_wdata_o, 32);
        w->strb = out->m_wstrb_o;
        m->b_due[m->w_in++ % AXI_QUEUE] = due(m, 0);
        m->writes++;
    }
    m->ar_wait = out->m_arvalid_o && !in->m_arready_i;
    m->aw_wait = out->m_awvalid_o && !in->m_awready_i;
    m->w_wait = out->m_wvalid_o && !in->m_wready_i;
    memcpy(&m->last, out, sizeof m->last);
    m->cycle++;
}

bool axi_idle(const struct axi *m)
{
    return m->r_in == m->r_out && m->aw_in == m->b_out && m->w_in == m->b_out;
}
