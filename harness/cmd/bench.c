/* `heddle bench`: the core's speed under simulation, in lockstep and with a waveform, and its cost
 * of divergence, one line a figure.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bare and lockstep take turns on the same kernel, so that both see the same machine; the better of
 * three counts, because other work only ever makes a run slower. */
#include "harness/cli/cli.h"
#include "harness/cmd/bench_ports.h"
#include "harness/cmd/loops.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 12 };
static const double A_ROUND = 0.25;                   /* seconds */
static const char silicon_dir[] = "tests/silicon", bench_dir[] = "tests/bench";

static struct hd_image *compile(const char *dir, const char *file)
{
    char path[256];
    struct cc_options cc = { 0 };
    struct hd_err err = { 0 };
    snprintf(path, sizeof path, "%s/%s", dir, file);
    struct hd_image *img = hd_compile(path, &cc, &err);
    if (!img)
        fprintf(stderr, "heddle bench: %s\n", err.text);
    return img;
}

/* wave: with the rows of a waveform of all of it. */
static hd_device *open_device(enum hd_kind kind, const struct hd_image *img, bool wave)
{
    hd_device *d;
    struct hd_config cfg = { .kind = kind,
                             .lanes = 32,
                             .wave = wave ? "/dev/null" : NULL,
                             .wave_rows = wave,
                             .wave_to = UINT64_MAX };
    if (hd_open(&cfg, &d) != HD_OK || hd_load(d, img) != HD_OK) {
        fprintf(stderr, "heddle bench: %s\n", hd_device_error(d));
        hd_close(d);
        return NULL;
    }
    return d;
}

static uint64_t buffer(hd_device *d, const void *data, size_t bytes)
{
    uint64_t at = 0;
    if (hd_malloc(d, bytes, &at) == HD_OK && data)
        hd_write(d, at, data, bytes);
    return at;
}

/* ---- speed: eight warps resident; p_loop_merge, and a loop that keeps the FPU busy ---- */

/* Of this process: other work on the machine, which takes turns with it, changes that least. */
static double processor_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of a kernel whose first parameters are those of p_loop_merge, of params_size bytes in all.  A
 * device writes one waveform, its first launch's; so with one each launch has a device of its own,
 * whose opening does not count. */
static double cycles_per_second(enum hd_kind kind, const struct hd_image *img, size_t params_size,
                                const uint32_t *input, bool wave)
{
    double spent = 0, cycles = 0;
    hd_device *d = NULL;
    struct { uint64_t in, out, cnt, log; uint32_t n; } p = { .n = 256 };
    struct hd_launch l = {
        .grid = { 8, 1, 1 }, .block = { 32, 1, 1 }, .params = &p, .params_size = params_size
    };
    while (spent < A_ROUND) {
        if (!d) {
            if (!(d = open_device(kind, img, wave)))
                return 0;
            p.in = buffer(d, input, 1024);
            p.out = buffer(d, NULL, 1024);
            p.cnt = buffer(d, NULL, 2048);
            p.log = buffer(d, NULL, 4 * 1572864);
        }
        const double began = processor_now();
        if (hd_launch_grid(d, &l) != HD_OK || (wave && hd_end_wave(d) != HD_OK)) {
            hd_explain(d, stderr);
            break;
        }
        spent += processor_now() - began;
        cycles += (double)hd_get_counters(d)->cycles;
        if (wave) {
            hd_close(d);
            d = NULL;
        }
    }
    hd_close(d);
    return spent > 0 ? cycles / spent : 0;
}

static int order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A host's speed changes for seconds: the median of rounds, whose runs follow each other, says more
 * of a ratio than what the best of all runs are. */
static void speed(void)
{
    uint32_t input[256];
    char path[256];
    enum { BARE, LOCKSTEP, WAVE, F32, RATES };
    double best[RATES] = { 0 }, ratio[ROUNDS] = { 0 };
    struct hd_image *img = compile("tests/silicon/kernels", "p_loop_merge.ptx"),
                    *f32 = compile(bench_dir, "f32_loop.cu");
    snprintf(path, sizeof path, "%s/input.u32", silicon_dir);
    FILE *f = fopen(path, "rb");
    if (img && f32 && f && fread(input, 4, 256, f) == 256)
        for (int r = 0; r < ROUNDS; r++) {
            double rate[RATES];
            for (int k = 0; k < RATES; k++) {
                rate[k] = cycles_per_second(k == LOCKSTEP || k == WAVE ? HD_LOCKSTEP : HD_RTL,
                                            k == F32 ? f32 : img, k == F32 ? 16 : 36, input,
                                            k == WAVE);
                best[k] = rate[k] > best[k] ? rate[k] : best[k];
            }
            ratio[r] = rate[BARE] > 0 ? rate[LOCKSTEP] / rate[BARE] : 0;
        }
    qsort(ratio, ROUNDS, sizeof *ratio, order);
    if (f)
        fclose(f);
    hd_image_free(img);
    hd_image_free(f32);
    printf("bench: rtl.bare %.0f cycles/s\n", best[BARE]);
    printf("bench: rtl.f32 %.0f cycles/s\n", best[F32]);
    printf("bench: rtl.lockstep %.0f cycles/s\n", best[LOCKSTEP]);
    if (best[BARE] > 0)
        printf("bench: rtl.lockstep_ratio %.3f\n", (ratio[ROUNDS / 2 - 1] + ratio[ROUNDS / 2]) / 2);
    printf("bench: rtl.wave %.0f cycles/s\n", best[WAVE]);
    if (best[LOCKSTEP] > 0)
        printf("a waveform's rows (lockstep --wave) cost %.1f%% of lockstep's speed\n",
               100 * (1 - best[WAVE] / best[LOCKSTEP]));
}

