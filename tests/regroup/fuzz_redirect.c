/* Random kernels, redirected: `fuzz_redirect SEED COUNT' takes kernels of the fuzzer's generator as
 * they are, gives each an order of its own and a random one, in the grid and in the block, and
 * compares memory byte for byte.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Half of the kernels are in barrier mode, half in stack mode.  Those that are refused are counted
 * by reason.  Status 1: memory differs, or none was redirected, or memory never differs where D is
 * wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/regroup/redirect.h"
#include "harness/fuzz/fuzz_prog.h"

enum { REASONS = 64, MEMORY = FUZZ_MAX_THREADS * FUZZ_SLOT + FUZZ_SUM };

struct tally {
    unsigned kernels, redirected[3], runs, wrong, noticed;       /* noticed: kernels that leave
                                                                  * other memory by a wrong D */
    unsigned nreasons;
    struct { char text[96]; unsigned n[3]; } reason[REASONS];
};

static void must(bool ok, const struct fuzz_case *c, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "fuzz_redirect: seed %llu: %s\n", (unsigned long long)c->seed, what);
    exit(4);
}

/* Runs the case's kernel and leaves `out` and `sum` in mem.  words: D as the redirected kernel
 * reads it. */
static void run_case(hd_device *dev, const struct fuzz_case *c, const char *text,
                     const struct redirect *r, const uint32_t *words, uint32_t n, uint8_t *mem)
{
    const uint32_t bytes[4] = { FUZZ_IN, fuzz_room(c) * FUZZ_SLOT, FUZZ_SUM,
                                n * ORDER_MAX_WORDS * 4 };
    struct cc_options cc = { .stack_mode = c->stack_mode,
                             .maxregs = c->maxregs,
                             .no_ifconv = c->no_ifconv };
    struct hd_err err = { 0 };
    uint64_t params[4];
    uint32_t in[FUZZ_IN / 4];
    uint64_t at = 0;
    struct hd_image *img = hd_compile_ptx("case.ptx", text, &cc, &err);
    must(img, c, err.text);
    must(hd_reset(dev, 0) == HD_OK && hd_load(dev, img) == HD_OK, c, hd_device_error(dev));
    for (int k = 0; k < 4; k++) {
        must(hd_malloc(dev, bytes[k], &at) == HD_OK, c, hd_device_error(dev));
        params[k] = at;
    }
    fuzz_data(c, in);
    must(hd_write(dev, (uint32_t)params[0], in, sizeof in) == HD_OK, c, hd_device_error(dev));
    must(!r || hd_write(dev, (uint32_t)params[3], words, n * r->words * 4) == HD_OK, c,
         hd_device_error(dev));
    struct hd_launch l = {
        .grid = c->grid, .block = c->block, .params = params, .params_size = r ? 32 : 24
    };
    must(hd_launch_grid(dev, &l) == HD_OK, c, hd_device_error(dev));
    must(hd_read(dev, (uint32_t)params[1], mem, bytes[1]) == HD_OK &&
             hd_read(dev, (uint32_t)params[2], mem + bytes[1], FUZZ_SUM) == HD_OK,
         c, hd_device_error(dev));
    hd_image_free(img);
}

/* "file:line: why" and the line itself, without those. */
static void refused(struct tally *t, enum order_scope s, const char *text)
{
    char why[sizeof t->reason[0].text];
    const char *from = strstr(text, ": ");
    snprintf(why, sizeof why, "%.90s", from ? from + 2 : text);
    why[strcspn(why, ";\n")] = 0;
    unsigned k = 0;
    while (k < t->nreasons && strcmp(t->reason[k].text, why))
        k++;
    if (k == REASONS)
        k--;
    if (k == t->nreasons)
        strcpy(t->reason[t->nreasons++].text, why);
    t->reason[k].n[s]++;
}

/* In parts of so many, each by itself. */
static void shuffle(struct rng *g, uint32_t *d, uint32_t n, uint32_t part)
{
    for (uint32_t i = 0; i < n; i++)
        d[i] = i;
    for (uint32_t first = 0; first < n; first += part)
        for (uint32_t i = part - 1; i > 0; i--) {
            uint32_t j = rng_below(g, i + 1), was = d[first + i];
            d[first + i] = d[first + j];
            d[first + j] = was;
        }
}

