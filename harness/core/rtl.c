/* Drives the Verilated core: reset, AXI4-Lite launch port, clock, memory, waveform window.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A cycle is two evaluations: clk rises, the memory drives its answers, clk falls and all wires
 * settle.  The probe is looked at between cycles, with clk low, as rtl/README.md asks. */
#include "cmodel/base/reserve.h"
#include "harness/core/cores.h"
#include "harness/core/csr.h"
#include "harness/core/library.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PORT_PATIENCE = 1000, STOP_PATIENCE = 100000, POLL_EVERY = 64, STATUS_BUSY = 1 };
#define SPACE_BYTES ((size_t)HD_MEMORY)

/* ---- waveform ---- */

static bool copy_to(const char *path, int from)
{
    char part[65536];
    int to = open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
    ssize_t n = 1, done = 1;
    if (to < 0)
        return false;
    for (off_t at = 0; done > 0 && (n = pread(from, part, sizeof part, at)) > 0; at += done)
        done = write(to, part, (size_t)n);
    int why = errno;
    bool ok = n == 0 && close(to) == 0;
    errno = n ? why : errno;
    return ok;
}

/* The grid's cycle that the wires show between two steps. */
uint64_t rtl_grid_cycle(const struct rtl *r) { return r->cycle - r->start - RTL_START_CYCLES; }

static bool open_wave(struct rtl *r)
{
    if (!(r->wave_rows ? fst_open(&r->wave_out) : r->calls->trace_open(r->core, &r->wave_out)))
        return false;
    if (r->beside_begin)
        r->beside_begin(r->beside_user, r);
    return true;
}

static void write_beside(struct rtl *r)
{
    if (r->wave_due && r->beside_cycle)
        r->beside_cycle(r->beside_user, r, rtl_grid_cycle(r));
    r->wave_due = false;
}

static void end_wave(struct rtl *r)
{
    if (r->wave_state != WAVE_ON)
        return;
    write_beside(r);
    int fd = r->wave_rows ? fst_close(&r->wave_out) : r->calls->trace_close(r->core);
    r->wave_state = fd >= 0 && copy_to(r->wave, fd) ? WAVE_WRITTEN : WAVE_FAILED;
    r->wave_why = errno;
    if (fd >= 0)
        close(fd);
}

bool rtl_trace_end(struct rtl *r, char *why, size_t why_size)
{
    end_wave(r);
    if (r->wave_state == WAVE_AHEAD)
        snprintf(why, why_size, "the grid had ended before cycle %llu",
                 (unsigned long long)r->wave_from);
    else if (r->wave_state == WAVE_FAILED)
        snprintf(why, why_size, "cannot be written: %s", strerror(r->wave_why));
    return r->wave_state == WAVE_WRITTEN;
}

/* After a step: all wires have settled. */
static void trace(struct rtl *r)
{
    if (r->cycle - r->start < RTL_START_CYCLES)
        return;
    uint64_t at = rtl_grid_cycle(r);
    if (r->wave_state == WAVE_AHEAD && at >= r->wave_from && at < r->wave_to) {
        r->wave_state = open_wave(r) ? WAVE_ON : WAVE_FAILED;
        r->wave_why = errno;
    }
    if (at >= r->wave_to)
        end_wave(r);
    r->wave_due = r->wave_state == WAVE_ON;
    if (r->wave_due)
        r->wave_last = at;
    if (r->wave_due && !r->wave_rows)
        r->calls->trace_dump(r->core, at);
}

/* The cycles before a grid's start belong to no grid: they have no time in its waveform. */
static void leave_grid(struct rtl *r)
{
    end_wave(r);
    r->running = false;
}

/* Nothing is offered or taken, and the memory is not asked, before the reset is over: until then
 * what the core drives means nothing. */
void rtl_begin(struct rtl *r)
{
    struct rtl_ports *p = &r->p;
    leave_grid(r);
    r->port = PORT_IDLE;
    r->polling = false;
    *p->core = (uint8_t)r->number;
    *p->cores = 1;
    *p->give = *p->lock = 1;
    *p->skip = *p->stop = 0;
    *p->awvalid = *p->wvalid = *p->arvalid = *p->bready = *p->rready = 0;
    *p->mem.rvalid = *p->mem.bvalid = *p->mem.arready = *p->mem.awready = *p->mem.wready = 0;
    *p->clk = *p->rst_n = 0;
}

static void pulse_reset(struct rtl *r)
{
    struct rtl_ports *p = &r->p;
    rtl_begin(r);
    r->calls->eval(r->core);
    for (int i = 0; i < 8; i++, r->cycle++) {
        *p->clk = 1;
        r->calls->eval(r->core);
        *p->clk = 0;
        r->calls->eval(r->core);
    }
    *p->rst_n = 1;
    r->calls->eval(r->core);
    rtl_step(r);
}

