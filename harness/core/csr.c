/* The launch port's registers: those of a launch, and whether each holds what is written to it.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/csr.h"
#include <stdio.h>
#include <string.h>

enum csr_access { RO, RW };
static const struct reg { const char *name; uint32_t offset; enum csr_access access; } regs[] = {
#define CSR(name, offset, access, what) { #name, offset, access },
#include "cmodel/isa/csr.def"
};
enum { NREGS = sizeof regs / sizeof regs[0], RANGE_REGS = 4 };

size_t csr_values(const struct launch *l, struct csr_value out[CSR_LAUNCH])
{
    const struct csr_value v[] = {
        { CSR_MODE, l->mode },
        { CSR_CODE_BASE, l->code_base },
        { CSR_CODE_SIZE, l->code_size },
        { CSR_ENTRY, l->entry },
        { CSR_CONST_BASE, l->const_base },
        { CSR_CONST_SIZE, l->const_size },
        { CSR_LOCAL_BASE, l->local_base },
        { CSR_LOCAL_SIZE, l->local_size },
        { CSR_SPILL_BASE, l->spill_base },
        { CSR_SPILL_SIZE, l->spill_size },
        { CSR_STACK_DEPTH, l->stack_depth },
        { CSR_GRID_X, l->grid.x },
        { CSR_GRID_Y, l->grid.y },
        { CSR_GRID_Z, l->grid.z },
        { CSR_BLOCK_X, l->block.x },
        { CSR_BLOCK_Y, l->block.y },
        { CSR_BLOCK_Z, l->block.z },
        { CSR_THREADS, l->threads },
        { CSR_WARPS_BLOCK, l->warps_block },
        { CSR_BLOCK_SLOTS, l->block_slots },
        { CSR_SHARED_SIZE, l->shared_size },
        { CSR_NRANGES, l->nranges },
        { CSR_CLOCK, (uint32_t)l->clock },
        { CSR_CLOCKH, (uint32_t)(l->clock >> 32) },
    };
    size_t n = sizeof v / sizeof v[0];
    memcpy(out, v, sizeof v);
    for (uint32_t i = 0; i < l->nranges; i++) {
        const struct launch_range *g = &l->range[i];
        const uint32_t upper = (uint32_t)(g->limit >> 32) << 16 | (uint32_t)(g->base >> 32);
        out[n++] = (struct csr_value){ CSR_RANGE0 + 16 * i, (uint32_t)g->base };
        out[n++] = (struct csr_value){ CSR_RANGE0 + 16 * i + 4, (uint32_t)g->limit };
        out[n++] = (struct csr_value){ CSR_RANGE0 + 16 * i + 8, g->writable };
        out[n++] = (struct csr_value){ CSR_RANGE0 + 16 * i + 12, upper };
    }
    return n;
}

bool csr_launch(struct rtl *r, const struct launch *l)
{
    struct csr_value v[CSR_LAUNCH];
    bool ok = true;
    for (size_t i = 0, n = csr_values(l, v); i < n && ok; i++)
        ok = rtl_write(r, v[i].offset, v[i].value);
    return ok;
}

const char *csr_name(uint32_t offset)
{
    for (size_t i = 0; i < NREGS; i++)
        if (regs[i].offset == offset)
            return regs[i].name;
    return offset > CSR_RANGE0 ? "RANGE" : "?";
}

bool csr_is(struct rtl *r, uint32_t offset, uint32_t want, char *why, size_t n)
{
    uint32_t got = 0;
    if (!rtl_read(r, offset, &got))
        return snprintf(why, n, "the launch port does not answer"), false;
    if (got != want)
        snprintf(why, n, "register %s (0x%03x) reads 0x%08x, it should be 0x%08x", csr_name(offset),
                 offset, got, want);
    return got == want;
}

bool csr_holds_launch(struct rtl *r, const struct launch *l, char *why, size_t why_size)
{
    struct csr_value v[CSR_LAUNCH];
    bool ok = true;
    for (size_t i = 0, n = csr_values(l, v); i < n && ok; i++)
        ok = csr_is(r, v[i].offset, v[i].value, why, why_size);
    return ok;
}

/* All that can be written: CTRL acts instead of keeping, and RANGE0 stands for sixteen. */
static size_t writable(struct csr_value out[NREGS + RANGE_REGS * LAUNCH_RANGES])
{
    size_t n = 0;
    for (size_t i = 0; i < NREGS; i++)
        if (regs[i].access == RW && regs[i].offset != CSR_CTRL && regs[i].offset != CSR_RANGE0)
            out[n++].offset = regs[i].offset;
    for (uint32_t i = 0; i < RANGE_REGS * LAUNCH_RANGES; i++)
        out[n++].offset = CSR_RANGE0 + 4 * i;
    return n;
}

/* Bits that a register keeps. */
static uint32_t held(uint32_t offset, uint32_t addr_bits)
{
    const uint32_t upper = ((uint32_t)1 << (addr_bits - 32)) - 1;
    if (offset < CSR_RANGE0)
        return UINT32_MAX;
    return offset % 16 == 8 ? 1 : offset % 16 == 12 ? upper << 16 | upper : UINT32_MAX;
}

/* Written all first, then read: a register that shares bits with another shows. */
bool csr_try(struct rtl *r, char *why, size_t why_size)
{
    struct csr_value v[NREGS + RANGE_REGS * LAUNCH_RANGES];
    size_t n = writable(v);
    uint32_t fixed[NREGS], addr_bits = 0, toggle = 0;
    for (size_t i = 0; i < NREGS; i++)
        if (regs[i].access == RO && !rtl_read(r, regs[i].offset, &fixed[i]))
            return snprintf(why, why_size, "the launch port does not answer"), false;
    if (!rtl_read(r, CSR_CFG_ADDR, &addr_bits) || addr_bits < 32 || addr_bits > HD_ADDR_BITS)
        return snprintf(why, why_size, "register CFG_ADDR reads %u", addr_bits), false;
    for (int round = 0; round < 2; round++, toggle = ~toggle) {
        for (size_t i = 0; i < n; i++) {
            const uint32_t bits = held(v[i].offset, addr_bits);
            v[i].value = ((v[i].offset * 0x9e3779b1u) ^ toggle) & bits;
            if (!rtl_write(r, v[i].offset, v[i].value | ~bits))
                return snprintf(why, why_size, "the launch port does not answer"), false;
        }
        for (size_t i = 0; i < NREGS; i++)
            if (regs[i].access == RO && !rtl_write(r, regs[i].offset, ~fixed[i]))
                return snprintf(why, why_size, "the launch port does not answer"), false;
        for (size_t i = 0; i < n; i++)
            if (!csr_is(r, v[i].offset, v[i].value, why, why_size))
                return false;
        for (size_t i = 0; i < NREGS; i++)
            if (regs[i].access == RO && !csr_is(r, regs[i].offset, fixed[i], why, why_size))
                return false;
    }
    return true;
}
