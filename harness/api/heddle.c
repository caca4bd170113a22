/* Devices: memory, images and launches over model, RTL or both.  Implements heddle.h.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A lockstep device has two memories; whatever the host writes goes to both, so that the end of a
 * launch can compare them byte for byte. */
#include "harness/api/parts.h"
#include "harness/core/cores.h"
#include "harness/core/csr.h"
#include "harness/lockstep/deadlock.h"
#include "harness/lockstep/lockstep.h"
#include "harness/report/report.h"
#include "harness/wave/story.h"
#include <stdlib.h>
#include <string.h>

#define FAIL(d, status, ...) (snprintf((d)->error, sizeof (d)->error, __VA_ARGS__), (status))
enum { ALIGN = 256, GAP = 4096 };

/* It is the core that was asked for, and its registers hold what is written. */
static bool check_core(hd_device *d)
{
    const struct { uint32_t offset, want; } is[] = {
        { CSR_CFG_LANES, d->rtl->lanes() }, { CSR_CFG_WARPS, LAUNCH_WARPS },
        { CSR_CFG_REGS, d->limits.regs }, { CSR_CFG_SHARED, d->limits.shared_bytes },
        { CSR_CFG_ISA, (uint32_t)ISA_HASH } };
    char why[200];
    bool ok = true;
    for (size_t i = 0; i < sizeof is / sizeof is[0] && ok; i++)
        ok = csr_is(d->rtl, is[i].offset, is[i].want, why, sizeof why);
    if (ok && d->cfg.kind == HD_LOCKSTEP)
        ok = csr_try(d->rtl, why, sizeof why);
    if (rtl_unknown(d->rtl)) {
        snprintf(why, sizeof why, "%s", rtl_unknown(d->rtl));
        ok = false;
    }
    if (!ok)
        snprintf(d->error, sizeof d->error, "the core is broken, or not ours: %s", why);
    return ok;
}

/* What the core's parameters left out, by its CFG registers. */
static enum hd_status ask_core(hd_device *d)
{
    static const struct { uint32_t offset, unit; } units[] = {
        { CSR_CFG_F64, UNIT_F64 }, { CSR_CFG_FLOAT, UNIT_FPU }, { CSR_CFG_SFU, UNIT_SFU } };
    uint32_t stack = 0, barriers = 0, lanes[sizeof units / sizeof *units] = { 0 };
    bool ok = rtl_read(d->rtl, CSR_CFG_STACK, &stack) &&
              rtl_read(d->rtl, CSR_CFG_BARRIERS, &barriers);
    for (size_t i = 0; i < sizeof units / sizeof *units && ok; i++) {
        ok = rtl_read(d->rtl, units[i].offset, &lanes[i]);
        if (!lanes[i])
            d->limits.no_units |= 1u << units[i].unit;
    }
    if (!ok)
        return FAIL(d, HD_NO_RTL, "%s",
                    rtl_unknown(d->rtl) ? rtl_unknown(d->rtl)
                                        : "the core's launch port does not answer");
    if (d->cfg.stack_depth > stack)
        return FAIL(d, HD_BAD_ARGUMENT, "%u tokens on chip: the core has room for %u",
                    d->cfg.stack_depth, stack);
    if (d->limits.stack_depth > stack)
        d->limits.stack_depth = stack;
    d->limits.no_barriers = !barriers;
    if (!check_core(d))
        return HD_NO_RTL;
    return HD_OK;
}

static enum rtl_kind core_kind(const struct hd_config *cfg)
{
    return cfg->four_state ? RTL_FOUR_STATE : cfg->x_seed ? RTL_RANDOM
         : (cfg->wave && !cfg->wave_rows) || cfg->snapshots || cfg->issue ? RTL_TRACE : RTL_QUICK;
}

