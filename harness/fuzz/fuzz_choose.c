/* Which kernel has a number: drawn from the seed alone, or, with coverage, the best of several.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Weights of rows alone do not lead to holes: most bins are about how lanes diverged when the
 * row ran, not about the row.  So several kernels are drawn, the model runs each, which takes a
 * small part of what lockstep does, and the one that meets most of what is missing is chosen.  That
 * works for every group of bins, those to come as well.  Every other one is drawn with more of
 * the rows that are missing. */
#include "harness/fuzz/pairs.h"
#include "harness/fuzz/fuzz.h"

enum { DRAWN = 8, REFRESH = 64 };    /* kernels drawn for one; chosen, until the weights are new */

static void choose_launch(struct rng *r, struct fuzz_case *c)
{
    static const struct hd_dim3 block[] = {
        { 32, 1, 1 }, { 32, 1, 1 }, { 32, 1, 1 }, { 32, 1, 1 }, { 64, 1, 1 }, { 64, 1, 1 },
        { 96, 1, 1 }, { 40, 1, 1 }, { 33, 1, 1 }, { 31, 1, 1 }, { 8, 4, 1 }, { 5, 3, 3 },
        { 1, 1, 1 }, { 3, 1, 2 }, { 16, 1, 1 } };
    c->block = block[rng_below(r, sizeof block / sizeof block[0])];
    uint32_t most = FUZZ_FEW_THREADS / fuzz_block_threads(c);
    c->grid = (struct hd_dim3){ rng_below(r, 3) ? 1 : 1 + rng_below(r, most < 3 ? most : 3), 1, 1 };
    if (c->grid.x == 1 && most >= 2 && rng_one_in(r, 6))
        c->grid.y = 2;
}

/* Large blocks, and every warp slot taken: a few, since each costs as much as ten others. */
static void choose_large(struct fuzz_case *c)
{
    static const struct {
        struct hd_dim3 block, grid;
    } large[] = { { { 1024, 1, 1 }, { 1, 1, 1 } }, { { 32, 32, 1 }, { 1, 1, 1 } },
                  { { 8, 8, 16 }, { 1, 1, 1 } },   { { 1023, 1, 1 }, { 1, 1, 1 } },
                  { { 992, 1, 1 }, { 1, 1, 1 } },  { { 512, 1, 1 }, { 2, 1, 1 } },
                  { { 16, 32, 1 }, { 1, 2, 1 } },  { { 32, 1, 1 }, { 32, 1, 1 } },
                  { { 32, 1, 1 }, { 4, 4, 2 } },   { { 5, 5, 1 }, { 2, 4, 4 } },
                  { { 64, 1, 1 }, { 16, 1, 1 } } };
    struct rng r = { ~c->seed };           /* one of its own: the other kernels stay as they were */
    if (!rng_one_in(&r, 64) || !fuzz_usual(c))
        return;
    uint32_t k = rng_below(&r, sizeof large / sizeof large[0]);
    c->block = large[k].block;
    c->grid = large[k].grid;
}

/* Several cores: blocks for all of them, and nothing that only one knows. */
static void choose_cores(struct fuzz_case *c)
{
    struct rng r = { c->seed ^ 0x636f726573u };
    const uint32_t most = FUZZ_MAX_THREADS / fuzz_block_threads(c);
    if (c->cores < 2)
        return;
    c->bus_seed = 0;
    if (c->grid.x * c->grid.y * c->grid.z == 1)
        c->grid.x = 1 + rng_below(&r, most < 16 ? most : 16);
}

/* What the host does beside it, from a stream of its own. */
static void choose_host(uint64_t seed, struct fuzz_case *c)
{
    struct rng r = { seed ^ 0x686f7374u };
    if (rng_one_in(&r, 3))
        c->start_again = 50 + rng_below(&r, 2000);
    if (c->wild && rng_one_in(&r, 4))
        c->stop = 1 + rng_below(&r, 300);
    if (rng_one_in(&r, 4))
        c->halt = 1 + rng_below(&r, 16u << rng_below(&r, 10));
}

