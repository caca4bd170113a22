/* Device memory and registers of a board against the model's: see settle.h.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Memory is compared by checksums; where one differs, halves are, down to the byte. */
#include "harness/board/settle.h"
#include "harness/core/csr.h"
#include "harness/lockstep/lockstep.h"
#include <string.h>
#include <zlib.h>

/* Bytes before and after an area that must be as they were; that are summed at a time. */
enum { ZONE = 8 * BOARD_SECTOR, PIECE = 1 << 20 };

/* Whole sectors that hold [*addr, *addr + *n), and a zone on each side. */
static void widen(uint64_t *addr, size_t *n)
{
    const uint64_t end = (*addr + *n + BOARD_SECTOR - 1) / BOARD_SECTOR * BOARD_SECTOR + ZONE;
    *addr = *addr / BOARD_SECTOR * BOARD_SECTOR - ZONE;
    *n = (size_t)(end - *addr);
}

/* Area i, of local memory and spills what the warps of this grid have.  False: no more. */
static bool area(const hd_device *d, size_t i, uint64_t *addr, size_t *n)
{
    const struct launch *l = &d->launch;
    const size_t warps = (size_t)l->block_slots * l->warps_block;
    if (!device_area(d, i, addr, n))
        return false;
    if (i == AREA_LOCAL && *n)
        *n = l->local_size * HD_LANES * warps;
    else if (i == AREA_SPILL && *n)
        *n = l->spill_size * warps;
    return true;
}

bool settle_load(hd_device *d, struct board *b)
{
    uint64_t addr;
    size_t n;
    bool ok = true;
    for (size_t i = 0; ok && area(d, i, &addr, &n); i++)
        if (n) {
            widen(&addr, &n);
            ok = board_load(b, addr, model_memory(d->model) + addr, n);
        }
    return ok && board_settle(b);
}

/* Somewhere in these sectors memory differs. */
static bool find(struct follow *f, uint64_t addr, size_t n)
{
    hd_device *d = f->d;
    const uint8_t *m = model_memory(d->model);
    uint8_t rtl[BOARD_SECTOR];
    while (n > BOARD_SECTOR) {
        const size_t half = n / BOARD_SECTOR / 2 * BOARD_SECTOR;
        uint32_t crc;
        if (!board_sum(f->b, addr, half, &crc))
            return false;
        const bool here = crc != (uint32_t)crc32(0, m + addr, (uInt)half);
        addr += here ? 0 : half;
        n = here ? half : n - half;
    }
    if (!board_read(f->b, addr, rtl))
        return false;
    for (unsigned i = 0; i < BOARD_SECTOR && !d->verdict.trouble; i++)
        if (rtl[i] != m[addr + i]) {
            lockstep_trouble(d, HD_TROUBLE_MEMORY, "final memory differs");
            d->verdict.addr = addr + i;
            d->verdict.rtl_byte = rtl[i];
            d->verdict.model_byte = m[addr + i];
        }
    if (!d->verdict.trouble)
        snprintf(f->b->f.error, sizeof f->b->f.error,
                 "checksums of memory differ, memory does not");
    return d->verdict.trouble;
}

static bool compare_memory(struct follow *f)
{
    hd_device *d = f->d;
    uint64_t addr;
    size_t n;
    for (size_t i = 0; area(d, i, &addr, &n); i++) {
        if (!n)
            continue;
        d->count.memory_compared += n;
        widen(&addr, &n);
        for (size_t at = 0; at < n && !d->verdict.trouble; at += PIECE) {
            const size_t k = n - at < PIECE ? n - at : PIECE;
            uint32_t crc;
            if (!board_sum(f->b, addr + at, k, &crc))
                return false;
            if (crc != (uint32_t)crc32(0, model_memory(d->model) + addr + at, (uInt)k) &&
                !find(f, addr + at, k))
                return false;
        }
    }
    return true;
}

/* A register must read so. */
static bool expect(struct follow *f, uint32_t offset, uint32_t want)
{
    uint32_t got;
    if (f->d->verdict.trouble)
        return true;
    if (!board_get(f->b, offset, &got))
        return false;
    if (got != want)
        lockstep_trouble(f->d, HD_TROUBLE_STATUS,
                         "register %s (0x%03x) reads 0x%08x, it should be 0x%08x",
                         csr_name(offset), offset, got, want);
    return true;
}

static bool compare_registers(struct follow *f, enum hd_status s)
{
    static const struct hd_commit none;
    const hd_device *d = f->d;
    const struct hd_commit *c = d->has_fault ? &d->fault : &none;
    const struct csr_value end[] = {
        { CSR_FAULT, c->fault }, { CSR_FAULT_PC, c->pc }, { CSR_FAULT_BLOCK, c->block },
        { CSR_FAULT_WARP, c->warp }, { CSR_FAULT_LANES, c->fault_m },
        { CSR_FAULT_ADDR, (uint32_t)c->fault_addr },
        { CSR_FAULT_ADDRH, (uint32_t)(c->fault_addr >> 32) },
        { CSR_COMMITS, (uint32_t)f->commits }, { CSR_COMMITSH, (uint32_t)(f->commits >> 32) },
        { CSR_STATUS, d->has_fault ? 4 : 2 } };
    struct csr_value launch[CSR_LAUNCH];
    size_t n = sizeof end / sizeof *end - (s != HD_OK && !d->has_fault);
    for (size_t i = 0; i < n; i++)
        if (!expect(f, end[i].offset, end[i].value))
            return false;
    n = csr_values(&d->launch, launch);
    for (size_t i = 0; i < n; i++)
        if (!expect(f, launch[i].offset, launch[i].value))
            return false;
    return true;
}

bool settle_end(struct follow *f, enum hd_status *s)
{
    hd_device *d = f->d;
    bool stopped = *s == HD_LIMIT || *s == HD_STOPPED ||
                   (*s == HD_DEADLOCK && fast_spins(d->model));
    if (*s == HD_OK && !d->has_fault && !model_ended(d->model))
        lockstep_trouble(d, HD_TROUBLE_END,
                         "the RTL says that the grid has ended, but the model's has not");
    if (clock_left(&f->clocks) && *s == HD_OK && !d->has_fault)
        lockstep_trouble(d, HD_TROUBLE_CLOCK, "instructions read the clock that never retired");
    /* What was stopped has instructions on their way to memory, as has a bus error. */
    if (d->verdict.trouble || stopped || (d->has_fault && d->fault.fault == HD_FAULT_BUS))
        return true;
    return compare_registers(f, *s) && compare_memory(f);
}
