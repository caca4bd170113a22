/* Reference for the LSU test: see lsu_ref.h.  Slow and plain on purpose.
 * SPDX-License-Identifier: Apache-2.0 */
#include "lsu_ref.h"
#include <string.h>

unsigned ref_size(const struct ref_op *op)
{
    static const unsigned bytes[] = { 1, 1, 2, 2, 4, 8, 16 };
    return op->kind == REF_ATOM ? (op->aw ? 8 : 4) : bytes[op->sz];
}

static uint64_t full_address(const struct ref_op *op, unsigned l)
{
    if (op->space == SPACE_GLOBAL || op->space == SPACE_GENERIC)
        return op->a[l] + (uint64_t)(int64_t)op->off;
    return (uint32_t)((uint32_t)op->a[l] + (uint32_t)op->off);
}

static unsigned space_of(const struct ref_op *op, unsigned l)
{
    uint64_t up = full_address(op, l) >> 32;
    if (op->space != SPACE_GENERIC)
        return op->space;
    return up == 1 ? SPACE_SHARED : up == 2 ? SPACE_LOCAL : up < 256 ? SPACE_GLOBAL : SPACE_GENERIC;
}

static bool covered(const struct ref_config *k, uint64_t addr, unsigned size, bool write)
{
    for (unsigned r = 0; r < k->nranges; r++)
        if (addr >= k->base[r] && addr + size <= k->limit[r] && (!write || k->write[r]))
            return true;
    return false;
}

static unsigned lane_fault(const struct ref_config *k, const struct ref_op *op, unsigned l)
{
    uint64_t full = full_address(op, l), low = (uint32_t)full;
    unsigned size = ref_size(op), space = space_of(op, l);
    if (full % size)
        return HD_FAULT_MISALIGNED;
    if (space == SPACE_GENERIC || (space == SPACE_LOCAL && op->kind == REF_ATOM))
        return HD_FAULT_SPACE;
    if (space == SPACE_GLOBAL) {
        if (!covered(k, full, size, false))
            return HD_FAULT_RANGE;
        return op->kind == REF_LOAD || covered(k, full, size, true) ? HD_FAULT_NONE
                                                                    : HD_FAULT_READONLY;
    }
    uint64_t end = space == SPACE_SHARED  ? k->shared_size
                   : space == SPACE_LOCAL ? k->local_size
                                          : k->const_size;
    return low + size <= end ? HD_FAULT_NONE : HD_FAULT_RANGE;
}

static uint64_t physical(const struct ref_config *k, const struct ref_op *op, unsigned l,
                         unsigned i)
{
    uint64_t full = full_address(op, l) + i;
    uint32_t a = (uint32_t)full;
    switch (space_of(op, l)) {
    case SPACE_LOCAL:
        return k->local_base + op->warp * 32 * k->local_size + a / 4 * 128 + l * 4 + a % 4;
    case SPACE_CONST:
        return a + k->const_base;
    }
    return full;
}

/* Does the bus answer this byte of the lane's access with an error? */
static bool errs(const struct ref_config *k, const struct ref_op *op, unsigned l, unsigned i)
{
    uint64_t sector = physical(k, op, l, i) / 32;
    unsigned ways = op->kind == REF_LOAD    ? REF_READ
                    : op->kind == REF_STORE ? REF_WRITE
                                            : REF_READ | REF_WRITE;
    for (unsigned n = 0; n < REF_AREAS && space_of(op, l) != SPACE_SHARED; n++)
        if (k->bad[n].ways & ways && sector >= k->bad[n].first && sector <= k->bad[n].last)
            return true;
    return false;
}

static uint8_t *byte_at(const struct ref_config *k, const struct ref_op *op, unsigned l, unsigned i,
                        uint8_t *mem, uint8_t *shared)
{
    uint32_t a = (uint32_t)full_address(op, l) + i;
    switch (space_of(op, l)) {
    case SPACE_SHARED:
        return shared + op->block * k->shared_size + a;
    }
    return mem + physical(k, op, l, i) % REF_MEMORY;
}

