/* Several cores in one memory: which bytes an instruction saw, and what became of those it wrote.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The order of memory is that in which the memory port acts (docs/cores.md).  Then, not when an
 * instruction retires, what it reads is taken from the model's memory, and what it writes gets
 * there, as the port has it: other cores may read that from then on.  When the instruction retires
 * the model executes it on exactly those sectors, and each byte that the port wrote must be one
 * that the model writes, with that value.  Local memory belongs to one core and goes by commits.
 * A warp has one memory instruction in flight: none acts before the one before it has retired. */
#ifndef ORDER_H
#define ORDER_H
#include "cmodel/machine/model.h"
#include "harness/core/axi_mem.h"
#include "harness/core/guard.h"

enum { ORDER_CORES = AXI_CORES, ORDER_READS = 2048, ORDER_SECTORS = 512 };
struct order_core {
    struct model *model;
    struct guard *guard;
    unsigned lanes;                          /* LANES */
    struct { uint64_t nth, addr, at; uint8_t bytes[GUARD_SECTOR]; } read[ORDER_READS];
    uint64_t first;                          /* read of the oldest that has not retired */
    /* in order; of what has not retired */
    struct { uint64_t addr, at; uint32_t strobes, data[8]; } written[GUARD_WRITES];
    unsigned nwritten;
    uint64_t retired[LAUNCH_WARPS];          /* when a warp slot's last access to memory did */
    /* of the instruction that retires: sectors in model_sectors, what the model wrote of each, and
     * the port */
    struct sector {
        uint64_t addr;
        uint32_t model_m, rtl_m;
        uint8_t rtl[GUARD_SECTOR];
        unsigned beat;
        bool used;
    } sector[ORDER_SECTORS];
    unsigned nsectors, group, writes;         /* group: 1 + the sector of the group before */
    /* where the two differ, or what is wrong else; NULL: nothing */
    const char *why;
    uint64_t addr;
    uint8_t rtl_byte, model_byte;
};
struct order { unsigned n; struct axi_mem *mem; struct order_core core[ORDER_CORES]; };

/* A grid begins, with guards and models in place. */
void order_begin(struct order *o);
/* An instruction of core k and this warp slot retires that read and wrote so many sectors: before
 * the model's step; after it, false: `why` and so on. */
void order_before(struct order *o, unsigned k, unsigned slot, unsigned reads, unsigned writes);
bool order_after(struct order *o, unsigned k);
#endif
