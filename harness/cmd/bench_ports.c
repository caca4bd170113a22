/* How much of a port kernels get out of the core.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cmd/bench_ports.h"
#include "cmodel/heddle.h"
#include "cmodel/image/image.h"
#include "compiler/all.h"
#include <stdio.h>
#include <string.h>

enum { SECTOR = 32,                      /* bytes that the LSU hands to the port in a cycle */
       STRIDES = 32,                     /* of a thread of stream */
       LOADS = 32, ROUNDS = 32,          /* of a round of shared, of so many */
       SECTORS = 1 << 15,                /* of gather's table */
       BUFFER = SECTOR * SECTORS };

static const struct port {
    const char *file, *name, *unit;
    struct hd_dim3 grid, block;
    double bytes, limit;         /* bytes that a thread moves, or what else it does that is counted;
                                    0: instructions of warps are counted */
} ports[PORT_USES] = {
    { "fma_loop.cu", "rtl.fma8", "warp", { 8, 1, 1 }, { 32, 1, 1 }, 0, 1 },
    { "saxpy.cu", "rtl.saxpy", "byte", { 256, 1, 1 }, { 256, 1, 1 }, 12, SECTOR },
    { "stream.cu", "rtl.stream", "byte", { 4, 1, 1 }, { 256, 1, 1 }, 12 * STRIDES, SECTOR },
    { "gather.cu", "rtl.gather", "byte", { 4, 1, 1 }, { 256, 1, 1 }, 8 * SECTOR, SECTOR },
    { "shared.cu", "rtl.shared", "load", { 4, 1, 1 }, { 256, 1, 1 }, LOADS * ROUNDS / 32.0, 1 },
};

/* Each kernel's parameters; saxpy's out is read too. */
static size_t params(unsigned which, uint64_t in, uint64_t out, uint8_t block[32])
{
    const struct { uint64_t out; float a, b; uint32_t n; } fma = { out, 0.5f, 0.25f, 1024 };
    const struct { uint64_t in, out; float a; } saxpy = { in, out, 0.5f };
    const struct { uint64_t in, out; float a; uint32_t n; } stream = { in, out, 0.5f, STRIDES };
    const struct { uint64_t in, out; uint32_t sectors; } gather = { in, out, SECTORS };
    const struct { uint32_t n; } shared = { ROUNDS };
    const struct { const void *at; size_t size; } from[PORT_USES] = {
        { &fma, 20 }, { &saxpy, 20 }, { &stream, 24 }, { &gather, 20 }, { &shared, 4 },
    };
    memcpy(block, from[which].at, from[which].size);
    return from[which].size;
}

static bool launch(hd_device *d, unsigned which, struct port_use *out)
{
    const struct port *p = &ports[which];
    uint64_t from = 0, to = 0;
    uint8_t block[32];
    if (hd_malloc(d, BUFFER, &from) != HD_OK || hd_malloc(d, BUFFER, &to) != HD_OK)
        return false;
    struct hd_launch l = { .grid = p->grid, .block = p->block, .params = block };
    l.params_size = params(which, from, to, block);
    if (hd_launch_grid(d, &l) != HD_OK) {
        hd_explain(d, stderr);
        return false;
    }
    const struct hd_counters *n = hd_get_counters(d);
    double threads = (double)p->grid.x * p->block.x;
    double sum = p->bytes > 0 ? p->bytes * threads : (double)n->warp_insns;
    *out = (struct port_use){ p->name, p->unit, sum / (double)n->cycles, p->limit };
    return true;
}

bool port_measure(unsigned which, struct port_use *out)
{
    char path[64];
    struct cc_options cc = { 0 };
    struct hd_err err = { 0 };
    struct hd_config cfg = { .kind = HD_LOCKSTEP, .lanes = HD_LANES };
    hd_device *d = NULL;
    snprintf(path, sizeof path, "tests/bench/%s", ports[which].file);
    struct hd_image *img = hd_compile(path, &cc, &err);
    bool ok = img && hd_open(&cfg, &d) == HD_OK && hd_load(d, img) == HD_OK;
    if (!ok)
        fprintf(stderr, "heddle bench: %s\n", img ? hd_device_error(d) : err.text);
    ok = ok && launch(d, which, out);
    hd_close(d);
    hd_image_free(img);
    return ok;
}