/* ---- cost of divergence: paper C's loops ---- */

/* Cycles of the slowest lane, 0: failed. */
static uint64_t lockstep_cycles(const struct hd_image *img, enum loop_kernel k, unsigned n)
{
    struct loop_run r = {
        .kernel = k, .image = img, .cfg = { .kind = HD_LOCKSTEP }, .n = n, .warps = 1
    };
    return loop_measure(&r) ? r.cycles : 0;
}

/* Warp instructions a cycle of eight warps, n = 31. */
static double ipc8(const struct hd_image *img, enum loop_kernel k)
{
    struct loop_run r = {
        .kernel = k, .image = img, .cfg = { .kind = HD_LOCKSTEP }, .n = 31, .warps = 8
    };
    return loop_measure(&r) ? (double)r.count.warp_insns / (double)r.count.cycles : 0;
}

/* Prints both curves; returns the slope: cycles from n = 0 to 31, over the divergences between
 * them. */
static double curve(const struct hd_image *img, enum loop_kernel k)
{
    uint64_t first = 0, last = 0, theirs = 0;
    printf("paper C, %s loop, one warp alone: n, cycles, the H200's\n", loop_names[k]);
    for (unsigned n = 0; n < LOOP_POINTS; n++) {
        last = lockstep_cycles(img, k, n);
        first = n ? first : last;
        loop_h200(k, n, &theirs);
        printf("  %2u %6llu %6llu\n", n, (unsigned long long)last, (unsigned long long)theirs);
    }
    double divergences = k == LOOP_DOUBLE ? 31.0 * (65 - 31) / 2 : 31;
    return ((double)last - (double)first) / divergences;
}

static void divergence(void)
{
    struct hd_image *one = loop_compile(LOOP_SINGLE, false),
                    *two = loop_compile(LOOP_DOUBLE, false),
                    *ints = compile(bench_dir, "int_loop.cu");
    if (one && two && ints) {
        double slope = curve(one, LOOP_SINGLE), slope2 = curve(two, LOOP_DOUBLE);
        printf("cost of a divergence in the double loop: %.2f cycles; the H200's is 13 in both\n",
               slope2);
        printf("all-integer divergent loop, eight warps: IPC %.3f\n", ipc8(ints, LOOP_SINGLE));
        printf("bench: rtl.divergence %.2f cycles\n", slope);
        printf("bench: rtl.ipc8 %.3f warp/cycle\n", ipc8(two, LOOP_DOUBLE));
    }
    hd_image_free(one);
    hd_image_free(two);
    hd_image_free(ints);
}

/* ---- what kernels that ask for a port in every cycle get of it ---- */

static void port_uses(void)
{
    for (unsigned i = 0; i < PORT_USES; i++) {
        struct port_use u;
        if (port_measure(i, &u))
            printf("bench: %s %.3f %s/cycle of %.0f\n", u.name, u.use, u.unit, u.limit);
    }
}

/* The core that is measured; of two, heddle takes the one without tracing. */
static bool name_core(struct cli *c)
{
    hd_device *d = NULL;
    struct hd_core core;
    struct hd_config cfg = { .kind = HD_LOCKSTEP };
    bool ok = hd_open(&cfg, &d) == HD_OK;
    if (ok) {
        hd_get_core(d, &core);
        printf("core: %s%s\n", core.file,
               core.traced ? ", the one with tracing, which is slower: make "
                             "build/rtl/libcore_l32.so" : "");
        fflush(stdout);
    } else
        cli_usage(c, "%s", hd_device_error(d));
    hd_close(d);
    return ok;
}

int cmd_bench(struct cli *c)
{
    if (c->input)
        return cli_usage(c, "`%s`: it takes no file", c->input);
    if (!name_core(c))
        return EXIT_USAGE;
    speed();
    divergence();
    port_uses();
    return EXIT_YES;
}
