/* The end of a launch in lockstep, however it ended: what was begun is followed until the core is
 * quiet, then memories and registers are compared, and the core has to stay quiet.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A grid that is stopped (limit, Ctrl-C, a callback, a deadlock) commits until CTRL says stop, so
 * those commits are followed like all others.  Then instructions in the LSU have written memory
 * and do not retire, also after a bus error: the bytes that they wrote are known (guard.c, and the
 * LSU's addresses for shared memory, which one may have written) and left out; everything else
 * must be equal. */
#include "cmodel/base/sparse.h"
#include "harness/core/csr.h"
#include "harness/lockstep/deadlock.h"
#include "harness/lockstep/lockstep.h"
#include <inttypes.h>
#include <string.h>

enum {
    SILENCE = 64,                /* cycles for which a core that is done is looked at */
    SILENCE_BROKEN = 256,        /* the same after a fault or a stop */
    FAULT_TO_IDLE = 2            /* cycles that count on after the fault's */
};

/* ---- until it is quiet ---- */

/* Nothing may happen any more. */
bool lockstep_silent(hd_device *d, const char *since)
{
    struct rtl *r = d->rtl;
    if (!lockstep_known(d))
        return false;
    if (rtl_retires(r))
        lockstep_trouble(d, HD_TROUBLE_END, "an instruction retires after %s", since);
    else if (*r->p.place_valid)
        lockstep_trouble(d, HD_TROUBLE_END, "a block starts after %s", since);
    else if (*axi_error(r->mem))
        lockstep_trouble(d, HD_TROUBLE_PROTOCOL, "%s", axi_error(r->mem));
    else if (d->guard.error[0])
        lockstep_trouble(d, HD_TROUBLE_STRAY, "%s", d->guard.error);
    return !d->verdict.trouble;
}

static bool quiet_down(hd_device *d, bool stop)
{
    struct rtl *r = d->rtl;
    for (bool told = !stop; ; rtl_step(r)) {
        if (stop && !d->has_fault ? !lockstep_follow(d) : !lockstep_silent(d, "the fault"))
            return false;
        const bool done = told ? rtl_drained(r) : rtl_ended(r);
        if (told && done)
            return true;
        if (!told)
            told = rtl_offer(r, 2);
        if (r->cycle - d->settling > QUIET_BUSY) {
            lockstep_trouble(d, HD_TROUBLE_HANG, "the core stays busy after %s",
                             stop ? "it was stopped" : "the fault");
            return false;
        }
    }
}

/* ---- memory ---- */

static void differs(hd_device *d, const char *what, uint64_t addr, uint8_t rtl, uint8_t model)
{
    lockstep_trouble(d, HD_TROUBLE_MEMORY, "%s", what);
    d->verdict.addr = addr;
    d->verdict.rtl_byte = rtl;
    d->verdict.model_byte = model;
}

static void compare_bytes(hd_device *d, const char *what, uint64_t addr, size_t bytes)
{
    const uint8_t *r = d->rtl->bytes + addr, *m = model_memory(d->model) + addr;
    if (d->verdict.trouble)
        return;
    for (size_t i = sparse_differs(r, m, bytes); i < bytes; i++)
        if (r[i] != m[i] && !guard_is_open(&d->guard, addr + i)) {
            differs(d, what, addr + i, r[i], m[i]);
            return;
        }
}

/* Areas lie far apart or have gaps of at least LOCKSTEP_ZONE between them. */
void lockstep_compare_areas(hd_device *d)
{
    uint64_t addr;
    size_t bytes;
    for (size_t i = 0; device_area(d, i, &addr, &bytes); i++) {
        compare_bytes(d, "final memory differs", addr, bytes);
        compare_bytes(d, "memory beside an area differs", addr - LOCKSTEP_ZONE, LOCKSTEP_ZONE);
        compare_bytes(d, "memory beside an area differs", addr + bytes, LOCKSTEP_ZONE);
        d->count.memory_compared += bytes;
    }
}

bool lockstep_pending(const struct rtl_pending p[RTL_SLOTS], uint32_t addr)
{
    for (unsigned k = 0; k < RTL_SLOTS; k++)
        for (unsigned l = 0; l < HD_LANES; l++)
            if ((p[k].lanes >> l & 1) && addr - p[k].addr[l] < p[k].bytes)
                return true;
    return false;
}

static void compare_shared(hd_device *d)
{
    static _Thread_local uint8_t rtl[RTL_SHARED];
    const uint8_t *m = model_shared(d->model);
    const uint32_t bytes = rtl_shared_bytes(d->rtl);
    struct rtl_pending p[RTL_SLOTS];
    if (d->verdict.trouble)
        return;
    d->rtl->calls->pending(d->rtl->core, p);
    rtl_shared_read(d->rtl, rtl);
    for (unsigned k = 0; k < RTL_SLOTS; k++)
        if (p[k].lanes)
            d->count.memory_left_out += (uint64_t)__builtin_popcount(p[k].lanes) * p[k].bytes;
    if (!memcmp(rtl, m, bytes))
        return;
    for (uint32_t i = 0; i < bytes; i++)
        if (rtl[i] != m[i] && !lockstep_pending(p, i)) {
            differs(d, "shared memory differs", i, rtl[i], m[i]);
            return;
        }
}

