/* The AXI4 memory: fixed latency, or seeded random latency, back-pressure and reordering of IDs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * As adverse as AXI allows: a read sees memory when its data leaves, a write reaches memory only with
 * its response, and transactions of different IDs overtake each other when a seed is given.  A core
 * that relies on more than the protocol promises gives a difference in lockstep. */
#include "axi_mem.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BURST_INCR = 1, SIZE_32 = 5, PAGE = 4096 };

static void violation(struct axi_mem *m, const char *what, uint32_t addr)
{
    if (!m->error[0])
        snprintf(m->error, sizeof m->error, "AXI4 protocol, cycle %llu: %s, address 0x%08x",
                 (unsigned long long)m->now, what, addr);
}

static uint32_t roll(struct axi_mem *m)
{
    m->rng ^= m->rng << 13;                          /* xorshift64: never zero */
    m->rng ^= m->rng >> 7;
    m->rng ^= m->rng << 17;
    return (uint32_t)(m->rng >> 32);
}

/* Mostly short, at times long: long ones are what uncovers a missing interlock. */
static unsigned latency(struct axi_mem *m)
{
    if (!m->rng)
        return AXI_LATENCY;
    uint32_t r = roll(m);
    return (r & 15) == 0 ? 1 + (r >> 8) % 200 : 1 + (r >> 8) % 24;
}

bool axi_open(struct axi_mem *m, const struct axi_port *p, uint8_t *bytes, uint64_t seed)
{
    *m = (struct axi_mem){ .p = *p, .bytes = bytes, .rcur = -1, .bcur = -1 };
    m->rng = seed ? seed * 0x9e3779b97f4a7c15u | 1 : 0;
    m->capw = 256;
    m->wbuf = calloc(m->capw, sizeof *m->wbuf);
    return m->wbuf != NULL;
}

void axi_close(struct axi_mem *m)
{
    free(m->wbuf);
    m->wbuf = NULL;
}

bool axi_reset(struct axi_mem *m, uint64_t seed)
{
    const struct axi_port p = m->p;
    axi_close(m);
    return axi_open(m, &p, m->bytes, seed);
}

bool axi_idle(const struct axi_mem *m)
{
    return !m->rd.n && !m->wr.n && !*m->p.arvalid && !*m->p.awvalid && !*m->p.wvalid;
}

/* ---- taking what the core offers ---- */

static void check_burst(struct axi_mem *m, const char *what, uint32_t addr, unsigned len, unsigned size,
                        unsigned burst)
{
    if (burst != BURST_INCR || size != SIZE_32 || addr % AXI_BYTES)
        violation(m, what, addr);
    else if (addr / PAGE != (addr + len * AXI_BYTES) / PAGE)
        violation(m, "burst crosses a 4 KiB boundary", addr);
}

static void push(struct axi_mem *m, struct axi_queue *q, uint32_t addr, uint8_t id, uint8_t len)
{
    q->t[q->n++] = (struct axi_txn){ .due = m->now + latency(m), .addr = addr, .id = id, .len = len };
}

static void sample_write_data(struct axi_mem *m)
{
    const struct axi_port *p = &m->p;
    if (m->wcur >= m->wr.n) {
        violation(m, "write data without a write address", 0);
        return;
    }
    struct axi_txn *t = &m->wr.t[m->wcur];
    if (m->nw == m->capw) {
        violation(m, "too much write data outstanding", t->addr);
        return;
    }
    memcpy(m->wbuf[m->nw].data, p->wdata, AXI_BYTES);
    m->wbuf[m->nw].strb = *p->wstrb;
    m->wbuf[m->nw++].txn_id = t->id;
    if ((t->beat == t->len) != *p->wlast)
        violation(m, "wlast on the wrong beat", t->addr);
    if (t->beat++ == t->len) {
        t->data_done = true;
        t->due = m->now + latency(m);
        m->wcur++;
    }
}

static void sample_requests(struct axi_mem *m)
{
    const struct axi_port *p = &m->p;
    if (m->ar_waits && (!*p->arvalid || *p->araddr != m->held_ar))
        violation(m, "a read address was withdrawn before it was taken", m->held_ar);
    if (m->aw_waits && (!*p->awvalid || *p->awaddr != m->held_aw))
        violation(m, "a write address was withdrawn before it was taken", m->held_aw);
    if (m->w_waits && (!*p->wvalid || *p->wdata != m->held_w))
        violation(m, "write data was withdrawn before it was taken", 0);
    m->ar_waits = *p->arvalid && !*p->arready;
    m->aw_waits = *p->awvalid && !*p->awready;
    m->w_waits = *p->wvalid && !*p->wready;
    m->held_ar = *p->araddr;
    m->held_aw = *p->awaddr;
    m->held_w = *p->wdata;
    if (*p->arvalid && *p->arready) {
        check_burst(m, "read burst is not INCR of aligned 32-byte beats", *p->araddr, *p->arlen,
                    *p->arsize, *p->arburst);
        push(m, &m->rd, *p->araddr, *p->arid, *p->arlen);
        m->reads++;
    }
    if (*p->awvalid && *p->awready) {
        check_burst(m, "write burst is not INCR of aligned 32-byte beats", *p->awaddr, *p->awlen,
                    *p->awsize, *p->awburst);
        push(m, &m->wr, *p->awaddr, *p->awid, *p->awlen);
        m->writes++;
    }
    if (*p->wvalid && *p->wready)
        sample_write_data(m);
}

