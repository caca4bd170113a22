/* Devices: memory, images and launches over model, RTL or both.  Implements heddle.h.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A lockstep device has two memories; whatever the host writes goes to both, so that the end of a
 * launch can compare them byte for byte. */
#include "cmodel/base/sparse.h"
#include "harness/api/parts.h"
#include "harness/board/launch.h"
#include "harness/core/cores.h"
#include "harness/lockstep/deadlock.h"
#include "harness/lockstep/lockstep.h"
#include "harness/lockstep/race.h"
#include "harness/report/report.h"
#include "harness/wave/story.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FAIL(d, status, ...) (snprintf((d)->error, sizeof (d)->error, __VA_ARGS__), (status))
enum { ALIGN = 256, GAP = 4096, PAGE = 4096, LARGE = 1 << 20 };

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
    board_device_close(d);
    rtl_close(d->rtl);                               /* it may still write its waveform */
    story_free(d->story);
    scalar_free(d->third);
    race_free(d->race);
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
void hd_on_repeat(hd_device *d, hd_repeat_fn *fn, void *user)
{
    d->on_repeat = fn;
    d->repeat_user = user;
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
static void put(hd_device *d, uint64_t addr, const void *src, size_t bytes)
{
    if (!bytes)
        return;
    if (d->model)
        memcpy(model_memory(d->model) + addr, src, bytes);
    if (d->rtl)
        memcpy(d->rtl->bytes + addr, src, bytes);
}

/* Whole pages are given back, which leaves zeros: of a large allocation most was never touched. */
static void zero(uint8_t *at, size_t bytes)
{
    const size_t head = (size_t)(-(uintptr_t)at % PAGE);
    if (bytes >= LARGE) {
        const size_t pages = (bytes - head) / PAGE * PAGE;
        if (!madvise(at + head, pages, MADV_DONTNEED)) {
            memset(at, 0, head);
            memset(at + head + pages, 0, bytes - head - pages);
            return;
        }
    }
    memset(at, 0, bytes);
}

static void clear(hd_device *d, uint64_t addr, size_t bytes)
{
    if (d->model)
        zero(model_memory(d->model) + addr, bytes);
    if (d->rtl)
        zero(d->rtl->bytes + addr, bytes);
}

/* All that allocations may have, in the end: the addresses that there are, or the memory of the
 * machine, but as much as lies below 4 GiB in any case. */
uint64_t hd_memory(const hd_device *d)
{
    const uint64_t low = LAUNCH_HEAP_END - LAUNCH_HEAP, high = LAUNCH_HIGH_END - LAUNCH_HIGH,
                   pages = (uint64_t)sysconf(_SC_PHYS_PAGES),
                   has = pages * (uint64_t)sysconf(_SC_PAGESIZE) >> 20 << 20;
    return d->limits.addr_bits < HD_ADDR_BITS || HD_MEMORY < HD_ADDR_END || has < low ? low
         : has < high                                                                 ? has
                                                                                      : high;
}

/* Where `bytes` may begin, from there on: not among the addresses that no allocation has. */
static uint64_t place(uint64_t at, uint64_t bytes)
{
    return at < LAUNCH_HIGH && at + bytes > LAUNCH_HEAP_END ? LAUNCH_HIGH : at;
}

/* First fit among the gaps; allocations are few. */
enum hd_status hd_malloc(hd_device *d, size_t bytes, uint64_t *addr)
{
    return hd_malloc_from(d, LAUNCH_HEAP, bytes, addr);
}

enum hd_status hd_malloc_from(hd_device *d, uint64_t from, size_t bytes, uint64_t *addr)
{
    if (!bytes)
        return FAIL(d, HD_BAD_ARGUMENT, "an allocation of no bytes");
    const uint64_t most = hd_memory(d), end = most > LAUNCH_HEAP_END - LAUNCH_HEAP
                                                  ? LAUNCH_HIGH_END : LAUNCH_HEAP_END;
    uint64_t taken = 0;
    for (size_t k = 0; k < d->nallocs; k++)
        taken += d->allocs[k].bytes;
    if (bytes > most || taken > most - bytes)
        return FAIL(d, HD_NO_MEMORY, "%zu bytes do not fit into the device's memory", bytes);
    uint64_t at = place((from + ALIGN - 1) / ALIGN * ALIGN, bytes);
    size_t i = 0;
    for (; i < d->nallocs && at + bytes + GAP > d->allocs[i].addr; i++) {
        const uint64_t behind = d->allocs[i].addr + d->allocs[i].bytes + GAP + ALIGN - 1,
                       next = place(behind / ALIGN * ALIGN, bytes);
        at = next > at ? next : at;
    }
    if (from < LAUNCH_HEAP || from > end || at + bytes > end)
        return FAIL(d, HD_NO_MEMORY, "%zu bytes do not fit into the device's memory", bytes);
    struct alloc *grown = realloc(d->allocs, (d->nallocs + 1) * sizeof *grown);
    if (!grown)
        return FAIL(d, HD_NO_MEMORY, "no memory");
    d->allocs = grown;
    memmove(&grown[i + 1], &grown[i], (d->nallocs++ - i) * sizeof *grown);
    grown[i] = (struct alloc){ at, bytes };
    *addr = at;
    return HD_OK;
}

/* Nothing is allocated above 4 GiB any more: pages that were are given back.  Below, the next
 * allocation takes the same ones again. */
static void give_back_high(hd_device *d)
{
    const size_t bytes = LAUNCH_HIGH_END - LAUNCH_HIGH;
    if (d->model)
        madvise(model_memory(d->model) + LAUNCH_HIGH, bytes, MADV_DONTNEED);
    if (d->rtl)
        madvise(d->rtl->bytes + LAUNCH_HIGH, bytes, MADV_DONTNEED);
}

enum hd_status hd_free(hd_device *d, uint64_t addr)
{
    for (size_t i = 0; i < d->nallocs; i++)
        if (d->allocs[i].addr == addr) {
            clear(d, addr, d->allocs[i].bytes);      /* a new allocation finds zeros */
            memmove(&d->allocs[i], &d->allocs[i + 1], (--d->nallocs - i) * sizeof *d->allocs);
            if (addr >= LAUNCH_HIGH &&
                (!d->nallocs || d->allocs[d->nallocs - 1].addr < LAUNCH_HIGH))
                give_back_high(d);
            return HD_OK;
        }
    return FAIL(d, HD_BAD_ARGUMENT, "0x%08" PRIx64 " is no allocation", addr);
}

enum hd_status hd_write(hd_device *d, uint64_t addr, const void *src, size_t bytes)
{
    if (!device_mapped(d, addr, bytes))
        return FAIL(d, HD_BAD_ARGUMENT, "[0x%08" PRIx64 ", +%zu) lies in no allocation", addr,
                    bytes);
    put(d, addr, src, bytes);
    return HD_OK;
}

enum hd_status hd_read(hd_device *d, uint64_t addr, void *dst, size_t bytes)
{
    if (!device_mapped(d, addr, bytes))
        return FAIL(d, HD_BAD_ARGUMENT, "[0x%08" PRIx64 ", +%zu) lies in no allocation", addr,
                    bytes);
    memcpy(dst, device_memory(d) + addr, bytes);
    return HD_OK;
}

enum hd_status hd_bus_error(hd_device *d, uint64_t addr, size_t bytes, unsigned how)
{
    if (!bytes)
        d->bus.n = 0;
    else if (!(how & (HD_BUS_READ | HD_BUS_WRITE)))
        return FAIL(d, HD_BAD_ARGUMENT, "bus errors of neither reads nor writes");
    else if (addr >= HD_ADDR_END || bytes > HD_ADDR_END - addr)
        return FAIL(d, HD_BAD_ARGUMENT, "[0x%08" PRIx64 ", +%zu) is beyond physical addresses",
                    addr, bytes);
    else if (!bus_add(&d->bus, addr, bytes, how))
        return FAIL(d, HD_TOO_BIG, "more than %d areas with bus errors", BUS_AREAS);
    return HD_OK;
}

/* Lockstep, after a launch that was broken off: the model's memory for both. */
static void make_equal(hd_device *d)
{
    uint64_t addr;
    size_t bytes;
    for (size_t i = 0; d->image && device_area(d, i, &addr, &bytes); i++)
        sparse_copy(d->rtl->bytes + addr, model_memory(d->model) + addr, bytes);
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
    if (d->board)
        return d->bus.n ? FAIL(d, HD_BAD_ARGUMENT, "a board's memory answers without errors")
                        : board_launch(d);
    if (d->model && d->rtl)
        return lockstep_run(d);
    if (d->rtl)
        return bare_run(d);
    struct fast_run how = { .limit = d->cfg.limit,
                             .on_commit = d->on_commit,
                             .on_progress = d->on_progress,
                             .timing = d->timing,
                             .jobs = d->cfg.jobs,
                             .independent = d->cfg.independent,
                             .commit_user = d->commit_user,
                             .progress_user = d->progress_user };
    native_use(d, images_used(d), &how);
    enum hd_status s = fast_run(d->model, &how);
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