enum hd_status hd_open(const struct hd_config *cfg, hd_device **out)
{
    hd_device *d = calloc(1, sizeof *d);
    *out = d;
    if (!d)
        return HD_NO_MEMORY;
    d->cfg = *cfg;
    d->cfg.lanes = cfg->lanes ? cfg->lanes : 32;
    d->limits = (struct launch_limits){ .warps = cfg->warps ? cfg->warps : LAUNCH_WARPS,
                                        .regs = 256,
                                        .shared_bytes = 65536,
                                        .stack_depth = cfg->stack_depth ? cfg->stack_depth : 16 };
    if (d->limits.warps > LAUNCH_WARPS)
        return FAIL(d, HD_BAD_ARGUMENT, "%u warps: a core has %d", d->limits.warps, LAUNCH_WARPS);
    struct hd_err err = { 0 };
    if (cfg->timing && strcmp(cfg->timing, "unit") && !(d->timing = timing_open(cfg->timing, &err)))
        return FAIL(d, HD_BAD_ARGUMENT, "%s", err.text);
    if (d->timing && cfg->kind != HD_MODEL)
        return FAIL(d, HD_BAD_ARGUMENT,
                    "a timing profile is for the model alone; the RTL has its own cycles");
    if (cfg->native && cfg->kind != HD_MODEL)
        return FAIL(d, HD_BAD_ARGUMENT, "the host's code is for the model alone");
    if ((cfg->jobs > 1 || cfg->independent) && cfg->kind != HD_MODEL)
        return FAIL(d, HD_BAD_ARGUMENT, "blocks at the same time are for the model alone");
    if (cfg->cores > AXI_CORES)
        return FAIL(d, HD_BAD_ARGUMENT, "%u cores: at most %d", cfg->cores, AXI_CORES);
    if (cfg->cores > 1 && cfg->kind != HD_LOCKSTEP)
        return FAIL(d, HD_BAD_ARGUMENT, "several cores are for lockstep alone");
    if (cfg->cores > 1 && (cfg->wave || cfg->issue || cfg->four_state || cfg->keep_going))
        return FAIL(d, HD_BAD_ARGUMENT, "%s for one core alone", cfg->wave ? "waveforms are"
                    : cfg->issue ? "why warps wait is known" : cfg->four_state ? "four states are"
                    : "going on after a difference is");
    if (cfg->cores > 1)
        d->cfg.snapshots = 0;
    if (cfg->jobs > HD_JOBS)
        return FAIL(d, HD_BAD_ARGUMENT, "%u jobs: at most %d", cfg->jobs, HD_JOBS);
    if (cfg->kind != HD_RTL && !(d->model = model_new(&d->limits)))
        return FAIL(d, HD_NO_MEMORY, "no memory for the model");
    if (cfg->x_seed && cfg->four_state)
        return FAIL(d, HD_BAD_ARGUMENT,
                    "in four states nothing begins with random bits, but unknown");
    if ((cfg->x_seed || cfg->four_state) && cfg->wave)
        return FAIL(d, HD_BAD_ARGUMENT, "the core that begins with %s bits writes no waveforms",
                    cfg->x_seed ? "random" : "unknown");
    if (cfg->x_seed || cfg->four_state)
        d->cfg.snapshots = 0;
    if (cfg->kind != HD_MODEL) {
        d->rtl = rtl_open(d->cfg.lanes, cfg->mem_seed, core_kind(&d->cfg), cfg->x_seed, d->error,
                          sizeof d->error);
        /* without a core that can trace there are none */
        if (!d->rtl && d->cfg.snapshots && !cfg->wave) {
            d->cfg.snapshots = 0;
            d->rtl = rtl_open(d->cfg.lanes, cfg->mem_seed, RTL_QUICK, 0, d->error, sizeof d->error);
        }
        d->history = calloc(1, sizeof *d->history);
        if (!d->rtl || !d->history)
            return HD_NO_RTL;
        if (cfg->issue && !d->rtl->issue)
            return FAIL(d, HD_NO_RTL, "this core does not show why its warps wait");
        if ((cfg->wave || d->cfg.snapshots) && !(d->story = story_new()))
            return FAIL(d, HD_NO_MEMORY, "no memory for the waveform");
        d->rtl->wave = cfg->wave;
        d->rtl->wave_rows = cfg->wave_rows;
        d->rtl->wave_from = cfg->wave_from;
        d->rtl->wave_to = cfg->wave_to;
        enum hd_status s = ask_core(d);
        return s == HD_OK && cfg->cores > 1 ? peers_open(d, cfg->cores) : s;
    }
    return HD_OK;
}

