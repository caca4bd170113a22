/* `heddle bench`: the core's speed under simulation and its cost of divergence, one line a figure.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bare and lockstep take turns on the same kernel, so that both see the same machine; the better of
 * three counts, because other work only ever makes a run slower. */
#include "device.h"
#include "cli.h"
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3, POINTS = 32 };
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

static hd_device *open_device(enum hd_kind kind, const struct hd_image *img)
{
    hd_device *d;
    struct hd_config cfg = { .kind = kind, .lanes = 32 };
    if (hd_open(&cfg, &d) != HD_OK || hd_load(d, img) != HD_OK) {
        fprintf(stderr, "heddle bench: %s\n", hd_device_error(d));
        hd_close(d);
        return NULL;
    }
    return d;
}

static uint64_t buffer(hd_device *d, const void *data, size_t bytes)
{
    uint32_t at = 0;
    if (hd_malloc(d, bytes, &at) == HD_OK && data)
        hd_write(d, at, data, bytes);
    return at;
}

/* ---- speed: p_loop_merge, eight warps resident ---- */

static double cycles_per_second(enum hd_kind kind, const struct hd_image *img, const uint32_t *input)
{
    hd_device *d = open_device(kind, img);
    double rate = 0;
    if (!d)
        return 0;
    struct { uint64_t in, out, cnt, log; uint32_t n; } p = { buffer(d, input, 1024), buffer(d, NULL, 1024),
        buffer(d, NULL, 2048), buffer(d, NULL, 4 * 1572864), 256 };
    struct hd_launch l = { .grid = { 8, 1, 1 }, .block = { 32, 1, 1 }, .params = &p, .params_size = 36 };
    double t0 = device_seconds(), cycles = 0;
    while (device_seconds() - t0 < 1) {
        if (hd_launch_grid(d, &l) != HD_OK) {
            hd_explain(d, stderr);
            break;
        }
        cycles += (double)hd_get_counters(d)->cycles;
    }
    rate = cycles / (device_seconds() - t0);
    hd_close(d);
    return rate;
}

static void speed(void)
{
    uint32_t input[256];
    char path[256];
    double best[2] = { 0, 0 };
    struct hd_image *img = compile("tests/silicon/kernels", "p_loop_merge.cu");
    snprintf(path, sizeof path, "%s/input.u32", silicon_dir);
    FILE *f = fopen(path, "rb");
    if (img && f && fread(input, 4, 256, f) == 256)
        for (int r = 0; r < ROUNDS; r++)
            for (int k = 0; k < 2; k++) {
                double rate = cycles_per_second(k ? HD_LOCKSTEP : HD_RTL, img, input);
                best[k] = rate > best[k] ? rate : best[k];
            }
    if (f)
        fclose(f);
    hd_image_free(img);
    printf("bench: rtl.bare %.0f cycles/s\n", best[0]);
    printf("bench: rtl.lockstep %.0f cycles/s\n", best[1]);
    if (best[0] > 0)
        printf("lockstep costs %.1f%% of the bare core's speed\n", 100 * (1 - best[1] / best[0]));
}

/* ---- cost of divergence: paper C's loops, one warp alone ---- */

/* Upper bound of a lane when n lanes diverge: table I of paper C. */
static int32_t bound(unsigned lane, unsigned n)
{
    return lane + n > 31 ? 32 - (int32_t)(lane + n - 31) : 32;
}

/* Cycles of the slowest lane, 0: failed.  Each of `warps` blocks is one warp. */
static uint64_t paper_c(const struct hd_image *img, unsigned n, bool twice, unsigned warps, double *ipc)
{
    hd_device *d = open_device(HD_LOCKSTEP, img);
    int32_t limits[64];
    int64_t timer[2 * HD_LANES * 32];
    uint64_t worst = 0;
    if (!d)
        return 0;
    for (unsigned i = 0; i < 64; i++)
        limits[i] = bound(twice ? i / 2 : i % 32, n);
    uint64_t p[3] = { buffer(d, limits, sizeof limits), buffer(d, NULL, 4 * HD_LANES * warps),
                      buffer(d, NULL, sizeof timer) };
    size_t params = hd_image_kernel(img, NULL, NULL)->params_size;
    struct hd_launch l = { .grid = { warps, 1, 1 }, .block = { 32, 1, 1 }, .params = p, .params_size = params };
    if (hd_launch_grid(d, &l) == HD_OK && hd_read(d, (uint32_t)p[2], timer, sizeof timer) == HD_OK) {
        for (unsigned i = 0; i < HD_LANES * warps; i++)
            if ((uint64_t)(timer[2 * i + 1] - timer[2 * i]) > worst)
                worst = (uint64_t)(timer[2 * i + 1] - timer[2 * i]);
        const struct hd_counters *c = hd_get_counters(d);
        if (ipc)
            *ipc = (double)c->warp_insns / (double)c->cycles;
    } else
        hd_explain(d, stderr);
    hd_close(d);
    return worst;
}

static bool h200(const char *kernel, unsigned n, uint64_t *cycles)
{
    char path[256], line[64], key[32];
    snprintf(path, sizeof path, "%s/micro_h200.csv", silicon_dir);
    int len = snprintf(key, sizeof key, "%s,%u,", kernel, n);
    FILE *f = fopen(path, "r");
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        if ((found = !strncmp(line, key, (size_t)len)))
            *cycles = strtoull(line + len, NULL, 10);
    if (f)
        fclose(f);
    return found;
}

/* Prints both curves; returns the slope: cycles from n = 0 to 31, over the divergences between them. */
static double curve(const struct hd_image *img, const char *name, bool twice)
{
    uint64_t first = 0, last = 0, theirs = 0;
    printf("paper C, %s loop, one warp alone: n, cycles, the H200's\n", name);
    for (unsigned n = 0; n < POINTS; n++) {
        last = paper_c(img, n, twice, 1, NULL);
        first = n ? first : last;
        h200(name, n, &theirs);
        printf("  %2u %6llu %6llu\n", n, (unsigned long long)last, (unsigned long long)theirs);
    }
    double divergences = twice ? 31.0 * (65 - 31) / 2 : 31;
    return ((double)last - (double)first) / divergences;
}

static void divergence(void)
{
    struct hd_image *one = compile(bench_dir, "single_loop.cu"), *two = compile(bench_dir, "double_loop.cu"),
                    *ints = compile(bench_dir, "int_loop.cu");
    double ipc = 0, int_ipc = 0;
    if (one && two && ints) {
        double slope = curve(one, "single", false), slope2 = curve(two, "double", true);
        paper_c(two, 31, true, 8, &ipc);
        paper_c(ints, 31, false, 8, &int_ipc);
        printf("cost of a divergence in the double loop: %.2f cycles; the H200's is 13 in both\n", slope2);
        printf("all-integer divergent loop, eight warps: IPC %.3f\n", int_ipc);
        printf("bench: rtl.divergence %.2f cycles\n", slope);
        printf("bench: rtl.ipc8 %.3f warp/cycle\n", ipc);
    }
    hd_image_free(one);
    hd_image_free(two);
    hd_image_free(ints);
}

int cmd_bench(struct cli *c)
{
    (void)c;
    speed();
    divergence();
    return EXIT_YES;
}
