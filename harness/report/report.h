/* What is said about a launch: differences, faults, which lanes wait for which; as text, and as
 * JSON.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_H
#define REPORT_H
#include "harness/device/device.h"

/* report.c: for people. */
void report_write(hd_device *d, FILE *out);
void report_fault(const hd_device *d, const struct hd_commit *c, FILE *out);
void report_insn(const hd_device *d, const struct hd_commit *c, FILE *out);
/* report_lanes.c: which lanes RTL and model treat otherwise, in words, a line for each kind; and
 * `lanes 3, 8-15' of a mask. */
void report_lanes(const struct hd_commit *rtl, const struct hd_commit *model, FILE *out);
void report_lane_list(uint32_t lanes, char *buf, size_t n);
/* report_json.c: the same for programs, as one object (docs/lockstep.schema.json).  False: no
 * memory. */
bool report_json(hd_device *d, FILE *out);
bool report_json_insn(const hd_device *d, const struct hd_commit *c, FILE *out);
bool report_json_warps(hd_device *d, FILE *out);

/* ---- what there is to say (report_facts.c) ---- */

/* FILE:LINE of an instruction, without folders; empty where nothing is known. */
void report_source(const hd_device *d, uint32_t pc, char *buf, size_t n);
/* The instruction of a record. */
void report_text(const struct hd_commit *c, char *buf, size_t n);
/* The record that was read last; NULL: none, or a model device. */
const struct hd_commit *report_newest(const hd_device *d);
/* The last commits of bad's warp up to it, oldest first. */
enum { REPORT_LAST = 8, REPORT_CHAIN = 12 };
unsigned report_last(const hd_device *d, const struct hd_commit *bad,
                     const struct hd_commit *out[REPORT_LAST]);
/* One character for a lane after a commit: x runs, or the letter of why not (commit.def, WAIT). */
char report_lane(const struct hd_commit *c, unsigned lane);
/* A register (predicates: 256 + number) of one lane, and the commit that wrote it. */
struct report_origin { unsigned reg; uint32_t value; const struct hd_commit *by; };
/* Where the operands of `bad' came from in a lane, newest first: a backward slice, as far as the
 * history goes.  False: it has no operands. */
bool report_chain(const hd_device *d, const struct hd_commit *bad, unsigned lane,
                  struct report_origin out[REPORT_CHAIN], unsigned *found);
unsigned report_chain_lane(const struct verdict *v);     /* the lane to do it for */
/* The last store to the byte that the verdict is about, and the lanes that stored to it: the
 * highest came last.  NULL: none is known. */
const struct hd_commit *report_last_store(const hd_device *d, uint32_t *lanes);
/* The fault is one of an access, so its address means something. */
static inline bool report_at_address(const struct hd_commit *c)
{
    return (c->fault >= HD_FAULT_MISALIGNED && c->fault <= HD_FAULT_SPACE) ||
           c->fault == HD_FAULT_BUS;
}

/* noprogress.c */
void noprogress_write(hd_device *d, FILE *out);
/* The live lanes of a warp by place and reason: masks, lowest lane first.  Returns how many
 * groups. */
unsigned noprogress_groups(const struct warp_view *v, uint32_t group[HD_LANES]);
/* Why a lane does not run, in words; and what is to be said of its warp, empty or `: ...'. */
void noprogress_reason(hd_device *d, const struct warp_view *v, unsigned slot, unsigned lane,
                       FILE *out);
const char *noprogress_warp(const struct warp_view *v);
#endif
