/* Several cores of a lockstep device: what each has of its own.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The device is core 0; the others are devices that point to what is the same for all.  After a
 * launch the part of the core that a report is about is in the device itself, so that reports need
 * not know of cores; the next launch begins with putting it back. */
#include "harness/api/parts.h"
#include "harness/core/cores.h"
#include "harness/lockstep/order.h"
#include <stdlib.h>
#include <string.h>

/* A core's part of a device. */
#define PARTS(X)                                                                                   \
    X(model) X(rtl) X(history) X(clocks) X(guard) X(verdict) X(launch) X(has_fault) X(fault)       \
    X(last_commit) X(newest_commit) X(limit_met) X(settling) X(carried)

static void exchange(hd_device *a, hd_device *b)
{
#define X(part)                                                                                    \
    {                                                                                              \
        char kept[sizeof a->part];                                                                 \
        memcpy(kept, &a->part, sizeof kept);                                                       \
        memcpy(&a->part, &b->part, sizeof kept);                                                   \
        memcpy(&b->part, kept, sizeof kept);                                                       \
    }
    PARTS(X)
#undef X
}

/* Every core's part where it belongs. */
static void put_back(hd_device *d)
{
    if (d->cores && d->rtl->number)
        exchange(d, d->peer[d->rtl->number - 1]);
}

static void order_add(hd_device *d, hd_device *c)
{
    struct order_core *o = &d->order->core[c->rtl->number];
    o->model = c->model;
    o->guard = &c->guard;
    o->lanes = d->rtl->calls->lanes();
}

enum hd_status peers_open(hd_device *d, unsigned n)
{
    d->order = calloc(1, sizeof *d->order);
    d->cores = cores_open(d->rtl, n, d->cfg.mem_seed, d->error, sizeof d->error);
    if (!d->order || !d->cores)
        return d->order ? HD_NO_CORE : HD_NO_MEMORY;
    d->order->n = n;
    d->order->mem = &d->cores->mem;
    order_add(d, d);
    for (unsigned k = 1; k < n; k++) {
        hd_device *c = d->peer[k - 1] = calloc(1, sizeof *c);
        if (!c || !(c->model = fast_new_beside(d->model, k)) ||
            !(c->history = calloc(1, sizeof *c->history)))
            return HD_NO_MEMORY;
        c->rtl = d->cores->rtl[k];
        c->order = d->order;
        c->cores = d->cores;
        order_add(d, c);
    }
    return HD_OK;
}

void peers_close(hd_device *d)
{
    put_back(d);
    for (unsigned k = 0; k < AXI_CORES - 1; k++) {
        hd_device *c = d->peer[k];
        if (c && c->model)
            model_free(c->model);
        if (c) {
            guard_free(&c->guard);
            free(c->history);
        }
        free(c);
        d->peer[k] = NULL;
    }
    cores_close(d->cores);
    free(d->order);
    d->cores = NULL;
    d->order = NULL;
}

/* Between areas of two cores, as between all areas (lockstep/settle.c). */
enum { APART = 8192 };

static bool fits(hd_device *d)
{
    const struct launch *l = &d->launch;
    const unsigned n = d->cores->n;
    const uint64_t local = (uint64_t)l->local_size * HD_LANES * d->limits.warps + APART,
                   spill = (uint64_t)l->spill_size * d->limits.warps + APART;
    if (local * n <= LAUNCH_LOCAL_MAX && LAUNCH_SPILL + spill * n <= LAUNCH_LOCAL)
        return true;
    snprintf(d->error, sizeof d->error,
             "the kernel needs %u bytes of local memory a thread: %u cores have room for %u",
             l->local_size, n, LAUNCH_LOCAL_MAX / n / d->limits.warps / HD_LANES);
    return false;
}

enum hd_status peers_prepare(hd_device *d)
{
    const struct launch *l = &d->launch;
    if (d->bus.n || d->start_again) {
        snprintf(d->error, sizeof d->error,
                 "bus errors, and a start within a grid, are for one core");
        return HD_BAD_ARGUMENT;
    }
    d->launch.cores = d->cores->n;
    if (!fits(d))
        return HD_TOO_BIG;
    /* the code may have come while this device had another core's part */
    if (!model_load(d->model, LAUNCH_CODE, d->text_size, d->image->stack_mode))
        return HD_NO_MEMORY;
    for (unsigned k = 1; k < d->cores->n; k++) {
        hd_device *c = d->peer[k - 1];
        c->cfg = d->cfg;
        c->limits = d->limits;
        c->image = d->image;
        c->kernel = d->kernel;
        c->on_commit = d->on_commit;
        c->commit_user = d->commit_user;
        c->on_progress = d->on_progress;
        c->progress_user = d->progress_user;
        c->launch = *l;
        c->launch.core = k;
        c->launch.local_base += k * (l->local_size * HD_LANES * d->limits.warps + APART);
        c->launch.spill_base += k * (l->spill_size * d->limits.warps + APART);
        c->has_fault = false;
        c->verdict = (struct verdict){ 0 };
        memset(&c->count, 0, sizeof c->count);
        if (!model_load(c->model, LAUNCH_CODE, d->text_size, d->image->stack_mode))
            return HD_NO_MEMORY;
        model_launch(c->model, &c->launch);
    }
    return HD_OK;
}

void peers_begin(hd_device *d)
{
    put_back(d);
}

void peers_make_equal(hd_device *d)
{
    static const size_t own[] = { AREA_LOCAL, AREA_SPILL };
    uint64_t addr;
    size_t bytes;
    for (unsigned k = 1; d->cores && k < d->cores->n; k++) {
        const hd_device *c = d->peer[k - 1];
        rtl_shared_write(c->rtl, model_shared(c->model));
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            if (device_area(c, own[i], &addr, &bytes))
                memcpy(c->rtl->bytes + addr, model_memory(c->model) + addr, bytes);
    }
}

/* The core that a report is about: the first with a difference, or else with a fault. */
void peers_end(hd_device *d)
{
    hd_device *shown = d;
    char why[sizeof d->verdict.why];
    for (unsigned pass = 0; pass < 2 && shown == d; pass++)
        for (unsigned k = 1; k < d->cores->n && !(pass ? d->has_fault : d->verdict.trouble); k++) {
            hd_device *c = d->peer[k - 1];
            if (shown == d && (pass ? c->has_fault : c->verdict.trouble != HD_TROUBLE_NONE))
                shown = c;
        }
    if (shown != d)
        exchange(d, shown);
    if (d->verdict.trouble) {
        snprintf(why, sizeof why, "core %u: %.180s", d->rtl->number, d->verdict.why);
        memcpy(d->verdict.why, why, sizeof why);
    }
}

void peers_clear_shared(hd_device *d)
{
    static const uint8_t zeros[RTL_SHARED];
    for (unsigned k = 1; d->cores && k < d->cores->n; k++) {
        model_clear_shared(d->peer[k - 1]->model);
        rtl_shared_write(d->peer[k - 1]->rtl, zeros);
    }
}