struct rtl *rtl_open(unsigned lanes, const char *core, uint64_t mem_seed, enum rtl_kind kind,
                     uint32_t x_seed, char *why, size_t why_size)
{
    struct rtl *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->lib = rtl_library(lanes, core, kind, why, why_size);
    r->calls = r->lib ? rtl_library_calls(r->lib) : NULL;
    r->bytes = r->calls ? reserve(SPACE_BYTES) : NULL;
    r->p.x_seed = x_seed;
    if (!r->bytes) {
        if (r->lib)
            snprintf(why, why_size, "no memory, or the core's library is not ours");
        rtl_close(r);
        return NULL;
    }
    r->core = r->calls->new_core(&r->p);
    r->mem = &r->own;
    if (!r->core || !axi_open(r->mem, &r->p.mem, r->bytes, mem_seed, 1)) {
        snprintf(why, why_size, "no memory for the core");
        rtl_close(r);
        return NULL;
    }
    pulse_reset(r);
    return r;
}

struct rtl *rtl_open_beside(struct rtl *first, unsigned n, char *why, size_t why_size)
{
    struct rtl *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->bytes = first->bytes;
    r->number = n;
    r->p.x_seed = first->p.x_seed ? first->p.x_seed + n : 0;
    r->lib = first->lib;
    r->calls = first->calls;
    if (!(r->core = r->calls->new_core(&r->p))) {
        snprintf(why, why_size, "no memory for core %u", n);
        rtl_close(r);
        return NULL;
    }
    return r;
}

const char *rtl_unknown(const struct rtl *r)
{
    return r->p.unknown && r->p.unknown[0] ? r->p.unknown : NULL;
}

bool rtl_reset(struct rtl *r, uint64_t mem_seed)
{
    if (r->cores)
        return cores_reset(r->cores, mem_seed);
    bool ok = axi_reset(r->mem, mem_seed);
    if (ok)
        pulse_reset(r);
    return ok;
}

bool rtl_renew(struct rtl *r)
{
    leave_grid(r);
    r->calls->free_core(r->core);
    r->cycle = r->start = 0;
    r->core = r->calls->new_core(&r->p);
    return r->core;
}

bool rtl_restart(struct rtl *r, uint64_t mem_seed)
{
    if (r->cores)
        return cores_restart(r->cores, mem_seed);
    axi_close(r->mem);
    if (!rtl_renew(r) || !axi_open(r->mem, &r->p.mem, r->bytes, mem_seed, 1))
        return false;
    pulse_reset(r);
    return true;
}

void rtl_close(struct rtl *r)
{
    if (!r)
        return;
    if (r->core) {
        leave_grid(r);
        r->calls->free_core(r->core);
    }
    if (!r->number) {                                /* the others have the first one's */
        axi_close(&r->own);
        reserve_end(r->bytes, SPACE_BYTES);
        if (r->lib)
            rtl_library_close(r->lib);
    }
    free(r);
}

void rtl_before(struct rtl *r)
{
    const struct rtl_ports *p = &r->p;
    if (r->wave_due)
        write_beside(r);
    if (r->port == PORT_IDLE)
        return;
    r->took.aw = *p->awvalid && *p->awready;
    r->took.w = *p->wvalid && *p->wready;
    r->took.b = *p->bvalid && *p->bready;
    r->took.ar = *p->arvalid && *p->arready;
    r->took.r = *p->rvalid && *p->rready;
    if (r->took.r)
        r->port_data = *p->rdata;
}

void rtl_rise(struct rtl *r)
{
    *r->p.clk = 1;
    r->calls->eval(r->core);
}

void rtl_after(struct rtl *r)
{
    struct rtl_ports *p = &r->p;
    if (r->port != PORT_IDLE) {
        if (r->took.aw)
            *p->awvalid = 0;
        if (r->took.w)
            *p->wvalid = 0;
        if (r->took.ar)
            *p->arvalid = 0;
        if (r->took.b || r->took.r)
            *p->bready = *p->rready = 0, r->port = PORT_IDLE;
    }
    if (r->meddle)
        r->meddle(r->meddle_user, r);
}

void rtl_fall(struct rtl *r)
{
    *r->p.clk = 0;
    r->calls->eval(r->core);
}

void rtl_end(struct rtl *r)
{
    r->cycle++;
    if (r->wave && r->running)
        trace(r);
}

void rtl_step(struct rtl *r)
{
    if (r->cores) {
        cores_step(r->cores);
        return;
    }
    rtl_before(r);
    axi_sample(r->mem);
    rtl_rise(r);
    axi_drive(r->mem);
    rtl_after(r);
    rtl_fall(r);
    rtl_end(r);
}