static void one_scope(hd_device *dev, const struct fuzz_case *c, struct tally *t,
                      enum order_scope s, struct rng *g, const uint8_t *want)
{
    static uint8_t got[MEMORY];
    const uint32_t block = fuzz_block_threads(c), n = block * c->grid.x * c->grid.y * c->grid.z;
    const size_t memory = fuzz_room(c) * FUZZ_SLOT + FUZZ_SUM;
    struct redirect r = { .scope = s };
    struct hd_err err = { 0 };
    char *text = redirect_ptx("case.ptx", c->ptx, strlen(c->ptx), &r, &err);
    if (!text) {
        refused(t, s, err.text);
        return;
    }
    uint32_t *d = calloc(n, sizeof *d), *words = calloc(n, ORDER_MAX_WORDS * sizeof *words);
    must(d && words, c, "no memory");
    for (int random = 0; random < 2; random++, t->runs++) {
        shuffle(g, d, n, !random ? 1 : s == ORDER_GRID ? n : block);
        must(redirect_order(&r, c->grid, c->block, d, n, words, &err), c, err.text);
        run_case(dev, c, text, &r, words, n, got);
        if (memcmp(got, want, memory)) {
            printf("fuzz-redirect: seed %llu, %s order in the %s: other memory\n",
                   (unsigned long long)c->seed, random ? "a random" : "its own",
                   s == ORDER_GRID ? "grid" : "block");
            t->wrong++;
        }
    }
    if (n > 1) {                                /* one thread's work is done twice, another's not */
        memcpy(words, words + (n - 1) * r.words, r.words * sizeof *words);
        run_case(dev, c, text, &r, words, n, got);
        t->noticed += memcmp(got, want, memory) != 0;
    }
    t->redirected[s]++;
    free(words);
    free(d);
    free(text);
}

static void one_case(hd_device *dev, struct fuzz_case *c, struct tally *t)
{
    static uint8_t want[MEMORY];
    struct rng g = { c->seed };
    struct hd_err err = { 0 };
    c->prog->trimmed = true;                     /* no shared memory where none is used */
    must(fuzz_compile(c, &err), c, err.text);
    run_case(dev, c, c->ptx, NULL, NULL, fuzz_block_threads(c) * c->grid.x * c->grid.y * c->grid.z,
             want);
    for (enum order_scope s = ORDER_GRID; s <= ORDER_BLOCK; s++)
        one_scope(dev, c, t, s, &g, want);
    t->kernels++;
}

static void kernels(struct tally *t, bool stack_mode, uint64_t seed, unsigned count)
{
    struct fuzz_choice f = { .frame = { .stack_mode = stack_mode, .lanes = 32, .stack_depth = 16 },
                             .level = FUZZ_PTX };
    hd_device *dev;
    if (!fuzz_choice_open(&f, NULL) ||
        hd_open(&(struct hd_config){ .kind = HD_MODEL, .limit = 4000000 }, &dev) != HD_OK)
        exit(4);
    for (unsigned k = 0; k < count; k++) {
        struct fuzz_case c = fuzz_choose(&f, 1000000 * (2 * seed + stack_mode) + k);
        one_case(dev, &c, t);
        fuzz_case_free(&c);
    }
    hd_close(dev);
    fuzz_choice_close(&f);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
    unsigned count = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    static struct tally t;
    if (!count)
        return fputs("usage: fuzz_redirect SEED COUNT\n", stderr), 2;
    kernels(&t, false, seed, (count + 1) / 2);
    kernels(&t, true, seed, count / 2);
    for (unsigned k = 0; k < t.nreasons; k++)
        printf("refused: %5u in the grid, %5u in the block: %s\n", t.reason[k].n[ORDER_GRID],
               t.reason[k].n[ORDER_BLOCK], t.reason[k].text);
    printf(
        "fuzz-redirect: kernels %u, redirected in the grid %u, in the block %u, runs %u, wrong "
        "%u, a wrong order noticed %u, seed %llu\n",
        t.kernels, t.redirected[ORDER_GRID], t.redirected[ORDER_BLOCK], t.runs, t.wrong, t.noticed,
        (unsigned long long)seed);
    return t.wrong || !t.redirected[ORDER_GRID] || !t.redirected[ORDER_BLOCK] || !t.noticed;
}
