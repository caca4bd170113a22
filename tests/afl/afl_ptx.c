/* PTX from anywhere: it is compiled, or refused with a message; what is compiled is a sound image.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include "cmodel/image/image.h"
#include "compiler/all.h"
#include "tests/afl/afl.h"

static void must(int ok, const char *what, const struct hd_err *err)
{
    if (ok) return;
    fprintf(stderr, "%s: %s: %s\n", getenv("AFL_INPUT"), what, err->text);
    abort();
}

/* Every mode and placement, chosen by the text, so that an input always means the same. */
static struct cc_options options(const uint8_t *buf, size_t n)
{
    uint32_t h = 2166136261u;                        /* FNV-1a */
    for (size_t k = 0; k < n; k++) h = (h ^ buf[k]) * 16777619u;
    h ^= h >> 16;
    struct cc_options opt = { .stack_mode = h % 8 == 0,
                              .no_ifconv = h >> 3 & 1,
                              .maxregs = h >> 4 & 3 ? 0 : 24 };
    if (opt.stack_mode) return opt;
    opt.predict = (int)(h >> 6) % 3;
    if (opt.predict) opt.deconflict = h >> 8 & 1;
    if (opt.predict) opt.soft = h >> 9 & 1 ? (int)(h >> 10 & 31) : 0;
    return opt;
}

int afl_one(const uint8_t *buf, size_t n)
{
    const struct cc_options opt = options(buf, n);
    struct hd_err err = { 0 };
    struct arena *arena = arena_new();
    struct hd_image *img = NULL;
    struct module *m = ptx_parse(arena, "input", (const char *)buf, n, &err);
    if (m && cc_middle(m, &opt, &err)) img = backend_run(m, &opt, &err);
    arena_free(arena);
    must(img || err.status == 2, "neither compiled nor refused", &err);
    if (img) {
        uint8_t *file;
        size_t size;
        hd_image_save(img, &file, &size);
        struct hd_image *again = hd_image_parse("what was compiled", file, size, &err);
        must(again != NULL, "a broken image", &err);
        hd_image_free(again);
        free(file);
    }
    hd_image_free(img);
    return img != NULL;
}
