/* The model's own scheduler: blocks in order, warps in turn.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A warp runs for a quantum, so its registers stay in the cache; then the others get their turn, so
 * a warp that spins until another one stores something cannot stop the grid.  With and without a
 * commit callback the order is the same, hence so is every result and every clock value. */
#include "machine.h"
#include <time.h>

enum { QUANTUM = 4096 };

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool place_blocks(struct model *m)
{
	bool any = false;
	for (u32 s = 0; s < m->launch.block_slots && m->next_block < launch_blocks(&m->launch); s++)
		if (!m->block[s].used)
			any |= !model_place(m, s, (u32)m->next_block);
	return any;
}

/* One by one, with records. */
static enum hd_status run_recorded(struct model *m, struct warp *w, u64 quantum,
                                   const struct model_run *how)
{
	struct hd_commit rec;
	while (quantum-- && warp_runs(w)) {
		enum step_status s = model_step(m, w->slot, &rec, NULL);
		if (!how->on_commit(how->commit_user, &rec))
			return HD_STOPPED;
		if (s == STEP_FAULT)
			return HD_FAULT;
	}
	return HD_OK;
}

static enum hd_status run_fast(struct model *m, struct warp *w, u64 quantum)
{
	step_warp(m, w, quantum, NULL);
	if (!m->fault)
		return HD_OK;
	record_fault(m, w, &m->fault_record);
	return HD_FAULT;
}

/* Every warp that can run gets a quantum. */
static enum hd_status run_round(struct model *m, const struct model_run *how, bool *any)
{
	for (u32 s = 0; s < m->launch.block_slots * m->launch.warps_block; s++) {
		struct warp *w = &m->warp[s];
		u64 quantum = QUANTUM;
		if (!warp_runs(w))
			continue;
		if (how->limit && m->seq >= how->limit)
			return HD_LIMIT;
		if (how->limit && how->limit - m->seq < quantum)
			quantum = how->limit - m->seq;
		*any = true;
		enum hd_status st = how->on_commit ? run_recorded(m, w, quantum, how) : run_fast(m, w, quantum);
		if (st)
			return st;
	}
	return HD_OK;
}

enum hd_status model_run(struct model *m, const struct model_run *how)
{
	double next = seconds() + 0.25;
	m->clock = NULL;
	while (!model_ended(m)) {
		bool any = place_blocks(m);
		enum hd_status st = run_round(m, how, &any);
		if (st)
			return st;
		if (!any)
			return HD_DEADLOCK;
		if (how->on_progress && seconds() >= next) {
			if (!how->on_progress(how->progress_user, model_counters(m)))
				return HD_STOPPED;
			next = seconds() + 0.25;
		}
	}
	return HD_OK;
}