static struct fuzz_case draw_kernel(const struct fuzz_choice *f, uint64_t seed,
                                    const struct fuzz_weights *w)
{
    struct rng r = { seed };
    struct fuzz_case c = f->frame;
    c.seed = seed;
    choose_launch(&r, &c);
    choose_large(&c);
    c.mem_seed = rng_one_in(&r, 2) ? rng_next(&r) | 1 : 0;
    c.data_seed = rng_next(&r) | 1;
    struct rng bus = { ~seed };                /* of its own: kernels stay what they were without */
    c.bus_seed = rng_one_in(&bus, 16) ? rng_next(&bus) | 1 : 0;
    struct rng high = { seed ^ 0x68696768 };
    c.high_seed = rng_one_in(&high, 4) ? rng_next(&high) | 1 : 0;
    fuzz_fit_launch(&c);
    choose_cores(&c);
    bool ptx = rng_below(&r, 3) == 0;
    if (f->level == FUZZ_PTX || (f->level == FUZZ_BOTH && ptx)) {
        fuzz_prog(&c);
        return c;
    }
    c.wild = rng_one_in(&r, 5) ? WILD_ALL + rng_below(&r, WILD_WIDE - WILD_ALL) : WILD_NOT;
    if (c.wild && rng_one_in(&r, 6))                 /* newer themes last: most seeds keep theirs */
        c.wild = WILD_WIDE;
    if (c.wild && rng_one_in(&r, 4))
        c.wild = WILD_REGS + rng_below(&r, WILD_STRAIGHT - WILD_REGS);
    struct rng straight = { seed ^ 0x57a1 };
    if (f->native && rng_one_in(&straight, 4))
        c.wild = WILD_STRAIGHT;
    struct rng meet = { seed ^ 0x6d656574 };
    if (rng_one_in(&meet, 24))
        c.wild = WILD_MEET;
    struct rng data = { seed ^ 0xda7a };
    c.constants = c.core.lacks & HD_CONSTANTS ? 0 : FUZZ_BANK;
    c.data = !c.wild && rng_one_in(&data, 4);
    if (c.wild)
        fuzz_wild(&c, w);
    else
        fuzz_code(&c, w);
    return c;
}

static struct fuzz_case draw(const struct fuzz_choice *f, uint64_t seed,
                             const struct fuzz_weights *w)
{
    struct fuzz_case c = draw_kernel(f, seed, w);
    choose_host(seed, &c);
    if (c.cores > 1)
        c.start_again = 0;
    return c;
}

/* How much of what is missing a kernel meets on the model; `met` says what. */
static double worth(struct fuzz_choice *f, struct fuzz_case *c)
{
    struct fuzz_result r;
    coverage_clear(f->scout.coverage);
    return fuzz_run(&f->scout, c, 0, false, &r) ? coverage_gain(f->scout.coverage, f->known) : 0;
}

static void keep(struct fuzz_choice *f)
{
    struct coverage *met = f->scout.coverage;
    f->scout.coverage = f->met;
    f->met = met;
}

/* Memory, places and data are drawn as of a random kernel, but nothing that may end it early. */
static struct fuzz_case of_pairs(struct fuzz_choice *f, uint64_t seed)
{
    struct rng r = { seed ^ 0x7061697273 };
    struct fuzz_case c = f->frame;
    c.seed = seed;
    c.cores = 1;
    c.mem_seed = rng_one_in(&r, 2) ? rng_next(&r) | 1 : 0;
    c.data_seed = rng_next(&r) | 1;
    c.high_seed = rng_one_in(&r, 4) ? rng_next(&r) | 1 : 0;
    pairs_make(f->pairs, seed & UINT32_MAX, &c);
    return c;
}

struct fuzz_case fuzz_choose(struct fuzz_choice *f, uint64_t seed)
{
    struct rng r = { seed };
    if (f->pairs)
        return of_pairs(f, seed);
    struct fuzz_case best = draw(f, seed, &f->table);
    if (!f->known)
        return best;
    if (f->chosen++ % REFRESH == 0)
        fuzz_weights_steer(&f->missing, f->frame.core.lacks, f->known);
    double most = worth(f, &best);
    keep(f);
    for (int k = 1; k < DRAWN; k++) {
        struct fuzz_case c = draw(f, rng_next(&r), k % 2 ? &f->missing : &f->table), worse;
        double gain = worth(f, &c);
        worse = c;                                   /* by now compiled */
        if (gain > most) {
            most = gain;
            worse = best;
            best = c;
            keep(f);
        }
        fuzz_case_free(&worse);
    }
    coverage_merge(f->known, f->met);
    return best;
}

bool fuzz_choice_open(struct fuzz_choice *f, struct coverage *known)
{
    fuzz_weights_init(&f->table, f->frame.core.lacks);
    if (!known)
        return true;
    f->known = known;
    f->met = coverage_new();
    f->scout.on = FUZZ_MODEL;
    f->scout.coverage = coverage_new();
    return f->met && f->scout.coverage;
}

void fuzz_choice_close(struct fuzz_choice *f)
{
    fuzz_machine_close(&f->scout);
    pairs_close(f->pairs);
    coverage_free(f->scout.coverage);
    coverage_free(f->met);
    coverage_free(f->known);
}