static uint64_t modify(unsigned aop, bool wide, uint64_t old, uint64_t b, uint64_t c)
{
    bool below = wide ? (int64_t)old < (int64_t)b : (int32_t)old < (int32_t)b;
    switch (aop) {
    case 0: return wide ? old + b : (uint32_t)(old + b);
    case 1: return old < b ? old : b;
    case 2: return old < b ? b : old;
    case 3: return below ? old : b;
    case 4: return below ? b : old;
    case 5: return old & b;
    case 6: return old | b;
    case 7: return old ^ b;
    case 8: return b;
    case 9: return old >= b ? 0 : old + 1;
    case 10: return old == 0 || old > b ? b : old - 1;
    default: return old == b ? c : old;
    }
}

static void act(const struct ref_config *k, const struct ref_op *op, unsigned l, uint8_t *mem,
                uint8_t *shared, struct ref_result *out)
{
    unsigned size = ref_size(op);
    uint8_t data[16] = { 0 };
    for (unsigned i = 0; i < size; i++)
        data[i] = *byte_at(k, op, l, i, mem, shared);
    if (op->kind == REF_STORE) {
        uint64_t words[2] = { op->b[0][l], op->b[1][l] };
        memcpy(data, words, size);
        for (unsigned i = 0; i < size; i++) {
            if (!errs(k, op, l, i))
                *byte_at(k, op, l, i, mem, shared) = data[i];
            out->wdata[i / 4][l] |= (uint32_t)data[i] << i % 4 * 8;
        }
        return;
    }
    for (unsigned w = 0; w < 4; w++)
        memcpy(&out->val[w][l], data + 4 * w, 4);
    if (op->kind == REF_LOAD && op->sz == SZ_S8)
        out->val[0][l] = (uint32_t)(int8_t)data[0];
    if (op->kind == REF_LOAD && op->sz == SZ_S16)
        out->val[0][l] = (uint32_t)(int16_t)(data[0] | data[1] << 8);
    if (op->kind == REF_ATOM) {
        uint64_t keep = op->aw ? ~UINT64_C(0) : UINT32_MAX, old;
        memcpy(&old, data, 8);
        uint64_t new = modify(op->aop, op->aw, old, op->b[0][l] & keep, op->c[l] & keep);
        out->wdata[0][l] = (uint32_t)new;
        out->wdata[1][l] = (uint32_t)(new >> 32);
        for (unsigned i = 0; i < size && !errs(k, op, l, 0); i++)
            *byte_at(k, op, l, i, mem, shared) = (uint8_t)(new >> 8 * i);
    }
}

void ref_execute(const struct ref_config *k, const struct ref_op *op, uint8_t *mem, uint8_t *shared,
                 struct ref_result *out)
{
    unsigned size = ref_size(op);
    memset(out, 0, sizeof *out);
    out->words = op->kind == REF_STORE || !op->mask ? 0 : size < 4 ? 1 : size / 4;
    for (unsigned l = 32; l-- > 0; ) {
        unsigned f = op->mask >> l & 1 ? lane_fault(k, op, l) : HD_FAULT_NONE;
        if (f && (!out->fault || f <= out->fault)) {
            out->fault_m = f == out->fault ? out->fault_m | 1u << l : 1u << l;
            out->fault = f;
            out->fault_addr = full_address(op, l);
        }
    }
    if (out->fault)
        return;
    for (unsigned l = 32; l-- > 0; )
        if (op->mask >> l & 1) {
            out->space = space_of(op, l);
            unsigned space = space_of(op, l);
            uint64_t full = full_address(op, l);
            out->addr[l] = space == SPACE_GLOBAL ? full : (uint32_t)full;
            out->shared_m |= (uint32_t)(op->space == SPACE_GENERIC && out->space == SPACE_SHARED)
                             << l;
            out->local_m |= (uint32_t)(op->space == SPACE_GENERIC && out->space == SPACE_LOCAL)
                            << l;
        }
    for (unsigned l = 0; l < 32; l++)
        if (op->mask >> l & 1)
            act(k, op, l, mem, shared, out);
    for (unsigned l = 32; l-- > 0; )
        for (unsigned i = size; op->mask >> l & 1 && i-- > 0; )
            if (errs(k, op, l, i)) {
                out->fault = HD_FAULT_BUS;
                out->fault_m |= 1u << l;
                out->fault_addr = physical(k, op, l, i);
            }
}
