/* The table FEATURES: which values exclude each other, and a plan as a case.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/pair_kernel.h"
#include <stdlib.h>
#include <string.h>

static const struct hd_dim3 shapes[] = {
    [SHAPE_32] = { 32, 1, 1 }, [SHAPE_96] = { 96, 1, 1 }, [SHAPE_33] = { 33, 1, 1 },
    [SHAPE_15] = { 5, 3, 1 }, [SHAPE_FLAT] = { 8, 4, 1 }, [SHAPE_CUBE] = { 4, 4, 4 },
    [SHAPE_ODD] = { 5, 3, 3 }, [SHAPE_ROWS] = { 32, 2, 2 }, [SHAPE_WIDE] = { 64, 2, 1 },
    [SHAPE_DEEP] = { 16, 2, 8 },
};
static const struct hd_dim3 grids[] = {
    [GRID_ONE] = { 1, 1, 1 }, [GRID_ROW] = { 3, 1, 1 }, [GRID_FLAT] = { 2, 2, 1 },
    [GRID_CUBE] = { 1, 2, 2 }, [GRID_OVER] = { 67, 1, 1 }, [GRID_LARGE] = { 4, 1, 1 },
};

static uint32_t volume(struct hd_dim3 d) { return d.x * d.y * d.z; }

static const char *why(const struct cover *c, const unsigned *plan)
{
    unsigned of[DIMS] = { 0 };
    const unsigned *first = c->user;
    for (unsigned i = 0; i < c->ndims; i++)
        of[*first + i] = plan[i];
    if (volume(shapes[of[DIM_SHAPE]]) * volume(grids[of[DIM_GRID]]) > FUZZ_MAX_THREADS)
        return "more threads than `out' has slots";
    if (of[DIM_ATOM_AT] == ATOM_AT_SUM && of[DIM_ATOM] >= ATOM_EXCH)
        return "all threads would see an order";
    if (of[DIM_BARRIER] == BARRIER_COUNT && volume(shapes[of[DIM_SHAPE]]) % HD_LANES)
        return "a count is of whole warps";
    if (of[DIM_OPERAND] >= OPERAND_NEG && of[DIM_TYPE] && of[DIM_TYPE] < TYPE_F32)
        return "an integer operand has no sign";
    return NULL;
}

void pair_features_cover(struct cover *c)
{
    static unsigned first;
    for (first = 0; pair_table_of(first) != PAIR_FEATURES; first++)
        ;
    *c = (struct cover){ .name = "features", .why = why, .user = &first };
    for (unsigned d = first; d < DIMS; d++)
        c->dim[c->ndims++] = pair_dim(d);
    cover_open(c);
}

void pair_features(struct fuzz_case *c, const struct pair_plan *p)
{
    struct rng r = { c->seed ^ 0x66656174 };
    struct features f = { .c = c };
    const unsigned first = *(const unsigned *)p->cover->user;
    for (unsigned i = 0; i < p->cover->ndims; i++)
        f.of[first + i] = p->value[i];
    for (unsigned k = 0; k < sizeof f.k / sizeof *f.k; k++)
        f.k[k] = (uint32_t)rng_next(&r);
    c->block = shapes[f.of[DIM_SHAPE]];
    c->grid = grids[f.of[DIM_GRID]];
    c->mem_seed = f.of[DIM_LATENCY] == LATENCY_RANDOM ? rng_next(&r) | 1 : 0;
    c->high_seed = f.of[DIM_PLACE] == PLACE_HIGH ? rng_next(&r) | 1 : 0;
    c->start_again = f.of[DIM_BUSY] == BUSY_AGAIN ? 50 + rng_below(&r, 2000) : 0;
    c->maxregs = f.of[DIM_REGS] == REGS_FEW ? 16 : 0;
    c->no_ifconv = f.of[DIM_IFCONV] == IFCONV_OFF;
    c->dynamic = f.of[DIM_SHARED] == SHARED_DYNAMIC ? 4 * fuzz_block_threads(c) : 0;
    c->ptx = pair_text(&f);
    c->expect = malloc(sizeof *c->expect);
    if (!c->expect)
        abort();
    pair_mean(&f, c->expect);
}