/* ---- AXI4-Lite: one access at a time, which rtl_step carries on ---- */

static void offer_write(struct rtl *r, uint32_t offset, uint32_t value)
{
    struct rtl_ports *p = &r->p;
    *p->awaddr = (uint16_t)offset;
    *p->wdata = value;
    *p->wstrb = 15;
    *p->awvalid = *p->wvalid = *p->bready = 1;
    r->port = PORT_WRITE;
    r->calls->eval(r->core);
}

static void offer_read(struct rtl *r, uint32_t offset)
{
    *r->p.araddr = (uint16_t)offset;
    *r->p.arvalid = *r->p.rready = 1;
    r->port = PORT_READ;
    r->calls->eval(r->core);
}

static bool port_settle(struct rtl *r)
{
    for (int i = 0; i < PORT_PATIENCE && r->port != PORT_IDLE; i++)
        rtl_step(r);
    r->polling = false;
    return r->port == PORT_IDLE;
}

bool rtl_write(struct rtl *r, uint32_t offset, uint32_t value)
{
    if (!port_settle(r))
        return false;
    offer_write(r, offset, value);
    return port_settle(r);
}

bool rtl_read(struct rtl *r, uint32_t offset, uint32_t *value)
{
    if (!port_settle(r))
        return false;
    offer_read(r, offset);
    bool ok = port_settle(r);
    *value = r->port_data;
    return ok;
}

static bool poll(struct rtl *r, bool now)
{
    if (r->port != PORT_IDLE)
        return false;
    if (r->polling) {
        r->polling = false;
        return !(r->port_data & STATUS_BUSY);
    }
    if (now) {
        offer_read(r, CSR_STATUS);
        r->polling = true;
    }
    return false;
}

bool rtl_ended(struct rtl *r)
{
    return poll(r, (r->cycle - r->start) % POLL_EVERY == POLL_EVERY - 1);
}

bool rtl_drained(struct rtl *r) { return poll(r, true); }

bool rtl_set(struct rtl *r, const struct launch *l)
{
    leave_grid(r);
    return csr_launch(r, l) && port_settle(r);
}

bool rtl_start(struct rtl *r, const struct launch *l)
{
    leave_grid(r);
    bool ok = csr_launch(r, l);
    if (ok)
        rtl_go(r, l);
    return ok;
}

/* Carried on by the caller's rtl_step: it must not miss the first block's placement. */
void rtl_go(struct rtl *r, const struct launch *l)
{
    offer_write(r, CSR_CTRL, 1);
    r->start = r->cycle;
    r->running = true;
    r->clock = l->clock;
    r->transactions = r->mem->reads + r->mem->writes;
}

bool rtl_retires(const struct rtl *r)
{
    bool any = false;
    for (unsigned port = 0; port < RTL_RETIRES; port++)
        any |= r->p.commits[port];
    return any;
}

void rtl_record(struct rtl *r, unsigned port, struct hd_commit *c)
{
    r->calls->commit(r->core, port, c);
    c->cycle -= r->clock;
}

bool rtl_why(struct rtl *r, struct hd_issue *out)
{
    if (r->calls->issue)
        r->calls->issue(r->core, out);
    out->cycle = rtl_grid_cycle(r);
    return r->calls->issue;
}

uint64_t rtl_transactions(const struct rtl *r)
{
    return r->mem->reads + r->mem->writes - r->transactions;
}

bool rtl_offer(struct rtl *r, uint32_t ctrl)
{
    if (r->port != PORT_IDLE || r->polling)
        return false;
    offer_write(r, CSR_CTRL, ctrl);
    return true;
}

bool rtl_stop(struct rtl *r)
{
    bool told = rtl_write(r, CSR_CTRL, 2);
    for (int i = 0; told && i < STOP_PATIENCE; i++) {
        if (rtl_drained(r))
            return true;
        rtl_step(r);
    }
    return false;
}

/* ---- what lies in the core ---- */

uint32_t rtl_shared_bytes(const struct rtl *r) { return r->calls->shared_size(); }

void rtl_shared_read(struct rtl *r, uint8_t *out)
{
    uint32_t *bank[RTL_BANKS];
    unsigned n = r->calls->shared(r->core, bank);
    for (unsigned i = 0; i < rtl_shared_bytes(r) / 4; i++)
        memcpy(out + 4 * i, &bank[i % n][i / n], 4);
}

void rtl_shared_write(struct rtl *r, const uint8_t *in)
{
    uint32_t *bank[RTL_BANKS];
    unsigned n = r->calls->shared(r->core, bank);
    for (unsigned i = 0; i < rtl_shared_bytes(r) / 4; i++)
        memcpy(&bank[i % n][i / n], in + 4 * i, 4);
}