void hd_close(hd_device *d)
{
    if (!d)
        return;
    snapshot_drop(&d->snapshots);
    images_drop(d);
    if (d->cores || d->order)
        peers_close(d);
    if (d->model)
        model_free(d->model);
    rtl_close(d->rtl);                               /* it may still write its waveform */
    story_free(d->story);
    scalar_free(d->third);
    free(d->timing);
    free(d->history);
    guard_free(&d->guard);
    free(d->allocs);
    free(d);
}

const char *hd_device_error(const hd_device *d) { return d ? d->error : "no memory"; }
void hd_on_commit(hd_device *d, hd_commit_fn *fn, void *user)
{
    d->on_commit = fn;
    d->commit_user = user;
}
void hd_on_cycle(hd_device *d, hd_cycle_fn *fn, void *user)
{
    d->on_cycle = fn;
    d->cycle_user = user;
}
void hd_on_progress(hd_device *d, hd_progress_fn *fn, void *user)
{
    d->on_progress = fn;
    d->progress_user = user;
}
void hd_set_limit(hd_device *d, uint64_t limit) { d->cfg.limit = limit; }
void hd_set_third_leg(hd_device *d, bool on) { d->cfg.third_leg = on; }

/* ---- memory ---- */

/* Writes to every memory of the device. */
static void put(hd_device *d, uint32_t addr, const void *src, size_t bytes)
{
    if (!bytes)
        return;
    if (d->model)
        memcpy(model_memory(d->model) + addr, src, bytes);
    if (d->rtl)
        memcpy(d->rtl->bytes + addr, src, bytes);
}

static void clear(hd_device *d, uint32_t addr, size_t bytes)
{
    if (d->model)
        memset(model_memory(d->model) + addr, 0, bytes);
    if (d->rtl)
        memset(d->rtl->bytes + addr, 0, bytes);
}

/* First fit among the gaps; allocations are few. */
enum hd_status hd_malloc(hd_device *d, size_t bytes, uint32_t *addr)
{
    if (!bytes)
        return FAIL(d, HD_BAD_ARGUMENT, "an allocation of no bytes");
    uint64_t at = LAUNCH_HEAP;
    size_t i = 0;
    for (; i < d->nallocs && at + bytes + GAP > d->allocs[i].addr; i++)
        at = ((uint64_t)d->allocs[i].addr + d->allocs[i].bytes + GAP + ALIGN - 1) / ALIGN * ALIGN;
    if (bytes > LAUNCH_HEAP_END || at + bytes > LAUNCH_HEAP_END)
        return FAIL(d, HD_NO_MEMORY, "%zu bytes do not fit into the device's memory", bytes);
    struct alloc *grown = realloc(d->allocs, (d->nallocs + 1) * sizeof *grown);
    if (!grown)
        return FAIL(d, HD_NO_MEMORY, "no memory");
    d->allocs = grown;
    memmove(&grown[i + 1], &grown[i], (d->nallocs++ - i) * sizeof *grown);
    grown[i] = (struct alloc){ (uint32_t)at, (uint32_t)bytes };
    *addr = (uint32_t)at;
    return HD_OK;
}

enum hd_status hd_free(hd_device *d, uint32_t addr)
{
    for (size_t i = 0; i < d->nallocs; i++)
        if (d->allocs[i].addr == addr) {
            clear(d, addr, d->allocs[i].bytes);      /* a new allocation finds zeros */
            memmove(&d->allocs[i], &d->allocs[i + 1], (--d->nallocs - i) * sizeof *d->allocs);
            return HD_OK;
        }
    return FAIL(d, HD_BAD_ARGUMENT, "0x%08x is no allocation", addr);
}

