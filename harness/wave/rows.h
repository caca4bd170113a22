/* Rows of a waveform: the inside of story.c.  SPDX-License-Identifier: Apache-2.0 */
#ifndef ROWS_H
#define ROWS_H
#include "harness/view/lanes.h"
#include "harness/wave/story.h"

/* ---- row.c: a row has the value that it was given last; key: a number that differs where the text does ---- */
struct row { uint32_t var; bool set; uint64_t key; };
void row_text(const struct fst_out *f, struct row *r, uint64_t key, const char *text);
void row_bits(const struct fst_out *f, struct row *r, unsigned width, uint64_t value);
/* True: row_text would write; the text need be made only then. */
static inline bool row_stale(const struct row *r, uint64_t key) { return !r->set || r->key != key; }
struct row row_new_text(const struct fst_out *f, const char *name);
struct row row_new_bits(const struct fst_out *f, const char *name, unsigned width);
uint64_t row_hash(const char *text);

/* ---- the same: instructions as text, made once each ---- */
struct places { const struct hd_image *img; char **text; unsigned *line; uint32_t n; };
/* `0x01a0  FADD R4, R4, 2.0  divergent.cu:23'; UINT32_MAX: empty. */
const char *place_text(struct places *p, uint32_t pc);
unsigned place_line(const struct places *p, uint32_t pc);
void places_begin(struct places *p, const struct hd_image *img);
void places_free(struct places *p);

/* ---- rows_warp.c ---- */
enum { TOKENS = 16 };            /* of a stack, that have a row */
struct warp_rows {
    struct row where, pc, retired, groups, why, event, active, live, exec, depth, spilled;
    struct row lane[HD_LANES], group[HD_LANES], barrier[HD_BARRIERS], arrived[HD_BARRIERS], token[TOKENS];
};
/* model: its rows, which have no events.  inside: units are seen, so that it is known why a warp waits. */
void warp_rows_new(const struct fst_out *f, struct warp_rows *r, unsigned slot, bool stack_mode, bool model, bool inside);
void warp_rows_write(const struct fst_out *f, struct warp_rows *r, const struct lanes *w, struct places *p);
void warp_rows_events(const struct fst_out *f, struct warp_rows *r, const struct lanes *w, unsigned events);
/* Why the warp in this slot issues nothing, as the core's units show it. */
void warp_rows_why(const struct fst_out *f, struct warp_rows *r, const struct lanes *w, unsigned slot,
                   const struct rtl_inside *in);

/* ---- rows_unit.c ---- */
enum { TRANSACTIONS = 16 };      /* each way, that have a row */
struct transaction { bool used; uint8_t id; uint32_t addr; uint64_t order; struct row row; };
/* Writes whose data are still to come, in the order of their addresses: of those with a row, which; beats left. */
struct awaited { struct transaction *t; unsigned beats; };
struct write_data {
    struct awaited wait[AXI_DEPTH];
    struct axi_datum ahead[AXI_DEPTH];   /* without an address yet */
    unsigned waits, aheads;
};
struct unit_rows {
    struct row unit[RTL_UNITS], conv_step, lsu_step, conv_queue, lsu_queue, reads, writes;
    struct transaction rd[TRANSACTIONS], wr[TRANSACTIONS];
    unsigned rd_n, wr_n;         /* under way, those without a row too */
    struct write_data data;
    uint64_t order;
    bool inside;
};
void unit_rows_new(const struct fst_out *f, struct unit_rows *u, bool inside);
void unit_rows_write(const struct fst_out *f, struct unit_rows *u, const struct rtl_inside *in, struct places *p);
/* What is under way when the window opens; then what the memory port's wires hand over in a cycle. */
void unit_rows_under_way(const struct fst_out *f, struct unit_rows *u, const struct axi_mem *m);
void unit_rows_memory(const struct fst_out *f, struct unit_rows *u, const struct axi_port *p);
#endif