/* ---- responses ---- */

static void drop(struct axi_queue *q, unsigned i)
{
    memmove(&q->t[i], &q->t[i + 1], (--q->n - i) * sizeof q->t[0]);
}

/* Only looks: the wires must not change before the rising edge, so axi_drive acts on it. */
void axi_sample(struct axi_mem *m)
{
    const struct axi_port *p = &m->p;
    m->r_taken = *p->rvalid && *p->rready;
    m->b_taken = *p->bvalid && *p->bready;
    if (*p->arvalid | *p->awvalid | *p->wvalid | m->ar_waits | m->aw_waits | m->w_waits)
        sample_requests(m);
    m->now++;
}

static void retire_responses(struct axi_mem *m)
{
    if (m->r_taken) {
        struct axi_txn *t = &m->rd.t[m->rcur];
        if (t->beat++ == t->len) {
            drop(&m->rd, (unsigned)m->rcur);
            m->rcur = -1;
        }
        *m->p.rvalid = 0;
    }
    if (m->b_taken) {
        drop(&m->wr, (unsigned)m->bcur);
        m->wcur--;
        m->bcur = -1;
        *m->p.bvalid = 0;
    }
}

/* The first due transaction that no earlier one of its ID holds back; -1: none. */
static int choose(struct axi_mem *m, const struct axi_queue *q, bool write)
{
    for (unsigned i = 0; i < q->n; i++) {
        const struct axi_txn *t = &q->t[i];
        bool ready = t->due <= m->now && (!write || t->data_done), behind = false;
        for (unsigned j = 0; j < i && !behind; j++)
            behind = q->t[j].id == t->id;
        if (ready && !behind)
            return (int)i;
        if (!m->rng)                                 /* fixed latency answers in order */
            return -1;
    }
    return -1;
}

/* Writes transaction i's data to memory and removes it from the buffer. */
static void apply_write(struct axi_mem *m, const struct axi_txn *t)
{
    unsigned beat = 0, kept = 0;
    for (unsigned k = 0; k < m->nw; k++) {
        if (m->wbuf[k].txn_id != t->id || beat > t->len) {
            m->wbuf[kept++] = m->wbuf[k];
            continue;
        }
        uint8_t *dst = m->bytes + t->addr + (size_t)beat++ * AXI_BYTES;
        const uint8_t *src = (const uint8_t *)m->wbuf[k].data;
        for (unsigned i = 0; i < AXI_BYTES; i++)
            if (m->wbuf[k].strb >> i & 1)
                dst[i] = src[i];
    }
    m->nw = kept;
}

void axi_drive(struct axi_mem *m)
{
    struct axi_port *p = &m->p;
    retire_responses(m);
    if (!*p->rvalid && m->rd.n) {
        if (m->rcur < 0)
            m->rcur = choose(m, &m->rd, false);
        if (m->rcur >= 0 && !(m->rng && m->rd.t[m->rcur].beat && (roll(m) & 3) == 0)) {
            const struct axi_txn *t = &m->rd.t[m->rcur];
            memcpy(p->rdata, m->bytes + t->addr + (size_t)t->beat * AXI_BYTES, AXI_BYTES);
            *p->rid = t->id;
            *p->rlast = t->beat == t->len;
            *p->rresp = 0;
            *p->rvalid = 1;
        }
    }
    if (!*p->bvalid && m->wr.n && (m->bcur = choose(m, &m->wr, true)) >= 0) {
        apply_write(m, &m->wr.t[m->bcur]);
        *p->bid = m->wr.t[m->bcur].id;
        *p->bresp = 0;
        *p->bvalid = 1;
    }
    uint32_t r = m->rng ? roll(m) : 0;
    *p->arready = m->rd.n < AXI_DEPTH && (r & 3) != 3;
    *p->awready = m->wr.n < AXI_DEPTH && (r >> 2 & 3) != 3;
    *p->wready = m->wcur < m->wr.n && (r >> 4 & 3) != 3;
}

static void explain_queue(const struct axi_mem *m, const struct axi_queue *q, const char *what,
                          uint64_t start, FILE *out)
{
    if (!q->n)
        return;
    const struct axi_txn *t = &q->t[0];
    fprintf(out, "  memory port: %u %s%s not answered; the oldest at 0x%08x (ID %u)", q->n, what,
            q->n == 1 ? "" : "s", t->addr, t->id);
    if (q == &m->wr && !t->data_done)
        fprintf(out, " waits for its data\n");
    else
        fprintf(out, " was due at cycle %lld\n", (long long)(t->due - start));
}

static void explain_offer(bool valid, bool ready, const char *what, FILE *out)
{
    if (valid && !ready)
        fprintf(out, "  memory port: %s is not taken\n", what);
}

void axi_explain(const struct axi_mem *m, uint64_t start, FILE *out)
{
    const struct axi_port *p = &m->p;
    explain_queue(m, &m->rd, "read", start, out);
    explain_queue(m, &m->wr, "write", start, out);
    explain_offer(*p->arvalid, *p->arready, "a read address that the core offers", out);
    explain_offer(*p->awvalid, *p->awready, "a write address that the core offers", out);
    explain_offer(*p->wvalid, *p->wready, "write data that the core offers", out);
    explain_offer(*p->rvalid, *p->rready, "read data that the memory offers", out);
    explain_offer(*p->bvalid, *p->bready, "a write answer that the memory offers", out);
    if (axi_idle(m))
        fprintf(out, "  memory port: idle\n");
}
