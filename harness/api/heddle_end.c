/* What a device tells of its last launch.  Implements that part of heddle.h.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/board/launch.h"
#include "harness/lockstep/lockstep.h"
#include "harness/lockstep/race.h"
#include "harness/report/report.h"
#include <string.h>

const struct hd_counters *hd_get_counters(const hd_device *d) { return &d->count; }

bool hd_get_blocks(const hd_device *d, uint64_t *ended, uint64_t *all)
{
    struct warp_view v;
    int free_slot;
    *ended = *all = 0;
    if (!d->model || !d->launch.warps_block)
        return false;
    *all = launch_blocks(&d->launch);
    *ended = *all - model_unstarted(d->model, &free_slot);
    for (unsigned first = 0; first < d->launch.block_slots * d->launch.warps_block;
         first += d->launch.warps_block) {
        bool lives = false;
        for (unsigned w = first; w < first + d->launch.warps_block && !lives; w++) {
            model_view(d->model, w, &v);
            lives = v.used;
        }
        *ended -= lives;
    }
    return true;
}

const struct hd_commit *hd_get_fault(const hd_device *d) { return d->has_fault ? &d->fault : NULL; }

/* ---- for people ---- */

void hd_explain(hd_device *d, FILE *out) { report_write(d, out); }
void hd_show_commit(const hd_device *d, const struct hd_commit *c, FILE *out)
{
    report_insn(d, c, out);
}
void hd_show_warps(hd_device *d, FILE *out) { noprogress_write(d, out); }
bool hd_explain_json(hd_device *d, FILE *out) { return report_json(d, out); }
bool hd_show_commit_json(const hd_device *d, const struct hd_commit *c, FILE *out)
{
    return report_json_insn(d, c, out);
}
bool hd_show_warps_json(hd_device *d, FILE *out) { return report_json_warps(d, out); }
unsigned hd_get_jobs(const hd_device *d)
{
    struct fast_jobs why;
    return d->model ? fast_jobs(d->model, &why) : 0;
}

void hd_show_jobs(const hd_device *d, FILE *out)
{
    struct fast_jobs why = { 0 };
    char source[160] = "";
    unsigned jobs = d->model ? fast_jobs(d->model, &why) : 0;
    if (jobs)
        fprintf(out, "jobs: blocks ran at the same time, on %u threads\n", jobs);
    else if (!why.what)
        fprintf(out, "jobs: blocks ran in turn\n");
    else
        fprintf(out, "jobs: blocks ran in turn: %s", why.what);
    if (why.what && why.addr_known)
        fprintf(out, ", at address 0x%08llx", (unsigned long long)why.addr);
    if (why.what && why.pc_known) {
        report_source(d, why.pc, source, sizeof source);
        fprintf(out, ", PC 0x%x%s%s", why.pc, source[0] ? ", " : "", source);
    }
    if (why.what)
        fprintf(out, "\n");
}

bool hd_get_race(const hd_device *d, char *text, size_t n)
{
    return race_said(d->race, d, text, n);
}
bool hd_get_board(const hd_device *d, char *text, size_t n)
{
    const struct board_figures *f = d->board ? &d->board->figures : NULL;
    if (!f || !f->commits)
        return false;
    snprintf(text, n, "%s, %.2f bytes a commit, %llu commits, digest every %u, "
             "stalled %llu cycles, replays %u", d->cfg.board, (double)f->bytes / (double)f->commits,
             (unsigned long long)f->commits, f->every, (unsigned long long)f->stalls, f->replays);
    return true;
}
void hd_show_third(const hd_device *d, FILE *out) { third_write(d, out); }

/* ---- for programs ---- */

bool hd_get_mismatch(const hd_device *d, struct hd_mismatch *out)
{
    const struct verdict *v = &d->verdict;
    *out = (struct hd_mismatch){ .trouble = v->trouble,
                                 .cycle = v->cycle,
                                 .why = v->why,
                                 .field = v->trouble == HD_TROUBLE_FIELD ? v->diff.field->name
                                                                         : NULL,
                                 .rtl = &v->rtl,
                                 .model = &v->model };
    return v->trouble != HD_TROUBLE_NONE;
}

bool hd_get_compared(const hd_device *d, unsigned p, struct hd_compared *out)
{
    if (p >= COMMIT_PARTS)
        return false;
    uint64_t records = 0;
    for (unsigned parts = 0; parts < 1u << COMMIT_PARTS; parts++)
        records += parts >> p & 1 ? d->carried[parts] : 0;
    *out = (struct hd_compared){ .part = commit_part_names[p], .records = records,
                                 .fields = d->count.fields_compared / commit_nfields *
                                           commit_part_fields((enum commit_part)p) };
    return true;
}

enum hd_third hd_get_third(const hd_device *d)
{
    enum scalar_end end = d->cfg.third_leg && d->third ? scalar_end(d->third) : SCALAR_ORDER;
    return end == SCALAR_OK ? HD_THIRD_OK : end == SCALAR_RACE ? HD_THIRD_RACE : HD_THIRD_NOT;
}

/* ---- where lanes stand ---- */

bool hd_get_warp(const hd_device *d, unsigned slot, struct hd_warp *out)
{
    struct warp_view v = { 0 };
    if (d->model && slot < d->limits.warps)
        model_view(d->model, slot, &v);
    if (!v.used)
        return false;
    memset(out, 0, sizeof *out);                /* with its padding: callers may compare bytes */
    out->block = v.block;
    out->warp = v.warp;
    out->active = v.active;
    out->live = v.live;
    memcpy(out->npc, v.npc, sizeof out->npc);
    memcpy(out->wait, v.wait, sizeof out->wait);
    memcpy(out->barrier, v.barrier, sizeof out->barrier);
    return true;
}

bool hd_get_register(const hd_device *d, unsigned slot, unsigned reg, uint32_t value[HD_LANES])
{
    struct hd_warp w;
    if (!d->kernel || reg >= d->kernel->regs || !hd_get_warp(d, slot, &w))
        return false;
    for (unsigned l = 0; l < HD_LANES; l++)
        value[l] = model_register(d->model, slot, reg, l);
    return true;
}

bool hd_get_predicate(const hd_device *d, unsigned slot, unsigned pred, uint32_t *value)
{
    struct hd_warp w;
    if (pred >= HD_PT || !hd_get_warp(d, slot, &w))
        return false;
    *value = model_predicate(d->model, slot, pred);
    return true;
}

/* ---- waveforms ---- */

enum hd_status hd_end_wave(hd_device *d)
{
    if (!d->rtl || !d->cfg.wave) {
        snprintf(d->error, sizeof d->error, "the device writes no waveform");
        return HD_BAD_ARGUMENT;
    }
    return rtl_trace_end(d->rtl, d->error, sizeof d->error) ? HD_OK : HD_BAD_ARGUMENT;
}

uint64_t hd_wave_last(const hd_device *d) { return d->rtl ? d->rtl->wave_last : 0; }

uint64_t hd_replay(hd_device *d, const char *wave, uint64_t from, uint64_t to)
{
    return lockstep_replay(d, wave, from, to);
}
