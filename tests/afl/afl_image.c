/* An image from anywhere: it is refused with a message, or it is sound: listed, and written again
 * as it is.
 * SPDX-License-Identifier: Apache-2.0
 *
 * An image names the ISA table it was made for by a hash.  Inputs hold the eight letters ISA-HASH
 * in its place, so the corpus outlives every change of the table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/image/asm.h"
#include "cmodel/image/image.h"
#include "tests/afl/afl.h"

static void must(int ok, const char *what)
{
    if (ok) return;
    fprintf(stderr, "%s: %s\n", getenv("AFL_INPUT"), what);
    abort();
}

static void check_listing(const struct hd_image *img)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    must(f != NULL, "out of memory");
    hd_dis_image(f, img);
    fclose(f);
    free(text);
}

static void check_rewrite(const struct hd_image *img)
{
    uint8_t *one, *two;
    size_t n1, n2;
    hd_image_save(img, &one, &n1);
    struct hd_image *again = hd_image_parse("written", one, n1, NULL);
    must(again != NULL, "what was written cannot be read");
    hd_image_save(again, &two, &n2);
    must(n1 == n2 && !memcmp(one, two, n1), "written twice, it differs");
    hd_image_free(again);
    free(one);
    free(two);
}

int afl_one(const uint8_t *buf, size_t n)
{
    static const uint64_t hash = ISA_HASH;
    struct hd_err err = { 0 };
    uint8_t *own = malloc(n ? n : 1);
    must(own != NULL, "out of memory");
    if (n) memcpy(own, buf, n);
    uint8_t *mark = memmem(own, n, "ISA-HASH", 8);
    if (mark) memcpy(mark, &hash, 8);
    struct hd_image *img = hd_image_parse("input", own, n, &err);
    free(own);
    must(img || err.status == 2, "neither read nor refused");
    if (img) {
        check_listing(img);
        check_rewrite(img);
    }
    hd_image_free(img);
    return img != NULL;
}