enum hd_status hd_write(hd_device *d, uint32_t addr, const void *src, size_t bytes)
{
    if (!device_mapped(d, addr, bytes))
        return FAIL(d, HD_BAD_ARGUMENT, "[0x%08x, +%zu) lies in no allocation", addr, bytes);
    put(d, addr, src, bytes);
    return HD_OK;
}

enum hd_status hd_read(hd_device *d, uint32_t addr, void *dst, size_t bytes)
{
    if (!device_mapped(d, addr, bytes))
        return FAIL(d, HD_BAD_ARGUMENT, "[0x%08x, +%zu) lies in no allocation", addr, bytes);
    memcpy(dst, device_memory(d) + addr, bytes);
    return HD_OK;
}

enum hd_status hd_bus_error(hd_device *d, uint32_t addr, size_t bytes, unsigned how)
{
    if (!bytes)
        d->bus.n = 0;
    else if (!(how & (HD_BUS_READ | HD_BUS_WRITE)))
        return FAIL(d, HD_BAD_ARGUMENT, "bus errors of neither reads nor writes");
    else if (bytes - 1 > UINT32_MAX - addr)
        return FAIL(d, HD_BAD_ARGUMENT, "[0x%08x, +%zu) is not within 4 GiB", addr, bytes);
    else if (!bus_add(&d->bus, addr, bytes, how))
        return FAIL(d, HD_TOO_BIG, "more than %d areas with bus errors", BUS_AREAS);
    return HD_OK;
}

/* Lockstep, after a launch that was broken off: the model's memory for both. */
static void make_equal(hd_device *d)
{
    uint32_t addr;
    size_t bytes;
    for (size_t i = 0; d->image && device_area(d, i, &addr, &bytes); i++)
        memcpy(d->rtl->bytes + addr, model_memory(d->model) + addr, bytes);
    rtl_shared_write(d->rtl, model_shared(d->model));
    peers_make_equal(d);
}

/* The core goes on after a fault, a stop, a limit and a deadlock; after a difference, or where it
 * would not stop, its state is unknown, so another one takes its place. */
static enum hd_status recover(hd_device *d)
{
    if (d->cores)
        peers_begin(d);
    if (!d->broken_off || !d->rtl)
        return HD_OK;
    if (d->lost && !rtl_restart(d->rtl, d->cfg.mem_seed))
        return FAIL(d, HD_NO_MEMORY, "no memory for the core");
    if (d->lost && d->model) {
        model_clear_shared(d->model);
        peers_clear_shared(d);
    }
    if (d->model)
        make_equal(d);
    d->broken_off = d->lost = false;
    return HD_OK;
}

enum hd_status hd_unload(hd_device *d, uint64_t mem_seed)
{
    enum hd_status s = recover(d);
    if (s != HD_OK)
        return s;
    while (d->nallocs)
        hd_free(d, d->allocs[d->nallocs - 1].addr);
    if (d->image) {                                  /* its owner may have freed it by now */
        clear(d, LAUNCH_CODE, d->text_size);
        clear(d, LAUNCH_CONST, (size_t)HD_CONST_DATA + d->cdata_size);
        clear(d, LAUNCH_DATA, d->gdata_size);
    }
    images_drop(d);
    d->kernel = NULL;
    d->bus.n = 0;
    d->cfg.mem_seed = mem_seed;
    if (d->rtl)
        axi_seed(d->rtl->mem, mem_seed);
    return HD_OK;
}

enum hd_status hd_reset(hd_device *d, uint64_t mem_seed)
{
    static const uint8_t zeros[RTL_SHARED];
    enum hd_status s = hd_unload(d, mem_seed);
    if (s != HD_OK)
        return s;
    if (d->rtl && !rtl_reset(d->rtl, mem_seed))
        return FAIL(d, HD_NO_MEMORY, "no memory");
    if (d->rtl)
        rtl_shared_write(d->rtl, zeros);
    if (d->model)
        model_clear_shared(d->model);
    peers_clear_shared(d);
    return HD_OK;
}

