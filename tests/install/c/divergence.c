/* Runs a kernel on RTL and model in lockstep, and counts where lanes of a warp part.
 * SPDX-License-Identifier: Apache-2.0
 * use: divergence KERNEL.ptx [LANES] */
#include <heddle.h>
#include <stdlib.h>

enum { THREADS = 64 };
struct params { uint64_t steps; int32_t n; };    /* as the kernel declares them */
struct counts { unsigned long commits, divergent; };

/* Every commit: RTL and model agree on it. */
static bool count(void *user, const struct hd_commit *c)
{
    struct counts *n = user;
    n->commits++;
    n->divergent += c->next_active && c->next_active != c->active;
    return true;
}

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    return 2;
}

int main(int argc, char **argv)
{
    const struct hd_config config = { .kind = HD_LOCKSTEP,
                                      .lanes = argc > 2 ? (unsigned)atoi(argv[2]) : 4 };
    uint32_t steps[THREADS];
    struct params params = { .n = THREADS };
    struct counts n = { 0, 0 };
    char why[1024];
    hd_image *image;
    hd_device *device;
    if (argc < 2)
        return fail("use", "divergence KERNEL.ptx [LANES]");
    if (hd_image_open(argv[1], false, &image, why, sizeof why))
        return fail(argv[1], why);
    enum hd_status st = hd_open(&config, &device);
    if (st)
        return fail("device", device ? hd_device_error(device) : hd_strerror(st));
    if (hd_load(device, image) || hd_malloc(device, sizeof steps, &params.steps))
        return fail("launch", hd_device_error(device));
    const struct hd_launch launch = { .grid = { 1, 1, 1 }, .block = { THREADS, 1, 1 },
                                      .params = &params,         /* without the padding behind */
                                      .params_size = offsetof(struct params, n) + sizeof params.n };
    hd_on_commit(device, count, &n);
    st = hd_launch_grid(device, &launch);
    if (st > HD_STOPPED)
        return fail("launch", hd_device_error(device));
    if (st)
        hd_explain(device, stderr);      /* what differs, or why it faults or stands still */
    else if (!(st = hd_read(device, params.steps, steps, sizeof steps)))
        printf("27: %u steps; %lu commits, in %lu lanes part or meet; RTL and model are equal\n",
               (unsigned)steps[26], n.commits, n.divergent);
    hd_close(device);
    hd_image_close(image);
    return st ? 1 : 0;
}
