/* A recorded stream of a board, damaged: no verdict may come of a stream that is not whole.
 * SPDX-License-Identifier: Apache-2.0
 * Use: damage RECORDING KERNEL
 *
 * Every byte is changed in a bit, is left out, comes twice; the stream ends there.  So every frame
 * is left out, and repeated.  Each must end as an error with a sentence; but what comes before the
 * first frame or after the last one is nobody's. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <stdio.h>
#include "cmodel/heddle.h"

enum { MOST = 1 << 16, HEAD = 5, CRC = 4, THREADS = 32 };
static uint8_t whole[MOST];
static hd_image *image;

static enum hd_status run(const uint8_t *bytes, size_t n, char *why, size_t room)
{
    char name[64];
    int fd = memfd_create("board", MFD_CLOEXEC);
    uint64_t out;
    hd_device *d = NULL;
    if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
        return HD_INTERNAL;
    snprintf(name, sizeof name, "file:/proc/self/fd/%d", fd);
    const struct hd_config cfg = { .kind = HD_LOCKSTEP, .board = name, .board_digest = 4 };
    enum hd_status s = hd_open(&cfg, &d);
    if (s == HD_OK)
        s = hd_load(d, image);
    if (s == HD_OK)
        s = hd_malloc(d, 4 * THREADS, &out);
    if (s == HD_OK) {
        const struct hd_launch l = { .grid = { 1, 1, 1 }, .block = { THREADS, 1, 1 },
                                     .params = &out, .params_size = sizeof out };
        s = hd_launch_grid(d, &l);
    }
    snprintf(why, room, "%s", hd_device_error(d));
    hd_close(d);
    close(fd);
    return s;
}

static unsigned wrong, tried;

/* It must be no verdict, with a reason. */
static void refused(const char *what, size_t at, const uint8_t *bytes, size_t n)
{
    char why[256];
    const enum hd_status s = run(bytes, n, why, sizeof why);
    tried++;
    if (s <= HD_STOPPED || !strstr(why, "board")) {
        printf("damage: byte %zu %s: %s, `%s'\n", at, what, hd_strerror(s), why);
        wrong++;
    }
}

static size_t frame_bytes(size_t at) { return HEAD + whole[at + 3] + 256u * whole[at + 4] + CRC; }

int main(int argc, char **argv)
{
    static uint8_t other[2 * MOST];
    char why[256] = "";
    FILE *f = argc == 3 ? fopen(argv[1], "rb") : NULL;
    const size_t n = f ? fread(whole, 1, sizeof whole, f) : 0;
    if (!n || n == sizeof whole ||
        hd_image_open(argv[2], false, &image, why, sizeof why) != HD_OK)
        return fprintf(stderr, "use: damage RECORDING KERNEL %s\n", why), 2;
    if (run(whole, n, why, sizeof why) != HD_OK)
        return printf("damage: the recording itself: %s\n", why), 1;
    for (size_t at = 0; at < n; at++) {
        memcpy(other, whole, n);
        other[at] ^= (uint8_t)(1 << at % 8);
        refused("changed", at, other, n);
        memcpy(other + at, whole + at + 1, n - at - 1);
        refused("left out", at, other, n - 1);
        memcpy(other + at + 1, whole + at, n - at);
        other[at] = whole[at];
        if (at && at < n - 1)
            refused("twice", at, other, n + 1);
        refused("the last", at, whole, at);
    }
    for (size_t at = 0, k; at < n; at += k) {
        k = frame_bytes(at);
        memcpy(other, whole, n);
        memmove(other + at, whole + at + k, n - at - k);
        refused("begins a frame that is lost", at, other, n - k);
        memcpy(other, whole, at + k);
        memcpy(other + at + k, whole + at, n - at);
        if (at + k < n)
            refused("begins a frame that is repeated", at, other, n + k);
    }
    printf("damage: %u streams, %u of which passed for whole\n", tried, wrong);
    hd_image_close(image);
    return wrong != 0;
}
