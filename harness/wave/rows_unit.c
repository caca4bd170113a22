/* The rows of units: what each stage holds, steps, queues; each transaction at the memory port, and
 * what it writes.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/wave/rows.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const unit_names[] = {
#define UNIT(name, what) what,
#include "rtl/events.def"
};

void unit_rows_new(const struct fst_out *f, struct unit_rows *u, bool inside)
{
    char name[32];
    u->inside = inside;
    f->scope(f->ctx, "units");
    for (unsigned i = 0; inside && i < RTL_UNITS; i++)
        u->unit[i] = row_new_text(f, unit_names[i]);
    if (inside) {
        u->conv_step = row_new_text(f, "convergence_step");
        u->lsu_step = row_new_text(f, "memory_step");
        u->conv_queue = row_new_bits(f, "convergence_queue", 4);
        u->lsu_queue = row_new_bits(f, "memory_queue", 5);
    }
    f->scope(f->ctx, NULL);
    f->scope(f->ctx, "axi");
    u->reads = row_new_bits(f, "reads", 8);
    u->writes = row_new_bits(f, "writes", 8);
    u->last_write = row_new_text(f, "last_write");
    for (unsigned i = 0; i < TRANSACTIONS; i++) {
        snprintf(name, sizeof name, "read%02u", i);
        u->rd[i].row = row_new_text(f, name);
    }
    for (unsigned i = 0; i < TRANSACTIONS; i++) {
        snprintf(name, sizeof name, "write%02u", i);
        u->wr[i].row = row_new_text(f, name);
    }
    f->scope(f->ctx, NULL);
}

void unit_rows_write(const struct fst_out *f, struct unit_rows *u, const struct rtl_inside *in,
                     struct places *p)
{
    for (unsigned i = 0; i < RTL_UNITS; i++) {
        const struct rtl_held *h = &in->unit[i];
        uint64_t key = h->valid ? (uint64_t)(h->warp + 1) << 32 | h->pc : 0;
        char text[480] = "";
        if (!row_stale(&u->unit[i], key))
            continue;
        if (h->valid)
            snprintf(text, sizeof text, "w%02u %s", h->warp, place_text(p, h->pc));
        row_text(f, &u->unit[i], key, text);
    }
    row_text(f, &u->conv_step, row_hash(in->conv_step), in->conv_step);
    row_text(f, &u->lsu_step, row_hash(in->lsu_step), in->lsu_step);
    row_bits(f, &u->conv_queue, 4, in->conv_queue);
    row_bits(f, &u->lsu_queue, 5, in->lsu_queue);
}

/* ---- transactions: one begins with its address, and ends with the oldest of its ID ---- */

enum { ID_ICACHE = 16 };

static const char *owner(unsigned id)
{
    return id & ID_ICACHE ? "icache" : id & 8 ? "stack" : "LSU";
}

static void says(const struct fst_out *f, struct unit_rows *u, struct transaction *t,
                 const char *what)
{
    char text[200];
    snprintf(text, sizeof text, "ID %u %s 0x%08" PRIx64 "%s", t->id, owner(t->id), t->addr, what);
    row_text(f, &t->row, ++u->order, text);
}

/* NULL: it has no row. */
static struct transaction *begins(struct unit_rows *u, struct transaction *t, unsigned *n,
                                  unsigned id, uint64_t addr)
{
    ++*n;
    for (unsigned i = 0; i < TRANSACTIONS; i++)
        if (!t[i].used) {
            t[i].used = true;
            t[i].id = (uint8_t)id;
            t[i].addr = addr;
            t[i].order = ++u->order;
            return &t[i];
        }
    return NULL;
}

static void begins_read(const struct fst_out *f, struct unit_rows *u, unsigned id, uint64_t addr,
                        unsigned beats)
{
    char size[32];
    struct transaction *t = begins(u, u->rd, &u->rd_n, id, addr);
    u->code_moves |= id & ID_ICACHE;
    if (t)
        t->bytes = beats * AXI_BYTES;
    snprintf(size, sizeof size, ", %u bytes", beats * AXI_BYTES);
    if (t)
        says(f, u, t, size);
}

static void ends(const struct fst_out *f, struct transaction *t, unsigned *n, unsigned id)
{
    struct transaction *first = NULL;
    *n -= *n > 0;
    for (unsigned i = 0; i < TRANSACTIONS; i++)
        if (t[i].used && t[i].id == id && (!first || t[i].order < first->order))
            first = &t[i];
    if (!first)
        return;
    first->used = false;
    row_text(f, &first->row, 0, "");
}

