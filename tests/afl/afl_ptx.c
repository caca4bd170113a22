/* PTX from anywhere: it is compiled, or refused with a message; what is compiled is a sound image.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include "cmodel/image.h"
#include "compiler/all.h"
#include "tests/afl/afl.h"

static void must(int ok, const char *what, const struct hd_err *err)
{
    if (ok) return;
    fprintf(stderr, "%s: %s: %s\n", getenv("AFL_INPUT"), what, err->text);
    abort();
}

int afl_one(const uint8_t *buf, size_t n)
{
    const struct cc_options opt = { 0 };
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
