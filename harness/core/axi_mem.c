/* The AXI4 memory: fixed latency, or seeded random latency, back-pressure and reordering of IDs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * As adverse as AXI allows.  With a seed it behaves in phases that change all the time: each
 * channel is ready often, seldom or for long not at all; a datum is taken before its address, or
 * either waits until the other is offered or taken; reads see memory as soon as they are taken or
 * when their data leave; writes reach it with their last datum or with their response; transactions
 * of different IDs overtake each other, and beats of their reads alternate.  Those of one ID act
 * and answer in order.  A core that relies on more than the protocol promises gives a difference in
 * lockstep.  What the core must do is checked by axi_rules.c.  Addresses of m->bus answer with an
 * error: reads give something else than memory, writes leave it as it is. */
#include "harness/core/axi_mem.h"
#include "cmodel/places.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* Mostly often, at times seldom. */
static uint8_t draw_rate(struct axi_mem *m)
{
    static const uint8_t rates[8] = { 16, 16, 16, 12, 12, 12, 4, 1 };
    return rates[roll(m) >> 8 & 7];
}

/* The next mood.  Not both of a write wait until the other one has been taken: neither would be. */
static void draw_mood(struct axi_mem *m)
{
    static const uint8_t depths[4] = { AXI_DEPTH, AXI_DEPTH, 4, 1 };
    struct axi_mood *s = &m->mood;
    *s = (struct axi_mood){ .until = m->now + 50 + roll(m) % 1000,
                            .ar = draw_rate(m),
                            .aw = draw_rate(m),
                            .w = draw_rate(m),
                            .r = draw_rate(m),
                            .b = draw_rate(m) };
    uint32_t r = roll(m);
    s->aw_waits = (enum axi_wait)(r % 3);
    s->w_waits = (enum axi_wait)((r >> 8) % (s->aw_waits == AXI_TAKEN ? 2 : 3));
    s->depth = depths[r >> 16 & 3];
    s->interleave = r >> 24 & 1;
    if ((r >> 25 & 7) == 0) {                        /* one channel is silent for long */
        uint8_t *const rate[5] = { &s->ar, &s->aw, &s->w, &s->r, &s->b };
        *rate[roll(m) % 5] = 0;
        s->until = m->now + 50 + roll(m) % 250;
    }
}

static bool often(struct axi_mem *m, uint8_t rate)
{
    return !m->rng || rate == 16 || (roll(m) & 15) < rate;
}

void axi_seed(struct axi_mem *m, uint64_t seed)
{
    m->mood = (struct axi_mood){ .until = UINT64_MAX, .w_waits = AXI_TAKEN, .depth = AXI_DEPTH };
    m->rng = seed ? seed * 0x9e3779b97f4a7c15u | 1 : 0;
    if (m->rng)
        draw_mood(m);
}

bool axi_open(struct axi_mem *m, const struct axi_port *p, uint8_t *bytes, uint64_t seed,
              unsigned cores)
{
    *m = (struct axi_mem){
        .p = *p, .rules.limits = &axi_core_limits, .rules.cores = cores, .bytes = bytes,
        .rcur = -1, .bcur = -1
    };
    axi_seed(m, seed);
    m->wbuf = calloc(AXI_WBUF, sizeof *m->wbuf);
    m->ahead = calloc(AXI_DEPTH, sizeof *m->ahead);
    return m->wbuf && m->ahead;
}

void axi_close(struct axi_mem *m)
{
    free(m->wbuf);
    free(m->ahead);
    m->wbuf = NULL;
    m->ahead = NULL;
}

bool axi_reset(struct axi_mem *m, uint64_t seed)
{
    const struct axi_mem old = *m;
    axi_close(m);
    bool ok = axi_open(m, &old.p, m->bytes, seed, old.rules.cores);
    m->on_write = old.on_write;
    m->write_user = old.write_user;
    m->on_read = old.on_read;
    m->read_user = old.read_user;
    m->bus = old.bus;
    return ok;
}

bool axi_idle(const struct axi_mem *m)
{
    return !m->rd.n && !m->wr.n && !m->nahead && !*m->p.arvalid && !*m->p.awvalid && !*m->p.wvalid;
}

/* ---- taking what the core offers ---- */

static struct axi_txn *push(struct axi_mem *m, struct axi_queue *q, uint64_t addr, uint8_t id,
                            uint8_t len)
{
    struct axi_txn *t = &q->t[q->n++];
    *t = (struct axi_txn){ .due = m->now + latency(m), .addr = addr, .id = id, .len = len };
    t->early = m->rng && roll(m) >> 8 & 1;
    return t;
}

static const uint8_t *beat_at(const struct axi_mem *m, const struct axi_txn *t, unsigned beat)
{
    const uint64_t at = t->addr + (uint64_t)beat * AXI_BYTES;
    static const uint8_t nothing[AXI_BYTES];
    return at < HD_MEMORY ? m->bytes + at : nothing;
}

