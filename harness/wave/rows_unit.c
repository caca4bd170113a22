/* The rows of units: what each stage holds, steps, queues; each transaction at the memory port.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/wave/rows.h"
#include <stdio.h>
#include <string.h>

static const char *const unit_names[] = {
#define UNIT(name, what) what,
#include "harness/core/units.def"
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
        u->lsu_queue = row_new_bits(f, "memory_queue", 4);
    }
    f->scope(f->ctx, NULL);
    f->scope(f->ctx, "axi");
    u->reads = row_new_bits(f, "reads", 8);
    u->writes = row_new_bits(f, "writes", 8);
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

void unit_rows_write(const struct fst_out *f, struct unit_rows *u, const struct rtl_inside *in, struct places *p)
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
    row_bits(f, &u->lsu_queue, 4, in->lsu_queue);
}

/* ---- transactions: one begins with its address, and ends with the oldest of its ID ---- */

static const char *owner(unsigned id) { return id & 16 ? "icache" : id & 8 ? "stack" : "LSU"; }

static void begins(const struct fst_out *f, struct unit_rows *u, struct transaction *t, unsigned *n, unsigned id,
                   uint32_t addr, unsigned beats)
{
    char text[64];
    ++*n;
    for (unsigned i = 0; i < TRANSACTIONS; i++)
        if (!t[i].used) {
            t[i].used = true;
            t[i].id = (uint8_t)id;
            t[i].order = u->order++;
            snprintf(text, sizeof text, "ID %u %s 0x%08x, %u bytes", id, owner(id), addr, beats * AXI_BYTES);
            row_text(f, &t[i].row, u->order, text);
            return;
        }
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

void unit_rows_under_way(const struct fst_out *f, struct unit_rows *u, const struct axi_mem *m)
{
    for (unsigned i = 0; i < TRANSACTIONS; i++) {
        row_text(f, &u->rd[i].row, 0, "");
        row_text(f, &u->wr[i].row, 0, "");
    }
    for (unsigned i = 0; i < m->rd.n; i++)
        begins(f, u, u->rd, &u->rd_n, m->rd.t[i].id, m->rd.t[i].addr, m->rd.t[i].len + 1u);
    for (unsigned i = 0; i < m->wr.n; i++)
        begins(f, u, u->wr, &u->wr_n, m->wr.t[i].id, m->wr.t[i].addr, m->wr.t[i].len + 1u);
}

void unit_rows_memory(const struct fst_out *f, struct unit_rows *u, const struct axi_port *p)
{
    if (*p->rvalid && *p->rready && *p->rlast)
        ends(f, u->rd, &u->rd_n, *p->rid);
    if (*p->bvalid && *p->bready)
        ends(f, u->wr, &u->wr_n, *p->bid);
    if (*p->arvalid && *p->arready)
        begins(f, u, u->rd, &u->rd_n, *p->arid, *p->araddr, *p->arlen + 1u);
    if (*p->awvalid && *p->awready)
        begins(f, u, u->wr, &u->wr_n, *p->awid, *p->awaddr, *p->awlen + 1u);
    row_bits(f, &u->reads, 8, u->rd_n);
    row_bits(f, &u->writes, 8, u->wr_n);
}
