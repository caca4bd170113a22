/* No warp starves: loops of every class of instruction, with 1 to 32 warps resident and blocks of
 * 32 to 1024 threads, in lockstep.  The core's own bounds on waiting (rtl/front/bound.v) end a run
 * that breaks one; and in the kernel of integer operations alone no warp lags by more than a few
 * instructions.
 * SPDX-License-Identifier: Apache-2.0
 * Use: progress IMAGE.hx [LANES...] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/heddle.h"
#include "cmodel/image/image.h"

/* Instructions that a warp may lag another one by, counted since all of them are in their loop:
 * with a full core; with fewer warps, a round of the loop: what a branch costs them is not
 * hidden. */
enum { BEHIND = 8, FEW = 32, PROLOGUE = 48, THREADS = 2048 };

struct count { uint64_t insns[32], begun[32]; unsigned nwarps, worst; bool all_loop, all_live; };

static bool count(void *user, const struct hd_commit *c)
{
    struct count *n = user;
    uint64_t least = UINT64_MAX, most = 0;
    n->insns[c->slot]++;
    if (!c->live)
        n->all_live = false;             /* warps end: from here on there is no share */
    if (!n->all_live)
        return true;
    for (unsigned i = 0; i < n->nwarps; i++) {
        uint64_t k = n->insns[i] - n->begun[i];
        least = k < least ? k : least;
        most = k > most ? k : most;
    }
    if (!n->all_loop && least >= PROLOGUE) {
        n->all_loop = true;
        memcpy(n->begun, n->insns, sizeof n->begun);
    } else if (n->all_loop && most - least > n->worst)
        n->worst = (unsigned)(most - least);
    return true;
}

static int run(hd_device *d, const char *kernel, unsigned lanes, unsigned warps, unsigned blocks,
               unsigned threads, int rounds, unsigned *worst)
{
    uint64_t params[3] = { 0 };
    uint64_t out, in;
    uint32_t data[1024];
    struct hd_launch l = { .kernel = kernel,
                           .grid = { blocks, 1, 1 },
                           .block = { threads, 1, 1 },
                           .params = params,
                           .params_size = 20 };
    struct count n = { .nwarps = warps, .all_live = true };
    for (unsigned i = 0; i < 1024; i++)
        data[i] = i * 2654435761u >> 7;
    if (hd_malloc(d, THREADS * 4, &out) || hd_malloc(d, sizeof data, &in) ||
        hd_write(d, in, data, sizeof data)) {
        printf("progress: %s\n", hd_device_error(d));
        return 1;
    }
    params[0] = out;
    params[1] = in;
    memcpy(&params[2], &rounds, 4);
    hd_on_commit(d, count, &n);
    enum hd_status s = hd_launch_grid(d, &l);
    const struct hd_counters *k = hd_get_counters(d);
    hd_free(d, out);
    hd_free(d, in);
    *worst = n.worst;
    printf("progress: lanes %-2u %-8s warps %-2u blocks %ux%-4u cycles %-7" PRIu64
           " IPC %.3f behind %u%s\n",
           lanes, kernel, warps, blocks, threads, k->cycles,
           (double)k->warp_insns / (double)(k->cycles ? k->cycles : 1), n.worst,
           s == HD_OK ? "" : " FAILED");
    if (s != HD_OK) {
        printf("%s\n", hd_device_error(d));
        hd_explain(d, stdout);
    }
    return s != HD_OK;
}

/* Instructions of a warp in a loop, about, so that runs are long enough and no longer. */
static int rounds(unsigned lanes, unsigned warps)
{
    unsigned n = 60000 / (warps * (32 / lanes) * 4);
    return n < 24 ? 24 : n > 512 ? 512 : (int)n;
}

static int on_lanes(const struct hd_image *img, unsigned lanes, unsigned *runs)
{
    static const char *const kernels[] = {
        "alu", "fpu", "sfu", "loads", "mixed", "shuffles", "spin"
    };
    static const unsigned warps[] = { 1, 2, 3, 5, 8, 13, 16, 24, 32 };
    struct hd_config cfg = { .kind = HD_LOCKSTEP, .lanes = lanes };
    hd_device *d;
    int bad = 0;
    unsigned worst;
    if (hd_open(&cfg, &d) != HD_OK || hd_load(d, img) != HD_OK) {
        printf("progress: lanes %u: %s\n", lanes, hd_device_error(d));
        hd_close(d);
        return 1;
    }
    for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (unsigned w = k % 3; w < sizeof warps / sizeof *warps; w += lanes == 32 ? 1 : 3) {
            /* of all threads; or a block a warp, of which more come */
            bool one_block = (k + w) % 2;
            unsigned n = warps[w],
                     blocks = one_block ? 1 : n + (!strcmp(kernels[k], "alu") ? 0 : n / 2);
            bad += run(d, kernels[k], lanes, n, blocks, one_block ? 32 * n : 32, rounds(lanes, n),
                       &worst);
            if (!strcmp(kernels[k], "alu") && worst > (n == 32 ? BEHIND : FEW))
                bad++, printf("progress: %u instructions behind is too much\n", worst);
            ++*runs;
        }
    bad += run(d, "alu", lanes, 32, 1, 1024, rounds(lanes, 32), &worst);
    if (worst > BEHIND || !worst)            /* never level: then nothing was counted */
        bad++,
            printf("progress: 32 warps: %u instructions behind, expected 1 to %d\n", worst, BEHIND);
    ++*runs;
    hd_close(d);
    return bad;
}

int main(int argc, char **argv)
{
    struct hd_err err = { 0 };
    struct hd_image *img = argc > 2 ? hd_image_read(argv[1], &err) : NULL;
    unsigned runs = 0;
    int bad = 0;
    if (!img) {
        fprintf(stderr, argc > 2 ? "%s\n" : "usage: progress IMAGE.hx LANES...%s\n", err.text);
        return 2;
    }
    for (int i = 2; i < argc; i++)
        bad += on_lanes(img, (unsigned)atoi(argv[i]), &runs);
    hd_image_free(img);
    printf("progress: %u passed, %d failed\n", runs - (unsigned)(bad < (int)runs ? bad : (int)runs),
           bad);
    return bad || !runs;
}