static unsigned answer(const struct axi_mem *m, const struct axi_txn *t, unsigned beat, bool write)
{
    if (t->addr + (uint64_t)beat * AXI_BYTES >= HD_MEMORY)
        return 3;                                    /* DECERR */
    return m->bus ? bus_answer(m->bus, t->addr + beat * AXI_BYTES, write) : 0;
}

static void sees(const struct axi_mem *m, const struct axi_txn *t, unsigned beat)
{
    if (m->on_read)
        m->on_read(m->read_user, t->id, t->addr + beat * AXI_BYTES, t->nth);
}

/* What an early read sees of memory. */
static void look(struct axi_mem *m, struct axi_txn *t)
{
    t->nth = m->taken[t->id]++;
    t->early = t->early && t->len < 2;
    for (unsigned k = 0; t->early && k <= t->len; k++) {
        sees(m, t, k);
        memcpy(t->data[k], beat_at(m, t, k), AXI_BYTES);
    }
}

static void store(uint8_t to[AXI_BYTES], const struct axi_datum *d)
{
    uint8_t byte[AXI_BYTES];
    memcpy(byte, d->data, AXI_BYTES);
    for (unsigned i = 0; i < AXI_BYTES; i++)         /* vector code */
        to[i] = d->strb >> i & 1 ? byte[i] : to[i];
}

/* Writes the data of t to memory and removes them from the buffer. */
static void apply_write(struct axi_mem *m, struct axi_txn *t)
{
    unsigned beat = 0, kept = 0, k = 0;
    if (t->done)
        return;
    for (; k < m->nw && beat <= t->len; k++) {
        const struct axi_datum *d = &m->wbuf[k].d;
        if (m->wbuf[k].txn_id != t->id) {
            m->wbuf[kept++] = m->wbuf[k];
            continue;
        }
        if (m->on_write)
            m->on_write(m->write_user, t->id, t->addr + beat * AXI_BYTES, d->data, d->strb);
        unsigned resp = answer(m, t, beat, true);
        uint8_t *dst = m->bytes + t->addr + (size_t)beat++ * AXI_BYTES;
        t->resp = resp > t->resp ? (uint8_t)resp : t->resp;
        if (!resp)
            store(dst, d);
    }
    memmove(&m->wbuf[kept], &m->wbuf[k], (m->nw - k) * sizeof *m->wbuf);
    m->nw -= k - kept;
    t->done = true;
}

/* Earlier ones of its ID act first. */
static bool may_act(const struct axi_queue *q, const struct axi_txn *t)
{
    for (const struct axi_txn *o = q->t; o < t; o++)
        if (o->id == t->id && !o->done)
            return false;
    return true;
}

/* Data meet their addresses, in order. */
static void match_write_data(struct axi_mem *m)
{
    unsigned n = 0;
    for (; n < m->nahead && m->wcur < m->wr.n; n++) {
        struct axi_txn *t = &m->wr.t[m->wcur];
        m->wbuf[m->nw].d = m->ahead[n];
        m->wbuf[m->nw++].txn_id = t->id;
        if ((t->beat == t->len) != m->ahead[n].last)
            axi_violation(&m->rules, "wlast on the wrong beat", t->addr);
        if (t->beat++ == t->len) {
            t->data_done = true;
            t->due = m->now + latency(m);
            m->wcur++;
            if (t->early && may_act(&m->wr, t))
                apply_write(m, t);
        }
    }
    m->nahead -= n;
    memmove(m->ahead, m->ahead + n, m->nahead * sizeof *m->ahead);
}

static void take_requests(struct axi_mem *m)
{
    const struct axi_port *p = &m->p;
    if (*p->arvalid && *p->arready) {
        look(m, push(m, &m->rd, *p->araddr, *p->arid, *p->arlen));
        m->reads++;
    }
    if (*p->awvalid && *p->awready) {
        push(m, &m->wr, *p->awaddr, *p->awid, *p->awlen);
        m->writes++;
    }
    if (*p->wvalid && *p->wready) {
        struct axi_datum *d = &m->ahead[m->nahead++];
        memcpy(d->data, p->wdata, AXI_BYTES);
        d->strb = *p->wstrb;
        d->last = *p->wlast;
        m->data_first += m->wcur >= m->wr.n;
    }
    if (m->nahead)
        match_write_data(m);
}

/* Only looks: the wires must not change before the rising edge, so axi_drive acts on it. */
void axi_sample(struct axi_mem *m)
{
    const struct axi_port *p = &m->p;
    m->r_taken = *p->rvalid && *p->rready;
    m->b_taken = *p->bvalid && *p->bready;
    axi_check(&m->rules, p);
    if (*p->arvalid | *p->awvalid | *p->wvalid)
        take_requests(m);
    m->now++;
}

/* ---- responses ---- */

static void drop(struct axi_queue *q, unsigned i)
{
    memmove(&q->t[i], &q->t[i + 1], (--q->n - i) * sizeof q->t[0]);
}