/* ---- launches ---- */

static enum hd_status prepare(hd_device *d, const struct hd_launch *l)
{
    enum hd_status s = HD_OK;
    if (!d->image)
        return FAIL(d, HD_BAD_ARGUMENT, "no image is loaded");
    if (d->model)
        s = launch_prepare(&d->launch, model_memory(d->model), d->image, l, &d->limits, d->error,
                           sizeof d->error);
    if (s == HD_OK && d->rtl)
        s = launch_prepare(&d->launch, d->rtl->bytes, d->image, l, &d->limits, d->error,
                           sizeof d->error);
    if (s != HD_OK)
        return s;
    d->kernel = hd_image_kernel(d->image, l->kernel, NULL);
    ranges_add(d);
    /* Local memory and spill areas are as a fresh device has them, for every launch alike. */
    s = d->cores ? peers_prepare(d) : HD_OK;
    if (s != HD_OK)
        return s;
    for (unsigned k = 0; k < (d->cores ? d->cores->n : 1); k++) {
        const struct launch *of = k ? &d->peer[k - 1]->launch : &d->launch;
        clear(d, of->local_base, (size_t)of->local_size * HD_LANES * d->limits.warps);
        if (of->mode)
            clear(d, of->spill_base, (size_t)of->spill_size * d->limits.warps);
    }
    return HD_OK;
}

static enum hd_status run(hd_device *d)
{
    if (d->rtl)
        d->rtl->mem->bus = &d->bus;
    if (d->model) {
        model_set_bus(d->model, &d->bus);
        model_launch(d->model, &d->launch);
    }
    if (d->model && d->rtl)
        return lockstep_run(d);
    if (d->rtl)
        return bare_run(d);
    struct model_run how = { .limit = d->cfg.limit,
                             .on_commit = d->on_commit,
                             .on_progress = d->on_progress,
                             .timing = d->timing,
                             .jobs = d->cfg.jobs,
                             .independent = d->cfg.independent,
                             .commit_user = d->commit_user,
                             .progress_user = d->progress_user };
    native_use(d, images_used(d), &how);
    enum hd_status s = model_run(d->model, &how);
    d->count = *model_counters(d->model);
    if (!d->natively)
        images_used(d)->interpreted += d->count.warp_insns;
    const struct hd_commit *f = model_fault(d->model);
    if (f) {
        d->has_fault = true;
        d->fault = *f;
    }
    char why[160];
    if (s == HD_DEADLOCK && !deadlock_holds(d, why, sizeof why))
        return FAIL(d, HD_INTERNAL, "the model says that the grid is deadlocked, but it is not: %s",
                    why);
    return s;
}

enum hd_status hd_launch_grid(hd_device *d, const struct hd_launch *l)
{
    if (d->cores)
        peers_begin(d);
    d->has_fault = false;
    d->verdict = (struct verdict){ 0 };
    d->start_again = l->start_again;
    memset(&d->count, 0, sizeof d->count);
    snapshot_drop(&d->snapshots);
    enum hd_status s = recover(d);
    if (s == HD_OK)
        s = prepare(d, l);
    if (s != HD_OK)
        return d->status = s;
    if (d->cfg.third_leg && !third_run(d))
        return d->status = FAIL(d, HD_NO_MEMORY, "no memory for the third leg");
    s = run(d);
    if (d->cores)
        peers_end(d);
    if (s == HD_OK && !ranges_gaps_hold(d))
        s = HD_FAULT;
    d->broken_off = s != HD_OK;
    d->lost = d->lost || s == HD_MISMATCH || s == HD_INTERNAL;
    if (d->cfg.third_leg)
        s = third_judge(d, s);
    return d->status = s;
}
