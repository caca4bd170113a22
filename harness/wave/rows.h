/* Rows of a waveform: the inside of story.c.  SPDX-License-Identifier: Apache-2.0 */
#ifndef ROWS_H
#define ROWS_H
#include "harness/view/lanes.h"
#include "harness/wave/story.h"

/* ---- row.c: a row has the value that it was given last; key: a number that differs where the text
 * does ---- */
struct row { uint32_t var; bool set; uint64_t key; };
void row_text(const struct fst_out *f, struct row *r, uint64_t key, const char *text);
void row_bits(const struct fst_out *f, struct row *r, unsigned width, uint64_t value);
/* True: row_text would write; the text need be made only then. */
static inline bool row_stale(const struct row *r, uint64_t key) { return !r->set || r->key != key; }
struct row row_new_text(const struct fst_out *f, const char *name);
struct row row_new_bits(const struct fst_out *f, const char *name, unsigned width);
uint64_t row_hash(const char *text);

/* ---- the same: instructions as text, made once each ---- */
struct places {
    const struct hd_image *img;
    char **text;
    unsigned *line;
    uint8_t *unit;
    uint32_t n;
};
/* `0x01a0  FADD R4, R4, 2.0  divergent.cu:23'; UINT32_MAX: empty. */
const char *place_text(struct places *p, uint32_t pc);
unsigned place_line(const struct places *p, uint32_t pc);
/* `:23  divergent.cu': what is cut off in a narrow cell is the file's name; empty: it has no
 * line. */
void place_source(const struct places *p, uint32_t pc, char *out, size_t n);
/* enum hd_unit of the instruction there. */
unsigned place_unit(const struct places *p, uint32_t pc);
void places_begin(struct places *p, const struct hd_image *img);
void places_free(struct places *p);

/* ---- rows_warp.c ---- */
enum { TOKENS = 16 };            /* of a stack, that have a row */
struct warp_rows {
    struct row where, pc, line, retired, groups, why, event, active, live, exec, depth, spilled;
    struct row lane[HD_LANES], group[HD_LANES], barrier[HD_BARRIERS], arrived[HD_BARRIERS],
        token[TOKENS];
};
/* model: its rows, which have no events, and no reason to wait. */
void warp_rows_new(const struct fst_out *f, struct warp_rows *r, unsigned slot, bool stack_mode,
                   bool model);
void warp_rows_write(const struct fst_out *f, struct warp_rows *r, const struct lanes *w,
                     struct places *p);
void warp_rows_events(const struct fst_out *f, struct warp_rows *r, const struct lanes *w,
                      unsigned events);
/* What the warp's next instruction to retire waits for, as far as commits and the memory port tell.
 *  fetched: a line of the instruction cache that holds it is on its way. */
void warp_rows_waits(const struct fst_out *f, struct warp_rows *r, const struct lanes *w,
                     const struct places *p, bool fetched);
/* Why the warp in this slot issues nothing, as the core's units show it. */
void warp_rows_why(const struct fst_out *f, struct warp_rows *r, const struct lanes *w,
                   unsigned slot, const struct rtl_inside *in);

/* ---- rows_block.c ---- */
enum { BLOCK_BARRIERS = 16 };
struct block_rows {
    struct row where, count[BLOCK_BARRIERS], arrived[BLOCK_BARRIERS], absent[BLOCK_BARRIERS];
    uint32_t shown;              /* barriers whose rows are not empty */
    bool begun;
};
void block_rows_new(const struct fst_out *f, struct block_rows *b, unsigned slot);
/* The block's warps, in slots from `first' on.  golden: a model that is where the warps are; NULL:
 * none. */
void block_rows_write(const struct fst_out *f, struct block_rows *b,
                      const struct lanes *const *warp, unsigned first, unsigned warps,
                      const struct model *golden);

/* ---- rows_unit.c ---- */
enum { TRANSACTIONS = 16 };      /* each way, that have a row */
struct transaction { bool used; uint8_t id; uint32_t bytes; uint64_t addr, order; struct row row; };
/* Writes whose data are still to come, in the order of their addresses: of those with a row, which;
 * beats left. */
struct awaited { struct transaction *t; unsigned beats; };
struct write_data {
    struct awaited wait[AXI_DEPTH];
    struct axi_datum ahead[AXI_DEPTH];   /* without an address yet */
    unsigned waits, aheads;
};
struct unit_rows {
    struct row unit[RTL_UNITS], conv_step, lsu_step, conv_queue, lsu_queue, reads, writes,
        last_write;
    struct transaction rd[TRANSACTIONS], wr[TRANSACTIONS];
    unsigned rd_n, wr_n;         /* under way, those without a row too */
    struct write_data data;
    uint64_t order;
    bool inside;
    bool code_moves;          /* a read of the instruction cache has begun or ended in this cycle */
};
void unit_rows_new(const struct fst_out *f, struct unit_rows *u, bool inside);
void unit_rows_write(const struct fst_out *f, struct unit_rows *u, const struct rtl_inside *in,
                     struct places *p);
/* What is under way when the window opens; then what the memory port's wires hand over in a
 * cycle. */
void unit_rows_under_way(const struct fst_out *f, struct unit_rows *u, const struct axi_mem *m);
void unit_rows_memory(const struct fst_out *f, struct unit_rows *u, const struct axi_port *p);
/* The instruction cache is reading this address. */
bool unit_rows_fetch(const struct unit_rows *u, uint64_t addr);
#endif