static void retire_responses(struct axi_mem *m)
{
    if (m->r_taken) {
        struct axi_txn *t = &m->rd.t[m->rcur];
        if (t->beat++ == t->len)
            drop(&m->rd, (unsigned)m->rcur);
        if (*m->p.rlast || m->mood.interleave)
            m->rcur = -1;
        *m->p.rvalid = 0;
    }
    if (m->b_taken) {
        drop(&m->wr, (unsigned)m->bcur);
        m->wcur--;
        m->bcur = -1;
        *m->p.bvalid = 0;
    }
}

/* A due transaction that no earlier one of its ID holds back: the first, with a seed any; -1:
 * none. */
static int choose(struct axi_mem *m, const struct axi_queue *q, bool write)
{
    unsigned from = m->rng && q->n > 1 ? roll(m) % q->n : 0;
    for (unsigned k = 0; k < q->n; k++) {
        unsigned i = (from + k) % q->n;
        const struct axi_txn *t = &q->t[i];
        bool ready = t->due <= m->now && (!write || t->data_done), held = false;
        for (unsigned j = 0; j < i && !held; j++)
            held = q->t[j].id == t->id;
        if (ready && !held)
            return (int)i;
        if (!m->rng)                                 /* fixed latency answers in order */
            return -1;
    }
    return -1;
}

static void drive_read(struct axi_mem *m)
{
    struct axi_port *p = &m->p;
    if (m->rcur < 0)
        m->rcur = choose(m, &m->rd, false);
    if (m->rcur < 0 || !often(m, m->mood.r))
        return;
    const struct axi_txn *t = &m->rd.t[m->rcur];
    if (!t->early)
        sees(m, t, t->beat);
    memcpy(p->rdata, t->early ? (const uint8_t *)t->data[t->beat] : beat_at(m, t, t->beat),
           AXI_BYTES);
    *p->rid = t->id;
    *p->rlast = t->beat == t->len;
    *p->rresp = (uint8_t)answer(m, t, t->beat, false);
    if (*p->rresp)
        for (unsigned k = 0; k < AXI_BYTES / 4; k++)
            p->rdata[k] = m->rng ? roll(m) : 0xdeadbeef;
    *p->rvalid = 1;
}

static void drive_answer(struct axi_mem *m)
{
    struct axi_port *p = &m->p;
    if (!often(m, m->mood.b) || (m->bcur = choose(m, &m->wr, true)) < 0)
        return;
    apply_write(m, &m->wr.t[m->bcur]);
    *p->bid = m->wr.t[m->bcur].id;
    *p->bresp = m->wr.t[m->bcur].resp;
    *p->bvalid = 1;
}

/* Waits until the other of address and datum is there: `taken`, or at least `offered` for a
 * cycle. */
static bool may_take(enum axi_wait how, bool offered, bool taken)
{
    return how == AXI_ANY || taken || (how == AXI_OFFERED && offered);
}

static void drive_ready(struct axi_mem *m)
{
    const struct axi_mood *s = &m->mood;
    bool room = m->nahead < AXI_DEPTH && m->nw + m->nahead < AXI_WBUF;
    *m->p.arready = m->rd.n < s->depth && often(m, s->ar);
    *m->p.awready = m->wr.n < s->depth && may_take(s->aw_waits, m->rules.w_waits, m->nahead > 0) &&
                    often(m, s->aw);
    *m->p.wready = room && may_take(s->w_waits, m->rules.aw_waits, m->wcur < m->wr.n) &&
                   often(m, s->w);
}

void axi_drive(struct axi_mem *m)
{
    if (m->now >= m->mood.until)
        draw_mood(m);
    retire_responses(m);
    if (!*m->p.rvalid && m->rd.n)
        drive_read(m);
    if (!*m->p.bvalid && m->wr.n)
        drive_answer(m);
    drive_ready(m);
}

static void explain_queue(const struct axi_mem *m, const struct axi_queue *q, const char *what,
                          uint64_t start, FILE *out)
{
    if (!q->n)
        return;
    const struct axi_txn *t = &q->t[0];
    fprintf(out, "  memory port: %u %s%s not answered; the oldest at 0x%08" PRIx64 " (ID %u)", q->n,
            what, q->n == 1 ? "" : "s", t->addr, t->id);
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
    if (m->nahead)
        fprintf(out, "  memory port: %u data without an address\n", m->nahead);
    explain_offer(*p->arvalid, *p->arready, "a read address that the core offers", out);
    explain_offer(*p->awvalid, *p->awready, "a write address that the core offers", out);
    explain_offer(*p->wvalid, *p->wready, "write data that the core offers", out);
    explain_offer(*p->rvalid, *p->rready, "read data that the memory offers", out);
    explain_offer(*p->bvalid, *p->bready, "a write answer that the memory offers", out);
    if (axi_idle(m))
        fprintf(out, "  memory port: idle\n");
}