/* ---- writes: their data come apart, in the order of the addresses, and may come first ---- */

/* Words from the lowest address; of a word without a strobe, dots. */
static void says_data(const struct fst_out *f, struct unit_rows *u, struct transaction *t,
                      const struct axi_datum *d)
{
    char text[140], held[sizeof text + 24];
    int n = snprintf(text, sizeof text, ", %d bytes, strobe %08x, data",
                     __builtin_popcount(d->strb), d->strb);
    for (unsigned i = 0; i < 8; i++)
        if (d->strb >> 4 * i & 15)
            n += snprintf(text + n, sizeof text - (size_t)n, " %08x", d->data[i]);
        else
            n += snprintf(text + n, sizeof text - (size_t)n, " ..");
    says(f, u, t, text);
    snprintf(held, sizeof held, "0x%08" PRIx64 "%s", t->addr, text);
    row_text(f, &u->last_write, ++u->order, held);
}

static void match(const struct fst_out *f, struct unit_rows *u)
{
    struct write_data *w = &u->data;
    while (w->waits && w->aheads) {
        if (w->wait[0].t)
            says_data(f, u, w->wait[0].t, &w->ahead[0]);
        memmove(w->ahead, w->ahead + 1, --w->aheads * sizeof *w->ahead);
        if (--w->wait[0].beats == 0)
            memmove(w->wait, w->wait + 1, --w->waits * sizeof *w->wait);
    }
}

static void begins_write(const struct fst_out *f, struct unit_rows *u, unsigned id, uint64_t addr,
                         unsigned beats)
{
    struct transaction *t = begins(u, u->wr, &u->wr_n, id, addr);
    if (t)
        says(f, u, t, "");
    if (beats && u->data.waits < AXI_DEPTH)
        u->data.wait[u->data.waits++] = (struct awaited){ t, beats };
}

void unit_rows_under_way(const struct fst_out *f, struct unit_rows *u, const struct axi_mem *m)
{
    row_text(f, &u->last_write, 0, "");
    for (unsigned i = 0; i < TRANSACTIONS; i++) {
        row_text(f, &u->rd[i].row, 0, "");
        row_text(f, &u->wr[i].row, 0, "");
    }
    for (unsigned i = 0; i < m->rd.n; i++)
        begins_read(f, u, m->rd.t[i].id, m->rd.t[i].addr, m->rd.t[i].len + 1u);
    for (unsigned i = 0; i < m->wr.n; i++) {
        const struct axi_txn *t = &m->wr.t[i];
        begins_write(f, u, t->id, t->addr, t->data_done ? 0 : t->len + 1u - t->beat);
    }
    for (unsigned i = 0; i < m->nahead; i++)
        u->data.ahead[u->data.aheads++] = m->ahead[i];
}

void unit_rows_memory(const struct fst_out *f, struct unit_rows *u, const struct axi_port *p)
{
    u->code_moves = *p->rvalid && *p->rready && *p->rlast && *p->rid & ID_ICACHE;
    if (*p->rvalid && *p->rready && *p->rlast)
        ends(f, u->rd, &u->rd_n, *p->rid);
    if (*p->bvalid && *p->bready)
        ends(f, u->wr, &u->wr_n, *p->bid);
    if (*p->arvalid && *p->arready)
        begins_read(f, u, *p->arid, *p->araddr, *p->arlen + 1u);
    if (*p->awvalid && *p->awready)
        begins_write(f, u, *p->awid, *p->awaddr, *p->awlen + 1u);
    if (*p->wvalid && *p->wready && u->data.aheads < AXI_DEPTH) {
        struct axi_datum *d = &u->data.ahead[u->data.aheads++];
        memcpy(d->data, p->wdata, sizeof d->data);
        d->strb = *p->wstrb;
    }
    match(f, u);
    row_bits(f, &u->reads, 8, u->rd_n);
    row_bits(f, &u->writes, 8, u->wr_n);
}

bool unit_rows_fetch(const struct unit_rows *u, uint64_t addr)
{
    for (unsigned i = 0; i < TRANSACTIONS; i++)
        if (u->rd[i].used && u->rd[i].id & ID_ICACHE && addr - u->rd[i].addr < u->rd[i].bytes)
            return true;
    return false;
}
