/* Which physical addresses answer with an error: a few areas of whole sectors.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/machine/bus.h"
#include "cmodel/heddle.h"
#include "cmodel/places.h"

bool bus_add(struct bus *b, uint64_t addr, size_t bytes, unsigned how)
{
    if (b->n == BUS_AREAS || !bytes || addr >= HD_ADDR_END || bytes > HD_ADDR_END - addr)
        return false;
    b->area[b->n].first = addr / BUS_SECTOR;
    b->area[b->n].last = (addr + (bytes - 1)) / BUS_SECTOR;
    b->area[b->n++].how = how;
    return true;
}

unsigned bus_answer(const struct bus *b, uint64_t addr, bool write)
{
    uint64_t sector = addr / BUS_SECTOR;
    for (unsigned i = 0; i < b->n; i++)
        if (sector >= b->area[i].first && sector <= b->area[i].last &&
            b->area[i].how & (write ? HD_BUS_WRITE : HD_BUS_READ))
            return b->area[i].how & HD_BUS_DECERR ? 3 : 2;
    return 0;
}
