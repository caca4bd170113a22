/* From addresses of an image back to the blocks of its functions: what a profile is measured by.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Placement splits blocks and lays others between them, so every instruction remembers the block it
 * stood in before (ins.home), selection hands that on, and emission records it for each address.
 *
 * Requires: map_number: blocks as placement will find them.  map_add: final addresses.
 * Ensures:  ins.home of every instruction; the map from an address to the block that its code comes
 *           from. */
#include <stdlib.h>
#include <string.h>
#include "compiler/select/minsn.h"
#include "compiler/profile.h"

void map_number(struct fn *f)
{
    for (int k = 0; k < f->nblocks; k++)
        for (struct ins *i = f->blocks[k]->first; i; i = i->next) i->home = k + 1;
}

static void mix(uint64_t *h, uint64_t v)         /* FNV-1a */
{
    for (int k = 0; k < 8; k++) *h = (*h ^ (v >> (8 * k) & 0xff)) * 0x100000001b3ull;
}

uint64_t prof_shape(const struct fn *f)
{
    uint64_t h = 0xcbf29ce484222325ull;
    for (int k = 0; k < f->nblocks; k++) {
        const struct blk *b = f->blocks[k];
        for (const struct ins *i = b->first; i; i = i->next)
            if (i->op != P_PRAGMA)
                mix(&h, (uint64_t)i->op << 32 | (uint64_t)i->type << 16 | (uint64_t)i->nops);
        for (int s = 0; s < b->nsucc; s++) mix(&h, (uint64_t)b->succ[s]->id);
        mix(&h, ~0ull);
    }
    return h;
}

static int loop_index(const struct fn *f, const struct loop *l)
{
    int k = 0;
    while (k < f->nloops && f->loops[k] != l) k++;
    return k < f->nloops ? k : -1;
}

static void describe(struct map_fn *m, const struct fn *f)
{
    m->name = strdup(f->name);
    m->shape = prof_shape(f);
    m->nblocks = f->nblocks;
    m->nloops = f->nloops;
    m->blocks = calloc((size_t)f->nblocks + 1, sizeof *m->blocks);
    m->loops = calloc((size_t)f->nloops + 1, sizeof *m->loops);
    for (int k = 0; m->blocks && k < f->nblocks; k++)
        m->blocks[k] = (struct map_blk){ f->blocks[k]->first ? f->blocks[k]->first->loc.line : 0,
                                         loop_index(f, f->blocks[k]->loop) };
    for (int k = 0; m->loops && k < f->nloops; k++)
        m->loops[k] = (struct map_loop){ f->loops[k]->header->id,
                                         loop_index(f, f->loops[k]->parent) };
}

/* Before placement: the functions. */
void map_functions(struct cc_map *map, const struct module *m)
{
    map->fns = calloc((size_t)m->nfns + 1, sizeof *map->fns);
    for (int k = 0; map->fns && k < m->nfns; k++)
        if (m->fns[k]->defined) describe(&map->fns[map->nfns++], m->fns[k]);
}

/* While code is emitted: the next address. */
void map_add(struct cc_map *map, uint32_t pc, uint32_t npcs, const struct backend *be,
             const struct mfn *mf, int home)
{
    uint32_t at = pc / HD_INSN_BYTES;
    int fn = 0;
    if (!map->pcs) {
        map->npcs = npcs;
        map->pcs = calloc((size_t)npcs + 1, sizeof *map->pcs);
    }
    if (!map->pcs) return;
    while (fn < map->nfns && strcmp(map->fns[fn].name, mf->f->name)) fn++;
    bool known = mf->f->m == be->m && fn < map->nfns;
    map->pcs[at] = (struct map_pc){ known ? fn : -1, known ? home - 1 : -1 };
}

void map_free(struct cc_map *map)
{
    for (int k = 0; k < map->nfns; k++) {
        free(map->fns[k].name);
        free(map->fns[k].blocks);
        free(map->fns[k].loops);
    }
    free(map->fns);
    free(map->pcs);
    *map = (struct cc_map){ 0 };
}