static void compare_memory(hd_device *d, enum hd_status s)
{
    d->count.memory_left_out = guard_open(&d->guard);
    if (d->has_fault && d->fault.fault != HD_FAULT_BUS && d->count.memory_left_out)
        lockstep_trouble(d, HD_TROUBLE_STRAY,
                         "0x%08" PRIx64 " was written by an instruction that a fault kept from "
                         "retiring", d->guard.written[0].addr);
    if (s == HD_OK && d->count.memory_left_out)
        lockstep_trouble(d, HD_TROUBLE_STRAY,
                         "0x%08" PRIx64 " was written by no instruction that retired",
                         d->guard.written[0].addr);
    if (!guard_spills_done(&d->guard))
        lockstep_trouble(d, HD_TROUBLE_STRAY, "%s", d->guard.error);
    lockstep_compare_areas(d);
    compare_shared(d);
}

/* ---- registers ---- */

static void expect(hd_device *d, uint32_t offset, uint32_t want)
{
    char why[160];
    if (!d->verdict.trouble && !csr_is(d->rtl, offset, want, why, sizeof why))
        lockstep_trouble(d, HD_TROUBLE_STATUS, "after the end, %s", why);
}

/* Cycles count from the start of the grid; the last commit's are known, and when it was found
 * quiet.  A stop may arrive in the cycle in which a fault retires: then they count for one cycle
 * less. */
static void compare_cycles(hd_device *d, enum hd_status s)
{
    uint32_t low = 0, high = 0;
    const struct history *h = d->history;
    uint64_t last = h->n ? h->rec[(h->n - 1) % HISTORY].cycle : 0;
    if (d->verdict.trouble || !rtl_read(d->rtl, CSR_CYCLES, &low) ||
        !rtl_read(d->rtl, CSR_CYCLESH, &high))
        return;
    uint64_t cycles = ((uint64_t)high << 32 | low) - d->launch.clock,
             most = d->rtl->cycle - d->rtl->start;
    bool with_stop = s != HD_FAULT && cycles == last + FAULT_TO_IDLE - 1;
    if (d->has_fault && cycles != last + FAULT_TO_IDLE && !with_stop)
        lockstep_trouble(d, HD_TROUBLE_STATUS,
                         "register CYCLES reads %llu, the fault was in cycle %llu",
                         (unsigned long long)cycles, (unsigned long long)last);
    else if (cycles <= last || cycles > most)
        lockstep_trouble(d, HD_TROUBLE_STATUS,
                         "register CYCLES reads %llu, the last instruction retired in "
                         "cycle %llu, %llu cycles after the start the core was quiet",
                         (unsigned long long)cycles, (unsigned long long)last,
                         (unsigned long long)most);
}

static void compare_registers(hd_device *d, enum hd_status s)
{
    static const struct hd_commit none;
    const struct hd_commit *f = d->has_fault ? &d->fault : &none;
    uint32_t status = 0;
    expect(d, CSR_FAULT, f->fault);
    expect(d, CSR_FAULT_PC, f->pc);
    expect(d, CSR_FAULT_BLOCK, f->block);
    expect(d, CSR_FAULT_WARP, f->warp);
    expect(d, CSR_FAULT_LANES, f->fault_m);
    expect(d, CSR_FAULT_ADDR, (uint32_t)f->fault_addr);
    expect(d, CSR_FAULT_ADDRH, (uint32_t)(f->fault_addr >> 32));
    expect(d, CSR_COMMITS, (uint32_t)d->history->n);
    expect(d, CSR_COMMITSH, (uint32_t)(d->history->n >> 32));
    compare_cycles(d, s);
    /* A grid that is stopped may end in the same cycles. */
    if (!d->verdict.trouble && rtl_read(d->rtl, CSR_STATUS, &status)) {
        uint32_t ended = s == HD_OK ? 2 : model_ended(d->model) ? status & 2 : 0;
        expect(d, CSR_STATUS, ended | (d->has_fault ? 4u : 0));
    }
}

void lockstep_compare(hd_device *d, enum hd_status s)
{
    char why[160];
    compare_memory(d, s);
    compare_registers(d, s);
    if (!d->verdict.trouble && !csr_holds_launch(d->rtl, &d->launch, why, sizeof why))
        lockstep_trouble(d, HD_TROUBLE_STATUS, "after the end, %s", why);
}

void lockstep_settle(hd_device *d, enum hd_status s)
{
    struct rtl *r = d->rtl;
    bool broken = s != HD_OK;
    d->settling = r->cycle;
    rtl_step(r);                                     /* the run has looked at this cycle */
    if (broken && !quiet_down(d, s != HD_FAULT))
        return;
    if (!axi_idle(r->mem))
        lockstep_trouble(d, HD_TROUBLE_END,
                         "the core says that it is done, but memory is still at work for it");
    uint64_t transactions = rtl_transactions(r),
             until = r->cycle + (broken ? SILENCE_BROKEN : SILENCE);
    lockstep_compare(d, s);
    for (; !d->verdict.trouble && r->cycle < until; rtl_step(r))
        lockstep_silent(d, "the end");
    if (rtl_transactions(r) != transactions || !axi_idle(r->mem))
        lockstep_trouble(d, HD_TROUBLE_END, "the core goes on asking memory after the end");
    if (!d->verdict.trouble)
        expect(d, CSR_COMMITS, (uint32_t)d->history->n);
}

/* In a grid in which no lane can run, nothing is outstanding either. */
void lockstep_prove_deadlock(hd_device *d)
{
    char why[160];
    if (d->count.memory_left_out && !fast_spins(d->model))
        lockstep_trouble(d, HD_TROUBLE_DEADLOCK,
                         "no warp can run, but an instruction has written memory and does "
                         "not retire");
    else if (!d->verdict.trouble && !deadlock_holds(d, why, sizeof why))
        lockstep_trouble(d, HD_TROUBLE_DEADLOCK, "a deadlock on both sides that is none: %s", why);
}
