/* Cycles of the core a second of processor time, bare and in lockstep, and how many a launch takes:
 * `core_rate LANES P_LOOP_MERGE.ptx INPUT.u32`.  tests/bench/against.sh builds it with the sources
 * of two commits, so it uses what both have.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/heddle.h"
#include "cmodel/image/image.h"
#include "compiler/all.h"
#include <stdlib.h>
#include <time.h>

enum { WORDS = 256, LOG = 4 * 1572864 };
static const double A_ROUND = 1;                     /* seconds */

static double processor_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "core_rate: %s\n", what);
    exit(2);
}

/* Eight warps of p_loop_merge, as `heddle bench` runs it. */
static double rate(const struct hd_config *cfg, const struct hd_image *img, const uint32_t *input,
                   uint64_t *cycles)
{
    struct { uint64_t in, out, cnt, log; uint32_t n; } p = { .n = WORDS };
    struct hd_launch l = {
        .grid = { 8, 1, 1 }, .block = { 32, 1, 1 }, .params = &p, .params_size = 36
    };
    double spent = 0, sum = 0;
    hd_device *d = NULL;
    must(hd_open(cfg, &d) == HD_OK && hd_load(d, img) == HD_OK, "no such core");
    must(hd_malloc(d, 4 * WORDS, &p.in) == HD_OK && hd_malloc(d, 4 * WORDS, &p.out) == HD_OK &&
         hd_malloc(d, 8 * WORDS, &p.cnt) == HD_OK && hd_malloc(d, LOG, &p.log) == HD_OK &&
         hd_write(d, p.in, input, 4 * WORDS) == HD_OK, "no memory");
    while (spent < A_ROUND) {
        const double began = processor_now();
        must(hd_launch_grid(d, &l) == HD_OK, "the launch fails");
        spent += processor_now() - began;
        *cycles = hd_get_counters(d)->cycles;
        sum += (double)*cycles;
    }
    hd_close(d);
    return sum / spent;
}

int main(int argc, char **argv)
{
    must(argc == 4, "usage: core_rate LANES P_LOOP_MERGE.ptx INPUT.u32");
    struct cc_options cc = { 0 };
    struct hd_err err = { 0 };
    struct hd_image *img = hd_compile(argv[2], &cc, &err);
    uint32_t input[WORDS];
    FILE *f = fopen(argv[3], "rb");
    must(img != NULL, err.text);
    must(f && fread(input, 4, WORDS, f) == WORDS, argv[3]);
    fclose(f);
    uint64_t cycles[2];
    struct hd_config cfg = { .kind = HD_RTL, .lanes = (unsigned)atoi(argv[1]) };
    const double bare = rate(&cfg, img, input, &cycles[0]);
    cfg.kind = HD_LOCKSTEP;
    const double lockstep = rate(&cfg, img, input, &cycles[1]);
    must(cycles[0] == cycles[1], "lockstep takes other cycles");
    printf("%.0f %.0f %llu\n", bare, lockstep, (unsigned long long)cycles[0]);
    hd_image_free(img);
}
